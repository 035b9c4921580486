//! Solvers at work: a few at a time, each on a thread of its own, so that no request holds up
//! another one that needs none.

use endgame::solver::Solver;
use endgame::tablebase::Tables;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;

/// A bounded number of solvers.
#[derive(Clone)]
pub struct Thinkers {
    idle: Arc<Mutex<Vec<Solver>>>,
    permits: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    memory: usize,
    tables: Tables,
}

/// Too many requests wait already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy;

/// So many requests may wait for a solver.
const QUEUE: usize = 64;

impl Thinkers {
    /// So many solvers with `memory` bytes each.
    pub fn new(count: usize, memory: usize, tables: &Tables) -> Thinkers {
        Thinkers {
            idle: Arc::default(),
            permits: Arc::new(Semaphore::new(count)),
            waiting: Arc::default(),
            memory,
            tables: tables.clone(),
        }
    }

    /// How many requests wait or work.
    pub fn load(&self) -> usize {
        self.waiting.load(Relaxed)
    }

    /// Lets a solver do some work, which has to be bounded by itself.
    ///
    /// # Errors
    /// If too many wait already.
    pub async fn think<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Solver) -> T + Send + 'static,
    ) -> Result<T, Busy> {
        let waiting = Waiting::new(&self.waiting)?;
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(|_| Busy)?;
        let (idle, memory, tables) = (Arc::clone(&self.idle), self.memory, self.tables.clone());
        let done = tokio::task::spawn_blocking(move || {
            let solver = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut solver = solver.unwrap_or_else(|| Solver::new(memory).with_tables(tables));
            let answer = work(&mut solver);
            idle.lock().unwrap_or_else(PoisonError::into_inner).push(solver);
            drop((permit, waiting));
            answer
        });
        done.await.map_err(|_| Busy)
    }
}

/// A place in the queue, given back when it is dropped.
struct Waiting(Arc<AtomicUsize>);

impl Waiting {
    fn new(count: &Arc<AtomicUsize>) -> Result<Waiting, Busy> {
        let place = Waiting(Arc::clone(count));
        if count.fetch_add(1, Relaxed) < QUEUE { Ok(place) } else { Err(Busy) }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}
