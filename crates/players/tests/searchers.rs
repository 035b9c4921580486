//! `maximax` and `determinized`: they repeat themselves where the clock does not matter, and beat
//! those who do not search.

#![allow(clippy::unwrap_used)]

use games::Seat;
use games::geister::{DrawLimit, Game, Standard};
use geister::tablebase::Tablebase;
use play::matches::{Make, Seeding, Summary, Terms, play};
use play::{Player, Thinking};
use players::determinized::{Determinized, Plan};
use players::learned::Weights;
use players::random::any_placement;
use players::roster::BoardRoster;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

#[test]
fn a_number_of_iterations_fixes_the_move() {
    let weights = Weights::shipped();
    let plan = Plan { least: 300, most: 300, ..Plan::default() };
    for seed in 0..5 {
        // Time that is there and not used: at the start of a game nothing can be proved.
        let thinking = Thinking { time: Duration::from_millis(2), seed };
        let rng = &mut thinking.rng(7);
        let start = Game::new(any_placement(rng), any_placement(rng), 200);
        let history = start.information_state(&[], Seat::First).unwrap();
        let [one, again] = [(); 2].map(|()| {
            Determinized::new(Arc::clone(&weights), plan, &Tablebase::default())
                .choose(&history, &thinking)
        });
        assert_eq!(one, again);
    }
}

/// Without any time, so that the games are the same on every machine.
fn wins(name: &str, other: &str) -> u32 {
    let terms = Terms {
        games: 20,
        time: Duration::ZERO,
        seed: 1,
        start: DrawLimit(200),
        seeding: Seeding::Pairs,
        own_setups: false,
    };
    let make: &Make<'_, Game> = &|| Standard::player(name).unwrap();
    let others: &Make<'_, Game> = &|| Standard::player(other).unwrap();
    let stop = AtomicBool::new(false);
    let games = play([name, other], [make, others], &terms, &stop, &|_| {});
    Summary::of(&games).score.wins
}

#[test]
fn searchers_beat_those_who_do_not() {
    for name in ["maximax", "determinized"] {
        let won = ["random", "rush"].map(|other| wins(name, other));
        assert!(won[0] >= 17 && won[1] >= 12, "{name}: {won:?} of 20");
    }
}
