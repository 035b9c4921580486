//! Connections: the limit of each address, and more than the process has descriptors for.

use crate::common::{Folder, text};
use crate::games::begin_games;
use crate::server::{Server, command, warnings};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A connection from another address of this machine, where the system has one.
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

/// The first line of the answer to a request for `/healthz`; nothing if the connection is closed.
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
    let mut greedy: Vec<TcpStream> =
        (0..300).map(|_| connect_from("127.0.0.1", &server.site).unwrap()).collect();
    let mut other = connect_from("127.0.0.2", &server.site).unwrap();
    assert_eq!(healthz(&mut other), OK);
    let served = greedy.iter_mut().filter_map(|stream| (healthz(stream) == OK).then_some(()));
    assert_eq!(served.count(), 64);
    assert_eq!(healthz(&mut connect_from("127.0.0.2", &server.site).unwrap()), OK);
    drop(greedy);
    eventually(|| healthz(&mut connect_from("127.0.0.1", &server.site).unwrap()) == OK);
    server.child.kill().unwrap();
    let mut said = String::new();
    server.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(said.contains("127.0.0.1 has 64 connections") && warnings(&said) == 1, "{said}");
}

/// Waits until something is so.
fn eventually(mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(20), "it never becomes so");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn it_keeps_working_when_connections_need_more_descriptors_than_there_are() {
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
    shell.env_remove("SPUK_TOKEN").env("SPUK_TABLES", "no-such-folder");
    let mut server = Server::spawn(shell, Stdio::piped());
    let mut first = server.client();
    assert_eq!(first.get("/api/v1/me").unwrap().0, 200);
    let many: Vec<TcpStream> =
        (0..400).filter_map(|_| connect_from("127.0.0.1", &server.site).ok()).collect();
    for _ in 0..20 {
        // A connected client is served, and what is answered is kept.
        assert_eq!(first.get("/healthz").unwrap().0, 200);
        assert_eq!(first.post("/api/v1/transfer", &json!({})).unwrap().0, 200);
    }
    assert!(many.len() > 128, "{} connections prove nothing", many.len());
    drop(many);
    eventually(|| healthz(&mut connect_from("127.0.0.1", &server.site).unwrap()) == OK);
    let games = begin_games(&server.site).1;
    assert_eq!(games.len(), 8);
    server.terminate();
    assert_eq!(server.end_within(Duration::from_secs(2)).code(), Some(0));
    let mut said = String::new();
    server.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(said.contains("connections run short: all 48 are in use"), "{said}");
    assert!(warnings(&said) <= 2, "{said}");
}
