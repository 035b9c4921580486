//! Reviews of games of Geister, and the puzzles in them.

use crate::games::played_game::PlayedGame;
use crate::games::review::{BelievedView, SeatReview, rounded};
use crate::games::site_game::ReviewedGame;
use games::Seat;
use games::geister::{Game, Position};
use geister::solver::Solver;
use play::review::Known;
use players::review::{BeliefModel, BelievedBlue, GeisterReviewer};

/// Bytes for the transposition table of the solver that looks for missed wins.
const MEMORY: usize = 32 << 20;

impl ReviewedGame for Game {
    fn review(game: &PlayedGame<Game>, programs: [Option<&str>; 2]) -> [SeatReview; 2] {
        let mut solver = Solver::new(MEMORY);
        Seat::ALL.map(|seat| {
            let (model, by) = belief_model(programs[seat.opponent().index()].unwrap_or_default());
            let mut reviewer = GeisterReviewer::new(&mut solver, model);
            let (review, known) = SeatReview::of(game, seat, &mut reviewer);
            SeatReview { beliefs: known.iter().map(|one| believed(one, &by)).collect(), ..review }
        })
    }

    /// The purple position that the seat saw, if it was its turn.
    fn puzzle_at(game: &PlayedGame<Game>, seat: Seat, ply: usize) -> Option<Position> {
        let information = &game.information()?[seat.index()];
        let before = information.steps().iter().map(|step| &step.before);
        before.chain([information.now()]).nth(ply)?.purple()
    }
}

fn believed(known: &Known<BelievedBlue>, by: &str) -> BelievedView {
    let blue = known.knowledge.iter();
    BelievedView {
        ply: known.ply,
        by: by.to_owned(),
        blue: blue.map(|(square, blue)| (square.to_string(), rounded(*blue))).collect(),
    }
}

/// The belief model of a program, and its name. For people and programs without beliefs it is that
/// of the champion.
fn belief_model(program: &str) -> (BeliefModel, String) {
    let style = program.strip_prefix("style-").and_then(|letter| {
        players::style::load(&format!("p5-{letter}"))
            .ok()
            .map(|file| BeliefModel::Style(file.style))
    });
    match style {
        Some(style) => (style, program.to_owned()),
        None if program.starts_with("champion") => (BeliefModel::Champion, program.to_owned()),
        None => (BeliefModel::Champion, "champion".to_owned()),
    }
}
