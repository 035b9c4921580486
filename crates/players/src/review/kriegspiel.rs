//! A game of Kriegspiel, looked at afterwards on the true board.

use super::Feel;
use games::kriegspiel::{
    Answer, BitBoard, Color, End, Event, Game, Metaposition, Piece, Position, Try, umpire,
};
use search::stochastic::{Stochastic, Turn};
use search::{Budget, Limits, conspiracy_number};

/// A mate that was on the board and not given. Nobody could see it for sure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missed {
    /// The plies before it.
    pub ply: usize,
    /// A move that mates.
    pub best: Try,
    /// What was played.
    pub played: Try,
    /// The position.
    pub position: Position,
}

/// What the other side could know before one of its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The plies before that move; all plies of the game for what it knew at the end.
    pub ply: usize,
    /// Squares where it was sure to find one of the seat's men.
    pub sure: BitBoard,
    /// Squares where one might be.
    pub possible: BitBoard,
}

impl Known {
    fn new(ply: usize, known: &Metaposition) -> Known {
        Known { ply, sure: known.occupied(), possible: known.may_be_occupied() }
    }
}

/// What one seat learns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Review {
    /// How it felt.
    pub feel: Feel,
    /// Mates that were missed.
    pub missed: Vec<Missed>,
    /// What the other side could know.
    pub knowledge: Vec<Known>,
}

/// Who is ahead by this much in pawns has, as a rule, won: the goal of the conspiracy numbers.
const GOAL: f64 = 5.0;
/// Plies of their tree at an own turn: the move, the reply, and the next move.
const PLIES: u32 = 3;
/// Nodes of a conspiracy number.
const NODES: u64 = 400_000;

/// Looks at a game as `seat` played it.
pub fn review(game: &Game, seat: Color) -> Review {
    let mut found = Review::default();
    let mut numbers = Vec::new();
    let mut again = Game::new(game.start().clone());
    let mut known = Metaposition::known(game.start(), !seat);
    let mut heard = 0;
    for (ply, turn) in game.turns().iter().enumerate() {
        let position = again.position().clone();
        if again.turn() == seat {
            let limits = Limits { nodes: Some(NODES), ..Limits::default() };
            if let Ok(number) = number(&position, seat, &mut Budget::new(&limits)) {
                numbers.push((ply, number));
            }
            let best = mate(&position).filter(|_| !mates(&position, turn.played));
            found.missed.extend(best.map(|best| Missed {
                ply,
                best,
                played: turn.played,
                position,
            }));
        } else {
            found.knowledge.push(Known::new(ply, &known));
        }
        // It was legal then, and is now.
        let _ = again.attempt(turn.played);
        heard += after_turn(game, !seat, heard, &mut known);
    }
    found.knowledge.push(Known::new(game.turns().len(), &known));
    if let Some(end) = game.end() {
        let won = end.winner(game.turn()) == Some(seat);
        numbers.push((game.turns().len(), won.then_some(0)));
    }
    found.feel = Feel::new(&numbers);
    found
}

/// Folds in what `side` lived through in one turn of either side, from event `from` on; how many
/// events that were.
fn after_turn(game: &Game, side: Color, from: usize, known: &mut Metaposition) -> usize {
    let mut taken = 0;
    for event in &game.events(side)[from..] {
        *known = known.after(event);
        taken += 1;
        if !matches!(event, Event::Refused(_)) {
            break;
        }
    }
    taken
}

fn mates(position: &Position, attempt: Try) -> bool {
    let answer = umpire(position, attempt);
    matches!(answer, Answer::Legal { announcement, .. } if announcement.end == Some(End::Checkmate))
}

fn mate(position: &Position) -> Option<Try> {
    position.legal_moves().into_iter().find(|&attempt| mates(position, attempt))
}

/// The true board, as `seat` would like it.
#[derive(Clone)]
struct Chess {
    position: Position,
    seat: Color,
}

impl Stochastic for Chess {
    type Move = Try;

    fn turn(&self) -> Option<Turn> {
        let turn = if self.position.turn() == self.seat { Turn::Max } else { Turn::Min };
        self.position.end().is_none().then_some(turn)
    }

    fn moves(&self, out: &mut Vec<Try>) {
        out.extend(self.position.legal_moves());
    }

    fn play(&self, attempt: Try) -> Chess {
        match umpire(&self.position, attempt) {
            Answer::Legal { after, .. } => Chess { position: after, seat: self.seat },
            Answer::Illegal => self.clone(),
        }
    }
}

/// The lead in pawns; a mate is more than any.
fn value(chess: &Chess) -> f64 {
    let Chess { position, seat } = chess;
    if position.end() == Some(End::Checkmate) {
        return if position.turn() == *seat { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    let worth = |piece| match piece {
        Piece::Pawn => 1.0,
        Piece::Knight | Piece::Bishop => 3.0,
        Piece::Rook => 5.0,
        Piece::Queen => 9.0,
        Piece::King => 0.0,
    };
    let men = |side| {
        let own = position.own(side);
        Piece::ALL
            .into_iter()
            .map(|piece| worth(piece) * f64::from(own.men(piece).len()))
            .sum::<f64>()
    };
    men(*seat) - men(!*seat)
}

fn number(
    position: &Position,
    seat: Color,
    budget: &mut Budget<'_>,
) -> Result<Option<u32>, search::Stop> {
    let root = Chess { position: position.clone(), seat };
    Ok(conspiracy_number(&root, PLIES, GOAL, &value, budget)?.finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(tries: &[&str]) -> Game {
        let mut game = Game::default();
        for text in tries {
            game.attempt(text.parse().unwrap()).unwrap();
        }
        game
    }

    /// 1. f3 e5 2. g4, and Black does not see the mate.
    #[test]
    fn a_mate_that_is_missed_and_one_that_is_not() {
        let missed = played(&["f2f3", "e7e5", "g2g4", "d8g5", "a2a3", "g5h4"]);
        let found = review(&missed, Color::Black);
        assert_eq!(found.missed.len(), 1);
        assert_eq!((found.missed[0].ply, found.missed[0].best.to_string()), (3, "d8h4".into()));
        let seen = review(&played(&["f2f3", "e7e5", "g2g4", "d8h4"]), Color::Black);
        assert!(seen.missed.is_empty());
        assert_eq!(seen.feel.turns.last().unwrap().number, Some(0));
        let lost = review(&played(&["f2f3", "e7e5", "g2g4", "d8h4"]), Color::White);
        assert_eq!(lost.feel.turns.last().unwrap().number, None);
    }

    #[test]
    fn what_is_sure_is_there_and_what_is_there_is_possible() {
        let game = played(&["e2e4", "d7d5", "e4d5", "d8d4", "d8d5", "b1c3", "d5a5", "g1f3"]);
        for seat in Color::ALL {
            for known in review(&game, seat).knowledge {
                let mut again = Game::default();
                for turn in &game.turns()[..known.ply] {
                    again.attempt(turn.played).unwrap();
                }
                let men = again.position().men(seat);
                assert!((known.sure & !men).is_empty() && (men & !known.possible).is_empty());
            }
        }
    }
}
