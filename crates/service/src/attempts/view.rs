//! Attempts as the browser gets them. What would give the solution away is only in a `result`, and
//! that is there only once the attempt is decided.

use super::session::{AttemptSession, rule};
use crate::catalogue::Entry;
use crate::error::ServiceError;
use crate::glicko::Rating;
use crate::rating_policy::Unrated;
use crate::service::Service;
use crate::store::{Attempt, AttemptState, Opinion, Opinions, now};
use games::Seat;
use games::geister::{Ghost, Move, Outcome, Position};
use geister::judge::{Judgement, Ply, Worth};
use puzzle::Theme;
use serde::Serialize;

/// A ply and what it revealed.
#[derive(Serialize)]
pub(crate) struct Event {
    #[serde(rename = "move")]
    mv: String,
    side: &'static str,
    captured: Option<char>,
    left: Option<char>,
    was_hidden: bool,
}

impl From<&Ply> for Event {
    fn from(ply: &Ply) -> Event {
        Event {
            mv: ply.mv.to_string(),
            side: side(ply.side),
            captured: ply.captured.map(Ghost::letter),
            left: ply.left.map(Ghost::letter),
            was_hidden: ply.was_hidden,
        }
    }
}

/// The name of a side.
pub(crate) const fn side(side: Seat) -> &'static str {
    match side {
        Seat::First => "own",
        Seat::Second => "top",
    }
}

/// The judgement of a move.
#[derive(Serialize)]
pub(super) struct JudgementView {
    verdict: &'static str,
    by: Option<u32>,
    depth: Option<u32>,
    never: bool,
    own: Option<Event>,
    reply: Option<Event>,
    end: Option<&'static str>,
    winner: Option<&'static str>,
}

impl JudgementView {
    /// The judgement of the last own move of an attempt.
    pub(super) fn new(session: &AttemptSession, judgement: &Judgement) -> JudgementView {
        let plies = if judgement.reply.is_some() { 2 } else { 1 };
        let mut last = session.events[session.events.len().saturating_sub(plies)..].iter();
        let (verdict, by, depth, never) = match judgement.worth {
            Worth::Right => ("right", None, None, false),
            Worth::Longer(by) => ("longer", Some(by), None, false),
            Worth::Unclear { depth } => ("unclear", None, Some(depth), false),
            Worth::Lost { depth, never } => ("lost", None, Some(depth), never),
        };
        let end = session.position.outcome();
        JudgementView {
            verdict,
            by,
            depth,
            never,
            own: last.next().map(Event::from),
            reply: last.next().map(Event::from),
            end: end.and_then(ending),
            winner: end.and_then(Outcome::winner).map(side),
        }
    }
}

/// The rule that ended a game.
pub(crate) fn ending(outcome: Outcome) -> Option<&'static str> {
    match outcome {
        Outcome::Win { reason, .. } => Some(rule(reason)),
        Outcome::Draw => None,
    }
}

/// The players' opinions of a puzzle.
#[derive(Serialize)]
pub struct PeopleView {
    interest: Option<f64>,
    difficulty: Option<f64>,
    ratings: i64,
}

impl From<Opinions> for PeopleView {
    fn from(opinions: Opinions) -> PeopleView {
        let Opinions { count, interest, difficulty } = opinions;
        PeopleView { interest, difficulty, ratings: count }
    }
}

#[derive(Serialize)]
struct ReasonView {
    code: &'static str,
    number: Option<u32>,
}

#[derive(Serialize)]
struct OwnOpinion {
    interest: Option<i8>,
    difficulty: Option<i8>,
}

#[derive(Serialize)]
struct Change {
    before: f64,
    after: f64,
}

/// The result of an attempt that is decided.
#[derive(Serialize)]
pub(super) struct ResultView {
    outcome: &'static str,
    counted: bool,
    /// Why no rating moved.
    unrated: Option<&'static str>,
    /// The fraction of a full step that the player's rating moved by.
    weight: f64,
    /// The rating of the puzzle moved too.
    puzzle_counted: bool,
    seconds: f64,
    longer_by: u32,
    difficulty: Option<f64>,
    interest: Option<f64>,
    basis: Option<&'static str>,
    reasons: Vec<ReasonView>,
    themes: Vec<&'static str>,
    rating: Option<f64>,
    deviation: Option<f64>,
    attempts: i64,
    solved: i64,
    people: PeopleView,
    player: Option<Change>,
    mine: OwnOpinion,
    line: Option<Vec<String>>,
    next: Option<String>,
}

/// An attempt.
#[derive(Serialize)]
pub struct AttemptView {
    v: u8,
    attempt: String,
    puzzle: String,
    mode: String,
    state: &'static str,
    start: String,
    m_win: u32,
    position: Option<String>,
    plies: Option<u32>,
    legal: Vec<String>,
    events: Vec<Event>,
    can_take_back: bool,
    counts: bool,
    hint: Option<String>,
    limit_seconds: Option<i64>,
    elapsed_seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    judgement: Option<JudgementView>,
    result: Option<ResultView>,
}

/// The texts of moves.
pub(crate) fn texts(moves: &[Move]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}

/// The position as text; `None` once the game is over.
fn position_text(position: &Position) -> Option<String> {
    position.outcome().is_none().then(|| position.to_string())
}

impl AttemptView {
    /// An attempt as it stands.
    pub(super) async fn new(
        service: &Service,
        entry: &Entry,
        session: AttemptSession,
        limit_seconds: Option<i64>,
    ) -> Result<AttemptView, ServiceError> {
        let AttemptSession { attempt, position, events } = session;
        let result = match attempt.outcome {
            Some(outcome) => Some(result_of(service, entry, &attempt, outcome).await?),
            None => None,
        };
        let open = matches!(attempt.state, AttemptState::Open | AttemptState::Failed)
            && attempt.plies.is_some();
        let legal = if open { texts(&position.legal_moves()) } else { Vec::new() };
        let elapsed = (now() - attempt.started).max(0) as f64 / 1000.0;
        Ok(AttemptView {
            v: 1,
            state: attempt.state.name(),
            start: entry.puzzle.position.to_string(),
            m_win: entry.puzzle.m_win,
            position: position_text(&position),
            plies: attempt.plies,
            legal,
            events: events.iter().map(Event::from).collect(),
            can_take_back: attempt.back_plies.is_some() && open_or_failed(&attempt),
            counts: attempt.counts,
            hint: attempt.hint.filter(|square| !square.is_empty()),
            limit_seconds,
            elapsed_seconds: attempt.seconds.unwrap_or(elapsed),
            judgement: None,
            result,
            mode: attempt.mode,
            attempt: attempt.id,
            puzzle: attempt.puzzle,
        })
    }

    /// The same with the judgement of the move that was just played.
    pub(super) fn with_judgement(self, judgement: JudgementView) -> AttemptView {
        AttemptView { judgement: Some(judgement), ..self }
    }
}

fn open_or_failed(attempt: &Attempt) -> bool {
    matches!(attempt.state, AttemptState::Open | AttemptState::Failed)
}

async fn result_of(
    service: &Service,
    entry: &Entry,
    attempt: &Attempt,
    outcome: AttemptState,
) -> Result<ResultView, ServiceError> {
    let study = attempt.study.as_deref();
    let mine = service.store.opinion(&attempt.person, &entry.id, study).await?;
    // Participants of a study do not see what the program or others think of a puzzle: it would bias their
    // answers.
    let (record, opinions, next, graded) = match study {
        Some(_) => (None, Opinions::default(), None, None),
        None => (
            service.store.puzzle_record(&entry.id).await?,
            service.store.opinions(&entry.id).await?,
            crate::training::next_for(service, &attempt.person, Some(&entry.id)).await?,
            entry.puzzle.grade.as_ref(),
        ),
    };
    let rating = record.map_or(start_rating(entry), |record| record.rating);
    let rating = study.is_none().then_some(rating);
    let reasons = graded.map_or(&[][..], |graded| &graded.reasons);
    let themes = entry.puzzle.themes.iter().filter(|_| study.is_none());
    let over = !open_or_failed(attempt);
    Ok(ResultView {
        outcome: outcome.name(),
        counted: attempt.ratings.is_some(),
        unrated: attempt.unrated.map(Unrated::name),
        weight: attempt.weight,
        puzzle_counted: attempt.puzzle_moved,
        seconds: attempt.seconds.unwrap_or(0.0),
        longer_by: attempt.longer_by,
        difficulty: graded.map(|graded| graded.grade.difficulty),
        interest: graded.map(|graded| graded.grade.interest),
        basis: graded.map(|graded| graded.grade.basis.name()),
        reasons: reasons
            .iter()
            .map(|reason| reason.parts())
            .map(|(code, number)| ReasonView { code, number })
            .collect(),
        themes: themes.map(|theme: &Theme| theme.name()).collect(),
        rating: rating.map(|rating| rating.rating),
        deviation: rating.map(|rating| rating.deviation),
        attempts: record.map_or(0, |record| record.counted),
        solved: record.map_or(0, |record| record.solved),
        people: opinions.into(),
        player: attempt.ratings.map(|(before, after)| Change { before, after }),
        mine: OwnOpinion {
            interest: mine.map(|Opinion { interest, .. }| interest),
            difficulty: mine.map(|Opinion { difficulty, .. }| difficulty),
        },
        line: over.then(|| texts(&entry.puzzle.line)),
        next,
    })
}

/// The initial rating of a puzzle.
pub(super) fn start_rating(entry: &Entry) -> Rating {
    Rating::of_difficulty(entry.difficulty())
}
