//! Playing whole games on the site: against a program, or two people by a link.
//!
//! * [`Table`] is one game with the truth about it; its [`Role`]s say who may know what.
//! * [`GameView`] is all that leaves the server while a game goes on. It is made of observations, so
//!   that two games that look the same to somebody give the same bytes.
//! * `hall` carries moves between people, programs and the store, and wakes those who wait.
//! * `programs` think in the background, a few at a time.

mod dark;
pub mod finds;
mod ghosts;
pub mod hall;
pub mod limits;
pub mod opponents;
mod programs;
pub mod records;
pub mod review;
mod table;
mod view;

pub use ghosts::Ghosts;
pub use hall::Hall;
pub use table::{End, Kind, Role, Stage, Table, Truth};
pub use view::{GameView, OpponentView, Summary, seat_named};
