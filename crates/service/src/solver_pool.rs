//! Solvers that are used again: each has a large table, which takes time to make.

use geister::solver::Solver;
use geister::tablebase::Tables;
use std::sync::{Arc, Mutex, PoisonError};

/// Idle solvers. There are never more of them than jobs that ran at once.
#[derive(Clone)]
pub struct Solvers {
    idle: Arc<Mutex<Vec<Solver>>>,
    memory: usize,
    tables: Tables,
}

impl Solvers {
    /// Solvers with `memory` bytes each and these tablebases.
    pub fn new(memory: usize, tables: &Tables) -> Solvers {
        Solvers { idle: Arc::default(), memory, tables: tables.clone() }
    }

    /// Lets a solver do some work. One whose work panics is not used again.
    pub fn with<T>(&self, work: impl FnOnce(&mut Solver) -> T) -> T {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let found = idle().pop();
        let mut solver =
            found.unwrap_or_else(|| Solver::new(self.memory).with_tables(self.tables.clone()));
        let answer = work(&mut solver);
        idle().push(solver);
        answer
    }
}
