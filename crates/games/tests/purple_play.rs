//! Purple positions against the slow twin of their rules, over random play.

#[macro_use]
mod common;

use common::twin::Twin;
use common::{for_all, line, sorted, start, two_words, writable_moves};
use games::Seat;
use games::geister::{Board, Outcome, Position, Reason};
use games::perft;
use std::cell::RefCell;
use std::collections::HashSet;

const PLIES: usize = 60;

fn twin_of<B: Board>(position: &Position<B>) -> Twin {
    Twin::purple(&position.setup().compact(), B::COLUMNS as usize)
}

fn assert_same<B: Board>(position: &Position<B>, twin: &Twin) {
    assert_eq!(position.setup().compact(), twin.compact());
    assert_eq!(position.turn(), twin.turn(), "{position}");
    assert_eq!(position.outcome(), twin.outcome(), "{position}");
    assert_eq!(sorted(position.legal_moves()), sorted(twin.moves()), "{position}");
    assert_eq!(position.legal_moves().is_empty(), position.outcome().is_some(), "{position}");
}

fn play_agrees_with_the_twin<B: Board>() {
    let ends = RefCell::new(HashSet::new());
    for_all(line(start::<B>(), PLIES), |line| {
        let mut twin = twin_of(line.start());
        for &(position, mv) in &line.plies {
            assert_same(&position, &twin);
            let after = twin.after(mv);
            for letter in "BRbru".chars() {
                let captured = position.captured(mv).map(games::geister::Ghost::letter);
                let more = after.captured(letter) - twin.captured(letter);
                assert_eq!(u32::from(captured == Some(letter)), more, "{position} {mv}");
            }
            assert_eq!(position.play(mv), Ok(position.play_unchecked(mv)));
            twin = after;
        }
        assert_same(&line.last, &twin);
        ends.borrow_mut().extend(line.last.outcome());
    });
    // Only play that reaches every end has shown that all of them agree.
    for winner in [Seat::First, Seat::Second] {
        for reason in [Reason::Escape, Reason::BluesCaptured, Reason::RedsCaptured] {
            let end = Outcome::win(winner, reason);
            assert!(ends.borrow().contains(&end), "random play never reached: {end}");
        }
    }
}

fn legal_is_what_the_generator_finds<B: Board>() {
    let writable = writable_moves();
    for_all(line(start::<B>(), PLIES), |line| {
        for position in line.last_two() {
            let moves = position.legal_moves();
            for &mv in &writable {
                let legal = moves.contains(&mv);
                assert_eq!(position.is_legal(mv), legal, "{position} {mv}");
                assert_eq!(position.play(mv).is_ok(), legal, "{position} {mv}");
            }
        }
    });
}

fn counts_fit_the_board<B: Board>() {
    for_all(line(start::<B>(), PLIES), |line| {
        for position in line.positions() {
            let (count, text) = (position.count(), position.setup().compact());
            let (squares, blue) = two_words(&text);
            let letters = |letter| squares.matches(letter).count() as u32;
            assert_eq!(count.own_blue, letters('B'), "{position}");
            assert_eq!(count.own_red, letters('R'), "{position}");
            assert_eq!(count.shown_blue, letters('b'), "{position}");
            assert_eq!(count.shown_red, letters('r'), "{position}");
            assert_eq!(count.hidden, letters('u'), "{position}");
            assert!(count.hidden_blue <= count.hidden, "{position}");
            assert_eq!((count.shown_blue + count.hidden_blue).to_string(), blue);
        }
    });
}

fn trees_have_the_size_of_the_twins<B: Board>() {
    for_all(line(start::<B>(), 10), |line| {
        let Some(&(position, _)) = line.plies.iter().rfind(|(p, _)| p.turn() == Seat::First) else {
            return;
        };
        assert_eq!(perft(&position, 2), twin_of(&position).perft(2), "{position}");
    });
}

on_every_board!(
    play_agrees_with_the_twin,
    legal_is_what_the_generator_finds,
    counts_fit_the_board,
    trees_have_the_size_of_the_twins,
);
