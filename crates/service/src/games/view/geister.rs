//! The view of a game of Geister.

use crate::attempts::view::Event;
use crate::games::game_session::{GameSession, Role, Stage, seat_index};
use crate::games::geister_game::{self, DRAW_LIMIT, GeisterGame};
use games::Seat;
use games::geister::{Board, Game, Ghost, Move, Square, Standard};
use geister::judge::Ply;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Default, Serialize)]
struct Taken {
    own: Vec<char>,
    top: Vec<char>,
}

/// A game of Geister, with the home of the viewer at the bottom.
#[derive(Serialize)]
pub(super) struct GeisterView {
    columns: u32,
    rows: u32,
    draw_limit: u32,
    /// The reds of the viewer, in its own view, once it has set up.
    red: Option<Vec<String>>,
    pieces: BTreeMap<String, char>,
    legal: Vec<String>,
    events: Vec<Event>,
    taken: Taken,
    /// Both set-ups, each in its own view, once the game is over.
    truth: Option<Vec<Vec<String>>>,
}

/// The seat that is shown at the bottom.
fn viewpoint(role: Role) -> Seat {
    role.seat().unwrap_or(Seat::First)
}

impl GeisterView {
    pub(super) fn new(session: &GameSession, game: &GeisterGame, role: Role) -> GeisterView {
        let seat = viewpoint(role);
        let over = session.stage() == Stage::Over;
        let placed = role.seat().and_then(|seat| game.placements()[seat_index(seat)]);
        let positions = game.positions();
        let perspective = Perspective { bottom: seat, own: role.seat().is_some(), over };
        let pieces = match positions.last() {
            Some(now) => perspective.pieces(now),
            None => placed.map_or_else(BTreeMap::new, |placed| {
                let alone = Game::new(placed, placed, DRAW_LIMIT);
                Perspective { bottom: Seat::First, own: true, over: false }.own_pieces(&alone)
            }),
        };
        let mut taken = Taken::default();
        let events: Vec<Event> = positions
            .windows(2)
            .zip(game.moves())
            .map(|(pair, &mv)| perspective.event(&pair[0], &pair[1], mv))
            .inspect(|ply| {
                let tray = if ply.side == Seat::First { &mut taken.own } else { &mut taken.top };
                tray.extend(ply.captured.map(Ghost::letter));
            })
            .map(|ply| Event::from(&ply))
            .collect();
        let legal = match (positions.last(), role.seat()) {
            (Some(now), Some(seat)) if session.turn() == Some(seat) => {
                let seen = now.observe(seat);
                now.legal_moves().into_iter().map(|mv| seen.seen(mv).to_string()).collect()
            }
            _ => Vec::new(),
        };
        let truth = game.placements().map(|one| one.map(geister_game::reds));
        GeisterView {
            columns: Standard::COLUMNS,
            rows: Standard::ROWS,
            draw_limit: DRAW_LIMIT,
            red: placed.map(geister_game::reds),
            pieces,
            legal,
            events,
            taken,
            truth: over.then(|| truth.into_iter().flatten().collect()),
        }
    }
}

/// How a viewer sees the board.
struct Perspective {
    bottom: Seat,
    /// The ghosts at the bottom are the viewer's own.
    own: bool,
    /// The game is over: all colours are shown.
    over: bool,
}

impl Perspective {
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

    /// The ghosts at the bottom; `U` for those whose colours a spectator does not see.
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

    /// What a move revealed: captured ghosts show their colours to everybody.
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
