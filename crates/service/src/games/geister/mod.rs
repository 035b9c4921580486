//! Geister on the site.

mod opponents;
mod records;
mod review;
mod view;

use super::site_game::SiteGame;
use crate::error::ServiceError;
use games::geister::{Bitboard, DrawLimit, Game, Observation, Placement, Square};

/// The number of plies that ends a game without a winner.
const DRAW_LIMIT: u32 = <Game>::USUAL_DRAW_LIMIT;

impl SiteGame for Game {
    const NOT_A_CANDIDATE: ServiceError = ServiceError::bad("illegal-move");

    fn start() -> DrawLimit {
        DrawLimit(DRAW_LIMIT)
    }

    /// The squares of the reds.
    fn setup_from_request(red: &[String]) -> Option<Placement> {
        placement(red)
    }

    /// The squares of the reds without a separator.
    fn setup_to_stored(setup: Placement) -> String {
        reds(setup).concat()
    }

    fn setup_from_stored(word: &str) -> Option<Placement> {
        if !word.is_ascii() {
            return None;
        }
        let squares: Vec<&str> =
            (0..word.len()).step_by(2).map_while(|at| word.get(at..at + 2)).collect();
        placement(&squares)
    }

    /// A capture reveals a colour.
    fn reveals(before: &Observation, after: &Observation) -> bool {
        before.opponent_captured() != after.opponent_captured()
    }
}

/// The placement with reds on these squares, if it is one.
fn placement(red: &[impl AsRef<str>]) -> Option<Placement> {
    let squares = red.iter().map(|name| Square::from_name(name.as_ref()));
    let red: Bitboard = squares.collect::<Option<Vec<Square>>>()?.into_iter().collect();
    Placement::with_red(red).ok()
}

/// The squares of the reds of a placement, in the view of its seat.
fn reds(placement: Placement) -> Vec<String> {
    placement.red().map(|square| square.to_string()).collect()
}
