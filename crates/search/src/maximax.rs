//! Weighted maximax over metapositions (P2, section 4): a search for somebody who sees only part of
//! the game.
//!
//! A [`Metaposition`] folds all positions that fit what was seen into one. An own move makes
//! another of it as the umpire most likely answers; then the opponent does something, nobody knows
//! what, and that too is one metaposition. So there are no moves of MIN: the opponent is weather,
//! and what it may do to the own men is a matter of the evaluation. What is foreseen gets less
//! reliable with each move, therefore a move is worth
//!
//! ```text
//! static * alpha + (1 - alpha) * best of the moves that follow
//! ```
//!
//! and the static value alone at the depth limit and where the game is decided. A node weighs less
//! the deeper it lies. The greater alpha, the more conservative the play: P2 has the side that is
//! ahead search openly and the one that is behind reduce its risk, so alpha depends on the
//! metaposition. It is asked once for all moves of a metaposition, since moves that are weighed
//! differently could not be compared.
//!
//! A move whose value cannot exceed the best one found so far is cut off; that needs a
//! [`Metaposition::ceiling`], and changes no best move's value. The beam does: it is for games that
//! have too many moves, and may miss anything.

use crate::limits::{Budget, Stop};
use std::cmp::Ordering;

/// What a move is worth to the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// It loses, after so many more own moves. P2 writes minus infinity.
    Lost(u32),
    /// An undecided game; a finite number.
    Worth(f64),
    /// It wins, after so many more own moves. P2 writes infinity.
    Won(u32),
}

impl Value {
    /// Lost with this move.
    pub const LOST: Value = Value::Lost(0);
    /// Won with this move: nothing is better.
    pub const WON: Value = Value::Won(0);

    /// Whether the game is decided.
    #[must_use]
    pub fn is_decided(self) -> bool {
        !matches!(self, Value::Worth(_))
    }

    /// The order of preference: sooner wins, later wins, numbers, later losses, sooner losses.
    #[must_use]
    pub fn compare(self, other: Value) -> Ordering {
        match (self, other) {
            (Value::Lost(one), Value::Lost(other)) => one.cmp(&other),
            (Value::Won(one), Value::Won(other)) => other.cmp(&one),
            (Value::Worth(one), Value::Worth(other)) => one.total_cmp(&other),
            _ => self.rank().cmp(&other.rank()),
        }
    }

    fn rank(self) -> u8 {
        match self {
            Value::Lost(_) => 0,
            Value::Worth(_) => 1,
            Value::Won(_) => 2,
        }
    }

    fn exceeds(self, other: Value) -> bool {
        self.compare(other).is_gt()
    }

    fn greater(self, other: Value) -> Value {
        if other.exceeds(self) { other } else { self }
    }

    /// The weighted average of an undecided static value and the best of what follows. Whatever
    /// follows for sure outweighs every number, unless it has no weight at all.
    fn weighted(fixed: f64, alpha: f64, best: Value) -> Value {
        match best {
            _ if alpha >= 1.0 => Value::Worth(fixed),
            Value::Lost(moves) => Value::Lost(moves + 1),
            Value::Worth(best) => Value::Worth(fixed * alpha + (1.0 - alpha) * best),
            Value::Won(moves) => Value::Won(moves + 1),
        }
    }
}

/// Everything that somebody who sees part of a game thinks possible, as one position.
pub trait Metaposition: Sized {
    /// An own move.
    type Move: Copy;

    /// The own moves, in a fixed order. Without any, the static value of the move before stands.
    fn moves(&self) -> Vec<Self::Move>;

    /// After an own move, as the umpire most likely answers it.
    #[must_use]
    fn pseudo(&self, mv: Self::Move) -> Self;

    /// After whatever the opponent does, as the umpire most likely announces it.
    #[must_use]
    fn meta(&self) -> Self;

    /// The static value of a move from here; `after` is what [`Metaposition::pseudo`] gave for it.
    fn evaluate(&self, mv: Self::Move, after: &Self) -> Value;

    /// A value that no static value of the next `moves` own moves from here exceeds. Without a
    /// better one nothing is cut off.
    fn ceiling(&self, moves: u32) -> Value {
        let _ = moves;
        Value::WON
    }
}

/// A move at the root and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked<M> {
    /// The move.
    pub mv: M,
    /// Its value; unless it is exact, it is worth no more than that.
    pub value: Value,
    /// Whether the value is known. That of the first move always is.
    pub exact: bool,
}

/// All moves, by the deepest search that the budget allowed.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking<M> {
    /// Best first.
    pub moves: Vec<Ranked<M>>,
    /// So many own moves were foreseen after the first.
    pub depth: u32,
    /// The limit that ended it, if it was another one than the depth.
    pub stop: Option<Stop>,
}

/// The search.
#[derive(Clone, Copy, Debug)]
pub struct Maximax<A> {
    /// How much the static value of a move from a metaposition weighs, 0 to 1.
    pub alpha: A,
    /// Whether moves are cut off that cannot be the best.
    pub prune: bool,
    /// Below the root only so many moves, those with the best static values, are followed. Not
    /// sound: a quiet move that prepares the best one may fall out.
    pub beam: Option<usize>,
}

/// Moves of the root with their places by static value.
type Placed<M> = Vec<(usize, Ranked<M>)>;

/// A value, or a bound that it does not exceed.
#[derive(Clone, Copy)]
struct Found {
    value: Value,
    exact: bool,
}

/// A move with its static value and what comes of it.
struct Candidate<P: Metaposition> {
    mv: P::Move,
    fixed: Value,
    after: P,
}

impl<A> Maximax<A> {
    /// With pruning and without a beam.
    pub fn new(alpha: A) -> Maximax<A> {
        Maximax { alpha, prune: true, beam: None }
    }

    /// Every move of `from` with its value, `depth` own moves foreseen after it, best first. None
    /// if there are no moves.
    ///
    /// # Errors
    /// The limit that was hit before all was known.
    pub fn rank<P: Metaposition>(
        &self,
        from: &P,
        depth: u32,
        budget: &mut Budget<'_>,
    ) -> Result<Vec<Ranked<P::Move>>, Stop>
    where
        A: Fn(&P) -> f64,
    {
        let root = by_static_value(from, from.moves());
        let order: Vec<usize> = (0..root.len()).collect();
        let ranked = Search { plan: self, budget }.root(from, &root, &order, depth)?;
        Ok(ranked.into_iter().map(|(_, one)| one).collect())
    }

    /// Every move of `from` by deeper and deeper search, up to the depth limit of the budget or
    /// until the game is decided; the best move of a depth is the first to be searched at the next.
    /// The static values are always found, whatever the limits are.
    pub fn deepen<P: Metaposition>(&self, from: &P, budget: &mut Budget<'_>) -> Ranking<P::Move>
    where
        A: Fn(&P) -> f64,
    {
        self.deepen_among(from, from.moves(), budget)
    }

    /// The same of these moves alone: for somebody who knows more about the others.
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
        let root = by_static_value(from, moves);
        let mut order: Vec<usize> = (0..root.len()).collect();
        let moves = root.iter().map(|one| Ranked { mv: one.mv, value: one.fixed, exact: true });
        let mut ranking = Ranking { moves: moves.collect(), depth: 0, stop: None };
        let mut search = Search { plan: self, budget };
        while ranking.depth < last && !is_settled(&ranking.moves) {
            match search.root(from, &root, &order, ranking.depth + 1) {
                Err(stop) => return Ranking { stop: Some(stop), ..ranking },
                Ok(found) => {
                    (order, ranking.moves) = found.into_iter().unzip();
                    ranking.depth += 1;
                }
            }
        }
        ranking
    }
}

/// Whether a deeper search finds nothing else: the best move wins, or every move is decided.
fn is_settled<M>(moves: &[Ranked<M>]) -> bool {
    moves.first().is_none_or(|best| matches!(best.value, Value::Won(_)))
        || moves.iter().all(|one| one.exact && one.value.is_decided())
}

/// The moves with their static values, the best first: what looks good is likely to be good, and
/// the sooner a great value is known, the more is cut off.
fn by_static_value<P: Metaposition>(from: &P, moves: Vec<P::Move>) -> Vec<Candidate<P>> {
    let evaluated = moves.into_iter().map(|mv| {
        let after = from.pseudo(mv);
        Candidate { mv, fixed: from.evaluate(mv, &after), after }
    });
    let mut candidates: Vec<Candidate<P>> = evaluated.collect();
    candidates.sort_by(|one, other| other.fixed.compare(one.fixed));
    candidates
}

struct Search<'s, 'b, A> {
    plan: &'s Maximax<A>,
    budget: &'s mut Budget<'b>,
}

impl<A> Search<'_, '_, A> {
    /// The moves of the root, searched in this order; with their places, best first.
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
            let Found { value, exact } = self.value(&root[place], alpha, depth, floor)?;
            floor = raised(floor, Found { value, exact });
            ranked.push((place, Ranked { mv: root[place].mv, value, exact }));
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

    /// The value of a move, if it exceeds the floor; else a bound that does not.
    fn value<P: Metaposition>(
        &mut self,
        candidate: &Candidate<P>,
        alpha: f64,
        depth: u32,
        floor: Option<Value>,
    ) -> Result<Found, Stop>
    where
        A: Fn(&P) -> f64,
    {
        let fixed = match candidate.fixed {
            Value::Worth(fixed) if depth > 0 && alpha < 1.0 => fixed,
            decided_or_last => return Ok(Found { value: decided_or_last, exact: true }),
        };
        let next = candidate.after.meta();
        let floor = floor.filter(|_| self.plan.prune);
        if let Some(floor) = floor {
            let value = Value::weighted(fixed, alpha, next.ceiling(depth));
            // The ceiling of a dead end is none: its value is the static one.
            let most = value.greater(candidate.fixed);
            if !most.exceeds(floor) {
                return Ok(Found { value: most, exact: false });
            }
        }
        let below = floor.and_then(|floor| floor_below(fixed, alpha, floor));
        let best = self.best(&next, depth - 1, below)?;
        Ok(best.map_or(Found { value: candidate.fixed, exact: true }, |best| Found {
            value: Value::weighted(fixed, alpha, best.value),
            exact: best.exact,
        }))
    }

    /// The best value of the moves of a metaposition, if it exceeds the floor; else a bound that
    /// does not. Nothing if there are no moves.
    fn best<P: Metaposition>(
        &mut self,
        from: &P,
        depth: u32,
        mut floor: Option<Value>,
    ) -> Result<Option<Found>, Stop>
    where
        A: Fn(&P) -> f64,
    {
        self.budget.count()?;
        // A node makes a metaposition for each of its moves, which takes long.
        self.budget.check()?;
        let alpha = self.alpha(from);
        let mut candidates = by_static_value(from, from.moves());
        candidates.truncate(self.plan.beam.unwrap_or(usize::MAX).max(1));
        let mut best: Option<Found> = None;
        for candidate in &candidates {
            let found = self.value(candidate, alpha, depth, floor)?;
            floor = raised(floor, found);
            let is_better = best.is_none_or(|best| {
                found.value.compare(best.value).then(found.exact.cmp(&best.exact)).is_gt()
            });
            if is_better {
                best = Some(found);
            }
        }
        Ok(best)
    }
}

/// What the next move has to exceed.
fn raised(floor: Option<Value>, found: Found) -> Option<Value> {
    if !found.exact {
        return floor;
    }
    Some(floor.map_or(found.value, |floor| floor.greater(found.value)))
}

/// What the moves that follow have to exceed, so that a move of this static value exceeds `floor`.
fn floor_below(fixed: f64, alpha: f64, floor: Value) -> Option<Value> {
    match floor {
        Value::Won(moves) => Some(Value::Won(moves.checked_sub(1)?)),
        Value::Lost(moves) => moves.checked_sub(1).map(Value::Lost),
        Value::Worth(floor) => {
            let least = (floor - fixed * alpha) / (1.0 - alpha);
            // Lower by more than any rounding, so that no better move is lost to it.
            let floor = least - 1e-9 * (1.0 + least.abs());
            floor.is_finite().then_some(Value::Worth(floor))
        }
    }
}
