//! A game in which all colours are known, because they were drawn.

use crate::learned::{View, turned};
use games::geister::{Bitboard, Board, Move, Standard};

/// Such a game, as the side to move sees it.
#[derive(Clone, Copy)]
pub(super) struct World {
    pub(super) view: View,
    /// The blue ones of the others.
    pub(super) blue: Bitboard,
}

/// What a move led to.
pub(super) enum After {
    /// The game goes on, with the other side to move; whether a blue ghost was captured.
    On(World, bool),
    /// The mover has won or not.
    Ended(bool),
}

impl World {
    /// After a move of the side to move, seen by the other side.
    pub(super) fn play(&self, mv: Move) -> After {
        let Move::Step { from, to } = mv else { return After::Ended(true) };
        let mut view = self.view.stepped(from, to);
        let captured_blue = self.blue.has(to);
        view.others_blue -= u32::from(captured_blue);
        if view.others_blue == 0 || view.others_red() == 0 {
            return After::Ended(view.others_blue == 0);
        }
        let blue = self.blue.without(to.bit());
        After::On(World { view: view.turned(blue), blue: turned(view.blue) }, captured_blue)
    }

    /// Leaving first, then steps.
    pub(super) fn moves(&self, into: &mut Vec<Move>) {
        into.clear();
        if self.view.can_leave() {
            let exits = self.view.blue & Standard::BOTTOM_EXITS;
            into.extend(exits.map(|from| Move::Escape { from }));
            return;
        }
        let own = self.view.own();
        for from in own {
            let goals = from.bit().neighbours::<Standard>().without(own);
            into.extend(goals.map(|to| Move::Step { from, to }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::any_placement;
    use games::Seat;
    use games::geister::{Game, Outcome};
    use rand::SeedableRng;
    use rand::seq::IndexedRandom;
    use rand_chacha::ChaCha8Rng;

    fn world_of(game: &Game<Standard>) -> World {
        let (mover, other) = (game.turn(), game.turn().opponent());
        let blue = turned(game.observe(other).own().blue);
        World { view: View::new(&game.observe(mover)), blue }
    }

    /// The slow twin: the game itself.
    #[test]
    fn worlds_go_as_games_do() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut moves = Vec::new();
        for _ in 0..200 {
            let mut game: Game<Standard> =
                Game::new(any_placement(&mut rng), any_placement(&mut rng), 300);
            while game.outcome().is_none() && game.ply() < 290 {
                let world = world_of(&game);
                world.moves(&mut moves);
                let mover = game.turn();
                let &mv = moves.choose(&mut rng).unwrap();
                let before = game.observe(mover);
                game = game.play(before.played(mv)).unwrap();
                match world.play(mv) {
                    After::Ended(won) => {
                        assert_eq!(winner(&game), Some(won == (mover == Seat::First)));
                    }
                    After::On(after, blue) => {
                        let twin = world_of(&game);
                        assert_eq!((after.view, after.blue), (twin.view, twin.blue));
                        let seen = game.observe(mover).others_blue() < before.others_blue();
                        assert_eq!(blue, seen);
                    }
                }
            }
        }
    }

    /// Whether the bottom side has won.
    fn winner(game: &Game<Standard>) -> Option<bool> {
        match game.outcome()? {
            Outcome::Draw => None,
            Outcome::Win { winner, .. } => Some(winner == Seat::First),
        }
    }
}
