//! Every experiment, small, from end to end.

#![allow(clippy::unwrap_used)]

use lab::{Cell, Experiment, LabError, Report, Run};
use std::sync::atomic::AtomicBool;

static GO_ON: AtomicBool = AtomicBool::new(false);

/// Puzzles in the format of the published collection: two right ones, and one each whose length,
/// red-wall label and capture-win label are wrong. The length is a published error.
const COLLECTION: &str = "\
notrv,1111,wall,---,05,..........u.B.................Ru....\r
notrv,1111,----,---,05,..........u.B.................Ru....\r
prtrv,2121,----,---,09,....Bb.........uB....u.............R\r
notrv,1111,wall,---,03,......B.............u.........R..u..\r
\r
";

fn tiny(experiment: Experiment) -> Report {
    let run = Run { trials: Some(1), ..Run::small(&GO_ON) };
    let run = match experiment {
        Experiment::P1Pruning => Run { depth: Some(5), ..run },
        Experiment::P3Random => Run { trials: Some(60), ..run },
        Experiment::P3Reverse => Run { trials: Some(500), ..run },
        Experiment::P4Twenty48 => Run { depth: Some(3), ..run },
        Experiment::P2Darkboard => Run { depth: Some(1), ..run },
        Experiment::P4GeisterFeel => Run { trials: Some(4), ..run },
        Experiment::Collection => Run { trials: None, input: Some(COLLECTION), ..run },
        _ => run,
    };
    experiment.run(&run).unwrap()
}

fn on(threads: usize, experiment: Experiment) -> Report {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| tiny(experiment))
}

#[test]
fn every_experiment_gives_tables_and_figures() {
    for &experiment in Experiment::ALL {
        let report = tiny(experiment);
        assert_eq!(report.experiment, experiment);
        assert!(!report.settings.is_empty() && !report.tables.is_empty(), "{experiment}");
        for table in &report.tables {
            assert!(!table.rows.is_empty(), "{experiment} {}", table.name);
            assert!(table.rows.iter().all(|row| row.len() == table.columns.len()));
            assert_eq!(table.csv().lines().count(), table.rows.len() + 1);
        }
        assert!(report.figures.iter().all(|figure| figure.svg.contains("</svg>")), "{experiment}");
        let names = report.tables.iter().map(|table| table.name);
        let mut names: Vec<&str> = names.collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), report.tables.len(), "files of {experiment} overwrite each other");
    }
}

#[test]
fn figures_do_not_depend_on_threads() {
    for experiment in [
        Experiment::P1Random,
        Experiment::P3Reverse,
        Experiment::P4Twenty48,
        Experiment::P4GeisterFeel,
        Experiment::Collection,
    ] {
        assert_eq!(on(1, experiment), on(2, experiment), "{experiment}");
    }
}

#[test]
fn another_seed_gives_another_sample() {
    let run = Run { trials: Some(60), ..Run::small(&GO_ON) };
    let table = |seed| Experiment::P3Random.run(&Run { seed, ..run }).unwrap().tables.remove(1);
    assert_eq!(table(1), table(1));
    assert_ne!(table(1), table(2));
}

#[test]
fn the_bounds_save_what_they_should() {
    let table = tiny(Experiment::P1Pruning).tables.remove(0);
    let saved = table.columns.iter().position(|name| *name == "saved %").unwrap();
    for row in table.rows.iter().filter(|row| row[2] == Cell::from("nodes")) {
        let Cell::Number(saved, _) = row[saved] else { panic!("{row:?}") };
        assert!((50.0..100.0).contains(&saved), "{row:?}");
    }
}

/// M and E_p follow from v in every row of table 6, and p is at most M v, ours as the paper's.
#[test]
fn motion_keeps_its_laws() {
    let run = Run { trials: Some(8), depth: Some(2), ..Run::small(&GO_ON) };
    let table = Experiment::P4Twenty48.run(&run).unwrap().tables.remove(1);
    let first = table.columns.iter().position(|name| *name == "v").unwrap();
    let mut rows = 0;
    for row in &table.rows {
        let numbers: Vec<f64> = row[first..]
            .iter()
            .filter_map(|cell| if let Cell::Number(n, _) = cell { Some(*n) } else { None })
            .collect();
        for motion in numbers.chunks(4) {
            let &[v, mass, p, potential] = motion else { panic!("{row:?}") };
            assert!((mass - (1.0 - v)).abs() < 1e-9, "{row:?}");
            assert!((potential - 2.0 * mass * v * v).abs() < 1.01e-5, "{row:?}");
            assert!(p <= mass * v && p > 0.0, "{row:?}");
            rows += 1;
        }
    }
    assert!(rows > table.rows.len(), "none of ours");
}

#[test]
fn wrong_labels_are_found_with_their_proof() {
    let report = tiny(Experiment::Collection);
    let wrong: Vec<Vec<String>> =
        report.tables[1].rows.iter().map(|row| row.iter().map(Cell::shown).collect()).collect();
    let expected = [
        ["6/4u1/B5/6/6/Ru4 1", "red-wall", "no", "yes", "", ""],
        ["4Bb/6/3uB1/3u2/6/5R 2", "M_win", "9", "3", "9", "e6f6 d3d2 f6-out"],
        ["6/B5/6/2u3/6/R2u2 1", "red-wall", "yes", "no", "", "a5a6 d1c1 a6-out"],
    ];
    assert_eq!(wrong, expected);
    assert!(report.findings[0].starts_with("1 of 4 puzzles"), "{:?}", report.findings);
}

#[test]
fn invalid_input_is_refused_with_its_line() {
    let refused = |input: Option<&str>| {
        let run = Run { input, ..Run::small(&GO_ON) };
        match Experiment::Collection.run(&run) {
            Err(LabError::Input(reason)) => reason,
            other => panic!("{other:?}"),
        }
    };
    assert!(refused(None).contains("--file"));
    assert!(refused(Some("\n\n")).contains("empty"));
    let good = COLLECTION.lines().next().unwrap();
    for bad in ["x", "a,b,c,d,e,f", "notrv,1111,wall,---,05,short", "notrv,1111,wall,---,x,B.", "é"]
    {
        let reason = refused(Some(&format!("{good}\n{bad}\n")));
        assert!(reason.starts_with("line 2 "), "{bad}: {reason}");
    }
}

#[test]
fn a_raised_flag_ends_every_experiment() {
    let stop = AtomicBool::new(true);
    for &experiment in Experiment::ALL {
        let run = Run { full: true, input: Some(COLLECTION), ..Run::small(&stop) };
        assert_eq!(experiment.run(&run), Err(LabError::Stopped), "{experiment}");
    }
}

#[test]
fn names_are_read_back() {
    for &experiment in Experiment::ALL {
        assert_eq!(experiment.name().parse(), Ok(experiment));
        assert!(!experiment.about().is_empty() && !experiment.trial().is_empty());
    }
    let refused = "p9".parse::<Experiment>().unwrap_err().to_string();
    assert!(refused.contains("p1-random") && refused.contains("collection"));
}

/// The columns of a table by name.
fn column(table: &lab::ResultTable, name: &str) -> usize {
    table.columns.iter().position(|column| *column == name).unwrap()
}

/// Proofs are right, whoever gives them; what is not decided is accounted for; and everything but
/// the time is the same every time.
#[test]
fn the_solvers_of_p4_prove_nothing_wrong() {
    let (table, again) =
        [(); 2].map(|()| tiny(Experiment::P4GeisterSolvers).tables.remove(0)).into();
    let count = |row: &[Cell], name: &str| match row[column(&table, name)] {
        Cell::Count(count) => count,
        ref other => panic!("{name}: {other:?}"),
    };
    for (row, same) in table.rows.iter().zip(&again.rows) {
        let asked = ["right", "wrong", "out"].map(|name| count(row, name)).iter().sum::<u64>();
        assert_eq!(asked, count(row, "asked"));
        let may_believe = row[0].shown().contains("pr ");
        assert!(may_believe || count(row, "wrong") + count(row, "believed right") == 0, "{row:?}");
        let ms = column(&table, "ms");
        assert_eq!(row[..ms], same[..ms]);
    }
    let proved = |solver: &str, answer: bool| {
        let named = [Cell::from(solver), Cell::from(answer)];
        let row = table.rows.iter().find(|row| row[..2] == named).unwrap();
        count(row, "proved")
    };
    for answer in [true, false] {
        assert!(proved("solver", answer) >= proved("df-pn", answer));
        assert!(proved("df-pn", answer) > 0);
    }
}

/// The length cannot tell puzzles of equal length apart, nor ghosts those with equally many.
#[test]
fn the_length_separates_nothing_among_puzzles_of_equal_length() {
    let table = tiny(Experiment::P4GeisterFeel).tables.remove(0);
    let value = |row: &[Cell], name: &str| match row[column(&table, name)] {
        Cell::Number(value, _) => value,
        ref other => panic!("{name}: {other:?}"),
    };
    let of = |name: &str| table.rows.iter().find(|row| row[1] == Cell::from(name)).unwrap();
    assert_eq!(value(of("plies"), "area"), 0.5);
    assert_eq!(value(of("plies"), "delta"), 0.0);
    // 1 - 6 * 12 / (8 * 63): by hand from P1's table B.3.
    assert!((value(of("plies"), "rho interest") - (1.0 - 72.0 / 504.0)).abs() < 1e-12);
    for row in &table.rows {
        let [from, area, to] = ["from", "area", "to"].map(|name| value(row, name));
        assert!(from <= area && area <= to, "{row:?}");
    }
}
