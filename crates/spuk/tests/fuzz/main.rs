//! Fuzzing of everything that reads text or bytes from outside the program.
//!
//! Each target takes real inputs from `corpus/TARGET`, damages them ([`mutate`]) and checks laws, not
//! only that nothing panics: what is read is written and read back as the same thing; a refusal is
//! one short sentence; no input takes long or makes the program allocate much ([`harness`]).
//!
//! The cases are the same in every run. `SPUK_FUZZ_CASES` sets their number for each target (2,000),
//! `SPUK_FUZZ_SEED` chooses other ones (1), `SPUK_FUZZ_CASE` runs a single one. A failure prints all three and
//! keeps the input in the temporary folder. Once the fault is mended, the input goes to the
//! corpus as `broke-WHAT`: it is checked in every run, and further cases are made of it. All other files of the
//! corpus have to be accepted.

#![allow(clippy::unwrap_used)] // the helpers of tests are no tests to clippy

mod allocation;
mod files;
mod games;
mod gat;
mod harness;
mod mutate;
mod puzzles;
mod site;
