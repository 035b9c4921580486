//! Heuristic evaluation: roughly how many moves it takes to mate a lone king.

use games::kriegspiel::{BitBoard, LoneKing, OwnPieces, Piece, Square};

/// The cost of a draw, in moves.
pub(super) const DRAW_COST: f32 = 400.0;

/// The rings of the board, the outermost first.
const RINGS: [u64; 4] =
    [0xff81_8181_8181_81ff, 0x007e_4242_4242_7e00, 0x0000_3c24_243c_0000, 0x0000_0018_1800_0000];

/// The weights of the features, in moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvaluationWeights(pub [f32; EvaluationWeights::NUM]);

impl EvaluationWeights {
    /// The number of features.
    pub const NUM: usize = 10;
}

impl Default for EvaluationWeights {
    fn default() -> EvaluationWeights {
        EvaluationWeights([
            0.5,   // squares of the region that the king cannot leave
            -0.25, // square root of their number
            0.25,  // squares where the king may be now
            2.7,   // average distance from the edge over the region
            0.8,   // average distance between the kings
            0.1,   // shorter side of the region
            -0.2,  // longer side of the region
            -0.2,  // average distance between the own king and its pieces
            6.0,   // points of material that are missing for an easy mate
            0.15,  // average distance from the edge over the squares where the king may be
        ])
    }
}

/// The index of the weight of missing material.
const MISSING_MATERIAL: usize = 8;

/// The squares around one.
pub(super) fn around(square: Square) -> BitBoard {
    within(square, 1)
}

/// The squares within this many king moves.
fn within(square: Square, steps: i8) -> BitBoard {
    let (file, rank) = (square.file() as i8, square.rank() as i8);
    let clip = |from: i8| (0.max(from - steps), 7.min(from + steps));
    let ((left, right), (low, high)) = (clip(file), clip(rank));
    let row = ((1u64 << (right - left + 1)) - 1) << left;
    (low..=high).fold(BitBoard::EMPTY, |all, rank| all | BitBoard(row << (8 * rank)))
}

/// The average distance of the own king from these squares, in king moves.
fn distance(king: Square, squares: BitBoard) -> f32 {
    let farther = |steps| (squares & !within(king, steps)).len();
    let sum: u32 = (0..7).map(farther).sum();
    sum as f32 / squares.len().max(1) as f32
}

/// Material towards an easy mate, in points: nine are enough.
fn material_points(own: &OwnPieces) -> f32 {
    let count = |piece| own.pieces(piece).len() as f32;
    let bishops = own.pieces(Piece::Bishop);
    let both = !(bishops & BitBoard::DARK_SQUARES).is_empty()
        && !(bishops & BitBoard::LIGHT_SQUARES).is_empty();
    let color = own.color();
    let pawns = own.pieces(Piece::Pawn).into_iter().map(|square| {
        let steps = square.rank().relative_to(color) as u8;
        0.5 + 0.5 * f32::from(steps)
    });
    9.0 * count(Piece::Queen)
        + 7.0 * count(Piece::Rook)
        + count(Piece::Knight)
        + if both { 5.0 } else { 1.0 }
        + pawns.fold(0.0, f32::max)
}

/// The average distance of these squares from the edge.
fn edge_distance(squares: BitBoard) -> f32 {
    let in_ring = |(ring, &mask): (usize, &u64)| ring as u32 * (squares.0 & mask).count_ones();
    let sum: u32 = RINGS.iter().enumerate().map(in_ring).sum();
    sum as f32 / squares.len().max(1) as f32
}

/// The shorter and the longer side of the bounding box of these squares.
fn sides(squares: BitBoard) -> (f32, f32) {
    let ranks =
        1 + (63 - squares.0.leading_zeros() as i32) / 8 - squares.0.trailing_zeros() as i32 / 8;
    let mut row = squares.0;
    for by in [32, 16, 8] {
        row |= row >> by;
    }
    let row = row as u8;
    let files = 8 - row.leading_zeros() as i32 - row.trailing_zeros() as i32;
    (ranks.min(files) as f32, ranks.max(files) as f32)
}

/// The estimated cost of mating, in moves.
pub(super) fn cost(now: &LoneKing, weights: &EvaluationWeights) -> f32 {
    let own = now.own();
    let Some(king) = own.king() else { return DRAW_COST };
    let (region, squares) = (now.region(), now.squares());
    let (shorter, longer) = sides(region);
    let pieces = own.all() & !own.pieces(Piece::King) & !own.pieces(Piece::Pawn);
    let features = [
        region.len() as f32,
        (region.len() as f32).sqrt(),
        squares.len() as f32,
        edge_distance(region),
        distance(king, squares),
        shorter,
        longer,
        distance(king, pieces),
        (9.0 - material_points(own)).max(0.0),
        edge_distance(squares),
    ];
    features.iter().zip(weights.0).map(|(feature, weight)| feature * weight).sum()
}

/// The cost of losing the piece on `square`, in moves.
pub(super) fn capture_cost(now: &LoneKing, square: Square, weights: &EvaluationWeights) -> f32 {
    let left = material_points(&now.own().captured(square));
    if left < 5.0 { DRAW_COST } else { 25.0 + weights.0[MISSING_MATERIAL] * (9.0 - left).max(0.0) }
}
