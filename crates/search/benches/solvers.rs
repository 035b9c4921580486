//! Iterations per second of the best-first solvers: `cargo bench -p search`.
//!
//! The game is synthetic and costs next to nothing itself: eight moves, sides in turn, twelve
//! plies, won or not by a throw of the dice at the end. Each run makes 2,000 iterations,
//! or fewer if the solver concludes before; the rates count those that it made.

use divan::{Bencher, counter::ItemsCount};
use search::{AndOr, Budget, Limits, Mcpns, Player, Playouts, Pns, Ppns, Solve, Uct};

const ITERATIONS: u64 = 2000;

fn main() {
    divan::main();
}

#[derive(Clone)]
struct Dice {
    node: u64,
    plies: u32,
}

impl AndOr for Dice {
    type Move = u8;

    fn to_move(&self) -> Player {
        if self.plies.is_multiple_of(2) { Player::Or } else { Player::And }
    }

    fn decided(&self) -> Option<bool> {
        (self.plies == 12).then_some(self.node >> 63 == 0)
    }

    fn moves(&self, out: &mut Vec<u8>) {
        out.extend(0..8);
    }

    fn play(&self, m: u8) -> Self {
        let node = (self.node ^ u64::from(m + 1)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        Self { node: node ^ (node >> 29), plies: self.plies + 1 }
    }

    fn key(&self) -> u64 {
        self.node
    }
}

fn run(bencher: Bencher<'_, '_>, mut solver: impl Solve<Dice>) {
    let limits = Limits { nodes: Some(ITERATIONS), memory: 4 << 20, ..Limits::default() };
    let root = Dice { node: 1, plies: 0 };
    let iterations = solver.solve(&root, &mut Budget::new(&limits)).last.number;
    bencher
        .counter(ItemsCount::new(iterations))
        .bench_local(|| solver.solve(&root, &mut Budget::new(&limits)));
}

#[divan::bench]
fn pns(bencher: Bencher) {
    run(bencher, Pns::default());
}

#[divan::bench(args = [1, 10])]
fn mcpns(bencher: Bencher, per_leaf: u32) {
    run(bencher, Mcpns { playouts: Playouts { per_leaf, ..Playouts::default() } });
}

#[divan::bench(args = [1, 10])]
fn ppns(bencher: Bencher, per_leaf: u32) {
    run(
        bencher,
        Ppns { playouts: Playouts { per_leaf, ..Playouts::default() }, ..Ppns::default() },
    );
}

#[divan::bench(args = [1, 10])]
fn uct(bencher: Bencher, per_leaf: u32) {
    run(bencher, Uct { playouts: Playouts { per_leaf, ..Playouts::default() }, ..Uct::default() });
}
