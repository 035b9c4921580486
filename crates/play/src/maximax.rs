//! A player that searches a metaposition by weighted maximax.

use crate::{Player, Thinking, uniform};
use games::hidden::{Foresight, HiddenGame, InformationState, Metaposition};
use search::maximax::{self, Value};
use search::{Budget, Limits};
use std::marker::PhantomData;

/// How a player judges metapositions.
pub trait Evaluation<M: Foresight>: Send {
    /// The static value of the own action that led from `before` to `after`.
    fn value(&self, before: &M, action: M::Action, after: &M) -> Value;

    /// How much the static value weighs against what follows, 0 to 1.
    fn alpha(&self, at: &M) -> f64;
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
}

impl<G, M, E> Player<G> for Maximax<M, E>
where
    G: HiddenGame,
    M: Metaposition<G> + Foresight<Action = G::Action>,
    E: Evaluation<M>,
{
    fn choose(&mut self, information: &InformationState<G>, thinking: &Thinking) -> G::Action {
        let evaluation = &self.evaluation;
        let root = View { meta: M::fold(information), evaluation };
        let candidates = information.candidates();
        let mut actions = root.meta.candidates();
        actions.retain(|action| candidates.contains(action));
        let limits = Limits { depth: self.depth, time: Some(thinking.time), ..Limits::default() };
        let alpha = |at: &View<'_, M, E>| evaluation.alpha(&at.meta);
        let ranking =
            search::Maximax::new(alpha).deepen_among(&root, actions, &mut Budget::new(&limits));
        let best = ranking.moves.first().map(|best| best.mv);
        best.unwrap_or_else(|| uniform(&candidates, information, thinking))
    }
}
