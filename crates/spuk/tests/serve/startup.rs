//! How the site starts, and why it does not.

use crate::common::{Folder, execute, program, text};
use crate::server::{Server, command, refused};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::Stdio;
use std::time::{Duration, Instant};

#[test]
fn it_starts_answers_and_names_the_file_of_the_token_once() {
    let folder = Folder::new();
    let arguments = ["--data", &folder.file("made for it")];
    let first = Server::start(&arguments);
    let file = first.announced["token_file"].as_str().unwrap().to_owned();
    let token = std::fs::read_to_string(&file).unwrap();
    assert!(token.trim().len() >= 20 && first.announced.get("token").is_none());
    assert_eq!(first.client().get("/healthz").unwrap().0, 200);
    let mut operator = first.client();
    let head =
        format!("GET /api/v1/studies HTTP/1.1\r\nAuthorization: Bearer {}\r\n", token.trim());
    assert_eq!(operator.send(&head, "").unwrap().0, 200);
    drop(first);
    assert_eq!(Server::start(&arguments).announced["token_file"], Value::Null);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), token);
}

#[test]
fn folders_may_have_any_name_and_be_relative() {
    let folder = Folder::new();
    let name = "My data 50% ? #";
    let mut command = command(&["--listen", "127.0.0.1:0", "--json", "--data", name]);
    let mut child = command.current_dir(&folder.0).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let _ = child.kill();
    let _ = child.wait();
    assert!(line.contains("http://"), "{line}");
    assert!(folder.0.join(name).join("spuk.db").is_file());
}

#[test]
fn a_port_in_use_is_told_with_the_next_step_and_no_token_is_lost() {
    let folder = Folder::new();
    let data = folder.file("data");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let told = refused(&["--listen", &address, "--data", &data]);
    assert!(told.contains(&address) && told.contains("--listen"), "{told}");
    let server = Server::start(&["--data", &data]);
    let announced = &server.announced["token_file"];
    assert!(announced.is_string(), "the token was made and its file never named");
}

#[test]
fn a_database_that_cannot_be_used_is_told() {
    let folder = Folder::new();
    let file = folder.file("file");
    std::fs::write(&file, "no folder").unwrap();
    let told = refused(&["--listen", "127.0.0.1:0", "--data", &file]);
    assert!(told.contains("--data"), "{told}");
    for (url, part) in [
        ("mysql://root:secret@localhost/x", "postgres://"),
        ("postgres://nobody:secret@127.0.0.1:1/x", "refused"),
        ("sqlite:///no/such/folder/x.db?mode=rwc", "unable to open"),
    ] {
        let begun = Instant::now();
        let told = refused(&["--listen", "127.0.0.1:0", "--database", url]);
        assert!(told.contains(part) && !told.contains("secret"), "{told}");
        assert!(begun.elapsed() < Duration::from_secs(8));
    }
}

#[test]
fn a_trusted_proxy_that_is_no_address_is_refused() {
    for (proxy, public) in [("localhost", true), ("10.0.0.0/40", true), ("10.0.0.1", false)] {
        let mut arguments = vec!["--listen", "127.0.0.1:0", "--trusted-proxy", proxy];
        if public {
            arguments.extend(["--public", "https://spuk.example"]);
        }
        let refusal = refused(&arguments);
        let named = if public { proxy } else { "--public" };
        assert!(refusal.contains(named) && refusal.contains("--trusted-proxy"), "{refusal}");
    }
}

#[test]
fn a_database_of_a_newer_version_is_refused() {
    let folder = Folder::new();
    let data = folder.file("data");
    drop(Server::start(&["--data", &data]));
    let url = format!("sqlite://{data}/spuk.db");
    execute(&url, "INSERT INTO spuk_schema (version) VALUES (999)");
    let told = refused(&["--listen", "127.0.0.1:0", "--data", &data]);
    assert!(told.contains("999") && told.contains("newer version of spuk"), "{told}");
}

/// Without a command the site starts, or reports that its usual port is taken.
#[test]
fn the_program_alone_is_the_site() {
    let folder = Folder::new();
    let mut child = program()
        .env("XDG_DATA_HOME", folder.file("data"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut told).unwrap();
    let _ = child.kill();
    let failure = text(&child.wait_with_output().unwrap().stderr);
    let is_taken =
        failure.contains("cannot listen at 127.0.0.1:7717") && failure.contains("--listen");
    assert!(told.starts_with("Spuk is at http://127.0.0.1:7717") || is_taken, "{told}{failure}");
}
