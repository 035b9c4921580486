//! Known answers: hand-made puzzles, and figures of the papers.

mod common;

use common::slow::{alpha_beta, asked};
use common::{positions, solve, within};
use games::geister::{Bitboard, Ghost, Position, Setup, Square};
use geister::board::{ALL_SQUARES, BOTTOM_EXITS, TOP_EXITS};
use geister::reference::Techniques;
use geister::solver::Solver;
use proptest::sample::subsequence;
use proptest::strategy::Strategy;
use search::{DfPn, Verdict};

fn position(ghosts: [(Bitboard, Ghost); 3], blue: u32) -> Position {
    let mut setup = Setup::empty();
    for (squares, ghost) in ghosts {
        squares.for_each(|square| setup.set(square, Some(ghost)));
    }
    setup.blue = blue;
    Position::from_setup(setup).expect("a position")
}

#[test]
fn puzzles_with_known_answers() {
    for (text, verdict) in [
        // A blue on its exit leaves.
        ("B5/6/6/2u3/6/Ru4 1", Verdict::Win(1)),
        // The blue walks out; a guard beside the exit stops it.
        ("6/B5/6/2u3/6/Ru4 1", Verdict::Win(3)),
        ("1u4/B5/6/2u3/6/3R2 1", Verdict::NoWin { depth: 9 }),
        // The example of the design.
        ("6/4u1/B5/6/6/Ru4 1", Verdict::Win(5)),
        // The last ghost that may be blue is captured, shown or not.
        ("6/6/2B3/2b3/6/R4r 1", Verdict::Win(1)),
        ("6/6/2B3/2u3/6/R4r 1", Verdict::Win(1)),
        // A published length of 9 that counts a blue after its capture.
        ("....Bb.........uB....u.............R 2", Verdict::Win(3)),
        // The program of Hsueh et al. (2025) could not finish this one.
        ("R......uu.......rrB.....B.uRR....... 2", Verdict::NoWin { depth: 9 }),
    ] {
        let p: Position = text.parse().unwrap();
        assert_eq!(solve(&p, 9).verdict, verdict, "{text}");
        assert_eq!(alpha_beta(&p, 9, 10_000_000), verdict, "{text}");
        for techniques in [Techniques::NONE, Techniques::ALL] {
            let dfpn = asked(&mut DfPn::new(16 << 20), &p, techniques, 9, 10_000_000);
            assert_eq!(dfpn, verdict, "{text}");
        }
    }
}

/// Ishii et al. (2020), 8.1: all positions of one blue and one red against two hidden ghosts.
/// Half of them are looked at; the others are their mirror images.
#[test]
fn all_of_one_blue_and_one_red_against_two_hidden() {
    let mut solver = Solver::new(64 << 20);
    let (mut all, mut won, mut longest) = (0, 0, 0);
    for blue in ALL_SQUARES.filter(|square: &Square| square.column() < 3) {
        for red in ALL_SQUARES.without(blue.bit()) {
            let free: Vec<Square> = ALL_SQUARES.without(blue.bit() | red.bit()).collect();
            for (index, first) in free.iter().enumerate() {
                for second in &free[..index] {
                    let hidden = (first.bit() | second.bit(), Ghost::Hidden);
                    let own = [(blue.bit(), Ghost::OwnBlue), (red.bit(), Ghost::OwnRed)];
                    let p = position([own[0], own[1], hidden], 1);
                    all += 2;
                    if let Verdict::Win(plies) =
                        solver.verdict(&p, &mut within(19), &mut ()).verdict
                    {
                        won += 2;
                        longest = longest.max(plies);
                    }
                }
            }
        }
    }
    assert_eq!((all, won, longest), (706_860, 191_992, 19));
}

/// Random placements of so many own blues, own reds, top blues and top reds, nothing shown. An own
/// blue never starts on its exit; `fair` may refuse more, and sees the four sets in this order.
fn placements(
    [blues, reds, top_blues, top_reds]: [usize; 4],
    fair: impl Fn([Bitboard; 4]) -> bool,
) -> impl Strategy<Value = Position> {
    let squares: Vec<Square> = ALL_SQUARES.collect();
    let chosen = subsequence(squares, blues + reds + top_blues + top_reds).prop_shuffle();
    chosen.prop_filter_map("refused", move |squares| {
        let (own, top) = squares.split_at(blues + reds);
        let ((blue, red), (top_blue, top_red)) = (own.split_at(blues), top.split_at(top_blues));
        let [blue, red, top_blue, top_red] =
            [blue, red, top_blue, top_red].map(|set| set.iter().copied().collect::<Bitboard>());
        let hidden = (top_blue | top_red, Ghost::Hidden);
        let starts = !blue.meets(BOTTOM_EXITS) && fair([blue, red, top_blue, top_red]);
        starts.then(|| {
            position([(blue, Ghost::OwnBlue), (red, Ghost::OwnRed), hidden], top_blues as u32)
        })
    })
}

/// Whether two samples may be of one kind: their shares differ by less than four deviations.
fn alike((won, of): (f64, f64), (published, published_of): (f64, f64)) -> bool {
    let share = (won + published) / (of + published_of);
    let sigma = (share * (1.0 - share) * (1.0 / of + 1.0 / published_of)).sqrt();
    (won / of - published / published_of).abs() < 4.0 * sigma
}

/// Hsueh et al. (2025), 5.3: one to three ghosts of each kind, nothing shown. They looked for 17
/// plies; longer wins than the 11 here are fewer than the test can tell.
#[test]
fn random_placements_succeed_as_often_as_published() {
    const TRIALS: u32 = 200;
    let (mut won, mut of) = (0, 0);
    for index in 0..81 {
        let counts = [1, 3, 9, 27].map(|place| 1 + index / place % 3);
        let sample = positions::sample(index as u8, TRIALS, &placements(counts, |_| true));
        of += sample.len();
        won += sample.iter().filter(|p| matches!(solve(p, 11).verdict, Verdict::Win(_))).count();
    }
    assert_eq!(of, 81 * TRIALS as usize);
    assert!(alike((won as f64, of as f64), (201_829.0, 810_000.0)), "{won} of {of}");
}

/// Ishii et al. (2020), table 2: two ghosts of each kind, nothing shown. The paper does not say
/// which placements it leaves out; its figures fit those with an own ghost on a6 or f6, or a blue
/// of the top side on a1 or f1, and no other simple rule that was tried.
#[test]
fn random_placements_are_as_long_as_published() {
    const TRIALS: u32 = 20_000;
    let fair = |[_, red, top_blue, _]: [Bitboard; 4]| {
        !red.meets(BOTTOM_EXITS) && !top_blue.meets(TOP_EXITS)
    };
    let sample = positions::sample(31, TRIALS, &placements([2; 4], fair));
    assert_eq!(sample.len(), TRIALS as usize);
    let verdicts: Vec<Verdict> = sample.iter().map(|p| solve(p, 11).verdict).collect();
    for (plies, published) in
        [(3, 29_433.0), (5, 14_495.0), (7, 4_548.0), (9, 1_666.0), (11, 660.0)]
    {
        let found = verdicts.iter().filter(|&&v| v == Verdict::Win(plies)).count();
        let found = (found as f64, f64::from(TRIALS));
        assert!(alike(found, (published, 172_200.0)), "{plies} plies: {found:?}");
    }
}
