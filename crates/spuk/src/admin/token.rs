//! `spuk admin token`.

use super::TokenArguments;
use crate::{Failure, exit};
use serde_json::json;
use service::secrets::{hash_of, random_text};
use service::store::backup::{BackupError, write_new};
use std::fs;

/// Digits of a token: 100 bits.
const TOKEN_DIGITS: usize = 20;

pub(super) async fn run(arguments: &TokenArguments) -> Result<u8, Failure> {
    let store = arguments.common.open().await?;
    let token = random_text(TOKEN_DIGITS);
    let file = &arguments.file;
    // The file comes first: a token that nobody can read must not become the valid one.
    let written = write_new(file, async |part| {
        let written = fs::write(part, format!("{token}\n"));
        written.map_err(|error| BackupError::File(part.to_owned(), error))
    });
    written.await.map_err(|error| error.to_string())?;
    let stored = store.set_setting("token-hash", &hash_of(&token)).await;
    store.close().await;
    if let Err(error) = stored {
        let _ = fs::remove_file(file);
        return Err(error.to_string());
    }
    let name = file.display().to_string();
    let text = format!(
        "The new token is in {name}. Restart the site to use it; the old token then stops working."
    );
    arguments.common.print(&json!({ "v": 1, "file": name }), &text)?;
    Ok(exit::YES)
}
