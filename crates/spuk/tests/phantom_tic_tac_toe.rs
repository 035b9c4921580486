//! `spuk match --game phantom-tic-tac-toe` and `spuk play phantom-tic-tac-toe`, by the real binary.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Folder, code, records, spuk, spuk_with_input, text};
use games::Seat;
use games::hidden::GameOutcome;
use games::phantom_tic_tac_toe::{Game, Square};
use play::Record;
use play::record::Json;

const SQUARES: [&str; 9] = ["b2", "a1", "c3", "a3", "c1", "b1", "a2", "c2", "b3"];

fn read(file: &str) -> Vec<Record<Game>> {
    let text = std::fs::read_to_string(file).unwrap();
    text.lines().map(|line| Json::parse(line).unwrap()).collect()
}

/// Types every square in turn, refused and wrong ones included, until the game is over.
fn played(seed: &str, more: &[&str]) -> (String, Record<Game>) {
    let folder = Folder::new();
    let file = folder.file("game.json");
    let against = ["play", "phantom-tic-tac-toe", "--against", "random", "--seed", seed];
    let arguments = [&against[..], &["--out", &file], more].concat();
    let lines = ["nonsense", "moves"].into_iter().chain(SQUARES).chain(SQUARES);
    let typed: String = lines.map(|line| format!("{line}\n")).collect();
    let output = spuk_with_input(&arguments, typed.as_bytes());
    assert_eq!((code(&output), text(&output.stderr).as_str()), (0, ""));
    (text(&output.stdout), read(&file).remove(0))
}

#[test]
fn what_the_terminal_says_is_what_the_record_shows() {
    let mut refused = 0;
    for seed in ["1", "2", "3", "4", "5", "6", "7", "8"] {
        for (more, seat) in [(&[][..], Seat::First), (&["--second"][..], Seat::Second)] {
            let (shown, record) = played(seed, more);
            let game = record.replay().unwrap();
            let result = match game.outcome().unwrap().winner() {
                Some(winner) if winner == seat => "You win",
                Some(_) => "You lose",
                None => "A draw",
            };
            assert!(shown.contains(result), "{shown}");
            // No square is hidden from the record, and the person hears of every refusal.
            let tries: Vec<Square> = record.actions.clone();
            let found = shown.matches("your opponent has it").count();
            let mut again = Game::default();
            let own_refusals = tries.iter().filter(|&&square| {
                let own_turn = again.turn() == seat;
                let taken = !again.empty().has(square);
                games::hidden::HiddenGame::apply(&mut again, square).unwrap();
                own_turn && taken
            });
            assert_eq!(found, own_refusals.count(), "{shown}");
            refused += found;
        }
    }
    assert!(refused > 0, "some tries are refused");
}

#[test]
fn a_person_sees_no_mark_that_it_has_not_found() {
    // The board before the first own try, whatever the opponent has placed.
    let boards: Vec<String> = ["1", "2", "3", "4"]
        .map(|seed| {
            let shown = played(seed, &["--second"]).0;
            let (_first_line_with_the_seed, shown) = shown.split_once('\n').unwrap();
            shown.split("nonsense").next().unwrap().to_owned()
        })
        .into();
    assert!(boards[0].contains("do not see: 1"), "{}", boards[0]);
    assert!(boards.iter().all(|board| *board == boards[0]), "{boards:?}");
}

#[test]
fn matches_repeat_on_any_number_of_threads_and_read_back() {
    let folder = Folder::new();
    let run = |threads: &str| {
        let file = folder.file(threads);
        let players = ["match", "--game", "phantom-tic-tac-toe", "random", "maximax"];
        let options =
            ["--games", "20", "--time", "20s", "--json", "--threads", threads, "--out", &file];
        let output = spuk(&[&players[..], &options].concat());
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        (records(&output).remove(0), read(&file))
    };
    let ((report, games), (_, again)) = (run("1"), run("2"));
    assert_eq!(games, again);
    let wins = games.iter().filter(|game| {
        let winner = game.winner().unwrap();
        winner.is_some_and(|seat| game.players[seat.index()] == "random")
    });
    assert_eq!(report["wins"].as_u64().unwrap(), wins.count() as u64);
    assert_eq!(report["games"].as_u64().unwrap(), games.len() as u64);
}

#[test]
fn what_does_not_fit_the_game_is_refused_in_one_sentence() {
    for wrong in [
        &["match", "--game", "phantom-tic-tac-toe", "random", "champion"][..],
        &["match", "--game", "phantom-tic-tac-toe", "random", "random", "--board", "4x5"],
        &["play", "phantom-tic-tac-toe", "--against", "nobody"],
    ] {
        let output = spuk(wrong);
        let said = text(&output.stderr);
        assert_eq!((code(&output), said.lines().count()), (2, 1), "{wrong:?}: {said}");
    }
}
