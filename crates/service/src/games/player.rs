//! What the players behind the computer opponents share.

use geister::tablebase::Tablebase;

/// What the players of this server share.
#[derive(Clone, Default)]
pub struct PlayerResources {
    /// The tablebases of Geister's endgames.
    pub tables: Tablebase,
}
