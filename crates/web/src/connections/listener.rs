//! Accepts connections, and ends them when the site stops.

use super::admission::{Admission, Admitted};
use super::log::Log;
use super::request::{RETRY_AFTER, RequestService};
use super::stream::TimedStream;
use super::{ConnectionLimits, descriptors};
use crate::client_address::TrustedProxies;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};

/// The memory for what a connection has read and not yet handled, or written and not yet sent.
const BUFFER: usize = 64 << 10;

/// After an error such as too many open files the next connection is accepted this much later.
const PAUSE: Duration = Duration::from_millis(100);

/// Refused connections that are answered at a time; further ones are closed without a word.
const REFUSALS: usize = 16;

/// The time for a refused client to read its answer.
const REFUSAL_TIME: Duration = Duration::from_millis(250);

/// The time for tasks to end once their connection is cut.
const CUT_TIME: Duration = Duration::from_millis(100);

/// What connections have to do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Serving,
    /// Finish the request under way and close.
    Draining,
    /// Close at once.
    Cut,
}

/// Serves connections until `stop` is done. Then no further ones are accepted, idle ones are closed,
/// requests under way may end within [`ConnectionLimits::shutdown_grace`], and what is left is cut.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    mut limits: ConnectionLimits,
    proxies: TrustedProxies,
    log: service::log::Log,
    stop: impl Future<Output = ()>,
) {
    if let Some(allowed) = descriptors::raise_limit() {
        let allowed = descriptors::for_connections(allowed).saturating_sub(REFUSALS);
        limits.total = limits.total.min(allowed.max(1));
    }
    let (phase, _) = watch::channel(Phase::Serving);
    let grace = limits.shutdown_grace;
    let server = Server::new(router, limits, proxies, Log::new(log));
    let mut stop = pin!(stop);
    loop {
        tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => server.handle(stream, peer, phase.subscribe()),
                Err(error) if is_of_one_connection(&error) => {}
                Err(error) => {
                    server.log.line(&format_args!("no connection can be accepted: {error}"));
                    // The connection still waits to be accepted: an immediate retry would spin.
                    tokio::time::sleep(PAUSE).await;
                }
            },
        }
    }
    drop(listener);
    phase.send_replace(Phase::Draining);
    if tokio::time::timeout(grace, phase.closed()).await.is_err() {
        phase.send_replace(Phase::Cut);
        let _ = tokio::time::timeout(CUT_TIME, phase.closed()).await;
    }
}

/// Whether an error of `accept` means the accepted connection, and says nothing about the next one.
fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// What all connections share.
struct Server {
    router: Router,
    limits: ConnectionLimits,
    admission: Arc<Admission>,
    http: http1::Builder,
    refusals: Arc<Semaphore>,
    log: Arc<Log>,
}

impl Server {
    fn new(router: Router, limits: ConnectionLimits, proxies: TrustedProxies, log: Log) -> Server {
        let mut http = http1::Builder::new();
        // hyper counts from the end of the last request, so that this is the idle timeout.
        let idle = limits.idle_timeout.max(limits.header_timeout);
        http.timer(TokioTimer::new()).header_read_timeout(idle).max_buf_size(BUFFER);
        Server {
            router,
            admission: Admission::new(limits.per_address, limits.total, proxies),
            limits,
            http,
            refusals: Arc::new(Semaphore::new(REFUSALS)),
            log: Arc::new(log),
        }
    }

    /// Serves a connection in a task of its own, or refuses it.
    fn handle(&self, stream: TcpStream, peer: SocketAddr, phase: watch::Receiver<Phase>) {
        match self.admission.connection(peer.ip()) {
            Ok(admitted) => self.spawn(stream, peer, admitted, phase),
            Err(refusal) => {
                self.log.line(&refusal);
                if let Ok(permit) = Arc::clone(&self.refusals).try_acquire_owned() {
                    tokio::spawn(async move {
                        let _ = tokio::time::timeout(REFUSAL_TIME, refuse(stream)).await;
                        drop((permit, phase));
                    });
                }
            }
        }
    }

    fn spawn(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
        admitted: Admitted,
        mut phase: watch::Receiver<Phase>,
    ) {
        // Responses are written as a whole; waiting for more would only delay them.
        let _ = stream.set_nodelay(true);
        let (router, limits) = (self.router.clone(), &self.limits);
        let log = Arc::clone(&self.log);
        let admission = Arc::clone(&self.admission);
        let service = RequestService::new(router, peer, admission, limits, log);
        let activity = Arc::clone(&service.activity);
        let stream =
            TimedStream::new(stream, activity, limits.header_timeout, limits.write_timeout);
        let connection = self.http.serve_connection(TokioIo::new(stream), service);
        tokio::spawn(async move {
            let mut connection = pin!(connection);
            loop {
                tokio::select! {
                    // An error is the client's: it went away, stalled, or sent no HTTP.
                    _ = connection.as_mut() => break,
                    _ = phase.changed() => match *phase.borrow_and_update() {
                        Phase::Serving => {}
                        Phase::Draining => connection.as_mut().graceful_shutdown(),
                        Phase::Cut => break,
                    },
                }
            }
            drop(admitted);
        });
    }
}

/// Says that there are too many connections, and waits for the client to close: to close first could
/// reset the connection before the client has read the answer.
async fn refuse(mut stream: TcpStream) -> io::Result<()> {
    let body = "Too many connections.\n";
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\nRetry-After: {RETRY_AFTER}\r\nConnection: close\r\n\
         Content-Type: text/plain\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await?;
    let mut rest = [0; 1024];
    while stream.read(&mut rest).await? > 0 {}
    Ok(())
}
