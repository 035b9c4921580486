//! Golden playthroughs: a random game with the truth and what both seats see.

use super::Subject;
use crate::common::golden::{Numbers, assert_golden};
use games::Seat;
use games::hidden::{GameOutcome, InformationState};
use std::fmt::Write;

/// Blocks of text side by side.
fn beside(blocks: &[String]) -> String {
    let lines: Vec<Vec<&str>> = blocks.iter().map(|block| block.lines().collect()).collect();
    let height = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |block: &Vec<&str>| block.iter().map(|line| line.len()).max().unwrap_or(0);
    let mut text = String::new();
    for row in 0..height {
        let mut line = String::new();
        for block in &lines {
            let cell = block.get(row).copied().unwrap_or("");
            write!(line, "  {cell:0$}", width(block)).expect("text takes text");
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

fn describe<G: Subject>(game: &G) -> String {
    let [first, second] = Seat::ALL.map(|seat| G::view(&game.observe(seat)));
    beside(&[game.truth(), first, second])
}

/// Compares at most `steps` steps of a random game with `tests/golden/NAME`.
pub(super) fn golden<G: Subject>(name: &str, seed: u64, steps: usize) {
    let mut numbers = Numbers(seed);
    let start = G::starts().swap_remove(0);
    let setups = G::setups(&start);
    let any = |numbers: &mut Numbers| numbers.choose(&setups).expect("there is a set-up");
    let chosen = [any(&mut numbers), any(&mut numbers)];
    let mut game = G::begin(&start, chosen);
    let mut states = InformationState::both(&start, &game);
    let mut text = format!(
        "A game of {} with random actions, seed {seed}, set-ups {} and {}.\n\
         The boards are the truth, what the first seat sees, and what the second seat sees.\n\n{}",
        G::NAME,
        chosen[0],
        chosen[1],
        describe(&game)
    );
    for step in 1..=steps {
        let seat = game.turn();
        let candidates = states[seat.index()].candidates();
        let Some(action) = numbers.choose(&candidates) else { break };
        let count = candidates.len();
        let applied = game.apply(G::turned(action, seat)).expect("a candidate can be tried");
        writeln!(
            text,
            "\nstep {step}: {seat:?} chooses {action} of {count}: {:?}\n  first perceives {:?}\n  second perceives {:?}\n{}",
            applied.reply,
            applied.perceived[0],
            applied.perceived[1],
            describe(&game)
        )
        .expect("text takes text");
        for (state, event) in states.iter_mut().zip(applied.perceived) {
            state.extend(event, &game);
        }
    }
    let outcome = game.outcome().map(|outcome| (outcome.winner(), outcome.reason()));
    writeln!(text, "{outcome:?}").expect("text takes text");
    assert_golden(name, &text);
}
