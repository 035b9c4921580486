//! `spuk admin`: looking after the database of a site, also while the site runs.

mod backup;
mod postgres;
mod prune;
mod rotate_secret;
mod sizes;
mod token;

use crate::database::DatabaseArguments;
use crate::{Failure, output};
use clap::{Args, Subcommand};
use serde_json::Value;
use service::store::{Store, sqlite_file};
use std::path::PathBuf;
use tokio::runtime::Runtime;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Show the size of the database and its tables, and what the retention rules would delete now.
    Sizes(Common),
    /// Delete what the retention rules say, now and to the end. Deleted rows make room for new
    /// ones; the files do not shrink.
    Prune(PruneArguments),
    /// Write a backup of the database to a new file, also while the site runs.
    Backup(BackupArguments),
    /// Put a backup where the database is; not while the site runs.
    Restore(RestoreArguments),
    /// Sign cookies with a new secret. Running sites take it up within a minute. Cookies that were
    /// signed with former secrets are accepted for 180 days and signed anew when they are used.
    RotateSecret(RotateArguments),
    /// Make a new token for researchers and operators and write it to a new file. A running site
    /// has to be restarted to accept it.
    Token(TokenArguments),
}

/// Flags of every command.
#[derive(Args)]
struct Common {
    #[command(flatten)]
    database: DatabaseArguments,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct PruneArguments {
    #[command(flatten)]
    common: Common,
    /// Only count what would be deleted.
    #[arg(long)]
    dry_run: bool,
}

#[derive(Args)]
struct BackupArguments {
    /// The file to write; it must not exist. Only its owner can read it.
    file: PathBuf,
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
struct RestoreArguments {
    /// The backup.
    file: PathBuf,
    /// Replace a database that has data.
    #[arg(long)]
    replace: bool,
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
struct RotateArguments {
    /// Refuse cookies of former secrets, for a secret that somebody else knows: every visitor
    /// becomes a new one, and operators have to sign in again.
    #[arg(long)]
    forget: bool,
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
struct TokenArguments {
    /// The file to write; it must not exist. Only its owner can read it.
    file: PathBuf,
    #[command(flatten)]
    common: Common,
}

/// Runs one of the commands.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let runtime = Runtime::new().map_err(|error| format!("no threads can be made: {error}"))?;
    runtime.block_on(async {
        match &arguments.command {
            Command::Sizes(common) => sizes::run(common).await,
            Command::Prune(arguments) => prune::run(arguments).await,
            Command::Backup(arguments) => backup::back_up(arguments).await,
            Command::Restore(arguments) => backup::restore(arguments).await,
            Command::RotateSecret(arguments) => rotate_secret::run(arguments).await,
            Command::Token(arguments) => token::run(arguments).await,
        }
    })
}

impl Common {
    /// Opens the database, which has to be there, and brings it up to date as `spuk serve` does.
    async fn open(&self) -> Result<Store, Failure> {
        let url = self.database.url()?;
        if let Some(file) = sqlite_file(&url).filter(|file| !file.is_file()) {
            return Err(service::store::backup::BackupError::Missing(file).to_string());
        }
        Store::open(&url).await.map_err(|error| error.to_string())
    }

    /// Prints the result as JSON or text.
    fn print(&self, record: &Value, text: &str) -> Result<(), Failure> {
        let line = if self.json { record.to_string() } else { text.trim_end().to_owned() };
        output::print(&format!("{line}\n")).map(|_| ())
    }
}

/// A human-readable size.
fn readable(bytes: i64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    let mut amount = bytes as f64;
    let mut unit = "B";
    for larger in UNITS {
        if amount < 1024.0 {
            break;
        }
        (amount, unit) = (amount / 1024.0, larger);
    }
    if unit == "B" { format!("{bytes} B") } else { format!("{amount:.1} {unit}") }
}
