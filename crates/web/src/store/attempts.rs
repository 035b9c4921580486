//! Attempts at puzzles: each judged move is kept before it is answered.

use super::people::{ensure_person, lock_person, lock_puzzle, person, puzzle_record};
use super::{Store, StoreError, now};
use puzzle::glicko::{self, Rating};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// How an attempt stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Nothing is decided.
    Open,
    /// A move gave the win away, or time ran out. One may go on, for practice.
    Failed,
    /// The puzzle was won.
    Solved,
    /// The solution was asked for.
    Shown,
}

impl State {
    const ALL: [State; 4] = [State::Open, State::Failed, State::Solved, State::Shown];

    /// Its name in the database and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            State::Open => "open",
            State::Failed => "failed",
            State::Solved => "solved",
            State::Shown => "shown",
        }
    }

    fn from_name(name: &str) -> State {
        State::ALL.into_iter().find(|state| state.name() == name).unwrap_or(State::Shown)
    }
}

/// An attempt that begins.
#[derive(Clone, Debug)]
pub struct NewAttempt<'a> {
    /// Its id, random.
    pub id: &'a str,
    /// Who.
    pub person: &'a str,
    /// Which puzzle.
    pub puzzle: &'a str,
    /// Where from: `puzzle`, `daily`, `review`, `streak` or `study`.
    pub mode: &'a str,
    /// The study it belongs to.
    pub study: Option<&'a str>,
    /// When, in milliseconds since 1970.
    pub started: i64,
    /// Plies of the shortest win.
    pub plies: u32,
    /// Anew, even if another one is open; never in a study.
    pub again: bool,
}

/// An attempt.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// Its id.
    pub id: String,
    /// Who.
    pub person: String,
    /// Which puzzle.
    pub puzzle: String,
    /// Where from.
    pub mode: String,
    /// The study it belongs to.
    pub study: Option<String>,
    /// When it began, in milliseconds since 1970.
    pub started: i64,
    /// The plies so far, both sides', as texts joined by blanks.
    pub moves: String,
    /// Plies of the shortest win from here; `None` once it is lost.
    pub plies: Option<u32>,
    /// The same before the last own move, if that may be taken back.
    pub back_plies: Option<u32>,
    /// How it stands.
    pub state: State,
    /// Whether it counts for the ratings.
    pub counts: bool,
    /// The square of the last hint.
    pub hint: Option<String>,
    /// What it came to when it was decided.
    pub outcome: Option<State>,
    /// How long that took.
    pub seconds: Option<f64>,
    /// Plies that the win took beyond the shortest.
    pub longer_by: u32,
    /// The person's rating before and after.
    pub ratings: Option<(f64, f64)>,
    changes: i64,
}

impl Attempt {
    /// The plies so far.
    pub fn plies_played(&self) -> usize {
        self.moves.split_whitespace().count()
    }
}

/// How an attempt is decided, which happens once.
#[derive(Clone, Copy, Debug)]
pub struct Finish {
    /// Solved, failed or shown.
    pub outcome: State,
    /// The rating a puzzle starts from that nobody has tried.
    pub puzzle_start: Rating,
    /// No attempt took longer: who comes back a day after the time ran out has not thought all day.
    pub most_seconds: f64,
}

fn attempt_of(row: &AnyRow) -> Result<Attempt, sqlx::Error> {
    let plies =
        |name| row.try_get::<Option<i64>, _>(name).map(|plies| plies.map(|plies| plies as u32));
    let before: Option<f64> = row.try_get("rating_before")?;
    let after: Option<f64> = row.try_get("rating_after")?;
    let outcome: Option<String> = row.try_get("outcome")?;
    Ok(Attempt {
        id: row.try_get("id")?,
        person: row.try_get("person")?,
        puzzle: row.try_get("puzzle")?,
        mode: row.try_get("mode")?,
        study: row.try_get("study")?,
        started: row.try_get("started")?,
        moves: row.try_get("moves")?,
        plies: plies("plies")?,
        back_plies: plies("back_plies")?,
        state: State::from_name(&row.try_get::<String, _>("state")?),
        counts: row.try_get::<i64, _>("counts")? != 0,
        hint: row.try_get("hint")?,
        outcome: outcome.map(|outcome| State::from_name(&outcome)),
        seconds: row.try_get("seconds")?,
        longer_by: row.try_get::<i64, _>("longer_by")? as u32,
        ratings: before.zip(after),
        changes: row.try_get("changes")?,
    })
}

impl Store {
    /// Begins an attempt, or goes on with the open one of this person at this puzzle; in a study
    /// with the only one there is. It counts if it belongs to no study and is the first.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn begin_attempt(&self, new: &NewAttempt<'_>) -> Result<Attempt, StoreError> {
        let mut transaction = self.begin().await?;
        ensure_person(&mut transaction, new.person).await?;
        // Of two requests at the same moment, the second one finds what the first one began.
        lock_person(&mut transaction, new.person).await?;
        let found = sqlx::query(
            "SELECT * FROM attempts WHERE person = $1 AND puzzle = $2 AND COALESCE(study, '') = $3 \
             ORDER BY started DESC LIMIT 1",
        )
        .bind(new.person)
        .bind(new.puzzle)
        .bind(new.study.unwrap_or(""))
        .fetch_optional(&mut *transaction)
        .await?;
        let last = found.as_ref().map(attempt_of).transpose()?;
        let goes_on =
            |last: &Attempt| new.study.is_some() || (last.state == State::Open && !new.again);
        if let Some(mut open) = last.clone().filter(goes_on) {
            if new.mode == "streak" && open.mode != new.mode {
                adopt_mode(&mut transaction, &mut open, new.mode).await?;
            }
            transaction.commit().await?;
            return Ok(open);
        }
        // Whatever is said about the time before, the last attempt is the one that began last.
        let earliest = last.as_ref().map_or(i64::MIN, |last| last.started + 1);
        sqlx::query(
            "INSERT INTO attempts (id, person, puzzle, mode, study, started, moves, plies, state, counts, \
             longer_by, changes) VALUES ($1, $2, $3, $4, $5, $6, '', $7, 'open', $8, 0, 0)",
        )
        .bind(new.id)
        .bind(new.person)
        .bind(new.puzzle)
        .bind(new.mode)
        .bind(new.study)
        .bind(new.started.max(earliest))
        .bind(i64::from(new.plies))
        .bind(i64::from(last.is_none() && new.study.is_none()))
        .execute(&mut *transaction)
        .await?;
        let row = sqlx::query("SELECT * FROM attempts WHERE id = $1").bind(new.id);
        let attempt = attempt_of(&row.fetch_one(&mut *transaction).await?)?;
        transaction.commit().await?;
        Ok(attempt)
    }

    /// An attempt by its id.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn attempt(&self, id: &str) -> Result<Option<Attempt>, StoreError> {
        let row = sqlx::query("SELECT * FROM attempts WHERE id = $1").bind(id);
        // From the writing side: what was just answered has to be seen.
        let row = row.fetch_optional(&self.write).await?;
        Ok(row.as_ref().map(attempt_of).transpose()?)
    }

    /// The last attempt of a person at a puzzle outside studies.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn last_attempt(
        &self,
        person: &str,
        puzzle: &str,
    ) -> Result<Option<Attempt>, StoreError> {
        let row = sqlx::query(
            "SELECT * FROM attempts WHERE person = $1 AND puzzle = $2 AND study IS NULL \
             ORDER BY started DESC LIMIT 1",
        );
        let row = row.bind(person).bind(puzzle).fetch_optional(&self.read).await?;
        Ok(row.as_ref().map(attempt_of).transpose()?)
    }

    /// The puzzle of the last attempt of a person that is open and has moves, outside studies.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn open_attempt(&self, person: &str) -> Result<Option<String>, StoreError> {
        let row = sqlx::query(
            "SELECT puzzle FROM attempts WHERE person = $1 AND study IS NULL AND state = 'open' \
             AND moves <> '' ORDER BY started DESC LIMIT 1",
        );
        let row = row.bind(person).fetch_optional(&self.read).await?;
        Ok(row.map(|row| row.try_get("puzzle")).transpose()?)
    }

    /// Whether a person has decided an attempt at a puzzle, in a study or outside of all.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn is_decided(
        &self,
        person: &str,
        puzzle: &str,
        study: Option<&str>,
    ) -> Result<bool, StoreError> {
        let row = sqlx::query(
            "SELECT COUNT(*) AS count FROM attempts WHERE person = $1 AND puzzle = $2 \
             AND COALESCE(study, '') = $3 AND outcome IS NOT NULL",
        );
        let row = row.bind(person).bind(puzzle).bind(study.unwrap_or(""));
        Ok(row.fetch_one(&self.write).await?.try_get::<i64, _>("count")? > 0)
    }

    /// Keeps an attempt as it now stands, and decides it if `finish` says so: then the ratings of
    /// person and puzzle move, if it counts.
    ///
    /// # Errors
    /// If the database fails, or the attempt was changed since it was read.
    pub async fn keep_attempt(
        &self,
        attempt: &mut Attempt,
        finish: Option<Finish>,
    ) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        if let Some(finish) = finish.filter(|_| attempt.outcome.is_none()) {
            attempt.outcome = Some(finish.outcome);
            let seconds = (now() - attempt.started).max(0) as f64 / 1000.0;
            attempt.seconds = Some(seconds.min(finish.most_seconds));
            if attempt.counts {
                let solved = finish.outcome == State::Solved;
                attempt.ratings =
                    Some(rate(&mut transaction, attempt, solved, finish.puzzle_start).await?);
            }
        }
        let plies = |plies: Option<u32>| plies.map(i64::from);
        let kept = sqlx::query(
            "UPDATE attempts SET moves = $3, plies = $4, back_plies = $5, state = $6, counts = $7, hint = $8, \
             outcome = $9, seconds = NULLIF($10, -1e9), longer_by = $11, finished = $12, rating_before = NULLIF($13, -1e9), \
             rating_after = NULLIF($14, -1e9), changes = changes + 1 WHERE id = $1 AND changes = $2",
        )
        .bind(&attempt.id)
        .bind(attempt.changes)
        .bind(&attempt.moves)
        .bind(plies(attempt.plies))
        .bind(plies(attempt.back_plies))
        .bind(attempt.state.name())
        .bind(i64::from(attempt.counts))
        .bind(attempt.hint.as_deref())
        .bind(attempt.outcome.map(State::name))
        .bind(or_none(attempt.seconds))
        .bind(i64::from(attempt.longer_by))
        .bind(attempt.outcome.map(|_| now()))
        .bind(or_none(attempt.ratings.map(|(before, _)| before)))
        .bind(or_none(attempt.ratings.map(|(_, after)| after)))
        .execute(&mut *transaction)
        .await?;
        if kept.rows_affected() != 1 {
            return Err(StoreError::Conflict);
        }
        transaction.commit().await?;
        attempt.changes += 1;
        Ok(())
    }
}

/// A number for `NULLIF($n, -1e9)`. The driver for any database sends a missing `f64` as one of
/// four bytes; PostgreSQL then takes the next one, of eight, by the same statement for damaged.
fn or_none(number: Option<f64>) -> f64 {
    number.unwrap_or(-1e9)
}

/// Makes an open attempt one of a streak: what was begun elsewhere is decided there.
async fn adopt_mode(
    connection: &mut AnyConnection,
    attempt: &mut Attempt,
    mode: &str,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE attempts SET mode = $2, changes = changes + 1 WHERE id = $1")
        .bind(&attempt.id)
        .bind(mode)
        .execute(connection)
        .await?;
    attempt.mode = mode.to_owned();
    attempt.changes += 1;
    Ok(())
}

/// Moves the ratings of person and puzzle by one attempt; the person's before and after. Both rows
/// are locked before they are read, always in this order, so that many people may solve the same
/// puzzle at the same moment.
async fn rate(
    connection: &mut AnyConnection,
    attempt: &Attempt,
    solved: bool,
    puzzle_start: Rating,
) -> Result<(f64, f64), StoreError> {
    lock_person(connection, &attempt.person).await?;
    lock_puzzle(connection, &attempt.puzzle, puzzle_start).await?;
    let player = person(connection, &attempt.person).await?.ok_or(StoreError::Conflict)?;
    let puzzle = puzzle_record(connection, &attempt.puzzle).await?.ok_or(StoreError::Conflict)?;
    let (player_after, puzzle_after) = glicko::after(player.rating, puzzle.rating, solved);
    let changes = [
        (
            "UPDATE people SET rating = $2, deviation = $3, volatility = $4, counted = counted + 1, \
             solved = solved + $5 WHERE id = $1",
            &attempt.person,
            player_after,
        ),
        (
            "UPDATE puzzles SET rating = $2, deviation = $3, volatility = $4, counted = counted + 1, \
             solved = solved + $5 WHERE id = $1",
            &attempt.puzzle,
            puzzle_after,
        ),
    ];
    for (statement, id, Rating { rating, deviation, volatility }) in changes {
        sqlx::query(statement)
            .bind(id)
            .bind(rating)
            .bind(deviation)
            .bind(volatility)
            .bind(i64::from(solved))
            .execute(&mut *connection)
            .await?;
    }
    Ok((player.rating.rating, player_after.rating))
}
