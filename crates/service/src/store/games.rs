//! Games: each move is stored before the response.

use super::deletion::DELETED_PERSON;
use super::group_commit::Write;
use super::people::ensure_person;
use super::{Charge, Store, StoreError, now, usage};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// The row of a game. [`GameSession`](crate::games::GameSession) interprets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRow {
    /// Its random id, which lets anyone watch.
    pub id: String,
    /// `geister` or `kriegspiel`.
    pub kind: String,
    /// When it was made, in milliseconds since 1970.
    pub created: i64,
    /// The person on each seat; `None` for a program or a free seat.
    pub persons: [Option<String>; 2],
    /// The programs that play.
    pub programs: [Option<String>; 2],
    /// The secret of the invite link.
    pub invite: Option<String>,
    /// The seed of the programs.
    pub seed: i64,
    /// How both set up, as text.
    pub setup: String,
    /// Every move or try so far, joined by blanks.
    pub moves: String,
    /// The seat that resigned, 0 or 1.
    pub given_up: Option<i64>,
    /// The game is over.
    pub over: bool,
    /// A program has to move.
    pub program_to_move: bool,
    /// The notes of each player.
    pub notes: [String; 2],
    /// When it was last changed.
    pub changed: i64,
    /// When each seat last saw it change: what a seat may not know does not move its time.
    pub changed_for: [i64; 2],
    /// The pseudonym of the address that made it a program's turn: turns are served fairly by it.
    pub turn_address: String,
    /// The lease of the program's turn.
    pub lease: Lease,
    pub(super) changes: i64,
}

/// The lease of a program's turn by a server. One that lies in the past has ended, and so has
/// one that lies further in the future than any lease: the clock was set back since.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lease {
    /// The server.
    pub owner: String,
    /// Until when, in milliseconds since 1970.
    pub until: i64,
}

/// A lease ends after this many milliseconds: a turn whose server has died is taken up by another.
const LEASE: i64 = 5000;

/// A lease that ends later than this was made before the clock was set back; the clocks of servers may
/// differ by as much as a lease is long.
const FUTURE: i64 = 2 * LEASE;

impl Lease {
    /// A lease that begins now.
    pub fn new(owner: &str) -> Lease {
        Lease { owner: owner.to_owned(), until: now() + LEASE }
    }
}

impl GameRow {
    /// A new game.
    pub fn new(id: String, kind: &str, seed: i64) -> GameRow {
        GameRow {
            id,
            kind: kind.to_owned(),
            created: now(),
            persons: [None, None],
            programs: [None, None],
            invite: None,
            seed,
            setup: String::new(),
            moves: String::new(),
            given_up: None,
            over: false,
            program_to_move: false,
            notes: [String::new(), String::new()],
            changed: now(),
            changed_for: [now(); 2],
            turn_address: String::new(),
            lease: Lease::default(),
            changes: 0,
        }
    }
}

fn game_of(row: &AnyRow) -> Result<GameRow, sqlx::Error> {
    Ok(GameRow {
        id: row.try_get("id")?,
        kind: row.try_get("kind")?,
        created: row.try_get("created")?,
        persons: [row.try_get("first_person")?, row.try_get("second_person")?],
        programs: [row.try_get("first_program")?, row.try_get("second_program")?],
        invite: row.try_get("invite")?,
        seed: row.try_get("seed")?,
        setup: row.try_get("setup")?,
        moves: row.try_get("moves")?,
        given_up: row.try_get("given_up")?,
        over: row.try_get::<i64, _>("over")? != 0,
        program_to_move: row.try_get::<i64, _>("program_to_move")? != 0,
        notes: [row.try_get("first_notes")?, row.try_get("second_notes")?],
        changed: row.try_get("changed")?,
        changed_for: [row.try_get("first_changed")?, row.try_get("second_changed")?],
        turn_address: row.try_get("turn_address")?,
        lease: Lease { owner: row.try_get("lease_owner")?, until: row.try_get("lease_until")? },
        changes: row.try_get("changes")?,
    })
}

const INSERT: &str = "\
    INSERT INTO games (first_person, second_person, invite, setup, moves, given_up, over, program_to_move, \
    first_notes, second_notes, changed, first_changed, second_changed, turn_address, lease_owner, lease_until, \
    id, kind, created, first_program, second_program, seed, changes) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, 0)";

const UPDATE: &str = "\
    UPDATE games SET first_person = $1, second_person = $2, invite = $3, setup = $4, moves = $5, \
    given_up = $6, over = $7, program_to_move = $8, first_notes = $9, second_notes = $10, changed = $11, \
    first_changed = $12, second_changed = $13, turn_address = $14, lease_owner = $15, lease_until = $16, \
    changes = changes + 1 WHERE id = $17 AND changes = $18";

/// Writes a game and the people in it; `false` if it was changed since it was read.
pub(super) async fn write_game(
    connection: &mut AnyConnection,
    game: &GameRow,
    write: &Write,
) -> Result<bool, StoreError> {
    if let Write::Begin(Some(charge)) = write {
        usage::pay(connection, charge).await?;
    }
    let real = |person: &&String| *person != DELETED_PERSON;
    for person in game.persons.iter().flatten().filter(real) {
        ensure_person(connection, person).await?;
    }
    let query = sqlx::query(if *write == Write::Keep { UPDATE } else { INSERT })
        .bind(game.persons[0].as_deref())
        .bind(game.persons[1].as_deref())
        .bind(game.invite.as_deref())
        .bind(&game.setup)
        .bind(&game.moves)
        .bind(game.given_up)
        .bind(i64::from(game.over))
        .bind(i64::from(game.program_to_move))
        .bind(&game.notes[0])
        .bind(&game.notes[1])
        .bind(game.changed)
        .bind(game.changed_for[0])
        .bind(game.changed_for[1])
        .bind(&game.turn_address)
        .bind(&game.lease.owner)
        .bind(game.lease.until)
        .bind(&game.id);
    let query = match write {
        Write::Keep => query.bind(game.changes),
        Write::Begin(_) => query
            .bind(&game.kind)
            .bind(game.created)
            .bind(game.programs[0].as_deref())
            .bind(game.programs[1].as_deref())
            .bind(game.seed),
    };
    Ok(query.execute(connection).await?.rows_affected() == 1)
}

impl Store {
    /// Stores a new game.
    ///
    /// # Errors
    /// If the database fails, or too much was stored today by those who pay.
    pub async fn begin_game(
        &self,
        game: &GameRow,
        charge: Option<Charge>,
    ) -> Result<(), StoreError> {
        self.games.write(game.clone(), Write::Begin(charge)).await
    }

    /// A game by its id.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn game(&self, id: &str) -> Result<Option<GameRow>, StoreError> {
        // SQLite reads what was committed, and changes are notified after the commit.
        let row = sqlx::query("SELECT * FROM games WHERE id = $1").bind(id);
        let row = row.fetch_optional(&self.read).await?;
        Ok(row.as_ref().map(game_of).transpose()?)
    }

    /// Stores a changed game.
    ///
    /// # Errors
    /// If the database fails, or the game was changed since it was read.
    pub async fn keep_game(&self, game: &mut GameRow) -> Result<(), StoreError> {
        game.changed = now();
        self.games.write(game.clone(), Write::Keep).await?;
        game.changes += 1;
        Ok(())
    }

    /// The games of a person that this person saw change last, at max `max`.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn games_of(&self, person: &str, max: u32) -> Result<Vec<GameRow>, StoreError> {
        let rows = sqlx::query(
            "SELECT * FROM games WHERE first_person = $1 OR second_person = $1 \
             ORDER BY CASE WHEN first_person = $1 THEN first_changed ELSE second_changed END DESC, id LIMIT $2",
        );
        let rows = rows.bind(person).bind(i64::from(max)).fetch_all(&self.read).await?;
        Ok(rows.iter().map(game_of).collect::<Result<_, _>>()?)
    }

    /// The number of a person's open games.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn open_games_of(&self, person: &str) -> Result<i64, StoreError> {
        let row = sqlx::query(
            "SELECT COUNT(*) AS count FROM games WHERE (first_person = $1 OR second_person = $1) AND over = 0",
        );
        Ok(row.bind(person).fetch_one(&self.read).await?.try_get("count")?)
    }

    /// Leases due turns without a lease to `owner`: fairly, a few
    /// of each address, those that wait longest first.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn lease_due_turns(&self, owner: &str) -> Result<Vec<String>, StoreError> {
        let due = self.due_turns().await?;
        // Nothing is locked if nothing is due, as nearly always.
        if due.is_empty() {
            return Ok(due);
        }
        let lease = Lease::new(owner);
        let mut leased = Vec::new();
        let mut transaction = self.begin().await?;
        for id in due {
            let taken = sqlx::query(
                "UPDATE games SET lease_owner = $2, lease_until = $3 WHERE id = $1 AND program_to_move = 1 \
                 AND (lease_until < $4 OR lease_until > $5)",
            );
            let taken = taken.bind(&id).bind(owner).bind(lease.until);
            let taken = taken.bind(now()).bind(now() + FUTURE).execute(&mut *transaction).await?;
            if taken.rows_affected() == 1 {
                leased.push(id);
            }
        }
        transaction.commit().await?;
        Ok(leased)
    }

    async fn due_turns(&self) -> Result<Vec<String>, StoreError> {
        let rows = sqlx::query(
            "SELECT id FROM (SELECT id, changed, ROW_NUMBER() OVER (PARTITION BY turn_address ORDER BY changed) \
             AS place FROM games WHERE program_to_move = 1 AND (lease_until < $1 OR lease_until > $2)) AS due \
             WHERE place <= 16 ORDER BY place, changed LIMIT 256",
        );
        let rows = rows.bind(now()).bind(now() + FUTURE).fetch_all(&self.read).await?;
        Ok(rows.iter().map(|row| row.try_get("id")).collect::<Result<_, _>>()?)
    }

    /// The review of a finished game.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn review(&self, game: &str) -> Result<Option<String>, StoreError> {
        let row = sqlx::query("SELECT review FROM reviews WHERE game = $1").bind(game);
        let row = row.fetch_optional(&self.read).await?;
        Ok(row.map(|row| row.try_get("review")).transpose()?)
    }

    /// Stores the review of a game.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn keep_review(&self, game: &str, review: &str) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO reviews (game, made, review) VALUES ($1, $2, $3) \
             ON CONFLICT (game) DO UPDATE SET made = $2, review = $3",
        )
        .bind(game)
        .bind(now())
        .bind(review)
        .execute(&self.write)
        .await?;
        Ok(())
    }
}
