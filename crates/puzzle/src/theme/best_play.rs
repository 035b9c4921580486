//! Themes of best play as a whole.
//!
//! Sacrifice, decoy and solo must occur in every line of best play. Zugzwang and the race must be
//! enforceable by some longest defence, whichever shortest win the bottom side chooses; a lost side
//! has many equally long defences, and those that avoid the theme must not hide it.
//!
//! At most [`MAX_POSITIONS`] positions of best play are searched. Beyond that, no theme is claimed.

use super::Theme;
use crate::proof::{Proof, captures_of, top_is_about_to_leave};
use games::Seat;
use games::geister::{Bitboard, Move, Position, Square};
use geister::board::BOTTOM_EXITS;
use geister::solver::SearchGoal;
use search::Stop;
use std::collections::HashMap;

/// The maximum number of best-play positions.
pub const MAX_POSITIONS: usize = 1000;

/// A set of themes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ThemeSet(u32);

impl ThemeSet {
    const EMPTY: ThemeSet = ThemeSet(0);

    /// The themes of a finished line: one ghost has made all remaining moves.
    const AT_THE_END: ThemeSet = ThemeSet::only(Theme::Solo);

    /// The themes that must occur in every line.
    const ALWAYS: ThemeSet = ThemeSet(
        ThemeSet::only(Theme::Solo).0
            | ThemeSet::only(Theme::Sacrifice).0
            | ThemeSet::only(Theme::Decoy).0,
    );

    const fn only(theme: Theme) -> ThemeSet {
        ThemeSet(1 << theme as u32)
    }

    fn with(self, theme: Theme, shows: bool) -> ThemeSet {
        if shows { ThemeSet(self.0 | ThemeSet::only(theme).0) } else { self }
    }

    fn has(self, theme: Theme) -> bool {
        self.0 & ThemeSet::only(theme).0 != 0
    }

    /// The themes that the bottom side cannot avoid.
    fn whichever(self, other: ThemeSet) -> ThemeSet {
        ThemeSet(self.0 & other.0)
    }

    /// The themes that the top side can enforce; some must occur in every line.
    fn either(self, other: ThemeSet) -> ThemeSet {
        let ThemeSet(always) = ThemeSet::ALWAYS;
        ThemeSet((self.0 | other.0) & !always | self.0 & other.0 & always)
    }
}

/// Why a walk was aborted.
enum WalkError {
    Stop(Stop),
    TooWide,
}

impl From<Stop> for WalkError {
    fn from(stop: Stop) -> WalkError {
        WalkError::Stop(stop)
    }
}

/// A position of best play, and the square of the ghost that made all own moves so far.
type Place = (Position, Option<Square>);

struct Walk<'p, 'a, 'b> {
    proof: &'p mut Proof<'a, 'b>,
    seen: HashMap<Place, ThemeSet>,
}

/// The themes of best play.
///
/// # Errors
/// If a limit is hit.
pub(super) fn themes(proof: &mut Proof<'_, '_>) -> Result<Vec<Theme>, Stop> {
    let (start, plies) = (*proof.position(), proof.m_win());
    let mut walk = Walk { proof, seen: HashMap::new() };
    match walk.own_turn(&start, plies, None) {
        Ok(shown) => Ok(Theme::ALL.into_iter().filter(|&theme| shown.has(theme)).collect()),
        Err(WalkError::TooWide) => Ok(Vec::new()),
        Err(WalkError::Stop(stop)) => Err(stop),
    }
}

impl Walk<'_, '_, '_> {
    /// The themes from here on, with the bottom side to move and a win in exactly `plies`; `walker`
    /// is the square of the ghost that has made all own moves so far, if there were any.
    fn own_turn(
        &mut self,
        position: &Position,
        plies: u32,
        walker: Option<Square>,
    ) -> Result<ThemeSet, WalkError> {
        let place = (*position, walker);
        if let Some(&shown) = self.seen.get(&place) {
            return Ok(shown);
        }
        if self.seen.len() >= MAX_POSITIONS {
            return Err(WalkError::TooWide);
        }
        let race = plies == 1 && top_is_about_to_leave(position);
        let mut shown: Option<ThemeSet> = None;
        for mv in self.proof.best_moves(position, plies)? {
            let solo = walker.is_none_or(|walker| walker == mv.from());
            let after = self.after_own(position, mv, plies - 1, solo)?;
            let all = shown.map_or(after, |so_far| so_far.whichever(after));
            shown = Some(all);
            if all == ThemeSet::EMPTY {
                break;
            }
        }
        let shown = shown.unwrap_or(ThemeSet::EMPTY).with(Theme::TempoRace, race);
        self.seen.insert(place, shown);
        Ok(shown)
    }

    /// The themes after the own move `mv`, which is the walker's if `solo`.
    fn after_own(
        &mut self,
        position: &Position,
        mv: Move,
        plies: u32,
        solo: bool,
    ) -> Result<ThemeSet, WalkError> {
        let after = position.play_unchecked(mv);
        let shown = match mv.to().filter(|_| plies > 0) {
            None => ThemeSet::AT_THE_END,
            Some(to) => self.top_turn(&after, plies, to)?,
        };
        Ok(if solo { shown } else { shown.whichever(ThemeSet(!ThemeSet::only(Theme::Solo).0)) })
    }

    /// The themes from here on, with the top side to move and a loss in exactly `plies`.
    fn top_turn(
        &mut self,
        position: &Position,
        plies: u32,
        walker: Square,
    ) -> Result<ThemeSet, WalkError> {
        let waits = self.proof.wins_within(&position.passed(), plies - 1, SearchGoal::Win)?;
        let mut shown: Option<ThemeSet> = None;
        for mv in self.proof.best_moves(position, plies)? {
            let captures = captures_of(position, mv, Seat::First);
            let guard = captures && guards_an_exit(mv.from());
            let after = self
                .own_turn(&position.play_unchecked(mv), plies - 1, Some(walker))?
                .with(Theme::Sacrifice, captures)
                .with(Theme::Decoy, guard);
            shown = Some(shown.map_or(after, |so_far| so_far.either(after)));
        }
        Ok(shown.unwrap_or(ThemeSet::EMPTY).with(Theme::Zugzwang, !waits))
    }
}

/// Whether a ghost of the top side here keeps own blues from leaving: it is at most two steps away
/// from one of their exits.
fn guards_an_exit(square: Square) -> bool {
    let exits: Bitboard = BOTTOM_EXITS;
    exits.map(|exit| exit.distance(square)).min().is_some_and(|steps| steps <= 2)
}
