//! The file of a trained pair of models.
//!
//! One line of JSON:
//!
//! | field | meaning |
//! | --- | --- |
//! | `v` | version of the file, 2 |
//! | `kind` | `spuk-model` |
//! | `program` | the version of the program that wrote it |
//! | `puzzles`, `persons`, `ratings` | the size of the training data |
//! | `interest`, `difficulty` | a model each: `features` (names), `start`, `trees` |
//! | `checksum` | 16 hexadecimal digits: FNV-1a, 64 bits, over the text before `,"checksum"` |
//!
//! A tree is a list of nodes, root first: `leaf` with its value, or `split` with the index of its
//! feature in `features`, the threshold below which the low child applies, whether that child takes
//! the unknown values, the indices of both children and the gain. A file is untrusted input.

use super::Model;
use super::regression_tree::{RegressionTree, is_moderate};
use crate::features::Feature;
use common::excerpt::{json_error, quoted};
use common::fnv;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The version of the file.
pub const VERSION: u32 = 2;

const KIND: &str = "spuk-model";

/// The text between the checked content and its checksum.
const CHECKSUM_PREFIX: &str = ",\"checksum\":\"";

/// The maximum size of a file, far above any real model.
const MAX_FILE_BYTES: usize = 64 << 20;

/// The result of `spuk train`: a model of interest and one of difficulty, both from -2 to 2.
#[derive(Clone, Debug, PartialEq)]
pub struct Models {
    /// The model of interest.
    pub interest: Model,
    /// The model of difficulty.
    pub difficulty: Model,
    /// Different puzzles that were rated.
    pub puzzles: usize,
    /// The number of raters.
    pub persons: usize,
    /// Ratings in all.
    pub ratings: usize,
}

/// The error for an invalid model file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelError(String);

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ModelError {}

fn refuse<T>(reason: impl Into<String>) -> Result<T, ModelError> {
    Err(ModelError(reason.into()))
}

/// The JSON object of the file, without the checksum.
#[derive(Serialize, Deserialize)]
struct Record {
    v: u32,
    kind: String,
    program: String,
    puzzles: usize,
    persons: usize,
    ratings: usize,
    interest: ModelRecord,
    difficulty: ModelRecord,
}

/// The fields that every version has; they identify the rest.
#[derive(Deserialize)]
struct Label {
    v: u32,
    kind: String,
}

#[derive(Serialize, Deserialize)]
struct ModelRecord {
    features: Vec<String>,
    start: f64,
    trees: Vec<RegressionTree>,
}

impl ModelRecord {
    fn new(model: &Model) -> ModelRecord {
        ModelRecord {
            features: model.features.iter().map(|feature| feature.name().into()).collect(),
            start: model.start,
            trees: model.trees.clone(),
        }
    }

    fn check(self) -> Result<Model, ModelError> {
        let feature = |name: &String| {
            let unknown = || {
                let name = quoted(name);
                ModelError(format!("it uses {name}, a feature this program does not know"))
            };
            Feature::from_name(name).ok_or_else(unknown)
        };
        let features: Vec<Feature> = self.features.iter().map(feature).collect::<Result<_, _>>()?;
        let sound = self.trees.iter().all(|tree| tree.is_sound(features.len()));
        if !sound || !is_moderate(self.start) {
            return refuse("one of its trees does not hold together");
        }
        Ok(Model { features, start: self.start, trees: self.trees })
    }
}

/// The text of a record without its last brace, with its checksum.
fn with_checksum(text: String) -> String {
    let sum = fnv::hash(&text);
    text + &format!("{CHECKSUM_PREFIX}{sum:016x}\"}}\n")
}

/// A file with a recalculated checksum, as an attacker would make it.
#[cfg(test)]
pub(super) fn with_new_checksum(file: &str) -> String {
    with_checksum(file[..file.rfind(CHECKSUM_PREFIX).unwrap_or(file.len())].to_owned())
}

impl Models {
    /// The text of the file.
    pub fn to_json(&self) -> String {
        let record = Record {
            v: VERSION,
            kind: KIND.into(),
            program: env!("CARGO_PKG_VERSION").into(),
            puzzles: self.puzzles,
            persons: self.persons,
            ratings: self.ratings,
            interest: ModelRecord::new(&self.interest),
            difficulty: ModelRecord::new(&self.difficulty),
        };
        // Numbers, strings and lists always serialise.
        let mut text = serde_json::to_string(&record).unwrap_or_default();
        text.pop();
        with_checksum(text)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it is not a model, has another version, was changed or truncated, or uses a feature that
    /// this program does not know.
    pub fn from_json(text: &str) -> Result<Models, ModelError> {
        if text.len() > MAX_FILE_BYTES {
            return refuse("it is too long for a model");
        }
        let text = text.trim_end();
        let Ok(label) = serde_json::from_str::<Label>(text) else {
            return refuse("it is not a model, or it was cut off");
        };
        if label.kind != KIND {
            return refuse("it is not a model");
        }
        if label.v != VERSION {
            return refuse(format!("its version is {}; this program reads {VERSION}", label.v));
        }
        let with_checksum = text
            .rfind(CHECKSUM_PREFIX)
            .map(|at| (&text[..at], &text[at + CHECKSUM_PREFIX.len()..]));
        let fits = |(body, sum): &(&str, &str)| *sum == format!("{:016x}\"}}", fnv::hash(body));
        if !with_checksum.as_ref().is_some_and(fits) {
            return refuse("its checksum does not fit: it was changed after it was written");
        }
        let record: Record = serde_json::from_str(text)
            .map_err(|error| ModelError(format!("it is not a model: {}", json_error(&error))))?;
        Ok(Models {
            interest: record.interest.check()?,
            difficulty: record.difficulty.check()?,
            puzzles: record.puzzles,
            persons: record.persons,
            ratings: record.ratings,
        })
    }
}
