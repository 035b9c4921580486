//! The token of researchers and operators. Only its hash is stored.

use crate::private_files::{self, Pending};
use crate::secrets::{hash_of, random_text};
use crate::service::StartError;
use crate::store::Store;
use std::path::{Path, PathBuf};

/// The setting with the hash.
const SETTING: &str = "token-hash";

/// The hash of the operator token.
pub struct OperatorToken {
    hash: String,
}

impl OperatorToken {
    /// A token that the operator chose.
    pub fn given(token: &str) -> OperatorToken {
        OperatorToken { hash: hash_of(token) }
    }

    /// The token of the database. The first start makes one; then the file that has it is returned too.
    ///
    /// # Errors
    /// If the database fails, or the file cannot be written.
    pub async fn load_or_create(
        store: &Store,
        data: &Path,
    ) -> Result<(OperatorToken, Option<PathBuf>), StartError> {
        if let Some(hash) = store.setting(SETTING).await.map_err(StartError::Store)? {
            return Ok((OperatorToken { hash }, None));
        }
        let made = private_files::create_folder(data);
        made.map_err(|error| StartError::Folder(data.to_owned(), error))?;
        let file = data.join("token");
        let file = std::path::absolute(&file).unwrap_or(file);
        let failed = |error| StartError::TokenFile(file.clone(), error);
        let token = random_text(20);
        // The file is on disk before the hash counts: a crash between the two loses no token.
        let pending =
            Pending::write(&file, &random_text(8), &format!("{token}\n")).map_err(failed)?;
        let made = store.setting_or(SETTING, &hash_of(&token)).await;
        let (hash, made) = made.map_err(StartError::Store)?;
        if !made {
            // Another server was faster.
            return Ok((OperatorToken { hash }, None));
        }
        pending.publish().map_err(failed)?;
        Ok((OperatorToken { hash }, Some(file)))
    }

    /// Whether this is the token. Hashes are compared, so that the time this takes reveals nothing.
    pub fn matches(&self, token: &str) -> bool {
        hash_of(token.trim()) == self.hash
    }
}
