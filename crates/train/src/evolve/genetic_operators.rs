//! Genetic operators: random styles, mutation and crossover.

use common::rng::derive_seed;
use players::style::Style;
use players::style::parameters::MAX_PARAMETER;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The probability that an offspring is a mutation of one parent; else it is a crossover of two.
pub const MUTATION_PROBABILITY: f64 = 0.6;

/// Candidate number `number` of a generation: a random style in the first generation, later an
/// offspring of the survivors.
pub fn candidate(kept: &[Style], seed: u64, generation: u32, number: u32) -> Style {
    let of_generation = derive_seed(seed, u64::from(generation));
    let mut rng = ChaCha8Rng::seed_from_u64(derive_seed(of_generation, u64::from(number)));
    if kept.is_empty() { random_style(&mut rng) } else { offspring(kept, &mut rng) }
}

fn parameter(rng: &mut impl Rng) -> f64 {
    rng.random_range(-MAX_PARAMETER..=MAX_PARAMETER)
}

/// A uniformly random style.
pub fn random_style(rng: &mut impl Rng) -> Style {
    let [adjacent, away, towards] = [(); 3].map(|()| parameter(rng));
    Style { adjacent, away, towards }
}

/// A new style from the survivors, of which there is at least one.
fn offspring(kept: &[Style], rng: &mut impl Rng) -> Style {
    let first = rng.random_range(0..kept.len());
    if kept.len() == 1 || rng.random_bool(MUTATION_PROBABILITY) {
        return mutate(kept[first], rng);
    }
    let other = (first + rng.random_range(1..kept.len())) % kept.len();
    crossover(kept[first], kept[other], rng)
}

/// Mutation: one parameter is replaced by a random one.
pub fn mutate(style: Style, rng: &mut impl Rng) -> Style {
    let mut parameters = style.to_array();
    parameters[rng.random_range(0..parameters.len())] = parameter(rng);
    let [adjacent, away, towards] = parameters;
    Style { adjacent, away, towards }
}

/// Uniform crossover: each parameter comes from one of the two parents.
pub fn crossover(one: Style, other: Style, rng: &mut impl Rng) -> Style {
    let mut pick = |a: f64, b: f64| if rng.random_bool(0.5) { a } else { b };
    Style {
        adjacent: pick(one.adjacent, other.adjacent),
        away: pick(one.away, other.away),
        towards: pick(one.towards, other.towards),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_range(style: Style) -> bool {
        Style::from_array(style.to_array()).is_some()
    }

    #[test]
    fn candidates_are_what_they_should_be() {
        let one = Style { adjacent: 0.1, away: 0.2, towards: 0.3 };
        let other = Style { adjacent: -0.1, away: -0.2, towards: -0.3 };
        let parents = [one, other];
        let (mut mutations, mut crosses) = (0, 0);
        for number in 0..2000 {
            let new = candidate(&parents, 1, 3, number);
            assert!(in_range(new));
            let taken = |parent: Style| {
                let pairs = new.to_array().into_iter().zip(parent.to_array());
                pairs.filter(|(a, b)| a == b).count()
            };
            match (taken(one), taken(other)) {
                (2, 0) | (0, 2) => mutations += 1,
                (a, b) if a + b == 3 => crosses += 1,
                (a, b) => panic!("{new:?} has {a} and {b} parameters of its parents"),
            }
        }
        assert!((1100..1300).contains(&mutations), "{mutations} and {crosses}");
    }

    #[test]
    fn the_first_generation_is_anywhere() {
        let all: Vec<Style> = (0..1000).map(|number| candidate(&[], 1, 0, number)).collect();
        assert!(all.iter().all(|style| in_range(*style)));
        for parameter in 0..3 {
            let mean = all.iter().map(|style| style.to_array()[parameter]).sum::<f64>() / 1000.0;
            assert!(mean.abs() < 0.05, "{mean}");
        }
        assert_eq!(candidate(&[], 1, 0, 7), candidate(&[], 1, 0, 7));
        assert_ne!(candidate(&[], 1, 0, 7), candidate(&[], 2, 0, 7));
        assert_ne!(candidate(&[], 1, 0, 7), candidate(&[], 1, 1, 7));
    }
}
