//! The evaluation of metapositions of Geister.

use super::Metaposition;
use crate::rush::steps_to_exit;
use games::geister::{Bitboard, Board, Move, Square, Standard};
use play::maximax::Evaluation;
use search::maximax::Value;

/// What the evaluation likes. An own blue is worth 100.
///
/// docs/results/searchers.md has the matches behind the numbers, mostly 60 games against `careful`
/// for each that was changed alone. They settle little: the numbers are round, those named here
/// looked worse with another value, and no difference is beyond chance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvaluationWeights {
    /// An own red that is still there: the others have not captured it. With 0, 20-33-7 against
    /// `careful` instead of 25-23-12.
    pub red: f64,
    /// A red of the others that is still there, beyond the last.
    pub their_red: f64,
    /// A blue of the others that is captured.
    pub their_blue: f64,
    /// The way of the own blue that is nearest to an exit, and is there before the others.
    pub free_way: f64,
    /// The same if they may be there before. With 0.4, 25-23-12 against `careful` instead of
    /// 35-22-3, but 30-17-13 against this player itself: not settled.
    pub barred_way: f64,
    /// The way of that ghost of the others that is nearest to an exit.
    pub their_way: f64,
    /// An own blue that may be captured.
    pub blue_danger: f64,
    /// An own red that may be captured.
    pub red_danger: f64,
    /// A square more where the others may be. With 3, 51-9 against `rush` instead of 55-5, and 0-60
    /// against `champion` instead of 4-56; with 0 no worse.
    pub uncertainty: f64,
    /// How much the static value weighs if nobody is ahead. With 0.8, 19-24-17 against `careful` in
    /// place of 25-23-12; with 0.4 no worse.
    pub alpha: f64,
    /// How much less it weighs for each ghost that the own side is ahead. With 0, 19-30-11 against
    /// `careful` instead of 25-23-12.
    pub boldness: f64,
}

impl Default for EvaluationWeights {
    fn default() -> EvaluationWeights {
        EvaluationWeights {
            red: -25.0,
            their_red: 30.0,
            their_blue: 60.0,
            free_way: 1.0,
            barred_way: 0.7,
            their_way: 1.0,
            blue_danger: 50.0,
            red_danger: 10.0,
            uncertainty: 1.0,
            alpha: 0.6,
            boldness: 0.05,
        }
    }
}

/// The value of a capture that may end the game.
const LAST_GHOST: f64 = 300.0;

/// The value of a ghost by its steps to the nearest exit.
const NEAR: [f64; 12] = [90.0, 60.0, 38.0, 24.0, 14.0, 8.0, 4.0, 2.0, 0.0, 0.0, 0.0, 0.0];

impl Evaluation<Metaposition> for EvaluationWeights {
    fn value(&self, before: &Metaposition, mv: Move, after: &Metaposition) -> Value {
        if let Move::Escape { from } = mv {
            // As good as a way of no steps if it is not certain.
            let hope = self.material(before) + self.free_way * NEAR[0];
            return if before.uncertain.has(from) { Value::Score(hope) } else { Value::WON };
        }
        // The opponent's last red must not be captured; its last blue wins.
        let risk = LAST_GHOST
            * ((1.0 - after.opponent_red).max(0.0) - (1.0 - after.opponent_blue).max(0.0));
        let uncertainty = self.uncertainty * after.entropy();
        Value::Score(
            self.material(after) + self.ways(after) + self.danger(after) - risk - uncertainty,
        )
    }

    fn alpha(&self, at: &Metaposition) -> f64 {
        self.alpha - self.boldness * at.lead()
    }

    /// No ghost leaves in fewer moves than it has steps to go, and one more.
    fn ceiling(&self, at: &Metaposition, moves: u32) -> Value {
        let steps = at.blue.map(steps_to_exit::<Standard>).min().unwrap_or(u32::MAX);
        if steps < moves { Value::WON } else { Value::Score(self.max_score(at, moves)) }
    }
}

impl EvaluationWeights {
    fn material(&self, at: &Metaposition) -> f64 {
        100.0 * f64::from(at.blue.count()) + self.red * f64::from(at.red.count())
            - self.their_blue * at.opponent_blue
            + self.their_red * at.opponent_red
    }

    /// The way of the best placed own blue to an exit, less the opponent's.
    fn ways(&self, at: &Metaposition) -> f64 {
        let own = at.blue.map(|square| self.way(at, square)).fold(0.0, f64::max);
        let steps = |square| steps_to_exit::<Standard>(Standard::turned(square));
        let theirs = at.reach.map(|square| NEAR[steps(square) as usize]).fold(0.0, f64::max);
        own - self.their_way * theirs
    }

    /// The value of the way of a blue to its best exit.
    fn way(&self, at: &Metaposition, from: Square) -> f64 {
        let way = |exit: Square| {
            let steps = exit.distance(from);
            // It leaves one move after its arrival, and the opponent moves in between.
            let is_free = at.reach.map(|other| exit.distance(other)).min() > Some(steps + 1);
            let part = if is_free { self.free_way } else { self.barred_way };
            part * NEAR[steps as usize]
        };
        Standard::BOTTOM_EXITS.map(way).fold(0.0, f64::max)
    }

    fn danger(&self, at: &Metaposition) -> f64 {
        let threatened = at.threatened();
        let count = |army: Bitboard| f64::from((army & threatened).count().min(2));
        self.red_danger * count(at.red) - self.blue_danger * count(at.blue)
    }

    /// More than any evaluation of the next `moves` moves can be.
    fn max_score(&self, at: &Metaposition, moves: u32) -> f64 {
        let mut near = at.own();
        for _ in 0..moves {
            near |= near.neighbours::<Standard>();
        }
        let captures = f64::from((at.seen & near).count().min(moves));
        let last = LAST_GHOST * (captures - at.opponent_blue + 1.0).clamp(0.0, 1.0);
        let gain = captures * (self.their_blue.max(0.0) + (-self.their_red).max(0.0)) + last;
        let way = self.free_way.max(self.barred_way) * NEAR[0];
        let danger = 2.0 * ((-self.blue_danger).max(0.0) + self.red_danger.max(0.0));
        self.material(at) + gain + way + danger
    }
}

#[cfg(test)]
mod tests {
    use super::super::metaposition::tests::games;
    use super::*;
    use games::Seat;
    use games::geister::{Army, Observation, ObservationParts};
    use games::hidden::Foresight;
    use rand::seq::IndexedRandom;
    use std::time::Duration;

    #[test]
    fn no_evaluation_exceeds_its_ceiling() {
        let weights = EvaluationWeights::default();
        for (game, mut rng) in games() {
            let start = Metaposition::new(&game.observe(Seat::First));
            let mut meta = start;
            for moves in 1..5 {
                let ceiling = weights.ceiling(&start, moves);
                for mv in meta.candidates() {
                    let value = weights.value(&meta, mv, &meta.pseudo(mv));
                    assert!(value.compare(ceiling).is_le(), "{value:?} {ceiling:?} {meta:?}");
                }
                let all = meta.candidates();
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
            own: Army { blue: set(blue), red: set(red) },
            opponent: set(others),
            own_captured: (4 - count(blue), 4 - count(red)),
            opponent_captured: (taken - taken / 2, taken / 2),
            to_move: true,
            ply: 20,
            draw_limit: 200,
        };
        Observation::from_parts(&parts).unwrap()
    }

    /// From a4 it takes three moves to leave by a6. A ghost on f4 comes too late, and one on c6 does
    /// not.
    #[test]
    fn a_won_race_is_known_and_hope_is_not_mistaken_for_it() {
        let weights = EvaluationWeights { alpha: 0.5, boldness: 0.0, ..Default::default() };
        let search = play::Maximax::<Metaposition, _>::new(weights, 3);
        let best = |others: &str| {
            let meta = Metaposition::new(&seen("a4", "d1", others));
            search.rank(meta, meta.candidates(), Duration::from_secs(60))[0]
        };
        let far = best("f4 e4");
        assert_eq!((far.mv.to_string().as_str(), far.value), ("a4a5", Value::Won(2)));
        assert!(!best("c6 e4").value.is_decided());
    }
}
