//! Deleting everything that belongs to a person.
//!
//! Ratings of puzzles keep what the person's attempts added to them: they are sums that identify no person.

use super::{Store, StoreError, now};
use sqlx::{AnyConnection, Row};

/// The id on the seat of a deleted person, so that the seat is not free. No cookie can have this id.
pub const DELETED_PERSON: &str = "deleted";

/// The tables whose rows belong to the person in their column `person`.
pub const OWNED_TABLES: [&str; 6] =
    ["opinions", "attempts", "transfers", "participants", "exposures", "rating_marks"];

impl Store {
    /// Deletes a person with attempts, opinions, participation in studies and games against programs. In
    /// games with another person the seat becomes anonymous, and those under way are resigned.
    ///
    /// Returns the ids of the resigned games.
    ///
    /// # Errors
    /// If the database fails; then nothing is deleted.
    pub async fn delete_person(&self, id: &str) -> Result<Vec<String>, StoreError> {
        let mut transaction = self.begin().await?;
        let resigned = delete_person(&mut transaction, id).await?;
        transaction.commit().await?;
        Ok(resigned)
    }
}

pub(super) async fn delete_person(
    connection: &mut AnyConnection,
    id: &str,
) -> Result<Vec<String>, StoreError> {
    let mut resigned = Vec::new();
    for (number, own, other) in [(0, "first", "second"), (1, "second", "first")] {
        delete_own_games(connection, id, own, other).await?;
        resigned.extend(leave_games(connection, id, number, own).await?);
    }
    for table in OWNED_TABLES {
        let rows = format!("DELETE FROM {table} WHERE person = $1");
        sqlx::query(&rows).bind(id).execute(&mut *connection).await?;
    }
    let paid = sqlx::query("DELETE FROM storage_use WHERE who = $1").bind(format!("person {id}"));
    paid.execute(&mut *connection).await?;
    let person = sqlx::query("DELETE FROM people WHERE id = $1").bind(id);
    person.execute(&mut *connection).await?;
    Ok(resigned)
}

/// Deletes the games without another player.
async fn delete_own_games(
    connection: &mut AnyConnection,
    id: &str,
    own: &str,
    other: &str,
) -> Result<(), StoreError> {
    let alone = format!(
        "{own}_person = $1 AND ({other}_person IS NULL OR {other}_person = '{DELETED_PERSON}')"
    );
    for rows in [
        format!("DELETE FROM reviews WHERE game IN (SELECT id FROM games WHERE {alone})"),
        format!("DELETE FROM games WHERE {alone}"),
    ] {
        sqlx::query(&rows).bind(id).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Resigns the games that are under way on a seat, and makes the seat anonymous in all.
async fn leave_games(
    connection: &mut AnyConnection,
    id: &str,
    number: i64,
    own: &str,
) -> Result<Vec<String>, StoreError> {
    let resign = format!(
        "UPDATE games SET given_up = $2, over = 1, program_to_move = 0, changed = $3, first_changed = $3, \
         second_changed = $3, changes = changes + 1 WHERE {own}_person = $1 AND over = 0 RETURNING id"
    );
    let rows = sqlx::query(&resign).bind(id).bind(number).bind(now());
    let rows = rows.fetch_all(&mut *connection).await?;
    let leave = format!(
        "UPDATE games SET {own}_person = '{DELETED_PERSON}', {own}_notes = '', changes = changes + 1 \
         WHERE {own}_person = $1"
    );
    sqlx::query(&leave).bind(id).execute(connection).await?;
    Ok(rows.iter().map(|row| row.try_get("id")).collect::<Result<_, _>>()?)
}
