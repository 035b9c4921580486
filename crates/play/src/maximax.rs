//! A player that searches a metaposition by weighted maximax.

use crate::{Player, Thinking, uniform};
use games::hidden::{Foresight, HiddenGame, InformationState, Metaposition};
use search::maximax::{self, RankedMove, Value};
use search::{Budget, Limits};
use std::marker::PhantomData;
use std::time::Duration;

/// How a player judges metapositions.
pub trait Evaluation<M: Foresight>: Send {
    /// The static value of the own action that led from `before` to `after`.
    fn value(&self, before: &M, action: M::Action, after: &M) -> Value;

    /// How much the static value weighs against what follows, 0 to 1.
    fn alpha(&self, at: &M) -> f64;

    /// An upper bound on the static values of the next `moves` own actions. The default allows no
    /// cut-offs.
    fn ceiling(&self, at: &M, moves: u32) -> Value {
        let _ = (at, moves);
        Value::WON
    }
}

/// Weighted maximax over the metaposition `M`, judged by `E`.
#[derive(Clone, Debug)]
pub struct Maximax<M, E> {
    evaluation: E,
    /// Own actions that are foreseen after the first.
    depth: u32,
    metaposition: PhantomData<fn() -> M>,
}

impl<M, E> Maximax<M, E> {
    /// A player with this evaluation that foresees at most `depth` own actions after the first.
    pub const fn new(evaluation: E, depth: u32) -> Maximax<M, E> {
        Maximax { evaluation, depth, metaposition: PhantomData }
    }
}

impl<M: Foresight, E: Evaluation<M>> Maximax<M, E> {
    /// Ranks these actions of a metaposition within the time, the best first.
    pub fn rank(
        &self,
        meta: M,
        actions: Vec<M::Action>,
        time: Duration,
    ) -> Vec<RankedMove<M::Action>> {
        let root = View { meta, evaluation: &self.evaluation };
        let limits = Limits { depth: self.depth, time: Some(time), ..Limits::default() };
        let alpha = |at: &View<'_, M, E>| self.evaluation.alpha(&at.meta);
        search::Maximax::new(alpha).deepen_among(&root, actions, &mut Budget::new(&limits)).moves
    }
}

/// A metaposition as the search sees it.
struct View<'a, M, E> {
    meta: M,
    evaluation: &'a E,
}

impl<M: Foresight, E: Evaluation<M>> maximax::Metaposition for View<'_, M, E> {
    type Move = M::Action;

    fn moves(&self) -> Vec<M::Action> {
        self.meta.candidates()
    }

    fn pseudo(&self, action: M::Action) -> Self {
        View { meta: self.meta.pseudo(action), evaluation: self.evaluation }
    }

    fn meta(&self) -> Self {
        View { meta: self.meta.meta(), evaluation: self.evaluation }
    }

    fn evaluate(&self, action: M::Action, after: &Self) -> Value {
        self.evaluation.value(&self.meta, action, &after.meta)
    }

    fn ceiling(&self, moves: u32) -> Value {
        self.evaluation.ceiling(&self.meta, moves)
    }
}

impl<G, M, E> Player<G> for Maximax<M, E>
where
    G: HiddenGame,
    M: Metaposition<G> + Foresight<Action = G::Action>,
    E: Evaluation<M>,
{
    fn choose(&mut self, information: &InformationState<G>, thinking: &Thinking) -> G::Action {
        let meta = M::fold(information);
        let candidates = information.candidates();
        let mut actions = meta.candidates();
        actions.retain(|action| candidates.contains(action));
        let ranked = self.rank(meta, actions, thinking.time);
        let best = ranked.first().map(|best| best.mv);
        best.unwrap_or_else(|| uniform(&candidates, information, thinking))
    }
}
