//! Attempts at puzzles: begin, play, take back, ask for a hint or for the solution.

pub mod session;
pub mod view;

use crate::caller::Caller;
use crate::catalogue::PuzzleRef;
use crate::error::{ErrorKind, ServiceError};
use crate::quota;
use crate::rate_limit::RateLimit;
use crate::scheduler::Lane;
use crate::secrets::random_text;
use crate::service::Service;
use crate::store::{Attempt, AttemptState, Finish, NewAttempt, now};
use crate::studies;
use games::geister::Move;
use geister::judge::{self, Patience};
use serde::Deserialize;
use session::AttemptSession;
use view::{AttemptView, JudgementView, start_rating};

/// How an attempt begins.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Begin {
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

/// Seconds before the first move that count at most.
const MAX_WAITED: f64 = 3600.0;

/// A move that comes this many seconds late by the network is still in time.
const GRACE_SECONDS: i64 = 2;

/// Begins an attempt at a puzzle, or resumes the open one.
///
/// # Errors
/// If there is no such puzzle, or the caller asks too often or has stored too much today.
pub async fn begin(
    service: &Service,
    caller: &Caller,
    puzzle: &str,
    begin: &Begin,
) -> Result<AttemptView, ServiceError> {
    service.check_rate(caller, RateLimit::Write)?;
    let entry = service.puzzle(puzzle).await?;
    let waited = begin.waited.clamp(0.0, MAX_WAITED) * 1000.0;
    let started = now() - waited as i64;
    let kind = AttemptKind { mode: begin.mode.name(), study: None, started, again: begin.again };
    start(service, caller, entry, kind).await
}

/// What distinguishes a free attempt from one in a study.
struct AttemptKind<'a> {
    mode: &'static str,
    study: Option<&'a str>,
    started: i64,
    again: bool,
}

/// Stores a new attempt and shows it.
async fn start(
    service: &Service,
    caller: &Caller,
    entry: PuzzleRef<'_>,
    kind: AttemptKind<'_>,
) -> Result<AttemptView, ServiceError> {
    let puzzle = entry.id.clone();
    let new = NewAttempt {
        id: &random_text(20),
        person: caller.person(),
        puzzle: &puzzle,
        mode: kind.mode,
        study: kind.study,
        started: kind.started,
        plies: entry.puzzle.m_win,
        again: kind.again,
        charge: service.charge(caller, quota::ATTEMPT),
    };
    let attempt = service.store.begin_attempt(&new).await?;
    OpenAttempt::with(service, caller, entry, attempt).await?.view().await
}

/// Starts the clock of the next puzzle of a study, or resumes the one whose clock is running: only now
/// is the participant shown which puzzle it is.
///
/// # Errors
/// If the caller cannot continue in the study, asks too often or has stored too much today.
pub async fn next_in_study(
    service: &Service,
    caller: &Caller,
    study: &str,
) -> Result<AttemptView, ServiceError> {
    service.check_rate(caller, RateLimit::Write)?;
    let puzzle = studies::next_puzzle(service, study, caller.person()).await?;
    let entry = service.puzzle(&puzzle).await?;
    let kind = AttemptKind { mode: "study", study: Some(study), started: now(), again: false };
    start(service, caller, entry, kind).await
}

/// The current state of an attempt of the caller.
///
/// # Errors
/// If there is none, or the database fails.
pub async fn get(
    service: &Service,
    caller: &Caller,
    id: &str,
) -> Result<AttemptView, ServiceError> {
    OpenAttempt::load(service, caller, id).await?.view().await
}

/// Plays a move after `ply` plies, judges it and answers it. The same move sent twice is played once.
///
/// # Errors
/// If the move cannot be played or judged.
pub async fn play(
    service: &Service,
    caller: &Caller,
    id: &str,
    mv: &str,
    ply: usize,
) -> Result<AttemptView, ServiceError> {
    service.check_rate(caller, RateLimit::Write)?;
    let mv: Move = mv.parse().map_err(|_| ServiceError::bad("bad-move"))?;
    let mut open = OpenAttempt::load(service, caller, id).await?;
    // The response to the same move was lost: this is the current state.
    let played = open.session.events.get(ply).map(|ply| ply.mv);
    if played == Some(mv) {
        return open.view().await;
    }
    if ply != open.session.events.len() {
        return Err(ServiceError::conflict("out-of-step"));
    }
    let plies = open.session.expect_move(mv)?;
    let position = open.session.position;
    // The record of a puzzle proves more about first moves than there is time for here.
    let first_moves = open.entry.puzzle.first_moves.iter();
    let mut recorded = first_moves.filter(|first| first.mv == mv && ply == 0);
    let recorded = recorded.next().map(|first| first.verdict);
    let judged = service
        .solve(Lane::Interactive, &caller.client, move |solver, _| {
            judge::judge(solver, &position, plies, mv, recorded, Patience::default())
        })
        .await?;
    let judgement = judged.map_err(|_| too_hard())?;
    let decided = open.session.advance(mv, &judgement, open.entry.puzzle.m_win);
    open.keep(decided).await?;
    let judged = JudgementView::new(&open.session, &judgement);
    Ok(open.view().await?.with_judgement(judged))
}

/// Takes back the last move of the caller and the reply to it.
///
/// # Errors
/// If it cannot be taken back.
pub async fn take_back(
    service: &Service,
    caller: &Caller,
    id: &str,
) -> Result<AttemptView, ServiceError> {
    service.check_rate(caller, RateLimit::Write)?;
    let mut open = OpenAttempt::load(service, caller, id).await?;
    open.session.back(&open.entry)?;
    open.keep(None).await?;
    open.view().await
}

/// Gives a hint: the square from which a right move starts. The attempt is not rated any more.
///
/// # Errors
/// If the attempt is over, belongs to a study, or its win is lost.
pub async fn hint(
    service: &Service,
    caller: &Caller,
    id: &str,
) -> Result<AttemptView, ServiceError> {
    service.check_rate(caller, RateLimit::Write)?;
    let mut open = OpenAttempt::load(service, caller, id).await?;
    if open.session.is_over() {
        return Err(ServiceError::conflict("attempt-over"));
    }
    if open.session.attempt.study.is_some() {
        return Err(ServiceError::conflict("no-hints-in-studies"));
    }
    let plies = open.session.attempt.plies.ok_or(ServiceError::conflict("take-back-first"))?;
    let position = open.session.position;
    let found = service
        .solve(Lane::Interactive, &caller.client, move |solver, _| {
            judge::hint(solver, &position, plies, Patience::default())
        })
        .await?;
    let mv = found.ok().flatten().ok_or_else(too_hard)?;
    open.session.attempt.hint = Some(mv.from().to_string());
    open.session.attempt.counts = false;
    open.keep(None).await?;
    open.view().await
}

/// Ends the attempt, if it is not over, and shows the solution.
///
/// # Errors
/// If there is no such attempt, or the database fails.
pub async fn show_solution(
    service: &Service,
    caller: &Caller,
    id: &str,
) -> Result<AttemptView, ServiceError> {
    service.check_rate(caller, RateLimit::Write)?;
    let mut open = OpenAttempt::load(service, caller, id).await?;
    if !open.session.is_over() {
        open.session.attempt.state = AttemptState::Shown;
        open.keep(Some(AttemptState::Shown)).await?;
    }
    open.view().await
}

/// The solver reached its limit: rare, and reported as such.
fn too_hard() -> ServiceError {
    ServiceError::new(ErrorKind::Unavailable, "too-hard")
}

/// An attempt that was loaded for a caller, with its puzzle.
struct OpenAttempt<'a> {
    service: &'a Service,
    caller: &'a Caller,
    entry: PuzzleRef<'a>,
    session: AttemptSession,
    limit: Option<i64>,
}

impl<'a> OpenAttempt<'a> {
    /// Loads an attempt of the caller.
    async fn load(
        service: &'a Service,
        caller: &'a Caller,
        id: &str,
    ) -> Result<OpenAttempt<'a>, ServiceError> {
        let attempt = service.store.attempt(id).await?;
        let attempt = attempt.filter(|attempt| attempt.person == caller.person());
        let attempt = attempt.ok_or(ServiceError::NOT_FOUND)?;
        let entry = service.puzzle(&attempt.puzzle).await?;
        OpenAttempt::with(service, caller, entry, attempt).await
    }

    /// The attempt; it has failed if its time has run out.
    async fn with(
        service: &'a Service,
        caller: &'a Caller,
        entry: PuzzleRef<'a>,
        attempt: Attempt,
    ) -> Result<OpenAttempt<'a>, ServiceError> {
        let study = match &attempt.study {
            Some(study) => service.store.study(study).await?,
            None => None,
        };
        let limit = study.map(|study| study.limit_seconds).filter(|limit| *limit > 0);
        let session = AttemptSession::new(&entry, attempt)?;
        let mut open = OpenAttempt { service, caller, entry, session, limit };
        let attempt = &mut open.session.attempt;
        let late = |limit: i64| now() > attempt.started + 1000 * (limit + GRACE_SECONDS);
        if attempt.state == AttemptState::Open && limit.is_some_and(late) {
            attempt.state = AttemptState::Failed;
            open.keep(Some(AttemptState::Failed)).await?;
        }
        Ok(open)
    }

    /// Stores the attempt; with an outcome it is rated too.
    async fn keep(&mut self, decided: Option<AttemptState>) -> Result<(), ServiceError> {
        let puzzle_start = start_rating(&self.entry);
        let max_seconds = self.limit.map_or(f64::INFINITY, |limit| limit as f64);
        let finish = decided.map(|outcome| Finish { outcome, puzzle_start, max_seconds });
        let (attempt, network) = (&mut self.session.attempt, self.caller.network.to_string());
        let decision = self.service.store.keep_attempt(attempt, finish, &network).await?;
        if let Some(decision) = decision {
            let counters = &self.service.rating_counters;
            let who = [attempt.person.as_str(), &attempt.puzzle, &network];
            counters.count(&decision, who, &self.service.log);
        }
        Ok(())
    }

    async fn view(self) -> Result<AttemptView, ServiceError> {
        AttemptView::new(self.service, &self.entry, self.session, self.limit).await
    }
}
