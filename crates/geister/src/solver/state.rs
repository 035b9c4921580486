//! The position as the search moves it: five sets of squares, and the terms of the question.

use games::geister::{Bitboard, Board, Ghost, Position, Square, Standard, ghost_keys};

/// The squares one step away.
#[inline(always)]
pub(super) const fn around(set: Bitboard) -> Bitboard {
    set.neighbours::<Standard>()
}

/// Whether the set has exactly one square, or none.
#[inline(always)]
pub(super) const fn at_most_one(set: Bitboard) -> bool {
    set.0 & set.0.wrapping_sub(1) == 0
}

const A6: Bitboard = Bitboard(1 << 30);
const F6: Bitboard = Bitboard(1 << 35);

/// What is asked of a position beside its squares; fixed for a whole search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Terms {
    /// How many of the hidden ghosts are blue. It never changes: a captured one counts as red.
    pub(super) hidden_blue: u32,
    pub(super) question: Question,
    /// Where own blues may leave.
    pub(super) own_exits: Bitboard,
    /// Where the top side's ghosts may leave.
    pub(super) top_exits: Bitboard,
}

impl Terms {
    pub(super) const fn new(hidden_blue: u32, question: Question) -> Terms {
        let own_exits = match question {
            Question::WinThroughA6 => A6,
            Question::WinThroughF6 => F6,
            _ => Standard::BOTTOM_EXITS,
        };
        let top_exits = match question {
            Question::WinUnopposed => Bitboard::EMPTY,
            _ => Standard::TOP_EXITS,
        };
        Terms { hidden_blue, question, own_exits, top_exits }
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

/// The ghosts on the board.
///
/// The plain [`Position`] is its slow twin: whose turn it is and whether the game is over are known
/// from the place in the search, so that a move is a handful of bit operations without a branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct State {
    pub(super) blue: Bitboard,
    pub(super) red: Bitboard,
    pub(super) shown_blue: Bitboard,
    pub(super) shown_red: Bitboard,
    pub(super) hidden: Bitboard,
}

/// All bits if `set` meets `square`, none otherwise.
#[inline(always)]
const fn mask_if(set: Bitboard, square: Bitboard) -> Bitboard {
    Bitboard((set.meets(square) as u64).wrapping_neg())
}

impl State {
    pub(super) fn new(position: &Position) -> State {
        State {
            blue: position.ghosts(Ghost::OwnBlue),
            red: position.ghosts(Ghost::OwnRed),
            shown_blue: position.ghosts(Ghost::ShownBlue),
            shown_red: position.ghosts(Ghost::ShownRed),
            hidden: position.ghosts(Ghost::Hidden),
        }
    }

    /// The bottom side's ghosts.
    #[inline(always)]
    pub(super) fn own(&self) -> Bitboard {
        self.blue | self.red
    }

    /// The top side's ghosts that may leave the board.
    #[inline(always)]
    pub(super) fn leavers(&self) -> Bitboard {
        self.shown_blue | self.hidden
    }

    /// The top side's ghosts.
    #[inline(always)]
    pub(super) fn top(&self) -> Bitboard {
        self.leavers() | self.shown_red
    }

    /// The top side's ghosts whose capture does not lose at once, by leaving it no red.
    #[inline(always)]
    pub(super) fn capturable(&self, terms: &Terms) -> Bitboard {
        let (hidden, shown_red) = (self.hidden.count(), self.shown_red.count());
        let mut capturable = self.shown_blue;
        if shown_red > 0 || hidden > terms.hidden_blue + 1 {
            capturable |= self.hidden;
        }
        if shown_red > 1 || hidden > terms.hidden_blue {
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

    /// The state after an own ghost went from `from` to `to`.
    #[inline(always)]
    pub(super) fn after_own(&self, from: Square, to: Square) -> State {
        let (from, to) = (from.bit(), to.bit());
        let as_blue = (from | to) & mask_if(self.blue, from);
        State {
            blue: self.blue ^ as_blue,
            red: self.red ^ (from | to) ^ as_blue,
            shown_blue: self.shown_blue.without(to),
            shown_red: self.shown_red.without(to),
            hidden: self.hidden.without(to),
        }
    }

    /// The state after a ghost of the top side went from `from` to `to`.
    #[inline(always)]
    pub(super) fn after_top(&self, from: Square, to: Square) -> State {
        let (from, to) = (from.bit(), to.bit());
        let step = from | to;
        State {
            blue: self.blue.without(to),
            red: self.red.without(to),
            shown_blue: self.shown_blue ^ (step & mask_if(self.shown_blue, from)),
            shown_red: self.shown_red ^ (step & mask_if(self.shown_red, from)),
            hidden: self.hidden ^ (step & mask_if(self.hidden, from)),
        }
    }

    /// The key from scratch; turn and terms are not part of it.
    pub(super) fn key(&self) -> u64 {
        let kinds = [self.blue, self.red, self.shown_blue, self.shown_red, self.hidden];
        let mut key = 0;
        for (ghost, squares) in Ghost::ALL.into_iter().zip(kinds) {
            key = squares.fold(key, |key, square| key ^ ghost_keys(ghost)[square.index()]);
        }
        key
    }

    /// The change of the key when an own ghost goes from `from` to `to`.
    #[inline(always)]
    pub(super) fn own_key_change(&self, from: Square, to: Square) -> u64 {
        let mover = if self.blue.has(from) { Ghost::OwnBlue } else { Ghost::OwnRed };
        self.step_key(mover, from, to)
    }

    /// The change of the key when a ghost of the top side goes from `from` to `to`.
    #[inline(always)]
    pub(super) fn top_key_change(&self, from: Square, to: Square) -> u64 {
        let mover = if self.hidden.has(from) {
            Ghost::Hidden
        } else if self.shown_red.has(from) {
            Ghost::ShownRed
        } else {
            Ghost::ShownBlue
        };
        self.step_key(mover, from, to)
    }

    #[inline(always)]
    fn step_key(&self, mover: Ghost, from: Square, to: Square) -> u64 {
        let keys = ghost_keys(mover);
        let step = keys[from.index()] ^ keys[to.index()];
        if (self.own() | self.top()).has(to) { step ^ self.captured_key(to) } else { step }
    }

    fn captured_key(&self, square: Square) -> u64 {
        let ghost = if self.hidden.has(square) {
            Ghost::Hidden
        } else if self.blue.has(square) {
            Ghost::OwnBlue
        } else if self.red.has(square) {
            Ghost::OwnRed
        } else if self.shown_blue.has(square) {
            Ghost::ShownBlue
        } else {
            Ghost::ShownRed
        };
        ghost_keys(ghost)[square.index()]
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
        let without_wall = Terms::new(terms.hidden_blue, Question::WinWithoutRedWall);
        assert_eq!(state.takeable(&without_wall), state.own());
        for mv in position.legal_moves() {
            let Some(to) = mv.to().filter(|_| position.captured(mv).is_some()) else { continue };
            let won = won(&position.play_unchecked(mv));
            if position.turn() == Seat::First {
                assert_eq!(state.capturable(terms).has(to), won != Some(false), "{position} {mv}");
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
                    key ^= state.top_key_change(from, to);
                    state = state.after_top(from, to);
                }
                position = position.play_unchecked(mv);
                assert_eq!(state, State::new(&position), "{position}");
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

    #[test]
    fn at_most_one_counts() {
        for set in [0, 1, 2, 3, 1 << 35, 1 << 35 | 1, 0b111].map(Bitboard) {
            assert_eq!(at_most_one(set), set.count() <= 1, "{set:?}");
        }
    }
}
