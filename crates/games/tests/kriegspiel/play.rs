//! Random games that prefer captures, checks and promotions; some of them start from positions where
//! rare announcements are likely.

use crate::common::golden::Numbers;
use games::kriegspiel::{CapturedKind, Game, Position, Reply, Ruling, Try, umpire};

/// The starting positions.
pub(crate) const STARTS: [&str; 7] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 17",
    "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
    "4k3/2p1p1p1/8/1P1P1P1P/p1p1p1p1/8/1P1P1P1P/4K3 b - - 0 1",
    "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1",
];

/// A game from the standard starting position after these tries, legal or not.
pub(crate) fn played(moves: &str) -> Game {
    let mut game = Game::default();
    for mv in moves.split_ascii_whitespace() {
        game.attempt(mv.parse().unwrap()).unwrap();
    }
    game
}

pub(crate) fn start(numbers: &mut Numbers) -> Game {
    // The standard start as often as all others together.
    let which = (numbers.next() % 12) as usize;
    Game::new(STARTS[if which < STARTS.len() { which } else { 0 }].parse().unwrap())
}

/// The weight of a move: higher the more it is announced.
fn weight(position: &Position, attempt: Try) -> u64 {
    let Ruling::Legal { announcement, .. } = umpire(position, attempt) else { return 0 };
    let capture = match announcement.capture {
        None => 0,
        Some(capture) if capture.square != attempt.to => 40,
        Some(capture) if capture.kind == CapturedKind::Pawn => 3,
        Some(_) => 2,
    };
    let checks = [0, 8, 60][announcement.checks.len().min(2) as usize];
    let tries = u64::from(announcement.pawn_tries.min(2));
    1 + capture + checks + tries + u64::from(attempt.promotion.is_some()) * 4
}

/// A random legal move, the eventful ones more often.
fn eventful(position: &Position, numbers: &mut Numbers) -> Option<Try> {
    let mut moves = position.legal_moves();
    moves.sort();
    let weights: Vec<u64> = moves.iter().map(|&mv| weight(position, mv)).collect();
    let mut number = numbers.next() % weights.iter().sum::<u64>().max(1);
    moves.iter().zip(weights).find_map(|(&mv, weight)| {
        let found = number < weight;
        number = number.saturating_sub(weight);
        found.then_some(mv)
    })
}

/// The next try: sometimes one that may be legal as far as the player knows, sometimes a legal move,
/// preferably an eventful one.
pub(crate) fn next_try(game: &Game, numbers: &mut Numbers) -> Try {
    let candidates = game.candidates();
    match numbers.next() % 8 {
        0..=2 => {
            numbers.choose(&candidates).or_else(|| eventful(game.position(), numbers)).unwrap()
        }
        _ => eventful(game.position(), numbers).unwrap(),
    }
}

/// Plays a game of up to `plies` moves and visits every try with the game before and after it.
pub(crate) fn play(
    seed: u64,
    plies: usize,
    mut visit: impl FnMut(&Game, Try, Reply, &Game),
) -> Game {
    let mut numbers = Numbers(seed);
    let mut game = start(&mut numbers);
    while game.termination().is_none() && game.turns().len() < plies {
        let attempt = next_try(&game, &mut numbers);
        let before = game.clone();
        let reply = game.attempt(attempt).unwrap();
        visit(&before, attempt, reply, &game);
    }
    game
}
