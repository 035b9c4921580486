//! The full game against the slow twin of its rules, and the sizes of game trees.

#[macro_use]
mod common;

use common::twin::Twin;
use common::{for_all, line, new_game, sorted, writable_moves};
use games::geister::{Board, Game, Outcome, Placement, Position, Reason, Small, Standard};
use games::perft;
use games::{IllegalMove, Seat};
use std::cell::RefCell;
use std::collections::HashSet;

const PLIES: usize = 300;

fn assert_same<B: Board>(game: &Game<B>, twin: &Twin) {
    assert_eq!(game.diagram(), twin.diagram());
    assert_eq!(game.turn(), twin.turn(), "{game:?}");
    assert_eq!(game.ply(), twin.ply(), "{game:?}");
    assert_eq!(game.outcome(), twin.outcome(), "{game:?}");
    assert_eq!(sorted(game.legal_moves()), sorted(twin.moves()), "{game:?}");
    assert_eq!(game.legal_moves().is_empty(), game.outcome().is_some(), "{game:?}");
    let captured = (game.captured(Seat::First), game.captured(Seat::Second));
    let by_twin = ['B', 'R', 'b', 'r'].map(|letter| twin.captured(letter));
    assert_eq!(captured, ((by_twin[0], by_twin[1]), (by_twin[2], by_twin[3])), "{game:?}");
}

fn play_agrees_with_the_twin<B: Board>() {
    let ends = RefCell::new(HashSet::new());
    for_all(line(new_game::<B>(), PLIES), |line| {
        let mut twin = Twin::full(&line.start().diagram(), line.start().draw_limit());
        for &(game, mv) in &line.plies {
            assert_same(&game, &twin);
            assert_eq!(game.play(mv), Ok(game.play_unchecked(mv)));
            twin = twin.after(mv);
        }
        assert_same(&line.last, &twin);
        ends.borrow_mut().extend(line.last.outcome());
    });
    // Only play that reaches every end has shown that all of them agree.
    let wins = [Seat::First, Seat::Second].into_iter().flat_map(|winner| {
        [Reason::Escape, Reason::BluesCaptured, Reason::RedsCaptured]
            .map(|reason| Outcome::win(winner, reason))
    });
    for end in wins.chain([Outcome::Draw]) {
        assert!(ends.borrow().contains(&end), "random play never reached: {end}");
    }
}

fn only_generated_moves_are_played<B: Board>() {
    let writable = writable_moves();
    for_all(line(new_game::<B>(), PLIES), |line| {
        for game in line.last_two() {
            let moves = game.legal_moves();
            for &mv in &writable {
                let played = game.play(mv);
                if moves.contains(&mv) {
                    assert_eq!(played, Ok(game.play_unchecked(mv)), "{game:?} {mv}");
                } else {
                    assert_eq!(played, Err(IllegalMove(mv)), "{game:?} {mv}");
                }
            }
        }
    });
}

/// What no rule allows has no meaning, but it is no panic either, and neither is a look at it.
fn nonsense_is_no_panic<B: Board>() {
    for_all(line(new_game::<B>(), PLIES), |line| {
        for mv in writable_moves() {
            let nonsense = line.last.play_unchecked(mv);
            let lost = |side| nonsense.captured(side).0.max(nonsense.captured(side).1);
            assert!(lost(Seat::First).max(lost(Seat::Second)) <= B::GHOSTS_OF_A_COLOUR, "{mv}");
            assert_eq!(nonsense.ply(), line.last.ply() + 1);
        }
    });
}

fn the_draw_limit_is_exact<B: Board>() {
    for_all(line(new_game::<B>(), PLIES), |line| {
        for game in line.positions() {
            assert!(game.ply() <= game.draw_limit(), "{game:?}");
            let at_limit = game.ply() == game.draw_limit();
            let drawn = game.outcome() == Some(Outcome::Draw);
            let won = game.outcome().is_some() && !drawn;
            assert_eq!(drawn, at_limit && !won, "{game:?}");
        }
    });
}

on_every_board!(
    play_agrees_with_the_twin,
    only_generated_moves_are_played,
    nonsense_is_no_panic,
    the_draw_limit_is_exact,
);

#[test]
fn a_win_on_the_last_ply_is_no_draw() {
    // A bottom blue walks up the a-file while the top side steps to and fro, and leaves.
    let reds = |names: &str| {
        let squares = names.split(' ').map(|n| games::geister::Square::from_name(n).unwrap());
        Placement::<Small>::with_red(squares.collect()).unwrap()
    };
    let moves = "b1a1 c4d4 a1a2 d4c4 a2a3 c4d4 a3a4 d4c4 a4a5 c4d4 a5-out";
    let play = |draw_limit| {
        let start = Game::new(reds("c1 c2"), reds("b2 c1"), draw_limit);
        let texts = moves.split(' ').map(|text| text.parse().unwrap());
        texts.enumerate().try_fold(start, |game, (ply, mv)| game.play(mv).map_err(|_| ply))
    };
    let won = Some(Outcome::win(Seat::First, Reason::Escape));
    assert_eq!(play(11).map(|game| game.outcome()), Ok(won));
    assert_eq!(play(300).map(|game| game.outcome()), Ok(won));
    assert_eq!(play(10), Err(10), "the game is drawn after ten plies");
}

fn first_game<B: Board>() -> Game<B> {
    let placement = Placement::all().next().expect("there are placements");
    Game::new(placement, placement, Game::<B>::USUAL_DRAW_LIMIT)
}

/// The lines of play of 1, 2, 3... plies. The slow twin counted the same at every depth, and counts
/// again here as deep as is quick.
fn assert_tree<R: games::Rules>(position: &R, twin: &Twin, sizes: &[u64]) {
    for (depth, &size) in (1..).zip(sizes) {
        assert_eq!(perft(position, depth), size, "depth {depth}");
        if size < 300_000 {
            assert_eq!(twin.perft(depth), size, "the twin at depth {depth}");
        }
    }
}

fn assert_game_tree<B: Board>(sizes: &[u64]) {
    let game = first_game::<B>();
    assert_tree(&game, &Twin::full(&game.diagram(), game.draw_limit()), sizes);
}

#[test]
fn game_trees_have_their_known_sizes() {
    assert_game_tree::<Standard>(&[8, 64, 768, 9200, 118_488, 1_523_518]);
    assert_game_tree::<Small>(&[6, 36, 328, 3004, 26_242, 228_566, 2_115_992, 19_551_982]);
}

#[test]
fn purple_trees_have_their_known_sizes() {
    let cases: [(&str, &[u64]); 5] = [
        ("6/4u1/B5/6/6/Ru4 1", &[5, 28, 138, 851, 4256, 26_493, 150_817]),
        ("1uuuu1/1uuuu1/6/6/1RRRR1/1BBBB1 4", &[8, 64, 768, 9200, 118_488, 1_523_518]),
        ("2b3/1BrR2/2u3/1Ru3/2Bb2/2r3 3", &[16, 245, 3313, 50_313, 624_859]),
        ("B4u/uR4/6/6/4b1/r4u 2", &[7, 78, 366, 3945, 23_488, 270_974]),
        ("5B/4u1/R4r/6/6/6 1", &[6, 35, 199, 936, 5366, 31_231]),
    ];
    for (text, sizes) in cases {
        let position: Position = text.parse().unwrap();
        assert_tree(&position, &Twin::purple(&position.compact(), 6), sizes);
    }
    let sizes = [6, 36, 328, 3004, 26_266, 228_945, 2_123_172];
    let small: Position<Small> = "1uu1/1ub1/4/1RB1/1BR1 2".parse().unwrap();
    assert_tree(&small, &Twin::purple(&small.compact(), 4), &sizes);
}
