//! The tournament protocol: lines, the bytes of a connection, and logs.

use crate::harness::{Target, run, sentence, text};
use games::geister::Standard;
use gat::frame::{Framed, Framer, MAX_LINE_BYTES};
use gat::log::{GameLog, read_logs};
use gat::text::{FromClient, FromServer, PIECES_PER_SIDE};
use gat::track::Tracker;

const WORDS: &[&str] = &[
    "SET:ABCD",
    ",NAME:",
    "MOV:",
    "A,NORTH",
    "h,w",
    "SET?",
    "OK ",
    "OKR",
    "NG ",
    "MOV?",
    "WON:",
    "LST:",
    "DRW:",
    "14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u",
    "99r",
    "88b",
    "99u",
    "\r\n",
    "player=0,",
    "player=1,",
    "winner=0\n",
    "winner=2\n",
    " ",
    "NORTH",
];

/// Lines of either side.
fn line(input: &[u8]) -> Result<(), String> {
    let text = text(input);
    let server = FromServer::parse(&text);
    if let Ok(said) = &server {
        assert_eq!(FromServer::parse(&said.to_string()).as_ref(), Ok(said));
        return Ok(());
    }
    let said = FromClient::parse(&text).map_err(sentence)?;
    let written = match &said {
        FromClient::Set(set) => set.to_string(),
        FromClient::Move(mv) => mv.to_string(),
    };
    assert_eq!(FromClient::parse(&written), Ok(said.clone()));
    assert!(written.len() <= MAX_LINE_BYTES);
    if let FromClient::Set(set) = said {
        // A log keeps what a client said, and is read again.
        let log = GameLog { sets: [set.clone(), set], moves: vec![], winner: None };
        assert_eq!(read_logs(&log.to_string()), Ok(vec![log]));
    }
    Ok(())
}

#[test]
fn lines() {
    run(&Target::new("gat-line", WORDS, line));
}

/// All that a server says in a game, as the client takes it.
fn frames(input: &[u8]) -> Result<(), String> {
    let whole = framed(input, input.len());
    for chunk in [1, 2, 255, 1024] {
        assert_eq!(framed(input, chunk), whole, "in chunks of {chunk}");
    }
    let mut tracker = Tracker::new(std::array::from_fn(|piece| piece < PIECES_PER_SIDE / 2), 300);
    let mut read = Err("no line of a server".to_owned());
    for line in whole {
        let Framed::Line(line) = line else { continue };
        assert!(line.len() <= MAX_LINE_BYTES && line.is_ascii());
        match FromServer::parse(&line) {
            Ok(FromServer::AskMove(view)) => {
                let history = tracker.turn(&view).map_err(sentence)?;
                // Every player counts on having a move.
                let mv = *history.now().legal_moves().first().unwrap();
                assert!(tracker.command(mv).is_some(), "{mv} has no command");
                tracker.moved(mv);
                read = Ok(());
            }
            Ok(FromServer::Refused) => tracker.refused(),
            Ok(FromServer::End(_, view)) => {
                let _ = tracker.plies(&view);
            }
            Ok(_) => {}
            Err(error) => return Err(sentence(error)),
        }
    }
    read
}

fn framed(input: &[u8], chunk: usize) -> Vec<Framed> {
    let (mut framer, mut lines) = (Framer::default(), Vec::new());
    for part in input.chunks(chunk.max(1)) {
        framer.feed(part);
        lines.extend(std::iter::from_fn(|| framer.next_line()));
    }
    lines
}

#[test]
fn connections() {
    run(&Target::new("gat-connection", WORDS, frames));
}

fn logs(input: &[u8]) -> Result<(), String> {
    let logs = read_logs(&text(input)).map_err(sentence)?;
    let written: String = logs.iter().map(ToString::to_string).collect();
    assert_eq!(read_logs(&written), Ok(logs.clone()));
    let mut result = Ok(());
    for log in &logs {
        match log.replay(300, 1) {
            Ok(replayed) => {
                let (_, moves) = replayed.record.replay::<Standard>().unwrap();
                if replayed.forfeited_by.is_none() {
                    let again = GameLog::of_record(&replayed.record).unwrap();
                    assert_eq!(again.winner, log.winner);
                    let again = again.replay(300, 1).unwrap().record;
                    assert_eq!(again.replay::<Standard>().unwrap().1, moves);
                }
            }
            Err(error) => result = Err(sentence(error)),
        }
    }
    result
}

#[test]
fn log_files() {
    run(&Target::new("gat-log", WORDS, logs));
}
