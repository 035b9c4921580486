//! Kriegspiel endgames against a bare king: how often the hunter mates within fifty moves.

use crate::statistics::Proportion;
use crate::trials::run_trials;
use crate::{Cell, Experiment, LabError, Report, ResultTable, Run};
use common::rng::derive_seed;
use games::kriegspiel::Termination;
use players::kriegspiel::endgames::{
    EndgameSearch, KingPolicy, Material, min_capture_risk, play_trial,
};
use std::sync::atomic::Ordering::Relaxed;

/// The pieces beside the king.
const KINDS: [(&str, &str); 3] = [("Q", "queen"), ("R", "rook"), ("BB", "two bishops")];

const KINGS: [(KingPolicy, &str); 2] =
    [(KingPolicy::Random, "random"), (KingPolicy::Fleeing, "fleeing")];

/// How endgames are counted, in the order of the table's columns after those that were won.
const DRAWS: [Termination; 4] = [
    Termination::InsufficientMaterial,
    Termination::FiftyMoves,
    Termination::Repetition,
    Termination::Stalemate,
];

/// An endgame: the index of its draw in [`DRAWS`], `None` if it was won, and the number of own
/// moves.
type Ending = (Option<usize>, u64);

/// The endgames with one set of pieces against one type of king.
struct Row {
    pieces: &'static str,
    king: &'static str,
    endings: Vec<Ending>,
    /// The expected number of pieces that the king captures after the best first moves.
    least_risk: f64,
}

impl Row {
    fn won(&self) -> Proportion {
        let hits = self.drawn(None);
        Proportion { hits, of: self.endings.len() as u64 }
    }

    fn drawn(&self, by: Option<usize>) -> u64 {
        self.endings.iter().filter(|ending| ending.0 == by).count() as u64
    }

    /// Own moves of an endgame that was won, on average.
    fn moves(&self) -> f64 {
        let won = self.endings.iter().filter(|ending| ending.0.is_none());
        let sum: u64 = won.map(|ending| ending.1).sum();
        sum as f64 / self.won().hits.max(1) as f64
    }

    fn cells(&self) -> Vec<Cell> {
        let (won, interval) = (self.won(), self.won().interval());
        let mut cells = vec![self.pieces.into(), self.king.into(), won.of.into(), won.hits.into()];
        let percent = |value: f64| Cell::Number(100.0 * value, 1);
        cells.extend([percent(won.value()), percent(interval.low), percent(interval.high)]);
        cells.extend((0..DRAWS.len()).map(|by| self.drawn(Some(by)).into()));
        cells.push(Cell::Number(self.least_risk, 1));
        cells.push(Cell::Number(self.moves(), 1));
        cells
    }
}

/// Runs the experiment.
pub(crate) fn run(run: &Run<'_>) -> Result<Report, LabError> {
    let starts = run.trials(100, 1_000);
    let search = EndgameSearch::default();
    let mut rows = Vec::new();
    for (letters, pieces) in KINDS {
        let material: Material = letters
            .parse()
            .map_err(|_| LabError::Input(format!("the pieces {letters} are invalid")))?;
        let least_risk = (0..starts)
            .map(|number| min_capture_risk(&material, derive_seed(run.seed, number)))
            .sum();
        for (king, name) in KINGS {
            let what = format!("{pieces} against the {name} king");
            let endings = run_trials(run, &what, starts, |number| {
                ending(run, &material, king, &search, number)
            })?;
            rows.push(Row { pieces, king: name, endings, least_risk });
        }
    }
    Ok(Report {
        experiment: Experiment::P2Endgames,
        settings: vec![("seed", run.seed.to_string()), ("starts", starts.to_string())],
        tables: vec![table(&rows)],
        figures: Vec::new(),
        findings: rows.iter().map(finding).collect(),
    })
}

fn ending(
    run: &Run<'_>,
    material: &Material,
    king: KingPolicy,
    search: &EndgameSearch,
    number: u64,
) -> Result<Ending, LabError> {
    if run.stop.load(Relaxed) {
        return Err(LabError::Stopped);
    }
    let game = play_trial(material, king, derive_seed(run.seed, number), search);
    // A game without an end is one where the hunter moved in circles; it counts as a fifty-move
    // draw.
    let by = game.termination().unwrap_or(Termination::FiftyMoves);
    let drawn = DRAWS.iter().position(|&draw| draw == by);
    Ok((drawn, game.turns().len() as u64 / 2 + 1))
}

fn table(rows: &[Row]) -> ResultTable {
    let columns = [
        "men",
        "king",
        "starts",
        "won",
        "won %",
        "low",
        "high",
        "captured",
        "fifty moves",
        "repetition",
        "stalemate",
        "least risk",
        "moves",
    ];
    let title = "Endgames against a bare king: won with 95 % interval, drawn by what, how many a king that captures what it can would \
         capture after the best first moves, moves of a won one";
    let mut table = ResultTable::new("", title, columns);
    rows.iter().for_each(|row| table.row(row.cells()));
    table
}

fn finding(row: &Row) -> String {
    let won = row.won();
    format!(
        "With {} against the {} king {} of {} are won, in {:.1} moves on average",
        row.pieces,
        row.king,
        won.hits,
        won.of,
        row.moves()
    )
}
