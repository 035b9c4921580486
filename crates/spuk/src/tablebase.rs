//! `spuk tablebase`: builds, verifies, probes and summarises endgame tablebases.

use crate::output::{Reader, complain, print, quoted, write_file};
use crate::progress::Line;
use crate::report::{VERSION, json_line};
use crate::stream::{StreamEnd, answer_in_order};
use crate::{Failure, exit, interrupt, limits};
use clap::{Args, Subcommand};
use common::file_lock;
use games::geister::Position;
use geister::tablebase::{
    BuildPhase, Built, Class, ClassTable, Progress, Statistics, Store, Tablebase, build,
    check_memory, estimate, file, missing_classes, verify_checksums, verify_consistency,
};
use indicatif::{HumanBytes, HumanCount, HumanDuration};
use puzzle::export::diagram::svg;
use serde::Serialize;
use std::fs::File;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build tablebases, and the smaller ones they depend on.
    Build(BuildArguments),
    /// Verify the checksums of tablebases and, on request, their entries.
    Verify(VerifyArguments),
    /// Look up a position and each of its moves.
    Probe(ProbeArguments),
    /// Count the won positions by distance, and show a longest win.
    Stats(StatsArguments),
}

/// The flags of commands that use tablebases if they are installed.
#[derive(Args, Clone, Default)]
pub(crate) struct UsedTables {
    /// Folder of the tablebases [default: SPUK_TABLES, or `tables` in the user's data folder].
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Use no tablebases.
    #[arg(long, conflicts_with = "tables")]
    no_tables: bool,
}

impl UsedTables {
    /// The flags, and whether they were given.
    pub(crate) fn flags(&self) -> [(&'static str, bool); 2] {
        [("--tables", self.tables.is_some()), ("--no-tables", self.no_tables)]
    }

    /// Opens the tablebases that exist; damaged ones are skipped.
    pub(crate) fn open(&self) -> Result<Tablebase, Failure> {
        if self.no_tables { Ok(Tablebase::default()) } else { open(self.tables.as_ref()) }
    }
}

/// Opens the tablebases in the folder of the flag, of the environment, or of the user; damaged ones are
/// skipped.
pub(crate) fn open(flag: Option<&PathBuf>) -> Result<Tablebase, Failure> {
    let Some(folder) = folder_to_read(flag)? else { return Ok(Tablebase::default()) };
    let (tables, errors) = Store::new(folder).open_good();
    errors.iter().for_each(|error| complain(&format!("{error}; it is not used")));
    Ok(tables)
}

/// The flags of every subcommand.
#[derive(Args, Clone)]
pub(crate) struct Common {
    /// Folder of the tablebases [default: SPUK_TABLES, or `tables` in the user's data folder].
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Print one JSON object per line.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
struct BuildArguments {
    /// Build all classes of up to this many ghosts (4 to 7).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(4..=7), required_unless_present = "class")]
    pieces: Option<u32>,
    /// Build this class, such as BRuu:1.
    #[arg(long, value_name = "CLASS", conflicts_with = "pieces")]
    class: Option<Class>,
    /// Maximum memory, such as 4G.
    #[arg(long, value_name = "BYTES", default_value = "8G", value_parser = limits::parse_memory)]
    memory: usize,
    /// Number of threads (1 to 256) [default: all cores].
    #[arg(long, value_name = "N", value_parser = limits::parse_threads)]
    threads: Option<NonZeroU32>,
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
struct VerifyArguments {
    /// The classes to verify [default: all that exist].
    #[arg(value_name = "CLASS")]
    classes: Vec<Class>,
    /// Also recompute entries from their successors: this many of each tablebase, evenly spread, or
    /// all of them.
    #[arg(long, value_name = "SAMPLES", value_parser = parse_samples, num_args = 0..=1, default_missing_value = "all")]
    consistency: Option<NonZeroU64>,
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
struct ProbeArguments {
    /// The position, as one or two arguments; or `-` to read one position per line from standard input.
    #[arg(required = true, num_args = 1..=2, value_name = "POSITION")]
    position: Vec<String>,
    /// Draw the position as SVG into this file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
struct StatsArguments {
    /// The classes [default: all that exist].
    #[arg(value_name = "CLASS")]
    classes: Vec<Class>,
    #[command(flatten)]
    common: Common,
}

fn parse_samples(text: &str) -> Result<NonZeroU64, String> {
    match text {
        "all" => Ok(NonZeroU64::MAX),
        _ => text.parse().map_err(|_| "write a number from 1, or `all`".into()),
    }
}

/// A folder from an environment variable.
fn from_environment(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The data folder of the user.
pub(crate) fn user_data() -> Option<PathBuf> {
    let from = from_environment;
    if cfg!(windows) {
        from("LOCALAPPDATA").map(|data| data.join("spuk"))
    } else if cfg!(target_os = "macos") {
        from("HOME").map(|home| home.join("Library/Application Support/spuk"))
    } else {
        from("XDG_DATA_HOME")
            .or_else(|| from("HOME").map(|home| home.join(".local/share")))
            .map(|data| data.join("spuk"))
    }
}

/// The folder of the tablebases that the flag or the environment names.
fn named_folder(flag: Option<&PathBuf>) -> Option<PathBuf> {
    flag.cloned().or_else(|| from_environment("SPUK_TABLES"))
}

/// The folder of the tablebases if nothing names another.
fn default_folder() -> Option<PathBuf> {
    user_data().map(|data| data.join("tables"))
}

/// The folder to read tablebases from. One that is named has to exist; the default may be missing.
fn folder_to_read(flag: Option<&PathBuf>) -> Result<Option<PathBuf>, Failure> {
    match named_folder(flag) {
        None => Ok(default_folder()),
        Some(folder) if folder.is_dir() => Ok(Some(folder)),
        Some(folder) => {
            let source = if flag.is_some() { "--tables" } else { "SPUK_TABLES" };
            Err(format!(
                "{source} names the folder {}, which does not exist; name another, or build tables in it \
                 with `spuk tablebase build --pieces 4`",
                quoted(&folder.to_string_lossy())
            ))
        }
    }
}

impl Common {
    /// The store to read from.
    pub(crate) fn store(&self) -> Result<Store, Failure> {
        store_in(folder_to_read(self.tables.as_ref())?)
    }

    /// The store to build in, whose folder need not exist.
    fn store_to_build(&self) -> Result<Store, Failure> {
        store_in(named_folder(self.tables.as_ref()).or_else(default_folder))
    }

    /// The requested classes, or all that exist.
    pub(crate) fn classes(&self, requested: &[Class]) -> Result<Vec<Class>, Failure> {
        let store = self.store()?;
        let classes = if requested.is_empty() { store.classes() } else { requested.to_vec() };
        if classes.is_empty() {
            let folder = quoted(&store.folder().to_string_lossy());
            return Err(format!(
                "there are no tablebases in {folder}; build some with `spuk tablebase build --pieces 4`"
            ));
        }
        Ok(classes)
    }
}

fn store_in(folder: Option<PathBuf>) -> Result<Store, Failure> {
    let folder =
        folder.ok_or("there is no home folder; name the folder of the tablebases with --tables")?;
    Ok(Store::new(folder))
}

/// Runs the command and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let stop = interrupt::listen();
    match &arguments.command {
        Command::Build(arguments) => run_build(arguments, stop),
        Command::Verify(arguments) => run_verify(arguments, stop),
        Command::Probe(arguments) => run_probe(arguments, stop),
        Command::Stats(arguments) => run_stats(arguments, stop),
    }
}

#[derive(Serialize)]
struct BuiltRecord {
    v: u32,
    class: String,
    positions: u64,
    bytes: u64,
    seconds: f64,
}

/// Shows the progress of a build and its estimated time.
struct BuildProgress<'a> {
    line: &'a Line,
    start: Instant,
    done: u64,
    all: u64,
    classes: String,
}

impl Progress for BuildProgress<'_> {
    fn report(&mut self, class: Class, phase: BuildPhase) {
        let doing = match phase {
            BuildPhase::Reading => "reading smaller tables".into(),
            BuildPhase::Analysed(moves) => format!("{moves} own moves analysed"),
            BuildPhase::Writing => "writing".into(),
        };
        let share = self.done as f64 / self.all.max(1) as f64;
        let left = if share > 0.0 {
            let left = self.start.elapsed().mul_f64((1.0 - share) / share);
            format!(", {} left", HumanDuration(left))
        } else {
            String::new()
        };
        self.line.say(format!(
            "{}: {class}, {doing}; {:.0} % done{left}",
            self.classes,
            100.0 * share
        ));
    }
}

/// Locks a folder of tablebases for one build, until it is closed: another build removes files that
/// are not complete. Where folders cannot be opened they are not locked.
fn lock_folder(folder: &Path) -> Result<Option<File>, Failure> {
    let Ok(file) = File::open(folder) else { return Ok(None) };
    match file_lock::lock(&file) {
        Ok(()) => Ok(Some(file)),
        Err(error) => {
            let folder = quoted(&folder.to_string_lossy());
            Err(format!("cannot build in {folder}: {error}"))
        }
    }
}

fn run_build(arguments: &BuildArguments, stop: &AtomicBool) -> Result<u8, Failure> {
    let store = arguments.common.store_to_build()?;
    let roots = match (arguments.class, arguments.pieces) {
        (Some(class), _) => vec![class],
        (None, pieces) => (4..=pieces.unwrap_or(4)).flat_map(Class::all_with).collect(),
    };
    let max_memory = arguments.memory as u64;
    // Before any work: what is missing is known to be built. Damaged tables come to light below.
    let mut missing = Class::closure(&roots);
    missing.retain(|&class| !store.has(class));
    check_memory(&missing, max_memory).map_err(|error| error.to_string())?;
    std::fs::create_dir_all(store.folder()).map_err(|error| {
        let folder = quoted(&store.folder().to_string_lossy());
        format!("cannot make the folder {folder}: {error}; name another with --tables")
    })?;
    let _lock = lock_folder(store.folder())?;
    let line = Line::new();
    let on_check = |class| line.say(format!("checking {class}"));
    let todo = missing_classes(&store, &roots, stop, on_check);
    check_memory(&todo, max_memory).map_err(|error| error.to_string())?;
    if !todo.is_empty() {
        // Removes leftovers of an aborted build; failing to remove them does no harm.
        let _ = file::remove_leftovers(store.folder());
    }
    let estimates: Vec<_> = todo.iter().map(|&class| estimate(class)).collect();
    let all: u64 = estimates.iter().map(|estimate| estimate.positions).sum();
    // It fits into `max_memory`, and so into 64 bits.
    let needed = estimates.iter().map(|estimate| estimate.memory as u64).max().unwrap_or(0);
    if !arguments.common.json {
        print(&format!(
            "{} tables to build, {} positions, up to {} of memory\n",
            todo.len(),
            HumanCount(all),
            HumanBytes(needed)
        ))?;
    }
    let pool = limits::pool(arguments.threads)?;
    let mut progress =
        BuildProgress { line: &line, start: Instant::now(), done: 0, all, classes: String::new() };
    for (number, (&class, estimate)) in todo.iter().zip(&estimates).enumerate() {
        progress.classes = format!("{} of {}", number + 1, todo.len());
        let start = Instant::now();
        let built = pool
            .install(|| build(&store, class, max_memory, stop, &mut progress))
            .map_err(|error| error.to_string())?;
        progress.done += estimate.positions;
        let Built { bytes, .. } = built;
        let seconds = start.elapsed().as_secs_f64();
        let (class, positions) = (class.to_string(), estimate.positions);
        let text = if arguments.common.json {
            json_line(&BuiltRecord { v: VERSION, class, positions, bytes, seconds })
        } else {
            let rate = positions as f64 / seconds.max(1e-9) / 1e6;
            format!(
                "{class}: {positions} positions in {seconds:.2} s ({rate:.1} M/s), {bytes} bytes\n"
            )
        };
        if print(&text)? == Reader::Gone {
            break;
        }
    }
    Ok(exit::YES)
}

#[derive(Serialize)]
struct VerifiedRecord {
    v: u32,
    class: String,
    ok: bool,
    entries_recomputed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

fn run_verify(arguments: &VerifyArguments, stop: &AtomicBool) -> Result<u8, Failure> {
    let store = arguments.common.store()?;
    let tables = match arguments.consistency {
        Some(_) => store.open_good().0,
        None => Tablebase::default(),
    };
    let line = Line::new();
    let mut code = exit::YES;
    for class in arguments.common.classes(&arguments.classes)? {
        line.say(format!("verifying {class}"));
        let result = verify(&store, &tables, class, arguments.consistency, stop);
        if stop.load(Relaxed) {
            line.clear();
            complain(&format!("interrupted while {class} was verified"));
            return Ok(exit::UNKNOWN);
        }
        if result.is_err() {
            code = exit::NO;
        }
        let recomputed = *result.as_ref().unwrap_or(&0);
        let text = match (&result, arguments.common.json) {
            (_, true) => json_line(&VerifiedRecord {
                v: VERSION,
                class: class.to_string(),
                ok: result.is_ok(),
                entries_recomputed: recomputed,
                error: result.err(),
            }),
            (Ok(0), false) => format!("{class}: good\n"),
            (Ok(n), false) => format!("{class}: good, {n} entries recomputed\n"),
            (Err(error), false) => format!("{class}: {error}\n"),
        };
        if print(&text)? == Reader::Gone {
            break;
        }
    }
    Ok(code)
}

/// Checks one table and returns how many entries were recomputed.
fn verify(
    store: &Store,
    tables: &Tablebase,
    class: Class,
    samples: Option<NonZeroU64>,
    stop: &AtomicBool,
) -> Result<u64, Failure> {
    let checked = verify_checksums(store, class).and_then(|()| match samples {
        Some(samples) => verify_consistency(store, tables, class, samples, stop),
        None => Ok(0),
    });
    checked.map_err(|error| error.to_string())
}

#[derive(Serialize)]
struct ProbeRecord {
    v: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    line_number: Option<usize>,
    position: String,
    class: String,
    result: &'static str,
    m_win: Option<u32>,
    moves: Vec<MoveRecord>,
}

#[derive(Serialize)]
struct MoveRecord {
    #[serde(rename = "move")]
    mv: String,
    result: &'static str,
    m_win: Option<u32>,
}

fn result_name(m_win: Option<u32>) -> &'static str {
    if m_win.is_some() { "win" } else { "no-win" }
}

/// Parses and probes a position; returns it with its record.
fn probe(
    tables: &Tablebase,
    text: &str,
    line_number: Option<usize>,
) -> Result<(Position, ProbeRecord), Failure> {
    let position: Position = text.parse().map_err(|error| {
        format!("position {}: {error}; see `spuk solve --help` for the form", quoted(text))
    })?;
    let fail =
        |error: geister::tablebase::ProbeError| format!("position {}: {error}", quoted(text));
    let m_win = tables.probe(&position).map_err(fail)?;
    let moves = tables.probe_moves(&position).map_err(fail)?;
    let record = ProbeRecord {
        v: VERSION,
        line_number,
        position: position.to_string(),
        class: Class::of(&position).map_or_else(String::new, |class| class.to_string()),
        result: result_name(m_win),
        m_win,
        moves: moves
            .into_iter()
            .map(|(mv, m_win)| MoveRecord { mv: mv.to_string(), result: result_name(m_win), m_win })
            .collect(),
    };
    Ok((position, record))
}

fn phrase(m_win: Option<u32>) -> String {
    match m_win {
        Some(plies) => format!("win in {plies} plies"),
        None => "no win".into(),
    }
}

fn draw(file: &Path, position: &Position, m_win: Option<u32>) -> Result<(), Failure> {
    let caption = Some(format!("{position}: {}", phrase(m_win)));
    write_file(file, &svg::draw(position, &svg::Options { caption, ..svg::Options::default() }))
}

fn probe_text(record: &ProbeRecord) -> String {
    let mut text = format!("{}: {}\n", record.position, phrase(record.m_win));
    for mv in &record.moves {
        text += &format!("  {}: {}\n", mv.mv, phrase(mv.m_win));
    }
    text
}

fn run_probe(arguments: &ProbeArguments, stop: &'static AtomicBool) -> Result<u8, Failure> {
    let (tables, errors) = arguments.common.store()?.open_good();
    errors.iter().for_each(|error| complain(&error.to_string()));
    let json = arguments.common.json;
    let text = arguments.position.join(" ");
    let show =
        move |record: &ProbeRecord| if json { json_line(record) } else { probe_text(record) };
    if text != "-" {
        let (position, record) = probe(&tables, &text, None)?;
        if let Some(file) = &arguments.svg {
            draw(file, &position, record.m_win)?;
        }
        print(&show(&record))?;
        return Ok(if record.m_win.is_some() { exit::YES } else { exit::NO });
    }
    if arguments.svg.is_some() {
        return Err("--svg draws one position; omit it or give the position as an argument".into());
    }
    let mut bad = 0;
    let end = answer_in_order(
        1,
        || (),
        move |(), line| (line.number, probe(&tables, &line.text, Some(line.number))),
        stop,
        |(number, result)| match result {
            Ok((_, record)) => print(&show(&record)),
            Err(failure) => {
                bad += 1;
                complain(&format!("line {number}: {failure}"));
                print(&if json {
                    crate::report::json_error(&failure, Some(number))
                } else {
                    format!("error: {failure}\n")
                })
            }
        },
    )?;
    Ok(match (end, bad) {
        (StreamEnd::Interrupted, _) => exit::UNKNOWN,
        (StreamEnd::Done, 0) => exit::YES,
        (StreamEnd::Done, _) => exit::ERROR,
    })
}

#[derive(Serialize)]
struct StatsRecord {
    v: u32,
    class: String,
    positions: u64,
    wins: u64,
    by_distance: Vec<Distance>,
    longest: u32,
    example: Option<String>,
    bytes: u64,
}

#[derive(Serialize)]
struct Distance {
    m_win: u32,
    positions: u64,
}

fn stats(table: &ClassTable) -> Result<StatsRecord, Failure> {
    let statistics = Statistics::of(table).map_err(|error| error.to_string())?;
    let distance = |&(m_win, positions): &(u32, u64)| Distance { m_win, positions };
    Ok(StatsRecord {
        v: VERSION,
        class: table.class().to_string(),
        positions: statistics.positions,
        wins: statistics.wins,
        by_distance: statistics.by_distance.iter().map(distance).collect(),
        longest: statistics.longest_plies(),
        example: statistics.longest.map(|position| position.to_string()),
        bytes: table.file().bytes(),
    })
}

fn stats_text(record: &StatsRecord) -> String {
    let share = 100.0 * record.wins as f64 / record.positions.max(1) as f64;
    let example = record.example.as_deref().unwrap_or("none");
    let mut text = format!(
        "{}: {} of {} positions won ({share:.2} %), longest {} plies ({example}), {} bytes\n",
        record.class, record.wins, record.positions, record.longest, record.bytes
    );
    for Distance { m_win, positions } in &record.by_distance {
        text += &format!("  {m_win:3} plies {positions:12}\n");
    }
    text
}

fn run_stats(arguments: &StatsArguments, stop: &AtomicBool) -> Result<u8, Failure> {
    let store = arguments.common.store()?;
    for class in arguments.common.classes(&arguments.classes)? {
        if stop.load(Relaxed) {
            complain("interrupted; the remaining tables are not counted");
            return Ok(exit::UNKNOWN);
        }
        let table = store.open(class).map_err(|error| error.to_string())?;
        let record = stats(&table)?;
        let text = if arguments.common.json { json_line(&record) } else { stats_text(&record) };
        if print(&text)? == Reader::Gone {
            break;
        }
    }
    Ok(exit::YES)
}
