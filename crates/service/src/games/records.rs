//! Exporting and importing games.

use super::game_session::{GameSession, Stage};
use super::hosted_game::{HostableGame, HostedGame};
use super::played_game::PlayedGame;
use super::registry::{GAMES, HostedRules};
use super::site_game::RecordedGame;
use super::{game_service, limits};
use crate::caller::Caller;
use crate::error::{ErrorKind, ServiceError};
use crate::quota;
use crate::rate_limit::RateLimit;
use crate::scheduler::{JobContext, Lane};
use crate::secrets::random_text;
use crate::service::SharedService;
use crate::store::GameRow;
use games::Seat;
use play::record::{FormatError, FormatInfo, RecordFormat};
use std::fmt::Display;

/// The format of this name.
pub(super) fn named_format<G: RecordedGame>(name: &str) -> Option<&'static dyn RecordFormat<G>> {
    G::FORMATS.iter().copied().find(|format| format.info().name == name)
}

/// What a record says besides the set-ups and the actions.
#[derive(Clone, Debug)]
pub struct RecordHeader {
    /// The names of both players: a program's id, or `person`.
    pub names: [String; 2],
    /// The seat that resigned.
    pub resigned: Option<Seat>,
}

/// The record of a game; `None` unless both have set up.
pub(super) fn record_of<G: RecordedGame>(
    game: &PlayedGame<G>,
    header: &RecordHeader,
) -> Option<play::Record<G>> {
    let [first, second] = game.setups();
    let is_open = game.state()?.outcome().is_none();
    Some(play::Record {
        start: G::start(),
        setups: [first?, second?],
        actions: game.actions().collect(),
        players: header.names.clone(),
        // The seed means nothing: people play.
        seed: 0,
        resigned: header.resigned.filter(|_| is_open),
    })
}

/// A game that was read from a record and keeps within the limits of the site.
pub struct ImportedGame {
    game: Box<dyn HostedGame>,
    resigned: Option<Seat>,
}

/// Reads the record of a game that keeps within the limits.
pub(super) fn read_as<G: HostableGame>(
    format: &dyn RecordFormat<G>,
    text: &str,
) -> Result<ImportedGame, ServiceError> {
    let record = format.read(text).map_err(|error| match error {
        FormatError::NotOneGame(_) => ServiceError::bad("one-record"),
        FormatError::Invalid(reason) => not_a_record(&reason),
    })?;
    if let Some(reason) = G::import_refusal(&record) {
        return Err(not_a_record(&reason));
    }
    let game = PlayedGame::<G>::new(record.setups.map(Some), record.actions);
    let game = game.ok_or(ServiceError::bad("not-a-record"))?;
    if game.exceeds_limits() {
        return Err(ServiceError::new(ErrorKind::TooLarge, "long-record"));
    }
    Ok(ImportedGame { game: Box::new(game), resigned: record.resigned })
}

impl ImportedGame {
    /// The row of a new game without players.
    fn into_row(self) -> GameRow {
        let mut row =
            GameRow::new(random_text(game_service::GAME_DIGITS), self.game.rules().name(), 0);
        (row.setup, row.moves) = (self.game.setup_text(), self.game.action_text());
        row.given_up = self.resigned.map(|seat| seat.index() as i64);
        row
    }
}

/// The formats of all games.
pub fn formats() -> impl Iterator<Item = (&'static dyn HostedRules, FormatInfo)> {
    GAMES.iter().flat_map(|&rules| rules.formats().into_iter().map(move |info| (rules, info)))
}

/// The format of this name, of any game.
pub fn format_named(name: &str) -> Option<FormatInfo> {
    formats().map(|(_, info)| info).find(|info| info.name == name)
}

/// The record of a finished game.
///
/// # Errors
/// If it is not over, or has no such format.
pub fn write(session: &GameSession, format: &FormatInfo) -> Result<String, ServiceError> {
    if session.stage() != Stage::Over {
        return Err(ServiceError::conflict("not-over"));
    }
    let header = RecordHeader {
        names: Seat::ALL.map(|seat| session.program(seat).unwrap_or("person").to_owned()),
        resigned: session.row.given_up.map(|loser| Seat::ALL[usize::from(loser != 0)]),
    };
    session.game.record(format.name, &header).ok_or(ServiceError::bad("no-such-form"))
}

/// Imports the record of a finished game. It has no owner, and everybody may see it.
///
/// # Errors
/// If it is not the record of a finished game.
pub async fn import(
    service: &SharedService,
    caller: &Caller,
    text: &str,
) -> Result<GameSession, ServiceError> {
    service.check_rate(caller, RateLimit::Write)?;
    if text.len() > limits::RECORD_BYTES {
        return Err(ServiceError::new(ErrorKind::TooLarge, "long-record"));
    }
    let text = text.to_owned();
    let parse = move |_: &JobContext| finished(&text);
    let row = service.scheduler.run(Lane::Interactive, &caller.client, parse).await??;
    service.store.begin_game(&row, service.charge(caller, quota::imported(&row.moves))).await?;
    game_service::open(service, caller.person(), &row.id).await.map(|(session, _)| session)
}

/// A record as a row, if its game is over.
pub(super) fn finished(text: &str) -> Result<GameRow, ServiceError> {
    let row = read(text.trim_start_matches('\u{feff}').trim())?;
    let session = GameSession::open(row).filter(|session| session.stage() == Stage::Over);
    let mut session = session.ok_or(ServiceError::bad("not-a-record"))?;
    session.update_row();
    Ok(session.row)
}

/// Reads a record in any of the formats.
fn read(text: &str) -> Result<GameRow, ServiceError> {
    let recognized = GAMES.iter().filter_map(|rules| Some((rules, rules.recognize(text)?)));
    let (rules, (_, format)) = recognized
        .max_by_key(|(_, (recognition, _))| *recognition)
        .ok_or(ServiceError::bad("not-a-record"))?;
    Ok(rules.import(format, text)?.into_row())
}

/// The error of a text that is not a record, with the reason for programmers.
fn not_a_record(why: &dyn Display) -> ServiceError {
    ServiceError::bad("not-a-record").technical(why.to_string())
}
