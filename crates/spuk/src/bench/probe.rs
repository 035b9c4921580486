//! `spuk bench probe`: how long a probe of the tables takes, and what of it the disk takes.

use super::show;
use crate::progress::Line;
use crate::tablebase::Common;
use crate::{Failure, exit, interrupt};
use clap::Args;

#[derive(Args)]
#[command(after_help = "\
Warm: the block was just used. Decoded: the file is in memory, the block has to be decoded. \
Cold: the page cache of the files was dropped before, so that the disk is asked; beside it, bare reads of \
4 KiB at the same places. Dropping works on Linux only; elsewhere cold probes are not measured.")]
pub(crate) struct Arguments {
    /// Ask so many times, each in another block, as far as there are so many.
    #[arg(long, value_name = "N", default_value = "2000", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    probes: u64,
    #[command(flatten)]
    common: Common,
}

/// Measures and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let stop = interrupt::listen()?;
    let (classes, store) = (arguments.common.classes(&[])?, arguments.common.store()?);
    let line = Line::new();
    let on_progress = |text| line.say(text);
    let report = bench::probe::run(&store, &classes, arguments.probes, stop, &on_progress)?;
    line.clear();
    show(&report, arguments.common.json)?;
    Ok(exit::YES)
}
