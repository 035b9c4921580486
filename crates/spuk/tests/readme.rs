//! What README shows is what the program prints: every command of its console blocks is run.

#![allow(clippy::unwrap_used)]

use std::process::Command;

/// A command and what README says it prints.
struct Sample {
    command: String,
    shown: String,
}

fn samples() -> Vec<Sample> {
    let readme = include_str!("../../../README.md");
    let mut samples: Vec<Sample> = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        match (line, line.strip_prefix("$ ")) {
            ("```console", _) => inside = true,
            ("```", _) => inside = false,
            (_, Some(command)) if inside => {
                samples.push(Sample { command: command.into(), shown: String::new() });
            }
            _ if inside => {
                let sample = samples.last_mut().expect("a block starts with a command");
                sample.shown += line;
                sample.shown.push('\n');
            }
            _ => {}
        }
    }
    samples
}

/// Times differ from run to run: numbers with a point, speeds, and durations become `#`.
fn without_times(text: &str) -> String {
    let is_time = |word: &str| {
        let number = word.trim_start_matches(['(', '{']);
        number.contains('.') && number.starts_with(|c: char| c.is_ascii_digit())
            || number.ends_with("µs")
            || number.ends_with("ms")
    };
    let mask_line = |line: &str| {
        if line.starts_with("nodes/s") {
            return "nodes/s #".to_string();
        }
        let line = line.split("\"seconds\":").next().unwrap_or(line);
        let words = line.split(' ').map(|word| if is_time(word) { "#" } else { word });
        words.collect::<Vec<_>>().join(" ")
    };
    text.lines().map(mask_line).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_samples_print_what_readme_shows() {
    let samples = samples();
    assert!(samples.len() >= 4, "README lost its samples");
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_spuk"));
    let path = format!(
        "{}:{}",
        binary.parent().unwrap().display(),
        std::env::var("PATH").unwrap_or_default()
    );
    for sample in samples {
        let output = Command::new("sh")
            .args(["-c", &sample.command])
            .env("PATH", &path)
            .env("SPUK_TABLES", concat!(env!("CARGO_MANIFEST_DIR"), "/tests"))
            .output()
            .unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        assert_eq!(without_times(&printed), without_times(&sample.shown), "{}", sample.command);
    }
}

#[test]
fn readmes_command_makes_its_picture() {
    let readme = include_str!("../../../README.md");
    let is_it = |line: &&str| line.starts_with("spuk solve ") && line.contains("--svg puzzle.svg");
    let line = readme.lines().find(is_it).unwrap();
    let arguments = line.trim_start_matches("spuk ").split('#').next().unwrap();
    let folder = std::env::temp_dir().join(format!("spuk-readme-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let command = format!("\"{}\" {arguments}", env!("CARGO_BIN_EXE_spuk"));
    let status =
        Command::new("sh").args(["-c", &command]).current_dir(&folder).output().unwrap().status;
    assert!(status.success());
    let drawn = std::fs::read_to_string(folder.join("puzzle.svg")).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(drawn, include_str!("../../../docs/puzzle.svg"), "README's picture is out of date");
}
