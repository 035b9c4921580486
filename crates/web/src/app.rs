//! What every handler works with, and who asks.

use crate::assets::Assets;
use crate::catalogue::{Catalogue, Found};
use crate::client_address::{ClientAddress, TrustedProxies};
use crate::connections::ConnectionLimits;
use crate::cookie_secrets;
use crate::exposure::StudyPuzzles;
use crate::health::Health;
use crate::identity::{Signer, Visitor, cookie, hash_of, random_text};
use crate::log::{Log, Value};
use crate::metrics::Metrics;
use crate::play::Hall;
use crate::private_files::{self, Pending};
use crate::problem::Problem;
use crate::quota::Pseudonyms;
use crate::rate::{Limiter, Work};
use crate::rating_counters::RatingCounters;
use crate::scheduler::{Client, Lane, Scheduler, Turn};
use crate::solvers::Solvers;
use crate::store::{self, PageLimit, Store, StoreError, now, sqlite_in};
use crate::words::{Words, preferred};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use geister::solver::Solver;
use geister::tablebase::Tables;
use puzzle::Puzzle;
use std::fmt;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How the site is run.
#[derive(Clone)]
pub struct Options {
    /// The folder for the database, if there is no other, and for the token.
    pub data: PathBuf,
    /// The address of another database.
    pub database: Option<String>,
    /// The token of researchers and operators; without one, the first start makes one and writes it
    /// to the file `token` in the data folder.
    pub token: Option<String>,
    /// The address people reach the site by, if a proxy stands before it: `https://…`.
    pub public: Option<String>,
    /// The proxies whose `X-Forwarded-For` is believed, if the site has a public address.
    pub trusted_proxies: TrustedProxies,
    /// How long clients may take, and how many connections they may have.
    pub connections: ConnectionLimits,
    /// Whether work is limited for each asker.
    pub limited: bool,
    /// Tables of small endings.
    pub tables: Tables,
    /// Other puzzles than the shipped ones.
    pub puzzles: Option<Vec<Puzzle>>,
    /// Where the site logs.
    pub log: Log,
    /// A limit to the size of a SQLite database; tests make the disk full by it.
    pub page_limit: Option<PageLimit>,
}

/// Why the site does not start.
#[derive(Debug)]
pub enum StartError {
    /// The folder for the data cannot be made.
    Folder(PathBuf, std::io::Error),
    /// The database.
    Store(StoreError),
    /// The token that was made cannot be written.
    TokenFile(PathBuf, std::io::Error),
    /// The collection inside the program.
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

/// The site.
pub struct App {
    /// The puzzles.
    pub catalogue: Catalogue,
    /// What is kept.
    pub store: Store,
    /// Cookies.
    pub signer: Signer,
    /// Whose work is done when.
    pub scheduler: Scheduler,
    /// Solvers that judge and analyse.
    pub solvers: Solvers,
    /// Where games are played.
    pub hall: Hall,
    /// Who may ask how often.
    pub limiter: Limiter,
    /// What stands for addresses in the store.
    pub pseudonyms: Pseudonyms,
    /// Whether the store works.
    pub health: Health,
    /// Counters.
    pub metrics: Arc<Metrics>,
    /// Where the site logs.
    pub log: Log,
    /// Counters of ratings.
    pub rating_counters: RatingCounters,
    /// The puzzles of open studies.
    pub study_puzzles: StudyPuzzles,
    /// Style sheet and modules.
    pub assets: Assets,
    /// The address people reach the site by.
    pub public: Option<String>,
    /// The proxies whose `X-Forwarded-For` is believed: none without a public address.
    pub trusted_proxies: TrustedProxies,
    /// How long clients may take, and how many connections they may have.
    pub connections: ConnectionLimits,
    token_hash: String,
}

/// Bytes for the table of each solver.
const SOLVER_MEMORY: usize = 64 << 20;

impl App {
    /// Opens the store and gets everything ready. If the operator token was made just now, the file
    /// that has it is returned.
    ///
    /// # Errors
    /// If the data cannot be opened.
    pub async fn start(options: Options) -> Result<(App, Option<PathBuf>), StartError> {
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
        let secrets = cookie_secrets::load(&store).await.map_err(StartError::Store)?;
        let key = store.setting_or("pseudonym-key", &random_text(52)).await;
        let (pseudonym_key, _) = key.map_err(StartError::Store)?;
        let (token_hash, token_file) = match &options.token {
            Some(token) => (hash_of(token), None),
            None => kept_token(&store, &options.data).await?,
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let secure = options.public.as_ref().is_some_and(|public| public.starts_with("https:"));
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
        let trusted_proxies = match options.public {
            Some(_) => options.trusted_proxies,
            None => TrustedProxies::none(),
        };
        let app = App {
            catalogue,
            store,
            signer: Signer::new(secrets, secure),
            scheduler: Scheduler::new(cores, observer),
            solvers: Solvers::new(SOLVER_MEMORY, &options.tables),
            hall: Hall::new(options.tables),
            limiter: Limiter::new(options.limited),
            pseudonyms: Pseudonyms::new(&pseudonym_key),
            health: Health::default(),
            metrics,
            log: options.log,
            rating_counters: RatingCounters::default(),
            study_puzzles: StudyPuzzles::default(),
            assets: Assets::default(),
            public: options.public,
            trusted_proxies,
            connections: options.connections,
            token_hash,
        };
        Ok((app, token_file))
    }

    /// A puzzle by its id: of the collection, or of somebody's game.
    ///
    /// # Errors
    /// If there is none, or the store fails.
    pub async fn puzzle(&self, id: &str) -> Result<Found<'_>, Problem> {
        if let Some(entry) = self.catalogue.get(id) {
            return Ok(Found::Shipped(entry));
        }
        let record = self.store.found(id).await?.ok_or(Problem::NOT_FOUND)?;
        let puzzle = Puzzle::from_json(&record).map_err(|_| Problem::NOT_FOUND)?;
        Ok(Found::Played(Box::new(puzzle.into())))
    }

    /// Lets a solver work for a client when its turn comes.
    ///
    /// # Errors
    /// If too much of the client's work is under way already.
    pub async fn solve<T: Send + 'static>(
        &self,
        lane: Lane,
        client: &Client,
        work: impl FnOnce(&mut Solver, &Turn) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let solvers = self.solvers.clone();
        let work = move |turn: &Turn| solvers.with(|solver| work(solver, turn));
        Ok(self.scheduler.run(lane, client, work).await?)
    }

    /// Whether this is the token of researchers and operators. Both sides are hashes, so that the
    /// time it takes tells nothing.
    pub fn is_token(&self, token: &str) -> bool {
        hash_of(token.trim()) == self.token_hash
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

/// The hash of the token that the first start made. If that is this one, the file with the token too.
async fn kept_token(store: &Store, data: &Path) -> Result<(String, Option<PathBuf>), StartError> {
    const SETTING: &str = "token-hash";
    if let Some(hash) = store.setting(SETTING).await.map_err(StartError::Store)? {
        return Ok((hash, None));
    }
    create_data_folder(data)?;
    let file = data.join("token");
    let file = std::path::absolute(&file).unwrap_or(file);
    let failed = |error| StartError::TokenFile(file.clone(), error);
    let token = random_text(20);
    // The file is on disk before the hash counts: a crash between the two loses no token.
    let pending = Pending::write(&file, &random_text(8), &format!("{token}\n")).map_err(failed)?;
    let made = store.setting_or(SETTING, &hash_of(&token)).await;
    let (hash, made) = made.map_err(StartError::Store)?;
    if !made {
        // Another server was faster.
        return Ok((hash, None));
    }
    pending.publish().map_err(failed)?;
    Ok((hash, Some(file)))
}

/// What handlers share.
pub type Shared = Arc<App>;

/// Who asks, in which language, from where. The middleware makes it for each request.
#[derive(Clone)]
pub struct Asker {
    /// Who.
    pub visitor: Visitor,
    /// In which language.
    pub words: &'static Words,
    /// From where.
    pub address: ClientAddress,
    /// Too many wrong tokens came from there: no further one is looked at for so long.
    locked_out: Option<Duration>,
    app: Shared,
}

impl Asker {
    /// Who asks by these headers from this address.
    pub fn new(app: &Shared, visitor: Visitor, headers: &HeaderMap, peer: IpAddr) -> Asker {
        let chosen = cookie(headers, "lang").and_then(|code| code.parse().ok());
        let accepted = || preferred(text(headers, header::ACCEPT_LANGUAGE.as_str()).unwrap_or(""));
        let words = Words::of(chosen.unwrap_or_else(accepted));
        let address = app.trusted_proxies.client(peer, headers);
        let mut asker = Asker { visitor, words, address, locked_out: None, app: Arc::clone(app) };
        let bearer = text(headers, header::AUTHORIZATION.as_str());
        if let Some(token) = bearer.and_then(|value| value.strip_prefix("Bearer ")) {
            asker.try_token(token);
        }
        asker
    }

    /// Makes the asker an operator if the token is right. Only wrong ones are paid for: whoever has
    /// the token may ask as often as anybody.
    fn try_token(&mut self, token: &str) {
        let (limiter, key) = (&self.app.limiter, self.address_key());
        if let Err(wait) = limiter.look(Work::Guessing, &key) {
            self.locked_out = Some(wait);
        } else if self.app.is_token(token) {
            self.visitor.operator = true;
        } else {
            let _ = limiter.take(Work::Guessing, &key);
        }
    }

    /// The address as limits count it.
    pub(crate) fn address_key(&self) -> String {
        format!("address {}", self.address.limit_key())
    }

    /// Who asks, as the scheduler and the store know it: of the address, a pseudonym.
    pub fn client(&self) -> Client {
        let address = self.app.pseudonyms.of(&self.address_key());
        Client { address, person: self.visitor.id.clone() }
    }

    /// Pays for some work.
    ///
    /// # Errors
    /// If the asker, or everybody at that address together, asks too often.
    pub fn pay(&self, work: Work) -> Result<(), Problem> {
        let address = self.address_key();
        let taken = match work {
            // Cookies are free, addresses are not.
            Work::Analysis | Work::Guessing | Work::Crowd | Work::Reading => {
                self.app.limiter.take(work, &address)
            }
            Work::Solving => {
                let person = self.app.limiter.take(work, &self.visitor.id);
                person.and_then(|()| self.app.limiter.take(Work::Crowd, &address))
            }
        };
        taken.map_err(too_often)
    }

    /// Goes on only for researchers and operators.
    ///
    /// # Errors
    /// If the asker showed no token, or too many wrong ones came from there.
    pub fn expect_operator(&self) -> Result<(), Problem> {
        match self.locked_out {
            _ if self.visitor.operator => Ok(()),
            Some(wait) => Err(too_often(wait)),
            None => Err(Problem::new(StatusCode::UNAUTHORIZED, "token-needed")),
        }
    }
}

fn too_often(wait: Duration) -> Problem {
    let seconds = wait.as_secs_f64().ceil() as u64;
    Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-often").retry(seconds.max(1))
}

/// A header as text.
pub fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

impl<S: Sync> FromRequestParts<S> for Asker {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Asker, Problem> {
        parts.extensions.get::<Asker>().cloned().ok_or(Problem::NOT_FOUND)
    }
}
