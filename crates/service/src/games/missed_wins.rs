//! Puzzles from missed wins in finished games.

use super::game_session::{GameSession, Stage};
use crate::caller::Caller;
use crate::error::ServiceError;
use crate::rate_limit::RateLimit;
use crate::scheduler::{JobContext, Lane};
use crate::service::Service;
use games::Seat;
use puzzle::compose::{Criteria, Verifier};
use puzzle::{Origin, SourceKind};
use search::Limits;

/// Nodes of each search about it.
const NODES: u64 = 1_000_000;
/// Bytes for the transposition table of each search.
const MEMORY: usize = 16 << 20;

/// Makes a puzzle of the position that a seat saw at a ply of a finished game, and returns its id.
///
/// # Errors
/// If there is none: not the seat's turn, or no win that can be proved in time.
pub async fn make(
    service: &Service,
    caller: &Caller,
    session: &GameSession,
    seat: Seat,
    ply: usize,
) -> Result<String, ServiceError> {
    service.check_rate(caller, RateLimit::Analysis)?;
    if session.stage() != Stage::Over {
        return Err(ServiceError::conflict("not-over"));
    }
    let position = session.game.puzzle_at(seat, ply).ok_or(ServiceError::conflict("no-puzzle"))?;
    let id = puzzle::record::id(&position.canonical());
    crate::exposure::note(service, caller, [id.as_str()]).await?;
    if service.puzzle(&id).await.is_ok() {
        return Ok(id);
    }
    let origin =
        Origin { kind: SourceKind::Given, trial: ply as u64, request: String::new(), seed: 0 };
    let examine = move |turn: &JobContext| {
        let limits = Limits { nodes: Some(NODES), memory: MEMORY, ..Limits::default() };
        let mut verifier = Verifier::new(limits, turn.cancelled()).with_grades(1);
        verifier.verify(&position, &Criteria::default(), origin)
    };
    let examined = service.scheduler.run(Lane::Background, &caller.client, examine).await?;
    let puzzle = examined.map_err(|_| ServiceError::conflict("no-puzzle"))?;
    let record = puzzle.to_json();
    service.store.pay(service.charge(caller, record.len() as i64)).await?;
    service.store.keep_found_puzzle(&puzzle.id(), &record).await?;
    Ok(puzzle.id())
}
