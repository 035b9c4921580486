//! Ctrl-C: the first asks for the best answer so far, the second ends the program.

use crate::Failure;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

static ASKED: AtomicBool = AtomicBool::new(false);

/// What a shell reports for a program that Ctrl-C ended.
const ENDED_BY_CTRL_C: i32 = 130;

/// Starts listening for Ctrl-C and returns the flag that it raises.
pub(crate) fn listen() -> Result<&'static AtomicBool, Failure> {
    let on_interrupt = || {
        if ASKED.swap(true, SeqCst) {
            std::process::exit(ENDED_BY_CTRL_C);
        }
    };
    ctrlc::set_handler(on_interrupt)
        .map_err(|error| format!("cannot listen for Ctrl-C: {error}; try again"))?;
    Ok(&ASKED)
}
