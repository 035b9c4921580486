//! `champion`: the strongest player here.
//!
//! At both ends it proves: a win that the solver finds it plays, and no move of its gives the
//! opponent a sure win within five plies. In between it has learned (the module
//! [`learned`](crate::learned)) how likely it is to win by what it sees. Bluffs come from there by
//! themselves: a red that runs for an exit has to be captured, and the model knows what that is
//! worth.

use crate::careful::{Proved, proved};
use crate::history::History;
use crate::learned::ahead::Ahead;
use crate::learned::belief::Belief;
use crate::learned::{Choice, Ghosts, Step, View, Weights, steps};
use crate::player::{Player, Thinking};
use endgame::solver::Solver;
use games::geister::{Game, Move, Observation, Placement, Side, Standard};
use rand::distr::Distribution;
use rand::distr::weighted::WeightedIndex;
use std::sync::Arc;
use std::time::Instant;

/// Set-ups are drawn by the exponential of what they are worth over this: ten to one between the best
/// and the worst, for who always sets up alike is seen through.
const SET_UP: f32 = 0.1;

/// What a step is worth less for each time that it has led to the same position before. Two who walk
/// to and fro draw, and nothing else tells them to stop.
const BOREDOM: f32 = 0.15;

/// How it thinks of what follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// How both sides choose when a game is played on in the head.
    pub ahead: Choice,
    /// Own steps of such a game.
    pub length: u32,
    /// What the model says at sight counts as much as so many games in the head.
    pub trust: f32,
    /// Games in the head for each step, however little time there is. With none, the model decides
    /// at sight.
    pub least: u32,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { ahead: Choice { temperature: 0.3, whim: 0.05 }, length: 2, trust: 30.0, least: 1 }
    }
}

/// The champion.
pub struct Champion {
    solver: Solver,
    weights: Arc<Weights>,
    plan: Plan,
}

impl Default for Champion {
    fn default() -> Champion {
        Champion::new(Weights::shipped(), Plan::default())
    }
}

impl Champion {
    /// With these weights and this plan.
    pub fn new(weights: Arc<Weights>, plan: Plan) -> Champion {
        Champion { solver: Solver::new(4 << 20), weights, plan }
    }

    /// The safe steps, and what the model thinks of them at sight.
    fn candidates(&self, now: &Observation<Standard>, belief: &Belief, safe: &[Move]) -> Vec<Step> {
        let chances = belief.blue();
        let mut found = Vec::new();
        steps(&self.weights, &View::new(now), |square| chances[square.index()], &mut found);
        found.retain(|step| safe.contains(&step.as_move()));
        found
    }
}

/// What the own side saw after each of its steps.
fn been_before(history: &History) -> Vec<View> {
    let own = history.steps().iter().filter(|step| step.is_own());
    own.filter_map(|step| {
        let Move::Step { from, to } = step.mv else { return None };
        Some(View::new(&step.before).stepped(from, to))
    })
    .collect()
}

impl Player<Standard> for Champion {
    /// Any, but rather those that have won more: reds in front, as a rule.
    fn place(&mut self, thinking: &Thinking) -> Placement<Standard> {
        let all: Vec<Placement<Standard>> = Placement::all().collect();
        let likings = all.iter().map(|&placement| {
            // The others' set-up changes nothing, for nobody sees it.
            let seen = Game::new(placement, placement, 1).observe(Side::Bottom);
            (self.weights.sum(&Ghosts::of(&View::new(&seen))) / SET_UP).exp()
        });
        let drawn = WeightedIndex::new(likings).map(|drawn| drawn.sample(&mut thinking.chance(0)));
        all[drawn.unwrap_or(0)]
    }

    fn choose(&mut self, history: &History, thinking: &Thinking) -> Move {
        let now = history.now();
        let deadline = Instant::now() + thinking.time.mul_f64(0.9);
        let safe = match proved(&mut self.solver, now, thinking.time / 4) {
            Proved::Win(mv) => return mv,
            Proved::Safe(moves) => moves,
        };
        let belief = Belief::of(history, &self.weights);
        let mut found = self.candidates(now, &belief, &safe);
        if found.len() > 1 && self.plan.least > 0 {
            let Plan { ahead: choice, length, trust, least, .. } = self.plan;
            let ahead = Ahead { weights: &self.weights, belief: &belief, choice, length, trust };
            let chance = &mut thinking.chance(now.ply());
            ahead.refine(&View::new(now), &mut found, least, deadline, chance);
        }
        let been = been_before(history);
        let worth = |step: &Step| {
            let after = View::new(now).stepped(step.from, step.to);
            step.worth - BOREDOM * been.iter().filter(|view| **view == after).count() as f32
        };
        let best = found.iter().max_by(|one, other| worth(one).total_cmp(&worth(other)));
        // Whoever can leave has a proven win, so that there is a step.
        best.unwrap_or(&found[0]).as_move()
    }
}
