//! Two runs never write the same file or folder, by the real binary.

#![allow(clippy::unwrap_used)]
#![cfg(target_os = "linux")]

mod common;

use common::{Folder, code, program, spuk, text};
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A run in the background, killed at the end.
struct Running(Child);

impl Running {
    /// Starts the command and waits until it has made the file.
    fn start(arguments: &[&str], made: &Path) -> Running {
        let mut command = program();
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let running = Running(command.spawn().unwrap());
        let start = Instant::now();
        while !made.exists() {
            assert!(start.elapsed() < Duration::from_secs(60), "{arguments:?} made nothing");
            sleep(Duration::from_millis(5));
        }
        running
    }

    /// Runs the command once more, which is refused and names the process of the first run.
    fn refuses(&self, arguments: &[&str]) {
        // The file is there a moment before its lock.
        sleep(Duration::from_millis(200));
        let output = spuk(arguments);
        let said = text(&output.stderr);
        assert_eq!((code(&output), said.lines().count()), (2, 1), "{arguments:?}: {said}");
        assert!(said.contains(&format!("process {} is writing it", self.0.id())), "{said}");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_second_run_is_refused_and_the_first_keeps_its_work() {
    let folder = Folder::new();
    let (puzzles, games) = (folder.file("puzzles.jsonl"), folder.file("games.json"));
    let tables = folder.file("tables");
    let compose = ["compose", "--length", "5", "--count", "1000000", "--out", &puzzles];
    let play = ["match", "random", "random", "--games", "1000000", "--out", &games];
    let build = ["tablebase", "build", "--pieces", "6", "--memory", "8G", "--tables", &tables];
    let runs: [(&[&str], &Path); 3] =
        [(&compose, Path::new(&puzzles)), (&play, Path::new(&games)), (&build, Path::new(&tables))];
    for (arguments, made) in runs {
        Running::start(arguments, made).refuses(arguments);
    }
    // The lock ends with the process that held it, however that ended.
    let found = fs::read_to_string(&puzzles).unwrap().lines().count();
    let more = (found + 3).to_string();
    let again = ["compose", "--length", "5", "--count", &more, "--out", &puzzles];
    let output = spuk(&again);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let kept = fs::read_to_string(&puzzles).unwrap();
    let mut ids: Vec<&str> =
        kept.lines().map(|line| line.split("\"id\":\"").nth(1).unwrap()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), kept.lines().count(), "no puzzle is there twice");
}
