//! The results of the program published with P1, which miscounts.
//!
//! It takes BLUE for the number of opposing blues at the start, and keeps comparing it with the
//! ghosts that may be blue after a shown blue has been captured. The bottom side is then said to
//! have captured all reds, and to have lost, although hidden reds are left. So it misses wins, and
//! finds others later; it never finds one that is not there.
//!
//! That is the same as not showing the blues at all: a hidden ghost may leave, and is captured
//! without lowering the number of blues among the rest. So the solver can be asked.

use crate::trials::m_win;
use crate::{LabError, Run};
use games::geister::{Bitboard, Ghost, Position};
use geister::solver::Solver;

/// The position with every shown blue hidden.
fn with_blues_hidden(position: &Position) -> Position {
    let blues = position.ghosts(Ghost::ShownBlue);
    let ghosts = Ghost::ALL.map(|ghost| match ghost {
        Ghost::ShownBlue => Bitboard::EMPTY,
        Ghost::Hidden => position.ghosts(ghost) | blues,
        _ => position.ghosts(ghost),
    });
    Position::from_ghosts(ghosts, position.blue_count())
}

/// The length that the miscounting finds within `depth` plies, where the true one is `true_length`.
pub(crate) fn miscounted(
    run: &Run<'_>,
    solver: &mut Solver,
    position: &Position,
    true_length: u32,
    depth: u32,
) -> Result<Option<u32>, LabError> {
    if position.ghosts(Ghost::ShownBlue).is_empty() {
        return Ok(Some(true_length));
    }
    m_win(run, solver, &with_blues_hidden(position), depth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::placement::{partly_revealed_combinations, with_drawn_numbers};
    use crate::trials::win_length;
    use games::geister::Move;
    use geister::reference::{Puzzle, Techniques};
    use search::{AlphaBeta, AndOr, Budget, Limits, Player, Steps, deepen};
    use std::sync::atomic::AtomicBool;

    /// The slow twin: a puzzle with the rule as it is miscounted.
    #[derive(Clone, Copy, Debug)]
    struct Miscounted {
        puzzle: Puzzle,
        /// BLUE at the start.
        blue: u32,
    }

    impl Miscounted {
        fn says_all_reds_are_captured(&self) -> bool {
            let position = &self.puzzle.position;
            let may_be_blue = position.ghosts(Ghost::ShownBlue) | position.ghosts(Ghost::Hidden);
            position.ghosts(Ghost::ShownRed).is_empty() && may_be_blue.count() <= self.blue
        }
    }

    impl AndOr for Miscounted {
        type Move = Move;

        fn to_move(&self) -> Player {
            self.puzzle.to_move()
        }

        fn decided(&self) -> Option<bool> {
            let has_left = self.puzzle.position.escaped_side().is_some();
            if !has_left && self.says_all_reds_are_captured() {
                return Some(false);
            }
            self.puzzle.decided()
        }

        fn moves(&self, out: &mut Vec<Move>) {
            self.puzzle.moves(out);
        }

        fn play(&self, mv: Move) -> Miscounted {
            Miscounted { puzzle: self.puzzle.play(mv), ..*self }
        }

        fn key(&self) -> u64 {
            self.puzzle.key()
        }

        fn static_result(&self, remaining: u32) -> Option<bool> {
            self.puzzle.static_result(remaining)
        }
    }

    fn by_the_twin(position: &Position, depth: u32) -> Option<u32> {
        let puzzle = Puzzle::new(*position, Techniques::ALL);
        let question = Miscounted { puzzle, blue: position.blue_count() };
        let mut budget = Budget::new(&Limits { depth, ..Limits::default() });
        let mut search = AlphaBeta::with_table(4 << 20);
        win_length(deepen(&mut search, &question, Steps::default(), &mut budget, &mut ())).unwrap()
    }

    /// An example of a wrong published length: 9 instead of 3.
    #[test]
    fn the_published_error_comes_out() {
        let stop = AtomicBool::new(false);
        let position = "....Bb.........uB....u.............R 2".parse().unwrap();
        let mut solver = Solver::new(1 << 20);
        let length = miscounted(&Run::small(&stop), &mut solver, &position, 3, 9);
        assert_eq!(length, Ok(Some(9)));
        assert_eq!(by_the_twin(&position, 9), Some(9));
    }

    #[test]
    fn hiding_the_blues_is_miscounting_them() {
        let stop = AtomicBool::new(false);
        let run = Run::small(&stop);
        let mut solver = Solver::new(1 << 20);
        let combinations = partly_revealed_combinations();
        let mut differ = 0;
        for trial in 0..4_000 {
            let position = with_drawn_numbers(&combinations, 5, trial);
            let Some(right) = m_win(&run, &mut solver, &position, 7).unwrap() else { continue };
            let found = miscounted(&run, &mut solver, &position, right, 7).unwrap();
            assert_eq!(found, by_the_twin(&position, 7), "{position}");
            assert!(found.is_none_or(|found| found >= right), "{position}");
            differ += u32::from(found != Some(right));
        }
        assert!(differ > 10, "{differ}");
    }
}
