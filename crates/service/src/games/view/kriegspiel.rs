//! The view of a game of Kriegspiel.

use crate::games::game_session::{GameSession, Role, Stage, seat_index};
use crate::games::kriegspiel_game;
use games::kriegspiel::{self, Announcement, Metaposition, Own, Piece};
use serde::Serialize;
use std::collections::BTreeMap;

/// An announcement of the umpire.
#[derive(Serialize)]
struct Heard {
    capture: Option<&'static str>,
    capture_square: Option<String>,
    checks: Vec<&'static str>,
    pawn_tries: u8,
    end: Option<&'static str>,
}

impl From<Announcement> for Heard {
    fn from(heard: Announcement) -> Heard {
        let kind = |capture: kriegspiel::Capture| match capture.kind {
            kriegspiel::Kind::Pawn => "pawn",
            kriegspiel::Kind::Piece => "piece",
        };
        Heard {
            capture: heard.capture.map(kind),
            capture_square: heard.capture.map(|capture| capture.square.to_string()),
            checks: heard.checks.iter().map(kriegspiel::Check::id).collect(),
            pawn_tries: heard.pawn_tries,
            end: heard.end.map(kriegspiel::End::id),
        }
    }
}

/// A line of the game log.
#[derive(Serialize)]
struct LogView {
    /// `white` or `black`: who tried.
    by: &'static str,
    /// The try, if the viewer may know it.
    #[serde(rename = "try")]
    attempt: Option<String>,
    /// The announcement; `None` if the try was illegal.
    heard: Option<Heard>,
}

/// A turn, once the game is over.
#[derive(Serialize)]
struct TurnView {
    refused: Vec<String>,
    #[serde(rename = "move")]
    mv: String,
    heard: Heard,
    /// The position after it.
    fen: String,
}

#[derive(Serialize)]
pub(super) struct KriegspielView {
    /// `white` or `black`; `None` for spectators.
    side: Option<&'static str>,
    /// White's pieces in capitals.
    pieces: BTreeMap<String, char>,
    /// The tries that may be legal as far as the player knows.
    tries: Vec<String>,
    /// The tries that were refused in this turn.
    refused: Vec<String>,
    log: Vec<LogView>,
    /// Own pieces that were captured.
    lost: Vec<char>,
    /// The opponent's pawns and pieces that were captured.
    taken_pawns: u32,
    taken_pieces: u32,
    notes: String,
    turns: Option<Vec<TurnView>>,
}

const fn colour(side: kriegspiel::Color) -> &'static str {
    match side {
        kriegspiel::Color::White => "white",
        kriegspiel::Color::Black => "black",
    }
}

fn letter(piece: Piece, side: kriegspiel::Color) -> char {
    let letter = char::from(piece);
    if side == kriegspiel::Color::White { letter.to_ascii_uppercase() } else { letter }
}

fn add_pieces(own: &Own, pieces: &mut BTreeMap<String, char>) {
    for piece in Piece::ALL {
        for square in own.men(piece) {
            pieces.insert(square.to_string(), letter(piece, own.side()));
        }
    }
}

impl KriegspielView {
    pub(super) fn new(
        session: &GameSession,
        game: &kriegspiel::Game,
        role: Role,
    ) -> KriegspielView {
        let over = session.stage() == Stage::Over;
        let mut pieces = BTreeMap::new();
        for side in kriegspiel::Color::ALL {
            if over || role.seat().map(kriegspiel_game::side) == Some(side) {
                add_pieces(&game.position().own(side), &mut pieces);
            }
        }
        let side = role.seat().map(kriegspiel_game::side);
        let turn = session.turn().is_some() && session.turn() == role.seat();
        let texts = |tries: Vec<kriegspiel::Try>| tries.iter().map(ToString::to_string).collect();
        let captures = captures(game, side);
        KriegspielView {
            side: side.map(colour),
            pieces,
            tries: if turn { texts(game.candidates()) } else { Vec::new() },
            refused: if turn {
                texts(game.refused().iter().rev().copied().collect())
            } else {
                Vec::new()
            },
            log: match side {
                Some(side) => own_log(game, side),
                None => public_log(game),
            },
            lost: captures.lost,
            taken_pawns: captures.pawns,
            taken_pieces: captures.pieces,
            notes: role
                .seat()
                .map_or_else(String::new, |seat| session.row.notes[seat_index(seat)].clone()),
            turns: over.then(|| turns(game)),
        }
    }
}

fn own_log(game: &kriegspiel::Game, side: kriegspiel::Color) -> Vec<LogView> {
    let (own, other) = (colour(side), colour(!side));
    let line = |event: &kriegspiel::Event| match *event {
        kriegspiel::Event::Refused(attempt) => {
            LogView { by: own, attempt: Some(attempt.to_string()), heard: None }
        }
        kriegspiel::Event::Moved { played, announcement } => {
            LogView { by: own, attempt: Some(played.to_string()), heard: Some(announcement.into()) }
        }
        kriegspiel::Event::Opponent(announcement) => {
            LogView { by: other, attempt: None, heard: Some(announcement.into()) }
        }
    };
    game.events(side).iter().map(line).collect()
}

/// The announcements, which everybody hears.
fn public_log(game: &kriegspiel::Game) -> Vec<LogView> {
    let line = |turn: &kriegspiel::Turn| LogView {
        by: colour(!turn.announcement.to_move),
        attempt: None,
        heard: Some(turn.announcement.into()),
    };
    game.turns().iter().map(line).collect()
}

#[derive(Default)]
struct Captures {
    lost: Vec<char>,
    pawns: u32,
    pieces: u32,
}

/// What a side has lost and captured, by what it has seen and heard.
fn captures(game: &kriegspiel::Game, side: Option<kriegspiel::Color>) -> Captures {
    let mut captures = Captures::default();
    let Some(side) = side else { return captures };
    let mut known = Metaposition::known(game.start(), side);
    for event in game.events(side) {
        match event {
            kriegspiel::Event::Opponent(heard) => {
                let gone = heard.capture.and_then(|capture| known.own().piece_on(capture.square));
                captures.lost.extend(gone.map(|piece| letter(piece, side)));
            }
            kriegspiel::Event::Moved { announcement, .. } => {
                match announcement.capture.map(|capture| capture.kind) {
                    Some(kriegspiel::Kind::Pawn) => captures.pawns += 1,
                    Some(kriegspiel::Kind::Piece) => captures.pieces += 1,
                    None => {}
                }
            }
            kriegspiel::Event::Refused(_) => {}
        }
        known = known.after(event);
    }
    captures
}

fn turns(game: &kriegspiel::Game) -> Vec<TurnView> {
    let mut again = kriegspiel::Game::new(game.start().clone());
    let turn = |turn: &kriegspiel::Turn| {
        // It was legal then, and is now.
        let _ = again.attempt(turn.played);
        TurnView {
            refused: turn.refused.iter().map(ToString::to_string).collect(),
            mv: turn.played.to_string(),
            heard: turn.announcement.into(),
            fen: again.position().to_string(),
        }
    };
    game.turns().iter().map(turn).collect()
}
