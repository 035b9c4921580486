//! `spuk learn` from outside: the same bytes after an interruption, its weights play, and bad files
//! are refused.

#![allow(clippy::unwrap_used)]
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn file(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("spuk-learn-{}-{name}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

fn learning(out: &Path, games: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_spuk"));
    command.args(["learn", "--seed", "3", "--games", games, "--out"]).arg(out);
    command
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn an_interruption_changes_no_byte() {
    let (whole, cut) = (file("whole.weights"), file("cut.weights"));
    let output = learning(&whole, "6000").arg("--json").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let record: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(record["games"], 6000);

    let child = learning(&cut, "6000").stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    // A quick machine may be done before it is interrupted, a slow one not yet listen.
    let continues = output.status.code() == Some(3);
    if continues {
        assert!(
            stderr(&output).contains("run the same command again to continue"),
            "{}",
            stderr(&output)
        );
        let other = learning(&cut, "7000").output().unwrap();
        assert_eq!(other.status.code(), Some(2));
        assert!(stderr(&other).contains("is from --games 6000 --seed 3"), "{}", stderr(&other));
    }
    if !cut.exists() {
        let output = learning(&cut, "6000").output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(stderr(&output).contains("training continues after"), continues);
    }
    assert_eq!(std::fs::read(&whole).unwrap(), std::fs::read(&cut).unwrap());
    assert!(!cut.with_extension("weights.learner").exists());

    let player = format!("champion:{}", cut.display());
    let mut command = Command::new(env!("CARGO_BIN_EXE_spuk"));
    let played = command.args(["match", &player, "random", "--games", "2", "--time", "1ms"]);
    assert_eq!(played.output().unwrap().status.code(), Some(0));
    for path in [whole, cut] {
        std::fs::remove_file(path).unwrap();
    }
}

#[test]
fn files_that_are_no_weights_are_refused() {
    let bad = file("bad.weights");
    std::fs::write(&bad, "spuk-weights 1\nnothing").unwrap();
    for (name, reason) in
        [(bad.display().to_string(), "bytes instead of"), ("none".into(), "cannot read it")]
    {
        let player = format!("champion:{name}");
        let mut command = Command::new(env!("CARGO_BIN_EXE_spuk"));
        let output = command.args(["match", &player, "random", "--games", "1"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(reason), "{}", stderr(&output));
    }
    std::fs::write(bad.with_extension("weights.learner"), "torn").unwrap();
    let output = learning(&bad, "1000").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("cannot continue from"), "{}", stderr(&output));
    std::fs::remove_file(bad.with_extension("weights.learner")).unwrap();
    std::fs::remove_file(bad).unwrap();
}
