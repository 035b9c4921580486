//! Why a setup is no position: every reason at once, and no reason for what is one.

#[macro_use]
mod common;

use common::{any_setup, for_all, squares, valid_setup};
use games::geister::{Board, Ghost, Position, Setup, Small, Square, Standard};
use std::cell::Cell;

/// The rules of a start position in one expression, with the numbers of both colours of both sides.
fn is_position<B: Board>(setup: &Setup<B>) -> bool {
    let count = |letter: char| {
        let here = |&square: &Square| setup.get(square).is_some_and(|g| g.letter() == letter);
        squares::<B>().into_iter().filter(here).count() as i64
    };
    let blue = i64::from(setup.blue);
    let red = count('b') + count('r') + count('u') - blue;
    let some = 1..=i64::from(B::GHOSTS_OF_A_COLOUR);
    // The last shown blue may have been captured; a hidden ghost counts as a blue that can leave.
    let blue_or_hidden = if blue == 0 { count('u').min(1) } else { blue };
    [count('B'), count('R'), blue_or_hidden, red].iter().all(|number| some.contains(number))
        && count('b') <= blue
        && count('r') <= red
}

fn refused_exactly_with_a_reason<B: Board>() {
    let (accepted, refused) = (Cell::new(0), Cell::new(0));
    for_all(any_setup::<B>(), |setup| {
        let refusals = setup.refusals();
        assert_eq!(refusals.is_empty(), is_position(&setup), "{setup}: {refusals:?}");
        match Position::from_setup(setup.clone()) {
            Ok(position) => {
                accepted.set(accepted.get() + 1);
                assert_eq!(position.setup(), setup);
                assert_eq!(position.outcome(), None, "{setup}");
            }
            Err(error) => {
                refused.set(refused.get() + 1);
                assert_eq!(error.setup, setup);
                assert_eq!(error.refusals, refusals);
                for refusal in &refusals {
                    assert!(error.to_string().contains(&refusal.to_string()), "{error}");
                }
            }
        }
    });
    assert!(accepted.get() > 40 && refused.get() > 40, "{accepted:?} {refused:?}");
}

/// A ghost too many or too few of one kind is named, whatever else there is.
fn a_spoilt_position_names_what_was_spoilt<B: Board>() {
    for_all(valid_setup::<B>(), |setup| {
        for ghost in [Ghost::OwnBlue, Ghost::OwnRed] {
            let mut without = setup.clone();
            squares::<B>()
                .into_iter()
                .filter(|&square| setup.get(square) == Some(ghost))
                .for_each(|square| without.set(square, None));
            without.blue = 9;
            let text = Position::from_setup(without).expect_err("it is spoilt").to_string();
            assert!(text.contains(&format!("ghost `{}`", ghost.letter())), "{setup}: {text}");
            assert!(text.contains("BLUE is 9"), "{setup}: {text}");
        }
    });
}

on_every_board!(refused_exactly_with_a_reason, a_spoilt_position_names_what_was_spoilt);

fn assert_refused<B: Board>(cases: &[(&str, &str)]) {
    for (text, reasons) in cases {
        let error = text.parse::<Position<B>>().map_err(|error| error.to_string());
        assert_eq!(error, Err(reasons.split_whitespace().collect::<Vec<_>>().join(" ")), "{text}");
    }
}

#[test]
fn every_reason_is_named() {
    assert_refused::<Standard>(&[
        (
            "6/6/6/6/6/6 0",
            "there is no own blue ghost `B`, and there is no own red ghost `R`, and there is no \
             ghost of the top side (`u`, `b` or `r`), and BLUE is 0 and no `u` is left, so the game \
             is already won",
        ),
        (
            "6/6/6/6/6/B4R 3",
            "there is no ghost of the top side (`u`, `b` or `r`), and BLUE is 3 but the top side \
             has only 0 ghosts",
        ),
        ("6/rr4/6/6/6/B4R 0", "BLUE is 0 and no `u` is left, so the game is already won"),
        (
            "6/uu4/6/6/6/B4R 2",
            "BLUE is 2, which leaves the top side no red, so the game is already lost",
        ),
        ("6/uu4/6/6/6/B4R 3", "BLUE is 3 but the top side has only 2 ghosts"),
        ("6/bbr3/6/6/6/B4R 1", "BLUE is 1 but 2 `b` are shown"),
        ("6/bbr3/6/6/6/B4R 0", "BLUE is 0 but 2 `b` are shown"),
        ("6/brr3/6/6/6/B4R 2", "BLUE leaves 1 red but 2 `r` are shown"),
        ("6/brr3/6/6/6/B4R 3", "BLUE leaves 0 red but 2 `r` are shown"),
        (
            "6/brr3/6/6/6/B4R 7",
            "BLUE is 7 but the top side has only 3 ghosts, and BLUE leaves 0 red but 2 `r` are \
             shown",
        ),
        (
            "6/uuuuu1/6/6/6/BBBBB1 0",
            "there are 5 `B` and 4 is the most, and there is no own red ghost `R`, and the top side \
             has 5 red ghosts and 4 is the most",
        ),
        ("6/uuuuuu/6/6/6/B4R 5", "the top side has 5 blue ghosts and 4 is the most"),
        (
            "uuuuuu/bbbuuu/6/6/BBBBB1/RRRRRR 2",
            "there are 5 `B` and 4 is the most, and there are 6 `R` and 4 is the most, and the top \
             side has 12 ghosts and 8 is the most, and BLUE is 2 but 3 `b` are shown, and the top \
             side has 10 red ghosts and 4 is the most",
        ),
        (
            "uuuuuu/uuuuuu/6/6/6/B4R 6",
            "the top side has 12 ghosts and 8 is the most, and the top side has 6 blue ghosts and \
             4 is the most, and the top side has 6 red ghosts and 4 is the most",
        ),
    ]);
    assert_refused::<Small>(&[
        ("uuuu/4/4/4/B2R 3", "the top side has 3 blue ghosts and 2 is the most"),
        (
            "uuuu/u3/4/BBB1/3R 1",
            "there are 3 `B` and 2 is the most, and the top side has 5 ghosts and 4 is the most, \
             and the top side has 4 red ghosts and 2 is the most",
        ),
    ]);
}

#[test]
fn squares_outside_the_board_cannot_be_set() {
    let mut setup: Setup<Small> = Setup::empty();
    for name in ["e1", "f5", "a6", "f6"] {
        setup.set(Square::from_name(name).unwrap(), Some(Ghost::Hidden));
    }
    assert_eq!(setup, Setup::empty());
}
