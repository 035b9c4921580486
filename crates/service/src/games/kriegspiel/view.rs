//! The view of a game of Kriegspiel.

use crate::games::site_game::{Knowledge, Observed, ViewedGame};
use games::hidden::InformationState;
use games::kriegspiel::{
    self, Announcement, Game, Metaposition, OwnPieces, Piece, color, refused_tries,
};
use serde::Serialize;
use std::collections::BTreeMap;

/// An announcement of the umpire.
#[derive(Serialize)]
struct AnnouncementView {
    capture: Option<&'static str>,
    capture_square: Option<String>,
    checks: Vec<&'static str>,
    pawn_tries: u8,
    #[serde(rename = "end")]
    termination: Option<&'static str>,
}

impl From<Announcement> for AnnouncementView {
    fn from(announcement: Announcement) -> AnnouncementView {
        let kind = |capture: kriegspiel::Capture| match capture.kind {
            kriegspiel::CapturedKind::Pawn => "pawn",
            kriegspiel::CapturedKind::Piece => "piece",
        };
        AnnouncementView {
            capture: announcement.capture.map(kind),
            capture_square: announcement.capture.map(|capture| capture.square.to_string()),
            checks: announcement.checks.iter().map(kriegspiel::Check::id).collect(),
            pawn_tries: announcement.pawn_tries,
            termination: announcement.termination.map(kriegspiel::Termination::id),
        }
    }
}

/// A line of the game log.
#[derive(Serialize)]
struct LogView {
    /// The side that made the try: `white` or `black`.
    by: &'static str,
    /// The try, if the viewer may know it.
    #[serde(rename = "try")]
    attempt: Option<String>,
    /// The announcement; `None` if the try was illegal.
    #[serde(rename = "heard")]
    announcement: Option<AnnouncementView>,
}

/// A turn, once the game is over.
#[derive(Serialize)]
struct TurnView {
    refused: Vec<String>,
    #[serde(rename = "move")]
    mv: String,
    #[serde(rename = "heard")]
    announcement: AnnouncementView,
    /// The position after the move.
    fen: String,
}

/// A game of Kriegspiel.
#[derive(Serialize)]
pub struct KriegspielView {
    /// `white` or `black`; `None` for spectators.
    side: Option<&'static str>,
    /// The visible pieces by square, White's in capitals.
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

const fn color_id(color: kriegspiel::Color) -> &'static str {
    match color {
        kriegspiel::Color::White => "white",
        kriegspiel::Color::Black => "black",
    }
}

fn letter(piece: Piece, color: kriegspiel::Color) -> char {
    let letter = char::from(piece);
    if color == kriegspiel::Color::White { letter.to_ascii_uppercase() } else { letter }
}

fn add_pieces(own: &OwnPieces, pieces: &mut BTreeMap<String, char>) {
    for piece in Piece::ALL {
        for square in own.pieces(piece) {
            pieces.insert(square.to_string(), letter(piece, own.color()));
        }
    }
}

impl ViewedGame for Game {
    /// The announcements, which spectators hear as well.
    type Public = Vec<Announcement>;
    type View = KriegspielView;

    fn public([white, _]: &[InformationState<Game>; 2]) -> Vec<Announcement> {
        let announced = |event: &kriegspiel::Event| match *event {
            kriegspiel::Event::Refused(_) => None,
            kriegspiel::Event::Moved { announcement, .. }
            | kriegspiel::Event::Opponent(announcement) => Some(announcement),
        };
        white.events().filter_map(announced).collect()
    }

    fn view(knowledge: &Knowledge<'_, Game>) -> KriegspielView {
        let own = match knowledge.observed {
            Observed::Own(information) => Some(information),
            _ => None,
        };
        let on_turn = own.filter(|_| knowledge.to_move);
        let texts = |tries: Vec<kriegspiel::Try>| tries.iter().map(ToString::to_string).collect();
        let captures = own.map(captures).unwrap_or_default();
        KriegspielView {
            side: knowledge.seat.map(|seat| color_id(color(seat))),
            pieces: pieces(knowledge),
            tries: on_turn.map_or_else(Vec::new, |own| texts(own.candidates())),
            refused: on_turn.map_or_else(Vec::new, |own| texts(refused_tries(own.events()))),
            log: match &knowledge.observed {
                Observed::Nothing => Vec::new(),
                Observed::Own(information) => own_log(information),
                Observed::Public(announcements) => {
                    announcements.iter().copied().map(public_line).collect()
                }
            },
            lost: captures.lost,
            taken_pawns: captures.pawns,
            taken_pieces: captures.pieces,
            notes: knowledge.notes.to_owned(),
            turns: knowledge.truth.and_then(|truth| truth.state()).map(turns),
        }
    }
}

/// The pieces that the viewer may see: its own, or those of both sides once the game is over.
fn pieces(knowledge: &Knowledge<'_, Game>) -> BTreeMap<String, char> {
    let mut pieces = BTreeMap::new();
    if let Some(state) = knowledge.truth.and_then(|truth| truth.state()) {
        for color in kriegspiel::Color::ALL {
            add_pieces(&state.position().own(color), &mut pieces);
        }
    } else if let Observed::Own(information) = knowledge.observed {
        add_pieces(&information.now().own, &mut pieces);
    }
    pieces
}

fn own_log(information: &InformationState<Game>) -> Vec<LogView> {
    let color = color(information.seat());
    let (own, opponent) = (color_id(color), color_id(!color));
    let line = |event: &kriegspiel::Event| match *event {
        kriegspiel::Event::Refused(attempt) => {
            LogView { by: own, attempt: Some(attempt.to_string()), announcement: None }
        }
        kriegspiel::Event::Moved { played, announcement } => {
            let announcement = Some(announcement.into());
            LogView { by: own, attempt: Some(played.to_string()), announcement }
        }
        kriegspiel::Event::Opponent(announcement) => {
            LogView { by: opponent, attempt: None, announcement: Some(announcement.into()) }
        }
    };
    information.events().map(line).collect()
}

/// A line of the game log for spectators.
fn public_line(announcement: Announcement) -> LogView {
    LogView {
        by: color_id(!announcement.to_move),
        attempt: None,
        announcement: Some(announcement.into()),
    }
}

#[derive(Default)]
struct Captures {
    lost: Vec<char>,
    pawns: u32,
    pieces: u32,
}

/// What a side has lost and captured, according to its events.
fn captures(information: &InformationState<Game>) -> Captures {
    let mut captures = Captures::default();
    let color = color(information.seat());
    let mut meta = Metaposition::from_position(information.start(), color);
    for event in information.events() {
        match event {
            kriegspiel::Event::Opponent(announcement) => {
                let square = announcement.capture.map(|capture| capture.square);
                let lost = square.and_then(|square| meta.own().piece_on(square));
                captures.lost.extend(lost.map(|piece| letter(piece, color)));
            }
            kriegspiel::Event::Moved { announcement, .. } => {
                match announcement.capture.map(|capture| capture.kind) {
                    Some(kriegspiel::CapturedKind::Pawn) => captures.pawns += 1,
                    Some(kriegspiel::CapturedKind::Piece) => captures.pieces += 1,
                    None => {}
                }
            }
            kriegspiel::Event::Refused(_) => {}
        }
        meta = meta.after(event);
    }
    captures
}

fn turns(game: &Game) -> Vec<TurnView> {
    let mut replay = Game::new(game.start().clone());
    let turn = |turn: &kriegspiel::Turn| {
        // The same moves are legal again.
        let _ = replay.attempt(turn.played);
        TurnView {
            refused: turn.refused.iter().map(ToString::to_string).collect(),
            mv: turn.played.to_string(),
            announcement: turn.announcement.into(),
            fen: replay.position().to_string(),
        }
    };
    game.turns().iter().map(turn).collect()
}
