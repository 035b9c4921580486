//! The database flags of `spuk serve` and `spuk admin`.

use crate::{Failure, tablebase};
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Default)]
pub(crate) struct DatabaseArguments {
    /// The folder for the database (otherwise the user's data folder).
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Another database than the SQLite file of the folder: postgres://user:password@host/name.
    #[arg(long, value_name = "URL")]
    database: Option<String>,
}

impl DatabaseArguments {
    /// The folder for the data.
    pub(crate) fn folder(&self) -> Result<PathBuf, Failure> {
        let data = self.data.clone().or_else(tablebase::user_data);
        data.ok_or_else(|| "there is no home folder; say where the data go with --data".into())
    }

    /// The address of another database than the folder's.
    pub(crate) fn other(&self) -> Option<String> {
        self.database.clone()
    }

    /// The address of the database.
    pub(crate) fn url(&self) -> Result<String, Failure> {
        match &self.database {
            Some(url) => Ok(url.clone()),
            None => Ok(service::store::sqlite_in(&self.folder()?)),
        }
    }
}
