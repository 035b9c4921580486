//! `spuk grade` by the real binary.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Folder, code, program, records, spuk, spuk_with_input, text};
use serde_json::Value;
use std::fs;
use std::process::Stdio;

const README: &str = "6/4u1/B5/6/6/Ru4 1";
const THREE: &str = "....Bb.........uB....u.............R 2";

#[test]
fn a_position_is_graded_with_reasons() {
    let output = spuk(&["grade", README]);
    let stdout = text(&output.stdout);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    for part in ["win in  5", "difficulty -", "calibrated, not rated", "short", "simulated players"]
    {
        assert!(stdout.contains(part), "{part}: {stdout}");
    }
    let record = records(&spuk(&["grade", README, "--json"])).remove(0);
    let grade = &record["grade"];
    assert_eq!(grade["basis"], "calibrated");
    assert!((-2.0..=2.0).contains(&grade["difficulty"].as_f64().unwrap()), "{grade}");
    assert_eq!((grade["solved"].as_array().unwrap().len(), &grade["search"]), (4, &Value::Null));
    let slow = records(&spuk(&["grade", README, "--json", "--slow"])).remove(0);
    assert_eq!(slow["grade"]["search"].as_array().unwrap().len(), 4);
    assert_eq!(slow["grade"]["difficulty"], grade["difficulty"]);
}

#[test]
fn files_are_graded_once_and_in_place() {
    let folder = Folder::new();
    let file = folder.file("puzzles.jsonl");
    fs::write(&file, format!("{README}\n\n{THREE}\n")).unwrap();
    assert_eq!(code(&spuk(&["grade", &file, "--in-place", "--threads", "2"])), 0);
    let graded = fs::read_to_string(&file).unwrap();
    assert_eq!(graded.matches("\"grade\"").count(), 2, "{graded}");
    // A grade that is there stays, whatever it says; another one is asked for.
    let changed = graded.replacen("\"basis\":\"calibrated\"", "\"basis\":\"model\"", 1);
    fs::write(&file, &changed).unwrap();
    assert_eq!(text(&spuk(&["grade", &file, "--json"]).stdout), changed);
    assert_eq!(
        text(&spuk(&["grade", &file, "--json", "--again", "--threads", "1"]).stdout),
        graded
    );
    let out = folder.file("out.jsonl");
    assert_eq!(code(&spuk(&["grade", &file, "--again", "--out", &out])), 0);
    assert_eq!(fs::read_to_string(&out).unwrap(), graded);
    let csv = text(&spuk(&["export", &out, "--format", "csv"]).stdout);
    assert!(csv.lines().nth(1).unwrap().ends_with(",calibrated"), "{csv}");
}

#[test]
fn grades_are_written_in_place_only_into_files_that_exist() {
    let folder = Folder::new();
    let good = folder.file("good.jsonl");
    fs::write(&good, format!("{README}\n")).unwrap();
    for input in [THREE, "-", "", &folder.file("missing.jsonl"), folder.0.to_str().unwrap()] {
        let mut command = program();
        command.args(["grade", &good, input, "--in-place"]).current_dir(&folder.0);
        let output = command.stdin(Stdio::null()).output().unwrap();
        let stderr = text(&output.stderr);
        assert_eq!((code(&output), stderr.lines().count()), (2, 1), "{input}: {stderr}");
        assert!(stderr.contains("--in-place") && stderr.contains("--out"), "{stderr}");
    }
    // Nothing was written, not even into the file that exists.
    assert_eq!(fs::read_to_string(&good).unwrap(), format!("{README}\n"));
    assert_eq!(folder.names(""), ["good.jsonl"]);
}

#[test]
fn invalid_lines_are_reported_and_the_others_graded() {
    let input = format!("{README}\nnonsense\n{{\"v\":1}}\n6/6/6/6/6/R4u 1\n");
    let output = spuk_with_input(&["grade", "-", "--json"], input.as_bytes());
    assert_eq!(code(&output), 2);
    assert_eq!(records(&output).len(), 1);
    let stderr = text(&output.stderr);
    for number in 2..=4 {
        assert!(stderr.contains(&format!("line {number}:")), "{stderr}");
    }
    for arguments in [&["grade", "no-such-file.jsonl"][..], &["grade", "6/6/6/6/6/R4u 9"]] {
        let refused = spuk(arguments);
        assert!(code(&refused) == 2 && !refused.stderr.is_empty(), "{arguments:?}");
    }
    let record = records(&spuk(&["grade", README, "--json"])).remove(0).to_string();
    let beyond = record.replace("\"difficulty\":-", "\"difficulty\":-9");
    assert_eq!(code(&spuk_with_input(&["grade", "-"], beyond.as_bytes())), 2);
}

#[test]
fn puzzles_are_composed_by_grade() {
    let asked =
        ["compose", "--length", "9..13", "--material", "B1..2,R1..2,b1,r1..2", "--count", "3"];
    let output = spuk(&[&asked[..], &["--difficulty", "-1..0", "--json"]].concat());
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    for record in records(&output) {
        let difficulty = record["grade"]["difficulty"].as_f64().unwrap();
        assert!((-1.0..=0.0).contains(&difficulty), "{difficulty}");
        assert!(record["source"]["request"].as_str().unwrap().contains("--difficulty -1..0"));
    }
    let impossible = spuk(&["compose", "--length", "5", "--difficulty", "1..2"]);
    assert_eq!(code(&impossible), 1);
    assert!(text(&impossible.stderr).contains("default difficulty of -2.00 to"));
    for range in ["1", "2..1", "-3..0", "a..b"] {
        assert_eq!(code(&spuk(&["compose", "--interest", range])), 2, "{range}");
    }
}
