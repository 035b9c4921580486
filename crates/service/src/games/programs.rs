//! The moves of computer opponents. Due turns are in the database, with a lease: the server that stores a
//! move after which a program is to move works on that turn, and if it fails to (it died, the
//! database was away, the program panicked, its queue is full), any server takes it up once the lease
//! has ended. If its game was changed meanwhile, a program starts again.

use super::game_service;
use super::game_session::GameSession;
use super::opponents::{self, Opponent};
use super::player::PlayerResources;
use crate::caller::Client;
use crate::log::Value;
use crate::scheduler::Lane;
use crate::secrets::random_text;
use crate::service::SharedService;
use crate::store::{GameRow, StoreError};
use common::rng::derive_seed;
use games::Seat;
use play::Thinking;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// After this many panics in one game a simpler program makes the move: the game has to continue.
const MAX_PANICS: u32 = 2;

/// How often each server looks for due turns without a lease.
const DUE_TURN_INTERVAL: Duration = Duration::from_secs(1);

/// The programs that are working or waiting to.
pub(super) struct Programs {
    /// This server's name in leases.
    pub(super) server: String,
    resources: PlayerResources,
    /// Games in which a program works or waits to, and whether the game changed meanwhile.
    busy: Mutex<HashMap<String, bool>>,
    /// Games in which a program has panicked, and how often.
    panics: Mutex<HashMap<String, u32>>,
    /// Moves that are to panic, for tests.
    pub(super) injected_panics: AtomicUsize,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic while the lock is held cannot leave the map half changed.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Programs {
    /// Programs that share these resources.
    pub(super) fn new(resources: PlayerResources) -> Programs {
        Programs {
            server: random_text(12),
            resources,
            busy: Mutex::default(),
            panics: Mutex::default(),
            injected_panics: AtomicUsize::new(0),
        }
    }

    /// How many games wait for a program.
    pub(super) fn load(&self) -> usize {
        lock(&self.busy).len()
    }

    /// Notes that a game waits; `false` if a program works on it already.
    fn begin(&self, game: &str) -> bool {
        let mut busy = lock(&self.busy);
        match busy.get_mut(game) {
            Some(again) => {
                *again = true;
                false
            }
            None => {
                busy.insert(game.to_owned(), false);
                true
            }
        }
    }

    /// Removes the game, unless it changed meanwhile.
    fn end(&self, game: &str) -> bool {
        let mut busy = lock(&self.busy);
        match busy.get_mut(game) {
            Some(again) if *again => {
                *again = false;
                false
            }
            _ => {
                busy.remove(game);
                true
            }
        }
    }

    fn note_panic(&self, game: &str) {
        let mut panics = lock(&self.panics);
        if panics.len() >= 10_000 {
            panics.clear();
        }
        *panics.entry(game.to_owned()).or_default() += 1;
    }

    fn has_failed(&self, game: &str) -> bool {
        lock(&self.panics).get(game).is_some_and(|panics| *panics >= MAX_PANICS)
    }
}

/// Takes up due turns without a lease, until the shutdown: after a restart, an outage of the
/// database, a panic, or the death of the server that held them.
pub(super) async fn take_up_due_turns(service: SharedService) {
    let mut closing = service.games.closing();
    loop {
        match service.store.lease_due_turns(&service.games.programs.server).await {
            Ok(due) => due.iter().for_each(|game| wake(&service, game)),
            Err(error) => {
                service.log.error("due turns cannot be read", &[("error", Value::error(&error))]);
            }
        }
        tokio::select! {
            _ = closing.wait_for(|closing| *closing) => return,
            () = tokio::time::sleep(DUE_TURN_INTERVAL) => {}
        }
    }
}

/// Lets the program to move in a game choose its move, in the background.
pub(super) fn wake(service: &SharedService, game: &str) {
    if !service.games.programs.begin(game) {
        return;
    }
    let (service, game) = (Arc::clone(service), game.to_owned());
    tokio::spawn(async move {
        loop {
            if let Err(error) = move_while_due(&service, &game).await {
                // The lease ends, and the turn is taken up again.
                service.log.error("a program could not move", &[("error", Value::error(&error))]);
            }
            if service.games.programs.end(&game) {
                break;
            }
        }
    });
}

/// A program's turn: who moves, and for whom.
struct DueTurn {
    seat: Seat,
    opponent: &'static Opponent,
}

impl DueTurn {
    /// The turn that is due in a game; `None` if no program is to move.
    fn of(session: &GameSession) -> Option<DueTurn> {
        let seat = session.turn()?;
        let opponent = opponents::named(session.rules(), session.program(seat)?)?;
        Some(DueTurn { seat, opponent })
    }
}

/// The client of a program's job: the person who plays against it, at the address of the last move.
fn client_of(row: &GameRow) -> Client {
    let person = row.persons.iter().flatten().next().cloned().unwrap_or_default();
    Client { address: row.turn_address.clone(), person }
}

/// An estimate of the time until the program to move has answered; `None` if no program is to move.
pub(super) fn estimate(service: &SharedService, session: &GameSession) -> Option<Duration> {
    let DueTurn { opponent, .. } = DueTurn::of(session)?;
    let waits = service.scheduler.estimate(opponent.lane(), &client_of(&session.row));
    Some(waits + opponent.answer_time())
}

async fn move_while_due(service: &SharedService, game: &str) -> Result<(), StoreError> {
    let programs = &service.games.programs;
    loop {
        let Some(session) = service.store.game(game).await?.and_then(GameSession::open) else {
            return Ok(());
        };
        let Some(DueTurn { seat, opponent }) = DueTurn::of(&session) else { return Ok(()) };
        let client = client_of(&session.row);
        let before = session.clone();
        let (resources, simple) = (programs.resources.clone(), programs.has_failed(game));
        let shared = Arc::clone(service);
        let job = move |_: &_| {
            let begun = Instant::now();
            shared.games.programs.panic_if_injected();
            let moves = if simple { &session.rules().opponents()[0] } else { opponent };
            (begun, moved(session, seat, moves, &resources))
        };
        // Without room the turn stays due: it is taken up when the lease ends.
        let Ok(handle) = service.scheduler.submit(opponent.lane(), &client, job) else {
            return Ok(());
        };
        let Ok((begun, session)) = handle.await else {
            programs.note_panic(game);
            service.log.error("a program panicked; its move is tried again", &[]);
            return Ok(());
        };
        let Some(session) = session else { return Ok(()) };
        lock(&programs.panics).remove(game);
        tokio::time::sleep_until(answer_at(begun, Instant::now(), opponent.answer_time()).into())
            .await;
        match game_service::keep(service, &before, session).await {
            Ok(_) | Err(StoreError::Conflict) => {}
            Err(error) => return Err(error),
        }
    }
}

/// When a move is sent: a whole number of slots after the search began, so that the response time
/// reveals nothing about what was found.
fn answer_at(begun: Instant, thought: Instant, slot: Duration) -> Instant {
    let took = thought.saturating_duration_since(begun).as_secs_f64();
    let slots = (took / slot.as_secs_f64()).ceil().max(1.0);
    begun + slot.mul_f64(slots)
}

impl Programs {
    fn panic_if_injected(&self) {
        let take = |left: usize| left.checked_sub(1);
        if self.injected_panics.fetch_update(Relaxed, Relaxed, take).is_ok() {
            panic!("a test wants this program to panic");
        }
    }
}

impl Opponent {
    /// The lane of its jobs.
    fn lane(&self) -> Lane {
        if self.time > Duration::from_millis(100) { Lane::StrongProgram } else { Lane::Program }
    }

    /// How long its answer takes, whatever it finds: its time, and some more for a busy machine.
    fn answer_time(&self) -> Duration {
        self.time * 5 / 4 + Duration::from_millis(100)
    }
}

/// The time of a program, and the seed of its random numbers in this game.
fn thinking(session: &GameSession, seat: Seat, opponent: &Opponent) -> Thinking {
    let seed = derive_seed(session.row.seed as u64, seat.index() as u64);
    Thinking { time: opponent.time, seed }
}

/// The game after the move of a program; `None` if it has none.
fn moved(
    mut session: GameSession,
    seat: Seat,
    opponent: &Opponent,
    resources: &PlayerResources,
) -> Option<GameSession> {
    let thinking = thinking(&session, seat, opponent);
    session.game.play_by(opponent.player, &thinking, resources)?;
    Some(session)
}

/// Sets up a program's seat.
pub(super) fn set_up(session: &mut GameSession, seat: Seat) {
    let named = |id| opponents::named(session.rules(), id);
    let Some(opponent) = session.program(seat).and_then(named) else { return };
    let thinking = thinking(session, seat, opponent);
    session.game.set_up_by(seat, opponent.player, &thinking);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Whatever a program finds while its time lasts, its answer leaves at the same moment.
        #[test]
        fn reply_times_do_not_depend_on_the_search(at in 0usize..opponents::all().count(), early in 0.0..=1.0f64, late in 0.0..=1.0f64) {
            let opponent = opponents::all().nth(at).unwrap();
            let begun = Instant::now();
            let slot = opponent.answer_time();
            let answer = |share: f64| answer_at(begun, begun + slot.mul_f64(share), slot);
            prop_assert_eq!(answer(early), answer(late));
            prop_assert!(slot > opponent.time);
            // One that took too long answers after another whole slot, not at once.
            prop_assert_eq!(answer(1.0 + early.max(0.001)), begun + slot.mul_f64(2.0));
        }
    }
}
