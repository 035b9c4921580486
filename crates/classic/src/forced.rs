//! Two-player games as AND/OR problems for the generic search algorithms: can a side force a win?

use crate::exact::Outcome;
use games::{Keyed, Seat, TwoPlayer};
use search::{AndOr, Budget, Conclusion, Player, Solve, Stop};
use std::fmt::Debug;

/// The AND/OR problem whether `side` can force a win; a draw is not a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForcedWin<G> {
    /// The position.
    pub position: G,
    /// The side that tries to win.
    pub side: Seat,
}

impl<G: TwoPlayer> ForcedWin<G> {
    /// The problem for the player to move.
    pub fn of_mover(position: G) -> ForcedWin<G> {
        ForcedWin { side: position.seat(), position }
    }
}

impl<G> AndOr for ForcedWin<G>
where
    G: TwoPlayer<Move: Eq + Debug> + Keyed,
{
    type Move = G::Move;

    fn to_move(&self) -> Player {
        if self.position.seat() == self.side { Player::Or } else { Player::And }
    }

    fn decided(&self) -> Option<bool> {
        self.position.ending().map(|ending| ending.winner() == Some(self.side))
    }

    fn moves(&self, out: &mut Vec<G::Move>) {
        out.extend(self.position.legal_moves());
    }

    fn play(&self, mv: G::Move) -> ForcedWin<G> {
        ForcedWin { position: self.position.play_unchecked(mv), side: self.side }
    }

    fn key(&self) -> u64 {
        self.position.key()
    }
}

/// The game-theoretic value that a solver found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameValue {
    /// A proved outcome.
    Proved(Outcome),
    /// An outcome that the solver believes without proof; it can be wrong.
    Believed(Outcome),
    /// The player to move provably does not win; it may draw or lose.
    NotWon(Stop),
    /// A limit was hit.
    Unknown(Stop),
}

/// The game-theoretic value of a position, by two searches with one budget: whether the player to
/// move can force a win, and if not, whether the opponent can.
pub fn game_value<G>(
    position: &G,
    solver: &mut dyn Solve<ForcedWin<G>>,
    budget: &mut Budget<'_>,
) -> GameValue
where
    G: TwoPlayer<Move: Eq + Debug> + Keyed,
{
    let mut ask = |side| solver.solve(&ForcedWin { position: position.clone(), side }, budget);
    let is_proved = match ask(position.seat()).conclusion {
        Conclusion::Proved => return GameValue::Proved(Outcome::Win),
        Conclusion::Believed(true) => return GameValue::Believed(Outcome::Win),
        Conclusion::Unknown(stop) => return GameValue::Unknown(stop),
        Conclusion::Disproved => true,
        Conclusion::Believed(false) => false,
    };
    let value =
        |outcome| if is_proved { GameValue::Proved(outcome) } else { GameValue::Believed(outcome) };
    match ask(position.seat().opponent()).conclusion {
        Conclusion::Proved => GameValue::Proved(Outcome::Loss),
        Conclusion::Disproved => value(Outcome::Draw),
        Conclusion::Believed(true) => GameValue::Believed(Outcome::Loss),
        Conclusion::Believed(false) => GameValue::Believed(Outcome::Draw),
        Conclusion::Unknown(stop) if is_proved => GameValue::NotWon(stop),
        Conclusion::Unknown(stop) => GameValue::Unknown(stop),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect_four::Solver;
    use games::connect_four::Position;
    use search::{Algorithm, Limits, Settings};

    /// The last moves of a full game: every solver that proves agrees with the exact one.
    #[test]
    fn proofs_have_the_sign_of_the_score() {
        let settings = Settings::default();
        let limits = Limits { depth: 42, nodes: Some(20_000), ..Limits::default() };
        let mut exact = Solver::new(1 << 20);
        let mut seen = [0; 3];
        for seed in 0..600u64 {
            let Some(position) = late(seed) else { continue };
            let score = exact.solve(&position, &mut Budget::new(&Limits::default()));
            for algorithm in [Algorithm::Pns, Algorithm::Mcpns, Algorithm::Ppns, Algorithm::Uct] {
                let mut solver = algorithm.solver(&settings);
                let found = game_value(&position, &mut *solver, &mut Budget::new(&limits));
                assert_eq!(
                    Some(found),
                    score.outcome().map(GameValue::Proved),
                    "{position} {seed}"
                );
            }
            seen[score.outcome().unwrap() as usize] += 1;
        }
        assert!(seen.iter().all(|&times| times > 0), "{seen:?}");
        let mut solver = Algorithm::Pns.solver(&settings);
        let limits = Limits { nodes: Some(0), ..limits };
        let found = game_value(&Position::START, &mut *solver, &mut Budget::new(&limits));
        assert_eq!(found, GameValue::Unknown(Stop::Nodes));
    }

    /// A position with eight free cells, or limits if the game ended before.
    fn late(seed: u64) -> Option<Position> {
        let mut position = Position::START;
        let mut number = seed;
        while position.plies() < 34 {
            let moves = position.legal_moves();
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
            position =
                position.play(*moves.get((number >> 33) as usize % moves.len().max(1))?).ok()?;
        }
        (position.ending().is_none()).then_some(position)
    }
}
