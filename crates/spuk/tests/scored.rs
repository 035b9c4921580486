//! `spuk solve --game`: games with exact scores, by the real binary.

#![allow(clippy::unwrap_used)]

mod common;

use common::{code, records, spuk, spuk_with_input, text};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const OTHELLO: &str = "-XXXXXXXO-OOOOXX-XXOXOOX-OXXOXOXOOOXXOOOXOXOOXXOO-XOOXXX--OOOOX- O";

fn solve(game: &str, rest: &[&str]) -> (i32, Value) {
    let output = spuk(&[&["solve", "--json", "--game", game], rest].concat());
    let mut records = records(&output);
    assert_eq!(records.len(), 1, "{}", text(&output.stderr));
    (code(&output), records.remove(0))
}

#[test]
fn the_side_to_move_wins_draws_or_loses() {
    let rows = "......./......./......./......./...OO../...XX..";
    let (ended, full) = ("4455667", "121212212121343434434343565656656565777777");
    let cases = [
        ("4455", 0, "win", 18, json!(["3", "6"])),
        (rows, 0, "win", 18, json!(["3", "6"])),
        ("44556", 1, "loss", -18, json!(["1", "2", "3", "4", "5", "6", "7"])),
        (ended, 1, "loss", -18, json!([])),
        (full, 1, "draw", 0, json!([])),
        (&full[..41], 1, "draw", 0, json!(["7"])),
    ];
    for (position, exit, result, score, best) in cases {
        let (found, record) = solve("connect-four", &[position]);
        assert_eq!(found, exit, "{record}");
        assert_eq!((&record["v"], &record["game"]), (&json!(1), &json!("connect-four")));
        assert_eq!((&record["position"], &record["result"]), (&json!(position), &json!(result)));
        assert_eq!((&record["score"], &record["best"]), (&json!(score), &best), "{record}");
        assert!(record["nodes"].is_u64() && record["seconds"].is_f64());
        assert!(record.get("least").is_none() && record.get("stop").is_none());
    }
}

#[test]
fn othello_boards_may_begin_with_empty_squares() {
    let (_, whole) = solve("othello", &[OTHELLO]);
    let (squares, side) = OTHELLO.split_once(' ').unwrap();
    let (_, words) = solve("othello", &[squares, side]);
    let (_, from_a_collection) = solve("othello", &[&format!("{OTHELLO}; A1:+4;")]);
    for record in [&whole, &words, &from_a_collection] {
        assert_eq!(record["position"], OTHELLO);
        assert_eq!((&record["score"], &record["best"]), (&whole["score"], &whole["best"]));
        assert!(record["score"].is_i64(), "{record}");
    }
}

#[test]
fn a_board_is_drawn_for_people() {
    let stdout = text(&spuk(&["solve", "--game", "connect-four", "4455"]).stdout);
    for part in [". . . O O . .\n", "1 2 3 4 5 6 7\n", "X to move. Win, score +18.", "moves: 3 6."]
    {
        assert!(stdout.contains(part), "{part} is missing in\n{stdout}");
    }
    let stdout = text(&spuk(&["solve", "--game", "othello", OTHELLO]).stdout);
    for part in ["1 - X X X X X X X\n", "  a b c d e f g h\n", "O to move. "] {
        assert!(stdout.contains(part), "{part} is missing in\n{stdout}");
    }
}

#[test]
fn a_limit_gives_unknown_and_bounds() {
    for limit in [["--nodes", "1000"], ["--time", "100ms"]] {
        let start = Instant::now();
        let (exit, record) = solve("connect-four", &["", limit[0], limit[1], "--memory", "1M"]);
        assert_eq!((exit, &record["result"]), (3, &json!("unknown")));
        assert_eq!((&record["score"], &record["best"]), (&Value::Null, &Value::Null));
        assert_eq!(record["stop"], limit[0].trim_start_matches('-'));
        assert!(record["least"].as_i64().unwrap() < record["most"].as_i64().unwrap());
        assert!(start.elapsed() < Duration::from_secs(20));
    }
}

#[test]
fn a_stream_keeps_every_line_in_its_place() {
    let input = format!("{OTHELLO}\nnonsense\n{OTHELLO}; G8:+18;\n");
    for threads in ["1", "2"] {
        let flags = ["solve", "--game", "othello", "-", "--json", "--brief", "--threads", threads];
        let output = spuk_with_input(&flags, input.as_bytes());
        assert_eq!(code(&output), 2);
        let records = records(&output);
        assert_eq!(records.len(), 3);
        assert!(records[1]["error"].as_str().unwrap().contains("two words"));
        for record in [&records[0], &records[2]] {
            assert!(record["score"].is_i64() && record.get("best").is_none(), "{record}");
        }
        assert!(text(&output.stderr).starts_with("spuk: line 2: "));
    }
    let output = spuk_with_input(&["solve", "--game", "connect-four", "-"], b"4455\n44556\n");
    assert_eq!(code(&output), 0);
    assert_eq!(text(&output.stdout), "4455: win, score +18\n44556: loss, score -18\n");
}

#[test]
fn invalid_positions_and_flags_are_refused() {
    let cases: &[&[&str]] = &[
        &["--game", "connect-four", "448"],
        &["--game", "connect-four", "4444444"],
        &["--game", "connect-four", "44 55"],
        &["--game", "othello", "XO"],
        &["--game", "othello", &OTHELLO[..64]],
        &["--game", "othello", OTHELLO, "--depth", "9"],
        &["--game", "othello", OTHELLO, "--svg", "x.svg"],
        &["--game", "othello", OTHELLO, "--no-tables"],
        &["--game", "chess", "e4"],
        &["--jsno", "4455"],
    ];
    for rest in cases {
        let output = spuk(&[&["solve"], *rest].concat());
        assert_eq!((code(&output), text(&output.stdout)), (2, String::new()), "{rest:?}");
        assert!(!output.stderr.is_empty(), "{rest:?}");
    }
}

#[test]
fn solvers_that_only_prove_give_the_sign() {
    let full = "121212212121343434434343565656656565777777";
    for algorithm in ["pns", "mcpns", "ppns", "uct"] {
        for (position, exit, result, sign) in [
            ("4455", 0, "win", 1),
            ("44556", 1, "loss", -1),
            (full, 1, "draw", 0),
            (&full[..38], 1, "draw", 0),
        ] {
            let (found, record) = solve("connect-four", &[position, "--algorithm", algorithm]);
            assert_eq!((found, &record["result"]), (exit, &json!(result)), "{record}");
            assert_eq!((&record["score"], &record["score_is"]), (&json!(sign), &json!("sign")));
            assert_eq!(record["algorithm"], algorithm);
        }
    }
    let (exact, by_proof) = (solve("othello", &[OTHELLO]).1, ["--algorithm", "pns"]);
    let (_, proved) = solve("othello", &[&[OTHELLO][..], &by_proof].concat());
    assert_eq!(proved["score"], exact["score"].as_i64().unwrap().signum(), "{proved}");
}

#[test]
fn a_belief_is_distinguished_from_a_proof() {
    let ppns = ["--algorithm", "ppns", "--pr", "0.4", "--playouts", "3", "--seed", "7"];
    let (exit, record) = solve("connect-four", &[&["44"], &ppns[..]].concat());
    assert_eq!((exit, &record["result"], &record["score"]), (3, &json!("believed"), &Value::Null));
    assert!(record["believed"].is_string() && record["seed"] == 7, "{record}");
    let (exit, record) =
        solve("connect-four", &["44", "--algorithm", "mcts", "--nodes", "50", "--time", "1m"]);
    assert_eq!((exit, &record["result"], &record["stop"]), (3, &json!("unknown"), &json!("nodes")));
    let stdout =
        text(&spuk(&["solve", "--game", "connect-four", "4455", "--algorithm", "uct"]).stdout);
    assert!(
        stdout.contains("X to move. Win, proved.") && stdout.contains("iterations of uct"),
        "{stdout}"
    );
}

#[test]
fn settings_of_another_solver_are_refused() {
    for arguments in [
        &["--algorithm", "dfs"][..],
        &["--algorithm", "pns", "--theta", "0.1"],
        &["--algorithm", "ppns", "--theta", "0"],
        &["--algorithm", "ppns", "--pr", "nan"],
        &["--playouts", "3"],
    ] {
        let output = spuk(&[&["solve", "--game", "connect-four", "44"], arguments].concat());
        assert_eq!(code(&output), 2, "{arguments:?}");
    }
    let geister = spuk(&["solve", "6/4u1/B5/6/6/Ru4 1", "--algorithm", "pns"]);
    assert!(code(&geister) == 2 && text(&geister.stderr).contains("connect-four"));
}
