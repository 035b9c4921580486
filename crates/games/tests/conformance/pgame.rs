//! P-games.

use crate::kit::{self, Subject, Twin};
use games::pgame::Position;
use games::{Ending, Keyed, Seat, TwoPlayer, perft};

/// The moves made, as a list.
#[derive(Clone)]
pub(crate) struct Path {
    size: (u32, u32),
    moves: Vec<u32>,
}

/// The seed of every tree examined; the twin has it from the text.
const SEED: u64 = 7;

fn scrambled(z: u64) -> u64 {
    let z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Path {
    /// The value of the move with this index: a chain of three hashes over the seed, the ply and
    /// the moves read as a number.
    fn value(&self, index: usize) -> i32 {
        let digits = self.moves[..=index].iter();
        let path = digits.fold(0, |path, &mv| path * u64::from(self.size.0) + u64::from(mv));
        let random = scrambled(scrambled(scrambled(SEED) ^ index as u64) ^ path);
        let size = (random / (1 << 57)) as i32;
        if index.is_multiple_of(2) { size } else { -size }
    }
}

impl Twin for Path {
    fn steps(&self) -> Vec<String> {
        let moves = if self.moves.len() < self.size.1 as usize { self.size.0 } else { 0 };
        (0..moves).map(|mv| mv.to_string()).collect()
    }

    fn after(&self, step: &str) -> Path {
        let mut after = self.clone();
        after.moves.push(step.parse().unwrap());
        after
    }

    fn text(&self) -> String {
        let moves: Vec<String> = self.moves.iter().map(u32::to_string).collect();
        let note = if moves.is_empty() { "" } else { " moves " };
        format!("{}x{} seed {SEED}{note}{}", self.size.0, self.size.1, moves.join("."))
    }

    fn ending(&self) -> Option<Ending> {
        let sum: i32 = (0..self.moves.len()).map(|index| self.value(index)).sum();
        let winner = if sum > 0 { Seat::First } else { Seat::Second };
        (self.moves.len() == self.size.1 as usize).then_some(Ending::Win(winner))
    }
}

impl Subject for Position {
    type Twin = Path;
    const MAX_PLAYOUT_PLIES: usize = 63;

    fn starts() -> Vec<(Position, Path)> {
        [(2, 20), (8, 8), (2, 63), (500, 3), (3, 1)]
            .map(|(branching, depth)| {
                let root = Position::new(branching, depth, SEED).unwrap();
                (root, Path { size: (branching, depth), moves: Vec::new() })
            })
            .into()
    }

    fn text(&self) -> String {
        self.to_string()
    }

    fn ending(&self) -> Option<Ending> {
        TwoPlayer::ending(self)
    }

    fn key(&self) -> Option<u64> {
        Some(Keyed::key(self))
    }

    fn read_again(&self) -> Option<Position> {
        Some(self.to_string().parse().expect("what is written can be read"))
    }
}

#[test]
fn pgame_conforms() {
    kit::examine::<Position>();
}

#[test]
fn the_tree_is_full() {
    assert_eq!(perft(&Position::new(8, 5, 1).unwrap(), 5), 32_768);
    assert_eq!(perft(&Position::new(2, 3, 1).unwrap(), 4), 0);
}

#[test]
fn seeds_make_different_trees() {
    let root_values = |seed| {
        let root = Position::new(8, 8, seed).unwrap();
        (0..8).map(|mv| root.value(mv)).collect::<Vec<_>>()
    };
    assert_eq!(root_values(1), root_values(1));
    assert_ne!(root_values(1), root_values(2));
}

#[test]
fn a_golden_game_is_replayed() {
    kit::golden("pgame-2x20.txt", 6, |game: &Position| format!("{game}\nsum {}", game.sum()));
}
