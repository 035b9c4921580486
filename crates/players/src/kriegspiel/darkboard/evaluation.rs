//! What a metaposition is worth, in pawns (P2, section 5): safe material, position, information,
//! and progress towards mate.

use super::density::Density;
use super::{Context, Weights};
use games::kriegspiel::{BitBoard, Metaposition, Own, Piece, Try};

/// Of pawn, knight, bishop, rook, queen, king.
const VALUES: [f32; Piece::NUM] = [1.0, 3.0, 3.2, 5.0, 9.5, 0.0];

/// Material of pieces that mates.
const ENOUGH: f32 = 7.0;

/// What a pawn is worth beyond its value, by its rank from home.
const ADVANCE: [f32; 8] = [0.0, 0.0, 0.03, 0.1, 0.3, 0.8, 1.8, 0.0];

/// Plies without a capture or a move of a pawn that do not matter yet.
const EARLY: u16 = 40;

/// The balance of material: own values less those of the other side, as far as they are known.
pub(super) fn balance(w: &Weights, meta: &Metaposition) -> f32 {
    own_material(w, meta.own()) - others_material(w, meta)
}

fn own_material(w: &Weights, own: &Own) -> f32 {
    let worth = |piece: Piece| VALUES[piece as usize] * own.men(piece).len() as f32;
    let pawns = worth(Piece::Pawn);
    let pieces: f32 =
        [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].into_iter().map(worth).sum();
    // Without a rook or more, mate has to come from a pawn.
    if pieces < ENOUGH { pieces + (1.0 + w.last_pawns) * pawns } else { pieces + pawns }
}

fn others_material(w: &Weights, meta: &Metaposition) -> f32 {
    let pawns = f32::from(meta.pawns_left());
    pawns + w.piece * (f32::from(meta.men_left()) - 1.0 - pawns)
}

/// The value of an own try in `before` that led to `after`.
pub(super) fn value(
    context: &Context<'_>,
    before: &Metaposition,
    hopes: &Density,
    attempt: Try,
    after: &Metaposition,
) -> f32 {
    let w = &context.options.weights;
    let density = Density::of(after, &context.fading);
    let captured = after.men_left() < before.men_left();
    let hope = if captured { 0.0 } else { hope(w, before, hopes, attempt) };
    balance(w, after) + hope - risk(w, after, &density, attempt, captured)
        + position(w, after)
        + information(context, after)
        + progress(w, before, after)
        - dullness(context, after)
}

/// What a try is likely to capture, less what is lost to the one who takes it back.
fn hope(w: &Weights, before: &Metaposition, density: &Density, attempt: Try) -> f32 {
    let own = before.own();
    let Some(piece) = own.piece_on(attempt.from).filter(|&piece| piece != Piece::Pawn) else {
        return 0.0; // a pawn that goes straight on captures nothing
    };
    let pawns = before.ghosts(Piece::Pawn).has(attempt.to);
    let others = (before.may_be_occupied() & !before.ghosts(Piece::Pawn)).has(attempt.to);
    let worth = match (pawns, others) {
        (true, true) => 0.5 * (1.0 + w.piece),
        (true, false) => 1.0,
        _ => w.piece,
    };
    let lost = w.risk_capturing * guard(w, before) * at_stake(piece, false);
    w.hope * density.occupied[attempt.to as usize] * (worth - lost)
}

/// How likely a man that captures is taken back: the other side sees where, and its men stand
/// together.
fn guard(w: &Weights, meta: &Metaposition) -> f32 {
    1.0 - (1.0 - w.guards).powi(i32::from(meta.men_left()) - 1)
}

/// What is lost with a man, if it is taken back or not.
fn at_stake(piece: Piece, defended: bool) -> f32 {
    let value = VALUES[piece as usize];
    if defended { (value - 2.5).max(0.15 * value) } else { value }
}

/// What the own men are likely to lose.
fn risk(w: &Weights, after: &Metaposition, density: &Density, attempt: Try, captured: bool) -> f32 {
    let own = after.own();
    let defended = own.attacked(own.all() | after.occupied());
    let mut risk = 0.0;
    for piece in [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
        for square in own.men(piece) {
            let (by_pawn, other) = density.attack(after, square);
            let (known, other) = match (square == attempt.to, captured) {
                (true, true) => (w.risk_capturing, other.max(guard(w, after))),
                (true, false) => (w.risk_moving, other),
                _ => (w.risk_standing, other),
            };
            let defended = defended.has(square);
            let value = VALUES[piece as usize];
            let to_pawn = if defended { (value - 0.8).max(0.1) } else { value };
            let by_pawn = w.risk_by_pawn * by_pawn;
            risk += by_pawn * to_pawn + (1.0 - by_pawn) * known * other * at_stake(piece, defended);
        }
    }
    risk
}

/// Pawns, files, control and the king's home.
fn position(w: &Weights, after: &Metaposition) -> f32 {
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
    w.advance * advance + w.open_file * open.count() as f32 + w.control * control
        - w.king_home * away * pieces / 4.0
}

/// What is not known counts against a metaposition.
fn information(context: &Context<'_>, after: &Metaposition) -> f32 {
    let w = &context.options.weights;
    if context.options.information { -w.entropy * entropy(after) } else { 0.0 }
}

/// P2's entropy of the chessboard: the number of pseudopieces.
pub fn entropy(meta: &Metaposition) -> f32 {
    meta.pseudopieces() as f32
}

/// Towards mate: the other king shall have few squares, and those at the edge; but not none while
/// it is not in check and nothing else can move.
fn progress(w: &Weights, before: &Metaposition, after: &Metaposition) -> f32 {
    let left = 1.0 - others_material(w, after).min(24.0) / 24.0;
    let kings = after.ghosts(Piece::King);
    let share = |squares: BitBoard| squares.len() as f32 / kings.len().max(1) as f32;
    let [mated, stalemated] = after.cornered(before).map(share);
    let centre = BitBoard(0x0000_3c3c_3c3c_0000);
    let free = after.king_moves().len() as f32 + 0.5 * (kings & centre).len() as f32;
    w.mate * mated - left * w.region * free - w.stalemate * stalemated * nothing_else_moves(after)
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
    let w = &context.options.weights;
    let late = after.clock().saturating_sub(EARLY);
    let times = context.placements.count(after.own()) as f32;
    w.late * f32::from(late) + w.repeated * times
}
