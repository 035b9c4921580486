//! Nobody cheats: what a player cannot see changes none of its choices.

#![allow(clippy::unwrap_used)]

use games::Seat;
use games::geister::{Board, DrawLimit, Game, Move, Placement, Small, Standard};
use play::Thinking;
use players::roster::BoardRoster;
use proptest::prelude::*;
use std::time::Duration;

/// Players of both boards. Given no time at all, no choice depends on the clock.
const PLAYERS: [&str; 5] = ["random", "rush", "style:p5-a", "style:p5-c", "style:p5-e"];
/// Those of the full board alone, who search at no time as far as they do at least.
const SEARCHERS: [&str; 4] = ["careful", "maximax", "determinized", "champion"];

fn placement<B: Board>(number: usize) -> Placement<B> {
    let all: Vec<Placement<B>> = Placement::all().collect();
    all[number % all.len()]
}

/// Plays the moves that the numbers name in two games whose top sides are coloured differently, as
/// long as both allow them and nobody sees a difference, and compares all choices of the bottom side.
fn compare<B: BoardRoster>(players: &[&str], set_ups: [usize; 3], numbers: &[usize], seed: u64) {
    let [bottom, one, other] = set_ups;
    let start = |top| Game::<B>::new(placement(bottom), placement(top), 200);
    let (mut games, mut moves) = ([start(one), start(other)], Vec::<Move>::new());
    let thinking = Thinking { time: Duration::ZERO, seed };
    for number in numbers {
        if games[0].observe(Seat::First) != games[1].observe(Seat::First) {
            return; // a capture has shown which game it is
        }
        if games[0].outcome().is_some() {
            return;
        }
        if games[0].turn() == Seat::First {
            for name in players {
                let [first, second] = [one, other].map(|top| {
                    let history = start(top).information_state(&moves, Seat::First).unwrap();
                    B::player(name).unwrap().choose(&history, &thinking)
                });
                assert_eq!(first, second, "{name} sees what it cannot, in {:?}", games[0]);
            }
        }
        let both: Vec<Move> = games[0]
            .legal_moves()
            .into_iter()
            .filter(|mv| games[1].legal_moves().contains(mv))
            .collect();
        let mv = both[number % both.len()];
        moves.push(mv);
        games = games.map(|game| game.play(mv).unwrap());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn hidden_colours_change_no_choice(
        set_ups in any::<[u8; 3]>(),
        numbers in proptest::collection::vec(0usize..64, 1..40),
        seed in any::<u64>(),
    ) {
        let set_ups = set_ups.map(usize::from);
        compare::<Small>(&PLAYERS, set_ups, &numbers, seed);
        compare::<Standard>(&PLAYERS, set_ups, &numbers, seed);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn hidden_colours_change_no_choice_of_those_who_search(
        set_ups in any::<[u8; 3]>(),
        numbers in proptest::collection::vec(0usize..64, 1..40),
        seed in any::<u64>(),
    ) {
        compare::<Standard>(&SEARCHERS, set_ups.map(usize::from), &numbers, seed);
    }
}

#[test]
fn names_that_are_no_styles_are_refused_with_a_reason() {
    let refused = |name: &str| Small::player(name).err().unwrap().to_string();
    assert!(refused("style:nobody").contains("nor one of the styles p5-a"));
    assert!(refused("style:Cargo.toml").contains("the first line has to be `spuk-style 1`"));
    assert!(refused("style").contains("there is no player"));
    assert!(Standard::player("style:src/style/shipped/p5-b.style").is_ok());
}

/// A move on the 4x5 board takes a small part of a millisecond.
#[test]
fn a_move_of_a_style_is_quick() {
    use play::matches::{Make, Seeding, Summary, Terms, play};
    let terms = Terms {
        games: 20,
        time: Duration::ZERO,
        seed: 1,
        start: DrawLimit(100),
        seeding: Seeding::Pairs,
        own_setups: false,
    };
    let make: &Make<'_, Game<Small>> = &|| Small::player("style:p5-d").unwrap();
    let stop = std::sync::atomic::AtomicBool::new(false);
    let games = play(["one", "other"], [make, make], &terms, &stop, &|_| {});
    let seconds = Summary::of(&games).seconds_per_move[0];
    println!("{:.1} µs a move", 1e6 * seconds);
    assert!(seconds < 1e-3 * if cfg!(debug_assertions) { 20.0 } else { 1.0 }, "{seconds} s");
}
