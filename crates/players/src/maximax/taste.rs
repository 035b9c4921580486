//! The numbers of the evaluation.

/// What the evaluation likes. An own blue is worth 100.
///
/// docs/results/searchers.md has the matches behind the numbers, mostly 60 games against `careful`
/// for each that was changed alone. They settle little: the numbers are round, those named here
/// looked worse with another value, and no difference is beyond chance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taste {
    /// An own red that is still there: the others have not captured it. With 0, 20-33-7 against
    /// `careful` in place of 25-23-12.
    pub red: f64,
    /// A red of the others that is still there, beyond the last.
    pub their_red: f64,
    /// A blue of the others that is captured.
    pub their_blue: f64,
    /// The way of the own blue that is nearest to an exit, and is there before the others.
    pub free_way: f64,
    /// The same if they may be there before. With 0.4, 25-23-12 against `careful` in place of
    /// 35-22-3, but 30-17-13 against this player itself: not settled.
    pub barred_way: f64,
    /// The way of that ghost of the others that is nearest to an exit.
    pub their_way: f64,
    /// An own blue that may be captured.
    pub blue_danger: f64,
    /// An own red that may be captured.
    pub red_danger: f64,
    /// A square more where the others may be. With 3, 51-9 against `rush` in place of 55-5, and 0-60
    /// against `champion` in place of 4-56; with 0 no worse.
    pub uncertainty: f64,
    /// How much the static value weighs if nobody is ahead. With 0.8, 19-24-17 against `careful` in
    /// place of 25-23-12; with 0.4 no worse.
    pub alpha: f64,
    /// How much less it weighs for each ghost that the own side is ahead. With 0, 19-30-11 against
    /// `careful` in place of 25-23-12.
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
