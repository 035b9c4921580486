//! Rules of board games, and nothing but rules.
//!
//! No search, no input or output, no serialisation framework: what a position is, which moves it
//! allows, how it ends, and how it is written as text.
//!
//! | module | game |
//! | --- | --- |
//! | [`geister`] | the ghost game, on 6x6 and 4x5: the full game with hidden colours, and the *purple* position of its puzzles |
//! | [`kriegspiel`] | chess without seeing the other side: the umpire and what each side may know |
//! | [`phantom_tic_tac_toe`] | noughts and crosses without seeing the marks of the opponent |
//! | [`connect_four`] | four in a row on 7x6 |
//! | [`othello`] | discs to turn over on 8x8, with passes |
//! | [`twenty48`] | the sliding puzzle against chance, on 2x2 to 6x6 |
//! | [`pgame`] | random game trees, made by a seed and never stored |
//!
//! What they share is in a few small traits: [`Rules`] walks a tree, [`TwoPlayer`] tells who moves
//! and who won, [`Chance`] what chance may do, [`Keyed`] gives hash keys. Games of hidden information
//! share the traits in [`hidden`].

pub mod connect_four;
pub mod geister;
pub mod hidden;
pub mod kriegspiel;
pub mod othello;
pub mod pgame;
pub mod phantom_tic_tac_toe;
mod rules;
pub mod twenty48;

pub use rules::{Chance, Ending, IllegalMove, Keyed, Rules, Seat, TwoPlayer, perft};
