//! Corner locks (Ishii et al., 8.2): a locally lost corner in a won position.
//!
//! The 3x3 squares around an exit of the top side are searched in isolation: only the ghosts on
//! them count, they stay there, and leaving is the only way to win. The bottom side moves first and
//! may pass, since it can always move elsewhere. The corner is *lost* if the top side can force its
//! way out within [`MAX_MOVES`] moves although an own ghost defends it.

use games::geister::{Bitboard, Position, Square};
use geister::board::{ALL_SQUARES, TOP_EXITS, neighbours, steps};
use geister::state::State;

/// The search depth, in moves of the top side.
const MAX_MOVES: u32 = 6;

/// A corner: its squares, and the pieces on them.
#[derive(Clone, Copy)]
struct Corner {
    squares: Bitboard,
    state: State,
}

/// Whether a corner of `position` is locally lost.
pub(super) fn has_lost_corner(position: &Position) -> bool {
    let state = State::from(position);
    [0, 3].into_iter().any(|column| Corner::of(&state, column).is_lost())
}

/// The 3x3 squares from `column` and row 1 on.
fn squares_from(column: u32) -> Bitboard {
    let near = |square: &Square| square.column() >= column && square.column() < column + 3;
    ALL_SQUARES.filter(|square| near(square) && square.row() < 3).collect()
}

impl Corner {
    fn of(state: &State, column: u32) -> Corner {
        let squares = squares_from(column);
        Corner { squares, state: state.within(squares) }
    }

    fn exit(&self) -> Bitboard {
        TOP_EXITS & self.squares
    }

    fn is_lost(&self) -> bool {
        self.state.own().any() && self.state.leavers().any() && self.is_lost_within(MAX_MOVES)
    }

    /// With the bottom side to move: whether the top side can force its way out within `moves`
    /// moves.
    fn is_lost_within(&self, moves: u32) -> bool {
        let (own, leavers) = (self.state.own(), self.state.leavers());
        // A piece on the exit leaves next, unless it is captured now.
        let threat = leavers & self.exit();
        if threat.any() && !neighbours(own).meets(threat) {
            return moves > 0;
        }
        if moves == 0 || leavers.is_empty() {
            return false;
        }
        (threat.any() || self.top_leaves_within(moves))
            && self.own_steps().all(|after| after.top_leaves_within(moves))
    }

    /// The same with the top side to move.
    fn top_leaves_within(&self, moves: u32) -> bool {
        self.state.leavers().meets(self.exit())
            || moves > 1 && self.top_steps().any(|after| after.is_lost_within(moves - 1))
    }

    fn own_steps(&self) -> impl Iterator<Item = Corner> + '_ {
        let own = self.state.own();
        steps(own, self.squares.without(own))
            .map(|(from, to)| Corner { state: self.state.after_own(from, to), ..*self })
    }

    fn top_steps(&self) -> impl Iterator<Item = Corner> + '_ {
        let top = self.state.opponent();
        steps(top, self.squares.without(top))
            .map(|(from, to)| Corner { state: self.state.after_opponent(from, to), ..*self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost(text: &str) -> bool {
        has_lost_corner(&text.parse::<Position>().unwrap())
    }

    #[test]
    fn a_corner_is_lost_if_the_top_side_leaves_by_force() {
        // An own ghost too far away to catch the runner.
        assert!(lost("6/6/6/B2R2/4u1/5u 1"));
        // A red beside the exit captures whatever steps onto it.
        assert!(!lost("u5/6/6/B5/4uR/6 1"));
        // Without a defender or an attacker there is no corner lock.
        assert!(!lost("6/6/6/BR4/4u1/5u 1"));
        assert!(!lost("uu4/6/6/B4R/6/6 1"));
    }

    #[test]
    fn the_other_corner_counts_as_well() {
        let position: Position = "6/6/6/B2R2/4u1/5u 1".parse().unwrap();
        assert!(has_lost_corner(&position.mirror()));
    }
}
