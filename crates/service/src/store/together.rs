//! Writes that share a commit.
//!
//! A commit waits for the disk, and SQLite writes one at a time: with two hundred games that begin
//! in the same moment, the last would wait for two hundred syncs. So whatever comes while one commit
//! is on its way goes into the next, together. Each is answered after its commit, as if it were alone.

use super::games::{GameRow, write_game};
use super::transaction::{Dialect, Transaction};
use super::{Charge, StoreError};
use sqlx::AnyPool;
use tokio::sync::{mpsc, oneshot};

/// So many writes wait in line; more wait at the door.
const LINE: usize = 256;

/// So many share a commit at most, so that the first of them does not wait long for the last.
const TOGETHER: usize = 64;

/// What happens to a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Write {
    /// It begins, for somebody who pays for that.
    Begin(Option<Charge>),
    /// It stands otherwise than it was read.
    Keep,
}

struct Waiting {
    game: GameRow,
    write: Write,
    answer: oneshot::Sender<Result<(), StoreError>>,
}

/// The line of those who wait to write games.
#[derive(Clone, Debug)]
pub(super) struct Together {
    line: mpsc::Sender<Waiting>,
}

impl Together {
    /// Opens the line. It is served until the last of those who can stand in it are gone.
    pub(super) fn open(pool: AnyPool, dialect: Dialect) -> Together {
        let (line, waiting) = mpsc::channel(LINE);
        tokio::spawn(serve(pool, dialect, waiting));
        Together { line }
    }

    /// Writes a game; it is on disk when this returns without an error.
    pub(super) async fn write(&self, game: GameRow, write: Write) -> Result<(), StoreError> {
        let (answer, answered) = oneshot::channel();
        // The line ends only with the store.
        let closed = || StoreError::from(sqlx::Error::PoolClosed);
        self.line.send(Waiting { game, write, answer }).await.map_err(|_| closed())?;
        answered.await.unwrap_or_else(|_| Err(closed()))
    }
}

async fn serve(pool: AnyPool, dialect: Dialect, mut line: mpsc::Receiver<Waiting>) {
    let mut batch = Vec::with_capacity(TOGETHER);
    while line.recv_many(&mut batch, TOGETHER).await > 0 {
        match commit(&pool, dialect, &batch).await {
            Ok(kept) => batch.drain(..).zip(kept).for_each(|(one, kept)| one.answer(kept)),
            // The database refused one: that is not to be the others' harm.
            Err(error) if error.is_refusal() && batch.len() > 1 => {
                for one in batch.drain(..) {
                    let alone = commit(&pool, dialect, std::slice::from_ref(&one)).await;
                    one.answer(alone.and_then(|mut kept| kept.remove(0)));
                }
            }
            // It did not answer, and nobody is to wait for that once more.
            Err(error) => batch.drain(..).for_each(|one| one.answer(Err(error.clone()))),
        }
    }
}

impl Waiting {
    /// Answers the one who waits, unless that one has gone away.
    fn answer(self, kept: Result<(), StoreError>) {
        let _ = self.answer.send(kept);
    }
}

/// Writes all of them or none; for each whether it was kept, or why it alone was not: somebody else had
/// changed it, or too much was stored today.
async fn commit(
    pool: &AnyPool,
    dialect: Dialect,
    batch: &[Waiting],
) -> Result<Vec<Result<(), StoreError>>, StoreError> {
    let mut transaction = Transaction::begin(pool, dialect).await?;
    let mut kept = Vec::with_capacity(batch.len());
    for one in batch {
        kept.push(match write_game(&mut transaction, &one.game, &one.write).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(StoreError::Conflict),
            Err(StoreError::OverQuota) => Err(StoreError::OverQuota),
            Err(error) => return Err(error),
        });
    }
    transaction.commit().await?;
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::super::{Store, sqlite_in};
    use super::*;

    fn game(number: usize) -> GameRow {
        GameRow::new(format!("game-{number}"), "geister", 7)
    }

    /// Everybody at once, each with an answer of their own.
    async fn all(
        writes: Vec<impl Future<Output = Result<(), StoreError>> + Send + 'static>,
    ) -> Vec<bool> {
        let tasks: Vec<_> = writes.into_iter().map(tokio::spawn).collect();
        let mut kept = Vec::new();
        for task in tasks {
            kept.push(task.await.unwrap().is_ok());
        }
        kept
    }

    #[test]
    fn each_is_answered_for_itself() {
        let folder = std::env::temp_dir().join(format!("spuk-together-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let store = Store::open(&sqlite_in(&folder)).await.unwrap();
            // Two of two hundred have the same id: all others begin, and one of the two.
            let begin = |number: usize| {
                let store = store.clone();
                async move { store.begin_game(&game(number), None).await }
            };
            let numbers = (0..200).map(|number| if number == 117 { 116 } else { number });
            let begun = all(numbers.map(begin).collect()).await;
            assert_eq!(begun.iter().filter(|begun| **begun).count(), 199);
            assert!(begun[116] != begun[117]);
            // Of two who saw a game as it was, one changes it.
            let keep = |number: usize| {
                let store = store.clone();
                async move {
                    let mut game = store.game(&format!("game-{}", number / 2)).await?.unwrap();
                    tokio::task::yield_now().await;
                    game.moves = format!("move {number}");
                    game.changes = 0;
                    store.keep_game(&mut game).await
                }
            };
            let kept = all((0..100).map(keep).collect()).await;
            for (at, pair) in kept.chunks(2).enumerate() {
                assert!(pair[0] != pair[1], "game {at}");
                let winner = if pair[0] { 2 * at } else { 2 * at + 1 };
                let found = store.game(&format!("game-{at}")).await.unwrap().unwrap();
                assert_eq!(found.moves, format!("move {winner}"));
            }
            store.close().await;
            assert!(store.begin_game(&game(777), None).await.is_err());
        });
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
