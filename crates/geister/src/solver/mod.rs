//! The solver users get: any puzzle, exactly and fast.
//!
//! [`Solver::verdict`] answers whether the bottom side wins, and in how many plies;
//! [`Solver::analyse`] adds the main line, every first move with its own distance, and the
//! classification of Hsueh et al. (2025). Every answer is a proof within the stated depth, or says
//! that a limit was hit.
//!
//! # Method
//!
//! Iterative deepening over a depth-first AND/OR search with one table of bounds for all depths
//! (`prover`, `table`), counted in own moves. What makes it fast, by what each saved when it went
//! in (nodes over 250 random placements, depth 17, and over 2,738 puzzles of up to 17 plies):
//!
//! | idea | effect |
//! | --- | --- |
//! | threats judged before moving, for both sides; against a threat only the moves that can stop it | the start: 6.0 M and 990 M nodes, 0.6 s and 86 s |
//! | a failed search returns how far the failure reaches (lost is lost for ever) | part of the start |
//! | with two own moves left and no threat, any idle move of the top side refutes (`quiet_move_refutes`); with three left only moves at the corners count | 4.3 M and 650 M |
//! | hunts of two and of one leaver judged by sight; captures only where every move must be one | 4.1 M and 390 M |
//! | a hunt against waiting reds takes a spanning forest of steps (`hunt`) | 3.6 M and 320 M |
//! | guarded exits: the top side waits with its guards in place (`exits::State::walk`), if a ghost can wait out of reach | 2.3 M and 156 M |
//! | hopeless moves dropped before they are sorted; four entries a bucket | same nodes, a third less time |
//! | a run for an exit that nobody can reach in time, of either side (`exits::State::own_run`) | a fifth fewer nodes |
//!
//! In the end that is 1.06 M and 69 M expanded nodes (a node above is a visited one), 0.2 s and 15 s on
//! one thread.
//!
//! # What was tried and lost
//!
//! * The reference df-pn (`search::dfpn`): proof numbers lead it down long forced lines, while most
//!   of the work here is refuting quiet moves at a known depth. See `spuk bench --algorithm df-pn`.
//! * Killer moves by history tables, for either side: within 5 % of the nodes, slower. The first
//!   reply tried refutes in over nine of ten AND nodes already.
//! * Leaving shallow nodes (two or three own moves) out of the table: 2 to 5 times the nodes for
//!   twice the speed.
//! * Looking up the replies of an AND node only from four own moves on: 15 % more nodes, no faster.
//! * Sorting only the first three or four moves: 8 to 25 % more nodes, no faster.
//! * Prefetching table lines, and compiling for newer processors (popcnt, bmi): nothing measurable.

mod analysis;
mod exits;
mod goal;
mod hunt;
mod moves;
mod prover;
mod reachable_tables;
mod table;

#[cfg(test)]
#[allow(dead_code, reason = "shared with the tests beside the crate")]
#[path = "../../tests/common/positions.rs"]
mod positions;
#[cfg(test)]
mod test_help;

pub use analysis::{Analysis, Classification, FirstMove, Revealed};
pub use goal::SearchGoal;

use crate::state::State;
use crate::tablebase::{Class, Tablebase};
use games::geister::Position;
use goal::GoalRules;
use prover::{Halt, Proved, Prover};
use reachable_tables::ReachableTables;
use search::{Budget, DepthReport, Progress, Stop, Verdict};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use table::{BoundsTable, FOREVER};

/// The maximum depth of a search in plies: as many own moves as an entry of the transposition table
/// counts. The longest win known, of all endings of up to six ghosts, takes 119 plies.
pub const MAX_DEPTH: u32 = plies_of(FOREVER - 1);

/// The depth in own moves from which on further threads take part.
const SHARED_FROM: u8 = 5;

/// Own moves that fit into `plies` plies when the bottom side begins.
const fn own_moves_in(plies: u32) -> u8 {
    let plies = if plies > MAX_DEPTH { MAX_DEPTH } else { plies };
    (plies.div_ceil(2)) as u8
}

/// The plies of a win with the last of `moves` own moves.
const fn plies_of(moves: u8) -> u32 {
    2 * moves as u32 - 1
}

/// The verdict of a search, with what it cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// Won, not won within the depth, or unknown.
    pub verdict: Verdict,
    /// Whether it is proved that there is no win of any length.
    pub never: bool,
    /// Expanded nodes, over all threads.
    pub nodes: u64,
    /// How many nodes were answered by the tablebase; 0 without one.
    pub table_hits: u64,
}

/// Solves puzzles one after another, keeping its memory between them but nothing it has proved.
pub struct Solver {
    table: BoundsTable,
    threads: NonZeroU32,
    tablebase: Tablebase,
    reachable: Option<ReachableTables>,
}

impl Solver {
    /// A solver on one thread whose table takes up to `memory` bytes. Less than 128 KiB counts as
    /// 128 KiB. Beside the table it takes a few kilobytes for each thread.
    pub fn new(memory: usize) -> Solver {
        Solver {
            table: BoundsTable::new(memory),
            threads: NonZeroU32::MIN,
            tablebase: Tablebase::default(),
            reachable: None,
        }
    }

    /// The same solver on this many threads, which share one table. Verdicts, lines and distances do
    /// not depend on their number; node counts do.
    #[must_use]
    pub fn with_threads(mut self, threads: NonZeroU32) -> Solver {
        self.threads = threads;
        self
    }

    /// The same solver with an endgame tablebase. It changes no verdict, only how fast and how deep
    /// the search gets; a damaged table counts as missing. Each open table may keep up to 2 MiB
    /// of decoded blocks beside the memory given to [`Solver::new`].
    #[must_use]
    pub fn with_tablebase(mut self, tablebase: Tablebase) -> Solver {
        self.tablebase = tablebase;
        self
    }

    /// Whether a table holds the answer for `position` itself.
    pub fn has_table_for(&self, position: &Position) -> bool {
        Class::of(position).is_some_and(|class| self.tablebase.get(class).is_some())
    }

    /// Whether and how soon the bottom side wins, within the budget and its depth.
    pub fn verdict(
        &mut self,
        position: &Position,
        budget: &mut Budget<'_>,
        progress: &mut impl Progress,
    ) -> SearchResult {
        self.start_from(position);
        let root = Root::own(position, SearchGoal::Win);
        let depth = budget.limits().depth.min(MAX_DEPTH);
        let mut answer = self.deepen(&root, 1, own_moves_in(depth), budget, progress);
        if let Verdict::NoWin { depth: searched } = &mut answer.verdict {
            *searched = depth; // a win takes an odd number of plies
        }
        answer
    }

    /// Forgets what was proved, and gets ready for `position` and all that follows from it.
    pub fn start_from(&mut self, position: &Position) {
        self.table.clear();
        self.reachable =
            (!self.tablebase.is_empty()).then(|| ReachableTables::from(position, &self.tablebase));
    }

    /// Searches for a win within `from`, `from + 1`, ... up to `to` own moves.
    fn deepen(
        &mut self,
        root: &Root,
        from: u8,
        to: u8,
        budget: &mut Budget<'_>,
        progress: &mut impl Progress,
    ) -> SearchResult {
        let (mut moves, mut refuted) = (from, from.saturating_sub(1));
        let verdict = loop {
            if moves > to {
                break Verdict::NoWin { depth: root.plies(to) };
            }
            match self.prove(root, moves, budget) {
                Ok(Proved::Win(within)) => break Verdict::Win(root.plies(within)),
                Ok(Proved::NoWin(within)) => (refuted, moves) = (within, within.saturating_add(1)),
                Err(stop) => break Verdict::Unknown { depth: root.plies(refuted), stop },
            }
            let depth = root.plies(refuted.min(to));
            progress.report(&DepthReport {
                depth,
                nodes: budget.nodes(),
                elapsed: budget.elapsed(),
            });
        };
        let table_hits = self.reachable.as_ref().map_or(0, ReachableTables::hits);
        SearchResult { verdict, never: refuted == FOREVER, nodes: budget.nodes(), table_hits }
    }

    /// Proves or refutes a win within `moves` own moves, growing the table as it fills.
    fn prove(&mut self, root: &Root, moves: u8, budget: &mut Budget<'_>) -> Result<Proved, Stop> {
        loop {
            let result = if self.threads.get() > 1 && moves >= SHARED_FROM {
                self.prove_together(root, moves, budget)
            } else {
                let tables = self.reachable.as_ref();
                root.prove(&self.table, tables, moves, budget, &AtomicBool::new(false), 0)
            };
            match result {
                Ok(proved) => return Ok(proved),
                Err(Halt::Stop(stop)) => return Err(stop),
                Err(Halt::Crowded | Halt::Answered) => self.table.grow(),
            }
        }
    }

    /// Searches on all threads at once; the first proof counts. The threads help each other
    /// through the table, because each looks at the moves in another order.
    fn prove_together(
        &self,
        root: &Root,
        moves: u8,
        budget: &mut Budget<'_>,
    ) -> Result<Proved, Halt> {
        let answered = AtomicBool::new(false);
        let work = |worker: u32, mut share: Budget<'_>| {
            let tables = self.reachable.as_ref();
            let result = root.prove(&self.table, tables, moves, &mut share, &answered, worker);
            if result.is_ok() {
                answered.store(true, Relaxed);
            }
            (result, share.nodes())
        };
        let results = std::thread::scope(|scope| {
            let threads = self.threads.get();
            let helpers: Vec<_> = (1..threads)
                .map(|worker| (worker, budget.share(threads)))
                .map(|(worker, share)| scope.spawn(move || work(worker, share)))
                .collect();
            let mut results = vec![work(0, budget.share(threads))];
            answered.store(true, Relaxed);
            results.extend(helpers.into_iter().filter_map(|helper| helper.join().ok()));
            results
        });
        results.iter().for_each(|(_, nodes)| budget.pay(*nodes));
        let leader = results[0].0;
        results.iter().find_map(|(result, _)| result.ok()).map_or(leader, Ok)
    }
}

/// The root of a search: the position, whose turn it is, and the goal.
struct Root {
    state: State,
    rules: GoalRules,
    own_turn: bool,
    key: u64,
}

impl Root {
    /// With the bottom side to move.
    fn own(position: &Position, goal: SearchGoal) -> Root {
        Root::new(position, goal, true)
    }

    /// With the top side to move.
    fn top(position: &Position, goal: SearchGoal) -> Root {
        Root::new(position, goal, false)
    }

    fn new(position: &Position, goal: SearchGoal, own_turn: bool) -> Root {
        let state = State::from(position);
        let rules = GoalRules::new(goal);
        Root { state, rules, own_turn, key: state.key() ^ goal.salt() }
    }

    /// The plies of `moves` own moves from here.
    fn plies(&self, moves: u8) -> u32 {
        let moves = moves.min(own_moves_in(MAX_DEPTH));
        match (self.own_turn, moves) {
            (true, 0) => 0,
            (true, moves) => plies_of(moves),
            (false, moves) => 2 * u32::from(moves),
        }
    }

    fn prove(
        &self,
        table: &BoundsTable,
        tables: Option<&ReachableTables>,
        moves: u8,
        budget: &mut Budget<'_>,
        answered: &AtomicBool,
        worker: u32,
    ) -> Result<Proved, Halt> {
        let mut prover = Prover { rules: self.rules, table, budget, answered, tables, worker };
        if self.own_turn {
            prover.own_turn(&self.state, self.key, moves)
        } else {
            prover.top_turn(&self.state, self.key, moves)
        }
    }
}
