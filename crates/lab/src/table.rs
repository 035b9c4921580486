//! Tables as experiments give them: for people as text, for programs as CSV.

use crate::statistics::{Interval, Share};
use std::fmt::Write;

/// What stands in a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A count.
    Count(u64),
    /// A number, shown with so many digits behind the point.
    Number(f64, usize),
    /// Nothing is known, or nothing is published.
    Empty,
}

impl Cell {
    /// The cell as it is shown.
    pub fn shown(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Count(count) => count.to_string(),
            Cell::Number(value, digits) => format!("{value:.digits$}"),
            Cell::Empty => String::new(),
        }
    }

    /// A share in percent.
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

/// A table with a name and a heading.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// What its file is called beside the experiment's name; empty for the main table.
    pub name: &'static str,
    /// One sentence on what it shows.
    pub title: String,
    /// The names of the columns.
    pub columns: Vec<&'static str>,
    /// The rows, each as wide as `columns`.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// An empty table.
    pub fn new(
        name: &'static str,
        title: impl Into<String>,
        columns: impl Into<Vec<&'static str>>,
    ) -> Table {
        Table { name, title: title.into(), columns: columns.into(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl Into<Vec<Cell>>) {
        let cells = cells.into();
        debug_assert_eq!(cells.len(), self.columns.len(), "{}", self.title);
        self.rows.push(cells);
    }

    /// Comma-separated values as RFC 4180 has them, the names of the columns first.
    pub fn csv(&self) -> String {
        let names = self.columns.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(",");
        let rows = self
            .rows
            .iter()
            .map(|row| row.iter().map(|cell| quoted(&cell.shown())).collect::<Vec<_>>().join(","));
        std::iter::once(names).chain(rows).map(|line| line + "\n").collect()
    }

    /// The table for people: columns side by side, numbers to the right.
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

/// The columns of a comparison of shares with published ones.
pub const COMPARED: [&str; 10] =
    ["won", "of", "ours %", "from", "to", "paper %", "paper from", "paper to", "sigma", "agree"];

/// Our share beside the published one: both with their 95 % intervals, how many deviations lie
/// between them, and whether the intervals have a value in common.
pub fn compared(ours: Share, paper: Option<Share>) -> Vec<Cell> {
    let known = |share: Option<Share>| share.filter(|share| share.of > 0);
    let (seen, paper) = (known(Some(ours)), known(paper));
    let mut cells: Vec<Cell> = vec![ours.hits.into(), ours.of.into()];
    cells.extend(with_interval(seen));
    cells.extend(with_interval(paper));
    let both = seen.zip(paper);
    cells.push(
        both.map_or(Cell::Empty, |(ours, paper)| Cell::Number(ours.deviations_from(paper), 1)),
    );
    cells.push(both.map(|(ours, paper)| ours.interval().meets(paper.interval())).into());
    cells
}

/// A share in percent and its interval.
fn with_interval(share: Option<Share>) -> [Cell; 3] {
    let Some(share) = share else { return [Cell::Empty, Cell::Empty, Cell::Empty] };
    let Interval { low, high } = share.interval();
    [share.value(), low, high].map(Cell::percent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_keeps_commas_and_quotes() {
        let mut table = Table::new("", "Two rows", ["a", "b,c"]);
        table.row(["plain".into(), Cell::Count(3)]);
        table.row([Cell::Number(0.5, 2), "he said \"no\"".into()]);
        assert_eq!(table.csv(), "a,\"b,c\"\nplain,3\n0.50,\"he said \"\"no\"\"\"\n");
    }

    #[test]
    fn text_lines_up() {
        let mut table = Table::new("", "Two rows", ["name", "n"]);
        table.row(["x".into(), Cell::Count(3)]);
        table.row(["longer".into(), Cell::Count(12)]);
        assert_eq!(table.text(), "Two rows\nname     n\nx        3\nlonger  12\n");
    }

    #[test]
    fn a_share_stands_beside_the_papers() {
        let ours = Share { hits: 250, of: 1000 };
        assert_eq!(compared(ours, None).len(), COMPARED.len());
        let cells = compared(ours, Some(Share { hits: 900, of: 1000 }));
        assert_eq!(cells.len(), COMPARED.len());
        assert_eq!(cells.last(), Some(&Cell::Text("no".into())));
        let nothing = compared(Share::default(), Some(ours));
        assert_eq!((&nothing[2], nothing.last()), (&Cell::Empty, Some(&Cell::Empty)));
    }
}
