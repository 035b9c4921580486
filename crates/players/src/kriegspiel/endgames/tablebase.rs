//! Endgame tablebase against a visible lone king: the depth to mate. It is generated on first use.
//!
//! All squares of the king are processed at once. For each placement of the own pieces a bitboard
//! holds the squares where the king is lost, and each iteration of the retrograde analysis computes
//! the bitboards of one more move from those of one move less.

use games::kriegspiel::{BitBoard, Color, LoneKing, OwnPieces, Piece, Square};
use rayon::prelude::*;
use std::sync::OnceLock;

/// The depth of a position without a forced mate.
pub(super) const NO_MATE: u8 = u8::MAX;

/// All pieces but the king.
const OTHERS: [Piece; 5] = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

/// The material of each tablebase: the counts of [`OTHERS`], and the pieces, the weakest first.
const MATERIALS: [([u32; 5], &[Piece]); 4] = [
    ([0, 0, 0, 0, 1], &[Piece::Queen]),
    ([0, 0, 0, 1, 0], &[Piece::Rook]),
    ([0, 0, 2, 0, 0], &[Piece::Bishop, Piece::Bishop]),
    ([0, 1, 1, 0, 0], &[Piece::Knight, Piece::Bishop]),
];

/// The depth to mate for each placement of some pieces and each square of the lone king, with the
/// attacker to move.
#[derive(Debug)]
pub struct Tablebase {
    /// The attacker's pieces besides the king, the weakest first.
    pieces: &'static [Piece],
    /// Moves until mate, by placement, then by square of the lone king.
    depth_to_mate: Vec<[u8; 64]>,
}

/// A reflection of the board: the bits of a square's index that it flips.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Mirror(u8);

impl Mirror {
    /// The reflection that maps this square into the quarter of a1.
    const fn to_quarter(square: Square) -> Mirror {
        let (file, rank) = (square as u8 & 4, square as u8 & 32);
        Mirror((file / 4 * 7) | (rank / 32 * 56))
    }

    const fn square(self, square: Square) -> usize {
        (square as u8 ^ self.0) as usize
    }

    const fn board(self, board: u64) -> u64 {
        let board = if self.0 & 56 != 0 { board.swap_bytes() } else { board };
        if self.0 & 7 != 0 { board.reverse_bits().swap_bytes() } else { board }
    }
}

/// A try of a placement: the placement that it leads to and its reflection, and the squares of the
/// lone king for which it is legal.
struct Transition {
    to: usize,
    mirror: Mirror,
    legal: u64,
}

/// What is computed once for each placement of the attacker's pieces.
struct Placement {
    attacked: u64,
    occupied: u64,
    transitions: Vec<Transition>,
}

impl Tablebase {
    /// The tablebase for these pieces, if they are a king with a queen, a rook, two bishops, or
    /// bishop and knight. With more material mate is found without a tablebase.
    pub fn of(own: &OwnPieces) -> Option<&'static Tablebase> {
        static TABLES: [OnceLock<Tablebase>; 4] = [const { OnceLock::new() }; 4];
        let counts = OTHERS.map(|piece| own.pieces(piece).len());
        let number = MATERIALS.iter().position(|(material, _)| *material == counts)?;
        Some(TABLES[number].get_or_init(|| Tablebase::new(MATERIALS[number].1)))
    }

    /// Calls `visit` with the depth to mate for each square where the king may be; `false` if there
    /// is no own king.
    pub(super) fn for_each_depth(&self, now: &LoneKing, mut visit: impl FnMut(u8)) -> bool {
        let Some((index, mirror)) = self.index(now.own()) else { return false };
        let row = &self.depth_to_mate[index];
        now.squares().into_iter().for_each(|square| visit(row[mirror.square(square)]));
        true
    }

    /// The greatest depth to mate of the squares where the king may be; `None` if it is not lost on
    /// all of them.
    pub fn longest_mate(&self, now: &LoneKing) -> Option<u8> {
        let mut longest = 0;
        let known = self.for_each_depth(now, |moves| longest = longest.max(moves));
        (known && longest != NO_MATE).then_some(longest)
    }

    fn index(&self, own: &OwnPieces) -> Option<(usize, Mirror)> {
        let king = own.king()?;
        let mirror = Mirror::to_quarter(king);
        let king = mirror.square(king);
        let mut index = king % 8 + king / 8 * 4;
        for piece in OTHERS {
            for square in BitBoard(mirror.board(own.pieces(piece).0)) {
                index = 64 * index + square as usize;
            }
        }
        Some((index, mirror))
    }

    fn new(pieces: &'static [Piece]) -> Tablebase {
        let all = 16 << (6 * pieces.len());
        let mut table = Tablebase { pieces, depth_to_mate: vec![[NO_MATE; 64]; all] };
        let placements: Vec<Option<Placement>> =
            (0..all).into_par_iter().map(|index| table.placement(index)).collect();
        let map = |squares: &(dyn Fn(usize, &Placement) -> u64 + Sync)| -> Vec<u64> {
            let one = |(index, one): (usize, &Option<Placement>)| {
                one.as_ref().map_or(0, |one| squares(index, one))
            };
            placements.par_iter().enumerate().map(one).collect()
        };
        let mut won = vec![0; all];
        for moves in 1..NO_MATE {
            let lost = map(&|index, placement| placement.lost(won[index]));
            let next = map(&|_, placement| placement.won(&lost));
            if next == won {
                break;
            }
            table.record(moves, &won, &next);
            won = next;
        }
        table
    }

    /// Records the squares that are won in `moves` moves and were not in fewer.
    fn record(&mut self, moves: u8, before: &[u64], now: &[u64]) {
        for ((row, &before), &now) in self.depth_to_mate.iter_mut().zip(before).zip(now) {
            for square in BitBoard(now & !before) {
                row[square as usize] = moves;
            }
        }
    }

    /// The placement of this index; `None` if pieces share a square, or if pieces of one kind are
    /// not in the order of their squares.
    fn placement(&self, index: usize) -> Option<Placement> {
        let own = self.pieces_at(index);
        if own.all().len() != 1 + self.pieces.len() as u32 || self.index(&own)?.0 != index {
            return None;
        }
        let attacked = LoneKing::new(own, BitBoard::EMPTY).attacked();
        let now = LoneKing::new(own, !(attacked | own.all()));
        let mut transitions = Vec::new();
        own.for_each_try(false, |attempt| {
            if let Some((to, mirror)) = self.index(&own.moved(attempt)) {
                let legal = (now.squares() & !now.refusing(attempt)).0;
                transitions.push(Transition { to, mirror, legal });
            }
        });
        Some(Placement { attacked: attacked.0, occupied: own.all().0, transitions })
    }

    fn pieces_at(&self, index: usize) -> OwnPieces {
        let mut pieces = [BitBoard::EMPTY; Piece::NUM];
        let mut rest = index;
        for &piece in self.pieces.iter().rev() {
            pieces[piece as usize] |= Square::index(rest % 64).bitboard();
            rest /= 64;
        }
        pieces[Piece::King as usize] = Square::index(rest % 4 + rest / 4 * 8).bitboard();
        OwnPieces::new(Color::White, pieces)
    }
}

impl Placement {
    /// The squares where the lone king to move is lost, if with the attacker to move it is lost on
    /// the squares `won`.
    fn lost(&self, won: u64) -> u64 {
        let stuck = !around(!self.attacked);
        !around(!self.attacked & !won) & !(stuck & !self.attacked) & !self.occupied
    }

    /// The squares where the lone king is lost with the attacker to move, from those of all
    /// placements where it is `lost` when it has to move.
    fn won(&self, lost: &[u64]) -> u64 {
        self.transitions
            .iter()
            .fold(0, |won, step| won | step.legal & step.mirror.board(lost[step.to]))
    }
}

/// The squares that kings on these squares attack.
const fn around(set: u64) -> u64 {
    const A_FILE: u64 = 0x0101_0101_0101_0101;
    let beside = (set & !(A_FILE << 7)) << 1 | (set & !A_FILE) >> 1;
    let row = set | beside;
    beside | row << 8 | row >> 8
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::kriegspiel::{Position, Ruling, Termination, umpire};

    /// The depth to mate by plain search, White to move; `None` if it is more than `max_moves`.
    fn slow_search(position: &Position, max_moves: u8) -> Option<u8> {
        (1..=max_moves).find(|&moves| mates(position, moves))
    }

    fn mates(position: &Position, moves: u8) -> bool {
        position.legal_moves().into_iter().any(|attempt| {
            let Ruling::Legal { announcement, after } = umpire(position, attempt) else {
                return false;
            };
            announcement.termination == Some(Termination::Checkmate)
                || announcement.termination.is_none() && moves > 1 && is_mated(&after, moves - 1)
        })
    }

    fn is_mated(position: &Position, moves: u8) -> bool {
        position.legal_moves().into_iter().all(|attempt| match umpire(position, attempt) {
            Ruling::Legal { announcement, after } => {
                announcement.termination.is_none() && mates(&after, moves)
            }
            _ => false,
        })
    }

    fn fast(position: &Position) -> Option<u8> {
        let own = position.own(Color::White);
        let king = position.pieces(Color::Black);
        Tablebase::of(&own).unwrap().longest_mate(&LoneKing::new(own, king))
    }

    #[test]
    fn the_longest_mates_are_as_published() {
        for (pieces, moves) in [("7Q", 10), ("7R", 16), ("5B1B", 19)] {
            let position: Position =
                format!("8/k7/8/8/8/8/2K5/{pieces} w - - 0 1").parse().unwrap();
            let table = Tablebase::of(&position.own(Color::White)).unwrap();
            let all = table.depth_to_mate.iter().flatten().copied();
            assert_eq!(all.filter(|&moves| moves != NO_MATE).max(), Some(moves), "{pieces}");
        }
    }

    #[test]
    fn a_plain_search_agrees() {
        for fen in [
            "k7/8/1K6/8/8/8/8/7R",
            "7k/5K2/8/8/8/8/8/R7",
            "8/8/8/8/8/2K5/7R/k7",
            "k7/2K5/8/8/8/8/8/6Q1",
            "k7/8/1K6/8/8/8/4BB2/8",
            "8/8/8/8/4R3/3k4/8/K7",
            "7k/8/5KBB/8/8/8/8/8",
            "2k5/8/1KN5/3B4/8/8/8/8",
        ] {
            let position: Position = format!("{fen} w - - 0 1").parse().unwrap();
            let (slow, fast) = (slow_search(&position, 3), fast(&position));
            assert_eq!(slow, fast.filter(|&moves| moves <= 3), "{fen}");
        }
    }

    #[test]
    fn a_reflected_position_takes_as_long() {
        let one: Position = "8/8/3k4/8/8/8/1K6/4R3 w - - 0 1".parse().unwrap();
        let other: Position = "3R4/6K1/8/8/8/4k3/8/8 w - - 0 1".parse().unwrap();
        assert_eq!(fast(&one), fast(&other));
        assert!(fast(&one).is_some());
    }
}
