//! `rush`: runs its blues for the exits and captures what stands in the way.

use crate::history::History;
use crate::player::{Player, Thinking};
use crate::random::{any_placement, moves_of};
use games::geister::{Bitboard, Board, Move, Observation, Placement};
use rand::seq::IndexedRandom;

/// Runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rush;

/// Steps to the nearest exit.
pub(crate) fn steps_to_exit<B: Board>(square: games::geister::Square) -> u32 {
    B::BOTTOM_EXITS.map(|exit| exit.distance(square)).min().unwrap_or(0)
}

/// How much a move is liked: out first, then a blue nearer to its exit, the nearest one first.
fn liking<B: Board>(now: &Observation<B>, mv: Move) -> i32 {
    let Move::Step { from, to } = mv else { return i32::MAX };
    let captures = i32::from(now.others().has(to));
    if !now.own().blue.has(from) {
        return captures;
    }
    let (before, after) = (steps_to_exit::<B>(from), steps_to_exit::<B>(to));
    let danger = i32::from(Bitboard::neighbours::<B>(to.bit()).meets(now.others()));
    let nearer = before as i32 - after as i32;
    100 * nearer + 10 * (8 - after as i32) + 3 * captures - 5 * danger
}

impl<B: Board> Player<B> for Rush {
    fn place(&mut self, thinking: &Thinking) -> Placement<B> {
        any_placement(&mut thinking.chance(0))
    }

    fn choose(&mut self, history: &History<B>, thinking: &Thinking) -> Move {
        let now = history.now();
        let moves = moves_of(now);
        let best = moves.iter().map(|&mv| liking(now, mv)).max();
        let best: Vec<Move> =
            moves.into_iter().filter(|&mv| Some(liking(now, mv)) == best).collect();
        *best.choose(&mut thinking.chance(now.ply())).expect("a game that goes on has moves")
    }
}
