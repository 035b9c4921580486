//! `spuk export` through the real binary.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Folder, code, spuk_with_input, text};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Output;

/// Puzzles in both forms of the text; the second is partly revealed, the third is won by capture.
const POSITIONS: &str = "6/4u1/B5/6/6/Ru4 1\n\
                         ....Bb.........uB....u.............R 2\n\
                         \n\
                         6/6/6/1Bb3/6/R3r1 1\n";

fn export(arguments: &[&str], input: &[u8]) -> Output {
    spuk_with_input(&[&["export"], arguments].concat(), input)
}

/// The records of [`POSITIONS`], as the program makes them.
fn records() -> String {
    let output = export(&[], POSITIONS.as_bytes());
    assert_eq!((code(&output), text(&output.stderr)), (0, String::new()));
    text(&output.stdout)
}

#[test]
fn bare_positions_become_records() {
    let records = records();
    let records: Vec<Value> =
        records.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records.len(), 3);
    assert_eq!(records[0]["m_win"], 5);
    assert_eq!(records[0]["quality"]["keys"], 1);
    assert!(records[0]["themes"].as_array().unwrap().contains(&"red-wall".into()));
    assert_eq!(records[0]["source"]["kind"], "given");
    assert_eq!((&records[1]["m_win"], &records[1]["revealed"]), (&3.into(), &"partly".into()));
    assert_eq!((&records[2]["m_win"], &records[2]["capture_win"]), (&1.into(), &true.into()));
}

#[test]
fn records_come_out_as_they_went_in() {
    let records = records();
    let again = export(&["-", "--format", "jsonl"], records.as_bytes());
    assert_eq!((code(&again), text(&again.stdout)), (0, records.clone()));
    let folder = Folder::new();
    let (from, to) = (folder.file("from.jsonl"), folder.file("to.jsonl"));
    fs::write(&from, &records).unwrap();
    let output = export(&[&from, "--out", &to], b"");
    assert_eq!(code(&output), 0);
    assert_eq!(text(&output.stdout), format!("3 puzzles written to \"{to}\".\n"));
    assert_eq!(fs::read_to_string(&to).unwrap(), records);
    // A file may be written over itself: it has been read before.
    assert_eq!(code(&export(&[&to, "--out", &to, "--limit", "2"], b"")), 0);
    assert_eq!(fs::read_to_string(&to).unwrap().lines().count(), 2);
    assert_eq!(folder.names(""), ["from.jsonl", "to.jsonl"]);
}

#[test]
fn a_sheet_has_a_header_and_a_row_a_puzzle() {
    let folder = Folder::new();
    let out = folder.file("puzzles.csv");
    let output = export(&["--out", &out], records().as_bytes());
    assert_eq!(code(&output), 0);
    let csv = fs::read_to_string(&out).unwrap();
    let rows: Vec<Vec<&str>> = csv.lines().map(|row| row.split(',').collect()).collect();
    assert_eq!(rows.len(), 4);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{csv}");
    assert_eq!(rows[0][..3], ["id", "position", "m_win"]);
    assert_eq!(rows[1][1..4], ["6/4u1/B5/6/6/Ru4 1", "5", "none"]);
    let printed = export(&["--format", "csv"], records().as_bytes());
    assert_eq!(text(&printed.stdout), csv);
}

#[test]
fn pictures_are_named_by_their_puzzles() {
    let folder = Folder::new();
    let records = records();
    let output = export(&["--out", folder.0.to_str().unwrap()], records.as_bytes());
    assert_eq!(code(&output), 0);
    let mut wanted: Vec<String> = records
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].as_str().unwrap().into())
        .map(|id: String| id + ".svg")
        .collect();
    wanted.sort();
    assert_eq!(folder.names(""), wanted);
    let svg = fs::read_to_string(folder.0.join(&wanted[0])).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.contains("Win in "));
    let deeper = folder.file("new/japanese/");
    let output = export(&["--out", &deeper, "--language", "ja"], records.as_bytes());
    assert_eq!(code(&output), 0);
    assert!(fs::read_to_string(Path::new(&deeper).join(&wanted[0])).unwrap().contains("手詰め"));
}

#[test]
fn a_booklet_has_every_diagram_and_the_solutions_at_the_back() {
    let folder = Folder::new();
    for (language, heading) in [("en", "<h2>Solutions</h2>"), ("ja", "<h2>解答</h2>")] {
        let out = folder.file(&format!("{language}.html"));
        let arguments = ["--out", &out, "--language", language, "--title", "A <b> & \"C\""];
        assert_eq!(code(&export(&arguments, records().repeat(3).as_bytes())), 0);
        let html = fs::read_to_string(&out).unwrap();
        let (front, back) = html.split_once(heading).unwrap();
        assert_eq!(front.matches("<figure class=\"puzzle\">").count(), 9);
        assert_eq!(front.matches("role=\"img\"").count(), 9);
        assert_eq!(front.matches("class=\"sheet\"").count(), 2);
        assert_eq!(back.matches("<article class=\"solution\">").count(), 9);
        assert!(!back.contains("<figure") && !front.contains("<article"));
        assert!(front.contains("<h1>A &lt;b&gt; &amp; &quot;C&quot;</h1>"));
    }
    let printed = export(&["--format", "booklet"], records().as_bytes());
    assert!(text(&printed.stdout).ends_with("</html>\n"));
}

#[test]
fn bad_lines_are_reported_and_the_others_exported() {
    let good = records();
    let long = "x".repeat(1 << 17);
    let broken = good.lines().next().unwrap().replace("\"m_win\":5", "\"m_win\":7");
    let lost = "6/6/6/3u2/3u2/BR4 1";
    let input = format!("{broken}\nhello\n{long}\n{lost}\n{good}");
    let mut input = input.into_bytes();
    input.extend(b"\xff\xfe\n");
    let output = export(&["--depth", "7"], &input);
    assert_eq!((code(&output), text(&output.stdout)), (2, good));
    let stderr = text(&output.stderr);
    let stderr: Vec<&str> = stderr.lines().collect();
    let parts = [
        ("line 1: ", "its line has 5 moves and not 7"),
        ("line 2: \"hello\": ", "a position is two words"),
        ("line 3: ", "no puzzle has over 65536 bytes"),
        (
            "line 4: ",
            "is not a puzzle: it is not won within the depth; try a larger --depth or --time",
        ),
        ("line 8: ", "correct or remove the line"),
    ];
    assert_eq!(stderr.len(), parts.len(), "{stderr:?}");
    for (line, (start, part)) in stderr.iter().zip(parts) {
        assert!(line.starts_with(&format!("spuk: {start}")) && line.contains(part), "{line}");
        assert!(line.len() < 400, "{line}");
    }
}

#[test]
fn a_summary_is_one_json_object() {
    let folder = Folder::new();
    let out = folder.file("puzzles.csv");
    let input = format!("nonsense\n{POSITIONS}");
    let output = export(&["--out", &out, "--json"], input.as_bytes());
    assert_eq!(code(&output), 2);
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let wanted = serde_json::json!({"v": 1, "puzzles": 3, "errors": 1, "out": out});
    assert_eq!(summary, wanted);
    assert_eq!(code(&export(&["--json"], b"")), 2, "it would be lost among the puzzles");
}

/// Runs what has to fail, and returns the one sentence that it says.
fn refusal(arguments: &[&str], input: &[u8]) -> String {
    let output = export(arguments, input);
    assert_eq!((code(&output), text(&output.stdout)), (2, String::new()), "{arguments:?}");
    let stderr = text(&output.stderr);
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    stderr
}

#[test]
fn impossible_exports_are_refused_in_one_sentence() {
    let folder = Folder::new();
    let missing = folder.file("missing.jsonl");
    let stderr = refusal(&[&missing], b"");
    assert!(stderr.contains(&missing) && stderr.contains("cannot read"), "{stderr}");
    let stderr = refusal(&[folder.0.to_str().unwrap()], b"");
    assert!(stderr.contains("cannot read"), "{stderr}");

    let nowhere = folder.file("no-such-folder/puzzles.csv");
    let stderr = refusal(&["--out", &nowhere], POSITIONS.as_bytes());
    assert!(stderr.contains(&nowhere) && stderr.contains("choose another place"), "{stderr}");
    let stderr = refusal(&["--out", &folder.file(""), "--format", "csv"], POSITIONS.as_bytes());
    assert!(stderr.contains("cannot write"), "{stderr}");
    fs::write(folder.file("taken"), "").unwrap();
    let stderr = refusal(&["--out", &folder.file("taken/")], POSITIONS.as_bytes());
    assert!(stderr.contains("cannot make the folder"), "{stderr}");

    let stderr = refusal(&["--out", &folder.file("puzzles.txt")], POSITIONS.as_bytes());
    assert!(stderr.contains("puzzles.txt") && stderr.contains("--format"), "{stderr}");
    let stderr = refusal(&["--format", "svg"], POSITIONS.as_bytes());
    assert!(stderr.contains("--out"), "{stderr}");
    let stderr = refusal(&["--out", &folder.file("empty.html")], b"\n\n");
    assert!(stderr.contains("no puzzle"), "{stderr}");
    assert_eq!(folder.names(""), ["taken"], "nothing is left half done");

    let output = export(&["--language", "de"], b"");
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("languages are en, ja"));
}
