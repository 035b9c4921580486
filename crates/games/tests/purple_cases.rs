//! The rules of the purple position case by case, each made by hand.

use games::Seat;
use games::geister::{Bitboard, Board, Ghost, Outcome, Position, Reason, Small, Standard};

const BOTTOM_LEFT: Option<Outcome> = Some(Outcome::win(Seat::First, Reason::Escape));
const TOP_LEFT: Option<Outcome> = Some(Outcome::win(Seat::Second, Reason::Escape));
/// Bottom took all blues of the top side.
const BLUES_TAKEN: Option<Outcome> = Some(Outcome::win(Seat::First, Reason::BluesCaptured));
/// Top took all blues of the bottom side.
const BLUES_LOST: Option<Outcome> = Some(Outcome::win(Seat::Second, Reason::BluesCaptured));
/// Bottom took all reds of the top side, which loses.
const REDS_TAKEN: Option<Outcome> = Some(Outcome::win(Seat::Second, Reason::RedsCaptured));
/// Top took all reds of the bottom side, which wins for the bottom side.
const REDS_LOST: Option<Outcome> = Some(Outcome::win(Seat::First, Reason::RedsCaptured));

/// Plays `moves` from `start` and compares where that leads, its turn and end included.
#[track_caller]
fn assert_leads<B: Board>(start: &str, moves: &str, end: &str, outcome: Option<Outcome>) {
    let mut position: Position<B> = start.parse().expect("the start is a position");
    for mv in moves.split(' ') {
        assert_eq!(position.outcome(), None, "before {mv}");
        let mv = mv.parse().expect("the text of a move");
        position = position.play(mv).expect("a legal move");
    }
    assert_eq!(position.to_string(), end);
    assert_eq!(position.outcome(), outcome);
    assert_eq!(position.legal_moves().is_empty(), outcome.is_some());
}

#[track_caller]
fn standard(start: &str, moves: &str, end: &str, outcome: Option<Outcome>) {
    assert_leads::<Standard>(start, moves, end, outcome);
}

#[test]
fn capturing_a_shown_blue_lowers_blue() {
    standard("6/6/b1u3/Bu4/6/5R 2", "a3a4", "6/6/B1u3/1u4/6/5R 1 (top to move)", None);
    standard("6/6/br4/B1b3/6/5R 2", "a3a4", "6/6/Br4/2b3/6/5R 1 (top to move)", None);
}

#[test]
fn capturing_a_hidden_ghost_keeps_blue() {
    // Red when captured: two blues stay among the two left, and the last red is gone.
    standard("6/6/u5/B1uu2/6/5R 2", "a3a4", "6/6/B5/2uu2/6/5R 2 (top to move)", REDS_TAKEN);
    // Three are left, and one of them is red.
    standard("6/6/u5/B1uuu1/6/5R 2", "a3a4", "6/6/B5/2uuu1/6/5R 2 (top to move)", None);
    standard("6/6/u5/Bbuu2/6/5R 2", "a3a4", "6/6/B5/1buu2/6/5R 2 (top to move)", None);
}

#[test]
fn capturing_a_hidden_ghost_that_must_be_blue_lowers_blue() {
    // Both hidden ghosts are blue, for the one red is shown. BLUE cannot stay above the ghosts.
    standard("6/6/u5/B1ur2/6/5R 2", "a3a4", "6/6/B5/2ur2/6/5R 1 (top to move)", None);
    // With shown blues, too.
    standard("6/6/u5/Bbur2/6/5R 3", "a3a4", "6/6/B5/1bur2/6/5R 2 (top to move)", None);
    // The last hidden ghost: only the shown red is left, so the blues are taken.
    standard("6/6/u5/B2r2/6/5R 1", "a3a4", "6/6/B5/3r2/6/5R 0 (top to move)", BLUES_TAKEN);
}

#[test]
fn capturing_a_shown_red_keeps_blue() {
    standard("6/6/r5/B1uu2/6/5R 1", "a3a4", "6/6/B5/2uu2/6/5R 1 (top to move)", None);
    standard("6/6/r5/B1r1b1/6/5R 1", "a3a4", "6/6/B5/2r1b1/6/5R 1 (top to move)", None);
}

#[test]
fn the_last_red_may_not_be_captured() {
    // The shown one, with only blues behind it.
    standard("6/6/r5/B1b3/6/5R 1", "a3a4", "6/6/B5/2b3/6/5R 1 (top to move)", REDS_TAKEN);
    standard("6/6/r5/B1u3/6/5R 1", "a3a4", "6/6/B5/2u3/6/5R 1 (top to move)", REDS_TAKEN);
    standard("6/6/r5/B1ub2/6/5R 2", "a3a4", "6/6/B5/2ub2/6/5R 2 (top to move)", REDS_TAKEN);
    // A hidden one, which is always a red, while no more are left than there are blues among them.
    standard("6/6/u5/B1u3/6/5R 1", "a3a4", "6/6/B5/2u3/6/5R 1 (top to move)", REDS_TAKEN);
    standard("6/6/u5/B1b3/6/5R 1", "a3a4", "6/6/B5/2b3/6/5R 1 (top to move)", REDS_TAKEN);
    // A shown red elsewhere makes the same capture safe.
    standard("6/6/u5/B1ur2/6/5R 1", "a3a4", "6/6/B5/2ur2/6/5R 1 (top to move)", None);
}

#[test]
fn capturing_everything_but_reds_wins() {
    standard("6/6/b5/B1r3/6/5R 1", "a3a4", "6/6/B5/2r3/6/5R 0 (top to move)", BLUES_TAKEN);
    standard("6/6/u5/B1rr2/6/5R 1", "a3a4", "6/6/B5/2rr2/6/5R 0 (top to move)", BLUES_TAKEN);
    // One after the other: the first capture leaves a blue.
    let start = "b5/u5/B1r3/6/6/5R 2";
    standard(start, "a4a5 c4c3 a5a6", "B5/6/6/2r3/6/5R 0 (top to move)", BLUES_TAKEN);
    standard(start, "a4a5", "b5/B5/2r3/6/6/5R 1 (top to move)", None);
    // A red may make the winning capture as well.
    standard("6/6/b5/R1r3/6/5B 1", "a3a4", "6/6/R5/2r3/6/5B 0 (top to move)", BLUES_TAKEN);
}

/// Nothing is concluded from counting: with the only blue taken the hidden ghosts are red, but
/// each is still purple. No text is read as such a position, for BLUE is 0.
#[test]
fn a_hidden_ghost_stays_purple_when_no_blue_is_left() {
    let end = "6/6/B5/6/6/u4R 0 (top to move)";
    standard("6/6/b5/B5/6/u4R 1", "a3a4", end, None);
    standard("6/6/b5/B5/6/u4R 1", "a3a4 a1-out", "6/6/B5/6/6/5R 0", TOP_LEFT);
}

#[test]
fn top_capturing_the_last_red_wins_the_puzzle() {
    let start = "6/6/u5/R5/6/u4B 1";
    standard(start, "f1f2 a4a3", "6/6/6/u5/5B/u5 1", REDS_LOST);
    standard("6/6/r5/R5/6/u4B 1", "f1f2 a4a3", "6/6/6/r5/5B/u5 1", REDS_LOST);
    // Not the last one: the game goes on.
    standard("6/6/u5/R4R/6/u4B 1", "f1f2 a4a3", "6/6/6/u4R/5B/u5 1", None);
}

#[test]
fn top_capturing_the_last_blue_loses_the_puzzle() {
    standard("6/6/u5/B5/6/u4R 1", "f1f2 a4a3", "6/6/6/u5/5R/u5 1", BLUES_LOST);
    standard("6/6/b5/B5/6/u4R 1", "f1f2 a4a3", "6/6/6/b5/5R/u5 1", BLUES_LOST);
    standard("6/6/u5/B4B/6/u4R 1", "f1f2 a4a3", "6/6/6/u4B/5R/u5 1", None);
}

#[test]
fn a_blue_on_an_exit_leaves_and_wins() {
    let end = "6/6/2uu2/6/6/5R 1 (top to move)";
    standard("B5/6/2uu2/6/6/5R 1", "a6-out", end, BOTTOM_LEFT);
    standard("5B/6/2uu2/6/6/5R 1", "f6-out", end, BOTTOM_LEFT);
    let end = "4/4/1uu1/4/3R 1 (top to move)";
    assert_leads::<Small>("B3/4/1uu1/4/3R 1", "a5-out", end, BOTTOM_LEFT);
    assert_leads::<Small>("3B/4/1uu1/4/3R 1", "d5-out", end, BOTTOM_LEFT);
}

#[test]
fn a_hidden_or_blue_ghost_leaves_from_the_bottom_row() {
    // Who leaves is blue, and BLUE counts what is on the board.
    standard("6/6/2B2R/6/6/u4u 1", "c4c5 a1-out", "6/2B3/5R/6/6/5u 0", TOP_LEFT);
    standard("6/6/2B2R/6/6/u4u 1", "c4c5 f1-out", "6/2B3/5R/6/6/u5 0", TOP_LEFT);
    standard("6/6/2B2R/6/6/b4r 1", "c4c5 a1-out", "6/2B3/5R/6/6/5r 0", TOP_LEFT);
    standard("6/6/2B2R/6/6/bu3r 2", "c4c5 a1-out", "6/2B3/5R/6/6/1u3r 1", TOP_LEFT);
    let small = "4/1B1R/4/4/u2u 1";
    assert_leads::<Small>(small, "b4b5 d1-out", "1B2/3R/4/4/u3 0", TOP_LEFT);
}

/// The escapes of the bottom side, and those of the top side after the step c4c3.
fn escapes(text: &str) -> (String, String) {
    let position: Position = text.parse().expect("a position");
    let after = position.play("c4c3".parse().expect("a move")).expect("a legal move");
    let leaving = |position| {
        let moves = moves_of(position);
        moves.split(' ').filter(|mv| mv.ends_with("-out")).collect::<Vec<_>>().join(" ")
    };
    (leaving(position), leaving(after))
}

#[test]
fn only_blues_leave_and_only_by_their_own_exits() {
    let cases = [
        ("B4B/6/2R3/6/6/u4b 1", "a6-out f6-out", "a1-out f1-out"),
        ("R4B/6/2R3/6/6/r4b 1", "f6-out", "f1-out"),
        ("R4R/6/2B3/6/2u3/r4r 1", "", ""),
        ("u4b/2r3/2R3/6/6/B4B 2", "", ""),
        ("1B2B1/B4B/2R3/6/u4b/1u2r1 2", "", ""),
    ];
    for (text, bottom, top) in cases {
        assert_eq!(escapes(text), (bottom.to_owned(), top.to_owned()), "{text}");
    }
}

fn moves_of<B: Board>(position: Position<B>) -> String {
    position.legal_moves().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_step_is_orthogonal_and_never_onto_an_own_ghost() {
    let position: Position = "6/6/1u4/uBR3/1b4/6 2".parse().unwrap();
    assert_eq!(moves_of(position), "b3b2 b3a3 b3b4 c3c2 c3d3 c3c4");
    for illegal in ["b3c3", "b3c4", "b3b5", "b3b3", "a3a4", "b3-out", "d4d5"] {
        assert!(position.play(illegal.parse().unwrap()).is_err(), "{illegal}");
    }
}

#[test]
fn steps_do_not_wrap_around_the_edges() {
    let position: Position = "6/u5/5B/R5/5u/6 1".parse().unwrap();
    assert_eq!(moves_of(position), "a3a2 a3b3 a3a4 f4f3 f4e4 f4f5");
    let small: Position<Small> = "4/u2B/R3/3u/4 1".parse().unwrap();
    assert_eq!(moves_of(small), "a3a2 a3b3 a3a4 d4d3 d4c4 d4d5");
}

#[test]
fn ghosts_make_the_position_that_a_setup_makes() {
    for text in ["6/4u1/B5/6/6/Ru4 1", "b1r3/6/u1u3/BB4/6/5R 2"] {
        let position: Position = text.parse().unwrap();
        let ghosts = Ghost::ALL.map(|ghost| position.ghosts(ghost));
        assert_eq!(Position::from_ghosts(ghosts, position.hidden_blue()), position);
    }
}

#[test]
fn inconsistent_ghosts_are_corrected() {
    let everywhere = Position::<Small>::from_ghosts([Bitboard(u64::MAX); 5], 9);
    assert_eq!(everywhere.setup().to_string(), "BBBB/BBBB/BBBB/BBBB/BBBB 0");
    let [own, hidden] = [0b01, 0b11].map(Bitboard);
    let none = Bitboard::EMPTY;
    let two = Position::<Standard>::from_ghosts([own, none, none, none, hidden], 9);
    assert_eq!(two.to_string(), "6/6/6/6/6/Bu4 1");
}
