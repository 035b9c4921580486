//! Questions to a table of 5 ghosts that is built at the start: `cargo bench -p geister --bench
//! probe`.
//!
//! `warm` asks for one block again and again, `random` for entries all over the table, of whose 460
//! blocks 256 are kept decoded, and `cold` for block after block, so that each has to be decoded.
//! The pages of the file are in memory: what a disk takes comes on top.

use divan::{Bencher, black_box};
use games::geister::Position;
use geister::tablebase::{Class, Store, Tablebase, build};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::{env, fs, process};

const CLASS: &str = "BRuuu:1";

/// Entries in a block.
const BLOCK: u64 = 8192;

fn main() {
    divan::main();
}

/// The table and those that it needs. Their folder goes as soon as they are open.
fn tables() -> &'static Tablebase {
    static TABLES: OnceLock<Tablebase> = OnceLock::new();
    TABLES.get_or_init(|| {
        let folder = env::temp_dir().join(format!("spuk-bench-probe-{}", process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let store = Store::new(&folder);
        for class in Class::closure(&[class()]) {
            build(&store, class, u64::MAX, &AtomicBool::new(false), &mut ()).expect("a table");
        }
        let tables = store.open_all().expect("the tables");
        // Open tables outlive their names, except on Windows, where the folder stays.
        let _ = fs::remove_dir_all(&folder);
        tables
    })
}

fn class() -> Class {
    CLASS.parse().expect("a class")
}

/// Positions at ranks made of their numbers and random ones (splitmix64, so that every run asks the
/// same).
fn positions(number: u64, rank: impl Fn(u64, u64) -> u64) -> Vec<Position> {
    let index = tables().get(class()).expect("its table").index();
    let random = |n: u64| {
        let n = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let n = (n ^ n >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let n = (n ^ n >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        n ^ n >> 31
    };
    (1..=number).map(|n| index.position(rank(n, random(n)) % index.size())).collect()
}

/// Asks for one position after another, again from the first after the last.
fn bench(bencher: Bencher<'_, '_>, positions: &[Position]) {
    let (tables, mut all) = (tables(), positions.iter().cycle());
    bencher.bench_local(|| {
        let position = all.next().expect("there are positions");
        tables.probe(black_box(position)).expect("an answer")
    });
}

/// In one block.
#[divan::bench(sample_size = 1000)]
fn warm(bencher: Bencher<'_, '_>) {
    bench(bencher, &positions(BLOCK, |_, random| (BLOCK << 7) + random % BLOCK));
}

/// All over the table.
#[divan::bench(sample_size = 1000)]
fn random(bencher: Bencher<'_, '_>) {
    bench(bencher, &positions(1 << 17, |_, random| random));
}

/// Each in the block after the last one, which was used longest ago.
#[divan::bench(sample_size = 1000)]
fn cold(bencher: Bencher<'_, '_>) {
    bench(bencher, &positions(1 << 17, |number, random| number * BLOCK + random % BLOCK));
}

/// Every move of positions all over the table, which means all replies to each.
#[divan::bench(sample_size = 10)]
fn every_move(bencher: Bencher<'_, '_>) {
    let (tables, positions) = (tables(), positions(1 << 12, |_, random| random));
    let mut all = positions.iter().cycle();
    bencher.bench_local(|| {
        let position = all.next().expect("there are positions");
        tables.probe_moves(black_box(position)).expect("an answer")
    });
}
