//! Any position, analysed by the solver within bounds.

use crate::attempts::view::{Event, ending, side, texts};
use crate::caller::Caller;
use crate::error::ServiceError;
use crate::scheduler::Lane;
use crate::service::Service;
use games::Seat;
use games::geister::{Bitboard, Ghost, Move, Outcome, Position, Square};
use geister::judge::{Ply, Survey, survey};
use geister::solver::MAX_DEPTH;
use search::{Stop, Verdict};
use serde::Serialize;
use std::time::{Duration, Instant};

/// The maximum number of moves that are played from the start.
const MAX_MOVES: usize = 400;
/// The time for the verdict if few clients wait; the moves get the same time again.
const MAX_TIME: Duration = Duration::from_millis(600);
/// The same time if many clients wait.
const MIN_TIME: Duration = Duration::from_millis(60);
/// From this many waiting addresses on, the time gets shorter.
const MANY_WAITING: usize = 2;

/// The position after moves that are joined by commas.
///
/// # Errors
/// If one of them cannot be played; the error names it.
pub fn play_all(start: Position, moves: &str) -> Result<Position, ServiceError> {
    let texts = moves.split(',').map(str::trim).filter(|text| !text.is_empty());
    let bad = |text: &str| {
        let text: String = text.chars().take(20).collect();
        ServiceError::bad("bad-line").detail(text)
    };
    texts.take(MAX_MOVES).try_fold(start, |position, text| {
        let mv: Move = text.parse().map_err(|_| bad(text))?;
        position.play(mv).map_err(|_| bad(text))
    })
}

#[derive(Serialize)]
struct PieceView {
    square: String,
    letter: char,
}

#[derive(Serialize)]
struct MoveView {
    #[serde(rename = "move")]
    mv: String,
    verdict: &'static str,
    plies: Option<u32>,
    depth: u32,
    best: bool,
    event: Event,
}

/// The analysis of a position.
#[derive(Serialize)]
pub struct AnalysisView {
    v: u8,
    position: String,
    turn: &'static str,
    board: Vec<PieceView>,
    blue: u32,
    red: u32,
    verdict: &'static str,
    plies: Option<u32>,
    depth: u32,
    never: bool,
    winner: Option<&'static str>,
    end: Option<&'static str>,
    line: Vec<String>,
    moves: Vec<MoveView>,
    tablebase: bool,
    seconds: f64,
    stop: Option<&'static str>,
}

/// A verdict in parts: its name, plies, depth and why it stopped.
fn parts(verdict: Verdict) -> (&'static str, Option<u32>, u32, Option<&'static str>) {
    match verdict {
        Verdict::Win(plies) => ("win", Some(plies), plies, None),
        Verdict::NoWin { depth } => ("no-win", None, depth, None),
        Verdict::Unknown { depth, stop } => {
            let stop = match stop {
                Stop::Time => "time",
                Stop::Nodes => "nodes",
                Stop::Memory => "memory",
                Stop::Interrupted => "interrupted",
            };
            ("unknown", None, depth, Some(stop))
        }
    }
}

/// Whether a move is one that its side would choose.
fn is_best(turn: Seat, verdict: Verdict, all: &[(Move, Verdict)]) -> bool {
    let plies = |verdict: Verdict| match verdict {
        Verdict::Win(plies) => Some(plies),
        _ => None,
    };
    let wins = all.iter().filter_map(|(_, verdict)| plies(*verdict));
    match turn {
        Seat::First => plies(verdict).is_some() && plies(verdict) == wins.min(),
        Seat::Second if all.iter().any(|(_, verdict)| matches!(verdict, Verdict::NoWin { .. })) => {
            matches!(verdict, Verdict::NoWin { .. })
        }
        Seat::Second => plies(verdict).is_some() && plies(verdict) == wins.max(),
    }
}

fn pieces(position: &Position) -> Vec<PieceView> {
    let of = |ghost: Ghost| {
        let squares: Bitboard = position.ghosts(ghost);
        squares.map(move |square: Square| PieceView {
            square: square.to_string(),
            letter: ghost.letter(),
        })
    };
    Ghost::ALL.into_iter().flat_map(of).collect()
}

/// The time for a position while this many addresses wait: every job starts within a few seconds,
/// also when many ask at once.
fn time_for(waiting_addresses: usize) -> Duration {
    let share = MAX_TIME.mul_f64(MANY_WAITING as f64 / waiting_addresses.max(MANY_WAITING) as f64);
    share.max(MIN_TIME)
}

/// Analyses the position after the moves that were played from `start`.
///
/// # Errors
/// If too many jobs of the caller are waiting or running already.
pub async fn analyse(
    service: &Service,
    caller: &Caller,
    start: Position,
    position: Position,
) -> Result<AnalysisView, ServiceError> {
    let begun = Instant::now();
    let found: Survey = service
        .solve(Lane::Analysis, &caller.client, move |solver, turn| {
            let time = time_for(turn.waiting_addresses);
            survey(solver, &position, MAX_DEPTH, time, turn.cancelled())
        })
        .await?;
    let outcome = position.outcome();
    let (verdict, plies, depth, stop) = parts(found.answer.verdict);
    let top = position.army(Seat::Second).count();
    let view = |(mv, verdict): &(Move, Verdict)| {
        let (name, plies, depth, _) = parts(*verdict);
        MoveView {
            mv: mv.to_string(),
            verdict: name,
            plies,
            depth,
            best: is_best(position.turn(), *verdict, &found.moves),
            event: Event::from(&Ply::new(&position, *mv)),
        }
    };
    Ok(AnalysisView {
        v: 1,
        position: start.to_string(),
        turn: side(position.turn()),
        board: pieces(&position),
        blue: position.blue_count(),
        red: top.saturating_sub(position.blue_count()),
        verdict: if outcome.is_some() { "over" } else { verdict },
        plies,
        depth,
        never: found.answer.never,
        winner: outcome.and_then(Outcome::winner).map(side),
        end: outcome.and_then(ending),
        line: texts(&found.line),
        moves: found.moves.iter().map(view).collect(),
        tablebase: found.answer.table_hits > 0,
        seconds: begun.elapsed().as_secs_f64(),
        stop,
    })
}
