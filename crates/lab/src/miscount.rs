//! What the program published with P1 answers where it miscounts.
//!
//! It takes BLUE for the number of opposing blues at the start, and goes on comparing it with the
//! ghosts that may be blue after a shown blue has been captured. The bottom side is then said to
//! have captured all reds, and to have lost, although hidden reds are left. So it misses wins, and
//! finds others later; it never finds one that is not there.

use crate::{LabError, Run, trials};
use endgame::reference::{Puzzle, Techniques};
use games::geister::{Ghost, Move, Position};
use search::{AlphaBeta, AndOr, Player, Steps, deepen};

/// The memory of the search's table.
const MEMORY: usize = 4 << 20;

/// A puzzle with the rule as it is miscounted.
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

    fn foresee(&self, remaining: u32) -> Option<bool> {
        self.puzzle.foresee(remaining)
    }
}

/// The length that the miscounting finds within `depth` plies, where the true one is `m_win`.
pub(crate) fn miscounted(
    run: &Run<'_>,
    position: &Position,
    m_win: u32,
    depth: u32,
) -> Result<Option<u32>, LabError> {
    // Only the capture of a shown blue is miscounted.
    if position.ghosts(Ghost::ShownBlue).is_empty() {
        return Ok(Some(m_win));
    }
    let puzzle = Puzzle::new(*position, Techniques::ALL);
    let question = Miscounted { puzzle, blue: position.blue_count() };
    // Whatever the miscounting finds is won in truth, so nothing shorter is there to be found.
    let steps = Steps { first: m_win, step: 2 };
    let mut search = AlphaBeta::with_table(MEMORY);
    let verdict = deepen(&mut search, &question, steps, &mut trials::budget(run, depth), &mut ());
    trials::known(verdict)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    fn asked(text: &str, m_win: u32) -> Option<u32> {
        let stop = AtomicBool::new(false);
        let run = Run::small(&stop);
        miscounted(&run, &text.parse().unwrap(), m_win, 9).unwrap()
    }

    /// The example of a published length that is wrong: 9 in place of 3.
    #[test]
    fn the_published_error_comes_out() {
        assert_eq!(asked("....Bb.........uB....u.............R 2", 3), Some(9));
    }

    #[test]
    fn nothing_changes_without_a_shown_blue() {
        assert_eq!(asked("6/4u1/B5/6/6/Ru4 1", 5), Some(5));
    }
}
