//! `spuk bench probe`: how long a tablebase probe takes, and how much of it is the disk.

use super::show;
use crate::progress::Line;
use crate::tablebase::Common;
use crate::{Failure, exit, interrupt};
use clap::Args;

#[derive(Args)]
#[command(after_help = "\
Warm: the block was just used. Decoded: the file is in memory, but the block has to be decoded. \
Cold: the files were dropped from the page cache before, so that they are read from the disk; beside it, bare \
reads of 4 KiB at the same places. Dropping works only on Linux; elsewhere cold probes are not measured.")]
pub(crate) struct Arguments {
    /// Maximum number of probes, each in another block.
    #[arg(long, value_name = "N", default_value = "2000", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    probes: u64,
    #[command(flatten)]
    common: Common,
}

/// Measures and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let stop = interrupt::listen();
    let (classes, store) = (arguments.common.classes(&[])?, arguments.common.store()?);
    let line = Line::new();
    let on_progress = |text| line.say(text);
    let report = bench::probe::run(&store, &classes, arguments.probes, stop, &on_progress)?;
    line.clear();
    show(&report, arguments.common.json)?;
    Ok(exit::YES)
}
