//! Whole games: against a program, or between two people.

use crate::app::Shared;
use crate::context::RequestContext;
use crate::extract::{Json, Path, Query};
use crate::problem::Problem;
use axum::extract::State;
use axum::http::{HeaderName, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use serde::{Deserialize, Serialize};
use service::games::game_service::{self, NewGame};
use service::games::records;
use service::games::{GameSession, GameView, Role, missed_wins, opponents, review, seat_named};
use service::rate_limit::RateLimit;
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::watch;

type GameResponse = Result<([(HeaderName, &'static str); 1], String), Problem>;

/// A game as the role sees it.
fn view((session, role): (GameSession, Role)) -> GameResponse {
    Ok(([(header::CONTENT_TYPE, "application/json")], GameView::new(&session, role).json()))
}

/// The same after a change, with an estimate of the time until the program to move has answered.
fn changed(app: &Shared, (session, role): (GameSession, Role)) -> GameResponse {
    let view =
        GameView::new(&session, role).answered_in(game_service::answer_in(&app.service, &session));
    Ok(([(header::CONTENT_TYPE, "application/json")], view.json()))
}

#[derive(Serialize)]
pub(super) struct Opponents {
    v: u8,
    opponents: Vec<service::games::OpponentView>,
}

pub(super) async fn opponents() -> axum::Json<Opponents> {
    axum::Json(Opponents { v: 1, opponents: opponents::views() })
}

#[derive(Serialize)]
pub(super) struct GameList {
    v: u8,
    games: Vec<service::games::Summary>,
}

pub(super) async fn list(
    State(app): State<Shared>,
    context: RequestContext,
) -> Result<axum::Json<GameList>, Problem> {
    context.check_rate(RateLimit::Read)?;
    Ok(axum::Json(GameList {
        v: 1,
        games: game_service::list(&app.service, &context.visitor.id).await?,
    }))
}

pub(super) async fn begin(
    State(app): State<Shared>,
    context: RequestContext,
    Json(new): Json<NewGame>,
) -> GameResponse {
    changed(&app, game_service::begin(&app.service, &context.caller, &new).await?)
}

pub(super) async fn one(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
) -> GameResponse {
    context.check_rate(RateLimit::Read)?;
    view(game_service::open(&app.service, &context.visitor.id, &id).await?)
}

#[derive(Deserialize)]
pub(super) struct Join {
    invite: String,
}

pub(super) async fn join(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
    Json(body): Json<Join>,
) -> GameResponse {
    view(game_service::join(&app.service, &context.caller, &id, &body.invite).await?)
}

#[derive(Deserialize)]
pub(super) struct SetUp {
    /// The set-up in the words of the game; `None` for a random one.
    #[serde(rename = "red")]
    setup: Option<Vec<String>>,
}

pub(super) async fn set_up(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
    Json(body): Json<SetUp>,
) -> GameResponse {
    changed(
        &app,
        game_service::set_up(&app.service, &context.caller, &id, body.setup.as_deref()).await?,
    )
}

#[derive(Deserialize)]
pub(super) struct Play {
    #[serde(rename = "move")]
    mv: String,
    ply: usize,
}

pub(super) async fn play(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
    Json(body): Json<Play>,
) -> GameResponse {
    changed(&app, game_service::play(&app.service, &context.caller, &id, &body.mv, body.ply).await?)
}

pub(super) async fn undo(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
) -> GameResponse {
    view(game_service::undo(&app.service, &context.caller, &id).await?)
}

pub(super) async fn resign(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
) -> GameResponse {
    view(game_service::resign(&app.service, &context.caller, &id).await?)
}

#[derive(Deserialize)]
pub(super) struct Notes {
    notes: String,
}

pub(super) async fn note(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
    Json(body): Json<Notes>,
) -> GameResponse {
    view(game_service::note(&app.service, &context.caller, &id, &body.notes).await?)
}

pub(super) async fn review(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
) -> GameResponse {
    context.check_rate(RateLimit::Read)?;
    let (session, _) = game_service::open(&app.service, &context.visitor.id, &id).await?;
    Ok((
        [(header::CONTENT_TYPE, "application/json")],
        review::of(&app.service, &context.caller, session).await?,
    ))
}

#[derive(Deserialize)]
pub(super) struct FormatQuery {
    form: String,
}

pub(super) async fn record(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
    Query(query): Query<FormatQuery>,
) -> Result<([(HeaderName, String); 2], String), Problem> {
    context.check_rate(RateLimit::Read)?;
    let format = records::format_named(&query.form).ok_or(Problem::bad("no-such-form"))?;
    let (session, _) = game_service::open(&app.service, &context.visitor.id, &id).await?;
    let text = records::write(&session, &format)?;
    let file = format!(
        "attachment; filename=\"{}-{}.{}\"",
        session.rules().name(),
        session.row.id,
        format.name
    );
    let media_type = format.media_type.to_owned();
    Ok(([(header::CONTENT_TYPE, media_type), (header::CONTENT_DISPOSITION, file)], text))
}

#[derive(Deserialize)]
pub(super) struct MissedWinAt {
    seat: String,
    ply: usize,
}

#[derive(Serialize)]
pub(super) struct MissedWin {
    v: u8,
    puzzle: String,
}

pub(super) async fn find(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
    Json(body): Json<MissedWinAt>,
) -> Result<axum::Json<MissedWin>, Problem> {
    let seat = seat_named(&body.seat).ok_or(Problem::bad("no-seat"))?;
    let (session, _) = game_service::open(&app.service, &context.visitor.id, &id).await?;
    let puzzle = missed_wins::make(&app.service, &context.caller, &session, seat, body.ply).await?;
    Ok(axum::Json(MissedWin { v: 1, puzzle }))
}

#[derive(Deserialize)]
pub(super) struct Import {
    text: String,
}

pub(super) async fn import(
    State(app): State<Shared>,
    context: RequestContext,
    Json(body): Json<Import>,
) -> GameResponse {
    view((records::import(&app.service, &context.caller, &body.text).await?, Role::Spectator))
}

/// Changes that another server makes are not notified here: the game is polled at this interval.
const POLL_INTERVAL: Duration = Duration::from_secs(5);

/// The event stream of one client.
struct EventStream {
    app: Shared,
    person: String,
    game: String,
    sent: Option<String>,
    happened: watch::Receiver<u64>,
    closing: watch::Receiver<bool>,
}

impl EventStream {
    /// The next event. A view that is the same as the last one is not sent again: it would reveal how often
    /// the opponent tried.
    async fn next(mut self) -> Option<(Result<Event, Infallible>, EventStream)> {
        loop {
            let seen = game_service::seen(&self.app.service, &self.person, &self.game).await;
            match seen {
                Ok(seen) if self.sent.as_ref() != Some(&seen) => {
                    let event = Event::default().event("game").data(&seen);
                    self.sent = Some(seen);
                    return Some((Ok(event), self));
                }
                Ok(_) => {}
                // The browser reconnects by itself.
                Err(_) => return None,
            }
            tokio::select! {
                happened = self.happened.changed() => if happened.is_err() { return None },
                _ = self.closing.wait_for(|closing| *closing) => return None,
                () = tokio::time::sleep(POLL_INTERVAL) => {}
            }
        }
    }
}

pub(super) async fn events(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    context.check_rate(RateLimit::Read)?;
    // Subscribed before the game is read: no change between the two is missed.
    let happened = app.service.games.watch(&id);
    game_service::open(&app.service, &context.visitor.id, &id).await?;
    let closing = app.service.games.closing();
    let person = context.visitor.id.clone();
    let stream = EventStream { app, person, game: id, sent: None, happened, closing };
    let stream = stream::unfold(stream, EventStream::next);
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()))
}
