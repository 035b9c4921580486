//! Hunting a bare king: a search over what is known of it.
//!
//! Against a bare king the knowledge is exact: a set of squares. Every try splits it by the
//! umpire's answers, and the king's move widens each part again. The search goes some tries deep
//! and takes for each the cost it expects, in moves until mate. At its end stands an estimate after
//! Bolognesi and Ciancarini: the region that the king cannot leave shall shrink and be at the edge,
//! and the own king shall be near.

use super::estimate::{self, DRAWN, Prices};
use super::glimpse;
use super::sighted::Sighted;
use games::kriegspiel::{LoneKing, OwnPieces, Piece, Try, TryResult};

/// A king on one of so few squares is nearly found.
const NEARLY_FOUND: u32 = 10;

/// How the search goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hunter {
    /// Own tries ahead while the king may be on many squares.
    pub depth: u32,
    /// So many tries of each node are looked at more than one deep.
    pub beam: usize,
    /// How much the worst answer counts beside the average one, from 0 to 1.
    pub dread: f32,
    /// What the estimate is made of.
    pub prices: Prices,
}

impl Default for Hunter {
    fn default() -> Hunter {
        Hunter { depth: 3, beam: 6, dread: 0.4, prices: Prices::default() }
    }
}

/// One of several things that may come of a try.
#[derive(Clone, Copy, Default)]
struct Expected {
    weight: f32,
    sum: f32,
    worst: f32,
}

impl Expected {
    fn add(&mut self, weight: f32, cost: f32) {
        self.weight += weight;
        self.sum += weight * cost;
        self.worst = self.worst.max(cost);
    }

    fn cost(self, dread: f32) -> f32 {
        (1.0 - dread) * self.sum / self.weight + dread * self.worst
    }
}

impl Hunter {
    /// The tries from the cheapest on, with their costs; `extra` is added for where the own men
    /// stand after a try.
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
                *cost = self.of_try(now, *attempt, depth) + extra(&now.own().moved(*attempt));
            }
            tries.sort_by(|one, other| one.0.total_cmp(&other.0));
        }
        tries
    }

    /// A king that is nearly found is looked at one try less deep: that won a little more often
    /// against the fleeing king, for a reason that is not known, and takes less time.
    fn depth_for(&self, now: &LoneKing) -> u32 {
        let found = now.squares().len() <= NEARLY_FOUND;
        self.depth - u32::from(found && self.depth > 1)
    }

    /// Every try, looked at one deep.
    fn shallow(&self, now: &LoneKing) -> Vec<(f32, Try)> {
        let mut tries = Vec::with_capacity(64);
        now.own().for_each_try(false, |attempt| {
            if !matches!(attempt.promotion, Some(Piece::Bishop | Piece::Knight)) {
                tries.push((self.of_try(now, attempt, 1), attempt));
            }
        });
        tries
    }

    /// What the best try costs.
    fn cost(&self, now: &LoneKing, depth: u32) -> f32 {
        if depth == 0 {
            return match Sighted::of(now.own()) {
                Some(table) => glimpse::cost(now, table, &self.prices),
                None => estimate::cost(now, &self.prices),
            };
        }
        let mut tries = self.shallow(now);
        let least = |tries: &[(f32, Try)]| tries.iter().map(|one| one.0).fold(DRAWN, f32::min);
        if depth == 1 {
            return least(&tries);
        }
        tries.sort_by(|one, other| one.0.total_cmp(&other.0));
        tries.truncate(self.beam);
        for (cost, attempt) in &mut tries {
            *cost = self.of_try(now, *attempt, depth);
        }
        least(&tries)
    }

    fn of_try(&self, now: &LoneKing, attempt: Try, depth: u32) -> f32 {
        let mut expected = Expected::default();
        let all = now.squares().len();
        now.for_each_result(attempt, |answer| match answer {
            // A try that is surely illegal tells nothing.
            TryResult::Refused(after) if after.squares().len() == all => expected.add(1.0, DRAWN),
            TryResult::Refused(after) => {
                expected.add(after.squares().len() as f32, self.cost(&after, depth - 1));
            }
            TryResult::Checkmate(from) => expected.add(from.len() as f32, 1.0),
            TryResult::Stalemate(from) => expected.add(from.len() as f32, DRAWN),
            TryResult::Moves { from, after, capturable } => {
                let mut weight = from.len() as f32;
                for man in capturable {
                    // The king that sees its chance takes it.
                    let near = (estimate::around(man) & from).len() as f32;
                    let lost = 1.0 + estimate::loss(&after, man, &self.prices);
                    expected.add(near, lost);
                    weight -= near;
                }
                if !after.squares().is_empty() {
                    expected.add(weight.max(0.25), 1.0 + self.cost(&after, depth - 1));
                }
            }
        });
        expected.cost(self.dread)
    }
}
