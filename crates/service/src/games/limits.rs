//! Limits of imported records. Those of a game are its own: see
//! [`SiteGame`](super::site_game::SiteGame).

/// Bytes of an imported record. Games within their limits fit: a PGN of Kriegspiel with 1,000
/// plies and 4,000 refused tries has 69 KiB.
pub const RECORD_BYTES: usize = 96 << 10;

/// Bytes of the request that imports a record: JSON writes some of its letters as two.
pub const IMPORT_BODY: usize = 128 << 10;
