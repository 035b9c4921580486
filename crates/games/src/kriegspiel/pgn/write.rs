//! Writing PGN.

use super::super::{Color, Game, Piece, Position, Ruling, Termination, Try, umpire};
use super::{ILLEGAL_PREFIX, Record, result};
use std::fmt;

/// The maximum length of a line of moves.
const MAX_LINE_CHARS: usize = 80;

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.tags() {
            writeln!(f, "[{name} \"{}\"]", escaped(&value))?;
        }
        writeln!(f, "\n{}", wrapped(&self.movetext()))
    }
}

impl Record {
    fn tags(&self) -> Vec<(&'static str, String)> {
        let start = self.game.start();
        let mut tags = vec![
            ("Event", "?".to_owned()),
            ("Site", "?".to_owned()),
            ("Date", "????.??.??".to_owned()),
            ("Round", "?".to_owned()),
            ("White", self.white.clone()),
            ("Black", self.black.clone()),
            ("Result", result(&self.game, self.resigned).to_owned()),
            ("Variant", "Kriegspiel".to_owned()),
        ];
        if *start != Position::start() {
            tags.push(("SetUp", "1".to_owned()));
            tags.push(("FEN", start.to_string()));
        }
        tags
    }

    /// Everything after the tags, as one line.
    fn movetext(&self) -> String {
        let mut words = Vec::new();
        let mut position = self.game.start().clone();
        for turn in self.game.turns() {
            words.extend(illegal_comment(&turn.refused));
            let number = position.board().fullmove_number();
            // There is a comment between any two moves, so Black's moves are numbered, too.
            words.push(match position.turn() {
                Color::White => format!("{number}."),
                Color::Black => format!("{number}..."),
            });
            words.push(notation(&position, turn.played));
            words.push(format!("{{{}}}", turn.announcement));
            if let Ruling::Legal { after, .. } = umpire(&position, turn.played) {
                position = after;
            }
        }
        words.extend(illegal_comment(self.game.refused()));
        words.push(result(&self.game, self.resigned).to_owned());
        words.join(" ")
    }
}

fn illegal_comment(tries: &[Try]) -> Option<String> {
    let tries: Vec<String> = tries.iter().map(Try::to_string).collect();
    (!tries.is_empty()).then(|| format!("{{{ILLEGAL_PREFIX}{}.}}", tries.join(" ")))
}

/// Replaces control characters, which the values of tags must not contain.
pub(super) fn printable(c: char) -> char {
    if c.is_control() { ' ' } else { c }
}

/// The value of a tag, escaped for quotation marks.
fn escaped(value: &str) -> String {
    value.chars().map(printable).collect::<String>().replace('\\', "\\\\").replace('"', "\\\"")
}

fn wrapped(words: &str) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words.split(' ') {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > MAX_LINE_CHARS {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
    text
}

/// A legal move in algebraic notation, as chess programs write it.
pub(super) fn notation(position: &Position, played: Try) -> String {
    let board = position.board();
    let Ruling::Legal { announcement, after } = umpire(position, played) else {
        return played.to_string();
    };
    let piece = board.piece_on(played.from).unwrap_or(Piece::Pawn);
    let files = played.to.file() as i8 - played.from.file() as i8;
    let body = match piece {
        Piece::King if files == 2 => "O-O".to_owned(),
        Piece::King if files == -2 => "O-O-O".to_owned(),
        Piece::Pawn if files != 0 => format!("{}x{}", played.from.file(), played.to),
        Piece::Pawn => played.to.to_string(),
        _ => {
            let takes = if announcement.capture.is_some() { "x" } else { "" };
            let letter = char::from(piece).to_ascii_uppercase();
            format!("{letter}{}{takes}{}", origin(position, piece, played), played.to)
        }
    };
    let letter = |piece: Piece| format!("={}", char::from(piece).to_ascii_uppercase());
    let promotion = played.promotion.map(letter).unwrap_or_default();
    let check = match announcement.termination {
        Some(Termination::Checkmate) => "#",
        _ if after.board().checkers().is_empty() => "",
        _ => "+",
    };
    format!("{body}{promotion}{check}")
}

/// The part of the origin square that distinguishes the piece from others of its kind.
fn origin(position: &Position, piece: Piece, played: Try) -> String {
    let pieces = position.board().pieces(piece);
    let others = || position.legal_moves().into_iter().filter(|mv| mv.to == played.to);
    let rivals: Vec<_> = others()
        .map(|mv| mv.from)
        .filter(|&from| from != played.from && pieces.has(from))
        .collect();
    let (file, rank) = (played.from.file(), played.from.rank());
    if rivals.is_empty() {
        String::new()
    } else if rivals.iter().all(|from| from.file() != file) {
        file.to_string()
    } else if rivals.iter().all(|from| from.rank() != rank) {
        rank.to_string()
    } else {
        played.from.to_string()
    }
}

impl Record {
    /// A record of `game`.
    pub fn new(game: Game, white: &str, black: &str) -> Record {
        Record { game, white: white.to_owned(), black: black.to_owned(), resigned: None }
    }

    /// The record of the same game after `color` resigned; a game that the rules have ended is left
    /// unchanged.
    #[must_use]
    pub fn resigned_by(self, color: Color) -> Record {
        let resigned = self.game.termination().is_none().then_some(color);
        Record { resigned, ..self }
    }
}
