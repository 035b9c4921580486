//! `spuk grade`: difficulty and interest of puzzles.

use crate::limits;
use crate::output::{Reader, complain, print, quoted, write_file};
use crate::progress::Line;
use crate::puzzle_lines::{PuzzleLines, from_position, read};
use crate::solve::DEFAULT_DEPTH_PLIES;
use crate::{Failure, exit, interrupt};
use clap::Args;
use games::geister::Position;
use puzzle::Puzzle;
use puzzle::compose::Verifier;
use puzzle::grade::calibration::Calibration;
use puzzle::grade::{
    Appraisal, Appraiser, Basis, Grade, Graded, add_search, calibrated, modelled, scores,
};
use puzzle::model::Models;
use puzzle::simulated_solvers::SIMULATED_SOLVERS;
use rayon::prelude::*;
use search::Limits;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

#[derive(Args)]
#[command(after_help = "\
Difficulty and interest range from -2 to 2, as in the study of Hsueh et al. By default they are calibrated, not \
rated by people: the published averages for puzzles of that length and kind, ordered within a length by \
simulated players and features.

Each line of a file is the record of a puzzle or a position; a position is solved first. Records that have a \
grade keep it unless --again is given, so that an interrupted command can be repeated. An invalid line is \
reported with its number, the others are graded, and the exit code is 2.

Examples: spuk grade \"6/4u1/B5/6/6/Ru4 1\"
          spuk grade puzzles.jsonl --out graded.jsonl")]
pub(crate) struct Arguments {
    /// Files with one puzzle per line, `-` for standard input; or one position.
    #[arg(value_name = "FILE|POSITION", default_value = "-", num_args = 1..)]
    inputs: Vec<String>,
    /// Write the records with their grades to this file.
    #[arg(long, value_name = "FILE", conflicts_with = "in_place")]
    out: Option<PathBuf>,
    /// Write the records with their grades back into their files, which must exist.
    #[arg(long)]
    in_place: bool,
    /// Print the records with their grades, one JSON object per line.
    #[arg(long)]
    json: bool,
    /// Grade puzzles again that have a grade.
    #[arg(long)]
    again: bool,
    /// Also measure the effort of the reference df-pn, with this maximum number of nodes per puzzle.
    #[arg(long, value_name = "NODES", num_args = 0..=1, default_missing_value = "2000000")]
    slow: Option<u64>,
    /// Seed of the simulated players.
    #[arg(long, value_name = "N", default_value = "0")]
    seed: u64,
    /// Grade by this model of `spuk train` instead of the calibration.
    #[arg(long, value_name = "FILE", conflicts_with = "calibration")]
    model: Option<PathBuf>,
    /// Write a calibration over these puzzles to this file, and grade by it.
    #[arg(long, value_name = "FILE")]
    calibration: Option<PathBuf>,
    /// Maximum depth for bare positions: wins of up to this many plies, both sides' moves (1 to 123).
    #[arg(long, value_name = "PLIES", default_value_t = DEFAULT_DEPTH_PLIES, value_parser = limits::depth_parser())]
    depth: u32,
    /// Maximum time for a bare position, such as 500ms, 5s or 2m.
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = limits::parse_time)]
    time: Duration,
    /// Maximum memory of the transposition tables, such as 64M or 1G.
    #[arg(long, value_name = "BYTES", default_value = "256M", value_parser = limits::parse_memory)]
    memory: usize,
    /// Number of threads (1 to 256); the grades do not depend on it [default: all cores].
    #[arg(long, value_name = "N", value_parser = limits::parse_threads)]
    threads: Option<NonZeroU32>,
}

/// The number of puzzles graded between two progress reports.
const BATCH_SIZE: usize = 64;

/// Grades the puzzles and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    if arguments.in_place {
        refuse_other_than_files(&arguments.inputs)?;
    }
    let stop = interrupt::listen();
    let pool = limits::pool(arguments.threads)?;
    let mut work =
        Grading { arguments, stop, done: 0, bad: 0, line: Line::new(), start: Instant::now() };
    let source = match (&arguments.calibration, &arguments.model) {
        (None, None) => GradeSource::Calibrated(Calibration::shipped()),
        (Some(file), _) => GradeSource::Calibrated(pool.install(|| work.calibrate(file))?),
        (None, Some(file)) => GradeSource::Model(read_model(file)?),
    };
    let end = pool.install(|| work.grade_all(&source));
    work.line.clear();
    end
}

/// Refuses inputs that `--in-place` cannot write back to.
fn refuse_other_than_files(inputs: &[String]) -> Result<(), Failure> {
    match inputs.iter().find(|input| !Path::new(input).is_file()) {
        Some(input) => Err(format!(
            "--in-place writes grades back into files, and {} is not one; name a file of puzzles, or use --out",
            quoted(input)
        )),
        None => Ok(()),
    }
}

/// What grades are based on.
enum GradeSource {
    Calibrated(Calibration),
    Model(Models),
}

impl GradeSource {
    fn grade(&self, puzzle: &Puzzle, appraisal: &Appraisal) -> Grade {
        match self {
            GradeSource::Calibrated(calibration) => calibrated(puzzle, appraisal, calibration),
            GradeSource::Model(models) => modelled(appraisal, models),
        }
    }
}

fn read_model(path: &Path) -> Result<Models, Failure> {
    let name = quoted(&path.to_string_lossy());
    let text = std::fs::read_to_string(path).map_err(|error| {
        format!("cannot read {name}: {error}; name a model that `spuk train` has written")
    })?;
    Models::from_json(&text).map_err(|error| format!("{name}: {error}; train it again"))
}

struct Grading<'a> {
    arguments: &'a Arguments,
    stop: &'static AtomicBool,
    done: u64,
    bad: u64,
    line: Line,
    start: Instant,
}

impl Grading<'_> {
    fn grade_all(&mut self, source: &GradeSource) -> Result<u8, Failure> {
        let mut all = String::new();
        for input in &self.arguments.inputs {
            let mut text = String::new();
            let mut output = |puzzles: &[Puzzle]| {
                let records = || puzzles.iter().map(|puzzle| puzzle.to_json() + "\n");
                if self.arguments.in_place || self.arguments.out.is_some() {
                    text.extend(records());
                    return Ok(Reader::Listening);
                }
                let lines: String = if self.arguments.json {
                    records().collect()
                } else {
                    puzzles.iter().map(words).collect()
                };
                print(&lines)
            };
            let state = (&mut self.done, &mut self.bad, &self.line, self.start);
            let end = grade_input(self.arguments, self.stop, input, source, state, &mut output)?;
            match end {
                GradingEnd::ReaderGone => return Ok(exit::YES),
                GradingEnd::Stopped => {
                    complain(
                        "interrupted; run the same command again to continue with the next file",
                    );
                    return Ok(exit::UNKNOWN);
                }
                GradingEnd::Done if self.arguments.in_place => write_file(Path::new(input), &text)?,
                GradingEnd::Done => all += &text,
            }
        }
        if let Some(out) = &self.arguments.out {
            write_file(out, &all)?;
        }
        Ok(if self.bad == 0 { exit::YES } else { exit::ERROR })
    }

    /// Calculates the calibration of all puzzles and writes it.
    fn calibrate(&mut self, file: &Path) -> Result<Calibration, Failure> {
        let mut all = Vec::new();
        for input in &self.arguments.inputs {
            let mut lines = PuzzleLines::open(Path::new(input))?;
            while let Some((number, line)) = lines.next()? {
                let puzzle = Puzzle::from_json(&line);
                all.push(
                    puzzle
                        .map_err(|error| format!("line {number} of {}: {error}", quoted(input)))?,
                );
            }
        }
        let (stop, line, count) = (self.stop, &self.line, all.len());
        let done = std::sync::atomic::AtomicUsize::new(0);
        let scored: Option<Vec<(u32, f64, f64)>> = all
            .par_iter()
            .map_init(
                || appraiser(self.arguments),
                |appraiser, puzzle| {
                    let appraisal = (!stop.load(Relaxed)).then(|| appraiser.appraise(puzzle))?;
                    let (difficulty, interest) = scores(puzzle, &appraisal);
                    let done = 1 + done.fetch_add(1, Relaxed);
                    line.say(format!("calibrating: {done} of {count} puzzles"));
                    Some((puzzle.m_win, difficulty, interest))
                },
            )
            .collect();
        let scored = scored.ok_or("interrupted; nothing was written")?;
        let calibration = Calibration::of(&scored);
        write_file(file, &calibration.text())?;
        Ok(calibration)
    }
}

enum GradingEnd {
    Done,
    Stopped,
    ReaderGone,
}

fn appraiser(arguments: &Arguments) -> Appraiser {
    let threads = rayon::current_num_threads();
    let appraiser = Appraiser::new(arguments.memory / (2 * threads), arguments.seed);
    match arguments.slow {
        Some(nodes) => appraiser.with_slow_features(nodes),
        None => appraiser,
    }
}

/// Grades the puzzles of a file, or a position, in batches and in order.
fn grade_input(
    arguments: &Arguments,
    stop: &'static AtomicBool,
    input: &str,
    source: &GradeSource,
    (done, bad, progress, start): (&mut u64, &mut u64, &Line, Instant),
    output: &mut dyn FnMut(&[Puzzle]) -> Result<Reader, Failure>,
) -> Result<GradingEnd, Failure> {
    let Arguments { depth, time, memory, .. } = *arguments;
    let limits = Limits { depth: 0, nodes: None, time: Some(time), memory: memory / 2 };
    let mut verifier = Verifier::new(limits, stop);
    if let Ok(position) = input.parse::<Position>() {
        let puzzle = from_position(&position, &mut verifier, depth)?;
        output(&grade_batch(arguments, stop, vec![puzzle], source))?;
        return Ok(GradingEnd::Done);
    }
    let mut lines = PuzzleLines::open(Path::new(input))
        .map_err(|failure| format!("{failure}, or write a position as ROWS BLUE"))?;
    loop {
        let mut batch = Vec::with_capacity(BATCH_SIZE);
        while batch.len() < BATCH_SIZE {
            let Some((number, line)) = lines.next()? else { break };
            match read(&line, &mut verifier, depth) {
                Ok(puzzle) => batch.push(puzzle),
                Err(failure) => {
                    *bad += 1;
                    complain(&format!("line {number}: {failure}"));
                }
            }
        }
        if batch.is_empty() {
            return Ok(GradingEnd::Done);
        }
        let requested = batch.len();
        let graded = grade_batch(arguments, stop, batch, source);
        *done += graded.len() as u64;
        let rate = *done as f64 / start.elapsed().as_secs_f64().max(0.001);
        progress.say(format!("{done} puzzles, {rate:.1} a second, {bad} invalid lines"));
        if graded.len() < requested {
            return Ok(GradingEnd::Stopped);
        }
        if output(&graded)? == Reader::Gone {
            return Ok(GradingEnd::ReaderGone);
        }
    }
}

/// The puzzles with their grades; fewer if it was interrupted.
fn grade_batch(
    arguments: &Arguments,
    stop: &AtomicBool,
    puzzles: Vec<Puzzle>,
    source: &GradeSource,
) -> Vec<Puzzle> {
    let grade = |appraiser: &mut Appraiser, mut puzzle: Puzzle| {
        if stop.load(Relaxed) {
            return None;
        }
        if puzzle.grade.is_none() || arguments.again {
            let appraisal = appraiser.appraise(&puzzle);
            let grade = source.grade(&puzzle, &appraisal);
            puzzle.grade = Some(Graded::new(&puzzle, &appraisal, grade));
        } else if let Some(nodes) = arguments.slow {
            add_search(&mut puzzle, nodes);
        }
        Some(puzzle)
    };
    puzzles.into_par_iter().map_init(|| appraiser(arguments), grade).while_some().collect()
}

/// A puzzle with its grade as text.
fn words(puzzle: &Puzzle) -> String {
    let Some(graded) = &puzzle.grade else { return String::new() };
    let Grade { difficulty, interest, basis } = graded.grade;
    let basis = match basis {
        Basis::Calibrated => "calibrated, not rated",
        Basis::Model => "by a model",
    };
    let reasons: Vec<String> = graded.reasons.iter().map(ToString::to_string).collect();
    let solved = SIMULATED_SOLVERS.iter().zip(graded.solved);
    let solved: Vec<String> =
        solved.map(|(player, share)| format!("{} {:.0} %", player.name, 100.0 * share)).collect();
    format!(
        "{}  win in {:>2}  difficulty {difficulty:+.2}  interest {interest:+.2}  ({basis})\n    {}\n    simulated players solve it: {}\n",
        puzzle.id(),
        puzzle.m_win,
        reasons.join("; "),
        solved.join(", "),
    )
}
