//! Features of the main line: 16 and 21 to 25.
//!
//! P1 uses the first solution that its solver finds, which depends on the solver. Ours is the
//! canonical main line of the record.

use super::{Feature, Features};
use games::Seat;
use games::geister::{Ghost, Move, Position, Square};

/// A ghost, identified by its square at the start.
type Name = Square;

/// A move of the line, with the ghosts involved.
struct Event {
    mover: Name,
    side: Seat,
    mv: Move,
    /// The captured ghost and its type.
    captured: Option<(Name, Ghost)>,
    /// The squares of all ghosts before the move.
    places: Vec<(Name, Square)>,
}

/// Sets the features of the line.
pub(super) fn fill(position: &Position, line: &[Move], features: &mut Features) {
    let events = events(position, line);
    let captures_by = |side| {
        events.iter().filter(move |event| event.side == side && event.captured.is_some()).count()
    };
    let moved_by = |side| {
        let mut movers: Vec<Name> =
            events.iter().filter(|event| event.side == side).map(|event| event.mover).collect();
        movers.sort_unstable();
        movers.dedup();
        movers.len()
    };
    let (of_top, of_own) = (captures_by(Seat::First), captures_by(Seat::Second));
    for (feature, value) in [
        (Feature::AsideMoves, aside_moves(&events)),
        (Feature::OwnCaptured, of_own),
        (Feature::TopCaptured, of_top),
        (Feature::Captured, of_own + of_top),
        (Feature::OwnMovers, moved_by(Seat::First)),
        (Feature::TopMovers, moved_by(Seat::Second)),
    ] {
        features.set(feature, value as f64);
    }
}

/// The moves of the line with identified ghosts.
fn events(position: &Position, line: &[Move]) -> Vec<Event> {
    let mut position = *position;
    let everybody = position.army(Seat::First) | position.army(Seat::Second);
    let mut places: Vec<(Name, Square)> = everybody.map(|square| (square, square)).collect();
    let mut events = Vec::with_capacity(line.len());
    for &mv in line {
        let at = |square: Square| places.iter().position(|&(_, place)| place == square);
        let Some(mover) = at(mv.from()) else { break };
        let prey = mv.to().and_then(at);
        let captured = prey.map(|prey| places[prey].0).zip(position.captured(mv));
        let event = Event {
            mover: places[mover].0,
            side: position.turn(),
            mv,
            captured,
            places: places.clone(),
        };
        if let Some(to) = mv.to() {
            places[mover].1 = to;
        }
        if let Some(prey) = prey {
            places.remove(prey);
        }
        events.push(event);
        position = position.play_unchecked(mv);
    }
    events
}

/// Own moves that do not serve the goal of the line. If it ends with an escape, those that do not
/// bring the escaping ghost nearer to its exit; else those that neither capture a ghost that may be
/// blue nor approach the next one captured.
fn aside_moves(events: &[Event]) -> usize {
    let own = || events.iter().enumerate().filter(|(_, event)| event.side == Seat::First);
    match events.last().map(|last| (last.mv, last.mover)) {
        Some((Move::Escape { from: exit }, runner)) => {
            own().filter(|(_, event)| event.mover != runner || !nears(event.mv, exit)).count()
        }
        _ => own().filter(|(index, _)| !hunts(&events[*index..])).count(),
    }
}

/// Whether a move goes nearer to a square, or leaves the board from it.
fn nears(mv: Move, target: Square) -> bool {
    mv.to().is_none_or(|to| to.distance(target) < mv.from().distance(target))
}

/// Whether the first of these events serves the hunt.
fn hunts(events: &[Event]) -> bool {
    let may_be_blue = |ghost| matches!(ghost, Ghost::ShownBlue | Ghost::Hidden);
    let prey =
        |event: &Event| event.captured.filter(|&(_, g)| may_be_blue(g)).map(|(name, _)| name);
    let next = events.iter().filter(|event| event.side == Seat::First).find_map(prey);
    let (Some(first), Some(next)) = (events.first(), next) else { return false };
    let place = first.places.iter().find(|(name, _)| *name == next).map(|&(_, place)| place);
    prey(first).is_some() || place.is_some_and(|place| nears(first.mv, place))
}
