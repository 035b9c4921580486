//! Tables of small endings: who proves with them wins what no search of its own would find in time.

#![allow(clippy::unwrap_used)]

use games::Seat;
use games::geister::{Army, Bitboard, Observation, ObservationParts, Position, Square, Standard};
use games::hidden::InformationState;
use geister::solver::Solver;
use geister::tablebase::{Class, Store, Tablebase, build};
use play::Thinking;
use players::prover::{Proved, Prover};
use players::roster::BoardRoster;
use search::{Budget, Limits, Verdict};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Two blues and a red against two ghosts of which one is blue.
fn tables() -> Tablebase {
    let folder = std::env::temp_dir().join(format!("spuk-players-tables-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let store = Store::new(&folder);
    for class in Class::closure(&["BBRuu:1".parse().unwrap()]) {
        build(&store, class, 1 << 30, &AtomicBool::new(false), &mut ()).unwrap();
    }
    let tables = store.open_all().unwrap();
    // The maps stay valid, and nothing is left behind.
    std::fs::remove_dir_all(&folder).unwrap();
    tables
}

fn squares(names: &[&str]) -> Bitboard {
    names.iter().map(|name| Square::from_name(name).unwrap()).collect()
}

/// The longest win of that class, as a player sees it.
fn longest() -> Observation {
    let parts = ObservationParts {
        viewer: Seat::First,
        own: Army { blue: squares(&["a2", "f1"]), red: squares(&["c2"]) },
        opponent: squares(&["c3", "c4"]),
        own_captured: (2, 3),
        opponent_captured: (3, 3),
        to_move: true,
        ply: 60,
        draw_limit: 300,
    };
    Observation::from_parts(&parts).unwrap()
}

#[test]
fn a_long_win_of_a_table_is_played() {
    let (tables, now) = (tables(), longest());
    let position: Position = "6/6/2u3/2u3/B1R3/5B 1".parse().unwrap();
    assert_eq!(now.purple(), Some(position));
    let thinking = Thinking { time: Duration::ZERO, seed: 1 };
    let mut solver = Solver::new(1 << 22).with_tablebase(tables.clone());
    let mut plies_after = |mv| {
        let after = position.play(mv).unwrap();
        solver.start_from(&after);
        let budget = &mut Budget::new(&Limits::default());
        solver.distance(&after, 0, Limits::default().depth, budget).verdict
    };
    for name in ["careful", "maximax", "determinized", "champion"] {
        let mut player = Standard::maker(name, &tables).unwrap()();
        let mv = player.choose(&InformationState::from(now), &thinking);
        assert_eq!(plies_after(mv), Verdict::Win(22), "{name} plays {mv}");
    }
    let without = Prover::new(&Tablebase::default()).prove(&now, Duration::ZERO);
    assert!(matches!(without, Proved::Safe(_)), "the test shows nothing: {without:?}");
}
