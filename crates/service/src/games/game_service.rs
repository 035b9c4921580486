//! Beginning, joining, playing and watching games.

use super::game_session::{GameSession, Role, seat_named};
use super::hosted_game::system_rng;
use super::opponents;
use super::player::PlayerResources;
use super::programs::{self, Programs};
use super::registry;
use super::review::Reviewers;
use super::summary::Summary;
use super::view::GameView;
use crate::caller::Caller;
use crate::error::{ErrorKind, ServiceError};
use crate::quota;
use crate::rate_limit::RateLimit;
use crate::secrets::random_text;
use crate::service::{Service, SharedService};
use crate::store::{GameRow, Lease, StoreError, now};
use games::Seat;
use rand::Rng;
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// The digits of a game's id: 60 bits, too many to guess.
pub(super) const GAME_DIGITS: usize = 12;
/// The digits of the secret in an invite link.
pub const INVITE_DIGITS: usize = 20;
/// Open games of one person.
const MAX_OPEN_GAMES: i64 = 24;
/// Games in the list of a person.
const MAX_LISTED: u32 = 60;
/// Bytes of notes: each square with a letter fits.
const MAX_NOTES_BYTES: usize = 400;

/// The state of running games that is not in the database: watchers, programs, reviews.
pub struct GameService {
    pub(super) programs: Programs,
    pub(super) reviewers: Reviewers,
    /// For each game with watchers, how often it changed.
    watched: Mutex<HashMap<String, watch::Sender<u64>>>,
    closing: watch::Sender<bool>,
}

impl GameService {
    /// With what the players of programs share.
    pub fn new(resources: PlayerResources) -> GameService {
        GameService {
            programs: Programs::new(resources),
            reviewers: Reviewers::default(),
            watched: Mutex::default(),
            closing: watch::channel(false).0,
        }
    }

    /// How many games wait for a program.
    pub fn load(&self) -> usize {
        self.programs.load()
    }

    fn watched(&self) -> std::sync::MutexGuard<'_, HashMap<String, watch::Sender<u64>>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notifies those who watch a game that it changed.
    pub(crate) fn notify(&self, game: &str) {
        let mut watched = self.watched();
        let Some(sender) = watched.get(game) else { return };
        if sender.receiver_count() == 0 {
            watched.remove(game);
        } else {
            sender.send_modify(|times| *times += 1);
        }
    }

    /// Subscribes to the changes of a game.
    pub fn watch(&self, game: &str) -> watch::Receiver<u64> {
        let mut watched = self.watched();
        // Games that nobody watches any more are dropped here.
        watched.retain(|_, sender| sender.receiver_count() > 0);
        watched.entry(game.to_owned()).or_insert_with(|| watch::channel(0).0).subscribe()
    }

    /// Subscribes to the shutdown.
    pub fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }

    /// Lets the next moves of programs panic; tests check that their games continue.
    pub fn inject_panics(&self, count: usize) {
        self.programs.injected_panics.store(count, Relaxed);
    }

    /// Begins the graceful shutdown: event streams end, and no program takes up another turn.
    pub fn close(&self) {
        self.closing.send_replace(true);
    }
}

/// Starts the task that takes up turns of programs that no server works on, until the shutdown.
pub fn start(service: &SharedService) {
    tokio::spawn(programs::take_up_due_turns(Arc::clone(service)));
}

/// The game that a player asks for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// Which game.
    kind: String,
    /// The id of a program; `None` for a person who gets a link.
    opponent: Option<String>,
    /// `first`, `second`, or `None` for a random seat.
    seat: Option<String>,
    /// The own set-up, in the words of the game; `None` to set up later.
    #[serde(rename = "red")]
    setup: Option<Vec<String>>,
}

/// Begins a game.
///
/// # Errors
/// If the request makes no sense, or the caller plays too many games or asks too often.
pub async fn begin(
    service: &SharedService,
    caller: &Caller,
    new: &NewGame,
) -> Result<(GameSession, Role), ServiceError> {
    service.check_rate(caller, RateLimit::Write)?;
    let rules = registry::named(&new.kind).ok_or(ServiceError::bad("no-such-game"))?;
    let opponent = match new.opponent.as_deref() {
        Some(id) => Some(opponents::named(rules, id).ok_or(ServiceError::bad("no-opponent"))?),
        None => None,
    };
    let mut rng = system_rng();
    let seat = match new.seat.as_deref() {
        Some(name) => seat_named(name).ok_or(ServiceError::bad("no-seat"))?,
        None => Seat::ALL[usize::from(rng.random::<bool>())],
    };
    let person = caller.person();
    if service.store.open_games_of(person).await? >= MAX_OPEN_GAMES {
        return Err(ServiceError::conflict("too-many-games"));
    }
    let mut row = GameRow::new(random_text(GAME_DIGITS), rules.name(), rng.random());
    row.persons[seat.index()] = Some(person.to_owned());
    row.programs[seat.opponent().index()] = opponent.map(|one| one.id.to_owned());
    row.invite = opponent.is_none().then(|| random_text(INVITE_DIGITS));
    let mut session = GameSession::open(row).ok_or_else(damaged)?;
    if let Some(setup) = &new.setup {
        session.set_up(seat, Some(setup))?;
    }
    programs::set_up(&mut session, seat.opponent());
    session.row.turn_address = caller.client.address.clone();
    session.update_row();
    session.row.lease = lease_of(service, &session.row);
    service.store.begin_game(&session.row, service.charge(caller, quota::GAME)).await?;
    if session.row.program_to_move {
        programs::wake(service, &session.row.id);
    }
    Ok((session, Role::Player(seat)))
}

/// The row of a game is damaged: another program has written there.
fn damaged() -> ServiceError {
    ServiceError::new(ErrorKind::Unavailable, "store")
}

/// A game, and the role of a person in it.
///
/// # Errors
/// If there is none, or the database fails.
pub async fn open(
    service: &Service,
    person: &str,
    id: &str,
) -> Result<(GameSession, Role), ServiceError> {
    let row = service.store.game(id).await?.ok_or(ServiceError::NOT_FOUND)?;
    let session = GameSession::open(row).ok_or_else(damaged)?;
    let role = session.role(person);
    Ok((session, role))
}

/// Attempts at a change while others change the same game at the same moment.
const MAX_TRIES: u32 = 3;

/// Lets a player change a game. What is returned is stored.
async fn change(
    service: &SharedService,
    caller: &Caller,
    id: &str,
    act: impl Fn(&mut GameSession, Seat) -> Result<(), ServiceError>,
) -> Result<(GameSession, Role), ServiceError> {
    service.check_rate(caller, RateLimit::Write)?;
    let watching = ServiceError::new(ErrorKind::Forbidden, "only-watching");
    for _ in 0..MAX_TRIES {
        let (before, role) = open(service, caller.person(), id).await?;
        let mut session = before.clone();
        act(&mut session, role.seat().ok_or(watching.clone())?)?;
        session.row.turn_address = caller.client.address.clone();
        match keep(service, &before, session).await {
            Err(StoreError::Conflict) => {}
            kept => return Ok((kept?, role)),
        }
    }
    Err(ServiceError::conflict("changed"))
}

/// Stores a game that was `before`, notifies those who watch it, and wakes the program whose turn it is.
pub(super) async fn keep(
    service: &SharedService,
    before: &GameSession,
    mut session: GameSession,
) -> Result<GameSession, StoreError> {
    let sees = |session: &GameSession, seat| GameView::new(session, Role::Player(seat)).json();
    let changed = Seat::ALL.map(|seat| sees(before, seat) != sees(&session, seat));
    session.update_row();
    let row = &mut session.row;
    row.lease = lease_of(service, row);
    for (time, changed) in row.changed_for.iter_mut().zip(changed) {
        if changed {
            *time = now();
        }
    }
    service.store.keep_game(row).await?;
    service.games.notify(&row.id);
    if row.program_to_move {
        programs::wake(service, &row.id);
    }
    Ok(session)
}

/// This server's lease if it is a program's turn, and none otherwise.
fn lease_of(service: &Service, row: &GameRow) -> Lease {
    if row.program_to_move { Lease::new(&service.games.programs.server) } else { Lease::default() }
}

/// An estimate of the time until the program to move has answered; `None` if no program is to move.
pub fn answer_in(service: &SharedService, session: &GameSession) -> Option<Duration> {
    programs::estimate(service, session)
}

/// Takes the free seat of a game.
///
/// # Errors
/// If the secret is wrong, or there is no free seat for the caller.
pub async fn join(
    service: &SharedService,
    caller: &Caller,
    id: &str,
    invite: &str,
) -> Result<(GameSession, Role), ServiceError> {
    service.check_rate(caller, RateLimit::Write)?;
    let (before, role) = open(service, caller.person(), id).await?;
    if role.seat().is_some() {
        return Ok((before, role));
    }
    let mut session = before.clone();
    let free = Seat::ALL.into_iter().find(|&seat| !session.is_taken(seat));
    let free = free
        .filter(|_| session.result().is_none())
        .ok_or(ServiceError::conflict("no-free-seat"))?;
    if session.row.invite.as_deref() != Some(invite) {
        return Err(ServiceError::new(ErrorKind::Forbidden, "bad-invite"));
    }
    session.row.persons[free.index()] = Some(caller.person().to_owned());
    session.row.invite = None;
    let session = keep(service, &before, session).await?;
    Ok((session, Role::Player(free)))
}

/// Sets up: in the words of the game, or at random.
///
/// # Errors
/// If it is not a set-up, or there is nothing to set up.
pub async fn set_up(
    service: &SharedService,
    caller: &Caller,
    id: &str,
    setup: Option<&[String]>,
) -> Result<(GameSession, Role), ServiceError> {
    change(service, caller, id, |session, seat| session.set_up(seat, setup)).await
}

/// Plays a move or a try.
///
/// # Errors
/// If it is not a move here and now.
pub async fn play(
    service: &SharedService,
    caller: &Caller,
    id: &str,
    mv: &str,
    ply: usize,
) -> Result<(GameSession, Role), ServiceError> {
    change(service, caller, id, |session, seat| session.play(seat, mv, ply)).await
}

/// Takes the last move back.
///
/// # Errors
/// If it may not be.
pub async fn undo(
    service: &SharedService,
    caller: &Caller,
    id: &str,
) -> Result<(GameSession, Role), ServiceError> {
    change(service, caller, id, GameSession::undo).await
}

/// Resigns.
///
/// # Errors
/// If the game is over.
pub async fn resign(
    service: &SharedService,
    caller: &Caller,
    id: &str,
) -> Result<(GameSession, Role), ServiceError> {
    change(service, caller, id, GameSession::resign).await
}

/// Stores the notes of a player on the board.
///
/// # Errors
/// If the notes are too long or not valid.
pub async fn note(
    service: &SharedService,
    caller: &Caller,
    id: &str,
    notes: &str,
) -> Result<(GameSession, Role), ServiceError> {
    let fit = |letter: char| letter.is_ascii_alphanumeric() || " ,".contains(letter);
    if notes.len() > MAX_NOTES_BYTES || !notes.chars().all(fit) {
        return Err(ServiceError::bad("bad-notes"));
    }
    change(service, caller, id, |session, seat| {
        session.row.notes[seat.index()] = notes.to_owned();
        Ok(())
    })
    .await
}

/// The games of a person, the last changed first.
///
/// # Errors
/// If the database fails.
pub async fn list(service: &Service, person: &str) -> Result<Vec<Summary>, ServiceError> {
    let rows = service.store.games_of(person, MAX_LISTED).await?;
    let summary = |row| {
        let session = GameSession::open(row)?;
        Some(Summary::new(&session, session.role(person).seat()?))
    };
    Ok(rows.into_iter().filter_map(summary).collect())
}

/// What a person sees of a game now, as JSON.
///
/// # Errors
/// If there is none, or the database fails.
pub async fn seen(service: &Service, person: &str, id: &str) -> Result<String, ServiceError> {
    let (session, role) = open(service, person, id).await?;
    Ok(GameView::new(&session, role).json())
}
