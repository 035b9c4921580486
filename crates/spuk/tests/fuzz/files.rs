//! Files of the program's own making: tables, models, weights, styles.

use crate::harness::{Target, run, sentence, text};
use common::fnv;
use geister::tablebase::file::TableFile;
use players::learned::Weights;
use players::style::StyleFile;
use puzzle::features::{Feature, Features};
use puzzle::model::Models;
use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

const STYLE: &[&str] = &[
    "spuk-style 1\n",
    "board 4x5\n",
    "board 6x6\n",
    "adjacent ",
    "away ",
    "towards ",
    "-0.5",
    "0.5",
    "0.50000000000000001",
    ".",
    "-",
    "-0\n",
    "\r\n",
];

fn style(input: &[u8]) -> Result<(), String> {
    let file: StyleFile = text(input).parse().map_err(sentence)?;
    assert_eq!(file.to_string().parse(), Ok(file));
    assert!(file.style.to_array().iter().all(|one| one.abs() <= 0.5));
    Ok(())
}

#[test]
fn styles() {
    run(&Target::new("style", STYLE, style));
}

const MODEL: &[&str] = &[
    "\"leaf\":",
    "\"split\":{",
    "\"feature\":",
    "\"low\":",
    "\"high\":",
    "\"below\":",
    "\"gain\":",
    "[[",
    "]]",
    "{\"leaf\":1e308}",
    "{\"leaf\":-1e308}",
    "[{\"leaf\":1e308}],[{\"leaf\":1e308}],[{\"leaf\":-1e308}]",
    "\"start\":1e308",
    "m_win",
    "\"v\":2",
    "null",
    "spuk-model",
    ",\"checksum\":\"",
];

fn model(input: &[u8]) -> Result<(), String> {
    let models = Models::from_json(&text(input)).map_err(sentence)?;
    assert_eq!(Models::from_json(&models.to_json()), Ok(models.clone()));
    for model in [&models.interest, &models.difficulty] {
        let mut row = Features::UNKNOWN;
        assert!(model.predict(&row).is_finite());
        Feature::ALL.into_iter().for_each(|feature| row.set(feature, 1.0));
        assert!(model.predict(&row).is_finite());
        assert!(model.importance().iter().all(|(_, share)| (0.0..=1.0).contains(share)));
    }
    Ok(())
}

/// With the checksum that the text before it has.
fn seal_model(input: Vec<u8>) -> Vec<u8> {
    const SEAL: &str = ",\"checksum\":\"";
    let text = text(&input);
    let Some(body) = text.rfind(SEAL).map(|at| &text[..at]) else { return input };
    format!("{body}{SEAL}{:016x}\"}}\n", fnv::hash(body)).into_bytes()
}

#[test]
fn models() {
    run(&Target { repair: seal_model, ..Target::new("model", MODEL, model) });
}

fn weights(input: &[u8]) -> Result<(), String> {
    let weights = Weights::from_bytes(input).map_err(sentence)?;
    assert_eq!(weights.to_bytes(), input);
    Ok(())
}

fn seal_weights(mut input: Vec<u8>) -> Vec<u8> {
    // Other lengths are refused at once: keep some of them.
    let wanted = Weights::default().to_bytes().len();
    if input.len().abs_diff(wanted) > 4 {
        input.resize(wanted, 0x55);
    }
    let body = input.len().saturating_sub(4);
    let sum = crc32fast::hash(&input[..body]).to_le_bytes();
    input.splice(body.., sum);
    input
}

#[test]
fn learned_weights() {
    let made = || vec![Weights::shipped().to_bytes()];
    let words = &["spuk-weights 1\n", "spuk-weights 2\n", "spuk-learner 1\n"];
    run(&Target { made, repair: seal_weights, ..Target::new("weights", words, weights) });
}

/// The class of the tables in the corpus.
const CLASS: &str = "BRu:0";
/// Positions of that class.
const ENTRIES: u64 = 21_420;

fn table(input: &[u8]) -> Result<(), String> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let name = format!("spuk-fuzz-{}-{}.table", std::process::id(), NUMBER.fetch_add(1, Relaxed));
    let path = std::env::temp_dir().join(name);
    fs::write(&path, input).unwrap();
    let opened = TableFile::open(&path, CLASS, ENTRIES);
    // A map keeps what it maps.
    fs::remove_file(&path).unwrap();
    let table = opened.map_err(sentence)?;
    let all = table.read_all_unless(&AtomicBool::new(false)).map_err(sentence);
    for index in (0..ENTRIES).step_by(97).chain([ENTRIES - 1]) {
        match (table.get(index), &all) {
            (Ok(value), Ok(all)) => assert_eq!(value, all[index as usize]),
            (Ok(_), Err(_)) => {}
            (Err(error), Ok(_)) => panic!("entry {index} of a good table: {error}"),
            (Err(error), Err(_)) => assert!(!sentence(error).is_empty()),
        }
    }
    assert!(table.get(ENTRIES).is_err());
    table.verify().map_err(sentence)?;
    let header = table.header();
    for (value, &count) in header.counts.iter().enumerate() {
        let found = table.find(value as u8).unwrap();
        assert_eq!(found.is_some(), count > 0);
    }
    all.map(|_| ())
}

/// With right checksums of the blocks, as far as the head says where they are, and of the head.
fn seal_table(mut input: Vec<u8>) -> Vec<u8> {
    let field = |input: &[u8], at: usize| {
        let bytes = input.get(at..at + 4)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize)
    };
    let (Some(counts), Some(blocks)) = (field(&input, 56), field(&input, 60)) else { return input };
    let sums = 64 + 16 * counts;
    let end = sums + 8 * blocks;
    if end + 4 > input.len() {
        return input;
    }
    let mut start = end + 4;
    for entry in (sums..end).step_by(8) {
        let Some(size) = field(&input, entry) else { break };
        let Some(block) = input.get(start..start.saturating_add(size)) else { break };
        let sum = crc32fast::hash(block).to_le_bytes();
        input[entry + 4..entry + 8].copy_from_slice(&sum);
        start += size;
    }
    let sum = crc32fast::hash(&input[..end]).to_le_bytes();
    input[end..end + 4].copy_from_slice(&sum);
    input
}

#[test]
fn tables() {
    let words = &["\u{89}SpukTB\n", "BRu:0", "BRuu:1", "\u{28}\u{b5}\u{2f}\u{fd}"];
    run(&Target { repair: seal_table, ..Target::new("table", words, table) });
}
