//! The real binary, as people and programs use it.

#![allow(clippy::unwrap_used)]

mod common;

use common::{code, program, records, spuk, spuk_with_input, text};
use proptest::prelude::*;
use serde_json::Value;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const WON: &str = "6/4u1/B5/6/6/Ru4 1";
const NOT_WON: &str = "6/6/6/3u2/3u2/BR4 1";
/// The start of a game: nobody proves anything about it.
const HOPELESS: &str = "1uuuu1/1uuuu1/6/6/1BBRR1/1BBRR1 4";

fn record(arguments: &[&str]) -> Value {
    let output = spuk(arguments);
    let mut records = records(&output);
    assert_eq!(records.len(), 1, "{}", text(&output.stderr));
    records.remove(0)
}

#[test]
fn a_win_is_printed_in_full() {
    let output = spuk(&["solve", WON]);
    assert_eq!(code(&output), 0);
    let stdout = text(&output.stdout);
    for part in ["4 B . . . . .", "Win in 5 plies.", "not revealed, red-wall", "1. a4a5", "a6-out"]
    {
        assert!(stdout.contains(part), "{part} is missing in\n{stdout}");
    }
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn the_json_of_a_win_has_every_field() {
    let record = record(&["solve", WON, "--json"]);
    assert_eq!(record["v"], 1);
    assert_eq!(record["position"], WON);
    assert_eq!(record["result"], "win");
    assert_eq!(record["m_win"], 5);
    assert_eq!(record["depth"], 5);
    assert_eq!(record["revealed"], "none");
    assert_eq!(record["red_wall"], true);
    assert_eq!(record["capture_win"], false);
    assert_eq!(record["line"].as_array().unwrap().len(), 5);
    assert_eq!(record["line"][0], "a4a5");
    let first_moves = record["first_moves"].as_array().unwrap();
    assert_eq!(first_moves.len(), 5);
    for first in first_moves {
        let wins = first["move"] == "a4a5";
        assert_eq!(first["result"], if wins { "win" } else { "no-win" });
        assert_eq!(first["m_win"], if wins { Value::from(5) } else { Value::Null });
        assert_eq!(first["depth"], if wins { 5 } else { 7 });
    }
    assert!(record["nodes"].as_u64().is_some() && record["seconds"].as_f64().is_some());
}

#[test]
fn both_forms_and_both_ways_of_quoting_are_one_position() {
    let expected = record(&["solve", WON, "--json", "--brief"])["position"].clone();
    let compact = "..........u.B.................Ru.... 1";
    assert_eq!(record(&["solve", compact, "--json", "--brief"])["position"], expected);
    let (rows, blue) = WON.split_once(' ').unwrap();
    assert_eq!(record(&["solve", rows, blue, "--json", "--brief"])["position"], expected);
}

#[test]
fn brief_stops_at_the_verdict() {
    let record = record(&["solve", WON, "--json", "--brief"]);
    assert_eq!(record["m_win"], 5);
    for field in ["line", "first_moves", "red_wall", "capture_win"] {
        assert!(record.get(field).is_none(), "{field}");
    }
}

#[test]
fn a_definite_no_says_within_which_depth() {
    let output = spuk(&["solve", NOT_WON, "--json", "--depth", "9"]);
    assert_eq!(code(&output), 1);
    let record = &records(&output)[0];
    assert_eq!((&record["result"], &record["m_win"]), (&"no-win".into(), &Value::Null));
    assert_eq!(record["depth"], 9);
    let first_moves = record["first_moves"].as_array().unwrap();
    assert!(first_moves.iter().all(|first| first["result"] == "no-win" && first["depth"] == 9));
}

#[test]
fn a_deeper_look_at_first_moves_can_be_asked_for() {
    let record = record(&["solve", WON, "--json", "--depth", "11"]);
    let depths = record["first_moves"].as_array().unwrap().iter().map(|first| &first["depth"]);
    assert!(depths.clone().any(|depth| depth == 11), "{:?}", depths.collect::<Vec<_>>());
}

#[test]
fn a_limit_gives_unknown_and_what_is_proved() {
    for limit in [["--nodes", "1000"], ["--time", "100ms"]] {
        let start = Instant::now();
        let output = spuk(&["solve", HOPELESS, "--json", "--depth", "99", limit[0], limit[1]]);
        assert_eq!(code(&output), 3);
        let record = &records(&output)[0];
        assert_eq!(record["result"], "unknown");
        assert_eq!(record["stop"], limit[0].trim_start_matches('-'));
        assert!(record["depth"].as_u64().unwrap() < 99);
        assert!(start.elapsed() < Duration::from_secs(20));
    }
}

#[test]
fn a_deeper_search_is_suggested_up_to_the_depth_limit() {
    // A position in which no depth rules out all longer wins.
    let solve = |depth: &str| {
        let output = spuk(&["solve", "3b2/3R2/6/5B/2u3/6 1", "--depth", depth]);
        assert_eq!(code(&output), 1);
        let stdout = text(&output.stdout);
        assert!(stdout.contains(&format!("\nNo win within {depth} plies.\n")), "{stdout}");
        stdout.contains("--depth")
    };
    assert!(solve("25") && solve("122"));
    assert!(!solve("123"), "no deeper search can be asked for");
}

#[test]
fn two_red_guards_that_must_move_lose() {
    // After b1c1 only the guards of the exits can move, and either may be captured.
    let record = record(&["solve", "1u2u1/B4B/B5/6/6/1Rb2R 1", "--json"]);
    assert_eq!((&record["m_win"], &record["line"][0]), (&5.into(), &"b1c1".into()));
    assert_eq!(record["line"].as_array().map(Vec::len), Some(5), "{record}");
}

#[cfg(target_os = "linux")]
#[test]
fn memory_stays_within_its_limit() {
    let limit = ["--memory", "16M", "--time", "2s", "--depth", "99", "--threads", "2"];
    let mut child = program()
        .args(["solve", HOPELESS, "--json", "--brief"])
        .args(limit)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()));
        let peak = status.ok().and_then(|s| {
            let line = s.lines().find(|line| line.starts_with("VmHWM"))?.to_string();
            line.split_whitespace().nth(1)?.parse::<u64>().ok()
        });
        most = most.max(peak.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(most > 1000, "nothing was measured");
    assert!(most < 32 * 1024, "{most} KiB with a table of at most 16 MiB");
}

#[cfg(unix)]
#[test]
fn ctrl_c_gives_the_best_answer_so_far() {
    let mut child = program()
        .args(["solve", HOPELESS, "--json", "--time", "60s", "--depth", "99"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(700));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(3));
    let record: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&record["result"], &record["stop"]), (&"unknown".into(), &"interrupted".into()));
    assert!(record["depth"].as_u64().unwrap() > 3, "{record}");
}

#[test]
fn a_stream_keeps_every_line_in_its_place() {
    let long = "B".repeat(1 << 20);
    let bad: Vec<Vec<u8>> = vec![
        b"nonsense".to_vec(),
        b"\xef\xbb\xbf6/4u1/B5/6/6/Ru4 1".to_vec(), // only the first line may have a byte order mark
        long.into_bytes(),
        b"\xff\xfe\x00 1".to_vec(),
        "６/6/6/6/6/6 1".as_bytes().to_vec(),
        b"6/4u1/B5/6/6/Ru4 9".to_vec(),
        b"6/4u1/B5/6/6/Ru4".to_vec(),
        b"6/4u1/B5/6/6/1u4 1".to_vec(),
        b"6/4u1/6/6/6/Ru4 1".to_vec(),
        b"BBBBBB/RRRRRR/uuuuuu/uuuuuu/6/6 3".to_vec(),
    ];
    let mut input = Vec::new();
    for line in &bad {
        input.extend(WON.bytes().chain([b'\n']));
        input.extend(line.iter().chain(b"\n"));
    }
    for threads in ["1", "3"] {
        let output = spuk_with_input(&["solve", "-", "--json", "--threads", threads], &input);
        assert_eq!(code(&output), 2);
        let records = records(&output);
        assert_eq!(records.len(), 2 * bad.len());
        for (index, record) in records.iter().enumerate() {
            assert_eq!(record["line_number"], index + 1);
            assert_eq!(record["m_win"] == 5, index % 2 == 0, "{record}");
            assert_eq!(record["error"].is_string(), index % 2 == 1, "{record}");
        }
        let complaints = text(&output.stderr);
        assert_eq!(complaints.lines().count(), bad.len(), "{complaints}");
        for (index, complaint) in complaints.lines().enumerate() {
            assert!(complaint.starts_with(&format!("spuk: line {}: ", 2 * index + 2)));
            assert!(complaint.len() < 600, "{complaint}");
        }
    }
}

#[test]
fn a_stream_answers_before_the_next_line_comes() {
    let mut child = program()
        .args(["solve", "-", "--json", "--brief", "--threads", "2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = std::io::BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        writeln!(stdin, "{WON}").unwrap();
        let mut answer = String::new();
        std::io::BufRead::read_line(&mut stdout, &mut answer).unwrap();
        assert!(answer.contains("\"m_win\":5"), "{answer}");
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn the_answers_do_not_depend_on_threads() {
    let positions = include_str!("../../bench/src/positions.txt");
    let lines: Vec<&str> = positions.lines().filter(|line| !line.starts_with('#')).collect();
    let input = lines[..24].join("\n");
    let run = |threads| {
        let arguments =
            ["solve", "-", "--json", "--depth", "11", "--time", "60s", "--threads", threads];
        let mut records = records(&spuk_with_input(&arguments, input.as_bytes()));
        for record in &mut records {
            record.as_object_mut().unwrap().remove("seconds");
        }
        records
    };
    assert_eq!(run("1"), run("2"));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = program()
        .args(["solve", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    let _ = writeln!(stdin, "{WON}");
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!((code(&output), text(&output.stderr)), (0, String::new()));
}

#[test]
fn the_picture_is_written_whole_or_not_at_all() {
    let folder = std::env::temp_dir().join(format!("spuk-svg-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("puzzle.svg");
    let output = spuk(&["solve", WON, "--svg", file.to_str().unwrap()]);
    assert_eq!(code(&output), 0);
    let svg = std::fs::read_to_string(&file).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert!(svg.contains("win in 5 plies"));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "something is left behind");
    std::fs::remove_dir_all(&folder).unwrap();
    let output = spuk(&["solve", WON, "--svg", file.to_str().unwrap()]);
    assert_eq!((code(&output), text(&output.stdout)), (2, String::new()));
    assert!(text(&output.stderr).contains("choose another place"));
    assert_eq!(code(&spuk(&["solve", "-", "--svg", "x.svg"])), 2);
}

#[test]
fn bad_flags_are_refused() {
    let cases: &[&[&str]] = &[
        &["solve"],
        &["solve", WON, "--depth", "0"],
        &["solve", WON, "--depth", "124"],
        &["solve", WON, "--nodes", "-1"],
        &["solve", WON, "--time", "fast"],
        &["solve", WON, "--memory", "1"],
        &["solve", WON, "--threads", "0"],
        &["solve", "a", "b", "c"],
        &["divine", WON],
        &["bench", "--algorithm", "magic"],
    ];
    for arguments in cases {
        let output = spuk(arguments);
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(!output.stderr.is_empty());
    }
}

#[test]
fn the_bench_signature_is_the_same_every_time() {
    let run = || record(&["bench", "--json", "--repeat", "1", "--depth", "11"]);
    let (first, second) = (run(), run());
    assert!(first["nodes"].as_u64().unwrap() > 1000);
    assert_eq!(first["signature"], second["signature"]);
}

/// Each solver on each game: the same searches every time, and a rate.
#[test]
fn the_solvers_have_signatures_too() {
    let run = || {
        let output = spuk(&["bench", "search", "--json", "--repeat", "1", "--nodes", "60"]);
        assert_eq!(code(&output), 0);
        let text = String::from_utf8(output.stdout).unwrap();
        let read = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
        text.lines().map(read).collect::<Vec<_>>()
    };
    let (first, second) = (run(), run());
    assert_eq!(first.len(), 12);
    for (one, other) in first.iter().zip(&second) {
        assert_eq!((&one["v"], &one["bench"]), (&1.into(), &"search".into()));
        assert_eq!(one["signature"], other["signature"], "{one}");
        assert!(
            one["nodes"].as_u64().unwrap() > 60 && one["nodes_per_second"].as_f64() > Some(0.0)
        );
    }
    let named = |name: &str| first.iter().filter(|one| one["solver"] == name).count();
    assert_eq!((named("pns"), named("ppns")), (2, 2));
}

#[test]
fn the_2048_bench_plays_the_same_every_time() {
    let run = |seed: &str| {
        let arguments =
            ["bench", "2048", "--json", "--moves", "200", "--depth", "2", "--seed", seed];
        let records = records(&spuk(&arguments));
        assert_eq!(records.len(), 2);
        assert!(records.iter().all(|r| r["moves_per_second"].as_f64().unwrap() > 0.0));
        records.iter().map(|r| r["signature"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(run("1"), run("1"));
    assert_ne!(run("1"), run("2"));
}

#[test]
fn the_reference_algorithms_agree_with_the_solver() {
    let run = |algorithm: &[&str]| {
        let common = ["bench", "--json", "--repeat", "1", "--depth", "7"];
        let record = record(&[&common[..], algorithm].concat());
        (record["won"].clone(), record["unknown"].clone())
    };
    let expected = run(&["--algorithm", "solver"]);
    assert_ne!(expected.0, 0);
    for algorithm in ["df-pn", "alpha-beta", "pns"] {
        assert_eq!(run(&["--algorithm", algorithm]), expected, "{algorithm}");
    }
    let plain = ["--algorithm", "alpha-beta", "--no-escape-first", "--no-lower-bounds"];
    assert_eq!(run(&plain), expected);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// Nothing from outside makes it panic: every line that is not blank gets an answer or one
    /// sentence.
    #[test]
    fn any_stream_is_answered(lines in prop::collection::vec(any_line(), 1..20)) {
        let mut input = Vec::new();
        for line in &lines {
            input.extend(line.iter().copied().filter(|&b| b != b'\n'));
            input.push(b'\n');
        }
        let answered = input.split(|&b| b == b'\n').filter(|line| !line.trim_ascii().is_empty());
        let arguments = ["solve", "-", "--json", "--depth", "5", "--nodes", "2000"];
        let output = spuk_with_input(&arguments, &input);
        prop_assert!([0, 2, 3].contains(&code(&output)), "{}", text(&output.stderr));
        prop_assert_eq!(records(&output).len(), answered.count());
        prop_assert!(!text(&output.stderr).contains("panicked"));
    }

    /// Nor does any argument.
    #[test]
    fn any_argument_is_answered(argument in "[^\\x00]{0,60}") {
        let output = spuk(&["solve", &argument, "--depth", "3", "--brief"]);
        prop_assert!((0..=3).contains(&code(&output)));
        prop_assert!(!text(&output.stderr).contains("panicked"));
    }
}

/// Rubbish, and what is nearly a position.
fn any_line() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..80),
        "[BRbru.]{36} [0-9]{1,2}".prop_map(String::into_bytes),
        "[BRbru1-6]{1,6}(/[BRbru1-6]{1,6}){5} [0-9]".prop_map(String::into_bytes),
        "(\\.{0,10}[BRbru]){2,6}\\.{0,12} [0-4]".prop_map(String::into_bytes),
    ]
}
