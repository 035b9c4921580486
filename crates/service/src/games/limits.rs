//! Limits of one game. They bound what is stored of it: 5,000 tries of at most
//! five letters are less than 30 KiB, and a game of Geister less than 2 KiB.

/// Plies after which a game of Kriegspiel on the site is drawn. No game in practice is as long; the
/// rules themselves allow 5,898 moves of each side.
pub const KRIEGSPIEL_PLIES: usize = 1_000;

/// Refused tries of each side that a game of Kriegspiel keeps. Counted for each side by itself: a common
/// limit would reveal how often the opponent was refused.
pub const REFUSED_TRIES: usize = 2_000;

/// Bytes of an imported record. Games within the limits above fit: a PGN of 1,000 plies and 4,000 refused
/// tries has 69 KiB.
pub const RECORD_BYTES: usize = 96 << 10;

/// Bytes of the request that imports a record: JSON writes some of its letters as two.
pub const IMPORT_BODY: usize = 128 << 10;
