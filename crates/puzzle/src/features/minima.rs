//! P3's counts, which are minima over all best play instead of one line, and the branching of best
//! play.

use super::{Feature, Features};
use crate::proof::Proof;
use games::Seat;
use games::geister::{Bitboard, Move, Position};
use search::Stop;
use std::collections::HashMap;

/// The maximum number of best-play positions; beyond it the counts stay unknown.
const MAX_POSITIONS: usize = 400;

/// The minimum counts from a position on.
#[derive(Clone, Copy)]
struct Minima {
    captured: u32,
    movers: u32,
}

impl Minima {
    fn or(self, other: Minima) -> Minima {
        let captured = self.captured.min(other.captured);
        Minima { captured, movers: self.movers.min(other.movers) }
    }
}

/// A position, and the squares of the own ghosts that have moved so far.
type Place = (Position, Bitboard);

struct Walk<'p, 'a, 'b> {
    proof: &'p mut Proof<'a, 'b>,
    seen: HashMap<Place, Minima>,
}

/// Sets P3's counts and the branching of the proof.
///
/// # Errors
/// If a limit is hit.
pub(super) fn fill(proof: &mut Proof<'_, '_>, features: &mut Features) -> Result<(), Stop> {
    let (start, plies) = (*proof.position(), proof.m_win());
    let mut walk = Walk { proof, seen: HashMap::new() };
    let fewest = walk.from((start, Bitboard::EMPTY), plies)?;
    let positions = walk.seen.len().max(1) as f64;
    features.set(Feature::BestPlay, positions.log2());
    if let Some(Minima { captured, movers }) = fewest {
        features.set(Feature::FewestCaptured, f64::from(captured));
        features.set(Feature::FewestMovers, f64::from(movers));
    }
    Ok(())
}

impl Walk<'_, '_, '_> {
    /// The minimum counts from a position of best play that is won in exactly `plies`; none if
    /// there are too many positions.
    fn from(&mut self, place: Place, plies: u32) -> Result<Option<Minima>, Stop> {
        if plies == 0 {
            return Ok(Some(Minima { captured: 0, movers: 0 }));
        }
        if let Some(&known) = self.seen.get(&place) {
            return Ok(Some(known));
        }
        if self.seen.len() >= MAX_POSITIONS {
            return Ok(None);
        }
        let mut fewest: Option<Minima> = None;
        for mv in self.proof.best_moves(&place.0, plies)? {
            let Some(below) = self.from(after(place, mv), plies - 1)? else { return Ok(None) };
            let all = Minima {
                captured: below.captured + u32::from(place.0.captured(mv).is_some()),
                movers: below.movers + u32::from(is_new_mover(place, mv)),
            };
            fewest = Some(fewest.map_or(all, |so_far| so_far.or(all)));
        }
        if let Some(fewest) = fewest {
            self.seen.insert(place, fewest);
        }
        Ok(fewest)
    }
}

fn is_new_mover((position, moved): Place, mv: Move) -> bool {
    position.turn() == Seat::First && !moved.has(mv.from())
}

/// The place after a move: a mover stays marked, a captured mover is removed.
fn after((position, moved): Place, mv: Move) -> Place {
    let to = mv.to().map_or(Bitboard::EMPTY, games::geister::Square::bit);
    let moved = match position.turn() {
        Seat::First => moved.without(mv.from().bit()) | to,
        Seat::Second => moved.without(to),
    };
    (position.play_unchecked(mv), moved)
}
