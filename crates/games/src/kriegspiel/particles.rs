//! A particle filter over true games.

use super::{Announcement, Event, Game, Try};
use crate::hidden::InformationState;
use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};

/// How many games are followed at a time. If all of them die out, the filter starts again with the
/// next number.
const BOUNDS: [usize; 3] = [64, 256, 1024];

/// Games that agree with an information state, never none.
///
/// Where the opponent moved unseen, every particle is continued by each of its legal moves that
/// would have been announced as it was; where the own side tried something, those particles are
/// kept in which the umpire answers the same. Whenever there are more than the bound, that many of
/// them are drawn, each with the same probability. So every game that agrees can survive.
pub(super) struct Particles {
    games: Vec<Game>,
}

impl Particles {
    /// Follows the information state from the start; `None` if all particles died out under each of
    /// the [`BOUNDS`].
    pub(super) fn of<R: Rng + ?Sized>(
        information: &InformationState<Game>,
        rng: &mut R,
    ) -> Option<Particles> {
        let follow = |bound| {
            let mut games = vec![Game::new(information.start().clone())];
            for event in information.events() {
                games = match *event {
                    Event::Refused(attempt) => answered(games, attempt, None),
                    Event::Moved { played, announcement } => {
                        answered(games, played, Some(announcement))
                    }
                    Event::Opponent(announcement) => moved(&games, announcement, bound, rng),
                };
                if games.is_empty() {
                    return None;
                }
            }
            Some(Particles { games })
        };
        BOUNDS.into_iter().find_map(follow)
    }

    /// Draws `count` of the games, each with the same probability; one may come more than once.
    pub(super) fn draw<R: Rng + ?Sized>(&self, count: usize, rng: &mut R) -> Vec<Game> {
        (0..count).filter_map(|_| self.games.choose(rng).cloned()).collect()
    }
}

/// The games in which the umpire answers the own try `attempt` with `heard`; `None` is a refusal.
fn answered(games: Vec<Game>, attempt: Try, heard: Option<Announcement>) -> Vec<Game> {
    let agrees = |game: &Game| game.announce(attempt) == heard;
    let mut games: Vec<Game> = games.into_iter().filter(agrees).collect();
    games.iter_mut().for_each(|game| play(game, attempt));
    games
}

/// The games after a move of the opponent that was announced as `heard`, at most `bound` of them.
fn moved<R: Rng + ?Sized>(
    games: &[Game],
    heard: Announcement,
    bound: usize,
    rng: &mut R,
) -> Vec<Game> {
    let mut steps: Vec<(&Game, Try)> = Vec::new();
    for game in games {
        let moves = game.position().legal_moves().into_iter();
        let agreeing = moves.filter(|&attempt| game.announce(attempt) == Some(heard));
        steps.extend(agreeing.map(|attempt| (game, attempt)));
    }
    // Only what is drawn is copied: a game carries its history.
    let (drawn, _) = steps.partial_shuffle(rng, bound);
    let after = |&mut (game, attempt): &mut (&Game, Try)| {
        let mut after = game.clone();
        play(&mut after, attempt);
        after
    };
    drawn.iter_mut().map(after).collect()
}

fn play(game: &mut Game, attempt: Try) {
    // A game that announces anything is not over, so that it takes another try.
    let _ = game.attempt(attempt);
}
