//! How long a bare king would last if it were seen: a tablebase, made when it is first asked for.
//!
//! All squares of the king are dealt with at once. For each placement of the own men there is one
//! board of bits that says where the king is lost, and a round of the iteration makes the boards of
//! one move more out of those of one move less.

use games::kriegspiel::{BitBoard, Color, LoneKing, OwnPieces, Piece, Square};
use rayon::prelude::*;
use std::sync::OnceLock;

/// What stands for a king that is never mated.
pub(super) const NEVER: u8 = u8::MAX;

/// All men but the king.
const OTHERS: [Piece; 5] = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

/// How many of [`OTHERS`] there are in each table, and which they are, the weakest first.
const KINDS: [([u32; 5], &[Piece]); 4] = [
    ([0, 0, 0, 0, 1], &[Piece::Queen]),
    ([0, 0, 0, 1, 0], &[Piece::Rook]),
    ([0, 0, 2, 0, 0], &[Piece::Bishop, Piece::Bishop]),
    ([0, 1, 1, 0, 0], &[Piece::Knight, Piece::Bishop]),
];

/// Moves until mate for each placement of some men and each square of the king, the hunter to move.
#[derive(Debug)]
pub struct Sighted {
    /// The men beside the king, the weakest first.
    pieces: &'static [Piece],
    /// By placement, then by square of the bare king.
    moves: Vec<[u8; 64]>,
}

/// A mirroring of the board: the bits of a square's number that it turns over.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Mirror(u8);

impl Mirror {
    /// The one that brings this square into the quarter around a1.
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

/// A try of a placement: where it leads, and what king it needs.
struct Step {
    to: usize,
    mirror: Mirror,
    legal: u64,
}

/// What does not change of a placement.
struct Placement {
    attacked: u64,
    occupied: u64,
    steps: Vec<Step>,
}

impl Sighted {
    /// The table for these men beside the king: a queen, a rook, two bishops, or bishop and knight.
    /// More men mate without one.
    pub fn of(own: &OwnPieces) -> Option<&'static Sighted> {
        static TABLES: [OnceLock<Sighted>; 4] = [const { OnceLock::new() }; 4];
        let counts = OTHERS.map(|piece| own.pieces(piece).len());
        let number = KINDS.iter().position(|(kind, _)| *kind == counts)?;
        Some(TABLES[number].get_or_init(|| Sighted::new(KINDS[number].1)))
    }

    /// Calls `visit` with the moves until mate from each square where the king may be; `false` if
    /// these men are not those of the table.
    pub(super) fn each(&self, now: &LoneKing, mut visit: impl FnMut(u8)) -> bool {
        let Some((index, mirror)) = self.index(now.own()) else { return false };
        let row = &self.moves[index];
        now.squares().into_iter().for_each(|square| visit(row[mirror.square(square)]));
        true
    }

    /// Moves until mate from the worst square where the king may be; `None` if it is not lost there.
    pub fn longest(&self, now: &LoneKing) -> Option<u8> {
        let mut longest = 0;
        let known = self.each(now, |moves| longest = longest.max(moves));
        (known && longest != NEVER).then_some(longest)
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

    fn new(pieces: &'static [Piece]) -> Sighted {
        let all = 16 << (6 * pieces.len());
        let mut table = Sighted { pieces, moves: vec![[NEVER; 64]; all] };
        let placements: Vec<Option<Placement>> =
            (0..all).into_par_iter().map(|index| table.placement(index)).collect();
        let each = |deal: &(dyn Fn(usize, &Placement) -> u64 + Sync)| -> Vec<u64> {
            let one = |(index, one): (usize, &Option<Placement>)| {
                one.as_ref().map_or(0, |one| deal(index, one))
            };
            placements.par_iter().enumerate().map(one).collect()
        };
        let mut won = vec![0; all];
        for moves in 1..NEVER {
            let lost = each(&|index, placement| placement.lost(won[index]));
            let next = each(&|_, placement| placement.won(&lost));
            if next == won {
                break;
            }
            table.note(moves, &won, &next);
            won = next;
        }
        table
    }

    /// Notes what is won in so many moves and was not in fewer.
    fn note(&mut self, moves: u8, before: &[u64], now: &[u64]) {
        for ((row, &before), &now) in self.moves.iter_mut().zip(before).zip(now) {
            for square in BitBoard(now & !before) {
                row[square as usize] = moves;
            }
        }
    }

    /// The placement of this number; `None` if men share a square, or men of one kind stand in
    /// another order than that of their squares.
    fn placement(&self, index: usize) -> Option<Placement> {
        let own = self.men_at(index);
        if own.all().len() != 1 + self.pieces.len() as u32 || self.index(&own)?.0 != index {
            return None;
        }
        let attacked = LoneKing::new(own, BitBoard::EMPTY).attacked();
        let now = LoneKing::new(own, !(attacked | own.all()));
        let mut steps = Vec::new();
        own.for_each_try(false, |attempt| {
            if let Some((to, mirror)) = self.index(&own.moved(attempt)) {
                let legal = (now.squares() & !now.refusing(attempt)).0;
                steps.push(Step { to, mirror, legal });
            }
        });
        Some(Placement { attacked: attacked.0, occupied: own.all().0, steps })
    }

    fn men_at(&self, index: usize) -> OwnPieces {
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
    /// Where the king that has to move is lost, if the hunter has `won` against it on these squares.
    fn lost(&self, won: u64) -> u64 {
        let stuck = !around(!self.attacked);
        !around(!self.attacked & !won) & !(stuck & !self.attacked) & !self.occupied
    }

    /// Where the king is lost with the hunter to move, if it is `lost` there once it has to move.
    fn won(&self, lost: &[u64]) -> u64 {
        self.steps.iter().fold(0, |won, step| won | step.legal & step.mirror.board(lost[step.to]))
    }
}

/// Where a king on one of these squares can go.
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

    /// Moves until mate by plain search, White to move; `None` if there is none of so many.
    fn slow(position: &Position, most: u8) -> Option<u8> {
        (1..=most).find(|&moves| mates(position, moves))
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
        Sighted::of(&own).unwrap().longest(&LoneKing::new(own, king))
    }

    #[test]
    fn the_longest_mates_are_the_known_ones() {
        for (pieces, moves) in [("7Q", 10), ("7R", 16), ("5B1B", 19)] {
            let position: Position =
                format!("8/k7/8/8/8/8/2K5/{pieces} w - - 0 1").parse().unwrap();
            let table = Sighted::of(&position.own(Color::White)).unwrap();
            let all = table.moves.iter().flatten().copied();
            assert_eq!(all.filter(|&moves| moves != NEVER).max(), Some(moves), "{pieces}");
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
            let (slow, fast) = (slow(&position, 3), fast(&position));
            assert_eq!(slow, fast.filter(|&moves| moves <= 3), "{fen}");
        }
    }

    #[test]
    fn a_mirrored_board_takes_as_long() {
        let one: Position = "8/8/3k4/8/8/8/1K6/4R3 w - - 0 1".parse().unwrap();
        let other: Position = "3R4/6K1/8/8/8/4k3/8/8 w - - 0 1".parse().unwrap();
        assert_eq!(fast(&one), fast(&other));
        assert!(fast(&one).is_some());
    }
}
