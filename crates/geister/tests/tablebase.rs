//! Tables that are built for real: against the paper's figures, a naive full sweep, the solver and
//! each other; and what a builder does that may not, or cannot, go on.

#![allow(clippy::unwrap_used)] // the helpers of tests are no tests to clippy

use games::Seat;
use games::geister::Position;
use geister::solver::Solver;
use geister::tablebase::file::{FileError, Reason, write};
use geister::tablebase::{
    BuildError, BuildPhase, Class, Index, ProbeError, Progress, Store, Tablebase, build, estimate,
};
use proptest::prelude::RngCore;
use proptest::test_runner::{RngAlgorithm, TestRng};
use search::{Budget, Limits, Verdict};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

const MEMORY: u64 = 1 << 30;
const FIVE_GHOSTS: [&str; 4] = ["BRuuu:1", "BBRuu:1", "BRRuu:1", "BRruu:1"];

/// A folder of its own, gone with the value.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let name = format!("spuk-built-{}-{}", std::process::id(), NUMBER.fetch_add(1, Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).unwrap();
        Folder(path)
    }

    fn store(&self) -> Store {
        Store::new(&self.0)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// Copies the tables of these classes from those that all tests share.
    fn with_tables(classes: &[Class]) -> Folder {
        let (folder, shared) = (Folder::new(), shared());
        for &class in classes {
            fs::copy(shared.store.path(class), folder.store().path(class)).unwrap();
        }
        folder
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The tables that all tests look at.
struct Shared {
    store: Store,
    classes: Vec<Class>,
    tables: Tablebase,
}

fn class(text: &str) -> Class {
    text.parse().unwrap()
}

fn shared() -> &'static Shared {
    static SHARED: OnceLock<Shared> = OnceLock::new();
    SHARED.get_or_init(|| {
        // One folder for all runs of this program, as nothing runs after the last test.
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tablebase");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let store = Store::new(folder);
        let mut roots = Class::all_with(4);
        roots.extend(FIVE_GHOSTS.map(class));
        let classes = Class::closure(&roots);
        for &class in &classes {
            let built = build_quietly(&store, class).unwrap();
            assert_eq!(built, (class, fs::metadata(store.path(class)).unwrap().len()));
        }
        let tables = store.open_all().unwrap();
        Shared { store, classes, tables }
    })
}

fn build_quietly(store: &Store, class: Class) -> Result<(Class, u64), BuildError> {
    let built = build(store, class, MEMORY, &AtomicBool::new(false), &mut ())?;
    Ok((built.class, built.bytes))
}

/// Random numbers that are the same in every run.
fn random() -> TestRng {
    TestRng::deterministic_rng(RngAlgorithm::ChaCha)
}

/// Random positions of a class, each itself or its mirror image.
fn sample(class: Class, positions: usize) -> Vec<Position> {
    let (index, mut random) = (Index::new(class), random());
    let mut position = || {
        let position = index.position(random.next_u64() % index.size());
        if random.next_u32() & 1 == 0 { position } else { position.mirror() }
    };
    (0..positions).map(|_| position()).collect()
}

fn within(depth: u32) -> Budget<'static> {
    Budget::new(&Limits { depth, ..Limits::default() })
}

#[test]
fn every_wanted_class_and_its_closure_is_there() {
    let Shared { store, classes, tables } = shared();
    assert_eq!(&store.classes(), classes);
    let texts: Vec<String> = classes.iter().map(Class::to_string).collect();
    for text in ["BRu:0", "BRbr:1", "BRbu:1", "BRru:1", "BRuu:1", "BBRuu:1", "BRRuu:1"] {
        assert!(texts.contains(&text.to_owned()), "{text} is not among {texts:?}");
    }
    for &class in classes {
        assert!(class.needs().iter().all(|less| classes.contains(less)), "{class}");
        let table = tables.get(class).unwrap();
        table.file().verify().unwrap();
        let header = table.file().header();
        assert_eq!((&header.class, header.entries), (&class.to_string(), table.index().size()));
        assert_eq!(header.weighted_counts.iter().sum::<u64>(), table.index().positions());
        assert_eq!(estimate(class).positions, table.index().positions());
    }
}

#[test]
fn the_figures_of_the_paper_are_reproduced() {
    for (text, wins, positions, longest) in
        [("BRuu:1", 191_992, 706_860, 19), ("BRbr:1", 783_232, 1_413_720, 37)]
    {
        let counts = &shared().tables.get(class(text)).unwrap().file().header().weighted_counts;
        assert_eq!(counts.iter().sum::<u64>(), positions, "{text}");
        assert_eq!(counts[1..].iter().sum::<u64>(), wins, "{text}");
        assert_eq!(2 * (counts.len() - 1) - 1, longest, "{text}");
        assert!(*counts.last().unwrap() > 0, "{text}");
    }
}

const NEVER: u8 = u8::MAX;

/// Distances in own moves, found by looking at every position of a class again and again.
struct Swept {
    /// Of each class: its index, and where its positions begin.
    classes: HashMap<Class, (Index, usize)>,
    /// The first two stand for a game that is won and one that is not; then class after class.
    values: Vec<u8>,
}

impl Swept {
    fn new() -> Swept {
        Swept { classes: HashMap::new(), values: vec![0, NEVER] }
    }

    /// Adds a class whose smaller classes are there.
    fn sweep(&mut self, class: Class) -> &[u8] {
        let index = Index::new(class);
        let (begin, size) = (self.values.len(), index.size());
        self.values.resize(begin + size as usize, NEVER);
        self.classes.insert(class, (index.clone(), begin));
        // After each own move of each position: where the values of all replies are.
        let (mut replies, mut moves, mut positions) = (Vec::new(), vec![0], vec![0]);
        for rank in 0..size {
            let position = index.position(rank);
            for mv in position.legal_moves() {
                let after = position.play_unchecked(mv);
                match after.outcome() {
                    Some(_) => replies.push(self.place(&after)),
                    None => {
                        let all = after.legal_moves().into_iter();
                        replies.extend(all.map(|mv| self.place(&after.play_unchecked(mv))));
                    }
                }
                moves.push(replies.len());
            }
            positions.push(moves.len() - 1);
        }
        loop {
            // 1 + the least over own moves of the greatest over replies.
            let greatest = |mv: usize| {
                let replies = &replies[moves[mv]..moves[mv + 1]];
                replies.iter().map(|&place| self.values[place as usize]).max().unwrap_or(0)
            };
            let least = |p: &[usize]| (p[0]..p[1]).map(greatest).min().unwrap_or(NEVER);
            let values: Vec<u8> =
                positions.windows(2).map(|position| least(position).saturating_add(1)).collect();
            if self.values[begin..] == values {
                break;
            }
            self.values[begin..].copy_from_slice(&values);
        }
        &self.values[begin..]
    }

    /// Where the value of a position is that is over or has the bottom side to move.
    fn place(&self, position: &Position) -> u32 {
        match position.outcome() {
            Some(outcome) => u32::from(outcome.winner() != Some(Seat::First)),
            None => {
                let (index, begin) = &self.classes[&Class::of(position).unwrap()];
                (begin + index.rank(position) as usize) as u32
            }
        }
    }
}

#[test]
fn a_naive_full_sweep_finds_the_same_tables() {
    let mut swept = Swept::new();
    for class in ["BRu:0", "BRuu:1", "BRbu:1"].map(class) {
        let values = shared().tables.get(class).unwrap().file().read_all().unwrap();
        let naive = swept.sweep(class);
        assert_eq!(values.len(), naive.len(), "{class}");
        for (rank, (&value, &naive)) in values.iter().zip(naive).enumerate() {
            let naive = if naive == NEVER { 0 } else { naive };
            assert_eq!(value, naive, "{}", Index::new(class).position(rank as u64));
        }
    }
}

#[test]
fn the_solver_says_the_same() {
    const SAMPLES: usize = 400;
    const LONG: u32 = 15;
    let mut solver = Solver::new(64 << 20);
    for &class in &shared().classes {
        let mut wins = 0;
        for position in sample(class, SAMPLES) {
            let plies = shared().tables.probe(&position).unwrap();
            let (depth, expected) = match plies {
                Some(plies) if plies <= LONG => (LONG, Verdict::Win(plies)),
                // A longer win is no win within less.
                Some(_) => (LONG, Verdict::NoWin { depth: LONG }),
                None => (11, Verdict::NoWin { depth: 11 }),
            };
            wins += u32::from(plies.is_some());
            let answer = solver.verdict(&position, &mut within(depth), &mut ());
            assert_eq!(answer.verdict, expected, "{position}");
            assert!(!(answer.never && plies.is_some()), "{position} is won in {plies:?} plies");
        }
        assert!(wins > 20, "{class}: only {wins} of the samples are won");
    }
}

#[test]
fn the_moves_have_the_values_that_the_solver_gives_them() {
    let mut solver = Solver::new(64 << 20);
    for text in ["BRuu:1", "BRbu:1", "BRruu:1", "BBRuu:1", "BRRuu:1"] {
        let mut looked_at = 0;
        for position in sample(class(text), 150) {
            let Some(plies @ 3..=9) = shared().tables.probe(&position).unwrap() else { continue };
            looked_at += 1;
            let depth = plies + 2;
            let analysis = solver.analyse(&position, &mut within(9), &within(0), &mut ());
            let moves = shared().tables.probe_moves(&position).unwrap();
            assert_eq!(moves.len(), analysis.first_moves.len(), "{position}");
            for ((mv, plies), first) in moves.into_iter().zip(&analysis.first_moves) {
                let expected = match plies {
                    Some(plies) if plies <= depth => Verdict::Win(plies),
                    _ => Verdict::NoWin { depth },
                };
                assert_eq!((mv, expected), (first.mv, first.verdict), "{position}");
            }
        }
        assert!(looked_at > 5, "{text}: only {looked_at} positions");
    }
}

#[test]
fn entries_follow_from_their_successors_and_mirror_images_are_equal() {
    let tables = &shared().tables;
    for &class in &shared().classes {
        for position in sample(class, 2_000) {
            assert!(tables.is_consistent(&position).unwrap(), "{position}");
            let mirrored = position.mirror();
            let plies = tables.probe(&position).unwrap();
            assert_eq!(plies, tables.probe(&mirrored).unwrap(), "{position}");
            assert!(plies.is_none_or(|plies| plies % 2 == 1), "{position}");
        }
        for position in sample(class, 100) {
            let by_move = |position: &Position| {
                let mut plies: Vec<_> = tables.probe_moves(position).unwrap();
                plies.sort_by_key(|(mv, _)| mv.to_string());
                plies
            };
            let mut images = tables.probe_moves(&position.mirror()).unwrap();
            for (mv, _) in &mut images {
                *mv = mv.mirror::<games::geister::Standard>();
            }
            images.sort_by_key(|(mv, _)| mv.to_string());
            assert_eq!(by_move(&position), images, "{position}");
        }
    }
}

/// Tables with other values in one of them, written by the builder's own writer: every checksum is
/// right.
fn with_values(class: Class, change: impl FnOnce(&mut Vec<u8>)) -> (Folder, Tablebase) {
    let folder = Folder::with_tables(&Class::closure(&[class]));
    let store = folder.store();
    let (mut values, counts) = {
        let table = store.open(class).unwrap();
        let file = table.file();
        (file.read_all().unwrap(), file.header().weighted_counts.clone())
    };
    change(&mut values);
    write(&store.path(class), &class.to_string(), &values, &counts).unwrap();
    store.open(class).unwrap().file().verify().unwrap();
    let tables = store.open_all().unwrap();
    (folder, tables)
}

/// The ranks of a class whose entries do not follow from their successors.
fn inconsistent(tables: &Tablebase, class: Class) -> Vec<u64> {
    let index = Index::new(class);
    let bad = |rank: &u64| !tables.is_consistent(&index.position(*rank)).unwrap();
    (0..index.size()).filter(bad).collect()
}

#[test]
fn a_wrong_distance_is_inconsistent_at_its_own_entry() {
    let class = class("BRuu:1");
    let right = shared().tables.get(class).unwrap().file().read_all().unwrap();
    let mut random = random();
    let mut changed = HashMap::new();
    // Far apart, so that hardly any is a successor of another.
    for _ in 0..200 {
        let rank = random.next_u64() % right.len() as u64;
        let value = right[rank as usize];
        // One move too long, one too short, any other distance, and no win.
        let wrong = match random.next_u32() % 4 {
            0 => value + 1,
            1 => value.saturating_sub(1),
            2 => 1 + (random.next_u32() % 20) as u8,
            _ => 0,
        };
        if wrong != value {
            changed.insert(rank, (value, wrong));
        }
    }
    type Kind = fn(&(u8, u8)) -> bool;
    let kinds: [Kind; 4] = [
        |&(value, wrong)| value == 0 && wrong > 0,
        |&(value, wrong)| value > 0 && wrong == 0,
        |&(value, wrong)| 0 < wrong && wrong < value,
        |&(value, wrong)| 0 < value && value < wrong,
    ];
    for kind in kinds {
        assert!(changed.values().filter(|change| kind(change)).count() >= 5, "{changed:?}");
    }
    let (_folder, tables) = with_values(class, |values| {
        changed.iter().for_each(|(&rank, &(_, wrong))| values[rank as usize] = wrong);
    });
    let index = Index::new(class);
    for (&rank, &(value, wrong)) in &changed {
        let position = index.position(rank);
        let consistent = tables.is_consistent(&position).unwrap();
        assert!(!consistent, "{position} has {wrong} for {value}");
        assert!(!tables.is_consistent(&position.mirror()).unwrap(), "{position}, mirrored");
    }
}

/// The values of a table are the only ones in which every entry follows from its successors, so
/// that looking at all entries finds every wrong table, however well its values fit each other.
#[test]
fn no_other_table_is_consistent() {
    let class = class("BRu:0");
    assert_eq!(inconsistent(&shared().tables, class), [0; 0]);
    let changes: [fn(&mut Vec<u8>); 6] = [
        |values| values.fill(0),
        |values| values.fill(1),
        |values| values.iter_mut().filter(|value| **value > 0).for_each(|value| *value += 1),
        |values| values.iter_mut().for_each(|value| *value = value.saturating_sub(1)),
        |values| values.rotate_right(1),
        // Every win of four moves and more is missing, as if the analysis had ended too early.
        |values| values.iter_mut().filter(|value| **value > 3).for_each(|value| *value = 0),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let (_folder, tables) = with_values(class, change);
        assert!(!inconsistent(&tables, class).is_empty(), "change {number}");
    }
    // Entries follow from those of smaller classes too: a wrong one there is noticed above.
    let above = self::class("BRbu:1");
    assert_eq!(above.needs(), [class]);
    let (folder, _) = with_values(class, |values| values.fill(0));
    fs::copy(shared().store.path(above), folder.store().path(above)).unwrap();
    let tables = folder.store().open_all().unwrap();
    let noticed = |position: &Position| !tables.is_consistent(position).unwrap();
    assert!(sample(above, 2_000).iter().any(noticed));
}

#[test]
fn finished_positions_and_missing_tables_are_distinguished() {
    let tables = &shared().tables;
    let unknown: Position = "6/4u1/B5/6/1uu3/RuuB2 1".parse().unwrap();
    let Err(error @ ProbeError::NoTable(class)) = tables.probe(&unknown) else {
        panic!("there is no table for {unknown}");
    };
    assert_eq!(class, Class::of(&unknown).unwrap());
    assert!(error.to_string().contains(&format!("spuk tablebase build --class {class}")));
    // Leaving wins at once, and the position behind it needs no table.
    let leaving: Position = "B5/6/6/3u2/3u2/R5 1".parse().unwrap();
    assert_eq!(tables.probe(&leaving).unwrap(), Some(1));
    let out = leaving.legal_moves().into_iter().find(|mv| mv.to().is_none()).unwrap();
    assert_eq!(Tablebase::default().probe(&leaving.play(out).unwrap()).unwrap(), Some(0));
    assert!(Tablebase::default().is_empty());
}

#[test]
fn too_little_memory_is_refused_before_anything_is_done() {
    let (class, folder) = (class("BRuuu:1"), Folder::new());
    let wanted = u64::try_from(estimate(class).memory).unwrap();
    let result = build(&folder.store(), class, wanted - 1, &AtomicBool::new(false), &mut ());
    let error = result.unwrap_err();
    assert!(
        matches!(error, BuildError::Memory { class: c, needed, allowed }
            if c == class && needed == u128::from(wanted) && allowed == wanted - 1),
        "{error:?}"
    );
    assert!(error.to_string().contains("BRuuu:1"), "{error}");
    assert!(error.to_string().contains("--memory"), "{error}");
    assert_eq!(folder.names(), [""; 0]);
    // Just enough is enough.
    let folder = Folder::with_tables(&class.needs());
    build(&folder.store(), class, wanted, &AtomicBool::new(false), &mut ()).unwrap();
}

#[test]
fn a_stopped_build_leaves_no_files() {
    let folder = Folder::new();
    let class = class("BRuu:1");
    let result = build(&folder.store(), class, MEMORY, &AtomicBool::new(true), &mut ());
    let error = result.unwrap_err();
    assert!(matches!(error, BuildError::Interrupted), "{error:?}");
    assert!(error.to_string().contains("the same command goes on"), "{error}");
    assert_eq!(folder.names(), [""; 0]);
    assert!(!folder.store().has(class));
}

/// Raises a flag when a build comes to a step.
struct StopAt<'a> {
    phase: BuildPhase,
    stop: &'a AtomicBool,
}

impl Progress for StopAt<'_> {
    fn report(&mut self, _: Class, phase: BuildPhase) {
        if phase == self.phase {
            self.stop.store(true, Relaxed);
        }
    }
}

#[test]
fn a_build_stops_at_any_stage_and_can_be_done_again() {
    let class = class("BRuuu:1");
    let folder = Folder::with_tables(&class.needs());
    let (store, before) = (folder.store(), folder.names());
    for phase in
        [BuildPhase::Reading, BuildPhase::Analysed(1), BuildPhase::Analysed(5), BuildPhase::Writing]
    {
        let stop = AtomicBool::new(false);
        let result = build(&store, class, MEMORY, &stop, &mut StopAt { phase, stop: &stop });
        assert!(matches!(result, Err(BuildError::Interrupted)), "{phase:?}: {result:?}");
        assert_eq!(folder.names(), before, "{phase:?}");
    }
    build_quietly(&store, class).unwrap();
    let read = |store: &Store| fs::read(store.path(class)).unwrap();
    assert!(read(&store) == read(&shared().store));
}

#[test]
fn a_missing_smaller_table_is_named() {
    let class = class("BBRuu:1");
    for &missing in &class.needs() {
        let others: Vec<Class> =
            Class::closure(&class.needs()).into_iter().filter(|&c| c != missing).collect();
        let folder = Folder::with_tables(&others);
        let error = build_quietly(&folder.store(), class).unwrap_err();
        let BuildError::File(FileError::Missing { path, class: named }) = &error else {
            panic!("{error:?}");
        };
        assert_eq!(*path, folder.store().path(missing));
        assert_eq!(*named, missing.to_string());
        assert!(error.to_string().contains("spuk tablebase build"), "{error}");
        assert_eq!(folder.names().len(), others.len());
    }
}

#[test]
fn building_again_gives_the_same_bytes_on_any_number_of_threads() {
    for class in ["BRu:0", "BRbr:1", "BRruu:1"].map(class) {
        let wanted = fs::read(shared().store.path(class)).unwrap();
        let mut classes = Class::closure(&class.needs());
        classes.push(class);
        let folder = Folder::with_tables(&classes);
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let built = pool.install(|| build_quietly(&folder.store(), class)).unwrap();
            assert_eq!(built, (class, wanted.len() as u64));
            let bytes = fs::read(folder.store().path(class)).unwrap();
            assert!(bytes == wanted, "{class} on {threads} threads has other bytes");
        }
        assert_eq!(folder.names().len(), classes.len(), "no unfinished files are left");
    }
}

#[test]
fn a_damaged_smaller_table_is_refused_by_name() {
    let (small, large) = (class("BRuu:1"), class("BBRuu:1"));
    assert!(large.needs().contains(&small));
    let folder = Folder::with_tables(&Class::closure(&large.needs()));
    let (store, path) = (folder.store(), folder.store().path(small));
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x10;
    fs::write(&path, bytes).unwrap();
    let refused = |error: &FileError| {
        let FileError::Refused { path: named, class, reason: Reason::Block(_) } = error else {
            panic!("{error:?}");
        };
        assert_eq!((named, class), (&path, &small.to_string()));
        let text = error.to_string();
        assert!(text.contains("BRuu-1.table") && text.contains("build it again"), "{text}");
    };
    match build_quietly(&store, large).unwrap_err() {
        BuildError::File(error) => refused(&error),
        other => panic!("{other:?}"),
    }
    assert!(!store.has(large), "a table was built on a damaged one");
    // The head is whole, so the file opens; the damage is found where it is.
    let tables = store.open_all().unwrap();
    let (mut good, mut bad) = (0, 0);
    for position in sample(small, 3_000) {
        match tables.probe(&position) {
            Ok(plies) => {
                assert_eq!(plies, shared().tables.probe(&position).unwrap(), "{position}");
                good += 1;
            }
            Err(ProbeError::File(error)) => {
                refused(&error);
                bad += 1;
            }
            Err(other) => panic!("{other:?}"),
        }
    }
    assert!(good > 0 && bad > 0, "{good} answered, {bad} refused");
    refused(&tables.get(small).unwrap().file().verify().unwrap_err());
    // Built again, it is what it was.
    build_quietly(&store, small).unwrap();
    assert!(fs::read(&path).unwrap() == fs::read(shared().store.path(small)).unwrap());
    build_quietly(&store, large).unwrap();
}
