//! How long it takes at least to win by capturing every ghost that may leave.
//!
//! Such a hunt is possible only while a red of the top side is shown: without one, the last hidden
//! ghost is red, and capturing it loses.

use crate::board::{ALL_SQUARES, neighbours};
use crate::state::State;
use games::geister::Bitboard;

/// Squares with two neighbours or more in the set.
#[inline(always)]
fn doubly_joined(set: Bitboard) -> Bitboard {
    let [up, down, right, left] = set.shifts();
    up & down | left & right | (up | down) & (left | right)
}

impl State {
    /// Whether each shown red can go on moving for ever while its comrades stand still.
    ///
    /// Its squares must hold a part in which each has two neighbours, so that the one wall there
    /// can be, the last own red, never shuts it in. Then the top side is never short of a move
    /// while it is hunted: a hunt ends with the capture of the last shown red.
    #[inline(always)]
    pub(super) fn reds_can_wait(&self) -> bool {
        let top = self.opponent();
        self.shown_red.into_iter().all(|red| {
            let mut part = ALL_SQUARES.without(top ^ red.bit());
            loop {
                let inner = part & doubly_joined(part);
                if !inner.has(red) {
                    return false;
                }
                if inner == part {
                    return true;
                }
                part = inner;
            }
        })
    }

    /// Own moves that a hunt takes at least. `waiting` is [`State::reds_can_wait`], which also
    /// holds after any capture but that of the last shown red.
    #[inline(always)]
    pub(super) fn hunt(&self, waiting: bool) -> u8 {
        if waiting {
            spanning_steps(self.own(), self.leavers())
        } else {
            meeting_moves(self.own(), self.leavers())
        }
    }
}

/// The steps of a shortest forest that joins every leaver to an own ghost: the ways of the hunters
/// do so, if the hunted stand still.
#[inline(always)]
pub(super) fn spanning_steps(own: Bitboard, mut leavers: Bitboard) -> u8 {
    let (mut joined, mut steps) = (own, 0);
    while leavers.any() {
        let mut reach = joined;
        while !reach.meets(leavers) {
            reach |= neighbours(reach);
            steps += 1;
        }
        if let Some(next) = (reach & leavers).first() {
            joined |= next.bit();
            leavers ^= next.bit();
        }
    }
    steps
}

/// Own moves until all leavers are met if they come to meet the hunters (Hsueh et al. 2025,
/// appendix A): the nearest first and two plies for each other one, or the farthest one.
#[inline(always)]
pub(super) fn meeting_moves(own: Bitboard, leavers: Bitboard) -> u8 {
    let (mut reach, mut nearest, mut farthest) = (own, 0, 0);
    while leavers.without(reach).any() {
        reach |= neighbours(reach);
        farthest += 1;
        if nearest == 0 && reach.meets(leavers) {
            nearest = farthest;
        }
    }
    let plies = (nearest + 2 * (leavers.count() as u8 - 1)).max(farthest);
    plies / 2 + 1
}

#[cfg(test)]
mod tests {
    use super::super::test_help::own_turns;
    use super::*;
    use games::geister::Square;

    /// The cheapest way to join each leaver to an own ghost or to an earlier leaver, over all
    /// orders.
    fn forest(joined: Bitboard, leavers: Bitboard) -> u32 {
        let orders = leavers.map(|next: Square| {
            let step = joined.map(|from| from.distance(next)).min().unwrap_or(0);
            step + forest(joined | next.bit(), leavers.without(next.bit()))
        });
        orders.min().unwrap_or(0)
    }

    #[test]
    fn spanning_steps_are_those_of_the_cheapest_forest() {
        for both in own_turns(51, 2000) {
            let (own, leavers) = (both.state.own(), both.state.leavers());
            assert_eq!(u32::from(spanning_steps(own, leavers)), forest(own, leavers));
        }
    }

    #[test]
    fn meeting_moves_follow_the_formula() {
        for both in own_turns(52, 2000) {
            let (own, leavers) = (both.state.own(), both.state.leavers());
            let distances: Vec<u32> =
                leavers.map(|l: Square| own.map(|o| o.distance(l)).min().unwrap()).collect();
            let (nearest, farthest) =
                (distances.iter().min().unwrap(), distances.iter().max().unwrap());
            let plies = (nearest + 2 * (leavers.count() - 1)).max(*farthest);
            // The last capture is an own move, and plies count from 1.
            assert_eq!(u32::from(meeting_moves(own, leavers)), plies / 2 + 1);
        }
    }

    #[test]
    fn doubly_joined_counts_neighbours() {
        let mut set = Bitboard(0x5_1234_5678);
        for _ in 0..2000 {
            set = Bitboard(set.0.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29));
            let part = set & ALL_SQUARES;
            let counted: Bitboard = ALL_SQUARES
                .filter(|square| (neighbours(square.bit()) & part).count() >= 2)
                .collect();
            assert_eq!(doubly_joined(part) & ALL_SQUARES, counted, "{part:?}");
        }
    }

    /// The largest part of the free squares with two neighbours each, by throwing out one square
    /// after another.
    fn can_wait(red: Square, others: Bitboard) -> bool {
        let mut part: Vec<Square> = ALL_SQUARES.without(others).collect();
        while let Some(index) =
            part.iter().position(|a| part.iter().filter(|b| a.distance(**b) == 1).count() < 2)
        {
            part.swap_remove(index);
        }
        part.contains(&red)
    }

    #[test]
    fn reds_can_wait_while_they_have_room() {
        let mut shut_in = 0;
        for both in own_turns(53, 3000) {
            let state = both.state;
            let free =
                state.shown_red.into_iter().all(|red| can_wait(red, state.opponent() ^ red.bit()));
            assert_eq!(state.reds_can_wait(), free, "{}", both.position);
            shut_in += u32::from(!free);
        }
        assert!(shut_in >= 5, "{shut_in}");
    }
}
