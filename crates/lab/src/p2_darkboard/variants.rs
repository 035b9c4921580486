//! The variants of Darkboard, their opponents and numbers of games.

use players::kriegspiel::darkboard::Weights;

/// A variant of Darkboard that differs from the baseline in one option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Variant {
    /// The option that is different.
    pub(super) name: String,
    /// The options that `darkboard:OPTIONS` takes.
    pub(super) options: String,
}

/// Variants of one depth against one opponent, the baseline first.
#[derive(Clone, Debug)]
pub(super) struct Matchup {
    pub(super) depth: u32,
    pub(super) opponent: &'static str,
    /// The divisor of the requested number of games, since deep searches are slow.
    one_in: u64,
    /// The name of the figure.
    pub(super) figure: &'static str,
    pub(super) variants: Vec<Variant>,
}

impl Matchup {
    /// The number of games of each variant.
    pub(super) fn games(&self, requested: u64) -> u64 {
        requested.div_ceil(self.one_in)
    }
}

/// The matchups up to this depth.
pub(super) fn matchups(max_depth: u32) -> Vec<Matchup> {
    let matchup = |depth, opponent, one_in, figure, variants| Matchup {
        depth,
        opponent,
        one_in,
        figure,
        variants,
    };
    let mut matchups = vec![
        matchup(1, "greedy", 1, "", evaluation_variants()),
        matchup(1, "random", 4, "random", evaluation_variants()),
        matchup(2, "greedy", 5, "alpha", alpha_variants()),
        matchup(3, "greedy", 10, "beam", beam_variants()),
    ];
    matchups.retain(|matchup| matchup.depth <= max_depth);
    matchups
}

/// Variants of the evaluation, which alone decides at depth 1.
fn evaluation_variants() -> Vec<Variant> {
    let switches = ["age", "information", "sharp"].map(|part| changed(1, &format!("{part}=off")));
    let mut variants = vec![baseline(1)];
    variants.extend(switches);
    variants.extend(halved_and_doubled(1, |name| !name.starts_with("alpha_")));
    variants
}

/// Variants of alpha, which weighs the static value against the search and so needs depth.
fn alpha_variants() -> Vec<Variant> {
    let fixed =
        ["0.2", "0.4", "0.6", "0.8", "1"].map(|alpha| changed(2, &format!("alpha={alpha}")));
    let mut variants = vec![baseline(2)];
    variants.extend(fixed);
    variants.extend(halved_and_doubled(2, |name| name.starts_with("alpha_")));
    variants
}

/// Variants of the beam width, which limits the moves between the first and the last.
fn beam_variants() -> Vec<Variant> {
    vec![baseline(3), changed(3, "beam=4"), changed(3, "beam=24")]
}

fn baseline(depth: u32) -> Variant {
    Variant { name: "as it is".into(), options: format!("depth={depth}") }
}

fn changed(depth: u32, option: &str) -> Variant {
    Variant { name: option.into(), options: format!("depth={depth},{option}") }
}

fn halved_and_doubled(depth: u32, wanted: impl Fn(&str) -> bool) -> Vec<Variant> {
    let weights = Weights::default().named().into_iter().filter(|(name, _)| wanted(name));
    let both = weights.flat_map(|(name, value)| [(name, value / 2.0), (name, value * 2.0)]);
    both.map(|(name, value)| changed(depth, &format!("{name}={value}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use players::kriegspiel::darkboard::Options;
    use std::collections::HashSet;

    #[test]
    fn every_variant_is_a_player_of_its_own_and_every_weight_is_varied() {
        for matchup in matchups(3) {
            let parsed: Vec<Options> =
                matchup.variants.iter().map(|one| one.options.parse().unwrap()).collect();
            assert!(parsed.iter().all(|options| options.depth == matchup.depth));
            for (at, options) in parsed.iter().enumerate() {
                assert!(!parsed[..at].contains(options), "{}", matchup.variants[at].options);
            }
        }
        let matchups = matchups(3);
        let names = matchups.iter().flat_map(|matchup| &matchup.variants);
        let names: HashSet<&str> = names.filter_map(|one| one.name.split('=').next()).collect();
        for (weight, _) in Weights::default().named() {
            assert!(names.contains(weight), "{weight}");
        }
    }

    #[test]
    fn every_matchup_has_at_least_one_game() {
        assert!(matchups(3).iter().all(|matchup| matchup.games(1) == 1));
        assert_eq!(matchups(1).len(), 2);
    }
}
