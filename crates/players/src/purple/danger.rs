//! Forced losses in the worst case, a few plies deep.

use super::Purple;
use games::Seat;
use geister::board::{TOP_EXITS, neighbours};

impl Purple {
    /// Whether the opponent, which is to move, wins within `plies` plies whatever the own side does.
    pub fn is_lost_within(&self, plies: u32) -> bool {
        debug_assert!(!self.own_turn);
        if self.can_leave() {
            return plies >= 1;
        }
        if self.is_out_of_danger(plies) {
            return false;
        }
        self.steps().any(|(from, to)| match self.step(from, to) {
            Err(end) => end.winner() == Some(Seat::Second),
            Ok(after) => plies >= 3 && after.every_move_loses_within(plies - 1),
        })
    }

    /// Whether none of the three losses can happen within `plies` plies, the opponent's first: no
    /// piece of the opponent is near enough to an exit to leave, the own side has more blues than
    /// can be captured, and it cannot be made to capture all reds. It spares most searches, and may
    /// be `false` where there is no danger either.
    fn is_out_of_danger(&self, plies: u32) -> bool {
        let turns = plies.div_ceil(2);
        let near = (1..turns).fold(TOP_EXITS, |squares, _| squares | neighbours(squares));
        self.state.blue.count() > turns
            && self.hidden_red > plies / 2
            && !self.state.hidden.meets(near)
    }

    /// As [`Purple::is_lost_within`], with the own side to move.
    fn every_move_loses_within(&self, plies: u32) -> bool {
        !self.can_leave()
            && self.steps().all(|(from, to)| match self.step(from, to) {
                Err(end) => end.winner() == Some(Seat::Second),
                Ok(after) => after.is_lost_within(plies - 1),
            })
    }
}
