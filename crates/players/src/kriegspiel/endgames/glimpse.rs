//! The estimate where a table tells how long the king would last if it were seen.
//!
//! While few squares are left for the king, that is nearly the truth. While it may be anywhere it is
//! of little use, because it knows no value of finding it: there the look of the region counts too.

use super::estimate::{self, DRAWN, Prices};
use super::sighted::{NEVER, Sighted};
use games::kriegspiel::LoneKing;

/// The average move until mate if the king is seen, in moves.
const AVERAGE: f32 = 0.6;

/// One move until mate from the worst square.
const WORST: f32 = 0.4;

/// What e times as many squares cost, and what each costs: to find the king among them.
const FOLD: f32 = 1.5;
const SQUARE: f32 = 0.1;

/// From about so many squares on, the look of the region counts; it sets in over a few of them.
const MANY: f32 = 35.0;
const A_FEW: f32 = 4.0;

/// What stands for a square from where the king cannot be mated, such as beside a man that hangs.
const LOST: f32 = 40.0;

/// What it takes to mate, in moves.
pub(super) fn cost(now: &LoneKing, table: &Sighted, prices: &Prices) -> f32 {
    let (mut sum, mut worst) = (0.0, 0.0f32);
    let known = table.each(now, |moves| {
        let moves = if moves == NEVER { LOST } else { f32::from(moves) };
        sum += moves;
        worst = worst.max(moves);
    });
    if !known {
        return DRAWN;
    }
    let count = now.squares().len() as f32;
    let seen = AVERAGE * sum / count + WORST * worst + FOLD * count.ln() + SQUARE * count;
    let blurred = 1.0 / (1.0 + ((MANY - count) / A_FEW).exp());
    if blurred < 0.01 { seen } else { seen + blurred * estimate::cost(now, prices) }
}
