//! `spuk compose` through the real binary: asked, killed, resumed, and refused.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Folder, code, program, records, spuk, text};
use serde_json::Value;
use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

const REQUEST: [&str; 9] = [
    "compose",
    "--material",
    "BBRRuuuu:2",
    "--length",
    "7..19",
    "--unique-key",
    "--seed",
    "1",
    "--json",
];

/// The example of the documentation, for `count` puzzles, with further arguments.
fn compose(count: u32, more: &[&str]) -> std::process::Output {
    let count = count.to_string();
    let arguments: Vec<&str> = REQUEST.into_iter().chain(["--count", &count]).collect();
    spuk(&[&arguments, more].concat())
}

#[test]
fn a_request_gives_records_with_every_field() {
    let output = compose(6, &["--source", "random"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let puzzles = records(&output);
    assert_eq!(puzzles.len(), 6);
    for puzzle in &puzzles {
        for field in [
            "v",
            "id",
            "position",
            "m_win",
            "revealed",
            "red_wall",
            "capture_win",
            "themes",
            "quality",
            "line",
            "first_moves",
            "source",
            "seed",
            "version",
        ] {
            assert!(!puzzle[field].is_null(), "{field} in {puzzle}");
        }
        let m_win = puzzle["m_win"].as_u64().unwrap();
        assert!((7..=19).contains(&m_win) && m_win % 2 == 1);
        assert_eq!((&puzzle["revealed"], &puzzle["quality"]["keys"]), (&"none".into(), &1.into()));
        let solved = records(&spuk(&["solve", puzzle["position"].as_str().unwrap(), "--json"]));
        for field in ["m_win", "red_wall", "capture_win", "line"] {
            assert_eq!(solved[0][field], puzzle[field], "{field}");
        }
    }
    assert!(text(&output.stderr).contains("seed 1"), "the seed is not reported");
}

#[test]
fn threads_change_nothing() {
    let puzzles = |threads| text(&compose(5, &["--threads", threads]).stdout);
    assert_eq!(puzzles("1"), puzzles("3"));
}

/// Waits until the file has `count` complete lines.
fn wait_for_lines(file: &str, lines: usize) {
    let start = Instant::now();
    while fs::read_to_string(file).map_or(0, |text| text.matches('\n').count()) < lines {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing was written");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_killed_request_resumes_where_it_stopped() {
    let folder = Folder::new();
    let (whole, killed) = (folder.file("whole.jsonl"), folder.file("killed.jsonl"));
    assert_eq!(code(&compose(12, &["--out", &whole])), 0);
    for lines in [1, 4] {
        let mut child = program()
            .args(REQUEST)
            .args(["--count", "100000", "--out", &killed])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        wait_for_lines(&killed, lines);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // What was written by then may be more than is wanted; a torn end does not matter.
    let mut written = fs::read_to_string(&killed).unwrap();
    written.truncate(written.match_indices('\n').nth(3).unwrap().0 + 100);
    fs::write(&killed, written).unwrap();
    assert_eq!(code(&compose(12, &["--out", &killed])), 0);
    assert_eq!(fs::read(&killed).unwrap(), fs::read(&whole).unwrap());
    // All puzzles are in the file: nothing is left to do.
    let again = compose(12, &["--out", &killed]);
    assert!(text(&again.stderr).contains("the file has 12 puzzles"));
    assert_eq!(fs::read(&killed).unwrap(), fs::read(&whole).unwrap());
    // Another request does not spoil the file.
    let other = compose(12, &["--out", &killed, "--no-idle"]);
    assert_eq!(code(&other), 2);
    assert!(text(&other.stderr).contains("choose another --out"));
    assert_eq!(fs::read(&killed).unwrap(), fs::read(&whole).unwrap());
}

#[test]
fn people_get_a_line_for_each_puzzle() {
    let output = spuk(&["compose", "--count", "2", "--length", "5..7"]);
    let stdout = text(&output.stdout);
    assert_eq!((code(&output), stdout.lines().count()), (0, 2));
    assert!(stdout.lines().all(|line| line.contains("  win in  ") && line.contains("  key ")));
}

#[test]
fn impossible_and_hopeless_requests_end_with_a_reason() {
    let refused = |arguments: &[&str]| {
        let output = spuk(&[&["compose"], arguments].concat());
        assert_eq!(text(&output.stdout), "");
        (code(&output), text(&output.stderr))
    };
    let (no, reason) = refused(&["--length", "8"]);
    assert!(no == 1 && reason.contains("7 and 9"), "{reason}");
    let (no, reason) = refused(&["--theme", "capture-win"]);
    assert!(no == 1 && reason.contains("revealed red"), "{reason}");
    let hopeless = ["--material", "BRuu:1", "--length", "21..25", "--patience", "500"];
    let (unknown, reason) = refused(&hopeless);
    assert!(unknown == 3 && reason.contains("of another length (the longest "), "{reason}");
    for bad in [
        &["--length", "9..7"][..],
        &["--length", "x"],
        &["--material", "BRuu:9"],
        &["--material", "Q1"],
        &["--theme", "opera"],
        &["--purity", "2"],
        &["--count", "0"],
        &["--minimal", "--no-idle"],
        &["--out", "no/such/folder/file.jsonl"],
    ] {
        let (error, reason) = refused(bad);
        assert!(error == 2 && !reason.is_empty(), "{bad:?}: {reason}");
    }
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    let mut child = program()
        .args(REQUEST)
        .args(["--count", "100000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    {
        use std::io::BufRead;
        let mut reader = std::io::BufReader::new(child.stdout.take().unwrap());
        reader.read_line(&mut first).unwrap();
    }
    assert!(serde_json::from_str::<Value>(&first).is_ok());
    let output = child.wait_with_output().unwrap();
    assert_eq!((code(&output), text(&output.stderr)), (0, String::new()));
}

/// Builds every tablebase of up to four ghosts, and returns their folder.
fn with_tablebases(folder: &Folder) -> String {
    let tables = folder.file("tables");
    let built = spuk(&["tablebase", "build", "--pieces", "4", "--tables", &tables]);
    assert_eq!(code(&built), 0, "{}", text(&built.stderr));
    tables
}

#[test]
fn only_certain_knowledge_is_a_definite_no() {
    let folder = Folder::new();
    let tables = with_tablebases(&folder);
    let mined = |more: &[&str]| {
        let common = ["compose", "--source", "mined", "--tables", &tables, "--json"];
        let output = spuk(&[&common[..], more].concat());
        (code(&output), records(&output).len(), text(&output.stderr))
    };
    // The class has wins of 19 plies; all of them are found, and there are no more.
    let longest = ["--material", "BRuu:1", "--length", "19", "--count", "100000"];
    let (exit, found, said) = mined(&longest);
    assert!(exit == 1 && found > 0 && said.contains("there are only"), "{exit}: {said}");
    // With too few nodes some of the same positions are undecided.
    let (exit, fewer, said) = mined(&[&longest[..], &["--nodes", "50"]].concat());
    assert!(fewer < found && exit == 3, "{exit}: {fewer} of {found}: {said}");
    assert!(said.contains("not decided") && said.contains("--nodes"), "{said}");
    // A resumed run does not know why trials before it failed.
    let file = folder.file("puzzles.jsonl");
    let unique = ["--material", "BRuu:1", "--length", "15..19", "--unique-key"];
    let resumed = [&unique[..], &["--count", "100000", "--out", &file]].concat();
    let first = mined(&resumed);
    let again = mined(&resumed);
    assert_eq!((first.0, again.0), (1, 3), "{}\n{}", first.2, again.2);
    // No win is longer than the longest in the tablebase.
    let (exit, _, said) = mined(&["--material", "BRuu:1", "--length", "21"]);
    assert!(exit == 1 && said.contains("the longest is 19"), "{exit}: {said}");
    // A range of classes, of which some have no tablebase.
    let range = ["--material", "B1..2,R1,b1,r1", "--length", "19", "--count", "100000"];
    let (exit, _, said) = mined(&range);
    assert!(exit == 3 && said.contains("there is no tablebase for BBRuu:1"), "{exit}: {said}");
}

#[test]
fn a_missing_tablebase_is_an_error_that_says_how_to_build_it() {
    let folder = Folder::new();
    let tables = with_tablebases(&folder);
    for material in ["BBRRuu:1", "B2,R2,b1,r1"] {
        let output =
            spuk(&["compose", "--source", "mined", "--tables", &tables, "--material", material]);
        let said = text(&output.stderr);
        assert_eq!((code(&output), said.lines().count()), (2, 1), "{said}");
        assert!(said.contains("spuk tablebase build"), "{said}");
    }
}
