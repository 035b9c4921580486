//! `spuk evolve`: the genetic algorithm for guessing styles (P5), at any size.

use crate::lab::{Estimate, Record, make_folder, open_journal, text, write};
use crate::output::{complain, print, write_file};
use crate::report::json_line;
use crate::{Failure, exit, interrupt, limits};
use ::lab::{Experiment, JournalHeader, LabError, Run, Styles};
use clap::Args;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Instant;
use train::evolve::EvolutionConfig;

#[derive(Args)]
pub(crate) struct Arguments {
    /// Write styles, tables (CSV) and figures (SVG) into this folder.
    #[arg(long, value_name = "DIR", default_value = "evolve")]
    out: PathBuf,
    /// The seed of everything random.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Agents in each generation (100).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=10_000))]
    population: Option<u32>,
    /// Agents that are kept of each (30).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    keep: Option<u32>,
    /// Generations (50).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    generations: Option<u32>,
    /// Wins of 100 games against the random player that a new agent needs (90).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100))]
    wins: Option<u32>,
    /// Work with so many threads (all cores if not given); the outcome does not depend on it.
    #[arg(long, value_name = "N", value_parser = limits::parse_threads)]
    threads: Option<NonZeroU32>,
    /// Run at the size of the paper: this is so if nothing else is asked for.
    #[arg(long, conflicts_with = "small")]
    full: bool,
    /// Run small, in seconds.
    #[arg(long)]
    small: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl Arguments {
    fn config(&self) -> Result<EvolutionConfig, Failure> {
        let usual = if self.small { EvolutionConfig::SMALL } else { EvolutionConfig::PAPER };
        let config = EvolutionConfig {
            population: self.population.unwrap_or(usual.population),
            keep: self.keep.unwrap_or(usual.keep),
            generations: self.generations.unwrap_or(usual.generations),
            wins_against_random: self.wins.unwrap_or(usual.wins_against_random),
        };
        if config.keep > config.population {
            let EvolutionConfig { keep, population, .. } = config;
            return Err(format!(
                "cannot keep {keep} of {population}; give --keep a smaller number"
            ));
        }
        Ok(config)
    }
}

/// Runs the evolution and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let config = arguments.config()?;
    let stop = interrupt::listen()?;
    make_folder(&arguments.out)?;
    let header = journal_header(arguments, config);
    let journal = open_journal(&arguments.out, "evolve", &header, ["the evolution", "steps"])?;
    let threads = arguments.threads.map_or(0, |threads| threads.get() as usize);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| format!("cannot start threads: {error}"))?;
    let (start, progress) = (Instant::now(), Estimate::new());
    let how = Run {
        full: !arguments.small,
        seed: arguments.seed,
        journal: Some(&journal),
        progress: &progress,
        ..Run::small(stop)
    };
    let result = pool.install(|| ::lab::evolve(&how, config));
    progress.line.clear();
    let styles = match result {
        Ok(styles) => styles,
        Err(LabError::Stopped) => {
            complain(
                "the evolution was stopped; what is done is kept, and the same command goes on",
            );
            return Ok(exit::UNKNOWN);
        }
        Err(error) => return Err(error.to_string()),
    };
    let files = write_all(&styles, arguments)?;
    let _ = journal.close();
    let seconds = start.elapsed().as_secs_f64();
    print(&if arguments.json {
        json_line(&Record::new(&styles.report, &files, seconds))
    } else {
        text(&styles.report, &files, seconds)
    })?;
    Ok(exit::YES)
}

/// The journal header of this run.
fn journal_header(arguments: &Arguments, config: EvolutionConfig) -> JournalHeader {
    JournalHeader {
        v: 1,
        program: env!("CARGO_PKG_VERSION").into(),
        experiment: Experiment::P5Styles.name().into(),
        full: !arguments.small,
        trials: None,
        depth: None,
        seed: arguments.seed,
        // The configuration determines the trials, like an input file.
        input: Some(common::fnv::hash(&format!("{config:?}"))),
    }
}

/// Writes tables, figures and styles; returns the files.
fn write_all(styles: &Styles, arguments: &Arguments) -> Result<Vec<String>, Failure> {
    let mut files = write(&styles.report, &arguments.out)?;
    for (number, style) in (1..).zip(&styles.styles) {
        let path = arguments.out.join(format!("cluster-{number}.style"));
        write_file(&path, &style.to_string())?;
        files.push(path.to_string_lossy().into_owned());
    }
    Ok(files)
}
