//! The proof tree of a puzzle.
//!
//! *Best play* means that the bottom side plays a move that keeps the shortest win and the top side
//! a move that delays the loss longest. The positions of best play form an acyclic graph, since
//! every move brings the end one ply nearer.

use games::Seat;
use games::geister::{Ghost, Move, Position};
use geister::board::TOP_EXITS;
use geister::solver::{SearchGoal, Solver};
use search::{Budget, Stop};

/// A won position with the solver that proved it.
pub struct Proof<'a, 'b> {
    solver: &'a mut Solver,
    budget: &'a mut Budget<'b>,
    position: Position,
    m_win: u32,
}

impl<'a, 'b> Proof<'a, 'b> {
    /// The proof of `position`, which the solver has just found to be won in `m_win` plies.
    pub fn new(
        solver: &'a mut Solver,
        budget: &'a mut Budget<'b>,
        position: Position,
        m_win: u32,
    ) -> Proof<'a, 'b> {
        Proof { solver, budget, position, m_win }
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Plies of its shortest win.
    pub fn m_win(&self) -> u32 {
        self.m_win
    }

    /// Whether the bottom side wins within `plies` plies in a position that follows from this one.
    ///
    /// # Errors
    /// If a limit is hit.
    pub fn wins_within(
        &mut self,
        position: &Position,
        plies: u32,
        goal: SearchGoal,
    ) -> Result<bool, Stop> {
        self.solver.wins_within(position, plies, goal, self.budget)
    }

    /// The best moves in a position of best play that is won in exactly `plies` plies.
    ///
    /// # Errors
    /// If a limit is hit.
    pub fn best_moves(&mut self, position: &Position, plies: u32) -> Result<Vec<Move>, Stop> {
        let mut best = Vec::new();
        for mv in position.legal_moves() {
            if self.is_best(position, mv, plies)? {
                best.push(mv);
            }
        }
        Ok(best)
    }

    fn is_best(&mut self, position: &Position, mv: Move, plies: u32) -> Result<bool, Stop> {
        let after = position.play_unchecked(mv);
        let left = plies.saturating_sub(1);
        if position.turn() == Seat::First {
            return self.wins_within(&after, left, SearchGoal::Win);
        }
        // A best defence does not let the win come sooner than it must.
        let over = after.outcome().is_some();
        Ok(!over && (left < 3 || !self.wins_within(&after, left - 2, SearchGoal::Win)?))
    }
}

/// Whether the opponent's attack has a point: a free move for the top side would spoil the win of
/// `plies` plies in `position`, because the top side would leave the board first. Against a top
/// side that never leaves, the win would only be two plies longer.
///
/// # Errors
/// If a limit is hit.
pub fn attack_has_sting(
    proof: &mut Proof<'_, '_>,
    position: &Position,
    plies: u32,
) -> Result<bool, Stop> {
    let passed = position.passed();
    Ok(!proof.wins_within(&passed, plies + 1, SearchGoal::Win)?
        && proof.wins_within(&passed, plies + 1, SearchGoal::WinUnopposed)?)
}

/// Whether a ghost of the top side that may leave stands on its exit.
pub fn top_is_about_to_leave(position: &Position) -> bool {
    position.leavers(Seat::Second).meets(TOP_EXITS)
}

/// The ghost that `mv` captures belongs to `side`.
pub fn captures_of(position: &Position, mv: Move, side: Seat) -> bool {
    position.captured(mv).is_some_and(|ghost| side_of(ghost) == side)
}

fn side_of(ghost: Ghost) -> Seat {
    match ghost {
        Ghost::OwnBlue | Ghost::OwnRed => Seat::First,
        Ghost::ShownBlue | Ghost::ShownRed | Ghost::Hidden => Seat::Second,
    }
}
