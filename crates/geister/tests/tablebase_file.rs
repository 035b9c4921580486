//! The file of a table: what goes in comes out, and what was damaged is refused, never trusted.

#![allow(clippy::unwrap_used)] // the helpers of tests are no tests to clippy

use geister::tablebase::file::{
    FileError, MAX_MOVES_TO_WIN, Reason, TableFile, Written, remove_leftovers, write, write_unless,
};
use proptest::prelude::*;
use proptest::test_runner::TestRng;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

const CLASS: &str = "BRuu:1";

/// A folder of its own for a test, gone with it.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let name = format!("spuk-table-{}-{}", std::process::id(), NUMBER.fetch_add(1, Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).unwrap();
        Folder(path)
    }

    fn table(&self) -> PathBuf {
        self.0.join("BRuu-1.spuktb")
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Random numbers that are the same in every run.
fn random() -> TestRng {
    TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha)
}

/// Values as tables have them: runs, mostly of zeros and short wins.
fn values_like_a_table(entries: usize, greatest: u8, rng: &mut impl RngCore) -> Vec<u8> {
    let mut values = Vec::with_capacity(entries);
    while values.len() < entries {
        let random = rng.next_u32();
        let value = (random & 0xff).min((random >> 8) & 0xff) as u8 % (greatest + 1);
        let value = if random >> 31 == 0 { 0 } else { value };
        let run = 1 << ((random >> 16) % 7);
        values.extend(std::iter::repeat_n(value, run.min(entries - values.len())));
    }
    values
}

fn counts(values: &[u8]) -> Vec<u64> {
    let length = values.iter().max().map_or(0, |&greatest| usize::from(greatest) + 1);
    let mut counts = vec![0; length];
    values.iter().for_each(|&value| counts[usize::from(value)] += 1);
    counts
}

fn weighted(values: &[u8]) -> Vec<u64> {
    counts(values).iter().map(|count| 2 * count).collect()
}

fn write_values(path: &Path, values: &[u8]) -> Written {
    write(path, CLASS, values, &weighted(values)).unwrap()
}

fn open(path: &Path, values: &[u8]) -> Result<TableFile, FileError> {
    TableFile::open(path, CLASS, values.len() as u64)
}

fn reason(error: FileError) -> Reason {
    match error {
        FileError::Refused { reason, .. } => reason,
        other => panic!("not a refusal: {other}"),
    }
}

/// The reason for which the file is refused when it is opened.
fn refusal(path: &Path, entries: u64) -> Reason {
    reason(TableFile::open(path, CLASS, entries).unwrap_err())
}

fn check_round_trip(values: &[u8]) {
    let folder = Folder::new();
    let written = write_values(&folder.table(), values);
    assert_eq!(written.bytes, fs::metadata(folder.table()).unwrap().len());
    let table = open(&folder.table(), values).unwrap();
    assert_eq!(table.bytes(), written.bytes);
    assert_eq!(table.header().class, CLASS);
    assert_eq!(table.header().entries, values.len() as u64);
    assert_eq!(table.header().counts, counts(values));
    assert_eq!(table.header().weighted_counts, weighted(values));
    assert_eq!(table.read_all().unwrap(), values);
    table.verify().unwrap();
    for index in (0..values.len()).step_by(97).chain(values.len().checked_sub(1)) {
        assert_eq!(table.get(index as u64).unwrap(), values[index]);
    }
    let entries = values.len() as u64;
    for index in [entries, entries + 1, u64::MAX] {
        assert!(matches!(table.get(index), Err(FileError::NoEntry { .. })));
    }
    assert_eq!(folder.names().len(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn written_values_are_read_back(
        entries in 0usize..200_000,
        greatest in 0..=MAX_MOVES_TO_WIN,
        mut rng in any::<u64>().prop_perturb(|_, rng| rng),
    ) {
        check_round_trip(&values_like_a_table(entries, greatest, &mut rng));
    }

    #[test]
    fn random_values_are_read_back(
        values in prop::collection::vec(0..=MAX_MOVES_TO_WIN, 0..20_000)
    ) {
        check_round_trip(&values);
    }
}

#[test]
fn lengths_at_block_boundaries_are_read_back() {
    for entries in [0, 1, 2, 8191, 8192, 8193, 16_383, 16_384, 16_385] {
        check_round_trip(&values_like_a_table(entries, 20, &mut random()));
        check_round_trip(&vec![MAX_MOVES_TO_WIN; entries]);
    }
}

/// More blocks than the cache holds, and several rounds of the writer.
#[test]
fn threads_read_what_was_written() {
    let values = values_like_a_table(5_000_000, 30, &mut random());
    let folder = Folder::new();
    write_values(&folder.table(), &values);
    let table = open(&folder.table(), &values).unwrap();
    std::thread::scope(|scope| {
        for seed in 0..4u64 {
            let (table, values) = (&table, &values);
            scope.spawn(move || {
                let mut state = seed + 1;
                for step in 0..30_000 {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let far = (state >> 33) as usize % values.len();
                    let index = if step % 4 == 0 { far } else { far % 100_000 };
                    assert_eq!(table.get(index as u64).unwrap(), values[index]);
                }
            });
        }
    });
    table.verify().unwrap();
}

#[test]
fn values_like_those_of_tables_take_less_than_half_a_byte() {
    let values = values_like_a_table(1_000_000, 20, &mut random());
    let folder = Folder::new();
    assert!(write_values(&folder.table(), &values).bytes < 500_000);
}

#[test]
fn a_file_cut_off_anywhere_is_refused() {
    let values = values_like_a_table(40_000, 20, &mut random());
    let folder = Folder::new();
    write_values(&folder.table(), &values);
    let whole = fs::read(folder.table()).unwrap();
    let lengths = (0..500).chain((500..whole.len()).step_by(61)).chain([whole.len() - 1]);
    for length in lengths {
        fs::write(folder.table(), &whole[..length]).unwrap();
        let reason = refusal(&folder.table(), 40_000);
        assert!(matches!(reason, Reason::Truncated { .. }), "{length}: {reason:?}");
    }
    fs::write(folder.table(), [&whole[..], &[0]].concat()).unwrap();
    assert!(matches!(refusal(&folder.table(), 40_000), Reason::Overlong { .. }));
}

/// Refused when it is opened; or whatever `get` gives is right, and `verify` refuses.
fn check_damaged(path: &Path, values: &[u8], what: &str) {
    let Ok(table) = open(path, values) else { return };
    let mut refused = 0;
    for index in (0..values.len()).step_by(1021) {
        match table.get(index as u64) {
            Ok(value) => assert_eq!(value, values[index], "{what}, entry {index}"),
            Err(error) => {
                assert!(matches!(reason(error), Reason::Block(_)));
                refused += 1;
            }
        }
    }
    assert!(refused > 0, "{what}");
    assert!(matches!(reason(table.verify().unwrap_err()), Reason::Block(_)), "{what}");
    assert!(matches!(reason(table.read_all().unwrap_err()), Reason::Block(_)), "{what}");
}

#[test]
fn a_flipped_bit_anywhere_is_detected() {
    let values = values_like_a_table(20_000, 20, &mut random());
    let folder = Folder::new();
    write_values(&folder.table(), &values);
    let whole = fs::read(folder.table()).unwrap();
    let head = 64 + 16 * counts(&values).len() + 8 * 3 + 4;
    for byte in (0..head).chain((head..whole.len()).step_by(7)) {
        for bit in if byte < head { 0..8 } else { byte % 8..byte % 8 + 1 } {
            let mut damaged = whole.clone();
            damaged[byte] ^= 1 << bit;
            fs::write(folder.table(), &damaged).unwrap();
            let opened = open(&folder.table(), &values);
            assert_eq!(opened.is_err(), byte < head, "byte {byte}, bit {bit}");
            check_damaged(&folder.table(), &values, &format!("byte {byte}, bit {bit}"));
        }
    }
}

#[test]
fn swapped_blocks_are_detected() {
    let values: Vec<u8> = [[1; 8192], [2; 8192]].concat();
    let folder = Folder::new();
    write_values(&folder.table(), &values);
    let mut file = fs::read(folder.table()).unwrap();
    let blocks = 64 + 16 * 3 + 8 * 2 + 4;
    let half = (file.len() - blocks) / 2;
    file[blocks..].rotate_left(half);
    fs::write(folder.table(), &file).unwrap();
    check_damaged(&folder.table(), &values, "changed places");
}

/// Puts a right checksum to a forged head.
fn sign(file: &mut [u8], head: usize) {
    let checksum = crc32fast::hash(&file[..head - 4]);
    file[head - 4..head].copy_from_slice(&checksum.to_le_bytes());
}

#[test]
fn forged_numbers_under_a_right_checksum_do_no_harm() {
    let values = values_like_a_table(20_000, 20, &mut random());
    let folder = Folder::new();
    write_values(&folder.table(), &values);
    let whole = fs::read(folder.table()).unwrap();
    let head = 64 + 16 * counts(&values).len() + 8 * 3 + 4;
    for at in (8..head - 4).step_by(4) {
        for forged in [0, 1, 3, 0x7fff_ffff, 0x8000_0000, u32::MAX] {
            let mut file = whole.clone();
            file[at..at + 4].copy_from_slice(&u32::to_le_bytes(forged));
            sign(&mut file, head);
            fs::write(folder.table(), &file).unwrap();
            for entries in [20_000, u64::MAX] {
                if let Ok(table) = TableFile::open(&folder.table(), CLASS, entries) {
                    for index in [0, 19_999] {
                        let _ = table.get(index);
                    }
                    let _ = (table.verify(), table.read_all());
                }
            }
        }
    }
}

#[test]
fn a_forged_frame_under_right_checksums_is_refused() {
    let folder = Folder::new();
    let head = 64 + 16 + 8 + 4;
    for (content, what) in [(vec![0; 99], "short"), (vec![0; 101], "long"), (vec![9; 100], "alien")]
    {
        write(&folder.table(), CLASS, &[0; 100], &[200]).unwrap();
        let mut file = fs::read(folder.table()).unwrap();
        let frame = zstd::bulk::compress(&content, 3).unwrap();
        file.truncate(head);
        file[80..84].copy_from_slice(&(frame.len() as u32).to_le_bytes());
        file[84..88].copy_from_slice(&crc32fast::hash(&frame).to_le_bytes());
        sign(&mut file, head);
        file.extend(frame);
        fs::write(folder.table(), &file).unwrap();
        let table = TableFile::open(&folder.table(), CLASS, 100).unwrap();
        assert_eq!(reason(table.get(0).unwrap_err()), Reason::Block(0), "{what}");
        assert_eq!(reason(table.verify().unwrap_err()), Reason::Block(0), "{what}");
    }
}

#[test]
fn wrong_counts_are_detected() {
    let folder = Folder::new();
    write_values(&folder.table(), &[0, 0, 1, 1, 1]);
    let mut file = fs::read(folder.table()).unwrap();
    (file[64], file[72]) = (3, 2);
    sign(&mut file, 64 + 32 + 8 + 4);
    fs::write(folder.table(), &file).unwrap();
    let table = TableFile::open(&folder.table(), CLASS, 5).unwrap();
    assert_eq!(reason(table.verify().unwrap_err()), Reason::Counts);
}

#[test]
fn foreign_files_are_refused_by_name_with_the_reason() {
    let folder = Folder::new();
    write_values(&folder.table(), &[0, 1, 2]);
    let whole = fs::read(folder.table()).unwrap();
    let altered = |at: usize, byte: u8| {
        let mut file = whole.clone();
        file[at] = byte;
        file
    };
    let cases: [(Vec<u8>, &str); 6] = [
        (b"".to_vec(), "it is cut off, with 0 bytes of 68 or more"),
        (b"1 2 3\n".to_vec(), "it does not begin as a table does"),
        (
            "a text that is longer than a head ".repeat(99).into(),
            "it does not begin as a table does",
        ),
        (altered(0, b'S'), "it does not begin as a table does"),
        (altered(8, 2), "it has version 2 of the layout and this program reads version 1"),
        (altered(24, b'C'), "its head was altered"),
    ];
    for (content, why) in cases {
        fs::write(folder.table(), content).unwrap();
        let error = TableFile::open(&folder.table(), CLASS, 3).unwrap_err();
        let path = folder.table();
        let path = path.display();
        let next = "build it again with `spuk tablebase build --class BRuu:1`";
        assert_eq!(error.to_string(), format!("{path}: refused, {why}; {next}"));
    }
}

#[test]
fn another_table_is_refused() {
    let folder = Folder::new();
    write_values(&folder.table(), &[0, 1, 2]);
    assert_eq!(refusal(&folder.table(), 4), Reason::Entries { found: 3, wanted: 4 });
    let error = TableFile::open(&folder.table(), "BRbr:1", 3).unwrap_err();
    assert_eq!(reason(error), Reason::Class(CLASS.into()));
    assert_eq!(refusal(&folder.0, 3), Reason::NotAFile);
}

#[test]
fn a_missing_file_is_distinguished_from_a_damaged_one() {
    let folder = Folder::new();
    let error = TableFile::open(&folder.table(), CLASS, 3).unwrap_err();
    assert!(matches!(error, FileError::Missing { .. }));
    assert!(error.to_string().ends_with("build it with `spuk tablebase build --class BRuu:1`"));
}

#[test]
fn values_that_cannot_be_stored_are_refused_without_leftovers() {
    let folder = Folder::new();
    let path = folder.table();
    for class in ["", "B R", "Bü", "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"] {
        assert!(matches!(write(&path, class, &[0], &[1]), Err(FileError::Class { .. })));
    }
    assert!(matches!(write(&path, CLASS, &[121], &[]), Err(FileError::Value { value: 121, .. })));
    assert!(matches!(write(&path, CLASS, &[0], &[1; 122]), Err(FileError::Value { .. })));
    let nowhere = folder.0.join("nowhere").join("table");
    assert!(matches!(write(&nowhere, CLASS, &[0], &[1]), Err(FileError::Write { .. })));
    fs::create_dir(&path).unwrap();
    fs::write(path.join("file"), "").unwrap();
    assert!(matches!(write(&path, CLASS, &[0], &[1]), Err(FileError::Write { .. })));
    assert_eq!(folder.names(), ["BRuu-1.spuktb"]);
}

/// As a killed writer would leave it.
#[test]
fn a_raised_flag_stops_reading_and_writing_and_leaves_what_was_there() {
    let folder = Folder::new();
    let (path, raised) = (folder.table(), AtomicBool::new(true));
    let values = vec![1; 100_000];
    let write = || write_unless(&raised, &path, CLASS, &values, &weighted(&values));
    assert!(matches!(write(), Err(FileError::Interrupted { .. })));
    assert_eq!(folder.names(), [""; 0]);
    let old = vec![2; 10_000];
    write_values(&path, &old);
    assert!(matches!(write(), Err(FileError::Interrupted { .. })));
    let table = open(&path, &old).unwrap();
    let error = table.read_all_unless(&raised).unwrap_err();
    assert!(matches!(&error, FileError::Interrupted { path: p } if *p == path), "{error}");
    assert_eq!(table.read_all().unwrap(), old);
    assert_eq!(folder.names().len(), 1);
}

#[test]
fn leftovers_are_harmless_and_can_be_removed() {
    let folder = Folder::new();
    let process = std::process::id();
    for number in 0..100 {
        fs::write(folder.0.join(format!("BRuu-1.spuktb.{process}-{number}.part")), "half").unwrap();
    }
    for name in ["notes.part", "BRuu-1.spuktb.1-x.part", "other.txt"] {
        fs::write(folder.0.join(name), "mine").unwrap();
    }
    write_values(&folder.table(), &[0, 1, 2]);
    assert_eq!(open(&folder.table(), &[0, 1, 2]).unwrap().read_all().unwrap(), [0, 1, 2]);
    assert_eq!(folder.names().len(), 104);
    assert_eq!(remove_leftovers(&folder.0).unwrap(), 100);
    assert_eq!(folder.names().len(), 4);
    open(&folder.table(), &[0, 1, 2]).unwrap().verify().unwrap();
}

#[cfg(unix)]
#[test]
fn an_open_table_keeps_its_contents_when_it_is_replaced() {
    let old = values_like_a_table(100_000, 9, &mut random());
    let new: Vec<u8> = old.iter().map(|value| value + 1).collect();
    let folder = Folder::new();
    write_values(&folder.table(), &old);
    let reader = open(&folder.table(), &old).unwrap();
    assert_eq!(reader.get(0).unwrap(), old[0]);
    write_values(&folder.table(), &new);
    assert_eq!(reader.read_all().unwrap(), old);
    reader.verify().unwrap();
    assert_eq!(open(&folder.table(), &new).unwrap().read_all().unwrap(), new);
}

/// Whoever opens the table while it is written again and again finds a whole one.
#[cfg(unix)]
#[test]
fn a_complete_table_exists_at_any_moment() {
    let tables = [vec![1; 50_000], vec![2; 50_000]];
    let folder = Folder::new();
    write_values(&folder.table(), &tables[0]);
    std::thread::scope(|scope| {
        let writers: Vec<_> = tables
            .iter()
            .map(|values| {
                scope.spawn(|| (0..20).for_each(|_| _ = write_values(&folder.table(), values)))
            })
            .collect();
        while !writers.iter().all(std::thread::ScopedJoinHandle::is_finished) {
            let found = open(&folder.table(), &tables[0]).unwrap().read_all().unwrap();
            assert!(tables.contains(&found));
        }
    });
}
