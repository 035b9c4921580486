//! Why a position or a study is refused, in the visitor's language.

use crate::problem::Problem;
use crate::words::Words;
use games::geister::{Ghost, LineError, Refusal, TextError};
use service::studies::{CONSENT_LENGTH, LIMIT_SECONDS, PUZZLE_COUNT, StudyRefusal, TITLE_LENGTH};
use std::fmt::Display;
use std::ops::RangeInclusive;

/// Why a study cannot be made.
pub fn why_no_study(refusal: StudyRefusal, words: &Words) -> Problem {
    let why = match refusal {
        StudyRefusal::Title => between("studies.bad-title", &TITLE_LENGTH, words),
        StudyRefusal::Consent => between("studies.bad-consent", &CONSENT_LENGTH, words),
        StudyRefusal::Limit => between("studies.bad-limit", &LIMIT_SECONDS, words),
        StudyRefusal::NoNumber(text) => words.with("studies.no-number", &[("text", &text)]),
        StudyRefusal::Puzzles(count) => words.with(
            "studies.bad-count",
            &[("n", &count), ("least", PUZZLE_COUNT.start()), ("most", PUZZLE_COUNT.end())],
        ),
        StudyRefusal::NoPuzzle(id) => words.with("studies.no-puzzle", &[("id", &id)]),
        StudyRefusal::Filter(error) => return error.into(),
    };
    Problem::bad("bad-study").detail(why)
}

fn between<T: Display>(key: &str, range: &RangeInclusive<T>, words: &Words) -> String {
    words.with(key, &[("least", range.start()), ("most", range.end())])
}

/// The reasons, joined.
pub fn why_no_position(error: &TextError, words: &Words) -> String {
    match error {
        TextError::Malformed(error) => malformed(error, words),
        TextError::Refused(refused) => {
            let reasons = refused.refusals.iter().map(|refusal| refused_for(refusal, words));
            reasons.collect::<Vec<_>>().join(words.get("list.comma"))
        }
    }
}

fn malformed(error: &LineError, words: &Words) -> String {
    match error {
        LineError::TooLong { bytes } => words.with("no-position.too-long", &[("n", bytes)]),
        LineError::WordCount { .. } => words.get("no-position.words").to_owned(),
        LineError::Letter { letter } => words.with("no-position.letter", &[("letter", letter)]),
        LineError::SquareCount { found, wanted } => {
            words.with("no-position.squares", &[("found", found), ("wanted", wanted)])
        }
        LineError::RowCount { found, wanted } => {
            words.with("no-position.rows", &[("found", found), ("wanted", wanted)])
        }
        LineError::RowWidth { row, found, wanted } => {
            words.with("no-position.row", &[("row", row), ("found", found), ("wanted", wanted)])
        }
        LineError::TwoDigits { row } => words.with("no-position.digits", &[("row", row)]),
        LineError::Blue => words.get("no-position.number").to_owned(),
    }
}

fn refused_for(refusal: &Refusal, words: &Words) -> String {
    match refusal {
        Refusal::NoneOwn(Ghost::OwnBlue) => words.get("no-position.no-own-blue").to_owned(),
        Refusal::NoneOwn(_) => words.get("no-position.no-own-red").to_owned(),
        Refusal::TooManyOwn { ghost, count, most } => words.with(
            "no-position.many-own",
            &[("letter", &ghost.letter()), ("count", count), ("most", most)],
        ),
        Refusal::NoTopGhost => words.get("no-position.no-top").to_owned(),
        Refusal::TooManyTop { count, most } => {
            words.with("no-position.many-top", &[("count", count), ("most", most)])
        }
        Refusal::BlueAboveGhosts { blue, ghosts } => {
            words.with("no-position.blue-above", &[("blue", blue), ("ghosts", ghosts)])
        }
        Refusal::NoTopBlue => words.get("no-position.no-top-blue").to_owned(),
        Refusal::NoTopRed { blue } => words.with("no-position.no-top-red", &[("blue", blue)]),
        Refusal::BlueBelowShown { blue, shown } => {
            words.with("no-position.blue-below", &[("blue", blue), ("shown", shown)])
        }
        Refusal::RedBelowShown { red, shown } => {
            words.with("no-position.red-below", &[("red", red), ("shown", shown)])
        }
        Refusal::TooManyTopOfAColour { name, count, most } => {
            let key =
                if *name == "blue" { "no-position.many-blue" } else { "no-position.many-red" };
            words.with(key, &[("count", count), ("most", most)])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use common::Language;
    use games::geister::Position;

    /// Every kind of text that is refused, in both languages: a reason with everything filled in.
    #[test]
    fn each_refusal_has_a_reason() {
        let long = "B".repeat(500);
        let texts = [
            &long,
            "x",
            "6/4u1/B5/6/6/Rx4 1",
            "B 1",
            "B5/u5 1",
            "7/4u1/B5/6/6/Ru4 1",
            "51/4u1/B5/6/6/Ru4 1",
            "6/4u1/B5/6/6/Ru4 one",
            "6/6/6/6/6/6 1",
            "BBBBB1/4u1/B5/6/6/Ru4 1",
            "uuuuuu/uuuuuu/B5/6/6/Ru4 4",
            "6/4u1/B5/6/6/Ru4 3",
            "6/4r1/B5/6/6/Rr4 0",
            "6/4u1/B5/6/6/Ru4 2",
            "6/bb2u1/B5/6/6/Ru4 1",
            "6/rr2u1/B5/6/6/R5 2",
            "uuuuuu/6/B5/6/6/R5 5",
        ];
        for text in texts {
            let error = text.parse::<Position>().expect_err(text);
            let [english, japanese] =
                Language::ALL.map(|language| why_no_position(&error, Words::of(language)));
            for told in [&english, &japanese] {
                assert!(!told.contains(['{', '}']) && !told.contains("no-position."), "{told}");
            }
            assert!(english.is_ascii(), "{english}");
            assert!(!japanese.is_ascii(), "{japanese}");
        }
    }
}
