//! Themes that lie in best play as a whole.
//!
//! Sacrifice, decoy and solo hold if every line of best play shows them: not because one line happens
//! to. Zugzwang and the race hold if the top side can bring them about by some longest defence,
//! whichever shortest way the bottom side takes; a lost side has many equally long defences, and
//! those that stay away from the point must not hide it.
//!
//! Best play is walked through up to [`MOST_POSITIONS`] positions. Beyond that, nothing is claimed.

use super::Theme;
use crate::proof::{Proof, captures_of, top_is_about_to_leave};
use games::Seat;
use games::geister::{Bitboard, Board, Move, Position, Square, Standard};
use geister::solver::Question;
use search::Stop;
use std::collections::HashMap;

/// So many positions of best play are looked at.
pub const MOST_POSITIONS: usize = 1000;

/// A set of themes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Shown(u32);

impl Shown {
    const NOTHING: Shown = Shown(0);

    /// What shows in a position with no move to come: one ghost has made all of them.
    const AT_THE_END: Shown = Shown::only(Theme::Solo);

    /// What has to show in every line.
    const ALWAYS: Shown = Shown(
        Shown::only(Theme::Solo).0 | Shown::only(Theme::Sacrifice).0 | Shown::only(Theme::Decoy).0,
    );

    const fn only(theme: Theme) -> Shown {
        Shown(1 << theme as u32)
    }

    fn with(self, theme: Theme, shows: bool) -> Shown {
        if shows { Shown(self.0 | Shown::only(theme).0) } else { self }
    }

    fn has(self, theme: Theme) -> bool {
        self.0 & Shown::only(theme).0 != 0
    }

    /// The bottom side avoids what it can.
    fn whichever(self, other: Shown) -> Shown {
        Shown(self.0 & other.0)
    }

    /// The top side brings about what it can, but some themes have to show in every line.
    fn either(self, other: Shown) -> Shown {
        let Shown(always) = Shown::ALWAYS;
        Shown((self.0 | other.0) & !always | self.0 & other.0 & always)
    }
}

/// Why a walk came back without an answer.
enum Halt {
    Stop(Stop),
    TooWide,
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        Halt::Stop(stop)
    }
}

/// A position of best play, and where the ghost that made all the moves so far stands.
type Place = (Position, Option<Square>);

struct Walk<'p, 'a, 'b> {
    proof: &'p mut Proof<'a, 'b>,
    seen: HashMap<Place, Shown>,
}

/// The themes that best play shows.
///
/// # Errors
/// If a limit is hit.
pub(super) fn themes(proof: &mut Proof<'_, '_>) -> Result<Vec<Theme>, Stop> {
    let (start, plies) = (*proof.position(), proof.m_win());
    let mut walk = Walk { proof, seen: HashMap::new() };
    match walk.own_turn(&start, plies, None) {
        Ok(shown) => Ok(Theme::ALL.into_iter().filter(|&theme| shown.has(theme)).collect()),
        Err(Halt::TooWide) => Ok(Vec::new()),
        Err(Halt::Stop(stop)) => Err(stop),
    }
}

impl Walk<'_, '_, '_> {
    /// What shows from here on, the bottom side to move and to win in exactly `plies`; `walker` is
    /// where the ghost stands that has made all the moves so far, if there were any.
    fn own_turn(
        &mut self,
        position: &Position,
        plies: u32,
        walker: Option<Square>,
    ) -> Result<Shown, Halt> {
        let place = (*position, walker);
        if let Some(&shown) = self.seen.get(&place) {
            return Ok(shown);
        }
        if self.seen.len() >= MOST_POSITIONS {
            return Err(Halt::TooWide);
        }
        let race = plies == 1 && top_is_about_to_leave(position);
        let mut shown: Option<Shown> = None;
        for mv in self.proof.best_moves(position, plies)? {
            let solo = walker.is_none_or(|walker| walker == mv.from());
            let after = self.after_own(position, mv, plies - 1, solo)?;
            let all = shown.map_or(after, |so_far| so_far.whichever(after));
            shown = Some(all);
            if all == Shown::NOTHING {
                break;
            }
        }
        let shown = shown.unwrap_or(Shown::NOTHING).with(Theme::TempoRace, race);
        self.seen.insert(place, shown);
        Ok(shown)
    }

    /// What shows after the own move `mv`, which is the walker's own if `solo`.
    fn after_own(
        &mut self,
        position: &Position,
        mv: Move,
        plies: u32,
        solo: bool,
    ) -> Result<Shown, Halt> {
        let after = position.play_unchecked(mv);
        let shown = match mv.to().filter(|_| plies > 0) {
            None => Shown::AT_THE_END,
            Some(to) => self.top_turn(&after, plies, to)?,
        };
        Ok(if solo { shown } else { shown.whichever(Shown(!Shown::only(Theme::Solo).0)) })
    }

    /// What shows from here on, the top side to move and to lose in exactly `plies`.
    fn top_turn(&mut self, position: &Position, plies: u32, walker: Square) -> Result<Shown, Halt> {
        let waits = self.proof.wins_within(&position.passed(), plies - 1, Question::Win)?;
        let mut shown: Option<Shown> = None;
        for mv in self.proof.best_moves(position, plies)? {
            let captures = captures_of(position, mv, Seat::First);
            let guard = captures && guards_an_exit(mv.from());
            let after = self
                .own_turn(&position.play_unchecked(mv), plies - 1, Some(walker))?
                .with(Theme::Sacrifice, captures)
                .with(Theme::Decoy, guard);
            shown = Some(shown.map_or(after, |so_far| so_far.either(after)));
        }
        Ok(shown.unwrap_or(Shown::NOTHING).with(Theme::Zugzwang, !waits))
    }
}

/// Whether a ghost of the top side here keeps own blues from leaving: it is at most two steps away
/// from one of their exits.
fn guards_an_exit(square: Square) -> bool {
    let exits: Bitboard = Standard::BOTTOM_EXITS;
    exits.map(|exit| exit.distance(square)).min().is_some_and(|steps| steps <= 2)
}
