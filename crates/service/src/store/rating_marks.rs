//! Which identities at which address have worked on which puzzle within the last days.
//!
//! An address is kept as a keyed hash of puzzle and address, with a random key for each day. Without the
//! key nobody can compute the hash of an address; with it the hashes of two puzzles or two days still do
//! not show that they are of the same address. After [`ADDRESS_DAYS`] hashes and key are removed.

use super::{Store, StoreError, now};
use crate::rating_policy::ADDRESS_DAYS;
use crate::secrets::random_text;
use hmac::{Hmac, Mac};
use sha2::Sha256;
use sqlx::{AnyConnection, Row};
use std::fmt;
use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};

/// Milliseconds of a day.
pub(super) const DAY: i64 = 24 * 3600 * 1000;

/// Bytes of a hash that are kept.
const HASH_BYTES: usize = 16;

/// The keys of the last days, newest first, read once a day. Once made, a key never changes.
#[derive(Clone, Default)]
pub(super) struct AddressSalts(Arc<Mutex<Vec<(i64, String)>>>);

impl AddressSalts {
    fn of(&self, today: i64) -> Option<Vec<(i64, String)>> {
        let salts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        salts.first().filter(|(day, _)| *day == today).map(|_| salts.clone())
    }

    fn set(&self, salts: Vec<(i64, String)>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = salts;
    }
}

/// Keeps the keys out of logs.
impl fmt::Debug for AddressSalts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AddressSalts")
    }
}

/// A puzzle and an address as they are marked today and were marked on the days before.
pub(super) struct Marks<'a> {
    puzzle: &'a str,
    today: i64,
    /// One for each day with a key, today's first.
    hashes: Vec<String>,
}

impl Marks<'_> {
    /// Marks that a person at this address works on the puzzle.
    pub(super) async fn add(
        &self,
        connection: &mut AnyConnection,
        person: &str,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO rating_marks (puzzle, address, person, day) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (puzzle, address, person) DO NOTHING",
        )
        .bind(self.puzzle)
        .bind(self.hashes.first())
        .bind(person)
        .bind(self.today)
        .execute(connection)
        .await?;
        Ok(())
    }

    /// Whether another person at this address has worked on the puzzle.
    pub(super) async fn has_others(
        &self,
        connection: &mut AnyConnection,
        person: &str,
    ) -> Result<bool, StoreError> {
        let places: Vec<String> =
            (0..self.hashes.len()).map(|number| format!("${}", number + 3)).collect();
        let sql = format!(
            "SELECT COUNT(*) AS count FROM rating_marks WHERE puzzle = $1 AND person <> $2 AND address IN ({})",
            places.join(", ")
        );
        let query = sqlx::query(&sql).bind(self.puzzle).bind(person);
        let query = self.hashes.iter().fold(query, sqlx::query::Query::bind);
        Ok(query.fetch_one(connection).await?.try_get::<i64, _>("count")? > 0)
    }
}

impl Store {
    /// How this puzzle and this address are marked.
    pub(super) async fn marks<'a>(
        &self,
        puzzle: &'a str,
        address: &str,
    ) -> Result<Marks<'a>, StoreError> {
        let today = now().div_euclid(DAY);
        let salts = match self.salts.of(today) {
            Some(salts) => salts,
            None => self.read_salts(today).await?,
        };
        let hashes = salts.iter().map(|(_, salt)| hash(salt, puzzle, address)).collect();
        Ok(Marks { puzzle, today, hashes })
    }

    /// Reads the keys of the last days and makes today's, which is the moment to forget the oldest.
    async fn read_salts(&self, today: i64) -> Result<Vec<(i64, String)>, StoreError> {
        self.forget_old_rating_marks().await?;
        sqlx::query(
            "INSERT INTO address_salts (day, salt) VALUES ($1, $2) ON CONFLICT (day) DO NOTHING",
        )
        .bind(today)
        .bind(random_text(52))
        .execute(&self.write)
        .await?;
        let rows = sqlx::query(
            "SELECT day, salt FROM address_salts WHERE day > $1 AND day <= $2 ORDER BY day DESC",
        );
        let rows = rows.bind(today - ADDRESS_DAYS).bind(today).fetch_all(&self.write).await?;
        let salts = rows.iter().map(|row| Ok((row.try_get("day")?, row.try_get("salt")?)));
        let salts: Vec<(i64, String)> = salts.collect::<Result<_, sqlx::Error>>()?;
        self.salts.set(salts.clone());
        Ok(salts)
    }

    /// Removes marks, and the keys of their addresses, once no rating depends on them any more.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn forget_old_rating_marks(&self) -> Result<(), StoreError> {
        let last = now().div_euclid(DAY) - ADDRESS_DAYS;
        let mut transaction = self.begin().await?;
        for table in ["rating_marks", "address_salts"] {
            let sql = format!("DELETE FROM {table} WHERE day <= $1");
            sqlx::query(&sql).bind(last).execute(&mut *transaction).await?;
        }
        transaction.commit().await
    }
}

fn hash(salt: &str, puzzle: &str, address: &str) -> String {
    // A key of any length will do.
    let mut mac = Hmac::<Sha256>::new_from_slice(salt.as_bytes()).expect("any key will do");
    mac.update(puzzle.as_bytes());
    mac.update(b" ");
    mac.update(address.as_bytes());
    let mut text = String::new();
    for byte in &mac.finalize().into_bytes()[..HASH_BYTES] {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}
