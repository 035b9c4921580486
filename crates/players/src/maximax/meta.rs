//! The metaposition of Geister: own moves are known, and of the opponent's only that they are made.
//!
//! The squares where the opponent's pieces may be, and the own pieces that may be left, always
//! include the truth, even if the opponent captures: then [`Value::Won`] is a proof. What a capture
//! reveals, and what becomes of the pieces seen last, is an expectation.
//!
//! It is not the shared state of the crate `geister`, because it is no single position: it keeps
//! sets of possible squares and expected numbers of pieces, which no state has room for.

use super::Taste;
use crate::rush::steps_to_exit;
use games::geister::{Bitboard, Board, Move, Observation, Square, Standard};
use search::Metaposition;
use search::maximax::Value;

/// A metaposition, the own home at the bottom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meta<'t> {
    /// Own blues.
    pub blue: Bitboard,
    /// Own reds.
    pub red: Bitboard,
    /// Where the opponent's pieces were seen last.
    pub seen: Bitboard,
    /// Where they may be now.
    pub reach: Bitboard,
    /// The expected number of blues among them.
    pub opponent_blue: f64,
    /// The expected number of reds among them.
    pub opponent_red: f64,
    /// Own pieces that may have been captured, or whose game may be over.
    pub shaky: Bitboard,
    taste: &'t Taste,
}

/// The value of a capture that may end the game.
const SURE: f64 = 300.0;

/// The value of a piece by its steps to the nearest exit.
const NEAR: [f64; 12] = [90.0, 60.0, 38.0, 24.0, 14.0, 8.0, 4.0, 2.0, 0.0, 0.0, 0.0, 0.0];

impl<'t> Meta<'t> {
    /// The metaposition of an observation.
    pub fn new(now: &Observation, taste: &'t Taste) -> Meta<'t> {
        let blue = now.others_blue();
        Meta {
            blue: now.own().blue,
            red: now.own().red,
            seen: now.others(),
            reach: now.others(),
            opponent_blue: f64::from(blue),
            opponent_red: f64::from(now.others().count() - blue),
            shaky: Bitboard::EMPTY,
            taste,
        }
    }

    fn own(&self) -> Bitboard {
        self.blue | self.red
    }

    fn opponent(&self) -> f64 {
        self.opponent_blue + self.opponent_red
    }

    /// Where a piece of the opponent may be after one step more.
    fn threatened(&self) -> Bitboard {
        self.reach.neighbours::<Standard>()
    }

    /// How many ghosts the own side is ahead: blues kept, blues caught, and reds given.
    pub fn lead(&self) -> f64 {
        let own = f64::from(self.blue.count()) - f64::from(self.red.count());
        own - (self.opponent_blue - self.opponent_red)
    }

    /// A capture of unknown colour takes the expected part of each.
    fn captured(&mut self, at: Bitboard) {
        let blue = self.opponent_blue / self.opponent();
        self.opponent_blue -= blue;
        self.opponent_red -= 1.0 - blue;
        self.seen = self.seen.without(at);
    }

    fn step(&self, from: Square, to: Square) -> Meta<'t> {
        let (from, to) = (from.bit(), to.bit());
        let moved = |army: Bitboard| if army.meets(from) { army.without(from) | to } else { army };
        let mut after = *self;
        (after.blue, after.red) = (moved(self.blue), moved(self.red));
        after.shaky = moved(self.shaky);
        // A piece that captured the one that is assumed to move stands there still.
        after.reach = (self.reach | (self.shaky & from)).without(to);
        if self.seen.meets(to) {
            after.captured(to);
        }
        after
    }

    fn material(&self) -> f64 {
        let taste = self.taste;
        100.0 * f64::from(self.blue.count()) + taste.red * f64::from(self.red.count())
            - taste.their_blue * self.opponent_blue
            + taste.their_red * self.opponent_red
    }

    /// The own way out, less theirs.
    fn ways(&self) -> f64 {
        let own = self.blue.map(|square| self.way(square)).fold(0.0, f64::max);
        let steps = |square| steps_to_exit::<Standard>(Standard::turned(square));
        let theirs = self.reach.map(|square| NEAR[steps(square) as usize]).fold(0.0, f64::max);
        own - self.taste.their_way * theirs
    }

    /// What the way of a blue to the exit is worth that is nearest to it.
    fn way(&self, from: Square) -> f64 {
        let way = |exit: Square| {
            let steps = exit.distance(from);
            // It leaves one move after it has come, and the others move in between.
            let is_free = self.reach.map(|other| exit.distance(other)).min() > Some(steps + 1);
            let part = if is_free { self.taste.free_way } else { self.taste.barred_way };
            part * NEAR[steps as usize]
        };
        Standard::BOTTOM_EXITS.map(way).fold(0.0, f64::max)
    }

    fn danger(&self) -> f64 {
        let threatened = self.threatened();
        let blues = f64::from((self.blue & threatened).count().min(2));
        let reds = f64::from((self.red & threatened).count().min(2));
        self.taste.red_danger * reds - self.taste.blue_danger * blues
    }

    /// What is not known: it grows with what they may do and shrinks with what is seen (P2 5.3).
    pub fn entropy(&self) -> f64 {
        f64::from(self.reach.count())
    }
}

impl Metaposition for Meta<'_> {
    type Move = Move;

    fn moves(&self) -> Vec<Move> {
        let leaving = self.blue & Standard::BOTTOM_EXITS;
        let own = self.own();
        let steps = own.steps::<Standard>(!own).map(|(from, to)| Move::Step { from, to });
        leaving.map(|from| Move::Escape { from }).chain(steps).collect()
    }

    fn pseudo(&self, mv: Move) -> Self {
        match mv {
            Move::Step { from, to } => self.step(from, to),
            Move::Escape { from } => Meta { blue: self.blue.without(from.bit()), ..*self },
        }
    }

    /// Each of them may have gone a step. Whoever they could have captured is not sure to be there
    /// any more, and nobody is if they could have left.
    fn meta(&self) -> Self {
        // A captor stands where its prey did, and goes on from there.
        let spread = (self.reach | self.shaky).neighbours::<Standard>();
        let may_be_over = (self.reach | self.shaky).meets(Standard::TOP_EXITS);
        let shaky = if may_be_over { self.own() } else { self.own() & spread };
        Meta { reach: self.reach | spread.without(self.own()), shaky: self.shaky | shaky, ..*self }
    }

    fn evaluate(&self, mv: Move, after: &Self) -> Value {
        if let Move::Escape { from } = mv {
            // As good as a way of no steps if it is not sure.
            let hope = self.material() + self.taste.free_way * NEAR[0];
            return if self.shaky.has(from) { Value::Score(hope) } else { Value::WON };
        }
        // The last red of the others must not be captured, the last blue wins.
        let risk =
            SURE * ((1.0 - after.opponent_red).max(0.0) - (1.0 - after.opponent_blue).max(0.0));
        let uncertainty = self.taste.uncertainty * after.entropy();
        Value::Score(after.material() + after.ways() + after.danger() - risk - uncertainty)
    }

    /// Nobody leaves in fewer moves than it has steps to go, and one more.
    fn ceiling(&self, moves: u32) -> Value {
        let steps = self.blue.map(steps_to_exit::<Standard>).min().unwrap_or(u32::MAX);
        if steps < moves { Value::WON } else { Value::Score(self.most(moves)) }
    }
}

impl Meta<'_> {
    /// More than any evaluation of the next `moves` moves can be.
    fn most(&self, moves: u32) -> f64 {
        let taste = self.taste;
        let mut near = self.own();
        for _ in 0..moves {
            near |= near.neighbours::<Standard>();
        }
        let captures = f64::from((self.seen & near).count().min(moves));
        let last = SURE * (captures - self.opponent_blue + 1.0).clamp(0.0, 1.0);
        let gain = captures * (taste.their_blue.max(0.0) + (-taste.their_red).max(0.0)) + last;
        let way = taste.free_way.max(taste.barred_way) * NEAR[0];
        let danger = 2.0 * ((-taste.blue_danger).max(0.0) + taste.red_danger.max(0.0));
        self.material() + gain + way + danger
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::any_placement;
    use games::Seat;
    use games::geister::{Game, ObservationParts};
    use rand::SeedableRng;
    use rand::seq::IndexedRandom;
    use rand_chacha::ChaCha8Rng;

    /// Games with the bottom side to move, after random moves.
    fn games() -> impl Iterator<Item = (Game, ChaCha8Rng)> {
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

    /// The truth stays among what is thought possible, whatever the others do.
    #[test]
    fn the_others_are_where_they_may_be() {
        for (mut game, mut rng) in games() {
            let taste = Taste::default();
            let mut meta = Meta::new(&game.observe(Seat::First), &taste);
            for _ in 0..4 {
                let own: Vec<Move> = game.observe(Seat::First).legal_moves();
                let known: Vec<Move> =
                    own.into_iter().filter(|mv| meta.moves().contains(mv)).collect();
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
                    assert!(meta.own().without(meta.shaky).count() <= now.own().all().count());
                    break;
                }
                assert!(
                    now.others().without(meta.reach | meta.shaky).is_empty(),
                    "{meta:?} {now:?}"
                );
                assert!(meta.own().without(meta.shaky | now.own().all()).is_empty(), "{meta:?}");
            }
        }
    }

    /// P2 5.3: what is not known grows with the others' moves and never with the own ones.
    #[test]
    fn entropy_rises_with_meta_and_falls_with_pseudo() {
        for (game, _) in games() {
            let taste = Taste::default();
            let meta = Meta::new(&game.observe(Seat::First), &taste);
            for mv in meta.moves() {
                let after = meta.pseudo(mv);
                assert!(after.entropy() <= meta.entropy());
                assert!(after.meta().entropy() >= after.entropy());
            }
        }
    }

    #[test]
    fn no_evaluation_exceeds_its_ceiling() {
        for (game, mut rng) in games() {
            let taste = Taste::default();
            let start = Meta::new(&game.observe(Seat::First), &taste);
            let mut meta = start;
            for moves in 1..5 {
                let ceiling = start.ceiling(moves);
                for mv in meta.moves() {
                    let value = meta.evaluate(mv, &meta.pseudo(mv));
                    assert!(value.compare(ceiling).is_le(), "{value:?} {ceiling:?} {meta:?}");
                }
                let all = meta.moves();
                let steps: Vec<&Move> = all.iter().filter(|mv| mv.to().is_some()).collect();
                let Some(&&mv) = steps.choose(&mut rng) else { break };
                meta = meta.pseudo(mv).meta();
            }
        }
    }

    fn set(names: &str) -> Bitboard {
        names.split_whitespace().filter_map(Square::from_name).collect()
    }

    fn seen(blue: &str, red: &str, others: &str) -> Observation {
        let count = |names: &str| set(names).count();
        let taken = 8 - count(others);
        let parts = ObservationParts {
            viewer: Seat::First,
            own: games::geister::Army { blue: set(blue), red: set(red) },
            others: set(others),
            own_captured: (4 - count(blue), 4 - count(red)),
            others_captured: (taken - taken / 2, taken / 2),
            to_move: true,
            ply: 20,
            draw_limit: 200,
        };
        Observation::from_parts(&parts).unwrap()
    }

    /// From a4 it takes three moves to leave by a6. Somebody at f3 comes too late, and somebody at
    /// c6 does not.
    #[test]
    fn a_won_race_is_known_and_hope_is_not_taken_for_it() {
        let taste = Taste::default();
        let best = |others: &str| {
            let now = seen("a4", "d1", others);
            let meta = Meta::new(&now, &taste);
            let limits = search::Limits { depth: 3, ..search::Limits::default() };
            let plan = search::Maximax::new(|_: &Meta<'_>| 0.5);
            plan.deepen(&meta, &mut search::Budget::new(&limits)).moves[0]
        };
        let far = best("f4 e4");
        assert_eq!((far.mv.to_string().as_str(), far.value), ("a4a5", Value::Won(2)));
        assert!(!best("c6 e4").value.is_decided());
    }
}
