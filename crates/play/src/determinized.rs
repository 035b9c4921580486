//! A player that searches resampled true states: information-set Monte Carlo tree search with a
//! single observer (Cowling, Powley and Whitehouse 2012).
//!
//! Every iteration takes one true state that agrees with the information state and descends one
//! tree that all of them share. A node is reached by the actions since the root. An action is
//! available in some states only, so that UCB counts how often it could have been chosen.

use crate::{Player, Thinking, uniform};
use common::rng::SplitMix64;
use games::Seat;
use games::hidden::{GameOutcome, HiddenGame, InformationState, Resample};
use rand::{Rng, RngCore};
use std::time::Instant;

/// How much is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Iterations for a choice, if the time allows them.
    pub iterations: u32,
    /// True states that are resampled for a choice.
    pub states: usize,
    /// The weight of exploration in UCB.
    pub exploration: f64,
    /// Steps after which a playout counts as a draw.
    pub max_playout: u32,
}

impl Default for Plan {
    /// 2000 iterations over 64 states, with the exploration of the paper.
    fn default() -> Plan {
        Plan { iterations: 2000, states: 64, exploration: 0.7, max_playout: 200 }
    }
}

/// The player.
#[derive(Clone, Copy, Debug, Default)]
pub struct Determinized {
    plan: Plan,
}

impl Determinized {
    /// A player with this plan.
    pub const fn new(plan: Plan) -> Determinized {
        Determinized { plan }
    }
}

impl<G: Resample> Player<G> for Determinized {
    fn choose(&mut self, information: &InformationState<G>, thinking: &Thinking) -> G::Action {
        let candidates = information.candidates();
        let mut rng = thinking.rng(information.steps().len() as u32);
        let states = G::resample(information, self.plan.states, &mut rng);
        if candidates.len() < 2 || states.is_empty() {
            return uniform(&candidates, information, thinking);
        }
        let deadline = Instant::now() + thinking.time;
        let mut tree = Tree::new(self.plan, rng.next_u64());
        for iteration in 0..self.plan.iterations {
            // The clock is looked at rarely: an iteration is short.
            if iteration % 16 == 15 && Instant::now() >= deadline {
                break;
            }
            tree.iterate(states[rng.random_range(0..states.len())].clone());
        }
        let seat = information.seat();
        // A state may have come to agree with a refusal: only candidates can be chosen.
        let best = tree.most_visited(|action| candidates.contains(&G::turned(action, seat)));
        best.map_or_else(
            || uniform(&candidates, information, thinking),
            |action| G::turned(action, seat),
        )
    }
}

/// An action from a node, in the coordinates of the first seat.
struct Edge<A> {
    action: A,
    child: usize,
    /// Iterations in which it could be chosen.
    available: u32,
    visits: u32,
    /// Points of the seat that chooses here.
    points: f64,
}

struct Tree<A> {
    plan: Plan,
    rng: SplitMix64,
    /// The edges of each node; the root is the first.
    nodes: Vec<Vec<Edge<A>>>,
}

impl<A: Copy + Eq> Tree<A> {
    fn new(plan: Plan, seed: u64) -> Tree<A> {
        Tree { plan, rng: SplitMix64::new(seed), nodes: vec![Vec::new()] }
    }

    /// One descent, one new node, one playout.
    fn iterate<G: HiddenGame<Action = A>>(&mut self, mut game: G) {
        let (mut node, mut path) = (0, Vec::new());
        while game.outcome().is_none() {
            let legal = game.legal_actions();
            let seat = game.turn();
            let (edge, is_new) = self.select(node, &legal);
            path.push((node, edge, seat));
            // Legal actions are applied.
            let _ = game.apply(self.nodes[node][edge].action);
            node = self.nodes[node][edge].child;
            if is_new {
                break;
            }
        }
        let winner = self.playout(game);
        for (node, edge, seat) in path {
            let edge = &mut self.nodes[node][edge];
            edge.visits += 1;
            edge.points += points(winner, seat);
        }
    }

    /// An edge of an action that was never tried, or the one with the best bound; and whether it
    /// is new.
    fn select(&mut self, node: usize, legal: &[A]) -> (usize, bool) {
        let edges = &mut self.nodes[node];
        let mut untried = Vec::new();
        for &action in legal {
            match edges.iter_mut().find(|edge| edge.action == action) {
                Some(edge) => edge.available += 1,
                None => untried.push(action),
            }
        }
        if !untried.is_empty() {
            let action = untried[self.rng.below(untried.len())];
            let child = self.nodes.len();
            self.nodes.push(Vec::new());
            let edges = &mut self.nodes[node];
            edges.push(Edge { action, child, available: 1, visits: 0, points: 0.0 });
            return (edges.len() - 1, true);
        }
        let exploration = self.plan.exploration;
        let bound = |edge: &Edge<A>| {
            let visits = f64::from(edge.visits.max(1));
            let doubt = (f64::from(edge.available).ln() / visits).sqrt();
            edge.points / visits + exploration * doubt
        };
        let edges = &self.nodes[node];
        let available = (0..edges.len()).filter(|&at| legal.contains(&edges[at].action));
        let best =
            available.max_by(|&one, &other| bound(&edges[one]).total_cmp(&bound(&edges[other])));
        (best.expect("a game that continues has a legal action"), false)
    }

    /// Random play to the end; `None` for a draw.
    fn playout<G: HiddenGame<Action = A>>(&mut self, mut game: G) -> Option<Seat> {
        for _ in 0..self.plan.max_playout {
            if let Some(outcome) = game.outcome() {
                return outcome.winner();
            }
            let legal = game.legal_actions();
            let _ = game.apply(legal[self.rng.below(legal.len())]);
        }
        game.outcome().and_then(GameOutcome::winner)
    }

    /// The action of the root that was chosen most often, of those that are allowed.
    fn most_visited(&self, allowed: impl Fn(A) -> bool) -> Option<A> {
        let edges = self.nodes[0].iter().filter(|edge| allowed(edge.action));
        edges.max_by_key(|edge| edge.visits).map(|edge| edge.action)
    }
}

fn points(winner: Option<Seat>, seat: Seat) -> f64 {
    match winner {
        Some(winner) => f64::from(u8::from(winner == seat)),
        None => 0.5,
    }
}
