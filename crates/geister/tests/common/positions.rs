//! Random positions in which things happen: few ghosts, near exits and near each other.

use games::geister::{Ghost, Position, Setup, Square};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Where a ghost goes: anywhere, near an exit, or near the centre of events.
type Place = (u8, u8);

fn square((how, number): Place, centre: u8) -> Option<Square> {
    let (column, row) = (u32::from(number) % 6, u32::from(number) / 6);
    let (centre_column, centre_row) = (u32::from(centre) % 6, u32::from(centre) / 6);
    match how {
        0 | 1 => Square::at(column, row),
        2 => Square::at(if row < 3 { column % 3 } else { 5 - column % 3 }, 5 - row % 3),
        3 => Square::at(if row < 3 { column % 3 } else { 5 - column % 3 }, row % 3),
        _ => Square::at((centre_column + column % 5).min(7) - centre_column.min(2), {
            (centre_row + row % 5).min(7) - centre_row.min(2)
        }),
    }
}

fn places(most: usize) -> impl Strategy<Value = Vec<Place>> {
    vec((0u8..6, 0u8..36), 1..=most)
}

/// How much is shown: nothing, some, everything, or only reds beside hidden ghosts.
fn kinds() -> impl Strategy<Value = Vec<Ghost>> {
    use Ghost::{Hidden, ShownBlue, ShownRed};
    prop_oneof![
        Just(vec![Hidden]),
        Just(vec![Hidden, ShownBlue, ShownRed]),
        Just(vec![ShownBlue, ShownRed]),
        Just(vec![Hidden, ShownRed]),
        Just(vec![Hidden, Hidden, ShownBlue]),
    ]
}

/// Positions with up to so many own blues, own reds and top ghosts.
pub(crate) fn positions(
    blues: usize,
    reds: usize,
    tops: usize,
) -> impl Strategy<Value = Position> + Clone {
    let blue_counts = prop_oneof![Just(0u32), Just(99), 0u32..5];
    let top = vec(((0u8..6, 0u8..36), 0usize..60), 2..=tops);
    let all = (0u8..36, places(blues), places(reds), kinds(), top, blue_counts);
    let strategy = all.prop_filter_map("no position", |(centre, blue, red, kinds, top, count)| {
        let mut setup = Setup::empty();
        let own = blue.into_iter().map(|place| (place, Ghost::OwnBlue));
        let own = own.chain(red.into_iter().map(|place| (place, Ghost::OwnRed)));
        let top = top.into_iter().map(|(place, kind)| (place, kinds[kind % kinds.len()]));
        for (place, ghost) in own.chain(top) {
            let square = square(place, centre).filter(|&square| setup.get(square).is_none());
            if let Some(square) = square {
                setup.set(square, Some(ghost));
            }
        }
        let [shown_blue, shown_red, hidden] =
            [Ghost::ShownBlue, Ghost::ShownRed, Ghost::Hidden].map(|ghost| setup.count(ghost));
        let (least, most) =
            (u32::from(shown_blue == 0), (shown_red + hidden).saturating_sub(1).min(hidden));
        if least > most {
            return None;
        }
        setup.blue = shown_blue + count.clamp(least, most);
        Position::from_setup(setup).ok()
    });
    // Shared, so that one strategy serves many cases.
    std::sync::Arc::new(strategy)
}

/// Positions in which the top side is short of moves: its one shown red stands in a corner, shut in
/// by leavers on both sides.
pub(crate) fn shut_in() -> impl Strategy<Value = Position> {
    let leavers = vec(prop_oneof![Just(Ghost::Hidden), Just(Ghost::ShownBlue)], 2);
    let near = || vec((0u32..4, 0u32..4), 1..=2);
    let all = ((0u32..2, 0u32..2), leavers, near(), near(), 0u32..3);
    all.prop_filter_map("no position", |((right, top), leavers, blue, red, hidden_blue)| {
        let place = |column: u32, row: u32| {
            Square::at(
                if right == 1 { 5 - column } else { column },
                if top == 1 { 5 - row } else { row },
            )
        };
        let mut setup = Setup::empty();
        setup.set(place(0, 0)?, Some(Ghost::ShownRed));
        setup.set(place(0, 1)?, Some(leavers[0]));
        setup.set(place(1, 0)?, Some(leavers[1]));
        let own = blue.into_iter().map(|near| (near, Ghost::OwnBlue));
        for ((column, row), ghost) in own.chain(red.into_iter().map(|near| (near, Ghost::OwnRed))) {
            let square = place(column, row).filter(|&square| setup.get(square).is_none())?;
            setup.set(square, Some(ghost));
        }
        let hidden = setup.count(Ghost::Hidden);
        setup.blue = setup.count(Ghost::ShownBlue) + hidden_blue.min(hidden);
        Position::from_setup(setup).ok()
    })
}

/// Positions in which the top side guards the exits of the bottom side, with hardly anybody else to
/// move.
pub(crate) fn guards() -> impl Strategy<Value = Position> {
    const BESIDE: [(u32, u32); 6] = [(0, 5), (0, 4), (1, 5), (5, 5), (5, 4), (4, 5)];
    let guards = vec(0..BESIDE.len(), 1..=3);
    let others = prop_oneof![2 => Just(Vec::new()), 1 => vec((0u32..6, 0u32..6), 1..=2)];
    let own = || vec(prop_oneof![2 => (0u32..6, 3u32..6), 1 => (0u32..6, 0u32..6)], 1..=3);
    let all = (guards, others, kinds(), own(), own(), vec(0usize..60, 5), 0u32..3);
    all.prop_filter_map("no position", |(guards, others, kinds, blue, red, chosen, hidden_blue)| {
        let mut setup = Setup::empty();
        let top = guards.into_iter().map(|at| BESIDE[at]).chain(others).zip(chosen);
        let top = top.map(|(place, kind)| (place, kinds[kind % kinds.len()]));
        let own = blue.into_iter().map(|place| (place, Ghost::OwnBlue));
        let own = own.chain(red.into_iter().map(|place| (place, Ghost::OwnRed)));
        for ((column, row), ghost) in top.chain(own) {
            let square = Square::at(column, row).filter(|&square| setup.get(square).is_none())?;
            setup.set(square, Some(ghost));
        }
        setup.blue = setup.count(Ghost::ShownBlue) + hidden_blue.min(setup.count(Ghost::Hidden));
        Position::from_setup(setup).ok()
    })
}

/// A runner that repeats exactly.
pub(crate) fn runner(seed: u8, cases: u32) -> TestRunner {
    let config = Config {
        cases,
        failure_persistence: None,
        max_global_rejects: 100 * cases,
        ..Config::default()
    };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]))
}

/// So many positions of a strategy, the same ones in every run.
pub(crate) fn sample(
    seed: u8,
    cases: u32,
    strategy: &impl Strategy<Value = Position>,
) -> Vec<Position> {
    let mut runner = runner(seed, cases);
    (0..cases).filter_map(|_| Some(strategy.new_tree(&mut runner).ok()?.current())).collect()
}
