//! Whole games of Geister between simple players, from the bottom side's view: enough to see how
//! the numbers develop in a game, not good play.

use games::Seat;
use games::geister::{Game, Move, Observation, Placement, Position, Square};
use geister::board::BOTTOM_EXITS;
use rand::Rng;
use rand::seq::IndexedRandom;

/// A simple player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Player {
    /// Any legal move.
    Random,
    /// Leaves, else brings a blue nearer to an exit; one move in five is random, or games would
    /// repeat themselves. It captures only what stands in the way.
    Greedy,
}

impl Player {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Player::Random => "random",
            Player::Greedy => "greedy",
        }
    }

    /// A move of the side to move, which sees only its observation and its own legal moves.
    fn choose(self, seen: &Observation, moves: &[Move], rng: &mut impl Rng) -> Option<Move> {
        if self == Player::Random || rng.random_ratio(1, 5) {
            return moves.choose(rng).copied();
        }
        let best = moves.iter().map(|&mv| merit(seen, mv)).max()?;
        let best: Vec<Move> = moves.iter().copied().filter(|&mv| merit(seen, mv) == best).collect();
        best.choose(rng).copied()
    }
}

/// The score of a move: 2 to leave, 1 to bring a blue nearer to an exit, else 0.
fn merit(seen: &Observation, mv: Move) -> u32 {
    let mv = seen.seen(mv);
    let Some(to) = mv.to() else { return 2 };
    let away = |square: Square| BOTTOM_EXITS.map(|exit| square.distance(exit)).min().unwrap_or(0);
    u32::from(seen.own().blue.has(mv.from()) && away(to) < away(mv.from()))
}

/// A game from the bottom side's view.
pub(crate) struct Seen {
    /// The purple positions of its turns.
    pub(crate) positions: Vec<Position>,
    pub(crate) plies: u32,
    pub(crate) winner: Option<Seat>,
}

/// Plays a game from random setups.
pub(crate) fn play(bottom: Player, top: Player, rng: &mut impl Rng) -> Seen {
    let setups: Vec<Placement> = Placement::all().collect();
    let mut setup = || setups[rng.random_range(0..setups.len())];
    let (first, second) = (setup(), setup());
    let mut game: Game = Game::new(first, second, <Game>::USUAL_DRAW_LIMIT);
    let mut positions = Vec::new();
    while game.outcome().is_none() {
        let seen = game.observe(game.turn());
        positions.extend(seen.purple().filter(|_| game.turn() == Seat::First));
        let player = if game.turn() == Seat::First { bottom } else { top };
        let Some(mv) = player.choose(&seen, &game.legal_moves(), rng) else { break };
        game = game.play_unchecked(mv);
    }
    let winner = game.outcome().and_then(games::geister::Outcome::winner);
    Seen { positions, plies: game.ply(), winner }
}

#[cfg(test)]
mod tests {
    use super::*;
    use common::rng::stream;

    #[test]
    fn games_end_and_the_seed_fixes_them() {
        for trial in 0..20 {
            let game = |bottom| play(bottom, Player::Random, &mut stream(3, trial));
            let (one, two) = (game(Player::Greedy), game(Player::Greedy));
            assert_eq!((one.plies, one.winner), (two.plies, two.winner));
            assert_eq!(one.positions, two.positions);
            assert_eq!(one.positions.len() as u32, one.plies.div_ceil(2));
            assert!(one.positions.iter().all(|position| position.turn() == Seat::First));
        }
    }

    #[test]
    fn greed_beats_chance() {
        let won = |trial| {
            let game = play(Player::Greedy, Player::Random, &mut stream(3, trial));
            game.winner == Some(Seat::First)
        };
        assert!((0..40).filter(|&trial| won(trial)).count() > 20);
    }
}
