//! Attempts at puzzles: each judged move is stored before the response.

use super::exposures::was_exposed;
use super::people::{ensure_person, lock_person, lock_puzzle, person, puzzle_record};
use super::rating_marks::{DAY, Marks};
use super::{Charge, Store, StoreError, now, usage};
use crate::glicko::{self, Rating};
use crate::rating_policy::{HISTORY_DAYS, History, Unrated, weigh};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// The state of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptState {
    /// Nothing is decided.
    Open,
    /// A move lost the win, or time ran out. The attempt may continue, for practice.
    Failed,
    /// The puzzle was won.
    Solved,
    /// The solution was asked for.
    Shown,
}

impl AttemptState {
    const ALL: [AttemptState; 4] =
        [AttemptState::Open, AttemptState::Failed, AttemptState::Solved, AttemptState::Shown];

    /// Its name in the database and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            AttemptState::Open => "open",
            AttemptState::Failed => "failed",
            AttemptState::Solved => "solved",
            AttemptState::Shown => "shown",
        }
    }

    fn from_name(name: &str) -> AttemptState {
        AttemptState::ALL
            .into_iter()
            .find(|state| state.name() == name)
            .unwrap_or(AttemptState::Shown)
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
    /// Who pays for it, if it begins.
    pub charge: Option<Charge>,
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
    pub state: AttemptState,
    /// Whether it counts for the ratings.
    pub counts: bool,
    /// The square of the last hint.
    pub hint: Option<String>,
    /// What it came to when it was decided.
    pub outcome: Option<AttemptState>,
    /// How long that took.
    pub seconds: Option<f64>,
    /// Plies that the win took beyond the shortest.
    pub longer_by: u32,
    /// The person's rating before and after.
    pub ratings: Option<(f64, f64)>,
    /// The fraction of a full Glicko-2 step that this was.
    pub weight: f64,
    /// Why no rating moved, once it is decided.
    pub unrated: Option<Unrated>,
    /// The rating of the puzzle moved.
    pub puzzle_moved: bool,
    /// In a study: the person knew the puzzle before this attempt began.
    pub seen_before: bool,
    changes: i64,
}

impl Attempt {
    /// Why it cannot move a rating, whatever comes of it.
    fn against(&self) -> Option<Unrated> {
        match (&self.study, &self.hint, self.counts) {
            (Some(_), ..) => Some(Unrated::Study),
            (None, _, true) => None,
            (None, Some(_), false) => Some(Unrated::Hint),
            (None, None, false) => Some(Unrated::Repeated),
        }
    }
}

/// What was decided about the ratings, for the counters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// Why nothing moved.
    pub unrated: Option<Unrated>,
    /// The result, if the attempt was a person's first at the puzzle, without help.
    pub observed: Option<Observed>,
}

/// The result of a first attempt, whether a rating moved by it or not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observed {
    /// What was known of the person before.
    pub history: History,
    /// The probability of solving it, by the ratings before.
    pub probability: f64,
    /// It was solved.
    pub solved: bool,
    /// The rating of the puzzle moved.
    pub puzzle_moved: bool,
}

/// How an attempt is decided, which happens once.
#[derive(Clone, Copy, Debug)]
pub struct Finish {
    /// Solved, failed or shown.
    pub outcome: AttemptState,
    /// The initial rating of the puzzle.
    pub puzzle_start: Rating,
    /// The longest time that is recorded: a person who returns a day after the time ran out did not think all day.
    pub max_seconds: f64,
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
        state: AttemptState::from_name(&row.try_get::<String, _>("state")?),
        counts: row.try_get::<i64, _>("counts")? != 0,
        hint: row.try_get("hint")?,
        outcome: outcome.map(|outcome| AttemptState::from_name(&outcome)),
        seconds: row.try_get("seconds")?,
        longer_by: row.try_get::<i64, _>("longer_by")? as u32,
        ratings: before.zip(after),
        weight: row.try_get("rating_weight")?,
        unrated: Unrated::from_name(&row.try_get::<String, _>("unrated")?),
        puzzle_moved: row.try_get::<i64, _>("puzzle_moved")? != 0,
        seen_before: row.try_get::<i64, _>("seen_before")? != 0,
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
        let goes_on = |last: &Attempt| {
            new.study.is_some() || (last.state == AttemptState::Open && !new.again)
        };
        if let Some(mut open) = last.clone().filter(goes_on) {
            if new.mode == "streak" && open.mode != new.mode {
                adopt_mode(&mut transaction, &mut open, new.mode).await?;
            }
            transaction.commit().await?;
            return Ok(open);
        }
        if let Some(charge) = &new.charge {
            usage::pay(&mut transaction, charge).await?;
        }
        // Whatever is said about the time before, the last attempt is the one that began last.
        let earliest = last.as_ref().map_or(i64::MIN, |last| last.started + 1);
        let seen_before = match new.study {
            Some(study) => was_exposed(&mut transaction, new.person, new.puzzle, study).await?,
            None => false,
        };
        sqlx::query(
            "INSERT INTO attempts (id, person, puzzle, mode, study, started, moves, plies, state, counts, \
             longer_by, seen_before, changes) VALUES ($1, $2, $3, $4, $5, $6, '', $7, 'open', $8, 0, $9, 0)",
        )
        .bind(new.id)
        .bind(new.person)
        .bind(new.puzzle)
        .bind(new.mode)
        .bind(new.study)
        .bind(new.started.max(earliest))
        .bind(i64::from(new.plies))
        .bind(i64::from(last.is_none() && new.study.is_none()))
        .bind(i64::from(seen_before))
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
    /// person and puzzle move, as far as the rating policy lets them. `address` is where the request
    /// came from, of which only a keyed hash is kept.
    ///
    /// # Errors
    /// If the database fails, or the attempt was changed since it was read.
    pub async fn keep_attempt(
        &self,
        attempt: &mut Attempt,
        finish: Option<Finish>,
        address: &str,
    ) -> Result<Option<Decision>, StoreError> {
        let puzzle = attempt.puzzle.clone();
        let marks = self.marks(&puzzle, address).await?;
        let mut transaction = self.begin().await?;
        let decision = match finish.filter(|_| attempt.outcome.is_none()) {
            Some(finish) => Some(decide(&mut transaction, attempt, &finish, &marks).await?),
            None => None,
        };
        // With every move: each answer says something about the solution.
        marks.add(&mut transaction, &attempt.person).await?;
        let plies = |plies: Option<u32>| plies.map(i64::from);
        let kept = sqlx::query(
            "UPDATE attempts SET moves = $3, plies = $4, back_plies = $5, state = $6, counts = $7, hint = $8, \
             outcome = $9, seconds = NULLIF($10, -1e9), longer_by = $11, finished = $12, rating_before = NULLIF($13, -1e9), \
             rating_after = NULLIF($14, -1e9), rating_weight = $15, unrated = $16, puzzle_moved = $17, \
             changes = changes + 1 WHERE id = $1 AND changes = $2",
        )
        .bind(&attempt.id)
        .bind(attempt.changes)
        .bind(&attempt.moves)
        .bind(plies(attempt.plies))
        .bind(plies(attempt.back_plies))
        .bind(attempt.state.name())
        .bind(i64::from(attempt.counts))
        .bind(attempt.hint.as_deref())
        .bind(attempt.outcome.map(AttemptState::name))
        .bind(or_none(attempt.seconds))
        .bind(i64::from(attempt.longer_by))
        .bind(attempt.outcome.map(|_| now()))
        .bind(or_none(attempt.ratings.map(|(before, _)| before)))
        .bind(or_none(attempt.ratings.map(|(_, after)| after)))
        .bind(attempt.weight)
        .bind(attempt.unrated.map_or("", Unrated::name))
        .bind(i64::from(attempt.puzzle_moved))
        .execute(&mut *transaction)
        .await?;
        if kept.rows_affected() != 1 {
            return Err(StoreError::Conflict);
        }
        transaction.commit().await?;
        attempt.changes += 1;
        Ok(decision)
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

/// Decides an attempt, and moves the ratings unless something speaks against it.
async fn decide(
    connection: &mut AnyConnection,
    attempt: &mut Attempt,
    finish: &Finish,
    marks: &Marks<'_>,
) -> Result<Decision, StoreError> {
    attempt.outcome = Some(finish.outcome);
    let seconds = (now() - attempt.started).max(0) as f64 / 1000.0;
    attempt.seconds = Some(seconds.min(finish.max_seconds));
    attempt.unrated = attempt.against();
    let observed = match attempt.unrated {
        Some(_) => None,
        None => Some(rate(connection, attempt, finish, marks).await?),
    };
    Ok(Decision { unrated: attempt.unrated, observed })
}

/// Moves the ratings of person and puzzle by one attempt. Both rows are locked before they are read,
/// always in this order, so that many people may solve the same puzzle at the same moment; and of two
/// identities at the same address the second one finds the mark of the first.
async fn rate(
    connection: &mut AnyConnection,
    attempt: &mut Attempt,
    finish: &Finish,
    marks: &Marks<'_>,
) -> Result<Observed, StoreError> {
    lock_person(connection, &attempt.person).await?;
    lock_puzzle(connection, &attempt.puzzle, finish.puzzle_start).await?;
    let player = person(connection, &attempt.person).await?.ok_or(StoreError::Conflict)?;
    let puzzle = puzzle_record(connection, &attempt.puzzle).await?.ok_or(StoreError::Conflict)?;
    let history = history(connection, &attempt.person, player.counted).await?;
    let others = marks.has_others(connection, &attempt.person).await?;
    let solved = finish.outcome == AttemptState::Solved;
    let probability = player.rating.probability_against(puzzle.rating);
    match weigh(history, others.then_some(Unrated::SameAddress)) {
        Err(reason) => attempt.unrated = Some(reason),
        Ok(weights) => {
            let (player_after, puzzle_after) = glicko::after(player.rating, puzzle.rating, solved);
            let after = player.rating.moved(player_after, weights.player);
            set_rating(connection, Rated::Person, &attempt.person, after, solved).await?;
            attempt.ratings = Some((player.rating.rating, after.rating));
            attempt.weight = weights.player;
            attempt.puzzle_moved = weights.puzzle > 0.0;
            if attempt.puzzle_moved {
                let after = puzzle.rating.moved(puzzle_after, weights.puzzle);
                set_rating(connection, Rated::Puzzle, &attempt.puzzle, after, solved).await?;
            }
        }
    }
    Ok(Observed { history, probability, solved, puzzle_moved: attempt.puzzle_moved })
}

/// What is known of a person, who has this number of counted attempts. Days are counted to no more than
/// two, so that the first and the last one say enough.
async fn history(
    connection: &mut AnyConnection,
    person: &str,
    counted: i64,
) -> Result<History, StoreError> {
    let row = sqlx::query(
        "SELECT COALESCE(MIN(finished), 0) AS first, COALESCE(MAX(finished), 0) AS last FROM attempts \
         WHERE person = $1 AND rating_after IS NOT NULL",
    );
    let row = row.bind(person).fetch_one(connection).await?;
    let day = |name| row.try_get::<i64, _>(name).map(|at| at.div_euclid(DAY));
    let days = if day("first")? == day("last")? { 1 } else { HISTORY_DAYS };
    Ok(History { counted, days: if counted == 0 { 0 } else { days } })
}

/// What has a rating.
#[derive(Clone, Copy)]
enum Rated {
    Person,
    Puzzle,
}

async fn set_rating(
    connection: &mut AnyConnection,
    what: Rated,
    id: &str,
    Rating { rating, deviation, volatility }: Rating,
    solved: bool,
) -> Result<(), StoreError> {
    let statement = match what {
        Rated::Person => {
            "UPDATE people SET rating = $2, deviation = $3, volatility = $4, counted = counted + 1, \
             solved = solved + $5 WHERE id = $1"
        }
        Rated::Puzzle => {
            "UPDATE puzzles SET rating = $2, deviation = $3, volatility = $4, counted = counted + 1, \
             solved = solved + $5 WHERE id = $1"
        }
    };
    sqlx::query(statement)
        .bind(id)
        .bind(rating)
        .bind(deviation)
        .bind(volatility)
        .bind(i64::from(solved))
        .execute(connection)
        .await?;
    Ok(())
}
