//! Belief search: depth-limited search over what the player believes about hidden colours.
//!
//! The own side maximises its probability to win. The opponent, which is assumed to know every
//! colour, minimises it. Captures of hidden pieces are chance nodes, weighed by the probability that
//! the piece is blue; and where the depth ends, the learned model evaluates.
//!
//! To assume that the opponent knows everything is too pessimistic, and yet it pays: with it the
//! champion won 85 of 100 games against a program of earlier tournaments instead of 65 with random
//! playouts (docs/results/champion.md).
//!
//! It shares the transposition table, the bounds and the budget with the crate `search`, but not
//! its alpha-beta ([`search::heuristic`]): values here are probabilities, chance nodes scale the
//! window on the way down, and a node keeps the sums of the model up to date from move to move
//! instead of evaluating a position from scratch, which costs ten times the look-ups.

mod move_queue;
mod node;

pub use node::BlueProbabilities;

use super::scored_steps::ScoredStep;
use super::weights::{Weights, logit, sigmoid};
use games::geister::Square;
use geister::state::State;
use move_queue::MoveQueue;
use node::Node;
use search::transposition_table::{Bound, ValueEntry};
use search::{Budget, Limits, Stop, TranspositionTable};

/// If the opponent surely leaves the board, up to this probability, nothing is searched.
const NEGLIGIBLE: f32 = 0.005;

/// Bytes of the transposition table: 65,536 entries.
const TABLE_MEMORY: usize = 24 << 16;

/// Searches until its limits are reached.
pub struct BeliefSearch<'a> {
    weights: &'a Weights,
    table: TranspositionTable<ValueEntry, 1>,
    /// The history heuristic: by the squares of an opponent's step, how well it refuted own steps.
    history: Box<[[u32; Square::COUNT]; Square::COUNT]>,
    budget: Budget<'static>,
    /// Whether the budget counts. The least depth is searched whatever it takes.
    is_limited: bool,
}

/// A step to choose from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The step, with its score after the penalty.
    pub step: ScoredStep,
    /// What is taken off its score for reasons that the search does not know, as a logit.
    pub penalty: f32,
}

/// The probabilities to win that matter: alpha and beta.
#[derive(Clone, Copy)]
struct Window {
    alpha: f32,
    beta: f32,
}

impl Window {
    /// The window of a part of the value that counts with this weight.
    fn over(self, weight: f32) -> Window {
        Window { alpha: self.alpha / weight, beta: self.beta / weight }
    }
}

impl<'a> BeliefSearch<'a> {
    /// A search with this model.
    pub fn new(weights: &'a Weights) -> BeliefSearch<'a> {
        let history = Box::new([[0; Square::COUNT]; Square::COUNT]);
        let table = TranspositionTable::new(TABLE_MEMORY);
        let budget = Budget::new(&Limits::default());
        BeliefSearch { weights, table, history, budget, is_limited: false }
    }

    /// Searches `min_depth` plies deep, and then deeper within `limits`; both depths are odd, since
    /// the model evaluates after own steps. The candidates come with the model's scores; afterwards
    /// the best is first and has its score at the last depth, and those of the others are upper
    /// bounds. Returns that depth: the last that was begun, if time ran out after the best of the
    /// depth before was searched.
    pub fn sort(
        &mut self,
        state: &State,
        probabilities: &BlueProbabilities,
        candidates: &mut [Candidate],
        min_depth: u32,
        limits: &Limits,
    ) -> u32 {
        let root = Node::new(self.weights, *state, *probabilities);
        self.budget = Budget::new(limits);
        let mut depth = 1;
        by_score(candidates);
        while depth + 2 <= limits.depth && candidates.len() > 1 {
            self.is_limited = depth >= min_depth;
            let (any, stopped) = self.deepen(&root, candidates, depth + 2);
            if any {
                depth += 2;
            }
            if stopped {
                break;
            }
        }
        depth
    }

    /// Searches one candidate after the other to this depth, and puts the best of those that were
    /// finished in front. Returns whether there is one, and whether a limit was reached.
    fn deepen(&mut self, root: &Node, candidates: &mut [Candidate], depth: u32) -> (bool, bool) {
        let mut best: Option<Candidate> = None;
        let mut stopped = false;
        for candidate in &mut *candidates {
            let penalty = candidate.penalty;
            let alpha = best.map_or(0.0, |best| sigmoid(best.step.score + penalty));
            let window = Window { alpha, beta: 1.0 };
            let Ok(probability) = self.after(root, &candidate.step, depth, window) else {
                stopped = true;
                break;
            };
            candidate.step.score = logit(probability) - penalty;
            if best.is_none_or(|best| candidate.step.score > best.step.score) {
                best = Some(*candidate);
            }
        }
        if let Some(at) = best.and_then(|best| candidates.iter().position(|one| *one == best)) {
            candidates[..=at].rotate_right(1);
            if !stopped {
                by_score(&mut candidates[1..]);
            }
        }
        (best.is_some(), stopped)
    }

    /// The probability to win after an own step, `depth` plies from before it. A capture is a chance
    /// node: the likelier colour is searched first, and the other only if it can still matter.
    fn after(
        &mut self,
        node: &Node,
        step: &ScoredStep,
        depth: u32,
        window: Window,
    ) -> Result<f32, Stop> {
        let ScoredStep { from, to, .. } = *step;
        if !node.state.hidden.has(to) {
            return self.opponent_turn(node.stepped(self.weights, from, to), depth - 1, window);
        }
        let is_blue = node.blue[to.index()];
        let mut colours = [(is_blue, true), (1.0 - is_blue, false)];
        colours.sort_by(|one, other| other.0.total_cmp(&one.0));
        let [(likely, first), (rest, second)] = colours;
        let mut of = |was_blue, share: f32, window: Window| {
            if share <= 0.0 {
                return Ok(0.0);
            }
            let value = match node.captured(self.weights, from, to, was_blue) {
                Err(ended) => ended,
                Ok(after) => self.opponent_turn(after, depth - 1, window.over(share))?,
            };
            Ok(share * value)
        };
        let Window { alpha, beta } = window;
        let sum = of(first, likely, Window { alpha: alpha - rest, beta })?;
        if sum + rest <= alpha || sum >= beta {
            return Ok(if sum >= beta { sum } else { sum + rest });
        }
        Ok(sum + of(second, rest, Window { alpha: alpha - sum, beta: beta - sum })?)
    }

    /// The probability to win with the own side to move.
    fn own_turn(&mut self, node: &Node, depth: u32, window: Window) -> Result<f32, Stop> {
        if node.state.can_leave() {
            return Ok(1.0);
        }
        if depth == 1 {
            return Ok(self.evaluate(node));
        }
        let key = node.key(true);
        let entry = self.table.probe(key);
        if let Some(value) = entry.and_then(|entry| cutoff(&entry, depth, window)) {
            return Ok(value);
        }
        let best_move = entry.and_then(|entry| entry.best);
        let mut queue = MoveQueue::new();
        for (from, to) in node.state.own_steps() {
            let is_first = best_move == Some(code(from, to));
            let priority = if is_first { f32::MAX } else { node.score(self.weights, from, to) };
            queue.push(from, to, priority);
        }
        let (mut best, mut found) = (0.0_f32, None);
        for step in queue {
            let alpha = window.alpha.max(best);
            let value = self.after(node, &step, depth, Window { alpha, ..window })?;
            if value > best || found.is_none() {
                (best, found) = (value, Some(code(step.from, step.to)));
            }
            if best >= window.beta {
                break;
            }
        }
        self.store(key, depth, window, best, found);
        Ok(best)
    }

    /// The probability to win with the own step that the model likes best.
    fn evaluate(&self, node: &Node) -> f32 {
        let scores = node.state.own_steps().map(|(from, to)| node.score(self.weights, from, to));
        sigmoid(scores.fold(f32::MIN, f32::max))
    }

    /// The probability to win with the opponent to move, which leaves the board if it can.
    fn opponent_turn(&mut self, mut node: Node, depth: u32, window: Window) -> Result<f32, Stop> {
        let stays = node.nobody_leaves();
        if stays <= window.alpha.max(NEGLIGIBLE) {
            return Ok(stays);
        }
        Ok(stays * self.opponent_steps(&node, depth, window.over(stays))?)
    }

    /// The probability to win if the opponent does not leave the board now.
    fn opponent_steps(&mut self, node: &Node, depth: u32, window: Window) -> Result<f32, Stop> {
        self.budget.pay(1);
        if self.is_limited {
            // Nodes take so long here that the clock may be read at each of them.
            self.budget.check()?;
        }
        let key = node.key(false);
        let entry = self.table.probe(key);
        if let Some(value) = entry.and_then(|entry| cutoff(&entry, depth, window)) {
            return Ok(value);
        }
        let best_move = entry.and_then(|entry| entry.best);
        let mut queue = MoveQueue::new();
        for (from, to) in node.state.opponent_steps() {
            let is_first = best_move == Some(code(from, to));
            let priority = if is_first { f32::MAX } else { self.priority(&node.state, from, to) };
            queue.push(from, to, priority);
        }
        let (mut least, mut found) = (1.0_f32, None);
        for ScoredStep { from, to, .. } in queue {
            let beta = window.beta.min(least);
            let value = match node.answered(self.weights, from, to) {
                Err(ended) => ended,
                Ok(after) => self.own_turn(&after, depth - 1, Window { beta, ..window })?,
            };
            if value < least || found.is_none() {
                (least, found) = (value, Some(code(from, to)));
            }
            if least <= window.alpha {
                self.history[from.index()][to.index()] += depth * depth;
                break;
            }
        }
        self.store(key, depth, window, least, found);
        Ok(least)
    }

    /// How early a step of the opponent is searched: captures of blues first, of reds last, and in
    /// between by the history heuristic.
    fn priority(&self, state: &State, from: Square, to: Square) -> f32 {
        let history = self.history[from.index()][to.index()] as f32;
        if state.blue.has(to) {
            1e9 + history
        } else if state.red.has(to) {
            history - 1e9
        } else {
            history
        }
    }

    fn store(&mut self, key: u64, depth: u32, window: Window, value: f32, best: Option<u16>) {
        let bound = Bound::of(value, window.alpha, window.beta);
        let entry = ValueEntry { bits: value.to_bits(), depth: depth as u8, bound, best };
        self.table.store(key, u64::from(depth), entry);
    }
}

/// The value of an entry, if it was searched to this very depth and settles the window.
fn cutoff(entry: &ValueEntry, depth: u32, window: Window) -> Option<f32> {
    let value = f32::from_bits(entry.bits);
    let settled = entry.bound.settles(value, window.alpha, window.beta);
    (u32::from(entry.depth) == depth && settled).then_some(value)
}

/// The code of a step in the table.
fn code(from: Square, to: Square) -> u16 {
    (from.index() << 8 | to.index()) as u16
}

fn by_score(candidates: &mut [Candidate]) {
    candidates.sort_by(|one, other| other.step.score.total_cmp(&one.step.score));
}

#[cfg(test)]
mod tests {
    use super::super::weights::tests::samples;
    use super::node::balanced;
    use super::*;
    use std::time::Duration;

    /// What lies search, summed up without leaving anything out.
    struct Slow<'a>(&'a Weights);

    impl Slow<'_> {
        fn after(&self, node: &Node, from: Square, to: Square, depth: u32) -> f32 {
            if !node.state.hidden.has(to) {
                let state = node.state.after_own(from, to);
                return self.theirs(Node::new(self.0, state, node.blue), depth - 1);
            }
            let is_blue = node.blue[to.index()];
            let of = |was_blue| match node.captured(self.0, from, to, was_blue) {
                Ok(after) => self.theirs(after, depth - 1),
                Err(ended) => ended,
            };
            is_blue * of(true) + (1.0 - is_blue) * of(false)
        }

        fn theirs(&self, mut node: Node, depth: u32) -> f32 {
            let stays = node.nobody_leaves();
            let mut least = 1.0_f32;
            for (from, to) in node.state.opponent_steps() {
                least = least.min(match node.answered(self.0, from, to) {
                    Ok(after) => self.own(&after, depth - 1),
                    Err(ended) => ended,
                });
            }
            stays * least
        }

        fn own(&self, node: &Node, depth: u32) -> f32 {
            if node.state.can_leave() {
                return 1.0;
            }
            let mut best = 0.0_f32;
            for (from, to) in node.state.own_steps() {
                best = best.max(match depth {
                    1 => sigmoid(node.score(self.0, from, to)),
                    _ => self.after(node, from, to, depth),
                });
            }
            best
        }
    }

    /// Positions, each ghost of the others being blue with another chance.
    fn nodes(weights: &Weights) -> Vec<Node> {
        let (states, _) = samples();
        let states = states.into_iter().filter(|state| !state.can_leave()).step_by(60);
        let uneven = |state: State| {
            let mut blue = [0.0; Square::COUNT];
            for (number, at) in state.hidden.enumerate() {
                blue[at.index()] = 0.1 + 0.1 * number as f32;
            }
            Node::new(weights, state, balanced(&blue, &state))
        };
        states.map(uneven).collect()
    }

    /// Every step, with something taken off from every third.
    fn candidates(weights: &Weights, node: &Node) -> Vec<Candidate> {
        let mut found = Vec::new();
        for (from, to) in node.state.own_steps() {
            let penalty = if found.len() % 3 == 0 { 0.2 } else { 0.0 };
            let score = node.score(weights, from, to) - penalty;
            found.push(Candidate { step: ScoredStep { from, to, score }, penalty });
        }
        found
    }

    #[test]
    fn leaving_out_what_does_not_matter_changes_nothing() {
        let weights = Weights::shipped();
        for (number, node) in nodes(&weights).into_iter().enumerate() {
            // Five plies are many for who leaves nothing out.
            let few = node.state.own().count() + node.state.hidden.count() < 9;
            let plies = if few && number % 3 == 0 { 5 } else { 3 };
            let mut found = candidates(&weights, &node);
            let mut search = BeliefSearch::new(&weights);
            let limits = Limits { depth: plies, ..Limits::default() };
            let depth = search.sort(&node.state, &node.blue, &mut found, plies, &limits);
            assert_eq!(depth, plies);
            let slow = |one: &Candidate| {
                let ScoredStep { from, to, .. } = one.step;
                logit(Slow(&weights).after(&node, from, to, plies)) - one.penalty
            };
            let best = found.iter().map(slow).fold(f32::MIN, f32::max);
            let first = found[0].step.score;
            assert!((first - best).abs() < 1e-2, "{first} or {best} in {:?}", node.state);
            for one in &found {
                assert!(one.step.score <= first, "the best is not in front");
                assert!(one.step.score > slow(one) - 1e-2, "less than it is score");
            }
        }
    }

    #[test]
    fn blue_add_up_to_the_number_of_blues() {
        for Node { state, blue, .. } in nodes(&Weights::shipped()) {
            let sum: f32 = state.hidden.map(|at| blue[at.index()]).sum();
            assert!((sum - state.hidden_blue as f32).abs() < 1e-3, "{sum} in {state:?}");
            assert!(state.hidden.map(|at| blue[at.index()]).all(|one| (0.0..=1.0).contains(&one)));
        }
    }

    #[test]
    fn without_time_it_looks_as_far_as_it_must() {
        let weights = Weights::shipped();
        let node = nodes(&weights)[0];
        let no_time = Limits { depth: 11, time: Some(Duration::ZERO), ..Limits::default() };
        for least in [1, 3] {
            let mut found = candidates(&weights, &node);
            let depth = BeliefSearch::new(&weights).sort(
                &node.state,
                &node.blue,
                &mut found,
                least,
                &no_time,
            );
            assert_eq!(depth, least);
        }
    }

    #[test]
    fn positions_differ_by_everything_that_counts() {
        let weights = Weights::shipped();
        let mut keys = std::collections::HashMap::new();
        for node in nodes(&weights) {
            let mut turned = node;
            turned.blue.iter_mut().for_each(|chance| *chance *= 0.5);
            let all = [node.key(true), node.key(false), turned.key(true)];
            for (which, key) in all.into_iter().enumerate() {
                let is = (node.state, which);
                assert_eq!(*keys.entry(key).or_insert(is), is, "two positions have one key");
            }
        }
    }
}
