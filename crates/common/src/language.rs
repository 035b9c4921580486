//! The languages of printed text.

use std::fmt;
use std::str::FromStr;

/// A language in which all printed text is available.
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

    /// The language code in HTML and on the command line.
    pub const fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Japanese => "ja",
        }
    }

    /// The text in this language. All translations are arguments, so that none can be forgotten.
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

/// The error for an unknown language code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownLanguage;

impl fmt::Display for UnknownLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let codes = Language::ALL.map(Language::code).join(", ");
        write!(f, "there is no such language; languages are {codes}")
    }
}

impl std::error::Error for UnknownLanguage {}

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(text: &str) -> Result<Language, UnknownLanguage> {
        Language::ALL.into_iter().find(|language| language.code() == text).ok_or(UnknownLanguage)
    }
}
