//! Puzzles on paper: one HTML file that needs nothing else and prints well on A4 and letter, in
//! colour or without.
//!
//! The first page tells the rules and the signs; then come the puzzles, six a page, numbered in the
//! order given; their solutions stand at the back.

use super::diagram::{blue_and_red, svg};
use super::escape::escaped;
use super::words::Words;
use crate::record::Puzzle;
use common::Language;
use games::geister::{Ghost, Move, Position};
use search::Verdict;

/// How a booklet is printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The language of everything but the title.
    pub language: Language,
    /// The title, or that of the language.
    pub title: Option<String>,
}

/// Two columns of three.
const PUZZLES_PER_PAGE: usize = 6;

const STYLE: &str = include_str!("booklet.css");

/// The booklet, an HTML document.
pub fn document(puzzles: &[Puzzle], options: &Options) -> String {
    let words = Words(options.language);
    let title = escaped(options.title.as_deref().unwrap_or(words.booklet_title()));
    [
        format!(
            "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n",
            words.0
        ),
        cover(puzzles, &title, words),
        sheets(puzzles, words),
        solutions(puzzles, words),
        "</body>\n</html>\n".to_owned(),
    ]
    .concat()
}

/// The first page: title, rules, signs.
fn cover(puzzles: &[Puzzle], title: &str, words: Words) -> String {
    let plies = || puzzles.iter().map(|puzzle| puzzle.m_win);
    let extent = match (plies().min(), plies().max()) {
        (Some(shortest), Some(longest)) => words.extent(puzzles.len(), shortest, longest),
        _ => String::new(),
    };
    let rules = words.rules().map(|(heading, text)| format!("<h2>{heading}</h2>\n<p>{text}</p>\n"));
    let signs = Ghost::ALL
        .map(|ghost| format!("<li>{}<span>{}</span></li>\n", svg::icon(ghost), words.sign(ghost)));
    format!(
        "<section class=\"cover\">\n<header>\n{}<h1>{title}</h1>\n<p>{extent}</p>\n</header>\n\
         {}<h2>{}</h2>\n<ul class=\"signs\">\n{}</ul>\n<footer>{}</footer>\n</section>\n",
        [Ghost::OwnBlue, Ghost::Hidden, Ghost::OwnRed].map(svg::icon).concat(),
        rules.concat(),
        words.signs(),
        signs.concat(),
        words.made_with(),
    )
}

/// The pages of puzzles.
fn sheets(puzzles: &[Puzzle], words: Words) -> String {
    let figures: Vec<String> =
        (1..).zip(puzzles).map(|(number, puzzle)| figure(number, puzzle, words)).collect();
    let sheet =
        |figures: &[String]| format!("<section class=\"sheet\">\n{}</section>\n", figures.concat());
    figures.chunks(PUZZLES_PER_PAGE).map(sheet).collect()
}

fn figure(number: usize, puzzle: &Puzzle, words: Words) -> String {
    let (blue, red) = blue_and_red(&puzzle.position);
    let picture = svg::Options { language: words.0, ..svg::Options::default() };
    format!(
        "<figure class=\"puzzle\">\n<h3><b>{number}</b> {}</h3>\n{}<figcaption>{}</figcaption>\n\
         </figure>\n",
        words.win(puzzle.m_win),
        svg::draw(&puzzle.position, &picture),
        words.opponent(blue, red),
    )
}

/// The pages at the back.
fn solutions(puzzles: &[Puzzle], words: Words) -> String {
    let all = (1..).zip(puzzles).map(|(number, puzzle)| solution(number, puzzle, words));
    format!(
        "<section class=\"solutions\">\n<h2>{}</h2>\n<p>{}</p>\n<div>\n{}</div>\n</section>\n",
        words.solutions(),
        words.about_solutions(),
        all.collect::<String>(),
    )
}

fn solution(number: usize, puzzle: &Puzzle, words: Words) -> String {
    let (comma, position) = (words.comma(), &puzzle.position);
    let keys: Vec<String> = puzzle.keys().map(|mv| print_move(position, mv, words)).collect();
    let themes: Vec<&str> = puzzle.themes.iter().map(|&theme| words.theme(theme)).collect();
    let slower = slower_wins(puzzle, words);
    [
        format!("<article class=\"solution\">\n<h3><b>{number}</b> "),
        format!("{} <small>{}</small></h3>\n", words.win(puzzle.m_win), puzzle.id()),
        format!("<p class=\"line\">{}</p>\n", line(puzzle, words)),
        labelled(words.keys(keys.len() == 1), &keys.join(comma), words),
        labelled(words.slower(), &slower.join(comma), words),
        labelled(words.themes(themes.len() == 1), &themes.join(comma), words),
        "</article>\n".to_owned(),
    ]
    .concat()
}

/// A labelled list, or nothing if it is empty.
fn labelled(label: &str, list: &str, words: Words) -> String {
    if list.is_empty() {
        return String::new();
    }
    format!("<p><i>{label}</i>{}{list}</p>\n", words.colon())
}

/// First moves that win later than they could.
fn slower_wins(puzzle: &Puzzle, words: Words) -> Vec<String> {
    let wins = puzzle.first_moves.iter().filter_map(|first| match first.verdict {
        Verdict::Win(plies) if plies > puzzle.m_win => Some((plies, first.mv)),
        _ => None,
    });
    wins.map(|(plies, mv)| format!("{} ({plies})", print_move(&puzzle.position, mv, words)))
        .collect()
}

/// The main line: `1. a4–a5 b1–c1 2. a5–a6`, both moves of a number kept together.
fn line(puzzle: &Puzzle, words: Words) -> String {
    let mut position = puzzle.position;
    let moves: Vec<String> = (puzzle.line.iter())
        .map(|&mv| {
            let text = print_move(&position, mv, words);
            // A puzzle that was read has a legal line; of another one nothing is known.
            position = position.play(mv).unwrap_or(position);
            text
        })
        .collect();
    let pairs = (1..)
        .zip(moves.chunks(2))
        .map(|(number, pair)| format!("<span><b>{number}.</b> {}</span>", pair.join(" ")));
    pairs.collect::<Vec<_>>().join("\n")
}

fn print_move(position: &Position, mv: Move, words: Words) -> String {
    words.mv(mv, mv.to().is_some_and(|to| position.get(to).is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::sample;

    fn booklet(puzzles: usize, language: Language, title: Option<&str>) -> String {
        let options = Options { language, title: title.map(str::to_owned) };
        document(&vec![sample::puzzle(); puzzles], &options)
    }

    #[test]
    fn puzzles_come_six_a_page_and_solutions_at_the_back() {
        for (puzzles, pages) in [(1, 1), (6, 1), (7, 2), (13, 3)] {
            let html = booklet(puzzles, Language::English, None);
            let (front, back) = html.split_once("<section class=\"solutions\">").unwrap();
            assert_eq!(front.matches("class=\"puzzle\"").count(), puzzles);
            assert_eq!(front.matches("role=\"img\"").count(), puzzles);
            assert_eq!(front.matches("class=\"sheet\"").count(), pages);
            assert_eq!(back.matches("class=\"solution\"").count(), puzzles);
            assert!(!back.contains("<svg") && !front.contains("a4–a5"), "solutions are apart");
        }
    }

    #[test]
    fn a_solution_has_line_keys_and_themes() {
        let html = booklet(1, Language::English, None);
        for part in [
            "<h3><b>1</b> Win in 5 plies (3 own moves)</h3>",
            "<figcaption>Opponent: 1 blue, 1 red</figcaption>",
            "<span><b>1.</b> a4–a5 b1–c1</span>\n<span><b>2.</b> a5–a6 c1–b1</span>\n\
             <span><b>3.</b> a6 out</span>",
            "<i>Key</i>: a4–a5<",
            "<i>Slower</i>: a4–b4 (7)<",
            "<i>Themes</i>: red wall, solo<",
        ] {
            assert!(html.contains(part), "{part} is missing in\n{html}");
        }
        let html = booklet(1, Language::Japanese, None);
        for part in [
            "<html lang=\"ja\">",
            "<title>詰めガイスター問題集</title>",
            "<h3><b>1</b> 5手詰め（自分は3手）</h3>",
            "<figcaption>相手：青駒1、赤駒1</figcaption>",
            "<b>3.</b> a6脱出<",
            "<i>正解手</i>：a4–a5<",
            "<i>テーマ</i>：赤駒壁利用、単騎<",
        ] {
            assert!(html.contains(part), "{part} is missing in\n{html}");
        }
    }

    #[test]
    fn captures_are_distinguished_from_steps() {
        let position: Position = "6/6/6/6/6/BuRu2 1".parse().unwrap();
        let mv =
            |text: &str| print_move(&position, text.parse().unwrap(), Words(Language::English));
        assert_eq!([mv("a1b1"), mv("a1a2")], ["a1×b1", "a1–a2"]);
    }

    #[test]
    fn a_japanese_booklet_has_no_english_words() {
        let html = booklet(1, Language::Japanese, None);
        let text = html.split("</style>").nth(1).unwrap();
        let mut words: Vec<&str> = text
            .split('<')
            .filter_map(|part| part.split_once('>'))
            .flat_map(|(_, text)| text.split(|c: char| !c.is_ascii_alphabetic()))
            .filter(|word| word.len() > 2)
            .collect();
        let id = sample::puzzle().id();
        words.retain(|word| *word != "Spuk" && !id.contains(word));
        assert_eq!(words, [""; 0]);
    }

    #[test]
    fn a_hostile_title_stays_text() {
        let html = booklet(1, Language::English, Some("</title><script>alert(\"x\")</script>&"));
        assert!(!html.contains("<script") && !html.contains("alert(\""));
        let safe = "&lt;/title&gt;&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;";
        assert_eq!(html.matches(safe).count(), 2, "in the head and on the first page");
    }

    #[test]
    fn a_booklet_has_no_external_resources() {
        let html = booklet(7, Language::English, None);
        for unwanted in ["href", "src=", "url(", "@import", "<script"] {
            assert!(!html.contains(unwanted), "{unwanted}");
        }
    }
}
