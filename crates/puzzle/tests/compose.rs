//! Requests: the same puzzles on any number of threads, after any interruption, and a clear no.

#![allow(clippy::unwrap_used)]

mod common;

use geister::tablebase::Tablebase;
use puzzle::collection::{Collection, CollectionError};
use puzzle::compose::{ComposeOutcome, Composer, Criteria, Idle, Request};
use puzzle::record::{SourceKind, id};
use puzzle::{Puzzle, Theme};
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

fn request(count: u64) -> Request {
    let usual = Request::new(SourceKind::Random, "B1..2,R1..2,b1..2,r1..2".parse().unwrap());
    let criteria = Criteria { length: 5..=9, unique_key: true, ..Criteria::default() };
    Request { criteria, count, seed: 42, ..usual }
}

fn composer(request: &Request) -> Composer {
    Composer::new(request.clone(), &Tablebase::default()).expect("a possible request")
}

/// The puzzles of a request, and how it ended.
fn compose(composer: &mut Composer, threads: usize) -> (Vec<Puzzle>, ComposeOutcome) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let mut puzzles = Vec::new();
    let end = pool.install(|| {
        let mut found = |puzzle: &Puzzle| -> Result<(), Infallible> {
            puzzles.push(puzzle.clone());
            Ok(())
        };
        composer.run(&AtomicBool::new(false), &mut found, &mut |_| ())
    });
    (puzzles, end.unwrap())
}

#[test]
fn puzzles_meet_the_request_on_any_number_of_threads() {
    let request = request(25);
    let (alone, end) = compose(&mut composer(&request), 1);
    assert_eq!((alone.len(), end), (25, ComposeOutcome::Done));
    let (together, _) = compose(&mut composer(&request), 3);
    assert_eq!(alone, together);
    let ids: BTreeSet<String> = alone.iter().map(Puzzle::id).collect();
    assert_eq!(ids.len(), 25, "no doubles");
    for puzzle in &alone {
        assert!((5..=9).contains(&puzzle.m_win) && puzzle.quality.keys == 1);
        assert_eq!(puzzle.keys().count(), 1);
        assert_eq!(puzzle.position, puzzle.position.canonical());
        assert_eq!(puzzle.id(), id(&puzzle.position.mirror()));
        assert!(request.material.has_position(&puzzle.position));
        assert_eq!(Puzzle::from_json(&puzzle.to_json()).as_ref(), Ok(puzzle));
    }
    let (other, _) = compose(&mut composer(&Request { seed: 43, ..request }), 1);
    assert_ne!(alone, other);
}

#[test]
fn a_request_resumes_after_its_last_puzzle() {
    let request = request(12);
    let (all, _) = compose(&mut composer(&request), 2);
    for done in [0, 1, 5, 12] {
        let mut again = composer(&request);
        all[..done].iter().for_each(|puzzle| again.resume_after(puzzle).unwrap());
        let (rest, _) = compose(&mut again, 2);
        assert_eq!(rest, all[done..]);
    }
    let mut another = composer(&Request { seed: 1, ..request.clone() });
    assert!(another.resume_after(&all[0]).is_err());
    let mut criteria = request.criteria.clone();
    criteria.idle = Idle::Refused;
    let mut another = composer(&Request { criteria, ..request });
    assert!(another.resume_after(&all[0]).is_err());
}

#[test]
fn a_stop_flag_ends_composing_without_loss() {
    let request = request(12);
    let (all, _) = compose(&mut composer(&request), 2);
    let stop = AtomicBool::new(false);
    let mut interrupted = composer(&request);
    let mut some = Vec::new();
    let end = interrupted.run(
        &stop,
        &mut |puzzle| -> Result<(), Infallible> {
            some.push(puzzle.clone());
            stop.store(some.len() == 3, Relaxed);
            Ok(())
        },
        &mut |_| (),
    );
    assert_eq!(end, Ok(ComposeOutcome::Interrupted));
    assert!((3..12).contains(&some.len()), "{}", some.len());
    assert_eq!(some, all[..some.len()]);
}

#[test]
fn minimal_puzzles_have_no_idle_ghost() {
    let mut request = request(8);
    request.criteria.idle = Idle::Stripped;
    let (puzzles, _) = compose(&mut composer(&request), 2);
    assert!(puzzles.iter().all(|puzzle| puzzle.quality.idle.is_empty()));
    let stripped = |puzzle: &&Puzzle| !request.material.has_position(&puzzle.position);
    // What is left may be less than was placed, but it is still a puzzle of that length.
    assert!(puzzles.iter().filter(stripped).count() < puzzles.len());
}

#[test]
fn impossible_requests_say_so() {
    let refused = |change: &dyn Fn(&mut Request)| {
        let mut request = request(1);
        change(&mut request);
        Composer::new(request, &Tablebase::default()).err().map(|error| error.to_string())
    };
    let even = refused(&|request| request.criteria.length = 8..=8).unwrap();
    assert!(even.contains("7 and 9"), "{even}");
    let capture = |request: &mut Request| {
        request.criteria.themes.insert(Theme::CaptureWin);
    };
    assert!(refused(&capture).unwrap().contains("revealed red"));
    let both = |request: &mut Request| {
        request.criteria.themes.insert(Theme::Solo);
        request.criteria.without.insert(Theme::Solo);
    };
    assert!(refused(&both).unwrap().contains("both wanted and unwanted"));
    let shown = |request: &mut Request| {
        request.material = "BRuu:1".parse().unwrap();
        request.revealed = geister::solver::Revealed::Fully;
    };
    assert!(refused(&shown).unwrap().contains("cannot be fully revealed"));
    assert_eq!(refused(&|_| ()), None);
}

#[test]
fn a_hopeless_request_ends() {
    let mut request = request(3);
    request.material = "BRuu:1".parse().unwrap();
    request.criteria.length = 21..=25; // the longest of this class takes 19
    request.patience = 2000;
    let mut composer = composer(&request);
    let (none, end) = compose(&mut composer, 2);
    assert_eq!((none.len(), end), (0, ComposeOutcome::OutOfPatience));
    let statistics = composer.statistics();
    assert_eq!(statistics.trials, 2000);
    assert!(statistics.to_string().contains("not won in time"), "{statistics}");
    let longest = *statistics.lengths.keys().next_back().expect("shorter wins");
    assert!((5..=19).contains(&longest));
}

struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("spuk-{name}-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn a_collection_survives_a_torn_line_and_refuses_a_bad_one() {
    let (puzzles, _) = compose(&mut composer(&request(3)), 1);
    let file = Scratch::new("collection");
    let mut collection = Collection::open(&file.0, &mut |_| Ok(())).unwrap();
    puzzles.iter().for_each(|puzzle| collection.append(puzzle).unwrap());
    drop(collection);
    let whole = fs::read_to_string(&file.0).unwrap();
    for cut in [1, 2, 40, 300] {
        fs::write(&file.0, &whole[..whole.len() - cut]).unwrap();
        let mut seen = 0;
        let mut collection = Collection::open(&file.0, &mut |_| {
            seen += 1;
            Ok(())
        })
        .unwrap();
        assert_eq!(seen, 2);
        collection.append(&puzzles[2]).unwrap();
        drop(collection);
        assert_eq!(fs::read_to_string(&file.0).unwrap(), whole);
    }
    let bad = whole.replacen("\"v\":1", "\"v\":9", 1);
    fs::write(&file.0, &bad).unwrap();
    let error = Collection::open(&file.0, &mut |_| Ok(())).unwrap_err();
    assert!(matches!(error, CollectionError::Line { number: 1, .. }), "{error}");
    assert_eq!(fs::read_to_string(&file.0).unwrap(), bad, "it is left as it was");
}

#[test]
fn an_inconsistent_record_is_refused() {
    let puzzle = common::verified("2B1u1/6/6/6/4u1/3R2 1");
    let good = puzzle.to_json();
    assert!(Puzzle::from_json(&good).is_ok());
    let spoil = [
        ("\"v\":1", "\"v\":2"),
        ("\"m_win\":5", "\"m_win\":7"),
        ("c6b6", "c6a6"),
        ("2B1u1/6/6/6/4u1/3R2 1", "2B1u1/6/6/6/4u1/2R3 1"),
        ("\"solo\"", "\"opera\""),
        ("\"result\":\"win\"", "\"result\":\"maybe\""),
        ("{", "["),
    ];
    for (from, to) in spoil {
        let bad = good.replacen(from, to, 1);
        assert_ne!(bad, good, "{from} is there");
        assert!(Puzzle::from_json(&bad).is_err(), "{to}");
    }
}
