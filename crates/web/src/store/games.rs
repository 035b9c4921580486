//! Games that people play on the site: each move is kept before it is answered.

use super::people::ensure_person;
use super::together::Write;
use super::{Store, StoreError, now};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// A game as it is kept. What it means is for [`Table`](crate::play::Table) to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRow {
    /// Its id, random: who has it may watch.
    pub id: String,
    /// `geister` or `kriegspiel`.
    pub kind: String,
    /// When it was made, in milliseconds since 1970.
    pub created: i64,
    /// Who sits where; nobody where a program plays or somebody is waited for.
    pub persons: [Option<String>; 2],
    /// The programs that play.
    pub programs: [Option<String>; 2],
    /// The secret that lets somebody take the free seat.
    pub invite: Option<String>,
    /// The seed of the programs' chance.
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
    /// What each player has noted on the board.
    pub notes: [String; 2],
    /// When it was last changed.
    pub changed: i64,
    pub(super) changes: i64,
}

impl GameRow {
    /// A game that nobody has begun.
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
        changes: row.try_get("changes")?,
    })
}

const INSERT: &str = "\
    INSERT INTO games (first_person, second_person, invite, setup, moves, given_up, over, program_to_move, \
    first_notes, second_notes, changed, id, kind, created, first_program, second_program, seed, changes) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, 0)";

const UPDATE: &str = "\
    UPDATE games SET first_person = $1, second_person = $2, invite = $3, setup = $4, moves = $5, \
    given_up = $6, over = $7, program_to_move = $8, first_notes = $9, second_notes = $10, changed = $11, \
    changes = changes + 1 WHERE id = $12 AND changes = $13";

/// Writes a game and the people in it; `false` if it was changed since it was read.
pub(super) async fn write_game(
    connection: &mut AnyConnection,
    game: &GameRow,
    write: Write,
) -> Result<bool, StoreError> {
    for person in game.persons.iter().flatten() {
        ensure_person(connection, person).await?;
    }
    let query = sqlx::query(if write == Write::Begin { INSERT } else { UPDATE })
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
        .bind(&game.id);
    let query = match write {
        Write::Keep => query.bind(game.changes),
        Write::Begin => query
            .bind(&game.kind)
            .bind(game.created)
            .bind(game.programs[0].as_deref())
            .bind(game.programs[1].as_deref())
            .bind(game.seed),
    };
    Ok(query.execute(connection).await?.rows_affected() == 1)
}

impl Store {
    /// Keeps a game that begins.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn begin_game(&self, game: &GameRow) -> Result<(), StoreError> {
        self.games.write(game.clone(), Write::Begin).await
    }

    /// A game by its id.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn game(&self, id: &str) -> Result<Option<GameRow>, StoreError> {
        // SQLite reads what was committed, and whoever is told of a change is told after the commit.
        let row = sqlx::query("SELECT * FROM games WHERE id = $1").bind(id);
        let row = row.fetch_optional(&self.read).await?;
        Ok(row.as_ref().map(game_of).transpose()?)
    }

    /// Keeps a game as it now stands.
    ///
    /// # Errors
    /// If the database fails, or the game was changed since it was read.
    pub async fn keep_game(&self, game: &mut GameRow) -> Result<(), StoreError> {
        game.changed = now();
        self.games.write(game.clone(), Write::Keep).await?;
        game.changes += 1;
        Ok(())
    }

    /// The games of a person that changed last, at most so many.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn games_of(&self, person: &str, most: u32) -> Result<Vec<GameRow>, StoreError> {
        let rows = sqlx::query(
            "SELECT * FROM games WHERE first_person = $1 OR second_person = $1 ORDER BY changed DESC LIMIT $2",
        );
        let rows = rows.bind(person).bind(i64::from(most)).fetch_all(&self.read).await?;
        Ok(rows.iter().map(game_of).collect::<Result<_, _>>()?)
    }

    /// How many games of a person go on.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn open_games_of(&self, person: &str) -> Result<i64, StoreError> {
        let row = sqlx::query(
            "SELECT COUNT(*) AS count FROM games WHERE (first_person = $1 OR second_person = $1) AND over = 0",
        );
        Ok(row.bind(person).fetch_one(&self.read).await?.try_get("count")?)
    }

    /// The games in which a program has to move: those to go on with after a restart.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn games_of_programs(&self) -> Result<Vec<String>, StoreError> {
        let rows = sqlx::query("SELECT id FROM games WHERE program_to_move = 1 ORDER BY changed");
        let rows = rows.fetch_all(&self.read).await?;
        Ok(rows.iter().map(|row| row.try_get("id")).collect::<Result<_, _>>()?)
    }

    /// What was found out about a game that is over.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn review(&self, game: &str) -> Result<Option<String>, StoreError> {
        let row = sqlx::query("SELECT review FROM reviews WHERE game = $1").bind(game);
        let row = row.fetch_optional(&self.read).await?;
        Ok(row.map(|row| row.try_get("review")).transpose()?)
    }

    /// Keeps what was found out about a game.
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
