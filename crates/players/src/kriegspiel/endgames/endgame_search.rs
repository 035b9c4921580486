//! Search against a lone king over the belief about its square.
//!
//! The belief is exact: a set of squares. Every try partitions it by the umpire's answers, and the
//! king's move widens each part again. The search looks a few tries ahead and minimises the expected
//! cost, in moves until mate. Leaves are evaluated after Bolognesi and Ciancarini: the region that
//! the king cannot leave should be small and at the edge, and the own king close.

use super::evaluation::{self, DRAW_COST, EvaluationWeights};
use super::tablebase::Tablebase;
use super::tablebase_evaluation;
use games::kriegspiel::{LoneKing, OwnPieces, Piece, Try, TryResult};

/// If the king may be on at most this many squares, the search is one try less deep.
const MAX_SHALLOW_SEARCH_SQUARES: u32 = 10;

/// The search and its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EndgameSearch {
    /// The search depth in own tries while the king may be on many squares.
    pub depth: u32,
    /// The beam width: the number of tries of each node that are searched deeper than one try.
    pub beam: usize,
    /// The weight of the worst result against the average one, from 0 to 1.
    pub worst_case_weight: f32,
    /// The weights of the evaluation.
    pub weights: EvaluationWeights,
}

impl Default for EndgameSearch {
    fn default() -> EndgameSearch {
        EndgameSearch {
            depth: 3,
            beam: 6,
            worst_case_weight: 0.4,
            weights: EvaluationWeights::default(),
        }
    }
}

/// Accumulates the costs of the results of a try.
#[derive(Clone, Copy, Default)]
struct ExpectedCost {
    weight: f32,
    sum: f32,
    worst: f32,
}

impl ExpectedCost {
    fn add(&mut self, weight: f32, cost: f32) {
        self.weight += weight;
        self.sum += weight * cost;
        self.worst = self.worst.max(cost);
    }

    fn cost(self, worst_case_weight: f32) -> f32 {
        (1.0 - worst_case_weight) * self.sum / self.weight + worst_case_weight * self.worst
    }
}

impl EndgameSearch {
    /// The tries with their costs, the cheapest first; `extra` is a cost of the own pieces after a
    /// try that is added.
    pub fn ranked(&self, now: &LoneKing, extra: impl Fn(&OwnPieces) -> f32) -> Vec<(f32, Try)> {
        let mut tries = self.shallow(now);
        for (cost, attempt) in &mut tries {
            *cost += extra(&now.own().moved(*attempt));
        }
        tries.sort_by(|one, other| one.0.total_cmp(&other.0));
        let depth = self.depth_for(now);
        if depth > 1 {
            tries.truncate(self.beam.max(1) * 2);
            for (cost, attempt) in &mut tries {
                *cost = self.try_cost(now, *attempt, depth) + extra(&now.own().moved(*attempt));
            }
            tries.sort_by(|one, other| one.0.total_cmp(&other.0));
        }
        tries
    }

    /// The depth is one try less if the king may be on few squares: that won slightly more often
    /// against the fleeing king, for an unknown reason, and takes less time.
    fn depth_for(&self, now: &LoneKing) -> u32 {
        let is_shallow = now.squares().len() <= MAX_SHALLOW_SEARCH_SQUARES;
        self.depth - u32::from(is_shallow && self.depth > 1)
    }

    /// Every try with its cost by a search of depth 1.
    fn shallow(&self, now: &LoneKing) -> Vec<(f32, Try)> {
        let mut tries = Vec::with_capacity(64);
        now.own().for_each_try(false, |attempt| {
            if !matches!(attempt.promotion, Some(Piece::Bishop | Piece::Knight)) {
                tries.push((self.try_cost(now, attempt, 1), attempt));
            }
        });
        tries
    }

    /// The cost of the best try.
    fn cost(&self, now: &LoneKing, depth: u32) -> f32 {
        if depth == 0 {
            return match Tablebase::of(now.own()) {
                Some(table) => tablebase_evaluation::cost(now, table, &self.weights),
                None => evaluation::cost(now, &self.weights),
            };
        }
        let mut tries = self.shallow(now);
        let least = |tries: &[(f32, Try)]| tries.iter().map(|one| one.0).fold(DRAW_COST, f32::min);
        if depth == 1 {
            return least(&tries);
        }
        tries.sort_by(|one, other| one.0.total_cmp(&other.0));
        tries.truncate(self.beam);
        for (cost, attempt) in &mut tries {
            *cost = self.try_cost(now, *attempt, depth);
        }
        least(&tries)
    }

    /// The cost of a try.
    fn try_cost(&self, now: &LoneKing, attempt: Try, depth: u32) -> f32 {
        let mut expected = ExpectedCost::default();
        let all = now.squares().len();
        now.for_each_result(attempt, |result| match result {
            // A try that is certainly illegal gains no information.
            TryResult::Refused(after) if after.squares().len() == all => {
                expected.add(1.0, DRAW_COST);
            }
            TryResult::Refused(after) => {
                expected.add(after.squares().len() as f32, self.cost(&after, depth - 1));
            }
            TryResult::Checkmate(from) => expected.add(from.len() as f32, 1.0),
            TryResult::Stalemate(from) => expected.add(from.len() as f32, DRAW_COST),
            TryResult::Moves { from, after, capturable } => {
                let mut weight = from.len() as f32;
                for square in capturable {
                    // The king is assumed to capture whenever it can.
                    let near = (evaluation::around(square) & from).len() as f32;
                    let cost = 1.0 + evaluation::capture_cost(&after, square, &self.weights);
                    expected.add(near, cost);
                    weight -= near;
                }
                if !after.squares().is_empty() {
                    expected.add(weight.max(0.25), 1.0 + self.cost(&after, depth - 1));
                }
            }
        });
        expected.cost(self.worst_case_weight)
    }
}
