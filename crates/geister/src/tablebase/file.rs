//! The file of a table: one small number for each index of a class, compressed in blocks.
//!
//! A value is 0 for *no win* and `k` for a win with the `k`-th own move, at most [`MAX_MOVES_TO_WIN`]; that
//! is a win in `2k - 1` plies. This module does not know what an index means: it stores numbers,
//! and returns either exactly those numbers or an error that names the file.
//!
//! # Layout
//!
//! All numbers are little-endian. `c` counts by value, `b` blocks.
//!
//! ```text
//! byte       size   field
//! 0          8      magic, "\x89SpukTB\n"
//! 8          4      version of this layout, 1
//! 12         4      entries in a block, a power of two; the last block may have fewer
//! 16         8      entries
//! 24         32     class, ASCII, filled up with zero bytes
//! 56         4      c, the longest win and one more
//! 60         4      b, entries / entries in a block, rounded up
//! 64         8 c    entries with the value 0, 1, ... c - 1
//! 64 +  8 c  8 c    the same with mirror images counted, as the writer gave them
//! 64 + 16 c  8 b    for each block: its compressed size (4), the CRC-32 of its compressed bytes (4)
//! ... + 8 b  4      CRC-32 of everything above
//! ... + 4    ...    the blocks, each a zstd frame, one behind the other, up to the file's end
//!
//!   +--------- checked when the file is opened ----------+--- checked when it is read ---+
//!   | fixed part | counts, twice | size and CRC | CRC-32 | block 0 | block 1 | ... | b-1 |
//!   +------------+---------------+-------|------+--------+---------+---------+-----+-----+
//!                                        '- vouches for --^---------^---------^-----^
//! ```
//!
//! The last checksum of the head covers the checksums of the blocks, and those their blocks: a file
//! with one altered, missing, added or displaced byte is refused, at the latest when the block that
//! holds it is read. The checksums find accidents, not forgers. A forged file can hold wrong values
//! but does no other harm: sizes are held against the file's length before anything is allocated.
//!
//! # Block size and level
//!
//! Measured on solved positions, 131,072 neighbours of `BRuu:1` and 65,536 of `BRbr:1` (there with
//! the wins of up to 17 plies): bytes for an entry on disk in the one and the other, MB of entries
//! that a core compresses in a second, and microseconds for decoding a block.
//!
//! | entries in a block | level | bytes for an entry | MB/s | decoding |
//! | --- | --- | --- | --- | --- |
//! | 4,096 | 7 | 0.050, 0.086 | 80 | 3 |
//! | 8,192 | 3 | 0.052, 0.096 | 400 | 5 to 7 |
//! | **8,192** | **7** | **0.040, 0.077** | **100** | **3 to 5** |
//! | 8,192 | 9 | 0.040, 0.077 | 45 | 3 to 5 |
//! | 8,192 | 19 | 0.034, 0.070 | 2 | 3 to 5 |
//! | 16,384 | 7 | 0.035, 0.070 | 95 | 6 to 9 |
//! | 32,768 | 9 | 0.033, 0.068 | 110 | 11 to 21 |
//!
//! Half a byte for an entry was allowed, so time decides: a block that is not at hand costs the
//! solver its decoding, and the builder's 15 million entries a second must not wait for compression.
//! Level 7 is the last that is cheap. A probe takes 0.02 microseconds in a block at hand, 5 to 7 in
//! another, and about 100 (nine of ten under 150) if its pages have to come from the disk.
//!
//! # Why a memory map
//!
//! A block is decoded straight out of the page cache: no copy, no system call, no file position
//! shared between threads, and one interface on all platforms. Positioned reads need no unsafe code
//! and cannot fault, but cost a call and a copy for each block, keep a descriptor open for each
//! table, and are spelt differently on every platform. The price of the map is stated at
//! `map_file`.

mod cache;
mod error;
mod layout;
mod read;
mod write;

pub use error::{FileError, Reason};
pub use layout::Header;
pub use read::TableFile;
pub use write::{Written, remove_leftovers, write, write_unless};

/// The longest win that a table can store, in own moves: twice the longest seen so far.
pub const MAX_MOVES_TO_WIN: u8 = 120;

/// The longest name of a class, in bytes.
pub const CLASS_BYTES: usize = 32;
