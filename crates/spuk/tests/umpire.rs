//! `spuk umpire`, by the real binary.

#![allow(clippy::unwrap_used)]

mod common;

use common::{code, program, records, spuk_with_input, text};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

fn ask(lines: &[&str]) -> (i32, Vec<Value>, String) {
    let output = spuk_with_input(&["umpire"], (lines.join("\n") + "\n").as_bytes());
    (code(&output), records(&output), text(&output.stderr))
}

#[test]
fn tries_are_answered() {
    let (exit, records, complaints) = ask(&[
        r#"{"fen":"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1","try":"e5d6"}"#,
        r#"{"try":"e2e5","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","more":1}"#,
        r#"{"fen":"3k4/8/8/8/3N4/8/8/3RK3 w - - 117 90","try":"d4e6"}"#,
        r#"{"fen":"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1","try":"a1a8"}"#,
    ]);
    assert_eq!((exit, complaints.as_str()), (0, ""));
    let expected = [
        json!({"v":1,"answer":"legal","capture":"pawn","capture_square":"d5","checks":[],
            "pawn_tries":0,"end":null,"fen":"4k3/8/3P4/8/8/8/8/4K3 b - - 0 1"}),
        json!({"v":1,"answer":"illegal","capture":null,"capture_square":null,"checks":[],
            "pawn_tries":0,"end":null,
            "fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}),
        json!({"v":1,"answer":"legal","capture":null,"capture_square":null,
            "checks":["file","knight"],"pawn_tries":0,"end":null,
            "fen":"3k4/8/4N3/8/8/8/8/3RK3 b - - 118 90"}),
        json!({"v":1,"answer":"legal","capture":null,"capture_square":null,"checks":[],
            "pawn_tries":0,"end":"checkmate","fen":"R5k1/5ppp/8/8/8/8/8/4K3 b - - 1 1"}),
    ];
    assert_eq!(records, expected);
}

#[test]
fn invalid_lines_are_refused_and_the_stream_continues() {
    let good = r#"{"fen":"4k3/8/8/8/8/8/8/R3K3 w - - 0 1","try":"a1a2"}"#;
    let cases = [
        ("{", "is not a question"),
        ("e2e4", "is not a question"),
        (r#"{"fen":"4k3/8/8/8/8/8/8/R3K3 w - - 0 1"}"#, "missing field `try`"),
        (r#"{"fen":"8/8/8/8/8/8/8/R3K3 w - - 0 1","try":"a1a2"}"#, "Black has 0 kings"),
        (r#"{"fen":"nonsense","try":"a1a2"}"#, "position \"nonsense\": a FEN has six fields"),
        (r#"{"fen":"4k3/8/8/8/8/8/8/R3K3 w - - 0 1","try":"a1"}"#, "try \"a1\": a try is"),
        (r#"{"fen":"R5k1/5ppp/8/8/8/8/8/4K3 b - - 1 1","try":"g8h8"}"#, "ended by checkmate"),
        (r#"{"fen":"k7/8/8/8/8/8/8/K7 w - - 0 1","try":"a1a2"}"#, "lack of material"),
    ];
    for (line, reason) in cases {
        let (exit, records, complaints) = ask(&[good, line, good]);
        assert_eq!((exit, records.len()), (2, 3), "{line}");
        assert_eq!((&records[0], &records[0]["answer"]), (&records[2], &json!("legal")));
        let error = records[1]["error"].as_str().unwrap();
        assert!(error.contains(reason), "{line}: {error}");
        assert_eq!(records[1]["line_number"], 2);
        assert!(complaints.starts_with("spuk: line 2: ") && complaints.lines().count() == 1);
    }
    let output = spuk_with_input(&["umpire"], &[0xff, 0xfe, b'\n', b'{']);
    assert_eq!((code(&output), records(&output).len()), (2, 2));
}

#[test]
fn an_answer_does_not_wait_for_the_next_question() {
    let mut child =
        program().arg("umpire").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut questions = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for _ in 0..3 {
        // Nor for the end of the blank lines after one.
        let question = r#"{"fen":"4k3/8/8/8/8/8/8/R3K3 w - - 0 1","try":"a1a2"}"#;
        writeln!(questions, "{question}\n").unwrap();
        assert!(answers.next().unwrap().unwrap().contains("\"legal\""));
    }
    drop(questions);
    assert!(child.wait().unwrap().success());
}
