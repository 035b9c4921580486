//! Reviews of finished games, computed once in the background and stored.

use super::game_session::{GameSession, GameState, SEATS, Stage};
use super::kriegspiel_game;
use crate::caller::{Caller, Client};
use crate::error::ServiceError;
use crate::log::Value;
use crate::scheduler::{JobContext, Lane, QueueFull};
use crate::service::SharedService;
use ::geister::feel::Moment;
use ::geister::solver::Solver;
use games::Seat;
use games::kriegspiel::BitBoard;
use players::review::{Feel, TurningPoint, geister, kriegspiel};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Bytes for the transposition table of the solver that looks for missed wins.
const MEMORY: usize = 32 << 20;

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
struct TurnView {
    ply: usize,
    number: Option<u32>,
    velocity: Option<f64>,
    mass: Option<f64>,
    momentum: Option<f64>,
    energy: Option<f64>,
}

#[derive(Serialize)]
struct TurningView {
    ply: usize,
    rise: bool,
    from: Option<u32>,
    to: Option<u32>,
}

#[derive(Serialize)]
struct MissedView {
    ply: usize,
    plies: u32,
    #[serde(rename = "move")]
    best: String,
    played: String,
    position: String,
}

#[derive(Serialize)]
struct BelievedView {
    ply: usize,
    by: String,
    blue: BTreeMap<String, f64>,
}

#[derive(Serialize)]
struct KnownView {
    ply: usize,
    sure: String,
    possible: String,
}

/// The review for one seat.
#[derive(Default, Serialize)]
struct SeatView {
    turns: Vec<TurnView>,
    turning: Vec<TurningView>,
    missed: Vec<MissedView>,
    kept: u32,
    beliefs: Vec<BelievedView>,
    knowledge: Vec<KnownView>,
}

/// Rounds to four decimal places.
fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

impl SeatView {
    fn with_feel(feel: &Feel) -> SeatView {
        let part = |moment: Option<Moment>, of: fn(Moment) -> f64| {
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
        SeatView { turns: turns.collect(), turning: turning.collect(), ..SeatView::default() }
    }

    fn of_geister(found: &geister::Review, by: &str) -> SeatView {
        let missed = found.missed.iter().map(|one| MissedView {
            ply: one.ply,
            plies: one.plies,
            best: one.best.to_string(),
            played: one.played.to_string(),
            position: one.position.to_string(),
        });
        let beliefs = found.beliefs.iter().map(|one| BelievedView {
            ply: one.ply,
            by: by.to_owned(),
            blue: one
                .blue
                .iter()
                .map(|(square, blue)| (square.to_string(), rounded(*blue)))
                .collect(),
        });
        SeatView {
            missed: missed.collect(),
            kept: found.kept,
            beliefs: beliefs.collect(),
            ..SeatView::with_feel(&found.feel)
        }
    }

    fn of_kriegspiel(found: &kriegspiel::Review) -> SeatView {
        let missed = found.missed.iter().map(|one| MissedView {
            ply: one.ply,
            plies: 1,
            best: one.best.to_string(),
            played: one.played.to_string(),
            position: one.position.to_string(),
        });
        let hex = |squares: BitBoard| format!("{:016x}", squares.0);
        let knowledge = found.knowledge.iter();
        let knowledge = knowledge.map(|one| KnownView {
            ply: one.ply,
            sure: hex(one.sure),
            possible: hex(one.possible),
        });
        SeatView {
            missed: missed.collect(),
            knowledge: knowledge.collect(),
            ..SeatView::with_feel(&found.feel)
        }
    }
}

/// The belief model of a seat's opponent, and its name. For opponents without beliefs it is that of
/// the champion.
fn believer(session: &GameSession, seat: Seat) -> (geister::Believer, String) {
    let program = session.program(seat.opponent()).unwrap_or_default();
    let style = program.strip_prefix("style-").and_then(|letter| {
        players::style::load(&format!("p5-{letter}"))
            .ok()
            .map(|file| geister::Believer::Style(file.style))
    });
    match style {
        Some(style) => (style, program.to_owned()),
        None if program.starts_with("champion") => {
            (geister::Believer::Champion, program.to_owned())
        }
        None => (geister::Believer::Champion, "champion".to_owned()),
    }
}

fn of_seat(session: &GameSession, seat: Seat, solver: &mut Solver) -> SeatView {
    match &session.state {
        GameState::Geister(game) => {
            let (believer, by) = believer(session, seat);
            let found = game.start().and_then(|start| {
                geister::review(&start, game.moves(), seat, believer, solver).ok()
            });
            found.map_or_else(SeatView::default, |found| SeatView::of_geister(&found, &by))
        }
        GameState::Kriegspiel(game) => {
            SeatView::of_kriegspiel(&kriegspiel::review(game, kriegspiel_game::side(seat)))
        }
    }
}

/// The whole review as JSON.
fn made(session: &GameSession) -> String {
    let mut solver = Solver::new(MEMORY);
    let seats = SEATS.map(|seat| of_seat(session, seat, &mut solver));
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

/// The position of Geister before a ply, as a seat saw it; `None` unless it was its turn in a game of
/// Geister.
pub fn position_at(
    session: &GameSession,
    seat: Seat,
    ply: usize,
) -> Option<games::geister::Position> {
    let GameState::Geister(game) = &session.state else { return None };
    let before = game.positions().get(ply).copied()?;
    before.observe(seat).purple()
}
