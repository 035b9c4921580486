//! Reviews of games of Geister, and the puzzles in them.

use super::records::start_of;
use crate::games::played_game::PlayedGame;
use crate::games::review::{BelievedView, MissedView, SeatReview, rounded};
use crate::games::site_game::ReviewedGame;
use games::Seat;
use games::geister::{Game, Move, Position};
use geister::solver::Solver;
use players::review::geister::{self as reviews, Believer, Review};

/// Bytes for the transposition table of the solver that looks for missed wins.
const MEMORY: usize = 32 << 20;

impl ReviewedGame for Game {
    fn review(game: &PlayedGame<Game>, programs: [Option<&str>; 2]) -> [SeatReview; 2] {
        let moves: Vec<Move> = game.actions().collect();
        let mut solver = Solver::new(MEMORY);
        Seat::ALL.map(|seat| {
            let (believer, by) = believer(programs[seat.opponent().index()].unwrap_or_default());
            let found = start_of(game).and_then(|start| {
                reviews::review(&start, &moves, seat, believer, &mut solver).ok()
            });
            found.map_or_else(SeatReview::default, |found| seat_review(&found, &by))
        })
    }

    /// The purple position that the seat saw, if it was its turn.
    fn puzzle_at(game: &PlayedGame<Game>, seat: Seat, ply: usize) -> Option<Position> {
        let information = &game.information()?[seat.index()];
        let before = information.steps().iter().map(|step| &step.before);
        before.chain([information.now()]).nth(ply)?.purple()
    }
}

fn seat_review(found: &Review, by: &str) -> SeatReview {
    let missed = found.missed.iter().map(|one| MissedView {
        ply: one.ply,
        plies: one.plies,
        best: one.best.to_string(),
        played: one.played.to_string(),
        position: one.position.to_string(),
    });
    let beliefs = found.beliefs.iter().map(|one| BelievedView {
        ply: one.ply,
        by: by.to_owned(),
        blue: one.blue.iter().map(|(square, blue)| (square.to_string(), rounded(*blue))).collect(),
    });
    SeatReview {
        missed: missed.collect(),
        kept: found.kept,
        beliefs: beliefs.collect(),
        ..SeatReview::with_feel(&found.feel)
    }
}

/// The belief model of a program, and its name. For people and programs without beliefs it is that
/// of the champion.
fn believer(program: &str) -> (Believer, String) {
    let style = program.strip_prefix("style-").and_then(|letter| {
        players::style::load(&format!("p5-{letter}")).ok().map(|file| Believer::Style(file.style))
    });
    match style {
        Some(style) => (style, program.to_owned()),
        None if program.starts_with("champion") => (Believer::Champion, program.to_owned()),
        None => (Believer::Champion, "champion".to_owned()),
    }
}
