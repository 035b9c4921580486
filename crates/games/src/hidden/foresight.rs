//! Metapositions that can be searched.

/// A metaposition that can be searched ahead without knowing what will be observed: the
/// referee's most likely reports are assumed. How good a metaposition is, is a player's
/// judgement and not part of this.
pub trait Foresight: Clone {
    /// An own action.
    type Action: Copy;

    /// The own actions that may be legal, in a fixed order.
    fn candidates(&self) -> Vec<Self::Action>;

    /// After an own action, as the referee most likely answers it.
    #[must_use]
    fn pseudo(&self, action: Self::Action) -> Self;

    /// After an action of the opponent that is not seen, as the referee most likely announces it.
    #[must_use]
    fn meta(&self) -> Self;
}
