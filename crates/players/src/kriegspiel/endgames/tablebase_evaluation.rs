//! Evaluation by the tablebase of the visible king.
//!
//! While the king may be on few squares, the depth to mate is nearly exact. While it may be anywhere,
//! it says little, because it ignores how long it takes to find the king: then the heuristic
//! evaluation counts as well.

use super::evaluation::{self, DRAW_COST, EvaluationWeights};
use super::tablebase::{NO_MATE, Tablebase};
use games::kriegspiel::LoneKing;

/// The weight of the average depth to mate.
const AVERAGE_WEIGHT: f32 = 0.6;

/// The weight of the greatest depth to mate.
const WORST_CASE_WEIGHT: f32 = 0.4;

/// The cost of finding the king, for the natural logarithm of the number of its squares.
const LOG_SQUARES_COST: f32 = 1.5;

/// The cost of finding the king, for each of its squares.
const SQUARE_COST: f32 = 0.1;

/// The number of squares at which the heuristic evaluation counts half: the midpoint of a logistic
/// function.
const BLEND_MIDPOINT: f32 = 35.0;

/// The width of the logistic function, in squares.
const BLEND_WIDTH: f32 = 4.0;

/// The depth that stands for a square without a forced mate, such as one next to a hanging piece.
const NO_MATE_COST: f32 = 40.0;

/// The estimated cost of mating, in moves.
pub(super) fn cost(now: &LoneKing, table: &Tablebase, weights: &EvaluationWeights) -> f32 {
    let (mut sum, mut worst) = (0.0, 0.0f32);
    let known = table.for_each_depth(now, |moves| {
        let moves = if moves == NO_MATE { NO_MATE_COST } else { f32::from(moves) };
        sum += moves;
        worst = worst.max(moves);
    });
    if !known {
        return DRAW_COST;
    }
    let count = now.squares().len() as f32;
    let mating = AVERAGE_WEIGHT * sum / count
        + WORST_CASE_WEIGHT * worst
        + LOG_SQUARES_COST * count.ln()
        + SQUARE_COST * count;
    let blend = 1.0 / (1.0 + ((BLEND_MIDPOINT - count) / BLEND_WIDTH).exp());
    if blend < 0.01 { mating } else { mating + blend * evaluation::cost(now, weights) }
}
