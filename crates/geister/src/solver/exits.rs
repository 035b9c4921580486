//! What can be said about the exits without searching.
//!
//! ```text
//!   a corner:   exit   beside        a blue ghost beside an exit walks in and leaves,
//!               beside   .           unless somebody stands on the other square beside it
//! ```
//!
//! All of it is exact: a *threat* is a win, and a *walk* is a lower bound on every win by escape
//! against a top side that only waits.

use super::goal::GoalRules;
use crate::board::{BOTTOM_EXITS, TOP_EXITS, neighbours};
use crate::state::{State, at_most_one};
use games::geister::{Bitboard, Square};

/// An exit and the two squares beside it.
struct Corner {
    exit: Bitboard,
    beside: [Bitboard; 2],
}

const fn bit(column: u32, row: u32) -> Bitboard {
    match Square::at(column, row) {
        Some(square) => square.bit(),
        None => panic!("outside the board"),
    }
}

const OWN_CORNERS: [Corner; 2] = [
    Corner { exit: bit(0, 5), beside: [bit(0, 4), bit(1, 5)] },
    Corner { exit: bit(5, 5), beside: [bit(5, 4), bit(4, 5)] },
];
const TOP_CORNERS: [Corner; 2] = [
    Corner { exit: bit(0, 0), beside: [bit(0, 1), bit(1, 0)] },
    Corner { exit: bit(5, 0), beside: [bit(5, 1), bit(4, 0)] },
];

/// The squares beside an exit of the bottom side.
const OWN_BESIDE: Bitboard = neighbours(BOTTOM_EXITS);
/// The squares beside an exit of the top side.
const TOP_BESIDE: Bitboard = neighbours(TOP_EXITS);
/// The bottom side's exits and the squares beside them: nothing else can change whether it
/// threatens to walk out.
pub(super) const OWN_CORNER_SQUARES: Bitboard = Bitboard(BOTTOM_EXITS.0 | OWN_BESIDE.0);

/// The farthest that two squares can be apart, and one more.
const DISTANCES: usize = 12;

/// For each distance, the squares at most that far from `target`.
const fn within(target: Bitboard) -> [Bitboard; DISTANCES] {
    let mut sets = [target; DISTANCES];
    let mut distance = 1;
    while distance < DISTANCES {
        sets[distance] = Bitboard(sets[distance - 1].0 | neighbours(sets[distance - 1]).0);
        distance += 1;
    }
    sets
}

static CORNER_DISTANCES: [NearCorner; 2] =
    [NearCorner::new(&OWN_CORNERS[0]), NearCorner::new(&OWN_CORNERS[1])];
static TOP_DISTANCES: [[Bitboard; DISTANCES]; 2] =
    [within(TOP_CORNERS[0].exit), within(TOP_CORNERS[1].exit)];
static NEAR_TOP_EXITS: [Bitboard; DISTANCES] = within(TOP_EXITS);

#[inline(always)]
fn near_top_exit(steps: u8) -> Bitboard {
    NEAR_TOP_EXITS[(steps as usize).min(DISTANCES - 1)]
}
static NEAR_OWN_EXITS: [Bitboard; DISTANCES] = within(BOTTOM_EXITS);

/// The squares from which an own exit is at most `steps` away.
#[inline(always)]
pub(super) fn near_own_exit(steps: u8) -> Bitboard {
    NEAR_OWN_EXITS[(steps as usize).min(DISTANCES - 1)]
}

#[inline(always)]
fn distance(from: Bitboard, near: &[Bitboard; DISTANCES]) -> u8 {
    let mut steps = 0;
    while steps < DISTANCES - 1 && !from.meets(near[steps]) {
        steps += 1;
    }
    steps as u8
}

/// Steps from the nearest of these squares to an own exit.
#[inline(always)]
pub(super) fn steps_to_own_exit(from: Bitboard) -> u8 {
    distance(from, &NEAR_OWN_EXITS)
}

impl State {
    /// With the bottom side to move and no blue on an exit: a blue walks into an exit where nobody
    /// can capture it, and leaves with its second move.
    #[inline(always)]
    pub(super) fn own_threat(&self, rules: &GoalRules) -> bool {
        if !self.blue.meets(OWN_BESIDE) || self.leavers().meets(rules.top_exits) {
            return false;
        }
        let top = self.opponent();
        let closed = self.closed_to_own();
        OWN_CORNERS.iter().any(|corner| {
            let [first, second] = corner.beside;
            rules.own_exits.meets(corner.exit)
                && !closed.meets(corner.exit)
                && (self.blue.meets(first) && !top.meets(second)
                    || self.blue.meets(second) && !top.meets(first))
        })
    }

    /// Squares that no own ghost may enter: own ones, and captures that lose at once.
    #[inline(always)]
    pub(super) fn closed_to_own(&self) -> Bitboard {
        self.own() | self.opponent().without(self.capturable_by_own())
    }

    /// With the top side to move and no own blue on an exit: a ghost walks into an exit where
    /// nobody may capture it, and leaves. The bottom side has lost.
    #[inline(always)]
    pub(super) fn top_threat(&self, rules: &GoalRules) -> bool {
        let near = self.leavers() & TOP_BESIDE;
        if near.is_empty() {
            return false;
        }
        let own = self.own();
        let closed = self.opponent() | own.without(self.capturable_by_opponent(rules));
        let untouchable = near.without(self.capturable_by_own());
        TOP_CORNERS.iter().any(|corner| {
            let [first, second] = corner.beside;
            rules.top_exits.meets(corner.exit)
                && !closed.meets(corner.exit)
                && (untouchable.meets(first | second)
                    || near.meets(first) && !own.meets(second)
                    || near.meets(second) && !own.meets(first))
        })
    }

    /// With the bottom side to move: own moves until a blue has left that runs for an exit before
    /// anybody can be there, or before the top side has left; `None` if there is no such run.
    ///
    /// With `d` steps to go, the top side can stop it only with a ghost at most `d` steps from the
    /// exit, wherever they would meet.
    #[inline(always)]
    pub(super) fn own_run(&self, rules: &GoalRules) -> Option<u8> {
        let (top, leavers) = (self.opponent(), self.leavers());
        let runs = CORNER_DISTANCES.iter().filter_map(|near| {
            let steps = distance(self.blue, &near.exit);
            let nearer = near.exit[steps.saturating_sub(1) as usize];
            let free = rules.own_exits.meets(near.exit[0])
                && !top.meets(near.exit[steps as usize])
                && !self.red.meets(nearer)
                && !leavers.meets(near_top_exit(steps.saturating_sub(1)));
            free.then_some(steps + 1)
        });
        runs.min()
    }

    /// With the top side to move: a ghost runs for an exit before anybody can be there, or before
    /// the bottom side has left. The bottom side has lost.
    #[inline(always)]
    pub(super) fn top_run(&self, rules: &GoalRules) -> bool {
        let own = self.own();
        TOP_DISTANCES.iter().any(|near| {
            let steps = distance(self.leavers(), near);
            let nearer = steps.saturating_sub(1);
            rules.top_exits.meets(near[0])
                && !own.meets(near[steps as usize])
                && !self.shown_red.meets(near[nearer as usize])
                && !self.blue.meets(near_own_exit(nearer))
        })
    }

    /// Where a ghost of the top side must go to stop every [`State::own_threat`]: capture the blue,
    /// stand beside the exit, or threaten to leave first. A ghost that must not be captured may
    /// also stop it on the exit itself.
    #[inline(always)]
    pub(super) fn stops_of_own_threat(&self) -> Bitboard {
        let top = self.opponent();
        let capturable = self.capturable_by_own();
        let closed = self.own() | top.without(capturable);
        let mut stops = TOP_EXITS;
        for corner in &OWN_CORNERS {
            let [first, second] = corner.beside;
            for (walker, guard) in [(first, second), (second, first)] {
                if self.blue.meets(walker) && !closed.meets(corner.exit) && !top.meets(guard) {
                    stops |= walker | guard;
                    if capturable != top {
                        stops |= corner.exit;
                    }
                }
            }
        }
        stops
    }

    /// Whether the top side can wait: some ghost of its away from the bottom side's exits can step
    /// to and fro, out of reach, while the bottom side makes `moves` moves.
    #[inline(always)]
    pub(super) fn top_can_wait(&self, moves: u8) -> bool {
        let mut reach = self.own();
        for _ in 0..moves {
            reach |= neighbours(reach);
        }
        let top = self.opponent();
        let waiters = top.without(OWN_CORNER_SQUARES).without(reach);
        neighbours(waiters).without(reach | top).any()
    }

    /// Whether the top side can wait once, whatever single move the bottom side makes first: two
    /// ghosts of its away from the bottom side's exits have two empty squares each.
    #[inline(always)]
    pub(super) fn top_has_two_waiters(&self) -> bool {
        let occupied = self.own() | self.opponent();
        let waits = |square: &Square| !at_most_one(neighbours(square.bit()).without(occupied));
        self.opponent().without(OWN_CORNER_SQUARES).filter(waits).nth(1).is_some()
    }

    /// Own moves that an escape takes at least if the top side waits, and captures only a blue on
    /// an exit with a ghost that stands beside it.
    #[inline(always)]
    pub(super) fn walk(&self) -> u8 {
        let capturable = self.capturable_by_own();
        let [left, right] = &CORNER_DISTANCES;
        self.walk_to(capturable, left).min(self.walk_to(capturable, right))
    }

    #[inline(always)]
    fn walk_to(&self, capturable: Bitboard, near: &NearCorner) -> u8 {
        let top = self.opponent();
        let guards = near.beside.each_ref().map(|beside| top & beside[0]);
        if top.without(capturable).meets(near.exit[0]) {
            return NEVER;
        }
        let steps = distance(self.blue, &near.exit);
        if guards[0].is_empty() && guards[1].is_empty() {
            // An own red on the exit has to step aside first.
            return steps + 1 + u8::from(self.red.meets(near.exit[0]));
        }
        // One blue lures the guard into the exit, and another follows.
        let lure = if at_most_one(self.blue) { NEVER } else { 2 * steps + 1 };
        if (guards[0] | guards[1]).without(capturable).any() {
            return lure;
        }
        let through = near.beside.each_ref().map(|beside| distance(self.blue, beside) + 2);
        let capture = near.beside.each_ref().map(|beside| distance(self.own(), beside));
        let force = match (guards[0].any(), guards[1].any()) {
            (true, true) => (through[0] + capture[1]).min(through[1] + capture[0]),
            (true, false) => through[0].min(capture[0] + steps + 1),
            _ => through[1].min(capture[1] + steps + 1),
        };
        force.min(lure)
    }
}

/// A walk that leads nowhere while the top side waits.
const NEVER: u8 = 60;

/// The squares by their distance from each square of a corner.
struct NearCorner {
    exit: [Bitboard; DISTANCES],
    beside: [[Bitboard; DISTANCES]; 2],
}

impl NearCorner {
    const fn new(corner: &Corner) -> NearCorner {
        NearCorner {
            exit: within(corner.exit),
            beside: [within(corner.beside[0]), within(corner.beside[1])],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_help::{Both, Seen, own_turns, top_turns, wins_within};
    use super::*;
    use crate::board::ALL_SQUARES;

    /// With the top side to move: nobody can leave at once.
    fn nobody_at_an_exit(state: &State) -> bool {
        !state.blue.meets(BOTTOM_EXITS) && !state.leavers().meets(TOP_EXITS)
    }

    #[test]
    fn an_own_threat_wins_in_two_moves() {
        let mut seen = Seen::default();
        for both in own_turns(42, 6000) {
            if !both.state.blue.meets(BOTTOM_EXITS) && both.state.own_threat(&both.rules) {
                seen.expect(both.wins_within(3), true, &both.position);
            }
        }
        seen.enough(500);
    }

    #[test]
    fn an_own_run_wins_in_time() {
        let mut seen = Seen::default();
        for both in own_turns(43, 2000) {
            if let Some(moves @ ..=5) = both.state.own_run(&both.rules) {
                seen.expect(both.wins_within(2 * u32::from(moves) - 1), true, &both.position);
            }
        }
        seen.enough(200);
    }

    #[test]
    fn after_a_top_threat_there_is_no_win() {
        let mut seen = Seen::default();
        for both in top_turns(44, 6000) {
            if nobody_at_an_exit(&both.state) && both.state.top_threat(&both.rules) {
                seen.expect(both.wins_within(10), false, &both.position);
            }
        }
        seen.enough(200);
    }

    #[test]
    fn after_a_top_run_there_is_no_win() {
        let mut seen = Seen::default();
        for both in top_turns(45, 2000) {
            if nobody_at_an_exit(&both.state) && both.state.top_run(&both.rules) {
                seen.expect(both.wins_within(12), false, &both.position);
            }
        }
        seen.enough(200);
    }

    #[test]
    fn what_does_not_stop_an_own_threat_loses() {
        let mut seen = Seen::default();
        for Both { position, state, rules } in top_turns(46, 12_000) {
            if !nobody_at_an_exit(&state) || !state.own_threat(&rules) {
                continue;
            }
            let stops = state.stops_of_own_threat();
            for mv in position.legal_moves() {
                if mv.to().is_some_and(|to| !stops.has(to)) {
                    let after = position.play_unchecked(mv);
                    seen.expect(wins_within(&after, 3), true, &after);
                }
            }
        }
        seen.enough(2000);
    }

    #[test]
    fn a_walk_is_a_lower_bound_against_waiting() {
        let mut seen = [Seen::default(), Seen::default()];
        for (top_to_move, turns) in
            [(0, own_turns(47, 2500).collect()), (1, top_turns(48, 2500).collect::<Vec<_>>())]
        {
            for both in turns {
                let Both { state, rules, .. } = &both;
                let hunted = state.shown_red.any();
                if hunted || !nobody_at_an_exit(state) || state.own_threat(rules) {
                    continue;
                }
                for moves in 3..=5 {
                    if state.walk() > moves && state.top_can_wait(moves - 2) {
                        let plies = 2 * u32::from(moves) - 1 + top_to_move as u32;
                        seen[top_to_move].expect(both.wins_within(plies), false, &both.position);
                    }
                }
            }
        }
        seen.iter().for_each(|seen| seen.enough(300));
    }

    #[test]
    fn steps_are_distances() {
        for from in ALL_SQUARES {
            let nearest = BOTTOM_EXITS.map(|exit| exit.distance(from)).min();
            assert_eq!(Some(u32::from(steps_to_own_exit(from.bit()))), nearest, "{from}");
            for steps in 0..15 {
                let near = near_own_exit(steps).has(from);
                assert_eq!(near, nearest.is_some_and(|n| n <= u32::from(steps)), "{from} {steps}");
            }
        }
    }
}
