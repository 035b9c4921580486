//! `spuk admin`: maintains the database of a site, also while the site runs.

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
    /// Show the sizes of the database and its tables, and what the retention rules would delete now.
    Sizes(Common),
    /// Delete everything that the retention rules allow. Deleted rows make room for new ones; the
    /// files do not shrink.
    Prune(PruneArguments),
    /// Write a backup of the database to a new file, also while the site runs.
    Backup(BackupArguments),
    /// Restore a backup. The site must not be running.
    Restore(RestoreArguments),
    /// Sign cookies with a new secret. Running sites use it within a minute. Cookies signed with
    /// earlier secrets are accepted for 180 days and signed again when they are used.
    RotateSecret(RotateArguments),
    /// Make a new token for researchers and operators, and write it to a new file. A running site
    /// must be restarted to accept it.
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
    /// Only count the rows that would be deleted.
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
    /// The backup file.
    file: PathBuf,
    /// Replace the database even if it has data.
    #[arg(long)]
    replace: bool,
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
struct RotateArguments {
    /// Refuse cookies signed with earlier secrets, in case a secret has leaked: every visitor gets a
    /// new identity, and operators have to sign in again.
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
    let runtime = Runtime::new().map_err(|error| {
        format!("cannot start threads: {error}; free memory or raise the limit on threads")
    })?;
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
