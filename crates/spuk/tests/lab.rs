//! `spuk lab` from outside: files, JSON, refusals, Ctrl-C.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("spuk-lab-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn lab(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_spuk")).arg("lab").args(arguments).output().unwrap()
}

fn files(folder: &PathBuf) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn an_experiment_writes_its_files_and_json() {
    let out = folder("json");
    let run = |threads: &str| {
        let out = out.to_str().unwrap();
        let arguments = ["p3-random", "--trials", "40", "--threads", threads, "--json", "--out"];
        lab(&[&arguments[..], &[out]].concat())
    };
    let output = run("1");
    assert_eq!(output.status.code(), Some(0));
    let record: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&record["v"], &record["experiment"]), (&1.into(), &"p3-random".into()));
    assert_eq!(record["settings"][0], serde_json::json!(["seed", "1"]));
    assert_eq!(record["tables"][0]["rows"][0][2], 40);
    assert_eq!(files(&out), ["p3-random-lengths.csv", "p3-random.csv", "p3-random.svg"]);
    let written = std::fs::read(out.join("p3-random.csv")).unwrap();
    assert_eq!(run("2").status.code(), Some(0));
    assert_eq!(std::fs::read(out.join("p3-random.csv")).unwrap(), written);
    std::fs::remove_dir_all(&out).unwrap();
}

/// The experiments on the shipped collection need no file.
#[test]
fn the_collection_is_inside_the_program() {
    for (experiment, expected) in [
        ("p4-geister-solvers", &["-lengths.csv", ".csv", ".svg"][..]),
        (
            "p4-geister-feel",
            &[
                "-areas.svg",
                "-curves.csv",
                "-curves.svg",
                "-followers.csv",
                "-games.csv",
                "-games.svg",
                "-lengths.csv",
                "-signatures.csv",
                "-themes.csv",
                ".csv",
                ".svg",
            ],
        ),
    ] {
        let out = folder(experiment);
        let output = lab(&[experiment, "--trials", "1", "--out", out.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(0), "{experiment}");
        let expected: Vec<String> =
            expected.iter().map(|end| format!("{experiment}{end}")).collect();
        assert_eq!(files(&out), expected);
        std::fs::remove_dir_all(&out).unwrap();
    }
}

#[test]
fn games_of_2048_give_their_tables_and_pictures() {
    let out = folder("2048");
    let arguments = ["p4-2048", "--trials", "1", "--depth", "3", "--out", out.to_str().unwrap()];
    let text = String::from_utf8(lab(&arguments).stdout).unwrap();
    assert!(text.contains("Table 4") && text.contains("paper v"), "{text}");
    let pictures = ["", "-mass", "-momentum", "-scn"].map(|name| format!("p4-2048{name}.svg"));
    let tables = ["", "-milestones", "-motion", "-readings"];
    let mut expected = tables.map(|name| format!("p4-2048{name}.csv")).to_vec();
    expected.extend(pictures);
    expected.sort();
    assert_eq!(files(&out), expected);
    std::fs::remove_dir_all(&out).unwrap();
}

#[test]
fn people_get_a_list_and_a_table() {
    let listed = String::from_utf8(lab(&[]).stdout).unwrap();
    assert_eq!(listed.lines().count(), ::lab::Experiment::ALL.len());
    assert_eq!(lab(&["list"]).stdout, listed.as_bytes());
    let json: serde_json::Value = serde_json::from_slice(&lab(&["list", "--json"]).stdout).unwrap();
    assert_eq!(json["experiments"][1]["name"], "p1-random");
    let out = folder("text");
    let output = lab(&["p3-random", "--trials", "20", "--out", out.to_str().unwrap()]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("paper %") && text.contains("chi-square") && text.contains("Written in"));
    std::fs::remove_dir_all(&out).unwrap();
}

#[test]
fn nonsense_is_refused() {
    let unknown = lab(&["p9-nothing"]);
    let stderr = String::from_utf8(unknown.stderr).unwrap();
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr.contains("p1-random") && stderr.contains("collection"), "{stderr}");
    let out = folder("none");
    let out = out.to_str().unwrap();
    for arguments in [
        &["collection", "--out", out][..],
        &["collection", "--file", "no-such-file.csv", "--out", out],
        &["p3-random", "--trials", "0"],
        &["p1-pruning", "--depth", "99"],
        &["p3-random", "--out", "Cargo.toml/lab"],
    ] {
        let refused = lab(arguments);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        assert!(refused.stdout.is_empty() && !refused.stderr.is_empty(), "{arguments:?}");
    }
    let _ = std::fs::remove_dir_all(out);
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_an_experiment_and_the_same_command_resumes_it() {
    let (out, whole) = (folder("stop"), folder("whole"));
    let arguments = ["p3-random", "--trials", "600", "--out"];
    let child = Command::new(env!("CARGO_BIN_EXE_spuk"))
        .arg("lab")
        .args([&arguments[..], &[out.to_str().unwrap()]].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let journal = out.join("p3-random.journal");
    while std::fs::metadata(&journal).map_or(0, |file| file.len()) < 2_000 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(output.stdout.is_empty());
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("run the same command again to continue")
    );
    assert_eq!(files(&out), ["p3-random.journal"]);

    let another = lab(&["p3-random", "--trials", "601", "--out", out.to_str().unwrap()]);
    assert_eq!(another.status.code(), Some(2));
    assert!(String::from_utf8(another.stderr).unwrap().contains("other settings"));

    let again = lab(&[&arguments[..], &[out.to_str().unwrap()]].concat());
    assert!(String::from_utf8(again.stderr).unwrap().contains("p3-random continues after"));
    assert_eq!(lab(&[&arguments[..], &[whole.to_str().unwrap()]].concat()).status.code(), Some(0));
    assert_eq!(files(&out), files(&whole));
    for name in files(&whole) {
        assert_eq!(
            std::fs::read(out.join(&name)).unwrap(),
            std::fs::read(whole.join(&name)).unwrap()
        );
    }
    std::fs::remove_dir_all(&out).unwrap();
    std::fs::remove_dir_all(&whole).unwrap();
}
