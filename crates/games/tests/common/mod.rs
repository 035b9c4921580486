//! What the test files share: random setups, positions and games, random play of them, and the
//! slow twin of the rules.
//!
//! Random values come from a fixed seed, so that a run can be repeated. To look further:
//! `PROPTEST_RNG_SEED=7 PROPTEST_CASES=20000 cargo test -p games --release`.

#![allow(dead_code, unused_macros)] // every test file is a crate of its own and uses its part of this

pub(crate) mod golden;
pub(crate) mod twin;

use games::Rules;
use games::Seat;
use games::geister::{Board, Game, Ghost, Move, Placement, Position, Setup, Square};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngSeed, TestRunner};

/// Makes a test on each board of every named function that is generic over the board.
macro_rules! on_every_board {
    ($($check:ident),+ $(,)?) => {$(
        mod $check {
            #[test]
            fn standard() {
                super::$check::<games::geister::Standard>();
            }
            #[test]
            fn small() {
                super::$check::<games::geister::Small>();
            }
            #[test]
            fn five_by_five() {
                super::$check::<games::geister::FiveByFive>();
            }
        }
    )+};
}

/// Checks `property`, which panics when it does not hold, on random values; a failure is shown
/// with the simplest value found.
pub(crate) fn for_all<S: Strategy>(strategy: S, property: impl Fn(S::Value)) {
    let mut config = Config { failure_persistence: None, ..Config::default() };
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(0x5075_6b00);
    }
    let run = TestRunner::new(config).run(&strategy, |value| {
        property(value);
        Ok(())
    });
    if let Err(error) = run {
        panic!("{error}");
    }
}

/// The squares of the board, in order of their numbers.
pub(crate) fn squares<B: Board>() -> Vec<Square> {
    B::FULL.collect()
}

/// The setup with `ghosts` on the squares of the board, in order.
fn setup_of<B: Board>(ghosts: impl IntoIterator<Item = Option<Ghost>>, blue: u32) -> Setup<B> {
    let mut setup = Setup::empty();
    for (square, ghost) in squares::<B>().into_iter().zip(ghosts) {
        setup.set(square, ghost);
    }
    setup.blue = blue;
    setup
}

/// Any number that may stand in for BLUE: mostly a sensible one.
fn any_blue() -> impl Strategy<Value = u32> {
    prop_oneof![8 => 0..=9_u32, 1 => any::<u32>()]
}

/// Setups of all kinds: random boards, sparse to crowded, and valid ones with any BLUE.
pub(crate) fn any_setup<B: Board>() -> impl Strategy<Value = Setup<B>> {
    let ghosts = select(vec![0.05, 0.2, 0.5, 0.95]).prop_flat_map(|share| {
        let ghost = proptest::option::weighted(share, select(Ghost::ALL.to_vec()));
        proptest::collection::vec(ghost, squares::<B>().len())
    });
    let random = (ghosts, any_blue()).prop_map(|(ghosts, blue)| setup_of(ghosts, blue));
    let other_blue = (valid_setup::<B>(), any_blue()).prop_map(|(mut setup, blue)| {
        setup.blue = blue;
        setup
    });
    prop_oneof![2 => random, 1 => other_blue, 1 => valid_setup::<B>()]
}

/// Setups that make a position, from nothing shown to all shown.
pub(crate) fn valid_setup<B: Board>() -> impl Strategy<Value = Setup<B>> {
    let most = B::GHOSTS_OF_A_COLOUR;
    let some = || 1..=most;
    let shown = || prop_oneof![Just(0), 0..=most];
    let order = Just((0..squares::<B>().len()).collect::<Vec<_>>()).prop_shuffle();
    let counts = (some(), some(), some(), some(), shown(), shown());
    (counts, order).prop_map(|((own_blue, own_red, blue, red, shown_blue, shown_red), order)| {
        let (shown_blue, shown_red) = (shown_blue.min(blue), shown_red.min(red));
        let counts = [
            (Ghost::OwnBlue, own_blue),
            (Ghost::OwnRed, own_red),
            (Ghost::ShownBlue, shown_blue),
            (Ghost::ShownRed, shown_red),
            (Ghost::Hidden, blue + red - shown_blue - shown_red),
        ];
        let mut ghosts = vec![None; order.len()];
        let all = counts.iter().flat_map(|&(ghost, count)| (0..count).map(move |_| ghost));
        for (ghost, at) in all.zip(order) {
            ghosts[at] = Some(ghost);
        }
        setup_of(ghosts, blue)
    })
}

/// Purple positions with the bottom side to move, as puzzles start.
pub(crate) fn start<B: Board>() -> impl Strategy<Value = Position<B>> {
    valid_setup::<B>().prop_map(|setup| Position::from_setup(setup).expect("the setup is valid"))
}

/// New games, some with a draw limit that will be reached.
pub(crate) fn new_game<B: Board>() -> impl Strategy<Value = Game<B>> {
    let placement = || select(Placement::<B>::all().collect::<Vec<_>>());
    let limit = prop_oneof![2 => Just(Game::<B>::USUAL_DRAW_LIMIT), 1 => 0..40_u32];
    (placement(), placement(), limit).prop_map(|(bottom, top, limit)| Game::new(bottom, top, limit))
}

/// What random play has to know of a game.
pub(crate) trait Play: Rules<Move = Move> + std::fmt::Debug {
    /// Whether the move captures or leaves the board.
    fn is_sharp(&self, mv: Move) -> bool;
}

impl<B: Board> Play for Position<B> {
    fn is_sharp(&self, mv: Move) -> bool {
        mv.to().is_none_or(|to| self.get(to).is_some())
    }
}

impl<B: Board> Play for Game<B> {
    fn is_sharp(&self, mv: Move) -> bool {
        let ghosts = self.army(Seat::First).all() | self.army(Seat::Second).all();
        mv.to().is_none_or(|to| ghosts.has(to))
    }
}

/// A move for a random number: one time in four a sharp one, if there is one. `None` when the game
/// is over.
pub(crate) fn pick<P: Play>(position: &P, number: u16) -> Option<Move> {
    let mut moves = position.legal_moves();
    if number.is_multiple_of(4) && moves.iter().any(|&mv| position.is_sharp(mv)) {
        moves.retain(|&mv| position.is_sharp(mv));
    }
    let chosen = usize::from(number / 4) % moves.len().max(1);
    moves.get(chosen).copied()
}

/// Some random play: every position with the move made in it, and where it ended.
#[derive(Clone, Debug)]
pub(crate) struct Line<P> {
    pub(crate) plies: Vec<(P, Move)>,
    pub(crate) last: P,
}

impl<P: Play> Line<P> {
    fn new(start: P, numbers: &[u16]) -> Line<P> {
        let mut line = Line { plies: Vec::new(), last: start };
        for &number in numbers {
            let Some(mv) = pick(&line.last, number) else { break };
            let after = line.last.play_unchecked(mv);
            line.plies.push((std::mem::replace(&mut line.last, after), mv));
        }
        line
    }

    /// Where the line starts.
    pub(crate) fn start(&self) -> &P {
        self.plies.first().map_or(&self.last, |(position, _)| position)
    }

    /// The last position and the one before it: captures have been made, or the game is over.
    pub(crate) fn last_two(&self) -> [&P; 2] {
        [self.plies.last().map_or(&self.last, |(position, _)| position), &self.last]
    }

    /// Every position of the line, the last included.
    pub(crate) fn positions(&self) -> impl Iterator<Item = &P> {
        self.plies.iter().map(|(position, _)| position).chain([&self.last])
    }
}

/// Random play from `start`, up to `plies` long.
pub(crate) fn line<P: Play>(
    start: impl Strategy<Value = P>,
    plies: usize,
) -> impl Strategy<Value = Line<P>> {
    let numbers = proptest::collection::vec(any::<u16>(), 0..=plies);
    (start, numbers).prop_map(|(start, numbers)| Line::new(start, &numbers))
}

/// The two words of a text: the squares and BLUE.
pub(crate) fn two_words(text: &str) -> (&str, &str) {
    text.split_once(' ').expect("two words")
}

/// Every move that can be written: all pairs of squares of the numbering, and every escape.
pub(crate) fn writable_moves() -> Vec<Move> {
    let all = || (0..Square::COUNT).filter_map(Square::from_index);
    let steps = all().flat_map(|from| all().map(move |to| Move::Step { from, to }));
    steps.chain(all().map(|from| Move::Escape { from })).collect()
}

/// The moves in a fixed order, to compare them as sets; a move that occurs twice is kept.
pub(crate) fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
    moves.sort();
    moves
}
