use super::*;
use crate::random::any_placement;
use games::geister::Game;
use play::Thinking;
use rand::Rng;
use rand::seq::IndexedRandom;
use search::{Evaluate, Limits, Score};
use std::time::Duration;

fn is_loss(end: Outcome) -> bool {
    end.winner() == Some(Seat::Second)
}

/// The slow twin of `is_lost_within`: every step is looked at.
fn is_lost_slowly(position: &Purple, plies: u32) -> bool {
    if position.can_leave() || plies == 0 {
        return plies > 0 && !position.own_turn;
    }
    let mut losses = position.steps().map(|(from, to)| match position.step(from, to) {
        Err(end) => is_loss(end),
        Ok(after) => is_lost_slowly(&after, plies - 1),
    });
    if position.own_turn { losses.all(|lost| lost) } else { losses.any(|lost| lost) }
}

#[test]
fn a_glance_misses_no_sure_loss() {
    let mut rng = Thinking { time: Duration::ZERO, seed: 11 }.rng(0);
    let mut lost = [0; 3];
    for _ in 0..60 {
        let [bottom, top] = [0, 1].map(|_| any_placement(&mut rng));
        let mut game = Game::new(bottom, top, 200);
        while game.outcome().is_none() {
            let mut position = Purple::from(&game.observe(game.turn()));
            position.own_turn = false;
            for (at, plies) in [1, 3, 5].into_iter().enumerate() {
                let is_lost = position.is_lost_within(plies);
                // Looking at every step takes long at five plies.
                if plies < 5 || is_lost || position.state.hidden.count() < 5 {
                    assert_eq!(is_lost, is_lost_slowly(&position, plies), "{position:?}");
                }
                lost[at] += u32::from(is_lost);
            }
            game = game.play_unchecked(*game.legal_moves().choose(&mut rng).unwrap());
        }
    }
    assert!(lost[0] > 50 && lost[1] > lost[0] && lost[2] > lost[1], "{lost:?}");
}

/// An evaluation in which no two positions are alike, so that a wrong score cannot hide.
struct Scattered;

impl Evaluate<Purple> for Scattered {
    fn evaluate(&self, position: &Purple) -> i32 {
        (position.key().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 44) as i32 % 1000 - 500
    }
}

/// The slow twin of the search: no window, no table.
fn minimax(position: &Purple, depth: u32, ply: u32) -> Score {
    if position.can_leave() {
        return ended(position.own_turn, ply);
    }
    if depth == 0 {
        return Score::heuristic(Scattered.evaluate(position));
    }
    let scores =
        position.steps().map(|(from, to)| minimax_after(position.step(from, to), depth, ply));
    let best = if position.own_turn { scores.max() } else { scores.min() };
    best.unwrap()
}

fn minimax_after(after: Result<Purple, Outcome>, depth: u32, ply: u32) -> Score {
    match after {
        Err(end) => ended(!is_loss(end), ply),
        Ok(after) => minimax(&after, depth - 1, ply + 1),
    }
}

fn ended(own_wins: bool, ply: u32) -> Score {
    if own_wins { Score::win_in(ply + 1) } else { Score::loss_in(ply + 1) }
}

/// Endings of few pieces, with the own side to move.
fn endings(count: usize) -> Vec<(Observation, Vec<Move>)> {
    let mut rng = Thinking { time: Duration::ZERO, seed: 12 }.rng(0);
    let mut found = Vec::new();
    while found.len() < count {
        let [bottom, top] = [0, 1].map(|_| any_placement(&mut rng));
        let mut game = Game::new(bottom, top, 300);
        while game.outcome().is_none() {
            let now = game.observe(game.turn());
            let position = Purple::from(&now);
            let pieces = position.state.own().count() + position.state.hidden.count();
            if pieces <= 8 && !position.can_leave() && rng.random_bool(0.2) {
                found.push((now, now.legal_moves()));
            }
            game = game.play_unchecked(*game.legal_moves().choose(&mut rng).unwrap());
        }
    }
    found
}

fn depth(plies: u32) -> Limits {
    Limits { depth: plies, ..Limits::default() }
}

/// Up to five plies a position recurs only at its own ply, so that nothing in the table comes
/// from a deeper search, and the scores are those of minimax.
#[test]
fn the_search_with_a_table_finds_the_scores_of_minimax() {
    let (mut decided, mut open) = (0, 0);
    for (number, (now, moves)) in endings(60).into_iter().enumerate() {
        let position = Purple::from(&now);
        let slow = |mv: &Move, depth| {
            let Move::Step { from, to } = *mv else { panic!("nobody can leave") };
            minimax_after(position.step(from, to), depth, 0)
        };
        let deepest = if number % 4 == 0 { 5 } else { 4 };
        for plies in 1..=deepest {
            let mut search = Search::new(Scattered, [1 << 10, 1 << 18][number % 2]);
            let found = search.search(&position, &moves, plies, &depth(plies));
            let best = moves.iter().map(|mv| slow(mv, found.depth)).max();
            assert_eq!(Some(found.moves[0].1), best, "{plies} plies in {position:?}");
            for (mv, score) in &found.moves {
                assert!(slow(mv, found.depth) <= *score, "{mv} in {position:?}");
            }
            *if best.unwrap().is_decided() { &mut decided } else { &mut open } += 1;
        }
    }
    assert!(decided > 20 && open > 100, "{decided} decided and {open} open");
}

/// A position that is met again at another ply is as far from its end as before, but not as far from
/// the root: with a table, wins and losses are as far away as without one.
#[test]
fn distances_do_not_depend_on_the_ply_at_which_the_table_met_a_position() {
    let (mut wins, mut losses) = (0, 0);
    let few = |now: &Observation| now.own().all().count() + now.opponent().count() <= 6;
    for (now, moves) in endings(2000).into_iter().filter(|(now, _)| few(now)) {
        let position = Purple::from(&now);
        let [with, without] = [1 << 22, 0]
            .map(|memory| Search::new(Scattered, memory).search(&position, &moves, 8, &depth(8)));
        let [score, expected] = [&with, &without].map(|found| found.moves[0].1);
        // An escape is seen one ply before it is made.
        let is_within_depth = |score: Score| score.plies().is_some_and(|plies| plies <= 9);
        if is_within_depth(score) || is_within_depth(expected) {
            assert_eq!(score, expected, "at {} and {} in {now:?}", with.depth, without.depth);
            *if score > Score::heuristic(0) { &mut wins } else { &mut losses } += 1;
        }
    }
    assert!(wins > 10 && losses > 10, "{wins} wins and {losses} losses");
}
