//! The speed of the best-first solvers.

use crate::{Failure, VERSION};
use classic::forced::ForcedWin;
use games::connect_four;
use games::geister::Position;
use geister::reference::{Puzzle, Techniques};
use search::{AndOr, Budget, DfPn, Limits, Mcpns, Mcts, Pns, Ppns, Solve, Uct};
use search::{Conclusion, DepthSearch, Playouts};
use serde::Serialize;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

/// Connect Four, by the columns played: from the empty board to late in the game, won for the side
/// to move or not.
const CONNECT_FOUR: [&str; 6] =
    ["", "444", "4455432", "44444522", "4444441112233", "44444433333311"];

/// Puzzles of the collection, of 9 to 17 plies, and one position without a win.
const GEISTER: [&str; 6] = [
    "5R/4u1/6/uB1u2/6/6 1",
    "2R3/2u3/1uBu1r/1B4/6/6 1",
    "6/3u2/2B1rR/5u/B5/6 1",
    "4u1/R2u2/2Bu2/6/6/6 1",
    "6/2b3/1B4/B3u1/B1Rr2/1u4 2",
    "R5/1uu3/4rr/B5/B1uRR1/6 2",
];

/// The maximum length of Connect Four.
const CONNECT_FOUR_DEPTH: u32 = 42;

/// The depth of the puzzles; some of them are won within it.
const GEISTER_DEPTH: u32 = 11;

/// The memory of a search tree.
const TREE_BYTES: usize = 256 << 20;

/// The memory of a transposition table: a larger one takes longer to clear than to use.
const TABLE_BYTES: usize = 4 << 20;

/// Solvers without playouts are so much faster that they get this many times as many nodes.
const NODE_FACTOR_WITHOUT_PLAYOUTS: u64 = 20;

/// The solvers that are measured.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Solver {
    Pns,
    Mcpns,
    Ppns,
    Uct,
    Mcts,
    DfPn,
}

impl Solver {
    const ALL: [Solver; 6] =
        [Solver::Pns, Solver::Mcpns, Solver::Ppns, Solver::Uct, Solver::Mcts, Solver::DfPn];

    const fn name(self) -> &'static str {
        match self {
            Solver::Pns => "pns",
            Solver::Mcpns => "mcpns",
            Solver::Ppns => "ppns",
            Solver::Uct => "uct",
            Solver::Mcts => "mcts",
            Solver::DfPn => "df-pn",
        }
    }

    /// The maximum number of nodes to expand for a position.
    const fn max_nodes(self, nodes: u64) -> u64 {
        match self {
            Solver::Pns | Solver::DfPn => nodes * NODE_FACTOR_WITHOUT_PLAYOUTS,
            Solver::Mcpns | Solver::Ppns | Solver::Uct | Solver::Mcts => nodes,
        }
    }

    /// Searches one position.
    fn search<P: AndOr>(self, position: &P, budget: &mut Budget<'_>) -> SearchResult {
        let playouts = Playouts::default();
        let mut best_first = |search: &mut dyn Solve<P>| {
            let solved = search.solve(position, budget);
            let decided = !matches!(solved.conclusion, Conclusion::Unknown(_));
            SearchResult { decided, tree_nodes: solved.last.nodes as u64 }
        };
        match self {
            Solver::Pns => best_first(&mut Pns::default()),
            Solver::Mcpns => best_first(&mut Mcpns { playouts }),
            Solver::Ppns => best_first(&mut Ppns { playouts, ..Ppns::default() }),
            Solver::Uct => best_first(&mut Uct { playouts, ..Uct::default() }),
            Solver::Mcts => {
                best_first(&mut Mcts { playouts, iterations: u64::MAX, ..Mcts::default() })
            }
            Solver::DfPn => {
                let depth = budget.limits().depth;
                let result = DfPn::new(TABLE_BYTES).prove(position, depth, budget);
                SearchResult { decided: result.is_ok(), tree_nodes: 0 }
            }
        }
    }
}

/// The result of one search.
struct SearchResult {
    decided: bool,
    /// Nodes of the tree; 0 for a search without a tree.
    tree_nodes: u64,
}

/// The result of a solver on the positions of a game.
#[derive(Serialize)]
pub struct Report {
    v: u32,
    bench: &'static str,
    game: &'static str,
    solver: &'static str,
    positions: usize,
    /// The number of positions that it decided.
    decided: usize,
    /// Expanded nodes.
    nodes: u64,
    signature: String,
    seconds: f64,
    nodes_per_second: f64,
}

/// Measures every solver on every game: at most `nodes` expanded nodes for each position, the fastest
/// of `repeat` rounds.
///
/// # Errors
/// If `on_report` fails, or a position of the bench cannot be read.
pub fn run(
    nodes: u64,
    repeat: u32,
    stop: &AtomicBool,
    on_progress: &dyn Fn(String),
    on_report: &mut dyn FnMut(&Report) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let connect_four = connect_four()?;
    let geister = geister()?;
    for solver in Solver::ALL {
        on_progress(format!("{} on Connect Four", solver.name()));
        measure(nodes, repeat, &connect_four, solver, stop).iter().try_for_each(&mut *on_report)?;
        on_progress(format!("{} on Geister", solver.name()));
        measure(nodes, repeat, &geister, solver, stop).iter().try_for_each(&mut *on_report)?;
    }
    Ok(())
}

/// The positions of a game, and their search depth.
struct Game<P> {
    name: &'static str,
    depth: u32,
    positions: Vec<P>,
}

fn connect_four() -> Result<Game<ForcedWin<connect_four::Position>>, Failure> {
    let parse = |text: &&str| {
        let position: Result<connect_four::Position, _> = text.parse();
        let position = position.map_err(|error| format!("bench position {text}: {error}"))?;
        Ok(ForcedWin::of_mover(position))
    };
    let positions = CONNECT_FOUR.iter().map(parse).collect::<Result<_, Failure>>()?;
    Ok(Game { name: "connect-four", depth: CONNECT_FOUR_DEPTH, positions })
}

fn geister() -> Result<Game<Puzzle>, Failure> {
    let parse = |text: &&str| {
        let position: Result<Position, _> = text.parse();
        let position = position.map_err(|error| format!("bench position {text}: {error}"))?;
        Ok(Puzzle::new(position, Techniques::ALL))
    };
    let positions = GEISTER.iter().map(parse).collect::<Result<_, Failure>>()?;
    Ok(Game { name: "geister", depth: GEISTER_DEPTH, positions })
}

/// Measures a solver and reports the fastest round; `None` if it was interrupted.
fn measure<P: AndOr>(
    nodes: u64,
    repeat: u32,
    game: &Game<P>,
    solver: Solver,
    stop: &AtomicBool,
) -> Option<Report> {
    let nodes = Some(solver.max_nodes(nodes));
    let limits = Limits { depth: game.depth, nodes, time: None, memory: TREE_BYTES };
    let mut seconds = f64::INFINITY;
    let (mut nodes, mut tree_nodes, mut decided) = (0, 0, 0);
    for _ in 0..repeat {
        let start = Instant::now();
        (nodes, tree_nodes, decided) = (0, 0, 0);
        for position in &game.positions {
            let mut budget = Budget::new(&limits).stopped_by(stop);
            let result = solver.search(position, &mut budget);
            nodes += budget.nodes();
            tree_nodes += result.tree_nodes;
            decided += usize::from(result.decided);
        }
        seconds = seconds.min(start.elapsed().as_secs_f64());
    }
    (!stop.load(Relaxed)).then(|| Report {
        v: VERSION,
        bench: "search",
        game: game.name,
        solver: solver.name(),
        positions: game.positions.len(),
        decided,
        nodes,
        signature: format!("{nodes}-{tree_nodes}"),
        seconds,
        nodes_per_second: nodes as f64 / seconds.max(1e-9),
    })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { game, solver, positions, decided, signature, seconds, .. } = self;
        writeln!(
            f,
            "{game:<13} {solver:<6} {:>9.0} nodes/s  ({decided} of {positions} decided, {seconds:.3} s, \
             signature {signature})",
            self.nodes_per_second
        )
    }
}
