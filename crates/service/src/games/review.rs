//! Reviews of finished games, computed once in the background and stored.

use super::game_session::{GameSession, Stage};
use super::played_game::PlayedGame;
use super::site_game::SiteGame;
use crate::caller::{Caller, Client};
use crate::error::ServiceError;
use crate::log::Value;
use crate::scheduler::{JobContext, Lane, QueueFull};
use crate::service::SharedService;
use games::Seat;
use play::review::{Feel, Known, Reviewer, TurningPoint};
use search::Motion;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A review that was not requested within this time is not computed: clients poll for it.
const INTEREST: Duration = Duration::from_secs(30);

/// Games whose review is queued or running, and when it was last requested.
#[derive(Default)]
pub(super) struct Reviewers {
    under_way: Mutex<HashMap<String, Instant>>,
}

impl Reviewers {
    fn under_way(&self) -> MutexGuard<'_, HashMap<String, Instant>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a request for a review; returns whether it is queued or running already.
    fn ask(&self, game: &str) -> bool {
        self.under_way().insert(game.to_owned(), Instant::now()).is_some()
    }

    fn is_wanted(&self, game: &str) -> bool {
        self.under_way().get(game).is_some_and(|asked| asked.elapsed() < INTEREST)
    }
}

/// A point of the curves.
#[derive(Serialize)]
pub(super) struct TurnView {
    ply: usize,
    number: Option<u32>,
    velocity: Option<f64>,
    mass: Option<f64>,
    momentum: Option<f64>,
    energy: Option<f64>,
}

#[derive(Serialize)]
pub(super) struct TurningView {
    ply: usize,
    rise: bool,
    from: Option<u32>,
    to: Option<u32>,
}

/// A missed win.
#[derive(Serialize)]
pub(super) struct MissedView {
    pub(super) ply: usize,
    pub(super) plies: u32,
    #[serde(rename = "move")]
    pub(super) best: String,
    pub(super) played: String,
    pub(super) position: String,
}

/// What the opponent believed: the probability of blue for each ghost.
#[derive(Serialize)]
pub(super) struct BelievedView {
    pub(super) ply: usize,
    pub(super) by: String,
    pub(super) blue: BTreeMap<String, f64>,
}

/// What the opponent knew: the squares where pieces certainly or possibly stand, in hexadecimal.
#[derive(Serialize)]
pub(super) struct KnownView {
    pub(super) ply: usize,
    pub(super) sure: String,
    pub(super) possible: String,
}

/// The review for one seat. A game leaves empty what its review does not find.
#[derive(Default, Serialize)]
pub struct SeatReview {
    pub(super) turns: Vec<TurnView>,
    pub(super) turning: Vec<TurningView>,
    pub(super) missed: Vec<MissedView>,
    pub(super) kept: u32,
    pub(super) beliefs: Vec<BelievedView>,
    pub(super) knowledge: Vec<KnownView>,
}

/// Rounds to four decimal places.
pub(super) fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

impl SeatReview {
    /// The review of a game for a seat, and what the opponent knew, which each game shows in its own
    /// way; without anything if the game never began.
    pub(super) fn of<G: SiteGame, R: Reviewer<G, Position: Display>>(
        game: &PlayedGame<G>,
        seat: Seat,
        reviewer: &mut R,
    ) -> (SeatReview, Vec<Known<R::Knowledge>>) {
        let [Some(first), Some(second)] = game.setups() else {
            return (SeatReview::default(), Vec::new());
        };
        let actions: Vec<G::Action> = game.actions().collect();
        let found = play::review::review(&G::start(), [first, second], &actions, seat, reviewer);
        let missed = found.missed.iter().map(|one| MissedView {
            ply: one.ply,
            plies: one.win.plies,
            best: one.win.best.to_string(),
            played: one.played.to_string(),
            position: one.win.position.to_string(),
        });
        let review = SeatReview {
            missed: missed.collect(),
            kept: found.kept,
            ..SeatReview::with_feel(&found.feel)
        };
        (review, found.known)
    }

    /// The curves of how the game felt, and nothing else.
    fn with_feel(feel: &Feel) -> SeatReview {
        let part = |moment: Option<Motion>, of: fn(Motion) -> f64| {
            moment.map(|moment| rounded(of(moment)))
        };
        let turns = feel.turns.iter().map(|turn| TurnView {
            ply: turn.ply,
            number: turn.number,
            velocity: part(turn.moment, |moment| moment.velocity),
            mass: part(turn.moment, |moment| moment.mass),
            momentum: part(turn.moment, |moment| moment.momentum),
            energy: part(turn.moment, |moment| moment.potential),
        });
        let turning = feel.turning.iter();
        let turning = turning.map(|&TurningPoint { ply, rise, from, to }| TurningView {
            ply,
            rise,
            from,
            to,
        });
        SeatReview { turns: turns.collect(), turning: turning.collect(), ..SeatReview::default() }
    }
}

/// The whole review as JSON.
fn made(session: &GameSession) -> String {
    let seats = session.game.review(Seat::ALL.map(|seat| session.program(seat)));
    serde_json::json!({ "v": 1, "status": "done", "seats": seats }).to_string()
}

/// The review of a finished game as JSON; if it is not ready yet, a status
/// with an estimate of the seconds until it is.
///
/// # Errors
/// If the game is not over, the database fails, or too many jobs of the caller are waiting or running.
pub async fn of(
    service: &SharedService,
    caller: &Caller,
    session: GameSession,
) -> Result<String, ServiceError> {
    if session.stage() != Stage::Over {
        return Err(ServiceError::conflict("not-over"));
    }
    if let Some(known) = service.store.review(&session.row.id).await? {
        return Ok(known);
    }
    let client = caller.client.clone();
    let estimate =
        service.scheduler.estimate(Lane::Background, &client).as_secs_f64().ceil().max(1.0);
    if !service.games.reviewers.ask(&session.row.id) {
        let id = session.row.id.clone();
        if let Err(full) = begin(service, &client, session) {
            service.games.reviewers.under_way().remove(&id);
            return Err(full.into());
        }
    }
    let thinking =
        serde_json::json!({ "v": 1, "status": "thinking", "estimate_seconds": estimate });
    Ok(thinking.to_string())
}

/// Begins a review in the background.
fn begin(service: &SharedService, client: &Client, session: GameSession) -> Result<(), QueueFull> {
    let id = session.row.id.clone();
    let (service, job) = (Arc::clone(service), Arc::clone(service));
    let work = move |_: &JobContext| {
        job.games.reviewers.is_wanted(&session.row.id).then(|| made(&session))
    };
    let handle = service.scheduler.submit(Lane::Background, client, work)?;
    tokio::spawn(async move {
        match handle.await {
            Ok(Some(review)) => {
                if let Err(error) = service.store.keep_review(&id, &review).await {
                    service
                        .log
                        .error("a review could not be kept", &[("error", Value::error(&error))]);
                }
            }
            Ok(None) => {}
            Err(_) => service.log.error("a review panicked", &[]),
        }
        service.games.reviewers.under_way().remove(&id);
    });
    Ok(())
}
