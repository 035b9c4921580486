//! The metaposition: all states that a seat considers possible, as one position.

use super::board::{Square, Squares};
use super::game::Game;
use crate::Seat;
use crate::hidden::{self, Foresight, InformationState};

/// The metaposition of a seat: its own marks, and where those of the opponent are or may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Metaposition {
    own: Squares,
    /// Certainly the opponent's.
    certain: Squares,
    /// Possibly the opponent's; otherwise empty.
    possible: Squares,
    opponent_marks: usize,
    to_move: bool,
    over: bool,
}

impl Metaposition {
    /// The own marks.
    #[must_use]
    pub const fn own(&self) -> Squares {
        self.own
    }

    /// The squares that are certainly the opponent's.
    #[must_use]
    pub const fn certain(&self) -> Squares {
        self.certain
    }

    /// The squares that may be the opponent's or empty.
    #[must_use]
    pub const fn possible(&self) -> Squares {
        self.possible
    }

    /// The number of the opponent's marks.
    #[must_use]
    pub const fn opponent_marks(&self) -> usize {
        self.opponent_marks
    }

    /// The probability that the opponent has a square, if its hidden marks are equally likely
    /// wherever they are possible.
    #[must_use]
    pub fn probability(&self, square: Square) -> f64 {
        match () {
            () if self.certain.has(square) => 1.0,
            () if self.possible.has(square) => self.hidden() as f64 / self.possible.len() as f64,
            () => 0.0,
        }
    }

    /// The number of the opponent's marks that are not on certain squares.
    fn hidden(&self) -> usize {
        self.opponent_marks.saturating_sub(self.certain.len())
    }

    /// Updates `possible` and `certain` from the marks: in a game that continues the opponent has no
    /// line, and if it has as many hidden marks as possible squares, they are all there.
    fn concluded(mut self) -> Metaposition {
        let unknown = Squares::ALL - self.own - self.certain;
        let hidden = self.hidden();
        let wins = |square| self.certain.with(square).has_line();
        let quiet: Squares = unknown.iter().filter(|&square| !wins(square)).collect();
        self.possible = match hidden {
            0 => Squares::EMPTY,
            // In a foreseen game the opponent may have no other place than one that wins.
            _ if self.over || quiet.len() < hidden => unknown,
            _ => quiet,
        };
        if self.possible.len() == hidden {
            self.certain = self.certain | self.possible;
            self.possible = Squares::EMPTY;
        }
        self
    }
}

impl hidden::Metaposition<Game> for Metaposition {
    fn fold(information: &InformationState<Game>) -> Metaposition {
        let now = information.now();
        let folded = Metaposition {
            own: now.own,
            certain: now.refused,
            possible: Squares::EMPTY,
            opponent_marks: now.opponent_marks,
            to_move: now.to_move,
            over: now.outcome.is_some(),
        };
        folded.concluded()
    }

    fn contains(&self, game: &Game, seat: Seat) -> bool {
        let marks = game.marks(seat.opponent());
        self.own == game.marks(seat)
            && self.certain.is_within(marks)
            && marks.is_within(self.certain | self.possible)
            && self.opponent_marks == marks.len()
            && self.over == game.outcome().is_some()
            && self.to_move == (!self.over && game.turn() == seat)
    }
}

impl Foresight for Metaposition {
    type Action = Square;

    fn candidates(&self) -> Vec<Square> {
        if !self.to_move || self.own.has_line() {
            return Vec::new();
        }
        (Squares::ALL - self.own - self.certain).iter().collect()
    }

    /// A try is refused if the opponent rather has the square than not. Then it is still the own
    /// turn.
    fn pseudo(&self, square: Square) -> Metaposition {
        let after = if self.probability(square) > 0.5 {
            Metaposition { certain: self.certain.with(square), ..*self }
        } else {
            Metaposition { own: self.own.with(square), to_move: false, ..*self }
        };
        after.concluded()
    }

    /// The same metaposition if it is still the own turn.
    fn meta(&self) -> Metaposition {
        let is_full = self.own.len() + self.opponent_marks == Squares::ALL.len();
        if self.to_move || is_full {
            return *self;
        }
        let opponent_marks = self.opponent_marks + 1;
        Metaposition { opponent_marks, to_move: true, ..*self }.concluded()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hidden::{Metaposition as _, NoSetup};
    use crate::phantom_tic_tac_toe::EmptyBoard;

    fn squares(text: &str) -> Squares {
        text.split_whitespace().map(|one| one.parse::<Square>().unwrap()).collect()
    }

    fn folded(tries: &str, seat: Seat) -> Metaposition {
        let tries: Vec<Square> = tries.split_whitespace().map(|one| one.parse().unwrap()).collect();
        let state = InformationState::<Game>::replay(&EmptyBoard, [NoSetup; 2], &tries, seat);
        Metaposition::fold(&state.unwrap())
    }

    #[test]
    fn refused_squares_are_certain_and_the_others_possible() {
        let meta = folded("a1 a1 b2 c3 c3", Seat::Second);
        assert_eq!((meta.own(), meta.certain()), (squares("b2"), squares("a1 c3")));
        assert_eq!(meta.possible(), Squares::EMPTY, "X has no other mark");
        let meta = folded("a1 b2 c3 b1", Seat::First);
        assert_eq!(
            (meta.certain(), meta.possible()),
            (Squares::EMPTY, squares("b1 c1 a2 b2 c2 a3 b3"))
        );
        assert!((meta.probability("b2".parse().unwrap()) - 2.0 / 7.0).abs() < 1e-12);
    }

    #[test]
    fn a_line_of_the_opponent_is_not_possible_while_the_game_continues() {
        // O certainly has a1 and b1, so its third mark is not on c1.
        let meta = folded("b2 a1 a1 c3 b1 b1 a2 c2", Seat::First);
        assert_eq!(meta.certain(), squares("a1 b1"));
        assert_eq!(meta.possible(), squares("c2 a3 b3"));
        assert!(meta.candidates().contains(&"c1".parse().unwrap()));
    }

    #[test]
    fn foresight_tries_and_lets_the_opponent_move() {
        let start = folded("", Seat::First);
        let placed = start.pseudo("b2".parse().unwrap());
        assert_eq!((placed.own(), placed.candidates().len()), (squares("b2"), 0));
        let next = placed.meta();
        assert_eq!((next.opponent_marks(), next.possible().len()), (1, 8));
        assert_eq!(next.candidates().len(), 8);
        // Four of the five squares that are left are O's: a try is more likely refused.
        let late = folded("a1 b2 c1 b1 b3 a2 a3 c3", Seat::First);
        assert_eq!(late.opponent_marks(), 4);
        let refused = late.pseudo("b2".parse().unwrap());
        assert!(refused.certain().has("b2".parse().unwrap()) && refused.meta() == refused);
    }
}
