//! The one source of arbitrary numbers: splitmix64 (Steele, Lea and Flood 2014).

/// The next state and its number.
pub(crate) const fn splitmix64(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    (state, scrambled(state))
}

/// `number` with every bit spread over all others. Different numbers stay different.
pub(crate) const fn scrambled(number: u64) -> u64 {
    let z = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number that depends on every one of `numbers` and on their order.
pub(crate) fn mixed(numbers: impl IntoIterator<Item = u64>) -> u64 {
    numbers.into_iter().fold(0, |sum, number| splitmix64(sum ^ number).1)
}
