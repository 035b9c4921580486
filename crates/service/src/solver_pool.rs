//! SolverPool that are used again: each has a large table, which takes time to make.

use geister::solver::Solver;
use geister::tablebase::Tablebase;
use std::sync::{Arc, Mutex, PoisonError};

/// The pool of idle solvers. It never holds more of them than jobs that ran at once.
#[derive(Clone)]
pub struct SolverPool {
    idle: Arc<Mutex<Vec<Solver>>>,
    memory: usize,
    tables: Tablebase,
}

impl SolverPool {
    /// SolverPool with `memory` bytes each and these tablebases.
    pub fn new(memory: usize, tables: &Tablebase) -> SolverPool {
        SolverPool { idle: Arc::default(), memory, tables: tables.clone() }
    }

    /// Runs a job with a solver. A solver whose job panics is dropped.
    pub fn with<T>(&self, work: impl FnOnce(&mut Solver) -> T) -> T {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let found = idle().pop();
        let mut solver =
            found.unwrap_or_else(|| Solver::new(self.memory).with_tablebase(self.tables.clone()));
        let answer = work(&mut solver);
        idle().push(solver);
        answer
    }
}
