//! The database flags of `spuk serve` and `spuk admin`.

use crate::{Failure, tablebase};
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Default)]
pub(crate) struct DatabaseArguments {
    /// Folder of the SQLite database [default: the user's data folder].
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// PostgreSQL instead of SQLite: postgres://user:password@host/name.
    #[arg(long, value_name = "URL")]
    database: Option<String>,
}

impl DatabaseArguments {
    /// The data folder.
    pub(crate) fn folder(&self) -> Result<PathBuf, Failure> {
        let data = self.data.clone().or_else(tablebase::user_data);
        data.ok_or_else(|| "there is no home folder; name a folder for the data with --data".into())
    }

    /// The database given by `--database`.
    pub(crate) fn given_url(&self) -> Option<String> {
        self.database.clone()
    }

    /// The URL of the database.
    pub(crate) fn url(&self) -> Result<String, Failure> {
        match &self.database {
            Some(url) => Ok(url.clone()),
            None => Ok(service::store::sqlite_in(&self.folder()?)),
        }
    }
}
