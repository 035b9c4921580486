//! `rush`: runs its blues for the exits and captures what stands in the way.

use games::geister::{Bitboard, Board, Game, Move, Observation, Square};
use games::hidden::InformationState;
use play::{Player, Thinking};
use rand::seq::IndexedRandom;
use std::marker::PhantomData;

/// Runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rush;

/// The steps to the nearest exit of each square, by its number.
///
/// A table, since evaluations ask for it most of the time: counted anew for every piece it took
/// half of the worst-case search.
struct ExitDistances<B>(PhantomData<B>);

impl<B: Board> ExitDistances<B> {
    const TABLE: [u8; Square::COUNT] = {
        let mut table = [u8::MAX; Square::COUNT];
        let mut index = 0;
        while let Some(square) = Square::from_index(index) {
            let mut column = 0;
            while let Some(exit) = Square::at(column, B::ROWS - 1) {
                let steps = exit.distance(square) as u8;
                if B::BOTTOM_EXITS.has(exit) && steps < table[index] {
                    table[index] = steps;
                }
                column += 1;
            }
            index += 1;
        }
        table
    };
}

/// Steps to the nearest exit.
#[inline]
pub fn steps_to_exit<B: Board>(square: Square) -> u32 {
    u32::from(ExitDistances::<B>::TABLE[square.index()])
}

/// The score of a step: a blue nearer to its exit, the nearest one first.
pub fn step_score<B: Board>(blue: Bitboard, opponent: Bitboard, from: Square, to: Square) -> i32 {
    let captures = i32::from(opponent.has(to));
    if !blue.has(from) {
        return captures;
    }
    let (before, after) = (steps_to_exit::<B>(from), steps_to_exit::<B>(to));
    let danger = i32::from(to.bit().neighbours::<B>().meets(opponent));
    let nearer = before as i32 - after as i32;
    100 * nearer + 10 * (8 - after as i32) + 3 * captures - 5 * danger
}

/// The score of any move; leaving the board is best.
fn score_of<B: Board>(now: &Observation<B>, mv: Move) -> i32 {
    let Move::Step { from, to } = mv else { return i32::MAX };
    step_score::<B>(now.own().blue, now.opponent(), from, to)
}

impl<B: Board> Player<Game<B>> for Rush {
    fn choose(&mut self, history: &InformationState<Game<B>>, thinking: &Thinking) -> Move {
        let now = history.now();
        let moves = now.legal_moves();
        let best = moves.iter().map(|&mv| score_of(now, mv)).max();
        let best: Vec<Move> =
            moves.into_iter().filter(|&mv| Some(score_of(now, mv)) == best).collect();
        *best.choose(&mut thinking.rng(now.ply())).expect("a game that goes on has moves")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::geister::{Small, Standard};

    #[test]
    fn the_nearest_exit_is_counted() {
        fn check<B: Board>() {
            for square in B::FULL {
                let slow = B::BOTTOM_EXITS.map(|exit| exit.distance(square)).min();
                assert_eq!(Some(steps_to_exit::<B>(square)), slow, "{square}");
            }
        }
        check::<Standard>();
        check::<Small>();
    }
}
