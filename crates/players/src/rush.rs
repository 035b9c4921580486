//! `rush`: runs its blues for the exits and captures what stands in the way.

use crate::history::History;
use crate::player::{Player, Thinking};
use crate::random::{any_placement, moves_of};
use games::geister::{Bitboard, Board, Move, Observation, Placement, Square};
use rand::seq::IndexedRandom;

/// Runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rush;

/// Steps to the nearest exit.
pub fn steps_to_exit<B: Board>(square: Square) -> u32 {
    B::BOTTOM_EXITS.map(|exit| exit.distance(square)).min().unwrap_or(0)
}

/// How much a step is liked: a blue nearer to its exit, the nearest one first.
pub fn liking<B: Board>(blue: Bitboard, others: Bitboard, from: Square, to: Square) -> i32 {
    let captures = i32::from(others.has(to));
    if !blue.has(from) {
        return captures;
    }
    let (before, after) = (steps_to_exit::<B>(from), steps_to_exit::<B>(to));
    let danger = i32::from(Bitboard::neighbours::<B>(to.bit()).meets(others));
    let nearer = before as i32 - after as i32;
    100 * nearer + 10 * (8 - after as i32) + 3 * captures - 5 * danger
}

/// The same of any move; leaving is liked best.
fn liking_of<B: Board>(now: &Observation<B>, mv: Move) -> i32 {
    let Move::Step { from, to } = mv else { return i32::MAX };
    liking::<B>(now.own().blue, now.others(), from, to)
}

impl<B: Board> Player<B> for Rush {
    fn place(&mut self, thinking: &Thinking) -> Placement<B> {
        any_placement(&mut thinking.rng(0))
    }

    fn choose(&mut self, history: &History<B>, thinking: &Thinking) -> Move {
        let now = history.now();
        let moves = moves_of(now);
        let best = moves.iter().map(|&mv| liking_of(now, mv)).max();
        let best: Vec<Move> =
            moves.into_iter().filter(|&mv| Some(liking_of(now, mv)) == best).collect();
        *best.choose(&mut thinking.rng(now.ply())).expect("a game that goes on has moves")
    }
}
