//! `spuk lab`: replications of the papers' experiments.

use crate::output::{complain, print, quoted, write_file};
use crate::progress::Line;
use crate::report::{VERSION, json_line};
use crate::{Failure, exit, interrupt, limits};
use ::lab::{
    Cell, Experiment, Journal, JournalHeader, LabError, Progress, Report, ResultTable, Run,
};
use clap::Args;
use indicatif::{HumanCount, HumanDuration};
use serde::Serialize;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

#[derive(Args)]
#[command(after_help = after_help())]
pub(crate) struct Arguments {
    /// The experiment, or `list` to list them.
    #[arg(value_name = "EXPERIMENT", default_value = "list", value_parser = parse_action)]
    action: Action,
    /// Run at the size of the paper.
    #[arg(long)]
    full: bool,
    /// Number of trials [default: set by the experiment].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    trials: Option<u64>,
    /// Search depth in plies: of p1-pruning (3 to 17); the maximum of p4-2048 (from 2) and of
    /// p2-darkboard (1 to 3) [default: set by the experiment].
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=17))]
    depth: Option<u32>,
    /// Seed of the random numbers.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Number of threads (1 to 256); the results do not depend on it [default: all cores].
    #[arg(long, value_name = "N", value_parser = limits::parse_threads)]
    threads: Option<NonZeroU32>,
    /// Write the tables (CSV) and figures (SVG) to this folder.
    #[arg(long, value_name = "DIR", default_value = "lab")]
    out: PathBuf,
    /// For the experiment `collection`: the published collection of puzzles.
    #[arg(long, value_name = "CSV")]
    file: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

fn after_help() -> String {
    let trials = |one: &Experiment| format!("  {:19} {}\n", one.name(), one.trial());
    let trials: String = Experiment::ALL.iter().map(trials).collect();
    format!("Experiments:\n{}\nWhat --trials counts:\n{trials}", list())
}

/// A line for each experiment.
fn list() -> String {
    let line = |one: &Experiment| format!("  {:19} {}\n", one.name(), one.about());
    Experiment::ALL.iter().map(line).collect()
}

/// The action of the command.
#[derive(Clone, Copy)]
enum Action {
    List,
    Run(Experiment),
}

fn parse_action(text: &str) -> Result<Action, String> {
    match text {
        "list" => Ok(Action::List),
        name => name.parse().map(Action::Run).map_err(|e: ::lab::UnknownExperiment| e.to_string()),
    }
}

impl Arguments {
    /// Refuses flags that the experiment does not use.
    fn refuse_ignored_flags(&self, experiment: Experiment) -> Result<(), Failure> {
        let users = |uses: fn(Experiment) -> bool| {
            let all = Experiment::ALL.iter().copied().filter(|&one| uses(one));
            all.map(Experiment::name).collect::<Vec<_>>().join(", ")
        };
        if self.depth.is_some() && !experiment.uses_depth() {
            let users = users(Experiment::uses_depth);
            return Err(format!("{experiment} has no --depth ({users} have); omit it"));
        }
        if self.file.is_some() && !experiment.uses_input() {
            let users = users(Experiment::uses_input);
            return Err(format!("{experiment} reads no --file ({users} does); omit it"));
        }
        if self.full && self.trials.is_some() && experiment.full_sets_only_trials() {
            return Err(format!(
                "--full and --trials both set the number of trials of {experiment}; omit one"
            ));
        }
        Ok(())
    }
}

/// Runs the experiment and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    match arguments.action {
        Action::Run(experiment) => run_one(experiment, arguments),
        Action::List => {
            print(&if arguments.json { list_json() } else { list() })?;
            Ok(exit::YES)
        }
    }
}

fn run_one(experiment: Experiment, arguments: &Arguments) -> Result<u8, Failure> {
    arguments.refuse_ignored_flags(experiment)?;
    let stop = interrupt::listen();
    let input = arguments.file.as_deref().map(read).transpose()?;
    make_folder(&arguments.out)?;
    let header = journal_header(experiment, arguments, input.as_deref());
    let name = experiment.name();
    let journal = open_journal(&arguments.out, name, &header, [name, "trials"])?;
    let threads = arguments.threads.map_or(0, |threads| threads.get() as usize);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool =
        pool.map_err(|error| format!("cannot start threads: {error}; try fewer with --threads"))?;
    let start = Instant::now();
    let progress = Estimate::new();
    let run = Run {
        full: arguments.full,
        trials: arguments.trials,
        depth: arguments.depth,
        seed: arguments.seed,
        input: input.as_deref(),
        journal: Some(&journal),
        progress: &progress,
        stop,
    };
    let result = pool.install(|| experiment.run(&run));
    progress.line.clear();
    let report = match result {
        Ok(report) => report,
        Err(LabError::Stopped) => {
            complain(&format!(
                "{experiment} was interrupted; run the same command again to continue"
            ));
            return Ok(exit::UNKNOWN);
        }
        Err(error) => {
            // Invalid input leaves no trials to resume from.
            if journal.is_empty() {
                let _ = journal.close();
            }
            return Err(error.to_string());
        }
    };
    let files = write(&report, &arguments.out)?;
    let _ = journal.close();
    let seconds = start.elapsed().as_secs_f64();
    print(&if arguments.json {
        json_line(&Record::new(&report, &files, seconds))
    } else {
        text(&report, &files, seconds)
    })?;
    Ok(exit::YES)
}

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| {
        format!("cannot read {}: {error}; name a readable file", quoted(&path.to_string_lossy()))
    })
}

pub(crate) fn make_folder(path: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(path).map_err(|error| {
        let path = quoted(&path.to_string_lossy());
        format!("cannot make the folder {path}: {error}; choose another with --out")
    })
}

/// The journal header of this run.
fn journal_header(
    experiment: Experiment,
    arguments: &Arguments,
    input: Option<&str>,
) -> JournalHeader {
    JournalHeader {
        v: 1,
        program: env!("CARGO_PKG_VERSION").into(),
        experiment: experiment.name().into(),
        full: arguments.full,
        trials: arguments.trials,
        depth: arguments.depth,
        seed: arguments.seed,
        input: input.map(common::fnv::hash),
    }
}

/// Opens the journal `NAME.journal` in the output folder. If it has results of an interrupted run, a
/// message says that `who` continues after a number of `parts`.
pub(crate) fn open_journal(
    out: &Path,
    name: &str,
    header: &JournalHeader,
    [who, parts]: [&str; 2],
) -> Result<Journal, Failure> {
    let path = out.join(format!("{name}.journal"));
    let journal = Journal::open(&path, header).map_err(|error| {
        let path = quoted(&path.to_string_lossy());
        format!(
            "cannot continue from {path}: {error}; choose another folder with --out, or remove it"
        )
    })?;
    if journal.found() > 0 {
        let done = HumanCount(journal.found() as u64);
        complain(&format!("{who} continues after {done} {parts}"));
    }
    Ok(journal)
}

/// Shows the progress of an experiment and the estimated time of its current part.
pub(crate) struct Estimate {
    pub(crate) line: Line,
    /// The current part and its start time.
    part: Mutex<(String, Instant)>,
}

impl Estimate {
    pub(crate) fn new() -> Estimate {
        Estimate { line: Line::new(), part: Mutex::new((String::new(), Instant::now())) }
    }
}

impl Progress for Estimate {
    fn step(&self, name: &str, done: u64, all: u64) {
        let Ok(mut part) = self.part.lock() else { return };
        if part.0 != name {
            *part = (name.into(), Instant::now());
        }
        let left = part.1.elapsed().mul_f64(all.saturating_sub(done) as f64 / done.max(1) as f64);
        let (done, all) = (HumanCount(done), HumanCount(all));
        self.line.say(format!("{name}: {done} of {all}, {} left", HumanDuration(left)));
    }
}

/// Writes every table and figure; returns the files.
pub(crate) fn write(report: &Report, folder: &Path) -> Result<Vec<String>, Failure> {
    let tables = report.tables.iter().map(|table| (table.name, "csv", table.csv()));
    let figures = report.figures.iter().map(|figure| (figure.name, "svg", figure.svg.clone()));
    let mut files = Vec::new();
    for (name, ending, text) in tables.chain(figures) {
        let experiment = report.experiment;
        let dash = if name.is_empty() { "" } else { "-" };
        let path = folder.join(format!("{experiment}{dash}{name}.{ending}"));
        write_file(&path, &text)?;
        files.push(path.to_string_lossy().into_owned());
    }
    Ok(files)
}

/// The list as one JSON object.
fn list_json() -> String {
    let listed =
        |one: &Experiment| Listed { name: one.name(), about: one.about(), trial: one.trial() };
    let experiments: Vec<Listed> = Experiment::ALL.iter().map(listed).collect();
    json_line(&List { v: VERSION, experiments: &experiments })
}

#[derive(Serialize)]
struct List<'a> {
    v: u32,
    experiments: &'a [Listed],
}

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    about: &'static str,
    trial: &'static str,
}

/// The maximum number of rows of a printed table; longer ones are only in their files.
const MAX_PRINTED_ROWS: usize = 60;

pub(crate) fn text(report: &Report, files: &[String], seconds: f64) -> String {
    let settings: Vec<String> =
        report.settings.iter().map(|(name, value)| format!("{name} {value}")).collect();
    let mut text = format!("{}: {}\n", report.experiment, settings.join(", "));
    for table in report.tables.iter().filter(|table| table.rows.len() <= MAX_PRINTED_ROWS) {
        text += &format!("\n{}", table.text());
    }
    text.push('\n');
    for finding in &report.findings {
        text += &format!("{finding}.\n");
    }
    text + &format!("Written in {seconds:.1} s: {}\n", files.join(" "))
}

/// The JSON record of an experiment. README documents the fields.
#[derive(Serialize)]
pub(crate) struct Record<'a> {
    v: u32,
    experiment: &'static str,
    settings: Vec<(&'a str, &'a str)>,
    tables: Vec<TableRecord<'a>>,
    findings: &'a [String],
    files: &'a [String],
    seconds: f64,
}

#[derive(Serialize)]
struct TableRecord<'a> {
    name: &'a str,
    title: &'a str,
    columns: &'a [&'static str],
    rows: Vec<Vec<Value>>,
}

/// A cell in JSON: a string, a number or null.
#[derive(Serialize)]
#[serde(untagged)]
enum Value {
    Text(String),
    Count(u64),
    Number(f64),
    Nothing,
}

impl<'a> Record<'a> {
    pub(crate) fn new(report: &'a Report, files: &'a [String], seconds: f64) -> Record<'a> {
        Record {
            v: VERSION,
            experiment: report.experiment.name(),
            settings: report.settings.iter().map(|(name, value)| (*name, value.as_str())).collect(),
            tables: report.tables.iter().map(TableRecord::new).collect(),
            findings: &report.findings,
            files,
            seconds,
        }
    }
}

impl<'a> TableRecord<'a> {
    fn new(table: &'a ResultTable) -> TableRecord<'a> {
        let value = |cell: &Cell| match cell {
            Cell::Text(text) => Value::Text(text.clone()),
            Cell::Count(count) => Value::Count(*count),
            Cell::Number(number, _) => Value::Number(*number),
            Cell::Empty => Value::Nothing,
        };
        TableRecord {
            name: table.name,
            title: &table.title,
            columns: &table.columns,
            rows: table.rows.iter().map(|row| row.iter().map(value).collect()).collect(),
        }
    }
}
