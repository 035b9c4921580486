//! Scripts for shells, by the real binary, and one of them in a real shell.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Folder, code, program, spuk, text};
use std::process::Command;

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

/// The commands that `spuk --help` lists.
fn commands() -> Vec<String> {
    let help = text(&spuk(&["--help"]).stdout);
    let (_, list) = help.split_once("Commands:\n").unwrap();
    let lines = list.lines().take_while(|line| !line.is_empty());
    lines.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

#[test]
fn every_script_knows_every_command() {
    let commands = commands();
    for known in ["solve", "serve", "tablebase", "completions"] {
        assert!(commands.iter().any(|command| command == known), "{commands:?}");
    }
    for shell in SHELLS {
        let output = spuk(&["completions", shell]);
        assert_eq!((code(&output), text(&output.stderr)), (0, String::new()), "{shell}");
        let script = text(&output.stdout);
        for command in &commands {
            assert!(script.contains(command), "{shell} lacks {command}");
        }
        assert!(script.contains("--threads") || script.contains("-l threads"), "{shell}");
    }
}

#[test]
fn an_unknown_shell_is_refused_by_name() {
    for arguments in [&["completions", "tcl"][..], &["completions"], &["completions", "bash", "x"]]
    {
        let output = spuk(arguments);
        assert_eq!((code(&output), text(&output.stdout)), (2, String::new()), "{arguments:?}");
    }
    let stderr = text(&spuk(&["completions", "tcl"]).stderr);
    assert!(
        stderr.contains("tcl") && SHELLS.iter().all(|shell| stderr.contains(shell)),
        "{stderr}"
    );
}

/// What bash offers after these words, of which the last is being written.
fn offered(script: &str, words: &[&str]) -> Vec<String> {
    let (now, before) = (words[words.len() - 1], words[words.len() - 2]);
    let ask = format!(
        "source '{script}'; COMP_WORDS=({}); COMP_CWORD={}; _spuk spuk '{now}' '{before}'; \
         printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        words.join(" "),
        words.len() - 1
    );
    let output = Command::new("bash").args(["--norc", "-c", &ask]).output().unwrap();
    assert_eq!(text(&output.stderr), "");
    text(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_and_flags() {
    let folder = Folder::new();
    let script = folder.file("spuk.bash");
    let output = program().args(["completions", "bash"]).output().unwrap();
    std::fs::write(&script, output.stdout).unwrap();
    assert_eq!(offered(&script, &["spuk", "so"]), ["solve"]);
    assert_eq!(offered(&script, &["spuk", "tablebase", "ve"]), ["verify"]);
    assert_eq!(offered(&script, &["spuk", "solve", "--dep"]), ["--depth"]);
    assert_eq!(offered(&script, &["spuk", "completions", "fi"]), ["fish"]);
}
