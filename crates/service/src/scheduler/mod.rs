//! The job scheduler: moves of programs, judgements, analysis, reviews, puzzles
//! found in games. Its queues are bounded per person, per address and in total, and fair.
//!
//! Each [`Lane`] has worker threads of its own, so that no job waits behind a longer kind of job, and the
//! less urgent a lane is, the lower the priority of its threads; in a lane, addresses and people
//! take turns (`fair_queue`). A job whose handle was dropped is taken out
//! of the queue, or sees that it is [cancelled](JobContext::is_cancelled).

mod fair_queue;
mod priority;

use crate::caller::Client;
use fair_queue::{FairQueue, Limits};
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// A queue with its own workers, by how long its jobs take and how urgent they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// A request waits for it, and it takes milliseconds: judging a move, reading a file.
    Interactive,
    /// A program that takes up to a tenth of a second for its move.
    Program,
    /// A program that takes a second.
    StrongProgram,
    /// A position is analysed.
    Analysis,
    /// No game waits for it, and it may take seconds: reviews, puzzles found in games.
    Background,
}

impl Lane {
    /// All of them.
    pub const ALL: [Lane; 5] =
        [Lane::Interactive, Lane::Program, Lane::StrongProgram, Lane::Analysis, Lane::Background];

    /// Its name in metrics.
    pub const fn name(self) -> &'static str {
        match self {
            Lane::Interactive => "interactive",
            Lane::Program => "program",
            Lane::StrongProgram => "strong-program",
            Lane::Analysis => "analysis",
            Lane::Background => "background",
        }
    }

    /// Background work gets one core; everything that a visitor waits for may use all of them.
    const fn workers(self, cores: usize) -> usize {
        match self {
            Lane::Background => 1,
            _ => cores,
        }
    }

    /// The niceness of its workers, as `nice` counts. Requests are
    /// answered at 0.
    const fn niceness(self) -> i32 {
        match self {
            Lane::Interactive => 2,
            Lane::Program => 4,
            Lane::StrongProgram | Lane::Analysis => 8,
            Lane::Background => 15,
        }
    }

    const fn limits(self) -> Limits {
        let (per_person, per_address, in_all) = match self {
            Lane::Interactive => (8, 128, 512),
            // Turns that find no room stay in the database and are taken up later.
            Lane::Program | Lane::StrongProgram => (24, 64, 512),
            // A visitor who steps through a line sends requests faster than they are answered.
            Lane::Analysis => (8, 32, 128),
            Lane::Background => (3, 12, 96),
        };
        Limits { per_person, per_address, in_all }
    }

    /// The usual time of a job, for estimates before any was measured.
    const fn usual(self) -> Duration {
        Duration::from_millis(match self {
            Lane::Interactive => 20,
            Lane::Program => 60,
            Lane::StrongProgram => 1000,
            Lane::Analysis => 600,
            Lane::Background => 2000,
        })
    }
}

/// No room for another job of this client in this lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueFull {
    /// When there should be room.
    pub retry_after: Duration,
}

/// The job panicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panicked;

/// Why there is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobError {
    /// The queue is full.
    QueueFull(QueueFull),
    /// The job panicked.
    Panicked,
}

/// What a job is given when it starts.
#[derive(Clone)]
pub struct JobContext {
    cancelled: Arc<AtomicBool>,
    /// Addresses whose jobs wait in the same lane: long jobs should be brief if there are many.
    pub waiting_addresses: usize,
}

impl JobContext {
    /// A flag that is set when the handle was dropped.
    pub fn cancelled(&self) -> &AtomicBool {
        &self.cancelled
    }

    /// Whether the handle was dropped, so that the result is not needed any more.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Relaxed)
    }
}

type Job = Box<dyn FnOnce(usize) + Send>;

struct State {
    queue: FairQueue<Job>,
    running: usize,
    closing: bool,
    /// A moving average of what a job took, in seconds.
    job_seconds: f64,
}

struct LaneState {
    workers: usize,
    state: Mutex<State>,
    /// Something was submitted, or the scheduler closes.
    changed: Condvar,
}

impl LaneState {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing in here panics between two changes that belong together.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn estimate(&self, state: &State, client: &Client) -> Duration {
        let ahead = state.queue.ahead_of(client) + state.running.saturating_sub(self.workers - 1);
        Duration::from_secs_f64(ahead as f64 * state.job_seconds / self.workers as f64)
    }
}

/// Called after each job with its lane, how long it waited and how long it ran.
type Observer = dyn Fn(Lane, Duration, Duration) + Send + Sync;

struct Inner {
    lanes: [LaneState; Lane::ALL.len()],
    numbers: AtomicU64,
    observer: Box<Observer>,
}

/// The scheduler. Its threads end with it.
pub struct Scheduler {
    inner: Arc<Inner>,
}

impl Scheduler {
    /// For a machine with this number of cores.
    pub fn new(
        cores: usize,
        observer: impl Fn(Lane, Duration, Duration) + Send + Sync + 'static,
    ) -> Scheduler {
        let lane = |lane: Lane| LaneState {
            workers: lane.workers(cores.max(1)),
            state: Mutex::new(State {
                queue: FairQueue::new(lane.limits()),
                running: 0,
                closing: false,
                job_seconds: lane.usual().as_secs_f64(),
            }),
            changed: Condvar::new(),
        };
        let inner = Arc::new(Inner {
            lanes: Lane::ALL.map(lane),
            numbers: AtomicU64::new(0),
            observer: Box::new(observer),
        });
        for lane in Lane::ALL {
            for _ in 0..inner.lanes[lane as usize].workers {
                let inner = Arc::clone(&inner);
                let thread = std::thread::Builder::new().name(lane.name().to_owned());
                // A process that cannot have a few threads cannot serve either.
                thread.spawn(move || inner.work(lane)).expect("the system gives threads");
            }
        }
        Scheduler { inner }
    }

    /// Jobs that wait in a lane, and jobs that run.
    pub fn load(&self, lane: Lane) -> (usize, usize) {
        let state = self.inner.lanes[lane as usize].lock();
        (state.queue.waiting(), state.running)
    }

    /// An estimate of how long a new job of this client would wait.
    pub fn estimate(&self, lane: Lane, client: &Client) -> Duration {
        let lane = &self.inner.lanes[lane as usize];
        lane.estimate(&lane.lock(), client)
    }

    /// Puts a job in the queue. It has to be bounded by itself.
    ///
    /// # Errors
    /// If there is no room for it.
    pub fn submit<T: Send + 'static>(
        &self,
        lane: Lane,
        client: &Client,
        work: impl FnOnce(&JobContext) -> T + Send + 'static,
    ) -> Result<JobHandle<T>, QueueFull> {
        let number = self.inner.numbers.fetch_add(1, Relaxed);
        let cancelled = Arc::new(AtomicBool::new(false));
        let (sender, receiver) = oneshot::channel();
        let flag = Arc::clone(&cancelled);
        let submitted = Instant::now();
        let ending = Ending {
            inner: Arc::clone(&self.inner),
            lane,
            client: client.clone(),
            submitted,
            begun: None,
        };
        let job = move |waiting_addresses: usize| {
            let mut ending = ending;
            ending.begun = Some(Instant::now());
            let turn = JobContext { cancelled: flag, waiting_addresses };
            let result = work(&turn);
            drop(ending);
            let _ = sender.send(result);
        };
        let state = &self.inner.lanes[lane as usize];
        {
            let mut locked = state.lock();
            let estimate = state.estimate(&locked, client);
            if locked.queue.push(client, number, Box::new(job)).is_err() {
                drop(locked);
                return Err(QueueFull { retry_after: estimate.max(Duration::from_secs(1)) });
            }
        }
        state.changed.notify_one();
        let inner = Arc::clone(&self.inner);
        let place = Place { inner, lane, client: client.clone(), number, cancelled };
        Ok(JobHandle { place, receiver })
    }

    /// The same, and waits for the result.
    ///
    /// # Errors
    /// If there is no room for it, or it panicked.
    pub async fn run<T: Send + 'static>(
        &self,
        lane: Lane,
        client: &Client,
        work: impl FnOnce(&JobContext) -> T + Send + 'static,
    ) -> Result<T, JobError> {
        let handle = self.submit(lane, client, work).map_err(JobError::QueueFull)?;
        handle.await.map_err(|Panicked| JobError::Panicked)
    }
}

impl Drop for Scheduler {
    fn drop(&mut self) {
        for lane in &self.inner.lanes {
            lane.lock().closing = true;
            lane.changed.notify_all();
        }
    }
}

impl Inner {
    /// What a worker of a lane does until the scheduler is dropped.
    fn work(&self, lane: Lane) {
        priority::stand_back(lane.niceness());
        while let Some((job, waiting_addresses)) = self.next(lane) {
            // The panic was logged, and the client that waits learns of it by the handle.
            let _ = catch_unwind(AssertUnwindSafe(|| job(waiting_addresses)));
        }
    }

    /// Waits for a job; `None` at the end.
    fn next(&self, lane: Lane) -> Option<(Job, usize)> {
        let lane = &self.lanes[lane as usize];
        let mut state = lane.lock();
        loop {
            if state.closing {
                return None;
            }
            if let Some((_, job)) = state.queue.pop() {
                state.running += 1;
                return Some((job, state.queue.waiting_addresses()));
            }
            state = lane.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Makes room when a job ends, also by a panic.
struct Ending {
    inner: Arc<Inner>,
    lane: Lane,
    client: Client,
    submitted: Instant,
    /// `None` until it runs.
    begun: Option<Instant>,
}

impl Drop for Ending {
    fn drop(&mut self) {
        // A job that was taken out of the queue never ran; its place makes room.
        let Some(begun) = self.begun else { return };
        let took = begun.elapsed();
        {
            let mut state = self.inner.lanes[self.lane as usize].lock();
            state.running -= 1;
            state.queue.done(&self.client);
            state.job_seconds = 0.9 * state.job_seconds + 0.1 * took.as_secs_f64();
        }
        (self.inner.observer)(self.lane, begun - self.submitted, took);
    }
}

/// A job's place in the queue: given up when it is dropped.
struct Place {
    inner: Arc<Inner>,
    lane: Lane,
    client: Client,
    number: u64,
    cancelled: Arc<AtomicBool>,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.cancelled.store(true, Relaxed);
        let mut state = self.inner.lanes[self.lane as usize].lock();
        let removed = state.queue.remove(&self.client, self.number);
        if removed.is_some() {
            state.queue.done(&self.client);
        }
        drop(state);
        // The job's own destructor must not run under the lock.
        drop(removed);
    }
}

/// A job that was submitted, and a future for its result. Dropping it cancels the job.
pub struct JobHandle<T> {
    place: Place,
    receiver: oneshot::Receiver<T>,
}

impl<T> Future for JobHandle<T> {
    type Output = Result<T, Panicked>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let _ = &self.place;
        Pin::new(&mut self.receiver).poll(context).map_err(|_| Panicked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    fn client(address: &str, person: &str) -> Client {
        Client { address: address.into(), person: person.into() }
    }

    fn with_runtime(test: impl Future<Output = ()>) {
        tokio::runtime::Runtime::new().unwrap().block_on(test);
    }

    #[test]
    fn a_panic_frees_its_worker_and_is_reported() {
        with_runtime(async {
            let scheduler = Scheduler::new(1, |_, _, _| {});
            let one = client("a", "p");
            for _ in 0..20 {
                let failed = scheduler.run(Lane::Analysis, &one, |_| panic!("on purpose")).await;
                assert_eq!(failed, Err::<(), _>(JobError::Panicked));
            }
            assert_eq!(scheduler.run(Lane::Analysis, &one, |_| 7).await, Ok(7));
            assert_eq!(scheduler.load(Lane::Analysis), (0, 0));
        });
    }

    #[test]
    fn abandoned_jobs_are_cancelled_and_make_room() {
        with_runtime(async {
            let scheduler = Scheduler::new(1, |_, _, _| {});
            let one = client("a", "p");
            let (release, hold) = mpsc::channel::<()>();
            let (seen, flag) = mpsc::channel::<bool>();
            let (start, started) = mpsc::channel::<()>();
            let running = scheduler.submit(Lane::Analysis, &one, move |turn| {
                start.send(()).unwrap();
                hold.recv().unwrap();
                seen.send(turn.is_cancelled()).unwrap();
            });
            let running = running.unwrap();
            started.recv().unwrap();
            let mut queued = Vec::new();
            let full = loop {
                match scheduler.submit(Lane::Analysis, &one, |_| {}) {
                    Ok(handle) => queued.push(handle),
                    Err(full) => break full,
                }
            };
            assert_eq!(scheduler.load(Lane::Analysis), (queued.len(), 1));
            assert!(full.retry_after >= Duration::from_secs(1));
            drop(queued);
            assert_eq!(scheduler.load(Lane::Analysis), (0, 1));
            let again = scheduler.submit(Lane::Analysis, &one, |_| 5).unwrap();
            drop(running);
            release.send(()).unwrap();
            assert_eq!(again.await, Ok(5));
            assert!(flag.recv().unwrap(), "the running job saw that nobody waits");
            assert_eq!(scheduler.load(Lane::Analysis), (0, 0));
        });
    }

    #[test]
    fn lanes_are_independent_and_addresses_take_turns() {
        with_runtime(async {
            let scheduler = Scheduler::new(1, |_, _, _| {});
            let slow = Duration::from_millis(30);
            let attacker: Vec<_> = (0..12)
                .map(|number| {
                    let one = client("attacker", &format!("cookie {number}"));
                    scheduler
                        .submit(Lane::Analysis, &one, move |_| std::thread::sleep(slow))
                        .unwrap()
                })
                .collect();
            let visitor = client("visitor", "v");
            assert!(scheduler.estimate(Lane::Analysis, &visitor) > Duration::ZERO);
            let begun = Instant::now();
            scheduler.run(Lane::Program, &visitor, |_| {}).await.unwrap();
            assert!(begun.elapsed() < slow, "another lane");
            scheduler.run(Lane::Analysis, &visitor, |_| {}).await.unwrap();
            assert!(begun.elapsed() < 4 * slow, "{:?}", begun.elapsed());
            let (waiting, _) = scheduler.load(Lane::Analysis);
            assert!(waiting > 6, "the attacker still waits: {waiting}");
            drop(attacker);
        });
    }
}
