//! Occupancy probabilities: where the opponent's pieces are likely to be, by counting.
//!
//! A metaposition holds the squares where each kind of piece may stand. The number of pieces is known
//! within bounds and is distributed over these squares.

use super::Weights;
use games::kriegspiel::{BitBoard, Metaposition, Piece, Square};
use std::sync::LazyLock;

/// The approximate probabilities that a piece of the opponent stands on each square.
pub(super) struct Occupancy {
    /// A piece of any kind.
    pub(super) occupied: [f32; 64],
    /// A rook or queen.
    straight_sliders: [f32; 64],
    /// A bishop or queen.
    diagonal_sliders: [f32; 64],
    knights: [f32; 64],
    pawns: [f32; 64],
    /// A knight, bishop, rook or queen.
    pieces: [f32; 64],
    king: [f32; 64],
    /// The greatest probability of anything that is not certain.
    max_probability: f32,
    /// Rays are followed while the probability that they are clear is at least this.
    min_clear_probability: f32,
}

/// The share of each kind among the seven pieces at the start, without king and pawns.
const PIECE_SHARES: [(Piece, f32); 4] = [
    (Piece::Knight, 2.0 / 7.0),
    (Piece::Bishop, 2.0 / 7.0),
    (Piece::Rook, 2.0 / 7.0),
    (Piece::Queen, 1.0 / 7.0),
];

/// How much of the probability that a square is still empty is lost, by the square's age in unseen
/// moves.
pub(super) struct EmptinessDecay([f32; 32]);

impl EmptinessDecay {
    /// Each unseen move removes the same share of the remaining probability.
    pub(super) fn new(w: &Weights) -> EmptinessDecay {
        let kept = (1.0 - w.fade).max(0.0);
        EmptinessDecay(std::array::from_fn(|age| 1.0 + w.fade_least - kept.powi(age as i32)))
    }

    /// Everything is lost immediately: the age of a square does not matter.
    pub(super) const fn immediate() -> EmptinessDecay {
        EmptinessDecay([1.0; 32])
    }
}

/// The squares in one direction from a square.
struct Ray {
    squares: [u8; 7],
    len: usize,
}

/// The eight rays of every square, first those on rank and file.
static RAYS: LazyLock<Vec<[Ray; 8]>> = LazyLock::new(|| {
    const DIRECTIONS: [(i8, i8); 8] =
        [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];
    let ray = |from: Square, (file, rank): (i8, i8)| {
        let (mut squares, mut len) = ([0; 7], 0);
        while let Some(square) = from.try_offset(file * (len as i8 + 1), rank * (len as i8 + 1)) {
            squares[len] = square as u8;
            len += 1;
        }
        Ray { squares, len }
    };
    Square::ALL.iter().map(|&from| DIRECTIONS.map(|direction| ray(from, direction))).collect()
});

impl Occupancy {
    pub(super) fn of(meta: &Metaposition, w: &Weights, decay: &EmptinessDecay) -> Occupancy {
        let weights = square_weights(meta, decay);
        let pawns = f32::from(meta.pawns_left());
        let pieces = f32::from(meta.pieces_left()) - 1.0 - pawns;
        let distribute = |piece: Piece, count: f32| distribute(meta, piece, count, &weights);
        let [knights, bishops, rooks, queens] =
            PIECE_SHARES.map(|(piece, share)| distribute(piece, share * pieces));
        let (pawns, king) = (distribute(Piece::Pawn, pawns), distribute(Piece::King, 1.0));
        let mut occupancy = Occupancy {
            occupied: [0.0; 64],
            straight_sliders: sum(&rooks, &queens),
            diagonal_sliders: sum(&bishops, &queens),
            pieces: [0.0; 64],
            knights,
            pawns,
            king,
            max_probability: w.guess_most.min(1.0),
            min_clear_probability: w.line_least,
        };
        let certain = meta.occupied();
        for square in Square::ALL {
            let at = square as usize;
            occupancy.pieces[at] = occupancy.straight_sliders[at] + bishops[at] + knights[at];
            let all = occupancy.pieces[at] + occupancy.pawns[at];
            occupancy.occupied[at] = if certain.has(square) {
                1.0
            } else {
                (all + occupancy.king[at]).min(occupancy.max_probability)
            };
        }
        occupancy
    }

    /// The approximate probabilities that an own piece on `square` is attacked by a pawn, and by any
    /// other piece.
    pub(super) fn attack_probabilities(&self, meta: &Metaposition, square: Square) -> (f32, f32) {
        let [knights, pawns, king] = meta.leaper_attackers(square);
        let safe = self.safe_from_sliders(meta.own().all(), square)
            * self.none_on(knights, &self.knights)
            * self.none_on(king, &self.king);
        (1.0 - self.none_on(pawns, &self.pawns), 1.0 - safe)
    }

    /// The probability that the opponent's king stands on one of these squares.
    pub(super) fn king_probability(&self, squares: BitBoard) -> f32 {
        squares.into_iter().map(|at| self.king[at as usize]).sum()
    }

    /// The probabilities that a pawn and that another piece is captured on `square`, given that it is
    /// `certain` that something is captured, or not.
    pub(super) fn capture_probabilities(&self, square: Square, certain: bool) -> [f32; 2] {
        let at = square as usize;
        let [pawn, piece] = [self.pawns[at], self.pieces[at]];
        let all = pawn + piece;
        match certain {
            true if all > 0.0 => [pawn / all, piece / all],
            true => [1.0, 0.0], // nothing can stand there: en passant
            false => [pawn, piece].map(|probability| probability / all.max(1.0)),
        }
    }

    fn safe_from_sliders(&self, own: BitBoard, square: Square) -> f32 {
        let mut safe = 1.0;
        for (direction, ray) in RAYS[square as usize].iter().enumerate() {
            let sliders =
                if direction < 4 { &self.straight_sliders } else { &self.diagonal_sliders };
            let mut clear = 1.0_f32;
            for &at in &ray.squares[..ray.len] {
                if own.0 >> at & 1 != 0 || clear < self.min_clear_probability {
                    break;
                }
                safe *= 1.0 - clear * sliders[at as usize].min(self.max_probability);
                clear *= 1.0 - self.occupied[at as usize];
            }
        }
        safe
    }

    /// The probability that none of these squares holds a piece with these `probabilities`.
    fn none_on(&self, squares: BitBoard, probabilities: &[f32; 64]) -> f32 {
        squares
            .into_iter()
            .map(|at| 1.0 - probabilities[at as usize].min(self.max_probability))
            .product()
    }
}

/// The weights of the squares: those that were empty recently are less likely to be occupied.
fn square_weights(meta: &Metaposition, EmptinessDecay(lost): &EmptinessDecay) -> [f32; 64] {
    let mut weights = [1.0; 64];
    for square in meta.may_be_empty() & meta.may_be_occupied() {
        weights[square as usize] = lost[usize::from(meta.age(square)) % lost.len()];
    }
    weights
}

/// Distributes `count` pieces of a kind over the squares where they may stand.
fn distribute(meta: &Metaposition, piece: Piece, count: f32, weights: &[f32; 64]) -> [f32; 64] {
    let squares = meta.pseudopieces(piece);
    let all: f32 = squares.into_iter().map(|square| weights[square as usize]).sum();
    let mut probabilities = [0.0; 64];
    if count > 0.0 && all > 0.0 {
        for square in squares {
            probabilities[square as usize] = (count * weights[square as usize] / all).min(1.0);
        }
    }
    probabilities
}

fn sum(one: &[f32; 64], other: &[f32; 64]) -> [f32; 64] {
    std::array::from_fn(|at| one[at] + other[at])
}
