//! `spuk tablebase` through the real binary: built, asked, killed, corrupted and built again.

#![allow(clippy::unwrap_used)] // the helpers of tests are no tests to clippy

mod common;

use common::{Folder, code, program, records, text};
use geister::tablebase::{Class, Store};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

const WON: &str = "6/4u1/B5/6/6/Ru4 1";
const NOT_WON: &str = "6/6/6/3u2/3u2/BR4 1";
const WITHOUT_TABLE: &str = "6/4u1/B5/6/6/RuuB2 1";
const BUILD_4: [&str; 4] = ["build", "--pieces", "4", "--json"];

/// A copy of the tables that all tests share.
fn folder_with_tables() -> Folder {
    let folder = Folder::new();
    for entry in fs::read_dir(shared()).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.0.join(path.file_name().unwrap())).unwrap();
    }
    folder
}

/// The tables of 4 ghosts, built once with the command itself.
fn shared() -> &'static Path {
    static SHARED: OnceLock<PathBuf> = OnceLock::new();
    SHARED.get_or_init(|| {
        // One folder for all runs of this program, as nothing runs after the last test.
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables");
        let _ = fs::remove_dir_all(&folder);
        let output = tablebase(&folder, &BUILD_4);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        folder
    })
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = program();
    command.arg("tablebase").args(arguments).arg("--tables").arg(folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.env_remove("SPUK_TABLES");
    command
}

fn tablebase(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().unwrap()
}

fn class(text: &str) -> Class {
    text.parse().unwrap()
}

/// The classes that records tell of, in their order.
fn classes(records: &[Value]) -> Vec<String> {
    records.iter().map(|record| record["class"].as_str().unwrap().to_owned()).collect()
}

fn closure(roots: &[Class]) -> Vec<String> {
    Class::closure(roots).iter().map(Class::to_string).collect()
}

fn path(folder: &Path, class: &str) -> PathBuf {
    Store::new(folder).path(self::class(class))
}

#[test]
fn a_build_tells_each_table_and_does_nothing_twice() {
    let folder = Folder::new();
    let inner = folder.0.join("not/there/yet");
    let output = tablebase(&inner, &BUILD_4);
    assert_eq!((code(&output), text(&output.stderr)), (0, String::new()));
    let built = records(&output);
    assert_eq!(classes(&built), closure(&Class::all_with(4)));
    for record in &built {
        let class = record["class"].as_str().unwrap();
        assert_eq!(record["v"], 1);
        assert_eq!(record["bytes"], fs::metadata(path(&inner, class)).unwrap().len());
        assert!(record["seconds"].as_f64().unwrap() > 0.0);
    }
    let positions = |class: &str| {
        built.iter().find(|record| record["class"] == class).unwrap()["positions"].clone()
    };
    assert_eq!((positions("BRuu:1"), positions("BRbr:1")), (706_860.into(), 1_413_720.into()));
    let again = tablebase(&inner, &BUILD_4);
    assert_eq!((code(&again), text(&again.stdout)), (0, String::new()));
    let output = tablebase(&inner, &["build", "--class", "BRuu:1"]);
    assert!(text(&output.stdout).starts_with("0 tables to build"), "{}", text(&output.stdout));
}

#[test]
fn stats_have_every_field_and_the_figures_of_the_paper() {
    let output = tablebase(shared(), &["stats", "--json"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let all: BTreeMap<String, Value> = records(&output)
        .into_iter()
        .map(|record| (record["class"].as_str().unwrap().to_owned(), record))
        .collect();
    assert_eq!(all.len(), closure(&Class::all_with(4)).len());
    for (class, record) in &all {
        let wins: Vec<(u64, u64)> = record["by_distance"]
            .as_array()
            .unwrap()
            .iter()
            .map(|d| (d["m_win"].as_u64().unwrap(), d["positions"].as_u64().unwrap()))
            .collect();
        assert!((1..).step_by(2).zip(&wins).all(|(m_win, d)| m_win == d.0), "{record}");
        assert_eq!(record["wins"], wins.iter().map(|d| d.1).sum::<u64>(), "{record}");
        assert_eq!(record["longest"], wins.last().unwrap().0, "{record}");
        assert_eq!(record["bytes"], fs::metadata(path(shared(), class)).unwrap().len());
        let example = record["example"].as_str().unwrap();
        let probed = &records(&tablebase(shared(), &["probe", example, "--json"]))[0];
        assert_eq!((&probed["m_win"], &probed["class"]), (&record["longest"], &record["class"]));
    }
    let figures = |class: &str| {
        ["wins", "positions", "longest"].map(|field| all[class][field].as_u64().unwrap())
    };
    assert_eq!(figures("BRuu:1"), [191_992, 706_860, 19]);
    assert_eq!(figures("BRbr:1"), [783_232, 1_413_720, 37]);
    // The solver agrees on the longest one. It must not ask the tables that are there.
    let example = all["BRuu:1"]["example"].as_str().unwrap();
    let empty = Folder::new();
    let solved = Command::new(env!("CARGO_BIN_EXE_spuk"))
        .args(["solve", example, "--json", "--brief", "--depth", "37"])
        .env("SPUK_TABLES", &empty.0)
        .output()
        .unwrap();
    assert_eq!(records(&solved)[0]["m_win"], 19, "{}", text(&solved.stderr));
    // For people, and one class only.
    let stdout = text(&tablebase(shared(), &["stats", "BRuu:1"]).stdout);
    assert!(
        stdout.starts_with("BRuu:1: 191992 of 706860 positions won (27.16 %), longest 19"),
        "{stdout}"
    );
    assert!(stdout.contains(example) && stdout.contains("\n   19 plies"), "{stdout}");
}

/// `spuk solve` with these tables.
fn solve(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = program();
    command.arg("solve").args(arguments).arg("--tables").arg(folder).output().unwrap()
}

/// What a command answers to each position, in order.
fn answers(mut command: Command, positions: &str) -> Vec<Option<u64>> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let (mut stdin, input) = (child.stdin.take().unwrap(), positions.to_owned());
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    records(&output).iter().map(|record| record["m_win"].as_u64()).collect()
}

#[test]
fn stats_probe_and_solve_agree_on_every_position_of_three_ghosts() {
    let empty = Folder::new();
    let classes: Vec<Class> = Class::closure(&Class::all_with(4))
        .into_iter()
        .filter(|class| class.pieces() <= 3)
        .collect();
    assert!(classes.contains(&class("BRu:0")), "BLUE is 0 after a capture");
    for class in classes {
        let index = geister::tablebase::Index::new(class);
        let positions: Vec<String> =
            (0..index.size()).map(|rank| format!("{}\n", index.position(rank))).collect();
        let mut by_distance: BTreeMap<u64, u64> = BTreeMap::new();
        let probed = answers(command(shared(), &["probe", "-", "--json"]), &positions.concat());
        assert_eq!(probed.len(), positions.len());
        for (m_win, rank) in probed.iter().zip(0..) {
            if let Some(m_win) = *m_win {
                *by_distance.entry(m_win).or_default() += index.weight(rank);
            }
        }
        let class = class.to_string();
        let stats = &records(&tablebase(shared(), &["stats", &class, "--json"]))[0];
        for distance in stats["by_distance"].as_array().unwrap() {
            let found = by_distance.remove(&distance["m_win"].as_u64().unwrap()).unwrap_or(0);
            assert_eq!(distance["positions"], found, "{class}: {distance}");
        }
        assert!(by_distance.is_empty(), "{class}: {by_distance:?}");
        // The solver with the tables, and on a sample without them.
        let depth = stats["longest"].to_string();
        for (step, tables) in [(1, shared()), (29, empty.0.as_path())] {
            let mut command = program();
            command.args(["solve", "-", "--json", "--brief", "--depth", &depth, "--time", "60s"]);
            command.arg("--tables").arg(tables);
            let some: Vec<&str> = positions.iter().step_by(step).map(String::as_str).collect();
            let solved = answers(command, &some.concat());
            let probed: Vec<_> = probed.iter().step_by(step).copied().collect();
            assert!(solved == probed, "{class}, tables in {}", tables.display());
        }
    }
}

#[test]
fn solve_gives_the_longest_wins_of_tables() {
    let (class, folder) = (class("BRu:0"), Folder::new());
    let table = Store::new(shared()).open(class).unwrap();
    let counts = &table.file().header().weighted_counts;
    let rank = table.file().find(counts.len() as u8 - 1).unwrap().unwrap();
    let position = table.index().position(rank).to_string();
    for (moves, plies) in [(51, 101), (60, 119), (62, 123)] {
        let mut values = table.file().read_all().unwrap();
        values[rank as usize] = moves;
        geister::tablebase::file::write(&path(&folder.0, "BRu:0"), "BRu:0", &values, counts)
            .unwrap();
        let output = solve(&folder.0, &[&position, "--json", "--brief"]);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        assert_eq!(records(&output)[0]["m_win"], plies);
    }
}

#[test]
fn solve_claims_no_more_of_a_first_move_than_it_searched() {
    let empty = Folder::new();
    let probed = &records(&tablebase(shared(), &["probe", WON, "--json"]))[0]["moves"];
    let of_move = |mv: &Value| {
        let moves = probed.as_array().unwrap();
        moves.iter().find(|probed| probed["move"] == mv["move"]).unwrap()["m_win"].as_u64()
    };
    let mut slower_wins = 0;
    for (tables, searched) in [(empty.0.as_path(), 7), (shared(), 123)] {
        let output = solve(tables, &[WON, "--json"]);
        let first_moves = records(&output)[0]["first_moves"].as_array().unwrap().clone();
        assert_eq!(first_moves.len(), probed.as_array().unwrap().len());
        for mv in first_moves {
            match (mv["m_win"].as_u64(), of_move(&mv)) {
                (None, longer) => {
                    assert_eq!((&mv["result"], &mv["depth"]), (&"no-win".into(), &searched.into()));
                    assert!(longer.is_none_or(|plies| plies > searched), "{mv}");
                    slower_wins += u32::from(longer.is_some());
                }
                found => assert_eq!(found.0, found.1, "{mv}"),
            }
        }
    }
    assert!(slower_wins > 0, "a first move wins beyond the depth");
    let told = text(&solve(empty.0.as_path(), &[WON]).stdout);
    assert!(told.contains("\n  no win within 7 plies, not searched further: "), "{told}");
}

#[test]
fn a_build_that_needs_too_much_memory_is_refused_before_any_work() {
    for (arguments, class, needed) in [
        (["--class", "BBRRuuuu:2", "--memory", "8G"], "BBRRuuuu:2", "GiB"),
        (["--class", "BBBBRRRRuuuuuuuu:4", "--memory", "8G"], "BBBBRRRRuuuuuuuu:4", "ZiB"),
        (["--pieces", "7", "--memory", "1M"], "", "GiB"),
    ] {
        let folder = Folder::new();
        let start = Instant::now();
        let output =
            tablebase(&folder.0.join("tables"), &[["build"].as_slice(), &arguments].concat());
        assert!(start.elapsed() < Duration::from_secs(5), "{arguments:?}: {:?}", start.elapsed());
        assert_eq!((code(&output), text(&output.stdout)), (2, String::new()));
        let stderr = text(&output.stderr);
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert!(stderr.contains(&format!("building {class}")), "{stderr}");
        assert!(stderr.contains(needed) && stderr.contains("--memory allows"), "{stderr}");
        assert_eq!(folder.names(""), [""; 0]);
    }
}

#[test]
fn good_tables_are_verified() {
    let output = tablebase(shared(), &["verify", "--json"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let verified = records(&output);
    assert_eq!(classes(&verified), closure(&Class::all_with(4)));
    assert!(
        verified.iter().all(|record| record["ok"] == true && record["entries_recomputed"] == 0)
    );
    let output = tablebase(shared(), &["verify", "--consistency", "2000", "--json"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let verified = records(&output);
    assert_eq!(verified.len(), closure(&Class::all_with(4)).len());
    for record in verified {
        assert!(record["ok"] == true && record["error"].is_null(), "{record}");
        let recomputed = record["entries_recomputed"].as_u64().unwrap();
        assert!((2000..4000).contains(&recomputed), "{record}");
    }
    let output = tablebase(shared(), &["verify", "BRu:0", "--consistency"]);
    assert_eq!(text(&output.stdout), "BRu:0: good, 21420 entries recomputed\n");
    let nothing = Folder::new();
    let output = tablebase(&nothing.0, &["verify"]);
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("spuk tablebase build"), "{}", text(&output.stderr));
}

#[test]
fn wrong_distances_with_right_checksums_are_found() {
    let (class, path) = (class("BRu:0"), Store::new(shared()).path(class("BRu:0")));
    let table = Store::new(shared()).open(class).unwrap();
    let right = table.file().read_all().unwrap();
    let of = |value: u8| right.iter().rposition(|&other| other == value).unwrap();
    // Too long, too short, a win that is none, and none that is a win.
    for (rank, wrong) in [(of(2), 3), (of(3), 2), (of(1), 0), (of(0), 4)] {
        let folder = folder_with_tables();
        let (mut values, counts) = (right.clone(), &table.file().header().weighted_counts);
        values[rank] = wrong;
        let copy = folder.0.join(path.file_name().unwrap());
        geister::tablebase::file::write(&copy, "BRu:0", &values, counts).unwrap();
        let output = tablebase(&folder.0, &["verify", "BRu:0"]);
        assert_eq!(text(&output.stdout), "BRu:0: good\n", "the file itself is whole");
        let output = tablebase(&folder.0, &["verify", "BRu:0", "--consistency", "--json"]);
        assert_eq!(code(&output), 1, "{wrong} for {}", right[rank]);
        let record = &records(&output)[0];
        assert_eq!(record["ok"], false, "{record}");
        let error = record["error"].as_str().unwrap();
        assert!(
            error.contains("does not follow from its successors; build BRu:0 again"),
            "{error}"
        );
    }
}

#[test]
fn a_probe_tells_the_value_of_the_position_and_of_every_move() {
    let output = tablebase(shared(), &["probe", WON, "--json"]);
    assert_eq!((code(&output), text(&output.stderr)), (0, String::new()));
    let record = &records(&output)[0];
    assert_eq!((&record["position"], &record["class"]), (&WON.into(), &"BRuu:1".into()));
    assert_eq!((&record["result"], &record["m_win"]), (&"win".into(), &5.into()));
    let moves = record["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 5);
    for mv in moves {
        let wins = mv["m_win"].as_u64();
        assert_eq!(mv["result"], if wins.is_some() { "win" } else { "no-win" });
        // One move is best; others win later or not at all.
        match mv["move"].as_str().unwrap() {
            "a4a5" => assert_eq!(wins, Some(5)),
            _ => assert!(wins.is_none_or(|plies| plies > 5), "{mv}"),
        }
    }
    let stdout = text(&tablebase(shared(), &["probe", WON]).stdout);
    assert!(stdout.starts_with(&format!("{WON}: win in 5 plies\n")), "{stdout}");
    assert!(stdout.contains("  a4a5: win in 5 plies\n"), "{stdout}");
    // In two words; not won is a definite no.
    let (rows, blue) = NOT_WON.split_once(' ').unwrap();
    let output = tablebase(shared(), &["probe", rows, blue, "--json"]);
    assert_eq!(code(&output), 1);
    assert_eq!(records(&output)[0]["result"], "no-win");
}

#[test]
fn a_stream_keeps_bad_lines_in_their_place() {
    let mut child = command(shared(), &["probe", "-", "--json"]).spawn().unwrap();
    let input = format!("{WON}\nnonsense\n{NOT_WON}\n{WITHOUT_TABLE}\n{WON}\n");
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 2);
    let all = records(&output);
    let results: Vec<&Value> = all.iter().map(|record| &record["result"]).collect();
    assert_eq!(
        results,
        ["win".into(), Value::Null, "no-win".into(), Value::Null, "win".into()]
            .iter()
            .collect::<Vec<_>>()
    );
    let numbers: Vec<u64> = all.iter().map(|r| r["line_number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
    assert!(all[1]["error"].as_str().unwrap().contains("nonsense"), "{}", all[1]);
    assert!(all[3]["error"].as_str().unwrap().contains("no table for BBRuuu:1"), "{}", all[3]);
    assert!(text(&output.stderr).contains("line 2"), "{}", text(&output.stderr));
}

#[test]
fn a_position_without_a_table_says_what_to_build() {
    let output = tablebase(shared(), &["probe", WITHOUT_TABLE]);
    assert_eq!((code(&output), text(&output.stdout)), (2, String::new()));
    let stderr = text(&output.stderr);
    assert!(stderr.contains(WITHOUT_TABLE), "{stderr}");
    assert!(stderr.contains("`spuk tablebase build --class BBRuuu:1`"), "{stderr}");
}

#[test]
fn an_environment_variable_names_the_folder_of_the_tables() {
    let spuk = |tables: &Path, arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_spuk"));
        command.args(arguments).env("SPUK_TABLES", tables).output().unwrap()
    };
    let probe = ["tablebase", "probe", WON, "--json"];
    assert_eq!(records(&spuk(shared(), &probe))[0]["m_win"], 5);
    let empty = Folder::new();
    assert_eq!(code(&spuk(&empty.0, &probe)), 2);
    // The flag comes first.
    let flag = ["--tables", shared().to_str().unwrap()];
    assert_eq!(records(&spuk(&empty.0, &[probe.as_slice(), &flag].concat()))[0]["m_win"], 5);
    // Builds go there too.
    let built = spuk(&empty.0, &["tablebase", "build", "--class", "BRu:0", "--json"]);
    assert_eq!(code(&built), 0, "{}", text(&built.stderr));
    assert_eq!(empty.names(""), ["BRu-0.table"]);
}

fn bench_probe(tables: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_spuk"));
    command.args(["bench", "probe", "--tables"]).arg(tables).args(arguments).output().unwrap()
}

#[test]
fn probes_are_measured_warm_and_cold() {
    let output = bench_probe(shared(), &["--json", "--probes", "20"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let record = &records(&output)[0];
    let tables = closure(&Class::all_with(4)).len();
    assert_eq!((&record["v"], &record["tables"]), (&1.into(), &tables.into()));
    assert_eq!(record["probes"], 20);
    assert!(
        record["bytes"].as_u64() > Some(0) && record["warm_ns"].as_f64() > Some(0.0),
        "{record}"
    );
    let measured = if cfg!(target_os = "linux") {
        vec!["decoded", "cold", "bare_read"]
    } else {
        vec!["decoded"]
    };
    for kind in measured {
        let times =
            ["median_us", "p90_us", "p99_us"].map(|name| record[kind][name].as_f64().unwrap());
        assert!(times[0] > 0.0 && times.is_sorted(), "{kind}: {record}");
    }
    // There are not more probes than blocks, and people get words.
    let stdout = text(&bench_probe(shared(), &[]).stdout);
    assert!(
        stdout.contains("each in another block\nwarm ") && stdout.contains("\nbare read "),
        "{stdout}"
    );
    let empty = Folder::new();
    let output = bench_probe(&empty.0, &[]);
    assert_eq!((code(&output), text(&output.stdout)), (2, String::new()));
    assert!(text(&output.stderr).contains("spuk tablebase build"), "{}", text(&output.stderr));
}

fn start_build(folder: &Folder, arguments: &[&str]) -> Child {
    let mut command = command(&folder.0, arguments);
    command.stdout(Stdio::null()).spawn().unwrap()
}

/// Some number from `from` to `to`, another one each time.
fn some(from: u64, to: u64) -> u64 {
    use std::hash::{BuildHasher, RandomState};
    from + RandomState::new().hash_one(from) % (to - from)
}

fn verify_all(folder: &Folder) {
    if !folder.names(".table").is_empty() {
        let output = tablebase(&folder.0, &["verify"]);
        assert_eq!(code(&output), 0, "{}{}", text(&output.stdout), text(&output.stderr));
    }
}

#[test]
fn a_killed_build_leaves_no_damage_and_resumes() {
    let folder = Folder::new();
    for _ in 0..4 {
        let mut child = start_build(&folder, &["build", "--pieces", "5", "--threads", "1"]);
        sleep(Duration::from_millis(some(100, 900)));
        child.kill().unwrap(); // SIGKILL
        child.wait().unwrap();
        verify_all(&folder);
    }
    let wanted = closure(&[class("BBRuu:1")]);
    // A fast machine may have come that far.
    let _ = fs::remove_file(path(&folder.0, "BBRuu:1"));
    let there = |class: &String| path(&folder.0, class).exists();
    let missing: Vec<String> = wanted.iter().filter(|class| !there(class)).cloned().collect();
    // As if one had been killed while it wrote.
    fs::write(folder.0.join("BBRuu-1.table.4711-0.part"), b"half").unwrap();
    let output = tablebase(&folder.0, &["build", "--class", "BBRuu:1", "--json"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert_eq!(classes(&records(&output)), missing);
    assert!(wanted.iter().all(there));
    assert_eq!(folder.names(".part"), [""; 0], "leftovers of killed builds");
    verify_all(&folder);
    // What was built before and after a kill is what an undisturbed build has.
    let ours = fs::read(path(&folder.0, "BRuu:1")).unwrap();
    assert!(ours == fs::read(path(shared(), "BRuu:1")).unwrap());
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_build_and_says_how_to_resume() {
    let folder = Folder::new();
    let child = command(&folder.0, &["build", "--pieces", "6", "--threads", "1", "--json"])
        .spawn()
        .unwrap();
    let first = path(&folder.0, "BRu:0");
    let start = Instant::now();
    while !first.exists() && start.elapsed() < Duration::from_secs(10) {
        sleep(Duration::from_millis(5));
    }
    sleep(Duration::from_millis(some(1, 300)));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    let stderr = text(&output.stderr);
    assert_eq!(code(&output), 3, "{stderr}");
    assert!(stderr.contains("interrupted; the same command goes on where it stopped"), "{stderr}");
    // Every reported table exists, and no other file.
    let reported = classes(&records(&output));
    let store = Store::new(&folder.0);
    let built: Vec<String> = store.classes().iter().map(Class::to_string).collect();
    assert_eq!((reported, folder.names("").len()), (built.clone(), built.len()));
    verify_all(&folder);
}

/// The first position of a table that cannot be answered.
fn unreadable(folder: &Path, class: Class) -> String {
    let table = Store::new(folder).open(class).unwrap();
    let index = table.index();
    let bad = (0..index.size()).step_by(64).find(|&rank| table.file().get(rank).is_err());
    index.position(bad.expect("a damaged entry")).to_string()
}

#[test]
fn damaged_tables_are_refused_by_name_and_built_again() {
    let folder = folder_with_tables();
    let path = path(&folder.0, "BRuu:1");
    let good = fs::read(&path).unwrap();
    let truncated = good[..good.len() - 1].to_vec();
    let flipped_at = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        bytes
    };
    let foreign = b"GIF89a, and not a table of endings at all".repeat(100);
    let other_class = fs::read(self::path(&folder.0, "BRbu:1")).unwrap();
    let cases = [
        ("truncated", truncated, "cut off"),
        ("empty", Vec::new(), "cut off"),
        ("a bit of a block", flipped_at(good.len() / 2), "was altered"),
        ("a bit of the head", flipped_at(70), "its head was altered"),
        ("foreign", foreign, "does not begin as a table does"),
        ("another class", other_class, "it holds the class BRbu:1"),
    ];
    for (what, bytes, reason) in cases {
        fs::write(&path, bytes).unwrap();
        let refused = |stderr: &str| {
            for part in ["BRuu-1.table", reason, "`spuk tablebase build --class BRuu:1`"] {
                assert!(stderr.contains(part), "{what}: {part} is missing in {stderr}");
            }
        };
        let output = tablebase(&folder.0, &["verify", "--json"]);
        assert_eq!(code(&output), 1, "{what}");
        for record in records(&output) {
            assert_eq!(record["ok"], record["class"] != "BRuu:1", "{what}: {record}");
            if record["ok"] == false {
                refused(record["error"].as_str().unwrap());
            }
        }
        let position = match what {
            "a bit of a block" => unreadable(&folder.0, class("BRuu:1")),
            _ => WON.into(),
        };
        let output = tablebase(&folder.0, &["probe", &position]);
        assert_eq!((code(&output), text(&output.stdout)), (2, String::new()), "{what}");
        refused(&text(&output.stderr));
        let output = tablebase(&folder.0, &BUILD_4);
        assert_eq!(code(&output), 0, "{what}: {}", text(&output.stderr));
        assert_eq!(classes(&records(&output)), ["BRuu:1"], "{what}");
        assert!(fs::read(&path).unwrap() == good, "{what}");
    }
    verify_all(&folder);
}
