//! Attempts: begin, play, take back, ask for a hint or for the solution.

use super::view::{AttemptView, JudgementView, start_rating};
use crate::app::{App, Asker, Shared};
use crate::catalogue::Found;
use crate::extract::{Json, Path};
use crate::identity::random_text;
use crate::problem::Problem;
use crate::quota;
use crate::rate::Work;
use crate::scheduler::Lane;
use crate::solving::Course;
use crate::store::{Attempt, Finish, NewAttempt, State, now};
use axum::extract::State as Extract;
use axum::http::StatusCode;
use games::geister::Move;
use geister::judge::{self, Patience};
use serde::Deserialize;

/// How an attempt begins.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Begin {
    #[serde(default)]
    mode: Mode,
    /// Begins anew, even if an attempt is open.
    #[serde(default)]
    again: bool,
    /// Seconds the puzzle was looked at before.
    #[serde(default)]
    waited: f64,
}

/// Where an attempt outside studies comes from.
#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Mode {
    #[default]
    Puzzle,
    Daily,
    Review,
    Streak,
}

impl Mode {
    const fn name(self) -> &'static str {
        match self {
            Mode::Puzzle => "puzzle",
            Mode::Daily => "daily",
            Mode::Review => "review",
            Mode::Streak => "streak",
        }
    }
}

/// A move.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Play {
    #[serde(rename = "move")]
    mv: String,
    ply: usize,
}

type Answer = Result<axum::Json<AttemptView>, Problem>;

/// Nobody looks at a puzzle for longer than this before the first move.
const LONGEST_THOUGHT: f64 = 3600.0;

/// A move that comes a little late by the network is still in time.
const GRACE_SECONDS: i64 = 2;

pub(super) async fn begin(
    Extract(app): Extract<Shared>,
    asker: Asker,
    Path(id): Path,
    Json(body): Json<Begin>,
) -> Answer {
    asker.pay(Work::Solving)?;
    let entry = app.puzzle(&id).await?;
    let thought = body.waited.clamp(0.0, LONGEST_THOUGHT) * 1000.0;
    let new = NewAttempt {
        id: &random_text(20),
        person: &asker.visitor.id,
        puzzle: &id,
        mode: body.mode.name(),
        study: None,
        started: now() - thought as i64,
        plies: entry.puzzle.m_win,
        again: body.again,
        charge: app.charge(&asker, quota::ATTEMPT),
    };
    let attempt = app.store.begin_attempt(&new).await?;
    let desk = Desk::with(&app, &asker, entry, attempt).await?;
    desk.view().await
}

/// Starts the clock of the next puzzle of a study, or resumes the one whose clock is running: only now
/// is the participant shown which puzzle it is.
pub(super) async fn next_in_study(
    Extract(app): Extract<Shared>,
    asker: Asker,
    Path(study): Path,
) -> Answer {
    asker.pay(Work::Solving)?;
    let puzzle = crate::study::next_puzzle(&app, &study, &asker.visitor.id).await?;
    let entry = app.puzzle(&puzzle).await?;
    let new = NewAttempt {
        id: &random_text(20),
        person: &asker.visitor.id,
        puzzle: &puzzle,
        mode: "study",
        study: Some(&study),
        started: now(),
        plies: entry.puzzle.m_win,
        again: false,
        charge: app.charge(&asker, quota::ATTEMPT),
    };
    let attempt = app.store.begin_attempt(&new).await?;
    Desk::with(&app, &asker, entry, attempt).await?.view().await
}

pub(super) async fn get(Extract(app): Extract<Shared>, asker: Asker, Path(id): Path) -> Answer {
    Desk::open(&app, &asker, &id).await?.view().await
}

pub(super) async fn play(
    Extract(app): Extract<Shared>,
    asker: Asker,
    Path(id): Path,
    Json(body): Json<Play>,
) -> Answer {
    asker.pay(Work::Solving)?;
    let mv: Move = body.mv.parse().map_err(|_| Problem::bad("bad-move"))?;
    let mut desk = Desk::open(&app, &asker, &id).await?;
    // The answer to the same move was lost on the way: here is how things stand.
    let played = desk.course.events.get(body.ply).map(|ply| ply.mv);
    if played == Some(mv) {
        return desk.view().await;
    }
    if body.ply != desk.course.events.len() {
        return Err(Problem::conflict("out-of-step"));
    }
    let plies = desk.course.expect_move(mv)?;
    let position = desk.course.position;
    // The record of a puzzle proves more about first moves than there is time for here.
    let first_moves = desk.entry.puzzle.first_moves.iter();
    let mut known = first_moves.filter(|first| first.mv == mv && body.ply == 0);
    let known = known.next().map(|first| first.verdict);
    let judged = app
        .solve(Lane::Interactive, &asker.client(), move |solver, _| {
            judge::judge(solver, &position, plies, mv, known, Patience::default())
        })
        .await?;
    let judgement = judged.map_err(|_| too_hard())?;
    let decided = desk.course.advance(mv, &judgement, desk.entry.puzzle.m_win);
    desk.keep(decided).await?;
    let view = JudgementView::new(&desk.course, &judgement);
    let mut answer = desk.view().await?;
    answer.0.judgement = Some(view);
    Ok(answer)
}

pub(super) async fn back(Extract(app): Extract<Shared>, asker: Asker, Path(id): Path) -> Answer {
    asker.pay(Work::Solving)?;
    let mut desk = Desk::open(&app, &asker, &id).await?;
    desk.course.back(&desk.entry)?;
    desk.keep(None).await?;
    desk.view().await
}

pub(super) async fn hint(Extract(app): Extract<Shared>, asker: Asker, Path(id): Path) -> Answer {
    asker.pay(Work::Solving)?;
    let mut desk = Desk::open(&app, &asker, &id).await?;
    if desk.course.is_over() {
        return Err(Problem::conflict("attempt-over"));
    }
    if desk.course.attempt.study.is_some() {
        return Err(Problem::conflict("no-hints-in-studies"));
    }
    let plies = desk.course.attempt.plies.ok_or(Problem::conflict("take-back-first"))?;
    let position = desk.course.position;
    let found = app
        .solve(Lane::Interactive, &asker.client(), move |solver, _| {
            judge::hint(solver, &position, plies, Patience::default())
        })
        .await?;
    let mv = found.ok().flatten().ok_or_else(too_hard)?;
    desk.course.attempt.hint = Some(mv.from().to_string());
    desk.course.attempt.counts = false;
    desk.keep(None).await?;
    desk.view().await
}

pub(super) async fn solution(
    Extract(app): Extract<Shared>,
    asker: Asker,
    Path(id): Path,
) -> Answer {
    asker.pay(Work::Solving)?;
    let mut desk = Desk::open(&app, &asker, &id).await?;
    if !desk.course.is_over() {
        desk.course.attempt.state = State::Shown;
        desk.keep(Some(State::Shown)).await?;
    }
    desk.view().await
}

/// The judge's patience ended: rare, and said so.
fn too_hard() -> Problem {
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "too-hard")
}

/// An attempt with everything around it.
struct Desk<'a> {
    app: &'a App,
    asker: &'a Asker,
    entry: Found<'a>,
    course: Course,
    limit: Option<i64>,
}

impl<'a> Desk<'a> {
    /// An attempt of the asker.
    async fn open(app: &'a App, asker: &'a Asker, id: &str) -> Result<Desk<'a>, Problem> {
        let attempt = app.store.attempt(id).await?;
        let attempt = attempt.filter(|attempt| attempt.person == asker.visitor.id);
        let attempt = attempt.ok_or(Problem::NOT_FOUND)?;
        let entry = app.puzzle(&attempt.puzzle).await?;
        Desk::with(app, asker, entry, attempt).await
    }

    /// The attempt, with its time run out if it has.
    async fn with(
        app: &'a App,
        asker: &'a Asker,
        entry: Found<'a>,
        attempt: Attempt,
    ) -> Result<Desk<'a>, Problem> {
        let study = match &attempt.study {
            Some(study) => app.store.study(study).await?,
            None => None,
        };
        let limit = study.map(|study| study.limit_seconds).filter(|limit| *limit > 0);
        let course = Course::new(&entry, attempt)?;
        let mut desk = Desk { app, asker, entry, course, limit };
        let attempt = &mut desk.course.attempt;
        let late = |limit: i64| now() > attempt.started + 1000 * (limit + GRACE_SECONDS);
        if attempt.state == State::Open && limit.is_some_and(late) {
            attempt.state = State::Failed;
            desk.keep(Some(State::Failed)).await?;
        }
        Ok(desk)
    }

    async fn keep(&mut self, decided: Option<State>) -> Result<(), Problem> {
        let puzzle_start = start_rating(&self.entry);
        let most_seconds = self.limit.map_or(f64::INFINITY, |limit| limit as f64);
        let finish = decided.map(|outcome| Finish { outcome, puzzle_start, most_seconds });
        let (attempt, address) =
            (&mut self.course.attempt, self.asker.address.limit_key().to_string());
        let decision = self.app.store.keep_attempt(attempt, finish, &address).await?;
        if let Some(decision) = decision {
            let counters = &self.app.rating_counters;
            let who = [attempt.person.as_str(), &attempt.puzzle, &address];
            counters.count(&decision, who, &self.app.log);
        }
        Ok(())
    }

    async fn view(self) -> Answer {
        let view = AttemptView::new(self.app, &self.entry, self.course, self.limit).await?;
        Ok(axum::Json(view))
    }
}
