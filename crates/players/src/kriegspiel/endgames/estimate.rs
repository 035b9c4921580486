//! About how many moves a bare king will last, by the look of it.

use games::kriegspiel::{BitBoard, LoneKing, OwnPieces, Piece, Square};

/// What a draw costs, in moves.
pub(super) const DRAWN: f32 = 400.0;

/// The rings of the board, the outermost first.
const RINGS: [u64; 4] =
    [0xff81_8181_8181_81ff, 0x007e_4242_4242_7e00, 0x0000_3c24_243c_0000, 0x0000_0018_1800_0000];

/// What is looked at, and what one of each costs in moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices(pub [f32; Prices::NUM]);

impl Prices {
    /// How many things are looked at.
    pub const NUM: usize = 10;
}

impl Default for Prices {
    fn default() -> Prices {
        Prices([
            0.5,   // a square of the region that the king cannot leave
            -0.25, // the root of their number
            0.25,  // a square where it may be now
            2.7,   // a ring farther from the edge, on average over the region
            0.8,   // a step between the kings, on average
            0.1,   // the shorter color of the region
            -0.2,  // the longer one
            -0.2,  // a step between the own king and its pieces
            6.0,   // a point of material that is missing for an easy mate
            0.15,  // a ring farther from the edge, on average over the squares where it may be
        ])
    }
}

/// What a point of missing material costs.
const POINT: usize = 8;

/// The squares around one.
pub(super) fn around(square: Square) -> BitBoard {
    within(square, 1)
}

/// The squares that are no farther than so many steps of a king.
fn within(square: Square, steps: i8) -> BitBoard {
    let (file, rank) = (square.file() as i8, square.rank() as i8);
    let clip = |from: i8| (0.max(from - steps), 7.min(from + steps));
    let ((left, right), (low, high)) = (clip(file), clip(rank));
    let row = ((1u64 << (right - left + 1)) - 1) << left;
    (low..=high).fold(BitBoard::EMPTY, |all, rank| all | BitBoard(row << (8 * rank)))
}

/// The average of the steps that the own king is away from these squares.
fn distance(king: Square, squares: BitBoard) -> f32 {
    let farther = |steps| (squares & !within(king, steps)).len();
    let sum: u32 = (0..7).map(farther).sum();
    sum as f32 / squares.len().max(1) as f32
}

/// Points of men towards an easy mate: nine are enough.
fn points(own: &OwnPieces) -> f32 {
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

/// The average ring of these squares.
fn ring(squares: BitBoard) -> f32 {
    let in_ring = |(ring, &mask): (usize, &u64)| ring as u32 * (squares.0 & mask).count_ones();
    let sum: u32 = RINGS.iter().enumerate().map(in_ring).sum();
    sum as f32 / squares.len().max(1) as f32
}

/// The shorter and the longer side of the smallest rectangle around these squares.
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

/// What it takes to mate, in moves.
pub(super) fn cost(now: &LoneKing, prices: &Prices) -> f32 {
    let own = now.own();
    let Some(king) = own.king() else { return DRAWN };
    let (region, squares) = (now.region(), now.squares());
    let (shorter, longer) = sides(region);
    let pieces = own.all() & !own.pieces(Piece::King) & !own.pieces(Piece::Pawn);
    let seen = [
        region.len() as f32,
        (region.len() as f32).sqrt(),
        squares.len() as f32,
        ring(region),
        distance(king, squares),
        shorter,
        longer,
        distance(king, pieces),
        (9.0 - points(own)).max(0.0),
        ring(squares),
    ];
    seen.iter().zip(prices.0).map(|(seen, price)| seen * price).sum()
}

/// What it costs to lose the man on `square`.
pub(super) fn loss(now: &LoneKing, square: Square, prices: &Prices) -> f32 {
    let left = points(&now.own().captured(square));
    if left < 5.0 { DRAWN } else { 25.0 + prices.0[POINT] * (9.0 - left).max(0.0) }
}
