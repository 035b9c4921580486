//! Metapositions: all that a side can rule out, folded into one board (P2, sections 2 and 3).
//!
//! For every square a [`Metaposition`] says which of the other side's men may stand there and
//! whether it may be empty. It stands for every position that can be put together from that, and
//! so for many more than are possible: it is compact and fast, and it is *sound*. After any game
//! the true position is among those it stands for ([`Metaposition::contains`]).
//!
//! What it is made of are seven sets of squares, one for each kind of man and one for the empty
//! square, so that an unseen move is a handful of shifts of whole boards.
//!
//! * [`Metaposition::pseudo`] takes an own move and the umpire's words,
//!   [`Metaposition::refused`] a try that was illegal, [`Metaposition::meta`] the other side's
//!   unseen move.
//! * [`Sharpness`] says what is concluded beyond that; every conclusion can be switched off.
//! * [`Metaposition::simulated_answer`] and [`Metaposition::silence`] are the umpire's words that
//!   a search takes for granted.

mod conclusions;
mod lines;
mod lone;
mod moves;
mod sharpness;
mod simulated;

pub use lone::{Hunted, LoneKing};
pub use sharpness::Sharpness;

use super::own::Castling;
use super::{BitBoard, Checks, Color, Event, File, Own, Piece, Position, Rank, Square, Try};

const PAWN: usize = Piece::Pawn as usize;
const KNIGHT: usize = Piece::Knight as usize;
const BISHOP: usize = Piece::Bishop as usize;
const ROOK: usize = Piece::Rook as usize;
const QUEEN: usize = Piece::Queen as usize;
const KING: usize = Piece::King as usize;

/// Ages are told apart up to 31.
const AGE_BITS: usize = 5;

/// What one side knows of the board.
///
/// The *age* of a square is how many moves the other side has made since it was last certain
/// whether a man stands there: 0 under an own man, where one has just passed, where something was
/// captured, and wherever only one answer is left. It stops at 31. P2 counts the moves since
/// something was learnt of a square; we count those of the other side, since only they spoil what
/// is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Metaposition {
    own: Own,
    /// Where each kind of the other side's men may stand; never on an own man's square.
    ghosts: [u64; Piece::NUM],
    /// The squares that may be empty; never an own man's.
    empty: u64,
    /// The bits of the ages of all squares, the lowest first.
    age: [u64; AGE_BITS],
    /// How many men the other side has, the king included.
    men: u8,
    /// How many of them are pawns, if none was promoted.
    pawns: u8,
    /// How many are pieces besides the king, if none was promoted: below 0 if some must have been.
    pieces: i8,
    /// Whether a pawn may have been promoted.
    promoted: bool,
    /// How the other side may still castle.
    castling: Castling,
    /// Where an own pawn stands that has just made a double step.
    double_step: Option<Square>,
    /// Plies since a move that surely was a capture or moved a pawn: at least what the clock of the
    /// fifty-move rule shows.
    clock: u16,
    /// How this side is in check, if it is its turn.
    checks: Checks,
    /// How many captures by pawn this side has, if it is its turn.
    pawn_tries: u8,
    /// The last own try, if it was illegal and it is still this side's turn.
    last_refused: Option<Try>,
    sharpness: Sharpness,
}

impl Metaposition {
    /// What `side` knows before the first move of a game.
    pub fn start(side: Color) -> Metaposition {
        Metaposition::known(&Position::start(), side)
    }

    /// What `side` knows when `position`, where a game starts, is shown to it.
    pub fn known(position: &Position, side: Color) -> Metaposition {
        let others = position.own(!side);
        let ghosts = Piece::ALL.map(|piece| others.men(piece).0);
        let pawns = ghosts[PAWN].count_ones() as u8;
        let men = others.all().len() as u8;
        let own = position.own(side);
        // Whether a capture by pawn is there is not told; a try will tell.
        let pawn_tries = u8::from(position.turn() == side);
        let mut meta = Metaposition {
            empty: !(own.all() | others.all()).0,
            own,
            ghosts,
            age: [0; AGE_BITS],
            men,
            pawns,
            pieces: (men - 1 - pawns) as i8,
            promoted: false,
            castling: others.castling(),
            double_step: None,
            clock: position.clock(),
            checks: Checks::NONE,
            pawn_tries,
            last_refused: None,
            sharpness: Sharpness::ALL,
        };
        if position.turn() == side {
            let king = position.board().king(side);
            let checkers = position.board().checkers();
            meta.checks = checkers.into_iter().map(|at| super::Check::between(king, at)).collect();
        } else {
            meta.double_step = position.en_passant().and_then(|at| double_step_behind(at, side));
        }
        meta
    }

    /// What a side with these men knows if the other has only its king, whose place is unknown, and
    /// has just moved it.
    pub fn lone_king(own: Own) -> Metaposition {
        let mut meta = Metaposition {
            own,
            ghosts: [0; Piece::NUM],
            empty: !own.all().0,
            age: [0; AGE_BITS],
            men: 1,
            pawns: 0,
            pieces: 0,
            promoted: false,
            castling: Castling::default(),
            double_step: None,
            clock: 0,
            checks: Checks::NONE,
            pawn_tries: 0,
            last_refused: None,
            sharpness: Sharpness::ALL,
        };
        meta.ghosts[KING] = meta.empty;
        meta.forbid_attacked_king();
        meta.settle();
        meta
    }

    /// The same knowledge, with these conclusions from now on.
    #[must_use]
    pub const fn with_sharpness(mut self, sharpness: Sharpness) -> Metaposition {
        self.sharpness = sharpness;
        self
    }

    /// The knowledge after something that the side has lived through.
    #[must_use]
    pub fn after(&self, event: &Event) -> Metaposition {
        match event {
            Event::Refused(attempt) => self.refused(*attempt),
            Event::Moved { played, announcement } => self.pseudo(*played, announcement),
            Event::Opponent(announcement) => self.meta(announcement),
        }
    }

    /// Whose knowledge it is.
    pub const fn side(&self) -> Color {
        self.own.side()
    }

    /// The own men.
    pub const fn own(&self) -> &Own {
        &self.own
    }

    /// Where a man of this kind may stand.
    pub const fn ghosts(&self, piece: Piece) -> BitBoard {
        BitBoard(self.ghosts[piece as usize])
    }

    /// The squares that may be empty.
    pub const fn may_be_empty(&self) -> BitBoard {
        BitBoard(self.empty)
    }

    /// The squares on which a man of the other side may stand.
    pub fn may_be_occupied(&self) -> BitBoard {
        BitBoard(self.union())
    }

    /// The squares on which a man of the other side surely stands.
    pub fn occupied(&self) -> BitBoard {
        BitBoard(self.must())
    }

    /// How many moves the other side has made since it was certain whether a man stands on `square`;
    /// 31 stands for more, too.
    pub fn age(&self, square: Square) -> u8 {
        let bit = |(place, plane): (usize, &u64)| ((plane >> square as u64 & 1) as u8) << place;
        self.age.iter().enumerate().map(bit).sum()
    }

    /// How many men the other side has, its king included. This is certain.
    pub const fn men_left(&self) -> u8 {
        self.men
    }

    /// The most pawns the other side can have.
    pub fn pawns_left(&self) -> u8 {
        self.pawns.min(self.men.saturating_sub(1))
    }

    /// How the other side may still castle.
    pub const fn others_castling(&self) -> Castling {
        self.castling
    }

    /// Plies since the last move that was surely a capture or one of a pawn: the clock of the
    /// fifty-move rule shows this much or less.
    pub const fn clock(&self) -> u16 {
        self.clock
    }

    /// How this side is in check.
    pub const fn checks(&self) -> Checks {
        self.checks
    }

    /// How many captures by pawn this side has; 1 if it may have some at the start of a game.
    pub const fn pawn_tries(&self) -> u8 {
        self.pawn_tries
    }

    /// The last own try, if it was illegal.
    pub const fn last_refused(&self) -> Option<Try> {
        self.last_refused
    }

    /// How many pseudopieces there are in all, the empty ones left out: the measure of what is not
    /// known that P2 proposes.
    pub fn pseudopieces(&self) -> u32 {
        self.ghosts.iter().map(|set| set.count_ones()).sum()
    }

    /// The own tries that may be legal, captures by pawns only if some were announced and only to
    /// where a man may stand. In a fixed order.
    pub fn tries(&self) -> Vec<Try> {
        let mut tries = self.own.tries(self.pawn_tries > 0);
        let (targets, pawns) = (self.pawn_targets(), self.own.men(Piece::Pawn));
        let pointless = |attempt: &Try| {
            let captures = pawns.has(attempt.from) && attempt.from.file() != attempt.to.file();
            captures && !targets.has(attempt.to)
        };
        tries.retain(|attempt| !pointless(attempt));
        tries
    }

    /// Where a pawn may capture: an enemy may stand there, or may just have passed.
    fn pawn_targets(&self) -> BitBoard {
        let passed = Rank::Sixth.relative_to(self.side()).bitboard().0;
        let behind = lines::forward(self.side(), self.ghosts[PAWN]) & passed & self.empty;
        BitBoard(self.others() | behind)
    }

    /// The squares where men other than the king may stand.
    fn others(&self) -> u64 {
        self.ghosts[..KING].iter().fold(0, |all, set| all | set)
    }

    fn union(&self) -> u64 {
        self.others() | self.ghosts[KING]
    }

    fn must(&self) -> u64 {
        !(self.empty | self.own.all().0)
    }

    /// Whether `position` is one of those that this knowledge stands for.
    pub fn contains(&self, position: &Position) -> bool {
        let others = position.own(!self.side());
        let fits = |piece: Piece| others.men(piece).0 & !self.ghosts[piece as usize] == 0;
        let free = !(others.all() | self.own.all()).0;
        let castling = others.castling();
        position.own(self.side()) == self.own
            && Piece::ALL.into_iter().all(fits)
            && free & !self.empty == 0
            && others.all().len() == u32::from(self.men)
            && (!castling.short || self.castling.short)
            && (!castling.long || self.castling.long)
            && others.men(Piece::Pawn).len() <= u32::from(self.pawns_left())
    }
}

/// Where a pawn of `side` stands that has passed over `square`.
fn double_step_behind(square: Square, side: Color) -> Option<Square> {
    square.try_offset(0, if side == Color::White { 1 } else { -1 })
}

/// The corner and the king's square of a side's castling, and where the king goes.
fn castling_squares(side: Color) -> [(Square, Square, Square, u64); 2] {
    let home = Rank::First.relative_to(side);
    let at = |file| Square::new(file, home);
    let between = |king, rook| cozy_chess::get_between_rays(at(king), at(rook)).0;
    [
        (at(File::E), at(File::H), at(File::G), between(File::E, File::H)),
        (at(File::E), at(File::A), at(File::C), between(File::E, File::A)),
    ]
}
