//! Connections over real sockets: clients that stall are cut, and nobody has more than their share.

use crate::harness::{Setup, Site, puzzles, with_setup};
use serde_json::json;
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use web::connections::ConnectionLimits;

/// A time limit that a test can wait for.
const SHORT: Duration = Duration::from_millis(300);
/// Much longer than that.
const LONG: Duration = Duration::from_secs(20);

/// Limits that no test reaches.
fn generous() -> ConnectionLimits {
    ConnectionLimits {
        header_timeout: LONG,
        body_timeout: LONG,
        write_timeout: LONG,
        idle_timeout: LONG,
        ..ConnectionLimits::default()
    }
}

/// Runs a test against a site that listens at a port, and stops the site.
fn with_limits(connections: ConnectionLimits, test: impl AsyncFn(&Site, SocketAddr)) {
    with_setup_limits(Setup { connections, ..Setup::default() }, test);
}

fn with_setup_limits(setup: Setup, test: impl AsyncFn(&Site, SocketAddr)) {
    with_setup(&setup, async |site| {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let stopped = async { drop(stopped.await) };
        let served = tokio::spawn(web::serve(site.app.clone(), listener, stopped));
        test(site, address).await;
        drop(stop);
        tokio::time::timeout(LONG, served).await.unwrap().unwrap();
    });
}

/// A client of the site.
struct Client(TcpStream);

impl Client {
    async fn connect(site: SocketAddr) -> Client {
        Client(TcpStream::connect(site).await.unwrap())
    }

    /// A client at another address of this machine.
    async fn connect_from(address: &str, site: SocketAddr) -> Client {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(format!("{address}:0").parse().unwrap()).unwrap();
        Client(socket.connect(site).await.unwrap())
    }

    async fn send(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).await.unwrap();
    }

    /// What comes back until something is there, or the connection ends.
    async fn read(&mut self) -> String {
        let mut buffer = vec![0; 1 << 16];
        let read = tokio::time::timeout(LONG, self.0.read(&mut buffer)).await.unwrap();
        String::from_utf8_lossy(&buffer[..read.unwrap_or(0)]).into_owned()
    }

    /// The status of a small answer, or 0 if the connection ended.
    async fn get(&mut self, path: &str, headers: &str) -> u16 {
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: x\r\n{headers}\r\n")).await;
        let answer = self.read().await;
        answer.split(' ').nth(1).map_or(0, |status| status.parse().unwrap())
    }

    /// How long it takes until the site closes the connection.
    async fn time_to_end(&mut self) -> Duration {
        let begun = Instant::now();
        while !self.read().await.is_empty() {}
        begun.elapsed()
    }
}

/// Sends a byte now and then until the site does not want any more, and returns what it said.
async fn trickle(client: TcpStream, byte: &[u8]) -> (Duration, String) {
    let (begun, (mut reader, mut writer)) = (Instant::now(), client.into_split());
    let mut said = Vec::new();
    loop {
        tokio::select! {
            end = reader.read_buf(&mut said) => if matches!(end, Ok(0) | Err(_)) { break },
            () = tokio::time::sleep(Duration::from_millis(20)) => {
                let _ = writer.write_all(byte).await;
            }
        }
        assert!(begun.elapsed() < LONG, "the site waits for ever");
    }
    (begun.elapsed(), String::from_utf8(said).unwrap())
}

#[test]
fn a_slow_request_head_closes_the_connection() {
    with_limits(ConnectionLimits { header_timeout: SHORT, ..generous() }, async |_, address| {
        let mut client = Client::connect(address).await;
        // Time between requests is not time for a head, nor is that of a former head.
        for _ in 0..3 {
            client.send("GET /healthz HTTP/1.1\r\n").await;
            tokio::time::sleep(SHORT * 2 / 3).await;
            client.send("Host: x\r\n\r\n").await;
            assert!(client.read().await.starts_with("HTTP/1.1 200"));
            tokio::time::sleep(SHORT * 3 / 2).await;
        }
        client.send("GET /healthz HTTP/1.1\r\nX: ").await;
        let (time, said) = trickle(client.0, b"x").await;
        assert!((SHORT..SHORT * 10).contains(&time) && said.is_empty(), "{time:?} {said}");
    });
}

#[test]
fn a_slow_request_body_is_refused() {
    with_limits(ConnectionLimits { body_timeout: SHORT, ..generous() }, async |_, address| {
        let path = format!("/api/v1/puzzles/{}/attempts", puzzles()[0].id());
        let kind = "Content-Type: application/json";
        let head = format!("POST {path} HTTP/1.1\r\nHost: x\r\n{kind}\r\n");
        let mut client = Client::connect(address).await;
        // A body in two parts is one.
        for _ in 0..2 {
            client.send(&format!("{head}Content-Length: 2\r\n\r\n{{")).await;
            tokio::time::sleep(SHORT / 2).await;
            client.send("}").await;
            assert!(client.read().await.starts_with("HTTP/1.1 200"));
        }
        client.send(&format!("{head}Content-Length: 1000\r\n\r\n")).await;
        let (time, said) = trickle(client.0, b" ").await;
        assert!((SHORT..SHORT * 10).contains(&time), "{time:?}");
        assert!(said.starts_with("HTTP/1.1 408") && said.contains("connection: close"), "{said}");
    });
}

#[test]
fn connections_of_slow_readers_and_idle_clients_are_closed() {
    let limits = ConnectionLimits { write_timeout: SHORT, per_address: 1, ..generous() };
    with_limits(limits, async |_, address| {
        let mut client = Client::connect(address).await;
        let request = "GET /puzzles HTTP/1.1\r\nHost: x\r\n\r\n";
        // Far more than the buffers of the sockets hold.
        let begun = Instant::now();
        let sender = async {
            loop {
                if client.0.write_all(request.as_bytes()).await.is_err() {
                    break begun.elapsed();
                }
            }
        };
        let time = tokio::time::timeout(LONG, sender).await.expect("it is never cut");
        assert!(time >= SHORT, "{time:?}");
        assert_eq!(Client::connect(address).await.get("/healthz", "").await, 200);
    });
    let idle_timeout = SHORT;
    let limits = ConnectionLimits { idle_timeout, header_timeout: SHORT, ..generous() };
    with_limits(limits, async |_, address| {
        let mut silent = Client::connect(address).await;
        let time = silent.time_to_end().await;
        assert!((SHORT / 2..SHORT * 10).contains(&time), "{time:?}");
        let mut once = Client::connect(address).await;
        assert_eq!(once.get("/healthz", "").await, 200);
        let time = once.time_to_end().await;
        assert!((SHORT / 2..SHORT * 10).contains(&time), "{time:?}");
    });
}

#[test]
fn an_event_stream_outlives_every_time_limit() {
    let limits = ConnectionLimits {
        header_timeout: SHORT,
        body_timeout: SHORT,
        write_timeout: SHORT,
        idle_timeout: SHORT,
        ..ConnectionLimits::default()
    };
    with_limits(limits, async |site, address| {
        let player = site.browser();
        let wish = json!({ "kind": "kriegspiel", "opponent": "greedy", "seat": "first" });
        let game = player.post("/games", wish).await.json();
        let path = format!("/games/{}", game["game"].as_str().unwrap());
        let mut client = Client::connect(address).await;
        client.send(&format!("GET /api/v1{path}/events HTTP/1.1\r\nHost: x\r\n\r\n")).await;
        let mut first = client.read().await;
        while !first.contains("event: game") {
            first += &client.read().await;
        }
        tokio::time::sleep(SHORT * 5).await;
        player.post(&format!("{path}/resign"), json!({})).await.json();
        assert!(client.read().await.contains("\"stage\":\"over\""));
    });
}

#[test]
fn connections_are_limited_per_address() {
    with_limits(ConnectionLimits { per_address: 3, ..generous() }, async |_, address| {
        let mut open = Vec::new();
        for _ in 0..3 {
            let mut client = Client::connect(address).await;
            assert_eq!(client.get("/healthz", "").await, 200);
            open.push(client);
        }
        for _ in 0..40 {
            let mut refused = Client::connect(address).await;
            let answer = refused.read().await;
            // Only a few are answered at a time; the others are closed.
            let said = answer.starts_with("HTTP/1.1 503") && answer.contains("Retry-After: 5\r\n");
            assert!(said || answer.is_empty(), "{answer}");
        }
        let mut other = Client::connect_from("127.0.0.2", address).await;
        assert_eq!(other.get("/healthz", "").await, 200);
        assert_eq!(open[1].get("/healthz", "").await, 200);
        // A closed connection makes room for another one.
        drop(open.pop());
        let begun = Instant::now();
        while Client::connect(address).await.get("/healthz", "").await != 200 {
            assert!(begun.elapsed() < LONG, "no room again");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
}

#[test]
fn rate_limits_are_per_client_behind_a_proxy() {
    let connections = ConnectionLimits { per_address: 2, ..generous() };
    let public = Some("https://spuk.example".to_owned());
    with_setup_limits(Setup { connections, public, ..Setup::default() }, async |_, address| {
        let mut proxy = Vec::new();
        for _ in 0..10 {
            proxy.push(Client::connect(address).await);
        }
        let id = puzzles()[0].id();
        // Two requests of one client that do not end.
        let head = format!("POST /api/v1/puzzles/{id}/attempts HTTP/1.1\r\nHost: x\r\n");
        let head = head + "Content-Type: application/json\r\nContent-Length: 2\r\n";
        let client = "X-Forwarded-For: 203.0.113.7\r\n";
        for connection in &mut proxy[..2] {
            connection.send(&format!("{head}{client}\r\n")).await;
        }
        tokio::time::sleep(SHORT).await;
        assert_eq!(proxy[2].get("/healthz", client).await, 503);
        assert_eq!(proxy[3].get("/healthz", "X-Forwarded-For: 203.0.113.8\r\n").await, 200);
        for connection in &mut proxy[..2] {
            connection.send("{}").await;
            assert!(connection.read().await.starts_with("HTTP/1.1 200"));
        }
        assert_eq!(proxy[2].get("/healthz", client).await, 200);
    });
}
