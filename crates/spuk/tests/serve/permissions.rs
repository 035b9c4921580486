//! Only the owner can read the data.

#![cfg(unix)]

use crate::common::Folder;
use crate::server::{Server, warnings};
use serde_json::json;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

#[test]
fn nobody_else_can_read_the_data() {
    let mode =
        |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let folder = Folder::new();
    let data = folder.0.join("data");
    // As open as a umask can be.
    let mut shell = Command::new("sh");
    shell.args(["-c", "umask 0; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_spuk"), "serve"]);
    shell.args(["--listen", "127.0.0.1:0", "--json", "--data", data.to_str().unwrap()]);
    shell.env_remove("SPUK_TOKEN").env("SPUK_TABLES", "no-such-folder");
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
    let said = |server: &mut Server| {
        server.child.kill().unwrap();
        let mut said = String::new();
        server.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        said
    };
    assert_eq!(warnings(&said(&mut server)), 0);
    // A database that others can read is named, with what to do.
    std::fs::set_permissions(data.join("spuk.db"), PermissionsExt::from_mode(0o644)).unwrap();
    let mut open = Server::complaining(&["--data", data.to_str().unwrap()], Stdio::piped());
    let said = said(&mut open);
    assert!(said.contains("chmod 600") && warnings(&said) == 1, "{said}");
}
