//! `spuk export`: puzzles as JSON Lines, CSV, SVG diagrams and booklets.

use crate::limits::LimitArguments;
use crate::output::{Reader, complain, print, quoted, write_file};
use crate::progress::Line as ProgressLine;
use crate::puzzle_lines::{PuzzleLines, read};
use crate::report::{VERSION, json_line};
use crate::solve::{DEFAULT_DEPTH_PLIES, DEFAULT_TIME};
use crate::{Failure, exit, interrupt};
use clap::{Args, ValueEnum};
use common::Language;
use puzzle::Puzzle;
use puzzle::compose::Verifier;
use puzzle::export::diagram::svg;
use puzzle::export::{booklet, csv};
use search::Limits;
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;

#[derive(Args)]
#[command(after_help = "\
Each line is the record of a puzzle or a position, ROWS BLUE, with rows joined by `/` or the 36 characters \
of earlier collections; empty lines are skipped. A bare position is solved first, within --depth and \
--time (by default 25 plies and 5 seconds), and has to be won.

An invalid line is reported with its number, the others are exported, and the exit code is 2.

Example: spuk export puzzles.jsonl --out puzzles.html --language ja")]
pub(crate) struct Arguments {
    /// The file with one puzzle per line; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    input: PathBuf,
    /// The output format [default: by the extension of --out (.jsonl, .csv, .html, or a folder for
    /// svg), or jsonl].
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// The file to write, or with svg the folder for one diagram per puzzle [default: standard output].
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Language of booklets and diagrams: en or ja [default: en].
    #[arg(long, value_name = "CODE")]
    language: Option<Language>,
    /// Title of a booklet.
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Maximum number of puzzles.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Print a summary as one JSON object.
    #[arg(long, requires = "out")]
    json: bool,
    #[command(flatten)]
    limits: LimitArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One record per line.
    Jsonl,
    /// A header and one row per puzzle.
    Csv,
    /// One SVG file per puzzle, a diagram of its position, written to the folder --out as ID.svg.
    Svg,
    /// One HTML file to print, with the solutions at the end.
    Booklet,
}

/// The JSON record of an export. README documents the fields.
#[derive(Serialize)]
struct Summary {
    v: u32,
    puzzles: u64,
    errors: u64,
    out: String,
}

/// Exports the puzzles and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let mut export = Export::begin(arguments)?;
    let mut input = PuzzleLines::open(&arguments.input)?;
    let stop = interrupt::listen();
    let LimitArguments { depth, nodes, time, memory, threads } = arguments.limits;
    let limits = Limits { depth: 0, nodes, time: Some(time.unwrap_or(DEFAULT_TIME)), memory };
    let mut verifier = Verifier::new(limits, stop).with_threads(threads);
    let progress = ProgressLine::new();
    let (mut puzzles, mut errors) = (0, 0);
    while arguments.limit.is_none_or(|limit| puzzles < limit) {
        if stop.load(Relaxed) {
            return Err("interrupted; nothing was written".into());
        }
        let Some((number, line)) = input.next()? else { break };
        match read(&line, &mut verifier, depth.unwrap_or(DEFAULT_DEPTH_PLIES)) {
            Ok(puzzle) => {
                puzzles += 1;
                if export.add(puzzle)? == Reader::Gone {
                    return Ok(exit::YES);
                }
            }
            Err(failure) => {
                errors += 1;
                complain(&format!("line {number}: {failure}"));
            }
        }
        progress.say(format!("{puzzles} puzzles, {errors} invalid lines"));
    }
    progress.clear();
    export.end()?;
    if let Some(out) = &arguments.out {
        let out = out.to_string_lossy().into_owned();
        let summary = Summary { v: VERSION, puzzles, errors, out };
        print(&if arguments.json { json_line(&summary) } else { summary.in_words() })?;
    }
    Ok(if errors == 0 { exit::YES } else { exit::ERROR })
}

impl Summary {
    fn in_words(&self) -> String {
        let s = if self.puzzles == 1 { "" } else { "s" };
        format!("{} puzzle{s} written to {}.\n", self.puzzles, quoted(&self.out))
    }
}

/// An export in progress. Rows are printed as they come; a file is written at the end.
struct Export<'a> {
    format: Format,
    out: Option<&'a Path>,
    language: Language,
    title: Option<&'a str>,
    /// The contents of the file.
    text: String,
    /// The puzzles of the booklet.
    puzzles: Vec<Puzzle>,
}

impl<'a> Export<'a> {
    fn begin(arguments: &'a Arguments) -> Result<Export<'a>, Failure> {
        let format = format(arguments)?;
        refuse_ignored_flags(arguments, format)?;
        let mut export = Export {
            format,
            out: arguments.out.as_deref(),
            language: arguments.language.unwrap_or_default(),
            title: arguments.title.as_deref(),
            text: String::new(),
            puzzles: Vec::new(),
        };
        match (export.format, export.out) {
            (Format::Csv, _) => drop(export.write(csv::HEADER)?),
            (Format::Svg, Some(folder)) => make_folder(folder)?,
            (Format::Svg, None) => {
                return Err("diagrams need a folder; name one with --out".into());
            }
            (Format::Jsonl | Format::Booklet, _) => {}
        }
        Ok(export)
    }

    fn add(&mut self, puzzle: Puzzle) -> Result<Reader, Failure> {
        match self.format {
            Format::Jsonl => self.write(&(puzzle.to_json() + "\n")),
            Format::Csv => self.write(&csv::row(&puzzle)),
            Format::Svg => self.draw(&puzzle).map(|()| Reader::Listening),
            Format::Booklet => {
                self.puzzles.push(puzzle);
                Ok(Reader::Listening)
            }
        }
    }

    fn end(mut self) -> Result<(), Failure> {
        if self.format == Format::Booklet {
            if self.puzzles.is_empty() {
                return Err("there is no puzzle to print; no booklet was written".into());
            }
            let title = self.title.map(str::to_owned);
            let options = booklet::Options { language: self.language, title };
            self.write(&booklet::document(&self.puzzles, &options))?;
        }
        match self.out {
            Some(file) if self.format != Format::Svg => write_file(file, &self.text),
            _ => Ok(()),
        }
    }

    fn write(&mut self, text: &str) -> Result<Reader, Failure> {
        if self.out.is_none() {
            return print(text);
        }
        self.text.push_str(text);
        Ok(Reader::Listening)
    }

    fn draw(&self, puzzle: &Puzzle) -> Result<(), Failure> {
        let Some(folder) = self.out else { return Ok(()) };
        let caption = Some(puzzle::export::Words(self.language).win(puzzle.m_win));
        let options = svg::Options { caption, language: self.language, ..svg::Options::default() };
        let file = folder.join(puzzle.id() + ".svg");
        write_file(&file, &svg::draw(&puzzle.position, &options))
    }
}

/// Refuses flags that the format does not use.
fn refuse_ignored_flags(arguments: &Arguments, format: Format) -> Result<(), Failure> {
    if arguments.title.is_some() && format != Format::Booklet {
        return Err("--title is for --format booklet only; omit it".into());
    }
    if arguments.language.is_some() && matches!(format, Format::Jsonl | Format::Csv) {
        return Err("--language is for --format booklet and svg only; omit it".into());
    }
    Ok(())
}

fn make_folder(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| {
        let name = quoted(&folder.to_string_lossy());
        format!("cannot make the folder {name}: {error}; choose another with --out")
    })
}

/// The requested format, or the one that --out implies.
fn format(arguments: &Arguments) -> Result<Format, Failure> {
    let out = match (arguments.format, &arguments.out) {
        (Some(format), _) => return Ok(format),
        (None, None) => return Ok(Format::Jsonl),
        (None, Some(out)) => out,
    };
    let name = out.to_string_lossy();
    if name.ends_with(std::path::MAIN_SEPARATOR) || out.is_dir() {
        return Ok(Format::Svg);
    }
    match out.extension().and_then(|ending| ending.to_str()) {
        Some("jsonl") => Ok(Format::Jsonl),
        Some("csv") => Ok(Format::Csv),
        Some("html") => Ok(Format::Booklet),
        _ => Err(format!(
            "the extension of {} implies no format; use --format jsonl, csv, svg or booklet",
            quoted(&name)
        )),
    }
}
