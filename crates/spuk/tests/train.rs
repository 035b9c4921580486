//! `spuk train` from outside: ratings in, models out, and refusals.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Folder, code, records, spuk, spuk_with_input, text};
use puzzle::model::Models;
use puzzle::{Puzzle, shipped, train};
use std::fmt::Write;
use std::fs;

const HEADER: &str = "puzzle,person,interest,difficulty,seconds,solved\n";

fn puzzles(count: usize) -> Vec<Puzzle> {
    let all = shipped::puzzles().unwrap();
    let step = all.len() / count;
    all.into_iter().step_by(step).take(count).collect()
}

/// Two persons who find long puzzles hard, and those with many first moves dull.
fn ratings(puzzles: &[Puzzle]) -> String {
    let mut text = HEADER.to_owned();
    for puzzle in puzzles {
        let hard = (i64::from(puzzle.m_win) - 13).clamp(-10, 10) / 5;
        let dull = (i64::try_from(puzzle.first_moves.len()).unwrap() - 10).clamp(-4, 4) / 2;
        for (person, more) in [("ann", 0), ("\"bob, b.\"", 1)] {
            let (hard, dull) = ((hard + more).min(2), dull);
            writeln!(text, "{},{person},{},{hard},60,yes", puzzle.id(), -dull).unwrap();
        }
    }
    text
}

fn file(folder: &Folder, name: &str, text: impl AsRef<[u8]>) -> String {
    fs::write(folder.file(name), text).unwrap();
    folder.file(name)
}

#[test]
fn good_ratings_give_models_that_can_be_read_back() {
    let folder = Folder::new();
    let puzzles = puzzles(40);
    let input = file(&folder, "ratings.csv", ratings(&puzzles));
    let model = folder.file("model.json");
    let output = spuk(&["train", &input, "--out", &model, "--json", "--threads", "1"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let record = &records(&output)[0];
    assert_eq!(
        (&record["v"], &record["puzzles"], &record["persons"]),
        (&1.into(), &40.into(), &2.into())
    );
    assert_eq!((&record["ratings"], &record["bad_lines"]), (&80.into(), &0.into()));
    assert_eq!(record["difficulty"]["paper_r2"], 0.54);
    assert!(record["difficulty"]["r2"].as_f64().unwrap() > 0.5, "{record}");
    assert_eq!(record["difficulty"]["importance"][0][0], "m_win");
    let written = fs::read_to_string(&model).unwrap();
    let models = Models::from_json(&written).unwrap();
    let long = puzzles.iter().max_by_key(|puzzle| puzzle.m_win).unwrap();
    let short = puzzles.iter().min_by_key(|puzzle| puzzle.m_win).unwrap();
    let hard = |puzzle| models.difficulty.predict(&train::training_features(puzzle, false));
    assert!(hard(long) > hard(short) + 1.0);
    assert_eq!(folder.names("").len(), 2, "nothing else was left behind");
    // Neither threads nor the order of the lines nor standard input change a byte.
    let mut lines: Vec<String> =
        ratings(&puzzles).lines().skip(1).map(|l| l.to_owned() + "\n").collect();
    lines.reverse();
    let turned = HEADER.to_owned() + &lines.concat();
    let arguments = ["train", "-", "--out", &model, "--threads", "2"];
    let output = spuk_with_input(&arguments, turned.as_bytes());
    assert_eq!(code(&output), 0);
    let stdout = text(&output.stdout);
    for words in ["80 ratings of 40 puzzles by 2 persons", "RMSE", "0.54", "m_win", "Written to"] {
        assert!(stdout.contains(words), "{stdout}");
    }
    assert_eq!(fs::read_to_string(&model).unwrap(), written);
    let graded = spuk(&["grade", "6/4u1/B5/6/6/Ru4 1", "--model", &model, "--json"]);
    let grade = &records(&graded)[0]["grade"];
    assert_eq!(grade["basis"], "model");
    let as_predicted = |puzzle: &Puzzle| {
        let (rated, predicted) =
            (models.difficulty.predict(&train::training_features(puzzle, false)), grade);
        (predicted["difficulty"].as_f64().unwrap() - rated.clamp(-2.0, 2.0)).abs() < 0.3
    };
    let record = records(&spuk(&["grade", "6/4u1/B5/6/6/Ru4 1", "--json"])).remove(0);
    assert!(as_predicted(&Puzzle::from_json(&record.to_string()).unwrap()), "{grade}");
    // A file that was tampered with is refused.
    let changed = written.replacen("0.0", "0.1", 1);
    let bad = file(&folder, "bad.json", &changed);
    let refused = spuk(&["grade", "6/4u1/B5/6/6/Ru4 1", "--model", &bad]);
    assert!(code(&refused) == 2 && text(&refused.stderr).contains("train it again"));
    assert!(Models::from_json(&changed).unwrap_err().to_string().contains("checksum"));
}

#[test]
fn invalid_lines_are_reported_and_skipped_only_on_request() {
    let folder = Folder::new();
    let puzzles = puzzles(31);
    let id = puzzles[0].id();
    let good = ratings(&puzzles);
    let bad = format!(
        "{good}zzzzzzzzzzzzz,ann,1,1,,\n{id},cid,3,1,,\n{id},cid,1,-2.5,,\n{id},cid,1,1,-1,\n\
         {id},cid,1,1,1,perhaps\n{id},,1,1,,\n{id},ann,1,1,,\n{id},cid\n"
    );
    let input = file(&folder, "ratings.csv", bad);
    let model = folder.file("model.json");
    let output = spuk(&["train", &input, "--out", &model]);
    assert_eq!(code(&output), 2);
    let stderr = text(&output.stderr);
    for (line, reason) in [
        (64, "there is no puzzle"),
        (65, "interest is \"3\""),
        (66, "difficulty is \"-2.5\""),
        (67, "seconds is \"-1\""),
        (68, "solved is \"perhaps\""),
        (69, "the person has"),
        (70, "in line 2"),
        (71, "it has 2 fields"),
    ] {
        let found = stderr
            .lines()
            .any(|one| one.contains(&format!("line {line}: ")) && one.contains(reason));
        assert!(found, "{line} {reason}: {stderr}");
    }
    assert!(stderr.contains("8 of 70 ratings") && stderr.contains("--skip-bad"), "{stderr}");
    assert!(!fs::exists(&model).unwrap());
    let output = spuk(&["train", &input, "--out", &model, "--skip-bad", "--json"]);
    assert_eq!(code(&output), 0);
    assert_eq!(records(&output)[0]["bad_lines"], 8);
    assert_eq!(text(&output.stderr).lines().count(), 8);
    let clean = folder.file("clean.json");
    let input = file(&folder, "good.csv", good);
    assert_eq!(code(&spuk(&["train", &input, "--out", &clean])), 0);
    assert_eq!(fs::read(&clean).unwrap(), fs::read(&model).unwrap());
}

/// What is wrong with a whole file is one sentence with the code 2, and nothing is written.
#[test]
fn files_without_enough_to_learn_from_are_refused() {
    let folder = Folder::new();
    let model = folder.file("model.json");
    let few = ratings(&puzzles(29));
    let one: String = ratings(&puzzles(40))
        .lines()
        .filter(|line| !line.contains("bob"))
        .fold(String::new(), |text, line| text + line + "\n");
    for (name, bytes, reason) in [
        ("few.csv", few.as_bytes(), "29 puzzles rated by 2 persons are too few"),
        ("one.csv", one.as_bytes(), "40 puzzles rated by 1 persons are too few"),
        ("header.csv", HEADER.as_bytes(), "0 puzzles rated by 0 persons"),
        ("empty.csv", b"", "no column \"puzzle\""),
        ("missing.csv", b"puzzle,person,interest,seconds,solved\n", "no column \"difficulty\""),
        ("binary.csv", b"\x00\xff\xfe\"\n\"\"\"", "no column"),
    ] {
        let input = file(&folder, name, bytes);
        let output = spuk(&["train", &input, "--out", &model]);
        let stderr = text(&output.stderr);
        assert_eq!((code(&output), stderr.lines().count()), (2, 1), "{stderr}");
        assert!(stderr.contains(reason) && stderr.contains(name), "{stderr}");
        assert!(output.stdout.is_empty() && !fs::exists(&model).unwrap());
    }
    let output = spuk(&["train", &folder.file("none.csv"), "--out", &model]);
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("cannot read"));
}

#[test]
fn own_puzzles_can_be_rated() {
    let folder = Folder::new();
    let puzzles = puzzles(30);
    let lines: String = puzzles.iter().map(|puzzle| puzzle.to_json() + "\n").collect();
    let own = file(&folder, "own.jsonl", &lines);
    let input = file(&folder, "ratings.csv", ratings(&puzzles));
    let model = folder.file("model.json");
    let output = spuk(&["train", &input, "--puzzles", &own, "--out", &model]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    // Of other puzzles nothing is known.
    let first = file(&folder, "first.jsonl", lines.lines().next().unwrap());
    let output = spuk(&["train", &input, "--puzzles", &first, "--out", &model]);
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("58 of 60 ratings"));
    let broken = file(&folder, "broken.jsonl", format!("{lines}{{\"v\":1}}\n"));
    let output = spuk(&["train", &input, "--puzzles", &broken, "--out", &model]);
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("line 31"), "{}", text(&output.stderr));
    // A place that cannot be written to.
    let nowhere = folder.file("no/such/folder/model.json");
    assert_eq!(code(&spuk(&["train", &input, "--out", &nowhere])), 2);
}
