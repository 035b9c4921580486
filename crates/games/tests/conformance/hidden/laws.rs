//! The laws that hold after every step of every game.

use super::Subject;
use crate::common::golden::Numbers;
use common::rng::stream;
use games::hidden::{ActionError, InformationState, Metaposition, Reply};
use std::fmt::{Debug, Display};
use std::str::FromStr;

/// States drawn for each information state.
const DRAWS: usize = 3;

/// What the examination has met; it is no use if that is not much.
#[derive(Default)]
pub(super) struct Met {
    /// States that were drawn.
    pub(super) drawn: usize,
    /// Those of them that are not the truth.
    pub(super) other: usize,
    /// Tries that were refused.
    pub(super) refused: usize,
    /// Games that ended.
    pub(super) ended: usize,
}

/// Plays random games of `G` and checks every law after every step.
pub(super) fn examine<G: Subject>() -> Met {
    let mut met = Met::default();
    let starts = G::starts();
    for number in 0..G::GAMES {
        let start = &starts[number % starts.len()];
        G::setups(start).into_iter().for_each(reads_as_written);
        play_one::<G>(start, number as u64, &mut met);
    }
    met
}

fn play_one<G: Subject>(start: &G::Start, seed: u64, met: &mut Met) {
    let mut numbers = Numbers(seed);
    let setups = G::setups(start);
    let any = |numbers: &mut Numbers| numbers.choose(&setups).expect("there is a set-up");
    let mut game = G::begin(start, [any(&mut numbers), any(&mut numbers)]);
    let mut states = InformationState::both(start, &game);
    let mut last = None;
    for step in 0..G::MAX_STEPS {
        for state in &states {
            examine_seat(&game, state, seed ^ (step as u64) << 32, met);
        }
        if game.outcome().is_some() {
            met.ended += 1;
            return the_end_is_the_end(&game, &states, last.expect("the game was played"));
        }
        let seat = game.turn();
        let candidates = states[seat.index()].candidates();
        legal_actions_are_candidates(&game, &states[seat.index()], &candidates);
        let action = numbers.choose(&candidates).expect("a game that continues has a candidate");
        reads_as_written(action);
        let action = G::turned(action, seat);
        last = Some(action);
        let reply = apply(&mut game, &mut states, action);
        met.refused += usize::from(reply == Reply::Refused);
    }
}

/// Laws 1, 3 and 4 for one seat.
fn examine_seat<G: Subject>(game: &G, state: &InformationState<G>, seed: u64, met: &mut Met) {
    let seat = state.seat();
    assert_eq!(*state.now(), game.observe(seat));
    let folded = G::Folded::fold(state);
    assert!(folded.contains(game, seat), "the truth is not in the metaposition of {state:?}");
    for drawn in G::resample(state, DRAWS, &mut stream(seed, seat.index() as u64)) {
        met.drawn += 1;
        met.other += usize::from(drawn.truth() != game.truth());
        assert!(folded.contains(&drawn, seat), "{drawn:?} is not in the metaposition");
        agrees(&drawn, state);
    }
}

/// The seat cannot tell `drawn` from the truth, now or in its memory.
pub(super) fn agrees<G: Subject>(drawn: &G, state: &InformationState<G>) {
    let seat = state.seat();
    assert_eq!(drawn.observe(seat), *state.now(), "{drawn:?}");
    assert_eq!(drawn.turn() == seat, !state.candidates().is_empty(), "{drawn:?}");
    let (setups, actions) = drawn.line(state);
    let again = InformationState::replay(state.start(), setups, &actions, seat);
    let again = again.unwrap_or_else(|error| panic!("{drawn:?} has no history: {error}"));
    assert_eq!(again, *state, "{drawn:?} was not observed");
    assert_eq!(again.candidates(), state.candidates());
    let mut replayed = G::begin(state.start(), setups);
    for action in actions {
        replayed.apply(action).expect("it was replayed before");
    }
    assert_eq!(replayed.truth(), drawn.truth());
}

/// Law 2: a seat knows of everything it can do, and its candidates are in no doubt but by the truth.
fn legal_actions_are_candidates<G: Subject>(
    game: &G,
    state: &InformationState<G>,
    candidates: &[G::Action],
) {
    let seat = game.turn();
    let legal = game.legal_actions();
    assert!(!legal.is_empty(), "{game:?} continues without a legal action");
    for &action in &legal {
        let seen = G::turned(action, seat);
        assert_eq!(G::turned(seen, seat), action, "turning twice is not turning");
        assert!(candidates.contains(&seen), "{seen} is legal and no candidate of {state:?}");
    }
    for &candidate in candidates {
        let action = G::turned(candidate, seat);
        let reply = game.clone().apply(action).expect("a candidate can be tried").reply;
        assert_eq!(reply == Reply::Played, legal.contains(&action), "{action}");
    }
}

/// Applies an action and checks what the seats perceive of it.
fn apply<G: Subject>(
    game: &mut G,
    states: &mut [InformationState<G>; 2],
    action: G::Action,
) -> Reply {
    let (before, old) = (game.clone(), states.clone());
    let seat = game.turn();
    let step = game.apply(action).expect("a candidate can be tried");
    for (state, event) in states.iter_mut().zip(step.perceived) {
        state.extend(event, game);
    }
    if step.reply == Reply::Refused {
        let opponent = seat.opponent().index();
        assert_eq!(states[opponent], old[opponent], "a refusal is heard");
        assert_ne!(states[seat.index()], old[seat.index()], "a refusal is not heard");
        assert_eq!(
            (game.turn(), game.truth()),
            (seat, before.truth()),
            "a refusal changes something"
        );
        assert_eq!(game.legal_actions(), before.legal_actions());
        let left = states[seat.index()].candidates();
        let mut fewer = old[seat.index()].candidates();
        fewer.retain(|&one| G::turned(one, seat) != action);
        assert_eq!(left, fewer, "a refusal takes away what was refused, and nothing else");
    }
    step.reply
}

fn the_end_is_the_end<G: Subject>(game: &G, states: &[InformationState<G>; 2], last: G::Action) {
    assert!(game.legal_actions().is_empty());
    assert!(states.iter().all(|state| state.candidates().is_empty()));
    let mut after = game.clone();
    assert_eq!(after.apply(last), Err(ActionError::GameOver));
    assert_eq!(after, *game);
}

/// Law 5.
fn reads_as_written<T: Display + FromStr<Err: Display> + PartialEq + Debug + Copy>(value: T) {
    match value.to_string().parse::<T>() {
        Ok(again) => assert_eq!(again, value),
        Err(error) => panic!("{value} cannot be read: {error}"),
    }
}
