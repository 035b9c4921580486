//! A game of Geister, looked at afterwards.

use super::Feel;
use crate::learned::Weights;
use crate::learned::belief::Belief;
use crate::style::Style;
use crate::style::guess::Guesses;
use games::Seat;
use games::geister::{Game, Move, Position, Square};
use geister::feel::{Goal, Sight};
use geister::judge::{self, Patience, Worth};
use geister::solver::Solver;
use search::{Budget, Limits, Stop, Verdict};

/// How a side made up its mind about the other one's colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Believer {
    /// As P5's player with this style.
    Style(Style),
    /// As the champion. It stands in for people, and for programs that believe nothing.
    Champion,
}

/// What the other side believed before one of its moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Believed {
    /// The plies before that move; all plies of the game for what it believed at the end.
    pub ply: usize,
    /// For each ghost of the seat, in the seat's view: how likely it was thought to be blue.
    pub blue: Vec<(Square, f64)>,
}

/// A win that was proved to be there, and given away.
#[derive(Clone, Debug, PartialEq)]
pub struct Missed {
    /// The plies before it.
    pub ply: usize,
    /// The plies that the win would have taken.
    pub plies: u32,
    /// How it would have begun, in the seat's view.
    pub best: Move,
    /// What was played, in the seat's view.
    pub played: Move,
    /// The position, in the seat's view.
    pub position: Position,
}

/// What one seat learns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Review {
    /// How it felt.
    pub feel: Feel,
    /// Wins that were missed.
    pub missed: Vec<Missed>,
    /// Turns in which a win was there and kept.
    pub kept: u32,
    /// What the other side believed.
    pub beliefs: Vec<Believed>,
}

/// How far a person sees: its goal is a blue that runs free, two own moves ahead.
const SIGHT: Sight = Sight { goal: Goal::Run, ahead: 2 };
/// Wins are looked for up to so many plies.
const DEPTH: u32 = 21;
/// Nodes of the search for a win at one turn.
const NODES: u64 = 60_000;
/// Nodes of the judgement of a move: about a tenth of a second each.
const PATIENCE: Patience = Patience { nodes: 400_000, beyond: 40_000 };
/// Nodes of a conspiracy number.
const FEEL_NODES: u64 = 2_000_000;

/// Looks at a game as the side that `seat` is played it; `other` is how the other side believed.
///
/// # Errors
/// If the moves are not those of a game.
pub fn review(
    start: &Game,
    moves: &[Move],
    seat: Seat,
    other: Believer,
    solver: &mut Solver,
) -> Result<Review, usize> {
    let history = start.information_state(moves, seat).map_err(|error| error.index)?;
    let mut found = Review::default();
    let mut numbers = Vec::new();
    for (ply, step) in history.steps().iter().enumerate().filter(|(_, step)| step.before.to_move())
    {
        let Some(position) = step.before.purple() else { continue };
        if let Ok(number) = number(&position) {
            numbers.push((ply, number));
        }
        match look(solver, &position, step.event) {
            Look::Missed { plies, best } => {
                found.missed.push(Missed { ply, plies, best, played: step.event, position });
            }
            Look::Kept => found.kept += 1,
            Look::Nothing => {}
        }
    }
    let end = history.now().outcome();
    if let Some(outcome) = end {
        numbers.push((moves.len(), (outcome.winner() == Some(seat)).then_some(0)));
    }
    found.feel = Feel::new(&numbers);
    found.beliefs = beliefs(start, moves, seat, other)?;
    Ok(found)
}

fn number(position: &Position) -> Result<Option<u32>, Stop> {
    SIGHT.number(
        position,
        &mut Budget::new(&Limits { nodes: Some(FEEL_NODES), ..Limits::default() }),
    )
}

enum Look {
    Nothing,
    Kept,
    Missed { plies: u32, best: Move },
}

/// Whether a win was there, and what the move that was played made of it.
fn look(solver: &mut Solver, position: &Position, played: Move) -> Look {
    let limits = Limits { depth: DEPTH, nodes: Some(NODES), ..Limits::default() };
    let verdict = solver.verdict(position, &mut Budget::new(&limits), &mut ()).verdict;
    let Verdict::Win(plies) = verdict else { return Look::Nothing };
    let judged = judge::judge(solver, position, plies, played, None, PATIENCE);
    match judged.map(|judgement| judgement.worth) {
        Ok(Worth::Right | Worth::Longer(_)) => Look::Kept,
        Ok(Worth::Lost { .. }) => {
            let best = judge::hint(solver, position, plies, PATIENCE).ok().flatten();
            best.map_or(Look::Nothing, |best| Look::Missed { plies, best })
        }
        Ok(Worth::Unclear { .. }) | Err(_) => Look::Nothing,
    }
}

/// What the other side believed before each of its moves, and at the end.
fn beliefs(
    start: &Game,
    moves: &[Move],
    seat: Seat,
    other: Believer,
) -> Result<Vec<Believed>, usize> {
    let viewer = seat.opponent();
    let weights = Weights::shipped();
    let turns = (0..moves.len()).filter(|ply| (ply % 2 == 0) == (viewer == Seat::First));
    turns
        .chain([moves.len()])
        .map(|ply| {
            let history =
                start.information_state(&moves[..ply], viewer).map_err(|error| error.index)?;
            let others = history.now().others();
            let probability: Box<dyn Fn(Square) -> f64> = match other {
                Believer::Style(style) => {
                    let believed = Guesses::after(&style, &history).others;
                    Box::new(move |square| believed.blue_at(square).unwrap_or(0.5))
                }
                Believer::Champion => {
                    let blue = Belief::of(&history, &weights).blue();
                    Box::new(move |square| f64::from(blue[square.index()]))
                }
            };
            // From the other side's view to the seat's: turned by half.
            let turned = <games::geister::Standard as games::geister::Board>::turned;
            Ok(Believed {
                ply,
                blue: others.map(|square| (turned(square), probability(square))).collect(),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Random, any_placement};
    use common::rng::derive_seed;
    use games::geister::Standard;
    use play::{Player, Thinking};
    use rand::SeedableRng;
    use std::time::Duration;

    fn game(seed: u64) -> (Game, Vec<Move>) {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
        let start = Game::new(any_placement(&mut rng), any_placement(&mut rng), 120);
        let (mut now, mut moves) = (start, Vec::new());
        let mut player: Box<dyn Player<Game<Standard>>> = Box::new(Random);
        while now.outcome().is_none() {
            let history = start.information_state(&moves, now.turn()).unwrap();
            let thinking =
                Thinking { time: Duration::ZERO, seed: derive_seed(seed, moves.len() as u64) };
            let mv = now.observe(now.turn()).played(player.choose(&history, &thinking));
            now = now.play(mv).unwrap();
            moves.push(mv);
        }
        (start, moves)
    }

    #[test]
    fn what_is_missed_was_there_and_beliefs_add_up() {
        let mut solver = Solver::new(8 << 20);
        let mut missed = 0;
        for seed in 0..6 {
            let (start, moves) = game(seed);
            for seat in [Seat::First, Seat::Second] {
                let found = review(&start, &moves, seat, Believer::Champion, &mut solver).unwrap();
                for one in &found.missed {
                    missed += 1;
                    let budget =
                        &mut Budget::new(&Limits { depth: one.plies, ..Limits::default() });
                    let verdict = solver.verdict(&one.position, budget, &mut ()).verdict;
                    assert_eq!(verdict, Verdict::Win(one.plies));
                    assert_ne!(one.best, one.played);
                }
                let course: Vec<Game> = (0..=moves.len())
                    .map(|ply| moves[..ply].iter().fold(start, |game, &mv| game.play_unchecked(mv)))
                    .collect();
                for believed in &found.beliefs {
                    let army = course[believed.ply].army(seat);
                    let sum: f64 = believed.blue.iter().map(|one| one.1).sum();
                    assert!((sum - f64::from(army.blue.count())).abs() < 1e-3, "{sum}");
                    assert_eq!(believed.blue.len() as u32, army.all().count());
                }
                assert_eq!(found.feel.turns.last().unwrap().ply, moves.len());
            }
        }
        assert!(missed > 0, "players who move by chance miss wins");
    }
}
