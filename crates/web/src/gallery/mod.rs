//! What is worth looking at: the longest wins of the tablebases, and the figures of the lab.

use serde::Deserialize;
use std::sync::OnceLock;

/// The longest win of a class of endings.
#[derive(Debug, Deserialize)]
pub struct Record {
    /// The class, as the tables call it.
    pub class: String,
    /// A position that takes so long.
    pub position: String,
    /// How much of the opposing colours is shown: `none`, `partly` or `fully`.
    pub revealed: String,
    /// A main line: shortest for the bottom side, longest for the top side.
    pub line: String,
}

impl Record {
    /// Ghosts on the board: a letter for each.
    pub fn ghosts(&self) -> usize {
        self.class.chars().filter(char::is_ascii_alphabetic).count()
    }

    /// Plies of the win.
    pub fn plies(&self) -> u32 {
        self.line.split_whitespace().count() as u32
    }
}

/// The records, from `spuk solve POSITION --json` with the tables of their classes.
pub fn records() -> &'static [Record] {
    static ALL: OnceLock<Vec<Record>> = OnceLock::new();
    // A test reads them.
    ALL.get_or_init(|| serde_json::from_str(include_str!("records.json")).unwrap_or_default())
}

macro_rules! figures {
    ($($name:literal),+ $(,)?) => {
        [$(($name, include_bytes!(concat!("../../../../docs/results/", $name)).as_slice())),+]
    };
}

/// Figures of the lab as its experiments wrote them; `gallery.NAME` in the words says what they show.
pub const FIGURES: [(&str, &[u8]); 12] = figures![
    "p1-random.svg",
    "p1-pruning.svg",
    "collection.svg",
    "p2-darkboard.svg",
    "p3-reverse.svg",
    "grades.svg",
    "p4-pgame.svg",
    "p4-connect-four.svg",
    "p4-2048-scn.svg",
    "p4-geister-feel-curves.svg",
    "p5-styles-clusters.svg",
    "p5-styles-dominance.svg",
];

#[cfg(test)]
mod tests {
    use super::*;
    use games::Seat;
    use games::geister::{Move, Position};
    use geister::solver::Solver;
    use search::{Budget, Limits, Verdict};

    #[test]
    fn every_record_is_won_by_its_line_and_no_sooner() {
        assert_eq!(records().len(), 8);
        let mut solver = Solver::new(32 << 20);
        for record in records() {
            let start: Position = record.position.parse().unwrap();
            let moves = record.line.split_whitespace().map(|text| text.parse::<Move>().unwrap());
            let end = moves.fold(start, |position, mv| position.play(mv).unwrap());
            let winner = end.outcome().and_then(games::geister::Outcome::winner);
            assert_eq!(winner, Some(Seat::First), "{}", record.class);
            let plies = record.plies();
            if plies <= 29 {
                let limits = Limits { depth: plies, ..Limits::default() };
                let answer = solver.verdict(&start, &mut Budget::new(&limits), &mut ());
                assert_eq!(answer.verdict, Verdict::Win(plies), "{}", record.class);
            }
        }
    }
}
