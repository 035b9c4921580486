//! Goals: which win is searched for, and which exits and captures count for it.

use crate::board::{BOTTOM_EXITS, TOP_EXITS};
use crate::state::{State, at_most_one};
use games::geister::Bitboard;

const A6: Bitboard = Bitboard(1 << 30);
const F6: Bitboard = Bitboard(1 << 35);

/// A goal and what it makes of the rules; fixed for a whole search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GoalRules {
    pub(super) goal: SearchGoal,
    /// Where own blues may leave.
    pub(super) own_exits: Bitboard,
    /// Where the top side's ghosts may leave.
    pub(super) top_exits: Bitboard,
}

impl GoalRules {
    pub(super) const fn new(goal: SearchGoal) -> GoalRules {
        let own_exits = match goal {
            SearchGoal::WinThroughA6 => A6,
            SearchGoal::WinThroughF6 => F6,
            _ => BOTTOM_EXITS,
        };
        let top_exits = match goal {
            SearchGoal::WinUnopposed => Bitboard::EMPTY,
            _ => TOP_EXITS,
        };
        GoalRules { goal, own_exits, top_exits }
    }
}

/// Which win is searched for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchGoal {
    /// Any win.
    Win,
    /// A win without the third rule: the top side may capture the last own red.
    WinWithoutRedWall,
    /// A win that does not end with a capture on the very last ply allowed.
    WinByEscape,
    /// A win in which own blues leave from a6 only.
    WinThroughA6,
    /// A win in which own blues leave from f6 only.
    WinThroughF6,
    /// A win against a top side that never leaves the board. The only goal that is easier than [`SearchGoal::Win`].
    WinUnopposed,
}

impl SearchGoal {
    /// Keeps the keys of different goals apart in the table; 0 for [`SearchGoal::Win`].
    #[inline(always)]
    pub(super) const fn salt(self) -> u64 {
        (self as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Every goal.
    #[cfg(test)]
    const ALL: [SearchGoal; 6] = [
        SearchGoal::Win,
        SearchGoal::WinWithoutRedWall,
        SearchGoal::WinByEscape,
        SearchGoal::WinThroughA6,
        SearchGoal::WinThroughF6,
        SearchGoal::WinUnopposed,
    ];
}

impl State {
    /// The top side's pieces whose capture does not lose at once, by leaving it no red:
    /// [`State::outcome_by_own_captures`] before the move instead of after it.
    #[inline(always)]
    pub(super) fn capturable_by_own(&self) -> Bitboard {
        let (hidden, shown_red) = (self.hidden.count(), self.shown_red.count());
        let mut capturable = self.shown_blue;
        if shown_red > 0 || hidden > self.hidden_blue + 1 {
            capturable |= self.hidden;
        }
        if shown_red > 1 || hidden > self.hidden_blue {
            capturable |= self.shown_red;
        }
        capturable
    }

    /// Own ghosts that the top side may capture without losing at once: all but the last red,
    /// which stands like a wall.
    #[inline(always)]
    pub(super) fn capturable_by_opponent(&self, rules: &GoalRules) -> Bitboard {
        let wall = rules.goal != SearchGoal::WinWithoutRedWall && at_most_one(self.red);
        if wall { self.blue } else { self.own() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_help::{Both, any_move, own_turns, won};
    use super::*;
    use games::Seat;
    use games::geister::Move;

    /// The outcome of every capture, as [`State`] judges it before and the rules afterwards.
    fn check_captures(both: &Both) {
        let Both { position, state, rules } = both;
        let without_wall = GoalRules::new(SearchGoal::WinWithoutRedWall);
        assert_eq!(state.capturable_by_opponent(&without_wall), state.own());
        for mv in position.legal_moves() {
            let Some(to) = mv.to().filter(|_| position.captured(mv).is_some()) else { continue };
            let won = won(&position.play_unchecked(mv));
            if position.turn() == Seat::First {
                assert_eq!(
                    state.capturable_by_own().has(to),
                    won != Some(false),
                    "{position} {mv}"
                );
            } else {
                assert_eq!(
                    state.capturable_by_opponent(rules).has(to),
                    won != Some(true),
                    "{position} {mv}"
                );
            }
        }
    }

    #[test]
    fn a_state_moves_as_a_position_does() {
        let mut captures = 0;
        for Both { position, state, rules } in own_turns(41, 2000) {
            let (mut position, mut state, mut key) = (position, state, state.key());
            for _ in 0..40 {
                check_captures(&Both { position, state, rules });
                let Some(mv) = any_move(&position) else { break };
                let Move::Step { from, to } = mv else { break };
                captures += u32::from(position.captured(mv).is_some());
                if position.turn() == Seat::First {
                    key ^= state.own_key_change(from, to);
                    state = state.after_own(from, to);
                } else {
                    key ^= state.opponent_key_change(from, to);
                    state = state.after_opponent(from, to);
                }
                position = position.play_unchecked(mv);
                // A position does not count more hidden blues than there are hidden pieces.
                let twin = State { hidden_blue: state.hidden_blue, ..State::from(&position) };
                assert_eq!(state, twin, "{position}");
                let outcome = state.outcome_by_opponent_captures();
                let outcome = outcome.or_else(|| state.outcome_by_own_captures());
                assert_eq!(outcome, position.outcome(), "{position}");
                assert_eq!(key, state.key(), "{position}");
            }
        }
        assert!(captures > 1000, "{captures}");
    }

    #[test]
    fn goals_have_keys_of_their_own() {
        let salts: std::collections::BTreeSet<u64> =
            SearchGoal::ALL.into_iter().map(SearchGoal::salt).collect();
        assert_eq!(SearchGoal::Win.salt(), 0);
        assert_eq!(salts.len(), SearchGoal::ALL.len());
    }
}
