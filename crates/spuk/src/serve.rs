//! `spuk serve`, and `spuk` without a command: the site.

use crate::database::DatabaseArguments;
use crate::logging::{Logging, log_panics};
use crate::output::{self, quoted};
use crate::tablebase::UsedTables;
use crate::{Failure, exit};
use clap::{Args, value_parser};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use web::client_address::{AddressRange, TrustedProxies};
use web::connections::ConnectionLimits;

/// Only reachable from this machine, at a port that is rarely in use.
const DEFAULT_LISTEN_ADDRESS: &str = "127.0.0.1:7717";

/// After Ctrl-C or SIGTERM the process ends within this time, whatever happens.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(950);

#[derive(Args)]
pub(crate) struct Arguments {
    /// The address to listen on. Port 0 picks a free port.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = DEFAULT_LISTEN_ADDRESS, value_parser = value_parser!(SocketAddr))]
    listen: SocketAddr,
    #[command(flatten)]
    database: DatabaseArguments,
    /// The token of researchers and operators [default: SPUK_TOKEN, or a random one that the first
    /// start writes to the file `token` in the data folder].
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    /// The public URL of the site, if it runs behind a proxy. Client addresses are then read from
    /// X-Forwarded-For, and with https cookies are marked as secure.
    #[arg(long, value_name = "URL")]
    public: Option<String>,
    /// A proxy whose X-Forwarded-For is trusted: an address or a range such as 10.0.0.0/8
    /// (repeatable) [default: the proxies on this machine, 127.0.0.0/8 and ::1].
    #[arg(long, value_name = "ADDRESS", requires = "public")]
    trusted_proxy: Vec<AddressRange>,
    /// Maximum number of simultaneous connections from one client address.
    #[arg(long, value_name = "COUNT", default_value_t = ConnectionLimits::default().per_address, value_parser = at_least_one)]
    connections_per_address: usize,
    /// No rate limits and no limit of connections per address; for measurements.
    #[arg(long)]
    unlimited: bool,
    /// Also serve /metrics and /healthz on this address without a token, for a private network. On
    /// the site itself /metrics needs the operator token.
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = value_parser!(SocketAddr))]
    metrics: Option<SocketAddr>,
    #[command(flatten)]
    logging: Logging,
    #[command(flatten)]
    tables: UsedTables,
    /// Print one JSON object with the address, and with the token file if it was just written.
    #[arg(long)]
    json: bool,
}

impl Default for Arguments {
    fn default() -> Arguments {
        Arguments {
            listen: SocketAddr::from(([127, 0, 0, 1], 7717)),
            database: DatabaseArguments::default(),
            token: None,
            public: None,
            trusted_proxy: Vec::new(),
            connections_per_address: ConnectionLimits::default().per_address,
            unlimited: false,
            metrics: None,
            logging: Logging::default(),
            tables: UsedTables::default(),
            json: false,
        }
    }
}

/// The minimum length of a token.
const MIN_TOKEN_CHARS: usize = 8;

impl Arguments {
    fn options(&self) -> Result<web::Options, Failure> {
        let token = self.token.clone().or_else(|| std::env::var("SPUK_TOKEN").ok());
        if token.as_ref().is_some_and(|token| token.trim().len() < MIN_TOKEN_CHARS) {
            return Err(format!(
                "the token is too short; give at least {MIN_TOKEN_CHARS} characters"
            ));
        }
        if let Some(public) = self.public.as_deref().filter(|public| !public.starts_with("http")) {
            let public = quoted(public);
            return Err(format!(
                "the public URL {public} does not start with http:// or https://; write it in full"
            ));
        }
        Ok(web::Options {
            service: service::Options {
                data: self.database.folder()?,
                database: self.database.given_url(),
                limited: !self.unlimited,
                tables: self.tables.open()?,
                puzzles: None,
                log: self.logging.open(),
                page_limit: None,
            },
            token,
            public: self.public.clone(),
            trusted_proxies: self.trusted_proxies(),
            connections: self.connection_limits(),
        })
    }

    fn connection_limits(&self) -> ConnectionLimits {
        let count = self.connections_per_address;
        let per_address = if self.unlimited { usize::MAX } else { count };
        ConnectionLimits { per_address, ..ConnectionLimits::default() }
    }

    fn trusted_proxies(&self) -> TrustedProxies {
        if self.trusted_proxy.is_empty() {
            return TrustedProxies::default();
        }
        TrustedProxies::new(self.trusted_proxy.clone())
    }

    /// The message printed when the site accepts connections.
    fn announcement(&self, address: SocketAddr, token_file: Option<&Path>) -> String {
        if self.json {
            let file = token_file.map(|file| file.display().to_string());
            let record = serde_json::json!({ "v": 1, "address": format!("http://{address}"), "token_file": file });
            return format!("{record}\n");
        }
        let token_line = token_file.map(|file| {
            format!("The token of researchers and operators is in the file {}.\n", file.display())
        });
        format!("Spuk is at http://{address} (Ctrl-C ends it).\n{}", token_line.unwrap_or_default())
    }
}

/// Serves until it is stopped.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let options = arguments.options()?;
    let runtime = Runtime::new().map_err(|error| {
        format!("cannot start threads: {error}; free memory or raise the limit on threads")
    })?;
    let result = runtime.block_on(serve(arguments, options));
    // A running search ends by its own limits; its result is dropped.
    runtime.shutdown_timeout(Duration::from_millis(50));
    result
}

async fn serve(arguments: &Arguments, options: web::Options) -> Result<u8, Failure> {
    // Bind before opening the data: the file of a new token is announced only once.
    let listen = arguments.listen;
    let listener = TcpListener::bind(listen).await.map_err(|error| {
        format!("cannot listen at {listen}: {error}; choose another address with --listen, such as 127.0.0.1:0")
    })?;
    let metrics = match arguments.metrics {
        Some(address) => Some(TcpListener::bind(address).await.map_err(|error| {
            format!(
                "cannot serve metrics at {address}: {error}; choose another address with --metrics"
            )
        })?),
        None => None,
    };
    let address = listener.local_addr().map_err(|error| {
        format!("the address of the listener is unknown: {error}; choose another with --listen")
    })?;
    let (app, token_file) = web::App::start(options).await.map_err(|error| error.to_string())?;
    let app = Arc::new(app);
    log_panics(app.service.log.clone());
    output::print(&arguments.announcement(address, token_file.as_deref()))?;
    if let Some(listener) = metrics {
        tokio::spawn(web::serve_metrics(app.clone(), listener));
    }
    let stop = async {
        wait_for_stop_signal().await;
        std::thread::spawn(exit_after_timeout);
    };
    web::serve(app, listener, stop).await;
    Ok(exit::YES)
}

/// Ends the process even if every thread of the runtime is busy. Acknowledged data is on disk.
fn exit_after_timeout() {
    std::thread::sleep(SHUTDOWN_TIMEOUT);
    std::process::exit(exit::YES.into());
}

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|count| *count > 0)
        .ok_or_else(|| "write a whole number from 1".to_owned())
}

/// Waits for Ctrl-C or SIGTERM.
async fn wait_for_stop_signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let (Ok(mut interrupt), Ok(mut terminate)) =
            (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
        else {
            return std::future::pending().await;
        };
        tokio::select! { _ = interrupt.recv() => {}, _ = terminate.recv() => {} }
    }
    #[cfg(not(unix))]
    {
        let _ = tokio::signal::ctrl_c().await;
    }
}
