//! `spuk match --game kriegspiel` and `spuk play kriegspiel`, by the real binary.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Folder, code, records, spuk, spuk_with_input, text};
use games::kriegspiel::Color;
use games::kriegspiel::pgn::Record;
use serde_json::Value;

const MATCH: [&str; 9] =
    ["match", "--game", "kriegspiel", "random", "greedy", "--games", "4", "--seed", "1"];

fn matched(more: &[&str]) -> Value {
    let output = spuk(&[&MATCH[..], &["--json"], more].concat());
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let mut records = records(&output);
    assert_eq!(records.len(), 1);
    records.remove(0)
}

#[test]
fn the_json_of_a_match_has_every_field() {
    let record = matched(&[]);
    assert_eq!((&record["v"], &record["game"]), (&1.into(), &"kriegspiel".into()));
    assert_eq!(record["players"], serde_json::json!(["random", "greedy"]));
    let count = |name: &str| record[name].as_u64().unwrap();
    assert_eq!((count("games"), count("seed")), (4, 1));
    assert_eq!(count("wins") + count("draws") + count("losses"), 4);
    let number = |name: &str| record[name].as_f64().unwrap();
    assert!(number("elo_low") <= number("elo") && number("elo") <= number("elo_high"));
    assert!(number("plies") > 4.0);
    for name in ["tries_per_move", "opponent_tries_per_move"] {
        assert!(number(name) >= 1.0, "{name}");
    }
    for name in ["seconds_per_move", "opponent_seconds_per_move"] {
        assert!(number(name) > 0.0, "{name}");
    }
    let ends = record["ends"].as_object().unwrap();
    let names: Vec<&str> = ends.keys().map(String::as_str).collect();
    for name in ["checkmate", "stalemate", "insufficient", "repetition", "fifty-moves"] {
        assert!(names.contains(&name), "{name}");
    }
    assert_eq!(ends.values().map(|count| count.as_u64().unwrap()).sum::<u64>(), 4);
}

#[test]
fn the_same_seed_gives_the_same_games_and_they_read_back() {
    let folder = Folder::new();
    let (one, other) = (folder.file("one.pgn"), folder.file("other.pgn"));
    let mut first = matched(&["--out", &one, "--threads", "1"]);
    let mut second = matched(&["--out", &other, "--threads", "2"]);
    for record in [&mut first, &mut second] {
        for time in ["seconds_per_move", "opponent_seconds_per_move"] {
            record.as_object_mut().unwrap().remove(time);
        }
    }
    assert_eq!(first, second);
    let written = std::fs::read_to_string(&one).unwrap();
    assert_eq!(written, std::fs::read_to_string(&other).unwrap());
    let games: Vec<String> =
        written.split("[Event ").skip(1).map(|game| format!("[Event {game}")).collect();
    let read: Vec<Record> = games.iter().map(|game| game.parse().unwrap()).collect();
    assert_eq!(read.len(), 4);
    let won = read.iter().filter(|record| {
        let winner = record.game.winner();
        winner == Some(Color::White) && record.white == "random"
            || winner == Some(Color::Black) && record.black == "random"
    });
    assert_eq!(won.count() as u64, first["wins"].as_u64().unwrap());
}

#[test]
fn people_get_a_sentence_about_a_match() {
    let output = spuk(&MATCH);
    let stdout = text(&output.stdout);
    assert_eq!((code(&output), text(&output.stderr).as_str()), (0, ""));
    assert!(stdout.starts_with("random against greedy: ") && stdout.contains(" tries a move; "));
}

#[test]
fn wrong_players_and_options_are_refused_in_one_sentence() {
    for (players, reason) in [
        (["nobody", "random"], "there is no player"),
        (["random", "careful"], "there is no player"),
        (["darkboard:", "random"], "\"\" is no option"),
        (["darkboard:depth=0", "random"], "\"depth=0\" is no option"),
        (["darkboard:depth=1,speed=9", "random"], "\"speed=9\" is no option"),
        (["darkboard:mate=-3", "random"], "\"mate=-3\" is no option"),
    ] {
        let refused = spuk(&[&["match", "--game", "kriegspiel"][..], &players].concat());
        let stderr = text(&refused.stderr);
        assert_eq!((code(&refused), stderr.lines().count()), (2, 1), "{stderr}");
        assert!(refused.stdout.is_empty() && stderr.starts_with("spuk: "), "{stderr}");
        assert!(stderr.contains(reason), "{stderr}");
    }
    for wrong in [
        &["--board", "4x5"][..],
        &["--draw", "9"],
        &["--own-placements"],
        &["--out", "no-such-folder/games.pgn"],
    ] {
        let refused = spuk(&[&MATCH[..], wrong].concat());
        let stderr = text(&refused.stderr);
        assert_eq!((code(&refused), stderr.lines().count()), (2, 1), "{wrong:?}: {stderr}");
    }
    let refused = spuk(&["play", "kriegspiel", "--against", "nobody"]);
    assert_eq!((code(&refused), text(&refused.stderr).lines().count()), (2, 1));
    let refused = spuk(&["play", "kriegspiel", "--fen", "nonsense"]);
    assert_eq!((code(&refused), text(&refused.stderr).lines().count()), (2, 1));
}

/// Plays what is typed against the player who moves at random, and returns the exit code and what
/// was printed.
fn typed(more: &[&str], lines: &[&str]) -> (i32, String) {
    let against = ["play", "kriegspiel", "--against", "random", "--seed", "1"];
    let arguments = [&against[..], more].concat();
    let output = spuk_with_input(&arguments, (lines.join("\n") + "\n").as_bytes());
    assert_eq!(text(&output.stderr), "");
    (code(&output), text(&output.stdout))
}

/// Asserts that all parts are printed, in this order.
fn in_order(stdout: &str, parts: &[&str]) {
    let mut rest = stdout;
    for part in parts {
        let at = rest.find(part);
        rest =
            &rest[at.unwrap_or_else(|| panic!("{part:?} is missing in\n{stdout}")) + part.len()..];
    }
}

#[test]
fn tries_are_typed_in_coordinates_and_in_algebraic_notation() {
    let (exit, stdout) = typed(&[], &["e2e4", "Nf3", "Bc4", "O-O", "resign"]);
    assert_eq!(exit, 1);
    in_order(
        &stdout,
        &[
            "You play White against random (seed 1). Type a try",
            "e2e4: Black to move.",
            "random: White to move.",
            "g1f3: Black to move.",
            "f1c4: Black to move.",
            "e1g1: Black to move.",
            "You resigned.",
        ],
    );
}

#[test]
fn an_illegal_try_is_announced_and_the_game_continues() {
    // The rook cannot go through the pawn that it does not see, and the king not beside the other.
    let fen = ["--fen", "4k3/8/8/p7/8/8/8/R3K3 w - - 0 1"];
    let (exit, stdout) = typed(&fen, &["Ra8", "a1a8", "a1a5", "quit"]);
    assert_eq!(exit, 1);
    in_order(
        &stdout,
        &[
            "a1a8: illegal. Try another move.",
            "a1a8: illegal. Try another move.",
            "a1a5: Black to move. Pawn captured at a5.",
            "You resigned.",
        ],
    );
}

#[test]
fn invalid_input_is_refused_in_one_sentence_and_the_game_continues() {
    let nonsense = ["e4e5", "e2e5", "Nf6", "castle!", "e2e4q", "e2 e4", "\u{1b}[2J", "ü"];
    for word in nonsense {
        let (exit, stdout) = typed(&[], &[word, "", "d2d4"]);
        assert_eq!(exit, 1, "{stdout}");
        let refused: Vec<&str> =
            stdout.lines().filter(|line| line.contains("is refused")).collect();
        assert_eq!(refused.len(), 1, "{stdout}");
        assert!(refused[0].ends_with('.') && !refused[0].contains('\u{1b}'), "{refused:?}");
        in_order(&stdout, &["is refused: ", "d2d4: Black to move.", "You resigned."]);
    }
    let (exit, stdout) = typed(&["--fen", "8/P6k/8/8/8/8/8/K7 w - - 0 1"], &["a7a8", "a8=Q"]);
    assert_eq!(exit, 1);
    in_order(
        &stdout,
        &["\"a7a8\" is refused: name the piece that the pawn promotes to", "a7a8q: Black to move."],
    );
}

#[test]
fn help_and_tries_are_listed_and_the_end_of_input_resigns() {
    let (exit, stdout) = typed(&[], &["help", "tries"]);
    assert_eq!(exit, 1);
    in_order(&stdout, &["Type a try such as", "Type a try such as", "a2a3", "You resigned."]);
    let (exit, stdout) = typed(&["--second"], &[]);
    assert_eq!(exit, 1);
    in_order(&stdout, &["You play Black", "random: Black to move.", "You resigned."]);
}

#[test]
fn a_game_is_played_to_its_end_and_written() {
    let folder = Folder::new();
    let file = folder.file("game.pgn");
    let mate = ["--fen", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "--out", &file];
    let (exit, stdout) = typed(&mate, &["Ra8"]);
    assert_eq!(exit, 0);
    in_order(
        &stdout,
        &["a1a8: Checkmate, White wins.", "8  R . . . . . k .", "You win by checkmate."],
    );
    let record: Record = std::fs::read_to_string(&file).unwrap().parse().unwrap();
    assert_eq!((record.white.as_str(), record.game.winner()), ("you", Some(Color::White)));
}
