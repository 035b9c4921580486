//! `champion`: the strongest player here.
//!
//! At both ends it proves: a win that the solver or a table of small endings knows it plays, and no
//! move of its gives the opponent a sure win within five plies. In between it has learned (the module
//! [`learned`](crate::learned)) how likely it is to win by what it sees, and looks a few plies ahead
//! with that. Bluffs come from what was learned: a red that runs for an exit has to be captured, and
//! the model knows what that is worth.

use crate::learned::belief::Belief;
use crate::learned::belief_search::{BeliefSearch, Candidate};
use crate::learned::{Features, ScoredStep, Weights, score_steps};
use crate::prover::{Proved, Prover};
use games::Seat;
use games::geister::{DrawLimit, Game, Move, Placement};
use games::hidden::InformationState;
use geister::state::State;
use geister::tablebase::Tablebase;
use play::{Player, Thinking};
use rand::distr::Distribution;
use rand::distr::weighted::WeightedIndex;
use search::Limits;
use std::sync::Arc;
use std::time::Instant;

/// The temperature of the softmax by which placements are drawn: the best is ten times as likely as
/// the worst, since an opponent sees through a player that always places its pieces alike.
const PLACEMENT_TEMPERATURE: f32 = 0.1;

/// What is taken off the score of a step for each time that it led to the same position before. Two
/// players that walk to and fro draw, and nothing else makes them stop.
const REPETITION_PENALTY: f32 = 0.15;

/// How far it looks ahead, in plies; both are odd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// However little time there is; with 1, the model decides at sight.
    pub least: u32,
    /// However much.
    pub most: u32,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { least: 3, most: 15 }
    }
}

/// The champion.
pub struct Champion {
    prover: Prover,
    weights: Arc<Weights>,
    plan: Plan,
}

impl Champion {
    /// With these weights, this plan and these tables of small endings.
    pub fn new(weights: Arc<Weights>, plan: Plan, tables: &Tablebase) -> Champion {
        Champion { prover: Prover::new(tables), weights, plan }
    }

    /// The best of the safe moves.
    fn best(&self, history: &InformationState<Game>, safe: &[Move], deadline: Instant) -> Move {
        let state = State::from(history.now());
        let blue = Belief::of(history, &self.weights).blue();
        let mut found = Vec::new();
        score_steps(&self.weights, &state, |square| blue[square.index()], &mut found);
        let past = states_after_own_steps(history);
        let candidate = |mut step: ScoredStep| {
            let after = state.after_own(step.from, step.to);
            let repetitions = past.iter().filter(|past| **past == after).count();
            let penalty = REPETITION_PENALTY * repetitions as f32;
            step.score -= penalty;
            Candidate { step, penalty }
        };
        let mut candidates: Vec<Candidate> = found
            .into_iter()
            .filter(|step| safe.contains(&step.as_move()))
            .map(candidate)
            .collect();
        let Plan { least, most } = self.plan;
        let time = deadline.saturating_duration_since(Instant::now());
        let limits = Limits { depth: most, time: Some(time), ..Limits::default() };
        BeliefSearch::new(&self.weights).sort(&state, &blue, &mut candidates, least, &limits);
        // A piece that can leave the board has a proven win, so that there is a step.
        candidates[0].step.as_move()
    }
}

/// The states after each own step of the game.
fn states_after_own_steps(history: &InformationState<Game>) -> Vec<State> {
    let own = history.steps().iter().filter(|step| step.before.to_move());
    own.filter_map(|step| {
        let Move::Step { from, to } = step.event else { return None };
        Some(State::from(&step.before).after_own(from, to))
    })
    .collect()
}

impl Player<Game> for Champion {
    /// Any, but rather those that have won more: reds in front, as a rule.
    fn set_up(&mut self, _: &DrawLimit, thinking: &Thinking) -> Placement {
        let all: Vec<Placement> = Placement::all().collect();
        let scores = all.iter().map(|&placement| {
            // The others' set-up changes nothing, for nobody sees it.
            let seen = Game::new(placement, placement, 1).observe(Seat::First);
            (self.weights.logit(&Features::of(&State::from(&seen))) / PLACEMENT_TEMPERATURE).exp()
        });
        let drawn = WeightedIndex::new(scores).map(|drawn| drawn.sample(&mut thinking.rng(0)));
        all[drawn.unwrap_or(0)]
    }

    fn choose(&mut self, history: &InformationState<Game>, thinking: &Thinking) -> Move {
        let now = history.now();
        let deadline = Instant::now() + thinking.time.mul_f64(0.9);
        let safe = match self.prover.prove(now, thinking.time / 4) {
            Proved::Win(mv) => return mv,
            Proved::Safe(moves) => moves,
        };
        self.best(history, &safe, deadline)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::any_placement;
    use rand::seq::SliceRandom;
    use std::collections::HashMap;
    use std::time::Duration;

    /// A move of an opponent that only waits: it stays in its two home rows and captures nothing if
    /// it can.
    fn wait(history: &InformationState<Game>, thinking: &Thinking) -> Move {
        let now = history.now();
        let mut moves = now.legal_moves();
        moves.shuffle(&mut thinking.rng(now.ply()));
        let activity = |mv: &Move| match mv.to() {
            Some(to) if now.opponent().has(to) => 2,
            Some(to) => u32::from(to.row() > 1),
            None => 3,
        };
        moves.into_iter().min_by_key(activity).unwrap()
    }

    /// What the champion saw after each of its moves in a game against [`wait`].
    fn seen_against_waiting(champion: &mut Champion, seed: u64) -> Vec<State> {
        // No time, so that the games are the same on every machine.
        let thinking = Thinking { time: Duration::ZERO, seed };
        let top = any_placement(&mut thinking.rng(u32::MAX));
        let start = Game::new(champion.set_up(&DrawLimit(120), &thinking), top, 120);
        let (mut game, mut moves) = (start, Vec::new());
        while game.outcome().is_none() {
            let history = start.information_state(&moves, game.turn()).unwrap();
            let mv = match game.turn() {
                Seat::First => champion.choose(&history, &thinking),
                Seat::Second => wait(&history, &thinking),
            };
            moves.push(history.now().played(mv));
            game = game.play(*moves.last().unwrap()).unwrap();
        }
        states_after_own_steps(&start.information_state(&moves, Seat::First).unwrap())
    }

    /// Without a penalty, one move in 18 leads to a position that was there before, some of them
    /// seven times. Both what it sees at once and what it searches must count the penalty.
    #[test]
    fn the_champion_avoids_repetitions() {
        for plies in [1, 3] {
            let plan = Plan { least: plies, most: plies };
            let mut champion = Champion::new(Weights::shipped(), plan, &Tablebase::default());
            let (mut steps, mut repetitions) = (0, 0);
            for seed in 0..10 {
                let mut times = HashMap::new();
                for state in seen_against_waiting(&mut champion, seed) {
                    *times.entry(state).or_insert(0) += 1;
                    steps += 1;
                }
                repetitions += times.values().map(|times| times - 1).sum::<u32>();
                let most = times.into_values().max();
                assert!(
                    most <= Some(2),
                    "a position {most:?} times with {plies} plies, seed {seed}"
                );
            }
            assert!(steps > 200 && 100 * repetitions <= steps, "{repetitions} of {steps}");
        }
    }
}
