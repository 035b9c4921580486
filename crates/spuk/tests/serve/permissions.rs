//! Permissions of the data folder and its files.

#![cfg(unix)]

use crate::common::{Folder, NO_TABLES};
use crate::server::{Server, warnings};
use serde_json::json;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

#[test]
fn only_the_owner_can_read_the_data() {
    let mode =
        |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let folder = Folder::new();
    let data = folder.0.join("data");
    // With the most permissive umask.
    let mut shell = Command::new("sh");
    shell.args(["-c", "umask 0; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_spuk"), "serve"]);
    shell.args(["--listen", "127.0.0.1:0", "--json", "--data", data.to_str().unwrap()]);
    shell.env_remove("SPUK_TOKEN").env("SPUK_TABLES", NO_TABLES);
    let mut server = Server::spawn(shell, Stdio::piped());
    assert_eq!(server.client().post("/api/v1/transfer", &json!({})).unwrap().0, 200);
    assert_eq!(mode(&data), 0o700);
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&data).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
        names.push(path.file_name().unwrap().to_str().unwrap().to_owned());
    }
    names.sort();
    assert_eq!(names, ["spuk.db", "spuk.db-shm", "spuk.db-wal", "spuk.db.lock", "token"]);
    assert_eq!(warnings(&server.kill_and_read_log()), 0);
    // A database that others can read is reported with the next step.
    std::fs::set_permissions(data.join("spuk.db"), PermissionsExt::from_mode(0o644)).unwrap();
    let mut readable =
        Server::start_with_stderr(&["--data", data.to_str().unwrap()], Stdio::piped());
    let log = readable.kill_and_read_log();
    assert!(log.contains("chmod 600") && warnings(&log) == 1, "{log}");
}
