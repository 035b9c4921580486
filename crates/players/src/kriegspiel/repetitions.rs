//! Repetition table: where the own pieces have stood before, which is all a side can know about
//! repetition.

use games::kriegspiel::{Event, OwnPieces, Piece};
use std::collections::HashMap;

/// Counts the placements of the own pieces after own moves since the last capture or own pawn move.
/// If a position occurs for the third time, so does the placement of its own pieces.
#[derive(Clone, Debug, Default)]
pub struct RepetitionTable {
    counts: HashMap<OwnPieces, u32>,
}

impl RepetitionTable {
    /// The table of a side that started with these pieces and observed these events.
    pub fn of<'a>(
        start: &OwnPieces,
        events: impl IntoIterator<Item = &'a Event>,
    ) -> RepetitionTable {
        let (mut own, mut repetitions) = (*start, RepetitionTable::default());
        for event in events {
            match event {
                Event::Refused(_) => {}
                Event::Moved { played, announcement } => {
                    // An irreversible move restarts the count, and its placement is the first.
                    if own.pieces(Piece::Pawn).has(played.from) || announcement.capture.is_some() {
                        repetitions.counts.clear();
                    }
                    own = own.moved(*played);
                    *repetitions.counts.entry(own).or_default() += 1;
                }
                Event::Opponent(announcement) => {
                    if let Some(capture) = announcement.capture {
                        own = own.captured(capture.square);
                        repetitions.counts.clear();
                    }
                }
            }
        }
        repetitions
    }

    /// How often this placement has occurred.
    pub fn count(&self, own: &OwnPieces) -> u32 {
        self.counts.get(own).copied().unwrap_or(0)
    }

    /// How often the pieces of one kind have stood on the same squares, wherever the others stood.
    pub fn count_of_kind(&self, own: &OwnPieces, piece: Piece) -> u32 {
        let same =
            self.counts.iter().filter(|(before, _)| before.pieces(piece) == own.pieces(piece));
        same.map(|(_, count)| count).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::kriegspiel::{Color, Game, Reply, Try};

    /// How often White's placement has occurred with Black to move since the last capture or pawn move
    /// of White or capture of Black, counted in the true game.
    fn slow_counts(moves: &[&str]) -> (Game, Vec<u32>) {
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
    fn a_capture_restarts_the_count() {
        let moves = [
            "e2e4", "d7d5", "f1b5", "c7c6", "b5c6", "b8c6", "d1h5", "c6b8", "h5h7", "a7a6", "h7h6",
            "a6a5", "h6h7", "b8c6", "h7h6", "c6b8", "h6h7",
        ];
        for played in (1..=moves.len()).step_by(2) {
            let (game, counts) = slow_counts(&moves[..played]);
            let seen = game.observe(Color::White);
            let repetitions =
                RepetitionTable::of(&game.start().own(Color::White), game.events(Color::White));
            assert_eq!(
                repetitions.count(&seen.own),
                *counts.last().unwrap(),
                "{:?}",
                &moves[..played]
            );
        }
        // The queen captures on h7 and returns there twice.
        assert_eq!(slow_counts(&moves).1.last(), Some(&3));
    }
}
