//! The secrets that cookies are signed with: the current one and, after a rotation, earlier ones.
//!
//! All of them are one setting in the database, so that a rotation is one atomic write. Servers read it
//! again every [`RELOAD`]. A new secret signs only [`DELAY`] after the rotation: by then every server
//! accepts it, and no visitor loses their identity between two servers.

use crate::app::App;
use service::log::Value;
use service::secrets::random_text;
use service::store::{Store, StoreError, now};
use std::time::Duration;

/// The setting with the secrets.
const SETTING: &str = "cookie-secret";
/// The digits of a secret: 260 bits.
const DIGITS: usize = 52;
/// A shorter secret is not one of ours.
const MIN_DIGITS: usize = 26;
/// Servers read the secrets this often.
pub const RELOAD: Duration = Duration::from_secs(20);
/// Milliseconds between a rotation and the first signature with the new secret.
pub const DELAY: i64 = 3 * 20 * 1000;
/// Milliseconds for which a retired secret is accepted.
pub const RETIREMENT: i64 = 180 * 24 * 3600 * 1000;
/// Secrets that are kept: each of them may have to be tried.
const MAX_SECRETS: usize = 64;

/// A secret, and since when it signs, in milliseconds since 1970.
#[derive(Clone, PartialEq, Eq)]
struct Secret {
    text: String,
    since: i64,
}

/// The secrets, the newest first. There is at least one.
#[derive(Clone, PartialEq, Eq)]
pub struct CookieSecrets {
    newest: Secret,
    older: Vec<Secret>,
}

/// A secret that is accepted.
pub(crate) struct Accepted<'a> {
    pub(crate) secret: &'a [u8],
    /// A newer one signs now.
    pub(crate) retired: bool,
}

impl CookieSecrets {
    /// A random secret.
    pub fn random() -> CookieSecrets {
        CookieSecrets { newest: Secret { text: random_text(DIGITS), since: 0 }, older: Vec::new() }
    }

    /// Reads what [`CookieSecrets::to_text`] has written, or the single secret of earlier versions.
    pub fn from_text(text: &str) -> Option<CookieSecrets> {
        let mut secrets = text.lines().map(|line| {
            let (text, since) = line.split_once(' ').unwrap_or((line, "0"));
            let secret = Secret { text: text.to_owned(), since: since.parse().ok()? };
            (text.len() >= MIN_DIGITS).then_some(secret)
        });
        let newest = secrets.next()??;
        Some(CookieSecrets { newest, older: secrets.collect::<Option<_>>()? })
    }

    /// A line for each secret, with the time since when it signs.
    pub fn to_text(&self) -> String {
        let lines = self.all().map(|secret| format!("{} {}", secret.text, secret.since));
        lines.collect::<Vec<_>>().join("\n")
    }

    fn all(&self) -> impl Iterator<Item = &Secret> {
        std::iter::once(&self.newest).chain(&self.older)
    }

    /// The secret that signs at a time.
    pub(crate) fn signing(&self, now: i64) -> &[u8] {
        let signing = self.all().find(|secret| secret.since <= now);
        signing.unwrap_or(&self.newest).text.as_bytes()
    }

    /// The secrets that are accepted at a time: those to come, the one that signs, and those retired
    /// not too long ago.
    pub(crate) fn accepted(&self, now: i64) -> impl Iterator<Item = Accepted<'_>> {
        // A secret is retired when the next newer one begins to sign.
        let mut retired_at = i64::MAX;
        self.all().map_while(move |secret| {
            let accepted = Accepted { secret: secret.text.as_bytes(), retired: retired_at <= now };
            let in_time = now.saturating_sub(retired_at) < RETIREMENT;
            retired_at = retired_at.min(secret.since);
            in_time.then_some(accepted)
        })
    }

    /// With a new secret. The former ones stay accepted for their time, or are forgotten at once.
    #[must_use]
    pub fn rotated(&self, now: i64, forget: bool) -> CookieSecrets {
        let mut rotated = CookieSecrets::random();
        if !forget {
            rotated.newest.since = now + DELAY;
            let accepted = self.accepted(now).count().min(MAX_SECRETS - 1);
            rotated.older = self.all().take(accepted).cloned().collect();
        }
        rotated
    }
}

/// The secrets in the database; if there are none yet, a new one is made.
///
/// # Errors
/// If the database fails, or the secrets in it are damaged.
pub async fn load(store: &Store) -> Result<CookieSecrets, StoreError> {
    let (text, _) = store.setting_or(SETTING, &CookieSecrets::random().to_text()).await?;
    CookieSecrets::from_text(&text).ok_or(StoreError::Damaged("the cookie secret"))
}

/// Makes a new secret for the cookies of a site. Servers that run use it within two minutes.
///
/// Cookies signed with former secrets are accepted for 180 days and signed anew when they are used. With
/// `forget` they are refused as soon as each server has read the new secret: all visitors get new
/// identities, and operators have to sign in again. That is for a secret that has leaked.
///
/// # Errors
/// If the database fails.
pub async fn rotate_cookie_secret(store: &Store, forget: bool) -> Result<(), StoreError> {
    rotate_at(store, now(), forget).await
}

/// The same at a given time.
///
/// # Errors
/// If the database fails.
pub async fn rotate_at(store: &Store, now: i64, forget: bool) -> Result<(), StoreError> {
    let (text, _) = store.setting_or(SETTING, &CookieSecrets::random().to_text()).await?;
    let rotated = match CookieSecrets::from_text(&text) {
        Some(secrets) => secrets.rotated(now, forget),
        // Damaged secrets are replaced.
        None => CookieSecrets::random(),
    };
    match store.replace_setting(SETTING, &text, &rotated.to_text()).await? {
        true => Ok(()),
        false => Err(StoreError::Conflict),
    }
}

/// Reloads the secrets of a server, forever.
pub(crate) async fn keep_reloading(app: &App) {
    loop {
        tokio::time::sleep(RELOAD).await;
        match load(&app.service.store).await {
            Ok(secrets) => app.signer.replace_secrets(secrets),
            // The known secrets stay valid until the database answers again.
            Err(error) => {
                let fields = [("error", Value::error(&error))];
                app.service.log.warn("the cookie secret could not be read", &fields);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_secret_of_earlier_versions_is_read() {
        let old = "0123456789abcdefghjkmnpqrstvwxyz0123456789abcdefghjk";
        let read = CookieSecrets::from_text(old).unwrap();
        assert_eq!(read.signing(1), old.as_bytes());
        let again = CookieSecrets::from_text(&read.to_text()).unwrap();
        assert_eq!(again.signing(1), old.as_bytes());
        for damaged in ["", "short", "\n", &format!("{old} x"), &format!("{old}\n\n{old}")] {
            assert!(CookieSecrets::from_text(damaged).is_none(), "{damaged:?}");
        }
    }

    #[test]
    fn a_new_secret_is_accepted_before_it_signs_and_an_old_one_after() {
        let first = CookieSecrets::random();
        let second = first.rotated(1000, false);
        let read = CookieSecrets::from_text(&second.to_text()).unwrap();
        let (old, new) = (first.newest.text.as_bytes(), second.newest.text.as_bytes());
        let accepted = |now| -> Vec<(Vec<u8>, bool)> {
            read.accepted(now).map(|one| (one.secret.to_vec(), one.retired)).collect()
        };
        let begin = 1000 + DELAY;
        for (now, signing, retired) in
            [(1000, old, false), (begin - 1, old, false), (begin, new, true)]
        {
            assert_eq!(read.signing(now), signing);
            assert_eq!(accepted(now), [(new.to_vec(), false), (old.to_vec(), retired)]);
        }
        assert_eq!(accepted(begin + RETIREMENT - 1).len(), 2);
        assert_eq!(accepted(begin + RETIREMENT), [(new.to_vec(), false)]);
        let third = second.rotated(begin + RETIREMENT, false);
        assert!(!third.to_text().contains(&first.newest.text), "it is of no use any more");
        let forgotten = second.rotated(2000, true);
        assert_eq!(forgotten.to_text().lines().count(), 1);
        assert_eq!(forgotten.signing(2000), forgotten.newest.text.as_bytes());
    }

    #[test]
    fn the_number_of_secrets_is_bounded() {
        let mut secrets = CookieSecrets::random();
        for time in 0..200 {
            secrets = secrets.rotated(time, false);
        }
        assert_eq!(secrets.all().count(), MAX_SECRETS);
    }
}
