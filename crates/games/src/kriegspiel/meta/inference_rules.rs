//! The inference rules of a metaposition.

/// The inference rules that a metaposition applies beyond moving pseudopieces. Every rule is sound
/// by itself and can be switched off to measure its value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct InferenceRules {
    /// Counting: no pawns are left when all are captured, no other pieces when all are captured and
    /// no pawn was promoted; if as many squares are certainly occupied as there are pieces, all
    /// other squares are empty.
    pub counting: bool,
    /// Pieces that cannot move stay on their squares.
    pub blocked_pieces: bool,
    /// A lone king has to move.
    pub lone_king: bool,
    /// If only one piece can have made a capture, its origin square is empty now.
    pub capturer: bool,
    /// Nothing attacks the own king except as announced.
    pub own_king_safety: bool,
    /// The checker stands on the announced line; if only one piece can be the checker, it is.
    pub checkers: bool,
    /// The opponent's king does not stand where own pieces attack it, except as announced.
    pub opponent_king: bool,
    /// What follows from the number of pawn tries, including zero.
    pub pawn_tries: bool,
    /// What follows from illegal tries.
    pub illegal_tries: bool,
}

impl InferenceRules {
    /// All rules.
    pub const ALL: InferenceRules = InferenceRules::each(true);

    /// No rules.
    pub const NONE: InferenceRules = InferenceRules::each(false);

    const fn each(on: bool) -> InferenceRules {
        InferenceRules {
            counting: on,
            blocked_pieces: on,
            lone_king: on,
            capturer: on,
            own_king_safety: on,
            checkers: on,
            opponent_king: on,
            pawn_tries: on,
            illegal_tries: on,
        }
    }
}

impl Default for InferenceRules {
    fn default() -> InferenceRules {
        InferenceRules::ALL
    }
}
