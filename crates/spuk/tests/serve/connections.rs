//! Connections: the limit for each address, and more than there are file descriptors.

use crate::common::{Folder, NO_TABLES, text};
use crate::server::{Server, command, warnings};
use crate::visitor_games::begin_games;
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Connects from another loopback address, where the system has one.
fn connect_from(source: &str, site: &str) -> std::io::Result<TcpStream> {
    let runtime = tokio::runtime::Runtime::new()?;
    let site = site.strip_prefix("http://").unwrap().parse().unwrap();
    runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4()?;
        socket.bind(format!("{source}:0").parse().unwrap())?;
        let stream = socket.connect(site).await?.into_std()?;
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(Duration::from_secs(20)))?;
        Ok(stream)
    })
}

/// The status line of `/healthz`, empty if the connection is closed.
fn healthz(stream: &mut TcpStream) -> String {
    let _ = stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    let mut buffer = [0; 4096];
    let read = stream.read(&mut buffer).unwrap_or(0);
    text(&buffer[..read]).lines().next().unwrap_or_default().to_owned()
}

const OK: &str = "HTTP/1.1 200 OK";

#[test]
fn one_address_cannot_take_all_connections() {
    let folder = Folder::new();
    let mut server = Server::spawn(
        command(&["--listen", "127.0.0.1:0", "--json", "--data", &folder.file("data")]),
        Stdio::piped(),
    );
    let mut flood: Vec<TcpStream> =
        (0..300).map(|_| connect_from("127.0.0.1", &server.site).unwrap()).collect();
    let mut other = connect_from("127.0.0.2", &server.site).unwrap();
    assert_eq!(healthz(&mut other), OK);
    let served = flood.iter_mut().filter_map(|stream| (healthz(stream) == OK).then_some(()));
    assert_eq!(served.count(), 64);
    assert_eq!(healthz(&mut connect_from("127.0.0.2", &server.site).unwrap()), OK);
    drop(flood);
    wait_until(|| healthz(&mut connect_from("127.0.0.1", &server.site).unwrap()) == OK);
    let log = server.kill_and_read_log();
    assert!(log.contains("127.0.0.1 has 64 connections") && warnings(&log) == 1, "{log}");
}

/// Waits until a condition holds.
fn wait_until(mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "the condition does not hold after 20 s"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn the_site_keeps_working_when_file_descriptors_run_out() {
    let folder = Folder::new();
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -n 128; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_spuk"), "serve"]);
    shell.args([
        "--listen",
        "127.0.0.1:0",
        "--json",
        "--unlimited",
        "--data",
        &folder.file("data"),
    ]);
    shell.env_remove("SPUK_TOKEN").env("SPUK_TABLES", NO_TABLES);
    let mut server = Server::spawn(shell, Stdio::piped());
    let mut first = server.client();
    assert_eq!(first.get("/api/v1/me").unwrap().0, 200);
    let many: Vec<TcpStream> =
        (0..400).filter_map(|_| connect_from("127.0.0.1", &server.site).ok()).collect();
    for _ in 0..20 {
        // A connected client is served, and its data is stored.
        assert_eq!(first.get("/healthz").unwrap().0, 200);
        assert_eq!(first.post("/api/v1/transfer", &json!({})).unwrap().0, 200);
    }
    assert!(many.len() > 128, "only {} connections", many.len());
    drop(many);
    wait_until(|| healthz(&mut connect_from("127.0.0.1", &server.site).unwrap()) == OK);
    let games = begin_games(&server.site).1;
    assert_eq!(games.len(), 8);
    server.terminate();
    assert_eq!(server.end_within(Duration::from_secs(2)).code(), Some(0));
    let log = server.read_log();
    assert!(log.contains("connections run short: all 48 are in use"), "{log}");
    assert!(warnings(&log) <= 2, "{log}");
}
