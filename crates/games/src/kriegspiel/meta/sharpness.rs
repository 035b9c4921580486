//! Which conclusions a metaposition draws.

/// What is concluded beyond moving pseudopieces about. Every conclusion is sound by itself, and can
/// be switched off to see what it is worth.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Sharpness {
    /// Counting: no pawns when all are captured, no pieces when all are and none was promoted; if
    /// as many squares must be occupied as there are men, the others are empty.
    pub counts: bool,
    /// A side's men that have nowhere to go stay where they are.
    pub blocked_men: bool,
    /// A king that is alone has to move.
    pub lone_king: bool,
    /// If only one man can have made a capture, its square is empty now.
    pub capturer: bool,
    /// Nothing attacks the own king except as announced.
    pub own_king: bool,
    /// The checker stands on the announced line; if only one can, it does.
    pub checkers: bool,
    /// The other king does not stand where own men attack it, except as announced.
    pub other_king: bool,
    /// What pawn tries, and the lack of them, tell.
    pub pawn_tries: bool,
    /// What illegal tries tell.
    pub refusals: bool,
}

impl Sharpness {
    /// Every conclusion.
    pub const ALL: Sharpness = Sharpness::each(true);

    /// None of them.
    pub const NONE: Sharpness = Sharpness::each(false);

    const fn each(on: bool) -> Sharpness {
        Sharpness {
            counts: on,
            blocked_men: on,
            lone_king: on,
            capturer: on,
            own_king: on,
            checkers: on,
            other_king: on,
            pawn_tries: on,
            refusals: on,
        }
    }
}

impl Default for Sharpness {
    fn default() -> Sharpness {
        Sharpness::ALL
    }
}
