//! `spuk evolve` from outside: the same bytes for any number of threads and after an interruption,
//! and its styles play.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SIZES: [&str; 9] =
    ["--small", "--population", "8", "--keep", "4", "--generations", "3", "--wins", "60"];

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("spuk-evolve-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn evolve(out: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_spuk"));
    command.arg("evolve").args(SIZES).arg("--out").arg(out).args(more).output().unwrap()
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    entries.map(|path| (name(&path), std::fs::read(&path).unwrap())).collect()
}

#[test]
fn the_same_bytes_on_any_threads_and_after_an_interruption() {
    let (one, two, cut) = (folder("one"), folder("two"), folder("cut"));
    assert_eq!(evolve(&one, &["--threads", "1"]).status.code(), Some(0));
    let output = evolve(&two, &["--threads", "2", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let record: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(record["experiment"], "p5-styles");
    assert_eq!(files(&one), files(&two));

    // A program that was killed leaves a journal whose last line is torn.
    let mut child = Command::new(env!("CARGO_BIN_EXE_spuk"));
    let mut child = child.arg("evolve").args(SIZES).arg("--out").arg(&cut).spawn().unwrap();
    let journal = cut.join("evolve.journal");
    let kept = |path: &Path| std::fs::read(path).map_or(0, |bytes| bytes.len());
    for _ in 0..2000 {
        if kept(&journal) > 1000 || child.try_wait().unwrap().is_some() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let _ = child.kill();
    child.wait().unwrap();
    if let Ok(bytes) = std::fs::read(&journal) {
        std::fs::write(&journal, &bytes[..bytes.len() - 3]).unwrap();
    }
    let again = evolve(&cut, &[]);
    assert_eq!(again.status.code(), Some(0));
    assert_eq!(files(&one), files(&cut));

    let style = format!("style:{}", one.join("cluster-1.style").display());
    let mut played = Command::new(env!("CARGO_BIN_EXE_spuk"));
    let played = played.args(["match", &style, "style:p5-a", "--board", "4x5", "--games", "4"]);
    assert_eq!(played.output().unwrap().status.code(), Some(0));
    for folder in [one, two, cut] {
        std::fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn invalid_flags_are_refused() {
    let out = folder("refused");
    let refused = evolve(&out, &["--seed", "x"]);
    assert_eq!(refused.status.code(), Some(2));
    let mut command = Command::new(env!("CARGO_BIN_EXE_spuk"));
    let refused = command.args(["evolve", "--population", "5", "--keep", "9"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("cannot keep 9 of 5"));
}
