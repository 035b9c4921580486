//! Search over any game. No search prints, and none knows the game it is playing.
//!
//! A game enters as an [`AndOr`] position, one question for the OR side: can it force a win?
//! [`DepthSearch`]es answer it for one depth, [`Solve`]rs grow a tree until they can conclude. A
//! game with values or chance enters as a [`Stochastic`] position, one that is seen only in part as a
//! [`Metaposition`].
//!
//! | module | concept | source |
//! |---|---|---|
//! | [`and_or`] | a game as one question for the OR side | |
//! | [`alpha_beta`] | alpha-beta with two values, with or without a table | Knuth & Moore 1975 |
//! | [`pns`] | best-first proof-number search | Allis 1994 |
//! | [`dfpn`] | depth-first proof-number search | Nagai 2002 |
//! | [`mcpns`] | proof numbers from playouts | Saito et al. 2006 |
//! | [`ppns`] | probability-based proof numbers; proof or belief | Song et al. 2019 |
//! | [`uct`] | Monte-Carlo tree search that proves | Winands et al. 2008 |
//! | [`mcts`] | Monte-Carlo tree search that does not | Kocsis & Szepesvári 2006 |
//! | [`minimax`] | the slow twin: full width, nothing clever | |
//! | [`deepening`] | iterative deepening over alpha-beta, PNS and df-pn | |
//! | [`solve`] | one interface for PNS, MCPNS, PPNS, UCT and MCTS | |
//! | [`algorithm`] | the same by name | |
//! | [`playout`] | what random play makes of a position | |
//! | [`stochastic`] | a game of MAX, MIN and chance | |
//! | [`expectimax`] | minimax with chance | Michie 1966 |
//! | [`maximax`] | weighted maximax over metapositions | Ciancarini & Favini 2007 |
//! | [`conspiracy`] | the single conspiracy number | Song & Iida 2017 |
//! | [`motion`] | motion in mind | Iida & Khalid 2020 |
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

pub mod algorithm;
pub mod alpha_beta;
pub mod and_or;
mod best_first;
pub mod conspiracy;
pub mod deepening;
pub mod dfpn;
pub mod expectimax;
pub mod limits;
pub mod maximax;
pub mod mcpns;
pub mod mcts;
pub mod minimax;
pub mod motion;
mod numbers;
pub mod playout;
pub mod pns;
pub mod ppns;
pub mod progress;
pub mod solve;
pub mod stochastic;
mod table;
pub mod uct;
pub mod verdict;

pub use algorithm::{Algorithm, Settings};
pub use alpha_beta::AlphaBeta;
pub use and_or::{AndOr, Player};
pub use conspiracy::{Conspiracy, conspiracy_number};
pub use deepening::{DepthSearch, Steps, deepen};
pub use dfpn::{DfPn, RootMaxima};
pub use expectimax::{Expectation, deepest_expectation, expectation};
pub use limits::{Budget, Limits, Stop};
pub use maximax::{Maximax, Metaposition, Ranked, Ranking};
pub use mcpns::Mcpns;
pub use mcts::Mcts;
pub use minimax::wins_within;
pub use motion::{Motion, velocities};
pub use playout::Playouts;
pub use pns::Pns;
pub use ppns::Ppns;
pub use progress::{Progress, Report};
pub use solve::{Conclusion, Iteration, Solve, Solved};
pub use stochastic::{Stochastic, Turn};
pub use uct::Uct;
pub use verdict::Verdict;
