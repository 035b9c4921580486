//! `random`: any legal move, each as likely.

use games::geister::{Board, DrawLimit, Game, Move, Placement};
use games::hidden::InformationState;
use play::{Player, Thinking, random_setup};
use rand::Rng;
use rand::seq::IndexedRandom;

/// Plays at random. Its random numbers are those of the ply, so that it also continues games whose
/// beginning it has not seen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

/// A placement, each with the same probability.
pub fn any_placement<B: Board>(rng: &mut impl Rng) -> Placement<B> {
    random_setup::<Game<B>>(&DrawLimit::default(), rng)
}

impl<B: Board> Player<Game<B>> for Random {
    fn choose(&mut self, history: &InformationState<Game<B>>, thinking: &Thinking) -> Move {
        let now = history.now();
        let moves = now.legal_moves();
        *moves.choose(&mut thinking.rng(now.ply())).expect("a game that goes on has moves")
    }
}
