//! What a metaposition is worth, in pawns (P2, section 5): safe material, position, information,
//! and progress towards mate.

use super::density::Density;
use super::{Context, Weights};
use games::kriegspiel::{BitBoard, Metaposition, OwnPieces, Piece, Square, Try};

/// The balance of material: own values less those of the other side, as far as they are known.
pub(super) fn balance(w: &Weights, meta: &Metaposition) -> f32 {
    own_material(w, meta.own()) - others_material(w, meta)
}

fn own_material(w: &Weights, own: &OwnPieces) -> f32 {
    Piece::ALL.iter().map(|&piece| w.of(piece) * own.pieces(piece).len() as f32).sum()
}

fn others_material(w: &Weights, meta: &Metaposition) -> f32 {
    let pawns = f32::from(meta.pawns_left());
    pawns + w.piece * (f32::from(meta.pieces_left()) - 1.0 - pawns)
}

/// The value of an own try in `before` that led to `after`, and perhaps to an end.
pub(super) fn value(
    context: &Context<'_>,
    before: &Metaposition,
    hopes: &Density,
    attempt: Try,
    after: &Metaposition,
    ending: Ending,
) -> f32 {
    let w = &context.options.weights;
    let density = Density::of(after, w, &context.fading);
    let captured = after.pieces_left() < before.pieces_left();
    let hope = if captured { 0.0 } else { hope(w, before, hopes, attempt) };
    balance(w, after) + hope
        - risk(w, after, &density, attempt, captured)
        - risk_by_king(w, before, hopes, attempt, after)
        + position(w, after)
        + information(context, after)
        + progress(w, after, ending)
        - dullness(context, after)
}

/// What a try is likely to capture, less what is lost to the one who takes it back.
fn hope(w: &Weights, before: &Metaposition, density: &Density, attempt: Try) -> f32 {
    let own = before.own();
    let Some(piece) = own.piece_on(attempt.from).filter(|&piece| piece != Piece::Pawn) else {
        return 0.0; // a pawn that goes straight on captures nothing
    };
    let pawns = before.pseudopieces(Piece::Pawn).has(attempt.to);
    let others = (before.may_be_occupied() & !before.pseudopieces(Piece::Pawn)).has(attempt.to);
    let worth = match (pawns, others) {
        (true, true) => f32::midpoint(1.0, w.piece),
        (true, false) => 1.0,
        _ => w.piece,
    };
    let lost = w.risk_capturing * guard(w, before) * w.of(piece);
    w.hope * density.occupied[attempt.to as usize] * (worth - lost)
}

/// How likely a man that captures is taken back: the other side sees where, and its men stand
/// together.
fn guard(w: &Weights, meta: &Metaposition) -> f32 {
    1.0 - (1.0 - w.guards).powi(i32::from(meta.pieces_left()) - 1)
}

/// What is lost with a man, if taking back wins so much.
fn at_stake(w: &Weights, piece: Piece, revenge: f32) -> f32 {
    let value = w.of(piece);
    (value - revenge).max(w.risk_least * value)
}

/// What the own men are likely to lose.
fn risk(w: &Weights, after: &Metaposition, density: &Density, attempt: Try, captured: bool) -> f32 {
    let own = after.own();
    let defended = own.attacked(own.all() | after.occupied());
    let mut risk = 0.0;
    for piece in [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
        for square in own.pieces(piece) {
            let (by_pawn, other) = density.attack(after, square);
            let (known, other) = match (square == attempt.to, captured) {
                (true, true) => (w.risk_capturing, other.max(guard(w, after))),
                (true, false) => (w.risk_moving, other),
                _ => (w.risk_standing, other),
            };
            let stake = |revenge| {
                if defended.has(square) { at_stake(w, piece, revenge) } else { w.of(piece) }
            };
            let by_pawn = w.risk_by_pawn * by_pawn;
            risk += by_pawn * stake(w.revenge_on_pawn)
                + (1.0 - by_pawn) * known * other * stake(w.revenge);
        }
    }
    risk
}

/// What the man that has moved is worth, times the chance that a king beside it takes it. The
/// simulated umpire announces no check that is not sure, so that after the move no king stands
/// where this man would give check: those that matter here were there before and are no longer.
fn risk_by_king(
    w: &Weights,
    before: &Metaposition,
    hopes: &Density,
    attempt: Try,
    after: &Metaposition,
) -> f32 {
    let own = after.own();
    if own.attacked(own.all() | after.occupied()).has(attempt.to) {
        return 0.0; // a king takes nothing that is guarded
    }
    let [.., beside] = before.leaper_attackers(attempt.to);
    let value = own.piece_on(attempt.to).map_or(0.0, |piece| w.of(piece));
    w.risk_by_king * hopes.king_on(beside & !after.pseudopieces(Piece::King)) * value
}

/// Pawns, files, control and the king's home.
fn position(w: &Weights, after: &Metaposition) -> f32 {
    let own = after.own();
    let color = own.color();
    let pawns = own.pieces(Piece::Pawn);
    let to_go = |square: Square| 6 - square.rank().relative_to(color) as i32;
    let advance: f32 = pawns.into_iter().map(|square| w.advance_fold.powi(to_go(square))).sum();
    let heavy = own.pieces(Piece::Rook) | own.pieces(Piece::Queen);
    let open = heavy.into_iter().filter(|square| (square.file().bitboard() & pawns).is_empty());
    let control = own.attacked(own.all() | after.occupied()).len() as f32;
    let pieces = f32::from(after.pieces_left()) - 1.0 - f32::from(after.pawns_left());
    let hunters = (pieces / w.king_hunters).min(1.0);
    let away = own.king().map_or(0.0, |king| (king.rank().relative_to(color) as u8).into());
    w.advance * advance + w.open_file * open.count() as f32 + w.control * control
        - w.king_home * away * away * hunters
}

/// What is not known counts against a metaposition.
fn information(context: &Context<'_>, after: &Metaposition) -> f32 {
    let w = &context.options.weights;
    if context.options.information { -w.entropy * entropy(after) } else { 0.0 }
}

/// P2's entropy of the chessboard: the number of pseudopieces.
pub fn entropy(meta: &Metaposition) -> f32 {
    meta.pseudopiece_count() as f32
}

/// Towards mate: the other king shall have few squares, and those at the edge; but not none while
/// it is not in check and nothing else can move.
fn progress(w: &Weights, after: &Metaposition, ending: Ending) -> f32 {
    let left = 1.0 - (others_material(w, after) / w.region_from).min(1.0);
    let kings = after.pseudopieces(Piece::King);
    let centre = BitBoard(0x0000_3c3c_3c3c_0000);
    let free = after.king_mobility().len() as f32 + w.region_centre * (kings & centre).len() as f32;
    w.mate * ending.mated - left * w.region * free - w.stalemate * ending.stalemated
}

/// How likely the game has ended.
#[derive(Clone, Copy, Default)]
pub(super) struct Ending {
    mated: f32,
    pub(super) stalemated: f32,
}

impl Ending {
    /// With the move `attempt` from `before` to `after`.
    pub(super) fn of(
        w: &Weights,
        before: &Metaposition,
        hopes: &Density,
        attempt: Try,
        after: &Metaposition,
    ) -> Ending {
        let kings = after.pseudopieces(Piece::King).len().max(1) as f32;
        let share = |squares: BitBoard| squares.len() as f32 / kings;
        let [mated, stalemated] = after.immobile_king_squares(before).map(share);
        if stalemated == 0.0 {
            return Ending { mated, stalemated };
        }
        let sure = after.pieces_left() < before.pieces_left();
        let captured = match (sure, before.own().pieces(Piece::Pawn).has(attempt.from)) {
            (false, true) => [0.0; 2],
            _ => hopes.captured(attempt.to, sure),
        };
        Ending { mated, stalemated: stalemated * nothing_else_moves(w, before, captured, after) }
    }

    /// With this move, or drawn by an earlier one so likely: what is drawn stays so, however well it
    /// would go on.
    pub(super) fn or_drawn(self, before: f32) -> Ending {
        Ending { stalemated: self.stalemated + before, ..self }
    }
}

/// How likely it is that none of the other side's men but the king can move, if a pawn or a piece
/// was captured as likely as this: what nobody knew of may have been the last man that could.
fn nothing_else_moves(
    w: &Weights,
    before: &Metaposition,
    captured: [f32; 2],
    after: &Metaposition,
) -> f32 {
    let pawns = after.pseudopieces(Piece::Pawn).len() as f32;
    let stopped = after.blocked_pawns().len() as f32;
    let stopped = w.stopped * stopped / (w.stopped * stopped + pawns - stopped).max(1.0);
    let pawns = i32::from(before.pawns_left());
    let pieces = i32::from(before.pieces_left()) - 1 - pawns;
    let stuck_pawn = stopped + w.stuck_pawn.min(1.0) * (1.0 - stopped);
    let stuck = |pawns: i32, pieces: i32| {
        stuck_pawn.powi(pawns.max(0)) * w.stuck_piece.min(1.0).powi(pieces.max(0))
    };
    let [pawn, piece] = captured;
    (1.0 - pawn - piece) * stuck(pawns, pieces)
        + pawn * stuck(pawns - 1, pieces)
        + piece * stuck(pawns, pieces - 1)
}

/// Moves that lead nowhere.
fn dullness(context: &Context<'_>, after: &Metaposition) -> f32 {
    let w = &context.options.weights;
    let late = (f32::from(after.clock()) - w.late_from).max(0.0);
    let times = context.placements.count(after.own()) as f32;
    w.late * late + w.repeated * times
}
