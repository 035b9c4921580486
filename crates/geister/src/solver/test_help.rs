//! What the unit tests of the solver share.

use super::goal::{GoalRules, SearchGoal};
use super::positions::{positions, sample};
use crate::reference::{Puzzle, Techniques};
use crate::state::State;
use games::Seat;
use games::geister::{Move, Position};
use search::{AlphaBeta, Budget, DepthSearch, Limits};

/// A position as the slow and as the fast code see it.
pub(super) struct Both {
    pub(super) position: Position,
    pub(super) state: State,
    pub(super) rules: GoalRules,
}

impl Both {
    pub(super) fn new(position: Position) -> Both {
        let rules = GoalRules::new(SearchGoal::Win);
        Both { position, state: State::from(&position), rules }
    }

    /// Whether the bottom side wins within this many plies; `None` if that takes too many nodes.
    pub(super) fn wins_within(&self, plies: u32) -> Option<bool> {
        wins_within(&self.position, plies)
    }
}

/// Random undecided positions with the bottom side to move.
pub(super) fn own_turns(seed: u8, cases: u32) -> impl Iterator<Item = Both> {
    sample(seed, cases, &positions(3, 2, 4)).into_iter().map(Both::new)
}

/// Random undecided positions with the top side to move: a random move later.
pub(super) fn top_turns(seed: u8, cases: u32) -> impl Iterator<Item = Both> {
    own_turns(seed, cases).filter_map(|Both { position, .. }| {
        let after = position.play_unchecked(any_move(&position)?);
        after.outcome().is_none().then(|| Both::new(after))
    })
}

/// A legal move, if there is one, chosen by the position's key.
pub(super) fn any_move(position: &Position) -> Option<Move> {
    let moves = position.legal_moves();
    let index = (position.key() >> 32) as usize % moves.len().max(1);
    moves.get(index).copied()
}

pub(super) fn wins_within(position: &Position, plies: u32) -> Option<bool> {
    let mut budget = Budget::new(&Limits { nodes: Some(60_000), ..Limits::default() });
    let puzzle = Puzzle::new(*position, Techniques::NONE);
    AlphaBeta::with_table(2 << 20).prove(&puzzle, plies, &mut budget).ok()
}

/// How the game ended for the bottom side, if it is over.
pub(super) fn won(position: &Position) -> Option<bool> {
    position.outcome().map(|outcome| outcome.winner() == Some(Seat::First))
}

/// Counts what a check has seen, so that it cannot pass by seeing nothing.
#[derive(Default)]
pub(super) struct Seen {
    checked: u32,
    given_up: u32,
}

impl Seen {
    /// Notes a slow answer that has to be `expected`.
    pub(super) fn expect(&mut self, slow: Option<bool>, expected: bool, position: &Position) {
        match slow {
            Some(slow) => {
                assert_eq!(slow, expected, "{position}");
                self.checked += 1;
            }
            None => self.given_up += 1,
        }
    }

    /// Enough was seen, and not much given up.
    pub(super) fn enough(&self, least: u32) {
        let Seen { checked, given_up } = *self;
        assert!(checked >= least && given_up <= checked, "{checked} checked, {given_up} given up");
    }
}
