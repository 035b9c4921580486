//! Runs a target: its corpus as it is, then damaged inputs, each under the laws that hold for all.

use crate::allocation::take_largest;
use crate::mutate::{Random, mutate};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs};

/// Something that reads input from outside.
pub(crate) struct Target {
    /// Its name, which is that of the folder of its corpus too.
    pub(crate) name: &'static str,
    /// Texts that matter in its input.
    pub(crate) words: &'static [&'static str],
    /// Inputs beside those of the corpus: what is too large to keep, or is not the same every time.
    pub(crate) made: fn() -> Vec<Vec<u8>>,
    /// Makes checksums right again, as an attacker would. Most cases go through it.
    pub(crate) repair: fn(Vec<u8>) -> Vec<u8>,
    /// Reads the input and checks the laws; the sentence with which it is refused otherwise.
    pub(crate) check: fn(&[u8]) -> Result<(), String>,
}

impl Target {
    /// A target that reads text and has no checksum.
    pub(crate) const fn new(
        name: &'static str,
        words: &'static [&'static str],
        check: fn(&[u8]) -> Result<(), String>,
    ) -> Target {
        Target { name, words, made: Vec::new, repair: |input| input, check }
    }
}

/// Cases of each target, unless `SPUK_FUZZ_CASES` says otherwise.
const CASES: u64 = 2000;
/// No refusal is longer, in characters.
const MAX_ERROR_LENGTH: usize = 500;
/// No case takes longer. Most take microseconds; a machine may be busy.
const MAX_CASE_TIME: Duration = Duration::from_secs(5);
/// No allocation is larger, in bytes: inputs have 64 KiB at most.
const LARGEST_ALLOCATION: usize = 16 << 20;

/// Inputs that broke something once; they may be refused.
const BROKE: &str = "broke-";

fn setting(name: &str) -> Option<u64> {
    let value = env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name} is {value:?}; give a number")))
}

/// Runs all cases of a target.
pub(crate) fn run(target: &Target) {
    let files = corpus(target.name);
    let made = (target.made)();
    for (name, input) in &files {
        let accepted = examine(target, input, &format!("corpus file {name}"));
        assert!(accepted || name.starts_with(BROKE), "{}: {name} is refused", target.name);
    }
    for input in &made {
        assert!(examine(target, input, "made input"), "{}: a made input is refused", target.name);
    }
    let inputs: Vec<&[u8]> =
        files.iter().map(|(_, input)| input).chain(&made).map(Vec::as_slice).collect();
    assert!(!inputs.is_empty(), "{} has no corpus", target.name);

    let seed = setting("SPUK_FUZZ_SEED").unwrap_or(1);
    let cases = match setting("SPUK_FUZZ_CASE") {
        Some(one) => one..one + 1,
        None => 0..setting("SPUK_FUZZ_CASES").unwrap_or(CASES),
    };
    let (count, started) = (cases.end - cases.start, Instant::now());
    let mut accepted = 0;
    for case in cases {
        let input = damaged(target, &inputs, seed, case);
        accepted += u64::from(examine(target, &input, &format!("seed {seed}, case {case}")));
    }
    let seconds = started.elapsed().as_secs_f64();
    println!("{}: {count} cases, {accepted} accepted, {seconds:.1} s", target.name);
    // Otherwise only one of the two ways would be examined.
    assert!(count < CASES || (1..count).contains(&accepted), "{} accepts {accepted}", target.name);
}

fn damaged(target: &Target, inputs: &[&[u8]], seed: u64, case: u64) -> Vec<u8> {
    let mut random = Random::new(seed, case);
    let mut input = random.pick(inputs).unwrap_or_default().to_vec();
    mutate(&mut input, inputs, target.words, &mut random);
    if random.below(8) == 0 { input } else { (target.repair)(input) }
}

/// Whether the input is accepted; what was violated is reported with the input.
fn examine(target: &Target, input: &[u8], which: &str) -> bool {
    let started = Instant::now();
    take_largest();
    let checked = catch_unwind(AssertUnwindSafe(|| (target.check)(input)));
    let (largest, time) = (take_largest(), started.elapsed());
    let violated = match &checked {
        Err(_) => Some("a law or a panic, see above".to_owned()),
        Ok(Err(sentence)) if !is_sentence(sentence) => {
            Some(format!("no short sentence: {sentence:?}"))
        }
        _ if time > MAX_CASE_TIME => Some(format!("it takes {time:?}")),
        _ if largest > LARGEST_ALLOCATION => Some(format!("it allocates {largest} bytes at once")),
        _ => None,
    };
    if let Some(violated) = violated {
        let kept = env::temp_dir().join(format!("spuk-fuzz-{}", target.name));
        fs::write(&kept, input).unwrap();
        let kept = kept.display();
        panic!("{}, {which}: {violated}; the input is in {kept}", target.name);
    }
    matches!(checked, Ok(Ok(())))
}

/// One line that can be shown as it is.
fn is_sentence(text: &str) -> bool {
    (1..=MAX_ERROR_LENGTH).contains(&text.chars().count()) && !text.contains(char::is_control)
}

/// The files of a corpus with their names, in order.
fn corpus(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder: PathBuf =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(target);
    let Ok(entries) = fs::read_dir(&folder) else { return Vec::new() };
    let mut files: Vec<_> = entries
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect();
    files.sort();
    files
}

/// The input as text; what is not UTF-8 becomes replacement characters, so that it reaches the
/// reader.
pub(crate) fn text(input: &[u8]) -> String {
    String::from_utf8_lossy(input).into_owned()
}

/// The sentence of an error.
pub(crate) fn sentence(error: impl std::fmt::Display) -> String {
    error.to_string()
}
