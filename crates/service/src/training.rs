//! Training: progress, the next puzzle, reviews and streaks.

use crate::caller::Caller;
use crate::catalogue::Entry;
use crate::error::ServiceError;
use crate::quota;
use crate::rate_limit::RateLimit;
use crate::service::Service;
use crate::store::{AttemptState, Person, PlayedPuzzle};
use puzzle::Theme;
use serde::Serialize;
use std::collections::HashMap;

/// What a person has played, by puzzle.
///
/// # Errors
/// If the database fails.
pub async fn played_by(
    service: &Service,
    person: &str,
) -> Result<HashMap<String, PlayedPuzzle>, ServiceError> {
    let played = service.store.played(person).await?.into_iter();
    Ok(played.map(|played| (played.puzzle.clone(), played)).collect())
}

/// What a person has done with a puzzle: `new`, `solved` or `failed`.
pub const fn standing_of(played: Option<&PlayedPuzzle>) -> &'static str {
    match played {
        None => "new",
        Some(played) if played.solved => "solved",
        Some(_) => "failed",
    }
}

/// A puzzle near a person's rating that they have not tried: somewhat easier at first, since
/// failing is no way to learn the rules.
///
/// # Errors
/// If the database fails.
pub async fn next_for(
    service: &Service,
    person: &str,
    except: Option<&str>,
) -> Result<Option<String>, ServiceError> {
    let played = played_by(service, person).await?;
    let rating = service.store.person(person).await?.rating;
    // Two deviations below a new player's rating lie below the easiest puzzle, so that new players start there.
    let lower_bound = rating.rating - rating.deviation;
    let difficulty = (lower_bound - 1500.0) / 300.0;
    let random = common::fnv::hash(&format!("{person} {}", played.len()));
    let fresh =
        |entry: &Entry| !played.contains_key(&entry.id) && except != Some(entry.id.as_str());
    Ok(service
        .catalogue
        .near(difficulty.clamp(-2.0, 2.0), random, fresh)
        .map(|entry| entry.id.clone()))
}

/// A person's progress with a theme.
#[derive(Serialize)]
pub struct ThemeProgress {
    /// The theme's name.
    pub theme: &'static str,
    /// Puzzles with it that were decided.
    pub tried: usize,
    /// Of those, the ones that were solved at some time.
    pub solved: usize,
}

/// A person's progress with every theme, in the order of the themes.
pub fn by_theme(service: &Service, played: &HashMap<String, PlayedPuzzle>) -> Vec<ThemeProgress> {
    let entries: Vec<(&Entry, bool)> = played
        .iter()
        .filter_map(|(id, played)| Some((service.catalogue.get(id)?, played.solved)))
        .collect();
    let of = |theme: Theme| {
        let with = entries.iter().filter(|(entry, _)| entry.puzzle.themes.contains(&theme));
        let (tried, solved) =
            with.fold((0, 0), |(tried, solved), (_, yes)| (tried + 1, solved + usize::from(*yes)));
        ThemeProgress { theme: theme.name(), tried, solved }
    };
    Theme::ALL.into_iter().map(of).collect()
}

/// Points of the rating history that are shown.
pub const HISTORY: i64 = 500;

/// The puzzles that a person failed and has not solved since, the longest ago first.
pub fn to_review(played: &HashMap<String, PlayedPuzzle>) -> Vec<String> {
    let mut failed: Vec<&PlayedPuzzle> =
        played.values().filter(|played| played.to_review()).collect();
    failed.sort_by_key(|played| (played.last_failed, played.puzzle.clone()));
    failed.into_iter().map(|played| played.puzzle.clone()).collect()
}

/// A streak: puzzles that get harder, until one is failed.
#[derive(Serialize)]
pub struct Streak {
    v: u8,
    /// Puzzles solved in a row.
    pub count: i64,
    /// The longest streak.
    pub best: i64,
    /// The puzzle to solve now; `None` if no streak is running.
    pub puzzle: Option<String>,
    /// The last streak is over.
    pub over: bool,
}

/// Begins a streak of the caller, unless one is running.
///
/// # Errors
/// If the caller asks too often or has stored too much today, or the database fails.
pub async fn start_streak(service: &Service, caller: &Caller) -> Result<Streak, ServiceError> {
    service.check_rate(caller, RateLimit::Write)?;
    // It makes a person's row, as an attempt does.
    service.store.pay(service.charge(caller, quota::ATTEMPT)).await?;
    let person = service.store.person(caller.person()).await?;
    if person.streak_puzzle.is_none() {
        let puzzle = streak_puzzle(service, &person, 0).await?;
        service.store.set_streak(&person.id, 0, puzzle.as_deref()).await?;
    }
    streak_of(service, &person.id).await
}

/// The streak of a person. It is derived from the attempts, so that nothing is lost between
/// an attempt and the streak it belongs to.
///
/// # Errors
/// If the database fails.
pub async fn streak_of(service: &Service, person: &str) -> Result<Streak, ServiceError> {
    let person = service.store.person(person).await?;
    let Some(puzzle) = &person.streak_puzzle else { return Ok(standing(&person)) };
    let attempt = service.store.last_attempt(&person.id, puzzle).await?;
    let decided = attempt.filter(|attempt| attempt.mode == "streak" && attempt.outcome.is_some());
    let Some(attempt) = decided else { return Ok(standing(&person)) };
    let solved = attempt.outcome == Some(AttemptState::Solved) && attempt.hint.is_none();
    let count = person.streak_count + i64::from(solved);
    let next = if solved { streak_puzzle(service, &person, count).await? } else { None };
    service.store.set_streak(&person.id, count, next.as_deref()).await?;
    Ok(standing(&service.store.person(&person.id).await?))
}

fn standing(person: &Person) -> Streak {
    let puzzle = person.streak_puzzle.clone();
    let over = puzzle.is_none() && person.streak_count > 0;
    Streak { v: 1, count: person.streak_count, best: person.streak_best, puzzle, over }
}

/// The puzzle after `count` solved ones: from the easiest on, a little harder each time, and none that was
/// decided before.
async fn streak_puzzle(
    service: &Service,
    person: &Person,
    count: i64,
) -> Result<Option<String>, ServiceError> {
    let played = played_by(service, &person.id).await?;
    let wanted = (-1.9 + 0.12 * count as f64).min(1.6);
    let random = common::fnv::hash(&format!("streak {} {count} {}", person.id, played.len()));
    let fresh = |entry: &Entry| !played.contains_key(&entry.id);
    Ok(service.catalogue.near(wanted, random, fresh).map(|entry| entry.id.clone()))
}
