//! How the site starts, and the errors that keep it from starting.

use crate::common::{Folder, execute, program, text};
use crate::server::{Server, command, failed_start};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::Stdio;
use std::time::{Duration, Instant};

#[test]
fn the_first_start_makes_a_token_and_names_its_file() {
    let folder = Folder::new();
    let arguments = ["--data", &folder.file("created by the site")];
    let first = Server::start(&arguments);
    let file = first.announcement["token_file"].as_str().unwrap().to_owned();
    let token = std::fs::read_to_string(&file).unwrap();
    assert!(token.trim().len() >= 20 && first.announcement.get("token").is_none());
    assert_eq!(first.client().get("/healthz").unwrap().0, 200);
    let mut operator = first.client();
    let head =
        format!("GET /api/v1/studies HTTP/1.1\r\nAuthorization: Bearer {}\r\n", token.trim());
    assert_eq!(operator.send(&head, "").unwrap().0, 200);
    drop(first);
    assert_eq!(Server::start(&arguments).announcement["token_file"], Value::Null);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), token);
}

#[test]
fn the_data_folder_may_have_any_name_and_be_relative() {
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
fn a_port_in_use_is_reported_before_a_token_is_made() {
    let folder = Folder::new();
    let data = folder.file("data");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let message = failed_start(&["--listen", &address, "--data", &data]);
    assert!(message.contains(&address) && message.contains("--listen"), "{message}");
    let server = Server::start(&["--data", &data]);
    let token_file = &server.announcement["token_file"];
    assert!(token_file.is_string(), "the failed start made a token, and nobody learned its file");
}

#[test]
fn an_unusable_database_is_reported_without_its_password() {
    let folder = Folder::new();
    let file = folder.file("file");
    std::fs::write(&file, "no folder").unwrap();
    let message = failed_start(&["--listen", "127.0.0.1:0", "--data", &file]);
    assert!(message.contains("--data"), "{message}");
    for (url, part) in [
        ("mysql://root:secret@localhost/x", "postgres://"),
        ("postgres://nobody:secret@127.0.0.1:1/x", "refused"),
        ("sqlite:///no/such/folder/x.db?mode=rwc", "unable to open"),
    ] {
        let start = Instant::now();
        let message = failed_start(&["--listen", "127.0.0.1:0", "--database", url]);
        assert!(message.contains(part) && !message.contains("secret"), "{message}");
        assert!(start.elapsed() < Duration::from_secs(8));
    }
}

#[test]
fn a_corrupt_database_is_reported_at_once() {
    let folder = Folder::new();
    let file = folder.file("spuk.db");
    let header = b"SQLite format 3\0\x10\0\x01\x01\0\x40\x20\x20";
    let torn = [&header[..], &[0; 8192][..]].concat();
    for contents in [b"not a database, but longer than an empty file".repeat(100), torn] {
        std::fs::write(&file, &contents).unwrap();
        let start = Instant::now();
        let message =
            failed_start(&["--listen", "127.0.0.1:0", "--data", folder.0.to_str().unwrap()]);
        assert!(start.elapsed() < Duration::from_secs(3), "{message}");
        for part in [file.as_str(), "`spuk admin restore`"] {
            assert!(message.contains(part), "{part}: {message}");
        }
        assert_eq!(message.trim_end().lines().count(), 1, "{message}");
        assert_eq!(std::fs::read(&file).unwrap(), contents, "the file is left as it was");
    }
}

#[test]
fn an_invalid_trusted_proxy_is_refused() {
    for (proxy, public) in [("localhost", true), ("10.0.0.0/40", true), ("10.0.0.1", false)] {
        let mut arguments = vec!["--listen", "127.0.0.1:0", "--trusted-proxy", proxy];
        if public {
            arguments.extend(["--public", "https://spuk.example"]);
        }
        let message = failed_start(&arguments);
        let named = if public { proxy } else { "--public" };
        assert!(message.contains(named) && message.contains("--trusted-proxy"), "{message}");
    }
}

#[test]
fn a_database_of_a_newer_version_is_refused() {
    let folder = Folder::new();
    let data = folder.file("data");
    drop(Server::start(&["--data", &data]));
    let url = format!("sqlite://{data}/spuk.db");
    execute(&url, "INSERT INTO spuk_schema (version) VALUES (999)");
    let message = failed_start(&["--listen", "127.0.0.1:0", "--data", &data]);
    assert!(message.contains("999") && message.contains("newer version of spuk"), "{message}");
}

/// Or it reports that its usual port is in use.
#[test]
fn without_a_command_the_site_starts() {
    let folder = Folder::new();
    let mut child = program()
        .env("XDG_DATA_HOME", folder.file("data"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let _ = child.kill();
    let error = text(&child.wait_with_output().unwrap().stderr);
    let port_in_use =
        error.contains("cannot listen at 127.0.0.1:7717") && error.contains("--listen");
    assert!(line.starts_with("Spuk is at http://127.0.0.1:7717") || port_in_use, "{line}{error}");
}
