//! Where the own men have stood before: what a side can know of repetition.

use games::kriegspiel::{Event, Metaposition, Observation, Own, Piece};
use std::collections::HashMap;

/// How often the own men have stood somewhere after an own move, since the last capture or own move
/// of a pawn. A position that is there for the third time has these men there for the third time.
#[derive(Clone, Debug, Default)]
pub struct Placements {
    counts: HashMap<Own, u32>,
}

impl Placements {
    /// Of all that a side has lived through.
    pub fn of(seen: &Observation<'_>, start: &Metaposition) -> Placements {
        let (mut own, mut placements) = (*start.own(), Placements::default());
        for event in seen.events {
            match event {
                Event::Refused(_) => {}
                Event::Moved { played, announcement } => {
                    // What cannot be taken back is where counting begins, and so the first time.
                    if own.men(Piece::Pawn).has(played.from) || announcement.capture.is_some() {
                        placements.counts.clear();
                    }
                    own = own.moved(*played);
                    *placements.counts.entry(own).or_default() += 1;
                }
                Event::Opponent(announcement) => {
                    if let Some(capture) = announcement.capture {
                        own = own.captured(capture.square);
                        placements.counts.clear();
                    }
                }
            }
        }
        placements
    }

    /// How often these men have stood so.
    pub fn count(&self, own: &Own) -> u32 {
        self.counts.get(own).copied().unwrap_or(0)
    }

    /// How often the men of one kind have stood as they do now, whatever the others did.
    pub fn alike(&self, own: &Own, piece: Piece) -> u32 {
        let alike = self.counts.iter().filter(|(before, _)| before.men(piece) == own.men(piece));
        alike.map(|(_, count)| count).sum()
    }
}
