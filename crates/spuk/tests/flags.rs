//! Flags that would be ignored are refused in one sentence, by the real binary.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Folder, NO_TABLES, code, program, spuk, text};
use std::process::{Output, Stdio};

const WON: &str = "6/4u1/B5/6/6/Ru4 1";

/// Asserts that the command fails with one sentence that has all parts.
fn assert_refused(output: &Output, parts: &[&str]) {
    let stderr = text(&output.stderr);
    assert_eq!((code(output), stderr.lines().count()), (2, 1), "{stderr}");
    assert_eq!(text(&output.stdout), "");
    for part in parts {
        assert!(stderr.contains(part), "{part:?} is missing in {stderr}");
    }
}

#[test]
fn a_named_folder_of_tablebases_that_does_not_exist_is_refused() {
    let folder = Folder::new();
    let missing = folder.file("missing");
    let commands: [&[&str]; 9] = [
        &["solve", WON],
        &["compose", "--source", "mined"],
        &["match", "careful", "rush", "--games", "1"],
        &["play", "geister"],
        &["gat", "client", "--player", "rush"],
        &["serve", "--listen", "127.0.0.1:0"],
        &["tablebase", "probe", WON],
        &["tablebase", "stats"],
        &["bench", "probe"],
    ];
    for command in commands {
        let parts = [missing.as_str(), "does not exist", "`spuk tablebase build"];
        let by_flag = spuk(&[command, &["--tables", &missing]].concat());
        assert_refused(&by_flag, &[&parts[..], &["--tables"]].concat());
        let mut by_variable = program();
        by_variable.args(command).env("SPUK_TABLES", &missing).stdin(Stdio::null());
        let by_variable = by_variable.output().unwrap();
        assert_refused(&by_variable, &[&parts[..], &["SPUK_TABLES"]].concat());
    }
    let stream = spuk(&["solve", "-", "--tables", &missing]);
    assert_refused(&stream, &[&missing]);
}

#[test]
fn an_empty_folder_a_missing_default_and_no_tables_are_fine() {
    let folder = Folder::new();
    let solve = ["solve", WON, "--brief"];
    assert_eq!(code(&spuk(&[&solve[..], &["--tables", NO_TABLES]].concat())), 0);
    let mut no_tables = program();
    no_tables.args(solve).arg("--no-tables").env("SPUK_TABLES", folder.file("missing"));
    assert_eq!(code(&no_tables.output().unwrap()), 0);
    let mut by_default = program();
    by_default.args(solve).env_remove("SPUK_TABLES");
    by_default.env("HOME", &folder.0).env_remove("XDG_DATA_HOME");
    assert_eq!(code(&by_default.output().unwrap()), 0);
}

#[test]
fn flags_without_an_effect_are_refused() {
    let folder = Folder::new();
    let lab = folder.file("lab");
    let cases: [(&[&str], &str); 9] = [
        (&["lab", "p3-random", "--depth", "3"], "--depth"),
        (&["lab", "p3-random", "--file", "x.csv"], "--file"),
        (&["lab", "p3-random", "--full", "--trials", "3"], "--full and --trials"),
        (&["compose", "--longest-first"], "--longest-first is for --source mined"),
        (&["compose", "--source", "reverse", "--tables", NO_TABLES], "--tables"),
        (&["export", "--format", "csv", "--title", "Puzzles"], "--title"),
        (&["export", "--format", "svg", "--title", "Puzzles", "--out", &lab], "--title"),
        (&["export", "--title", "Puzzles"], "--title"),
        (&["export", "--format", "csv", "--language", "ja"], "--language"),
    ];
    for (arguments, part) in cases {
        let mut command = program();
        let output = command.args(arguments).current_dir(&folder.0).stdin(Stdio::null()).output();
        assert_refused(&output.unwrap(), &[part, "omit"]);
    }
    assert_eq!(folder.names(""), [""; 0], "a refused command makes no folder");
}

#[test]
fn the_help_of_export_says_what_svg_writes() {
    let help = text(&spuk(&["export", "--help"]).stdout);
    assert!(help.contains("svg:") && help.contains("ID.svg"), "{help}");
}
