//! The true state of a game.

use super::board::{Square, Squares};
use crate::Seat;
use crate::hidden::{ActionError, GameOutcome, Reply, Step};
use std::fmt;

/// The true state: the marks of both players, and every try since the start.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Game {
    /// The marks of the first and the second seat.
    marks: [Squares; 2],
    /// The squares on which each seat was refused: it knows that the opponent has them.
    refused: [Squares; 2],
    tries: Vec<Square>,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// This seat has three in a row.
    Win(Seat),
    /// The board is full.
    Draw,
}

/// What a seat perceives of one step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// Its own try was refused: the opponent has the square.
    Refused(Square),
    /// Its own mark was placed.
    Placed {
        /// The square.
        square: Square,
        /// How the game ended by it.
        outcome: Option<Outcome>,
    },
    /// The opponent has placed a mark, on a square that is not announced.
    OpponentMoved {
        /// How the game ended by it.
        outcome: Option<Outcome>,
    },
}

impl Event {
    /// How the game ended by this step.
    #[must_use]
    pub const fn outcome(self) -> Option<Outcome> {
        match self {
            Event::Refused(_) => None,
            Event::Placed { outcome, .. } | Event::OpponentMoved { outcome } => outcome,
        }
    }
}

/// What a seat sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Observation {
    /// Its own marks.
    pub own: Squares,
    /// The squares on which it was refused.
    pub refused: Squares,
    /// The number of the opponent's marks.
    pub opponent_marks: usize,
    /// Whether it is to move.
    pub to_move: bool,
    /// How the game ended.
    pub outcome: Option<Outcome>,
}

impl Observation {
    /// The squares that may be empty as far as the seat has seen.
    #[must_use]
    pub fn untried(&self) -> Squares {
        Squares::ALL - self.own - self.refused
    }
}

impl Game {
    /// The marks of a seat.
    #[must_use]
    pub const fn marks(&self, seat: Seat) -> Squares {
        self.marks[seat as usize]
    }

    /// The empty squares.
    #[must_use]
    pub fn empty(&self) -> Squares {
        Squares::ALL - self.marks[0] - self.marks[1]
    }

    /// Every try since the start, refused or played.
    #[must_use]
    pub fn tries(&self) -> &[Square] {
        &self.tries
    }

    /// The squares of all marks, in the order in which they were placed.
    pub fn moves(&self) -> impl Iterator<Item = Square> {
        // A refused square has a mark already, so the first try of a square places its mark.
        let is_first = |at: usize| !self.tries[..at].contains(&self.tries[at]);
        (0..self.tries.len()).filter(move |&at| is_first(at)).map(|at| self.tries[at])
    }

    /// The seat to move. It means nothing when the game is over.
    #[must_use]
    pub const fn turn(&self) -> Seat {
        if self.marks[0].len() == self.marks[1].len() { Seat::First } else { Seat::Second }
    }

    /// How the game ended, or `None` while it continues.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let winner = Seat::ALL.into_iter().find(|&seat| self.marks(seat).has_line());
        match winner {
            Some(seat) => Some(Outcome::Win(seat)),
            None => self.empty().is_empty().then_some(Outcome::Draw),
        }
    }

    /// Tries to place a mark of the seat to move.
    ///
    /// # Errors
    ///
    /// If the game is over, or if the seat knows that the square is not empty. The state is
    /// unchanged then.
    pub(super) fn place(&mut self, square: Square) -> Result<Step<Event>, ActionError> {
        if self.outcome().is_some() {
            return Err(ActionError::GameOver);
        }
        let seat = self.turn();
        let (own, other) = (seat.index(), seat.opponent().index());
        if (self.marks[own] | self.refused[own]).has(square) {
            return Err(ActionError::Illegal);
        }
        self.tries.push(square);
        let mut perceived = [None; 2];
        if self.marks[other].has(square) {
            self.refused[own] = self.refused[own].with(square);
            perceived[own] = Some(Event::Refused(square));
            return Ok(Step { reply: Reply::Refused, perceived });
        }
        self.marks[own] = self.marks[own].with(square);
        let outcome = self.outcome();
        perceived[own] = Some(Event::Placed { square, outcome });
        perceived[other] = Some(Event::OpponentMoved { outcome });
        Ok(Step { reply: Reply::Played, perceived })
    }

    /// What `seat` sees now.
    #[must_use]
    pub fn observe(&self, seat: Seat) -> Observation {
        let outcome = self.outcome();
        Observation {
            own: self.marks(seat),
            refused: self.refused[seat.index()],
            opponent_marks: self.marks(seat.opponent()).len(),
            to_move: outcome.is_none() && self.turn() == seat,
            outcome,
        }
    }
}

impl GameOutcome for Outcome {
    const REASONS: &'static [&'static str] = &["three-in-a-row", "full-board"];

    fn winner(self) -> Option<Seat> {
        match self {
            Outcome::Win(seat) => Some(seat),
            Outcome::Draw => None,
        }
    }

    fn reason(self) -> &'static str {
        match self {
            Outcome::Win(_) => "three-in-a-row",
            Outcome::Draw => "full-board",
        }
    }
}

/// The rows from the third to the first, such as `.../.X./O..`.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = self.marks;
        let letter = |square| match () {
            () if first.has(square) => 'X',
            () if second.has(square) => 'O',
            () => '.',
        };
        let rows = Square::ALL.chunks(3).rev();
        let rows: Vec<String> = rows.map(|row| row.iter().copied().map(letter).collect()).collect();
        f.write_str(&rows.join("/"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(text: &str) -> Square {
        text.parse().unwrap()
    }

    fn played(tries: &str) -> Game {
        let mut game = Game::default();
        for one in tries.split_whitespace() {
            game.place(square(one)).unwrap();
        }
        game
    }

    #[test]
    fn a_refused_try_keeps_the_turn_and_the_opponent_perceives_nothing() {
        let mut game = played("b2");
        let before = game.observe(Seat::First);
        let step = game.place(square("b2")).unwrap();
        assert_eq!(step.reply, Reply::Refused);
        assert_eq!(step.perceived, [None, Some(Event::Refused(square("b2")))]);
        assert_eq!((game.turn(), game.observe(Seat::First)), (Seat::Second, before));
        assert_eq!(game.place(square("b2")), Err(ActionError::Illegal), "it was refused before");
        let step = game.place(square("c3")).unwrap();
        assert_eq!(step.perceived[0], Some(Event::OpponentMoved { outcome: None }));
        assert_eq!(game.place(square("b2")), Err(ActionError::Illegal), "it is the own mark");
    }

    #[test]
    fn refused_squares_are_remembered() {
        let mut game = played("b2 b2 c3 a1");
        assert_eq!(game.turn(), Seat::Second);
        assert_eq!(game.place(square("b2")), Err(ActionError::Illegal));
        assert!(!game.observe(Seat::Second).untried().has(square("b2")));
        assert!(game.observe(Seat::Second).untried().has(square("a1")));
        assert_eq!(game.moves().collect::<Vec<_>>(), ["b2", "c3", "a1"].map(square));
    }

    #[test]
    fn three_in_a_row_win_and_a_full_board_is_a_draw() {
        assert_eq!(played("a1 a2 b1 b2").outcome(), None);
        let won = played("a1 a2 b1 b2 c1");
        assert_eq!(won.outcome(), Some(Outcome::Win(Seat::First)));
        assert_eq!(played("a1 c1 a2 b2 b1 a3").outcome(), Some(Outcome::Win(Seat::Second)));
        assert_eq!(won.clone().place(square("c3")), Err(ActionError::GameOver));
        let drawn = played("a1 b2 c3 b1 b3 a3 c1 c2 a2");
        assert_eq!(drawn.to_string(), "OXX/XOO/XOX");
        assert_eq!(drawn.outcome(), Some(Outcome::Draw));
        let last = played("a1 b2 c3 b1 b3 a2 c2 a3 c1");
        assert_eq!(last.outcome(), Some(Outcome::Win(Seat::First)), "a full board may be won");
    }

    #[test]
    fn there_are_eight_lines_of_three() {
        use crate::phantom_tic_tac_toe::LINES;
        assert!(LINES.iter().all(|line| line.len() == 3));
        let through = |text| LINES.iter().filter(|line| line.has(square(text))).count();
        assert_eq!(["b2", "a1", "c3", "a2"].map(through), [4, 3, 3, 2]);
    }

    #[test]
    fn squares_read_as_written() {
        for one in Square::ALL {
            assert_eq!(one.to_string().parse(), Ok(one));
        }
        for wrong in ["", "a", "a0", "a4", "d1", "A1", "a1 ", "1a", "a11", "ä1"] {
            assert!(wrong.parse::<Square>().is_err(), "{wrong:?}");
        }
    }
}
