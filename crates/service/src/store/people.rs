//! People, known by a random id and nothing else, and the ratings of puzzles.

use super::{Store, StoreError, now};
use crate::glicko::Rating;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// A person.
#[derive(Clone, Debug, PartialEq)]
pub struct Person {
    /// The random id.
    pub id: String,
    /// The rating.
    pub rating: Rating,
    /// Attempts that counted.
    pub counted: i64,
    /// Of those, the ones that solved the puzzle.
    pub solved: i64,
    /// Puzzles in a row of the running streak.
    pub streak_count: i64,
    /// The longest streak.
    pub streak_best: i64,
    /// The current puzzle of the streak; `None` if no streak is running.
    pub streak_puzzle: Option<String>,
}

impl Person {
    /// A person who has done nothing yet.
    pub fn new(id: &str) -> Person {
        Person {
            id: id.to_owned(),
            rating: Rating::NEW_PLAYER,
            counted: 0,
            solved: 0,
            streak_count: 0,
            streak_best: 0,
            streak_puzzle: None,
        }
    }
}

/// The rating and the attempts of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PuzzleRecord {
    /// The rating.
    pub rating: Rating,
    /// Attempts that counted.
    pub counted: i64,
    /// Of those, the ones that solved it.
    pub solved: i64,
}

pub(super) fn rating_of(row: &AnyRow) -> Result<Rating, sqlx::Error> {
    Ok(Rating {
        rating: row.try_get("rating")?,
        deviation: row.try_get("deviation")?,
        volatility: row.try_get("volatility")?,
    })
}

impl Store {
    /// A person; a new one if there is no row.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn person(&self, id: &str) -> Result<Person, StoreError> {
        let mut connection = self.read.acquire().await?;
        Ok(person(&mut connection, id).await?.unwrap_or_else(|| Person::new(id)))
    }

    /// The rating of a puzzle; `None` before the first attempt that counted.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn puzzle_record(&self, id: &str) -> Result<Option<PuzzleRecord>, StoreError> {
        let mut connection = self.read.acquire().await?;
        Ok(puzzle_record(&mut connection, id).await?)
    }

    /// Stores the streak of a person.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn set_streak(
        &self,
        id: &str,
        count: i64,
        puzzle: Option<&str>,
    ) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        ensure_person(&mut transaction, id).await?;
        sqlx::query(
            "UPDATE people SET streak_count = $2, streak_puzzle = $3, \
             streak_best = CASE WHEN streak_best > $2 THEN streak_best ELSE $2 END WHERE id = $1",
        )
        .bind(id)
        .bind(count)
        .bind(puzzle)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await
    }

    /// Stores the hash of a transfer code of this person.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn add_transfer(
        &self,
        code: &str,
        person: &str,
        expires: i64,
    ) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        ensure_person(&mut transaction, person).await?;
        sqlx::query("DELETE FROM transfers WHERE expires < $1 OR person = $2")
            .bind(now())
            .bind(person)
            .execute(&mut *transaction)
            .await?;
        sqlx::query("INSERT INTO transfers (code, person, expires) VALUES ($1, $2, $3)")
            .bind(code)
            .bind(person)
            .bind(expires)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await
    }

    /// The person whose transfer code this is. A code is valid once.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn take_transfer(&self, code: &str) -> Result<Option<String>, StoreError> {
        let row =
            sqlx::query("DELETE FROM transfers WHERE code = $1 AND expires >= $2 RETURNING person")
                .bind(code)
                .bind(now())
                .fetch_optional(&self.write)
                .await?;
        Ok(row.map(|row| row.try_get("person")).transpose()?)
    }
}

/// Milliseconds after which the time of a person's last activity is written again.
const SEEN_INTERVAL: i64 = 24 * 3600 * 1000;

/// Makes the row of a person unless there is one, and notes at most once a day that the person is active.
pub(super) async fn ensure_person(
    connection: &mut AnyConnection,
    id: &str,
) -> Result<(), sqlx::Error> {
    let Rating { rating, deviation, volatility } = Rating::NEW_PLAYER;
    sqlx::query(
        "INSERT INTO people (id, created, rating, deviation, volatility, counted, solved, streak_count, \
         streak_best, seen) VALUES ($1, $2, $3, $4, $5, 0, 0, 0, 0, $2) ON CONFLICT (id) DO NOTHING",
    )
    .bind(id)
    .bind(now())
    .bind(rating)
    .bind(deviation)
    .bind(volatility)
    .execute(&mut *connection)
    .await?;
    // Not by the statement above: it would lock the row each time, and two games of the same two people
    // could wait for each other. A time in the future is the trace of a clock that was set back.
    sqlx::query("UPDATE people SET seen = $2 WHERE id = $1 AND (seen < $3 OR seen > $2)")
        .bind(id)
        .bind(now())
        .bind(now() - SEEN_INTERVAL)
        .execute(connection)
        .await?;
    Ok(())
}

/// Locks the row of a person until the transaction ends. A row that is
/// written is locked, in the SQL of every database.
pub(super) async fn lock_person(
    connection: &mut AnyConnection,
    id: &str,
) -> Result<(), sqlx::Error> {
    let locked = sqlx::query("UPDATE people SET counted = counted WHERE id = $1").bind(id);
    locked.execute(connection).await.map(|_| ())
}

/// The same for a puzzle, which starts from this rating.
pub(super) async fn lock_puzzle(
    connection: &mut AnyConnection,
    id: &str,
    start: Rating,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO puzzles (id, rating, deviation, volatility, counted, solved) \
         VALUES ($1, $2, $3, $4, 0, 0) ON CONFLICT (id) DO NOTHING",
    )
    .bind(id)
    .bind(start.rating)
    .bind(start.deviation)
    .bind(start.volatility)
    .execute(&mut *connection)
    .await?;
    let locked = sqlx::query("UPDATE puzzles SET counted = counted WHERE id = $1").bind(id);
    locked.execute(connection).await.map(|_| ())
}

pub(super) async fn person(
    connection: &mut AnyConnection,
    id: &str,
) -> Result<Option<Person>, sqlx::Error> {
    let row = sqlx::query(
        "SELECT id, rating, deviation, volatility, counted, solved, streak_count, streak_best, streak_puzzle \
         FROM people WHERE id = $1",
    );
    let Some(row) = row.bind(id).fetch_optional(connection).await? else { return Ok(None) };
    Ok(Some(Person {
        id: row.try_get("id")?,
        rating: rating_of(&row)?,
        counted: row.try_get("counted")?,
        solved: row.try_get("solved")?,
        streak_count: row.try_get("streak_count")?,
        streak_best: row.try_get("streak_best")?,
        streak_puzzle: row.try_get("streak_puzzle")?,
    }))
}

pub(super) async fn puzzle_record(
    connection: &mut AnyConnection,
    id: &str,
) -> Result<Option<PuzzleRecord>, sqlx::Error> {
    let row = sqlx::query(
        "SELECT rating, deviation, volatility, counted, solved FROM puzzles WHERE id = $1",
    );
    let Some(row) = row.bind(id).fetch_optional(connection).await? else { return Ok(None) };
    Ok(Some(PuzzleRecord {
        rating: rating_of(&row)?,
        counted: row.try_get("counted")?,
        solved: row.try_get("solved")?,
    }))
}
