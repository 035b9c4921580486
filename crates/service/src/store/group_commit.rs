//! Group commit: writes of games that share one transaction.
//!
//! A commit waits for the disk, and SQLite commits one transaction at a time: if two hundred games
//! begin at the same moment, the last would wait for two hundred syncs. So all writes that arrive
//! during a commit go into the next one. Each gets its own result after its commit.

use super::games::{GameRow, write_game};
use super::transaction::{Dialect, Transaction};
use super::{Charge, StoreError};
use sqlx::AnyPool;
use tokio::sync::{mpsc, oneshot};

/// Writes that the queue holds. Further ones wait until it has room: back-pressure.
const QUEUE_CAPACITY: usize = 256;

/// Writes in one commit, so that the first of them does not wait long for the last.
const MAX_BATCH: usize = 64;

/// A write of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Write {
    /// A new game, with the charge for storing it.
    Begin(Option<Charge>),
    /// A change of a game that was read before.
    Keep,
}

struct QueuedWrite {
    game: GameRow,
    write: Write,
    answer: oneshot::Sender<Result<(), StoreError>>,
}

/// The queue of writes that wait for a commit.
#[derive(Clone, Debug)]
pub(super) struct GroupCommit {
    queue: mpsc::Sender<QueuedWrite>,
}

impl GroupCommit {
    /// Opens the queue. A task serves it until the last clone of this is dropped.
    pub(super) fn open(pool: AnyPool, dialect: Dialect) -> GroupCommit {
        let (queue, waiting) = mpsc::channel(QUEUE_CAPACITY);
        tokio::spawn(serve(pool, dialect, waiting));
        GroupCommit { queue }
    }

    /// Writes a game; it is on disk when this returns without an error.
    pub(super) async fn write(&self, game: GameRow, write: Write) -> Result<(), StoreError> {
        let (answer, answered) = oneshot::channel();
        // The queue closes only with the store.
        let closed = || StoreError::from(sqlx::Error::PoolClosed);
        self.queue.send(QueuedWrite { game, write, answer }).await.map_err(|_| closed())?;
        answered.await.unwrap_or_else(|_| Err(closed()))
    }
}

async fn serve(pool: AnyPool, dialect: Dialect, mut queue: mpsc::Receiver<QueuedWrite>) {
    let mut batch = Vec::with_capacity(MAX_BATCH);
    while queue.recv_many(&mut batch, MAX_BATCH).await > 0 {
        match commit(&pool, dialect, &batch).await {
            Ok(kept) => batch.drain(..).zip(kept).for_each(|(one, kept)| one.answer(kept)),
            // The database refused one of them: the others are committed without it.
            Err(error) if error.is_refusal() && batch.len() > 1 => {
                for one in batch.drain(..) {
                    let alone = commit(&pool, dialect, std::slice::from_ref(&one)).await;
                    one.answer(alone.and_then(|mut kept| kept.remove(0)));
                }
            }
            // The database did not answer: waiting for it again helps nobody.
            Err(error) => batch.drain(..).for_each(|one| one.answer(Err(error.clone()))),
        }
    }
}

impl QueuedWrite {
    /// Sends the result, unless the request was dropped meanwhile.
    fn answer(self, kept: Result<(), StoreError>) {
        let _ = self.answer.send(kept);
    }
}

/// Writes all of them or none; for each whether it was kept, or why it alone was not: another request had
/// changed it, or too much was stored today.
async fn commit(
    pool: &AnyPool,
    dialect: Dialect,
    batch: &[QueuedWrite],
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

    /// Runs all writes at once; whether each succeeded.
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
    fn every_write_gets_its_own_result() {
        let folder = std::env::temp_dir().join(format!("spuk-group-commit-{}", std::process::id()));
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
