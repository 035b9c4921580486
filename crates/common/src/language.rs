//! The languages of what is printed.

use std::fmt;
use std::str::FromStr;

/// A language that everything printed is there in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Japanese.
    Japanese,
}

impl Language {
    /// All languages.
    pub const ALL: [Language; 2] = [Language::English, Language::Japanese];

    /// The code of the language, as HTML and the command line have it.
    pub const fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Japanese => "ja",
        }
    }

    /// Of the same words in every language, those of this one. Asking for all of them at once means
    /// that none can be forgotten.
    pub const fn pick<'a>(self, english: &'a str, japanese: &'a str) -> &'a str {
        match self {
            Language::English => english,
            Language::Japanese => japanese,
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// A text that names no language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchLanguage;

impl fmt::Display for NoSuchLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let codes = Language::ALL.map(Language::code).join(", ");
        write!(f, "there is no such language; languages are {codes}")
    }
}

impl std::error::Error for NoSuchLanguage {}

impl FromStr for Language {
    type Err = NoSuchLanguage;

    fn from_str(text: &str) -> Result<Language, NoSuchLanguage> {
        Language::ALL.into_iter().find(|language| language.code() == text).ok_or(NoSuchLanguage)
    }
}
