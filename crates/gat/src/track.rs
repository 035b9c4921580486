//! Reconstructs a player's history from the server's views: 48 characters at each of its turns.
//!
//! Names stay with pieces, so the opponent's move is the piece that changed its square. If no move
//! explains a view, the view is trusted and the history restarts: a player that continues with less
//! knowledge is better than one that stops.

use super::text::{Colour, Direction, Ending, MoveCommand, PIECES_PER_SIDE, Piece, Place, View};
use games::Seat;
use games::geister::{Army, Bitboard, Game, Move, Observation, ObservationError, ObservationParts};
use games::hidden::InformationState;

/// The tracker of a game.
#[derive(Clone, Debug)]
pub struct Tracker {
    red: [bool; PIECES_PER_SIDE],
    draw_limit: u32,
    side: Option<Seat>,
    history: Option<InformationState<Game>>,
    /// The pieces after the last known move.
    view: View,
    /// The own move that no view has confirmed yet.
    moved: Option<Move>,
    restarts: u32,
}

impl Tracker {
    /// A tracker for a game with these own reds and this expected draw limit.
    pub fn new(red: [bool; PIECES_PER_SIDE], draw_limit: u32) -> Tracker {
        Tracker {
            red,
            draw_limit,
            side: None,
            history: None,
            view: View::start(&red),
            moved: None,
            restarts: 0,
        }
    }

    /// Whether the own side moved first; `None` before its first turn.
    pub fn began(&self) -> Option<bool> {
        self.side.map(|side| side == Seat::First)
    }

    /// How often the server sent a view that no move explains.
    pub const fn restarts(&self) -> u32 {
        self.restarts
    }

    /// Processes the view at an own turn and returns the history up to it.
    ///
    /// # Errors
    /// If the view is not a valid position.
    pub fn turn(&mut self, seen: &View) -> Result<&InformationState<Game>, ObservationError> {
        let side = *self.side.get_or_insert(first_side(&self.view, seen));
        let ply = self.ply_of_turn(side);
        // A running game has not reached its draw limit, whatever was expected.
        self.draw_limit = self.draw_limit.max(ply.saturating_add(1));
        let now = self.observe(seen, side, ply)?;
        let history = match self.continued(seen, side, now) {
            Some(history) => history,
            None => {
                self.restarts += u32::from(ply > 0);
                InformationState::from(now)
            }
        };
        self.view = *seen;
        self.moved = None;
        Ok(self.history.insert(history))
    }

    /// The ply of the current own turn.
    fn ply_of_turn(&self, side: Seat) -> u32 {
        let first = u32::from(side == Seat::Second);
        let before = self.history.as_ref().map(|history| history.now().ply());
        match (before, self.moved) {
            (None, _) => first,
            (Some(ply), Some(_)) => ply.saturating_add(2),
            (Some(ply), None) => ply, // asked again
        }
    }

    /// The history extended by the own move and the opponent's, if these explain the view.
    fn continued(
        &self,
        seen: &View,
        side: Seat,
        now: Observation,
    ) -> Option<InformationState<Game>> {
        let ply = now.ply();
        if ply == 0 {
            return (*seen == self.view).then(|| InformationState::from(now));
        }
        let (mut history, before) = match (&self.history, self.moved) {
            (None, _) => {
                let start = self.observe(&self.view, side, ply.checked_sub(1)?).ok()?;
                (InformationState::from(start), self.view)
            }
            (Some(history), Some(mv)) => {
                let after = after_own(&self.view, mv, seen)?;
                let mut history = history.clone();
                history.see(mv, self.observe(&after, side, ply.checked_sub(1)?).ok()?);
                (history, after)
            }
            (Some(history), None) => return (*seen == self.view).then(|| history.clone()),
        };
        history.see(opponent_move(&before, seen)?, now);
        Some(history)
    }

    fn observe(&self, view: &View, side: Seat, ply: u32) -> Result<Observation, ObservationError> {
        let count = |pieces: &[Piece], colour: Colour| {
            let gone =
                |piece: &&Piece| piece.place == Place::Captured && piece.colour == Some(colour);
            pieces.iter().filter(gone).count() as u32
        };
        let captured = |pieces: &[Piece]| (count(pieces, Colour::Blue), count(pieces, Colour::Red));
        let squares = |pieces: &[Piece], colour: Option<Colour>| -> Bitboard {
            let wanted = |piece: &&Piece| colour.is_none() || piece.colour == colour;
            pieces.iter().filter(wanted).filter_map(|piece| piece.place.square()).collect()
        };
        Observation::from_parts(&ObservationParts {
            viewer: side,
            own: Army {
                blue: squares(&view.own, Some(Colour::Blue)),
                red: squares(&view.own, Some(Colour::Red)),
            },
            opponent: squares(&view.opponent, None),
            own_captured: captured(&view.own),
            opponent_captured: captured(&view.opponent),
            to_move: (side == Seat::First) == ply.is_multiple_of(2),
            ply,
            draw_limit: self.draw_limit,
        })
    }

    /// The command for a move of the own side, in its view; `None` if it has no piece there. An
    /// escape goes north.
    pub fn command(&self, mv: Move) -> Option<MoveCommand> {
        let piece = self.view.own_at(mv.from())?;
        let direction =
            mv.to().map_or(Some(Direction::North), |to| Direction::between(mv.from(), to))?;
        Some(MoveCommand { piece, direction })
    }

    /// The own side has made this move.
    pub fn moved(&mut self, mv: Move) {
        self.moved = Some(mv);
    }

    /// The server refused the move.
    pub fn refused(&mut self) {
        self.moved = None;
    }

    /// The number of plies of a game with this last view.
    pub fn plies(&self, last: &View) -> u32 {
        let before = self.history.as_ref().map_or(0, |history| history.now().ply());
        let after = self.moved.and_then(|mv| after_own(&self.view, mv, last));
        let own = u32::from(after.is_some());
        let known = after.unwrap_or(self.view);
        before + own + u32::from(!same_places(&known, last))
    }

    /// Which pieces the own side set up as red.
    pub const fn red(&self) -> &[bool; PIECES_PER_SIDE] {
        &self.red
    }
}

/// The own side by the first view: the first player is asked before anything has moved.
fn first_side(start: &View, seen: &View) -> Seat {
    if same_places(start, seen) { Seat::First } else { Seat::Second }
}

fn same_places(one: &View, other: &View) -> bool {
    let places =
        |view: &View| (view.own.map(|piece| piece.place), view.opponent.map(|piece| piece.place));
    places(one) == places(other)
}

/// The view after an own move. The colour of the captured piece is taken from the later view;
/// `None` if it was not captured there.
fn after_own(view: &View, mv: Move, later: &View) -> Option<View> {
    let mut after = *view;
    let piece = view.own_at(mv.from())?;
    after.own[piece].place = mv.to().map_or(Place::Escaped, Place::On);
    let captured = mv.to().and_then(|to| view.other_at(to));
    if let Some(captured) = captured {
        if later.opponent[captured].place != Place::Captured {
            return None;
        }
        after.opponent[captured] = later.opponent[captured];
    }
    // A refused move is not on the board.
    let moved = later.own[piece].place;
    let taken = moved == Place::Captured && mv.to().is_some();
    (moved == after.own[piece].place || taken).then_some(after)
}

/// The opponent's move that explains the difference between two views.
fn opponent_move(before: &View, after: &View) -> Option<Move> {
    let mut changed =
        (0..PIECES_PER_SIDE).filter(|&piece| before.opponent[piece] != after.opponent[piece]);
    let piece = changed.next()?;
    if changed.next().is_some() {
        return None;
    }
    let from = before.opponent[piece].place.square()?;
    let to = after.opponent[piece].place.square()?;
    let mut expected = *before;
    expected.opponent[piece].place = Place::On(to);
    if let Some(taken) = before.own_at(to) {
        expected.own[taken].place = Place::Captured;
    }
    let fits = from.distance(to) == 1 && expected == *after;
    fits.then_some(Move::Step { from, to })
}

/// The reason of the ending by the last view: `escape`, `last-blue`, `last-red`, `draw`, or
/// `forfeit` if the board does not explain it.
pub fn ending_reason(ending: Ending, last: &View) -> &'static str {
    let all_gone = |pieces: &[Piece], colour: Colour| {
        let mut of_colour = pieces.iter().filter(|piece| piece.colour == Some(colour)).peekable();
        of_colour.peek().is_some() && of_colour.all(|piece| piece.place == Place::Captured)
    };
    let (winner, loser) = match ending {
        Ending::Drawn => return "draw",
        Ending::Won => (&last.own, &last.opponent),
        Ending::Lost => (&last.opponent, &last.own),
    };
    if winner.iter().any(|piece| piece.place == Place::Escaped) {
        "escape"
    } else if all_gone(loser, Colour::Blue) {
        "last-blue"
    } else if all_gone(winner, Colour::Red) {
        "last-red"
    } else {
        "forfeit"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pieces::{Pieces, index, red_pieces};
    use games::geister::Game;
    use players::random::any_placement;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// A random game; at each turn the history from views alone is that of the game itself.
    fn check_a_game(seed: u64) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let placements = [any_placement(&mut rng), any_placement(&mut rng)];
        let start = Game::new(placements[0], placements[1], 300);
        let red = placements.map(|placement| red_pieces(&placement));
        let mut pieces = Pieces::new(red);
        let mut trackers = red.map(|red| Tracker::new(red, 300));
        let (mut game, mut moves) = (start, Vec::new());
        while game.outcome().is_none() {
            let side = game.turn();
            let tracker = &mut trackers[index(side)];
            let history = tracker.turn(&pieces.view(side, false)).unwrap().clone();
            assert_eq!(history, start.information_state(&moves, side).unwrap());
            let legal = game.legal_moves();
            let mv = legal[rng.random_range(0..legal.len())];
            let seen = history.now().seen(mv);
            assert_eq!(tracker.command(seen), pieces.command(side, mv));
            let command = tracker.command(seen).unwrap();
            assert_eq!(pieces.requested_move(side, command), Some(mv));
            tracker.moved(seen);
            game = game.play(mv).unwrap();
            pieces.play(side, mv);
            moves.push(mv);
        }
        for side in [Seat::First, Seat::Second] {
            let tracker = &trackers[index(side)];
            let last = pieces.view(side, true);
            assert_eq!(tracker.plies(&last), game.ply());
            assert_eq!((tracker.restarts(), tracker.began()), (0, Some(side == Seat::First)));
            let winner = game.outcome().unwrap().winner();
            let ending = winner.map_or(Ending::Drawn, |winner| {
                if winner == side { Ending::Won } else { Ending::Lost }
            });
            assert_eq!(ending_reason(ending, &last), players::record::end_of(game.outcome()).0);
        }
    }

    #[test]
    fn histories_from_views_are_those_of_the_game() {
        (0..80).for_each(check_a_game);
    }

    #[test]
    fn an_unexplained_view_starts_a_new_history() {
        let red = std::array::from_fn(|piece| piece < 4);
        let mut tracker = Tracker::new(red, 2);
        let start = View::start(&red);
        let history = tracker.turn(&start).unwrap();
        assert_eq!((history.now().ply(), history.steps().len()), (0, 0));
        let mv = "b2b3".parse().unwrap();
        assert_eq!(tracker.command(mv).unwrap().to_string(), "MOV:A,NORTH");
        tracker.moved(mv);
        let jumped = "MOV?13R24R34R44R15B25B35B45B41u31u21u12u40u30u20u00u";
        let seen = View::parse(&jumped[4..]).unwrap();
        let history = tracker.turn(&seen).unwrap();
        assert_eq!((history.now().ply(), history.steps().len()), (2, 0));
        assert_eq!(tracker.restarts(), 1);
        // Asked again, it knows the same.
        assert_eq!(tracker.turn(&seen).unwrap().now().ply(), 2);
        let nothing = View::parse(&"99b".repeat(16)).unwrap();
        assert!(tracker.turn(&nothing).is_err());
    }
}
