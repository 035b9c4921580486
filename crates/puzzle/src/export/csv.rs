//! Puzzles as comma-separated values: a header, then one row a puzzle.
//!
//! | column | meaning |
//! | --- | --- |
//! | `id`, `position`, `m_win`, `revealed`, `red_wall`, `capture_win` | as in the [record](crate::record) |
//! | `themes` | names of the themes, a blank between |
//! | `keys`, `winning_first_moves`, `purity`, `futile_plies` | the [quality](crate::quality) |
//! | `idle` | squares of the idle ghosts, a blank between |
//! | `line` | the main line, a blank between moves |
//! | `source`, `trial`, `seed` | what made it: `random`, `reverse`, `mined` or `given` |
//! | `difficulty`, `interest`, `basis` | the [grade](crate::grade), if it was graded |
//!
//! Rows end with a line feed; a field with a comma, a quote or a line break is quoted as RFC 4180
//! has it.

use crate::grade::Grade;
use crate::record::{Puzzle, revealed_name};
use std::borrow::Cow;
use std::fmt::Display;

/// The header, with its line break.
pub const HEADER: &str = "id,position,m_win,revealed,red_wall,capture_win,themes,keys,\
                          winning_first_moves,purity,idle,futile_plies,line,source,trial,seed,\
                          difficulty,interest,basis\n";

/// The row of a puzzle, with its line break.
pub fn row(puzzle: &Puzzle) -> String {
    let Puzzle { quality, origin, .. } = puzzle;
    let grade = puzzle.grade.as_ref().map(|graded| &graded.grade);
    let graded = |text: fn(&Grade) -> String| grade.map(text).unwrap_or_default();
    let fields = [
        puzzle.id(),
        puzzle.position.to_string(),
        puzzle.m_win.to_string(),
        revealed_name(puzzle.revealed()).to_string(),
        puzzle.red_wall.to_string(),
        puzzle.capture_win.to_string(),
        joined(&puzzle.themes),
        quality.keys.to_string(),
        quality.winning_first_moves.to_string(),
        format!("{:.3}", quality.purity),
        joined(&quality.idle),
        quality.futile_plies.map_or_else(String::new, |plies| plies.to_string()),
        joined(&puzzle.line),
        origin.kind.name().to_string(),
        origin.trial.to_string(),
        origin.seed.to_string(),
        graded(|grade| format!("{:.2}", grade.difficulty)),
        graded(|grade| format!("{:.2}", grade.interest)),
        graded(|grade| grade.basis.name().to_string()),
    ];
    fields.each_ref().map(|field| quoted(field)).join(",") + "\n"
}

fn joined(items: impl IntoIterator<Item = impl Display>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(" ")
}

/// A field, in quotes if it needs them.
fn quoted(field: &str) -> Cow<'_, str> {
    if field.contains([',', '"', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", field.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::sample;

    #[test]
    fn a_row_has_the_columns_of_the_header() {
        assert_eq!(
            row(&sample::puzzle()),
            format!(
                "{},6/4u1/B5/6/6/Ru4 1,5,none,true,false,red-wall solo,1,1,0.667,b1 e5,0,\
                 a4a5 b1c1 a5a6 c1b1 a6-out,given,3,7,,,\n",
                sample::puzzle().id()
            )
        );
        let columns = |text: &str| text.split(',').count();
        assert_eq!(columns(&row(&sample::puzzle())), columns(HEADER));
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(quoted("plain text"), "plain text");
        assert_eq!(quoted("a,b"), "\"a,b\"");
        assert_eq!(quoted("say \"boo\""), "\"say \"\"boo\"\"\"");
        assert_eq!(quoted("two\nlines"), "\"two\nlines\"");
        assert_eq!(quoted("two\rlines"), "\"two\rlines\"");
    }
}
