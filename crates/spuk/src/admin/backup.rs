//! `spuk admin backup` and `spuk admin restore`.

use super::{BackupArguments, RestoreArguments, postgres, readable};
use crate::{Failure, exit};
use serde_json::json;
use service::store::backup::{self, BackupError};
use service::store::sqlite_file;

pub(super) async fn back_up(arguments: &BackupArguments) -> Result<u8, Failure> {
    let url = arguments.common.database.url()?;
    let bytes = match sqlite_file(&url) {
        Some(database) => backup::back_up_sqlite(&database, &arguments.file).await,
        None => postgres::back_up(&url, &arguments.file).await,
    };
    let bytes = bytes.map_err(|error| error.to_string())?;
    let file = arguments.file.display().to_string();
    let text = format!("The backup is in {file} ({}).", readable(bytes as i64));
    arguments.common.print(&json!({ "v": 1, "file": file, "bytes": bytes }), &text)?;
    Ok(exit::YES)
}

pub(super) async fn restore(arguments: &RestoreArguments) -> Result<u8, Failure> {
    let url = arguments.common.database.url()?;
    let restored: Result<(), BackupError> = match sqlite_file(&url) {
        Some(database) => {
            let restored = backup::restore_sqlite(&arguments.file, &database, arguments.replace);
            restored.await.map(|_| ())
        }
        None => postgres::restore(&url, &arguments.file, arguments.replace).await,
    };
    restored.map_err(|error| error.to_string())?;
    let file = arguments.file.display().to_string();
    let text = format!("The database is restored from {file}.");
    arguments.common.print(&json!({ "v": 1, "file": file, "restored": true }), &text)?;
    Ok(exit::YES)
}
