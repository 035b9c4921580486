//! Ctrl-C: the first asks for the best answer so far, the second ends the program.

use crate::Failure;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The exit code that shells report for SIGINT.
const SIGINT_EXIT_CODE: i32 = 130;

/// Installs the Ctrl-C handler and returns the flag that it sets.
pub(crate) fn listen() -> Result<&'static AtomicBool, Failure> {
    let on_interrupt = || {
        if INTERRUPTED.swap(true, SeqCst) {
            std::process::exit(SIGINT_EXIT_CODE);
        }
    };
    ctrlc::set_handler(on_interrupt)
        .map_err(|error| format!("cannot listen for Ctrl-C: {error}; try again"))?;
    Ok(&INTERRUPTED)
}
