//! Ctrl-C and SIGTERM: the first asks for the best answer so far, the second ends the program.

use crate::{Failure, exit};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// Whether the command looks at [`INTERRUPTED`], so that it can end by itself.
static IS_POLLED: AtomicBool = AtomicBool::new(false);

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Installs the handler. Until a command calls [`listen`], an interrupt ends the program at once.
pub(crate) fn install() -> Result<(), Failure> {
    let on_interrupt = || {
        if INTERRUPTED.swap(true, SeqCst) || !IS_POLLED.load(SeqCst) {
            std::process::exit(exit::UNKNOWN.into());
        }
    };
    ctrlc::set_handler(on_interrupt)
        .map_err(|error| format!("cannot listen for Ctrl-C: {error}; try again"))
}

/// The flag that an interrupt sets, for commands that end by themselves when it is set.
pub(crate) fn listen() -> &'static AtomicBool {
    IS_POLLED.store(true, SeqCst);
    &INTERRUPTED
}

/// Whether the command was asked to end.
pub(crate) fn is_requested() -> bool {
    INTERRUPTED.load(SeqCst)
}
