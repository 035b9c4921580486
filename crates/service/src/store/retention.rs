//! What is deleted when, and finding and deleting it in small batches.
//!
//! What belongs to a study is never deleted here: its participants, their attempts and their answers.

use super::deletion::delete_person;
use super::transaction::Transaction;
use super::{Store, StoreError, now};
use sqlx::Row;

/// A rule by which something is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetentionRule {
    /// Identities that never decided an attempt, have no game and take part in no study.
    AbandonedPeople,
    /// Identities that were not active while a cookie lives, with all that belongs to them.
    InactivePeople,
    /// Unfinished games that were abandoned.
    UnfinishedGames,
    /// Finished games against programs.
    ProgramGames,
    /// Imported games, which have no owner.
    ImportedGames,
    /// Attempts outside studies that were never decided.
    UndecidedAttempts,
    /// Puzzles found in games without any attempt.
    FoundPuzzles,
    /// Transfer codes that have expired.
    TransferCodes,
    /// How much was stored on a day.
    StorageUse,
}

/// A day in milliseconds.
const DAY: i64 = 24 * 3600 * 1000;

impl RetentionRule {
    /// All rules, in an order in which each finds what those before it have freed.
    pub const ALL: [RetentionRule; 9] = [
        RetentionRule::UnfinishedGames,
        RetentionRule::ProgramGames,
        RetentionRule::ImportedGames,
        RetentionRule::UndecidedAttempts,
        RetentionRule::InactivePeople,
        RetentionRule::AbandonedPeople,
        RetentionRule::FoundPuzzles,
        RetentionRule::TransferCodes,
        RetentionRule::StorageUse,
    ];

    /// Days after the last change, or the last activity of a person.
    pub const fn days(self) -> i64 {
        match self {
            RetentionRule::TransferCodes => 0,
            RetentionRule::StorageUse => 7,
            RetentionRule::AbandonedPeople => 30,
            RetentionRule::UnfinishedGames
            | RetentionRule::ImportedGames
            | RetentionRule::UndecidedAttempts => 90,
            RetentionRule::ProgramGames | RetentionRule::FoundPuzzles => 365,
            RetentionRule::InactivePeople => 2 * 365,
        }
    }

    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            RetentionRule::AbandonedPeople => "abandoned-people",
            RetentionRule::InactivePeople => "inactive-people",
            RetentionRule::UnfinishedGames => "unfinished-games",
            RetentionRule::ProgramGames => "program-games",
            RetentionRule::ImportedGames => "imported-games",
            RetentionRule::UndecidedAttempts => "undecided-attempts",
            RetentionRule::FoundPuzzles => "found-puzzles",
            RetentionRule::TransferCodes => "transfer-codes",
            RetentionRule::StorageUse => "storage-use",
        }
    }

    /// The table, and the column that names a row in it.
    const fn table(self) -> (&'static str, &'static str) {
        match self {
            RetentionRule::AbandonedPeople | RetentionRule::InactivePeople => ("people", "id"),
            RetentionRule::UnfinishedGames
            | RetentionRule::ProgramGames
            | RetentionRule::ImportedGames => ("games", "id"),
            RetentionRule::UndecidedAttempts => ("attempts", "id"),
            RetentionRule::FoundPuzzles => ("found_puzzles", "id"),
            RetentionRule::TransferCodes => ("transfers", "code"),
            RetentionRule::StorageUse => ("storage_use", "who"),
        }
    }

    /// What is true of rows to be deleted; `$1` is the time before which they are too old. Written so that
    /// SQLite finds the rows by their age: it would rather take any index for `column IS NULL`.
    const fn condition(self) -> &'static str {
        match self {
            RetentionRule::AbandonedPeople => {
                "seen < $1 \
                 AND NOT EXISTS (SELECT 1 FROM attempts WHERE person = people.id AND outcome IS NOT NULL) \
                 AND NOT EXISTS (SELECT 1 FROM participants WHERE person = people.id) \
                 AND NOT EXISTS (SELECT 1 FROM games WHERE first_person = people.id) \
                 AND NOT EXISTS (SELECT 1 FROM games WHERE second_person = people.id)"
            }
            RetentionRule::InactivePeople => {
                "seen < $1 AND NOT EXISTS (SELECT 1 FROM participants WHERE person = people.id)"
            }
            RetentionRule::UnfinishedGames => "over = 0 AND changed < $1",
            RetentionRule::ProgramGames => {
                "changed < $1 AND (first_program IS NOT NULL OR second_program IS NOT NULL) AND over = 1"
            }
            RetentionRule::ImportedGames => {
                "changed < $1 \
                 AND COALESCE(first_person, second_person, first_program, second_program) IS NULL"
            }
            RetentionRule::UndecidedAttempts => {
                "outcome IS NULL AND started < $1 AND COALESCE(study, '') = ''"
            }
            RetentionRule::FoundPuzzles => {
                "found < $1 AND NOT EXISTS (SELECT 1 FROM attempts WHERE puzzle = found_puzzles.id) \
                 AND NOT EXISTS (SELECT 1 FROM opinions WHERE puzzle = found_puzzles.id) \
                 AND NOT EXISTS (SELECT 1 FROM studies WHERE puzzles LIKE '%' || found_puzzles.id || '%')"
            }
            RetentionRule::TransferCodes => "expires < $1",
            RetentionRule::StorageUse => "day < $1",
        }
    }

    /// Rows that were last changed before this are too old; in days for a table that counts them.
    fn cutoff(self) -> i64 {
        let cutoff = now() - self.days() * DAY;
        if self == RetentionRule::StorageUse { cutoff.div_euclid(DAY) } else { cutoff }
    }
}

impl Store {
    /// How many rows a rule would delete now, not counting what belongs to them.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn count_expired(&self, rule: RetentionRule) -> Result<i64, StoreError> {
        let (table, _) = rule.table();
        let count = format!("SELECT COUNT(*) AS count FROM {table} WHERE {}", rule.condition());
        let row = sqlx::query(&count).bind(rule.cutoff()).fetch_one(&self.read).await?;
        Ok(row.try_get("count")?)
    }

    /// Some of the rows that a rule deletes now, at most this many.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn expired(
        &self,
        rule: RetentionRule,
        limit: i64,
    ) -> Result<Vec<String>, StoreError> {
        let (table, key) = rule.table();
        let rows = format!("SELECT {key} AS name FROM {table} WHERE {} LIMIT $2", rule.condition());
        let rows = sqlx::query(&rows).bind(rule.cutoff()).bind(limit).fetch_all(&self.read).await?;
        Ok(rows.iter().map(|row| row.try_get("name")).collect::<Result<_, _>>()?)
    }

    /// Deletes those of these rows to which the rule still applies, in one transaction.
    ///
    /// # Errors
    /// If the database fails; then none is deleted.
    pub async fn delete_expired(
        &self,
        rule: RetentionRule,
        names: &[String],
    ) -> Result<u64, StoreError> {
        let mut transaction = self.begin().await?;
        let mut deleted = 0;
        for name in names {
            deleted += delete_one(&mut transaction, rule, name).await?;
        }
        transaction.commit().await?;
        Ok(deleted)
    }
}

async fn delete_one(
    transaction: &mut Transaction,
    rule: RetentionRule,
    name: &str,
) -> Result<u64, StoreError> {
    let (table, key) = rule.table();
    let fits = format!("{key} = $2 AND {}", rule.condition());
    let cutoff = rule.cutoff();
    let statement = match table {
        "people" => {
            // Locks the row, so that the person cannot become active meanwhile.
            let lock = format!("UPDATE people SET seen = seen WHERE {fits}");
            let locked = sqlx::query(&lock).bind(cutoff).bind(name);
            if locked.execute(&mut **transaction).await?.rows_affected() == 0 {
                return Ok(0);
            }
            delete_person(transaction, name).await?;
            return Ok(1);
        }
        "games" => {
            let reviews =
                format!("DELETE FROM reviews WHERE game IN (SELECT id FROM games WHERE {fits})");
            sqlx::query(&reviews).bind(cutoff).bind(name).execute(&mut **transaction).await?;
            format!("DELETE FROM games WHERE {fits}")
        }
        _ => format!("DELETE FROM {table} WHERE {fits}"),
    };
    let done = sqlx::query(&statement).bind(cutoff).bind(name);
    Ok(done.execute(&mut **transaction).await?.rows_affected())
}
