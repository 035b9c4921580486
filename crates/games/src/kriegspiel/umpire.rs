//! The umpire: a pure function of the true position and a try.

use super::{Announcement, Capture, CapturedKind, Check, Checks, Piece, Position, Square, Try};
use cozy_chess::Board;

/// The umpire's ruling on a try.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ruling {
    /// The try is illegal. The umpire gives no reason, and the opponent does not hear of it.
    Illegal,
    /// The try is legal and is the move.
    Legal {
        /// What the umpire announces to both sides.
        announcement: Announcement,
        /// The true position after the move.
        after: Position,
    },
}

/// Rules on `attempt` in `position`. Whether the game is over by repetition or by fifty moves
/// depends on its history: see [`Game`](super::Game).
pub fn umpire(position: &Position, attempt: Try) -> Ruling {
    let Some(mv) = position.legal(attempt) else { return Ruling::Illegal };
    let capture = capture(position.board(), attempt);
    let after = position.played(mv);
    let announcement = announce(&after, capture);
    Ruling::Legal { announcement, after }
}

fn capture(board: &Board, attempt: Try) -> Option<Capture> {
    let Try { from, to, .. } = attempt;
    if let Some(piece) = board.piece_on(to) {
        let kind = if piece == Piece::Pawn { CapturedKind::Pawn } else { CapturedKind::Piece };
        return Some(Capture { kind, square: to });
    }
    let en_passant = from.file() != to.file() && board.pieces(Piece::Pawn).has(from);
    en_passant
        .then(|| Capture { kind: CapturedKind::Pawn, square: Square::new(to.file(), from.rank()) })
}

fn announce(after: &Position, capture: Option<Capture>) -> Announcement {
    let board = after.board();
    let to_move = board.side_to_move();
    let pawns = board.colored_pieces(to_move, Piece::Pawn);
    let (mut pawn_tries, mut can_move) = (0, false);
    board.generate_moves_for(pawns, |moves| {
        can_move = true;
        // A pawn leaves its file only by capturing.
        pawn_tries += (moves.to & !moves.from.file().bitboard()).len() as u8;
        false
    });
    let can_move = can_move || board.generate_moves_for(!pawns, |_| true);
    let announcement =
        Announcement { to_move, capture, checks: checks(board), pawn_tries, termination: None };
    match after.termination_if(can_move) {
        Some(termination) => announcement.ended(termination),
        None => announcement,
    }
}

fn checks(board: &Board) -> Checks {
    let king = board.king(board.side_to_move());
    board.checkers().into_iter().map(|checker| Check::between(king, checker)).collect()
}
