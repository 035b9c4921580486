//! `spuk umpire`: Kriegspiel's umpire as a line protocol on standard input.

use crate::output::{Reader, complain, print, quoted};
use crate::report::{VERSION, json_error, json_line};
use crate::stream::MAX_LINE_BYTES;
use crate::{Failure, exit};
use common::excerpt;
use common::lines::LineReader;
use games::kriegspiel::{
    CapturedKind, Check, GameOver, Position, Ruling, Termination, Try, umpire,
};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::io::{self, BufReader};

/// The size of the input buffer, and of the buffer of answers.
const BUFFER_BYTES: usize = 1 << 16;

#[derive(clap::Args)]
#[command(
    after_help = "A line is {\"fen\":\"...\",\"try\":\"e2e4\"}; other fields are ignored. Tries are in coordinates, with a letter for a promotion (e7e8q), castling as the king's move (e1g1).\n\nThe answer: {\"v\":1,\"answer\":\"legal\"|\"illegal\",\"capture\":null|\"pawn\"|\"piece\",\"capture_square\":...,\"checks\":[...],\"pawn_tries\":n,\"end\":null|\"checkmate\"|\"stalemate\"|\"insufficient\",\"fen\":...}. A move that ends the game reports only the end. An invalid line is answered by {\"v\":1,\"line_number\":n,\"error\":...}, processing continues, and the exit code is 2."
)]
pub(crate) struct Arguments {}

/// A line of the input.
#[derive(Deserialize)]
struct Question<'line> {
    #[serde(borrow)]
    fen: Cow<'line, str>,
    #[serde(borrow, rename = "try")]
    attempt: Cow<'line, str>,
}

/// A line of the output. README documents the fields.
#[derive(Serialize)]
struct Record {
    v: u32,
    answer: &'static str,
    capture: Option<&'static str>,
    capture_square: Option<String>,
    checks: Vec<&'static str>,
    pawn_tries: u8,
    end: Option<&'static str>,
    fen: String,
}

/// Answers every line of standard input that is not blank, and returns the exit code.
///
/// One thread is enough: an answer takes less time than handing it to another one.
pub(crate) fn run(_: &Arguments) -> Result<u8, Failure> {
    let input = BufReader::with_capacity(BUFFER_BYTES, io::stdin().lock());
    let mut input = LineReader::new(input, MAX_LINE_BYTES);
    let (mut answers, mut code) = (String::new(), exit::YES);
    loop {
        let line = input
            .next_line()
            .map_err(|error| format!("cannot read standard input: {error}; try again"))?;
        let Some(line) = line else { break };
        let number = line.number;
        // Blank lines are skipped here and not by the reader, which would wait before the flush.
        let record = (!line.is_blank()).then(|| answer(&line.text_lossy())).transpose();
        match record {
            Ok(record) => answers.extend(record.as_ref().map(json_line)),
            Err(failure) => {
                complain(&format!("line {number}: {failure}"));
                answers += &json_error(&failure, Some(number));
                code = exit::ERROR;
            }
        }
        // A client that waits for an answer gets it before the next question is read.
        let flush = input.input().buffer().is_empty() || answers.len() > BUFFER_BYTES;
        if flush && print(&std::mem::take(&mut answers))? == Reader::Gone {
            break;
        }
    }
    print(&answers)?;
    Ok(code)
}

fn answer(line: &str) -> Result<Record, Failure> {
    let question: Question<'_> = serde_json::from_str(line).map_err(|error| {
        let line = quoted(line);
        let error = excerpt::json_error(&error);
        format!("{line} is not a question ({error}); write {{\"fen\":\"...\",\"try\":\"e2e4\"}}")
    })?;
    let (fen, attempt) = (&*question.fen, &*question.attempt);
    let position: Position =
        fen.parse().map_err(|error| format!("position {}: {error}", quoted(fen)))?;
    let attempt: Try =
        attempt.parse().map_err(|error| format!("try {}: {error}", quoted(attempt)))?;
    if let Some(termination) = position.termination() {
        return Err(format!("position {}: {}", quoted(fen), GameOver(termination)));
    }
    Ok(record(&position, attempt))
}

fn record(position: &Position, attempt: Try) -> Record {
    let Ruling::Legal { announcement, after } = umpire(position, attempt) else {
        return Record {
            v: VERSION,
            answer: "illegal",
            capture: None,
            capture_square: None,
            checks: Vec::new(),
            pawn_tries: 0,
            end: None,
            fen: position.to_string(),
        };
    };
    let capture = announcement.capture;
    Record {
        v: VERSION,
        answer: "legal",
        capture: capture.map(|capture| match capture.kind {
            CapturedKind::Pawn => "pawn",
            CapturedKind::Piece => "piece",
        }),
        capture_square: capture.map(|capture| capture.square.to_string()),
        checks: announcement.checks.iter().map(Check::id).collect(),
        pawn_tries: announcement.pawn_tries,
        end: announcement.termination.map(Termination::id),
        fen: after.to_string(),
    }
}
