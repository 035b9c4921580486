//! Tables of small endings change no answer of the solver, only how fast it comes.

#![allow(clippy::unwrap_used)]

mod common;

use common::positions::{positions, sample};
use games::geister::Position;
use geister::solver::{Analysis, Solver};
use geister::tablebase::{Class, Store, Tablebase, build};
use search::{Budget, Limits, Verdict};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

/// All classes of four ghosts, built once.
fn tables() -> Tablebase {
    static TABLES: OnceLock<Tablebase> = OnceLock::new();
    let made = TABLES.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("spuk-with-tables-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let store = Store::new(&folder);
        for class in Class::closure(&Class::all_with(4)) {
            build(&store, class, 1 << 30, &AtomicBool::new(false), &mut ()).unwrap();
        }
        let tables = store.open_all().unwrap();
        // The maps stay valid, and nothing is left behind.
        std::fs::remove_dir_all(&folder).unwrap();
        tables
    });
    made.clone()
}

fn analyse(solver: &mut Solver, position: &Position) -> Analysis {
    let limits = Limits { depth: 13, ..Limits::default() };
    let budget = Budget::new(&limits);
    solver.analyse(position, &mut budget.renewed(), &budget, &mut ())
}

/// What must not differ: everything but costs, and `never`, which tables may prove sooner.
fn essence(analysis: &Analysis) -> impl PartialEq + std::fmt::Debug + use<> {
    let first_moves = analysis.first_moves.clone();
    (analysis.answer.verdict, analysis.line.clone(), first_moves, analysis.classification)
}

#[test]
fn with_and_without_agree() {
    let mut plain = Solver::new(32 << 20);
    let mut with_tables = Solver::new(32 << 20).with_tablebase(tables());
    let (mut hits, mut wins) = (0, 0);
    for position in sample(20, 1500, &positions(2, 2, 3)) {
        let (expected, found) =
            (analyse(&mut plain, &position), analyse(&mut with_tables, &position));
        assert_eq!(essence(&found), essence(&expected), "{position}");
        assert_eq!(expected.answer.table_hits, 0);
        hits += usize::from(found.answer.table_hits > 0);
        wins += usize::from(matches!(found.answer.verdict, Verdict::Win(_)));
    }
    assert!(hits > 200 && wins > 200, "{hits} with tables, {wins} won");
}

#[test]
fn a_position_in_a_table_needs_no_search() {
    let position: Position = "1b4/6/6/6/4R1/B4r 1".parse().unwrap();
    let mut solver = Solver::new(1 << 20).with_tablebase(tables());
    assert!(solver.has_table_for(&position));
    let mut budget = Budget::new(&Limits::default());
    let answer = solver.verdict(&position, &mut budget, &mut ());
    assert_eq!((answer.verdict, answer.nodes), (Verdict::Win(37), 0));
    assert!(answer.table_hits > 0);
}
