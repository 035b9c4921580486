//! What `careful`, `champion` and the other searchers promise: no forced win within nine plies is missed, and no move
//! gives the opponent a sure win within five that another move would have denied.

#![allow(clippy::unwrap_used)]

use games::Seat;
use games::geister::{Game, Move, Observation, Placement, Standard};
use geister::solver::Solver;
use play::Thinking;
use players::prover::{SURE_LOSS, SURE_WIN};
use players::purple::Purple;
use players::random::any_placement;
use players::roster::BoardRoster;
use rand::Rng;
use rand::seq::IndexedRandom;
use search::{Budget, Limits, Verdict};
use std::time::Duration;

/// Histories of the side to move, from games of players that are none too careful.
fn histories(count: usize) -> Vec<(Game, Vec<Move>)> {
    let mut found = Vec::new();
    let mut seed = 0;
    while found.len() < count {
        seed += 1;
        // No time, so that the games are the same on every machine.
        let thinking = Thinking { time: Duration::ZERO, seed };
        let mut rng = thinking.rng(u32::MAX);
        let placements: [Placement; 2] = [any_placement(&mut rng), any_placement(&mut rng)];
        let start = Game::new(placements[0], placements[1], 200);
        let names = ["rush", "careful", "random", "champion"];
        let mut players =
            [0, 1].map(|_| Standard::player(names.choose(&mut rng).unwrap()).unwrap());
        let (mut game, mut moves) = (start, Vec::new());
        while game.outcome().is_none() {
            if rng.random_bool(0.15) && found.len() < count {
                found.push((start, moves.clone()));
            }
            let side = game.turn();
            let history = start.information_state(&moves, side).unwrap();
            let player = &mut players[usize::from(side == Seat::Second)];
            let mv = history.now().played(player.choose(&history, &thinking));
            game = game.play(mv).unwrap();
            moves.push(mv);
        }
    }
    found
}

fn turn_after(moves: &[Move]) -> Seat {
    if moves.len().is_multiple_of(2) { Seat::First } else { Seat::Second }
}

/// The plies of the shortest sure win, if there is one of up to nine.
fn sure_win(solver: &mut Solver, now: &Observation) -> Option<u32> {
    let position = now.purple()?;
    let limits = Limits { depth: SURE_WIN, ..Limits::default() };
    match solver.verdict(&position, &mut Budget::new(&limits), &mut ()).verdict {
        Verdict::Win(plies) => Some(plies),
        _ => None,
    }
}

/// Whether a move leaves the opponent a sure win, in the own worst case.
fn loses(now: &Observation, mv: Move) -> bool {
    let Move::Step { from, to } = mv else { return false };
    match Purple::from(now).step(from, to) {
        Err(end) => end.winner() == Some(Seat::Second),
        Ok(after) => after.is_lost_within(SURE_LOSS),
    }
}

#[test]
fn no_sure_win_is_missed_and_no_sure_loss_is_walked_into() {
    let mut solver = Solver::new(1 << 22);
    let mut told = [0; 2];
    for (start, moves) in histories(1000) {
        let side = turn_after(&moves);
        let history = start.information_state(&moves, side).unwrap();
        let now = history.now();
        let win = sure_win(&mut solver, now);
        let avoidable = now.legal_moves().into_iter().any(|mv| !loses(now, mv));
        for name in ["careful", "champion", "maximax", "determinized"] {
            let thinking = Thinking { time: Duration::from_millis(2), seed: 5 };
            let mv = Standard::player(name).unwrap().choose(&history, &thinking);
            if let Some(plies) = win {
                let after = now.purple().unwrap().play(mv).unwrap();
                solver.start_from(&after);
                let budget = &mut Budget::new(&Limits::default());
                let left = solver.distance(&after, 0, SURE_WIN, budget).verdict;
                assert_eq!(left, Verdict::Win(plies - 1), "{name} plays {mv} in {now:?}");
                told[0] += 1;
            } else if avoidable {
                assert!(!loses(now, mv), "{name} plays {mv} in {now:?}");
                told[1] += 1;
            }
        }
    }
    assert!(told[0] > 50 && told[1] > 500, "{told:?}");
}

/// The worst case of the own side is worse than the truth: what the opponent can force with its
/// true colours, without seeing ours, it can force here as well.
#[test]
fn a_true_sure_win_of_the_opponent_is_a_loss_in_the_worst_case() {
    let mut solver = Solver::new(1 << 22);
    let mut seen = 0;
    for (start, moves) in histories(1000) {
        let game = moves.iter().fold(start, |game, &mv| game.play(mv).unwrap());
        let limits = Limits { depth: SURE_LOSS, ..Limits::default() };
        let mover = game.observe(game.turn());
        let Some(position) = mover.purple() else { continue };
        let verdict = solver.verdict(&position, &mut Budget::new(&limits), &mut ()).verdict;
        if matches!(verdict, Verdict::Win(_)) {
            // The other side, which just moved, has it before its eyes.
            let other = game.observe(game.turn().opponent());
            assert!(Purple::from(&other).is_lost_within(SURE_LOSS), "{other:?}");
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}
