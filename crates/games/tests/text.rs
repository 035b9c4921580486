//! The two texts of a position: what is written is read again, and nothing else is read.

#[macro_use]
mod common;

use common::{any_setup, for_all, line, start, two_words, valid_setup};
use games::Seat;
use games::geister::{Board, LineError, Move, Position, Setup, Small, Standard, TextError};
use proptest::prelude::*;
use proptest::sample::select;
use std::cell::Cell;
use std::fmt::Display;

fn setups_round_trip<B: Board>() {
    for_all(any_setup::<B>(), |setup| {
        assert_eq!(setup.to_string().parse(), Ok(setup.clone()));
        assert_eq!(setup.compact().parse(), Ok(setup));
    });
}

fn both_forms_say_the_same<B: Board>() {
    for_all(any_setup::<B>(), |setup| {
        let text = setup.to_string();
        let (rows, blue) = two_words(&text);
        let mut dotted = rows.replace('/', "");
        for digit in 1..=6 {
            dotted = dotted.replace(&digit.to_string(), &".".repeat(digit));
        }
        assert_eq!(setup.compact(), format!("{dotted} {blue}"));
    });
}

fn positions_round_trip<B: Board>() {
    for_all(line(start::<B>(), 60), |line| {
        for position in line.positions() {
            if position.outcome().is_some() || position.blue_count() == 0 {
                continue; // no puzzle starts there, so that no text is read as such a position
            }
            let (rows, compact) = (position.to_string(), position.compact());
            match position.turn() {
                Seat::First => {
                    assert_eq!(rows.parse(), Ok(*position));
                    assert_eq!(compact.parse(), Ok(*position));
                }
                Seat::Second => {
                    let refused = Err(TextError::Malformed(LineError::WordCount { count: 5 }));
                    assert_eq!(rows.parse::<Position<B>>(), refused);
                    assert_eq!(compact.parse::<Position<B>>(), refused);
                }
            }
            assert!(rows.starts_with(&position.setup().to_string()), "{rows}");
            assert!(compact.starts_with(&position.setup().compact()), "{compact}");
        }
    });
}

/// A valid text in either form with up to three characters exchanged, put in or taken out.
fn almost_a_text<B: Board>() -> impl Strategy<Value = String> {
    let letters: Vec<char> = "BRbru.BRbru.0123456789/ +-\té\u{660}".chars().collect();
    let edit = (any::<usize>(), proptest::option::of(select(letters)), any::<bool>());
    let edits = proptest::collection::vec(edit, 0..=3);
    (valid_setup::<B>(), any::<bool>(), edits).prop_map(|(setup, compact, edits)| {
        let text = if compact { setup.compact() } else { setup.to_string() };
        let mut text: Vec<char> = text.chars().collect();
        for (at, letter, replace) in edits {
            let at = at % text.len();
            let end = if replace { at + 1 } else { at };
            text.splice(at..end, letter);
        }
        text.into_iter().collect()
    })
}

fn what_is_read_is_written_unchanged<B: Board>() {
    let read = Cell::new(0);
    for_all(almost_a_text::<B>(), |text| {
        let single_spaced = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        let form = |rows: String, compact| if text.contains('/') { rows } else { compact };
        if let Ok(setup) = text.parse::<Setup<B>>() {
            read.set(read.get() + 1);
            assert_eq!(form(setup.to_string(), setup.compact()), single_spaced);
        }
        if let Ok(position) = text.parse::<Position<B>>() {
            assert_eq!(form(position.to_string(), position.compact()), single_spaced);
        }
    });
    assert!(read.get() > 50, "only {} of the texts were read", read.get());
}

on_every_board!(
    setups_round_trip,
    both_forms_say_the_same,
    positions_round_trip,
    what_is_read_is_written_unchanged,
);

fn assert_one_line<T, E: Display>(result: Result<T, E>, text: &str) {
    let Err(error) = result else { return };
    let error = error.to_string();
    let start: String = text.chars().take(80).collect();
    assert!(!error.is_empty() && error.len() < 400, "{error:?} for {start:?}");
    assert!(
        !error.contains(|c: char| c.is_control() || c == '\u{2028}'),
        "{error:?} for {start:?}"
    );
}

/// Reads the text as everything that can be read.
fn assert_harmless(text: &str) {
    assert_one_line(text.parse::<Setup<Standard>>(), text);
    assert_one_line(text.parse::<Setup<Small>>(), text);
    assert_one_line(text.parse::<Position<Standard>>(), text);
    assert_one_line(text.parse::<Position<Small>>(), text);
    assert_one_line(text.parse::<Move>(), text);
}

#[test]
fn any_text_is_read_or_refused_in_one_line() {
    for_all(any::<String>(), |text| assert_harmless(&text));
    let characters = proptest::collection::vec(any::<char>(), 0..=60);
    for_all(characters, |text| assert_harmless(&text.iter().collect::<String>()));
    let letters = select("BRbru.123/ 04\n".chars().collect::<Vec<_>>());
    let letters = proptest::collection::vec(letters, 0..=45);
    for_all(letters, |text| assert_harmless(&text.iter().collect::<String>()));
    for_all(almost_a_text::<Standard>(), |text| assert_harmless(&text));
    for_all(almost_a_text::<Small>(), |text| assert_harmless(&text));
    for_all(any_setup::<Standard>(), |setup| assert_harmless(&setup.compact()));
    for_all(any_setup::<Small>(), |setup| assert_harmless(&setup.to_string()));
}

#[test]
fn huge_texts_are_refused_in_one_line() {
    const MEGABYTE: usize = 1 << 20;
    for part in ["B", "u/", "6", ".", "/", "é", "\u{1f47b}", "B 1 ", "a2a3", "\0"] {
        let text = part.repeat(MEGABYTE / part.len());
        assert!(text.parse::<Setup<Standard>>().is_err(), "{part:?}");
        assert_harmless(&text);
        assert_harmless(&format!("6/4u1/B5/6/6/Ru4 {text}"));
        assert_harmless(&format!("{text} 1"));
    }
    let blank = " ".repeat(MEGABYTE);
    assert_eq!(blank.parse::<Setup<Standard>>(), Err(LineError::WordCount { count: 0 }));
    let framed = format!("{blank}6/4u1/B5/6/6/Ru4 1{blank}");
    assert_eq!(framed.parse::<Position>(), "6/4u1/B5/6/6/Ru4 1".parse());
}

#[test]
fn malformed_texts_are_refused_for_what_is_wrong() {
    use LineError::{Blue, Letter, RowCount, RowWidth, SquareCount, TooLong, TwoDigits, WordCount};
    let cases = [
        ("", WordCount { count: 0 }),
        ("6/4u1/B5/6/6/Ru4", WordCount { count: 1 }),
        ("6/4u1/B5/6/6/Ru4 1 1", WordCount { count: 3 }),
        ("6/4u1/B5/6/6/Ru4 1 (top to move)", WordCount { count: 5 }),
        ("6/4u1/B5/6/6/Ru4 +1", Blue),
        ("6/4u1/B5/6/6/Ru4 -1", Blue),
        ("6/4u1/B5/6/6/Ru4 01", Blue),
        ("6/4u1/B5/6/6/Ru4 00", Blue),
        ("6/4u1/B5/6/6/Ru4 1.0", Blue),
        ("6/4u1/B5/6/6/Ru4 4294967296", Blue),
        ("6/4u1/B5/6/6/Ru4 99999999999999999999999", Blue),
        ("6/4u1/B5/6/6/Ru4 \u{661}", Blue),
        ("6/4u1/B5/6/Ru4 1", RowCount { found: 5, wanted: 6 }),
        ("6/4u1/B5/6/6/6/Ru4 1", RowCount { found: 7, wanted: 6 }),
        ("/ 1", RowCount { found: 2, wanted: 6 }),
        ("6/4u1/B4/6/6/Ru4 1", RowWidth { row: 4, found: 5, wanted: 6 }),
        ("7/4u1/B5/6/6/Ru4 1", RowWidth { row: 6, found: 7, wanted: 6 }),
        ("6/4u1/B5/6//Ru4 1", RowWidth { row: 2, found: 0, wanted: 6 }),
        ("6/4u1/B5/6/6/RuuuuuuuuuR 1", RowWidth { row: 1, found: 11, wanted: 6 }),
        ("6/4u1/B32/6/6/Ru4 1", TwoDigits { row: 4 }),
        ("6/4u1/B05/6/6/Ru4 1", Letter { letter: '0' }),
        ("6/4u1/B.4/6/6/Ru4 1", Letter { letter: '.' }),
        ("6/4u1/K5/6/6/Ru4 1", Letter { letter: 'K' }),
        ("6/4u1/B5/6/6/Ru\u{664} 1", Letter { letter: '\u{664}' }),
        ("6/4u1/B5/6/6/Ru4\u{a0}1 1", Letter { letter: '\u{a0}' }),
        ("..........u.B.................Ru... 1", SquareCount { found: 35, wanted: 36 }),
        ("..........u.B.................Ru..... 1", SquareCount { found: 37, wanted: 36 }),
        ("..........u.B.................Ru.4 1", Letter { letter: '4' }),
        ("ü.........u.B.................Ru.... 1", Letter { letter: 'ü' }),
        ("...u/B3/4/4/R2u 1", RowCount { found: 5, wanted: 6 }),
    ];
    for (text, error) in cases {
        assert_eq!(text.parse::<Setup<Standard>>(), Err(error), "{text}");
        assert_eq!(text.parse::<Position>(), Err(TextError::Malformed(error)), "{text}");
    }
    let long = format!("6/4u1/B5/6/6/Ru4 {}", "1".repeat(84));
    assert_eq!(long.parse::<Setup<Standard>>(), Err(TooLong { bytes: 101 }));
    let not_long = format!("6/4u1/B5/6/6/Ru4 {}", "1".repeat(83));
    assert_eq!(not_long.parse::<Setup<Standard>>(), Err(Blue));
    // The 4x5 board shares the numbering of squares, but not their number.
    let wide = RowWidth { row: 5, found: 6, wanted: 4 };
    assert_eq!("4uB/4/4/4/Ru2 1".parse::<Setup<Small>>(), Err(wide));
}

/// The longest texts there are must not be taken for too long.
#[test]
fn crowded_boards_are_read() {
    let rows = ["BRbruB"; 6].join("/");
    for text in [format!("{rows} 4294967295"), format!("{} 4294967295", rows.replace('/', ""))] {
        let setup: Setup<Standard> = text.parse().unwrap();
        assert_eq!(setup.blue, u32::MAX);
    }
}

#[test]
fn white_space_does_not_matter() {
    let plain: Position = "6/4u1/B5/6/6/Ru4 1".parse().unwrap();
    for text in [" 6/4u1/B5/6/6/Ru4 1", "6/4u1/B5/6/6/Ru4\t1\r\n", "6/4u1/B5/6/6/Ru4 \n  1 "] {
        assert_eq!(text.parse(), Ok(plain), "{text:?}");
    }
}
