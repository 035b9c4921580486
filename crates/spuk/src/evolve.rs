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
    /// Write styles, tables (CSV) and figures (SVG) to this folder.
    #[arg(long, value_name = "DIR", default_value = "evolve")]
    out: PathBuf,
    /// Seed of the random numbers.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Number of agents in each generation [default: 100; with --small 20].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=10_000))]
    population: Option<u32>,
    /// Number of elite agents kept from each generation [default: 30; with --small 6].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    keep: Option<u32>,
    /// Number of generations [default: 50; with --small 5].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    generations: Option<u32>,
    /// Wins in 100 games against the random player that a new agent needs [default: 90; with
    /// --small 75].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100))]
    wins: Option<u32>,
    /// Number of threads (1 to 256); the results do not depend on it [default: all cores].
    #[arg(long, value_name = "N", value_parser = limits::parse_threads)]
    threads: Option<NonZeroU32>,
    /// Run at the size of the paper (the default).
    #[arg(long, conflicts_with = "small")]
    full: bool,
    /// Run at a small size, in seconds.
    #[arg(long)]
    small: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl Arguments {
    fn config(&self) -> Result<EvolutionConfig, Failure> {
        let defaults = if self.small { EvolutionConfig::SMALL } else { EvolutionConfig::PAPER };
        let config = EvolutionConfig {
            population: self.population.unwrap_or(defaults.population),
            keep: self.keep.unwrap_or(defaults.keep),
            generations: self.generations.unwrap_or(defaults.generations),
            wins_against_random: self.wins.unwrap_or(defaults.wins_against_random),
        };
        if config.keep > config.population {
            let EvolutionConfig { keep, population, .. } = config;
            return Err(format!(
                "cannot keep {keep} of {population} agents; give --keep a smaller number"
            ));
        }
        Ok(config)
    }
}

/// Runs the evolution and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let config = arguments.config()?;
    let stop = interrupt::listen();
    make_folder(&arguments.out)?;
    let header = journal_header(arguments, config);
    let journal = open_journal(&arguments.out, "evolve", &header, ["the evolution", "steps"])?;
    let threads = arguments.threads.map_or(0, |threads| threads.get() as usize);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool =
        pool.map_err(|error| format!("cannot start threads: {error}; try fewer with --threads"))?;
    let (start, progress) = (Instant::now(), Estimate::new());
    let run = Run {
        full: !arguments.small,
        seed: arguments.seed,
        journal: Some(&journal),
        progress: &progress,
        ..Run::small(stop)
    };
    let result = pool.install(|| ::lab::evolve(&run, config));
    progress.line.clear();
    let styles = match result {
        Ok(styles) => styles,
        Err(LabError::Stopped) => {
            complain("the evolution was interrupted; run the same command again to continue");
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
