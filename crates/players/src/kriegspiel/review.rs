//! What a review of a game of Kriegspiel looks for on the true board: mates that were missed, and
//! what the opponent could know.

use games::hidden::InformationState;
use games::kriegspiel::{
    BitBoard, Color, Game, Metaposition, Piece, Position, Ruling, Termination, Try, color, umpire,
};
use play::review::{MissedWin, Opportunity, OwnTurn, Reviewer};
use search::stochastic::{Stochastic, Turn};
use search::{Budget, Limits, conspiracy_number};

/// Where the opponent could know pieces of the seat to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownSquares {
    /// Squares where there is certainly a piece of the seat.
    pub certain: BitBoard,
    /// Squares where there may be one.
    pub possible: BitBoard,
}

/// A lead by this many pawns usually wins: the goal of the conspiracy numbers.
const GOAL: f64 = 5.0;
/// Plies of their tree at an own turn: the move, the reply, and the next move.
const CONSPIRACY_PLIES: u32 = 3;
/// Nodes of a conspiracy number.
const MAX_CONSPIRACY_NODES: u64 = 400_000;

/// Reviews a game of Kriegspiel.
#[derive(Clone, Debug)]
pub struct KriegspielReviewer {
    /// What the opponent knows, and after how many of its events.
    opponent: Metaposition,
    events: usize,
}

impl KriegspielReviewer {
    /// A reviewer of a game from `start` for the player of this colour.
    pub fn new(start: &Position, color: Color) -> KriegspielReviewer {
        KriegspielReviewer { opponent: Metaposition::from_position(start, !color), events: 0 }
    }
}

impl Reviewer<Game> for KriegspielReviewer {
    type Position = Position;
    type Knowledge = KnownSquares;

    fn conspiracy_number(&mut self, turn: &OwnTurn<'_, Game>) -> Option<Option<u32>> {
        let limits = Limits { nodes: Some(MAX_CONSPIRACY_NODES), ..Limits::default() };
        let root =
            Chess { position: turn.state.position().clone(), seat: color(turn.information.seat()) };
        let number =
            conspiracy_number(&root, CONSPIRACY_PLIES, GOAL, &value, &mut Budget::new(&limits));
        number.ok().map(search::ConspiracyNumber::finite)
    }

    /// A mate that was on the board. The seat could not know of it for certain.
    fn opportunity(&mut self, turn: &OwnTurn<'_, Game>) -> Opportunity<Try, Position> {
        let position = turn.state.position();
        if mates(position, turn.played) {
            return Opportunity::None;
        }
        mate(position).map_or(Opportunity::None, |best| {
            Opportunity::Missed(MissedWin { plies: 1, best, position: position.clone() })
        })
    }

    fn opponent_knowledge(&mut self, information: &InformationState<Game>) -> Option<KnownSquares> {
        for event in information.events().skip(self.events) {
            self.opponent = self.opponent.after(event);
        }
        self.events = information.steps().len();
        let (certain, possible) = (self.opponent.occupied(), self.opponent.may_be_occupied());
        Some(KnownSquares { certain, possible })
    }
}

fn mates(position: &Position, attempt: Try) -> bool {
    let answer = umpire(position, attempt);
    matches!(answer, Ruling::Legal { announcement, .. } if announcement.termination == Some(Termination::Checkmate))
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
        self.position.termination().is_none().then_some(turn)
    }

    fn moves(&self, out: &mut Vec<Try>) {
        out.extend(self.position.legal_moves());
    }

    fn play(&self, attempt: Try) -> Chess {
        match umpire(&self.position, attempt) {
            Ruling::Legal { after, .. } => Chess { position: after, seat: self.seat },
            Ruling::Illegal => self.clone(),
        }
    }
}

/// The lead in pawns; a mate is more than any.
fn value(chess: &Chess) -> f64 {
    let Chess { position, seat } = chess;
    if position.termination() == Some(Termination::Checkmate) {
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
            .map(|piece| worth(piece) * f64::from(own.pieces(piece).len()))
            .sum::<f64>()
    };
    men(*seat) - men(!*seat)
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Seat;
    use games::hidden::NoSetup;
    use play::review::{Review, review};

    fn reviewed(tries: &[&str], seat: Seat) -> Review<Try, Position, KnownSquares> {
        let actions: Vec<Try> = tries.iter().map(|text| text.parse().unwrap()).collect();
        let start = Position::start();
        let mut reviewer = KriegspielReviewer::new(&start, color(seat));
        review::<Game, _>(&start, [NoSetup; 2], &actions, seat, &mut reviewer)
    }

    /// 1. f3 e5 2. g4, and Black does not see the mate.
    #[test]
    fn a_missed_mate_is_reported_and_a_mate_is_not() {
        let missed =
            reviewed(&["f2f3", "e7e5", "g2g4", "d8g5", "a2a3", "g5h4"], Seat::Second).missed;
        assert_eq!(missed.len(), 1);
        assert_eq!((missed[0].ply, missed[0].win.best.to_string()), (3, "d8h4".into()));
        let mate = ["f2f3", "e7e5", "g2g4", "d8h4"];
        let won = reviewed(&mate, Seat::Second);
        assert!(won.missed.is_empty());
        assert_eq!(won.feel.turns.last().unwrap().number, Some(0));
        let lost = reviewed(&mate, Seat::First);
        assert_eq!(lost.feel.turns.last().unwrap().number, None);
    }

    #[test]
    fn certain_squares_are_occupied_and_occupied_squares_are_possible() {
        let tries = ["e2e4", "d7d5", "e4d5", "d8d4", "d8d5", "b1c3", "d5a5", "g1f3"];
        let mut game = Game::default();
        for text in tries {
            game.attempt(text.parse().unwrap()).unwrap();
        }
        for seat in Seat::ALL {
            let known = reviewed(&tries, seat).known;
            assert!(known.len() > 3);
            for known in known {
                let mut again = Game::default();
                for turn in &game.turns()[..known.ply] {
                    again.attempt(turn.played).unwrap();
                }
                let pieces = again.position().pieces(color(seat));
                let KnownSquares { certain, possible } = known.knowledge;
                assert!((certain & !pieces).is_empty() && (pieces & !possible).is_empty());
            }
        }
    }
}
