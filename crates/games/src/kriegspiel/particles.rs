//! A particle filter over true games.

use super::{Announcement, Event, Game, Try};
use crate::hidden::InformationState;
use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};

/// The maximum number of particles. If all of them die out, the filter starts again with the next
/// number.
const MAX_PARTICLES: [usize; 3] = [64, 256, 1024];

/// Games that are consistent with an information state, at least one.
///
/// A move of the opponent continues every particle with each of its legal moves that has the same
/// announcement; an own try keeps those particles in which the umpire gives the same answer.
/// Whenever there are more particles than the maximum, that many of them are sampled uniformly. So
/// every consistent game can survive.
pub(super) struct Particles {
    games: Vec<Game>,
}

impl Particles {
    /// Follows the information state from the start; `None` if all particles died out with each of
    /// the [`MAX_PARTICLES`].
    pub(super) fn new<R: Rng + ?Sized>(
        information: &InformationState<Game>,
        rng: &mut R,
    ) -> Option<Particles> {
        let follow = |max_particles| {
            let mut games = vec![Game::new(information.start().clone())];
            for event in information.events() {
                games = match *event {
                    Event::Refused(attempt) => after_own_try(games, attempt, None),
                    Event::Moved { played, announcement } => {
                        after_own_try(games, played, Some(announcement))
                    }
                    Event::Opponent(announcement) => {
                        after_opponent_move(&games, announcement, max_particles, rng)
                    }
                };
                if games.is_empty() {
                    return None;
                }
            }
            Some(Particles { games })
        };
        MAX_PARTICLES.into_iter().find_map(follow)
    }

    /// Samples `count` of the games uniformly, with replacement.
    pub(super) fn sample<R: Rng + ?Sized>(&self, count: usize, rng: &mut R) -> Vec<Game> {
        (0..count).filter_map(|_| self.games.choose(rng).cloned()).collect()
    }
}

/// The games in which the own try `attempt` has this announcement, after the try; `None` is a
/// refusal.
fn after_own_try(games: Vec<Game>, attempt: Try, announcement: Option<Announcement>) -> Vec<Game> {
    let is_consistent = |game: &Game| game.announce(attempt) == announcement;
    let mut games: Vec<Game> = games.into_iter().filter(is_consistent).collect();
    games.iter_mut().for_each(|game| play(game, attempt));
    games
}

/// The games after a move of the opponent with this announcement, at most `max_particles` of them.
fn after_opponent_move<R: Rng + ?Sized>(
    games: &[Game],
    announcement: Announcement,
    max_particles: usize,
    rng: &mut R,
) -> Vec<Game> {
    let mut steps: Vec<(&Game, Try)> = Vec::new();
    for game in games {
        let moves = game.position().legal_moves().into_iter();
        let consistent = moves.filter(|&attempt| game.announce(attempt) == Some(announcement));
        steps.extend(consistent.map(|attempt| (game, attempt)));
    }
    // Only the sampled games are cloned, because a game carries its history.
    let (sampled, _) = steps.partial_shuffle(rng, max_particles);
    let after = |&mut (game, attempt): &mut (&Game, Try)| {
        let mut after = game.clone();
        play(&mut after, attempt);
        after
    };
    sampled.iter_mut().map(after).collect()
}

fn play(game: &mut Game, attempt: Try) {
    // A game that announces anything is not over, so it accepts the try.
    let _ = game.attempt(attempt);
}
