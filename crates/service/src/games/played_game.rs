//! A game as it is stored: the set-ups and every action in its order, replayed once.

use super::game_session::GameResult;
use super::site_game::SiteGame;
use crate::error::ServiceError;
use games::Seat;
use games::hidden::{ActionError, GameOutcome, InformationState, ObservedGame, Reply};
use play::{Player, Thinking};
use std::time::Instant;

/// A program tries no more often than this in one turn; the referee has fewer answers.
const MAX_TRIES: usize = 400;

/// Stands for a set-up that is not made yet.
const NOT_YET: &str = "-";

/// An action with the seat that tried it and the reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Acted<A> {
    /// The action, in the coordinates of the first seat.
    action: A,
    seat: Seat,
    reply: Reply,
}

/// A game of the site, with everything that is hidden.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedGame<G: SiteGame> {
    setups: [Option<G::Setup>; 2],
    acted: Vec<Acted<G::Action>>,
    /// `None` until both have set up.
    begun: Option<ObservedGame<G>>,
}

/// The outcome of a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tried {
    /// It was played.
    Played,
    /// It was refused, and the record says so.
    Refused,
    /// It was refused, and the game already has the maximum of refused tries.
    TooMany,
}

impl<G: SiteGame> PlayedGame<G> {
    /// The game with these set-ups and actions; `None` if an action cannot be applied.
    pub fn new(
        setups: [Option<G::Setup>; 2],
        actions: impl IntoIterator<Item = G::Action>,
    ) -> Option<PlayedGame<G>> {
        let setups = setups.map(|setup| G::fixed_setup().or(setup));
        let mut game = PlayedGame { setups, acted: Vec::new(), begun: None };
        game.begin();
        for action in actions {
            game.apply(action)?.ok()?;
        }
        Some(game)
    }

    /// Reads a game from its stored text; `None` if it is damaged.
    pub(super) fn read(setups: &str, actions: &str) -> Option<PlayedGame<G>> {
        let mut words = setups.split_whitespace();
        let mut next = || match words.next() {
            None | Some(NOT_YET) => Some(None),
            Some(word) => G::setup_from_stored(word).map(Some),
        };
        let setups = [next()?, next()?];
        let actions: Option<Vec<G::Action>> =
            actions.split_whitespace().map(|text| text.parse().ok()).collect();
        PlayedGame::new(setups, actions?)
    }

    /// The set-ups as text; empty for a game whose players set up nothing.
    pub(super) fn setup_text(&self) -> String {
        if G::fixed_setup().is_some() {
            return String::new();
        }
        self.setups.map(|setup| setup.map_or(NOT_YET.into(), G::setup_to_stored)).join(" ")
    }

    /// The actions as text.
    pub(super) fn action_text(&self) -> String {
        self.actions().map(|action| action.to_string()).collect::<Vec<_>>().join(" ")
    }

    /// Begins the game if both have set up.
    fn begin(&mut self) {
        if let [Some(first), Some(second)] = self.setups {
            self.begun = Some(ObservedGame::begin(&G::start(), [first, second]));
        }
    }

    /// Applies an action in the coordinates of the first seat; `None` if the game has not begun.
    fn apply(&mut self, action: G::Action) -> Option<Result<Reply, ActionError>> {
        let game = self.begun.as_mut()?;
        let seat = game.state().turn();
        let reply = game.apply(action);
        if let Ok(reply) = reply {
            self.acted.push(Acted { action, seat, reply });
        }
        Some(reply)
    }

    /// The set-ups that have been made.
    pub fn setups(&self) -> [Option<G::Setup>; 2] {
        self.setups
    }

    /// Every action so far, in order and in the coordinates of the first seat.
    pub fn actions(&self) -> impl Iterator<Item = G::Action> {
        self.acted.iter().map(|acted| acted.action)
    }

    /// The true state; `None` until both have set up.
    pub fn state(&self) -> Option<&G> {
        self.begun.as_ref().map(ObservedGame::state)
    }

    /// What both seats have observed; `None` until both have set up.
    pub fn information(&self) -> Option<&[InformationState<G>; 2]> {
        self.begun.as_ref().map(ObservedGame::information)
    }

    /// The actions that were played, without the refused tries.
    fn played(&self) -> impl Iterator<Item = &Acted<G::Action>> {
        self.acted.iter().filter(|acted| acted.reply == Reply::Played)
    }

    /// The number of actions that were played.
    pub fn ply(&self) -> usize {
        self.played().count()
    }

    /// The number of refused tries of a seat.
    pub fn refused_tries(&self, seat: Seat) -> usize {
        self.acted
            .iter()
            .filter(|acted| acted.reply == Reply::Refused && acted.seat == seat)
            .count()
    }

    /// Whether the game holds more than the site keeps; only an imported one can.
    pub(super) fn exceeds_limits(&self) -> bool {
        let refused = Seat::ALL.map(|seat| self.refused_tries(seat));
        G::MAX_PLIES.is_some_and(|max| self.ply() > max)
            || refused.iter().any(|&tries| tries > G::MAX_REFUSED_TRIES)
    }

    /// The result by the rules and the limit of plies; `None` while the game is not over.
    pub(super) fn result(&self) -> Option<GameResult> {
        if let Some(outcome) = self.state()?.outcome() {
            return Some(GameResult { how: outcome.reason(), winner: outcome.winner() });
        }
        let too_long = G::MAX_PLIES.is_some_and(|max| self.ply() >= max);
        too_long.then_some(GameResult { how: "draw", winner: None })
    }

    /// Sets up a seat that has not done so; the game begins once both have. The same set-up again
    /// changes nothing.
    pub(super) fn set_up(&mut self, seat: Seat, setup: G::Setup) -> Result<(), ServiceError> {
        match self.setups[seat.index()] {
            Some(made) if made == setup && G::fixed_setup().is_none() => Ok(()),
            Some(_) => Err(ServiceError::conflict("set-up-already")),
            None => {
                self.setups[seat.index()] = Some(setup);
                self.begin();
                Ok(())
            }
        }
    }

    /// Plays an action of the seat to move, written in its own coordinates. One that was refused in
    /// this turn already is not repeated.
    pub(super) fn play_text(&mut self, text: &str) -> Result<(), ServiceError> {
        let own: G::Action = text.parse().map_err(|_| ServiceError::bad("bad-move"))?;
        let Some(game) = &self.begun else {
            return Err(ServiceError::conflict("not-begun"));
        };
        let seat = game.state().turn();
        let action = G::turned(own, seat);
        let in_this_turn = self.acted.iter().rev().take_while(|one| one.reply == Reply::Refused);
        if in_this_turn.into_iter().any(|refused| refused.action == action) {
            return Ok(());
        }
        if !game.of(seat).candidates().contains(&own) {
            return Err(G::NOT_A_CANDIDATE);
        }
        match self.try_action(action) {
            Some(Tried::Played | Tried::Refused) => Ok(()),
            Some(Tried::TooMany) => Err(ServiceError::conflict("too-many-tries")),
            None => Err(ServiceError::conflict("game-over")),
        }
    }

    /// Plays an action in the coordinates of the first seat, or records that it was refused if there
    /// is room for that; `None` if it cannot be applied.
    fn try_action(&mut self, action: G::Action) -> Option<Tried> {
        let state = self.state()?;
        if self.refused_tries(state.turn()) >= G::MAX_REFUSED_TRIES
            && G::MAX_REFUSED_TRIES > 0
            && !state.legal_actions().contains(&action)
        {
            return Some(Tried::TooMany);
        }
        Some(match self.apply(action)?.ok()? {
            Reply::Played => Tried::Played,
            Reply::Refused => Tried::Refused,
        })
    }

    /// Whether `seat` played this action, in its own coordinates, at this ply.
    pub(super) fn was_played(&self, seat: Seat, text: &str, ply: usize) -> bool {
        let played = self.played().nth(ply).filter(|played| played.seat == seat);
        let Some(played) = played else { return false };
        text.parse().is_ok_and(|own| G::turned(own, seat) == played.action)
    }

    /// Whether the last action was played by `seat`, ended nothing and revealed nothing to it: what
    /// was seen cannot be unseen.
    pub(super) fn can_undo(&self, seat: Seat) -> bool {
        let (Some(game), Some(last)) = (&self.begun, self.acted.last()) else { return false };
        let information = game.of(seat);
        last.seat == seat
            && last.reply == Reply::Played
            && game.state().outcome().is_none()
            && information
                .steps()
                .last()
                .is_some_and(|it| !G::reveals(&it.before, information.now()))
    }

    /// Takes the last action back.
    pub(super) fn undo(&mut self) {
        let actions = &self.acted[..self.acted.len().saturating_sub(1)];
        // Every action was applied before.
        if let Some(before) = PlayedGame::new(self.setups, actions.iter().map(|one| one.action)) {
            *self = before;
        }
    }

    /// Lets a player make the move of the seat to move: it tries until an action is played. All
    /// tries share the time of one move, so that it does not reveal how many were refused. `None`
    /// if its choice cannot be applied.
    pub(super) fn play_by(
        &mut self,
        player: &mut dyn Player<G>,
        thinking: &Thinking,
    ) -> Option<()> {
        let begun = Instant::now();
        for _ in 0..MAX_TRIES {
            let game = self.begun.as_ref()?;
            let seat = game.state().turn();
            let time = match G::MAX_REFUSED_TRIES {
                0 => thinking.time,
                _ => thinking.time.saturating_sub(begun.elapsed()) / 2,
            };
            let thinking = Thinking { time, ..*thinking };
            let action = player.choose(game.of(seat), &thinking);
            match self.try_action(G::turned(action, seat))? {
                Tried::Refused => {}
                Tried::Played => break,
                Tried::TooMany => {
                    self.play_first_legal();
                    break;
                }
            }
        }
        Some(())
    }

    /// Plays the first candidate of the seat to move that is legal, for a program whose choice
    /// cannot be refused any more.
    fn play_first_legal(&mut self) {
        let Some(game) = &self.begun else { return };
        let (seat, legal) = (game.state().turn(), game.state().legal_actions());
        let candidates = game.of(seat).candidates().into_iter();
        let first = candidates.map(|own| G::turned(own, seat)).find(|own| legal.contains(own));
        if let Some(action) = first {
            // The game is not over while there is a legal action.
            let _ = self.apply(action);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Plays by these choices and compares what is kept with a replay from the stored text.
    fn replays_as_kept<G: SiteGame>(choices: &[usize]) -> Result<(), TestCaseError> {
        let setups = G::setups(&G::start());
        let mut game = PlayedGame::<G>::new([None, None], []).unwrap();
        for seat in Seat::ALL.into_iter().filter(|_| G::fixed_setup().is_none()) {
            prop_assert!(game.state().is_none());
            let setup = setups[choices[seat.index()] % setups.len()];
            prop_assert!(game.set_up(seat, setup).is_ok() && game.set_up(seat, setup).is_ok());
        }
        for &choice in choices {
            let state = game.state().unwrap();
            if state.outcome().is_some() {
                break;
            }
            let turn = state.turn();
            let candidates = game.information().unwrap()[turn.index()].candidates();
            if choice.is_multiple_of(8) && game.can_undo(turn.opponent()) {
                game.undo();
            } else {
                let text = candidates[choice % candidates.len()].to_string();
                prop_assert_eq!(game.play_text(&text), Ok(()));
                let ply = game.ply();
                prop_assert!(
                    ply == 0
                        || game.acted.last().unwrap().reply == Reply::Refused
                        || game.was_played(turn, &text, ply - 1)
                );
            }
            let replayed = PlayedGame::<G>::read(&game.setup_text(), &game.action_text());
            prop_assert_eq!(replayed.as_ref(), Some(&game));
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// What is kept while playing is what a replay from the start gives.
        #[test]
        fn cached_games_equal_a_replay(choices in prop::collection::vec(0usize..64, 2..150)) {
            replays_as_kept::<games::geister::Game>(&choices)?;
            replays_as_kept::<games::kriegspiel::Game>(&choices)?;
            replays_as_kept::<games::phantom_tic_tac_toe::Game>(&choices)?;
        }
    }
}
