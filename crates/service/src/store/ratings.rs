//! What people say about puzzles.

use super::people::ensure_person;
use super::{Store, StoreError, now};
use sqlx::Row;

/// A person's opinion of a puzzle, each value from -2 to 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opinion {
    /// How interesting.
    pub interest: i8,
    /// How difficult.
    pub difficulty: i8,
}

/// The opinions of all people outside studies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Opinions {
    /// How many.
    pub count: i64,
    /// The mean interest.
    pub interest: Option<f64>,
    /// The mean difficulty.
    pub difficulty: Option<f64>,
}

impl Store {
    /// Stores an opinion, replacing an earlier one.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn set_opinion(
        &self,
        person: &str,
        puzzle: &str,
        study: Option<&str>,
        opinion: Opinion,
    ) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        ensure_person(&mut transaction, person).await?;
        sqlx::query(
            "INSERT INTO opinions (person, puzzle, study, interest, difficulty, given) \
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (person, puzzle, study) \
             DO UPDATE SET interest = excluded.interest, difficulty = excluded.difficulty, given = excluded.given",
        )
        .bind(person)
        .bind(puzzle)
        .bind(study.unwrap_or(""))
        .bind(i64::from(opinion.interest))
        .bind(i64::from(opinion.difficulty))
        .bind(now())
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await
    }

    /// A person's own opinion.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn opinion(
        &self,
        person: &str,
        puzzle: &str,
        study: Option<&str>,
    ) -> Result<Option<Opinion>, StoreError> {
        let row = sqlx::query(
            "SELECT interest, difficulty FROM opinions WHERE person = $1 AND puzzle = $2 AND study = $3",
        );
        let row = row.bind(person).bind(puzzle).bind(study.unwrap_or(""));
        let Some(row) = row.fetch_optional(&self.write).await? else { return Ok(None) };
        Ok(Some(Opinion {
            interest: row.try_get::<i64, _>("interest")? as i8,
            difficulty: row.try_get::<i64, _>("difficulty")? as i8,
        }))
    }

    /// The means of all opinions outside studies.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn opinions(&self, puzzle: &str) -> Result<Opinions, StoreError> {
        let row = sqlx::query(
            "SELECT COUNT(*) AS count, AVG(CAST(interest AS DOUBLE PRECISION)) AS interest, \
             AVG(CAST(difficulty AS DOUBLE PRECISION)) AS difficulty FROM opinions WHERE puzzle = $1 AND study = ''",
        );
        let row = row.bind(puzzle).fetch_one(&self.write).await?;
        Ok(Opinions {
            count: row.try_get("count")?,
            interest: row.try_get("interest")?,
            difficulty: row.try_get("difficulty")?,
        })
    }
}
