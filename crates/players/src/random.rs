//! `random`: any legal move, each as likely.

use crate::history::History;
use crate::player::{Player, Thinking};
use games::geister::{Bitboard, Board, Move, Observation, Placement};
use rand::Rng;
use rand::seq::IndexedRandom;

/// Plays by chance.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

/// A placement by chance, each as likely.
pub fn any_placement<B: Board>(rng: &mut impl Rng) -> Placement<B> {
    let all: Vec<Placement<B>> = Placement::all().collect();
    all[rng.random_range(0..all.len())]
}

/// The legal moves of the viewer, in its own view.
pub fn moves_of<B: Board>(now: &Observation<B>) -> Vec<Move> {
    // Which of the others are blue changes no move of the viewer.
    let blue: Option<Bitboard> = now.colourings().next();
    let game = blue.and_then(|blue| now.resample(blue));
    game.map_or_else(Vec::new, |game| {
        game.legal_moves().into_iter().map(|mv| now.seen(mv)).collect()
    })
}

impl<B: Board> Player<B> for Random {
    fn place(&mut self, thinking: &Thinking) -> Placement<B> {
        any_placement(&mut thinking.rng(0))
    }

    fn choose(&mut self, history: &History<B>, thinking: &Thinking) -> Move {
        let now = history.now();
        let moves = moves_of(now);
        *moves.choose(&mut thinking.rng(now.ply())).expect("a game that goes on has moves")
    }
}
