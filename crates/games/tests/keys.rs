//! Hash keys and the left-right mirror of purple positions.

#[macro_use]
mod common;

use common::{for_all, line, sorted, start, two_words, valid_setup, writable_moves};
use games::geister::{Board, Ghost, Move, Position};
use std::cell::RefCell;
use std::collections::HashMap;

const PLIES: usize = 60;

fn different_positions_have_different_keys<B: Board>() {
    let met = RefCell::new(HashMap::new());
    for_all(line(start::<B>(), PLIES), |line| {
        for position in line.positions().flat_map(|position| [*position, position.mirror()]) {
            let other = *met.borrow_mut().entry(position.key()).or_insert(position);
            assert_eq!(other, position, "one key for both");
        }
    });
    assert!(met.borrow().len() > 3000, "only {} positions were met", met.borrow().len());
}

fn the_key_depends_on_blue<B: Board>() {
    for_all(valid_setup::<B>(), |setup| {
        let with_blue = |blue| {
            let mut setup = setup.clone();
            setup.blue = blue;
            Position::from_setup(setup).ok()
        };
        let keys: Vec<u64> = (0..=9).filter_map(with_blue).map(|p| p.key()).collect();
        let mut distinct = keys.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), keys.len(), "{setup}");
    });
}

fn the_mirror_keeps_the_game<B: Board>() {
    for_all(line(start::<B>(), PLIES), |line| {
        for (position, mv) in &line.plies {
            let mirror = position.mirror();
            assert_eq!(mirror.mirror(), *position);
            assert_eq!(mirror.outcome(), position.outcome());
            assert_eq!(mirror.turn(), position.turn());
            assert_eq!(mirror.count(), position.count());
            let mirrored = position.legal_moves().into_iter().map(Move::mirror::<B>).collect();
            assert_eq!(sorted(mirror.legal_moves()), sorted(mirrored), "{position}");
            let played = mirror.play(mv.mirror::<B>());
            assert_eq!(played, Ok(position.play_unchecked(*mv).mirror()), "{position} {mv}");
        }
    });
}

/// Every move has a mirror image, also one that this board does not have.
fn the_mirror_exchanges_moves<B: Board>() {
    let mirrored: Vec<Move> = writable_moves().into_iter().map(Move::mirror::<B>).collect();
    let twice = mirrored.iter().map(|mv| mv.mirror::<B>()).collect::<Vec<_>>();
    assert_eq!(twice, writable_moves());
    assert_eq!(sorted(mirrored), sorted(writable_moves()));
}

/// The mirror image by its text: every row is written backwards.
fn the_mirror_reads_backwards<B: Board>() {
    for_all(line(start::<B>(), PLIES), |line| {
        for position in line.positions() {
            let text = position.setup().compact();
            let (squares, blue) = two_words(&text);
            let letters: Vec<char> = squares.chars().collect();
            let rows = letters.chunks(B::COLUMNS as usize);
            let backwards: String = rows.flat_map(|row| row.iter().rev()).collect();
            assert_eq!(position.mirror().setup().compact(), format!("{backwards} {blue}"));
        }
    });
}

fn the_canonical_form_is_one_of_both_images<B: Board>() {
    for_all(line(start::<B>(), PLIES), |line| {
        for position in line.positions() {
            let (mirror, canonical) = (position.mirror(), position.canonical());
            assert!(canonical == *position || canonical == mirror, "{position}");
            assert_eq!(canonical, mirror.canonical(), "{position}");
            assert_eq!(canonical, canonical.canonical(), "{position}");
        }
    });
}

on_every_board!(
    different_positions_have_different_keys,
    the_key_depends_on_blue,
    the_mirror_keeps_the_game,
    the_mirror_exchanges_moves,
    the_mirror_reads_backwards,
    the_canonical_form_is_one_of_both_images,
);

/// Keys are the same on every machine and in every run, so these may be written down. They were
/// computed by a program in another language from the description alone.
#[test]
fn keys_stay_what_they_are() {
    let position: Position = "6/4u1/B5/6/6/Ru4 1".parse().unwrap();
    assert_eq!(position.key(), 0x0bb8_a76a_3e81_a131);
    let after = position.play("a4a5".parse().unwrap()).unwrap();
    assert_eq!(after.key(), 0x5bde_ed80_25e7_ffd4);
}

#[test]
fn a_ghost_of_every_kind_counts_on_every_square() {
    // One ghost more in the same company: 5 kinds on each of the 30 empty squares.
    let company = "..........u.B.......b........rRu....";
    let mut keys = HashMap::new();
    for ghost in Ghost::ALL {
        for (at, _) in company.match_indices('.') {
            let mut squares = company.to_owned();
            squares.replace_range(at..=at, &ghost.letter().to_string());
            let position: Position = format!("{squares} 2").parse().unwrap();
            let before = keys.insert(position.key(), position);
            assert_eq!(before, None, "{position}");
        }
    }
    assert_eq!(keys.len(), 5 * 30);
}
