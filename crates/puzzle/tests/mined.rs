//! Puzzles from tables that are built for real, against a list of all entries.

#![allow(clippy::unwrap_used)] // the helpers of tests are no tests to clippy

use games::geister::Position;
use geister::tablebase::file::FileError;
use geister::tablebase::{Class, Store, Tablebase, build};
use puzzle::compose::mined::{MinedWins, MiningError, Order};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

fn class(text: &str) -> Class {
    text.parse().unwrap()
}

/// Tables of some classes and all that captures lead to.
fn tables() -> &'static Tablebase {
    static TABLES: OnceLock<Tablebase> = OnceLock::new();
    TABLES.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mined");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let store = Store::new(folder);
        for class in Class::closure(&["BRuu:1", "BRbr:1", "BRbu:1", "BRru:1"].map(class)) {
            build(&store, class, 1 << 30, &AtomicBool::new(false), &mut ()).unwrap();
        }
        store.open_all().unwrap()
    })
}

/// Every puzzle of the classes with a length of these, entry by entry.
fn listed(classes: &[&str], lengths: std::ops::RangeInclusive<u32>) -> BTreeMap<Position, u32> {
    let mut listed = BTreeMap::new();
    for &text in classes {
        let table = tables().get(class(text)).unwrap();
        for rank in 0..table.index().size() {
            let position = table.index().position(rank);
            let plies = tables().probe(&position).unwrap();
            if let Some(plies) = plies.filter(|plies| lengths.contains(plies) && *plies > 1) {
                listed.insert(position, plies);
            }
        }
    }
    listed
}

fn mine(classes: &[&str], lengths: std::ops::RangeInclusive<u32>, order: Order) -> MinedWins {
    let classes: Vec<Class> = classes.iter().map(|text| class(text)).collect();
    MinedWins::new(tables(), &classes, lengths, order).unwrap()
}

#[test]
fn every_puzzle_comes_exactly_once() {
    for (classes, lengths) in [
        (vec!["BRuu:1"], 1..=99),
        (vec!["BRbr:1", "BRuu:1", "BRru:1", "BRuu:1"], 13..=17),
        (vec!["BRbr:1", "BRu:0"], 36..=40),
    ] {
        let puzzles: Vec<&str> = classes.iter().copied().filter(|c| !c.ends_with('0')).collect();
        let expected = listed(&puzzles, lengths.clone());
        for order in [Order::Uniform, Order::LongestFirst] {
            let mine = mine(&classes, lengths.clone(), order);
            assert_eq!(mine.total(), expected.len() as u64);
            let found: Vec<_> = (0..mine.total()).map(|n| mine.position(4, n).unwrap()).collect();
            if order == Order::LongestFirst {
                assert!(found.is_sorted_by_key(|(_, plies)| std::cmp::Reverse(*plies)));
            }
            assert_eq!(found.into_iter().collect::<BTreeMap<_, _>>(), expected);
            assert_eq!(mine.position(4, mine.total()), None);
            assert_eq!(mine.position(4, u64::MAX), None);
        }
    }
}

#[test]
fn blocks_are_the_parts_of_a_table() {
    let file = tables().get(class("BRuu:1")).unwrap().file();
    let all = file.read_all().unwrap();
    let parts = file.summaries(<[u8]>::to_vec).unwrap();
    assert!(parts.len() > 1 && parts.concat() == all);
    for (block, part) in all.chunks(file.block_entries() as usize).enumerate() {
        let mut values = vec![7];
        file.read_block(block, &mut values).unwrap();
        assert_eq!(values, part);
    }
    for beyond in [parts.len(), usize::MAX] {
        let error = file.read_block(beyond, &mut Vec::new()).unwrap_err();
        assert!(matches!(error, FileError::NoEntry { .. }));
    }
}

#[test]
fn mined_positions_are_puzzles() {
    let mine = mine(&["BRuu:1", "BRbr:1"], 3..=19, Order::Uniform);
    for trial in 0..500 {
        let (position, plies) = mine.position(8, trial).unwrap();
        assert_eq!(position.to_string().parse(), Ok(position));
        assert_eq!(tables().probe(&position).unwrap(), Some(plies));
        assert_eq!(mine.position(8, trial), Some((position, plies)));
    }
}

/// Chi-square over the lengths of the first puzzles of many seeds.
#[test]
fn lengths_are_mined_in_proportion() {
    let lengths = 3..=15;
    let mine = mine(&["BRuu:1"], lengths.clone(), Order::Uniform);
    let mut shares = BTreeMap::new();
    listed(&["BRuu:1"], lengths).into_values().for_each(|m| *shares.entry(m).or_insert(0.0) += 1.0);
    let (seeds, mut seen) = (20_000_u64, BTreeMap::new());
    for seed in 0..seeds {
        let (_, plies) = mine.position(seed, seed % 7).unwrap();
        *seen.entry(plies).or_insert(0.0) += 1.0;
    }
    let all: f64 = shares.values().sum();
    let chi: f64 = shares
        .iter()
        .map(|(plies, share)| {
            let expected = seeds as f64 * share / all;
            let times: f64 = seen.get(plies).copied().unwrap_or(0.0);
            (times - expected).powi(2) / expected
        })
        .sum();
    // Six degrees of freedom: beyond 22.5 in one of a thousand.
    assert!(shares.len() == 7 && chi < 22.5, "{chi}");
}

#[test]
fn seeds_make_different_orders() {
    let mine = mine(&["BRuu:1"], 3..=99, Order::LongestFirst);
    let first = |seed| (0..50).map(|trial| mine.position(seed, trial)).collect::<Vec<_>>();
    let orders: BTreeSet<_> = (0..20).map(first).collect();
    assert_eq!(orders.len(), 20);
}

#[test]
fn a_request_without_puzzles_is_reported() {
    let mine = |classes: &[&str], lengths| {
        let classes: Vec<Class> = classes.iter().map(|text| class(text)).collect();
        MinedWins::new(tables(), &classes, lengths, Order::Uniform).map(|mine| mine.total())
    };
    for (classes, lengths, text) in [
        (vec!["BRuu:1"], 41..=45, "no win of 41..45 plies in BRuu:1; the longest is 19"),
        (
            vec!["BRuu:1", "BRbr:1"],
            99..=99,
            "no win of 99 plies in BRbr:1 and 1 more; the longest is 37",
        ),
        (vec!["BRuu:1"], 1..=2, "no win of 1..2 plies in BRuu:1; the shortest is 3"),
        (vec!["BRuu:1"], 4..=4, "no win of 4 plies in BRuu:1; wins take an odd number of plies"),
        (
            vec!["BRu:0"],
            3..=9,
            "no win of 3..9 plies in BRu:0; there is none of another length either",
        ),
    ] {
        let error = mine(&classes, lengths).unwrap_err();
        assert!(matches!(error, MiningError::Nothing { .. }));
        assert_eq!(error.to_string(), text);
    }
    assert!(matches!(mine(&["BBRRuu:1"], 3..=9), Err(MiningError::NoTable(_))));
}
