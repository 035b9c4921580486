//! What the umpire announces to both sides after a move.

use super::{Color, Square, color_name};
use std::fmt;

/// What the umpire says about the captured piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CapturedKind {
    /// A pawn.
    Pawn,
    /// Any other piece, including a promoted pawn.
    Piece,
}

/// A capture as the umpire announces it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Capture {
    /// What was captured.
    pub kind: CapturedKind,
    /// The square of the captured piece; after an en passant capture not the square of the capturer.
    pub square: Square,
}

/// A direction that check comes from. The umpire does not announce the square of the checker.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Check {
    /// Along the king's rank.
    Rank,
    /// Along the king's file.
    File,
    /// Along the longer of the king's two diagonals, which never have the same length.
    LongDiagonal,
    /// Along the shorter of the king's two diagonals.
    ShortDiagonal,
    /// By a knight.
    Knight,
}

impl Check {
    /// All directions, in the order in which they are announced.
    pub const ALL: [Check; 5] =
        [Check::Rank, Check::File, Check::LongDiagonal, Check::ShortDiagonal, Check::Knight];

    /// The direction from which a piece on `from` gives check to a king on `king`, if it does.
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

    const fn phrase(self) -> &'static str {
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

    /// The set with `check` added.
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

    /// The number of checks.
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
    /// Neither side has enough material to mate.
    InsufficientMaterial,
    /// The position has occurred for the third time.
    Repetition,
    /// Fifty moves of each side without a capture or a pawn move.
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

    /// The winner of a game that ended like this with `to_move` to move; `None` for a draw.
    pub fn winner(self, to_move: Color) -> Option<Color> {
        (self == Termination::Checkmate).then_some(!to_move)
    }
}

/// What the umpire announces to both sides after a move.
///
/// After a move that ends the game it announces only the capture and the termination: no checks, no
/// pawn tries.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Announcement {
    /// The side to move after the move, even if the game is over.
    pub to_move: Color,
    /// The capture, if the move was one.
    pub capture: Option<Capture>,
    /// The directions from which the side to move is in check.
    pub checks: Checks,
    /// The number of legal pawn captures of the side to move, counted as pairs of squares.
    pub pawn_tries: u8,
    /// Why the game ended, if it did.
    pub termination: Option<Termination>,
}

impl Announcement {
    /// The announcement of the same move if it ends the game.
    #[must_use]
    pub const fn ended(self, termination: Termination) -> Announcement {
        Announcement { checks: Checks::NONE, pawn_tries: 0, termination: Some(termination), ..self }
    }

    fn sentences(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        if self.termination.is_none() {
            sentences.push(format!("{} to move.", color_name(self.to_move)));
        }
        if let Some(Capture { kind, square }) = self.capture {
            sentences.push(format!("{kind:?} captured at {square}."));
        }
        if !self.checks.is_empty() {
            let phrases: Vec<&str> = self.checks.iter().map(Check::phrase).collect();
            sentences.push(format!("Check {}.", phrases.join(" and ")));
        }
        match self.pawn_tries {
            0 => {}
            1 => sentences.push("1 pawn try.".into()),
            tries => sentences.push(format!("{tries} pawn tries.")),
        }
        if let Some(termination) = self.termination {
            sentences.push(self.termination_sentence(termination));
        }
        sentences
    }

    fn termination_sentence(&self, termination: Termination) -> String {
        match termination {
            Termination::Checkmate => format!("Checkmate, {} wins.", color_name(!self.to_move)),
            Termination::Stalemate => "Stalemate, a draw.".into(),
            Termination::InsufficientMaterial => "Neither side can mate, a draw.".into(),
            Termination::Repetition => "The position is there for the third time, a draw.".into(),
            Termination::FiftyMoves => "Fifty moves without capture or pawn move, a draw.".into(),
        }
    }
}

/// The text of the announcement, such as `White to move. Pawn captured at e5. Check on the file. 2 pawn
/// tries.`
impl fmt::Display for Announcement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentences().join(" "))
    }
}
