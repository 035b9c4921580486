//! Kriegspiel on the site.

mod opponents;
mod records;
mod review;
mod view;

use super::site_game::SiteGame;
use crate::error::ServiceError;
use games::hidden::NoSetup;
use games::kriegspiel::{Game, Position};

/// Plies after which a game of Kriegspiel on the site is drawn. No real game is that long; the rules
/// allow 5,898 moves of each side.
pub const MAX_PLIES: usize = 1_000;

/// The maximum number of refused tries of each side that a game of Kriegspiel stores.
pub const MAX_REFUSED_TRIES: usize = 2_000;

impl SiteGame for Game {
    const MAX_PLIES: Option<usize> = Some(MAX_PLIES);
    const MAX_REFUSED_TRIES: usize = MAX_REFUSED_TRIES;
    const NOT_A_CANDIDATE: ServiceError = ServiceError::conflict("no-try");

    fn start() -> Position {
        Position::start()
    }

    fn fixed_setup() -> Option<NoSetup> {
        Some(NoSetup)
    }
}
