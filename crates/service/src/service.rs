//! The service: everything that operations work with.

use crate::caller::{Caller, Client};
use crate::catalogue::{Catalogue, Entry, PuzzleRef};
use crate::error::ServiceError;
use crate::exposure::StudyPuzzles;
use crate::games::{GameService, PlayerResources};
use crate::health::Health;
use crate::log::{Log, Value};
use crate::metrics::Metrics;
use crate::private_files;
use crate::rate_limit::{RateLimit, RateLimiter};
use crate::rating_counters::RatingCounters;
use crate::scheduler::{JobContext, Lane, Scheduler};
use crate::secrets::{Pseudonyms, random_text};
use crate::solver_pool::SolverPool;
use crate::store::{self, PageLimit, Store, StoreError, now, sqlite_in};
use geister::solver::Solver;
use geister::tablebase::Tablebase;
use puzzle::Puzzle;
use std::fmt;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How the service is run.
#[derive(Clone)]
pub struct Options {
    /// The folder for the database, unless `database` names another.
    pub data: PathBuf,
    /// The URL of another database.
    pub database: Option<String>,
    /// Whether rate limits and quotas apply.
    pub limited: bool,
    /// Tablebases of small endings.
    pub tables: Tablebase,
    /// Other puzzles than the shipped ones.
    pub puzzles: Option<Vec<Puzzle>>,
    /// Where events are logged.
    pub log: Log,
    /// A limit to the size of a SQLite database; tests fill the disk with it.
    pub page_limit: Option<PageLimit>,
}

/// Why the site does not start.
#[derive(Debug)]
pub enum StartError {
    /// The data folder cannot be made.
    Folder(PathBuf, std::io::Error),
    /// The database cannot be opened or read.
    Store(StoreError),
    /// The operator token that was made cannot be written.
    TokenFile(PathBuf, std::io::Error),
    /// The shipped collection is damaged.
    Collection(puzzle::record::RecordError),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Folder(folder, error) => write!(
                f,
                "the folder {} cannot be made: {error}; name another with --data",
                folder.display()
            ),
            StartError::TokenFile(file, error) => write!(
                f,
                "the operator token cannot be written to {}: {error}; name another folder with --data, \
                 or give a token with --token",
                file.display()
            ),
            StartError::Store(error) => error.fmt(f),
            StartError::Collection(error) => write!(f, "the collection is damaged: {error}"),
        }
    }
}

impl std::error::Error for StartError {}

/// Everything that operations work with.
pub struct Service {
    /// The puzzles.
    pub catalogue: Catalogue,
    /// The database.
    pub store: Store,
    /// Runs background jobs.
    pub scheduler: Scheduler,
    /// SolverPool for judging and analysing.
    pub solver_pool: SolverPool,
    /// The state of running games that is not in the database.
    pub games: GameService,
    /// The rate limits.
    pub limiter: RateLimiter,
    /// Makes pseudonyms of addresses.
    pub pseudonyms: Pseudonyms,
    /// The last health check.
    pub health: Health,
    /// The metrics registry.
    pub metrics: Arc<Metrics>,
    /// Where events are logged.
    pub log: Log,
    /// Counters of rating changes.
    pub rating_counters: RatingCounters,
    /// The puzzles of open studies.
    pub study_puzzles: StudyPuzzles,
}

/// The service as tasks share it.
pub type SharedService = Arc<Service>;

/// Bytes for the transposition table of each solver.
const SOLVER_MEMORY: usize = 64 << 20;

impl Service {
    /// Opens the database and starts the workers.
    ///
    /// # Errors
    /// If the data cannot be opened.
    pub async fn start(options: Options) -> Result<Service, StartError> {
        let url = match &options.database {
            Some(url) => url.clone(),
            None => {
                create_data_folder(&options.data)?;
                sqlite_in(&options.data)
            }
        };
        let store = Store::open_limited(&url, options.page_limit).await;
        let store = store.map_err(StartError::Store)?;
        if let Some(file) = store::file_open_to_others(&url) {
            let advice = format!("run chmod 600 {}*", file.display());
            let fields = [("next_step", Value::Error(advice))];
            options.log.warn("other users of this machine can read the database", &fields);
        }
        let key = store.setting_or("pseudonym-key", &random_text(52)).await;
        let (pseudonym_key, _) = key.map_err(StartError::Store)?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let catalogue = match options.puzzles {
            Some(puzzles) => Catalogue::new(puzzles),
            None => Catalogue::shipped().map_err(StartError::Collection)?,
        };
        let metrics = Arc::new(Metrics::default());
        let measured = Arc::clone(&metrics);
        let observer = move |lane: Lane, waited, ran| {
            measured.queue_wait(lane.name(), waited);
            measured.job(lane.name(), ran);
        };
        Ok(Service {
            catalogue,
            store,
            scheduler: Scheduler::new(cores, observer),
            solver_pool: SolverPool::new(SOLVER_MEMORY, &options.tables),
            games: GameService::new(PlayerResources { tables: options.tables }),
            limiter: RateLimiter::new(options.limited),
            pseudonyms: Pseudonyms::new(&pseudonym_key),
            health: Health::default(),
            metrics,
            log: options.log,
            rating_counters: RatingCounters::default(),
            study_puzzles: StudyPuzzles::default(),
        })
    }

    /// The caller with this person's id at this network.
    pub fn caller(&self, person: &str, network: IpAddr) -> Caller {
        let address = self.pseudonyms.of(&format!("address {network}"));
        Caller { client: Client { address, person: person.to_owned() }, network }
    }

    /// A puzzle by its id: of the collection, or found in somebody's game.
    ///
    /// # Errors
    /// If there is none, or the database fails.
    pub async fn puzzle(&self, id: &str) -> Result<PuzzleRef<'_>, ServiceError> {
        if let Some(entry) = self.catalogue.get(id) {
            return Ok(PuzzleRef::Shipped(entry));
        }
        let record = self.store.found_puzzle(id).await?.ok_or(ServiceError::NOT_FOUND)?;
        let puzzle = Puzzle::from_json(&record).map_err(|_| ServiceError::NOT_FOUND)?;
        Ok(PuzzleRef::FromGame(Box::new(puzzle.into())))
    }

    /// The puzzle of today.
    ///
    /// # Errors
    /// If the catalogue has no puzzle that is fit for it.
    pub fn daily_puzzle(&self) -> Result<&Entry, ServiceError> {
        self.catalogue.of_the_day(Service::today()).ok_or(ServiceError::NOT_FOUND)
    }

    /// Runs a job with a solver when the client's turn comes.
    ///
    /// # Errors
    /// If too many jobs of the client are waiting or running already.
    pub async fn solve<T: Send + 'static>(
        &self,
        lane: Lane,
        client: &Client,
        work: impl FnOnce(&mut Solver, &JobContext) -> T + Send + 'static,
    ) -> Result<T, ServiceError> {
        let pool = self.solver_pool.clone();
        let work = move |turn: &JobContext| pool.with(|solver| work(solver, turn));
        Ok(self.scheduler.run(lane, client, work).await?)
    }

    /// Counts a request against the rate limits of its caller.
    ///
    /// # Errors
    /// If the person, or everybody at that address together, asks too often.
    pub fn check_rate(&self, caller: &Caller, limit: RateLimit) -> Result<(), ServiceError> {
        let Client { address, person } = &caller.client;
        let taken = match limit {
            // Identities cost nothing, addresses do.
            RateLimit::Analysis
            | RateLimit::Credential
            | RateLimit::WritePerAddress
            | RateLimit::Read => self.limiter.take(limit, address),
            RateLimit::Write => {
                let taken = self.limiter.take(limit, person);
                taken.and_then(|()| self.limiter.take(RateLimit::WritePerAddress, address))
            }
        };
        taken.map_err(ServiceError::too_often)
    }

    /// Checks whether the database keeps what it acknowledges.
    ///
    /// # Errors
    /// If it does not.
    pub async fn check_health(&self) -> Result<(), StoreError> {
        self.health.check(&self.store).await
    }

    /// The day, counted from 1970, in UTC.
    pub fn today() -> i64 {
        now().div_euclid(24 * 3600 * 1000)
    }
}

fn create_data_folder(folder: &Path) -> Result<(), StartError> {
    let made = private_files::create_folder(folder);
    made.map_err(|error| StartError::Folder(folder.to_owned(), error))
}
