//! Matches: many games between two players, sides and set-ups balanced, on all cores.

use crate::elo::Score;
use crate::history::History;
use crate::player::{Player, Thinking};
use crate::random::any_placement;
use crate::record::{GameRecord, NamedBoard};
use common::rng::derive_seed;
use games::Seat;
use games::geister::{Board, Game, Move, Placement};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How a match is played.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Games in all. An odd one is played with the first player beginning.
    pub games: u32,
    /// For each move.
    pub time: Duration,
    /// The seed of the match.
    pub seed: u64,
    /// Plies after which a game is drawn.
    pub draw_limit: u32,
    /// Players set up their ghosts themselves. Otherwise set-ups are drawn, and each player gets
    /// each of them once: the second game of two is the first with the players exchanged.
    pub own_placements: bool,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// The record, the one who began first.
    pub record: GameRecord,
    /// Which of the two players began: 0 or 1.
    pub began: usize,
    /// Who won, 0 or 1 by the order of the match.
    pub winner: Option<usize>,
    /// Time each player took, and for how many moves, by the order of the match.
    pub spent: Spent,
}

/// Time each of two players took, and for how many moves.
pub type Spent = [(Duration, u32); 2];

/// Makes a player for a game; each game has its own.
pub type Maker<'a, B> = dyn Fn() -> Box<dyn Player<B>> + Sync + 'a;

/// Plays one game; `None` if it was interrupted.
pub fn play_game<B: Board>(
    players: [&mut dyn Player<B>; 2],
    start: &Game<B>,
    thinking: &Thinking,
    stop: &AtomicBool,
) -> Option<(Vec<Move>, Spent)> {
    let [bottom, top] = players;
    let mut game = *start;
    let mut histories = [Seat::First, Seat::Second].map(|side| History::new(game.observe(side)));
    let (mut moves, mut spent) = (Vec::new(), [(Duration::ZERO, 0); 2]);
    while game.outcome().is_none() {
        if stop.load(Relaxed) {
            return None;
        }
        let side = game.turn();
        let at = usize::from(side == Seat::Second);
        let begun = Instant::now();
        let player: &mut dyn Player<B> = if at == 0 { &mut *bottom } else { &mut *top };
        let chosen = player.choose(&histories[at], thinking);
        spent[at] = (spent[at].0 + begun.elapsed(), spent[at].1 + 1);
        let mv = histories[at].now().played(chosen);
        // A player that makes an illegal move has a bug, and the match would be worth nothing.
        game = game.play(mv).expect("players make legal moves");
        moves.push(mv);
        for (history, side) in histories.iter_mut().zip([Seat::First, Seat::Second]) {
            let seen = history.now().seen(mv);
            history.see(seen, game.observe(side));
        }
    }
    Some((moves, spent))
}

/// The games of a match in their order. They do not depend on the number of threads, unless a
/// player looks at the clock. Ends early if `stop` is raised.
pub fn play<B: NamedBoard>(
    names: [&str; 2],
    makers: [&Maker<'_, B>; 2],
    terms: &Terms,
    stop: &AtomicBool,
    told: &(dyn Fn(&Played) + Sync),
) -> Vec<Played> {
    let games = (0..terms.games).into_par_iter();
    let played = games.filter_map(|number| {
        let one = one_game(names, makers, terms, number, stop)?;
        told(&one);
        Some(one)
    });
    played.collect()
}

fn one_game<B: NamedBoard>(
    names: [&str; 2],
    makers: [&Maker<'_, B>; 2],
    terms: &Terms,
    number: u32,
    stop: &AtomicBool,
) -> Option<Played> {
    // The two games of a pair have the same chance.
    let (pair, began) = (number / 2, (number % 2) as usize);
    let seed = derive_seed(terms.seed, u64::from(pair));
    let thinking = Thinking { time: terms.time, seed };
    let mut players = [makers[began](), makers[1 - began]()];
    let placements: [Placement<B>; 2] = if terms.own_placements {
        let [bottom, top] = &mut players;
        [bottom.place(&thinking), top.place(&Thinking { seed: derive_seed(seed, 1), ..thinking })]
    } else {
        let mut rng = thinking.rng(u32::MAX);
        [any_placement(&mut rng), any_placement(&mut rng)]
    };
    let start = Game::new(placements[0], placements[1], terms.draw_limit);
    let [bottom, top] = &mut players;
    let (moves, spent) = play_game([bottom.as_mut(), top.as_mut()], &start, &thinking, stop)?;
    let order = |at: usize| names[if at == 0 { began } else { 1 - began }].to_owned();
    let record = GameRecord::new([order(0), order(1)], &start, &moves, seed);
    let winner = record.winner.map(|side| if side == 0 { began } else { 1 - began });
    let spent = if began == 0 { spent } else { [spent[1], spent[0]] };
    Some(Played { record, began, winner, spent })
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
    /// Games by how they ended: an escape, the last blue captured, the last red captured, drawn.
    pub ends: [u32; 4],
}

impl Summary {
    /// Of these games.
    pub fn of(games: &[Played]) -> Summary {
        let mut summary = Summary::default();
        let mut spent = [(0.0, 0u32); 2];
        for game in games {
            match game.winner {
                Some(0) => summary.score.wins += 1,
                Some(_) => summary.score.losses += 1,
                None => summary.score.draws += 1,
            }
            let names = ["escape", "last-blue", "last-red", "draw"];
            let end = names.iter().position(|name| *name == game.record.end);
            summary.ends[end.unwrap_or(3)] += 1;
            summary.plies += game.record.moves.len() as f64 / games.len() as f64;
            for (sum, (time, moves)) in spent.iter_mut().zip(game.spent) {
                *sum = (sum.0 + time.as_secs_f64(), sum.1 + moves);
            }
        }
        summary.seconds_per_move = spent.map(|(time, moves)| time / f64::from(moves.max(1)));
        summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::rush::Rush;
    use games::geister::{Small, Standard};

    fn terms(games: u32) -> Terms {
        Terms {
            games,
            time: Duration::from_millis(1),
            seed: 7,
            draw_limit: 300,
            own_placements: false,
        }
    }

    fn random<B: Board>() -> Box<dyn Player<B>> {
        Box::new(Random)
    }

    fn rush<B: Board>() -> Box<dyn Player<B>> {
        Box::new(Rush)
    }

    fn matched<B: NamedBoard>(games: u32) -> Vec<Played> {
        let stop = AtomicBool::new(false);
        play::<B>(["rush", "random"], [&rush::<B>, &random::<B>], &terms(games), &stop, &|_| {})
    }

    #[test]
    fn rush_beats_random_on_both_boards() {
        let summary = Summary::of(&matched::<Standard>(60));
        assert!(summary.score.share() > 0.9, "{summary:?}");
        assert_eq!(summary.ends.iter().sum::<u32>(), 60);
        assert!(Summary::of(&matched::<Small>(60)).score.share() > 0.75);
    }

    #[test]
    fn games_come_in_pairs_with_players_exchanged() {
        let games = matched::<Standard>(20);
        for pair in games.chunks(2) {
            assert_eq!(pair[0].record.red, pair[1].record.red);
            assert_eq!((pair[0].began, pair[1].began), (0, 1));
            assert_eq!(pair[0].record.players[0], "rush");
            assert_eq!(pair[1].record.players[0], "random");
        }
    }

    #[test]
    fn records_replay_and_are_checked() {
        for game in matched::<Standard>(10) {
            let text = serde_json::to_string(&game.record).unwrap();
            let again: GameRecord = serde_json::from_str(&text).unwrap();
            assert_eq!(again, game.record);
            again.replay::<Standard>().unwrap();
            assert!(again.replay::<Small>().is_err());
            let mut cut = again.clone();
            cut.moves.pop();
            assert!(cut.replay::<Standard>().is_err());
            let mut wrong = again.clone();
            wrong.winner = wrong.winner.map(|winner| 1 - winner).or(Some(0));
            assert!(wrong.replay::<Standard>().is_err());
            let mut illegal = again;
            illegal.moves[3] = "a1a3".into();
            assert_eq!(
                illegal.replay::<Standard>().unwrap_err(),
                crate::record::RecordError::Move(3)
            );
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_games_on_any_number_of_threads() {
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let records =
            |games: Vec<Played>| games.into_iter().map(|game| game.record).collect::<Vec<_>>();
        assert_eq!(
            records(one.install(|| matched::<Standard>(12))),
            records(matched::<Standard>(12))
        );
    }
}
