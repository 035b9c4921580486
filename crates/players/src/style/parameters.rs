//! The three parameters of a style, and their text.

use super::beliefs::MoveFeatures;
use crate::record::BoardName;
use std::fmt;

/// The parameters of a playstyle: what each feature of a move adds to the belief that the ghost is
/// blue. Each is between -0.5 and 0.5; a positive value means that the feature suggests a blue ghost,
/// as in P5's table 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Style {
    /// For a step to a square beside an enemy.
    pub adjacent: f64,
    /// For a step away from an enemy beside it.
    pub away: f64,
    /// For a step nearer to an exit.
    pub towards: f64,
}

/// Parameters are between minus this and this.
pub const MAX_PARAMETER: f64 = 0.5;

/// The names of the parameters in files and tables, in their order.
pub const NAMES: [&str; 3] = ["adjacent", "away", "towards"];

impl Style {
    /// From its parameters in order; `None` if one is out of range.
    pub fn from_array(parameters: [f64; 3]) -> Option<Style> {
        let [adjacent, away, towards] = parameters;
        let fits = parameters.iter().all(|one| (-MAX_PARAMETER..=MAX_PARAMETER).contains(one));
        fits.then_some(Style { adjacent, away, towards })
    }

    /// Its parameters in order.
    pub const fn to_array(self) -> [f64; 3] {
        [self.adjacent, self.away, self.towards]
    }

    /// Rounded to the four digits that tables show.
    #[must_use]
    pub fn rounded(self) -> Style {
        let round = |one: f64| (one * 1e4).round() / 1e4 + 0.0; // no minus before 0
        let [adjacent, away, towards] = self.to_array().map(round);
        Style { adjacent, away, towards }
    }

    /// What a step with these features adds to the belief that the ghost is blue.
    pub(super) fn change(&self, features: &MoveFeatures) -> f64 {
        let when = |done: bool, parameter: f64| if done { parameter } else { 0.0 };
        when(features.adjacent, self.adjacent)
            + when(features.away, self.away)
            + when(features.towards, self.towards)
    }
}

/// A style as it is kept in a file, with the board it was made on.
///
/// ```text
/// spuk-style 1
/// board 4x5
/// adjacent 0.2685
/// away -0.2646
/// towards -0.2592
/// ```
///
/// It may play on the other board too: the parameters mean the same there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StyleFile {
    /// The board it was made on.
    pub board: BoardName,
    /// The parameters.
    pub style: Style,
}

/// The longest file of a style, in bytes.
pub const MAX_FILE_BYTES: usize = 1024;

/// Why a text is not a style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StyleTextError {
    /// It is longer than any style.
    TooLong,
    /// It begins otherwise.
    NoStyle,
    /// It is written in another version of the form.
    Version(String),
    /// A line is missing, or another stands in its place.
    Line(&'static str),
    /// It names a board there is not.
    Board(String),
    /// A parameter is not a number.
    Number(&'static str, String),
    /// A parameter is out of range.
    Range(&'static str, String),
    /// There is more behind its end.
    More(String),
}

impl fmt::Display for StyleTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StyleTextError::TooLong => write!(f, "a style has at most {MAX_FILE_BYTES} bytes"),
            StyleTextError::NoStyle => f.write_str("the first line has to be `spuk-style 1`"),
            StyleTextError::Version(version) => {
                write!(f, "it has version {version:?} of the form; this program reads version 1")
            }
            StyleTextError::Line(name) => {
                write!(
                    f,
                    "a line `{name} VALUE` is missing or not in its place; the lines are board, adjacent, away, towards"
                )
            }
            StyleTextError::Board(board) => {
                write!(f, "there is no board {board:?}; boards are 4x5 and 6x6")
            }
            StyleTextError::Number(name, text) => {
                write!(f, "{name} is {text:?}; write a number such as -0.25")
            }
            StyleTextError::Range(name, text) => {
                write!(f, "{name} is {text}; it has to be between -0.5 and 0.5")
            }
            StyleTextError::More(line) => {
                write!(f, "nothing may follow the line `towards`: {line:?}")
            }
        }
    }
}

impl std::error::Error for StyleTextError {}

impl fmt::Display for StyleFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = match self.board {
            BoardName::Small => "4x5",
            BoardName::Standard => "6x6",
        };
        writeln!(f, "spuk-style 1\nboard {board}")?;
        let mut named = NAMES.into_iter().zip(self.style.to_array());
        named.try_for_each(|(name, value)| writeln!(f, "{name} {value}"))
    }
}

impl std::str::FromStr for StyleFile {
    type Err = StyleTextError;

    fn from_str(text: &str) -> Result<StyleFile, StyleTextError> {
        if text.len() > MAX_FILE_BYTES {
            return Err(StyleTextError::TooLong);
        }
        let mut lines = text.lines();
        let version = lines.next().and_then(|line| line.strip_prefix("spuk-style "));
        match version {
            Some("1") => {}
            Some(other) => return Err(StyleTextError::Version(shown(other))),
            None => return Err(StyleTextError::NoStyle),
        }
        let mut value_of = |name: &'static str| {
            let value = lines.next().and_then(|line| line.strip_prefix(name)?.strip_prefix(' '));
            value.ok_or(StyleTextError::Line(name))
        };
        let board = match value_of("board")? {
            "4x5" => BoardName::Small,
            "6x6" => BoardName::Standard,
            other => return Err(StyleTextError::Board(shown(other))),
        };
        let mut parameters = [0.0; 3];
        for (parameter, name) in parameters.iter_mut().zip(NAMES) {
            *parameter = number(name, value_of(name)?)?;
        }
        if let Some(line) = lines.next() {
            return Err(StyleTextError::More(shown(line)));
        }
        let [adjacent, away, towards] = parameters;
        Ok(StyleFile { board, style: Style { adjacent, away, towards } })
    }
}

/// A parameter as people write it: no exponents, no names of numbers.
fn number(name: &'static str, text: &str) -> Result<f64, StyleTextError> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || b".-".contains(&byte));
    let value: Option<f64> = text.parse().ok().filter(|_| is_plain);
    let value = value.ok_or_else(|| StyleTextError::Number(name, shown(text)))?;
    if (-MAX_PARAMETER..=MAX_PARAMETER).contains(&value) {
        Ok(value)
    } else {
        Err(StyleTextError::Range(name, shown(text)))
    }
}

/// Short enough for a sentence.
fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "spuk-style 1\nboard 4x5\nadjacent 0.2685\naway -0.2646\ntowards -0.2592\n";

    #[test]
    fn text_round_trips() {
        let file: StyleFile = TEXT.parse().unwrap();
        assert_eq!(file.style.to_array(), [0.2685, -0.2646, -0.2592]);
        assert_eq!(file.to_string(), TEXT);
        let small = Style { adjacent: 1e-7, away: -0.5, towards: 0.1 + 0.2 };
        let again = StyleFile { board: BoardName::Standard, style: small };
        assert_eq!(again.to_string().parse(), Ok(again));
        assert_eq!(TEXT.replace('\n', "\r\n").parse(), Ok(file));
    }

    #[test]
    fn every_refusal_has_its_sentence() {
        let refused = |from: &str, to: &str| {
            TEXT.replace(from, to).parse::<StyleFile>().unwrap_err().to_string()
        };
        let cases = [
            (TEXT, "", "the first line"),
            ("spuk-style 1", "style 1", "the first line"),
            ("spuk-style 1", "spuk-style 2", "version \"2\""),
            ("board", "bored", "`board VALUE` is missing"),
            ("board 4x5\n", "", "`board VALUE` is missing"),
            ("4x5", "5x5", "no board \"5x5\""),
            ("adjacent 0.2685", "adjacent", "`adjacent VALUE` is missing"),
            ("away", "adjacent", "`away VALUE` is missing"),
            ("-0.2646", "much", "away is \"much\""),
            ("-0.2646", "nan", "away is \"nan\""),
            ("-0.2646", "1e-3", "away is \"1e-3\""),
            ("-0.2646", "", "away is \"\""),
            ("-0.2592", "-0.51", "towards is -0.51; it has to be between"),
            ("-0.2592\n", "-0.2592\n\n", "nothing may follow"),
            ("4x5", &"5".repeat(MAX_FILE_BYTES), "at most 1024 bytes"),
        ];
        for (from, to, sentence) in cases {
            let found = refused(from, to);
            assert!(found.contains(sentence), "{found}");
        }
    }
}
