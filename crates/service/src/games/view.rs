//! Games as the browser gets them. Everything here is made of what the one who looks may know: of
//! an observation, of what was announced, or, once a game is over, of all there is.

use super::ghosts::{self, DRAW_LIMIT, Ghosts};
use super::table::{End, Role, SEATS, Stage, Table, Truth, number};
use super::{dark, opponents};
use crate::attempts::view::Event;
use games::Seat;
use games::geister::{Board, Game, Ghost, Move, Square, Standard};
use games::kriegspiel::{self, Announcement, Metaposition, Own, Piece};
use geister::judge::Ply;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// The name of a seat in JSON.
pub(super) const fn seat_name(seat: Seat) -> &'static str {
    match seat {
        Seat::First => "first",
        Seat::Second => "second",
    }
}

/// The seat of this name.
pub fn seat_named(name: &str) -> Option<Seat> {
    SEATS.into_iter().find(|&seat| seat_name(seat) == name)
}

/// Who plays.
#[derive(Serialize)]
struct PlayerView {
    /// The id of a program; nothing for a person.
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

/// A game as somebody sees it.
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
    /// The end of the address that lets somebody take the free seat; for the one who waits alone.
    invite: Option<String>,
    end: Option<EndView>,
    geister: Option<GeisterView>,
    kriegspiel: Option<KriegspielView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer_in: Option<f64>,
}

impl GameView {
    /// A table as this role sees it.
    pub fn new(table: &Table, role: Role) -> GameView {
        let (stage, turn, seat) = (table.stage(), table.turn(), role.seat());
        let player = |at: Seat| PlayerView {
            program: table.program(at).map(str::to_owned),
            taken: table.is_taken(at),
            ready: table.is_ready(at),
            you: seat == Some(at),
        };
        let end =
            table.end().map(|End { how, winner }| EndView { how, winner: winner.map(seat_name) });
        let (geister, kriegspiel) = match &table.truth {
            Truth::Geister(ghosts) => (Some(GeisterView::new(table, ghosts, role)), None),
            Truth::Kriegspiel(game) => (None, Some(KriegspielView::new(table, game, role))),
        };
        GameView {
            v: 1,
            game: table.row.id.clone(),
            kind: table.kind().name(),
            role: seat.map_or("spectator", seat_name),
            stage: stage.name(),
            players: SEATS.map(player).into(),
            turn: turn.map(seat_name),
            your_turn: turn.is_some() && turn == seat,
            ply: table.ply(),
            can_undo: seat.is_some_and(|seat| table.can_undo(seat)),
            invite: seat.and(table.row.invite.clone()).filter(|_| stage == Stage::Waiting),
            end,
            geister,
            kriegspiel,
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

    /// As it is sent.
    pub fn json(&self) -> String {
        // Nothing in it can fail to be written.
        serde_json::to_string(self).unwrap_or_default()
    }
}

#[derive(Default, Serialize)]
struct Taken {
    own: Vec<char>,
    top: Vec<char>,
}

/// Geister, the home of the one who looks at the bottom.
#[derive(Serialize)]
struct GeisterView {
    columns: u32,
    rows: u32,
    draw_limit: u32,
    /// The reds of the one who looks, in its own view, once it has set up.
    red: Option<Vec<String>>,
    pieces: BTreeMap<String, char>,
    legal: Vec<String>,
    events: Vec<Event>,
    taken: Taken,
    /// Both set-ups, each in its own view, once the game is over.
    truth: Option<Vec<Vec<String>>>,
}

/// Who is seen at the bottom.
fn viewpoint(role: Role) -> Seat {
    role.seat().unwrap_or(Seat::First)
}

impl GeisterView {
    fn new(table: &Table, ghosts: &Ghosts, role: Role) -> GeisterView {
        let seat = viewpoint(role);
        let over = table.stage() == Stage::Over;
        let placed = role.seat().and_then(|seat| ghosts.placements[number(seat)]);
        let course = ghosts.course();
        let eyes = Eyes { bottom: seat, own: role.seat().is_some(), over };
        let pieces = match course.last() {
            Some(now) => eyes.pieces(now),
            None => placed.map_or_else(BTreeMap::new, |placed| {
                let alone = Game::new(placed, placed, DRAW_LIMIT);
                Eyes { bottom: Seat::First, own: true, over: false }.own_pieces(&alone)
            }),
        };
        let mut taken = Taken::default();
        let events: Vec<Event> = course
            .windows(2)
            .zip(ghosts.moves())
            .map(|(pair, &mv)| eyes.event(&pair[0], &pair[1], mv))
            .inspect(|ply| {
                let tray = if ply.side == Seat::First { &mut taken.own } else { &mut taken.top };
                tray.extend(ply.captured.map(Ghost::letter));
            })
            .map(|ply| Event::from(&ply))
            .collect();
        let legal = match (course.last(), role.seat()) {
            (Some(now), Some(seat)) if table.turn() == Some(seat) => {
                let seen = now.observe(seat);
                now.legal_moves().into_iter().map(|mv| seen.seen(mv).to_string()).collect()
            }
            _ => Vec::new(),
        };
        let truth = ghosts.placements.map(|one| one.map(ghosts::reds));
        GeisterView {
            columns: Standard::COLUMNS,
            rows: Standard::ROWS,
            draw_limit: DRAW_LIMIT,
            red: placed.map(ghosts::reds),
            pieces,
            legal,
            events,
            taken,
            truth: over.then(|| truth.into_iter().flatten().collect()),
        }
    }
}

/// How somebody sees the board of a game of Geister.
struct Eyes {
    bottom: Seat,
    /// The colours at the bottom are one's own.
    own: bool,
    /// All colours are open.
    over: bool,
}

impl Eyes {
    fn seen(&self, square: Square) -> Square {
        if self.bottom == Seat::First { square } else { Standard::turned(square) }
    }

    fn pieces(&self, game: &Game) -> BTreeMap<String, char> {
        let mut pieces = self.own_pieces(game);
        let top = game.army(self.bottom.opponent());
        let kinds = [(top.blue, Ghost::ShownBlue), (top.red, Ghost::ShownRed)];
        for (squares, ghost) in kinds {
            let letter = if self.over { ghost.letter() } else { Ghost::Hidden.letter() };
            pieces.extend(squares.map(|square| (self.seen(square).to_string(), letter)));
        }
        pieces
    }

    /// The ghosts at the bottom; `U` for those whose colours somebody who only watches does not see.
    fn own_pieces(&self, game: &Game) -> BTreeMap<String, char> {
        let own = game.army(self.bottom);
        let kinds = [(own.blue, Ghost::OwnBlue), (own.red, Ghost::OwnRed)];
        let mut pieces = BTreeMap::new();
        for (squares, ghost) in kinds {
            let letter = if self.over || self.own { ghost.letter() } else { 'U' };
            pieces.extend(squares.map(|square| (self.seen(square).to_string(), letter)));
        }
        pieces
    }

    /// What a move brought to light: captured ghosts show their colours to everybody.
    fn event(&self, before: &Game, after: &Game, mv: Move) -> Ply {
        let mover = before.turn();
        let prey = mover.opponent();
        let blue_gone = before.army(prey).blue.count() > after.army(prey).blue.count();
        let red_gone = before.army(prey).red.count() > after.army(prey).red.count();
        let captured = match (blue_gone, red_gone, prey == self.bottom) {
            (true, _, true) => Some(Ghost::OwnBlue),
            (true, _, false) => Some(Ghost::ShownBlue),
            (_, true, true) => Some(Ghost::OwnRed),
            (_, true, false) => Some(Ghost::ShownRed),
            _ => None,
        };
        let at_bottom = mover == self.bottom;
        let left =
            mv.to().is_none().then_some(if at_bottom { Ghost::OwnBlue } else { Ghost::ShownBlue });
        let whose_bottom = if left.is_some() { at_bottom } else { prey == self.bottom };
        Ply {
            mv: mv.map(|square| self.seen(square)),
            side: if at_bottom { Seat::First } else { Seat::Second },
            captured,
            left,
            was_hidden: captured.or(left).is_some() && !(whose_bottom && self.own),
        }
    }
}

/// The umpire's words.
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

/// Something that was lived through.
#[derive(Serialize)]
struct LogView {
    /// `white` or `black`: who tried.
    by: &'static str,
    /// What was tried, if the one who looks may know.
    #[serde(rename = "try")]
    attempt: Option<String>,
    /// What was announced; nothing if the try was illegal.
    heard: Option<Heard>,
}

/// A turn, once everything is open.
#[derive(Serialize)]
struct TurnView {
    refused: Vec<String>,
    #[serde(rename = "move")]
    mv: String,
    heard: Heard,
    /// What is on the board after it.
    fen: String,
}

#[derive(Serialize)]
struct KriegspielView {
    /// `white` or `black`; nothing for those who watch.
    side: Option<&'static str>,
    /// White's men in capitals.
    pieces: BTreeMap<String, char>,
    /// What may be tried as far as one can tell.
    tries: Vec<String>,
    /// What was refused in this turn.
    refused: Vec<String>,
    log: Vec<LogView>,
    /// Own men that were captured.
    lost: Vec<char>,
    /// The other side's pawns and pieces that were captured.
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

fn men(own: &Own, pieces: &mut BTreeMap<String, char>) {
    for piece in Piece::ALL {
        for square in own.men(piece) {
            pieces.insert(square.to_string(), letter(piece, own.side()));
        }
    }
}

impl KriegspielView {
    fn new(table: &Table, game: &kriegspiel::Game, role: Role) -> KriegspielView {
        let over = table.stage() == Stage::Over;
        let mut pieces = BTreeMap::new();
        for side in kriegspiel::Color::ALL {
            if over || role.seat().map(dark::side) == Some(side) {
                men(&game.position().own(side), &mut pieces);
            }
        }
        let side = role.seat().map(dark::side);
        let turn = table.turn().is_some() && table.turn() == role.seat();
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
                .map_or_else(String::new, |seat| table.row.notes[number(seat)].clone()),
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

/// What anybody hears.
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

/// What one side has lost and captured, by what it has seen and heard.
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

/// A game in a list of one's own.
#[derive(Serialize)]
pub struct Summary {
    /// Its id.
    pub game: String,
    /// Which game.
    pub kind: &'static str,
    /// How far it is.
    pub stage: &'static str,
    /// The program on the other seat; nothing for a person.
    pub opponent: Option<String>,
    /// It is one's turn.
    pub your_turn: bool,
    /// `won`, `lost` or `drawn` once it is over.
    pub result: Option<&'static str>,
    /// Moves so far.
    pub ply: usize,
    /// When this seat last saw it change, in milliseconds since 1970.
    pub changed: i64,
}

impl Summary {
    /// Of a table, for somebody who plays there.
    pub fn new(table: &Table, seat: Seat) -> Summary {
        let result = |end: End| match end.winner {
            Some(winner) if winner == seat => "won",
            Some(_) => "lost",
            None => "drawn",
        };
        Summary {
            game: table.row.id.clone(),
            kind: table.kind().name(),
            stage: table.stage().name(),
            opponent: table.program(seat.opponent()).map(str::to_owned),
            your_turn: table.turn() == Some(seat),
            result: table.end().map(result),
            ply: table.ply(),
            changed: table.row.changed_for[number(seat)],
        }
    }
}

/// The programs to play against.
#[derive(Serialize)]
pub struct OpponentView {
    id: &'static str,
    game: &'static str,
    seconds: f64,
}

impl From<&opponents::Opponent> for OpponentView {
    fn from(one: &opponents::Opponent) -> OpponentView {
        OpponentView { id: one.id, game: one.kind.name(), seconds: one.time.as_secs_f64() }
    }
}
