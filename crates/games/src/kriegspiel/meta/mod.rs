//! Metapositions: everything that a side knows, merged into one board (P2, sections 2 and 3).
//!
//! For every square a [`Metaposition`] holds the *pseudopieces*, the opponent's pieces that may
//! stand there, and whether the square may be empty. It represents every position that can be
//! combined from them, many more than are possible: it is compact, fast and *sound*. After any game
//! the true position is among those it represents ([`Metaposition::contains`]).
//!
//! It consists of seven bitboards, one for each kind of piece and one for the empty squares, so an
//! unseen move takes a few shifts of bitboards.
//!
//! * [`Metaposition::pseudo`] is a pseudomove, an own move with its announcement;
//!   [`Metaposition::refused`] an illegal try; [`Metaposition::meta`] a metamove, the opponent's
//!   unseen move.
//! * [`InferenceRules`] select what is inferred beyond that; each rule can be switched off.
//! * [`Metaposition::simulated_announcement`] and [`Metaposition::silent_announcement`] are the
//!   announcements that a search assumes.

mod bitboards;
mod inference;
mod inference_rules;
mod lone_king;
mod moves;
mod simulated_umpire;

pub use inference_rules::InferenceRules;
pub use lone_king::{LoneKing, TryResult};

use super::own_pieces::Castling;
use super::{BitBoard, Checks, Color, Event, File, OwnPieces, Piece, Position, Rank, Square, Try};

const PAWN: usize = Piece::Pawn as usize;
const KNIGHT: usize = Piece::Knight as usize;
const BISHOP: usize = Piece::Bishop as usize;
const ROOK: usize = Piece::Rook as usize;
const QUEEN: usize = Piece::Queen as usize;
const KING: usize = Piece::King as usize;

/// Bits of an age, which stops at 31.
const AGE_BITS: usize = 5;

/// What one side knows about the board.
///
/// The *age* of a square is the number of moves the opponent has made since it was last certain
/// whether a piece stands there: 0 on an own piece, where one has just passed, where something was
/// captured, and wherever only one possibility is left. It stops at 31. P2 counts the moves since
/// something was learnt about a square; we count only the opponent's, since only they make
/// knowledge outdated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Metaposition {
    own: OwnPieces,
    /// The squares where each kind of opponent's piece may stand; never the square of an own piece.
    pseudopieces: [u64; Piece::NUM],
    /// The squares that may be empty; never the square of an own piece.
    empty: u64,
    /// The ages of all squares as bit planes, the lowest bit first.
    age: [u64; AGE_BITS],
    /// The number of the opponent's pieces, including pawns and king.
    count: u8,
    /// The number of the opponent's pawns if none was promoted.
    pawns: u8,
    /// The number of the opponent's other pieces without the king if no pawn was promoted; negative
    /// if some must have been.
    non_pawns: i8,
    /// Whether a pawn may have been promoted.
    promoted: bool,
    /// The castling rights that the opponent may still have.
    castling: Castling,
    /// The square of an own pawn that has just made a double step.
    double_step: Option<Square>,
    /// Plies since the last move that was certainly a capture or a pawn move: an upper bound of the
    /// clock of the fifty-move rule.
    clock: u16,
    /// The announced checks of this side, if it is to move.
    checks: Checks,
    /// The announced number of own pawn captures, if this side is to move.
    pawn_tries: u8,
    /// The last own try, if it was illegal and this side is still to move.
    last_refused: Option<Try>,
    rules: InferenceRules,
}

impl Metaposition {
    /// What `color` knows before the first move of a game.
    pub fn start(color: Color) -> Metaposition {
        Metaposition::from_position(&Position::start(), color)
    }

    /// What `color` knows at the start of a game from `position`, which both sides know.
    pub fn from_position(position: &Position, color: Color) -> Metaposition {
        let opponent = position.own(!color);
        let pseudopieces = Piece::ALL.map(|piece| opponent.pieces(piece).0);
        let pawns = pseudopieces[PAWN].count_ones() as u8;
        let count = opponent.all().len() as u8;
        let own = position.own(color);
        // Nothing is announced before the first move, so any number of pawn captures is possible.
        let pawn_tries = u8::from(position.turn() == color);
        let mut meta = Metaposition {
            empty: !(own.all() | opponent.all()).0,
            own,
            pseudopieces,
            age: [0; AGE_BITS],
            count,
            pawns,
            non_pawns: (count - 1 - pawns) as i8,
            promoted: false,
            castling: opponent.castling(),
            double_step: None,
            clock: position.clock(),
            checks: Checks::NONE,
            pawn_tries,
            last_refused: None,
            rules: InferenceRules::ALL,
        };
        if position.turn() == color {
            let king = position.board().king(color);
            let checkers = position.board().checkers();
            meta.checks = checkers.into_iter().map(|at| super::Check::between(king, at)).collect();
        } else {
            meta.double_step = position.en_passant().and_then(|at| double_step_behind(at, color));
        }
        meta
    }

    /// What a side with these pieces knows if the opponent has only its king, on an unknown square,
    /// and has just moved it.
    pub fn lone_king(own: OwnPieces) -> Metaposition {
        let mut meta = Metaposition {
            own,
            pseudopieces: [0; Piece::NUM],
            empty: !own.all().0,
            age: [0; AGE_BITS],
            count: 1,
            pawns: 0,
            non_pawns: 0,
            promoted: false,
            castling: Castling::default(),
            double_step: None,
            clock: 0,
            checks: Checks::NONE,
            pawn_tries: 0,
            last_refused: None,
            rules: InferenceRules::ALL,
        };
        meta.pseudopieces[KING] = meta.empty;
        meta.forbid_attacked_king();
        meta.make_consistent();
        meta
    }

    /// The same metaposition with other inference rules from now on.
    #[must_use]
    pub const fn with_rules(mut self, rules: InferenceRules) -> Metaposition {
        self.rules = rules;
        self
    }

    /// The metaposition after an observed event.
    #[must_use]
    pub fn after(&self, event: &Event) -> Metaposition {
        match event {
            Event::Refused(attempt) => self.refused(*attempt),
            Event::Moved { played, announcement } => self.pseudo(*played, announcement),
            Event::Opponent(announcement) => self.meta(announcement),
        }
    }

    /// The metaposition after several observed events, in order.
    #[must_use]
    pub fn after_events<'a>(&self, events: impl IntoIterator<Item = &'a Event>) -> Metaposition {
        events.into_iter().fold(self.clone(), |meta, event| meta.after(event))
    }

    /// The color of the side that has this knowledge.
    pub const fn color(&self) -> Color {
        self.own.color()
    }

    /// The own pieces.
    pub const fn own(&self) -> &OwnPieces {
        &self.own
    }

    /// The squares where an opponent's piece of this kind may stand.
    pub const fn pseudopieces(&self, piece: Piece) -> BitBoard {
        BitBoard(self.pseudopieces[piece as usize])
    }

    /// The squares that may be empty.
    pub const fn may_be_empty(&self) -> BitBoard {
        BitBoard(self.empty)
    }

    /// The squares where some opponent's piece may stand.
    pub fn may_be_occupied(&self) -> BitBoard {
        BitBoard(self.possibly_occupied())
    }

    /// The squares where some opponent's piece certainly stands.
    pub fn occupied(&self) -> BitBoard {
        BitBoard(self.surely_occupied())
    }

    /// The number of moves the opponent has made since it was certain whether a piece stands on
    /// `square`, at most 31.
    pub fn age(&self, square: Square) -> u8 {
        let bit = |(number, plane): (usize, &u64)| ((plane >> square as u64 & 1) as u8) << number;
        self.age.iter().enumerate().map(bit).sum()
    }

    /// The number of the opponent's pieces, including pawns and king. It is certain.
    pub const fn pieces_left(&self) -> u8 {
        self.count
    }

    /// The maximum number of pawns that the opponent can have.
    pub fn pawns_left(&self) -> u8 {
        self.pawns.min(self.count.saturating_sub(1))
    }

    /// The castling rights that the opponent may still have.
    pub const fn opponent_castling(&self) -> Castling {
        self.castling
    }

    /// Plies since the last move that was certainly a capture or a pawn move: an upper bound of the
    /// clock of the fifty-move rule.
    pub const fn clock(&self) -> u16 {
        self.clock
    }

    /// The announced checks of this side, if it is to move.
    pub const fn checks(&self) -> Checks {
        self.checks
    }

    /// The announced number of own pawn captures; 1 at the start of a game, when it is unknown.
    pub const fn pawn_tries(&self) -> u8 {
        self.pawn_tries
    }

    /// The last own try, if it was illegal.
    pub const fn last_refused(&self) -> Option<Try> {
        self.last_refused
    }

    /// The number of pseudopieces on all squares, not counting empty ones: P2's measure of
    /// uncertainty.
    pub fn pseudopiece_count(&self) -> u32 {
        self.pseudopieces.iter().map(|set| set.count_ones()).sum()
    }

    /// The own tries that may be legal, in a fixed order. Pawn captures are included only if some
    /// were announced, and only on squares where they may capture something.
    pub fn tries(&self) -> Vec<Try> {
        let mut tries = self.own.tries(self.pawn_tries > 0);
        let (targets, pawns) = (self.pawn_targets(), self.own.pieces(Piece::Pawn));
        let is_impossible = |attempt: &Try| {
            let captures = pawns.has(attempt.from) && attempt.from.file() != attempt.to.file();
            captures && !targets.has(attempt.to)
        };
        tries.retain(|attempt| !is_impossible(attempt));
        tries
    }

    /// The squares where an own pawn may capture, including en passant.
    fn pawn_targets(&self) -> BitBoard {
        let passed = Rank::Sixth.relative_to(self.color()).bitboard().0;
        let behind =
            bitboards::pawn_pushes(self.color(), self.pseudopieces[PAWN]) & passed & self.empty;
        BitBoard(self.possible_non_kings() | behind)
    }

    /// The squares where an opponent's piece other than the king may stand.
    fn possible_non_kings(&self) -> u64 {
        self.pseudopieces[..KING].iter().fold(0, |all, set| all | set)
    }

    fn possibly_occupied(&self) -> u64 {
        self.possible_non_kings() | self.pseudopieces[KING]
    }

    fn surely_occupied(&self) -> u64 {
        !(self.empty | self.own.all().0)
    }

    /// Whether `position` is one of the positions that this metaposition represents.
    pub fn contains(&self, position: &Position) -> bool {
        let opponent = position.own(!self.color());
        let is_possible =
            |piece: Piece| opponent.pieces(piece).0 & !self.pseudopieces[piece as usize] == 0;
        let free = !(opponent.all() | self.own.all()).0;
        let castling = opponent.castling();
        position.own(self.color()) == self.own
            && Piece::ALL.into_iter().all(is_possible)
            && free & !self.empty == 0
            && opponent.all().len() == u32::from(self.count)
            && (!castling.short || self.castling.short)
            && (!castling.long || self.castling.long)
            && opponent.pieces(Piece::Pawn).len() <= u32::from(self.pawns_left())
    }
}

/// The square of the pawn of `color` that has passed over `square` by a double step.
fn double_step_behind(square: Square, color: Color) -> Option<Square> {
    square.try_offset(0, if color == Color::White { 1 } else { -1 })
}

/// Short and long castling of a side: the squares of king and rook, the king's destination, and the
/// squares between king and rook.
fn castling_squares(color: Color) -> [(Square, Square, Square, u64); 2] {
    let home = Rank::First.relative_to(color);
    let at = |file| Square::new(file, home);
    let between = |king, rook| cozy_chess::get_between_rays(at(king), at(rook)).0;
    [
        (at(File::E), at(File::H), at(File::G), between(File::E, File::H)),
        (at(File::E), at(File::A), at(File::C), between(File::E, File::A)),
    ]
}
