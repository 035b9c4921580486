//! Studies: creating them, the progress of participants, and the results as CSV.

use crate::caller::Caller;
use crate::error::ServiceError;
use crate::query::Query;
use crate::quota;
use crate::rate_limit::RateLimit;
use crate::secrets::random_text;
use crate::service::Service;
use crate::store::{Study, StudyRow, now};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt::Write;
use std::ops::RangeInclusive;

/// A new study as a researcher describes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewStudy {
    /// What it is called.
    pub title: String,
    /// What participants agree to.
    pub consent: String,
    /// The ids of its puzzles; or none, and a filter.
    #[serde(default)]
    pub puzzles: Vec<String>,
    /// A filter as in URLs, `length_min=7&theme=red-wall`, if no ids are given.
    #[serde(default)]
    pub filter: String,
    /// How many of the filter's puzzles to take, spread evenly over them.
    #[serde(default)]
    pub count: Option<usize>,
    /// Seconds for each puzzle; 0 for no limit.
    #[serde(default = "default_limit_seconds")]
    pub limit_seconds: i64,
}

/// The time limit of P1 and P3.
const fn default_limit_seconds() -> i64 {
    90
}

/// The length of a title in characters.
pub const TITLE_LENGTH: RangeInclusive<usize> = 1..=200;
/// The length of the consent text in characters.
pub const CONSENT_LENGTH: RangeInclusive<usize> = 1..=10_000;
/// Seconds for each puzzle.
pub const LIMIT_SECONDS: RangeInclusive<i64> = 0..=3600;
/// The puzzles of a study.
pub const PUZZLE_COUNT: RangeInclusive<usize> = 1..=500;

/// Why a study cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StudyRefusal {
    /// The title has no letter, or too many.
    Title,
    /// What participants agree to has no letter, or too many.
    Consent,
    /// The time limit is out of range.
    Limit,
    /// A text is not a number.
    NoNumber(String),
    /// The number of puzzles is out of range.
    Puzzles(usize),
    /// There is no such puzzle.
    NoPuzzle(String),
    /// The filter makes no sense.
    Filter(ServiceError),
}

impl StudyRefusal {
    /// The refusal of a text that is not a number.
    pub fn no_number(text: &str) -> StudyRefusal {
        StudyRefusal::NoNumber(quoted(text))
    }
}

/// The beginning of an input, short enough for a sentence.
fn quoted(text: &str) -> String {
    text.chars().take(40).collect()
}

impl NewStudy {
    /// The study, if it makes sense.
    ///
    /// # Errors
    /// If it does not.
    pub fn check(&self, service: &Service) -> Result<Study, StudyRefusal> {
        let (title, consent) = (self.title.trim(), self.consent.trim());
        if !TITLE_LENGTH.contains(&title.chars().count()) {
            return Err(StudyRefusal::Title);
        }
        if !CONSENT_LENGTH.contains(&consent.chars().count()) {
            return Err(StudyRefusal::Consent);
        }
        if !LIMIT_SECONDS.contains(&self.limit_seconds) {
            return Err(StudyRefusal::Limit);
        }
        let puzzles = self.chosen(service)?;
        if !PUZZLE_COUNT.contains(&puzzles.len()) {
            return Err(StudyRefusal::Puzzles(puzzles.len()));
        }
        Ok(Study {
            id: random_text(10),
            created: now(),
            title: title.to_owned(),
            consent: consent.to_owned(),
            puzzles,
            limit_seconds: self.limit_seconds,
            closed: false,
        })
    }

    fn chosen(&self, service: &Service) -> Result<Vec<String>, StudyRefusal> {
        if self.puzzles.is_empty() {
            let pairs: Vec<(String, String)> = self
                .filter
                .split('&')
                .filter_map(|pair| pair.split_once('='))
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect();
            let query = Query::read(&pairs).map_err(StudyRefusal::Filter)?;
            let found = query.find(service.catalogue.entries(), &HashMap::new());
            let count = self.count.unwrap_or(found.len()).min(found.len());
            let spread = (0..count).map(|number| number * found.len() / count.max(1));
            return Ok(spread.map(|at| found[at].id.clone()).collect());
        }
        let mut chosen: Vec<String> = Vec::new();
        for id in &self.puzzles {
            let entry = service.catalogue.get(id);
            let entry = entry.ok_or_else(|| StudyRefusal::NoPuzzle(quoted(id)))?;
            if !chosen.contains(&entry.id) {
                chosen.push(entry.id.clone());
            }
        }
        Ok(chosen)
    }
}

/// A study as a participant sees it, with the participant's progress.
#[derive(Serialize)]
pub struct Participation {
    v: u8,
    id: String,
    /// What it is called.
    pub title: String,
    /// What participants agree to.
    pub consent: String,
    /// Seconds for each puzzle.
    pub limit_seconds: i64,
    /// The participant has agreed.
    pub agreed: bool,
    /// The study is closed: no more attempts.
    pub closed: bool,
    /// Puzzles in all.
    pub puzzles: usize,
    /// Puzzles done.
    pub done: usize,
    /// A puzzle is waiting: after consent and before the end, while the study is open.
    pub ready: bool,
    /// Its clock is running.
    pub running: bool,
}

/// Stores a new study.
///
/// # Errors
/// If the database fails.
pub async fn add(service: &Service, study: &Study) -> Result<(), ServiceError> {
    service.store.add_study(study).await?;
    service.study_puzzles.forget();
    Ok(service.store.forget_old_exposures().await?)
}

/// The state of a person in a study. Which puzzle comes next stays on the server until its clock starts.
struct Standing {
    study: Study,
    agreed: bool,
    answered: usize,
    next: Option<String>,
}

impl Standing {
    async fn of(service: &Service, id: &str, person: &str) -> Result<Standing, ServiceError> {
        let study = service.store.study(id).await?.ok_or(ServiceError::NOT_FOUND)?;
        let participant = service.store.participant(id, person).await?;
        let answered = service.store.answered(id, person).await?;
        let order = participant.as_ref().map(|participant| own_order(&study, &participant.code));
        let next = order.and_then(|order| order.into_iter().find(|one| !answered.contains(one)));
        let next = next.filter(|_| !study.closed);
        Ok(Standing { study, agreed: participant.is_some(), answered: answered.len(), next })
    }
}

/// The puzzle whose clock may start now, or is running.
///
/// # Errors
/// If there is no such study, it is closed, or the person has not agreed to take part or has done all.
pub async fn next_puzzle(
    service: &Service,
    id: &str,
    person: &str,
) -> Result<String, ServiceError> {
    let standing = Standing::of(service, id, person).await?;
    if standing.study.closed {
        return Err(ServiceError::conflict("study-closed"));
    }
    if !standing.agreed {
        return Err(ServiceError::conflict("no-consent"));
    }
    standing.next.ok_or(ServiceError::conflict("study-done"))
}

/// The progress of a person in a study.
///
/// # Errors
/// If there is no such study, or the database fails.
pub async fn participation(
    service: &Service,
    id: &str,
    person: &str,
) -> Result<Participation, ServiceError> {
    let Standing { study, agreed, answered, next } = Standing::of(service, id, person).await?;
    let running = match &next {
        Some(puzzle) => service.store.has_study_attempt(id, person, puzzle).await?,
        None => false,
    };
    Ok(Participation {
        v: 1,
        id: study.id,
        title: study.title,
        consent: study.consent,
        limit_seconds: study.limit_seconds,
        agreed,
        closed: study.closed,
        puzzles: study.puzzles.len(),
        done: answered,
        ready: next.is_some(),
        running,
    })
}

/// Lets the caller take part in a study.
///
/// # Errors
/// If there is no such study, or it is closed, or the caller asks too often.
pub async fn consent(service: &Service, caller: &Caller, id: &str) -> Result<(), ServiceError> {
    service.check_rate(caller, RateLimit::Write)?;
    let study = service.store.study(id).await?.ok_or(ServiceError::NOT_FOUND)?;
    if study.closed {
        return Err(ServiceError::conflict("study-closed"));
    }
    service.store.pay(service.charge(caller, quota::ATTEMPT)).await?;
    service.store.take_part(id, caller.person(), &random_text(10)).await?;
    Ok(())
}

/// Closes a study, or opens it again.
///
/// # Errors
/// If there is no such study, or the database fails.
pub async fn close(service: &Service, id: &str, closed: bool) -> Result<(), ServiceError> {
    let found = service.store.close_study(id, closed).await?;
    service.study_puzzles.forget();
    found.then_some(()).ok_or(ServiceError::NOT_FOUND)
}

/// The puzzles in the order of one participant: by a hash of puzzle and participant.
fn own_order(study: &Study, code: &str) -> Vec<String> {
    let mut order = study.puzzles.clone();
    order.sort_by_cached_key(|puzzle| common::fnv::hash(&format!("{code} {} {puzzle}", study.id)));
    order
}

/// The results of a study as CSV.
///
/// # Errors
/// If there is no such study, or the database fails.
pub async fn results_csv(service: &Service, id: &str) -> Result<String, ServiceError> {
    service.store.study(id).await?.ok_or(ServiceError::NOT_FOUND)?;
    Ok(csv_of(&service.store.study_rows(id).await?))
}

fn csv_of(rows: &[StudyRow]) -> String {
    let mut text = String::from("puzzle,person,interest,difficulty,seconds,solved,seen_before\n");
    for StudyRow { puzzle, person, interest, difficulty, seconds, solved, seen_before } in rows {
        // Writing to a string does not fail; ids and codes are letters and digits.
        let _ = writeln!(
            text,
            "{puzzle},{person},{interest},{difficulty},{seconds:.1},{solved},{seen_before}"
        );
    }
    text
}
