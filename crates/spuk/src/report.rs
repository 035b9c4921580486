//! The output of `spuk solve`: JSON, or a board and sentences.

use games::geister::Position;
use geister::solver::{Analysis, FirstMove, MAX_DEPTH, Revealed, SearchResult};
use puzzle::export::diagram;
use puzzle::record::FirstMoveRecord;
use search::{Stop, Verdict};
use serde::Serialize;
use std::fmt::Write;
use std::time::Duration;

/// The version of the JSON records.
pub(crate) const VERSION: u32 = 1;

/// A solved position.
pub(crate) struct Solved {
    pub(crate) position: Position,
    pub(crate) answer: SearchResult,
    pub(crate) time: Duration,
    /// None if only the verdict was requested.
    pub(crate) analysis: Option<Analysis>,
}

/// The JSON record of a solved position. README documents the fields.
#[derive(Serialize)]
struct Record {
    v: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    line_number: Option<usize>,
    position: String,
    result: &'static str,
    m_win: Option<u32>,
    depth: u32,
    never: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop: Option<&'static str>,
    revealed: &'static str,
    #[serde(flatten)]
    details: Option<Details>,
    nodes: u64,
    seconds: f64,
    tablebase: bool,
}

/// The fields that `--brief` omits.
#[derive(Serialize)]
struct Details {
    red_wall: Option<bool>,
    capture_win: Option<bool>,
    line: Vec<String>,
    first_moves: Vec<FirstMoveRecord>,
}

/// The JSON record of an invalid line.
#[derive(Serialize)]
struct ErrorRecord<'a> {
    v: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    line_number: Option<usize>,
    error: &'a str,
}

fn result_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Win(_) => "win",
        Verdict::NoWin { .. } => "no-win",
        Verdict::Unknown { .. } => "unknown",
    }
}

fn m_win(verdict: Verdict) -> Option<u32> {
    match verdict {
        Verdict::Win(plies) => Some(plies),
        _ => None,
    }
}

/// The depth in plies to which the verdict is proved.
fn depth(verdict: Verdict) -> u32 {
    match verdict {
        Verdict::Win(depth) | Verdict::NoWin { depth } | Verdict::Unknown { depth, .. } => depth,
    }
}

fn revealed_name(revealed: Revealed) -> &'static str {
    match revealed {
        Revealed::None => "none",
        Revealed::Partly => "partly",
        Revealed::Fully => "fully",
    }
}

pub(crate) fn stop_name(stop: Stop) -> &'static str {
    match stop {
        Stop::Nodes => "nodes",
        Stop::Time => "time",
        Stop::Memory => "memory",
        Stop::Interrupted => "interrupted",
    }
}

impl Details {
    fn new(analysis: &Analysis) -> Details {
        Details {
            red_wall: analysis.classification.map(|kinds| kinds.red_wall),
            capture_win: analysis.classification.map(|kinds| kinds.capture_win),
            line: analysis.line.iter().map(ToString::to_string).collect(),
            first_moves: analysis.first_moves.iter().map(FirstMoveRecord::new).collect(),
        }
    }
}

/// `record` on one line. Records hold numbers, strings and lists only, which always serialise.
pub(crate) fn json_line(record: &impl Serialize) -> String {
    serde_json::to_string(record).unwrap_or_default() + "\n"
}

/// The JSON record of a solved position, as one line.
pub(crate) fn json(solved: &Solved, line_number: Option<usize>) -> String {
    let verdict = solved.answer.verdict;
    json_line(&Record {
        v: VERSION,
        line_number,
        position: solved.position.to_string(),
        result: result_name(verdict),
        m_win: m_win(verdict),
        depth: depth(verdict),
        never: solved.answer.never,
        stop: match verdict {
            Verdict::Unknown { stop, .. } => Some(stop_name(stop)),
            _ => None,
        },
        revealed: revealed_name(Revealed::of(&solved.position)),
        details: solved.analysis.as_ref().map(Details::new),
        nodes: solved.answer.nodes,
        seconds: solved.time.as_secs_f64(),
        tablebase: solved.answer.table_hits > 0,
    })
}

/// The JSON record of an invalid input, as one line.
pub(crate) fn json_error(error: &str, line_number: Option<usize>) -> String {
    json_line(&ErrorRecord { v: VERSION, line_number, error })
}

/// The verdict as a phrase, such as `win in 7 plies`.
pub(crate) fn phrase(answer: &SearchResult) -> String {
    match answer.verdict {
        Verdict::Win(1) => "win in 1 ply".into(),
        Verdict::Win(plies) => format!("win in {plies} plies"),
        Verdict::NoWin { .. } if answer.never => "no win, however long".into(),
        Verdict::NoWin { depth } => format!("no win within {depth} plies"),
        Verdict::Unknown { depth: 0, stop } => format!("unknown: {}", stop_phrase(stop)),
        Verdict::Unknown { depth, stop } => {
            format!("unknown: no win within {depth} plies, then {}", stop_phrase(stop))
        }
    }
}

pub(crate) fn stop_phrase(stop: Stop) -> &'static str {
    match stop {
        Stop::Nodes => "the node limit was hit",
        Stop::Time => "the time was up",
        Stop::Memory => "the memory was full",
        Stop::Interrupted => "the search was interrupted",
    }
}

/// One line of text: the position and the verdict.
pub(crate) fn short_text(solved: &Solved) -> String {
    format!("{}: {}\n", solved.position, phrase(&solved.answer))
}

/// The full result as text.
pub(crate) fn long_text(solved: &Solved) -> String {
    let mut text = diagram::text::draw(&solved.position);
    let _ = writeln!(text, "\n{}.", capitalised(&phrase(&solved.answer)));
    if let Some(analysis) = &solved.analysis {
        describe(&mut text, solved, analysis);
    }
    let SearchResult { verdict, nodes, .. } = solved.answer;
    let seconds = solved.time.as_secs_f64();
    let _ = writeln!(text, "Searched {} plies: {nodes} nodes in {seconds:.3} s.", depth(verdict));
    if solved.answer.table_hits > 0 {
        text.push_str("Tablebases were used.\n");
    }
    if matches!(verdict, Verdict::Unknown { .. }) {
        text.push_str("Try a larger --time, --nodes or --memory.\n");
    } else if matches!(verdict, Verdict::NoWin { depth } if depth < MAX_DEPTH)
        && !solved.answer.never
    {
        text.push_str("Look for longer wins with --depth.\n");
    }
    text
}

fn describe(text: &mut String, solved: &Solved, analysis: &Analysis) {
    let revealed = match Revealed::of(&solved.position) {
        Revealed::None => "not revealed",
        Revealed::Partly => "partly revealed",
        Revealed::Fully => "fully revealed",
    };
    if let Verdict::Win(_) = solved.answer.verdict {
        let mut kinds = vec![revealed];
        if let Some(special) = analysis.classification {
            kinds.extend(special.red_wall.then_some("red-wall"));
            kinds.extend(special.capture_win.then_some("capture-win"));
        }
        let _ = writeln!(text, "Kind: {}.", kinds.join(", "));
        let _ = writeln!(text, "Main line: {}.", numbered(analysis));
        let _ = writeln!(text, "First moves:");
        for (verdict, moves) in by_verdict(&analysis.first_moves) {
            let answer = SearchResult { verdict, never: false, nodes: 0, table_hits: 0 };
            // Without this, the moves might be taken for moves that never win.
            let searched =
                if let Verdict::NoWin { .. } = verdict { ", not searched further" } else { "" };
            let _ = writeln!(text, "  {}{searched}: {}", phrase(&answer), moves.join(" "));
        }
    }
}

/// `1. a2a3 b6b5 2. a3a4`.
fn numbered(analysis: &Analysis) -> String {
    let pairs = analysis.line.chunks(2).enumerate().map(|(index, pair)| {
        let moves: Vec<String> = pair.iter().map(ToString::to_string).collect();
        format!("{}. {}", index + 1, moves.join(" "))
    });
    pairs.collect::<Vec<_>>().join(" ")
}

/// The moves of each verdict, the shortest wins first.
fn by_verdict(first_moves: &[FirstMove]) -> Vec<(Verdict, Vec<String>)> {
    let mut groups: Vec<(Verdict, Vec<String>)> = Vec::new();
    for first in first_moves {
        match groups.iter_mut().find(|(verdict, _)| *verdict == first.verdict) {
            Some((_, moves)) => moves.push(first.mv.to_string()),
            None => groups.push((first.verdict, vec![first.mv.to_string()])),
        }
    }
    groups.sort_by_key(|&(verdict, _)| (m_win(verdict).unwrap_or(u32::MAX), depth(verdict)));
    groups
}

pub(crate) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
