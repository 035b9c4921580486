//! Result tables of experiments, formatted as text or CSV.

use crate::statistics::{Interval, Proportion};
use std::fmt::Write;

/// A table cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A text.
    Text(String),
    /// A count.
    Count(u64),
    /// A number with its decimal places.
    Number(f64, usize),
    /// An unknown or unpublished value.
    Empty,
}

impl Cell {
    /// The text of the cell.
    pub fn shown(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Count(count) => count.to_string(),
            Cell::Number(value, digits) => format!("{value:.digits$}"),
            Cell::Empty => String::new(),
        }
    }

    /// A proportion in percent.
    pub fn percent(value: f64) -> Cell {
        Cell::Number(100.0 * value, 3)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.into())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl From<u64> for Cell {
    fn from(count: u64) -> Cell {
        Cell::Count(count)
    }
}

impl From<u32> for Cell {
    fn from(count: u32) -> Cell {
        Cell::Count(count.into())
    }
}

impl From<bool> for Cell {
    fn from(yes: bool) -> Cell {
        Cell::Text(if yes { "yes" } else { "no" }.into())
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Cell {
        value.map_or(Cell::Empty, Into::into)
    }
}

/// A result table.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultTable {
    /// The file name suffix after the experiment's name; empty for the main table.
    pub name: &'static str,
    /// One sentence that describes it.
    pub title: String,
    /// The names of the columns.
    pub columns: Vec<&'static str>,
    /// The rows, each as wide as `columns`.
    pub rows: Vec<Vec<Cell>>,
}

impl ResultTable {
    /// An empty table.
    pub fn new(
        name: &'static str,
        title: impl Into<String>,
        columns: impl Into<Vec<&'static str>>,
    ) -> ResultTable {
        ResultTable { name, title: title.into(), columns: columns.into(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl Into<Vec<Cell>>) {
        let cells = cells.into();
        debug_assert_eq!(cells.len(), self.columns.len(), "{}", self.title);
        self.rows.push(cells);
    }

    /// The table as CSV (RFC 4180), with a header.
    pub fn csv(&self) -> String {
        let names = self.columns.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(",");
        let rows = self
            .rows
            .iter()
            .map(|row| row.iter().map(|cell| quoted(&cell.shown())).collect::<Vec<_>>().join(","));
        std::iter::once(names).chain(rows).map(|line| line + "\n").collect()
    }

    /// The table as aligned text, numbers right-aligned.
    pub fn text(&self) -> String {
        let shown: Vec<Vec<String>> =
            self.rows.iter().map(|row| row.iter().map(Cell::shown).collect()).collect();
        let widths: Vec<usize> = self
            .columns
            .iter()
            .enumerate()
            .map(|(i, name)| {
                let widest = shown.iter().filter_map(|row| row.get(i)).map(|c| c.chars().count());
                widest.chain([name.chars().count()]).max().unwrap_or(0)
            })
            .collect();
        let is_text =
            |i: usize| self.rows.iter().any(|row| matches!(row.get(i), Some(Cell::Text(_))));
        let line = |cells: Vec<&str>| {
            let mut line = String::new();
            for (i, (cell, width)) in cells.iter().zip(&widths).enumerate() {
                let _ = if is_text(i) {
                    write!(line, "{cell:<width$}  ")
                } else {
                    write!(line, "{cell:>width$}  ")
                };
            }
            line.trim_end().to_string() + "\n"
        };
        let mut text = format!("{}\n{}", self.title, line(self.columns.clone()));
        for row in &shown {
            text += &line(row.iter().map(String::as_str).collect());
        }
        text
    }
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}

/// The columns of a comparison between our proportion and the published one.
pub const COMPARISON_COLUMNS: [&str; 10] =
    ["won", "of", "ours %", "from", "to", "paper %", "paper from", "paper to", "sigma", "agree"];

/// The cells of [`COMPARISON_COLUMNS`]: our proportion and the published one with their 95 %
/// confidence intervals, the z-score of the difference, and whether the intervals overlap. The last
/// two are empty if our sample is too small to differ: with the published proportion fewer than five
/// hits, or misses, would be expected in it.
pub fn comparison_cells(ours: Proportion, paper: Option<Proportion>) -> Vec<Cell> {
    let known = |share: Option<Proportion>| share.filter(|share| share.of > 0);
    let (seen, paper) = (known(Some(ours)), known(paper));
    let mut cells: Vec<Cell> = vec![ours.hits.into(), ours.of.into()];
    cells.extend(with_interval(seen));
    cells.extend(with_interval(paper));
    let is_large = |ours: Proportion, paper: Proportion| {
        let hits = ours.of as f64 * paper.value();
        hits.min(ours.of as f64 - hits) >= 5.0
    };
    let both = seen.zip(paper).filter(|&(ours, paper)| is_large(ours, paper));
    cells.push(both.map_or(Cell::Empty, |(ours, paper)| Cell::Number(ours.z_score(paper), 1)));
    cells.push(both.map(|(ours, paper)| ours.interval().overlaps(paper.interval())).into());
    cells
}

/// A proportion in percent with its interval.
fn with_interval(share: Option<Proportion>) -> [Cell; 3] {
    let Some(share) = share else { return [Cell::Empty, Cell::Empty, Cell::Empty] };
    let Interval { low, high } = share.interval();
    [share.value(), low, high].map(Cell::percent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_keeps_commas_and_quotes() {
        let mut table = ResultTable::new("", "Two rows", ["a", "b,c"]);
        table.row(["plain".into(), Cell::Count(3)]);
        table.row([Cell::Number(0.5, 2), "he said \"no\"".into()]);
        assert_eq!(table.csv(), "a,\"b,c\"\nplain,3\n0.50,\"he said \"\"no\"\"\"\n");
    }

    #[test]
    fn text_lines_up() {
        let mut table = ResultTable::new("", "Two rows", ["name", "n"]);
        table.row(["x".into(), Cell::Count(3)]);
        table.row(["longer".into(), Cell::Count(12)]);
        assert_eq!(table.text(), "Two rows\nname     n\nx        3\nlonger  12\n");
    }

    #[test]
    fn a_share_stands_beside_the_papers() {
        let ours = Proportion { hits: 250, of: 1000 };
        assert_eq!(comparison_cells(ours, None).len(), COMPARISON_COLUMNS.len());
        let cells = comparison_cells(ours, Some(Proportion { hits: 900, of: 1000 }));
        assert_eq!(cells.len(), COMPARISON_COLUMNS.len());
        assert_eq!(cells.last(), Some(&Cell::Text("no".into())));
        let few = comparison_cells(
            Proportion { hits: 1, of: 2 },
            Some(Proportion { hits: 900, of: 1000 }),
        );
        assert_eq!((&few[0], few.last()), (&Cell::Count(1), Some(&Cell::Empty)), "two trials");
        let nothing = comparison_cells(Proportion::default(), Some(ours));
        assert_eq!((&nothing[2], nothing.last()), (&Cell::Empty, Some(&Cell::Empty)));
    }
}
