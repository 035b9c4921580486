//! The worst case of a game: every hidden piece is *purple*, red when it is captured and blue when
//! it leaves the board, and the opponent knows everything. That makes the information perfect, so
//! that alpha-beta can search it.
//!
//! It errs on the safe side only: what is not lost here is not lost in the true game.

mod danger;

use games::Seat;
use games::geister::{Bitboard, Move, Observation, Outcome, Square};
use geister::board::steps;
use geister::state::State;
use search::{GameTree, HeuristicSearch};

/// A node of the worst-case search: the shared state, the reds left, and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Purple {
    /// The pieces; all of the opponent's are hidden.
    pub state: State,
    /// How many hidden pieces may be captured until that loses. It is kept beside the state, since
    /// an opponent model may be bolder than the truth allows.
    pub hidden_red: u32,
    /// Whether the own side is to move.
    pub own_turn: bool,
}

/// Alpha-beta over the worst case.
pub type Search<E> = HeuristicSearch<Purple, E>;

/// Bytes of the transposition table of a [`Search`] that plays: 65,536 entries.
pub const TABLE_MEMORY: usize = 24 << 16;

impl From<&Observation> for Purple {
    fn from(now: &Observation) -> Purple {
        Purple::new(State::from(now), now.to_move())
    }
}

impl Purple {
    /// The worst case of a state.
    pub fn new(state: State, own_turn: bool) -> Purple {
        Purple { state, hidden_red: state.hidden_red(), own_turn }
    }

    /// The pieces of the side to move, and those it may capture.
    #[inline]
    fn sides(&self) -> (Bitboard, Bitboard) {
        let (own, opponent) = (self.state.own(), self.state.hidden);
        if self.own_turn { (own, opponent) } else { (opponent, own) }
    }

    /// Every step of the side to move, captures first; leaving the board is not among them.
    #[inline]
    fn steps(&self) -> impl Iterator<Item = (Square, Square)> + use<> {
        let (army, prey) = self.sides();
        let quiet = !(army | prey);
        steps(army, prey).chain(steps(army, quiet))
    }

    /// Whether the side to move can leave the board at once.
    #[inline]
    pub fn can_leave(&self) -> bool {
        if self.own_turn { self.state.can_leave() } else { self.state.opponent_can_leave() }
    }

    /// The position after a step, or how that ends the game, the own side being [`Seat::First`].
    #[inline]
    pub fn step(&self, from: Square, to: Square) -> Result<Purple, Outcome> {
        let (after, ended) = if self.own_turn {
            let captures = u32::from(self.state.hidden.has(to));
            let state = self.state.after_own(from, to);
            let hidden_red = self.hidden_red - captures;
            // A hidden piece is captured as a red one, so that there is a blue left.
            let ended = Outcome::by_captures(Seat::Second, 1, hidden_red);
            (Purple { state, hidden_red, own_turn: false }, ended)
        } else {
            let state = self.state.after_opponent(from, to);
            let ended = state.outcome_by_opponent_captures();
            (Purple { state, hidden_red: self.hidden_red, own_turn: true }, ended)
        };
        ended.map_or(Ok(after), Err)
    }
}

impl GameTree for Purple {
    type Move = Move;

    #[inline]
    fn is_maximising(&self) -> bool {
        self.own_turn
    }

    #[inline]
    fn wins_at_once(&self) -> bool {
        self.can_leave()
    }

    #[inline]
    fn moves(&self, into: &mut Vec<Move>) {
        let (army, prey) = self.sides();
        for open in [prey, !(army | prey)] {
            for (from, to) in steps(army, open) {
                into.push(Move::Step { from, to });
            }
        }
    }

    #[inline]
    fn play(&self, mv: Move) -> Result<Purple, bool> {
        let own_wins = |winner: Option<Seat>| winner == Some(Seat::First);
        match mv {
            Move::Step { from, to } => self.step(from, to).map_err(|end| own_wins(end.winner())),
            Move::Escape { .. } => Err(self.own_turn),
        }
    }

    /// Mixed from the bitboards and not the Zobrist key: the weights that are shipped come out of
    /// training byte for byte only if the small tables of its opponents forget the same positions.
    /// It also costs less than the Zobrist key of a state from scratch.
    #[inline]
    fn key(&self) -> u64 {
        let State { blue, red, hidden, .. } = self.state;
        let mut key = blue.0.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        key = (key ^ (key >> 29) ^ red.0).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        key = (key ^ (key >> 32) ^ hidden.0).wrapping_mul(0x94D0_49BB_1331_11EB);
        key ^ (key >> 31) ^ u64::from(self.hidden_red) << 1 ^ u64::from(self.own_turn)
    }

    #[inline]
    fn code(mv: Move) -> u16 {
        let to = mv.to().map_or(Square::COUNT, Square::index);
        (mv.from().index() << 8 | to) as u16
    }
}

#[cfg(test)]
mod tests;
