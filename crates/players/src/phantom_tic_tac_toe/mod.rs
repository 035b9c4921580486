//! Players of phantom tic-tac-toe: the generic ones, and what maximax needs to judge the game.

pub mod evaluation;
pub mod review;
pub mod roster;
