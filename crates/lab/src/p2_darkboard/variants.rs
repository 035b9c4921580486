//! The variants of Darkboard, their opponents and numbers of games.

use players::kriegspiel::darkboard::Weights;

/// A player that differs from the base in one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Variant {
    /// What is different.
    pub(super) name: String,
    /// The options that `darkboard:OPTIONS` takes.
    pub(super) options: String,
}

/// Variants of one depth against one opponent, the base first.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) depth: u32,
    pub(super) against: &'static str,
    /// One in this many of the requested games is played, since deep searches are slow.
    one_in: u64,
    /// What its figure is called.
    pub(super) figure: &'static str,
    pub(super) variants: Vec<Variant>,
}

impl Field {
    /// How many games each variant plays.
    pub(super) fn games(&self, asked: u64) -> u64 {
        asked.div_ceil(self.one_in)
    }
}

/// The fields no deeper than `most`.
pub(super) fn fields(most: u32) -> Vec<Field> {
    let field = |depth, against, one_in, figure, variants| Field {
        depth,
        against,
        one_in,
        figure,
        variants,
    };
    let mut fields = vec![
        field(1, "greedy", 1, "", of_evaluation()),
        field(1, "random", 4, "random", of_evaluation()),
        field(2, "greedy", 5, "alpha", of_alpha()),
        field(3, "greedy", 10, "beam", of_beam()),
    ];
    fields.retain(|field| field.depth <= most);
    fields
}

/// Depth 1 sees nothing but the evaluation.
fn of_evaluation() -> Vec<Variant> {
    let switches = ["age", "information", "sharp"].map(|part| changed(1, &format!("{part}=off")));
    let mut variants = vec![base(1)];
    variants.extend(switches);
    variants.extend(halved_and_doubled(1, |name| !name.starts_with("alpha_")));
    variants
}

/// Alpha weighs the search against the static value, so it needs depth.
fn of_alpha() -> Vec<Variant> {
    let fixed =
        ["0.2", "0.4", "0.6", "0.8", "1"].map(|alpha| changed(2, &format!("alpha={alpha}")));
    let mut variants = vec![base(2)];
    variants.extend(fixed);
    variants.extend(halved_and_doubled(2, |name| name.starts_with("alpha_")));
    variants
}

/// A beam narrows the moves between the first and the last.
fn of_beam() -> Vec<Variant> {
    vec![base(3), changed(3, "beam=4"), changed(3, "beam=24")]
}

fn base(depth: u32) -> Variant {
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
        for field in fields(3) {
            let parsed: Vec<Options> =
                field.variants.iter().map(|one| one.options.parse().unwrap()).collect();
            assert!(parsed.iter().all(|options| options.depth == field.depth));
            for (at, options) in parsed.iter().enumerate() {
                assert!(!parsed[..at].contains(options), "{}", field.variants[at].options);
            }
        }
        let fields = fields(3);
        let names = fields.iter().flat_map(|field| &field.variants);
        let names: HashSet<&str> = names.filter_map(|one| one.name.split('=').next()).collect();
        for (weight, _) in Weights::default().named() {
            assert!(names.contains(weight), "{weight}");
        }
    }

    #[test]
    fn few_games_are_still_some() {
        assert!(fields(3).iter().all(|field| field.games(1) == 1));
        assert_eq!(fields(1).len(), 2);
    }
}
