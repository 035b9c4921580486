//! P1's published collection, solved again completely: every length and both labels.

use crate::figure::{Chart, Point, Series, SeriesStyle, draw, plies};
use crate::miscount::miscounted;
use crate::statistics::Proportion;
use crate::trials::{analysis, run_trials_with_solver};
use crate::variant::{EscapeDecides, WithoutRedWall, winning_line};
use crate::{Cell, Experiment, Figure, LabError, Report, ResultTable, Run};
use games::geister::{Move, Position};
use geister::reference::{Puzzle, Techniques};
use geister::solver::{Analysis, Revealed, Solver};
use serde::{Deserialize, Serialize};

/// The search depth in plies: two more than the collection's longest win.
const DEPTH: u32 = 19;

/// The node limit of the search for a line that refutes a label.
const MAX_PROOF_NODES: u64 = 10_000_000;

/// The number of puzzles in a small run.
const SMALL_RUN_PUZZLES: u64 = 300;

/// A puzzle as published.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    position: Position,
    m_win: u32,
    red_wall: bool,
    capture_win: bool,
}

/// A wrong published label with the correct one and its proof.
#[derive(Serialize, Deserialize)]
struct Wrong {
    label: String,
    published: String,
    right: String,
    /// The result of the published program, by its way of counting.
    miscounted: Option<u32>,
    proof: String,
}

/// A puzzle solved again.
struct Solved {
    revealed: Revealed,
    m_win: u32,
    wrong: Vec<Wrong>,
}

/// Reads the collection: `kind,counts,wall,cap,length,board`, one puzzle a line.
fn read(text: &str) -> Result<Vec<Entry>, LabError> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let entries: Vec<Entry> = lines
        .map(|(number, line)| {
            entry(line.trim()).map_err(|reason| {
                LabError::Input(format!("line {} of the collection: {reason}", number + 1))
            })
        })
        .collect::<Result<_, _>>()?;
    if entries.is_empty() {
        return Err(LabError::Input("the collection is empty; give its CSV with --file".into()));
    }
    Ok(entries)
}

fn entry(line: &str) -> Result<Entry, String> {
    let fields: Vec<&str> = line.split(',').collect();
    let [_, counts, wall, cap, length, board] = fields[..] else {
        return Err("it does not have six fields (kind, counts, wall, cap, length, board)".into());
    };
    let blue = counts.chars().nth(2).filter(char::is_ascii_digit);
    let blue = blue.ok_or("its counts are not four digits")?;
    let position = format!("{board} {blue}").parse().map_err(|error| format!("{error}"))?;
    let m_win = length.parse().map_err(|_| "its length is no number")?;
    Ok(Entry { position, m_win, red_wall: wall == "wall", capture_win: cap == "cap" })
}

/// Runs the experiment.
pub(crate) fn run(run: &Run<'_>) -> Result<Report, LabError> {
    let text = run.input.ok_or_else(|| {
        LabError::Input("the experiment needs the published collection; give it with --file".into())
    })?;
    let entries = read(text)?;
    let all = entries.len() as u64;
    let number = run.trials(SMALL_RUN_PUZZLES, all).min(all);
    let chosen = |trial: u64| &entries[(trial * all / number) as usize];
    let wrong = run_trials_with_solver(run, "published puzzles", number, |solver, trial| {
        let entry = chosen(trial);
        let analysis = analysis(run, solver, &entry.position, DEPTH)?;
        wrong_labels_of(run, solver, entry, &analysis)
    })?;
    let solved = |(trial, wrong)| {
        let Entry { position, m_win, .. } = chosen(trial);
        Solved { revealed: Revealed::of(position), m_win: *m_win, wrong }
    };
    let solved: Vec<Solved> = (0..).zip(wrong).map(solved).collect();
    Ok(Report {
        experiment: Experiment::Collection,
        settings: vec![
            ("depth", DEPTH.to_string()),
            ("puzzles", number.to_string()),
            ("of", all.to_string()),
        ],
        tables: vec![counts(&solved), wrong_labels(&solved, chosen)],
        figures: vec![figure(&solved)?],
        findings: findings(&solved),
    })
}

fn wrong_labels_of(
    run: &Run<'_>,
    solver: &mut Solver,
    entry: &Entry,
    analysis: &Analysis,
) -> Result<Vec<Wrong>, LabError> {
    let mut wrong = Vec::new();
    let right = crate::trials::win_length(analysis.answer.verdict)?;
    if right != Some(entry.m_win) {
        let counted =
            right.map(|m| miscounted(run, solver, &entry.position, m, DEPTH)).transpose()?;
        wrong.push(Wrong {
            label: "M_win".into(),
            published: entry.m_win.to_string(),
            right: right.map_or(format!("no win within {DEPTH}"), |plies| plies.to_string()),
            miscounted: counted.flatten(),
            proof: line_text(&analysis.line),
        });
    }
    if let Some(kind) = analysis.classification.filter(|_| right == Some(entry.m_win)) {
        let labels = [
            ("red-wall", entry.red_wall, kind.red_wall),
            ("capture-win", entry.capture_win, kind.capture_win),
        ];
        let yes_or_no = |yes: bool| if yes { "yes" } else { "no" }.to_string();
        for (label, published, right) in labels.into_iter().filter(|(_, a, b)| a != b) {
            let line = if right { None } else { counterexample(run, entry, label)? };
            wrong.push(Wrong {
                label: label.into(),
                published: yes_or_no(published),
                right: yes_or_no(right),
                miscounted: None,
                proof: line.map_or(String::new(), |line| line_text(&line)),
            });
        }
    }
    Ok(wrong)
}

/// A line that refutes the label: an equally short win without the third rule, or by escape.
fn counterexample(
    run: &Run<'_>,
    entry: &Entry,
    label: &str,
) -> Result<Option<Vec<Move>>, LabError> {
    let Entry { position, m_win, .. } = *entry;
    if label == "red-wall" {
        return winning_line(run, &WithoutRedWall(position), m_win, MAX_PROOF_NODES);
    }
    let puzzle = EscapeDecides(Puzzle::new(position, Techniques::ALL));
    winning_line(run, &puzzle, m_win - 1, MAX_PROOF_NODES)
}

fn line_text(line: &[Move]) -> String {
    line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

const LABELS: [&str; 3] = ["M_win", "red-wall", "capture-win"];

fn counts(solved: &[Solved]) -> ResultTable {
    let mut table = ResultTable::new(
        "",
        "Labels of the published collection that are wrong",
        ["kind", "label", "published", "right", "puzzles", "of"],
    );
    for (name, revealed) in
        [("not revealed", Revealed::None), ("partly revealed", Revealed::Partly)]
    {
        let these = || solved.iter().filter(move |puzzle| puzzle.revealed == revealed);
        let of = these().count() as u64;
        for label in LABELS {
            let wrong = || these().flat_map(|puzzle| &puzzle.wrong).filter(|w| w.label == label);
            let mut pairs: Vec<(&str, &str)> =
                wrong().map(|w| (w.published.as_str(), w.right.as_str())).collect();
            pairs.sort_unstable();
            pairs.dedup();
            if pairs.is_empty() {
                table.row([
                    name.into(),
                    label.into(),
                    Cell::Empty,
                    Cell::Empty,
                    Cell::Count(0),
                    of.into(),
                ]);
            }
            for (published, right) in pairs {
                let number =
                    wrong().filter(|w| w.published == published && w.right == right).count();
                table.row([
                    name.into(),
                    label.into(),
                    published.into(),
                    right.into(),
                    Cell::Count(number as u64),
                    of.into(),
                ]);
            }
        }
    }
    table
}

fn wrong_labels<'a>(solved: &[Solved], chosen: impl Fn(u64) -> &'a Entry) -> ResultTable {
    let mut table = ResultTable::new(
        "wrong",
        "Every wrong label, with the right value and what shows it",
        ["position", "label", "published", "right", "miscounted", "proof"],
    );
    for (trial, puzzle) in solved.iter().enumerate() {
        for wrong in &puzzle.wrong {
            table.row([
                chosen(trial as u64).position.to_string().into(),
                wrong.label.as_str().into(),
                wrong.published.as_str().into(),
                wrong.right.as_str().into(),
                wrong.miscounted.into(),
                wrong.proof.as_str().into(),
            ]);
        }
    }
    table
}

fn findings(solved: &[Solved]) -> Vec<String> {
    let wrong =
        |label: &str| solved.iter().flat_map(|p| &p.wrong).filter(|w| w.label == label).count();
    let explained = solved.iter().flat_map(|puzzle| &puzzle.wrong).filter(|wrong| {
        wrong.label == "M_win"
            && wrong.miscounted.map(|m| m.to_string()) == Some(wrong.published.clone())
    });
    let clean = solved.iter().filter(|puzzle| puzzle.wrong.is_empty()).count();
    vec![
        format!("{clean} of {} puzzles have no wrong label", solved.len()),
        format!(
            "{} lengths are wrong; counting blues after their capture gives the published one in {}",
            wrong("M_win"),
            explained.count()
        ),
        format!(
            "{} red-wall and {} capture-win labels are wrong",
            wrong("red-wall"),
            wrong("capture-win")
        ),
    ]
}

fn figure(solved: &[Solved]) -> Result<Figure, LabError> {
    let share = |label: &str, plies: u32| {
        let these = || solved.iter().filter(|p| p.m_win == plies && p.revealed == Revealed::Partly);
        let wrong = these().filter(|puzzle| puzzle.wrong.iter().any(|w| w.label == label));
        Proportion { hits: wrong.count() as u64, of: these().count() as u64 }
    };
    let series = LABELS.into_iter().zip([-0.15, 0.0, 0.15]).map(|(label, aside)| {
        let shares = (7..=17).step_by(2).map(|plies| (plies, share(label, plies)));
        let points = shares.filter(|(_, share)| share.of > 0).map(|(plies, share)| {
            let to_percent = share.interval().times(100.0);
            Point::with_interval(f64::from(plies) + aside, 100.0 * share.value(), to_percent)
        });
        Series::new(label, SeriesStyle::Both, points.collect())
    });
    let chart = Chart {
        title: "Wrong labels of partly revealed puzzles".into(),
        x_label: "published M_win, plies".into(),
        y_label: "percent of the puzzles".into(),
        ticks: plies(7, 17),
        logarithmic: false,
        series: series.collect(),
    };
    draw("", &[chart], 1)
}
