//! The view of a game of Geister.

use super::{DRAW_LIMIT, reds};
use crate::attempts::view::Event;
use crate::games::site_game::{Knowledge, Observed, ViewedGame};
use games::Seat;
use games::geister::{Board, Game, Ghost, Move, Observation, Placement, Square, Standard};
use games::hidden::InformationState;
use geister::judge::Ply;
use serde::Serialize;
use std::collections::BTreeMap;

/// The letters of ghosts on the squares they stand on.
type Pieces = BTreeMap<String, char>;

/// The letter of a ghost at the bottom whose colour a spectator does not see.
const HIDDEN_AT_BOTTOM: char = 'U';

#[derive(Default, Serialize)]
struct Taken {
    own: Vec<char>,
    top: Vec<char>,
}

/// A game of Geister, with the home of the viewer at the bottom.
#[derive(Serialize)]
pub struct GeisterView {
    columns: u32,
    rows: u32,
    draw_limit: u32,
    /// The reds of the viewer, in its own view, once it has set up.
    red: Option<Vec<String>>,
    pieces: Pieces,
    legal: Vec<String>,
    events: Vec<Event>,
    taken: Taken,
    /// Both set-ups, each in its own view, once the game is over.
    truth: Option<Vec<Vec<String>>>,
}

/// What everybody may know: where ghosts stand, and what each move revealed. The first seat is at the
/// bottom.
pub struct PublicGame {
    pieces: Pieces,
    plies: Vec<Ply>,
}

impl ViewedGame for Game {
    type Public = PublicGame;
    type View = GeisterView;

    fn public([first, _]: &[InformationState<Game>; 2]) -> PublicGame {
        let now = first.now();
        let mut pieces = letters(now.own().all(), HIDDEN_AT_BOTTOM);
        pieces.extend(letters(now.opponent(), Ghost::Hidden.letter()));
        let hidden = |ply: Ply| Ply { was_hidden: ply.captured.or(ply.left).is_some(), ..ply };
        PublicGame { pieces, plies: plies(first).map(hidden).collect() }
    }

    fn view(knowledge: &Knowledge<'_, Game>) -> GeisterView {
        let plies = match &knowledge.observed {
            Observed::Nothing => Vec::new(),
            Observed::Own(information) => plies(information).collect(),
            Observed::Public(public) => public.plies.clone(),
        };
        let legal = match &knowledge.observed {
            Observed::Own(information) if knowledge.to_move => information.candidates(),
            _ => Vec::new(),
        };
        let setups =
            |setups: [Option<Placement>; 2]| setups.into_iter().flatten().map(reds).collect();
        GeisterView {
            columns: Standard::COLUMNS,
            rows: Standard::ROWS,
            draw_limit: DRAW_LIMIT,
            red: knowledge.setup.map(reds),
            pieces: pieces(knowledge),
            legal: legal.iter().map(Move::to_string).collect(),
            taken: taken(&plies),
            events: plies.iter().map(Event::from).collect(),
            truth: knowledge.truth.map(|game| setups(game.setups())),
        }
    }
}

fn letters(squares: impl Iterator<Item = Square>, letter: char) -> Pieces {
    squares.map(|square| (square.to_string(), letter)).collect()
}

/// The ghosts that the viewer may see; their colours as well once the game is over.
fn pieces(knowledge: &Knowledge<'_, Game>) -> Pieces {
    let state = knowledge.truth.and_then(|truth| truth.state());
    match (&knowledge.observed, state) {
        (Observed::Nothing, _) => knowledge.setup.map_or_else(Pieces::new, |setup| {
            own_pieces(&Game::new(setup, setup, DRAW_LIMIT).observe(Seat::First))
        }),
        (_, Some(state)) => all_pieces(state, knowledge.seat.unwrap_or(Seat::First)),
        (Observed::Own(information), None) => {
            let mut pieces = own_pieces(information.now());
            pieces.extend(letters(information.now().opponent(), Ghost::Hidden.letter()));
            pieces
        }
        (Observed::Public(public), None) => public.pieces.clone(),
    }
}

fn own_pieces(now: &Observation) -> Pieces {
    let mut pieces = letters(now.own().blue, Ghost::OwnBlue.letter());
    pieces.extend(letters(now.own().red, Ghost::OwnRed.letter()));
    pieces
}

/// All ghosts with their colours, with this seat at the bottom.
fn all_pieces(game: &Game, bottom: Seat) -> Pieces {
    let mut pieces = own_pieces(&game.observe(bottom));
    let seen = |square| if bottom == Seat::First { square } else { Standard::turned(square) };
    let top = game.army(bottom.opponent());
    pieces.extend(letters(top.blue.map(seen), Ghost::ShownBlue.letter()));
    pieces.extend(letters(top.red.map(seen), Ghost::ShownRed.letter()));
    pieces
}

/// The moves so far and what they revealed to the seat: captured ghosts show their colours.
fn plies(information: &InformationState<Game>) -> impl Iterator<Item = Ply> {
    let steps = information.steps();
    let after = steps.iter().skip(1).map(|step| &step.before).chain([information.now()]);
    steps.iter().zip(after).map(|(step, after)| ply(&step.before, after, step.event))
}

fn ply(before: &Observation, after: &Observation, mv: Move) -> Ply {
    let own = before.to_move();
    let captured = if own {
        let ghosts = [Ghost::ShownBlue, Ghost::ShownRed];
        captured(before.opponent_captured(), after.opponent_captured(), ghosts)
    } else {
        let ghosts = [Ghost::OwnBlue, Ghost::OwnRed];
        captured(before.own_captured(), after.own_captured(), ghosts)
    };
    let leaves = if own { Ghost::OwnBlue } else { Ghost::ShownBlue };
    let left = mv.to().is_none().then_some(leaves);
    let shown = captured.or(left);
    Ply {
        mv,
        side: if own { Seat::First } else { Seat::Second },
        captured,
        left,
        // The own colours were known.
        was_hidden: matches!(shown, Some(Ghost::ShownBlue | Ghost::ShownRed)),
    }
}

/// The blue or the red ghost that was captured between two counts of blues and reds.
fn captured(before: (u32, u32), after: (u32, u32), [blue, red]: [Ghost; 2]) -> Option<Ghost> {
    if after.0 > before.0 { Some(blue) } else { (after.1 > before.1).then_some(red) }
}

/// What each side has captured.
fn taken(plies: &[Ply]) -> Taken {
    let mut taken = Taken::default();
    for ply in plies {
        let tray = if ply.side == Seat::First { &mut taken.own } else { &mut taken.top };
        tray.extend(ply.captured.map(Ghost::letter));
    }
    taken
}
