//! `spuk solve`: one position, or a stream of them.

use crate::limits::LimitArguments;
use crate::output::{complain, print, quoted, write_file};
use crate::progress::Line as ProgressLine;
use crate::report::{Solved, json, json_error, long_text, phrase, short_text};
use crate::stream::{End, Line, answer_in_order};
use crate::tablebase::folder;
use crate::{Failure, exit, interrupt};
use clap::Args;
use endgame::solver::{LONGEST, Solver};
use endgame::tablebase::{Store, Tables};
use games::geister::Position;
use puzzle::export::diagram::svg;
use search::{Budget, Limits, Progress, Verdict};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Deep enough for nearly every puzzle, shallow enough for a quick no.
pub(crate) const USUAL_DEPTH: u32 = 25;
/// What a verdict may take if nothing is asked.
pub(crate) const USUAL_TIME: Duration = Duration::from_secs(5);
/// What judging the first moves may take if nothing is asked.
pub(crate) const USUAL_TIME_FOR_FIRST_MOVES: Duration = Duration::from_millis(500);

#[derive(Args, Clone)]
#[command(after_help = "\
A position is ROWS BLUE with the bottom side to move, the top row first: six rows joined by `/` with \
digits for empty squares, or 36 characters with dots. B R are the own blue and red ghosts, b r the \
opponent's revealed ones, u the unrevealed ones; BLUE is how many of the opponent's ghosts are blue. \
Example: spuk solve \"6/4u1/B5/6/6/Ru4 1\"

Without --depth and --time, wins of up to 25 plies are looked for in up to 5 seconds.

With `-`, the exit code is 0 when every line is answered, 2 if a line was bad, 3 if an answer is \
unknown.")]
pub(crate) struct Arguments {
    /// The position, in one word or two; or `-` to read one position a line from standard input.
    #[arg(required = true, num_args = 1..=2, value_name = "POSITION")]
    position: Vec<String>,
    #[command(flatten)]
    limits: LimitArguments,
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
    /// Stop at the verdict: no line, no first moves, no classification.
    #[arg(long)]
    brief: bool,
    /// The folder of the tablebases to use (or set SPUK_TABLES; otherwise the user's data folder).
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Search without tablebases.
    #[arg(long, conflicts_with = "tables")]
    no_tables: bool,
    /// Draw the position into this file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Solves what was asked for and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let stop = interrupt::listen()?;
    let text = arguments.position.join(" ");
    if text == "-" {
        return run_stream(arguments, stop);
    }
    let position = parse(&text)?;
    let mut progress = ProgressLine::new();
    let mut solver = Solver::new(arguments.limits.memory)
        .with_threads(arguments.limits.threads)
        .with_tables(tables(arguments));
    let solved = solve(&mut solver, &position, arguments, stop, &mut progress);
    progress.clear();
    if let Some(file) = &arguments.svg {
        let caption = Some(format!("{position}: {}", phrase(&solved.answer)));
        write_file(
            file,
            &svg::draw(&position, &svg::Options { caption, ..svg::Options::default() }),
        )?;
    }
    print(&if arguments.json { json(&solved, None) } else { long_text(&solved) })?;
    Ok(code(solved.answer.verdict))
}

/// The tables to use: none if there are none, and never a damaged one.
fn tables(arguments: &Arguments) -> Tables {
    let folder = if arguments.no_tables { None } else { folder(arguments.tables.as_ref()) };
    let Some(folder) = folder else { return Tables::default() };
    let (tables, errors) = Store::new(folder).open_good();
    errors.iter().for_each(|error| complain(&format!("{error}; it is not used")));
    tables
}

fn parse(text: &str) -> Result<Position, Failure> {
    text.parse::<Position>().map_err(|error| {
        format!("position {}: {error}; see `spuk solve --help` for the form", quoted(text))
    })
}

fn code(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Win(_) => exit::YES,
        Verdict::NoWin { .. } => exit::NO,
        Verdict::Unknown { .. } => exit::UNKNOWN,
    }
}

fn solve(
    solver: &mut Solver,
    position: &Position,
    arguments: &Arguments,
    stop: &AtomicBool,
    progress: &mut impl Progress,
) -> Solved {
    let LimitArguments { depth, nodes, time, memory, .. } = arguments.limits;
    // Where a table holds the answer, its length costs nothing.
    let usual_depth = if solver.has_table_for(position) { LONGEST } else { USUAL_DEPTH };
    let limits = Limits {
        depth: depth.unwrap_or(usual_depth),
        nodes,
        time: Some(time.unwrap_or(USUAL_TIME)),
        memory,
    };
    let mut budget = Budget::new(&limits).stopped_by(stop);
    if arguments.brief {
        let answer = solver.verdict(position, &mut budget, progress);
        return Solved { position: *position, answer, time: budget.elapsed(), analysis: None };
    }
    let limits = Limits {
        depth: depth.unwrap_or(0),
        time: Some(time.unwrap_or(USUAL_TIME_FOR_FIRST_MOVES)),
        ..limits
    };
    let for_first_moves = Budget::new(&limits).stopped_by(stop);
    let analysis = solver.analyse(position, &mut budget, &for_first_moves, progress);
    let (answer, time) = (analysis.answer, analysis.verdict_time);
    Solved { position: *position, answer, time, analysis: Some(analysis) }
}

/// The answer to one line of a stream.
struct Reply {
    output: String,
    complaint: Option<String>,
    code: u8,
}

fn reply(solver: &mut Solver, line: &Line, arguments: &Arguments, stop: &AtomicBool) -> Reply {
    let number = Some(line.number);
    match parse(&line.text) {
        Ok(position) => {
            let solved = solve(solver, &position, arguments, stop, &mut ());
            let output = if arguments.json { json(&solved, number) } else { short_text(&solved) };
            Reply { output, complaint: None, code: code(solved.answer.verdict) }
        }
        Err(failure) => {
            let output = if arguments.json {
                json_error(&failure, number)
            } else {
                format!("error: {failure}\n")
            };
            let complaint = Some(format!("line {}: {failure}", line.number));
            Reply { output, complaint, code: exit::ERROR }
        }
    }
}

fn run_stream(arguments: &Arguments, stop: &'static AtomicBool) -> Result<u8, Failure> {
    if arguments.svg.is_some() {
        return Err("--svg draws one position; leave it away or give the position itself".into());
    }
    let threads = arguments.limits.threads.get();
    let memory = arguments.limits.memory / threads as usize;
    let progress = ProgressLine::new();
    let (mut done, mut bad, mut unknown) = (0usize, 0usize, 0usize);
    let for_work = arguments.clone();
    let tables = tables(arguments);
    let end = answer_in_order(
        threads,
        move || Solver::new(memory).with_tables(tables.clone()),
        move |solver, line| reply(solver, &line, &for_work, stop),
        stop,
        |reply: Reply| {
            if let Some(complaint) = reply.complaint {
                complain(&complaint);
            }
            done += 1;
            bad += usize::from(reply.code == exit::ERROR);
            unknown += usize::from(reply.code == exit::UNKNOWN);
            progress.say(format!("{done} positions, {unknown} unknown, {bad} bad"));
            print(&reply.output)
        },
    )?;
    Ok(match (bad, unknown, end) {
        (0, 0, End::Done) => exit::YES,
        (0, ..) => exit::UNKNOWN,
        _ => exit::ERROR,
    })
}
