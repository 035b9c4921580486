//! Games as the browser gets them. A view is built only from what its viewer may know: an observation,
//! public announcements, or, once a game is over, everything.

use super::game_session::{GameResult, GameSession, Role, Stage, seat_name};
use super::registry::GAMES;
use games::Seat;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use std::time::Duration;

/// A player.
#[derive(Serialize)]
struct PlayerView {
    /// The id of a program; `None` for a person.
    program: Option<String>,
    /// The seat is taken.
    taken: bool,
    /// It is taken and set up.
    ready: bool,
    you: bool,
}

#[derive(Serialize)]
struct EndView {
    how: &'static str,
    winner: Option<&'static str>,
}

/// The view of one game under its name, and `null` under the names of all others.
struct ByGame {
    game: &'static str,
    view: Box<RawValue>,
}

impl Serialize for ByGame {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let view = |name| (name == self.game).then_some(&self.view);
        serializer.collect_map(GAMES.iter().map(|rules| (rules.name(), view(rules.name()))))
    }
}

/// A game as one viewer sees it.
#[derive(Serialize)]
pub struct GameView {
    v: u8,
    game: String,
    kind: &'static str,
    role: &'static str,
    stage: &'static str,
    players: Vec<PlayerView>,
    turn: Option<&'static str>,
    your_turn: bool,
    ply: usize,
    can_undo: bool,
    /// The secret of the invite link, for the player who waits for an opponent.
    invite: Option<String>,
    end: Option<EndView>,
    #[serde(flatten)]
    by_game: ByGame,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer_in: Option<f64>,
}

impl GameView {
    /// A game as this role sees it.
    pub fn new(session: &GameSession, role: Role) -> GameView {
        let (stage, turn, seat) = (session.stage(), session.turn(), role.seat());
        let player = |at: Seat| PlayerView {
            program: session.program(at).map(str::to_owned),
            taken: session.is_taken(at),
            ready: session.is_ready(at),
            you: seat == Some(at),
        };
        let end = session
            .result()
            .map(|GameResult { how, winner }| EndView { how, winner: winner.map(seat_name) });
        GameView {
            v: 1,
            game: session.row.id.clone(),
            kind: session.rules().name(),
            role: seat.map_or("spectator", seat_name),
            stage: stage.name(),
            players: Seat::ALL.map(player).into(),
            turn: turn.map(seat_name),
            your_turn: turn.is_some() && turn == seat,
            ply: session.ply(),
            can_undo: seat.is_some_and(|seat| session.can_undo(seat)),
            invite: seat.and(session.row.invite.clone()).filter(|_| stage == Stage::Waiting),
            end,
            by_game: ByGame { game: session.rules().name(), view: session.view(role) },
            answer_in: None,
        }
    }

    /// The same with an estimate of the time until a program answers.
    #[must_use]
    pub fn answered_in(self, time: Option<Duration>) -> GameView {
        // To a tenth of a second: it is an estimate.
        let answer_in = time.map(|time| (time.as_secs_f64() * 10.0).ceil() / 10.0);
        GameView { answer_in, ..self }
    }

    /// The view as JSON.
    pub fn json(&self) -> String {
        // Nothing in it can fail to be written.
        serde_json::to_string(self).unwrap_or_default()
    }
}
