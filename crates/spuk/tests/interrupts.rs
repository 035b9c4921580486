//! Ctrl-C and SIGTERM end every command with exit code 3, by the real binary.

#![allow(clippy::unwrap_used)]
#![cfg(unix)]

mod common;

use common::{Folder, code, program, text};
use std::io::Write;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The start of a game: nobody proves anything about it.
const HOPELESS: &str = "1uuuu1/1uuuu1/6/6/1BBRR1/1BBRR1 4";

/// Starts the command in the folder, with standard input that stays open.
fn start(folder: &Folder, arguments: &[&str], input: &str) -> Child {
    let mut command = program();
    command.args(arguments).current_dir(&folder.0).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(input.as_bytes()).unwrap();
    child
}

/// Interrupts the command, which has to end soon.
fn interrupt(mut child: Child, signal: &str) -> Output {
    let stdin = child.stdin.take();
    let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < Duration::from_secs(60), "it still runs");
        sleep(Duration::from_millis(5));
    }
    drop(stdin);
    child.wait_with_output().unwrap()
}

#[test]
fn every_command_ends_with_exit_code_3() {
    let long = ["--time", "60s", "--depth", "99"];
    let hopeless = format!("nonsense\n{HOPELESS}\n");
    let commands: [(&[&str], &str); 12] = [
        (&[&["solve", HOPELESS], &long[..]].concat(), ""),
        (&[&["solve", "-"], &long[..]].concat(), &hopeless),
        (&["tablebase", "probe", "-"], "nonsense\n"),
        (&["tablebase", "build", "--pieces", "6", "--tables", "tables"], ""),
        (&["compose", "--length", "45..99", "--count", "1000000"], ""),
        (&[&["grade", HOPELESS], &long[..]].concat(), ""),
        (&[&["export", "-"], &long[..]].concat(), &hopeless),
        (&["match", "rush", "random", "--games", "1000000"], ""),
        (&["learn", "--out", "new.weights"], ""),
        (&["lab", "p3-random", "--full"], ""),
        (&["play", "geister"], "moves\n"),
        (&["umpire"], "nonsense\n"),
    ];
    for signal in ["-INT", "-TERM"] {
        let folder = Folder::new();
        let all: Vec<Child> =
            commands.iter().map(|(arguments, input)| start(&folder, arguments, input)).collect();
        sleep(Duration::from_millis(1500));
        for (child, (arguments, _)) in all.into_iter().zip(&commands) {
            let output = interrupt(child, signal);
            assert_eq!(code(&output), 3, "{arguments:?} {signal}: {}", text(&output.stderr));
        }
    }
}
