//! What a side has seen of a game so far.

use games::Seat;
use games::geister::{Board, Game, Move, Observation, Standard};

/// A ply as one side saw it, its home at the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<B: Board = Standard> {
    /// What was seen before.
    pub before: Observation<B>,
    /// The move.
    pub mv: Move,
}

impl<B: Board> Step<B> {
    /// Whether the viewer made the move.
    pub fn is_own(&self) -> bool {
        self.before.to_move()
    }
}

/// Everything a side has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History<B: Board = Standard> {
    steps: Vec<Step<B>>,
    now: Observation<B>,
}

impl<B: Board> History<B> {
    /// The history of a game of which nothing but this was seen.
    pub fn new(now: Observation<B>) -> History<B> {
        History { steps: Vec::new(), now }
    }

    /// The history that `viewer` has of a game from its start.
    ///
    /// # Errors
    /// If a move is not legal: its place.
    pub fn of_game(start: &Game<B>, moves: &[Move], viewer: Seat) -> Result<History<B>, usize> {
        let mut game = *start;
        let mut history = History::new(game.observe(viewer));
        for (place, &mv) in moves.iter().enumerate() {
            game = game.play(mv).map_err(|_| place)?;
            let seen = history.now.seen(mv);
            history.see(seen, game.observe(viewer));
        }
        Ok(history)
    }

    /// Adds a move, in the viewer's view, and what is seen after it.
    pub fn see(&mut self, mv: Move, after: Observation<B>) {
        self.steps.push(Step { before: self.now, mv });
        self.now = after;
    }

    /// What is seen now.
    pub fn now(&self) -> &Observation<B> {
        &self.now
    }

    /// The plies so far.
    pub fn steps(&self) -> &[Step<B>] {
        &self.steps
    }
}
