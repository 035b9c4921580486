//! The fast 2048 against the slow grid, through the generic search with chance.

#![allow(clippy::unwrap_used)]

use classic::twenty48::{Solitaire, Weights};
use games::twenty48::{Direction, Grid, Packed};
use games::{Chance, Rules};
use search::{Budget, Limits, Stochastic, Turn, conspiracy_number, expectation};

const WEIGHTS: [[f64; 4]; 4] =
    [[6.0, 5.5, 4.0, 3.0], [5.0, 4.0, 3.0, 2.0], [4.0, 3.0, -2.0, 1.0], [3.0, 2.0, 1.0, 0.25]];

/// The grid as its rules tell it, without a table.
#[derive(Clone)]
struct Slow(Grid);

impl Stochastic for Slow {
    type Move = Direction;

    fn turn(&self) -> Option<Turn> {
        if !self.0.events().is_empty() {
            return Some(Turn::Chance);
        }
        (!self.0.legal_moves().is_empty()).then_some(Turn::Max)
    }

    fn moves(&self, out: &mut Vec<Direction>) {
        out.extend(self.0.legal_moves());
    }

    fn play(&self, direction: Direction) -> Slow {
        Slow(self.0.play_unchecked(direction))
    }

    fn outcomes(&self, out: &mut Vec<(f64, Slow)>) {
        let events = self.0.events().into_iter();
        out.extend(events.map(|(event, chance)| (chance, Slow(self.0.after_event(event)))));
    }
}

fn slow_value(slow: &Slow) -> f64 {
    let weights = WEIGHTS.iter().flatten();
    slow.0.tiles().zip(weights).map(|(tile, weight)| tile as f64 * weight).sum()
}

/// Positions of a game by a random player: thin ones, full ones, and the last.
fn positions() -> Vec<Packed> {
    let mut number = 2048_u64;
    let mut next = || {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        number.rotate_left(29) ^ number
    };
    let mut grid = Packed::new();
    let mut seen = Vec::new();
    loop {
        seen.push(grid);
        let moves = grid.legal_moves();
        grid = match (grid.owed(), moves.len()) {
            (0, 0) => break seen,
            (0, number) => grid.play_unchecked(moves[next() as usize % number]),
            _ => grid.drawn(next()),
        };
    }
}

#[test]
fn the_fast_search_equals_the_slow_one() {
    let weights = Weights::new(WEIGHTS);
    assert_eq!(weights.max_weight(), 6.0);
    let fast_value = |position: &Solitaire| weights.value(position.0);
    let positions = positions();
    assert!(positions.len() > 100);
    let ends = &positions[positions.len() - 12..];
    for grid in positions.iter().step_by(9).chain(ends) {
        let (fast, slow) = (Solitaire(*grid), Slow(Grid::from(*grid)));
        assert_eq!(fast.turn(), slow.turn(), "{grid}");
        assert!((fast_value(&fast) - slow_value(&slow)).abs() < 1e-9);
        for depth in 0..=3 {
            let [mut a, mut b] = [(); 2].map(|()| Budget::new(&Limits::default()));
            let found = expectation(&fast, depth, &fast_value, &mut a).unwrap();
            let expected = expectation(&slow, depth, &slow_value, &mut b).unwrap();
            assert!((found.value - expected.value).abs() < 1e-9, "{grid} at {depth}");
            assert_eq!(found.best.map(|slide| slide.direction), expected.best, "{grid}");
            assert_eq!((found.complete, a.nodes()), (expected.complete, b.nodes()));
            let threshold = 1.1 * slow_value(&slow);
            let found = conspiracy_number(&fast, depth, threshold, &fast_value, &mut a);
            let expected = conspiracy_number(&slow, depth, threshold, &slow_value, &mut b);
            assert_eq!(found, expected, "{grid} at {depth}");
        }
    }
}
