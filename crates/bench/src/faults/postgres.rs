//! A PostgreSQL server for the test.

use super::disk::Disk;
use super::tail::Tail;
use crate::Failure;
use rustix::process::{Pid, Signal, geteuid, kill_process};
use sqlx::postgres::PgConnection;
use sqlx::{Connection, Row};
use std::ffi::OsString;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// The maximum time for a start or a stop.
const START_TIMEOUT: Duration = Duration::from_secs(30);

/// Small files, so that they fit on a small disk; the settings for durability are the defaults.
const SETTINGS: [&str; 6] = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "shared_buffers=16MB",
    "min_wal_size=2MB",
    "max_wal_size=8MB",
    "wal_recycle=off",
];

/// How the server is stopped.
#[derive(Clone, Copy)]
pub(super) enum Stop {
    /// Ends connections and writes everything: `pg_ctl -m fast`.
    Fast,
    /// Writes nothing; the next start recovers: `pg_ctl -m immediate`.
    Immediate,
}

/// A running server, stopped when dropped.
pub(super) struct Postgres {
    child: Option<Child>,
    tail: Option<Tail>,
    programs: PathBuf,
    /// What comes before a program on its command line.
    prefix: Vec<OsString>,
    data: PathBuf,
    port: u16,
    runtime: Runtime,
}

/// The folder of PostgreSQL's programs: that of `initdb` in PATH, or Debian's, which is not in PATH.
pub(super) fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let in_path = std::env::split_paths(&path).collect::<Vec<_>>();
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let debian = debian.map(|version| version.path().join("bin"));
    let mut folders = in_path.into_iter().chain(debian);
    let found = folders.find(|folder| folder.join("initdb").is_file())?;
    let initdb = found.join("initdb").canonicalize().ok()?;
    initdb.parent().map(Path::to_path_buf)
}

impl Postgres {
    /// Creates and starts a server with its data in a folder, which may be on a small disk.
    pub(super) fn start(folder: &Path, disk: Option<&Disk>) -> Result<Postgres, Failure> {
        let failed = |error: std::io::Error| format!("PostgreSQL cannot be started: {error}");
        let programs = programs().ok_or("PostgreSQL's initdb is not found")?;
        let mut prefix = disk.map_or_else(Vec::new, Disk::enter_as_user);
        // The server ends with this process even if it is killed.
        prefix.extend(["setpriv", "--pdeathsig=QUIT"].map(OsString::from));
        if geteuid().is_root() {
            // PostgreSQL refuses to run as root.
            let user = ["--reuid=postgres", "--regid=postgres", "--init-groups"];
            prefix.extend(user.map(OsString::from));
        }
        prefix.push("--".into());
        if disk.is_none() {
            let open = std::fs::Permissions::from_mode(0o1777);
            std::fs::set_permissions(folder, open).map_err(failed)?;
        }
        let free = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
        let mut server = Postgres {
            child: None,
            tail: None,
            programs,
            prefix,
            data: folder.join("postgres"),
            port: free.map_err(failed)?.port(),
            runtime: Runtime::new().map_err(failed)?,
        };
        let initialised = server
            .command("initdb")
            .args(["-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"])
            .args(["--wal-segsize=1", "-D"])
            .arg(&server.data)
            .output()
            .map_err(failed)?;
        if !initialised.status.success() {
            let why = String::from_utf8_lossy(&initialised.stderr).into_owned();
            return Err(format!("initdb failed: {}", why.trim()));
        }
        server.run()?;
        Ok(server)
    }

    /// The URL of the database.
    pub(super) fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    fn command(&self, program: &str) -> Command {
        let mut words = self.prefix.clone();
        words.push(self.programs.join(program).into());
        let mut command = Command::new(&words[0]);
        // A folder that the user of the server may read.
        command.args(&words[1..]).current_dir("/").stdin(Stdio::null()).process_group(0);
        command
    }

    /// Starts the server and waits until it answers.
    pub(super) fn run(&mut self) -> Result<(), Failure> {
        let mut command = self.command("postgres");
        command.arg("-D").arg(&self.data).args(["-p", &self.port.to_string()]);
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("PostgreSQL cannot be started: {error}"))?;
        self.tail = child.stderr.take().map(Tail::of);
        self.child = Some(child);
        let start = Instant::now();
        while self.connect().is_err() {
            if self.has_ended() || start.elapsed() > START_TIMEOUT {
                let tail = self.tail.as_ref().map_or_else(String::new, Tail::text);
                return Err(format!("PostgreSQL does not answer; {tail}"));
            }
            std::thread::sleep(Duration::from_millis(30));
        }
        Ok(())
    }

    fn connect(&self) -> Result<PgConnection, sqlx::Error> {
        let connection = async {
            let connecting = PgConnection::connect(&self.driver_url());
            let connected = tokio::time::timeout(Duration::from_secs(5), connecting);
            connected.await.map_err(|_| sqlx::Error::PoolTimedOut)?
        };
        self.runtime.block_on(connection)
    }

    fn driver_url(&self) -> String {
        self.url() + "?sslmode=disable"
    }

    /// Whether the server has ended by itself.
    pub(super) fn has_ended(&mut self) -> bool {
        self.child.as_mut().is_none_or(|child| !matches!(child.try_wait(), Ok(None)))
    }

    /// The processes that serve connections.
    pub(super) fn backends(&self) -> Result<Vec<i32>, Failure> {
        let pids = async {
            let connecting = PgConnection::connect(&self.driver_url());
            let mut connection = connecting.await?;
            let rows = sqlx::query(
                "SELECT pid FROM pg_stat_activity \
                 WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY pid",
            )
            .fetch_all(&mut connection)
            .await?;
            connection.close().await?;
            rows.iter().map(|row| row.try_get("pid")).collect::<Result<_, sqlx::Error>>()
        };
        let pids = self.runtime.block_on(pids);
        pids.map_err(|error| format!("PostgreSQL does not show its connections: {error}"))
    }

    /// Ends a connection as an administrator does.
    pub(super) fn terminate(&self, backend: i32) -> Result<(), Failure> {
        let terminated = async {
            let mut connection = PgConnection::connect(&self.driver_url()).await?;
            sqlx::query("SELECT pg_terminate_backend($1)")
                .bind(backend)
                .execute(&mut connection)
                .await?;
            connection.close().await
        };
        let terminated = self.runtime.block_on(terminated);
        terminated.map_err(|error| format!("a connection cannot be terminated: {error}"))
    }

    /// Stops the server.
    pub(super) fn stop(&mut self, how: Stop) -> Result<(), Failure> {
        let Some(mut child) = self.child.take() else { return Ok(()) };
        let signal = match how {
            Stop::Fast => Signal::INT,
            Stop::Immediate => Signal::QUIT,
        };
        if let Some(pid) = Pid::from_raw(child.id() as i32) {
            // One that has ended needs no signal.
            let _ = kill_process(pid, signal);
        }
        let start = Instant::now();
        while matches!(child.try_wait(), Ok(None)) {
            if start.elapsed() > START_TIMEOUT {
                let _ = child.kill();
                let _ = child.wait();
                return Err("PostgreSQL did not stop in time".into());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let _ = self.stop(Stop::Immediate);
    }
}
