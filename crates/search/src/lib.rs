//! Game-independent search algorithms. They print nothing and know no game.
//!
//! A game implements [`AndOr`] to ask whether the OR side can force a win: a [`DepthSearch`]
//! decides that for one depth, a [`Solve`]r grows a tree until it is decided. A game with values or
//! chance nodes implements [`Stochastic`], a game of hidden information implements
//! [`Metaposition`].
//!
//! | module | concept | source |
//! |---|---|---|
//! | [`and_or`] | the AND/OR view of a game | |
//! | [`alpha_beta`] | alpha-beta with two values, optional transposition table | Knuth & Moore 1975 |
//! | [`heuristic`] | alpha-beta with scores, a heuristic evaluation and a table | Knuth & Moore 1975 |
//! | [`pns`] | best-first proof-number search | Allis 1994 |
//! | [`dfpn`] | depth-first proof-number search | Nagai 2002 |
//! | [`mcpns`] | Monte-Carlo proof-number search | Saito et al. 2006 |
//! | [`ppns`] | probability-based proof-number search | Song et al. 2019 |
//! | [`uct`] | UCT with proved values (MCTS solver) | Winands et al. 2008 |
//! | [`mcts`] | Monte-Carlo tree search without proofs | Kocsis & Szepesvári 2006 |
//! | [`minimax`] | full-width minimax, the reference for tests | |
//! | [`deepening`] | iterative deepening over alpha-beta, PNS and df-pn | |
//! | [`solve`] | the common interface of PNS, MCPNS, PPNS, UCT and MCTS | |
//! | [`algorithm`] | these solvers, selected by name | |
//! | [`playout`] | random playouts | |
//! | [`stochastic`] | games with MAX, MIN and chance nodes | |
//! | [`expectimax`] | minimax with chance nodes | Michie 1966 |
//! | [`maximax`] | weighted maximax over metapositions | Ciancarini & Favini 2007 |
//! | [`conspiracy`] | the single conspiracy number | Song & Iida 2017 |
//! | [`motion`] | motion in mind | Iida & Khalid 2020 |
//! | [`transposition_table`] | results of positions by their Zobrist keys, in bounded memory | |
//! | [`score`] | a win or a loss with its distance, or a heuristic value | |
//! | [`limits`] | depth, nodes, time, memory, and the stop flag | |
//! | [`progress`] | progress reports | |
//! | [`verdict`] | the result of a depth-limited search | |
//!
//! "A win within `d` plies" has one meaning throughout: a decided position has the value that the
//! rules give it, an undecided position with no plies left is not a win, and otherwise the mover
//! chooses. So a win within `d` plies is also a win within `d + 1`, and the result depends on the
//! position and `d` alone, never on the path to the position.
//!
//! Transposition tables identify positions by [`AndOr::key`]. Every guarantee in this crate holds
//! unless two positions have the same key.

pub mod algorithm;
pub mod alpha_beta;
pub mod and_or;
mod best_first;
pub mod conspiracy;
pub mod deepening;
pub mod dfpn;
pub mod expectimax;
pub mod heuristic;
pub mod limits;
pub mod maximax;
pub mod mcpns;
pub mod mcts;
pub mod minimax;
pub mod motion;
pub mod playout;
pub mod pns;
pub mod ppns;
pub mod progress;
mod proof_numbers;
pub mod score;
pub mod solve;
pub mod stochastic;
pub mod transposition_table;
pub mod uct;
pub mod verdict;

pub use algorithm::{Algorithm, Settings};
pub use alpha_beta::AlphaBeta;
pub use and_or::{AndOr, Player};
pub use conspiracy::{ConspiracyNumber, conspiracy_number};
pub use deepening::{DepthSearch, Steps, deepen};
pub use dfpn::{DfPn, RootMaxima};
pub use expectimax::{Expectation, deepest_expectation, expectation};
pub use heuristic::{Evaluate, GameTree, HeuristicResult, HeuristicSearch};
pub use limits::{Budget, Limits, Stop};
pub use maximax::{Maximax, Metaposition, RankedMove, Ranking};
pub use mcpns::Mcpns;
pub use mcts::Mcts;
pub use minimax::wins_within;
pub use motion::{Motion, velocities};
pub use playout::Playouts;
pub use pns::Pns;
pub use ppns::Ppns;
pub use progress::{DepthReport, Progress};
pub use score::Score;
pub use solve::{Conclusion, Iteration, Solve, Solved};
pub use stochastic::{Stochastic, Turn};
pub use transposition_table::TranspositionTable;
pub use uct::Uct;
pub use verdict::Verdict;
