//! How maximax judges a metaposition of phantom tic-tac-toe.

use games::phantom_tic_tac_toe::{LINES, Metaposition, Square, Squares};
use play::maximax::Evaluation;
use search::maximax::Value;

/// A mark that completes a line, if its square is empty.
const WIN: f64 = 1_000.0;
/// A mark that stops a line of the opponent, if the other two squares are the opponent's.
const BLOCK: f64 = 100.0;
/// An open line by the number of own marks in it.
const OPEN_LINE: [f64; 4] = [0.0, 1.0, 6.0, 0.0];
/// Finding a mark of the opponent: the turn is kept.
const INFORMATION: f64 = 2.0;

/// Judges a try by the lines that it completes, stops and leaves open.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lines;

impl Evaluation<Metaposition> for Lines {
    fn value(&self, before: &Metaposition, square: Square, after: &Metaposition) -> Value {
        let own = before.own().with(square);
        let taken = before.probability(square);
        if own.has_line() {
            // A refused try costs nothing, so that it comes before all that does not win.
            return if taken == 0.0 { Value::WON } else { Value::Score(WIN * (2.0 - taken)) };
        }
        // The search foresees only games that continue: it must not rely on the opponent to miss a
        // line that is known to be open.
        if after.own().has(square) && is_threatened(after) {
            return Value::LOST;
        }
        let stopped: f64 = LINES
            .iter()
            .filter(|line| line.has(square))
            .map(|&line| opponent_has(before, line, square))
            .sum();
        let open: f64 = LINES.iter().map(|&line| open_line(before, own, line)).sum();
        Value::Score(BLOCK * stopped + (1.0 - taken) * open + taken * INFORMATION)
    }

    fn alpha(&self, _: &Metaposition) -> f64 {
        0.7
    }
}

/// Whether two marks of the opponent are known in a line that has no own mark.
fn is_threatened(meta: &Metaposition) -> bool {
    let is_open = |line: Squares| (line - meta.own()).len() == 3;
    LINES.iter().any(|&line| is_open(line) && (line - meta.certain()).len() == 1)
}

/// The probability that the opponent has the other two squares of a line.
fn opponent_has(meta: &Metaposition, line: Squares, square: Square) -> f64 {
    let others = line.iter().filter(|&one| one != square);
    others.map(|one| meta.probability(one)).product()
}

/// What a line is worth with the own marks in it, by the probability that the rest of it is empty.
fn open_line(meta: &Metaposition, own: Squares, line: Squares) -> f64 {
    let rest = line - own;
    let empty: f64 = rest.iter().map(|one| 1.0 - meta.probability(one)).product();
    OPEN_LINE[line.len() - rest.len()] * empty
}
