//! Positions, moves and games as text.

use crate::harness::{Target, run, sentence, text};
use games::geister::{Board, Position, Small, Standard};
use games::kriegspiel::{self, Ruling, Try, algebraic, pgn, umpire};
use games::{connect_four, othello, twenty48};
use geister::tablebase::Class;
use players::GameRecord;
use players::record::NamedBoard;
use std::fmt::{Debug, Display};
use std::str::FromStr;

const GHOSTS: &[&str] =
    &["6/4u1/B5/6/6/Ru4", "u", "b", "r", "B", "R", ".", "/", " ", " 1", "6/6", "......"];

fn position<B: Board + PartialEq + Debug>(input: &[u8]) -> Result<(), String> {
    let text = text(input);
    let position: Position<B> = text.parse().map_err(sentence)?;
    // Each position has one text in either form, and no other is read.
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let written = if text.contains('/') { position.to_string() } else { position.compact() };
    assert_eq!(words.join(" "), written);
    assert_eq!(position.to_string().parse(), Ok(position));
    assert_eq!(position.compact().parse(), Ok(position));
    for mv in position.legal_moves() {
        assert_eq!(mv.to_string().parse(), Ok(mv));
        let _ = position.play(mv).unwrap().outcome();
    }
    Ok(())
}

#[test]
fn geister_position() {
    run(&Target::new("geister-position", GHOSTS, position::<Standard>));
}

#[test]
fn geister_position_small() {
    run(&Target::new("geister-position-small", GHOSTS, position::<Small>));
}

/// What has one text: it is written and read back as the same thing.
fn one_text<T>(input: &[u8]) -> Result<(), String>
where
    T: FromStr<Err: Display + Debug + PartialEq> + Display + Debug + PartialEq,
{
    let read: T = text(input).parse().map_err(sentence)?;
    assert_eq!(read.to_string().parse(), Ok(read));
    Ok(())
}

#[test]
fn connect_four_position() {
    let words = &["4455", "......./", "X", "O", ".", "/", "8", "0"];
    run(&Target::new("connect-four", words, one_text::<connect_four::Position>));
}

#[test]
fn othello_position() {
    let words = &["X", "O", "-", "--------", " X", " O", " "];
    run(&Target::new("othello", words, one_text::<othello::Position>));
}

#[test]
fn twenty48_grid() {
    let words = &["0 ", "2 ", "131072", "/", " +1", " +2", "0 0 0 0/", "+"];
    run(&Target::new("2048", words, one_text::<twenty48::Grid>));
}

#[test]
fn tablebase_class() {
    let words = &["B", "R", "b", "r", "u", ":", ":1", ":4", "BRuu:1"];
    run(&Target::new("tablebase-class", words, one_text::<Class>));
}

const MEN: &[&str] = &[
    " w ",
    " b ",
    "KQkq",
    "Kk",
    " - ",
    " 0 1",
    " 65535 65535",
    "e3",
    "d6",
    "8/8",
    "P",
    "p",
    "k",
    "K",
    "Q",
    "rnbqkbnr",
    "/",
];

fn fen(input: &[u8]) -> Result<(), String> {
    let position: kriegspiel::Position = text(input).parse().map_err(sentence)?;
    written_back(&position);
    for mv in position.legal_moves() {
        let Ruling::Legal { after, .. } = umpire(&position, mv) else {
            panic!("{mv} is legal in {position}")
        };
        written_back(&after);
    }
    Ok(())
}

fn written_back(position: &kriegspiel::Position) {
    let written = position.to_string();
    let again: kriegspiel::Position = written.parse().unwrap_or_else(|e| panic!("{written}: {e}"));
    assert_eq!((again.to_string(), &again), (written, position));
}

#[test]
fn kriegspiel_fen() {
    run(&Target::new("kriegspiel-fen", MEN, fen));
}

/// A try in either notation.
fn attempt(input: &[u8]) -> Result<(), String> {
    let text = text(input);
    let start = kriegspiel::Position::start();
    let own = start.own(start.turn());
    let tried: Try = match algebraic(&text, &own) {
        Ok(tried) => tried,
        Err(error) if text.len() > 5 => return Err(sentence(error)),
        Err(_) => text.parse().map_err(sentence)?,
    };
    assert_eq!(tried.to_string().parse(), Ok(tried));
    let _ = umpire(&start, tried);
    Ok(())
}

#[test]
fn kriegspiel_try() {
    let words = &["e2e4", "Nf3", "O-O", "=Q", "x", "e8q", "N", "a1", "h8", "+", "#"];
    run(&Target::new("kriegspiel-try", words, attempt));
}

const PGN: &[&str] = &[
    "[White \"x\"]\n",
    "[Black \"",
    "[Result \"1-0\"]\n",
    "[FEN \"",
    "\"]\n",
    "{",
    "}",
    "{Illegal: ",
    "{Illegal: e2e5.}",
    "1-0",
    "0-1",
    "1/2-1/2",
    "*",
    "1.",
    "1...",
    " e4 ",
    " Nf3 ",
    "O-O",
    "+",
    "#",
    "{Black to move.}",
    "\\",
    "\"",
    "[SetUp \"1\"]\n[FEN \"8/8/8/8/8/5k2/4p3/4K3 b - - 99 65535\"]\n",
];

fn record(input: &[u8]) -> Result<(), String> {
    let record: pgn::Record = text(input).parse().map_err(sentence)?;
    assert_eq!(record.to_string().parse(), Ok(record));
    Ok(())
}

#[test]
fn kriegspiel_pgn() {
    run(&Target::new("kriegspiel-pgn", PGN, record));
}

const RECORD: &[&str] = &[
    "\"moves\":[",
    "\"a2a3\"",
    "\"a6-out\"",
    "\"b1\"",
    "\"end\":\"",
    "resigned",
    "open",
    "draw",
    "escape",
    "\"winner\":null",
    "\"winner\":0",
    "\"board\":\"4x5\"",
    "\"v\":2",
    "\"draw_limit\":0",
    "[]",
    "{}",
    "null",
    ",",
    "\\n",
    "\\u0000",
    "[[",
    "\"x\":0,",
];

fn game_record(input: &[u8]) -> Result<(), String> {
    let text = text(input);
    let record = GameRecord::from_json(&text).map_err(sentence)?;
    let written = serde_json::to_string(&record).unwrap();
    assert_eq!(GameRecord::from_json(&written), Ok(record.clone()));
    replayed::<Standard>(&record).or_else(|_| replayed::<Small>(&record))
}

fn replayed<B: NamedBoard>(record: &GameRecord) -> Result<(), String> {
    let (start, moves) = record.replay::<B>().map_err(sentence)?;
    let mut again = GameRecord::new(record.players.clone(), &start, &moves, record.seed);
    if let ("resigned", Some(winner)) = (record.end.as_str(), record.winner) {
        again = again.resigned_by(1 - winner);
    }
    // Reds may come in any order.
    let sorted = |mut record: GameRecord| {
        record.red.iter_mut().for_each(|red| red.sort());
        record
    };
    assert_eq!(sorted(again), sorted(record.clone()));
    Ok(())
}

#[test]
fn game_records() {
    run(&Target::new("game-record", RECORD, game_record));
}
