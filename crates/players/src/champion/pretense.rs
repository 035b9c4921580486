//! The game as it looks to somebody who sees no colours at all: every ghost of either side may leave,
//! and every ghost that is captured turns out red. What a cautious opponent does in it is what we
//! expect of the others, who do not see which of our ghosts are red.

use super::reach::{NEAR, out, out_below};
use crate::purple::Purple;
use games::geister::{Bitboard, Board, Square, Standard};

/// A position without colours, the own home at the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pretense {
    own: Bitboard,
    others: Bitboard,
    /// Reds of the others that are left: the last one must not be captured.
    others_red: u32,
    /// Own reds that are left, likewise.
    own_red: u32,
    own_turn: bool,
}

/// A value for the own side.
type Value = i32;

/// More than any evaluation.
const WON: Value = 100_000;

impl Pretense {
    /// How a position looks.
    pub(super) fn of(position: &Purple) -> Pretense {
        Pretense {
            own: position.blue | position.red,
            others: position.others,
            others_red: position.others_red,
            own_red: position.red.count(),
            own_turn: position.own_turn,
        }
    }

    /// The position after a step, or what that is worth if it ends the game.
    fn step(&self, from: Square, to: Square) -> Result<Pretense, Value> {
        let (from, to) = (from.bit(), to.bit());
        let mut after = Pretense { own_turn: !self.own_turn, ..*self };
        if self.own_turn {
            after.own = self.own.without(from) | to;
            if self.others.meets(to) {
                after.others = self.others.without(to);
                after.others_red -= 1;
                if after.others_red == 0 {
                    return Err(-WON);
                }
            }
        } else {
            after.others = self.others.without(from) | to;
            if self.own.meets(to) {
                after.own = self.own.without(to);
                after.own_red -= 1;
                if after.own_red == 0 {
                    return Err(WON);
                }
            }
        }
        Ok(after)
    }

    fn value(&self, depth: u32, mut alpha: Value, mut beta: Value, ply: Value) -> Value {
        if self.own_turn && self.own.meets(Standard::BOTTOM_EXITS) {
            return WON - ply;
        }
        if !self.own_turn && self.others.meets(Standard::TOP_EXITS) {
            return ply - WON;
        }
        if depth == 0 {
            return self.estimate();
        }
        let army = if self.own_turn { self.own } else { self.others };
        let mut best = if self.own_turn { -2 * WON } else { 2 * WON };
        for from in army {
            for to in from.bit().neighbours::<Standard>().without(army) {
                let value = match self.step(from, to) {
                    Err(end) => end - end.signum() * ply,
                    Ok(after) => after.value(depth - 1, alpha, beta, ply + 1),
                };
                if self.own_turn {
                    best = best.max(value);
                    alpha = alpha.max(value);
                } else {
                    best = best.min(value);
                    beta = beta.min(value);
                }
                if alpha >= beta {
                    return best;
                }
            }
        }
        best
    }

    /// Who is nearer to an exit, who may still capture, who has more ghosts.
    fn estimate(&self) -> Value {
        let own = self.own.map(|square| NEAR[out(square)]).max().unwrap_or(0);
        let others = self.others.map(|square| NEAR[out_below(square)]).max().unwrap_or(0);
        let freedom = |reds_left: u32| [-500, -120, -45, -15, 0][reds_left.min(4) as usize];
        let ghosts = self.own.count() as Value - self.others.count() as Value;
        let turn = if self.own_turn { 6 } else { -6 };
        own - others + freedom(self.others_red) - freedom(self.own_red) + 10 * ghosts + turn
    }

    /// The replies of the others that seem best to them `depth` plies deep, and those nearly as
    /// good: up to `most`.
    pub(super) fn likely_replies(&self, depth: u32, most: usize) -> Vec<(Square, Square)> {
        /// Replies that differ by less are as likely.
        const NEARLY: Value = 5;
        let mut replies: Vec<((Square, Square), Value)> = Vec::new();
        for from in self.others {
            for to in from.bit().neighbours::<Standard>().without(self.others) {
                let value = match self.step(from, to) {
                    Err(end) => end,
                    Ok(after) => after.value(depth, -2 * WON, 2 * WON, 1),
                };
                replies.push(((from, to), value));
            }
        }
        replies.sort_by_key(|(_, value)| *value);
        let best = replies.first().map_or(0, |(_, value)| *value);
        let likely = replies.into_iter().take_while(|(_, value)| *value <= best + NEARLY);
        likely.take(most).map(|(reply, _)| reply).collect()
    }
}
