//! The functions that everything else waits for: `cargo bench -p geister`.

use divan::{Bencher, black_box};
use games::geister::Position;
use geister::reference::{Puzzle, Techniques};
use geister::solver::Solver;
use search::{Budget, DfPn, Limits, Steps, deepen};

/// Won in 5 plies, won in 13, and one that the program of Hsueh et al. (2025) could not finish.
const EASY: &str = "6/4u1/B5/6/6/Ru4 1";
const MIDDLE: &str = "R5/4uu/1B2B1/3u2/5b/5R 2";
const HARD: &str = "R......uu.......rrB.....B.uRR....... 2";

fn main() {
    divan::main();
}

fn position(text: &str) -> Position {
    text.parse().expect("a position")
}

#[divan::bench]
fn moves(bencher: Bencher) {
    let position = position(HARD);
    bencher.bench_local(|| black_box(&position).legal_moves());
}

#[divan::bench]
fn key(bencher: Bencher) {
    let position = position(HARD);
    bencher.bench_local(|| black_box(&position).key());
}

/// Over all moves of the position.
#[divan::bench]
fn play_unchecked(bencher: Bencher) {
    let position = position(HARD);
    let moves = position.legal_moves();
    bencher.bench_local(|| {
        for &mv in &moves {
            black_box(black_box(&position).play_unchecked(mv));
        }
    });
}

#[divan::bench(args = [EASY, MIDDLE, HARD])]
fn verdict(bencher: Bencher, text: &str) {
    let (position, mut solver) = (position(text), Solver::new(64 << 20));
    let limits = Limits { depth: 17, ..Limits::default() };
    bencher.bench_local(|| solver.verdict(&position, &mut Budget::new(&limits), &mut ()));
}

/// Verdict, line, first moves and classification.
#[divan::bench(args = [EASY, MIDDLE])]
fn analyse(bencher: Bencher, text: &str) {
    let (position, mut solver) = (position(text), Solver::new(64 << 20));
    let limits = Limits { depth: 17, ..Limits::default() };
    let first_moves = Budget::new(&Limits { depth: 0, ..limits });
    bencher.bench_local(|| {
        solver.analyse(&position, &mut Budget::new(&limits), &first_moves, &mut ())
    });
}

/// The reference algorithm of Hsueh et al. (2025).
#[divan::bench]
fn reference_dfpn(bencher: Bencher) {
    let puzzle = Puzzle::new(position(HARD), Techniques::ALL);
    let limits = Limits { depth: 9, ..Limits::default() };
    bencher.bench_local(|| {
        let mut search = DfPn::new(16 << 20);
        deepen(&mut search, &puzzle, Steps::default(), &mut Budget::new(&limits), &mut ())
    });
}
