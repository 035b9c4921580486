//! Alpha-beta with a heuristic evaluation, deepened ply by ply (Knuth & Moore 1975).
//!
//! Where [`alpha_beta`](crate::alpha_beta) knows only "win" and "no win", this module has
//! [`Score`]s: it searches a game of perfect information to a depth, where an evaluation says how
//! good the position is.

use crate::limits::{Budget, Limits, Stop};
use crate::score::Score;
use crate::transposition_table::{Bound, TranspositionTable, ValueEntry};

/// A position of a two-player game of perfect information.
pub trait GameTree: Copy {
    /// A move.
    type Move: Copy + PartialEq;

    /// Whether the maximising side is to move.
    fn is_maximising(&self) -> bool;

    /// Whether the side to move can end the game with a win at once. It is not searched then.
    fn wins_at_once(&self) -> bool;

    /// Adds every move, in the order in which they are tried.
    fn moves(&self, into: &mut Vec<Self::Move>);

    /// The position after a move, or whether the maximising side has won by it.
    ///
    /// # Errors
    /// The game ends: `true` if the maximising side wins.
    fn play(&self, mv: Self::Move) -> Result<Self, bool>;

    /// The Zobrist key, turn included.
    fn key(&self) -> u64;

    /// A number for a move, different for different moves of a position.
    fn code(mv: Self::Move) -> u16;
}

/// An evaluation: how good an undecided position is.
pub trait Evaluate<P> {
    /// The heuristic value for the maximising side.
    fn evaluate(&self, position: &P) -> i32;
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeuristicResult<M> {
    /// Every move with its score at the last depth that was finished, the best first. Only the
    /// first score is exact; the others are upper bounds.
    pub moves: Vec<(M, Score)>,
    /// That depth, in plies.
    pub depth: u32,
    /// Nodes visited.
    pub nodes: u64,
}

/// Iterative deepening over alpha-beta with a transposition table.
#[derive(Debug)]
pub struct HeuristicSearch<P: GameTree, E> {
    evaluate: E,
    table: TranspositionTable<ValueEntry, 1>,
    /// Move lists of the nodes that are not in use, so that no node allocates one.
    spare: Vec<Vec<P::Move>>,
}

/// What a node is searched for: the plies left, its distance from the root, and the window.
#[derive(Clone, Copy)]
struct Frame {
    depth: u32,
    ply: u32,
    alpha: Score,
    beta: Score,
}

/// The budget of one depth, which is not enforced at the depths that must be finished.
struct DepthBudget<'b, 'a> {
    budget: &'b mut Budget<'a>,
    is_enforced: bool,
}

impl DepthBudget<'_, '_> {
    #[inline]
    fn count(&mut self) -> Result<(), Stop> {
        if self.is_enforced {
            return self.budget.count();
        }
        self.budget.pay(1);
        Ok(())
    }
}

impl<P: GameTree, E: Evaluate<P>> HeuristicSearch<P, E> {
    /// A search with this evaluation, whose table takes at most `memory` bytes.
    pub fn new(evaluate: E, memory: usize) -> Self {
        Self { evaluate, table: TranspositionTable::new(memory), spare: Vec::new() }
    }

    /// Searches these moves of `position` at depths 1, 2, ... within `limits`, but at least
    /// `min_depth` plies whatever that takes. It ends early when the best move is a win or a loss,
    /// or when there is only one.
    pub fn search(
        &mut self,
        position: &P,
        moves: &[P::Move],
        min_depth: u32,
        limits: &Limits,
    ) -> HeuristicResult<P::Move> {
        self.table.clear();
        let mut budget = Budget::new(limits);
        let mut scored: Vec<_> = moves.iter().map(|&mv| (mv, Score::heuristic(0))).collect();
        let mut depth = 0;
        while depth < limits.depth && scored.len() > 1 {
            let is_enforced = depth >= min_depth;
            let mut depth_budget = DepthBudget { budget: &mut budget, is_enforced };
            match self.root(position, &scored, depth + 1, &mut depth_budget) {
                Ok(next) => scored = next,
                Err(_) => break,
            }
            depth += 1;
            if scored[0].1.is_decided() || depth >= min_depth && budget.check().is_err() {
                break;
            }
        }
        HeuristicResult { moves: scored, depth, nodes: budget.nodes() }
    }

    /// The moves with their scores at this depth, the best first.
    fn root(
        &mut self,
        position: &P,
        moves: &[(P::Move, Score)],
        depth: u32,
        budget: &mut DepthBudget<'_, '_>,
    ) -> Result<Vec<(P::Move, Score)>, Stop> {
        let mut frame = Frame { depth, ply: 0, alpha: Score::MIN, beta: Score::MAX };
        let mut scored = Vec::with_capacity(moves.len());
        for &(mv, _) in moves {
            let score = self.after(position, mv, frame, budget)?;
            frame.alpha = frame.alpha.max(score);
            scored.push((mv, score));
        }
        scored.sort_by_key(|&(_, score)| -score);
        Ok(scored)
    }

    /// The score after a move, in the frame of the position before it.
    #[inline]
    fn after(
        &mut self,
        position: &P,
        mv: P::Move,
        frame: Frame,
        budget: &mut DepthBudget<'_, '_>,
    ) -> Result<Score, Stop> {
        match position.play(mv) {
            Err(true) => Ok(Score::win_in(frame.ply + 1)),
            Err(false) => Ok(Score::loss_in(frame.ply + 1)),
            Ok(after) => {
                let frame = Frame { depth: frame.depth - 1, ply: frame.ply + 1, ..frame };
                self.score(&after, frame, budget)
            }
        }
    }

    /// The score of a node, in plies from the root.
    fn score(
        &mut self,
        position: &P,
        frame: Frame,
        budget: &mut DepthBudget<'_, '_>,
    ) -> Result<Score, Stop> {
        budget.count()?;
        if position.wins_at_once() {
            let soon = Score::win_in(frame.ply + 1);
            return Ok(if position.is_maximising() { soon } else { -soon });
        }
        if frame.depth == 0 {
            return Ok(Score::heuristic(self.evaluate.evaluate(position)));
        }
        let key = position.key();
        let entry = self.table.probe(key);
        if let Some(score) = entry.and_then(|entry| cutoff(&entry, frame)) {
            return Ok(score);
        }
        let (score, best) = self.best(position, entry.and_then(|e| e.best), frame, budget)?;
        // The table counts distances from the node, since it is met at other plies as well.
        let entry = ValueEntry {
            bits: score.later(frame.ply).to_bits(),
            depth: frame.depth.min(255) as u8,
            bound: Bound::of(score, frame.alpha, frame.beta),
            best,
        };
        self.table.store(key, u64::from(frame.depth), entry);
        Ok(score)
    }

    /// The best score over all moves and the code of its move; the move with the code `first` is
    /// tried first.
    fn best(
        &mut self,
        position: &P,
        first: Option<u16>,
        mut frame: Frame,
        budget: &mut DepthBudget<'_, '_>,
    ) -> Result<(Score, Option<u16>), Stop> {
        let mut moves = self.spare.pop().unwrap_or_default();
        position.moves(&mut moves);
        let table_move = first.and_then(|code| moves.iter().position(|&mv| P::code(mv) == code));
        if let Some(index) = table_move {
            moves[..=index].rotate_right(1);
        }
        let maximising = position.is_maximising();
        let mut best = (if maximising { Score::MIN } else { Score::MAX }, None);
        for &mv in &moves {
            let score = self.after(position, mv, frame, budget)?;
            let is_better = if maximising { score > best.0 } else { score < best.0 };
            if is_better {
                best = (score, Some(mv));
            }
            if maximising {
                frame.alpha = frame.alpha.max(score);
            } else {
                frame.beta = frame.beta.min(score);
            }
            if frame.alpha >= frame.beta {
                break;
            }
        }
        moves.clear();
        self.spare.push(moves);
        Ok((best.0, best.1.map(P::code)))
    }
}

/// The score that an entry gives for this frame, if it is deep enough and settles the window.
#[inline]
fn cutoff(entry: &ValueEntry, frame: Frame) -> Option<Score> {
    let score = Score::from_bits(entry.bits).earlier(frame.ply);
    let settled = entry.bound.settles(score, frame.alpha, frame.beta);
    (u32::from(entry.depth) >= frame.depth && settled).then_some(score)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// A game on a graph: the moves lead to the nodes with these letters, `!` can win at once. The
    /// maximising side moves from small letters.
    #[derive(Clone, Copy, Debug)]
    struct Graph(char);

    impl Graph {
        fn children(self) -> &'static str {
            match self.0 {
                'r' => "AB",
                // `x` after two plies, if the minimising side would allow it.
                'A' => "xy",
                // `x` after four plies by force.
                'B' => "c",
                'c' => "D",
                'D' => "x",
                'x' => "E",
                'E' => "!",
                'y' => "Z",
                'Z' | 'V' => "w",
                _ => "V",
            }
        }
    }

    impl GameTree for Graph {
        type Move = char;

        fn is_maximising(&self) -> bool {
            !self.0.is_ascii_uppercase()
        }

        fn wins_at_once(&self) -> bool {
            self.0 == '!'
        }

        fn moves(&self, into: &mut Vec<char>) {
            into.extend(self.children().chars());
        }

        fn play(&self, mv: char) -> Result<Graph, bool> {
            if mv == '?' { Err(false) } else { Ok(Graph(mv)) }
        }

        fn key(&self) -> u64 {
            self.0.into()
        }

        fn code(mv: char) -> u16 {
            mv as u16
        }
    }

    /// `y` looks good for the maximising side and turns out bad two plies later, so that `x` is
    /// searched before it, and `B` before `A` afterwards.
    struct YDisappoints;

    impl Evaluate<Graph> for YDisappoints {
        fn evaluate(&self, position: &Graph) -> i32 {
            match position.0 {
                'y' | 'Z' => 6,
                'w' | 'V' => 4,
                _ => 5,
            }
        }
    }

    fn search(depth: u32, memory: usize) -> HeuristicResult<char> {
        let limits = Limits { depth, ..Limits::default() };
        HeuristicSearch::new(YDisappoints, memory).search(&Graph('r'), &['A', 'B'], depth, &limits)
    }

    /// `x` is met two plies after the root, and is won in three more plies; then it is met four
    /// plies after the root, where the table must not say that it is won in five.
    #[test]
    fn the_table_counts_distances_from_the_node() {
        for memory in [1 << 12, 0] {
            let result = search(9, memory);
            assert_eq!(result.moves[0], ('B', Score::win_in(7)), "{memory} bytes: {result:?}");
        }
    }

    #[test]
    fn a_limit_ends_the_search_after_the_minimum_depth() {
        let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        let mut search = HeuristicSearch::new(YDisappoints, 0);
        for min_depth in [0, 1, 3] {
            let result = search.search(&Graph('r'), &['A', 'B'], min_depth, &limits);
            assert_eq!(result.depth, min_depth);
            assert_eq!(result.moves.len(), 2);
        }
    }

    #[test]
    fn nothing_is_searched_when_there_is_no_choice() {
        let limits = Limits { depth: 5, ..Limits::default() };
        let mut search = HeuristicSearch::new(YDisappoints, 0);
        let result = search.search(&Graph('r'), &['A'], 3, &limits);
        assert_eq!((result.depth, result.nodes), (0, 0));
        // A move that ends the game counts as one ply.
        let result = search.search(&Graph('r'), &['?', 'B'], 1, &Limits { depth: 1, ..limits });
        assert_eq!(result.moves[1], ('?', Score::loss_in(1)));
    }
}
