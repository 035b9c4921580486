//! What a person has done, for progress, reviews and filters.

use super::{Store, StoreError};
use sqlx::Row;

/// How a person stands with a puzzle.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedPuzzle {
    /// The puzzle.
    pub puzzle: String,
    /// It was solved at some time without a hint or its solution.
    pub solved: bool,
    /// It was failed, or its solution was shown, at some time.
    pub failed: bool,
    /// The last time it was decided that way, in milliseconds since 1970.
    pub last_failed: i64,
    /// The last time it was solved; 0 if never.
    pub last_solved: i64,
}

impl PlayedPuzzle {
    /// It was failed and not solved since.
    pub fn to_review(&self) -> bool {
        self.failed && self.last_failed > self.last_solved
    }
}

/// A moment of a person's rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatedAt {
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// The rating after that attempt.
    pub rating: f64,
}

impl Store {
    /// Every puzzle that a person has decided outside studies.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn played(&self, person: &str) -> Result<Vec<PlayedPuzzle>, StoreError> {
        let rows = sqlx::query(
            "SELECT puzzle, \
             MAX(CASE WHEN outcome = 'solved' AND hint IS NULL THEN finished ELSE 0 END) AS last_solved, \
             MAX(CASE WHEN outcome = 'solved' AND hint IS NULL THEN 0 ELSE finished END) AS last_failed \
             FROM attempts WHERE person = $1 AND study IS NULL AND outcome IS NOT NULL GROUP BY puzzle",
        );
        let rows = rows.bind(person).fetch_all(&self.read).await?;
        let played = rows.iter().map(|row| {
            let last_solved: i64 = row.try_get("last_solved")?;
            let last_failed: i64 = row.try_get("last_failed")?;
            let (solved, failed) = (last_solved > 0, last_failed > 0);
            Ok(PlayedPuzzle {
                puzzle: row.try_get("puzzle")?,
                solved,
                failed,
                last_failed,
                last_solved,
            })
        });
        Ok(played.collect::<Result<_, sqlx::Error>>()?)
    }

    /// The ratings of a person, one for each attempt that counted, the oldest of the last `max` first.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn rating_history(&self, person: &str, max: i64) -> Result<Vec<RatedAt>, StoreError> {
        let rows = sqlx::query(
            "SELECT finished, rating_after FROM attempts WHERE person = $1 AND rating_after IS NOT NULL \
             ORDER BY finished DESC LIMIT $2",
        );
        let rows = rows.bind(person).bind(max).fetch_all(&self.read).await?;
        let mut history = Vec::with_capacity(rows.len());
        for row in rows.iter().rev() {
            history.push(RatedAt {
                at: row.try_get("finished")?,
                rating: row.try_get("rating_after")?,
            });
        }
        Ok(history)
    }
}
