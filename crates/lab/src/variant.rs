//! Puzzles under the papers' other rules, in front of the generic searches: simple and slow.

use crate::{LabError, Run};
use games::Seat;
use games::geister::{Bitboard, Move, Position, Square};
use geister::board::steps;
use geister::reference::{Puzzle, Techniques};
use geister::state::State;
use search::{AlphaBeta, AndOr, Budget, DepthSearch, Limits, Player, Stop};

/// A puzzle in which a side that can leave the board has won: P1's first technique taken as a rule.
/// A win by escape then takes one ply less, so that not revealed puzzles of `n` plies are found at
/// depth `n - 1`, and a win within `M_win - 1` plies shows that a puzzle is not a capture-win.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EscapeDecides(pub(crate) Puzzle);

impl AndOr for EscapeDecides {
    type Move = Move;

    fn to_move(&self) -> Player {
        self.0.to_move()
    }

    fn decided(&self) -> Option<bool> {
        self.0.decided().or_else(|| at_hand(&self.0.position))
    }

    fn moves(&self, out: &mut Vec<Move>) {
        self.0.moves(out);
    }

    fn play(&self, mv: Move) -> EscapeDecides {
        EscapeDecides(self.0.play(mv))
    }

    fn key(&self) -> u64 {
        self.0.key()
    }

    fn static_result(&self, remaining: u32) -> Option<bool> {
        self.0.static_result(remaining + 1)
    }
}

/// Whether a ghost of the side to move stands on its exit and may leave: who has won then.
fn at_hand(position: &Position) -> Option<bool> {
    let side = position.turn();
    let exits = <Position>::exits(side);
    position.leavers(side).meets(exits).then_some(side == Seat::First)
}

/// A puzzle without the third rule: that all own reds are captured ends nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WithoutRedWall(pub(crate) Position);

impl AndOr for WithoutRedWall {
    type Move = Move;

    fn to_move(&self) -> Player {
        if self.0.turn() == Seat::First { Player::Or } else { Player::And }
    }

    fn decided(&self) -> Option<bool> {
        if let Some(side) = self.0.escaped_side() {
            return Some(side == Seat::First);
        }
        let state = State::from(&self.0);
        if state.blue.is_empty() {
            return Some(false);
        }
        state.outcome_by_own_captures().map(|outcome| outcome.winner() == Some(Seat::First))
    }

    fn moves(&self, out: &mut Vec<Move>) {
        let side = self.0.turn();
        let army = self.0.army(side);
        out.extend(steps(army, !army).map(|(from, to)| Move::Step { from, to }));
        let leaving: Bitboard = self.0.leavers(side) & <Position>::exits(side);
        out.extend(leaving.map(|from: Square| Move::Escape { from }));
    }

    fn play(&self, mv: Move) -> WithoutRedWall {
        WithoutRedWall(self.0.play_unchecked(mv))
    }

    fn key(&self) -> u64 {
        self.0.key()
    }

    fn static_result(&self, remaining: u32) -> Option<bool> {
        Puzzle::new(self.0, Techniques::ALL).static_result(remaining)
    }
}

/// The memory of the search for a line.
const MEMORY_BYTES: usize = 64 << 20;

/// A line that wins within `plies` plies, found by plain search: the top side holds out as long as
/// it can. `None` if there is none, or if it takes more than `nodes` nodes.
pub(crate) fn winning_line<P: AndOr<Move = Move>>(
    run: &Run<'_>,
    puzzle: &P,
    plies: u32,
    nodes: u64,
) -> Result<Option<Vec<Move>>, LabError> {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut budget = Budget::new(&limits).stopped_by(run.stop);
    let mut search = AlphaBeta::with_table(MEMORY_BYTES);
    match follow(&mut search, puzzle, plies, &mut budget) {
        Ok(line) => Ok(line),
        Err(Stop::Interrupted) => Err(LabError::Stopped),
        Err(_) => Ok(None),
    }
}

fn follow<P: AndOr<Move = Move>>(
    search: &mut AlphaBeta,
    puzzle: &P,
    plies: u32,
    budget: &mut Budget<'_>,
) -> Result<Option<Vec<Move>>, Stop> {
    if !search.prove(puzzle, plies, budget)? {
        return Ok(None);
    }
    let (mut line, mut puzzle, mut plies) = (Vec::new(), puzzle.clone(), plies);
    while plies > 0 && puzzle.decided().is_none() {
        let mut moves = Vec::new();
        puzzle.moves(&mut moves);
        let mut best = moves.first().copied();
        for &mv in &moves {
            let after = puzzle.play(mv);
            // An own move has to keep the win; a move of the top side should outlast the others.
            let good = match puzzle.to_move() {
                Player::Or => search.prove(&after, plies - 1, budget)?,
                Player::And => {
                    after.decided().is_none()
                        && !search.prove(&after, plies.saturating_sub(3), budget)?
                }
            };
            if good {
                best = Some(mv);
                break;
            }
        }
        let Some(mv) = best else { break };
        line.push(mv);
        puzzle = puzzle.play(mv);
        plies -= 1;
    }
    Ok(Some(line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use geister::solver::Solver;
    use std::sync::atomic::AtomicBool;

    /// README's puzzle: the red on a1 is a wall, so that without the third rule it is not won.
    #[test]
    fn a_red_wall_falls_without_its_rule() {
        let (stop, walled) = (AtomicBool::new(false), "6/4u1/B5/6/6/Ru4 1".parse().unwrap());
        let line = |p, plies| {
            winning_line(&Run::small(&stop), &WithoutRedWall(p), plies, 100_000).unwrap()
        };
        assert_eq!(line(walled, 5), None);
        // With the hidden ghost far away, no wall is needed.
        let open = line("6/B3u1/6/6/6/R2u2 1".parse().unwrap(), 3).unwrap();
        assert_eq!(open.first().map(ToString::to_string), Some("a5a6".into()));
        assert_eq!(open.last().map(ToString::to_string), Some("a6-out".into()));
    }

    /// The slow searches say the same of random puzzles as the solver's classification.
    #[test]
    fn variants_agree_with_the_classification() {
        let stop = AtomicBool::new(false);
        let run = Run::small(&stop);
        let mut solver = Solver::new(1 << 20);
        let combinations = crate::placement::partly_revealed_combinations();
        let mut kinds = [0; 4];
        for trial in 0..6_000 {
            let position = crate::placement::with_drawn_numbers(&combinations, 11, trial);
            let analysis = crate::trials::analysis(&run, &mut solver, &position, 7).unwrap();
            let Some(kind) = analysis.classification else { continue };
            let m_win = analysis.line.len() as u32;
            if m_win < 7 {
                continue;
            }
            let wins = |line: Result<Option<Vec<Move>>, LabError>| line.unwrap().is_some();
            let escape = EscapeDecides(Puzzle::new(position, Techniques::ALL));
            assert_eq!(
                kind.red_wall,
                !wins(winning_line(&run, &WithoutRedWall(position), m_win, 10_000_000)),
                "{position}"
            );
            assert_eq!(
                kind.capture_win,
                !wins(winning_line(&run, &escape, m_win - 1, 10_000_000)),
                "{position}"
            );
            kinds[usize::from(kind.red_wall) + 2 * usize::from(kind.capture_win)] += 1;
        }
        assert!(kinds.iter().all(|&number| number > 0), "{kinds:?}");
    }
}
