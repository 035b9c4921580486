//! Weighted maximax over metapositions (P2, section 4): a search for games of hidden information.
//!
//! A [`Metaposition`] merges all positions of an information set into one. The player's move leads
//! to the metaposition after the umpire's most likely answer (a pseudomove); the opponent's unknown
//! move leads to one metaposition as well (a metamove). So there are no MIN nodes: the threats of
//! the opponent are part of the evaluation. Predictions get less reliable with each move, therefore
//! the value of a move is
//!
//! ```text
//! static * alpha + (1 - alpha) * best of the moves that follow
//! ```
//!
//! and the static value alone at the depth limit and when the game is decided. Deeper nodes weigh
//! less. A greater alpha gives more conservative play: in P2 the side that is ahead searches deeper
//! lines and the side that is behind reduces its risk, so alpha depends on the metaposition. It is
//! calculated once for all moves of a metaposition, since moves with different weights are not
//! comparable.
//!
//! A move whose value cannot exceed the best value so far is cut off. That needs a
//! [`Metaposition::ceiling`] and never changes the best value. The beam is not sound: it is for
//! games with too many moves.

use crate::limits::{Budget, Stop};
use std::cmp::Ordering;

/// The value of a move for the player who makes it. It is not a [`Score`](crate::Score), which holds
/// whole numbers: weighted averages need fractions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Loses after this many more own moves. P2 writes minus infinity.
    Lost(u32),
    /// The score of an undecided game; a finite number.
    Score(f64),
    /// Wins after this many more own moves. P2 writes infinity.
    Won(u32),
}

impl Value {
    /// The move loses immediately.
    pub const LOST: Value = Value::Lost(0);
    /// The move wins immediately: the greatest value.
    pub const WON: Value = Value::Won(0);

    /// Whether the game is decided.
    #[must_use]
    pub fn is_decided(self) -> bool {
        !matches!(self, Value::Score(_))
    }

    /// The order of preference: sooner wins, later wins, scores, later losses, sooner losses.
    #[must_use]
    pub fn compare(self, other: Value) -> Ordering {
        match (self, other) {
            (Value::Lost(one), Value::Lost(other)) => one.cmp(&other),
            (Value::Won(one), Value::Won(other)) => other.cmp(&one),
            (Value::Score(one), Value::Score(other)) => one.total_cmp(&other),
            _ => self.rank().cmp(&other.rank()),
        }
    }

    fn rank(self) -> u8 {
        match self {
            Value::Lost(_) => 0,
            Value::Score(_) => 1,
            Value::Won(_) => 2,
        }
    }

    fn exceeds(self, other: Value) -> bool {
        self.compare(other).is_gt()
    }

    fn greater(self, other: Value) -> Value {
        if other.exceeds(self) { other } else { self }
    }

    /// The weighted average of an undecided static value and the best value of the next moves. A
    /// decided value outweighs every score, unless its weight is 0.
    fn weighted(static_value: f64, alpha: f64, best: Value) -> Value {
        match best {
            _ if alpha >= 1.0 => Value::Score(static_value),
            Value::Lost(moves) => Value::Lost(moves + 1),
            Value::Score(best) => Value::Score(static_value * alpha + (1.0 - alpha) * best),
            Value::Won(moves) => Value::Won(moves + 1),
        }
    }
}

/// A metaposition: all positions that a player considers possible, merged into one.
pub trait Metaposition: Sized {
    /// A move of the player.
    type Move: Copy;

    /// The player's moves, in a fixed order. Without any, the static value of the previous move
    /// stands.
    fn moves(&self) -> Vec<Self::Move>;

    /// The metaposition after a pseudomove: the player's move with the umpire's most likely answer.
    #[must_use]
    fn pseudo(&self, mv: Self::Move) -> Self;

    /// The metaposition after a metamove: any move of the opponent with its most likely
    /// announcement.
    #[must_use]
    fn meta(&self) -> Self;

    /// The static value of a move; `after` is the result of [`Metaposition::pseudo`] for it.
    fn evaluate(&self, mv: Self::Move, after: &Self) -> Value;

    /// An upper bound on the static values of the player's next `moves` moves. The default allows
    /// no cut-offs.
    fn ceiling(&self, moves: u32) -> Value {
        let _ = moves;
        Value::WON
    }
}

/// A root move with its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedMove<M> {
    /// The move.
    pub mv: M,
    /// Its value, or an upper bound if it is not exact.
    pub value: Value,
    /// Whether the value is exact. That of the best move always is.
    pub exact: bool,
}

/// All root moves, ranked by the deepest search that the budget allowed.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking<M> {
    /// Best first.
    pub moves: Vec<RankedMove<M>>,
    /// The number of own moves searched after the first.
    pub depth: u32,
    /// The limit that ended the search, if it was not the depth.
    pub stop: Option<Stop>,
}

/// The weighted maximax search.
#[derive(Clone, Copy, Debug)]
pub struct Maximax<A> {
    /// The weight of the static value of a move in a metaposition, 0 to 1.
    pub alpha: A,
    /// Whether moves that cannot be the best are cut off.
    pub prune: bool,
    /// The beam width: below the root only this many moves, those with the best static values, are
    /// searched. Not sound: a quiet move that prepares the best one may be dropped.
    pub beam: Option<usize>,
}

/// Root moves with their indices in static move order.
type Placed<M> = Vec<(usize, RankedMove<M>)>;

/// A value, or an upper bound on it.
#[derive(Clone, Copy)]
struct BoundedValue {
    value: Value,
    exact: bool,
}

/// A move with its static value and the metaposition after it.
struct Candidate<P: Metaposition> {
    mv: P::Move,
    static_value: Value,
    after: P,
}

impl<A> Maximax<A> {
    /// A search with pruning and without a beam.
    pub fn new(alpha: A) -> Maximax<A> {
        Maximax { alpha, prune: true, beam: None }
    }

    /// Every move of `from` with its value, searched `depth` own moves beyond it, best first. Empty
    /// if there are no moves.
    ///
    /// # Errors
    /// The limit that was hit before the search was complete.
    pub fn rank<P: Metaposition>(
        &self,
        from: &P,
        depth: u32,
        budget: &mut Budget<'_>,
    ) -> Result<Vec<RankedMove<P::Move>>, Stop>
    where
        A: Fn(&P) -> f64,
    {
        let root = sorted_by_static_value(from, from.moves());
        let order: Vec<usize> = (0..root.len()).collect();
        let ranked = Search { plan: self, budget }.root(from, &root, &order, depth)?;
        Ok(ranked.into_iter().map(|(_, one)| one).collect())
    }

    /// Ranks the moves of `from` by iterative deepening, up to the depth limit of the budget or
    /// until the game is decided; the ranking of one depth is the move ordering of the next. The
    /// static values are always calculated, whatever the limits are.
    pub fn deepen<P: Metaposition>(&self, from: &P, budget: &mut Budget<'_>) -> Ranking<P::Move>
    where
        A: Fn(&P) -> f64,
    {
        self.deepen_among(from, from.moves(), budget)
    }

    /// Ranks only these moves, for callers that have excluded the others.
    pub fn deepen_among<P: Metaposition>(
        &self,
        from: &P,
        moves: Vec<P::Move>,
        budget: &mut Budget<'_>,
    ) -> Ranking<P::Move>
    where
        A: Fn(&P) -> f64,
    {
        let last = budget.limits().depth;
        let root = sorted_by_static_value(from, moves);
        let mut order: Vec<usize> = (0..root.len()).collect();
        let moves =
            root.iter().map(|one| RankedMove { mv: one.mv, value: one.static_value, exact: true });
        let mut ranking = Ranking { moves: moves.collect(), depth: 0, stop: None };
        let mut search = Search { plan: self, budget };
        while ranking.depth < last && !is_settled(&ranking.moves) {
            match search.root(from, &root, &order, ranking.depth + 1) {
                Err(stop) => return Ranking { stop: Some(stop), ..ranking },
                Ok(ranked) => {
                    (order, ranking.moves) = ranked.into_iter().unzip();
                    ranking.depth += 1;
                }
            }
        }
        ranking
    }
}

/// Whether a deeper search cannot change the best move: it wins, or every move is decided.
fn is_settled<M>(moves: &[RankedMove<M>]) -> bool {
    moves.first().is_none_or(|best| matches!(best.value, Value::Won(_)))
        || moves.iter().all(|one| one.exact && one.value.is_decided())
}

/// Move ordering: the moves with their static values, best first. The sooner a great value is
/// found, the more moves are cut off.
fn sorted_by_static_value<P: Metaposition>(from: &P, moves: Vec<P::Move>) -> Vec<Candidate<P>> {
    let evaluated = moves.into_iter().map(|mv| {
        let after = from.pseudo(mv);
        Candidate { mv, static_value: from.evaluate(mv, &after), after }
    });
    let mut candidates: Vec<Candidate<P>> = evaluated.collect();
    candidates.sort_by(|one, other| other.static_value.compare(one.static_value));
    candidates
}

struct Search<'s, 'b, A> {
    plan: &'s Maximax<A>,
    budget: &'s mut Budget<'b>,
}

impl<A> Search<'_, '_, A> {
    /// The root moves, searched in this order; with their indices, best first.
    fn root<P: Metaposition>(
        &mut self,
        from: &P,
        root: &[Candidate<P>],
        order: &[usize],
        depth: u32,
    ) -> Result<Placed<P::Move>, Stop>
    where
        A: Fn(&P) -> f64,
    {
        let alpha = self.alpha(from);
        let mut floor = None;
        let mut ranked = Vec::with_capacity(root.len());
        for &place in order {
            let BoundedValue { value, exact } = self.value(&root[place], alpha, depth, floor)?;
            floor = raised(floor, BoundedValue { value, exact });
            ranked.push((place, RankedMove { mv: root[place].mv, value, exact }));
        }
        ranked.sort_by(|(_, one), (_, other)| {
            other.value.compare(one.value).then(other.exact.cmp(&one.exact))
        });
        Ok(ranked)
    }

    fn alpha<P>(&self, at: &P) -> f64
    where
        A: Fn(&P) -> f64,
    {
        (self.plan.alpha)(at).clamp(0.0, 1.0)
    }

    /// The value of a move if it exceeds the floor; else an upper bound that does not.
    fn value<P: Metaposition>(
        &mut self,
        candidate: &Candidate<P>,
        alpha: f64,
        depth: u32,
        floor: Option<Value>,
    ) -> Result<BoundedValue, Stop>
    where
        A: Fn(&P) -> f64,
    {
        let static_value = match candidate.static_value {
            Value::Score(static_value) if depth > 0 && alpha < 1.0 => static_value,
            decided_or_last => return Ok(BoundedValue { value: decided_or_last, exact: true }),
        };
        let next = candidate.after.meta();
        let floor = floor.filter(|_| self.plan.prune);
        if let Some(floor) = floor {
            let value = Value::weighted(static_value, alpha, next.ceiling(depth));
            // The ceiling does not hold for a position without moves: its value is the static one.
            let ceiling = value.greater(candidate.static_value);
            if !ceiling.exceeds(floor) {
                return Ok(BoundedValue { value: ceiling, exact: false });
            }
        }
        let below = floor.and_then(|floor| floor_below(static_value, alpha, floor));
        let best = self.best(&next, depth - 1, below)?;
        Ok(best.map_or(BoundedValue { value: candidate.static_value, exact: true }, |best| {
            BoundedValue {
                value: Value::weighted(static_value, alpha, best.value),
                exact: best.exact,
            }
        }))
    }

    /// The best value of the moves of a metaposition if it exceeds the floor; else an upper bound
    /// that does not. None if there are no moves.
    fn best<P: Metaposition>(
        &mut self,
        from: &P,
        depth: u32,
        mut floor: Option<Value>,
    ) -> Result<Option<BoundedValue>, Stop>
    where
        A: Fn(&P) -> f64,
    {
        self.budget.count()?;
        // A node builds a metaposition for each of its moves, which takes long.
        self.budget.check()?;
        let alpha = self.alpha(from);
        let mut candidates = sorted_by_static_value(from, from.moves());
        candidates.truncate(self.plan.beam.unwrap_or(usize::MAX).max(1));
        let mut best: Option<BoundedValue> = None;
        for candidate in &candidates {
            let value = self.value(candidate, alpha, depth, floor)?;
            floor = raised(floor, value);
            let is_better = best.is_none_or(|best| {
                value.value.compare(best.value).then(value.exact.cmp(&best.exact)).is_gt()
            });
            if is_better {
                best = Some(value);
            }
        }
        Ok(best)
    }
}

/// The value that the next move has to exceed.
fn raised(floor: Option<Value>, BoundedValue { value, exact }: BoundedValue) -> Option<Value> {
    if !exact {
        return floor;
    }
    Some(floor.map_or(value, |floor| floor.greater(value)))
}

/// The value that the following moves have to exceed, so that a move of this static value exceeds
/// `floor`.
fn floor_below(static_value: f64, alpha: f64, floor: Value) -> Option<Value> {
    match floor {
        Value::Won(moves) => Some(Value::Won(moves.checked_sub(1)?)),
        Value::Lost(moves) => moves.checked_sub(1).map(Value::Lost),
        Value::Score(floor) => {
            let bound = (floor - static_value * alpha) / (1.0 - alpha);
            // Lower by more than any rounding error, so that no better move is cut off.
            let floor = bound - 1e-9 * (1.0 + bound.abs());
            floor.is_finite().then_some(Value::Score(floor))
        }
    }
}
