//! The true position, which neither side sees.

use super::{BitBoard, Color, Own, Piece, Rank, Square, Termination, Try};
use cozy_chess::{Board, Move, get_king_moves, get_pawn_attacks};
use std::fmt;
use std::hash::{Hash, Hasher};

/// Everything that is on the board, and what a FEN says beside it.
#[derive(Clone)]
pub struct Position {
    board: Board,
    /// Plies since the last capture or move of a pawn. The board has a clock of its own, but stops
    /// it at 100.
    clock: u16,
}

impl Position {
    pub(super) const fn new(board: Board, clock: u16) -> Position {
        Position { board, clock }
    }

    /// Where every game starts.
    pub fn start() -> Position {
        Position::new(Board::startpos(), 0)
    }

    /// The position as cozy-chess has it. Its clock stops at 100, and its en-passant file is set
    /// after every double step.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Color {
        self.board.side_to_move()
    }

    /// Plies since the last capture or move of a pawn.
    pub const fn clock(&self) -> u16 {
        self.clock
    }

    /// The squares of the men of `side`.
    pub fn men(&self, side: Color) -> BitBoard {
        self.board.colors(side)
    }

    /// What `side` sees of the board.
    pub fn own(&self, side: Color) -> Own {
        Own::of(&self.board, side)
    }

    /// The square behind a pawn that has just made a double step, if it can be captured there.
    pub fn en_passant(&self) -> Option<Square> {
        let side = self.turn();
        let to = Square::new(self.board.en_passant()?, Rank::Sixth.relative_to(side));
        let pawns = get_pawn_attacks(to, !side) & self.board.colored_pieces(side, Piece::Pawn);
        let mut moves = pawns.into_iter().map(|from| Move { from, to, promotion: None });
        moves.any(|mv| self.board.is_legal(mv)).then_some(to)
    }

    /// A key for finding repetitions: equal for positions with the same men, turn, castling rights
    /// and captures en passant, whatever the clocks.
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

    /// cozy-chess castles by moving the king onto its rook.
    fn as_try(&self, mv: Move) -> Try {
        let castles = self.board.colors(self.turn()).has(mv.to);
        let to = match (castles, mv.to.file() > mv.from.file()) {
            (false, _) => mv.to,
            (true, true) => Square::new(super::File::G, mv.from.rank()),
            (true, false) => Square::new(super::File::C, mv.from.rank()),
        };
        Try { from: mv.from, to, promotion: mv.promotion }
    }

    /// `attempt` as cozy-chess wants it, if it is legal.
    pub(super) fn legal(&self, attempt: Try) -> Option<Move> {
        let Try { from, to, promotion } = attempt;
        let side = self.turn();
        if self.board.colors(side).has(to) {
            return None; // or cozy-chess would castle
        }
        let king = self.board.king(side) == from;
        let mv = if king && !get_king_moves(from).has(to) {
            Move { from, to: self.castling_rook(to)?, promotion }
        } else {
            Move { from, to, promotion }
        };
        self.board.is_legal(mv).then_some(mv)
    }

    /// The square of the rook that the king castles with when it goes to `to`.
    fn castling_rook(&self, to: Square) -> Option<Square> {
        let side = self.turn();
        let home = Rank::First.relative_to(side);
        let rights = self.board.castle_rights(side);
        let rook = match to {
            _ if to.rank() != home => None,
            _ if to.file() == super::File::G => rights.short,
            _ if to.file() == super::File::C => rights.long,
            _ => None,
        };
        rook.map(|file| Square::new(file, home))
    }

    /// The position after a move that [`Position::legal`] gave.
    pub(super) fn played(&self, mv: Move) -> Position {
        let mut board = self.board.clone();
        board.play_unchecked(mv);
        // The board's own clock starts again at 0 exactly when ours has to.
        let clock = if board.halfmove_clock() == 0 { 0 } else { self.clock.saturating_add(1) };
        Position { board, clock }
    }

    /// Whether neither side has the men to mate, whatever the other does: bare kings, one knight,
    /// or bishops on squares of one colour only.
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

    /// How the game is over here, as far as it can be told without its history.
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

/// Equal if nothing that a FEN says differs.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        // Not cozy-chess's `same_position`, to which a queen that can go to the square behind the
        // pawn is a capture en passant.
        let same = |of: &dyn Fn(&Board) -> BitBoard| of(&self.board) == of(&other.board);
        let rights = |board: &Board| Color::ALL.map(|side| *board.castle_rights(side));
        self.clock == other.clock
            && self.board.fullmove_number() == other.board.fullmove_number()
            && self.turn() == other.turn()
            && Color::ALL.iter().all(|&side| same(&|board| board.colors(side)))
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
