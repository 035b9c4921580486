//! Measurements: the speed of the solver, the tablebases, the composer, the searches and the judge, and
//! how a site withstands load, faults and an attack.
//!
//! Every measurement has settings, a report that is printed as text or JSON, and a flag that stops it. [`faults`], [`attack`] and [`play`] start the site as another process of the same program.

#![forbid(unsafe_code)]

pub mod attack;
pub mod compose;
#[cfg(target_os = "linux")]
pub mod faults;
pub mod judge;
pub mod play;
pub mod probe;
pub mod search;
pub mod site;
pub mod solver;
pub mod twenty48;

/// An error message: one sentence that names the reason and the next step.
pub type Failure = String;

/// The version of the JSON reports.
const VERSION: u32 = 1;
