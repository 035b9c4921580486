//! Programs that think: a few at a time, in the background, each game in its turn. A program whose
//! game was changed meanwhile has thought in vain, and looks again.

use super::opponents;
use super::table::{Table, Truth};
use super::{dark, ghosts};
use crate::app::Shared;
use crate::store::StoreError;
use endgame::tablebase::Tables;
use games::Seat;
use games::kriegspiel::{Metaposition, Reply};
use players::Thinking;
use players::matches::mixed;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;

/// A program tries no more often than this in one turn; the umpire has fewer answers.
const MOST_TRIES: usize = 400;

/// Programs at work.
pub(super) struct Programs {
    permits: Arc<Semaphore>,
    tables: Tables,
    /// Games in which one thinks or waits to, and whether something happened there meanwhile.
    busy: Mutex<HashMap<String, bool>>,
}

impl Programs {
    /// So many at a time, with these tables of small endings.
    pub(super) fn new(count: usize, tables: Tables) -> Programs {
        Programs { permits: Arc::new(Semaphore::new(count)), tables, busy: Mutex::default() }
    }

    fn busy(&self) -> std::sync::MutexGuard<'_, HashMap<String, bool>> {
        // A panic while the lock is held cannot leave the map half changed.
        self.busy.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many games wait for a program.
    pub(super) fn load(&self) -> usize {
        self.busy().len()
    }

    /// Notes that a game waits; `false` if one is on its way there already.
    fn begin(&self, game: &str) -> bool {
        let mut busy = self.busy();
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

    /// Goes home, unless something happened meanwhile.
    fn end(&self, game: &str) -> bool {
        let mut busy = self.busy();
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
}

/// Lets the program whose turn it is in a game think and move, in the background.
pub(super) fn wake(app: &Shared, game: &str) {
    if !app.hall.programs.begin(game) {
        return;
    }
    let (app, game) = (Arc::clone(app), game.to_owned());
    tokio::spawn(async move {
        loop {
            if let Err(error) = move_while_due(&app, &game).await {
                // The next one who looks at the game wakes the program again.
                eprintln!("spuk: a program could not move: {error}");
            }
            if app.hall.programs.end(&game) {
                break;
            }
        }
    });
}

async fn move_while_due(app: &Shared, game: &str) -> Result<(), StoreError> {
    loop {
        // Closed never.
        let Ok(permit) = Arc::clone(&app.hall.programs.permits).acquire_owned().await else {
            return Ok(());
        };
        let Some(table) = app.store.game(game).await?.and_then(Table::open) else { return Ok(()) };
        let tables = app.hall.programs.tables.clone();
        let thought = tokio::task::spawn_blocking(move || {
            let table = moved(table, &tables);
            drop(permit);
            table
        });
        let Ok(Some(table)) = thought.await else { return Ok(()) };
        match app.store.keep_game(&mut table.into_row()).await {
            Ok(()) => app.hall.tell(game),
            Err(StoreError::Conflict) => {}
            Err(error) => return Err(error),
        }
    }
}

/// The table after the move of the program whose turn it is; `None` if it is nobody's.
fn moved(mut table: Table, tables: &Tables) -> Option<Table> {
    let seat = table.turn()?;
    let opponent = opponents::named(table.kind(), table.program(seat)?)?;
    let seed = mixed(table.row.seed as u64, u64::from(seat == Seat::Second));
    let thinking = Thinking { time: opponent.time, seed };
    match &mut table.truth {
        Truth::Geister(ghosts) => {
            let mv = opponent.geister(tables)?.choose(&ghosts.history(seat)?, &thinking);
            ghosts.play(mv).then_some(())?;
        }
        Truth::Kriegspiel(game) => {
            let mut player = opponent.kriegspiel()?;
            let start = Metaposition::known(game.start(), dark::side(seat));
            for _ in 0..MOST_TRIES {
                let attempt = player.choose(&game.observe(dark::side(seat)), &start, &thinking);
                if let Ok(Reply::Legal(_)) | Err(_) = game.try_move(attempt) {
                    break;
                }
            }
        }
    }
    Some(table)
}

/// How a program sets up.
pub(super) fn set_up(table: &mut Table, seat: Seat) {
    let Some(opponent) = table.program(seat).and_then(|id| opponents::named(table.kind(), id))
    else {
        return;
    };
    let seed = mixed(table.row.seed as u64, u64::from(seat == Seat::Second));
    let thinking = Thinking { time: opponent.time, seed };
    // Nothing is to be proved yet.
    let player = opponent.geister(&Tables::default());
    if let (Truth::Geister(ghosts), Some(mut player)) = (&mut table.truth, player) {
        let at = usize::from(ghosts::side(seat) == games::geister::Side::Top);
        ghosts.placements[at] = Some(player.place(&thinking));
    }
}
