//! The true position, which neither side sees.

use super::{BitBoard, Color, OwnPieces, Piece, Rank, Square, Termination, Try};
use cozy_chess::{Board, Move, get_king_moves, get_pawn_attacks};
use std::fmt;
use std::hash::{Hash, Hasher};

/// The true position: the board and the clock of the fifty-move rule, as in a FEN.
#[derive(Clone)]
pub struct Position {
    board: Board,
    /// Plies since the last capture or pawn move. The board has a clock of its own, but stops it at
    /// 100.
    clock: u16,
}

impl Position {
    pub(super) const fn new(board: Board, clock: u16) -> Position {
        Position { board, clock }
    }

    /// The standard starting position.
    pub fn start() -> Position {
        Position::new(Board::startpos(), 0)
    }

    /// The position as a board of cozy-chess. Its clock stops at 100, and its en-passant file is set
    /// after every double step.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.board.side_to_move()
    }

    /// Plies since the last capture or pawn move.
    pub const fn clock(&self) -> u16 {
        self.clock
    }

    /// The squares of all pieces of `color`.
    pub fn pieces(&self, color: Color) -> BitBoard {
        self.board.colors(color)
    }

    /// What `color` sees of the board.
    pub fn own(&self, color: Color) -> OwnPieces {
        OwnPieces::of(&self.board, color)
    }

    /// The square behind a pawn that has just made a double step, if an en passant capture there is
    /// legal.
    pub fn en_passant(&self) -> Option<Square> {
        let color = self.turn();
        let to = Square::new(self.board.en_passant()?, Rank::Sixth.relative_to(color));
        let pawns = get_pawn_attacks(to, !color) & self.board.colored_pieces(color, Piece::Pawn);
        let mut moves = pawns.into_iter().map(|from| Move { from, to, promotion: None });
        moves.any(|mv| self.board.is_legal(mv)).then_some(to)
    }

    /// The Zobrist key that identifies repetitions: equal for positions with the same pieces, side
    /// to move, castling rights and en passant captures, whatever the clocks.
    pub fn key(&self) -> u64 {
        let square = self.en_passant().map_or(0, |square| square as u64 + 1);
        self.board.hash_without_ep() ^ square.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Every legal move, in no particular order.
    pub fn legal_moves(&self) -> Vec<Try> {
        let mut moves = Vec::new();
        self.board.generate_moves(|some| {
            moves.extend(some.into_iter().map(|mv| self.as_try(mv)));
            false
        });
        moves
    }

    /// Converts from cozy-chess, which castles by moving the king onto its rook.
    fn as_try(&self, mv: Move) -> Try {
        let castles = self.board.colors(self.turn()).has(mv.to);
        let to = match (castles, mv.to.file() > mv.from.file()) {
            (false, _) => mv.to,
            (true, true) => Square::new(super::File::G, mv.from.rank()),
            (true, false) => Square::new(super::File::C, mv.from.rank()),
        };
        Try { from: mv.from, to, promotion: mv.promotion }
    }

    /// `attempt` as a move of cozy-chess, if it is legal.
    pub(super) fn legal(&self, attempt: Try) -> Option<Move> {
        let Try { from, to, promotion } = attempt;
        let color = self.turn();
        if self.board.colors(color).has(to) {
            return None; // cozy-chess would castle
        }
        let king = self.board.king(color) == from;
        let mv = if king && !get_king_moves(from).has(to) {
            Move { from, to: self.castling_rook(to)?, promotion }
        } else {
            Move { from, to, promotion }
        };
        self.board.is_legal(mv).then_some(mv)
    }

    /// The square of the rook with which the king castles to `to`.
    fn castling_rook(&self, to: Square) -> Option<Square> {
        let color = self.turn();
        let home = Rank::First.relative_to(color);
        let rights = self.board.castle_rights(color);
        let rook = match to {
            _ if to.rank() != home => None,
            _ if to.file() == super::File::G => rights.short,
            _ if to.file() == super::File::C => rights.long,
            _ => None,
        };
        rook.map(|file| Square::new(file, home))
    }

    /// The position after a move that [`Position::legal`] returned.
    pub(super) fn played(&self, mv: Move) -> Position {
        let mut board = self.board.clone();
        board.play_unchecked(mv);
        // The board's clock is reset exactly when ours has to be.
        let clock = if board.halfmove_clock() == 0 { 0 } else { self.clock.saturating_add(1) };
        Position { board, clock }
    }

    /// Whether neither side has enough material to mate, whatever the opponent does: bare kings, one
    /// knight, or bishops on squares of one colour only.
    pub fn is_insufficient(&self) -> bool {
        let of = |piece| self.board.pieces(piece);
        let strong = of(Piece::Pawn) | of(Piece::Rook) | of(Piece::Queen);
        let (knights, bishops) = (of(Piece::Knight), of(Piece::Bishop));
        if !strong.is_empty() {
            return false;
        }
        let dark = bishops & BitBoard::DARK_SQUARES;
        match knights.len() {
            0 => dark.is_empty() || dark == bishops,
            1 => bishops.is_empty(),
            _ => false,
        }
    }

    /// Why the game is over in this position, regardless of its history.
    pub fn termination(&self) -> Option<Termination> {
        let can_move = self.board.generate_moves(|_| true);
        self.termination_if(can_move)
    }

    pub(super) fn termination_if(&self, can_move: bool) -> Option<Termination> {
        match (can_move, self.board.checkers().is_empty()) {
            (false, false) => Some(Termination::Checkmate),
            (false, true) => Some(Termination::Stalemate),
            (true, _) => self.is_insufficient().then_some(Termination::InsufficientMaterial),
        }
    }
}

/// Equal if both have the same FEN.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        // Not cozy-chess's `same_position`, which counts a queen that can move to the square behind
        // the pawn as an en passant capture.
        let same = |of: &dyn Fn(&Board) -> BitBoard| of(&self.board) == of(&other.board);
        let rights = |board: &Board| Color::ALL.map(|color| *board.castle_rights(color));
        self.clock == other.clock
            && self.board.fullmove_number() == other.board.fullmove_number()
            && self.turn() == other.turn()
            && Color::ALL.iter().all(|&color| same(&|board| board.colors(color)))
            && Piece::ALL.iter().all(|&piece| same(&|board| board.pieces(piece)))
            && rights(&self.board) == rights(&other.board)
            && self.en_passant() == other.en_passant()
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.clock, self.key()).hash(state);
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
