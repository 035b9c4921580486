//! Reading PGN: every move is replayed, and every try and announcement checked.

use super::super::{Announcement, Color, FenError, Game, Position, Reply, Try, TryTextError};
use super::write::{notation, printable};
use super::{ILLEGAL_PREFIX, Record, result};
use std::fmt;
use std::str::{Chars, FromStr};

/// A longer text cannot be the record of one game and is refused unread.
const MAX_RECORD_BYTES: usize = 1 << 20;

/// Why a text is not a valid record of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PgnError {
    /// Longer than any record.
    TooLong {
        /// The length of the text.
        bytes: usize,
    },
    /// A tag that is not `[Name "value"]`, or that is not closed.
    Tag,
    /// A comment that is not closed.
    Comment,
    /// No result after the last move.
    NoResult,
    /// Text after the result.
    TrailingText,
    /// The tag FEN is not a valid position.
    Fen(FenError),
    /// A word that is not a legal move.
    Move {
        /// The number of moves before it.
        after: usize,
        /// The word.
        word: String,
    },
    /// A recorded try is not a valid try.
    Try {
        /// The number of moves before it.
        after: usize,
        /// Why it is not valid.
        error: TryTextError,
    },
    /// A try that is recorded as illegal is legal.
    LegalTry {
        /// The number of moves before it.
        after: usize,
        /// The try.
        attempt: Try,
    },
    /// A move or a try after the end of the game.
    GameOver {
        /// The number of moves before it.
        after: usize,
    },
    /// A comment differs from the umpire's announcement.
    Announcement {
        /// The number of moves up to the announcement.
        after: usize,
        /// The correct announcement.
        expected: Announcement,
    },
    /// A comment before the first move that does not list illegal tries.
    EarlyComment,
    /// The recorded result differs from the result of the game.
    Result {
        /// The correct result.
        expected: &'static str,
    },
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PgnError::TooLong { bytes } => {
                write!(f, "the record has {bytes} bytes and no game has over {MAX_RECORD_BYTES}")
            }
            PgnError::Tag => f.write_str("a tag is not of the form [Name \"value\"]"),
            PgnError::Comment => f.write_str("a comment is not closed; close it by }"),
            PgnError::NoResult => {
                f.write_str("there is no result after the last move; write 1-0, 0-1, 1/2-1/2 or *")
            }
            PgnError::TrailingText => {
                f.write_str("there is text after the result; give one game at a time")
            }
            PgnError::Fen(error) => write!(f, "the tag FEN is not a valid position: {error}"),
            PgnError::Move { after, word } => {
                write!(f, "{word:?}, after {after} moves, is not a legal move")
            }
            PgnError::Try { after, error } => write!(f, "after {after} moves: {error}"),
            PgnError::LegalTry { after, attempt } => {
                write!(f, "{attempt}, after {after} moves, is legal and cannot have been refused")
            }
            PgnError::GameOver { after } => {
                write!(f, "the game is over after {after} moves, but the record continues")
            }
            PgnError::Announcement { after, expected } => {
                write!(f, "after {after} moves the umpire announces something else: {expected}")
            }
            PgnError::EarlyComment => {
                f.write_str("a comment before the first move does not list illegal tries")
            }
            PgnError::Result { expected } => {
                write!(f, "the result is {expected}, and the record says otherwise")
            }
        }
    }
}

impl std::error::Error for PgnError {}

/// A token of PGN.
enum Token {
    Tag { name: String, value: String },
    Comment(String),
    Word(String),
}

struct Tokens<'text>(Chars<'text>);

impl Iterator for Tokens<'_> {
    type Item = Result<Token, PgnError>;

    fn next(&mut self) -> Option<Result<Token, PgnError>> {
        let rest = self.0.as_str().trim_start();
        self.0 = rest.chars();
        match rest.chars().next()? {
            '[' => Some(self.tag()),
            '{' => Some(self.comment()),
            _ => Some(Ok(self.word())),
        }
    }
}

impl Tokens<'_> {
    fn tag(&mut self) -> Result<Token, PgnError> {
        self.0.next();
        let (name, rest) = self.0.as_str().split_once('"').ok_or(PgnError::Tag)?;
        let name = name.trim().to_owned();
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        {
            return Err(PgnError::Tag);
        }
        self.0 = rest.chars();
        let mut value = String::new();
        loop {
            match self.0.next().ok_or(PgnError::Tag)? {
                '"' => break,
                '\n' => return Err(PgnError::Tag),
                '\\' => value.push(printable(self.0.next().ok_or(PgnError::Tag)?)),
                c => value.push(printable(c)),
            }
        }
        let rest = self.0.as_str().trim_start().strip_prefix(']').ok_or(PgnError::Tag)?;
        self.0 = rest.chars();
        Ok(Token::Tag { name, value })
    }

    fn comment(&mut self) -> Result<Token, PgnError> {
        let (text, rest) = self.0.as_str()[1..].split_once('}').ok_or(PgnError::Comment)?;
        let words: Vec<&str> = text.split_whitespace().collect();
        self.0 = rest.chars();
        Ok(Token::Comment(words.join(" ")))
    }

    fn word(&mut self) -> Token {
        let text = self.0.as_str();
        let ends = |c: char| c.is_whitespace() || c == '{' || c == '[';
        let (word, rest) = text.split_at(text.find(ends).unwrap_or(text.len()));
        self.0 = rest.chars();
        Token::Word(word.to_owned())
    }
}

/// Reads the tokens of a record and replays its game.
#[derive(Default)]
struct RecordReader {
    white: String,
    black: String,
    start: Option<Position>,
    result_tag: Option<String>,
    game: Option<Game>,
    done: bool,
    resigned: Option<Color>,
}

impl FromStr for Record {
    type Err = PgnError;

    /// Reads one game. Comments may be omitted, but those that are present have to be correct.
    fn from_str(text: &str) -> Result<Record, PgnError> {
        if text.len() > MAX_RECORD_BYTES {
            return Err(PgnError::TooLong { bytes: text.len() });
        }
        let mut reader = RecordReader::default();
        for token in Tokens(text.chars()) {
            let token = token?;
            if reader.done {
                return Err(PgnError::TrailingText);
            }
            match token {
                Token::Tag { name, value } => reader.tag(&name, value)?,
                Token::Comment(text) => reader.comment(&text)?,
                Token::Word(word) => reader.word(&word)?,
            }
        }
        reader.record()
    }
}

impl RecordReader {
    fn tag(&mut self, name: &str, value: String) -> Result<(), PgnError> {
        if self.game.is_some() {
            return Err(PgnError::Tag);
        }
        match name {
            "White" => self.white = value,
            "Black" => self.black = value,
            "Result" => self.result_tag = Some(value),
            "FEN" => self.start = Some(value.parse().map_err(PgnError::Fen)?),
            _ => {}
        }
        Ok(())
    }

    fn game(&mut self) -> &mut Game {
        let start = self.start.take();
        self.game.get_or_insert_with(|| Game::new(start.unwrap_or_else(Position::start)))
    }

    fn comment(&mut self, text: &str) -> Result<(), PgnError> {
        let game = self.game();
        if let Some(tries) = text.strip_prefix(ILLEGAL_PREFIX) {
            let tries = tries.trim_end_matches('.').split(' ');
            return tries.into_iter().try_for_each(|text| play_illegal_try(game, text));
        }
        let expected = game.turns().last().ok_or(PgnError::EarlyComment)?.announcement;
        if text == expected.to_string() {
            Ok(())
        } else {
            Err(PgnError::Announcement { after: game.turns().len(), expected })
        }
    }

    fn word(&mut self, word: &str) -> Result<(), PgnError> {
        let game = self.game();
        if ["1-0", "0-1", "1/2-1/2", "*"].contains(&word) {
            self.done = true;
            return self.check_result(word);
        }
        // `12.` and `12...` may precede a move, with or without a space.
        let word = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        if word.is_empty() { Ok(()) } else { play_move(game, word) }
    }

    fn check_result(&mut self, word: &str) -> Result<(), PgnError> {
        let tag = self.result_tag.take();
        // A game that the rules have not ended can only be won by resignation.
        self.resigned = match (self.game().termination(), word) {
            (None, "1-0") => Some(Color::Black),
            (None, "0-1") => Some(Color::White),
            _ => None,
        };
        let resigned = self.resigned;
        let expected = result(self.game(), resigned);
        if word == expected && tag.is_none_or(|tag| tag == expected) {
            Ok(())
        } else {
            Err(PgnError::Result { expected })
        }
    }

    fn record(mut self) -> Result<Record, PgnError> {
        let game = self.game.take().filter(|_| self.done).ok_or(PgnError::NoResult)?;
        let RecordReader { white, black, resigned, .. } = self;
        Ok(Record { game, white, black, resigned })
    }
}

fn play_illegal_try(game: &mut Game, text: &str) -> Result<(), PgnError> {
    let after = game.turns().len();
    let attempt: Try = text.parse().map_err(|error| PgnError::Try { after, error })?;
    match game.attempt(attempt) {
        Ok(Reply::Illegal) => Ok(()),
        Ok(Reply::Legal(_)) => Err(PgnError::LegalTry { after, attempt }),
        Err(_) => Err(PgnError::GameOver { after }),
    }
}

fn play_move(game: &mut Game, word: &str) -> Result<(), PgnError> {
    let after = game.turns().len();
    if game.termination().is_some() {
        return Err(PgnError::GameOver { after });
    }
    let position = game.position();
    let plain = |text: &str| text.trim_end_matches(['+', '#', '!', '?']).to_owned();
    let matches = |mv: &Try| plain(&notation(position, *mv)) == plain(word);
    let played = position.legal_moves().into_iter().find(matches);
    let Some(played) = played else {
        return Err(PgnError::Move { after, word: word.chars().take(20).collect() });
    };
    match game.attempt(played) {
        Ok(_) => Ok(()),
        Err(_) => Err(PgnError::GameOver { after }),
    }
}
