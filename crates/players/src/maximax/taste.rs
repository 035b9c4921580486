//! The numbers of the evaluation.

/// What the evaluation likes. An own blue is worth 100.
///
/// Each number was compared with others in matches against `careful` and against the player with
/// the number it has now; docs/results/maximax.md has them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taste {
    /// An own red that is still there: it cannot be captured again, and keeps the others from losing.
    pub red: f64,
    /// A red of the others that is still there, beyond the last.
    pub their_red: f64,
    /// A blue of the others that is captured.
    pub their_blue: f64,
    /// The way of the own blue that is nearest to an exit, and is there before the others.
    pub free_way: f64,
    /// The same if they may be there before.
    pub barred_way: f64,
    /// The way of that ghost of the others that is nearest to an exit.
    pub their_way: f64,
    /// An own blue that may be captured.
    pub blue_danger: f64,
    /// An own red that may be captured.
    pub red_danger: f64,
    /// A square more where the others may be.
    pub uncertainty: f64,
    /// How much the static value weighs if nobody is ahead.
    pub alpha: f64,
    /// How much less it weighs for each ghost that the own side is ahead.
    pub boldness: f64,
    /// So many own moves are foreseen after the first, if there is time.
    pub depth: u32,
}

impl Default for Taste {
    fn default() -> Taste {
        Taste {
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
            depth: 3,
        }
    }
}
