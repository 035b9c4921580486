//! Phantom tic-tac-toe on the site.

mod opponents;
mod records;
mod review;
mod view;

use super::site_game::SiteGame;
use crate::error::ServiceError;
use games::hidden::NoSetup;
use games::phantom_tic_tac_toe::{EmptyBoard, Game, Square};

impl SiteGame for Game {
    /// More than there can be: nobody is refused twice on a square.
    const MAX_REFUSED_TRIES: usize = Square::ALL.len();
    const NOT_A_CANDIDATE: ServiceError = ServiceError::conflict("no-try");

    fn start() -> EmptyBoard {
        EmptyBoard
    }

    fn fixed_setup() -> Option<NoSetup> {
        Some(NoSetup)
    }
}
