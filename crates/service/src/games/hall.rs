//! Where games are begun, joined, played and watched.

use super::opponents;
use super::programs::{self, Programs};
use super::review::Reviewers;
use super::table::{Kind, Role, SEATS, Table, number};
use super::view::{GameView, Summary, seat_named};
use crate::caller::Caller;
use crate::error::{ErrorKind, ServiceError};
use crate::quota;
use crate::rate_limit::RateLimit;
use crate::secrets::random_text;
use crate::service::{Service, SharedService};
use crate::store::{GameRow, Lease, StoreError, now};
use games::Seat;
use geister::tablebase::Tables;
use players::random::any_placement;
use rand::rand_core::UnwrapErr;
use rand::rngs::OsRng;
use rand::{Rng, TryRngCore};
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// The digits of a game's id: 60 bits, enough that nobody finds one by guessing.
pub(super) const GAME_DIGITS: usize = 12;
/// The digits of the secret that lets somebody join.
pub const INVITE_DIGITS: usize = 20;
/// Open games of one person.
const MAX_OPEN_GAMES: i64 = 24;
/// Games in the list of a person.
const MAX_LISTED: u32 = 60;
/// The longest notes: each square with a letter.
const MAX_NOTES_BYTES: usize = 400;

/// Those who wait for something to happen, and the programs.
pub struct Hall {
    pub(super) programs: Programs,
    pub(super) reviewers: Reviewers,
    /// For each game that somebody watches, how often something happened there.
    watched: Mutex<HashMap<String, watch::Sender<u64>>>,
    closing: watch::Sender<bool>,
}

impl Hall {
    /// With the tablebases that programs use.
    pub fn new(tables: Tables) -> Hall {
        Hall {
            programs: Programs::new(tables),
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

    /// Tells those who watch a game that something happened there.
    pub(crate) fn tell(&self, game: &str) {
        let mut watched = self.watched();
        let Some(sender) = watched.get(game) else { return };
        if sender.receiver_count() == 0 {
            watched.remove(game);
        } else {
            sender.send_modify(|times| *times += 1);
        }
    }

    /// Something to wait by for the next thing that happens in a game.
    pub fn watch(&self, game: &str) -> watch::Receiver<u64> {
        let mut watched = self.watched();
        // Whoever watched before and left is forgotten on the way.
        watched.retain(|_, sender| sender.receiver_count() > 0);
        watched.entry(game.to_owned()).or_insert_with(|| watch::channel(0).0).subscribe()
    }

    /// Something to wait by for the end of the site.
    pub fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }

    /// Lets the next moves of programs panic: tests see that their games continue.
    pub fn inject_panics(&self, count: usize) {
        self.programs.injected_panics.store(count, Relaxed);
    }

    /// Sends everybody home.
    pub fn close(&self) {
        self.closing.send_replace(true);
    }
}

/// Starts taking care of the turns of programs that no server takes care of, until the site closes.
pub fn start(service: &SharedService) {
    tokio::spawn(programs::take_up_due_turns(Arc::clone(service)));
}

/// What somebody who wants to play says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wish {
    /// Which game.
    kind: String,
    /// The id of a program; nothing for a person who gets a link.
    opponent: Option<String>,
    /// `first`, `second`, or nothing for rng.
    seat: Option<String>,
    /// The squares of the own reds, or nothing to set up later.
    red: Option<Vec<String>>,
}

/// The system's rng: without it nothing here can be safe.
fn rng() -> UnwrapErr<OsRng> {
    OsRng.unwrap_err()
}

/// Begins a game.
///
/// # Errors
/// If the wish makes no sense, or the caller plays too many games or asks too often.
pub async fn begin(
    service: &SharedService,
    caller: &Caller,
    wish: &Wish,
) -> Result<(Table, Role), ServiceError> {
    service.check_rate(caller, RateLimit::Write)?;
    let kind = Kind::named(&wish.kind).ok_or(ServiceError::bad("no-such-game"))?;
    let opponent = match wish.opponent.as_deref() {
        Some(id) => Some(opponents::named(kind, id).ok_or(ServiceError::bad("no-opponent"))?),
        None => None,
    };
    let mut rng = rng();
    let seat = match wish.seat.as_deref() {
        Some(name) => seat_named(name).ok_or(ServiceError::bad("no-seat"))?,
        None => SEATS[usize::from(rng.random::<bool>())],
    };
    let person = caller.person();
    if service.store.open_games_of(person).await? >= MAX_OPEN_GAMES {
        return Err(ServiceError::conflict("too-many-games"));
    }
    let mut row = GameRow::new(random_text(GAME_DIGITS), kind.name(), rng.random());
    row.persons[number(seat)] = Some(person.to_owned());
    row.programs[number(seat.opponent())] = opponent.map(|one| one.id.to_owned());
    row.invite = opponent.is_none().then(|| random_text(INVITE_DIGITS));
    let mut table = Table::open(row).ok_or_else(damaged)?;
    if let Some(red) = &wish.red {
        table.set_up(seat, Table::placement(red)?)?;
    }
    programs::set_up(&mut table, seat.opponent());
    table.row.turn_address = caller.client.address.clone();
    let row = leased(service, table.into_row());
    service.store.begin_game(&row, service.charge(caller, quota::GAME)).await?;
    if row.program_to_move {
        programs::wake(service, &row.id);
    }
    Ok((Table::open(row).ok_or_else(damaged)?, Role::Player(seat)))
}

/// What is kept does not hold together: somebody else has written there.
fn damaged() -> ServiceError {
    ServiceError::new(ErrorKind::Unavailable, "store")
}

/// A game, and what the caller is there.
///
/// # Errors
/// If there is none, or the store fails.
pub async fn open(
    service: &Service,
    person: &str,
    id: &str,
) -> Result<(Table, Role), ServiceError> {
    let row = service.store.game(id).await?.ok_or(ServiceError::NOT_FOUND)?;
    let table = Table::open(row).ok_or_else(damaged)?;
    let role = table.role(person);
    Ok((table, role))
}

/// So often a change is tried when a program moves at the very same moment.
const TRIES: u32 = 4;

/// Lets a player change a game: what is answered is kept.
async fn change(
    service: &SharedService,
    caller: &Caller,
    id: &str,
    act: impl Fn(&mut Table, Seat) -> Result<(), ServiceError>,
) -> Result<(Table, Role), ServiceError> {
    service.check_rate(caller, RateLimit::Write)?;
    let watching = ServiceError::new(ErrorKind::Forbidden, "only-watching");
    for _ in 1..TRIES {
        let (before, role) = open(service, caller.person(), id).await?;
        let mut table = before.clone();
        act(&mut table, role.seat().ok_or(watching.clone())?)?;
        table.row.turn_address = caller.client.address.clone();
        match keep_row(service, &before, table).await {
            Err(StoreError::Conflict) => {}
            kept => return Ok((Table::open(kept?).ok_or_else(damaged)?, role)),
        }
    }
    Err(ServiceError::conflict("changed"))
}

/// Keeps a game that stood as `before`, notifies those who watch it, and wakes the program whose turn it
/// is.
pub(super) async fn keep_row(
    service: &SharedService,
    before: &Table,
    table: Table,
) -> Result<GameRow, StoreError> {
    let sees = |table: &Table, seat| GameView::new(table, Role::Player(seat)).json();
    let changed = SEATS.map(|seat| sees(before, seat) != sees(&table, seat));
    let mut row = leased(service, table.into_row());
    for (time, changed) in row.changed_for.iter_mut().zip(changed) {
        if changed {
            *time = now();
        }
    }
    service.store.keep_game(&mut row).await?;
    service.hall.tell(&row.id);
    if row.program_to_move {
        programs::wake(service, &row.id);
    }
    Ok(row)
}

/// A row with this server's lease if it is a program's turn, and with none otherwise.
fn leased(service: &Service, mut row: GameRow) -> GameRow {
    row.lease = if row.program_to_move {
        Lease::new(&service.hall.programs.server)
    } else {
        Lease::default()
    };
    row
}

/// How long the answer of the program whose turn it is should take; `None` if none is due.
pub fn answer_in(service: &SharedService, table: &Table) -> Option<Duration> {
    programs::estimate(service, table)
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
) -> Result<(Table, Role), ServiceError> {
    service.check_rate(caller, RateLimit::Write)?;
    let (before, role) = open(service, caller.person(), id).await?;
    if role.seat().is_some() {
        return Ok((before, role));
    }
    let mut table = before.clone();
    let free = SEATS.into_iter().find(|&seat| !table.is_taken(seat));
    let free =
        free.filter(|_| table.end().is_none()).ok_or(ServiceError::conflict("no-free-seat"))?;
    if table.row.invite.as_deref() != Some(invite) {
        return Err(ServiceError::new(ErrorKind::Forbidden, "bad-invite"));
    }
    table.row.persons[number(free)] = Some(caller.person().to_owned());
    table.row.invite = None;
    let row = keep_row(service, &before, table).await?;
    Ok((Table::open(row).ok_or_else(damaged)?, Role::Player(free)))
}

/// Sets up: on these squares, or by rng.
///
/// # Errors
/// If it is no set-up, or there is nothing to set up.
pub async fn set_up(
    service: &SharedService,
    caller: &Caller,
    id: &str,
    red: Option<&[String]>,
) -> Result<(Table, Role), ServiceError> {
    let placement = match red {
        Some(red) => Table::placement(red)?,
        None => any_placement(&mut rng()),
    };
    change(service, caller, id, |table, seat| table.set_up(seat, placement)).await
}

/// Moves, or tries to.
///
/// # Errors
/// If it is no move here and now.
pub async fn play(
    service: &SharedService,
    caller: &Caller,
    id: &str,
    mv: &str,
    ply: usize,
) -> Result<(Table, Role), ServiceError> {
    change(service, caller, id, |table, seat| table.play(seat, mv, ply)).await
}

/// Takes the last move back.
///
/// # Errors
/// If it may not be.
pub async fn undo(
    service: &SharedService,
    caller: &Caller,
    id: &str,
) -> Result<(Table, Role), ServiceError> {
    change(service, caller, id, Table::undo).await
}

/// Gives up.
///
/// # Errors
/// If the game is over.
pub async fn resign(
    service: &SharedService,
    caller: &Caller,
    id: &str,
) -> Result<(Table, Role), ServiceError> {
    change(service, caller, id, Table::resign).await
}

/// Keeps what a player has noted on the board.
///
/// # Errors
/// If the notes are too long or no notes.
pub async fn note(
    service: &SharedService,
    caller: &Caller,
    id: &str,
    notes: &str,
) -> Result<(Table, Role), ServiceError> {
    let fit = |letter: char| letter.is_ascii_alphanumeric() || " ,".contains(letter);
    if notes.len() > MAX_NOTES_BYTES || !notes.chars().all(fit) {
        return Err(ServiceError::bad("bad-notes"));
    }
    change(service, caller, id, |table, seat| {
        table.row.notes[number(seat)] = notes.to_owned();
        Ok(())
    })
    .await
}

/// The games of the caller that changed last.
///
/// # Errors
/// If the store fails.
pub async fn list(service: &Service, person: &str) -> Result<Vec<Summary>, ServiceError> {
    let rows = service.store.games_of(person, MAX_LISTED).await?;
    let summary = |row| {
        let table = Table::open(row)?;
        Some(Summary::new(&table, table.role(person).seat()?))
    };
    Ok(rows.into_iter().filter_map(summary).collect())
}

/// What somebody sees of a game now, as it is sent.
///
/// # Errors
/// If there is none, or the store fails.
pub async fn seen(service: &Service, person: &str, id: &str) -> Result<String, ServiceError> {
    let (table, role) = open(service, person, id).await?;
    Ok(GameView::new(&table, role).json())
}
