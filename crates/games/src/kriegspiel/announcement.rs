//! What the umpire says after a move, to both sides.

use super::{Color, Square, name};
use std::fmt;

/// What the umpire says about the captured piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CapturedKind {
    /// A pawn.
    Pawn,
    /// Anything else, a promoted pawn included.
    Piece,
}

/// A capture as it is announced.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Capture {
    /// What was captured.
    pub kind: CapturedKind,
    /// Where it stood; after a capture en passant not the square that was moved to.
    pub square: Square,
}

/// A direction that check comes from. The square of the checker is not told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Check {
    /// Along the king's rank.
    Rank,
    /// Along its file.
    File,
    /// Along the longer of its two diagonals, which are never of one length.
    LongDiagonal,
    /// Along the shorter one.
    ShortDiagonal,
    /// By a knight.
    Knight,
}

impl Check {
    /// All of them, in the order in which they are announced.
    pub const ALL: [Check; 5] =
        [Check::Rank, Check::File, Check::LongDiagonal, Check::ShortDiagonal, Check::Knight];

    /// How a man on `from` gives check to a king on `king`, if it gives check at all.
    pub fn between(king: Square, from: Square) -> Check {
        let (file, rank) = (king.file() as i8, king.rank() as i8);
        let (across, up) = (from.file() as i8 - file, from.rank() as i8 - rank);
        if up == 0 {
            Check::Rank
        } else if across == 0 {
            Check::File
        } else if across.abs() != up.abs() {
            Check::Knight
        } else {
            let rising = 8 - (rank - file).abs();
            let falling = 8 - (rank + file - 7).abs();
            let long = if across == up { rising > falling } else { falling > rising };
            if long { Check::LongDiagonal } else { Check::ShortDiagonal }
        }
    }

    /// The name in records: `rank`, `file`, `long-diagonal`, `short-diagonal`, `knight`.
    pub const fn id(self) -> &'static str {
        match self {
            Check::Rank => "rank",
            Check::File => "file",
            Check::LongDiagonal => "long-diagonal",
            Check::ShortDiagonal => "short-diagonal",
            Check::Knight => "knight",
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Check::Rank => "on the rank",
            Check::File => "on the file",
            Check::LongDiagonal => "on the long diagonal",
            Check::ShortDiagonal => "on the short diagonal",
            Check::Knight => "by a knight",
        }
    }
}

/// A set of checks: none, one, or two after a double check.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Checks(u8);

impl Checks {
    /// No check.
    pub const NONE: Checks = Checks(0);

    /// The set with `check` in it.
    #[must_use]
    pub const fn with(self, check: Check) -> Checks {
        Checks(self.0 | 1 << check as u8)
    }

    /// Whether `check` is in the set.
    pub const fn has(self, check: Check) -> bool {
        self.0 & (1 << check as u8) != 0
    }

    /// Whether there is no check.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many there are.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The checks, in the order in which they are announced.
    pub fn iter(self) -> impl Iterator<Item = Check> {
        Check::ALL.into_iter().filter(move |&check| self.has(check))
    }
}

impl FromIterator<Check> for Checks {
    fn from_iter<I: IntoIterator<Item = Check>>(checks: I) -> Checks {
        checks.into_iter().fold(Checks::NONE, Checks::with)
    }
}

impl fmt::Debug for Checks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The rule that ended a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Termination {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Neither side has the men to mate.
    InsufficientMaterial,
    /// The position is on the board for the third time.
    Repetition,
    /// Fifty moves of each side without a capture or a move of a pawn.
    FiftyMoves,
}

impl Termination {
    /// The name in records: `checkmate`, `stalemate`, `insufficient`, `repetition`, `fifty-moves`.
    pub const fn id(self) -> &'static str {
        match self {
            Termination::Checkmate => "checkmate",
            Termination::Stalemate => "stalemate",
            Termination::InsufficientMaterial => "insufficient",
            Termination::Repetition => "repetition",
            Termination::FiftyMoves => "fifty-moves",
        }
    }

    /// Who won if it ended so with `to_move` to move; `None` for a draw.
    pub fn winner(self, to_move: Color) -> Option<Color> {
        (self == Termination::Checkmate).then_some(!to_move)
    }
}

/// What both sides hear after a move.
///
/// A move that ends the game is announced with its capture and the end: no checks, no pawn tries.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Announcement {
    /// Whose turn it is now, or would be.
    pub to_move: Color,
    /// What the move captured.
    pub capture: Option<Capture>,
    /// How the side to move is in check.
    pub checks: Checks,
    /// How many captures by pawn the side to move has, as pairs of squares.
    pub pawn_tries: u8,
    /// How the game ended.
    pub termination: Option<Termination>,
}

impl Announcement {
    /// The announcement of the same move with the game over.
    #[must_use]
    pub const fn ended(self, termination: Termination) -> Announcement {
        Announcement { checks: Checks::NONE, pawn_tries: 0, termination: Some(termination), ..self }
    }

    fn sentences(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        if self.termination.is_none() {
            sentences.push(format!("{} to move.", name(self.to_move)));
        }
        if let Some(Capture { kind, square }) = self.capture {
            sentences.push(format!("{kind:?} captured at {square}."));
        }
        if !self.checks.is_empty() {
            let words: Vec<&str> = self.checks.iter().map(Check::words).collect();
            sentences.push(format!("Check {}.", words.join(" and ")));
        }
        match self.pawn_tries {
            0 => {}
            1 => sentences.push("1 pawn try.".into()),
            tries => sentences.push(format!("{tries} pawn tries.")),
        }
        if let Some(termination) = self.termination {
            sentences.push(self.termination_words(termination));
        }
        sentences
    }

    fn termination_words(&self, termination: Termination) -> String {
        match termination {
            Termination::Checkmate => format!("Checkmate, {} wins.", name(!self.to_move)),
            Termination::Stalemate => "Stalemate, a draw.".into(),
            Termination::InsufficientMaterial => "Neither side can mate, a draw.".into(),
            Termination::Repetition => "The position is there for the third time, a draw.".into(),
            Termination::FiftyMoves => "Fifty moves without capture or pawn move, a draw.".into(),
        }
    }
}

/// The umpire's words, such as `White to move. Pawn captured at e5. Check on the file. 2 pawn
/// tries.`
impl fmt::Display for Announcement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentences().join(" "))
    }
}
