//! Moves of whole sets of men at once, by shifts of 64-bit boards.

use super::super::{Color, Own, Piece};

const A_FILE: u64 = 0x0101_0101_0101_0101;
const H_FILE: u64 = A_FILE << 7;
const AB_FILES: u64 = A_FILE | A_FILE << 1;
const GH_FILES: u64 = H_FILE | H_FILE >> 1;

/// One of the eight directions of a queen.
#[derive(Clone, Copy)]
struct Direction {
    /// By how many bits a step shifts, downwards if below 0.
    by: i32,
    /// Where a step may end; the others are steps around the edge.
    onto: u64,
}

const EAST: Direction = Direction { by: 1, onto: !A_FILE };
const WEST: Direction = Direction { by: -1, onto: !H_FILE };
const NORTH: Direction = Direction { by: 8, onto: !0 };
const SOUTH: Direction = Direction { by: -8, onto: !0 };
const NORTH_EAST: Direction = Direction { by: 9, onto: !A_FILE };
const SOUTH_WEST: Direction = Direction { by: -9, onto: !H_FILE };
const NORTH_WEST: Direction = Direction { by: 7, onto: !H_FILE };
const SOUTH_EAST: Direction = Direction { by: -7, onto: !A_FILE };

impl Direction {
    #[inline]
    const fn shift(self, set: u64, times: i32) -> u64 {
        let by = self.by * times;
        if by > 0 { set << by } else { set >> -by }
    }

    #[inline]
    const fn step(self, set: u64) -> u64 {
        self.shift(set, 1) & self.onto
    }

    /// Where sliders can go over `free` squares, the first that is not free included. The fill is
    /// that of Kogge and Stone: one, two and four steps at a time.
    #[inline]
    const fn slide(self, sliders: u64, free: u64) -> u64 {
        let mut reached = sliders;
        let mut open = free & self.onto;
        reached |= open & self.shift(reached, 1);
        open &= self.shift(open, 1);
        reached |= open & self.shift(reached, 2);
        open &= self.shift(open, 2);
        reached |= open & self.shift(reached, 4);
        self.step(reached)
    }
}

pub(super) const fn along_rank(sliders: u64, free: u64) -> u64 {
    EAST.slide(sliders, free) | WEST.slide(sliders, free)
}

pub(super) const fn along_file(sliders: u64, free: u64) -> u64 {
    NORTH.slide(sliders, free) | SOUTH.slide(sliders, free)
}

pub(super) const fn rising(sliders: u64, free: u64) -> u64 {
    NORTH_EAST.slide(sliders, free) | SOUTH_WEST.slide(sliders, free)
}

pub(super) const fn falling(sliders: u64, free: u64) -> u64 {
    NORTH_WEST.slide(sliders, free) | SOUTH_EAST.slide(sliders, free)
}

pub(super) const fn straight(sliders: u64, free: u64) -> u64 {
    along_rank(sliders, free) | along_file(sliders, free)
}

pub(super) const fn diagonal(sliders: u64, free: u64) -> u64 {
    rising(sliders, free) | falling(sliders, free)
}

/// The squares beside, above and below a set.
pub(super) const fn beside(set: u64) -> u64 {
    EAST.step(set) | WEST.step(set) | NORTH.step(set) | SOUTH.step(set)
}

/// The squares that touch a set at a corner.
pub(super) const fn cornering(set: u64) -> u64 {
    NORTH_EAST.step(set) | NORTH_WEST.step(set) | SOUTH_EAST.step(set) | SOUTH_WEST.step(set)
}

/// Where kings can go.
pub(super) const fn around(set: u64) -> u64 {
    beside(set) | cornering(set)
}

/// How many times a square of one set is right beside one of the other on a rank.
pub(super) const fn pairs(one: u64, other: u64) -> u32 {
    (EAST.step(one) & other).count_ones() + (WEST.step(one) & other).count_ones()
}

/// The squares left and right of a set.
pub(super) const fn neighbours(set: u64) -> u64 {
    EAST.step(set) | WEST.step(set)
}

/// Where knights can go.
pub(super) const fn jumps(set: u64) -> u64 {
    let (one, two) =
        (EAST.step(set) | WEST.step(set), { (set << 2 & !AB_FILES) | (set >> 2 & !GH_FILES) });
    one << 16 | one >> 16 | two << 8 | two >> 8
}

/// One step of the pawns of `side`.
pub(super) const fn forward(side: Color, set: u64) -> u64 {
    match side {
        Color::White => NORTH.step(set),
        Color::Black => SOUTH.step(set),
    }
}

/// What pawns of `side` attack on rising diagonals.
pub(super) const fn pawn_rising(side: Color, set: u64) -> u64 {
    match side {
        Color::White => NORTH_EAST.step(set),
        Color::Black => SOUTH_WEST.step(set),
    }
}

/// What they attack on falling ones.
pub(super) const fn pawn_falling(side: Color, set: u64) -> u64 {
    match side {
        Color::White => NORTH_WEST.step(set),
        Color::Black => SOUTH_EAST.step(set),
    }
}

/// What pawns of `side` attack.
pub(super) const fn pawn_attacks(side: Color, set: u64) -> u64 {
    pawn_rising(side, set) | pawn_falling(side, set)
}

/// The squares whose rising diagonal is longer than the falling one.
pub(super) const RISING_IS_LONG: u64 = {
    let mut set = 0;
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square % 8, square / 8);
        let across: i32 = rank - file;
        let along: i32 = rank + file - 7;
        if across.abs() < along.abs() {
            set |= 1 << square;
        }
        square += 1;
    }
    set
};

/// What men attack, by the way in which check would be announced.
#[derive(Clone, Copy)]
pub(super) struct Attacks {
    pub(super) rank: u64,
    pub(super) file: u64,
    pub(super) long: u64,
    pub(super) short: u64,
    pub(super) knight: u64,
    pub(super) king: u64,
    /// What sliders attack, of all that.
    pub(super) sliders: u64,
}

impl Attacks {
    /// What these men attack if sliders pass over the `free` squares alone.
    pub(super) fn of(own: &Own, free: u64) -> Attacks {
        let men = |piece| own.men(piece).0;
        let queens = men(Piece::Queen);
        let (rooks, bishops) = (men(Piece::Rook) | queens, men(Piece::Bishop) | queens);
        let (rank, file) = (along_rank(rooks, free), along_file(rooks, free));
        let (up, down) = (rising(bishops, free), falling(bishops, free));
        let sliders = rank | file | up | down;
        let up = up | pawn_rising(own.side(), men(Piece::Pawn));
        let down = down | pawn_falling(own.side(), men(Piece::Pawn));
        Attacks {
            rank,
            file,
            long: up & RISING_IS_LONG | down & !RISING_IS_LONG,
            short: up & !RISING_IS_LONG | down & RISING_IS_LONG,
            knight: jumps(men(Piece::Knight)),
            king: around(men(Piece::King)),
            sliders,
        }
    }

    pub(super) const fn all(&self) -> u64 {
        self.rank | self.file | self.long | self.short | self.knight | self.king
    }

    /// In the order of [`Check::ALL`](super::super::Check::ALL).
    pub(super) const fn by_check(&self) -> [u64; 5] {
        [self.rank, self.file, self.long, self.short, self.knight]
    }
}
