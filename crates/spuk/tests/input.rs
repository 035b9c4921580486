//! Lines and files as people and editors write them, by the real binary.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Folder, code, records, spuk, spuk_with_input, text};
use std::fs;

const WON: &str = "6/4u1/B5/6/6/Ru4 1";

/// The line after a byte order mark, among blank lines; it has the number 3.
fn surrounded(line: &str) -> Vec<u8> {
    format!("\u{feff}\r\n \t\n{line}\r\n\n  \n").into_bytes()
}

/// The line after a byte order mark of its own.
fn marked(line: &str) -> Vec<u8> {
    format!("\u{feff}{line}\n\n").into_bytes()
}

#[test]
fn every_reader_skips_a_byte_order_mark_and_blank_lines() {
    let question = r#"{"fen":"3k4/8/8/8/3N4/8/8/8 w - - 0 1","try":"d4e6"}"#;
    let question = question.replace("8/8/8 w", "8/8/3RK3 w");
    let commands: [(&[&str], &str); 6] = [
        (&["solve", "-", "--json", "--brief"], WON),
        (&["solve", "-", "--game", "connect-four", "--json", "--brief"], "444545646524"),
        (&["solve", "-", "--json", "--brief", "--threads", "3"], WON),
        (&["grade", "-", "--json"], WON),
        (&["export", "-", "--format", "jsonl"], WON),
        (&["umpire"], &question),
    ];
    for (arguments, line) in commands {
        for input in [surrounded(line), marked(line)] {
            let output = spuk_with_input(arguments, &input);
            assert_eq!(code(&output), 0, "{arguments:?}: {}", text(&output.stderr));
            assert_eq!(records(&output).len(), 1, "{arguments:?}");
        }
        let invalid = spuk_with_input(arguments, &surrounded("nonsense"));
        assert_eq!(code(&invalid), 2);
        let stderr = text(&invalid.stderr);
        assert!(stderr.starts_with("spuk: line 3: ") && stderr.lines().count() == 1, "{stderr}");
    }
    // Without tables, what was read shows in the message.
    let probed = spuk_with_input(&["tablebase", "probe", "-", "--json"], &surrounded(WON));
    assert!(text(&probed.stderr).contains("build --class BRuu:1"), "{}", text(&probed.stderr));
    assert_eq!(records(&probed)[0]["line_number"], 3);
}

#[test]
fn files_are_read_like_standard_input() {
    let folder = Folder::new();
    let file = folder.file("puzzles.jsonl");
    let record = text(&spuk_with_input(&["export"], WON.as_bytes()).stdout);
    fs::write(&file, surrounded(record.trim_end())).unwrap();
    for arguments in [&["grade", &file, "--json"][..], &["export", &file]] {
        let output = spuk(arguments);
        assert_eq!((code(&output), records(&output).len()), (0, 1), "{}", text(&output.stderr));
    }
    let ratings = folder.file("ratings.csv");
    let header = "\u{feff}puzzle,person,interest,difficulty,seconds,solved\n\n";
    fs::write(&ratings, header).unwrap();
    let trained = spuk(&["train", &ratings, "--puzzles", &file, "--out", &folder.file("model")]);
    assert!(text(&trained.stderr).contains("gather more ratings"), "{}", text(&trained.stderr));
}

#[test]
fn composing_continues_after_a_byte_order_mark_and_blank_lines() {
    let folder = Folder::new();
    let (whole, edited) = (folder.file("whole.jsonl"), folder.file("edited.jsonl"));
    let compose = |file: &str, count: &str| {
        let request = ["compose", "--length", "5..7", "--material", "B1,R1,b1,r1"];
        let output = spuk(&[&request[..], &["--count", count, "--out", file]].concat());
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    };
    compose(&whole, "2");
    compose(&edited, "1");
    let first = fs::read_to_string(&edited).unwrap();
    fs::write(&edited, format!("\u{feff}\n{first}\n")).unwrap();
    compose(&edited, "2");
    let second = fs::read_to_string(&whole).unwrap().replace(&first, "");
    assert_eq!(fs::read_to_string(&edited).unwrap(), format!("\u{feff}\n{first}\n{second}"));
}

#[cfg(unix)]
#[test]
fn a_device_is_written_to_and_not_replaced() {
    use std::os::unix::fs::FileTypeExt;
    let request = ["--length", "5..7", "--material", "B1,R1,b1,r1", "--count", "1"];
    let composed = spuk(&[&["compose", "--out", "/dev/null"], &request[..]].concat());
    assert_eq!(code(&composed), 0, "{}", text(&composed.stderr));
    let exported = spuk_with_input(
        &["export", "--format", "csv", "--out", "/dev/null"],
        format!("{WON}\n").as_bytes(),
    );
    assert_eq!(code(&exported), 0, "{}", text(&exported.stderr));
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
}

#[test]
fn a_byte_that_is_not_utf8_does_not_end_a_game() {
    let games =
        [("geister", "moves\n"), ("kriegspiel", "tries\n"), ("phantom-tic-tac-toe", "moves\n")];
    for (game, list) in games {
        let input = [b"\xff\n", list.as_bytes(), b"resign\n"].concat();
        let output = spuk_with_input(&["play", game, "--against", "random"], &input);
        let stdout = text(&output.stdout);
        assert_eq!((code(&output), text(&output.stderr).as_str()), (1, ""), "{game}");
        assert!(stdout.contains('\u{fffd}') && stdout.ends_with("You resigned.\n"), "{stdout}");
    }
}
