//! P1 5.3.1, figure 6: how many puzzles are red-wall or capture-win, by length.

use crate::figure::{Chart, Point, Series, SeriesStyle, draw, plies};
use crate::p1_random::{DEPTH, LENGTHS, NOT_REVEALED, PARTLY_REVEALED};
use crate::result_table::{COMPARISON_COLUMNS, comparison_cells};
use crate::statistics::Proportion;
use crate::trials::{SolvedPlacement, analysis, run_trials_with_solver};
use crate::{Cell, Figure, LabError, ResultTable, Run};
use geister::solver::{Classification, Revealed};

/// A kind of special puzzles.
struct SpecialKind {
    name: &'static str,
    revealed: Revealed,
    belongs: fn(Classification) -> bool,
    /// Their number by length, counted in the published collection.
    published: [u64; 6],
}

const KINDS: [SpecialKind; 4] = [
    SpecialKind {
        name: "not revealed, red-wall",
        revealed: Revealed::None,
        belongs: |kind| kind.red_wall,
        published: [739, 707, 418, 261, 120, 51],
    },
    SpecialKind {
        name: "partly revealed, red-wall",
        revealed: Revealed::Partly,
        belongs: |kind| kind.red_wall,
        published: [257, 263, 245, 239, 244, 186],
    },
    SpecialKind {
        name: "partly revealed, capture-win",
        revealed: Revealed::Partly,
        belongs: |kind| kind.capture_win,
        published: [179, 163, 178, 168, 166, 137],
    },
    SpecialKind {
        name: "partly revealed, both",
        revealed: Revealed::Partly,
        belongs: |kind| kind.red_wall && kind.capture_win,
        published: [81, 96, 100, 98, 107, 67],
    },
];

/// A puzzle's length and kind.
pub(crate) type Classified = (u32, Classification);

/// The wins among the placements, with their kind.
pub(crate) fn classified(
    run: &Run<'_>,
    placed: &[SolvedPlacement],
) -> Result<Vec<Classified>, LabError> {
    let won: Vec<_> = placed.iter().filter_map(|(p, length)| Some((p, (*length)?))).collect();
    let kinds = run_trials_with_solver(
        run,
        "red-wall and capture-win",
        won.len() as u64,
        |solver, number| {
            let (position, length) = won[number as usize];
            let kind = analysis(run, solver, position, length)?.classification;
            kind.map(|kind| (kind.red_wall, kind.capture_win)).ok_or(LabError::Stopped)
        },
    )?;
    let kinds = kinds.into_iter();
    let kinds = kinds.map(|(red_wall, capture_win)| Classification { red_wall, capture_win });
    Ok(won.into_iter().map(|(_, length)| length).zip(kinds).collect())
}

/// Table and figure of the special puzzles among `not` and `partly` revealed ones.
pub(crate) fn shown(
    not: &[Classified],
    partly: &[Classified],
) -> Result<(ResultTable, Figure), LabError> {
    let mut columns = vec!["kind", "plies"];
    columns.extend(COMPARISON_COLUMNS);
    let mut table =
        ResultTable::new("special", "Figure 6: special puzzles among puzzles of a length", columns);
    let mut charts = Vec::new();
    for kind in &KINDS {
        let rows = rows(kind, if kind.revealed == Revealed::None { not } else { partly });
        charts.push(chart(kind, &rows));
        for (plies, ours, paper) in rows {
            let mut row: Vec<Cell> = vec![kind.name.into(), plies.into()];
            row.extend(comparison_cells(ours, paper));
            table.row(row);
        }
    }
    Ok((table, draw("special", &charts, 2)?))
}

/// Length, our share, the published share.
fn rows(kind: &SpecialKind, puzzles: &[Classified]) -> Vec<(u32, Proportion, Option<Proportion>)> {
    let all = if kind.revealed == Revealed::None { &NOT_REVEALED } else { &PARTLY_REVEALED };
    (3..=DEPTH)
        .step_by(2)
        .map(|plies| {
            let these = puzzles.iter().filter(|(length, _)| *length == plies);
            let (mut hits, mut of) = (0, 0);
            these.for_each(|(_, c)| (hits, of) = (hits + u64::from((kind.belongs)(*c)), of + 1));
            let published = LENGTHS.iter().position(|&length| length == plies);
            let paper =
                published.map(|i| Proportion { hits: kind.published[i], of: all.by_length[i] });
            (plies, Proportion { hits, of }, paper)
        })
        .collect()
}

fn chart(kind: &SpecialKind, rows: &[(u32, Proportion, Option<Proportion>)]) -> Chart {
    let point = |plies: u32, share: Proportion, aside: f64| {
        Point::with_interval(f64::from(plies) + aside, share.value(), share.interval())
    };
    let known = rows.iter().filter(|(_, ours, _)| ours.of > 0);
    let ours = known.map(|&(plies, ours, _)| point(plies, ours, -0.12)).collect();
    let paper = rows.iter().filter_map(|&(plies, _, paper)| Some(point(plies, paper?, 0.12)));
    Chart {
        title: kind.name.into(),
        x_label: "M_win, plies".into(),
        y_label: "share of puzzles".into(),
        ticks: plies(3, DEPTH),
        logarithmic: false,
        series: vec![
            Series::new("ours", SeriesStyle::Both, ours),
            Series::new("published collection", SeriesStyle::Points, paper.collect()),
        ],
    }
}
