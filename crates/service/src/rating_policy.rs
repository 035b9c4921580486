//! How much an attempt moves the ratings of its player and its puzzle.
//!
//! Identities cost nothing: a visitor without a cookie is a new one. So results of new identities
//! weigh little for their own rating and nothing for the puzzle's, and a puzzle that another
//! identity at the same address has worked on moves nothing, since that identity may have passed on
//! the solution.

/// Counted attempts after which a player's rating moves by the full Glicko-2 step.
pub const FULL_WEIGHT_AFTER: i64 = 20;

/// The weight of a first attempt: enough to be seen, a few points.
const MIN_WEIGHT: f64 = 0.02;

/// Counted attempts that an identity needs before it moves the ratings of puzzles.
pub const HISTORY_ATTEMPTS: i64 = 10;

/// Different days (UTC) with counted attempts that it needs as well.
pub const HISTORY_DAYS: i64 = 2;

/// Days, today included, for which work of another identity at the same address matters.
pub const ADDRESS_DAYS: i64 = 7;

/// The history of an identity before an attempt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// Attempts that moved its rating.
    pub counted: i64,
    /// Different days on which they did; capped at [`HISTORY_DAYS`].
    pub days: i64,
}

impl History {
    /// Whether it may move the ratings of puzzles.
    pub const fn is_established(self) -> bool {
        self.counted >= HISTORY_ATTEMPTS && self.days >= HISTORY_DAYS
    }

    /// The fraction of an observation that the next attempt is. It grows with the third power: a
    /// newcomer with ten prepared solutions stays below 2000, and honest players lose little, since
    /// their rating keeps its uncertainty and moves faster later.
    fn own_weight(self) -> f64 {
        let share = (self.counted + 1) as f64 / FULL_WEIGHT_AFTER as f64;
        share.powi(3).clamp(MIN_WEIGHT, 1.0)
    }
}

/// Why an attempt is not rated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unrated {
    /// A hint was used.
    Hint,
    /// It is not the first attempt of this identity at the puzzle.
    Repeated,
    /// It belongs to a study.
    Study,
    /// Another identity at this address has worked on the puzzle within [`ADDRESS_DAYS`].
    SameAddress,
}

impl Unrated {
    /// All reasons.
    pub const ALL: [Unrated; 4] =
        [Unrated::Hint, Unrated::Repeated, Unrated::Study, Unrated::SameAddress];

    /// Its name in the database, in JSON and in metrics.
    pub const fn name(self) -> &'static str {
        match self {
            Unrated::Hint => "hint",
            Unrated::Repeated => "repeated",
            Unrated::Study => "study",
            Unrated::SameAddress => "same-address",
        }
    }

    /// The reason with this name.
    pub fn from_name(name: &str) -> Option<Unrated> {
        Unrated::ALL.into_iter().find(|reason| reason.name() == name)
    }
}

/// The weights of an attempt, as fractions of a full observation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// For the rating of the player, above 0.
    pub player: f64,
    /// For the rating of the puzzle; 0 leaves it as it is.
    pub puzzle: f64,
}

/// The weights of an attempt.
///
/// # Errors
/// Why the attempt is unrated.
pub fn weigh(history: History, against: Option<Unrated>) -> Result<Weights, Unrated> {
    match against {
        Some(reason) => Err(reason),
        None => Ok(Weights {
            player: history.own_weight(),
            puzzle: f64::from(u8::from(history.is_established())),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::glicko::{Rating, after};

    /// The rating of a newcomer after one more attempt.
    fn next(player: Rating, puzzle: Rating, solved: bool, counted: i64) -> Rating {
        let weights = weigh(History { counted, days: 1 }, None).unwrap();
        assert_eq!(weights.puzzle, 0.0);
        player.moved(after(player, puzzle, solved).0, weights.player)
    }

    #[test]
    fn ten_prepared_solutions_do_not_make_an_expert_rating() {
        // The hardest grade, and a puzzle that many players have made harder still.
        let known = Rating { rating: 2500.0, deviation: 60.0, volatility: 0.06 };
        for (puzzle, most) in [(Rating::of_difficulty(2.0), 1950.0), (known, 2000.0)] {
            let mut player = Rating::NEW_PLAYER;
            for counted in 0..10 {
                player = next(player, puzzle, true, counted);
            }
            println!("ten solutions of {:.0}: {player:?}", puzzle.rating);
            assert!(player.rating < most, "{player:?}");
        }
    }

    /// Numbers from 0 to 1 (splitmix64).
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut mixed = self.0;
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1u64 << 53) as f64
        }
    }

    /// A player of this strength after 60 puzzles, chosen as the site chooses: one deviation below
    /// the rating, within the grades there are.
    fn honest(strength: f64, seed: u64) -> Rating {
        let mut random = Random(seed);
        let mut player = Rating::NEW_PLAYER;
        for counted in 0..60 {
            let wanted = (player.rating - player.deviation - 1500.0) / 300.0;
            let spread = 0.2 * (random.next() - 0.5);
            let puzzle = Rating::of_difficulty(wanted.clamp(-2.0, 2.0) + spread);
            let chance = 1.0 / (1.0 + 10f64.powf((puzzle.rating - strength) / 400.0));
            player = next(player, puzzle, random.next() < chance, counted);
        }
        player
    }

    #[test]
    fn honest_players_arrive_within_sixty_puzzles() {
        for strength in [1000.0, 1500.0, 2000.0, 2400.0] {
            let mut errors: Vec<f64> =
                (0..401).map(|seed| honest(strength, 401 * seed + 7).rating - strength).collect();
            errors.sort_by(f64::total_cmp);
            let signed = errors[200];
            errors.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
            let (median, late) = (errors[200].abs(), errors[360].abs());
            println!("{strength}: median error {median:.0} ({signed:+.0}), 90 % within {late:.0}");
            assert!(median < 150.0, "{strength}: {median}");
        }
    }

    #[test]
    fn only_established_identities_change_puzzle_ratings() {
        for (counted, days, moves) in
            [(0, 0, false), (9, 9, false), (300, 1, false), (10, 2, true), (1000, 2, true)]
        {
            let weights = weigh(History { counted, days }, None).unwrap();
            assert_eq!(weights.puzzle > 0.0, moves, "{counted} {days}");
        }
        let full = weigh(History { counted: FULL_WEIGHT_AFTER, days: 2 }, None).unwrap();
        assert_eq!(full, Weights { player: 1.0, puzzle: 1.0 });
        for reason in Unrated::ALL {
            assert_eq!(weigh(History { counted: 99, days: 9 }, Some(reason)), Err(reason));
            assert_eq!(Unrated::from_name(reason.name()), Some(reason));
        }
    }
}
