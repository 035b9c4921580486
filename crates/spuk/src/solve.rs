//! `spuk solve`: solves one position or a stream of positions.
//!
//! This module has Geister and the shared parts; `solve_scored` has the games with exact scores.

use crate::limits::LimitArguments;
use crate::output::{complain, print, quoted, write_file};
use crate::progress::Line as ProgressLine;
use crate::report::{Solved, json, json_error, long_text, phrase, short_text};
use crate::solve_proved::{self, SolverArguments};
use crate::solve_scored::{self, Scored};
use crate::stream::{Line, StreamEnd, answer_in_order};
use crate::tablebase::UsedTables;
use crate::{Failure, exit, interrupt};
use clap::{Args, ValueEnum};
use games::geister::Position;
use geister::solver::{MAX_DEPTH, Solver};
use puzzle::export::diagram::svg;
use search::{Budget, Limits, Progress, Verdict};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The default depth: enough for nearly every puzzle, and fast to refute.
pub(crate) const DEFAULT_DEPTH_PLIES: u32 = 25;
/// The default time limit of a verdict.
pub(crate) const DEFAULT_TIME: Duration = Duration::from_secs(5);
/// The default time limit of the analysis of first moves.
pub(crate) const DEFAULT_FIRST_MOVES_TIME: Duration = Duration::from_millis(500);

#[derive(Args, Clone)]
#[command(after_help = "\
A position is ROWS BLUE with the bottom side to move, the top row first: six rows joined by `/` with \
digits for empty squares, or 36 characters with dots. B and R are your blue and red ghosts, b and r the \
opponent's revealed ones, u the unrevealed ones; BLUE is the number of the opponent's blue ghosts. \
Example: spuk solve \"6/4u1/B5/6/6/Ru4 1\"

With --game connect-four, a position is its moves, columns 1 to 7, such as 4455; or its six rows joined \
by `/`, the top row first, with X (moves first), O and dots. With --game othello, it is 64 squares from a1 \
to h8 row by row, X (black), O or -, and the side to move; text after a semicolon is ignored. The \
answer is the winner and the exact score, for the side to move.

With --algorithm, another solver answers: it proves only who wins, so that the score in JSON is the sign \
of the exact one. ppns with --pr above 0 may stop at a belief, which is not a proof: the exit code is then 3.

By default, wins of up to 25 plies are searched for, for up to 5 seconds, and first moves that win more \
slowly up to 2 plies beyond the shortest win, for up to half a second; if a tablebase has the position, both \
up to 123 plies. Exact scores take no --depth.

With `-`, the exit code is 0 if every line was answered, 2 if a line was invalid, 3 if an answer is \
unknown.")]
pub(crate) struct Arguments {
    /// The position, as one or two arguments; or `-` to read one position per line from standard input.
    // Othello boards begin with `-` more often than not.
    #[arg(value_name = "POSITION", allow_hyphen_values = true, value_parser = parse_word)]
    position: String,
    /// The second part of the position.
    #[arg(value_name = "WORD", hide = true)]
    second_word: Option<String>,
    /// The game.
    #[arg(long, value_enum, default_value = "geister")]
    game: Game,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    /// Print one JSON object per line.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print only the verdict: no main line, no first moves, no classification.
    #[arg(long)]
    pub(crate) brief: bool,
    #[command(flatten)]
    tables: UsedTables,
    #[command(flatten)]
    pub(crate) solver: SolverArguments,
    /// Draw the position as SVG into this file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// The games that can be solved.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq)]
enum Game {
    Geister,
    ConnectFour,
    Othello,
}

/// Parses a part of a position, or `-`; what can only be a misspelt flag is refused.
fn parse_word(word: &str) -> Result<String, String> {
    let is_flag = word.starts_with('-')
        && word.trim_start_matches('-').starts_with(|c: char| c.is_ascii_lowercase());
    if is_flag { Err("there is no such flag".into()) } else { Ok(word.to_owned()) }
}

impl Arguments {
    /// The position as one text.
    fn text(&self) -> String {
        let words = [Some(self.position.as_str()), self.second_word.as_deref()];
        words.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    /// The limits of a verdict.
    pub(crate) fn limits(&self, default_depth: u32) -> Limits {
        let LimitArguments { depth, nodes, time, memory, .. } = self.limits;
        Limits {
            depth: depth.unwrap_or(default_depth),
            nodes,
            time: Some(time.unwrap_or(DEFAULT_TIME)),
            memory,
        }
    }

    /// Refuses flags that only apply to Geister.
    fn refuse_geister_flags(&self) -> Result<(), Failure> {
        let flags = [("--depth", self.limits.depth.is_some()), ("--svg", self.svg.is_some())];
        match flags.into_iter().chain(self.tables.flags()).find(|&(_, given)| given) {
            Some((flag, _)) => Err(format!("{flag} is for Geister only; omit it")),
            None => Ok(()),
        }
    }
}

/// Solves the position or stream and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let stop = interrupt::listen();
    let text = arguments.text();
    if arguments.game == Game::Geister {
        arguments.solver.refuse()?;
    } else {
        arguments.refuse_geister_flags()?;
    }
    match arguments.game {
        Game::Geister => run_geister(arguments, &text, stop),
        Game::ConnectFour => run_scored::<solve_scored::ConnectFour>(arguments, &text, stop),
        Game::Othello => run_scored::<solve_scored::Othello>(arguments, &text, stop),
    }
}

fn run_scored<G: Scored>(
    arguments: &Arguments,
    text: &str,
    stop: &'static AtomicBool,
) -> Result<u8, Failure> {
    match arguments.solver.chosen()? {
        None => solve_scored::run::<G>(arguments, text, stop),
        Some(chosen) => solve_proved::run::<G>(chosen, arguments, text, stop),
    }
}

fn run_geister(
    arguments: &Arguments,
    text: &str,
    stop: &'static AtomicBool,
) -> Result<u8, Failure> {
    if text == "-" {
        return run_stream(arguments, stop);
    }
    let position = parse(text)?;
    let mut progress = ProgressLine::new();
    let mut solver = Solver::new(arguments.limits.memory)
        .with_threads(arguments.limits.threads)
        .with_tablebase(arguments.tables.open()?);
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
    let LimitArguments { depth, time, .. } = arguments.limits;
    // If a tablebase has the answer, a longer win costs nothing, not even that of another move.
    let (default_depth, default_first_moves_depth) = if solver.has_table_for(position) {
        (MAX_DEPTH, MAX_DEPTH)
    } else {
        (DEFAULT_DEPTH_PLIES, 0)
    };
    let limits = arguments.limits(default_depth);
    let mut budget = Budget::new(&limits).stopped_by(stop);
    if arguments.brief {
        let answer = solver.verdict(position, &mut budget, progress);
        return Solved { position: *position, answer, time: budget.elapsed(), analysis: None };
    }
    let limits = Limits {
        depth: depth.unwrap_or(default_first_moves_depth),
        time: Some(time.unwrap_or(DEFAULT_FIRST_MOVES_TIME)),
        ..limits
    };
    let for_first_moves = Budget::new(&limits).stopped_by(stop);
    let analysis = solver.analyse(position, &mut budget, &for_first_moves, progress);
    let (answer, time) = (analysis.answer, analysis.verdict_time);
    Solved { position: *position, answer, time, analysis: Some(analysis) }
}

/// The answer to one line of a stream.
pub(crate) struct Reply {
    output: String,
    complaint: Option<String>,
    code: u8,
}

impl Reply {
    /// The output for a line, and its exit code.
    pub(crate) fn new(output: String, code: u8) -> Reply {
        Reply { output, complaint: None, code }
    }

    /// The error output for a line.
    pub(crate) fn refusal(failure: &str, line: &Line, as_json: bool) -> Reply {
        let output = if as_json {
            json_error(failure, Some(line.number))
        } else {
            format!("error: {failure}\n")
        };
        let complaint = Some(format!("line {}: {failure}", line.number));
        Reply { output, complaint, code: exit::ERROR }
    }
}

fn reply(solver: &mut Solver, line: &Line, arguments: &Arguments, stop: &AtomicBool) -> Reply {
    let number = Some(line.number);
    match parse(&line.text) {
        Ok(position) => {
            let solved = solve(solver, &position, arguments, stop, &mut ());
            let output = if arguments.json { json(&solved, number) } else { short_text(&solved) };
            Reply::new(output, code(solved.answer.verdict))
        }
        Err(failure) => Reply::refusal(&failure, line, arguments.json),
    }
}

fn run_stream(arguments: &Arguments, stop: &'static AtomicBool) -> Result<u8, Failure> {
    if arguments.svg.is_some() {
        return Err("--svg draws one position; omit it or give the position as an argument".into());
    }
    let (memory, for_work) = (memory_per_thread(arguments), arguments.clone());
    let tables = arguments.tables.open()?;
    answer_stream(
        arguments,
        stop,
        move || Solver::new(memory).with_tablebase(tables.clone()),
        move |solver, line| reply(solver, &line, &for_work, stop),
    )
}

/// The memory of each thread's transposition table.
pub(crate) fn memory_per_thread(arguments: &Arguments) -> usize {
    arguments.limits.memory / arguments.limits.threads.get() as usize
}

/// Answers every line of standard input, in order, and returns the exit code of the whole.
pub(crate) fn answer_stream<W: 'static>(
    arguments: &Arguments,
    stop: &'static AtomicBool,
    worker: impl Fn() -> W + Clone + Send + 'static,
    work: impl Fn(&mut W, Line) -> Reply + Clone + Send + 'static,
) -> Result<u8, Failure> {
    let progress = ProgressLine::new();
    let (mut done, mut bad, mut unknown) = (0usize, 0usize, 0usize);
    let emit = |reply: Reply| {
        if let Some(complaint) = reply.complaint {
            complain(&complaint);
        }
        done += 1;
        bad += usize::from(reply.code == exit::ERROR);
        unknown += usize::from(reply.code == exit::UNKNOWN);
        progress.say(format!("{done} positions, {unknown} unknown, {bad} bad"));
        print(&reply.output)
    };
    let end = answer_in_order(arguments.limits.threads.get(), worker, work, stop, emit)?;
    Ok(match (end, bad, unknown) {
        (StreamEnd::Interrupted, ..) => exit::UNKNOWN,
        (StreamEnd::Done, 0, 0) => exit::YES,
        (StreamEnd::Done, 0, _) => exit::UNKNOWN,
        (StreamEnd::Done, ..) => exit::ERROR,
    })
}
