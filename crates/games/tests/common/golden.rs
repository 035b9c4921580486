//! Playthroughs that are written down: random numbers that stay the same, and the comparison with a
//! file under `tests/golden`.

use std::path::Path;

/// Splitmix64 (Steele, Lea and Flood 2014).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of `choices`, if there are any.
    pub(crate) fn choose<T: Clone>(&mut self, choices: &[T]) -> Option<T> {
        let index = self.next() % (choices.len().max(1) as u64);
        choices.get(index as usize).cloned()
    }
}

/// Compares `found` with the file of this name, or writes it anew if `UPDATE_GOLDEN` is 1.
pub(crate) fn assert_golden(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        std::fs::write(&path, found).expect("the golden file can be written");
    }
    let golden = std::fs::read_to_string(&path).expect("the golden file can be read");
    let first = golden.lines().zip(found.lines()).position(|(golden, found)| golden != found);
    if let Some(line) = first {
        let at = |text: &str| text.lines().nth(line).map(str::to_owned);
        assert_eq!(at(found), at(&golden), "{name}, line {}", line + 1);
    }
    assert_eq!(found.len(), golden.len(), "{name} has another length");
}
