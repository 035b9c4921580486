//! Metapositions that can be searched.

/// A metaposition that can be searched ahead without knowing what will be observed: the
/// umpire's most likely announcements are assumed. The evaluation of a metaposition belongs to the
/// player, not to this trait.
pub trait Foresight: Clone {
    /// An own action.
    type Action: Copy;

    /// The own actions that may be legal, in a fixed order.
    fn candidates(&self) -> Vec<Self::Action>;

    /// The metaposition after an own action and the umpire's most likely answer (a pseudomove).
    #[must_use]
    fn pseudo(&self, action: Self::Action) -> Self;

    /// The metaposition after an unseen action of the opponent and its most likely announcement (a
    /// metamove).
    #[must_use]
    fn meta(&self) -> Self;
}
