//! The metaposition of Geister that can be searched: own moves are known, and of the opponent's only
//! that they are made.
//!
//! The squares where the opponent's ghosts may be, and the own ghosts that may be left, always
//! include the truth, even if the opponent captures: a value of [`Value::Won`](search::maximax::Value)
//! is then a proof. What a capture reveals, and what becomes of the ghosts seen last, is an
//! expectation.
//!
//! It is not the shared state of the crate `geister`, because it is no single position: it keeps
//! sets of possible squares and expected numbers of ghosts, which no state has room for.

use games::Seat;
use games::geister::{Bitboard, Board, Game, Move, Observation, Square, Standard};
use games::hidden::{self, Foresight, InformationState};

/// A metaposition, the own home at the bottom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metaposition {
    /// Own blues.
    pub blue: Bitboard,
    /// Own reds.
    pub red: Bitboard,
    /// Where the opponent's ghosts were seen last.
    pub seen: Bitboard,
    /// Where they may be now.
    pub reach: Bitboard,
    /// The expected number of blues among them.
    pub opponent_blue: f64,
    /// The expected number of reds among them.
    pub opponent_red: f64,
    /// Own ghosts that may have been captured, or all if the game may be over.
    pub uncertain: Bitboard,
}

impl Metaposition {
    /// The metaposition of an observation.
    pub fn new(now: &Observation) -> Metaposition {
        let blue = now.opponent_blue();
        Metaposition {
            blue: now.own().blue,
            red: now.own().red,
            seen: now.opponent(),
            reach: now.opponent(),
            opponent_blue: f64::from(blue),
            opponent_red: f64::from(now.opponent().count() - blue),
            uncertain: Bitboard::EMPTY,
        }
    }

    /// All own ghosts.
    pub fn own(&self) -> Bitboard {
        self.blue | self.red
    }

    /// Squares that a ghost of the opponent may reach with its next step.
    pub fn threatened(&self) -> Bitboard {
        self.reach.neighbours::<Standard>()
    }

    /// How many ghosts the own side is ahead: blues kept, blues captured, and reds given away.
    pub fn lead(&self) -> f64 {
        let own = f64::from(self.blue.count()) - f64::from(self.red.count());
        own - (self.opponent_blue - self.opponent_red)
    }

    /// The entropy of P2 5.3: it grows with what the opponent may do and shrinks with what is seen.
    pub fn entropy(&self) -> f64 {
        f64::from(self.reach.count())
    }

    /// A capture of unknown colour takes the expected part of each.
    fn captured(&mut self, at: Bitboard) {
        let blue = self.opponent_blue / (self.opponent_blue + self.opponent_red);
        self.opponent_blue -= blue;
        self.opponent_red -= 1.0 - blue;
        self.seen = self.seen.without(at);
    }

    fn step(&self, from: Square, to: Square) -> Metaposition {
        let (from, to) = (from.bit(), to.bit());
        let moved = |army: Bitboard| if army.meets(from) { army.without(from) | to } else { army };
        let mut after = *self;
        (after.blue, after.red) = (moved(self.blue), moved(self.red));
        after.uncertain = moved(self.uncertain);
        // A ghost that captured the one that is assumed to move still stands there.
        after.reach = (self.reach | (self.uncertain & from)).without(to);
        if self.seen.meets(to) {
            after.captured(to);
        }
        after
    }
}

impl hidden::Metaposition<Game> for Metaposition {
    fn fold(information: &InformationState<Game>) -> Metaposition {
        Metaposition::new(information.now())
    }

    fn contains(&self, state: &Game, seat: Seat) -> bool {
        let now = state.observe(seat);
        now.opponent().without(self.reach | self.uncertain).is_empty()
            && self.own().without(self.uncertain | now.own().all()).is_empty()
    }
}

impl Foresight for Metaposition {
    type Action = Move;

    fn candidates(&self) -> Vec<Move> {
        let leaving = self.blue & Standard::BOTTOM_EXITS;
        let own = self.own();
        let steps = own.steps::<Standard>(!own).map(|(from, to)| Move::Step { from, to });
        leaving.map(|from| Move::Escape { from }).chain(steps).collect()
    }

    fn pseudo(&self, mv: Move) -> Metaposition {
        match mv {
            Move::Step { from, to } => self.step(from, to),
            Move::Escape { from } => Metaposition { blue: self.blue.without(from.bit()), ..*self },
        }
    }

    /// Each of the opponent's ghosts may have gone a step. An own ghost that it could have captured
    /// is uncertain, and all are if one could have left the board.
    fn meta(&self) -> Metaposition {
        // A captor stands where the captured ghost did, and continues from there.
        let from = self.reach | self.uncertain;
        let spread = from.neighbours::<Standard>();
        let may_be_over = from.meets(Standard::TOP_EXITS);
        let uncertain = if may_be_over { self.own() } else { self.own() & spread };
        Metaposition {
            reach: self.reach | spread.without(self.own()),
            uncertain: self.uncertain | uncertain,
            ..*self
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::random::any_placement;
    use games::Seat;
    use rand::SeedableRng;
    use rand::seq::IndexedRandom;
    use rand_chacha::ChaCha8Rng;

    /// Games with the bottom side to move, after random moves.
    pub(in crate::maximax) fn games() -> impl Iterator<Item = (Game, ChaCha8Rng)> {
        (0..600).map(|seed| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let start = Game::new(any_placement(&mut rng), any_placement(&mut rng), 300);
            let (mut last, mut game) = (start, start);
            for _ in 0..seed % 60 {
                if game.outcome().is_some() {
                    break;
                }
                if game.turn() == Seat::First {
                    last = game;
                }
                game = game.play(*game.legal_moves().choose(&mut rng).unwrap()).unwrap();
            }
            (last, rng)
        })
    }

    /// The truth stays among what is thought possible, whatever the opponent does.
    #[test]
    fn the_truth_is_contained_however_the_game_continues() {
        for (mut game, mut rng) in games() {
            let mut meta = Metaposition::new(&game.observe(Seat::First));
            for _ in 0..4 {
                let legal: Vec<Move> = game.observe(Seat::First).legal_moves();
                let candidates = meta.candidates();
                let known: Vec<Move> =
                    legal.into_iter().filter(|mv| candidates.contains(mv)).collect();
                let Some(&mv) = known.choose(&mut rng) else { break };
                meta = meta.pseudo(mv);
                game = game.play(mv).unwrap();
                if game.outcome().is_some() {
                    break;
                }
                game = game.play(*game.legal_moves().choose(&mut rng).unwrap()).unwrap();
                meta = meta.meta();
                let now = game.observe(Seat::First);
                if game.outcome().is_some() {
                    assert!(meta.own().without(meta.uncertain).count() <= now.own().all().count());
                    break;
                }
                assert!(hidden::Metaposition::contains(&meta, &game, Seat::First), "{meta:?}");
            }
        }
    }

    /// P2 5.3: entropy grows with the opponent's moves and never with the own ones.
    #[test]
    fn entropy_rises_with_meta_and_falls_with_pseudo() {
        for (game, _) in games() {
            let meta = Metaposition::new(&game.observe(Seat::First));
            for mv in meta.candidates() {
                let after = meta.pseudo(mv);
                assert!(after.entropy() <= meta.entropy());
                assert!(after.meta().entropy() >= after.entropy());
            }
        }
    }
}
