//! `spuk bench faults`, small: every fault once on every database, and nothing acknowledged is lost.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)] // the helpers of tests are no tests to clippy

mod common;

use common::{Folder, code, program, records, text};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Runs it with its temporary files in a folder, which is empty again afterwards.
fn faults(arguments: &[&str]) -> Output {
    let folder = Folder::new();
    let mut command = program();
    command.args(["bench", "faults", "--json"]).args(arguments);
    let output = command.env("TMPDIR", &folder.0).output().unwrap();
    assert_eq!(folder.names(""), Vec::<String>::new(), "something was left behind");
    output
}

/// Every fault on a database: felt or not, nothing is lost and the site recovers by itself.
fn nothing_is_lost(database: &str) {
    let output = faults(&["--cycles", "1", "--database", database]);
    let complaints = text(&output.stderr);
    let rows = records(&output);
    assert_eq!(rows.len(), 6, "{complaints}");
    let all = std::env::var("SPUK_TEST_ALL").is_ok_and(|all| all == "1");
    for row in rows {
        println!("{row}");
        if row["skipped"].is_string() {
            assert!(!all, "SPUK_TEST_ALL is set, and this was skipped: {row}");
            continue;
        }
        assert_eq!((&row["v"], &row["cycles"]), (&1.into(), &1.into()), "{row}");
        assert!(row["acknowledged"].as_u64().unwrap() > 20, "too little happened: {row}");
        assert_eq!(row["found"], row["acknowledged"], "{row}\n{complaints}");
        for none in ["lost", "stuck", "unrecovered"] {
            assert_eq!(row[none], 0, "{row}\n{complaints}");
        }
        if ["kill", "disk-full"].iter().any(|kind| row["fault"] == *kind) {
            assert_eq!(row["felt"], 1, "{row}");
        }
    }
    assert!([0, 3].contains(&code(&output)), "{complaints}");
}

#[test]
fn nothing_acknowledged_is_lost_in_sqlite() {
    nothing_is_lost("sqlite");
}

#[test]
fn nothing_acknowledged_is_lost_in_postgresql() {
    nothing_is_lost("postgres");
}

/// A site that forgets everything at a restart: the comparison has to notice.
#[test]
fn losses_are_noticed() {
    let folder = Folder::new();
    let forgetful = folder.file("forgetful");
    let spuk = env!("CARGO_BIN_EXE_spuk");
    let script = format!("#!/bin/sh\nrm -f \"$7\"/spuk.db*\nexec {spuk} \"$@\"\n");
    std::fs::write(&forgetful, script).unwrap();
    assert!(Command::new("chmod").args(["+x", &forgetful]).status().unwrap().success());
    let output = faults(&[
        "--cycles",
        "1",
        "--fault",
        "kill",
        "--database",
        "sqlite",
        "--program",
        &forgetful,
    ]);
    let rows = records(&output);
    let count = |name: &str| rows[0][name].as_u64().unwrap();
    assert!(
        count("lost") > 0 && count("lost") + count("found") == count("acknowledged"),
        "{rows:?}"
    );
    assert_eq!(code(&output), 1);
    assert!(text(&output.stderr).contains("answered 404"), "{}", text(&output.stderr));
}

#[test]
fn after_ctrl_c_nothing_is_left_behind() {
    let folder = Folder::new();
    let mut child = program()
        .args([
            "bench",
            "faults",
            "--fault",
            "disk-full",
            "--database",
            "sqlite",
            "--cycles",
            "1000",
        ])
        .env("TMPDIR", &folder.0)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while folder.names("").is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(10), "it does not begin");
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(700));
    let interrupt = ["-INT", &child.id().to_string()].map(str::to_owned);
    assert!(Command::new("kill").args(interrupt).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert_eq!(folder.names(""), Vec::<String>::new());
    let running = Command::new("pgrep").args(["-f", folder.0.to_str().unwrap()]).output();
    // Where there is no pgrep the folder has to do.
    assert_eq!(running.map_or(String::new(), |running| text(&running.stdout)), "");
}
