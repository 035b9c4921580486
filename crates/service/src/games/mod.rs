//! Whole games: against a program, or between two people who share a link.
//!
//! * [`registry`] lists the games that the site offers. Only their folders and that list name one.
//! * [`site_game`] has the traits that a game implements; [`PlayedGame`] is one game of them with its
//!   hidden state, and [`HostedGame`] the same for code that does not know which game it is.
//! * [`GameSession`] is a game with its players; a [`Role`] says who may see what of it.
//! * [`GameView`] is all that leaves the server during a game. It is built from observations, so that
//!   two games that look the same to a viewer give the same bytes.
//! * [`game_service`] carries moves between people, programs and the database, and notifies those who
//!   watch.
//! * `programs` choose the moves of computer opponents in the background, a few at a time.

pub mod game_service;
mod game_session;
mod geister;
mod hosted_game;
pub mod kriegspiel;
pub mod limits;
pub mod missed_wins;
pub mod opponents;
mod phantom_tic_tac_toe;
mod played_game;
mod player;
mod programs;
pub mod records;
pub mod registry;
pub mod review;
pub mod site_game;
mod summary;
#[cfg(test)]
mod tests;
mod view;

pub use game_service::GameService;
pub use game_session::{GameResult, GameSession, Role, Stage, seat_named};
pub use hosted_game::{HostableGame, HostedGame, Viewer};
pub use opponents::OpponentView;
pub use played_game::PlayedGame;
pub use player::PlayerResources;
pub use registry::{GAMES, HostedRules};
pub use summary::Summary;
pub use view::GameView;
