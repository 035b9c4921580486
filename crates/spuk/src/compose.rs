//! `spuk compose`: composes new puzzles.

use crate::output::{Reader, complain, print, quoted};
use crate::progress::Line;
use crate::{Failure, exit, interrupt, limits, tablebase};
use clap::{Args, ValueEnum};
use geister::solver::{MAX_DEPTH, Revealed};
use geister::tablebase::{Class, Tablebase};
use indicatif::{HumanCount, HumanDuration};
use puzzle::collection::Collection;
use puzzle::compose::{
    ComposeOutcome, ComposeStatistics, Composer, ComposerError, Criteria, Idle, ImpossibleRequest,
    Request,
};
use puzzle::grade::Grade;
use puzzle::material::{Material, parse_range};
use puzzle::record::{Puzzle, SourceKind};
use puzzle::theme::Theme;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Where positions come from.
#[derive(Clone, Copy, ValueEnum)]
enum SourceName {
    /// Ghosts placed at random.
    Random,
    /// Moves taken back from shorter puzzles.
    Reverse,
    /// Tablebases, every win equally likely.
    Mined,
}

/// How many of the opponent's colours are revealed.
#[derive(Clone, Copy, ValueEnum)]
enum RevealedName {
    /// No colour.
    None,
    /// Some colours; at least a blue and a red stay hidden.
    Partly,
    /// Every colour.
    Fully,
}

#[derive(Args)]
#[command(after_help = "\
The same request and seed give the same puzzles on any number of threads. With --out, puzzles that are \
already in the file are kept, and composing continues after them.

Example: spuk compose --source random --material BBRRuuuu:2 --length 7..19 --unique-key --count 50

Exit codes: 0 all puzzles were found, 1 there are no more (or the request is impossible), 2 an error, 3 gave \
up (--patience) or was interrupted before all were found.")]
pub(crate) struct Arguments {
    /// Where positions come from.
    #[arg(long, value_enum, default_value = "random")]
    source: SourceName,
    /// The ghosts: a class such as BBRRuuuu:2, or ranges such as B1..3,R1,b2,r1..2 (B and R count your
    /// ghosts, b and r the opponent's, revealed or not; a letter that is missing means 1..3).
    #[arg(long, value_name = "MATERIAL", default_value = "B1..3,R1..3,b1..3,r1..3")]
    material: Material,
    /// How many of the opponent's colours are revealed [default: none, or as the class says].
    #[arg(long, value_enum)]
    revealed: Option<RevealedName>,
    /// Length of the shortest win in plies, such as 9 or 7..19.
    #[arg(long, value_name = "PLIES", default_value = "5..17", value_parser = parse_length)]
    length: RangeInclusive<u32>,
    /// A theme or category that puzzles must have (repeatable).
    #[arg(long, value_name = "THEME", value_parser = parse_theme)]
    theme: Vec<Theme>,
    /// A theme or category that puzzles must not have (repeatable).
    #[arg(long, value_name = "THEME", value_parser = parse_theme)]
    without: Vec<Theme>,
    /// Only one first move keeps the shortest win.
    #[arg(long)]
    unique_key: bool,
    /// Minimum share of your main-line moves that are the only shortest win, 0 to 1.
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = parse_share)]
    purity: f64,
    /// Only puzzles in which every ghost matters: removing it changes the length or the key.
    #[arg(long)]
    no_idle: bool,
    /// Remove ghosts that do not matter, and prove the puzzle again.
    #[arg(long, conflicts_with = "no_idle")]
    minimal: bool,
    /// Only puzzles in which no attack of the opponent merely delays the win.
    #[arg(long)]
    no_futile: bool,
    /// Range of the difficulty by the default grade, within -2..2, such as 0..1.5.
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true, value_parser = parse_grades)]
    difficulty: Option<RangeInclusive<f64>>,
    /// Range of the interest by the default grade, within -2..2, such as -0.5..2.
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true, value_parser = parse_grades)]
    interest: Option<RangeInclusive<f64>>,
    /// Add the default grade to every puzzle.
    #[arg(long)]
    grade: bool,
    /// With --source mined: the longest wins first.
    #[arg(long)]
    longest_first: bool,
    /// Number of puzzles.
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,
    /// Seed of the random numbers.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Append the puzzles to this file, one JSON record per line, and continue after those in it.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON object per line.
    #[arg(long)]
    json: bool,
    /// Number of threads (1 to 256) [default: all cores].
    #[arg(long, value_name = "N", value_parser = limits::parse_threads)]
    threads: Option<NonZeroU32>,
    /// Maximum number of nodes to expand for each proof.
    #[arg(long, value_name = "NODES", default_value = "500000", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Give up after this many trials in a row without a puzzle.
    #[arg(long, value_name = "TRIALS", value_parser = clap::value_parser!(u64).range(1..))]
    patience: Option<u64>,
    /// Folder of the tablebases [default: SPUK_TABLES, or `tables` in the user's data folder].
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
}

fn parse_length(text: &str) -> Result<RangeInclusive<u32>, String> {
    parse_range(text)
        .filter(|range| *range.start() > 0 && *range.end() <= MAX_DEPTH)
        .ok_or_else(|| format!("write plies from 1 to {MAX_DEPTH}, such as 9 or 7..19"))
}

fn parse_theme(text: &str) -> Result<Theme, String> {
    text.parse().map_err(|error: puzzle::theme::UnknownTheme| error.to_string())
}

fn parse_grades(text: &str) -> Result<RangeInclusive<f64>, String> {
    let number = |text: &str| text.parse::<f64>().ok().filter(|n| (-2.0..=2.0).contains(n));
    let range = text.split_once("..").and_then(|(a, b)| Some(number(a)?..=number(b)?));
    range
        .filter(|range| !range.is_empty())
        .ok_or_else(|| "write two numbers from -2 to 2, such as -0.5..1.5".into())
}

fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "write a share from 0 to 1, such as 0.8".into())
}

/// Composes the requested puzzles and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    refuse_ignored_flags(arguments)?;
    let stop = interrupt::listen();
    let request = request(arguments);
    let composer = Composer::new(request.clone(), &tables(arguments, &request)?);
    let mut composer = match composer {
        Ok(composer) => composer,
        Err(ComposerError::Impossible(impossible)) => return Ok(refuse(&impossible)),
        Err(ComposerError::Tablebase(reason)) => return Err(reason),
    };
    let mut out = arguments.out.as_deref().map(|path| open(path, &mut composer)).transpose()?;
    let found_before = composer.statistics().found;
    if found_before > 0 {
        complain(&format!("the file has {found_before} puzzles; composing continues after them"));
    }
    let line = Line::new();
    let start = Instant::now();
    let pool = limits::pool(arguments.threads)?;
    let outcome = pool.install(|| {
        composer.run(
            stop,
            &mut |puzzle| deliver(puzzle, arguments.json, out.as_mut()),
            &mut |statistics| {
                line.say(progress(statistics, found_before, arguments.count, start.elapsed()));
            },
        )
    });
    line.clear();
    let outcome = match outcome {
        Err(DeliveryError::ReaderGone) => return Ok(exit::YES),
        Err(DeliveryError::Failed(failure)) => return Err(failure),
        Ok(outcome) => outcome,
    };
    if let Some(out) = &out {
        out.sync().map_err(|error| format!("cannot write the puzzles to the disk: {error}"))?;
    }
    let missing = composer.missing_tablebase();
    Ok(conclude(outcome, composer.statistics(), missing, found_before, arguments, start.elapsed()))
}

/// Refuses flags that the source does not use.
fn refuse_ignored_flags(arguments: &Arguments) -> Result<(), Failure> {
    let flags =
        [("--longest-first", arguments.longest_first), ("--tables", arguments.tables.is_some())];
    match (arguments.source, flags.into_iter().find(|&(_, given)| given)) {
        (SourceName::Random | SourceName::Reverse, Some((flag, _))) => {
            Err(format!("{flag} is for --source mined only; omit it, or add --source mined"))
        }
        _ => Ok(()),
    }
}

fn request(arguments: &Arguments) -> Request {
    let kind = match arguments.source {
        SourceName::Random => SourceKind::Random,
        SourceName::Reverse => SourceKind::Reverse,
        SourceName::Mined => SourceKind::Mined,
    };
    let defaults = Request::new(kind, arguments.material.clone());
    let idle = match (arguments.no_idle, arguments.minimal) {
        (true, _) => Idle::Refused,
        (_, true) => Idle::Stripped,
        _ => Idle::Kept,
    };
    Request {
        revealed: arguments.revealed.map_or(defaults.revealed, |revealed| match revealed {
            RevealedName::None => Revealed::None,
            RevealedName::Partly => Revealed::Partly,
            RevealedName::Fully => Revealed::Fully,
        }),
        criteria: Criteria {
            length: arguments.length.clone(),
            themes: arguments.theme.iter().copied().collect(),
            without: arguments.without.iter().copied().collect(),
            unique_key: arguments.unique_key,
            purity: arguments.purity,
            idle,
            no_futile: arguments.no_futile,
            difficulty: arguments.difficulty.clone(),
            interest: arguments.interest.clone(),
        },
        graded: arguments.grade,
        longest_first: arguments.longest_first,
        nodes: arguments.nodes,
        seed: arguments.seed,
        count: arguments.count,
        patience: arguments.patience.unwrap_or(defaults.patience),
        ..defaults
    }
}

/// The tablebases, if the source needs them.
fn tables(arguments: &Arguments, request: &Request) -> Result<Tablebase, Failure> {
    match request.source {
        SourceKind::Mined => tablebase::open(arguments.tables.as_ref()),
        _ => Ok(Tablebase::default()),
    }
}

fn refuse(impossible: &ImpossibleRequest) -> u8 {
    complain(&format!("no puzzle can satisfy this request: {impossible}"));
    exit::NO
}

/// Opens the file to append to; the composer resumes after the puzzles in it.
fn open(path: &Path, composer: &mut Composer) -> Result<Collection, Failure> {
    let mut each = |puzzle: &Puzzle| {
        composer.resume_after(puzzle).map_err(|origin| {
            format!(
                "another request made this puzzle (`{} --seed {}`); choose another --out",
                origin.request, origin.seed
            )
        })
    };
    Collection::open(path, &mut each)
        .map_err(|error| format!("cannot append to {}: {error}", quoted(&path.to_string_lossy())))
}

/// Why a puzzle could not be delivered.
enum DeliveryError {
    /// Standard output is closed.
    ReaderGone,
    Failed(Failure),
}

/// Writes a puzzle to the file and to standard output.
fn deliver(puzzle: &Puzzle, json: bool, out: Option<&mut Collection>) -> Result<(), DeliveryError> {
    if let Some(out) = out {
        let written = out.append(puzzle);
        return written
            .map_err(|error| DeliveryError::Failed(format!("cannot write a puzzle: {error}")));
    }
    let text = if json { puzzle.to_json() + "\n" } else { describe(puzzle) };
    match print(&text) {
        Ok(Reader::Listening) => Ok(()),
        Ok(Reader::Gone) => Err(DeliveryError::ReaderGone),
        Err(failure) => Err(DeliveryError::Failed(failure)),
    }
}

/// A one-line description.
fn describe(puzzle: &Puzzle) -> String {
    let class = Class::of(&puzzle.position).map(|class| class.to_string()).unwrap_or_default();
    let themes: Vec<&str> = puzzle.themes.iter().map(|theme| theme.name()).collect();
    let keys: Vec<String> = puzzle.keys().map(|mv| mv.to_string()).collect();
    let grade = puzzle.grade.as_ref().map(|graded| {
        let Grade { difficulty, interest, .. } = graded.grade;
        format!("  difficulty {difficulty:+.2} interest {interest:+.2} (calibrated)")
    });
    format!(
        "{}  win in {:>2}  {class}  {}  key {}{}  {}\n",
        puzzle.id(),
        puzzle.m_win,
        puzzle.position,
        keys.join(" "),
        grade.unwrap_or_default(),
        themes.join(" ")
    )
    .replace("  \n", "\n")
}

fn progress(
    statistics: &ComposeStatistics,
    found_before: u64,
    count: u64,
    elapsed: Duration,
) -> String {
    let (new, seconds) = (statistics.found - found_before, elapsed.as_secs_f64().max(0.001));
    let rate = statistics.trials as f64 / seconds;
    let left = match new {
        0 => "none yet".into(),
        _ => {
            let left = count.saturating_sub(statistics.found) as f64 * seconds / new as f64;
            format!("about {} left", HumanDuration(Duration::from_secs_f64(left.min(1e9))))
        }
    };
    let (found, trials) = (HumanCount(statistics.found), HumanCount(statistics.trials));
    format!("{found} of {count} puzzles, {trials} trials, {rate:.0} a second, {left}")
}

/// Reports the outcome and returns the exit code.
fn conclude(
    outcome: ComposeOutcome,
    statistics: &ComposeStatistics,
    missing: Option<Class>,
    found_before: u64,
    arguments: &Arguments,
    took: Duration,
) -> u8 {
    let (found, new, seconds) =
        (statistics.found, statistics.found - found_before, took.as_secs_f64());
    let seed = arguments.seed;
    let mut text = format!("{new} puzzles in {seconds:.1} s with seed {seed}; {statistics}");
    let code = match outcome {
        ComposeOutcome::Done => exit::YES,
        ComposeOutcome::Exhausted => {
            text += &format!("; there are only {found}: widen the request");
            exit::NO
        }
        ComposeOutcome::Undecided => {
            text += &format!("; found {found}, and there may be more: ");
            text += &match (missing, statistics.unknown) {
                (Some(class), _) => format!(
                    "there is no tablebase for {class}; build it with `spuk tablebase build --class {class}`"
                ),
                (None, 0) => {
                    "an earlier run may have met its node limit; start again with another --out"
                        .to_owned()
                }
                (None, unknown) => {
                    format!(
                        "{unknown} positions were not decided within the node limit; raise --nodes"
                    )
                }
            };
            exit::UNKNOWN
        }
        ComposeOutcome::OutOfPatience => {
            text += &format!("; gave up after {found}: widen the request, or raise --patience");
            exit::UNKNOWN
        }
        ComposeOutcome::Interrupted if arguments.out.is_some() => {
            text += "; interrupted; run the same command again to continue";
            exit::UNKNOWN
        }
        ComposeOutcome::Interrupted => {
            text += "; interrupted";
            exit::UNKNOWN
        }
    };
    complain(&text);
    code
}
