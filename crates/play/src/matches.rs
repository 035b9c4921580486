//! Matches: many games between two players, seats and set-ups balanced, on all cores.

use crate::elo::MatchScore;
use crate::record::Record;
use crate::{Player, Thinking, random_setup};
use common::rng::derive_seed;
use games::Seat;
use games::hidden::{GameOutcome, HiddenGame, ObservedGame, Reply};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How a match is played.
#[derive(Clone, Debug)]
pub struct Terms<G: HiddenGame> {
    /// Games in all. An odd one is played with the first player in the first seat.
    pub games: u32,
    /// The time for each move, all its tries together.
    pub time: Duration,
    /// The seed of the match.
    pub seed: u64,
    /// How games start.
    pub start: G::Start,
    /// Where the seeds of the games come from.
    pub seeding: Seeding,
    /// Players choose their set-ups themselves. Otherwise set-ups are drawn from the seed of the
    /// game.
    pub own_setups: bool,
}

/// How the seeds of games and players are derived from that of the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seeding {
    /// The two games of a pair, with the players exchanged, have one seed, and both seats use it:
    /// each player gets each drawn set-up once.
    Pairs,
    /// Every game has a seed of its own, and every seat another one derived from it.
    Seats,
}

impl Seeding {
    fn of_game(self, seed: u64, number: u32) -> u64 {
        let part = if self == Seeding::Pairs { number / 2 } else { number };
        derive_seed(seed, u64::from(part))
    }

    fn of_seat(self, seed: u64, seat: Seat) -> u64 {
        if self == Seeding::Pairs { seed } else { derive_seed(seed, seat.index() as u64) }
    }
}

/// What a player has used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Time for all its choices.
    pub time: Duration,
    /// Actions that were played.
    pub moves: u32,
    /// Actions that were played or refused.
    pub tries: u32,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played<G: HiddenGame> {
    /// The record, with the player in the first seat first.
    pub record: Record<G>,
    /// How it ended.
    pub outcome: G::Outcome,
    /// Which of the two players had the first seat: 0 or 1.
    pub began: usize,
    /// The winner, 0 or 1 by the order of the match.
    pub winner: Option<usize>,
    /// What the players used, by the order of the match.
    pub effort: [Effort; 2],
}

/// Makes a player for a game; each game has its own.
pub type Make<'a, G> = dyn Fn() -> Box<dyn Player<G>> + Sync + 'a;

/// The course of one game.
#[derive(Clone, Debug)]
pub struct Course<G: HiddenGame> {
    /// Every action, refused or played, in the coordinates of the first seat.
    pub actions: Vec<G::Action>,
    /// How it ended.
    pub outcome: G::Outcome,
    /// What the players used, by seat.
    pub effort: [Effort; 2],
}

/// Plays one game to its end, with the thinking of each seat; `None` if it was interrupted.
///
/// # Panics
/// If a player chooses what is no candidate, or what was refused in the same turn: it has a bug,
/// and the match would say nothing.
pub fn play_game<G: HiddenGame>(
    players: [&mut dyn Player<G>; 2],
    start: &G::Start,
    setups: [G::Setup; 2],
    thinking: [Thinking; 2],
    stop: &AtomicBool,
) -> Option<Course<G>> {
    let [first, second] = players;
    let mut game = ObservedGame::<G>::begin(start, setups);
    let (mut actions, mut effort) = (Vec::new(), [Effort::default(); 2]);
    let mut refused: Vec<G::Action> = Vec::new();
    loop {
        if let Some(outcome) = game.state().outcome() {
            return Some(Course { actions, outcome, effort });
        }
        if stop.load(Relaxed) {
            return None;
        }
        let seat = game.state().turn();
        let at = seat.index();
        let begun = Instant::now();
        let player: &mut dyn Player<G> = if at == 0 { &mut *first } else { &mut *second };
        let action = G::turned(player.choose(game.of(seat), &thinking[at]), seat);
        effort[at].time += begun.elapsed();
        effort[at].tries += 1;
        assert!(!refused.contains(&action), "{action} was refused already");
        let reply = game.apply(action).expect("players choose candidates");
        actions.push(action);
        match reply {
            Reply::Refused => refused.push(action),
            Reply::Played => {
                effort[at].moves += 1;
                refused.clear();
            }
        }
    }
}

/// The games of a match in their order. They do not depend on the number of threads, unless a
/// player looks at the clock. Ends early if `stop` is raised; `on_game` is called after each game.
pub fn play<G: HiddenGame>(
    names: [&str; 2],
    makers: [&Make<'_, G>; 2],
    terms: &Terms<G>,
    stop: &AtomicBool,
    on_game: &(dyn Fn(&Played<G>) + Sync),
) -> Vec<Played<G>> {
    // One game a task: games differ much in length.
    let games = (0..terms.games).into_par_iter().with_max_len(1);
    let played = games.filter_map(|number| {
        let one = one_game(names, makers, terms, number, stop)?;
        on_game(&one);
        Some(one)
    });
    played.collect()
}

/// A single game of a match, by its number; `None` if it was interrupted.
pub fn one_game<G: HiddenGame>(
    names: [&str; 2],
    makers: [&Make<'_, G>; 2],
    terms: &Terms<G>,
    number: u32,
    stop: &AtomicBool,
) -> Option<Played<G>> {
    let began = (number % 2) as usize;
    let seed = terms.seeding.of_game(terms.seed, number);
    let mut players = [makers[began](), makers[1 - began]()];
    let setups = set_up(&mut players, terms, seed);
    let thinking = Seat::ALL
        .map(|seat| Thinking { time: terms.time, seed: terms.seeding.of_seat(seed, seat) });
    let [first, second] = &mut players;
    let seated: [&mut dyn Player<G>; 2] = [first.as_mut(), second.as_mut()];
    let Course { actions, outcome, effort } =
        play_game(seated, &terms.start, setups, thinking, stop)?;
    // The same exchange leads from seats to the order of the match and back.
    let exchanged = |at: usize| if began == 0 { at } else { 1 - at };
    let record = Record {
        start: terms.start.clone(),
        setups,
        actions,
        players: [0, 1].map(|at| names[exchanged(at)].to_owned()),
        seed,
        resigned: None,
    };
    let winner = outcome.winner().map(|seat| exchanged(seat.index()));
    let effort = [0, 1].map(|at| effort[exchanged(at)]);
    Some(Played { record, outcome, began, winner, effort })
}

/// The set-ups of both seats.
fn set_up<G: HiddenGame>(
    players: &mut [Box<dyn Player<G>>; 2],
    terms: &Terms<G>,
    seed: u64,
) -> [G::Setup; 2] {
    let thinking = Thinking { time: terms.time, seed };
    if terms.own_setups {
        let [first, second] = players;
        let other = Thinking { seed: derive_seed(seed, 1), ..thinking };
        [first.set_up(&terms.start, &thinking), second.set_up(&terms.start, &other)]
    } else {
        // No step of a game has this number.
        let mut rng = thinking.rng(u32::MAX);
        [0, 1].map(|_| random_setup::<G>(&terms.start, &mut rng))
    }
}

/// What came of a match for the first player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Wins, draws and losses.
    pub score: MatchScore,
    /// Plies of a game on average.
    pub plies: f64,
    /// Seconds of a move on average, by player.
    pub seconds_per_move: [f64; 2],
    /// Tries of a move on average, by player.
    pub tries_per_move: [f64; 2],
    /// Games by the reason of their end, in the order of [`GameOutcome::REASONS`].
    pub reasons: Vec<(&'static str, u32)>,
}

impl Summary {
    /// The summary of these games.
    pub fn of<G: HiddenGame>(games: &[Played<G>]) -> Summary {
        let reasons = G::Outcome::REASONS.iter().map(|&reason| (reason, 0)).collect();
        let mut summary = Summary { reasons, ..Summary::default() };
        let mut efforts = [Effort::default(); 2];
        for game in games {
            match game.winner {
                Some(0) => summary.score.wins += 1,
                Some(_) => summary.score.losses += 1,
                None => summary.score.draws += 1,
            }
            let reason = summary.reasons.iter_mut().find(|one| one.0 == game.outcome.reason());
            reason.into_iter().for_each(|one| one.1 += 1);
            let plies: u32 = game.effort.iter().map(|effort| effort.moves).sum();
            summary.plies += f64::from(plies) / games.len() as f64;
            for (sum, effort) in efforts.iter_mut().zip(game.effort) {
                sum.time += effort.time;
                sum.moves += effort.moves;
                sum.tries += effort.tries;
            }
        }
        let per_move = |amount: f64, effort: Effort| amount / f64::from(effort.moves.max(1));
        summary.seconds_per_move =
            efforts.map(|effort| per_move(effort.time.as_secs_f64(), effort));
        summary.tries_per_move = efforts.map(|effort| per_move(effort.tries.into(), effort));
        summary
    }
}
