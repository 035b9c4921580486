//! Law 3 in full, where there is little to enumerate: exactly the states that agree are drawn.

use super::Subject;
use super::laws::agrees;
use crate::common::golden::Numbers;
use common::rng::stream;
use games::Seat;
use games::hidden::{InformationState, Perceived};
use std::collections::BTreeSet;

/// Every state that agrees with an information state, found by trying everything: all set-ups, all
/// moves of the opponent, all own tries.
struct Agreeing<'a, G: Subject> {
    wanted: &'a InformationState<G>,
    truths: BTreeSet<String>,
}

impl<G: Subject> Agreeing<'_, G> {
    fn explore(&mut self, game: &G, state: &InformationState<G>) {
        if state.steps().len() == self.wanted.steps().len() {
            self.truths.insert(game.truth());
            return;
        }
        let seat = state.seat();
        let actions = if game.turn() == seat {
            state.candidates().into_iter().map(|action| G::turned(action, seat)).collect()
        } else {
            game.legal_actions()
        };
        for action in actions {
            let (mut after, mut extended) = (game.clone(), state.clone());
            let [first, second] = after.apply(action).expect("it can be tried").perceived;
            extended.extend(if seat == Seat::First { first } else { second }, &after);
            if self.may_lead_on(&extended) {
                self.explore(&after, &extended);
            }
        }
    }

    /// Whether `state` is the beginning of what is wanted.
    fn may_lead_on(&self, state: &InformationState<G>) -> bool {
        let (steps, all) = (state.steps(), self.wanted.steps());
        let now = all.get(steps.len()).map_or(self.wanted.now(), |Perceived { before, .. }| before);
        all.starts_with(steps) && state.now() == now
    }
}

fn agreeing<G: Subject>(wanted: &InformationState<G>) -> BTreeSet<String> {
    let mut search = Agreeing { wanted, truths: BTreeSet::new() };
    let setups = G::setups(wanted.start());
    for &first in &setups {
        for &second in &setups {
            let game = G::begin(wanted.start(), [first, second]);
            let [one, other] = InformationState::both(wanted.start(), &game);
            let state = if wanted.seat() == Seat::First { one } else { other };
            if search.may_lead_on(&state) {
                search.explore(&game, &state);
            }
        }
    }
    search.truths
}

/// Draws states for the information states of random games of `steps` steps until every state that
/// agrees has come, and checks that no other one comes. Returns the largest number of them.
pub(super) fn examine<G: Subject>(start: &G::Start, games: u64, steps: usize) -> usize {
    let mut largest = 0;
    for seed in 0..games {
        let mut numbers = Numbers(seed);
        let setups = G::setups(start);
        let any = |numbers: &mut Numbers| numbers.choose(&setups).expect("there is a set-up");
        let mut game = G::begin(start, [any(&mut numbers), any(&mut numbers)]);
        let mut states = InformationState::both(start, &game);
        for _ in 0..steps {
            let seat = game.turn();
            let Some(action) = numbers.choose(&states[seat.index()].candidates()) else { break };
            let step = game.apply(G::turned(action, seat)).expect("a candidate can be tried");
            for (state, event) in states.iter_mut().zip(step.perceived) {
                state.extend(event, &game);
            }
        }
        if game.outcome().is_none() {
            largest = states.iter().map(|state| draw_all(state, seed)).fold(largest, usize::max);
        }
    }
    largest
}

fn draw_all<G: Subject>(state: &InformationState<G>, seed: u64) -> usize {
    let wanted = agreeing(state);
    let mut missing = wanted.clone();
    let mut rng = stream(seed, 7);
    // So many draws miss one of `n` equally likely states with a probability below n e^-40.
    for _ in 0..40 * wanted.len() {
        for drawn in G::resample(state, 1, &mut rng) {
            agrees(&drawn, state);
            assert!(wanted.contains(&drawn.truth()), "{drawn:?} does not agree");
            missing.remove(&drawn.truth());
        }
        if missing.is_empty() {
            return wanted.len();
        }
    }
    panic!("of {} states these are never drawn: {missing:?}", wanted.len());
}
