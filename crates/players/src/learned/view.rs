//! What a side sees, as bits.

use crate::purple::Purple;
use games::geister::{Bitboard, Board, Observation, Square, Standard};

/// A position as one side sees it, its home at the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// Own blues.
    pub blue: Bitboard,
    /// Own reds.
    pub red: Bitboard,
    /// The others' ghosts, whose colours are not seen.
    pub others: Bitboard,
    /// How many of them are blue.
    pub others_blue: u32,
}

impl View {
    /// Of an observation.
    pub fn new(now: &Observation<Standard>) -> View {
        let own = now.own();
        View { blue: own.blue, red: own.red, others: now.others(), others_blue: now.others_blue() }
    }

    /// The own ghosts.
    pub fn own(&self) -> Bitboard {
        self.blue | self.red
    }

    /// How many of the others are red.
    pub fn others_red(&self) -> u32 {
        self.others.count() - self.others_blue
    }

    /// How many of the others are blue, as a share: how likely any of them is blue to somebody who
    /// knows nothing else.
    pub fn share_of_blue(&self) -> f32 {
        self.others_blue as f32 / self.others.count() as f32
    }

    /// An own blue stands on an exit.
    pub fn can_leave(&self) -> bool {
        self.blue.meets(Standard::BOTTOM_EXITS)
    }

    /// Calls `visit` for every own step; escapes are not among them.
    pub fn for_each_step(&self, visit: impl FnMut(Square, Square)) {
        for_each_step_of(self.own(), visit);
    }

    /// Calls `visit` for every step of the others; escapes are not among them.
    pub fn for_each_answer(&self, visit: impl FnMut(Square, Square)) {
        for_each_step_of(self.others, visit);
    }

    /// What the others see, if these of their ghosts are blue.
    pub fn turned(&self, blue: Bitboard) -> View {
        View {
            blue: turned(self.others & blue),
            red: turned(self.others.without(blue)),
            others: turned(self.own()),
            others_blue: self.blue.count(),
        }
    }

    /// After an own step. A captured ghost counts as red.
    pub fn stepped(&self, from: Square, to: Square) -> View {
        let (from, to) = (from.bit(), to.bit());
        let moved = |army: Bitboard| if army.meets(from) { army.without(from) | to } else { army };
        View {
            blue: moved(self.blue),
            red: moved(self.red),
            others: self.others.without(to),
            others_blue: self.others_blue,
        }
    }

    /// With the worst thought of every ghost of the others, the own side to move.
    pub fn at_worst(&self) -> Purple {
        Purple {
            blue: self.blue,
            red: self.red,
            others: self.others,
            others_red: self.others_red(),
            own_turn: true,
        }
    }
}

fn for_each_step_of(army: Bitboard, mut visit: impl FnMut(Square, Square)) {
    for from in army {
        for to in from.bit().neighbours::<Standard>().without(army) {
            visit(from, to);
        }
    }
}

/// The board turned by half, all squares at once.
pub fn turned(board: Bitboard) -> Bitboard {
    const { assert!(Standard::COLUMNS * Standard::ROWS == 36) };
    Bitboard(board.0.reverse_bits() >> (64 - 36))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_turn_alone_and_together() {
        for square in Standard::FULL {
            assert_eq!(turned(square.bit()), Standard::turned(square).bit());
        }
    }
}
