//! The fast state: the pieces of a Geister position as bitboards.
//!
//! Everything that searches Geister moves this one type: the solver, the search of the worst case,
//! the learned model and its belief search, determinized search, and the themes of puzzles. It knows
//! the 6x6 board only, which is why its masks are constants.
//!
//! The board is always seen by one side, the *viewer*, with its home at the bottom. The colour of an
//! opponent's piece is *shown* or *hidden*:
//!
//! * in a game nothing that stays on the board is shown ([`State::from`] an [`Observation`]);
//! * in a puzzle some pieces may be shown ([`State::from`] a [`Position`]);
//! * in a determinization everything is shown ([`State::revealed`]).
//!
//! Hidden pieces are *purple*, as in [`Position`]: red when the viewer captures them, blue when they
//! leave the board.

use crate::board::{BOTTOM_EXITS, TOP_EXITS, steps, turned};
use games::Seat;
use games::geister::{
    Army, Bitboard, Ghost, Observation, Outcome, Position, Square, Steps, ghost_keys,
    purple_outcome,
};

/// The pieces on the board as one side sees them.
///
/// [`Position`] is its slow twin. Whose turn it is and whether a piece has left the board are known
/// from the place in a search, so that a move is a handful of bit operations without a branch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// The viewer's blue pieces.
    pub blue: Bitboard,
    /// The viewer's red pieces.
    pub red: Bitboard,
    /// The opponent's pieces that are known to be blue.
    pub shown_blue: Bitboard,
    /// The opponent's pieces that are known to be red.
    pub shown_red: Bitboard,
    /// The opponent's pieces of unknown colour.
    pub hidden: Bitboard,
    /// How many of the hidden pieces are blue. Moves do not change it, since a hidden piece that is
    /// captured counts as red; beside a shown red it may therefore exceed the hidden pieces left.
    pub hidden_blue: u32,
}

/// Whether the set has one square at most. Cheaper than counting.
#[inline(always)]
pub const fn at_most_one(set: Bitboard) -> bool {
    set.0 & set.0.wrapping_sub(1) == 0
}

/// All bits if `set` meets `square`, none otherwise.
#[inline(always)]
const fn mask_if(set: Bitboard, square: Bitboard) -> Bitboard {
    Bitboard((set.meets(square) as u64).wrapping_neg())
}

impl From<&Position> for State {
    fn from(position: &Position) -> State {
        State {
            blue: position.ghosts(Ghost::OwnBlue),
            red: position.ghosts(Ghost::OwnRed),
            shown_blue: position.ghosts(Ghost::ShownBlue),
            shown_red: position.ghosts(Ghost::ShownRed),
            hidden: position.ghosts(Ghost::Hidden),
            hidden_blue: position.hidden_blue(),
        }
    }
}

impl From<&Observation> for State {
    fn from(now: &Observation) -> State {
        State::unseen(now.own(), now.opponent(), now.opponent_blue())
    }
}

impl State {
    /// The state in which all of the opponent's pieces are hidden, and `hidden_blue` of them blue.
    pub const fn unseen(own: Army, hidden: Bitboard, hidden_blue: u32) -> State {
        State {
            blue: own.blue,
            red: own.red,
            shown_blue: Bitboard::EMPTY,
            shown_red: Bitboard::EMPTY,
            hidden,
            hidden_blue,
        }
    }

    /// The viewer's pieces.
    #[inline(always)]
    pub fn own(&self) -> Bitboard {
        self.blue | self.red
    }

    /// The opponent's pieces.
    #[inline(always)]
    pub fn opponent(&self) -> Bitboard {
        self.leavers() | self.shown_red
    }

    /// The opponent's pieces that may leave the board.
    #[inline(always)]
    pub fn leavers(&self) -> Bitboard {
        self.shown_blue | self.hidden
    }

    /// How many of the hidden pieces are red.
    #[inline(always)]
    pub fn hidden_red(&self) -> u32 {
        self.hidden.count().saturating_sub(self.hidden_blue)
    }

    /// The share of blues among the hidden pieces: the prior probability that one of them is blue.
    pub fn share_of_blue(&self) -> f32 {
        self.hidden_blue as f32 / self.hidden.count() as f32
    }

    /// Whether a piece of the viewer can leave the board at its turn.
    #[inline(always)]
    pub fn can_leave(&self) -> bool {
        self.blue.meets(BOTTOM_EXITS)
    }

    /// Whether a piece of the opponent can leave the board at its turn.
    #[inline(always)]
    pub fn opponent_can_leave(&self) -> bool {
        self.leavers().meets(TOP_EXITS)
    }

    /// Every step of the viewer's pieces; leaving the board is not among them.
    #[inline]
    pub fn own_steps(&self) -> Steps {
        steps(self.own(), !self.own())
    }

    /// Every step of the opponent's pieces; leaving the board is not among them.
    #[inline]
    pub fn opponent_steps(&self) -> Steps {
        steps(self.opponent(), !self.opponent())
    }

    /// The state after the viewer's piece on `from` went to `to`, capturing what stands there.
    #[inline(always)]
    #[must_use]
    pub fn after_own(&self, from: Square, to: Square) -> State {
        let (from, to) = (from.bit(), to.bit());
        let as_blue = (from | to) & mask_if(self.blue, from);
        State {
            blue: self.blue ^ as_blue,
            red: self.red ^ (from | to) ^ as_blue,
            shown_blue: self.shown_blue.without(to),
            shown_red: self.shown_red.without(to),
            hidden: self.hidden.without(to),
            hidden_blue: self.hidden_blue,
        }
    }

    /// The state after the opponent's piece on `from` went to `to`, capturing what stands there.
    #[inline(always)]
    #[must_use]
    pub fn after_opponent(&self, from: Square, to: Square) -> State {
        let (from, to) = (from.bit(), to.bit());
        let step = from | to;
        State {
            blue: self.blue.without(to),
            red: self.red.without(to),
            shown_blue: self.shown_blue ^ (step & mask_if(self.shown_blue, from)),
            shown_red: self.shown_red ^ (step & mask_if(self.shown_red, from)),
            hidden: self.hidden ^ (step & mask_if(self.hidden, from)),
            hidden_blue: self.hidden_blue,
        }
    }

    /// The outcome by the viewer's captures, the viewer being [`Seat::First`]. Hidden pieces are
    /// purple: only the last red and the last shown blue decide.
    #[inline(always)]
    pub fn outcome_by_own_captures(&self) -> Option<Outcome> {
        purple_outcome(self.leavers().count(), self.shown_red.count() + self.hidden_red())
    }

    /// The outcome by the opponent's captures, the viewer being [`Seat::First`].
    #[inline(always)]
    pub fn outcome_by_opponent_captures(&self) -> Option<Outcome> {
        Army { blue: self.blue, red: self.red }.outcome(Seat::First)
    }

    /// The pieces on these squares alone.
    #[must_use]
    pub fn within(&self, squares: Bitboard) -> State {
        State {
            blue: self.blue & squares,
            red: self.red & squares,
            shown_blue: self.shown_blue & squares,
            shown_red: self.shown_red & squares,
            hidden: self.hidden & squares,
            hidden_blue: self.hidden_blue,
        }
    }

    /// The same state with the colours of the hidden pieces known: those of `blue` are blue.
    #[inline]
    #[must_use]
    pub fn revealed(&self, blue: Bitboard) -> State {
        State {
            shown_blue: self.shown_blue | self.hidden & blue,
            shown_red: self.shown_red | self.hidden.without(blue),
            hidden: Bitboard::EMPTY,
            hidden_blue: 0,
            ..*self
        }
    }

    /// The same state with all colours of the opponent hidden.
    #[inline]
    #[must_use]
    pub fn concealed(&self) -> State {
        let own = Army { blue: self.blue, red: self.red };
        State::unseen(own, self.opponent(), self.hidden_blue + self.shown_blue.count())
    }

    /// The state as the opponent sees it who knows all colours. Nothing may be hidden.
    #[inline]
    #[must_use]
    pub fn turned(&self) -> State {
        debug_assert!(self.hidden.is_empty(), "the opponent's colours are not known");
        State {
            blue: turned(self.shown_blue),
            red: turned(self.shown_red),
            shown_blue: turned(self.blue),
            shown_red: turned(self.red),
            hidden: Bitboard::EMPTY,
            hidden_blue: 0,
        }
    }

    /// What the opponent sees if those of its pieces in `blue` are blue.
    #[inline]
    #[must_use]
    pub fn seen_by_opponent(&self, blue: Bitboard) -> State {
        self.revealed(blue).turned().concealed()
    }

    /// The Zobrist key of the pieces from scratch. Turn and hidden blues are not part of it.
    pub fn key(&self) -> u64 {
        let kinds = [self.blue, self.red, self.shown_blue, self.shown_red, self.hidden];
        let mut key = 0;
        for (ghost, squares) in Ghost::ALL.into_iter().zip(kinds) {
            key = squares.fold(key, |key, square| key ^ ghost_keys(ghost)[square.index()]);
        }
        key
    }

    /// The change of the key when the viewer's piece on `from` goes to `to`.
    #[inline(always)]
    pub fn own_key_change(&self, from: Square, to: Square) -> u64 {
        let mover = if self.blue.has(from) { Ghost::OwnBlue } else { Ghost::OwnRed };
        self.key_change(mover, from, to)
    }

    /// The change of the key when the opponent's piece on `from` goes to `to`.
    #[inline(always)]
    pub fn opponent_key_change(&self, from: Square, to: Square) -> u64 {
        let mover = if self.hidden.has(from) {
            Ghost::Hidden
        } else if self.shown_red.has(from) {
            Ghost::ShownRed
        } else {
            Ghost::ShownBlue
        };
        self.key_change(mover, from, to)
    }

    #[inline(always)]
    fn key_change(&self, mover: Ghost, from: Square, to: Square) -> u64 {
        let keys = ghost_keys(mover);
        let step = keys[from.index()] ^ keys[to.index()];
        if (self.own() | self.opponent()).has(to) { step ^ self.captured_key(to) } else { step }
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
    use super::*;
    use games::geister::{Game, Move, Placement};

    /// Positions along games in which the move is chosen by the ply and a number of the game.
    fn games() -> impl Iterator<Item = Vec<Game>> {
        (0..70).map(|number| {
            let placements: Vec<Placement> = Placement::all().collect();
            let mut game = Game::new(placements[number], placements[69 - number], 200);
            let mut all = vec![game];
            while game.outcome().is_none() {
                let moves = game.legal_moves();
                let choice = (game.ply() as usize * 7 + number * 13) % moves.len();
                game = game.play_unchecked(moves[choice]);
                all.push(game);
            }
            all
        })
    }

    /// The state of a game with all colours known, as the side to move sees it.
    fn known(game: &Game) -> State {
        let [own, opponent] = [game.turn(), game.turn().opponent()].map(|side| game.observe(side));
        State::from(&own).revealed(turned(opponent.own().blue))
    }

    /// With all colours known a state goes as a game does, seen by each mover in turn.
    #[test]
    fn revealed_states_go_as_games_do() {
        let (mut captures, mut decided) = (0, 0);
        for game in games() {
            for pair in game.windows(2) {
                let (state, mover) = (known(&pair[0]), pair[0].turn());
                let seen = pair[0].observe(mover);
                let steps = state.own_steps().map(|(from, to)| Move::Step { from, to });
                let played = |mv: Move| pair[0].play_unchecked(seen.played(mv)) == pair[1];
                let Some(Move::Step { from, to }) = steps.into_iter().find(|&mv| played(mv)) else {
                    assert!(state.can_leave());
                    continue;
                };
                captures += u32::from(state.opponent().has(to));
                let after = state.after_own(from, to);
                let winner = pair[1].outcome().and_then(Outcome::winner);
                let ours = after.outcome_by_own_captures().and_then(Outcome::winner);
                let as_seat = |seat| if seat == Seat::First { mover } else { mover.opponent() };
                assert_eq!(ours.map(as_seat), winner);
                decided += u32::from(winner.is_some());
                if winner.is_none() {
                    assert_eq!(after.turned(), known(&pair[1]));
                    assert_eq!(
                        after.turned().concealed(),
                        State::from(&pair[1].observe(pair[1].turn()))
                    );
                }
            }
        }
        assert!(captures > 200 && decided > 20, "{captures} {decided}");
    }

    #[test]
    fn the_opponent_sees_its_own_colours_and_hides_ours() {
        for game in games() {
            for now in game.iter().filter(|game| game.outcome().is_none()) {
                let [first, second] =
                    [Seat::First, Seat::Second].map(|seat| State::from(&now.observe(seat)));
                let blue = turned(second.blue);
                assert_eq!(first.seen_by_opponent(blue), second);
            }
        }
    }

    #[test]
    fn at_most_one_is_counted_correctly() {
        for set in [0, 1, 2, 3, 1 << 35, 1 << 35 | 1, 0b111].map(Bitboard) {
            assert_eq!(at_most_one(set), set.count() <= 1, "{set:?}");
        }
    }
}
