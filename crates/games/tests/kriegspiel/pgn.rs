//! Records round-trip, and wrong ones are refused.

use crate::play::{self, played};
use games::kriegspiel::Color;
use games::kriegspiel::pgn::{PgnError, Record};

#[test]
fn records_round_trip_with_every_try_and_announcement() {
    for seed in 0..60 {
        let mut game = play::play(seed, 90, |_, _, _, _| {});
        // Stops in the middle of a turn, unless the game is over.
        let _ = game.attempt("e4e4".parse().unwrap());
        let record = Record::new(game, "A \"quoted\" \\ name", "B\nb");
        let text = record.to_string();
        assert!(text.lines().all(|line| line.starts_with('[') || line.len() <= 80));
        let again: Record = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(again.game, record.game);
        assert_eq!((again.white.as_str(), again.black.as_str()), (record.white.as_str(), "B b"));
        assert_eq!(again.to_string(), text);
    }
}

#[test]
fn a_record_lists_tries_and_announcements() {
    let game = played("e2e4 d8d5 d7d5 e4d5 g8f6 f1b5");
    let text = Record::new(game, "Ada", "Bob").to_string();
    let (_, moves) = text.split_once("\n\n").unwrap();
    assert_eq!(
        moves,
        "1. e4 {Black to move.} {Illegal: d8d5.} 1... d5 {White to move. 1 pawn try.} 2.\n\
         exd5 {Black to move. Pawn captured at d5.} 2... Nf6 {White to move.} 3. Bb5+\n\
         {Black to move. Check on the long diagonal.} *\n"
    );
}

#[test]
fn plain_pgn_is_read_too() {
    let record: Record = "1.f3 e5 2.g4 Qh4# 0-1".parse().unwrap();
    assert_eq!(record.game, played("f2f3 e7e5 g2g4 d8h4"));
    assert!("*".parse::<Record>().is_ok());
}

/// A game that the rules have not ended can only be won by resignation.
#[test]
fn a_resigned_game_round_trips() {
    let read: Record = "1. e4 1-0".parse().unwrap();
    assert_eq!(read.resigned, Some(Color::Black));
    let again: Record = read.to_string().parse().unwrap();
    assert_eq!(again, read);
    assert!(read.to_string().contains("[Result \"1-0\"]"));
    let mated: Record = "1. f3 e5 2. g4 Qh4# 0-1".parse().unwrap();
    assert_eq!(mated.clone().resigned_by(Color::Black), mated, "the rules had ended it");
}

#[test]
fn wrong_records_are_refused_with_the_reason() {
    let cases = [
        ("", "no result"),
        ("1. e4", "no result"),
        ("1. e5 *", "\"e5\", after 0 moves, is not a legal move"),
        ("1. e4 e5 2. Nf3 Nf3 *", "after 3 moves"),
        ("1. e4 {White to move.} *", "the umpire announces something else: Black to move."),
        ("{Illegal: e2e4.} 1. d4 *", "e2e4, after 0 moves, is legal"),
        ("{Illegal: nonsense.} 1. d4 *", "a try is two squares"),
        ("{Illegal: } *", "before the first move"),
        ("{Hello} 1. d4 *", "before the first move"),
        ("{Hello", "close it"),
        ("[White", "a tag"),
        ("[White \"", "a tag"),
        ("[White \"x\\", "a tag"),
        ("[Wh ite \"x\"] *", "a tag"),
        ("1. e4 [White \"x\"] *", "a tag"),
        ("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"] *", "0 kings"),
        ("1. e4 1/2-1/2", "the result is *"),
        ("[Result \"0-1\"] 1. e4 1-0", "the result is 1-0"),
        ("[Result \"1-0\"] 1. e4 *", "the result is *"),
        ("1. f3 e5 2. g4 Qh4# 1-0", "the result is 0-1"),
        ("1. f3 e5 2. g4 Qh4# 3. e4 0-1", "over after 4 moves"),
        ("1. f3 e5 2. g4 Qh4# {Illegal: e2e4.} 0-1", "something else"),
        ("* *", "one game at a time"),
        ("1. é4 *", "not a legal move"),
    ];
    for (text, reason) in cases {
        let error: PgnError = text.parse::<Record>().expect_err(text);
        let over = matches!(error, PgnError::GameOver { .. });
        assert!(error.to_string().contains(reason) || over, "{text}: {error}");
    }
    assert!(matches!("x".repeat(1 << 21).parse::<Record>(), Err(PgnError::TooLong { .. })));
}
