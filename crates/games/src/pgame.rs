//! P-games: random game trees, the usual measure of search algorithms (Kocsis and Szepesvári 2006).
//!
//! Every position has the same number of moves, every game the same length. Each move has a random
//! value, for MAX from 0 to 127 and for MIN from -127 to 0; MAX begins, and wins if the values of
//! all moves made sum to more than 0. Nothing is stored: the value of a move is a function of the
//! seed and of the moves before it, so that a tree costs no memory and is the same on every machine.
//!
//! ```
//! use games::Rules;
//! use games::pgame::Position;
//!
//! let root: Position = "8x8 seed 7".parse()?;
//! assert_eq!(root, Position::new(8, 8, 7)?);
//! assert_eq!(root.play_unchecked(3).to_string(), "8x8 seed 7 moves 3");
//! # Ok::<(), games::pgame::Error>(())
//! ```

use crate::{Ending, Keyed, Rules, Seat, TwoPlayer};
use common::rng::hash_all;
use std::fmt;
use std::str::FromStr;

/// The maximum number of moves in a position, and of plies: more than any search can exhaust.
pub const MAX_TREE_SIDE: u32 = 1 << 16;

/// A position in a random tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    branching: u32,
    depth: u32,
    seed: u64,
    ply: u32,
    /// The moves so far as digits of a number, the last the lowest.
    path: u64,
    /// The sum of their values.
    sum: i32,
}

/// Why a P-game or its text is not valid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// A side outside 1 to [`MAX_TREE_SIDE`], or more leaves than 64 bits can number.
    Size,
    /// Not of the form `BxD seed S`, with or without `moves M.M.M`.
    Form,
    /// A move that does not exist.
    NoMove {
        /// The move as it was written.
        word: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Size => write!(
                f,
                "a tree has 1 to {MAX_TREE_SIDE} branches and layers, and less than 2^64 leaves"
            ),
            Error::Form => f.write_str(
                "write branches, layers and seed as `2x20 seed 7`, and moves as `moves 0.1.1`",
            ),
            Error::NoMove { word } => write!(f, "{word:?} is not a move in this tree"),
        }
    }
}

impl std::error::Error for Error {}

impl Position {
    /// The root of the tree with `branching` moves everywhere and `depth` plies.
    ///
    /// # Errors
    ///
    /// If either is 0 or over [`MAX_TREE_SIDE`], or the tree has 2^64 leaves or more.
    pub fn new(branching: u32, depth: u32, seed: u64) -> Result<Position, Error> {
        let sides_fit = [branching, depth].iter().all(|side| (1..=MAX_TREE_SIDE).contains(side));
        if !sides_fit || u64::from(branching).checked_pow(depth).is_none() {
            return Err(Error::Size);
        }
        Ok(Position { branching, depth, seed, ply: 0, path: 0, sum: 0 })
    }

    /// Plies played so far.
    pub const fn ply(&self) -> u32 {
        self.ply
    }

    /// The sum of the values of the moves so far.
    pub const fn sum(&self) -> i32 {
        self.sum
    }

    /// The player to move: MAX is the first.
    pub const fn turn(&self) -> Seat {
        if self.ply.is_multiple_of(2) { Seat::First } else { Seat::Second }
    }

    /// The value of a move here.
    pub fn value(&self, mv: u32) -> i32 {
        let random = hash_all([self.seed, u64::from(self.ply), self.child(mv)]);
        // The highest seven bits: 128 values, equally likely.
        let size = (random >> 57) as i32;
        match self.turn() {
            Seat::First => size,
            Seat::Second => -size,
        }
    }

    const fn child(&self, mv: u32) -> u64 {
        self.path.wrapping_mul(self.branching as u64).wrapping_add(mv as u64)
    }

    /// The moves that lead here.
    pub fn moves_so_far(&self) -> Vec<u32> {
        let branching = u64::from(self.branching);
        let digits = std::iter::successors(Some(self.path), |path| Some(path / branching));
        let last_first = digits.take(self.ply as usize).map(|path| (path % branching) as u32);
        let mut moves: Vec<u32> = last_first.collect();
        moves.reverse();
        moves
    }
}

impl Rules for Position {
    type Move = u32;

    fn legal_moves(&self) -> Vec<u32> {
        if self.ply < self.depth { (0..self.branching).collect() } else { Vec::new() }
    }

    /// Never panics: after an illegal move the position means nothing.
    fn play_unchecked(&self, mv: u32) -> Position {
        let sum = self.sum.saturating_add(self.value(mv));
        Position { ply: self.ply.saturating_add(1), path: self.child(mv), sum, ..*self }
    }
}

impl TwoPlayer for Position {
    fn seat(&self) -> Seat {
        self.turn()
    }

    fn ending(&self) -> Option<Ending> {
        let winner = if self.sum > 0 { Seat::First } else { Seat::Second };
        (self.ply == self.depth).then_some(Ending::Win(winner))
    }
}

impl Keyed for Position {
    fn key(&self) -> u64 {
        let shape = [self.branching, self.depth, self.ply].map(u64::from);
        hash_all(shape.into_iter().chain([self.seed, self.path]))
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{} seed {}", self.branching, self.depth, self.seed)?;
        if self.ply > 0 {
            let moves: Vec<String> = self.moves_so_far().iter().map(u32::to_string).collect();
            write!(f, " moves {}", moves.join("."))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Position {
    type Err = Error;

    fn from_str(text: &str) -> Result<Position, Error> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let (size, seed, moves) = match words[..] {
            [size, "seed", seed] => (size, seed, None),
            [size, "seed", seed, "moves", moves] => (size, seed, Some(moves)),
            _ => return Err(Error::Form),
        };
        let (branching, depth) = size.split_once('x').ok_or(Error::Form)?;
        let root = Position::new(number(branching)?, number(depth)?, number(seed)?)?;
        moves.into_iter().flat_map(|moves| moves.split('.')).try_fold(root, read_move)
    }
}

/// A number in its one canonical form.
fn number<T: FromStr + ToString>(text: &str) -> Result<T, Error> {
    let number = text.parse::<T>().ok().filter(|number| number.to_string() == text);
    number.ok_or(Error::Form)
}

fn read_move(position: Position, word: &str) -> Result<Position, Error> {
    let mv = number(word).ok().filter(|mv| position.legal_moves().contains(mv));
    let refusal = || Error::NoMove { word: word.chars().take(20).collect() };
    mv.map(|mv| position.play_unchecked(mv)).ok_or_else(refusal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_uniform() {
        // 8^5 moves of MAX: each of the 128 values some 256 times, with a deviation of 16.
        let mut counts = [0u32; 128];
        let root = Position::new(8, 5, 1).unwrap();
        let level = |positions: Vec<Position>| -> Vec<Position> {
            positions.iter().flat_map(|p| (0..8).map(|mv| p.play_unchecked(mv))).collect()
        };
        let leaves = (0..4).fold(vec![root], |positions, _| level(positions));
        for (leaf, mv) in leaves.iter().flat_map(|leaf| (0..8).map(move |mv| (leaf, mv))) {
            counts[leaf.value(mv) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (256 - 80..=256 + 80).contains(count)), "{counts:?}");
        for position in level(vec![root]) {
            assert!((0..8).all(|mv| (-127..=0).contains(&position.value(mv))));
        }
    }

    #[test]
    fn invalid_positions_are_refused() {
        let refusal = |text: &str| text.parse::<Position>().unwrap_err();
        for text in ["", "2x20", "2x20 seed", "2x20 seed x", "2 20 seed 7", "02x20 seed 7"] {
            assert_eq!(refusal(text), Error::Form, "{text}");
        }
        for text in ["0x1 seed 7", "1x0 seed 7", "2x64 seed 7", "1x99999999 seed 7"] {
            assert_eq!(refusal(text), Error::Size, "{text}");
        }
        for moves in ["2", "0.", "0.0.0.0", "-1"] {
            let text = format!("2x3 seed 7 moves {moves}");
            assert!(matches!(refusal(&text), Error::NoMove { .. }), "{text}");
        }
    }
}
