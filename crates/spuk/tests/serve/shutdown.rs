//! SIGTERM ends the site fast, despite open connections and unfinished requests.

use crate::common::Folder;
use crate::server::Server;
use crate::visitor_games::game_path;
use bench::site::http::Client;
use serde_json::json;
use std::time::{Duration, Instant};

#[test]
fn sigterm_ends_the_site_despite_idle_connections() {
    let folder = Folder::new();
    let mut server = Server::start(&["--data", &folder.file("data")]);
    let mut idle: Vec<Client> = (0..5).map(|_| server.client()).collect();
    for client in &mut idle[1..] {
        assert_eq!(client.get("/api/v1/me").unwrap().0, 200);
    }
    let start = Instant::now();
    server.terminate();
    assert_eq!(server.end_within(Duration::from_secs(5)).code(), Some(0));
    println!("ended after {:?}", start.elapsed());
    assert!(Client::new(&server.site, None).is_err());
    drop(idle);
}

/// Every request that a client can leave unfinished: half a head, half a body, an open event stream, a
/// large response that is not read, and champions that think.
fn unfinished_requests(server: &Server) -> Vec<Client> {
    let head =
        b"POST /api/v1/transfer/claim HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
    let mut half_head = server.client();
    half_head.write(head).unwrap();
    let mut half_body = server.client();
    half_body.write(head).unwrap();
    half_body.write(b"Content-Length: 20\r\n\r\n{ \"code\":").unwrap();
    let mut clients = vec![half_head, half_body];
    for _ in 0..4 {
        let mut player = server.client();
        let request = json!({ "kind": "geister", "opponent": "champion", "seat": "second", "red": ["b1", "c1", "d1", "e1"] });
        let (status, game) = player.post("/api/v1/games", &request).unwrap();
        assert_eq!(status, 200, "{game}");
        let listen = format!("GET {}/events HTTP/1.1\r\nHost: x\r\n\r\n", game_path(&game));
        player.write(listen.as_bytes()).unwrap();
        clients.push(player);
    }
    let mut unread = server.client();
    for _ in 0..200 {
        unread.write(b"GET /puzzles HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    }
    clients.push(unread);
    clients
}

#[test]
fn sigterm_ends_the_site_fast_despite_unfinished_requests() {
    let folder = Folder::new();
    for round in 0..3 {
        let mut server = Server::start(&["--data", &folder.file("data")]);
        let clients = unfinished_requests(&server);
        std::thread::sleep(Duration::from_millis(200));
        let start = Instant::now();
        server.terminate();
        assert_eq!(server.end_within(Duration::from_secs(2)).code(), Some(0));
        println!("round {round}: ended after {:?}", start.elapsed());
        drop(clients);
    }
}
