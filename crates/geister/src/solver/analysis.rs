//! What a proof is made of: the main line, the first moves, the classification.

use super::goal::SearchGoal;
use super::prover::Proved;
use super::{MAX_DEPTH, Root, SearchResult, Solver, own_moves_in};
use crate::tablebase::Class;
use games::Seat;
use games::geister::{Count, Ghost, Move, Position};
use search::{Budget, Progress, Stop, Verdict};
use std::time::Duration;

/// How many plies beyond the shortest win other first moves are looked at, unless more is asked.
const BEYOND: u32 = 2;

/// How much of the top side's colours is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Revealed {
    /// Nothing.
    None,
    /// Some ghosts, but not all.
    Partly,
    /// Everything.
    Fully,
}

impl Revealed {
    /// What this position shows.
    pub fn of(position: &Position) -> Revealed {
        Revealed::of_count(&position.count())
    }

    /// What positions of this class show.
    pub fn of_class(class: Class) -> Revealed {
        Revealed::of_count(&class.count())
    }

    fn of_count(count: &Count) -> Revealed {
        match (count.hidden, count.shown_blue + count.shown_red) {
            (0, _) => Revealed::Fully,
            (_, 0) => Revealed::None,
            _ => Revealed::Partly,
        }
    }
}

/// The special kinds of puzzles (Hsueh et al. 2025, 4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classification {
    /// Without the third victory rule, the bottom side no longer wins as soon: it uses its last
    /// red, which must not be captured, as a wall.
    pub red_wall: bool,
    /// No win as soon ends with an escape: the last ply has to be a capture.
    pub capture_win: bool,
}

/// A first move and what is proved about it. Plies count from the position itself, this move
/// included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstMove {
    /// The move.
    pub mv: Move,
    /// Its own distance; `NoWin` and `Unknown` say within which depth.
    pub verdict: Verdict,
}

/// Everything there is to say about a puzzle.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The verdict and its cost.
    pub answer: SearchResult,
    /// The time the verdict alone took.
    pub verdict_time: Duration,
    /// A main line: the bottom side takes a shortest win, the top side holds out longest, each with
    /// the first such move by square. Empty without a win; cut short if a limit was hit.
    pub line: Vec<Move>,
    /// Every legal first move, in the order of [`Position::legal_moves`].
    pub first_moves: Vec<FirstMove>,
    /// The special kinds; `None` without a win or if a limit was hit.
    pub classification: Option<Classification>,
}

impl Solver {
    /// The verdict within `budget`; then line and classification, for which its limits hold once
    /// more; then the first moves within `for_first_moves`, whose clock starts with them.
    ///
    /// First moves other than the best are looked at within the depth of `for_first_moves`, or two
    /// plies beyond the shortest win if that is farther.
    pub fn analyse(
        &mut self,
        position: &Position,
        budget: &mut Budget<'_>,
        for_first_moves: &Budget<'_>,
        progress: &mut impl Progress,
    ) -> Analysis {
        let answer = self.verdict(position, budget, progress);
        let verdict_time = budget.elapsed();
        let mut analysis = Analysis {
            answer,
            verdict_time,
            line: Vec::new(),
            first_moves: Vec::new(),
            classification: None,
        };
        match answer.verdict {
            Verdict::Win(plies) => {
                let budget = &mut budget.renewed();
                analysis.line = self.main_line(position, plies, budget);
                analysis.classification = self.classify(position, plies, budget).ok();
                let budget = &mut for_first_moves.renewed();
                let depth = (plies + BEYOND).max(budget.limits().depth).min(MAX_DEPTH);
                analysis.first_moves = self.first_moves(position, plies, depth, budget);
            }
            verdict => {
                let all = position.legal_moves().into_iter();
                analysis.first_moves = all.map(|mv| FirstMove { mv, verdict }).collect();
            }
        }
        analysis
    }

    /// Whether the bottom side wins within `plies` plies, whoever is to move.
    ///
    /// What was proved for the position of the last [`Solver::verdict`], [`Solver::analyse`] or
    /// [`Solver::start_from`] is kept and used: `position` has to follow from that one by moves, or
    /// by moves with some left out, so that the same number of hidden ghosts is blue.
    ///
    /// # Errors
    /// If a limit is hit.
    pub fn wins_within(
        &mut self,
        position: &Position,
        plies: u32,
        goal: SearchGoal,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Stop> {
        if let Some(outcome) = position.outcome() {
            return Ok(outcome.winner() == Some(Seat::First));
        }
        let own_turn = position.turn() == Seat::First;
        self.is_proved(&Root::new(position, goal, own_turn), plies, budget)
    }

    /// Whether the bottom side wins within `plies` plies, the table being warm.
    fn is_proved(
        &mut self,
        root: &Root,
        plies: u32,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Stop> {
        let moves = if root.own_turn { own_moves_in(plies) } else { (plies / 2) as u8 };
        if root.own_turn && moves == 0 {
            return Ok(false);
        }
        let proved = self.prove(root, moves, budget)?;
        Ok(matches!(proved, Proved::Win(within) if within <= moves))
    }

    /// A main line of a position that is won in `plies` plies (see [`Analysis::line`]), and that
    /// follows from the one the solver started from.
    pub fn main_line(
        &mut self,
        position: &Position,
        plies: u32,
        budget: &mut Budget<'_>,
    ) -> Vec<Move> {
        let mut line = Vec::new();
        let (mut position, mut plies) = (*position, plies);
        while plies > 0 {
            let own = plies % 2 == 1;
            let Ok(Some(mv)) = self.best_move(&position, plies, own, budget) else { break };
            line.push(mv);
            position = position.play_unchecked(mv);
            plies -= 1;
        }
        line
    }

    /// How soon the bottom side wins, whoever is to move, if it is known not to within `done` plies:
    /// looked for up to `depth` plies. Where a limit is hit, the verdict says how far it came.
    ///
    /// As for [`Solver::wins_within`], `position` has to follow from the one the solver started from.
    pub fn distance(
        &mut self,
        position: &Position,
        done: u32,
        depth: u32,
        budget: &mut Budget<'_>,
    ) -> SearchResult {
        if let Some(outcome) = position.outcome() {
            let won = outcome.winner() == Some(Seat::First);
            let verdict = if won { Verdict::Win(0) } else { Verdict::NoWin { depth } };
            return SearchResult { verdict, never: !won, nodes: 0, table_hits: 0 };
        }
        let own_turn = position.turn() == Seat::First;
        let moves_in = |plies: u32| {
            let plies = plies.min(MAX_DEPTH);
            if own_turn { own_moves_in(plies) } else { (plies / 2) as u8 }
        };
        let root = Root::new(position, SearchGoal::Win, own_turn);
        self.deepen(&root, moves_in(done) + 1, moves_in(depth), budget, &mut ())
    }

    /// The reply of the top side that holds out longest, if the bottom side wins in `plies` plies:
    /// the first such reply by square. `None` if every reply ends the game.
    ///
    /// # Errors
    /// If a limit is hit.
    pub fn longest_defence(
        &mut self,
        position: &Position,
        plies: u32,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Move>, Stop> {
        let longest = self.best_move(position, plies, false, budget)?;
        Ok(longest.or_else(|| position.legal_moves().into_iter().next()))
    }

    /// The first move that keeps the win within `plies` plies, or that delays the loss that long.
    fn best_move(
        &mut self,
        position: &Position,
        plies: u32,
        own: bool,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Move>, Stop> {
        for mv in position.legal_moves() {
            let after = position.play_unchecked(mv);
            let best = if own {
                self.keeps_win(&after, plies - 1, budget)?
            } else {
                // A move that ends the game at once does not hold out longest.
                after.outcome().is_none()
                    && !self.is_proved(
                        &Root::own(&after, SearchGoal::Win),
                        plies.saturating_sub(3),
                        budget,
                    )?
            };
            if best {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// Whether the position after an own move is won within `plies` plies.
    fn keeps_win(
        &mut self,
        after: &Position,
        plies: u32,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Stop> {
        match after.outcome() {
            Some(outcome) => Ok(outcome.winner() == Some(Seat::First)),
            None => self.is_proved(&Root::top(after, SearchGoal::Win), plies, budget),
        }
    }

    /// The special kinds of a position that is won in `plies` plies, and that follows from the one
    /// the solver started from.
    ///
    /// # Errors
    /// If a limit is hit.
    pub fn classify(
        &mut self,
        position: &Position,
        plies: u32,
        budget: &mut Budget<'_>,
    ) -> Result<Classification, Stop> {
        let red_wall =
            !self.is_proved(&Root::own(position, SearchGoal::WinWithoutRedWall), plies, budget)?;
        // Without a shown red there is no win by capture at all.
        let capture_win = position.ghosts(Ghost::ShownRed).any()
            && !self.is_proved(&Root::own(position, SearchGoal::WinByEscape), plies, budget)?;
        Ok(Classification { red_wall, capture_win })
    }

    /// Every first move of a position that is won in `shortest` plies, and that follows from the one
    /// the solver started from: all of them within `shortest` plies first, which finds the best
    /// ones, and then the others up to `depth`.
    pub fn first_moves(
        &mut self,
        position: &Position,
        shortest: u32,
        depth: u32,
        budget: &mut Budget<'_>,
    ) -> Vec<FirstMove> {
        let mut first_moves: Vec<FirstMove> = position
            .legal_moves()
            .into_iter()
            .map(|mv| FirstMove { mv, verdict: Verdict::NoWin { depth: 0 } })
            .collect();
        // Ply by ply, so that one hard move does not use up what the others need.
        let depths = (shortest..depth).step_by(2).chain([depth]);
        for depth in depths {
            for first in &mut first_moves {
                if let Verdict::NoWin { depth: done } = first.verdict {
                    let after = position.play_unchecked(first.mv);
                    first.verdict = self.judge_first_move(&after, done, depth, budget);
                }
            }
        }
        first_moves
    }

    /// The distance of a first move, counted from before it, within `depth`, if it is known not to
    /// win within `done`.
    fn judge_first_move(
        &mut self,
        after: &Position,
        done: u32,
        depth: u32,
        budget: &mut Budget<'_>,
    ) -> Verdict {
        if let Some(outcome) = after.outcome() {
            let won = outcome.winner() == Some(Seat::First);
            return if won { Verdict::Win(1) } else { Verdict::NoWin { depth } };
        }
        let root = Root::top(after, SearchGoal::Win);
        let moves_in = |plies: u32| (plies.saturating_sub(1) / 2) as u8;
        let answer = self.deepen(&root, moves_in(done) + 1, moves_in(depth), budget, &mut ());
        match answer.verdict {
            Verdict::Win(plies) => Verdict::Win(plies + 1),
            Verdict::NoWin { .. } => Verdict::NoWin { depth },
            Verdict::Unknown { depth, stop } => Verdict::Unknown { depth: depth + 1, stop },
        }
    }
}
