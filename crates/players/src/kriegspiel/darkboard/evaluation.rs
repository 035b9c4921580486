//! The evaluation of a metaposition, in pawns (P2, section 5): material safety, position,
//! information, and progress towards mate.

use super::occupancy::Occupancy;
use super::{Context, Weights};
use games::kriegspiel::{BitBoard, Metaposition, OwnPieces, Piece, Square, Try};

/// The balance of material: the own less the opponent's, whose pieces count by their average value.
pub(super) fn material_balance(w: &Weights, meta: &Metaposition) -> f32 {
    own_material(w, meta.own()) - opponent_material(w, meta)
}

fn own_material(w: &Weights, own: &OwnPieces) -> f32 {
    Piece::ALL.iter().map(|&piece| w.of(piece) * own.pieces(piece).len() as f32).sum()
}

fn opponent_material(w: &Weights, meta: &Metaposition) -> f32 {
    let pawns = f32::from(meta.pawns_left());
    pawns + w.piece * (f32::from(meta.pieces_left()) - 1.0 - pawns)
}

/// Evaluates an own try in `before` that led to `after` and may have ended the game.
pub(super) fn evaluate(
    context: &Context<'_>,
    before: &Metaposition,
    occupancy_before: &Occupancy,
    attempt: Try,
    after: &Metaposition,
    end: EndProbabilities,
) -> f32 {
    let w = &context.options.weights;
    let occupancy_after = Occupancy::of(after, w, &context.decay);
    let captured = after.pieces_left() < before.pieces_left();
    let gain = if captured { 0.0 } else { expected_gain(w, before, occupancy_before, attempt) };
    material_balance(w, after) + gain
        - expected_loss(w, after, &occupancy_after, attempt, captured)
        - expected_loss_to_king(w, before, occupancy_before, attempt, after)
        + positional_value(w, after)
        + information(context, after)
        + mating_progress(w, after, end)
        - no_progress_penalty(context, after)
}

/// The expected value of what a try captures, less the expected loss to a recapture.
fn expected_gain(w: &Weights, before: &Metaposition, occupancy: &Occupancy, attempt: Try) -> f32 {
    let own = before.own();
    let Some(piece) = own.piece_on(attempt.from).filter(|&piece| piece != Piece::Pawn) else {
        return 0.0; // a pawn push captures nothing
    };
    let pawns = before.pseudopieces(Piece::Pawn).has(attempt.to);
    let others = (before.may_be_occupied() & !before.pseudopieces(Piece::Pawn)).has(attempt.to);
    let value = match (pawns, others) {
        (true, true) => f32::midpoint(1.0, w.piece),
        (true, false) => 1.0,
        _ => w.piece,
    };
    let loss = w.risk_capturing * recapture_probability(w, before) * w.of(piece);
    w.hope * occupancy.occupied[attempt.to as usize] * (value - loss)
}

/// The probability that a capturing piece is recaptured: the opponent knows where it stands, and
/// each of its pieces may guard the square.
fn recapture_probability(w: &Weights, meta: &Metaposition) -> f32 {
    1.0 - (1.0 - w.guards).powi(i32::from(meta.pieces_left()) - 1)
}

/// The loss if a piece is captured and recapturing wins `revenge`.
fn loss_after_recapture(w: &Weights, piece: Piece, revenge: f32) -> f32 {
    let value = w.of(piece);
    (value - revenge).max(w.risk_least * value)
}

/// The expected loss of own pieces.
fn expected_loss(
    w: &Weights,
    after: &Metaposition,
    occupancy: &Occupancy,
    attempt: Try,
    captured: bool,
) -> f32 {
    let own = after.own();
    let defended = own.attacked(own.all() | after.occupied());
    let mut risk = 0.0;
    for piece in [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
        for square in own.pieces(piece) {
            let (by_pawn, other) = occupancy.attack_probabilities(after, square);
            let (weight, other) = match (square == attempt.to, captured) {
                (true, true) => (w.risk_capturing, other.max(recapture_probability(w, after))),
                (true, false) => (w.risk_moving, other),
                _ => (w.risk_standing, other),
            };
            let loss = |revenge| {
                if defended.has(square) {
                    loss_after_recapture(w, piece, revenge)
                } else {
                    w.of(piece)
                }
            };
            let by_pawn = w.risk_by_pawn * by_pawn;
            risk += by_pawn * loss(w.revenge_on_pawn)
                + (1.0 - by_pawn) * weight * other * loss(w.revenge);
        }
    }
    risk
}

/// The value of the moved piece times the probability that a king next to it captures it. The
/// simulated umpire announces only certain checks, so after the move the king cannot stand where
/// this piece would give check: the squares that count are those where it could stand before and can
/// no longer.
fn expected_loss_to_king(
    w: &Weights,
    before: &Metaposition,
    occupancy: &Occupancy,
    attempt: Try,
    after: &Metaposition,
) -> f32 {
    let own = after.own();
    if own.attacked(own.all() | after.occupied()).has(attempt.to) {
        return 0.0; // a king cannot capture a guarded piece
    }
    let [.., adjacent_kings] = before.leaper_attackers(attempt.to);
    let value = own.piece_on(attempt.to).map_or(0.0, |piece| w.of(piece));
    w.risk_by_king
        * occupancy.king_probability(adjacent_kings & !after.pseudopieces(Piece::King))
        * value
}

/// Advanced pawns, open files, mobility, and the king's safety at home.
fn positional_value(w: &Weights, after: &Metaposition) -> f32 {
    let own = after.own();
    let color = own.color();
    let pawns = own.pieces(Piece::Pawn);
    let steps_left = |square: Square| 6 - square.rank().relative_to(color) as i32;
    let advance: f32 =
        pawns.into_iter().map(|square| w.advance_fold.powi(steps_left(square))).sum();
    let heavy = own.pieces(Piece::Rook) | own.pieces(Piece::Queen);
    let open = heavy.into_iter().filter(|square| (square.file().bitboard() & pawns).is_empty());
    let control = own.attacked(own.all() | after.occupied()).len() as f32;
    let pieces = f32::from(after.pieces_left()) - 1.0 - f32::from(after.pawns_left());
    let danger = (pieces / w.king_hunters).min(1.0);
    let ranks_from_home =
        own.king().map_or(0.0, |king| (king.rank().relative_to(color) as u8).into());
    w.advance * advance + w.open_file * open.count() as f32 + w.control * control
        - w.king_home * ranks_from_home * ranks_from_home * danger
}

/// The penalty for uncertainty.
fn information(context: &Context<'_>, after: &Metaposition) -> f32 {
    let w = &context.options.weights;
    if context.options.information { -w.entropy * entropy(after) } else { 0.0 }
}

/// P2's entropy of the chessboard: its number of pseudopieces.
pub fn entropy(meta: &Metaposition) -> f32 {
    meta.pseudopiece_count() as f32
}

/// Progress towards mate: the opponent's king should have few squares, and those at the edge, but it
/// should not be stalemated.
fn mating_progress(w: &Weights, after: &Metaposition, end: EndProbabilities) -> f32 {
    let weight = 1.0 - (opponent_material(w, after) / w.region_from).min(1.0);
    let kings = after.pseudopieces(Piece::King);
    let centre = BitBoard(0x0000_3c3c_3c3c_0000);
    let region =
        after.king_mobility().len() as f32 + w.region_centre * (kings & centre).len() as f32;
    w.mate * end.mated - weight * w.region * region - w.stalemate * end.stalemated
}

/// The probabilities that the game has ended.
#[derive(Clone, Copy, Default)]
pub(super) struct EndProbabilities {
    mated: f32,
    pub(super) stalemated: f32,
}

impl EndProbabilities {
    /// The probabilities after the move `attempt` from `before` to `after`.
    pub(super) fn of(
        w: &Weights,
        before: &Metaposition,
        occupancy: &Occupancy,
        attempt: Try,
        after: &Metaposition,
    ) -> EndProbabilities {
        let kings = after.pseudopieces(Piece::King).len().max(1) as f32;
        let share = |squares: BitBoard| squares.len() as f32 / kings;
        let [mated, stalemated] = after.immobile_king_squares(before).map(share);
        if stalemated == 0.0 {
            return EndProbabilities { mated, stalemated };
        }
        let certain = after.pieces_left() < before.pieces_left();
        let captured = match (certain, before.own().pieces(Piece::Pawn).has(attempt.from)) {
            (false, true) => [0.0; 2],
            _ => occupancy.capture_probabilities(attempt.to, certain),
        };
        EndProbabilities {
            mated,
            stalemated: stalemated * others_cannot_move(w, before, captured, after),
        }
    }

    /// Adds the probability that an earlier move has drawn: a drawn game stays drawn, however good the
    /// next moves would be.
    pub(super) fn with_earlier_draw(self, earlier: f32) -> EndProbabilities {
        EndProbabilities { stalemated: self.stalemated + earlier, ..self }
    }
}

/// The probability that none of the opponent's pieces but the king can move, given the probabilities
/// that a pawn and that another piece was captured: it may have been the last one that could move.
fn others_cannot_move(
    w: &Weights,
    before: &Metaposition,
    captured: [f32; 2],
    after: &Metaposition,
) -> f32 {
    let pawns = after.pseudopieces(Piece::Pawn).len() as f32;
    let blocked = after.blocked_pawns().len() as f32;
    let blocked = w.stopped * blocked / (w.stopped * blocked + pawns - blocked).max(1.0);
    let pawns = i32::from(before.pawns_left());
    let pieces = i32::from(before.pieces_left()) - 1 - pawns;
    let stuck_pawn = blocked + w.stuck_pawn.min(1.0) * (1.0 - blocked);
    let stuck = |pawns: i32, pieces: i32| {
        stuck_pawn.powi(pawns.max(0)) * w.stuck_piece.min(1.0).powi(pieces.max(0))
    };
    let [pawn, piece] = captured;
    (1.0 - pawn - piece) * stuck(pawns, pieces)
        + pawn * stuck(pawns - 1, pieces)
        + piece * stuck(pawns, pieces - 1)
}

/// The penalty for repetitions and for approaching the fifty-move rule.
fn no_progress_penalty(context: &Context<'_>, after: &Metaposition) -> f32 {
    let w = &context.options.weights;
    let late = (f32::from(after.clock()) - w.late_from).max(0.0);
    let times = context.repetitions.count(after.own()) as f32;
    w.late * late + w.repeated * times
}
