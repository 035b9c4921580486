//! Studies: which puzzles, who takes part, and what came of it.

use super::people::ensure_person;
use super::{Store, StoreError, now};
use sqlx::Row;
use sqlx::any::AnyRow;

/// A study.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// Its id, random, which is the link for participants.
    pub id: String,
    /// When it was made, in milliseconds since 1970.
    pub created: i64,
    /// What it is called.
    pub title: String,
    /// What participants agree to.
    pub consent: String,
    /// The ids of its puzzles.
    pub puzzles: Vec<String>,
    /// Seconds for each puzzle; 0 for no limit.
    pub limit_seconds: i64,
    /// The study is closed: no more attempts.
    pub closed: bool,
}

/// A participant of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct Participant {
    /// The random name in the study's file, which identifies no person.
    pub code: String,
}

/// A line of a study's file.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyRow {
    /// The puzzle.
    pub puzzle: String,
    /// The participant's code.
    pub person: String,
    /// From -2 to 2.
    pub interest: i64,
    /// From -2 to 2.
    pub difficulty: i64,
    /// How long the attempt took.
    pub seconds: f64,
    /// Whether it was solved.
    pub solved: bool,
    /// Whether the participant knew the puzzle before the attempt began.
    pub seen_before: bool,
}

fn study_of(row: &AnyRow) -> Result<Study, sqlx::Error> {
    let puzzles: String = row.try_get("puzzles")?;
    Ok(Study {
        id: row.try_get("id")?,
        created: row.try_get("created")?,
        title: row.try_get("title")?,
        consent: row.try_get("consent")?,
        puzzles: puzzles.split_whitespace().map(str::to_owned).collect(),
        limit_seconds: row.try_get("limit_seconds")?,
        closed: row.try_get::<i64, _>("closed")? != 0,
    })
}

impl Store {
    /// Stores a new study.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn add_study(&self, study: &Study) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO studies (id, created, title, consent, puzzles, limit_seconds, closed) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(&study.id)
        .bind(study.created)
        .bind(&study.title)
        .bind(&study.consent)
        .bind(study.puzzles.join(" "))
        .bind(study.limit_seconds)
        .bind(i64::from(study.closed))
        .execute(&self.write)
        .await?;
        Ok(())
    }

    /// Opens or closes a study.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn close_study(&self, id: &str, closed: bool) -> Result<bool, StoreError> {
        let done = sqlx::query("UPDATE studies SET closed = $2 WHERE id = $1")
            .bind(id)
            .bind(i64::from(closed));
        Ok(done.execute(&self.write).await?.rows_affected() == 1)
    }

    /// A study by its id.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn study(&self, id: &str) -> Result<Option<Study>, StoreError> {
        let row = sqlx::query("SELECT * FROM studies WHERE id = $1").bind(id);
        let row = row.fetch_optional(&self.read).await?;
        Ok(row.as_ref().map(study_of).transpose()?)
    }

    /// All studies with the number of their participants, the newest first.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn studies(&self) -> Result<Vec<(Study, i64)>, StoreError> {
        let rows = sqlx::query(
            "SELECT studies.*, (SELECT COUNT(*) FROM participants WHERE study = id) AS people \
             FROM studies ORDER BY created DESC LIMIT 500",
        );
        let rows = rows.fetch_all(&self.read).await?;
        let each = rows.iter().map(|row| Ok((study_of(row)?, row.try_get("people")?)));
        Ok(each.collect::<Result<_, sqlx::Error>>()?)
    }

    /// Notes that a person agreed to take part, under this code unless there is one already.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn take_part(&self, study: &str, person: &str, code: &str) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        ensure_person(&mut transaction, person).await?;
        sqlx::query(
            "INSERT INTO participants (study, person, code, consented) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (study, person) DO NOTHING",
        )
        .bind(study)
        .bind(person)
        .bind(code)
        .bind(now())
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await
    }

    /// Whether and as whom a person takes part.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn participant(
        &self,
        study: &str,
        person: &str,
    ) -> Result<Option<Participant>, StoreError> {
        let row = sqlx::query("SELECT code FROM participants WHERE study = $1 AND person = $2");
        let row = row.bind(study).bind(person).fetch_optional(&self.write).await?;
        Ok(row.map(|row| row.try_get("code")).transpose()?.map(|code| Participant { code }))
    }

    /// The puzzles of a study that a person has answered the questions about.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn answered(&self, study: &str, person: &str) -> Result<Vec<String>, StoreError> {
        let rows = sqlx::query("SELECT puzzle FROM opinions WHERE study = $1 AND person = $2");
        let rows = rows.bind(study).bind(person).fetch_all(&self.write).await?;
        let each = rows.iter().map(|row| row.try_get("puzzle"));
        Ok(each.collect::<Result<_, sqlx::Error>>()?)
    }

    /// Whether a person has begun a puzzle of a study.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn has_study_attempt(
        &self,
        study: &str,
        person: &str,
        puzzle: &str,
    ) -> Result<bool, StoreError> {
        let row = sqlx::query(
            "SELECT COUNT(*) AS count FROM attempts WHERE study = $1 AND person = $2 AND puzzle = $3",
        );
        let row = row.bind(study).bind(person).bind(puzzle).fetch_one(&self.write).await?;
        Ok(row.try_get::<i64, _>("count")? > 0)
    }

    /// Every answer of a study: what `spuk train` reads.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn study_rows(&self, study: &str) -> Result<Vec<StudyRow>, StoreError> {
        let rows = sqlx::query(
            "SELECT opinions.puzzle AS puzzle, code, interest, difficulty, attempts.seconds AS seconds, \
             attempts.outcome AS outcome, attempts.seen_before AS seen_before FROM opinions \
             JOIN participants ON participants.study = opinions.study AND participants.person = opinions.person \
             JOIN attempts ON attempts.study = opinions.study AND attempts.person = opinions.person \
             AND attempts.puzzle = opinions.puzzle \
             WHERE opinions.study = $1 ORDER BY code, given",
        );
        let rows = rows.bind(study).fetch_all(&self.read).await?;
        let each = rows.iter().map(|row| {
            let outcome: Option<String> = row.try_get("outcome")?;
            Ok(StudyRow {
                puzzle: row.try_get("puzzle")?,
                person: row.try_get("code")?,
                interest: row.try_get("interest")?,
                difficulty: row.try_get("difficulty")?,
                seconds: row.try_get::<Option<f64>, _>("seconds")?.unwrap_or(0.0),
                solved: outcome.as_deref() == Some("solved"),
                seen_before: row.try_get::<i64, _>("seen_before")? != 0,
            })
        });
        Ok(each.collect::<Result<_, sqlx::Error>>()?)
    }
}
