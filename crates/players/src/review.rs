//! What a review of a game of Geister looks for: wins that were given away, and what the opponent
//! believed about the colours.

use crate::learned::Weights;
use crate::learned::belief::Belief;
use crate::style::Style;
use crate::style::beliefs::Beliefs;
use games::geister::{Board, Game, Move, Position, Square, Standard};
use games::hidden::InformationState;
use geister::feel::{Goal, Sight};
use geister::judge::{self, Patience, Worth};
use geister::solver::Solver;
use play::review::{MissedWin, Opportunity, OwnTurn, Reviewer};
use search::{Budget, Limits, Verdict};
use std::sync::Arc;

/// The model of what the opponent believed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BeliefModel {
    /// That of P5's player with this style.
    Style(Style),
    /// That of the champion. It stands in for people, and for programs without beliefs.
    Champion,
}

/// The probability of blue that the opponent gave each ghost of the seat, in the view of the seat.
pub type BelievedBlue = Vec<(Square, f64)>;

/// How far a person sees: its goal is a blue that runs free, two own moves ahead.
const SIGHT: Sight = Sight { goal: Goal::Run, ahead: 2 };
/// Plies of the longest win that is looked for.
const MAX_WIN_PLIES: u32 = 21;
/// Nodes of the search for a win at one turn.
const MAX_WIN_NODES: u64 = 60_000;
/// Nodes of the judgement of a move: about a tenth of a second each.
const PATIENCE: Patience = Patience { nodes: 400_000, beyond: 40_000 };
/// Nodes of a conspiracy number.
const MAX_CONSPIRACY_NODES: u64 = 2_000_000;

/// Reviews games of Geister. Its solver may be that of earlier reviews.
pub struct GeisterReviewer<'a> {
    solver: &'a mut Solver,
    opponent: BeliefModel,
    weights: Arc<Weights>,
}

impl<'a> GeisterReviewer<'a> {
    /// A reviewer for a seat whose opponent believed what this model says.
    pub fn new(solver: &'a mut Solver, opponent: BeliefModel) -> GeisterReviewer<'a> {
        GeisterReviewer { solver, opponent, weights: Weights::shipped() }
    }

    /// The probability of blue for a ghost, as the opponent sees the board.
    fn belief(&self, information: &InformationState<Game>) -> Box<dyn Fn(Square) -> f64> {
        match self.opponent {
            BeliefModel::Style(style) => {
                let believed = Beliefs::after(&style, information).opponent;
                Box::new(move |square| believed.blue_at(square).unwrap_or(0.5))
            }
            BeliefModel::Champion => {
                let blue = Belief::of(information, &self.weights).blue();
                Box::new(move |square| f64::from(blue[square.index()]))
            }
        }
    }
}

impl Reviewer<Game> for GeisterReviewer<'_> {
    type Position = Position;
    type Knowledge = BelievedBlue;

    fn conspiracy_number(&mut self, turn: &OwnTurn<'_, Game>) -> Option<Option<u32>> {
        let limits = Limits { nodes: Some(MAX_CONSPIRACY_NODES), ..Limits::default() };
        SIGHT.number(&turn.information.now().purple()?, &mut Budget::new(&limits)).ok()
    }

    fn opportunity(&mut self, turn: &OwnTurn<'_, Game>) -> Opportunity<Move, Position> {
        let Some(position) = turn.information.now().purple() else { return Opportunity::None };
        let limits =
            Limits { depth: MAX_WIN_PLIES, nodes: Some(MAX_WIN_NODES), ..Limits::default() };
        let verdict = self.solver.verdict(&position, &mut Budget::new(&limits), &mut ()).verdict;
        let Verdict::Win(plies) = verdict else { return Opportunity::None };
        let judged = judge::judge(self.solver, &position, plies, turn.played, None, PATIENCE);
        match judged.map(|judgement| judgement.worth) {
            Ok(Worth::Right | Worth::Longer(_)) => Opportunity::Kept,
            Ok(Worth::Lost { .. }) => {
                let best = judge::hint(self.solver, &position, plies, PATIENCE).ok().flatten();
                best.map_or(Opportunity::None, |best| {
                    Opportunity::Missed(MissedWin { plies, best, position })
                })
            }
            Ok(Worth::Unclear { .. }) | Err(_) => Opportunity::None,
        }
    }

    fn opponent_knowledge(&mut self, information: &InformationState<Game>) -> Option<BelievedBlue> {
        let probability = self.belief(information);
        let ghosts = information.now().opponent();
        Some(ghosts.map(|square| (Standard::turned(square), probability(square))).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Random, any_placement};
    use common::rng::derive_seed;
    use games::Seat;
    use games::geister::{DrawLimit, Placement};
    use games::hidden::{HiddenGame, ObservedGame};
    use play::review::{Known, Missed, review};
    use play::{Player, Thinking};
    use rand::SeedableRng;
    use std::time::Duration;

    fn game(seed: u64) -> ([Placement; 2], Vec<Move>) {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
        let setups = [any_placement(&mut rng), any_placement(&mut rng)];
        let mut game = ObservedGame::<Game>::begin(&DrawLimit(120), setups);
        let mut moves = Vec::new();
        while game.state().outcome().is_none() {
            let seat = game.state().turn();
            let thinking =
                Thinking { time: Duration::ZERO, seed: derive_seed(seed, moves.len() as u64) };
            let mv = Game::<Standard>::turned(Random.choose(game.of(seat), &thinking), seat);
            game.apply(mv).unwrap();
            moves.push(mv);
        }
        (setups, moves)
    }

    #[test]
    fn missed_wins_are_wins_and_beliefs_sum_to_the_number_of_blues() {
        let mut solver = Solver::new(8 << 20);
        let mut missed = 0;
        for seed in 0..6 {
            let (setups, moves) = game(seed);
            let start = DrawLimit(120);
            for seat in Seat::ALL {
                let reviewer = &mut GeisterReviewer::new(&mut solver, BeliefModel::Champion);
                let found = review::<Game, _>(&start, setups, &moves, seat, reviewer);
                for Missed { played, win, .. } in &found.missed {
                    missed += 1;
                    let budget =
                        &mut Budget::new(&Limits { depth: win.plies, ..Limits::default() });
                    let verdict = solver.verdict(&win.position, budget, &mut ()).verdict;
                    assert_eq!(verdict, Verdict::Win(win.plies));
                    assert_ne!(win.best, *played);
                }
                let begun = Game::begin(&start, setups);
                let states: Vec<Game> = (0..=moves.len())
                    .map(|ply| moves[..ply].iter().fold(begun, |game, &mv| game.play_unchecked(mv)))
                    .collect();
                for Known { ply, knowledge } in &found.known {
                    let army = states[*ply].army(seat);
                    let sum: f64 = knowledge.iter().map(|one| one.1).sum();
                    assert!((sum - f64::from(army.blue.count())).abs() < 1e-3, "{sum}");
                    assert_eq!(knowledge.len() as u32, army.all().count());
                }
                assert_eq!(found.feel.turns.last().unwrap().ply, moves.len());
            }
        }
        assert!(missed > 0, "random movers miss wins");
    }
}
