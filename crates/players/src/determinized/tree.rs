//! The tree of the own side's information sets, and how it grows.

use super::determinization::{After, moves, play};
use super::{Leaf, Plan};
use crate::learned::Weights;
use games::geister::Move;
use geister::state::State;
use rand::Rng;
use rand::seq::IndexedRandom;

/// A move from a node, and what is known of it.
#[derive(Clone, Copy)]
struct Edge {
    mv: Move,
    /// How often it could be chosen.
    available: u32,
    visits: u32,
    /// What came of it, for the side that chose.
    sum: f32,
    /// The nodes after it, without and with a blue ghost captured; 0 for none, as the root is after
    /// nothing.
    children: [u32; 2],
}

impl Edge {
    fn new(mv: Move) -> Edge {
        Edge { mv, available: 0, visits: 0, sum: 0.0, children: [0; 2] }
    }

    fn bound(&self, curiosity: f32) -> f32 {
        let visits = self.visits as f32;
        let available = (self.available as f32).max(1.0);
        self.sum / visits + curiosity * (available.ln() / visits).sqrt()
    }
}

/// The tree of the own side's information sets.
pub(super) struct Tree<'a> {
    weights: &'a Weights,
    plan: &'a Plan,
    nodes: Vec<Vec<Edge>>,
    /// The way of the running iteration: nodes and edges.
    way: Vec<(u32, u32)>,
    room: Vec<Move>,
}

impl<'a> Tree<'a> {
    /// With these moves at the root.
    pub(super) fn new(weights: &'a Weights, plan: &'a Plan, moves: &[Move]) -> Tree<'a> {
        let root = moves.iter().map(|&mv| Edge::new(mv)).collect();
        Tree { weights, plan, nodes: vec![root], way: Vec::new(), room: Vec::new() }
    }

    /// One iteration: descend with a determinization, add a node, evaluate it and back that up.
    pub(super) fn iterate(&mut self, mut state: State, rng: &mut impl Rng) {
        self.way.clear();
        let mut node = 0;
        let for_mover = loop {
            let edge = self.choose(node, &state, rng);
            self.way.push((node, edge));
            let chosen = self.nodes[node as usize][edge as usize];
            let (next, captured) = match play(&state, chosen.mv) {
                After::Ended(won) => break f32::from(u8::from(won)),
                After::Continues(next, captured) => (next, usize::from(captured)),
            };
            state = next;
            node = chosen.children[captured];
            if node == 0 {
                self.grow(edge, captured);
                break 1.0 - self.evaluate(state, rng);
            }
        };
        self.back_up(for_mover);
    }

    /// The edge of the highest bound among those the determinization allows; an untried one first.
    fn choose(&mut self, node: u32, state: &State, rng: &mut impl Rng) -> u32 {
        let edges = &mut self.nodes[node as usize];
        if node > 0 {
            moves(state, &mut self.room);
            for &mv in &self.room {
                if !edges.iter().any(|edge| edge.mv == mv) {
                    edges.push(Edge::new(mv));
                }
            }
        }
        let is_open = |edge: &Edge| node == 0 || self.room.contains(&edge.mv);
        let mut untried = Vec::new();
        let mut best = (0, f32::NEG_INFINITY);
        for (place, edge) in edges.iter_mut().enumerate() {
            if !is_open(edge) {
                continue;
            }
            edge.available += 1;
            if edge.visits == 0 {
                untried.push(place as u32);
            } else if edge.bound(self.plan.curiosity) > best.1 {
                best = (place as u32, edge.bound(self.plan.curiosity));
            }
        }
        untried.choose(rng).copied().unwrap_or(best.0)
    }

    /// A node behind the last edge of the way, while there is room.
    fn grow(&mut self, edge: u32, captured: usize) {
        if self.nodes.len() >= self.plan.nodes {
            return;
        }
        let new = self.nodes.len() as u32;
        self.nodes.push(Vec::new());
        if let Some(&(node, _)) = self.way.last() {
            self.nodes[node as usize][edge as usize].children[captured] = new;
        }
    }

    /// The probability that the side to move wins.
    fn evaluate(&mut self, mut state: State, rng: &mut impl Rng) -> f32 {
        let plies = match self.plan.leaf {
            Leaf::Model => 0,
            Leaf::Playout(plies) => plies,
        };
        let mut sign = true;
        let for_mover = |value: f32, sign: bool| if sign { value } else { 1.0 - value };
        for _ in 0..plies {
            moves(&state, &mut self.room);
            let Some(&mv) = self.room.choose(rng) else { break };
            match play(&state, mv) {
                After::Ended(won) => return for_mover(f32::from(u8::from(won)), sign),
                After::Continues(next, _) => state = next,
            }
            sign = !sign;
        }
        if state.can_leave() {
            return for_mover(1.0, sign);
        }
        // The model evaluates for the side that has just moved.
        for_mover(1.0 - self.weights.win_probability(&state.turned().concealed()), sign)
    }

    fn back_up(&mut self, mut for_mover: f32) {
        for &(node, edge) in self.way.iter().rev() {
            let edge = &mut self.nodes[node as usize][edge as usize];
            edge.visits += 1;
            edge.sum += for_mover;
            for_mover = 1.0 - for_mover;
        }
    }

    /// The move that was tried most; of equal ones that with the better outcome, then the first.
    pub(super) fn most_visited(&self) -> Option<Move> {
        let key = |edge: &Edge| (edge.visits, edge.sum);
        let mut best: Option<&Edge> = None;
        for edge in &self.nodes[0] {
            if best.is_none_or(|best| key(edge) > key(best)) {
                best = Some(edge);
            }
        }
        best.map(|edge| edge.mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learned::belief::Belief;
    use crate::random::any_placement;
    use games::Seat;
    use games::geister::Game;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// Grows a tree at the start of a game.
    fn with_tree(plan: &Plan, iterations: u32, look: impl Fn(&Tree<'_>)) {
        let rng = &mut ChaCha8Rng::seed_from_u64(3);
        let game: Game = Game::new(any_placement(rng), any_placement(rng), 200);
        let now = game.observe(Seat::First);
        let (belief, weights) = (Belief::new(&now), Weights::shipped());
        let mut tree = Tree::new(&weights, plan, &now.legal_moves());
        for _ in 0..iterations {
            tree.iterate(State::from(&now).revealed(belief.draw(rng)), rng);
        }
        look(&tree);
    }

    #[test]
    fn every_iteration_counts_once_and_only_where_it_could() {
        with_tree(&Plan::default(), 3000, |tree| {
            let visits: u32 = tree.nodes[0].iter().map(|edge| edge.visits).sum();
            assert_eq!(visits, 3000);
            for edge in tree.nodes.iter().flatten() {
                assert!(edge.visits <= edge.available);
                assert!((0.0..=edge.visits as f32).contains(&edge.sum));
            }
        });
    }

    #[test]
    fn the_tree_keeps_to_its_room() {
        let plan = Plan { nodes: 50, ..Plan::default() };
        with_tree(&plan, 1000, |tree| {
            assert_eq!(tree.nodes.len(), 50);
            assert!(tree.most_visited().is_some());
        });
    }

    #[test]
    fn the_model_alone_judges_too() {
        let plan = Plan { leaf: Leaf::Model, ..Plan::default() };
        with_tree(&plan, 300, |tree| assert_eq!(tree.nodes.len(), 301));
    }
}
