//! Whole games: against a program, or between two people who share a link.
//!
//! * [`GameSession`] is one game with its hidden state; a [`Role`] says who may see what of it.
//! * [`GameView`] is all that leaves the server during a game. It is built from observations, so that
//!   two games that look the same to a viewer give the same bytes.
//! * [`game_service`] carries moves between people, programs and the database, and notifies those who
//!   watch.
//! * `programs` choose the moves of computer opponents in the background, a few at a time.

pub mod game_service;
mod game_session;
mod geister_game;
mod kriegspiel_game;
pub mod limits;
pub mod missed_wins;
pub mod opponents;
mod programs;
pub mod records;
pub mod review;
mod summary;
mod view;

pub use game_service::GameService;
pub use game_session::{GameKind, GameResult, GameSession, GameState, Role, Stage, seat_named};
pub use geister_game::GeisterGame;
pub use opponents::OpponentView;
pub use summary::Summary;
pub use view::GameView;
