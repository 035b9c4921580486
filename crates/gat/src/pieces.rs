//! The named pieces of both sides; a name stays with its piece for the whole game.

use super::text::{
    Colour, Direction, MoveCommand, PIECES_PER_SIDE, Piece, Place, View, home, piece_from,
};
use games::Seat;
use games::geister::{Bitboard, Board, Game, Move, Placement, Square, Standard};

/// Both sides' pieces with colours. Squares are in the view of the bottom side, which moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pieces {
    red: [[bool; PIECES_PER_SIDE]; 2],
    places: [[Place; PIECES_PER_SIDE]; 2],
}

/// The array index of a side.
pub const fn index(side: Seat) -> usize {
    match side {
        Seat::First => 0,
        Seat::Second => 1,
    }
}

/// Converts a place between a side's view and the game's coordinates; its own inverse.
fn turned_for(side: Seat, place: Place) -> Place {
    match side {
        Seat::First => place,
        Seat::Second => place.turned(),
    }
}

/// The same for a square.
fn square_for(side: Seat, square: Square) -> Square {
    match side {
        Seat::First => square,
        Seat::Second => Standard::turned(square),
    }
}

/// Which pieces are red in a placement.
pub fn red_pieces(placement: &Placement) -> [bool; PIECES_PER_SIDE] {
    // A placement exposes its reds only through a game; the opponent's placement does not matter.
    let red = Game::new(*placement, *placement, 1).army(Seat::First).red;
    std::array::from_fn(|piece| red.has(home(piece)))
}

/// The placement with these reds; `None` unless they are four.
pub fn placement(red: &[bool; PIECES_PER_SIDE]) -> Option<Placement> {
    let squares: Bitboard = (0..PIECES_PER_SIDE).filter(|&piece| red[piece]).map(home).collect();
    Placement::with_red(squares).ok()
}

impl Pieces {
    /// The start, with these reds of the bottom and of the top side.
    pub fn new(red: [[bool; PIECES_PER_SIDE]; 2]) -> Pieces {
        let places = [Seat::First, Seat::Second]
            .map(|side| std::array::from_fn(|piece| turned_for(side, Place::On(home(piece)))));
        Pieces { red, places }
    }

    fn colour(&self, side: Seat, piece: usize) -> Colour {
        if self.red[index(side)][piece] { Colour::Red } else { Colour::Blue }
    }

    /// The view of `viewer`: the opponent's colours only of captured or escaped pieces, or all if
    /// `shown`, at the end of the game.
    pub fn view(&self, viewer: Seat, shown: bool) -> View {
        let piece = |side: Seat, piece: usize| {
            let place = turned_for(viewer, self.places[index(side)][piece]);
            let known = side == viewer || shown || place.square().is_none();
            Piece { place, colour: known.then(|| self.colour(side, piece)) }
        };
        View {
            own: std::array::from_fn(|number| piece(viewer, number)),
            opponent: std::array::from_fn(|number| piece(viewer.opponent(), number)),
        }
    }

    fn piece_at(&self, side: Seat, square: Square) -> Option<usize> {
        self.places[index(side)].iter().position(|&place| place == Place::On(square))
    }

    /// The move of a command: a step, or an escape from an exit. `None` if the piece is gone or
    /// would leave the board elsewhere. Other rules are not checked.
    pub fn requested_move(&self, side: Seat, command: MoveCommand) -> Option<Move> {
        let from = turned_for(side, *self.places[index(side)].get(command.piece)?).square()?;
        let mv = match command.direction.next(from) {
            Some(to) => Move::Step { from, to },
            None if Standard::BOTTOM_EXITS.has(from) => Move::Escape { from },
            None => return None,
        };
        Some(mv.map(|square| square_for(side, square)))
    }

    /// The command for a move; an escape goes north. `None` if the side has no piece there.
    pub fn command(&self, side: Seat, mv: Move) -> Option<MoveCommand> {
        let piece = self.piece_at(side, mv.from())?;
        let mv = mv.map(|square| square_for(side, square));
        let direction =
            mv.to().map_or(Some(Direction::North), |to| Direction::between(mv.from(), to))?;
        Some(MoveCommand { piece, direction })
    }

    /// Makes a legal move of a side and returns the colour it captured.
    pub fn play(&mut self, side: Seat, mv: Move) -> Option<Colour> {
        let opponent = side.opponent();
        let captured = mv.to().and_then(|to| self.piece_at(opponent, to));
        if let Some(piece) = captured {
            self.places[index(opponent)][piece] = Place::Captured;
        }
        if let Some(piece) = self.piece_at(side, mv.from()) {
            self.places[index(side)][piece] = mv.to().map_or(Place::Escaped, Place::On);
        }
        captured.map(|piece| self.colour(opponent, piece))
    }
}

/// Which pieces of a side are red, from the names of their squares in its own view.
pub(crate) fn red_of_names(names: &[String]) -> Option<[bool; PIECES_PER_SIDE]> {
    let mut red = [false; PIECES_PER_SIDE];
    for name in names {
        red[piece_from(Square::from_name(name)?)?] = true;
    }
    placement(&red).map(|_| red)
}
