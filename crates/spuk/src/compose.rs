//! `spuk compose`: composes new puzzles.

use crate::output::{Reader, complain, print, quoted};
use crate::progress::Line;
use crate::{Failure, exit, interrupt, limits, tablebase};
use clap::{Args, ValueEnum};
use geister::solver::{MAX_DEPTH, Revealed};
use geister::tablebase::{Class, Store, Tablebase};
use indicatif::{HumanCount, HumanDuration};
use puzzle::collection::Collection;
use puzzle::compose::{
    ComposeOutcome, ComposeStatistics, Composer, Criteria, Idle, ImpossibleRequest, Request,
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

/// How much of the opposing colours is shown.
#[derive(Clone, Copy, ValueEnum)]
enum RevealedName {
    /// Nothing.
    None,
    /// Some, but a blue and a red stay hidden.
    Partly,
    /// Everything.
    Fully,
}

#[derive(Args)]
#[command(after_help = "\
The same request and seed give the same puzzles, whatever the number of threads. With --out, what is \
there already is kept and the request goes on behind it.

Example: spuk compose --source random --material BBRRuuuu:2 --length 7..19 --unique-key --count 50

Exit codes: 0 all found, 1 there are no more (or the request is impossible), 2 an error, 3 given up or \
interrupted before all were found.")]
pub(crate) struct Arguments {
    /// Where positions come from.
    #[arg(long, value_enum, default_value = "random")]
    source: SourceName,
    /// The ghosts: a class such as BBRRuuuu:2, or ranges such as B1..3,R1,b2,r1..2 (b and r count
    /// opposing ghosts, shown or not; what is not named is 1..3).
    #[arg(long, value_name = "MATERIAL", default_value = "B1..3,R1..3,b1..3,r1..3")]
    material: Material,
    /// How much of the opposing colours is shown (none unless the material says it).
    #[arg(long, value_enum)]
    revealed: Option<RevealedName>,
    /// Plies of the shortest win, such as 7..19.
    #[arg(long, value_name = "PLIES", default_value = "5..17", value_parser = parse_length)]
    length: RangeInclusive<u32>,
    /// A theme or category that puzzles must have; may be given several times.
    #[arg(long, value_name = "THEME", value_parser = parse_theme)]
    theme: Vec<Theme>,
    /// A theme or category that puzzles must not have; may be given several times.
    #[arg(long, value_name = "THEME", value_parser = parse_theme)]
    without: Vec<Theme>,
    /// Only one first move keeps the shortest win.
    #[arg(long)]
    unique_key: bool,
    /// The least share of own moves on the main line without an equally short choice, 0 to 1.
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = parse_share)]
    purity: f64,
    /// No ghost could be taken off without changing length or key.
    #[arg(long)]
    no_idle: bool,
    /// Take such ghosts off, and prove the rest again.
    #[arg(long, conflicts_with = "no_idle")]
    minimal: bool,
    /// No attacks of the opponent that only add plies.
    #[arg(long)]
    no_futile: bool,
    /// How hard, by the default grade from -2 to 2, such as 0..1.5.
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true, value_parser = parse_grades)]
    difficulty: Option<RangeInclusive<f64>>,
    /// How enjoyable, by the default grade from -2 to 2, such as -0.5..2.
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true, value_parser = parse_grades)]
    interest: Option<RangeInclusive<f64>>,
    /// Give every puzzle its default grade.
    #[arg(long)]
    grade: bool,
    /// From tables: the longest wins first.
    #[arg(long)]
    longest_first: bool,
    /// How many puzzles.
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,
    /// The seed of all chance.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Append the puzzles to this file, one JSON record a line, and go on behind what is there.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print the puzzles as one JSON object a line.
    #[arg(long)]
    json: bool,
    /// Work with so many threads (all cores if not given).
    #[arg(long, value_name = "N", value_parser = limits::parse_threads)]
    threads: Option<NonZeroU32>,
    /// Expand at most so many nodes for a question about a position.
    #[arg(long, value_name = "NODES", default_value = "500000", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Give up after so many trials in a row without a puzzle.
    #[arg(long, value_name = "TRIALS", value_parser = clap::value_parser!(u64).range(1..))]
    patience: Option<u64>,
    /// The folder of the tablebases (or set SPUK_TABLES; otherwise the user's data folder).
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
    let stop = interrupt::listen()?;
    let request = request(arguments);
    let composer = Composer::new(request.clone(), &tables(arguments, &request)?);
    let mut composer = match composer {
        Ok(composer) => composer,
        Err(impossible) => return Ok(refuse(&impossible)),
    };
    let mut out = arguments.out.as_deref().map(|path| open(path, &mut composer)).transpose()?;
    let found_before = composer.statistics().found;
    if found_before > 0 {
        complain(&format!("{found_before} puzzles are there already"));
    }
    let line = Line::new();
    let start = Instant::now();
    let pool = limits::pool(arguments.threads)?;
    let end = pool.install(|| {
        composer.run(
            stop,
            &mut |puzzle| deliver(puzzle, arguments.json, out.as_mut()),
            &mut |statistics| {
                line.say(progress(statistics, found_before, arguments.count, start.elapsed()));
            },
        )
    });
    line.clear();
    let end = match end {
        Err(DeliveryError::Reader) => return Ok(exit::YES),
        Err(DeliveryError::Failed(failure)) => return Err(failure),
        Ok(end) => end,
    };
    if let Some(out) = &out {
        out.sync().map_err(|error| format!("cannot write the puzzles to the disk: {error}"))?;
    }
    Ok(conclude(end, composer.statistics(), found_before, arguments, start.elapsed()))
}

fn request(arguments: &Arguments) -> Request {
    let kind = match arguments.source {
        SourceName::Random => SourceKind::Random,
        SourceName::Reverse => SourceKind::Reverse,
        SourceName::Mined => SourceKind::Mined,
    };
    let usual = Request::new(kind, arguments.material.clone());
    let idle = match (arguments.no_idle, arguments.minimal) {
        (true, _) => Idle::Refused,
        (_, true) => Idle::Stripped,
        _ => Idle::Kept,
    };
    Request {
        revealed: arguments.revealed.map_or(usual.revealed, |revealed| match revealed {
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
        patience: arguments.patience.unwrap_or(usual.patience),
        ..usual
    }
}

/// The tablebases, if the source needs them.
fn tables(arguments: &Arguments, request: &Request) -> Result<Tablebase, Failure> {
    if request.source != SourceKind::Mined {
        return Ok(Tablebase::default());
    }
    let folder = tablebase::folder(arguments.tables.as_ref())
        .ok_or("there is no folder for tables; name one with --tables")?;
    let (tables, errors) = Store::new(folder).open_good();
    errors.iter().for_each(|error| complain(&format!("{error}; it is not used")));
    Ok(tables)
}

fn refuse(impossible: &ImpossibleRequest) -> u8 {
    complain(&format!("no puzzle can be so: {impossible}"));
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
    Reader,
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
        Ok(Reader::Gone) => Err(DeliveryError::Reader),
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

/// Reports how it ended and returns the exit code.
fn conclude(
    end: ComposeOutcome,
    statistics: &ComposeStatistics,
    found_before: u64,
    arguments: &Arguments,
    took: Duration,
) -> u8 {
    let (found, new, seconds) =
        (statistics.found, statistics.found - found_before, took.as_secs_f64());
    let seed = arguments.seed;
    let mut text = format!("{new} puzzles in {seconds:.1} s with seed {seed}; {statistics}");
    let code = match end {
        ComposeOutcome::Done => exit::YES,
        ComposeOutcome::Exhausted => {
            text += &format!("; there are no more than {found}: widen the request");
            exit::NO
        }
        ComposeOutcome::OutOfPatience => {
            text +=
                &format!("; given up at {found}: widen the request, or give it more --patience");
            exit::UNKNOWN
        }
        ComposeOutcome::Interrupted if arguments.out.is_some() => {
            text += "; interrupted, the same command goes on from here";
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
