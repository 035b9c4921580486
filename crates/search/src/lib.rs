//! Generic AND/OR search: can one side force a win within so many plies?
//!
//! A game enters as an [`AndOr`] position; three searches answer the same depth-limited question
//! and a slow twin checks them. No search prints, and none knows the game it is playing.
//!
//! | module | concept | source |
//! |---|---|---|
//! | [`and_or`] | a game as one question for the OR side | |
//! | [`alpha_beta`] | alpha-beta with two values, with or without a transposition table | Knuth & Moore 1975 |
//! | [`pns`] | best-first proof-number search | Allis 1994 |
//! | [`dfpn`] | depth-first proof-number search | Nagai 2002 |
//! | [`minimax`] | the slow twin: full width, nothing clever | |
//! | [`deepening`] | iterative deepening over any of the three | |
//! | [`limits`] | depth, nodes, time, memory, and the stop flag | |
//! | [`progress`] | where a search reports to | |
//! | [`verdict`] | what was proved, and what was not | |
//!
//! "Within `d` plies" always means the same: a decided position has the value the rules give it,
//! an undecided one with no plies left is no win, and else the mover chooses. So a win within `d`
//! plies is also a win within `d + 1`, and the answer depends on the position and `d` alone, never
//! on the path that led there.
//!
//! Tables identify positions by [`AndOr::key`]. Two positions with one key are taken for each
//! other; every guarantee in this crate holds up to such an accident.

pub mod alpha_beta;
pub mod and_or;
pub mod deepening;
pub mod dfpn;
pub mod limits;
pub mod minimax;
mod numbers;
pub mod pns;
pub mod progress;
mod table;
pub mod verdict;

pub use alpha_beta::AlphaBeta;
pub use and_or::{AndOr, Player};
pub use deepening::{DepthSearch, Steps, deepen};
pub use dfpn::{DfPn, RootMaxima};
pub use limits::{Budget, Limits, Stop};
pub use minimax::wins_within;
pub use pns::Pns;
pub use progress::{Progress, Report};
pub use verdict::Verdict;
