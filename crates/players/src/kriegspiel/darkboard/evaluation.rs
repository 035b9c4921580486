//! What a metaposition is worth, in pawns (P2, section 5): safe material, position, information,
//! and progress towards mate.

use super::Context;
use super::density::Density;
use games::kriegspiel::{BitBoard, Metaposition, Own, Piece, Try};

/// Of pawn, knight, bishop, rook, queen, king.
const VALUES: [f32; Piece::NUM] = [1.0, 3.0, 3.2, 5.0, 9.5, 0.0];

/// What a captured man is worth on average, if it is a piece.
const PIECE: f32 = 4.0;

/// What a pawn is worth beyond its value, by its rank from home.
const ADVANCE: [f32; 8] = [0.0, 0.0, 0.03, 0.1, 0.3, 0.8, 1.8, 0.0];

/// What each thing is worth. Tuned by matches against `random` and `greedy`.
mod weight {
    /// How much of a threatened man is lost: one that has just captured, moved, or neither.
    pub(super) const RISK: [f32; 3] = [0.8, 0.35, 0.25];
    /// A capture that is only likely.
    pub(super) const HOPE: f32 = 0.8;
    /// A square that own men control.
    pub(super) const CONTROL: f32 = 0.03;
    /// A rook or queen on a file without own pawns.
    pub(super) const OPEN_FILE: f32 = 0.15;
    /// A pseudopiece.
    pub(super) const ENTROPY: f32 = 0.012;
    /// A rank that the king has left home, while pieces are about.
    pub(super) const KING_HOME: f32 = 0.25;
    /// A square where the other king may go, when little else is left.
    pub(super) const REGION: f32 = 0.06;
    /// A king that is mated for all that is known of it.
    pub(super) const MATE: f32 = 6.0;
    /// One that is stalemated.
    pub(super) const STALEMATE: f32 = 30.0;
    /// A ply beyond those after which the fifty-move rule comes near.
    pub(super) const LATE: f32 = 0.05;
    /// A placement that has been there before.
    pub(super) const REPEATED: f32 = 0.4;
}

/// Plies without a capture or a move of a pawn that do not matter yet.
const EARLY: u16 = 40;

/// The balance of material: own values less those of the other side, as far as they are known.
pub(super) fn balance(meta: &Metaposition) -> f32 {
    own_material(meta.own()) - others_material(meta)
}

fn own_material(own: &Own) -> f32 {
    Piece::ALL.into_iter().map(|piece| VALUES[piece as usize] * own.men(piece).len() as f32).sum()
}

fn others_material(meta: &Metaposition) -> f32 {
    let pawns = f32::from(meta.pawns_left());
    pawns + PIECE * (f32::from(meta.men_left()) - 1.0 - pawns)
}

/// The value of an own try in `before` that led to `after`.
pub(super) fn value(
    context: &Context<'_>,
    before: &Metaposition,
    hopes: &Density,
    attempt: Try,
    after: &Metaposition,
) -> f32 {
    let density = Density::of(after, context.options.age);
    let captured = after.men_left() < before.men_left();
    let hope = if captured { 0.0 } else { hope(before, hopes, attempt) };
    balance(after) + hope - risk(after, &density, attempt, captured)
        + position(after)
        + information(context, after)
        + progress(before, after)
        - dullness(context, after)
}

/// What a try is likely to capture.
fn hope(before: &Metaposition, density: &Density, attempt: Try) -> f32 {
    let pawns = before.ghosts(Piece::Pawn).has(attempt.to);
    let others = (before.may_be_occupied() & !before.ghosts(Piece::Pawn)).has(attempt.to);
    let worth = match (pawns, others) {
        (true, true) => 0.5 * (1.0 + PIECE),
        (true, false) => 1.0,
        _ => PIECE,
    };
    if before.own().men(Piece::Pawn).has(attempt.from) {
        return 0.0; // straight on it captures nothing
    }
    weight::HOPE * density.occupied[attempt.to as usize] * worth
}

/// What the own men are likely to lose.
fn risk(after: &Metaposition, density: &Density, attempt: Try, captured: bool) -> f32 {
    let own = after.own();
    let defended = own.attacked(own.all() | after.occupied());
    let mut risk = 0.0;
    for piece in [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
        for square in own.men(piece) {
            let value = VALUES[piece as usize];
            let at_stake =
                if defended.has(square) { (value - 2.5).max(0.15 * value) } else { value };
            let known = match (square == attempt.to, captured) {
                (true, true) => 0,
                (true, false) => 1,
                _ => 2,
            };
            risk += weight::RISK[known] * at_stake * density.attack(after, square);
        }
    }
    risk
}

/// Pawns, files, control and the king's home.
fn position(after: &Metaposition) -> f32 {
    let own = after.own();
    let side = own.side();
    let pawns = own.men(Piece::Pawn);
    let advance: f32 =
        pawns.into_iter().map(|square| ADVANCE[square.rank().relative_to(side) as usize]).sum();
    let heavy = own.men(Piece::Rook) | own.men(Piece::Queen);
    let open = heavy.into_iter().filter(|square| (square.file().bitboard() & pawns).is_empty());
    let control = own.attacked(own.all() | after.occupied()).len() as f32;
    let pieces = (f32::from(after.men_left()) - 1.0 - f32::from(after.pawns_left())).min(4.0);
    let away = own.king().map_or(0.0, |king| (king.rank().relative_to(side) as u8).into());
    advance + weight::OPEN_FILE * open.count() as f32 + weight::CONTROL * control
        - weight::KING_HOME * away * pieces / 4.0
}

/// What is not known counts against a metaposition.
fn information(context: &Context<'_>, after: &Metaposition) -> f32 {
    if context.options.information { -weight::ENTROPY * entropy(after) } else { 0.0 }
}

/// P2's entropy of the chessboard: the number of pseudopieces.
pub fn entropy(meta: &Metaposition) -> f32 {
    meta.pseudopieces() as f32
}

/// Towards mate: the other king shall have few squares, and those at the edge; but not none while
/// it is not in check and nothing else can move.
fn progress(before: &Metaposition, after: &Metaposition) -> f32 {
    let left = 1.0 - others_material(after).min(24.0) / 24.0;
    let kings = after.ghosts(Piece::King);
    let share = |squares: BitBoard| squares.len() as f32 / kings.len().max(1) as f32;
    let [mated, stalemated] = after.cornered(before).map(share);
    let centre = BitBoard(0x0000_3c3c_3c3c_0000);
    let free = after.king_moves().len() as f32 + 0.5 * (kings & centre).len() as f32;
    weight::MATE * mated
        - left * weight::REGION * free
        - weight::STALEMATE * stalemated * nothing_else_moves(after)
}

/// How likely it is that none of the other side's men but the king can move.
fn nothing_else_moves(meta: &Metaposition) -> f32 {
    let pawns = meta.ghosts(Piece::Pawn).len() as f32;
    let stopped = meta.stopped_pawns().len() as f32;
    // A pawn that can go on does so sooner or later, and then stands before the one that stops it.
    let stopped = 4.0 * stopped / (3.0 * stopped + pawns).max(1.0);
    let count = i32::from(meta.pawns_left());
    let pieces = i32::from(meta.men_left()) - 1 - count;
    (0.05 + 0.95 * stopped).powi(count) * 0.15_f32.powi(pieces)
}

/// Moves that lead nowhere.
fn dullness(context: &Context<'_>, after: &Metaposition) -> f32 {
    let late = after.clock().saturating_sub(EARLY);
    let times = context.placements.count(after.own()) as f32;
    weight::LATE * f32::from(late) + weight::REPEATED * times
}
