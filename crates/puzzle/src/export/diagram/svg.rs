//! A position as a standalone SVG picture.
//!
//! The picture speaks one language throughout: what is *solid* belongs to the bottom side,
//! what is *outlined* belongs to the opponent. That goes for ghosts and for exits. Colours only
//! repeat what the shapes say: a blue ghost is round, with a wavy hem and a smile; a red one has
//! horns, a jagged hem and a scowl; an unknown one bears a question mark. The opponent's blues and
//! reds on the board are counted above it.
//!
//! Nothing in a picture has an id, so that many of them can share a page; that is why the ghosts'
//! outlines are repeated. The same position gives the same bytes.

use super::{blue_and_red, describe};
use crate::export::escape::escaped;
use crate::export::words::Words;
use common::Language;
use games::geister::{Bitboard, Board, Ghost, Move, Position, Square};

/// The options of a picture.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Moves to mark with an arrow. What is neither a step between neighbours nor an escape from
    /// an exit of the board is left out.
    pub marks: Vec<Move>,
    /// Plain text below the board, broken into lines where needed.
    pub caption: Option<String>,
    /// The language of title and description.
    pub language: Language,
}

/// The side of a square.
const CELL: u32 = 54;
/// Left of the board, where the row numbers are, and right of it.
const LEFT: u32 = 36;
/// Above the board, where the exits of the bottom side and the count are.
const TOP: u32 = 46;
/// Below the board, where the exits of the top side and the column letters are.
const BOTTOM: u32 = 70;
/// From one line of a caption to the next.
const LINE: u32 = 22;

/// Coordinates, frame and the exits.
const INK: &str = "#3b4652";
const BLUE: &str = "#1c4a9c";
const RED: &str = "#c2341d";
const PURPLE: &str = "#6a3a9f";

/// The picture: one `svg` element, with a line break at the end.
pub fn draw<B: Board>(position: &Position<B>, options: &Options) -> String {
    let marks: Vec<Move> = options.marks.iter().copied().filter(|&m| fits::<B>(m)).collect();
    let caption = options.caption.as_deref().map(|caption| wrap(caption, line_length::<B>()));
    let caption = caption.unwrap_or_default();
    [
        open::<B>(caption.len() as u32),
        words(position, &marks, &caption, options.language),
        board::<B>(),
        coordinates::<B>(),
        exits::<B>(),
        count(position),
        Ghost::ALL.map(|ghost| ghosts::<B>(ghost, position.ghosts(ghost))).concat(),
        marks.iter().map(|&mark| arrow::<B>(mark)).collect(),
        caption_lines::<B>(&caption),
        "</svg>\n".to_owned(),
    ]
    .concat()
}

const fn width<B: Board>() -> u32 {
    LEFT + B::COLUMNS * CELL + LEFT
}

const fn floor<B: Board>() -> u32 {
    TOP + B::ROWS * CELL
}

/// The middle of a square.
const fn middle<B: Board>(square: Square) -> (u32, u32) {
    let half = CELL / 2;
    (LEFT + square.column() * CELL + half, floor::<B>() - square.row() * CELL - half)
}

fn open<B: Board>(caption_lines: u32) -> String {
    let caption = if caption_lines > 0 { caption_lines * LINE + 8 } else { 0 };
    let (width, height) = (width::<B>(), floor::<B>() + BOTTOM + caption);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\" font-family=\"sans-serif\" \
         text-anchor=\"middle\">\n"
    )
}

/// Title and description.
fn words<B: Board>(
    position: &Position<B>,
    marks: &[Move],
    caption: &[String],
    language: Language,
) -> String {
    let title = if caption.is_empty() {
        Words(language).position_title().to_owned()
    } else {
        caption.join(" ")
    };
    let words = describe(position, language) + &Words(language).marked(marks);
    format!("<title>{}</title>\n<desc>{}</desc>\n", escaped(&title), escaped(&words))
}

/// The paper, the squares with the exits tinted, and the wall with its doors open.
fn board<B: Board>() -> String {
    let (right, floor) = (LEFT + B::COLUMNS * CELL, floor::<B>());
    let (wide, high) = (right - LEFT, floor - TOP);
    let tinted: String = (B::BOTTOM_EXITS | B::TOP_EXITS).map(square_path::<B>).collect();
    let columns = (1..B::COLUMNS).map(|column| format!("M{} {TOP}v{high}", LEFT + column * CELL));
    let rows = (1..B::ROWS).map(|row| format!("M{LEFT} {}h{wide}", TOP + row * CELL));
    let grid: String = columns.chain(rows).collect();
    let (near, far) = (LEFT + CELL, right - CELL);
    format!(
        "<rect fill=\"#fff\" width=\"100%\" height=\"100%\"/>\n\
         <path fill=\"#fbf8f0\" d=\"M{LEFT} {TOP}h{wide}v{high}h-{wide}z\"/>\n\
         <path fill=\"#ece5d3\" d=\"{tinted}\"/>\n\
         <path stroke=\"#cbc3b1\" d=\"{grid}\"/>\n\
         <path stroke=\"{INK}\" stroke-width=\"3\" stroke-linecap=\"round\" \
         d=\"M{LEFT} {TOP}v{high}M{right} {TOP}v{high}M{near} {TOP}H{far}M{near} {floor}H{far}\"/>\n"
    )
}

fn square_path<B: Board>(square: Square) -> String {
    let (x, y) = middle::<B>(square);
    format!("M{} {}h{CELL}v{CELL}h-{CELL}z", x - CELL / 2, y - CELL / 2)
}

/// Row numbers on the left, column letters below.
fn coordinates<B: Board>() -> String {
    let rows = (0..B::ROWS).map(|row| (18, floor::<B>() - row * CELL - 21, row + 1));
    let rows = rows.map(|(x, y, name)| format!("<text x=\"{x}\" y=\"{y}\">{name}</text>\n"));
    let columns = (0..B::COLUMNS).zip('a'..).map(|(column, name)| {
        let (x, y) = (LEFT + column * CELL + CELL / 2, floor::<B>() + 56);
        format!("<text x=\"{x}\" y=\"{y}\">{name}</text>\n")
    });
    let names: String = rows.chain(columns).collect();
    format!("<g fill=\"{INK}\" font-size=\"16\">\n{names}</g>\n")
}

/// An arrow through each door: solid for the bottom side, outlined for the top side.
fn exits<B: Board>() -> String {
    let arrows = |exits: Bitboard, tip: u32, shape: &str| -> String {
        exits.map(|exit| format!("M{} {tip}{shape}", middle::<B>(exit).0)).collect()
    };
    let up = arrows(B::BOTTOM_EXITS, TOP - 34, "l-13 14h7v14h12v-14h7z");
    let down = arrows(B::TOP_EXITS, floor::<B>() + 34, "l-13-14h7v-14h12v14h7z");
    format!(
        "<g fill=\"{INK}\" stroke=\"{INK}\" stroke-width=\"2\" stroke-linejoin=\"round\">\n\
         <path d=\"{up}\"/>\n<path fill=\"#fff\" d=\"{down}\"/>\n</g>\n"
    )
}

/// How many of the opponent's ghosts are blue and how many red, above the board.
fn count<B: Board>(position: &Position<B>) -> String {
    let (blue, red) = blue_and_red(position);
    let centre = LEFT + B::COLUMNS * CELL / 2;
    let one = |ghost: Ghost, x: u32, number: u32| {
        let (paint, shape, y) = (paint(ghost), shape(ghost), TOP - 22);
        format!(
            "<g {paint}><g transform=\"translate({x} {y})scale(.5)\">{shape}</g></g>\
             <text x=\"{}\" y=\"{}\" fill=\"{INK}\" font-size=\"16\">{number}</text>\n",
            x + 19,
            y + 6,
        )
    };
    one(Ghost::ShownBlue, centre - 37, blue) + &one(Ghost::ShownRed, centre + 21, red)
}

/// All ghosts of one kind.
fn ghosts<B: Board>(ghost: Ghost, squares: Bitboard) -> String {
    if squares.is_empty() {
        return String::new();
    }
    let each = squares.map(|square| {
        let (x, y) = middle::<B>(square);
        format!("<g transform=\"translate({x} {y})\">{}</g>\n", shape(ghost))
    });
    format!("<g {}>\n{}</g>\n", paint(ghost), each.collect::<String>())
}

/// The attributes that the bodies of one kind share: own ghosts solid, the others outlined.
fn paint(ghost: Ghost) -> String {
    let (fill, line) = match ghost {
        Ghost::OwnBlue => (BLUE, BLUE),
        Ghost::OwnRed => (RED, RED),
        Ghost::ShownBlue => ("#e6eefb", BLUE),
        Ghost::ShownRed => ("#fdeae4", RED),
        Ghost::Hidden => ("#efe6f8", PURPLE),
    };
    let round = "stroke-linecap=\"round\" stroke-linejoin=\"round\"";
    format!("fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"2.5\" {round}")
}

/// A ghost with a round head, its hem in three waves.
const ROUND: &str = "M-17 17V-4a17 17 0 0 1 34 0V17q-3.4 7-6.8 0t-6.8 0-6.8 0-6.8 0-6.8 0z";
/// A ghost with horns, its hem in three teeth.
const HORNED: &str = "M-17 13V-4l1.5-19 8 5a19 19 0 0 1 15 0l8-5L17-4V13\
                      l-5.7 7-5.6-7-5.7 7-5.7-7-5.6 7z";

/// Round eyes and a smile.
const SMILE: &str =
    r#"<path stroke-width="7" d="M-6.5-6h.01M6.5-6h.01"/><path d="M-6 4q6 6 12 0"/>"#;
/// Slanted eyes and a mouth to match.
const SCOWL: &str = r#"<path stroke-width="5" d="M-9-7l5 4M9-7l-5 4"/><path d="M-6 7q6-6 12 0"/>"#;
/// Small eyes, and a question mark on the belly.
const QUESTION: &str = concat!(
    r#"<path stroke-width="5" d="M-6.5-12h.01M6.5-12h.01"/>"#,
    r#"<path stroke-width="3.2" d="M-5-1a5 5 0 1 1 7.4 4.4q-2.4 1.3-2.4 3.1M0 12h.01"/>"#
);

/// One ghost around the origin: its body, and its face in white if the body is solid.
fn shape(ghost: Ghost) -> String {
    let (body, face) = match ghost {
        Ghost::OwnBlue | Ghost::ShownBlue => (ROUND, SMILE),
        Ghost::OwnRed | Ghost::ShownRed => (HORNED, SCOWL),
        Ghost::Hidden => (ROUND, QUESTION),
    };
    let line = match ghost {
        Ghost::OwnBlue | Ghost::OwnRed => " stroke=\"#fff\"",
        Ghost::ShownBlue | Ghost::ShownRed | Ghost::Hidden => "",
    };
    format!("<path d=\"{body}\"/><g fill=\"none\"{line}>{face}</g>")
}

/// One ghost by itself, to explain the pictures; the words beside it say what it is.
pub fn icon(ghost: Ghost) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-21 -26 42 50\" aria-hidden=\"true\">\
         <g {}>{}</g></svg>\n",
        paint(ghost),
        shape(ghost)
    )
}

/// One hidden `svg` element with every ghost as a symbol, for pages that draw many of them.
///
/// A page shows one by `<use href="#ghost-B"/>`, the letter being that of the position text. Each
/// symbol has its letter as a class (`ghost-B`), so that a style sheet can paint ghosts and faces
/// in other colours, in a dark theme say; without one they look as in [`draw`].
pub fn symbols() -> String {
    let symbols = Ghost::ALL.map(|ghost| {
        let letter = ghost.letter();
        format!(
            "<symbol id=\"ghost-{letter}\" viewBox=\"-21 -26 42 50\">\
             <g class=\"ghost-{letter}\" {}>{}</g></symbol>\n",
            paint(ghost),
            shape(ghost)
        )
    });
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"symbols\" width=\"0\" height=\"0\" \
         aria-hidden=\"true\">\n{}</svg>\n",
        symbols.concat()
    )
}

/// Whether a move can be drawn on board `B`.
fn fits<B: Board>(mark: Move) -> bool {
    match mark {
        Move::Step { from, to } => B::FULL.has(from) && B::FULL.has(to) && from.distance(to) == 1,
        Move::Escape { from } => (B::BOTTOM_EXITS | B::TOP_EXITS).has(from),
    }
}

/// The arrow of a move.
fn arrow<B: Board>(mark: Move) -> String {
    let (x, y) = middle::<B>(mark.from());
    let angle = match mark {
        Move::Escape { from } if B::TOP_EXITS.has(from) => 180,
        Move::Escape { .. } => 0,
        Move::Step { from, to } if to.row() > from.row() => 0,
        Move::Step { from, to } if to.column() > from.column() => 90,
        Move::Step { from, to } if to.row() < from.row() => 180,
        Move::Step { .. } => 270,
    };
    let shape = match mark {
        Move::Step { .. } => "M0-45l-12 14h7v14h10v-14h7z",
        Move::Escape { .. } => "M0-66l-16 18h9v30h14v-30h9z",
    };
    format!(
        "<path d=\"{shape}\" transform=\"translate({x} {y})rotate({angle})\" fill=\"#f2a900\" stroke=\"#222\" \
         stroke-width=\"2\" stroke-linejoin=\"round\"/>\n"
    )
}

fn caption_lines<B: Board>(lines: &[String]) -> String {
    let (x, first) = (width::<B>() / 2, floor::<B>() + BOTTOM + 16);
    let ys = (first..).step_by(LINE as usize);
    let lines = lines.iter().zip(ys).map(|(line, y)| {
        format!(
            "<text x=\"{x}\" y=\"{y}\" fill=\"#222\" font-size=\"17\">{}</text>\n",
            escaped(line)
        )
    });
    lines.collect()
}

/// How many narrow letters of a caption fit into a line.
const fn line_length<B: Board>() -> usize {
    width::<B>() as usize / 10
}

/// The words of `text` in lines of at most `length` narrow letters. A word that is longer than a
/// line, as a Japanese sentence is, is broken anywhere.
fn wrap(text: &str, length: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && columns(&line) + 1 + columns(word) > length {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        for letter in word.chars() {
            if columns(&line) + letter_columns(letter) > length {
                lines.push(std::mem::take(&mut line));
            }
            line.push(letter);
        }
    }
    lines.extend((!line.is_empty()).then_some(line));
    lines
}

fn columns(text: &str) -> usize {
    text.chars().map(letter_columns).sum()
}

/// The width of a letter: 2 for those of East Asia, 1 for the others.
const fn letter_columns(letter: char) -> usize {
    if letter as u32 >= 0x1100 { 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::geister::{Small, Standard};

    const USUAL: &str = "6/4u1/B5/6/6/Ru4 1";
    const ALL_KINDS: &str = "1uRb1r/u5/2B1b1/r2R2/1B2u1/R3B1 4";
    const FULL: &str = "1uuuu1/1uuuu1/6/6/1RBRB1/1BRBR1 4";

    fn drawn(text: &str, marks: &[&str], caption: Option<&str>) -> String {
        let marks = marks.iter().map(|mark| mark.parse().unwrap()).collect();
        let caption = caption.map(str::to_owned);
        let options = Options { marks, caption, ..Options::default() };
        match text.parse::<Position>() {
            Ok(position) => draw(&position, &options),
            Err(_) => draw(&text.parse::<Position<Small>>().unwrap(), &options),
        }
    }

    /// Checks that tags are balanced, quotes are closed and nothing special is left in the text.
    fn assert_well_formed(svg: &str) {
        let mut open = Vec::new();
        for part in svg.trim_end().split('<').skip(1) {
            let (tag, text) = part.split_once('>').unwrap();
            assert!(!text.contains('>') && tag.matches('"').count() % 2 == 0, "{part}");
            for entity in text.split('&').skip(1) {
                let (name, _) = entity.split_once(';').unwrap();
                assert!(["amp", "lt", "gt", "quot", "#39"].contains(&name), "{part}");
            }
            let name = tag.split_whitespace().next().unwrap();
            match name.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name)),
                None if tag.ends_with('/') => {}
                None => open.push(name),
            }
            assert!(!open.is_empty() || text.is_empty(), "{part}");
        }
        assert_eq!(open, [""; 0]);
    }

    fn assert_each_ghost_once<B: Board>(text: &str) {
        let position: Position<B> = text.parse().unwrap();
        let svg = draw(&position, &Options::default());
        for ghost in Ghost::ALL {
            let group = svg.split_once(&format!("<g {}>\n", paint(ghost)));
            let group = group.map_or("", |(_, rest)| rest.split("\n</g>").next().unwrap());
            let found = group.lines().map(str::to_owned).collect::<Vec<_>>();
            let wanted = position.ghosts(ghost).map(|square| {
                let (x, y) = middle::<B>(square);
                format!("<g transform=\"translate({x} {y})\">{}</g>", shape(ghost))
            });
            assert_eq!(found, wanted.collect::<Vec<_>>());
        }
        let all = Ghost::ALL.map(|ghost| position.ghosts(ghost).count()).iter().sum::<u32>();
        assert_eq!(svg.matches(")\"><path").count() as u32, all + 2, "and two in the count");
    }

    #[test]
    fn the_golden_pictures_are_drawn() {
        // After an intended change, check the new pictures and copy them here.
        let marked = drawn(ALL_KINDS, &["b2b3", "e1e2"], Some("A & B"));
        assert_eq!(marked, include_str!("../../../tests/golden/all-kinds.svg"));
        let small = drawn("1u2/r3/2b1/B3/2R1 2", &[], None);
        assert_eq!(small, include_str!("../../../tests/golden/small.svg"));
    }

    #[test]
    fn every_ghost_appears_once_at_its_place() {
        for text in [USUAL, ALL_KINDS, FULL] {
            assert_each_ghost_once::<Standard>(text);
        }
        assert_each_ghost_once::<Small>("1u2/r3/2b1/B3/2R1 2");
    }

    #[test]
    fn squares_are_drawn_at_their_coordinates() {
        let at = |name| Square::from_name(name).unwrap();
        assert_eq!(middle::<Standard>(at("a1")), (36 + 27, 46 + 6 * 54 - 27));
        assert_eq!(middle::<Standard>(at("f6")), (36 + 5 * 54 + 27, 46 + 27));
        assert_eq!(middle::<Small>(at("d5")), (36 + 3 * 54 + 27, 46 + 27));
    }

    #[test]
    fn pictures_are_small_well_formed_and_stand_alone() {
        let caption = "漢字 & \"quotes\" ".repeat(10);
        for text in [USUAL, ALL_KINDS, FULL, "1u2/r3/2b1/B3/2R1 2"] {
            for marks in [&[][..], &["a2a3", "a1-out"]] {
                for caption in [None, Some(caption.as_str())] {
                    let svg = drawn(text, marks, caption);
                    assert_well_formed(&svg);
                    assert!(svg.len() < 9_000, "{} bytes", svg.len());
                    for unwanted in [" id=", "href", "url(", "<script", "<style", " on"] {
                        let elements = svg.split("</desc>").nth(1).unwrap();
                        assert!(!elements.contains(unwanted), "{unwanted}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_picture_is_described() {
        let svg = drawn(USUAL, &["a4a5"], None);
        assert!(svg.contains("role=\"img\""));
        assert!(
            svg.contains("<title>Geister position</title>\n<desc>6 by 6 board. Own blue on a4;")
        );
        assert!(svg.contains("Own side to move. Marked: a4 to a5.</desc>"));
    }

    #[test]
    fn symbols_are_the_ghosts_of_the_pictures() {
        let symbols = symbols();
        assert_well_formed(&symbols);
        for (ghost, letter) in Ghost::ALL.into_iter().zip("BRbru".chars()) {
            let icon = icon(ghost);
            let drawing = icon.split_once("<g ").unwrap().1.trim_end().trim_end_matches("</svg>");
            let symbol = format!(
                "<symbol id=\"ghost-{letter}\" viewBox=\"-21 -26 42 50\">\
                 <g class=\"ghost-{letter}\" {drawing}</symbol>\n"
            );
            assert!(symbols.contains(&symbol), "{symbol}");
        }
    }

    #[test]
    fn captions_are_escaped() {
        let svg = drawn(USUAL, &[], Some("<b> & \"it's\"\n\u{0}\u{ffff}"));
        let caption = "&lt;b&gt; &amp; &quot;it&#39;s&quot; \u{fffd}\u{fffd}";
        assert_eq!(svg.matches(caption).count(), 2, "in the title and below the board");
        assert_well_formed(&svg);
        assert_eq!(drawn(USUAL, &[], Some(" \n ")), drawn(USUAL, &[], None));
    }

    #[test]
    fn captions_are_broken_into_lines() {
        assert_eq!(wrap("one two  three", 7), ["one two", "three"]);
        assert_eq!(wrap("a longword b", 4), ["a", "long", "word", "b"]);
        assert_eq!(wrap("七手で勝ち", 4), ["七手", "で勝", "ち"]);
        assert_eq!(wrap("", 4), [""; 0]);
    }

    #[test]
    fn only_moves_of_the_board_are_marked() {
        let arrows = |text, marks| drawn(text, marks, None).matches("rotate(").count();
        let step_turns = ["c3c4", "c3d3", "c3c2", "c3b3"].map(|mark| drawn(USUAL, &[mark], None));
        for (svg, angle) in step_turns.iter().zip([0, 90, 180, 270]) {
            assert!(svg.contains(&format!("rotate({angle})")));
        }
        assert_eq!(arrows(USUAL, &["a6-out", "f1-out"]), 2);
        assert_eq!(arrows(USUAL, &["a2-out", "a1c1", "a1b2", "a1a1"]), 0);
        assert_eq!(arrows("1u2/r3/2b1/B3/2R1 2", &["d5-out", "d1-out", "d5d4"]), 3);
        assert_eq!(arrows("1u2/r3/2b1/B3/2R1 2", &["f6-out", "d5e5", "e5e4", "a6-out"]), 0);
    }
}
