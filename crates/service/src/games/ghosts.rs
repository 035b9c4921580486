//! A game of Geister as it is kept: two set-ups and the moves.

use games::Seat;
use games::geister::{Bitboard, Game, Move, Placement, Square, Standard};
use players::history::History;

/// How many plies end a game without a winner.
pub(super) const DRAW_LIMIT: u32 = Game::<Standard>::USUAL_DRAW_LIMIT;

/// What stands for a set-up that is not made yet.
const NOT_YET: &str = "-";

/// Set-ups and moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ghosts {
    /// How each seat has set up, in its own view.
    pub placements: [Option<Placement<Standard>>; 2],
    moves: Vec<Move>,
}

/// The placement with reds on these squares, if it is one.
pub(super) fn placement(red: &[impl AsRef<str>]) -> Option<Placement<Standard>> {
    let squares = red.iter().map(|name| Square::from_name(name.as_ref()));
    let red: Bitboard = squares.collect::<Option<Vec<Square>>>()?.into_iter().collect();
    Placement::with_red(red).ok()
}

/// The squares of the reds of a placement, in the view of its seat.
pub(super) fn reds(placement: Placement<Standard>) -> Vec<String> {
    let game = Game::new(placement, placement, 1);
    game.observe(Seat::First).own().red.map(|square| square.to_string()).collect()
}

fn read_placement(text: &str) -> Option<Option<Placement<Standard>>> {
    if text == NOT_YET {
        return Some(None);
    }
    if !text.is_ascii() {
        return None;
    }
    let squares: Vec<&str> =
        (0..text.len()).step_by(2).map_while(|at| text.get(at..at + 2)).collect();
    placement(&squares).map(Some)
}

impl Ghosts {
    /// A game with these set-ups and moves, which the caller has checked.
    pub(super) fn of(placements: [Option<Placement<Standard>>; 2], moves: Vec<Move>) -> Ghosts {
        Ghosts { placements, moves }
    }

    /// A game out of its text; `None` if it does not hold together.
    pub(super) fn read(setup: &str, moves: &str) -> Option<Ghosts> {
        let mut words = setup.split_whitespace();
        let mut next = || words.next().map_or(Some(None), read_placement);
        let placements = [next()?, next()?];
        let moves: Option<Vec<Move>> =
            moves.split_whitespace().map(|text| text.parse().ok()).collect();
        let ghosts = Ghosts { placements, moves: moves? };
        let legal = match ghosts.start() {
            Some(start) => History::of_game(&start, &ghosts.moves, Seat::First).is_ok(),
            None => ghosts.moves.is_empty(),
        };
        legal.then_some(ghosts)
    }

    /// The set-ups as text.
    pub(super) fn setup_text(&self) -> String {
        let word = |one: &Option<Placement<Standard>>| {
            one.map_or(NOT_YET.into(), |one| reds(one).concat())
        };
        self.placements.each_ref().map(word).join(" ")
    }

    /// The moves as text.
    pub(super) fn moves_text(&self) -> String {
        self.moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
    }

    /// The moves so far, as the first seat sees them.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The game before the first move; `None` until both have set up.
    pub fn start(&self) -> Option<Game> {
        let [first, second] = self.placements;
        Some(Game::new(first?, second?, DRAW_LIMIT))
    }

    /// The game before each move and after the last one; none until both have set up.
    pub fn course(&self) -> Vec<Game> {
        let Some(start) = self.start() else { return Vec::new() };
        let later = self.moves.iter().scan(start, |game, &mv| {
            *game = game.play_unchecked(mv);
            Some(*game)
        });
        std::iter::once(start).chain(later).collect()
    }

    /// The game as it stands.
    pub fn now(&self) -> Option<Game> {
        let start = self.start()?;
        Some(self.moves.iter().fold(start, |game, &mv| game.play_unchecked(mv)))
    }

    /// What a seat has seen.
    pub fn history(&self, seat: Seat) -> Option<History> {
        History::of_game(&self.start()?, &self.moves, seat).ok()
    }

    /// Adds a move of the side to move, in its own view; `false` if it is not legal.
    pub(super) fn play(&mut self, mv: Move) -> bool {
        let Some(now) = self.now() else { return false };
        let played = now.observe(now.turn()).played(mv);
        let legal = now.play(played).is_ok();
        if legal {
            self.moves.push(played);
        }
        legal
    }

    /// Whether the last move was made by `seat` and captured nothing: what was seen cannot be
    /// unseen.
    pub(super) fn can_undo(&self, seat: Seat) -> bool {
        let course = self.course();
        let [.., before, after] = course.as_slice() else { return false };
        let other = seat.opponent();
        before.turn() == seat
            && after.outcome().is_none()
            && before.army(other).all().count() == after.army(other).all().count()
    }

    /// Takes the last move back.
    pub(super) fn undo(&mut self) {
        self.moves.pop();
    }
}
