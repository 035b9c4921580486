//! Matches of Kriegspiel: many games between two players, sides balanced, on all cores.

use super::player::Player;
use crate::elo::Score;
use crate::matches::Spent;
use crate::player::Thinking;
use common::rng::derive_seed;
use games::hidden::{HiddenGame, InformationState, Reply};
use games::kriegspiel::pgn::Record;
use games::kriegspiel::{End, Game};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How a match is played.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Games in all. An odd one is played with the first player as White.
    pub games: u32,
    /// For each move, all its tries together.
    pub time: Duration,
    /// The seed of the match.
    pub seed: u64,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// The game with its names.
    pub record: Record,
    /// Which of the two players had White: 0 or 1.
    pub white: usize,
    /// Who won, 0 or 1 by the order of the match.
    pub winner: Option<usize>,
    /// Time each player took, and for how many moves, by the order of the match.
    pub spent: Spent,
    /// Tries of each player, by the order of the match.
    pub tries: [u32; 2],
}

/// Makes a player for a game; each game has its own.
pub type Maker<'a> = dyn Fn() -> Box<dyn Player> + Sync + 'a;

/// Plays `game` to its end, White first of the two players; `None` if it was interrupted. Each
/// player has its own chance.
///
/// # Panics
/// If a player tries what was refused in the same turn: it has a bug, and would do so for ever.
pub fn play_game(
    players: [&mut dyn Player; 2],
    game: &mut Game,
    thinking: &Thinking,
    stop: &AtomicBool,
) -> Option<Spent> {
    let [white, black] = players;
    let mut states = InformationState::both(game.position(), game);
    let mut spent = [(Duration::ZERO, 0); 2];
    while game.end().is_none() {
        if stop.load(Relaxed) {
            return None;
        }
        let side = game.turn();
        let at = side as usize;
        let player: &mut dyn Player = if at == 0 { &mut *white } else { &mut *black };
        let own = Thinking { seed: derive_seed(thinking.seed, at as u64), ..*thinking };
        let begun = Instant::now();
        let attempt = player.choose(&states[at], &own);
        spent[at].0 += begun.elapsed();
        assert!(!game.refused().contains(&attempt), "{attempt} was refused already");
        let step = game.apply(attempt).expect("the game is not over");
        spent[at].1 += u32::from(step.reply == Reply::Played);
        for (state, event) in states.iter_mut().zip(step.perceived) {
            state.extend(event, game);
        }
    }
    Some(spent)
}

/// The games of a match in their order. They do not depend on the number of threads, unless a
/// player looks at the clock. Ends early if `stop` is raised.
pub fn play(
    names: [&str; 2],
    makers: [&Maker<'_>; 2],
    terms: &Terms,
    stop: &AtomicBool,
    told: &(dyn Fn(&Played) + Sync),
) -> Vec<Played> {
    let games = (0..terms.games).into_par_iter().with_max_len(1);
    let played = games.filter_map(|number| {
        let one = one_game(names, makers, terms, number, stop)?;
        told(&one);
        Some(one)
    });
    played.collect()
}

/// A single game of a match, by its number; `None` if it was interrupted.
pub fn one_game(
    names: [&str; 2],
    makers: [&Maker<'_>; 2],
    terms: &Terms,
    number: u32,
    stop: &AtomicBool,
) -> Option<Played> {
    let white = (number % 2) as usize;
    let thinking = Thinking { time: terms.time, seed: derive_seed(terms.seed, u64::from(number)) };
    let (mut one, mut other) = (makers[white](), makers[1 - white]());
    let mut game = Game::default();
    let spent = play_game([one.as_mut(), other.as_mut()], &mut game, &thinking, stop)?;
    let tries = tries(&game);
    let by_match = |side: usize| if white == 0 { side } else { 1 - side };
    let winner = game.winner().map(|side| by_match(side as usize));
    let record = Record::new(game, names[white], names[1 - white]);
    let spent = [spent[by_match(0)], spent[by_match(1)]];
    let tries = [tries[by_match(0)], tries[by_match(1)]];
    Some(Played { record, white, winner, spent, tries })
}

/// Tries of White and Black.
fn tries(game: &Game) -> [u32; 2] {
    let mut tries = [0; 2];
    for turn in game.turns() {
        tries[!turn.announcement.to_move as usize] += 1 + turn.refused.len() as u32;
    }
    tries
}

/// What came of a match for the first player.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// Wins, draws and losses.
    pub score: Score,
    /// Plies of a game on average.
    pub plies: f64,
    /// Seconds of a move on average, by player.
    pub seconds_per_move: [f64; 2],
    /// Tries of a move on average, by player.
    pub tries_per_move: [f64; 2],
    /// Games by how they ended, in the order of [`ENDS`].
    pub ends: [u32; 5],
}

/// Every end of a game.
pub const ENDS: [End; 5] =
    [End::Checkmate, End::Stalemate, End::Insufficient, End::Repetition, End::FiftyMoves];

impl Summary {
    /// Of these games.
    pub fn of(games: &[Played]) -> Summary {
        let mut summary = Summary::default();
        let mut spent = [(0.0, 0.0, 0.0); 2];
        for game in games {
            match game.winner {
                Some(0) => summary.score.wins += 1,
                Some(_) => summary.score.losses += 1,
                None => summary.score.draws += 1,
            }
            let played = &game.record.game;
            if let Some(at) = ENDS.iter().position(|&end| Some(end) == played.end()) {
                summary.ends[at] += 1;
            }
            summary.plies += played.turns().len() as f64 / games.len() as f64;
            for (at, (time, tries, moves)) in spent.iter_mut().enumerate() {
                *time += game.spent[at].0.as_secs_f64();
                *moves += f64::from(game.spent[at].1);
                *tries += f64::from(game.tries[at]);
            }
        }
        summary.seconds_per_move = spent.map(|(time, _, moves)| time / moves.max(1.0));
        summary.tries_per_move = spent.map(|(_, tries, moves)| tries / moves.max(1.0));
        summary
    }
}

#[cfg(test)]
mod tests {
    use super::super::roster::player;
    use super::*;

    fn matched(names: [&str; 2], games: u32, millis: u64) -> Vec<Played> {
        let terms = Terms { games, time: Duration::from_millis(millis), seed: 3 };
        let make = |name: &str| player(name).unwrap();
        let makers: [&Maker<'_>; 2] = [&|| make(names[0]), &|| make(names[1])];
        play(names, makers, &terms, &AtomicBool::new(false), &|_| {})
    }

    #[test]
    fn the_same_seed_gives_the_same_games_on_any_number_of_threads() {
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let text = |games: Vec<Played>| -> Vec<String> {
            games.into_iter().map(|game| game.record.to_string()).collect()
        };
        let names = ["greedy", "random"];
        assert_eq!(text(one.install(|| matched(names, 8, 1))), text(matched(names, 8, 1)));
    }

    #[test]
    fn sides_and_counts_are_balanced() {
        let games = matched(["greedy", "random"], 10, 1);
        assert_eq!(games.iter().filter(|game| game.white == 0).count(), 5);
        let summary = Summary::of(&games);
        assert_eq!(summary.score.games(), 10);
        assert_eq!(summary.ends.iter().sum::<u32>(), 10);
        assert!(summary.tries_per_move.iter().all(|&tries| tries >= 1.0));
        for game in games {
            let again: Record = game.record.to_string().parse().unwrap();
            assert_eq!(again, game.record);
        }
    }

    #[test]
    fn darkboard_beats_random() {
        let summary = Summary::of(&matched(["darkboard:depth=1", "random"], 10, 20));
        assert!(summary.score.wins >= 7, "{summary:?}");
    }
}
