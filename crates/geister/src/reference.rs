//! Puzzles in front of the generic search algorithms, with the techniques of the papers as
//! switches.
//!
//! Df-pn with deepening by two plies and both techniques is the reference algorithm of Hsueh et al.
//! (2025); plain alpha-beta is the one that Ishii et al. (2020) compared it with.

use crate::board::BOTTOM_EXITS;
use games::Seat;
use games::geister::{Bitboard, Ghost, Move, Position, Square};
use search::{AndOr, Player};

/// The two techniques of Hsueh et al. (2025), 4.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Techniques {
    /// A ghost that stands on its exit with its side to move has won: the move is not made.
    pub escape_before_moving: bool,
    /// No win within the plies left if neither an escape nor the capture of all ghosts that may be
    /// blue is near enough (appendix A).
    pub lower_bounds: bool,
}

impl Techniques {
    /// Both.
    pub const ALL: Techniques = Techniques { escape_before_moving: true, lower_bounds: true };
    /// Neither.
    pub const NONE: Techniques = Techniques { escape_before_moving: false, lower_bounds: false };
}

/// A puzzle as a question for [`search`]: can the bottom side force a win?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The position.
    pub position: Position,
    /// What is judged without searching.
    pub techniques: Techniques,
}

impl Puzzle {
    /// The question with these techniques.
    pub const fn new(position: Position, techniques: Techniques) -> Puzzle {
        Puzzle { position, techniques }
    }

    fn escape_at_hand(&self) -> Option<bool> {
        let side = self.position.turn();
        let exits = <Position>::exits(side);
        self.position.leavers(side).meets(exits).then_some(side == Seat::First)
    }

    fn is_too_far(&self, remaining: u32) -> bool {
        self.escape_plies() > remaining && self.capture_plies().is_none_or(|p| p > remaining)
    }

    /// Plies until a blue can have left, if nobody is in its way.
    fn escape_plies(&self) -> u32 {
        let steps = nearest(self.position.ghosts(Ghost::OwnBlue), BOTTOM_EXITS);
        2 * steps + 1 + u32::from(self.position.turn() == Seat::Second)
    }

    /// Plies until every ghost that may be blue can have been captured; `None` without a shown red,
    /// when that never wins.
    fn capture_plies(&self) -> Option<u32> {
        if self.position.ghosts(Ghost::ShownRed).is_empty() {
            return None;
        }
        let own = self.position.army(Seat::First);
        let targets = self.position.leavers(Seat::Second);
        let first = nearest(own, targets) + 2 * (targets.count() - 1);
        let farthest = targets.map(|target| nearest(own, target.bit())).max().unwrap_or(0);
        Some(first.max(farthest))
    }
}

/// The least distance between a square of one set and one of the other.
fn nearest(from: Bitboard, to: Bitboard) -> u32 {
    let distances = from.flat_map(|a: Square| to.map(move |b| a.distance(b)));
    distances.min().unwrap_or(u32::MAX / 4)
}

impl AndOr for Puzzle {
    type Move = Move;

    fn to_move(&self) -> Player {
        match self.position.turn() {
            Seat::First => Player::Or,
            Seat::Second => Player::And,
        }
    }

    fn decided(&self) -> Option<bool> {
        self.position.outcome().map(|outcome| outcome.winner() == Some(Seat::First))
    }

    fn moves(&self, out: &mut Vec<Move>) {
        out.extend(self.position.legal_moves());
    }

    fn play(&self, mv: Move) -> Puzzle {
        Puzzle { position: self.position.play_unchecked(mv), ..*self }
    }

    fn key(&self) -> u64 {
        self.position.key()
    }

    fn static_result(&self, remaining: u32) -> Option<bool> {
        if self.techniques.escape_before_moving
            && let Some(wins) = self.escape_at_hand()
        {
            return Some(wins);
        }
        (self.techniques.lower_bounds && self.is_too_far(remaining)).then_some(false)
    }
}
