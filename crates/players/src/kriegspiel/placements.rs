//! Where the own men have stood before: what a side can know of repetition.

use games::kriegspiel::{Event, OwnPieces, Piece};
use std::collections::HashMap;

/// How often the own men have stood somewhere after an own move, since the last capture or own move
/// of a pawn. A position that is there for the third time has these men there for the third time.
#[derive(Clone, Debug, Default)]
pub struct Placements {
    counts: HashMap<OwnPieces, u32>,
}

impl Placements {
    /// Of a side that started with these men and has lived through these events.
    pub fn of<'a>(start: &OwnPieces, events: impl IntoIterator<Item = &'a Event>) -> Placements {
        let (mut own, mut placements) = (*start, Placements::default());
        for event in events {
            match event {
                Event::Refused(_) => {}
                Event::Moved { played, announcement } => {
                    // What cannot be taken back is where counting begins, and so the first time.
                    if own.pieces(Piece::Pawn).has(played.from) || announcement.capture.is_some() {
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
    pub fn count(&self, own: &OwnPieces) -> u32 {
        self.counts.get(own).copied().unwrap_or(0)
    }

    /// How often the men of one kind have stood as they do now, whatever the others did.
    pub fn alike(&self, own: &OwnPieces, piece: Piece) -> u32 {
        let alike =
            self.counts.iter().filter(|(before, _)| before.pieces(piece) == own.pieces(piece));
        alike.map(|(_, count)| count).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::kriegspiel::{Color, Game, Reply, Try};

    /// How often White's men have stood so at Black's turn since the last capture or pawn's move of
    /// White or capture of Black, by the true game.
    fn slowly(moves: &[&str]) -> (Game, Vec<u32>) {
        let (mut game, mut stood, mut counts) = (Game::default(), Vec::new(), Vec::new());
        for (ply, text) in moves.iter().enumerate() {
            let attempt: Try = text.parse().unwrap();
            let is_pawn = game.observe(game.turn()).own.pieces(Piece::Pawn).has(attempt.from);
            let Ok(Reply::Legal(announcement)) = game.attempt(attempt) else { panic!("{text}") };
            if announcement.capture.is_some() || (is_pawn && ply % 2 == 0) {
                stood.clear();
            }
            if ply % 2 == 0 {
                let own = game.observe(Color::White).own;
                stood.push(own);
                counts.push(stood.iter().filter(|one| **one == own).count() as u32);
            }
        }
        (game, counts)
    }

    #[test]
    fn what_a_capture_made_is_there_for_the_first_time() {
        let moves = [
            "e2e4", "d7d5", "f1b5", "c7c6", "b5c6", "b8c6", "d1h5", "c6b8", "h5h7", "a7a6", "h7h6",
            "a6a5", "h6h7", "b8c6", "h7h6", "c6b8", "h6h7",
        ];
        for played in (1..=moves.len()).step_by(2) {
            let (game, counts) = slowly(&moves[..played]);
            let seen = game.observe(Color::White);
            let placements =
                Placements::of(&game.start().own(Color::White), game.events(Color::White));
            assert_eq!(
                placements.count(&seen.own),
                *counts.last().unwrap(),
                "{:?}",
                &moves[..played]
            );
        }
        // Taken by the queen on h7, and back there twice.
        assert_eq!(slowly(&moves).1.last(), Some(&3));
    }
}
