//! Themes: the ideas of a puzzle.
//!
//! A theme is claimed only if it is proved: by a search with a changed rule (red wall, capture win,
//! far exit), by all best play (the module `best_play`), or by all keys. A single line is not
//! enough, since there may be another solution without it.

mod best_play;
mod corner;

pub use best_play::MAX_POSITIONS;

use crate::proof::{Proof, attack_has_sting, captures_of, top_is_about_to_leave};
use games::Seat;
use games::geister::{Bitboard, Board, Move, Position, Square, Standard};
use geister::board::TOP_EXITS;
use geister::solver::{Classification, SearchGoal};
use search::Stop;
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// An idea that a puzzle cannot be solved without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Theme {
    /// The last own red is used as a wall: without the third rule the win takes longer (Hsueh et
    /// al. 2025, 4.3).
    RedWall,
    /// No win as short ends with an escape: the last ply has to be a capture (Hsueh et al. 2025,
    /// 4.3).
    CaptureWin,
    /// In every line of best play, the top side captures an own ghost.
    Sacrifice,
    /// In every line of best play, a guard is lured: a ghost at most two steps away from an exit of
    /// the bottom side leaves its post to capture an own ghost.
    Decoy,
    /// A capture is possible, and no key is a capture.
    QuietKey,
    /// Every key leads one row away from the exits.
    Retreat,
    /// A blue is nearer to one exit than any is to the other; but leaving only there does not win
    /// as soon, and leaving only at the other does.
    FarExit,
    /// Whichever shortest way the bottom side takes, some longest defence has a ghost on its exit
    /// when the bottom side makes its last move: one move later it would have left. And one free
    /// move for the top side at the start would spoil the win, though not if it could not leave.
    TempoRace,
    /// A locally lost corner in a won position (Ishii et al., 8.2); see the module `corner`.
    CornerLock,
    /// Whichever shortest way the bottom side takes, some longest defence comes to a position in
    /// which the top side would hold out longer if it did not have to move.
    Zugzwang,
    /// A ghost is about to leave, and every key stops it.
    Defence,
    /// In all of best play, one own ghost makes all the moves.
    Solo,
}

impl Theme {
    /// All themes.
    pub const ALL: [Theme; 12] = [
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
        Theme::Solo,
    ];

    /// Whether it is one of the two categories of Hsueh et al. (2025).
    pub fn is_category(self) -> bool {
        matches!(self, Theme::RedWall | Theme::CaptureWin)
    }

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
            Theme::Solo => "solo",
        }
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The themes of a puzzle with these keys and of these special kinds.
///
/// # Errors
/// If a limit is hit.
pub fn themes(
    proof: &mut Proof<'_, '_>,
    keys: &[Move],
    kinds: Classification,
) -> Result<BTreeSet<Theme>, Stop> {
    let position = *proof.position();
    let mut themes: BTreeSet<Theme> = best_play::themes(proof)?.into_iter().collect();
    let mut claim = |theme, holds| {
        if holds {
            themes.insert(theme);
        }
    };
    claim(Theme::RedWall, kinds.red_wall);
    claim(Theme::CaptureWin, kinds.capture_win);
    claim(Theme::QuietKey, is_quiet(&position, keys));
    claim(Theme::Retreat, keys.iter().all(|&mv| leads_down(mv)));
    claim(Theme::CornerLock, corner::has_lost_corner(&position));
    claim(Theme::Defence, defends(&position, keys));
    claim(Theme::FarExit, is_proved(needs_far_exit(proof))?);
    if themes.contains(&Theme::TempoRace) {
        let sting = attack_has_sting(proof, &position, proof.m_win());
        if !is_proved(sting)? {
            themes.remove(&Theme::TempoRace);
        }
    }
    Ok(themes)
}

/// A theme that takes too long to prove is not claimed.
fn is_proved(answer: Result<bool, Stop>) -> Result<bool, Stop> {
    match answer {
        Err(Stop::Interrupted) | Ok(_) => answer,
        Err(Stop::Nodes | Stop::Time | Stop::Memory) => Ok(false),
    }
}

/// Whether a capture is possible and no key is a capture.
fn is_quiet(position: &Position, keys: &[Move]) -> bool {
    let captures = |mv: &Move| captures_of(position, *mv, Seat::Second);
    position.legal_moves().iter().any(captures) && !keys.iter().any(captures)
}

fn leads_down(mv: Move) -> bool {
    mv.to().is_some_and(|to| to.row() < mv.from().row())
}

/// Whether the top side would leave with its next two moves if the bottom side passed, and can no
/// longer do so after any key.
fn defends(position: &Position, keys: &[Move]) -> bool {
    let after = |mv: &Move| position.play_unchecked(*mv);
    threatens_to_leave(&position.passed()) && keys.iter().all(|mv| !threatens_to_leave(&after(mv)))
}

/// The top side to move: it leaves now, or steps onto an exit where no ghost may capture it.
fn threatens_to_leave(position: &Position) -> bool {
    if position.outcome().is_some() {
        return false;
    }
    let leavers = position.leavers(Seat::Second);
    let steps_out = |mv: &Move| {
        let Some(to) = mv.to().filter(|_| leavers.has(mv.from())) else { return true };
        TOP_EXITS.has(to) && is_safe_after(position, *mv)
    };
    position.legal_moves().iter().any(|mv| leavers.has(mv.from()) && steps_out(mv))
}

/// Whether the ghost that made this move leaves next, whatever the bottom side does short of
/// winning.
fn is_safe_after(position: &Position, mv: Move) -> bool {
    let after = position.play_unchecked(mv);
    after.outcome().is_none()
        && after.legal_moves().into_iter().all(|reply| {
            let replied = after.play_unchecked(reply);
            match replied.outcome() {
                Some(outcome) => outcome.winner() == Some(Seat::Second),
                None => top_is_about_to_leave(&replied),
            }
        })
}

/// Whether a blue is nearer to an exit that does not win as soon, while the other exit does.
fn needs_far_exit(proof: &mut Proof<'_, '_>) -> Result<bool, Stop> {
    let (position, m_win) = (*proof.position(), proof.m_win());
    let blues = position.leavers(Seat::First);
    let [left, right] = [0, 5].map(|column| steps_to(blues, column));
    let (near, far) = match left.cmp(&right) {
        std::cmp::Ordering::Less => (SearchGoal::WinThroughA6, SearchGoal::WinThroughF6),
        std::cmp::Ordering::Greater => (SearchGoal::WinThroughF6, SearchGoal::WinThroughA6),
        std::cmp::Ordering::Equal => return Ok(false),
    };
    Ok(!proof.wins_within(&position, m_win, near)? && proof.wins_within(&position, m_win, far)?)
}

/// Steps from the nearest of these squares to the exit in this column.
fn steps_to(mut blues: Bitboard, column: u32) -> Option<u32> {
    let exit = Square::at(column, Standard::ROWS - 1)?;
    blues.by_ref().map(|blue| blue.distance(exit)).min()
}

/// The error for an unknown theme name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownTheme;

impl fmt::Display for UnknownTheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Theme::ALL.map(Theme::name).join(", ");
        write!(f, "there is no such theme; themes are {names}")
    }
}

impl std::error::Error for UnknownTheme {}

impl FromStr for Theme {
    type Err = UnknownTheme;

    fn from_str(text: &str) -> Result<Theme, UnknownTheme> {
        Theme::ALL.into_iter().find(|theme| theme.name() == text).ok_or(UnknownTheme)
    }
}
