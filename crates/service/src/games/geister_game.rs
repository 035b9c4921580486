//! A game of Geister as it is stored: two set-ups and the moves.

use super::game_session::{GameResult, SEATS};
use crate::error::ServiceError;
use games::Seat;
use games::geister::{Bitboard, Game, Move, Placement, Square, Standard};
use games::hidden::InformationState;

/// The number of plies that ends a game without a winner.
pub(super) const DRAW_LIMIT: u32 = Game::<Standard>::USUAL_DRAW_LIMIT;

/// Stands for a set-up that is not made yet.
const NOT_YET: &str = "-";

/// The set-ups of both seats, in their own views.
pub(super) type Placements = [Option<Placement<Standard>>; 2];

/// A game of Geister: set-ups and moves, replayed once.
#[derive(Clone, Debug)]
pub struct GeisterGame {
    placements: Placements,
    /// The moves so far, in the first seat's view.
    moves: Vec<Move>,
    /// The game before each move and after the last one; none until both have set up.
    positions: Vec<Game>,
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

/// The game before the first move; `None` until both have set up.
fn start_of([first, second]: Placements) -> Option<Game> {
    Some(Game::new(first?, second?, DRAW_LIMIT))
}

impl GeisterGame {
    /// The game with these set-ups and moves; `None` if a move is not legal.
    pub(super) fn new(placements: Placements, moves: Vec<Move>) -> Option<GeisterGame> {
        let mut positions: Vec<Game> = start_of(placements).into_iter().collect();
        for &mv in &moves {
            positions.push(positions.last()?.play(mv).ok()?);
        }
        Some(GeisterGame { placements, moves, positions })
    }

    /// Reads a game from its text; `None` if it is damaged.
    pub(super) fn read(setup: &str, moves: &str) -> Option<GeisterGame> {
        let mut words = setup.split_whitespace();
        let mut next = || words.next().map_or(Some(None), read_placement);
        let placements = [next()?, next()?];
        let moves: Option<Vec<Move>> =
            moves.split_whitespace().map(|text| text.parse().ok()).collect();
        GeisterGame::new(placements, moves?)
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

    /// The set-ups so far.
    pub(super) fn placements(&self) -> Placements {
        self.placements
    }

    /// Sets up a seat; the game begins once both have done so.
    pub(super) fn set_up(&mut self, seat: usize, placement: Placement<Standard>) {
        self.placements[seat] = Some(placement);
        self.positions = start_of(self.placements).into_iter().collect();
    }

    /// The moves so far, in the first seat's view.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The game before the first move; `None` until both have set up.
    pub fn start(&self) -> Option<Game> {
        self.positions.first().copied()
    }

    /// The game before each move and after the last one; none until both have set up.
    pub fn positions(&self) -> &[Game] {
        &self.positions
    }

    /// The game after the last move; `None` until both have set up.
    pub fn now(&self) -> Option<Game> {
        self.positions.last().copied()
    }

    /// What a seat has seen.
    pub fn history(&self, seat: Seat) -> Option<InformationState<Game>> {
        self.start()?.information_state(&self.moves, seat).ok()
    }

    /// Plays a move of the side to move, in its own view; `false` if it is not legal.
    pub(super) fn play(&mut self, mv: Move) -> bool {
        let Some(now) = self.now() else { return false };
        let played = now.observe(now.turn()).played(mv);
        let Ok(after) = now.play(played) else { return false };
        self.moves.push(played);
        self.positions.push(after);
        true
    }

    /// Plays a move of the side to move, written in its own view.
    pub(super) fn play_text(&mut self, text: &str) -> Result<(), ServiceError> {
        let mv: Move = text.parse().map_err(|_| ServiceError::bad("bad-move"))?;
        if self.play(mv) { Ok(()) } else { Err(ServiceError::bad("illegal-move")) }
    }

    /// Whether this move, in the view of its side, was played at this ply.
    pub(super) fn was_played(&self, text: &str, ply: usize) -> bool {
        let (Some(before), Some(&played)) = (self.positions.get(ply), self.moves.get(ply)) else {
            return false;
        };
        text.parse().is_ok_and(|mv| before.observe(before.turn()).played(mv) == played)
    }

    /// The result by the rules; `None` while the game is not over.
    pub(super) fn result(&self) -> Option<GameResult> {
        let outcome = self.now()?.outcome()?;
        let (how, winner) = players::record::end_of(Some(outcome));
        Some(GameResult { how, winner: winner.map(|winner| SEATS[usize::from(winner)]) })
    }

    /// Whether the last move was made by `seat` and captured nothing: what was seen cannot be
    /// unseen.
    pub(super) fn can_undo(&self, seat: Seat) -> bool {
        let [.., before, after] = self.positions.as_slice() else { return false };
        let opponent = seat.opponent();
        before.turn() == seat
            && after.outcome().is_none()
            && before.army(opponent).all().count() == after.army(opponent).all().count()
    }

    /// Takes the last move back.
    pub(super) fn undo(&mut self) {
        if self.moves.pop().is_some() {
            self.positions.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The positions that are kept while playing are those of a replay from the start.
        #[test]
        fn kept_positions_are_those_of_a_replay(choices in prop::collection::vec(0usize..64, 1..300)) {
            let mut game = GeisterGame::new([None, None], Vec::new()).unwrap();
            let reds = ["b1", "c1", "b2", "c2"];
            game.set_up(0, placement(&reds).unwrap());
            prop_assert!(game.now().is_none() && !game.play_any(0));
            game.set_up(1, placement(&reds).unwrap());
            for choice in choices {
                let turn = game.now().unwrap().turn();
                if choice % 8 == 0 && game.can_undo(turn.opponent()) {
                    game.undo();
                } else if !game.play_any(choice) {
                    break;
                }
                let replayed = GeisterGame::read(&game.setup_text(), &game.moves_text()).unwrap();
                prop_assert_eq!(replayed.positions(), game.positions());
                prop_assert_eq!(replayed.moves(), game.moves());
            }
        }
    }

    impl GeisterGame {
        /// Plays one of the legal moves; `false` if there is none.
        fn play_any(&mut self, choice: usize) -> bool {
            let Some(now) = self.now() else { return false };
            let moves = now.legal_moves();
            let Some(mv) = moves.get(choice % moves.len().max(1)) else { return false };
            let seen = now.observe(now.turn()).seen(*mv);
            self.play(seen)
        }
    }
}
