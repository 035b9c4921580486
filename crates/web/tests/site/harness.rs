//! Sites on every kind of database, and browsers that visit them.

use crate::description::expect_described;
use axum::Router;
use axum::body::{Body, BodyDataStream, Bytes, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use futures_util::StreamExt;
use games::geister::{Move, Position};
use geister::judge::{self, Patience};
use geister::solver::{SearchGoal, Solver};
use puzzle::Puzzle;
use search::{Budget, Limits};
use serde_json::{Value, json};
use sqlx::{AnyConnection, Connection};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, Once, OnceLock};
use std::time::Duration;
use tower::ServiceExt;
use web::{App, Options, router};

/// The token of researchers in every test.
pub(crate) const TOKEN: &str = "a token for tests";

/// How a site of a test differs from the usual one.
#[derive(Clone, Default)]
pub(crate) struct Setup {
    pub(crate) limited: bool,
    pub(crate) puzzles: Option<Vec<Puzzle>>,
    pub(crate) public: Option<String>,
    pub(crate) page_limit: Option<service::store::PageLimit>,
    pub(crate) log: Option<service::Log>,
    pub(crate) connections: web::connections::ConnectionLimits,
}

/// A database of its own, empty.
pub(crate) enum Database {
    Sqlite(PathBuf),
    Postgres { server: String, name: String },
}

/// A name that no other test uses.
fn unused_name() -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    format!("spuk_site_{}_{}", std::process::id(), NUMBER.fetch_add(1, Relaxed))
}

impl Database {
    fn sqlite() -> Database {
        let folder = std::env::temp_dir().join(unused_name());
        std::fs::create_dir(&folder).unwrap();
        Database::Sqlite(folder)
    }

    async fn postgres(server: &str) -> Database {
        let name = unused_name();
        let database = Database::Postgres { server: server.to_owned(), name };
        database.on_server("CREATE DATABASE", "").await;
        database
    }

    /// One of each kind. Without a PostgreSQL server that kind is left out, which is said; where
    /// everything has to be tested, that is a failure.
    async fn of_every_kind() -> Vec<Database> {
        sqlx::any::install_default_drivers();
        match std::env::var("SPUK_TEST_POSTGRES") {
            Ok(server) => vec![Database::sqlite(), Database::postgres(&server).await],
            Err(_) => {
                let all = std::env::var("SPUK_TEST_ALL").is_ok_and(|all| all == "1");
                assert!(!all, "SPUK_TEST_ALL is set, and SPUK_TEST_POSTGRES names no server");
                static SAY: Once = Once::new();
                let said = b"\nPostgreSQL IS LEFT OUT: SPUK_TEST_POSTGRES names no server\n";
                // Not by a macro: what passing tests print is not shown.
                SAY.call_once(|| drop(std::io::stderr().write_all(said)));
                vec![Database::sqlite()]
            }
        }
    }

    pub(crate) const fn is_sqlite(&self) -> bool {
        matches!(self, Database::Sqlite(_))
    }

    /// Its address.
    pub(crate) fn url(&self) -> String {
        match self {
            Database::Sqlite(folder) => service::store::sqlite_in(folder),
            Database::Postgres { server, name } => {
                format!("{}/{name}", server.rsplit_once('/').unwrap().0)
            }
        }
    }

    /// Does something to a PostgreSQL database by name.
    async fn on_server(&self, command: &str, how: &str) {
        if let Database::Postgres { server, name } = self {
            let mut connection = AnyConnection::connect(server).await.unwrap();
            let command = format!("{command} {name}{how}");
            sqlx::query(&command).execute(&mut connection).await.unwrap();
            connection.close().await.unwrap();
        }
    }

    /// Changes something behind the site's back: time that passes, say.
    pub(crate) async fn execute(&self, sql: &str) -> u64 {
        let mut connection = AnyConnection::connect(&self.url()).await.unwrap();
        let done = sqlx::query(sql).execute(&mut connection).await.unwrap().rows_affected();
        connection.close().await.unwrap();
        done
    }

    /// A folder of its own, which the site makes if it needs one.
    fn data_folder(&self) -> PathBuf {
        match self {
            Database::Sqlite(folder) => folder.clone(),
            Database::Postgres { name, .. } => std::env::temp_dir().join(name),
        }
    }

    pub(crate) fn options(&self, setup: Setup) -> Options {
        let log = setup.log.unwrap_or_else(|| {
            service::Log::new(
                service::log::Level::Error,
                service::log::Format::Text,
                std::io::sink(),
            )
        });
        Options {
            service: service::Options {
                data: self.data_folder(),
                database: Some(self.url()),
                limited: setup.limited,
                tables: geister::tablebase::Tablebase::default(),
                puzzles: Some(setup.puzzles.unwrap_or_else(|| puzzles().to_vec())),
                page_limit: setup.page_limit,
                log,
            },
            token: Some(TOKEN.into()),
            public: setup.public,
            trusted_proxies: web::client_address::TrustedProxies::default(),
            connections: setup.connections,
        }
    }

    async fn remove(self) {
        match &self {
            Database::Sqlite(folder) => std::fs::remove_dir_all(folder).unwrap(),
            Database::Postgres { .. } => {
                let _ = std::fs::remove_dir_all(self.data_folder());
                self.on_server("DROP DATABASE", " WITH (FORCE)").await;
            }
        }
    }
}

/// A site that runs.
pub(crate) struct Site {
    pub(crate) app: Arc<App>,
    pub(crate) database: Database,
    router: Router,
}

impl Site {
    async fn start(database: Database, setup: Setup) -> Site {
        let (app, _) = App::start(database.options(setup)).await.unwrap();
        let app = Arc::new(app);
        Site { router: router(app.clone()), app, database }
    }

    /// Somebody new, who speaks English.
    pub(crate) fn browser(&self) -> Browser {
        Browser::new(self.router.clone())
    }

    /// Somebody new who has the researchers' token.
    pub(crate) fn researcher(&self) -> Browser {
        self.browser().with("authorization", &format!("Bearer {TOKEN}"))
    }
}

impl Site {
    /// Somebody at this address, which only a site behind a proxy believes.
    pub(crate) fn browser_at(&self, address: &str) -> Browser {
        self.browser().with("x-forwarded-for", address)
    }

    /// The same with this rating and a history: 30 counted attempts, ten of them kept, on two days.
    pub(crate) async fn regular_at(&self, address: &str, rating: f64) -> Browser {
        let browser = self.browser_at(address);
        browser.get("/me").await;
        let person = browser.person();
        let sql = format!(
            "INSERT INTO people (id, created, rating, deviation, volatility, counted, solved, streak_count, \
             streak_best) VALUES ('{person}', 0, {rating}, 60, 0.06, 30, 15, 0, 0)"
        );
        self.database.execute(&sql).await;
        let rows: Vec<String> = (0..10)
            .map(|number| {
                let finished = (number % 2) * 24 * 3600 * 1000;
                format!(
                    "('{person}-{number}', '{person}', 'history{number}', 'puzzle', 0, '', 'solved', 1, \
                     'solved', 0, {finished}, {rating}, {rating}, 1)"
                )
            })
            .collect();
        let sql = format!(
            "INSERT INTO attempts (id, person, puzzle, mode, started, moves, state, counts, outcome, longer_by, \
             finished, rating_before, rating_after, changes) VALUES {}",
            rows.join(", ")
        );
        assert_eq!(self.database.execute(&sql).await, 10);
        browser
    }
}

/// A site behind a proxy, which believes the addresses that it names.
pub(crate) fn behind_a_proxy() -> Setup {
    Setup { public: Some("https://spuk.example".into()), ..Setup::default() }
}

/// Runs a test on a fresh database of every kind.
pub(crate) fn on_every_database(test: impl AsyncFn(&Database)) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        for database in Database::of_every_kind().await {
            test(&database).await;
            database.remove().await;
        }
    });
}

/// Runs a test with a fresh site on every kind of database.
pub(crate) fn on_every_site(test: impl AsyncFn(&Site)) {
    with_setup(&Setup::default(), test);
}

/// The same with an unusual site.
pub(crate) fn with_setup(setup: &Setup, test: impl AsyncFn(&Site)) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        for database in Database::of_every_kind().await {
            let site = Site::start(database, setup.clone()).await;
            test(&site).await;
            site.app.service.store.close().await;
            site.database.remove().await;
        }
    });
}

/// A browser, or a program that keeps cookies.
pub(crate) struct Browser {
    router: Router,
    pub(crate) cookies: Mutex<BTreeMap<String, String>>,
    headers: Vec<(&'static str, String)>,
}

/// What came back.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Bytes,
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.bytes.to_vec()).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The JSON of an answer that was hoped for.
    pub(crate) fn json(&self) -> Value {
        assert!(self.status.is_success(), "{} {}", self.status, self.text());
        serde_json::from_slice(&self.bytes).unwrap()
    }

    /// The code of a refusal with this status.
    pub(crate) fn refusal(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.text());
        let error: Value = serde_json::from_slice(&self.bytes).unwrap();
        error["error"]["code"].as_str().unwrap().to_owned()
    }
}

impl Browser {
    /// Somebody new, who speaks English, at a site with this router.
    pub(crate) fn new(router: Router) -> Browser {
        let headers = vec![("accept-language", "en".into())];
        Browser { router, cookies: Mutex::default(), headers }
    }

    /// The same browser with a header on every request.
    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Browser {
        self.headers.retain(|(known, _)| *known != name);
        self.headers.push((name, value.to_owned()));
        self
    }

    /// The same browser with one more header on every request, even if it has one of that name.
    pub(crate) fn also(mut self, name: &'static str, value: &str) -> Browser {
        self.headers.push((name, value.to_owned()));
        self
    }

    /// The same browser at another server.
    pub(crate) fn at(self, router: Router) -> Browser {
        Browser { router, ..self }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, None, Vec::new()).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        let kind = Some("application/json");
        self.send(Method::POST, path, kind, body.to_string().into_bytes()).await
    }

    /// Sends anything at all. A path that begins with `/` is below `/api/v1`; `//` is the root.
    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        kind: Option<&str>,
        body: Vec<u8>,
    ) -> Answer {
        let path = match path.strip_prefix("//") {
            Some(page) => format!("/{page}"),
            None => format!("/api/v1{path}"),
        };
        let mut request = Request::builder().method(method.clone()).uri(&path);
        request = request.header(header::HOST, "spuk.test");
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        if let Some(kind) = kind {
            request = request.header(header::CONTENT_TYPE, kind);
        }
        let cookies = self.cookies.lock().unwrap().clone();
        for (name, value) in cookies {
            request = request.header(header::COOKIE, format!("{name}={value}"));
        }
        let request = request.body(Body::from(body)).unwrap();
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, 1 << 24).await.unwrap();
        let answer = Answer { status: parts.status, headers: parts.headers, bytes };
        self.keep_cookies(&answer);
        expect_described(&method, &path, &answer);
        answer
    }

    /// Listens to a stream of events.
    pub(crate) async fn listen(&self, path: &str) -> Ear {
        let mut request = Request::builder().uri(format!("/api/v1{path}"));
        for (name, value) in self.cookies.lock().unwrap().iter() {
            request = request.header(header::COOKIE, format!("{name}={value}"));
        }
        let request = request.body(Body::empty()).unwrap();
        let response = self.router.clone().oneshot(request).await.unwrap();
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Ear { body: response.into_body().into_data_stream() }
    }

    fn keep_cookies(&self, answer: &Answer) {
        for cookie in answer.headers.get_all(header::SET_COOKIE) {
            let pair = cookie.to_str().unwrap().split(';').next().unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            self.cookies.lock().unwrap().insert(name.into(), value.into());
        }
    }

    /// The id of this identity.
    pub(crate) fn person(&self) -> String {
        let cookies = self.cookies.lock().unwrap();
        cookies["spuk"].split('.').next().unwrap().to_owned()
    }

    /// Begins or goes on with an attempt.
    pub(crate) async fn begin(&self, puzzle: &str) -> Value {
        self.post(&format!("/puzzles/{puzzle}/attempts"), json!({})).await.json()
    }

    /// Plays a move where an attempt stands.
    pub(crate) async fn play(&self, attempt: &Value, mv: &str) -> Value {
        let ply = attempt["events"].as_array().unwrap().len();
        self.act(attempt, "moves", json!({ "move": mv, "ply": ply })).await.json()
    }

    /// Does something to an attempt.
    pub(crate) async fn act(&self, attempt: &Value, what: &str, body: Value) -> Answer {
        let id = attempt["attempt"].as_str().unwrap();
        self.post(&format!("/attempts/{id}/{what}"), body).await
    }

    /// Plays right moves until the attempt is won.
    pub(crate) async fn win(&self, mut attempt: Value) -> Value {
        while attempt["state"] != "solved" {
            let mv = right_move(&attempt);
            attempt = self.play(&attempt, &mv).await;
            assert_eq!(attempt["judgement"]["verdict"], "right", "{attempt}");
        }
        attempt
    }

    /// Solves a puzzle from the start.
    pub(crate) async fn solve(&self, puzzle: &str) -> Value {
        self.win(self.begin(puzzle).await).await
    }
}

/// Somebody who listens.
pub(crate) struct Ear {
    body: BodyDataStream,
}

impl Ear {
    /// The next event; `None` at the end of the stream.
    pub(crate) async fn next(&mut self) -> Option<String> {
        loop {
            let next = tokio::time::timeout(Duration::from_secs(20), self.body.next()).await;
            let text = String::from_utf8(next.unwrap()?.unwrap().to_vec()).unwrap();
            // A line that begins with a colon only keeps the connection open.
            if !text.starts_with(':') {
                return Some(text);
            }
        }
    }
}

/// The shipped puzzles, read once.
pub(crate) fn puzzles() -> &'static [Puzzle] {
    static ALL: OnceLock<Vec<Puzzle>> = OnceLock::new();
    ALL.get_or_init(|| puzzle::shipped::puzzles().unwrap())
}

/// Shipped puzzles of these lengths, evenly spread.
pub(crate) fn sample(count: usize, lengths: std::ops::RangeInclusive<u32>) -> Vec<&'static Puzzle> {
    let fit: Vec<&Puzzle> =
        puzzles().iter().filter(|puzzle| lengths.contains(&puzzle.m_win)).collect();
    (0..count).map(|number| fit[number * fit.len() / count]).collect()
}

/// A solver of the test's own, with which it checks what the site says.
pub(crate) fn with_solver<T>(work: impl FnOnce(&mut Solver) -> T) -> T {
    static SOLVER: OnceLock<Mutex<Solver>> = OnceLock::new();
    let solver = SOLVER.get_or_init(|| Mutex::new(Solver::new(32 << 20)));
    work(&mut solver.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
}

/// Whether the solver's side wins within so many plies, proved without bounds.
pub(crate) fn wins_within(position: &Position, plies: u32) -> bool {
    let budget = &mut Budget::new(&Limits::default());
    with_solver(|solver| solver.wins_within(position, plies, SearchGoal::Win, budget).unwrap())
}

/// Where an attempt stands.
pub(crate) fn position_of(attempt: &Value) -> Position {
    attempt["position"].as_str().unwrap().parse().unwrap()
}

/// A move that keeps the shortest win of an attempt.
pub(crate) fn right_move(attempt: &Value) -> String {
    let (position, plies) = (position_of(attempt), attempt["plies"].as_u64().unwrap() as u32);
    let patience = Patience::default();
    let mv = with_solver(|solver| judge::hint(solver, &position, plies, patience));
    mv.unwrap().unwrap().to_string()
}

/// A first move of a puzzle that `wanted` accepts by its verdict.
pub(crate) fn first_move(
    puzzle: &Puzzle,
    wanted: impl Fn(search::Verdict) -> bool,
) -> Option<Move> {
    puzzle.first_moves.iter().find(|first| wanted(first.verdict)).map(|first| first.mv)
}

/// A short puzzle with a first move that gives the win away, and that move.
pub(crate) fn losable() -> (&'static Puzzle, String) {
    // What a record proves less far may be judged as unclear.
    let lost = |verdict| matches!(verdict, search::Verdict::NoWin { depth: 99.. });
    let short = puzzles().iter().filter(|puzzle| puzzle.m_win == 7);
    let mut found =
        short.filter_map(|puzzle| Some((puzzle, first_move(puzzle, lost)?.to_string())));
    found.next().unwrap()
}
