//! `spuk train`: trains models of interest and difficulty on ratings.

use crate::output::{complain, print, quoted, write_file};
use crate::progress::Line as ProgressLine;
use crate::report::{VERSION, capitalised, json_line};
use crate::{Failure, exit, limits};
use clap::Args;
use common::lines::LineReader;
use puzzle::features::Features;
use puzzle::model::{FitQuality, Model};
use puzzle::ratings::{MAX_FILE_BYTES, Rating, Ratings};
use puzzle::record::MAX_LINE_BYTES;
use puzzle::train::{PAPER, Trained, check_enough, train, training_features};
use puzzle::{Puzzle, shipped};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Args)]
#[command(after_help = "\
RATINGS.csv starts with a line that names its columns, in any order; other columns are ignored:
  puzzle      the id of a puzzle, 13 letters and digits
  person      the name or number of the person who rates
  interest    -2 (boring) to 2 (interesting)
  difficulty  -2 (easy) to 2 (hard)
  seconds     time spent; may be empty
  solved      yes or no; may be empty
  seen_before yes or no, whether the person had seen the puzzle before; may be empty or missing

A person rates a puzzle once. At least 30 puzzles and 2 persons are needed. Models learn the average rating of \
each puzzle; RMSE and R2 are cross-validated: one puzzle is left out at a time (with more than 200 puzzles, \
1/200 of them). Nothing is random: the same ratings give the same model.

Example: spuk train ratings.csv --out model.json")]
pub(crate) struct Arguments {
    /// The ratings; `-` is standard input.
    #[arg(value_name = "RATINGS.csv")]
    ratings: PathBuf,
    /// Files with the rated puzzles, one record per line [default: the shipped collection].
    #[arg(long, value_name = "FILE", num_args = 1..)]
    puzzles: Vec<PathBuf>,
    /// The file to write the models to.
    #[arg(long, value_name = "FILE", default_value = "model.json")]
    out: PathBuf,
    /// Skip invalid lines instead of refusing the file.
    #[arg(long)]
    skip_bad: bool,
    /// Skip ratings by people who had seen the puzzle before (seen_before is yes).
    #[arg(long)]
    fresh_only: bool,
    /// Also use the effort of the reference df-pn (P1's features 17 to 20; seconds per puzzle).
    #[arg(long)]
    slow: bool,
    /// Number of threads (1 to 256); the models do not depend on it [default: all cores].
    #[arg(long, value_name = "N", value_parser = limits::parse_threads)]
    threads: Option<NonZeroU32>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Trains the models and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let start = Instant::now();
    let puzzles = read_puzzles(&arguments.puzzles)?;
    let by_id: HashMap<String, &Puzzle> = puzzles.iter().map(|p| (p.id(), p)).collect();
    let Ratings { mut good, bad } = read_ratings(&arguments.ratings, &by_id)?;
    report_bad(&arguments.ratings, &bad, good.len(), arguments.skip_bad)?;
    if arguments.fresh_only {
        good.retain(|rating| rating.seen_before != Some(true));
    }
    let name = || quoted(&arguments.ratings.to_string_lossy());
    check_enough(&good).map_err(|too_few| format!("{}: {too_few}; gather more ratings", name()))?;
    let progress = ProgressLine::new();
    let pool = limits::pool(arguments.threads)?;
    let trained = pool.install(|| {
        progress.say("calculating the features of the rated puzzles".into());
        let features = features(&good, &by_id, arguments.slow);
        progress.say("training and cross-validating".into());
        train(&good, |id| features.get(id))
    });
    progress.clear();
    let trained = trained.map_err(|error| format!("{error}; try --threads 1"))?;
    write_file(&arguments.out, &trained.models.to_json())?;
    let record = Record::new(&trained, bad.len(), &arguments.out, start.elapsed().as_secs_f64());
    print(&if arguments.json { json_line(&record) } else { record.in_words() })?;
    Ok(exit::YES)
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    format!("cannot read {}: {error}; name a readable file", quoted(&path.to_string_lossy()))
}

/// The puzzles of the files, or the shipped ones.
fn read_puzzles(files: &[PathBuf]) -> Result<Vec<Puzzle>, Failure> {
    if files.is_empty() {
        return shipped::puzzles().map_err(|error| {
            format!("cannot read the shipped collection: {error}; use another build")
        });
    }
    let mut puzzles = Vec::new();
    for path in files {
        let file = File::open(path).map_err(|error| unreadable(path, &error))?;
        let mut lines = LineReader::new(BufReader::new(file), MAX_LINE_BYTES + 1);
        while let Some(line) =
            lines.next_non_blank_line().map_err(|error| unreadable(path, &error))?
        {
            let puzzle = Puzzle::from_json(line.text_lossy().trim_end()).map_err(|error| {
                let (name, number) = (quoted(&path.to_string_lossy()), line.number);
                format!("{name} line {number}: {error}; correct or remove the line")
            });
            puzzles.push(puzzle?);
        }
    }
    Ok(puzzles)
}

fn read_ratings(path: &Path, puzzles: &HashMap<String, &Puzzle>) -> Result<Ratings, Failure> {
    let mut bytes = Vec::new();
    let max_bytes = MAX_FILE_BYTES as u64 + 1;
    let read = if path == Path::new("-") {
        io::stdin().lock().take(max_bytes).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(max_bytes).read_to_end(&mut bytes))
    };
    read.map_err(|error| unreadable(path, &error))?;
    Ratings::read(&bytes, |id| puzzles.contains_key(id)).map_err(|error| {
        format!("cannot read ratings from {}: {error}", quoted(&path.to_string_lossy()))
    })
}

/// Reports every bad line, and refuses the file unless bad lines may be skipped.
fn report_bad(
    path: &Path,
    bad: &[puzzle::ratings::BadLine],
    good: usize,
    skip: bool,
) -> Result<(), Failure> {
    bad.iter().for_each(|line| complain(&line.to_string()));
    if bad.is_empty() || skip {
        return Ok(());
    }
    let (name, bad) = (quoted(&path.to_string_lossy()), bad.len());
    let all = good + bad;
    Err(format!("{bad} of {all} ratings in {name} are invalid; correct them or use --skip-bad"))
}

/// The features of every rated puzzle, by its id.
fn features(
    ratings: &[Rating],
    puzzles: &HashMap<String, &Puzzle>,
    slow: bool,
) -> HashMap<String, Features> {
    let rated: HashSet<&str> = ratings.iter().map(|rating| rating.puzzle.as_str()).collect();
    let one = |id: &str| Some((id.to_owned(), training_features(puzzles.get(id)?, slow)));
    rated.into_par_iter().filter_map(one).collect()
}

/// The JSON record of a training. README documents the fields.
#[derive(Serialize)]
struct Record {
    v: u32,
    ratings: usize,
    puzzles: usize,
    persons: usize,
    bad_lines: usize,
    interest: ModelRecord,
    difficulty: ModelRecord,
    out: String,
    seconds: f64,
}

/// The JSON record of a model.
#[derive(Serialize)]
struct ModelRecord {
    rmse: f64,
    r2: f64,
    paper_rmse: f64,
    paper_r2: f64,
    importance: Vec<(&'static str, f64)>,
}

impl ModelRecord {
    fn new(model: &Model, fit: FitQuality, paper: FitQuality) -> ModelRecord {
        let importance = model.importance().into_iter();
        ModelRecord {
            rmse: fit.rmse,
            r2: fit.r_squared,
            paper_rmse: paper.rmse,
            paper_r2: paper.r_squared,
            importance: importance.map(|(feature, share)| (feature.name(), share)).collect(),
        }
    }

    fn row(&self, name: &str) -> String {
        let ModelRecord { rmse, r2, paper_rmse, paper_r2, .. } = self;
        format!("  {name:10} {rmse:6.2} {r2:6.2}    {paper_rmse:6.2} {paper_r2:6.2}\n")
    }

    /// The features that matter most.
    fn most_important(&self, name: &str) -> String {
        const MAX_SHOWN_FEATURES: usize = 8;
        if self.importance.is_empty() {
            return format!("No feature predicts {name}.\n");
        }
        let mut text = format!("Most important features for {name}:\n");
        for (feature, share) in self.importance.iter().take(MAX_SHOWN_FEATURES) {
            let _ = writeln!(text, "  {:5.1} % {feature}", 100.0 * share);
        }
        text
    }
}

impl Record {
    fn new(trained: &Trained, bad_lines: usize, out: &Path, seconds: f64) -> Record {
        let Trained { models, interest, difficulty } = trained;
        let [(_, paper_interest), (_, paper_difficulty)] = PAPER;
        Record {
            v: VERSION,
            ratings: models.ratings,
            puzzles: models.puzzles,
            persons: models.persons,
            bad_lines,
            interest: ModelRecord::new(&models.interest, *interest, paper_interest),
            difficulty: ModelRecord::new(&models.difficulty, *difficulty, paper_difficulty),
            out: out.to_string_lossy().into_owned(),
            seconds,
        }
    }

    fn in_words(&self) -> String {
        let Record { ratings, puzzles, persons, bad_lines, .. } = self;
        let mut text = format!("{ratings} ratings of {puzzles} puzzles by {persons} persons");
        if *bad_lines > 0 {
            let _ = write!(text, ", {bad_lines} invalid lines skipped");
        }
        text += ".\nCross-validated, beside P1's figures (100 puzzles, 8 persons):\n";
        text += "               RMSE     R2   P1: RMSE     R2\n";
        for (name, model) in [("interest", &self.interest), ("difficulty", &self.difficulty)] {
            text += &model.row(&capitalised(name));
        }
        text += &self.interest.most_important("interest");
        text += &self.difficulty.most_important("difficulty");
        text + &format!("Written to {} in {:.1} s.\n", quoted(&self.out), self.seconds)
    }
}
