//! Puzzles and what people say about them.

use crate::harness::{Target, run, sentence, text};
use puzzle::export::entry::Entry;
use puzzle::ratings::{Rating, Ratings};
use std::fmt::Write;

const RECORD: &[&str] = &[
    "\"grade\":{",
    "\"reasons\":[",
    "\"themes\":[",
    "\"zugzwang\"",
    "\"line\":[",
    "\"a2a3\"",
    "\"a6-out\"",
    "\"purity\":",
    "\"idle\":[",
    "\"futile_plies\":null",
    "\"m_win\":",
    "\"result\":\"win\"",
    "\"unknown\"",
    "\"kind\":\"mined\"",
    "\"proof\":\"tables\"",
    "null",
    "[]",
    "{}",
    "\\n",
    "\\u0000",
    "\\ud800",
    "\"v\":1",
    "1e-400",
    "\"search\":[1,2,3,4]",
    "6/4u1/B5/6/6/Ru4 1",
];

/// A line of a collection: a record or a bare position.
fn entry(input: &[u8]) -> Result<(), String> {
    match text(input).parse::<Entry>().map_err(sentence)? {
        Entry::Puzzle(puzzle) => {
            let written = puzzle.to_json();
            assert!(!written.contains('\n'));
            let Ok(Entry::Puzzle(again)) = written.parse() else { panic!("{written}") };
            assert_eq!(again.to_json(), written);
            // Purity is rounded when it is written.
            let mut rounded = *puzzle;
            rounded.quality.purity = again.quality.purity;
            assert_eq!(*again, rounded);
        }
        Entry::Position(position) => {
            assert_eq!(position.to_string().parse(), Ok(Entry::Position(position)));
        }
    }
    Ok(())
}

#[test]
fn records() {
    run(&Target::new("puzzle-record", RECORD, entry));
}

const HEADER: &str = "puzzle,person,interest,difficulty,seconds,solved\n";

const RATINGS: &[&str] = &[
    HEADER,
    "puzzle",
    "person",
    "interest",
    ",",
    "\"",
    "\"\"",
    "\r\n",
    "\n\n",
    "yes",
    "no",
    "-2",
    "+2",
    "3",
    "1e5",
    "-0",
    "ann,1,1,,\n",
    ";",
    "\u{feff}",
];

fn ratings(input: &[u8]) -> Result<(), String> {
    let known = |puzzle: &str| puzzle.len() == 13;
    let read = Ratings::read(input, known).map_err(sentence)?;
    let again = Ratings::read(written(&read.good).as_bytes(), known).unwrap();
    assert_eq!((again.good, again.bad), (read.good, vec![]));
    // Lines that are refused are reported one by one.
    let lines = input.len() as u64 + 1;
    assert!(read.bad.iter().all(|bad| (2..=lines).contains(&bad.number)));
    match read.bad.into_iter().next_back() {
        Some(bad) => Err(sentence(bad)),
        None => Ok(()),
    }
}

fn written(ratings: &[Rating]) -> String {
    let mut text = HEADER.to_owned();
    for rating in ratings {
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let Rating { puzzle, person, interest, difficulty, .. } = rating;
        let seconds = rating.seconds.map(|seconds| seconds.to_string()).unwrap_or_default();
        let solved = rating.solved.map_or("", |solved| if solved { "yes" } else { "no" });
        let (puzzle, person) = (quoted(puzzle), quoted(person));
        writeln!(text, "{puzzle},{person},{interest},{difficulty},{seconds},{solved}").unwrap();
    }
    text
}

#[test]
fn ratings_files() {
    run(&Target::new("ratings", RATINGS, ratings));
}
