//! Damaging inputs, the same way for the same random numbers.

use std::ops::Range;

/// No input grows longer.
const MAX_INPUT_BYTES: usize = 1 << 16;

/// Random numbers from a seed: SplitMix64.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64, case: u64) -> Random {
        let mut random = Random(seed ^ case.wrapping_mul(0xd134_2543_de82_ef95));
        random.next();
        random
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, or 0 if there is none.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    pub(crate) fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> Option<&'a T> {
        from.get(self.below(from.len())).copied()
    }

    /// A part of something of this length, mostly a short one.
    fn range(&mut self, length: usize) -> Range<usize> {
        let start = self.below(length + 1);
        let most = (length - start).min(1 << self.below(12));
        start..start + self.below(most + 1)
    }
}

/// Numbers at the edges of types and of what lists can hold.
const EXTREMES: [u64; 14] = [
    0,
    1,
    2,
    0x7f,
    0xff,
    0x7fff,
    0xffff,
    0x7fff_ffff,
    0xffff_ffff,
    0x1_0000_0000,
    0x7fff_ffff_ffff_ffff,
    u64::MAX,
    1 << 20,
    1 << 40,
];

/// Numbers as text that readers of numbers take for others, or not at all.
const NUMBERS: [&str; 16] = [
    "-1",
    "-0",
    "+1",
    "00",
    "0.1",
    "1e308",
    "-1e308",
    "1e-400",
    "1e999",
    "NaN",
    "inf",
    "0x10",
    "٣",
    "4294967296",
    "18446744073709551616",
    "",
];

/// Bytes that text cannot have, ends too early, or seldom has.
const BREAKERS: [&[u8]; 15] = [
    b"\xff",
    b"\xc3",
    b"\xe2\x82",
    b"\xed\xa0\x80",
    b"\0",
    b"\n",
    b"\r\n",
    b"\"",
    b"\\",
    b"\t",
    b"\xef\xbb\xbf",
    "\u{2028}".as_bytes(),
    "\u{e9}".as_bytes(),
    "\u{1f47b}".as_bytes(),
    "\u{10ffff}".as_bytes(),
];

/// Changes `input` a few times. `others` are further inputs of the same kind, `words` texts that
/// matter in it.
pub(crate) fn mutate(input: &mut Vec<u8>, others: &[&[u8]], words: &[&str], random: &mut Random) {
    for _ in 0..1 << random.below(3) {
        once(input, others, words, random);
        input.truncate(MAX_INPUT_BYTES);
    }
}

fn once(input: &mut Vec<u8>, others: &[&[u8]], words: &[&str], random: &mut Random) {
    let length = input.len();
    match random.below(14) {
        0 => {
            if let Some(byte) = input.get_mut(random.below(length)) {
                *byte ^= 1 << random.below(8);
            }
        }
        1 => {
            let byte = random.next() as u8;
            replace(input, one_byte(length, random), &[byte]);
        }
        2 => {
            let range = random.range(length);
            replace(input, range, &[]);
        }
        3 => input.truncate(random.below(length + 1)),
        4 => {
            let other = random.pick(others).unwrap_or_default();
            splice(input, other, random);
        }
        5 | 6 => {
            let word = random.pick(words).unwrap_or_default();
            let at = random.below(length + 1);
            let range = if random.below(2) == 0 { at..at } else { random.range(length) };
            replace(input, range, word.as_bytes());
        }
        7 => {
            let part = input[random.range(length)].to_vec();
            let times = 1 << random.below(10);
            let at = random.below(length + 1);
            replace(input, at..at, &part.repeat(times.min(MAX_INPUT_BYTES / part.len().max(1))));
        }
        8 => {
            let part = input[random.range(length)].to_vec();
            let to = random.range(length);
            replace(input, to, &part);
        }
        9 => set_length_field(input, random),
        10 | 11 => replace_number(input, random),
        12 => {
            let at = random.below(length + 1);
            let breaker: &[u8] = random.pick(&BREAKERS).unwrap_or_default();
            let times = if random.below(4) == 0 { 100 } else { 1 };
            replace(input, at..at, &breaker.repeat(times));
        }
        _ => move_line(input, random),
    }
}

fn replace(input: &mut Vec<u8>, range: Range<usize>, with: &[u8]) {
    input.splice(range, with.iter().copied());
}

fn one_byte(length: usize, random: &mut Random) -> Range<usize> {
    let at = random.below(length);
    at..(at + 1).min(length)
}

/// The beginning of one input and the end of another.
fn splice(input: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    input.truncate(random.below(input.len() + 1));
    input.extend_from_slice(&other[random.below(other.len() + 1)..]);
}

/// Four or eight bytes as a number that no length should have.
fn set_length_field(input: &mut Vec<u8>, random: &mut Random) {
    let value =
        EXTREMES[random.below(EXTREMES.len())].wrapping_add(random.next() % 3).to_le_bytes();
    let size = if random.below(2) == 0 { 4 } else { 8 };
    // Heads of files are short and full of lengths.
    let within = if random.below(2) == 0 { input.len() } else { input.len().min(128) };
    let at = random.below(within + 1) / 4 * 4;
    let end = (at + size).min(input.len());
    replace(input, at..end, &value[..size]);
}

/// A number in the text, replaced.
fn replace_number(input: &mut Vec<u8>, random: &mut Random) {
    let from = random.below(input.len());
    let Some(start) = (from..input.len()).find(|&at| input[at].is_ascii_digit()) else { return };
    let digits = input[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = match random.below(3) {
        0 => NUMBERS[random.below(NUMBERS.len())].to_owned(),
        1 => EXTREMES[random.below(EXTREMES.len())].to_string(),
        _ => (random.next() % 100).to_string(),
    };
    replace(input, start..start + digits, number.as_bytes());
}

/// A line goes to the place of another, or stands there twice.
fn move_line(input: &mut Vec<u8>, random: &mut Random) {
    let mut lines: Vec<&[u8]> = input.split_inclusive(|&byte| byte == b'\n').collect();
    let (from, to) = (random.below(lines.len()), random.below(lines.len()));
    let Some(&line) = lines.get(from) else { return };
    if random.below(2) == 0 {
        lines.remove(from);
    }
    lines.insert(to.min(lines.len()), line);
    *input = lines.concat();
}
