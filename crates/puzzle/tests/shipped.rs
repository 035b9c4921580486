//! The collection in `puzzles/`: whole, without doubles, and as good as its description says.

#![allow(clippy::unwrap_used)]

mod common;

use puzzle::compose::{Criteria, Idle};
use puzzle::record::ProvedBy;
use puzzle::{Puzzle, Theme};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Every part by name, with its puzzles.
fn collection() -> BTreeMap<String, Vec<Puzzle>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../puzzles");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let parts = files.filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
    parts
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.ends_with('\n'), "{name} is cut off");
            let read = |line: &str| Puzzle::from_json(line).expect("a record");
            (name, text.lines().map(read).collect())
        })
        .collect()
}

#[test]
fn every_puzzle_is_as_good_as_promised() {
    let parts = collection();
    let all: Vec<&Puzzle> = parts.values().flatten().collect();
    let ids: BTreeSet<String> = all.iter().map(|puzzle| puzzle.id()).collect();
    assert!(ids.len() >= 2000, "{} puzzles", ids.len());
    assert_eq!(ids.len(), all.len(), "no puzzle is in two parts");
    for puzzle in &all {
        let id = puzzle.id();
        assert!(puzzle.quality.keys == 1 && puzzle.quality.idle.is_empty(), "{id}");
        assert_eq!(puzzle.keys().count(), 1, "{id}");
        assert!(puzzle.m_win >= 5, "{id}");
        assert_eq!(puzzle.red_wall, puzzle.themes.contains(&Theme::RedWall), "{id}");
        assert_eq!(puzzle.capture_win, puzzle.themes.contains(&Theme::CaptureWin), "{id}");
    }
    let usual = all.iter().filter(|puzzle| (7..=21).contains(&puzzle.m_win)).count();
    assert!(usual * 2 > all.len(), "most have 7 to 21 plies: {usual}");
    for theme in Theme::ALL {
        let number = all.iter().filter(|puzzle| puzzle.themes.contains(&theme)).count();
        assert!(number >= 10, "{theme}: {number}");
    }
    let both = all.iter().filter(|puzzle| puzzle.red_wall && puzzle.capture_win).count();
    assert!(both >= 10, "{both}");
}

#[test]
fn a_sample_is_proved_again_from_nothing() {
    for (name, puzzles) in collection() {
        let by_search = puzzles.iter().filter(|p| p.origin.kind != puzzle::SourceKind::Mined);
        let by_tables = puzzles.iter().filter(|p| p.proved_by == ProvedBy::Search && p.m_win <= 15);
        // Without tables more first moves stay open; everything else has to come out the same.
        for puzzle in by_search.step_by(40).chain(by_tables.step_by(60)) {
            let criteria =
                Criteria { unique_key: true, idle: Idle::Refused, ..Criteria::default() };
            let again = common::examine_position(&puzzle.position, &criteria);
            let again = again.unwrap_or_else(|e| panic!("{name}, {}: {e}", puzzle.id()));
            assert_eq!((again.m_win, &again.line), (puzzle.m_win, &puzzle.line), "{name}");
            assert_eq!(
                (again.red_wall, again.capture_win),
                (puzzle.red_wall, puzzle.capture_win),
                "{name}"
            );
            assert!(again.keys().eq(puzzle.keys()), "{name}");
            assert!(puzzle.themes.is_subset(&again.themes), "{name}: {:?}", again.themes);
        }
    }
}
