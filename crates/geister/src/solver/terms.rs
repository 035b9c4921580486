//! The terms of a question: which win is asked for, and what the rules of capture make of it.

use crate::board::{BOTTOM_EXITS, TOP_EXITS};
use crate::state::{State, at_most_one};
use games::geister::Bitboard;

const A6: Bitboard = Bitboard(1 << 30);
const F6: Bitboard = Bitboard(1 << 35);

/// What is asked of a position beside its squares; fixed for a whole search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Terms {
    pub(super) question: Question,
    /// Where own blues may leave.
    pub(super) own_exits: Bitboard,
    /// Where the top side's ghosts may leave.
    pub(super) top_exits: Bitboard,
}

impl Terms {
    pub(super) const fn new(question: Question) -> Terms {
        let own_exits = match question {
            Question::WinThroughA6 => A6,
            Question::WinThroughF6 => F6,
            _ => BOTTOM_EXITS,
        };
        let top_exits = match question {
            Question::WinUnopposed => Bitboard::EMPTY,
            _ => TOP_EXITS,
        };
        Terms { question, own_exits, top_exits }
    }
}

/// Which win is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
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
    /// A win against a top side that never leaves the board. The only easier question.
    WinUnopposed,
}

impl Question {
    /// Keeps the keys of different questions apart; 0 for the plain one.
    #[inline(always)]
    pub(super) const fn salt(self) -> u64 {
        (self as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Every question.
    #[cfg(test)]
    const ALL: [Question; 6] = [
        Question::Win,
        Question::WinWithoutRedWall,
        Question::WinByEscape,
        Question::WinThroughA6,
        Question::WinThroughF6,
        Question::WinUnopposed,
    ];
}

impl State {
    /// The top side's pieces whose capture does not lose at once, by leaving it no red:
    /// [`State::outcome_by_own_captures`] before the move instead of after it.
    #[inline(always)]
    pub(super) fn capturable(&self) -> Bitboard {
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
    pub(super) fn takeable(&self, terms: &Terms) -> Bitboard {
        let wall = terms.question != Question::WinWithoutRedWall && at_most_one(self.red);
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
        let Both { position, state, terms } = both;
        let without_wall = Terms::new(Question::WinWithoutRedWall);
        assert_eq!(state.takeable(&without_wall), state.own());
        for mv in position.legal_moves() {
            let Some(to) = mv.to().filter(|_| position.captured(mv).is_some()) else { continue };
            let won = won(&position.play_unchecked(mv));
            if position.turn() == Seat::First {
                assert_eq!(state.capturable().has(to), won != Some(false), "{position} {mv}");
            } else {
                assert_eq!(state.takeable(terms).has(to), won != Some(true), "{position} {mv}");
            }
        }
    }

    #[test]
    fn a_state_moves_as_a_position_does() {
        let mut captures = 0;
        for Both { position, state, terms } in own_turns(41, 2000) {
            let (mut position, mut state, mut key) = (position, state, state.key());
            for _ in 0..40 {
                check_captures(&Both { position, state, terms });
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
    fn questions_have_keys_of_their_own() {
        let salts: std::collections::BTreeSet<u64> =
            Question::ALL.into_iter().map(Question::salt).collect();
        assert_eq!(Question::Win.salt(), 0);
        assert_eq!(salts.len(), Question::ALL.len());
    }
}
