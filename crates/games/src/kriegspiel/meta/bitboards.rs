//! Set-wise attacks: those of all pieces of a bitboard at once, by shifts.

use super::super::{Color, OwnPieces, Piece};

const A_FILE: u64 = 0x0101_0101_0101_0101;
const H_FILE: u64 = A_FILE << 7;
const AB_FILES: u64 = A_FILE | A_FILE << 1;
const GH_FILES: u64 = H_FILE | H_FILE >> 1;

/// One of the eight directions of a queen.
#[derive(Clone, Copy)]
struct Direction {
    /// The number of bits by which a step shifts; negative to the right.
    by: i32,
    /// The squares where a step can end; all others are wraps around the edge.
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

    /// The squares that sliders attack over `free` squares, including the first that is not free. A
    /// Kogge-Stone fill: one, two and four steps at a time.
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

pub(super) const fn rank_attacks(sliders: u64, free: u64) -> u64 {
    EAST.slide(sliders, free) | WEST.slide(sliders, free)
}

pub(super) const fn file_attacks(sliders: u64, free: u64) -> u64 {
    NORTH.slide(sliders, free) | SOUTH.slide(sliders, free)
}

pub(super) const fn diagonal_attacks(sliders: u64, free: u64) -> u64 {
    NORTH_EAST.slide(sliders, free) | SOUTH_WEST.slide(sliders, free)
}

pub(super) const fn anti_diagonal_attacks(sliders: u64, free: u64) -> u64 {
    NORTH_WEST.slide(sliders, free) | SOUTH_EAST.slide(sliders, free)
}

pub(super) const fn rook_attacks(sliders: u64, free: u64) -> u64 {
    rank_attacks(sliders, free) | file_attacks(sliders, free)
}

pub(super) const fn bishop_attacks(sliders: u64, free: u64) -> u64 {
    diagonal_attacks(sliders, free) | anti_diagonal_attacks(sliders, free)
}

/// The squares next to a set on ranks and files.
pub(super) const fn orthogonal_neighbours(set: u64) -> u64 {
    EAST.step(set) | WEST.step(set) | NORTH.step(set) | SOUTH.step(set)
}

/// The squares next to a set on diagonals.
pub(super) const fn diagonal_neighbours(set: u64) -> u64 {
    NORTH_EAST.step(set) | NORTH_WEST.step(set) | SOUTH_EAST.step(set) | SOUTH_WEST.step(set)
}

/// The squares that kings attack.
pub(super) const fn king_attacks(set: u64) -> u64 {
    orthogonal_neighbours(set) | diagonal_neighbours(set)
}

/// The number of pairs of squares, one of each set, that are next to each other on a rank.
pub(super) const fn adjacent_pairs(one: u64, other: u64) -> u32 {
    (EAST.step(one) & other).count_ones() + (WEST.step(one) & other).count_ones()
}

/// The squares next to a set on ranks.
pub(super) const fn rank_neighbours(set: u64) -> u64 {
    EAST.step(set) | WEST.step(set)
}

/// The squares that knights attack.
pub(super) const fn knight_attacks(set: u64) -> u64 {
    let (one, two) =
        (EAST.step(set) | WEST.step(set), { (set << 2 & !AB_FILES) | (set >> 2 & !GH_FILES) });
    one << 16 | one >> 16 | two << 8 | two >> 8
}

/// Single pushes of the pawns of `color`.
pub(super) const fn pawn_pushes(color: Color, set: u64) -> u64 {
    match color {
        Color::White => NORTH.step(set),
        Color::Black => SOUTH.step(set),
    }
}

/// The squares that pawns of `color` attack on diagonals (from a1 to h8).
pub(super) const fn pawn_diagonal_attacks(color: Color, set: u64) -> u64 {
    match color {
        Color::White => NORTH_EAST.step(set),
        Color::Black => SOUTH_WEST.step(set),
    }
}

/// The squares that pawns of `color` attack on anti-diagonals (from a8 to h1).
pub(super) const fn pawn_anti_diagonal_attacks(color: Color, set: u64) -> u64 {
    match color {
        Color::White => NORTH_WEST.step(set),
        Color::Black => SOUTH_EAST.step(set),
    }
}

/// The squares that pawns of `color` attack.
pub(super) const fn pawn_attacks(color: Color, set: u64) -> u64 {
    pawn_diagonal_attacks(color, set) | pawn_anti_diagonal_attacks(color, set)
}

/// The squares whose diagonal is longer than their anti-diagonal.
pub(super) const DIAGONAL_IS_LONG: u64 = {
    let mut set = 0;
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square % 8, square / 8);
        let diagonal: i32 = rank - file;
        let anti_diagonal: i32 = rank + file - 7;
        if diagonal.abs() < anti_diagonal.abs() {
            set |= 1 << square;
        }
        square += 1;
    }
    set
};

/// The squares that pieces attack, by the check that would be announced.
#[derive(Clone, Copy)]
pub(super) struct Attacks {
    pub(super) rank: u64,
    pub(super) file: u64,
    pub(super) long: u64,
    pub(super) short: u64,
    pub(super) knight: u64,
    pub(super) king: u64,
    /// The squares that sliders attack; part of the others.
    pub(super) sliders: u64,
}

impl Attacks {
    /// The attacks of these pieces if sliders pass only over `free` squares.
    pub(super) fn of(own: &OwnPieces, free: u64) -> Attacks {
        let pieces = |piece| own.pieces(piece).0;
        let queens = pieces(Piece::Queen);
        let (rooks, bishops) = (pieces(Piece::Rook) | queens, pieces(Piece::Bishop) | queens);
        let (rank, file) = (rank_attacks(rooks, free), file_attacks(rooks, free));
        let (diagonal, anti_diagonal) =
            (diagonal_attacks(bishops, free), anti_diagonal_attacks(bishops, free));
        let sliders = rank | file | diagonal | anti_diagonal;
        let diagonal = diagonal | pawn_diagonal_attacks(own.color(), pieces(Piece::Pawn));
        let anti_diagonal =
            anti_diagonal | pawn_anti_diagonal_attacks(own.color(), pieces(Piece::Pawn));
        Attacks {
            rank,
            file,
            long: diagonal & DIAGONAL_IS_LONG | anti_diagonal & !DIAGONAL_IS_LONG,
            short: diagonal & !DIAGONAL_IS_LONG | anti_diagonal & DIAGONAL_IS_LONG,
            knight: knight_attacks(pieces(Piece::Knight)),
            king: king_attacks(pieces(Piece::King)),
            sliders,
        }
    }

    pub(super) const fn all(&self) -> u64 {
        self.rank | self.file | self.long | self.short | self.knight | self.king
    }

    /// The attacks that give each check, in the order of [`Check::ALL`](super::super::Check::ALL).
    pub(super) const fn by_check(&self) -> [u64; 5] {
        [self.rank, self.file, self.long, self.short, self.knight]
    }
}
