//! Play in a determinization: a [`State`] in which all colours are known, because they were drawn,
//! as the side to move sees it.

use games::Seat;
use games::geister::Move;
use geister::board::BOTTOM_EXITS;
use geister::state::State;

/// What a move led to.
pub(super) enum After {
    /// The game continues, seen by the opponent, which is to move; and whether a blue piece was
    /// captured.
    Continues(State, bool),
    /// The game is over: whether the mover has won.
    Ended(bool),
}

/// Plays a move of the side to move.
pub(super) fn play(state: &State, mv: Move) -> After {
    let Move::Step { from, to } = mv else { return After::Ended(true) };
    let after = state.after_own(from, to);
    match after.outcome_by_own_captures() {
        Some(outcome) => After::Ended(outcome.winner() == Some(Seat::First)),
        None => After::Continues(after.turned(), state.shown_blue.has(to)),
    }
}

/// The moves of the side to move: those that leave the board if there are any, otherwise all steps.
pub(super) fn moves(state: &State, into: &mut Vec<Move>) {
    into.clear();
    let leaving = state.blue & BOTTOM_EXITS;
    if leaving.any() {
        into.extend(leaving.map(|from| Move::Escape { from }));
    } else {
        into.extend(state.own_steps().map(|(from, to)| Move::Step { from, to }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::any_placement;
    use games::geister::{Game, Outcome};
    use geister::board::turned;
    use rand::SeedableRng;
    use rand::seq::IndexedRandom;
    use rand_chacha::ChaCha8Rng;

    fn state_of(game: &Game) -> State {
        let (mover, opponent) = (game.turn(), game.turn().opponent());
        let blue = turned(game.observe(opponent).own().blue);
        State::from(&game.observe(mover)).revealed(blue)
    }

    /// The slow twin: the game itself.
    #[test]
    fn determinizations_go_as_games_do() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut room = Vec::new();
        for _ in 0..200 {
            let mut game = Game::new(any_placement(&mut rng), any_placement(&mut rng), 300);
            while game.outcome().is_none() && game.ply() < 290 {
                let state = state_of(&game);
                moves(&state, &mut room);
                let mover = game.turn();
                let &mv = room.choose(&mut rng).unwrap();
                let before = game.observe(mover);
                game = game.play(before.played(mv)).unwrap();
                match play(&state, mv) {
                    After::Ended(won) => {
                        let winner = if won { mover } else { mover.opponent() };
                        assert_eq!(game.outcome().and_then(Outcome::winner), Some(winner));
                    }
                    After::Continues(after, blue) => {
                        assert_eq!(after, state_of(&game));
                        let seen = game.observe(mover).opponent_blue() < before.opponent_blue();
                        assert_eq!(blue, seen);
                    }
                }
            }
        }
    }
}
