//! Squares, sets of squares, and the boards.
//!
//! All boards share one numbering, six squares to a row, so that a square has one name and one
//! number everywhere:
//!
//! ```text
//!      a  b  c  d  e  f
//!   6 30 31 32 33 34 35      the 4x5 board is the part a1 to d5,
//!   5 24 25 26 27 28 29      the 5x5 board is the part a1 to e5
//!   4 18 19 20 21 22 23
//!   3 12 13 14 15 16 17
//!   2  6  7  8  9 10 11
//!   1  0  1  2  3  4  5
//! ```

use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// The squares in a row of the numbering.
const STRIDE: u32 = 6;

/// A square, `a1` to `f6`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// a1.
    pub const FIRST: Square = Square(0);

    /// How many squares the numbering has.
    pub const COUNT: usize = 36;

    /// The square in `column` (0 is a) and `row` (0 is 1), if there is one.
    pub const fn at(column: u32, row: u32) -> Option<Square> {
        if column < STRIDE && row < STRIDE { Some(Square(number(column, row))) } else { None }
    }

    /// The square with this number, if there is one.
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < Square::COUNT { Some(Square(index as u8)) } else { None }
    }

    /// Its number, 0 to 35.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0 for a, 5 for f.
    pub const fn column(self) -> u32 {
        self.0 as u32 % STRIDE
    }

    /// 0 for row 1, 5 for row 6.
    pub const fn row(self) -> u32 {
        self.0 as u32 / STRIDE
    }

    /// Steps between two squares when nothing is in the way.
    pub const fn distance(self, other: Square) -> u32 {
        self.column().abs_diff(other.column()) + self.row().abs_diff(other.row())
    }

    /// The set of this square alone.
    pub const fn bit(self) -> Bitboard {
        Bitboard(1 << self.0)
    }

    /// The square with this name, such as `c4`.
    pub fn from_name(name: &str) -> Option<Square> {
        let [column, row] = name.as_bytes() else { return None };
        let column = column.checked_sub(b'a')?;
        let row = row.checked_sub(b'1')?;
        Square::at(u32::from(column), u32::from(row))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.column() as u8) as char, self.row() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of squares, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);

    /// The squares a1 to a6.
    pub const A_FILE: Bitboard = Bitboard(0o01_01_01_01_01_01);
    const F_FILE: Bitboard = Bitboard(Bitboard::A_FILE.0 << 5);

    /// Whether no square is in it.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether some square is in it.
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// How many squares are in it.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether `square` is in it.
    #[inline]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.0 & 1 != 0
    }

    /// Its squares without those of `other`.
    #[inline]
    pub const fn without(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }

    /// Whether it has a square in common with `other`.
    #[inline]
    pub const fn meets(self, other: Bitboard) -> bool {
        self.0 & other.0 != 0
    }

    /// The lowest square, if any.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square(self.0.trailing_zeros() as u8)) }
    }

    /// All squares moved one step up, down, right and left. What leaves the six files is dropped;
    /// what leaves the rows, or a narrower board, is outside [`Board::FULL`].
    #[inline]
    pub const fn shifts(self) -> [Bitboard; 4] {
        let x = self.0;
        [
            Bitboard(x << STRIDE),
            Bitboard(x >> STRIDE),
            Bitboard((x & !Bitboard::F_FILE.0) << 1),
            Bitboard((x & !Bitboard::A_FILE.0) >> 1),
        ]
    }

    /// The squares one step away from any of these, on board `B`.
    #[inline]
    pub const fn neighbours<B: Board>(self) -> Bitboard {
        let [up, down, right, left] = self.shifts();
        Bitboard((up.0 | down.0 | right.0 | left.0) & B::FULL.0)
    }

    /// Every step of one square from any of these squares onto an `open` one, as `(from, to)`, in
    /// ascending order.
    #[inline]
    pub const fn steps<B: Board>(self, open: Bitboard) -> Steps<B> {
        Steps {
            left: self,
            from: Square::FIRST,
            targets: Bitboard::EMPTY,
            open,
            board: PhantomData,
        }
    }

    /// The squares as the opponent sees them, all at once: [`Board::turned`] for each of them.
    ///
    /// Turning by half reverses the numbering, and so the bits. Squares outside `B` are dropped.
    #[inline]
    pub const fn turned<B: Board>(self) -> Bitboard {
        let last = number(B::COLUMNS - 1, B::ROWS - 1) as u32;
        Bitboard((self.0 & B::FULL.0).reverse_bits() >> (63 - last))
    }
}

impl Iterator for Bitboard {
    type Item = Square;

    /// Takes the lowest square out.
    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }
}

/// The iterator of [`Bitboard::steps`].
///
/// Written out, since searches spend their time here: with `flat_map` the worst-case search of the
/// players took 20 % longer.
#[derive(Clone, Copy, Debug)]
pub struct Steps<B = Standard> {
    left: Bitboard,
    from: Square,
    targets: Bitboard,
    open: Bitboard,
    board: PhantomData<B>,
}

impl<B: Board> Iterator for Steps<B> {
    type Item = (Square, Square);

    #[inline]
    fn next(&mut self) -> Option<(Square, Square)> {
        loop {
            if let Some(to) = self.targets.next() {
                return Some((self.from, to));
            }
            self.from = self.left.next()?;
            self.targets = self.from.bit().neighbours::<B>() & self.open;
        }
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | square.bit())
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

macro_rules! bit_operator {
    ($operator:ident, $function:ident, $assign:ident, $assign_function:ident, $token:tt) => {
        impl $operator for Bitboard {
            type Output = Bitboard;
            #[inline]
            fn $function(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 $token other.0)
            }
        }
        impl $assign for Bitboard {
            #[inline]
            fn $assign_function(&mut self, other: Bitboard) {
                self.0 = self.0 $token other.0;
            }
        }
    };
}
bit_operator!(BitAnd, bitand, BitAndAssign, bitand_assign, &);
bit_operator!(BitOr, bitor, BitOrAssign, bitor_assign, |);
bit_operator!(BitXor, bitxor, BitXorAssign, bitxor_assign, ^);

impl Not for Bitboard {
    type Output = Bitboard;
    /// The other bits of the word; cut it to [`Board::FULL`] before use as squares.
    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

/// The shape of a board and the ghosts each side starts with.
///
/// The corners, where ghosts leave, stay empty at the start, and at least one row lies between the
/// two sides.
pub trait Board: Copy + Eq + Ord + Hash + fmt::Debug + Default + Send + Sync + 'static {
    /// Columns, six at most.
    const COLUMNS: u32;
    /// Rows, six at most.
    const ROWS: u32;

    /// Where the bottom side's ghosts start: its two nearest rows without the outer columns.
    const HOME: Bitboard = rectangle(1, Self::COLUMNS - 1, 0, 2);
    /// Blue ghosts of each side at the start; as many are red.
    const GHOSTS_OF_A_COLOUR: u32 = Self::HOME.count() / 2;
    /// All squares.
    const FULL: Bitboard = rectangle(0, Self::COLUMNS, 0, Self::ROWS);
    /// Where the bottom side's blue ghosts leave: the corners of the top row.
    const BOTTOM_EXITS: Bitboard =
        Bitboard(corner(0, Self::ROWS - 1).0 | corner(Self::COLUMNS - 1, Self::ROWS - 1).0);
    /// Where the top side's blue ghosts leave: the corners of the bottom row.
    const TOP_EXITS: Bitboard = Bitboard(corner(0, 0).0 | corner(Self::COLUMNS - 1, 0).0);

    /// The square as the opponent sees it, the board turned by half. Squares outside the board stay
    /// where they are.
    fn turned(square: Square) -> Square {
        if Self::FULL.has(square) {
            Square(number(Self::COLUMNS - 1 - square.column(), Self::ROWS - 1 - square.row()))
        } else {
            square
        }
    }

    /// The square with left and right exchanged. Squares outside the board stay where they are.
    fn mirrored(square: Square) -> Square {
        if Self::FULL.has(square) {
            Square(number(Self::COLUMNS - 1 - square.column(), square.row()))
        } else {
            square
        }
    }
}

/// The number of the square in this column and row, which must be one of the numbering.
const fn number(column: u32, row: u32) -> u8 {
    (row * STRIDE + column) as u8
}

const fn corner(column: u32, row: u32) -> Bitboard {
    Bitboard(1 << number(column, row))
}

const fn rectangle(left: u32, right: u32, low: u32, high: u32) -> Bitboard {
    let mut bits = 0;
    let mut row = low;
    while row < high {
        let mut column = left;
        while column < right {
            bits |= corner(column, row).0;
            column += 1;
        }
        row += 1;
    }
    Bitboard(bits)
}

/// The 6x6 board of the shop: four blue and four red ghosts each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Standard;

impl Board for Standard {
    const COLUMNS: u32 = 6;
    const ROWS: u32 = 6;
}

/// The 4x5 board of Tomoda and Hasebe (2023): two blue and two red ghosts each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Small;

impl Board for Small {
    const COLUMNS: u32 = 4;
    const ROWS: u32 = 5;
}

/// A 5x5 board: three blue and three red ghosts each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct FiveByFive;

impl Board for FiveByFive {
    const COLUMNS: u32 = 5;
    const ROWS: u32 = 5;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn neighbours_by_distance<B: Board>(set: Bitboard) -> Bitboard {
        let near = |square: &Square| set.map(|other| other.distance(*square)).find(|&d| d == 1);
        B::FULL.filter(|square| near(square).is_some()).collect()
    }

    fn check_neighbours<B: Board>() {
        for square in B::FULL {
            assert_eq!(square.bit().neighbours::<B>(), neighbours_by_distance::<B>(square.bit()));
        }
        let ring = B::FULL.filter(|s| s.column() == 0 || s.row() == 0).collect::<Bitboard>();
        assert_eq!(ring.neighbours::<B>(), neighbours_by_distance::<B>(ring));
    }

    #[test]
    fn neighbours_are_the_squares_at_distance_one() {
        check_neighbours::<Standard>();
        check_neighbours::<Small>();
        check_neighbours::<FiveByFive>();
    }

    #[test]
    fn squares_turn_alone_and_together() {
        fn check<B: Board>() {
            for square in B::FULL {
                assert_eq!(square.bit().turned::<B>(), B::turned(square).bit());
            }
            let half: Bitboard = B::FULL.step_by(2).collect();
            assert_eq!(half.turned::<B>(), half.map(B::turned).collect());
        }
        check::<Standard>();
        check::<Small>();
    }

    #[test]
    fn steps_lead_to_open_neighbours_in_ascending_order() {
        fn check<B: Board>() {
            let (army, open) = (B::HOME, B::FULL.without(B::HOME));
            let slow: Vec<(Square, Square)> = army
                .flat_map(|from| B::FULL.map(move |to| (from, to)))
                .filter(|(from, to)| from.distance(*to) == 1 && open.has(*to))
                .collect();
            assert_eq!(army.steps::<B>(open).collect::<Vec<_>>(), slow);
            assert!(!slow.is_empty());
        }
        check::<Standard>();
        check::<Small>();
    }

    #[test]
    fn the_boards_are_those_of_the_rules() {
        let ghosts = [Standard::GHOSTS_OF_A_COLOUR, Small::GHOSTS_OF_A_COLOUR];
        assert_eq!((ghosts, FiveByFive::GHOSTS_OF_A_COLOUR), ([4, 2], 3));
        let names = |set: Bitboard| set.map(|s| s.to_string()).collect::<Vec<_>>().join(" ");
        assert_eq!(Standard::FULL.count(), 36);
        assert_eq!(names(Standard::BOTTOM_EXITS), "a6 f6");
        assert_eq!(names(Standard::TOP_EXITS), "a1 f1");
        assert_eq!(names(Standard::HOME), "b1 c1 d1 e1 b2 c2 d2 e2");
        assert_eq!(Small::FULL.count(), 20);
        assert_eq!(names(Small::BOTTOM_EXITS), "a5 d5");
        assert_eq!(names(Small::TOP_EXITS), "a1 d1");
        assert_eq!(names(Small::HOME), "b1 c1 b2 c2");
        assert_eq!(FiveByFive::FULL.count(), 25);
        assert_eq!(names(FiveByFive::BOTTOM_EXITS), "a5 e5");
        assert_eq!(names(FiveByFive::TOP_EXITS), "a1 e1");
        assert_eq!(names(FiveByFive::HOME), "b1 c1 d1 b2 c2 d2");
    }

    #[test]
    fn names_and_numbers_agree() {
        for index in 0..Square::COUNT {
            let square = Square::from_index(index).unwrap();
            assert_eq!(Square::from_name(&square.to_string()), Some(square));
            assert_eq!(Square::at(square.column(), square.row()), Some(square));
            assert_eq!(Standard::turned(Standard::turned(square)), square);
            assert_eq!(Standard::mirrored(Standard::mirrored(square)), square);
        }
        for bad in ["", "a", "a0", "a7", "g1", "A1", "a11", "é1"] {
            assert_eq!(Square::from_name(bad), None, "{bad}");
        }
        assert_eq!(Square::from_index(36), None);
    }
}
