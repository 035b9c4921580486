//! What a side knows of the board.

use games::kriegspiel::{Event, Metaposition};

/// What a side that knew `start` knows after these events.
pub fn knowledge<'a>(
    start: &Metaposition,
    events: impl IntoIterator<Item = &'a Event>,
) -> Metaposition {
    events.into_iter().fold(start.clone(), |known, event| known.after(event))
}
