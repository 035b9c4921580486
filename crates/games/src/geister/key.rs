//! The hash key of a position: from scratch, and the change that one move makes to it.
//!
//! Every fact has a random number, and the key is the exclusive or of the facts that hold. A move
//! touches a few facts only, so the key after it costs a few look-ups, and only where it is asked
//! for: a position does not carry its key.

use super::board::{Board, Square};
use super::position::Position;
use super::setup::Ghost;
use crate::Seat;
use common::rng::SplitMix64;

/// The most hidden blues there can be, and none.
const HIDDEN_BLUES: usize = 9;

struct Numbers {
    ghost: [[u64; Square::COUNT]; Ghost::ALL.len()],
    hidden_blue: [u64; HIDDEN_BLUES],
    top_to_move: u64,
    escaped: [u64; 2],
}

static NUMBERS: Numbers = Numbers::generate();

impl Numbers {
    const fn generate() -> Numbers {
        let mut rng = SplitMix64::new(0x5075_6b00);
        let mut numbers = Numbers {
            ghost: [[0; Square::COUNT]; Ghost::ALL.len()],
            hidden_blue: [0; HIDDEN_BLUES],
            top_to_move: 0,
            escaped: [0; 2],
        };
        let mut kind = 0;
        while kind < Ghost::ALL.len() {
            let mut square = 0;
            while square < Square::COUNT {
                numbers.ghost[kind][square] = rng.next();
                square += 1;
            }
            kind += 1;
        }
        let mut count = 0;
        while count < HIDDEN_BLUES {
            numbers.hidden_blue[count] = rng.next();
            count += 1;
        }
        numbers.top_to_move = rng.next();
        numbers.escaped[0] = rng.next();
        numbers.escaped[1] = rng.next();
        numbers
    }
}

/// The numbers of the facts that `ghost` stands on each square, by [`Square::index`].
///
/// For searches that keep their own keys: [`Position::key`] combines these, whose turn it is, and
/// how many hidden ghosts are blue.
#[inline]
pub fn ghost_keys(ghost: Ghost) -> &'static [u64; Square::COUNT] {
    &NUMBERS.ghost[ghost as usize]
}

/// The number of the fact that `ghost` stands on `square`.
#[inline]
fn stands(ghost: Ghost, square: Square) -> u64 {
    ghost_keys(ghost)[square.index()]
}

fn escaped(side: Seat) -> u64 {
    NUMBERS.escaped[side as usize]
}

impl<B: Board> Position<B> {
    /// The 64-bit key of the position, its turn included.
    ///
    /// Equal positions have equal keys, on every machine and in every run. Different ones have
    /// different keys but for accidents of one in 2^64.
    pub fn key(&self) -> u64 {
        let mut key = NUMBERS.hidden_blue[self.hidden_blue() as usize];
        for ghost in Ghost::ALL {
            key = self.ghosts(ghost).fold(key, |key, square| key ^ stands(ghost, square));
        }
        if self.turn() == Seat::Second {
            key ^= NUMBERS.top_to_move;
        }
        self.escaped_side().map_or(key, |side| key ^ escaped(side))
    }
}
