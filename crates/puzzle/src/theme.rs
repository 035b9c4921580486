//! What a puzzle is about.

use std::fmt;
use std::str::FromStr;

/// An idea that a puzzle cannot be solved without. How each is decided is told where it is decided,
/// in [`crate::quality`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Theme {
    /// The last own red is used as a wall: the category of Hsueh et al. (2025).
    RedWall,
    /// The win is a capture of the last blue: the other category.
    CaptureWin,
    /// An own ghost has to be given up.
    Sacrifice,
    /// A given-up ghost draws a guard away from its exit.
    Decoy,
    /// A capture was there, and is wrong.
    QuietKey,
    /// The first move leads away from the exits.
    Retreat,
    /// The nearer exit fails.
    FarExit,
    /// The top side comes one move too late.
    TempoRace,
    /// A corner that is lost on its own, in a position that is won.
    CornerLock,
    /// The top side would hold out if it did not have to move.
    Zugzwang,
    /// The first move has to stop a ghost that is about to leave.
    Defence,
    /// A ghost goes back to where it came from.
    Switchback,
    /// One ghost makes all the moves.
    Solo,
}

impl Theme {
    /// All themes.
    pub const ALL: [Theme; 13] = [
        Theme::RedWall,
        Theme::CaptureWin,
        Theme::Sacrifice,
        Theme::Decoy,
        Theme::QuietKey,
        Theme::Retreat,
        Theme::FarExit,
        Theme::TempoRace,
        Theme::CornerLock,
        Theme::Zugzwang,
        Theme::Defence,
        Theme::Switchback,
        Theme::Solo,
    ];

    /// The name in records and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Theme::RedWall => "red-wall",
            Theme::CaptureWin => "capture-win",
            Theme::Sacrifice => "sacrifice",
            Theme::Decoy => "decoy",
            Theme::QuietKey => "quiet-key",
            Theme::Retreat => "retreat",
            Theme::FarExit => "far-exit",
            Theme::TempoRace => "tempo-race",
            Theme::CornerLock => "corner-lock",
            Theme::Zugzwang => "zugzwang",
            Theme::Defence => "defence",
            Theme::Switchback => "switchback",
            Theme::Solo => "solo",
        }
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchTheme;

impl fmt::Display for NoSuchTheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Theme::ALL.map(Theme::name).join(", ");
        write!(f, "there is no such theme; themes are {names}")
    }
}

impl std::error::Error for NoSuchTheme {}

impl FromStr for Theme {
    type Err = NoSuchTheme;

    fn from_str(text: &str) -> Result<Theme, NoSuchTheme> {
        Theme::ALL.into_iter().find(|theme| theme.name() == text).ok_or(NoSuchTheme)
    }
}
