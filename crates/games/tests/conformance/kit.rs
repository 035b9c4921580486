//! The examination.
//!
//! Random games are played with a game and its slow twin side by side. In every position both must
//! offer the same steps (moves, or what chance may do) and agree on the text and the ending; what
//! is written must read as itself; and two positions have one key exactly if they have one text.

use crate::common::golden::{Numbers, assert_golden};
use games::{Chance, Ending, Rules};
use std::collections::HashMap;
use std::fmt::{Debug, Display, Write};

/// A step as it is written, and where it leads.
type Step<G> = (String, G);

/// The rules once more, slowly and straight from their description.
pub(crate) trait Twin: Clone {
    /// Every step as it is written, in any order.
    fn steps(&self) -> Vec<String>;
    /// The twin after a step of [`Twin::steps`].
    fn after(&self, step: &str) -> Self;
    /// The text that the position should have.
    fn text(&self) -> String;
    /// How the game should have ended; `None` if it goes on, and for games without winners.
    fn ending(&self) -> Option<Ending>;
}

/// A game that is examined.
pub(crate) trait Subject: Rules<Move: Display> + PartialEq + Debug {
    type Twin: Twin;

    /// No game is longer.
    const MAX_PLAYOUT_PLIES: usize;
    /// Random games to play, from each start alike.
    const GAMES: usize = 200;

    fn starts() -> Vec<(Self, Self::Twin)>;
    fn text(&self) -> String;
    fn ending(&self) -> Option<Ending>;

    /// The key, for games that have one.
    fn key(&self) -> Option<u64>;

    /// What reading the text gives, for positions whose text is meant to be read.
    fn read_again(&self) -> Option<Self>;

    /// Every step; a game with chance adds what chance may do.
    fn steps(&self) -> Vec<Step<Self>> {
        let step = |mv: Self::Move| (mv.to_string(), self.play_unchecked(mv));
        self.legal_moves().into_iter().map(step).collect()
    }

    /// What else must hold in every position of this game.
    fn examine(&self) {}
}

/// Steps of a game with chance: moves, or events where chance is to move.
pub(crate) fn steps_with_chance<G: Chance<Move: Display, Event: Display>>(
    game: &G,
) -> Vec<Step<G>> {
    let moves = game.legal_moves().into_iter().map(|mv| (mv.to_string(), game.play_unchecked(mv)));
    let events = game.events().into_iter();
    moves.chain(events.map(|(event, _)| (event.to_string(), game.after_event(event)))).collect()
}

/// Chance moves or a player does, never both, and the probabilities make a whole.
pub(crate) fn examine_chance<G: Chance>(game: &G) {
    let events = game.events();
    if !events.is_empty() {
        assert!(game.legal_moves().is_empty(), "chance and a player are to move");
        assert!(events.iter().all(|&(_, probability)| probability > 0.0));
        let sum: f64 = events.iter().map(|&(_, probability)| probability).sum();
        assert!((sum - 1.0).abs() < 1e-12, "the probabilities sum to {sum}");
    }
}

/// What was seen, to compare what belongs together across games.
#[derive(Default)]
struct Seen {
    text_of_key: HashMap<u64, String>,
    key_of_text: HashMap<String, u64>,
    read: usize,
    transpositions: usize,
}

impl Seen {
    fn note<G: Subject>(&mut self, game: &G) {
        let text = game.text();
        if let Some(again) = game.read_again() {
            assert_eq!(again, *game, "{text} reads as another position");
            self.read += 1;
        }
        if let Some(key) = game.key() {
            let other = self.text_of_key.entry(key).or_insert_with(|| text.clone());
            assert_eq!(*other, text, "two positions have the key {key:#x}");
            self.transpositions += usize::from(self.key_of_text.contains_key(&text));
            let other = *self.key_of_text.entry(text).or_insert(key);
            assert_eq!(other, key, "{game:?} has two keys");
        }
    }
}

/// One position: game and twin agree.
fn compare<G: Subject>(game: &G, twin: &G::Twin) -> Vec<Step<G>> {
    assert_eq!(game.text(), twin.text());
    assert_eq!(game.ending(), twin.ending(), "{game:?}");
    let steps = game.steps();
    let mut names: Vec<String> = steps.iter().map(|(name, _)| name.clone()).collect();
    let mut expected = twin.steps();
    names.sort();
    expected.sort();
    assert_eq!(names, expected, "{game:?}");
    game.examine();
    steps
}

/// Plays one random game and returns how many steps it took.
fn play_one<G: Subject>(start: (G, G::Twin), numbers: &mut Numbers, seen: &mut Seen) -> usize {
    let (mut game, mut twin) = start;
    for count in 0..=G::MAX_PLAYOUT_PLIES {
        seen.note(&game);
        let steps = compare(&game, &twin);
        let Some((name, after)) = numbers.choose(&steps) else { return count };
        twin = twin.after(&name);
        game = after;
    }
    panic!("a game of more than {} steps: {game:?}", G::MAX_PLAYOUT_PLIES);
}

/// The whole examination.
pub(crate) fn examine<G: Subject>() {
    let mut numbers = Numbers(20_481);
    let mut seen = Seen::default();
    let starts = G::starts();
    let lengths: Vec<usize> = (0..G::GAMES)
        .map(|number| play_one(starts[number % starts.len()].clone(), &mut numbers, &mut seen))
        .collect();
    // The examination is no use if it did not look at much.
    assert!(lengths.iter().sum::<usize>() > G::GAMES, "the games were too short");
    if starts[0].0.read_again().is_some() {
        assert!(seen.read > G::GAMES, "hardly any text was read");
    }
    if starts[0].0.key().is_some() {
        assert!(seen.transpositions > 0, "no position was met twice");
    }
}

/// A random game written out, compared with `tests/golden/NAME`.
pub(crate) fn golden<G: Subject>(name: &str, seed: u64, draw: impl Fn(&G) -> String) {
    let mut numbers = Numbers(seed);
    let (mut game, _) = G::starts().swap_remove(0);
    let mut text = format!("A game of random moves, seed {seed}.\n");
    for step in 0.. {
        writeln!(text, "\nstep {step}\n{}", draw(&game)).expect("text takes text");
        let steps = game.steps();
        let Some((chosen, after)) = numbers.choose(&steps) else { break };
        let names: Vec<&str> = steps.iter().map(|(name, _)| name.as_str()).collect();
        writeln!(text, "of {}\nplays {chosen}", names.join(", ")).expect("text takes text");
        game = after;
    }
    writeln!(text, "{:?}", game.ending()).expect("text takes text");
    assert_golden(name, &text);
}
