//! Which puzzles of open studies an identity was shown outside of the study.

use super::{Store, StoreError, now};
use sqlx::{AnyConnection, Row};
use std::collections::HashSet;

/// Milliseconds for which a note is kept.
const RETENTION: i64 = 30 * 24 * 3600 * 1000;

impl Store {
    /// The puzzles of all open studies.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn open_study_puzzles(&self) -> Result<HashSet<String>, StoreError> {
        let rows = sqlx::query("SELECT puzzles FROM studies WHERE closed = 0");
        let mut all = HashSet::new();
        for row in rows.fetch_all(&self.write).await? {
            let puzzles: String = row.try_get("puzzles")?;
            all.extend(puzzles.split_whitespace().map(str::to_owned));
        }
        Ok(all)
    }

    /// Which of these puzzles are not yet noted as shown to a person.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn unexposed<'a>(
        &self,
        person: &str,
        puzzles: &[&'a str],
    ) -> Result<Vec<&'a str>, StoreError> {
        let rows = sqlx::query("SELECT puzzle FROM exposures WHERE person = $1").bind(person);
        let mut noted = HashSet::new();
        for row in rows.fetch_all(&self.read).await? {
            noted.insert(row.try_get::<String, _>("puzzle")?);
        }
        Ok(puzzles.iter().copied().filter(|puzzle| !noted.contains(*puzzle)).collect())
    }

    /// Notes that a person was shown these puzzles, once for each.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn note_exposures(&self, person: &str, puzzles: &[&str]) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        for puzzle in puzzles {
            sqlx::query(
                "INSERT INTO exposures (person, puzzle, seen) VALUES ($1, $2, $3) \
                 ON CONFLICT (person, puzzle) DO NOTHING",
            )
            .bind(person)
            .bind(*puzzle)
            .bind(now())
            .execute(&mut *transaction)
            .await?;
        }
        transaction.commit().await
    }

    /// Removes old notes that no study needs: those of identities that only looked, and all of them if
    /// no study is open. Attempts that began have their answer already.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn forget_old_exposures(&self) -> Result<(), StoreError> {
        sqlx::query(
            "DELETE FROM exposures WHERE seen < $1 AND (NOT EXISTS (SELECT 1 FROM studies WHERE closed = 0) \
             OR NOT EXISTS (SELECT 1 FROM people WHERE people.id = exposures.person))",
        )
        .bind(now() - RETENTION)
        .execute(&self.write)
        .await?;
        Ok(())
    }
}

/// Whether a person was shown a puzzle before, or tried it anywhere but in this study.
pub(super) async fn was_exposed(
    connection: &mut AnyConnection,
    person: &str,
    puzzle: &str,
    study: &str,
) -> Result<bool, StoreError> {
    let row = sqlx::query(
        "SELECT (SELECT COUNT(*) FROM exposures WHERE person = $1 AND puzzle = $2) \
         + (SELECT COUNT(*) FROM attempts WHERE person = $1 AND puzzle = $2 AND COALESCE(study, '') <> $3) AS count",
    );
    let row = row.bind(person).bind(puzzle).bind(study).fetch_one(connection).await?;
    Ok(row.try_get::<i64, _>("count")? > 0)
}
