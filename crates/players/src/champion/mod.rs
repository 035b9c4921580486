//! `champion`: the strongest player here.
//!
//! At both ends it proves: a win that the solver finds it plays, and no move of its gives the
//! opponent a sure win within five plies. In between it bluffs. For each of its moves it asks what
//! somebody who sees no colours would answer (the module `pretense`), plays that answer, and searches what
//! has become of the true position, its own colours known. So it finds out by itself that a red
//! that runs for an exit has to be captured, that each captured red binds the opponent's hands, and
//! that the blues then walk past.
//!
//! Against opponents who do not fear the worst it leans on nothing: every step is one that its own
//! worst case allows.

mod pretense;
mod reach;

use crate::careful::{proven_win, safe_moves};
use crate::history::History;
use crate::player::{Player, Thinking};
use crate::purple::{End, Evaluate, Purple, Search, Value, WON};
use crate::random::any_placement;
use endgame::solver::Solver;
use games::geister::{Move, Placement, Standard};
use pretense::Pretense;
use reach::{NEAR, out, out_below};

/// Plies that the opponent is thought to look ahead after its reply.
const THEIR_DEPTH: u32 = 2;
/// Replies that are followed.
const REPLIES: usize = 3;
/// Plies that the true position is searched after a reply. Three were no better in 60 games.
const OWN_DEPTH: u32 = 2;
/// A decided value counts as much as this when replies are averaged: likely is not sure.
const SURE: Value = 20_000;

/// The champion.
pub struct Champion {
    solver: Solver,
    search: Search<Worth>,
}

impl Default for Champion {
    fn default() -> Champion {
        Champion { solver: Solver::new(4 << 20), search: Search::new(Worth) }
    }
}

impl Player<Standard> for Champion {
    fn place(&mut self, thinking: &Thinking) -> Placement<Standard> {
        any_placement(&mut thinking.chance(0))
    }

    fn choose(&mut self, history: &History, thinking: &Thinking) -> Move {
        let now = history.now();
        if let Some(mv) = proven_win(&mut self.solver, now, thinking.time / 2) {
            return mv;
        }
        self.best_of(&Purple::new(now), &safe_moves(now))
    }
}

impl Champion {
    /// The move that is worth most after the likely replies.
    fn best_of(&mut self, position: &Purple, moves: &[Move]) -> Move {
        let (mut best, mut most) = (moves[0], Value::MIN);
        for &mv in moves {
            let worth = self.worth(position, mv);
            if worth > most {
                (best, most) = (mv, worth);
            }
        }
        best
    }

    /// What a move is worth on average over the replies.
    fn worth(&mut self, position: &Purple, mv: Move) -> Value {
        let Move::Step { from, to } = mv else { return WON };
        let after = match position.step(from, to) {
            Err(End::Won) => return WON,
            Err(End::Lost) => return -WON,
            Ok(after) => after,
        };
        let replies = Pretense::of(&after).likely_replies(THEIR_DEPTH, REPLIES);
        let sum: Value = replies
            .iter()
            .map(|&(from, to)| match after.step(from, to) {
                Err(End::Won) => SURE,
                Err(End::Lost) => -SURE,
                Ok(next) => self.search.value_of(&next, OWN_DEPTH).clamp(-SURE, SURE),
            })
            .sum();
        sum / (replies.len().max(1) as Value)
    }
}

/// Material, ways to the exits, and how far everybody has come. Few own reds are good: the opponent
/// may not capture the last one.
#[derive(Clone, Copy, Debug, Default)]
struct Worth;

impl Evaluate for Worth {
    fn value(&self, position: &Purple) -> Value {
        let Purple { blue, red, others, others_red, own_turn } = *position;
        let own = blue.map(|square| NEAR[out(square)]).max().unwrap_or(0);
        let bluff = red.map(|square| NEAR[out(square)]).max().unwrap_or(0) / 3;
        let rows: Value = (blue | red).map(|square| square.row() as Value).sum();
        let danger = others.map(|square| NEAR[out_below(square)]).max().unwrap_or(0);
        let reds = [0, 400, 200, 100, 0][red.count().min(4) as usize];
        let prey = [-500, -120, -45, -15, 0][others_red.min(4) as usize];
        let turn = if own_turn { 6 } else { -6 };
        120 * blue.count() as Value + reds + own + bluff + 2 * rows - danger + prey + turn
            - 10 * others.count() as Value
    }
}
