//! Where the other side's men are likely to be, by counting.
//!
//! A metaposition says where each kind of man may stand. How many there are is known within bounds,
//! so each square gets its share of them.

use super::Weights;
use games::kriegspiel::{BitBoard, Metaposition, Piece, Square};
use std::sync::LazyLock;

/// How likely each square is to hold something.
pub(super) struct Density {
    /// A man of any kind.
    pub(super) occupied: [f32; 64],
    /// A rook or queen.
    straight: [f32; 64],
    /// A bishop or queen.
    diagonal: [f32; 64],
    knights: [f32; 64],
    pawns: [f32; 64],
    /// A knight, bishop, rook or queen.
    pieces: [f32; 64],
    king: [f32; 64],
    /// The most likely that anything is which is only guessed.
    most: f32,
    /// A line is looked along until it is as unlikely as this to be open.
    line_least: f32,
}

/// Of seven pieces at the start, so many are knights, bishops, rooks and queens.
const SHARES: [(Piece, f32); 4] = [
    (Piece::Knight, 2.0 / 7.0),
    (Piece::Bishop, 2.0 / 7.0),
    (Piece::Rook, 2.0 / 7.0),
    (Piece::Queen, 1.0 / 7.0),
];

/// How much of the chance that a square is still empty is gone after so many unseen moves.
pub(super) struct Fading([f32; 32]);

impl Fading {
    /// Each move takes the same part of what was left.
    pub(super) fn by(w: &Weights) -> Fading {
        let left = (1.0 - w.fade).max(0.0);
        Fading(std::array::from_fn(|age| 1.0 + w.fade_least - left.powi(age as i32)))
    }

    /// All is gone at once: when a square was seen empty does not matter.
    pub(super) const fn at_once() -> Fading {
        Fading([1.0; 32])
    }
}

/// The squares of a line from a square outwards.
struct Ray {
    squares: [u8; 7],
    len: usize,
}

/// For every square its eight rays, the straight ones first.
static RAYS: LazyLock<Vec<[Ray; 8]>> = LazyLock::new(|| {
    const WAYS: [(i8, i8); 8] =
        [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];
    let ray = |from: Square, (file, rank): (i8, i8)| {
        let (mut squares, mut len) = ([0; 7], 0);
        while let Some(square) = from.try_offset(file * (len as i8 + 1), rank * (len as i8 + 1)) {
            squares[len] = square as u8;
            len += 1;
        }
        Ray { squares, len }
    };
    Square::ALL.iter().map(|&from| WAYS.map(|way| ray(from, way))).collect()
});

impl Density {
    pub(super) fn of(meta: &Metaposition, w: &Weights, fading: &Fading) -> Density {
        let weights = weights(meta, fading);
        let pawns = f32::from(meta.pawns_left());
        let pieces = f32::from(meta.pieces_left()) - 1.0 - pawns;
        let spread = |piece: Piece, count: f32| spread(meta, piece, count, &weights);
        let [knights, bishops, rooks, queens] =
            SHARES.map(|(piece, share)| spread(piece, share * pieces));
        let (pawns, king) = (spread(Piece::Pawn, pawns), spread(Piece::King, 1.0));
        let mut density = Density {
            occupied: [0.0; 64],
            straight: sum(&rooks, &queens),
            diagonal: sum(&bishops, &queens),
            pieces: [0.0; 64],
            knights,
            pawns,
            king,
            most: w.guess_most.min(1.0),
            line_least: w.line_least,
        };
        let sure = meta.occupied();
        for square in Square::ALL {
            let at = square as usize;
            density.pieces[at] = density.straight[at] + bishops[at] + knights[at];
            let all = density.pieces[at] + density.pawns[at];
            density.occupied[at] =
                if sure.has(square) { 1.0 } else { (all + density.king[at]).min(density.most) };
        }
        density
    }

    /// About how likely a man on `square` is attacked by a pawn, and by something else.
    pub(super) fn attack(&self, meta: &Metaposition, square: Square) -> (f32, f32) {
        let [knights, pawns, king] = meta.leaper_attackers(square);
        let safe = self.safe_from_sliders(meta.own().all(), square)
            * self.none(knights, &self.knights)
            * self.none(king, &self.king);
        (1.0 - self.none(pawns, &self.pawns), 1.0 - safe)
    }

    /// How likely the king stands on one of these squares.
    pub(super) fn king_on(&self, squares: BitBoard) -> f32 {
        squares.into_iter().map(|at| self.king[at as usize]).sum()
    }

    /// How likely a pawn and how likely a piece is captured on `square`; if it is `sure` that
    /// something is, which of the two.
    pub(super) fn captured(&self, square: Square, sure: bool) -> [f32; 2] {
        let at = square as usize;
        let [pawn, piece] = [self.pawns[at], self.pieces[at]];
        let all = pawn + piece;
        match sure {
            true if all > 0.0 => [pawn / all, piece / all],
            true => [1.0, 0.0], // nothing can stand there: en passant
            false => [pawn, piece].map(|chance| chance / all.max(1.0)),
        }
    }

    fn safe_from_sliders(&self, own: BitBoard, square: Square) -> f32 {
        let mut safe = 1.0;
        for (way, ray) in RAYS[square as usize].iter().enumerate() {
            let sliders = if way < 4 { &self.straight } else { &self.diagonal };
            let mut clear = 1.0_f32;
            for &at in &ray.squares[..ray.len] {
                if own.0 >> at & 1 != 0 || clear < self.line_least {
                    break;
                }
                safe *= 1.0 - clear * sliders[at as usize].min(self.most);
                clear *= 1.0 - self.occupied[at as usize];
            }
        }
        safe
    }

    /// How likely it is that no man stands on any of these squares.
    fn none(&self, squares: BitBoard, chances: &[f32; 64]) -> f32 {
        squares.into_iter().map(|at| 1.0 - chances[at as usize].min(self.most)).product()
    }
}

/// Squares that were empty lately are less likely to hold something.
fn weights(meta: &Metaposition, Fading(gone): &Fading) -> [f32; 64] {
    let mut weights = [1.0; 64];
    for square in meta.may_be_empty() & meta.may_be_occupied() {
        weights[square as usize] = gone[usize::from(meta.age(square)) % gone.len()];
    }
    weights
}

/// So many men of a kind over the squares where they may be.
fn spread(meta: &Metaposition, piece: Piece, count: f32, weights: &[f32; 64]) -> [f32; 64] {
    let squares = meta.pseudopieces(piece);
    let all: f32 = squares.into_iter().map(|square| weights[square as usize]).sum();
    let mut chances = [0.0; 64];
    if count > 0.0 && all > 0.0 {
        for square in squares {
            chances[square as usize] = (count * weights[square as usize] / all).min(1.0);
        }
    }
    chances
}

fn sum(one: &[f32; 64], other: &[f32; 64]) -> [f32; 64] {
    std::array::from_fn(|at| one[at] + other[at])
}
