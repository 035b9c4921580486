//! `spuk completions`: shell completion scripts.

use crate::output::print;
use crate::{Cli, Failure, exit};
use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

#[derive(Args)]
#[command(
    after_help = "For bash, run: spuk completions bash > ~/.local/share/bash-completion/completions/spuk"
)]
pub(crate) struct Arguments {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the script and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let mut script = Vec::new();
    generate(arguments.shell, &mut Cli::command(), "spuk", &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(exit::YES)
}
