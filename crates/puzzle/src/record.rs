//! The puzzle record: a JSON object per line.
//!
//! | field | meaning |
//! | --- | --- |
//! | `v` | version of the record, 1 |
//! | `id` | 13 letters and digits made of the position: equal for mirror images |
//! | `position` | `ROWS BLUE`, the one of the two mirror images that sorts first |
//! | `m_win` | plies of the shortest win, both sides counted, the last move included |
//! | `revealed` | `none`, `partly` or `fully`: how much of the opposing colours is shown |
//! | `red_wall`, `capture_win` | the two categories |
//! | `themes` | names of the themes, see [`crate::theme`] |
//! | `quality` | `keys`, `winning_first_moves`, `purity`, `idle` (squares), `futile_plies` (null if it takes too long to tell): see [`crate::quality`] |
//! | `line` | the main line, moves as text |
//! | `first_moves` | every first move: `move`, `result` (`win`, `no-win`, `unknown`), `m_win`, `depth` |
//! | `source` | `kind` (`random`, `reverse`, `mined`, `given`), `trial`, `request`: what made it; `proof`: what its length rests on, `search` or `tables` |
//! | `seed` | the seed of the request |
//! | `version` | the version of the program |
//! | `grade` | only in graded records: `difficulty` and `interest` from -2 to 2, `basis`, `reasons`, `solved` and `effort` of the simulated players, `search` (what the reference df-pn spent, if it was asked): see [`crate::grade`] |
//!
//! A record is untrusted input: the position must be valid, the id must match it, and the main line
//! must be legal and end with a win. What takes a proof (length, categories, quality) is not proved
//! again.

use crate::grade::Graded;
use crate::quality::Quality;
use crate::theme::Theme;
use common::excerpt::{json_error, quoted};
use common::fnv;
use games::Seat;
use games::geister::{Move, Position, Square};
use geister::solver::{FirstMove, Revealed};
use search::{Stop, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// The version of the record format.
pub const VERSION: u32 = 1;

/// The maximum length of a line.
pub const MAX_LINE_BYTES: usize = 1 << 16;

/// The source of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SourceKind {
    /// Ghosts placed at random.
    Random,
    /// Moves taken back from a shorter puzzle.
    Reverse,
    /// Taken from a tablebase.
    Mined,
    /// Given by a person or another collection.
    Given,
}

impl SourceKind {
    /// The name in records and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            SourceKind::Random => "random",
            SourceKind::Reverse => "reverse",
            SourceKind::Mined => "mined",
            SourceKind::Given => "given",
        }
    }
}

/// How the length of a puzzle was proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProvedBy {
    /// By search alone.
    Search,
    /// By search with tablebases, because search alone takes too long.
    Tables,
}

/// The origin of a puzzle, so that it can be reproduced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The source.
    pub kind: SourceKind,
    /// The number of the trial that found it.
    pub trial: u64,
    /// The request as command-line arguments.
    pub request: String,
    /// The seed of the request.
    pub seed: u64,
}

/// A puzzle with everything that is proved about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Puzzle {
    /// The position, the bottom side to move.
    pub position: Position,
    /// Plies of the shortest win.
    pub m_win: u32,
    /// Without the third rule no win is as short.
    pub red_wall: bool,
    /// No win that short ends with an escape.
    pub capture_win: bool,
    /// Its themes.
    pub themes: BTreeSet<Theme>,
    /// Its quality measures.
    pub quality: Quality,
    /// The main line (principal variation).
    pub line: Vec<Move>,
    /// Every first move with its proved result.
    pub first_moves: Vec<FirstMove>,
    /// How it was found.
    pub origin: Origin,
    /// How its length was proved.
    pub proved_by: ProvedBy,
    /// The version of the program that found it.
    pub version: String,
    /// Its grade, if it was graded.
    pub grade: Option<Graded>,
}

/// The id of a position and its mirror image: a 64-bit hash of its text (FNV-1a over the 36
/// characters and BLUE of the image that sorts first), in base 32.
pub fn id(position: &Position) -> String {
    const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let text = position.canonical().compact();
    let hash = fnv::hash(&text);
    (0..13).rev().map(|digit| LETTERS[(hash >> (5 * digit) & 31) as usize] as char).collect()
}

/// The name of a revealed state in records and on the command line.
pub const fn revealed_name(revealed: Revealed) -> &'static str {
    match revealed {
        Revealed::None => "none",
        Revealed::Partly => "partly",
        Revealed::Fully => "fully",
    }
}

impl Puzzle {
    /// Its id.
    pub fn id(&self) -> String {
        id(&self.position)
    }

    /// How many of the opponent's colours are revealed.
    pub fn revealed(&self) -> Revealed {
        Revealed::of(&self.position)
    }

    /// The first moves that keep the shortest win.
    pub fn keys(&self) -> impl Iterator<Item = Move> + '_ {
        let best = Verdict::Win(self.m_win);
        self.first_moves.iter().filter(move |first| first.verdict == best).map(|first| first.mv)
    }

    /// The record, without a line break.
    pub fn to_json(&self) -> String {
        // Numbers, strings and lists always serialise.
        serde_json::to_string(&Record::new(self)).unwrap_or_default()
    }

    /// Reads a record.
    ///
    /// # Errors
    /// If it is not a record, has another version, or is inconsistent.
    pub fn from_json(line: &str) -> Result<Puzzle, RecordError> {
        if line.len() > MAX_LINE_BYTES {
            return Err(RecordError("the line is too long for a record".into()));
        }
        let record: Record = serde_json::from_str(line).map_err(|error| {
            RecordError(format!("it is not a puzzle record: {}", json_error(&error)))
        })?;
        record.check()
    }
}

/// The error for an invalid record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError(String);

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RecordError {}

/// The JSON object of a puzzle.
#[derive(Serialize, Deserialize)]
struct Record {
    v: u32,
    id: String,
    position: String,
    m_win: u32,
    revealed: String,
    red_wall: bool,
    capture_win: bool,
    themes: Vec<String>,
    quality: QualityRecord,
    line: Vec<String>,
    first_moves: Vec<FirstMoveRecord>,
    source: SourceRecord,
    seed: u64,
    version: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    grade: Option<Graded>,
}

#[derive(Serialize, Deserialize)]
struct QualityRecord {
    keys: u32,
    winning_first_moves: u32,
    purity: f64,
    idle: Vec<String>,
    futile_plies: Option<u32>,
}

/// The JSON object of a first move.
#[derive(Serialize, Deserialize)]
pub struct FirstMoveRecord {
    #[serde(rename = "move")]
    mv: String,
    result: String,
    m_win: Option<u32>,
    depth: u32,
}

#[derive(Serialize, Deserialize)]
struct SourceRecord {
    kind: SourceKind,
    trial: u64,
    request: String,
    proof: ProvedBy,
}

impl FirstMoveRecord {
    /// The record of a first move.
    pub fn new(first: &FirstMove) -> FirstMoveRecord {
        let (result, m_win, depth) = match first.verdict {
            Verdict::Win(plies) => ("win", Some(plies), plies),
            Verdict::NoWin { depth } => ("no-win", None, depth),
            Verdict::Unknown { depth, .. } => ("unknown", None, depth),
        };
        FirstMoveRecord { mv: first.mv.to_string(), result: result.into(), m_win, depth }
    }

    fn check(&self, position: &Position) -> Result<FirstMove, RecordError> {
        let mv = legal(position, &self.mv)?;
        let verdict = match (self.result.as_str(), self.m_win) {
            ("win", Some(plies)) => Verdict::Win(plies),
            ("no-win", None) => Verdict::NoWin { depth: self.depth },
            ("unknown", None) => Verdict::Unknown { depth: self.depth, stop: Stop::Nodes },
            _ => return Err(RecordError(format!("the result of {mv} does not hold together"))),
        };
        Ok(FirstMove { mv, verdict })
    }
}

fn legal(position: &Position, text: &str) -> Result<Move, RecordError> {
    let mv = text.parse::<Move>().ok().filter(|&mv| position.is_legal(mv));
    mv.ok_or_else(|| RecordError(format!("{} is not a legal move in {position}", quoted(text))))
}

impl Record {
    fn new(puzzle: &Puzzle) -> Record {
        let quality = &puzzle.quality;
        let Origin { kind, trial, request, seed } = &puzzle.origin;
        Record {
            v: VERSION,
            id: puzzle.id(),
            position: puzzle.position.to_string(),
            m_win: puzzle.m_win,
            revealed: revealed_name(puzzle.revealed()).into(),
            red_wall: puzzle.red_wall,
            capture_win: puzzle.capture_win,
            themes: puzzle.themes.iter().map(ToString::to_string).collect(),
            quality: QualityRecord {
                keys: quality.keys,
                winning_first_moves: quality.winning_first_moves,
                // Three digits are enough for a fraction.
                purity: (quality.purity * 1000.0).round() / 1000.0,
                idle: quality.idle.iter().map(ToString::to_string).collect(),
                futile_plies: quality.futile_plies,
            },
            line: puzzle.line.iter().map(ToString::to_string).collect(),
            first_moves: puzzle.first_moves.iter().map(FirstMoveRecord::new).collect(),
            source: SourceRecord {
                kind: *kind,
                trial: *trial,
                request: request.clone(),
                proof: puzzle.proved_by,
            },
            seed: *seed,
            version: puzzle.version.clone(),
            grade: puzzle.grade.clone(),
        }
    }

    fn check(self) -> Result<Puzzle, RecordError> {
        let fail = |reason: String| Err(RecordError(reason));
        if self.v != VERSION {
            return fail(format!("its version is {}; this program reads {VERSION}", self.v));
        }
        let position: Position = self.position.parse().map_err(|error| {
            RecordError(format!("position {}: {error}", quoted(&self.position)))
        })?;
        if self.id != id(&position) {
            return fail(format!("the id {} does not fit its position", quoted(&self.id)));
        }
        if !(0.0..=1.0).contains(&self.quality.purity) {
            return fail(format!("its purity is {} and not from 0 to 1", self.quality.purity));
        }
        if self.grade.as_ref().is_some_and(|graded| !graded.is_on_scale()) {
            return fail("its grade is not on the scale from -2 to 2".into());
        }
        let line = check_line(&position, &self.line, self.m_win)?;
        let first_moves: Vec<FirstMove> = self
            .first_moves
            .iter()
            .map(|first| first.check(&position))
            .collect::<Result<_, _>>()?;
        let theme = |name: &String| {
            name.parse().map_err(|error| RecordError(format!("{}: {error}", quoted(name))))
        };
        let square = |name: &String| {
            let refusal = || RecordError(format!("{} is no square", quoted(name)));
            Square::from_name(name).ok_or_else(refusal)
        };
        Ok(Puzzle {
            position,
            m_win: self.m_win,
            red_wall: self.red_wall,
            capture_win: self.capture_win,
            themes: self.themes.iter().map(theme).collect::<Result<_, _>>()?,
            quality: Quality {
                keys: self.quality.keys,
                winning_first_moves: self.quality.winning_first_moves,
                purity: self.quality.purity,
                idle: self.quality.idle.iter().map(square).collect::<Result<_, _>>()?,
                futile_plies: self.quality.futile_plies,
            },
            line,
            first_moves,
            origin: Origin {
                kind: self.source.kind,
                trial: self.source.trial,
                request: self.source.request,
                seed: self.seed,
            },
            proved_by: self.source.proof,
            version: self.version,
            grade: self.grade,
        })
    }
}

/// Checks the main line: legal, of the right length, and won at its end.
fn check_line(position: &Position, line: &[String], m_win: u32) -> Result<Vec<Move>, RecordError> {
    if line.len() != m_win as usize {
        return Err(RecordError(format!("its line has {} moves and not {m_win}", line.len())));
    }
    let mut position = *position;
    let mut moves = Vec::with_capacity(line.len());
    for text in line {
        let mv = legal(&position, text)?;
        position = position.play_unchecked(mv);
        moves.push(mv);
    }
    if position.outcome().and_then(games::geister::Outcome::winner) != Some(Seat::First) {
        return Err(RecordError("its line does not end with a win".into()));
    }
    Ok(moves)
}
