//! The search: can the bottom side win within a number of own moves?
//!
//! Depth-first over OR nodes (bottom to move) and AND nodes (top to move), with one table of proved
//! bounds for all depths. A failed search returns how far the failure reaches, which is often
//! farther than asked (a lost position fails for ever), so deepening skips what is settled.

use super::exits::{OWN_CORNER_SQUARES, near_own_exit, steps_to_own_exit};
use super::goal::{GoalRules, SearchGoal};
use super::hunt::{meeting_moves, spanning_steps};
use super::moves::MoveList;
use super::reachable_tables::{ReachableTables, on_harder_terms};
use super::table::{Bounds, BoundsTable, FOREVER};
use crate::board::{BOTTOM_EXITS, TOP_EXITS, neighbours};
use crate::state::{State, at_most_one};
use games::geister::{Bitboard, Square};
use search::{Budget, Stop};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// What is proved of a node, counted in own moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Proved {
    /// A win within this many.
    Win(u8),
    /// No win within this many; [`FOREVER`]: no win at all.
    NoWin(u8),
}
use Proved::{NoWin, Win};

/// Why a search came back without a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Halt {
    /// A limit was hit.
    Stop(Stop),
    /// The table wants to grow; what was proved is in it.
    Crowded,
    /// Another thread has the answer.
    Answered,
}

type ProofResult = Result<Proved, Halt>;

/// One thread's search.
pub(super) struct Prover<'a, 'b> {
    pub(super) rules: GoalRules,
    pub(super) table: &'a BoundsTable,
    pub(super) budget: &'a mut Budget<'b>,
    /// Raised when another thread has the answer.
    pub(super) answered: &'a AtomicBool,
    /// The tablebase, as far as it can be reached.
    pub(super) tables: Option<&'a ReachableTables>,
    /// 0 searches in the usual order; others differ from it, to be elsewhere in the tree.
    pub(super) worker: u32,
}

/// One own move more than `moves`. Counting stops short of [`FOREVER`], which takes a proof of its
/// own.
#[inline(always)]
fn one_more(moves: u8) -> u8 {
    if moves >= FOREVER - 1 { moves } else { moves + 1 }
}

/// The facts about an OR node that its moves are judged by.
struct OwnTurn {
    leavers: Bitboard,
    /// A leaver on its exit, which must be captured now.
    danger: Bitboard,
    /// A hunt is possible at all.
    hunting: bool,
    /// [`State::reds_can_wait`], while hunting.
    waiting: bool,
    /// No escape within this many own moves.
    no_escape: u8,
    /// No hunt ends within this many own moves.
    no_hunt: u8,
}

impl OwnTurn {
    #[inline(always)]
    fn new(state: &State, rules: &GoalRules) -> OwnTurn {
        let leavers = state.leavers();
        let hunting = state.shown_red.any();
        let waiting = hunting && state.reds_can_wait();
        OwnTurn {
            leavers,
            danger: leavers & rules.top_exits,
            hunting,
            waiting,
            // Walking straight out was looked at before, so two moves do not suffice.
            no_escape: steps_to_own_exit(state.blue).max(2),
            no_hunt: if hunting { state.hunt(waiting).max(2) - 1 } else { FOREVER },
        }
    }
}

impl Prover<'_, '_> {
    /// Pays for an expanded node.
    #[inline(always)]
    fn pay(&mut self) -> Result<(), Halt> {
        self.budget.count().map_err(Halt::Stop)?;
        if self.table.is_crowded() {
            return Err(Halt::Crowded);
        }
        if self.answered.load(Relaxed) {
            return Err(Halt::Answered);
        }
        Ok(())
    }

    /// What the transposition table knows. No win by [`SearchGoal::Win`] is no win by a harder goal
    /// either, and a win by it is one by an easier goal.
    #[inline(always)]
    fn bounds(&self, key: u64) -> Bounds {
        let known = self.table.get(key);
        match self.rules.goal {
            SearchGoal::Win => known,
            easier @ SearchGoal::WinUnopposed => {
                let hi = self.table.get(key ^ easier.salt()).hi.min(known.hi);
                Bounds { lo: known.lo, hi }
            }
            harder => {
                let lo = self.table.get(key ^ harder.salt()).lo.max(known.lo);
                Bounds { lo, hi: known.hi }
            }
        }
    }

    /// A small change of move ordering that differs between workers.
    #[inline(always)]
    fn worker_noise(&self, from: Square, to: Square) -> i32 {
        if self.worker == 0 {
            return 0;
        }
        let mixed = (from.index() as u32 * 36 + to.index() as u32 + 1)
            .wrapping_mul(self.worker.wrapping_mul(0x9e37_79b9) | 1);
        (mixed >> 28) as i32
    }

    /// With the bottom side to move: a win within `moves` own moves?
    pub(super) fn own_turn(&mut self, state: &State, key: u64, moves: u8) -> ProofResult {
        if let Some(proved) = self.static_result(state, moves) {
            return Ok(proved);
        }
        let turn = OwnTurn::new(state, &self.rules);
        let too_far = turn.no_escape.min(turn.no_hunt);
        if too_far >= moves {
            return Ok(NoWin(too_far));
        }
        if turn.danger.any() {
            let capturable = turn.danger & state.capturable_by_own() & neighbours(state.own());
            if !at_most_one(turn.danger) || capturable.is_empty() {
                return Ok(NoWin(FOREVER));
            }
        }
        let known = self.bounds(key);
        if known.hi <= moves {
            return Ok(Win(known.hi));
        }
        if known.lo >= moves {
            return Ok(NoWin(known.lo));
        }
        if self.waiting_refutes(state, &turn, moves) {
            return Ok(NoWin(moves));
        }
        let proved = match self.probe_tablebase(state, moves) {
            Some(proved) => proved,
            None => self.try_own_moves(state, key, moves, &turn)?,
        };
        let bounds = match proved {
            Win(hi) => Bounds { lo: known.lo, hi },
            NoWin(lo) => Bounds { lo, hi: known.hi },
        };
        self.table.put(key, bounds);
        Ok(proved)
    }

    /// What the tablebase proves of this node.
    #[inline(always)]
    fn probe_tablebase(&self, state: &State, moves: u8) -> Option<Proved> {
        let proved = self.tables?.probe(state, moves)?;
        match self.rules.goal {
            SearchGoal::Win => Some(proved),
            SearchGoal::WinUnopposed => None,
            _ => on_harder_terms(proved),
        }
    }

    /// What is known without searching: wins in one or two own moves, a free run to an exit, and the
    /// horizon.
    #[inline(always)]
    fn static_result(&self, state: &State, moves: u8) -> Option<Proved> {
        if state.blue.meets(self.rules.own_exits) {
            return Some(Win(1));
        }
        let leavers = state.leavers();
        if at_most_one(leavers) && state.shown_red.any() && neighbours(state.own()).meets(leavers) {
            let last = self.moves_of_a_last_capture();
            return Some(if last <= moves { Win(last) } else { NoWin(moves) });
        }
        if moves < 2 {
            return Some(NoWin(1));
        }
        if state.own_threat(&self.rules) {
            return Some(Win(2));
        }
        // With two own moves left, a run is a threat.
        if moves < 3 {
            return None;
        }
        state.own_run(&self.rules).filter(|&run| run <= moves).map(Win)
    }

    /// A capture that ends the hunt is one move; where a capture on the last ply allowed does not
    /// count, it needs one in reserve.
    #[inline(always)]
    fn moves_of_a_last_capture(&self) -> u8 {
        1 + u8::from(self.rules.goal == SearchGoal::WinByEscape)
    }

    /// Whether the top side holds out for `moves` own moves by waiting with its guards in place.
    ///
    /// That it can wait is a premise of the proof. No position is known where it matters: without
    /// this condition no position of four or five ghosts gets a wrong verdict, and `spuk bench`
    /// expands 3 % fewer nodes. But nobody has proved that it never matters, so it stays.
    #[inline(always)]
    fn waiting_refutes(&self, state: &State, turn: &OwnTurn, moves: u8) -> bool {
        turn.danger.is_empty()
            && turn.no_hunt >= moves
            && state.opponent().meets(OWN_CORNER_SQUARES)
            && state.walk() > moves
            && state.top_can_wait(moves - 2)
    }

    fn try_own_moves(&mut self, state: &State, key: u64, moves: u8, turn: &OwnTurn) -> ProofResult {
        self.pay()?;
        let mut list = MoveList::new();
        let mut farthest = self.own_moves(&mut list, state, moves, turn);
        for index in 0..list.len() {
            let (from, to) = list.pick(index);
            let key = key ^ state.own_key_change(from, to);
            match self.top_turn(&state.after_own(from, to), key, moves - 1)? {
                Win(within) => return Ok(Win(within + 1)),
                NoWin(within) => farthest = farthest.min(one_more(within)),
            }
        }
        Ok(NoWin(farthest))
    }

    /// Lists the own moves that may still win within `moves`, and returns how far the failure of
    /// the others reaches.
    #[inline(always)]
    fn own_moves(&self, list: &mut MoveList, state: &State, moves: u8, turn: &OwnTurn) -> u8 {
        let mut farthest = FOREVER;
        let mut targets = !state.closed_to_own();
        if turn.danger.any() {
            targets &= turn.danger;
        }
        // If the top side may wait once more, only a move at the corners makes a threat.
        let at_corners = moves == 3
            && turn.danger.is_empty()
            && (state.top_can_wait(1) || state.top_has_two_waiters());
        let reach = near_own_exit(moves - 2);
        let (top, attacked) = (state.opponent(), neighbours(state.opponent()));
        for from in state.own() {
            let is_blue = state.blue.has(from);
            let staying = state.blue.without(from.bit());
            for to in neighbours(from.bit()) & targets {
                let blue = if is_blue { staying | to.bit() } else { staying };
                let escapes = if at_corners {
                    OWN_CORNER_SQUARES.meets(from.bit() | to.bit())
                } else {
                    blue.meets(reach)
                };
                if !escapes && !hunts(state, turn, from, to, moves - 1) {
                    farthest = moves;
                    continue;
                }
                let score =
                    own_score(from, to, is_blue, top, attacked) + self.worker_noise(from, to);
                list.push(from, to, score);
            }
        }
        farthest
    }

    /// With the top side to move: does the bottom side win within `moves` own moves?
    pub(super) fn top_turn(&mut self, state: &State, key: u64, moves: u8) -> ProofResult {
        let leavers = state.leavers();
        if leavers.meets(self.rules.top_exits) {
            return Ok(NoWin(FOREVER));
        }
        if leavers.is_empty() {
            let spare = self.moves_of_a_last_capture() - 1;
            return Ok(if spare <= moves { Win(spare) } else { NoWin(moves) });
        }
        let attacked = neighbours(state.opponent()) & state.blue;
        if attacked.any() && at_most_one(state.blue) {
            return Ok(NoWin(FOREVER));
        }
        let on_exit = state.blue & self.rules.own_exits;
        if on_exit.any() {
            if moves < 1 {
                return Ok(NoWin(0));
            }
            if !at_most_one(on_exit) || !on_exit.meets(attacked) {
                return Ok(Win(1));
            }
            return self.try_top_moves(state, key, moves, on_exit, 1);
        }
        if state.top_threat(&self.rules) {
            return Ok(NoWin(FOREVER));
        }
        if state.top_run(&self.rules) {
            return Ok(NoWin(FOREVER));
        }
        if moves >= 2 && state.own_threat(&self.rules) {
            let stops = state.stops_of_own_threat();
            return self.try_top_moves(state, key, moves, stops, 2);
        }
        if self.quiet_move_refutes(state, moves) {
            return Ok(NoWin(moves));
        }
        self.try_top_moves(state, key, moves, !Bitboard::EMPTY, 0)
    }

    /// Whether the top side, under no threat, is known to have a move that refutes a win within
    /// `moves` own moves.
    #[inline(always)]
    fn quiet_move_refutes(&self, state: &State, moves: u8) -> bool {
        let (top, leavers) = (state.opponent(), state.leavers());
        let open = !(top | state.own().without(state.capturable_by_opponent(&self.rules)));
        let hunted = state.shown_red.any() && leavers.count() <= u32::from(moves);
        match moves {
            0 => true,
            1 => !hunted || a_leaver_gets_away(state, open),
            // A guard that leaves may allow a threat, but some move never does: see the test
            // `with_two_moves_left_any_move_refutes`.
            2 if !hunted => !two_red_guards(state) && neighbours(top).meets(open),
            2 => two_leavers_hold(state, open),
            _ => {
                top.meets(OWN_CORNER_SQUARES)
                    && state.walk() > moves
                    && state.top_can_wait(moves - 2)
                    && (!hunted || state.reds_can_wait() && state.hunt(true) > moves)
            }
        }
    }

    /// Tries the top side's moves into `targets`. Every other move loses within `otherwise` own
    /// moves; 0 if there is no other.
    fn try_top_moves(
        &mut self,
        state: &State,
        key: u64,
        moves: u8,
        targets: Bitboard,
        otherwise: u8,
    ) -> ProofResult {
        self.pay()?;
        let mut list = MoveList::new();
        self.top_moves(&mut list, state, targets);
        if moves >= 3 {
            for index in 0..list.len() {
                let (from, to) = list.get(index);
                let lo = self.bounds(key ^ state.opponent_key_change(from, to)).lo;
                if lo >= moves {
                    return Ok(NoWin(lo));
                }
                list.raise(index, 32 * u32::from(lo));
            }
        }
        let mut longest = otherwise;
        for index in 0..list.len() {
            let (from, to) = list.pick(index);
            let key = key ^ state.opponent_key_change(from, to);
            match self.own_turn(&state.after_opponent(from, to), key, moves)? {
                Win(within) => longest = longest.max(within),
                refuted => return Ok(refuted),
            }
        }
        Ok(Win(longest))
    }

    #[inline(always)]
    fn top_moves(&self, list: &mut MoveList, state: &State, targets: Bitboard) {
        let top = state.opponent();
        let leavers = state.leavers();
        let open =
            targets.without(top | state.own().without(state.capturable_by_opponent(&self.rules)));
        let attacked = neighbours(state.own());
        for from in top {
            for to in neighbours(from.bit()) & open {
                let score = top_score(state, from, to, leavers.has(from), attacked);
                list.push(from, to, score + self.worker_noise(from, to));
            }
        }
    }
}

/// Whether a hunt may end within `moves` own moves after this one.
#[inline(always)]
fn hunts(state: &State, turn: &OwnTurn, from: Square, to: Square, moves: u8) -> bool {
    if !turn.hunting || state.shown_red.without(to.bit()).is_empty() {
        return false;
    }
    let own = state.own().without(from.bit()) | to.bit();
    let leavers = turn.leavers.without(to.bit());
    if turn.waiting || leavers.is_empty() {
        spanning_steps(own, leavers) <= moves
    } else {
        // The top side moves first, and may come one step nearer.
        leavers.count() as u8 <= moves && meeting_moves(own, leavers) <= moves + 1
    }
}

/// Blues forward and out first, captures early, attacked squares late.
#[inline(always)]
fn own_score(from: Square, to: Square, is_blue: bool, top: Bitboard, attacked: Bitboard) -> i32 {
    let mut score = 0;
    if top.has(to) {
        score += 20;
    }
    if is_blue {
        if to.row() > from.row() {
            score += 10;
        }
        if BOTTOM_EXITS.has(to) {
            score += 30;
        }
    }
    if attacked.has(to) {
        score -= if is_blue { 15 } else { 5 };
    }
    score
}

/// Captures first, then threats to leave; squares out of reach before others, low rows before high.
#[inline(always)]
fn top_score(state: &State, from: Square, to: Square, leaver: bool, attacked: Bitboard) -> i32 {
    let mut score = 0;
    if state.blue.has(to) {
        score += 40;
    } else if state.red.has(to) {
        score += 15;
    }
    if leaver {
        if to.row() < from.row() {
            score += 6;
        }
        if TOP_EXITS.has(to) {
            score += 30;
        }
    }
    if attacked.has(to) {
        score -= 8;
    }
    score * 8 - to.row() as i32
}

/// With one leaver left and one own move to capture it: it has a safe square to go to, or is safe
/// where it stands while a red moves.
#[inline(always)]
fn a_leaver_gets_away(state: &State, open: Bitboard) -> bool {
    let (leaver, own) = (state.leavers(), state.own());
    let attacked = neighbours(own);
    neighbours(leaver).without(attacked | own).meets(open)
        || !leaver.meets(attacked) && neighbours(state.shown_red).meets(open)
}

/// Only two hidden ghosts are left and both are red: either can be captured without loss, so that two
/// guards that must move can both be overcome.
#[inline(always)]
fn two_red_guards(state: &State) -> bool {
    let top = state.opponent();
    state.hidden_blue == 0 && top == state.hidden && top.count() == 2
}

/// With two leavers left and two own moves to capture both: a red can move to and fro meanwhile,
/// and no order of captures reaches both.
#[inline(always)]
fn two_leavers_hold(state: &State, open: Bitboard) -> bool {
    let leavers = state.leavers();
    if leavers.count() != 2 || !neighbours(state.shown_red.without(OWN_CORNER_SQUARES)).meets(open)
    {
        return false;
    }
    let first = neighbours(state.own()) & leavers;
    first.is_empty() || first != leavers && !neighbours(first).meets(leavers.without(first))
}

#[cfg(test)]
mod tests {
    use super::super::positions::{guards, sample};
    use super::super::test_help::{Both, Seen, own_turns, top_turns};
    use super::*;
    use search::Limits;

    fn with_prover<T>(both: &Both, ask: impl FnOnce(&mut Prover<'_, '_>) -> T) -> T {
        let (table, answered) = (BoundsTable::new(0), AtomicBool::new(false));
        let mut budget = Budget::new(&Limits::default());
        ask(&mut Prover {
            rules: both.rules,
            table: &table,
            budget: &mut budget,
            answered: &answered,
            tables: None,
            worker: 0,
        })
    }

    #[test]
    fn a_win_at_hand_is_a_win_and_too_far_is_none() {
        let (mut wins, mut none) = (Seen::default(), Seen::default());
        for both in own_turns(61, 3000) {
            if let Some(Win(moves)) = with_prover(&both, |p| p.static_result(&both.state, 5)) {
                wins.expect(both.wins_within(2 * u32::from(moves) - 1), true, &both.position);
                continue;
            }
            let turn = OwnTurn::new(&both.state, &both.rules);
            let too_far = turn.no_escape.min(turn.no_hunt).min(5);
            none.expect(both.wins_within(2 * u32::from(too_far) - 1), false, &both.position);
        }
        wins.enough(500);
        none.enough(500);
    }

    #[test]
    fn a_quiet_move_refutes() {
        let mut seen: [Seen; 6] = Default::default();
        for both in top_turns(62, 12_000) {
            let (state, rules) = (&both.state, &both.rules);
            if !is_quiet(state, rules) {
                continue;
            }
            for moves in 1..=5u8 {
                if with_prover(&both, |p| p.quiet_move_refutes(state, moves)) {
                    let slow = both.wins_within(2 * u32::from(moves));
                    seen[moves as usize].expect(slow, false, &both.position);
                }
            }
        }
        seen[1..].iter().for_each(|seen| seen.enough(60));
    }

    /// Neither side has anything urgent with the top side to move.
    fn is_quiet(state: &State, rules: &GoalRules) -> bool {
        let lone = at_most_one(state.blue) && neighbours(state.opponent()).meets(state.blue);
        !state.blue.meets(BOTTOM_EXITS)
            && !state.leavers().meets(TOP_EXITS)
            && !lone
            && !state.own_threat(rules)
            && !state.top_threat(rules)
            && !state.top_run(rules)
    }

    /// With two own moves left and no hunt, only a threat to walk out wins, and a top side that can
    /// move can avoid one, even where only guards can move:
    ///
    /// * Only a guard that leaves its square beside an exit, with a blue on the other one, allows a
    ///   threat. There is at most one such guard at each exit.
    /// * If only they can move, all other ghosts are shut in by these two and the last own red. Three
    ///   ghosts can shut in only a ghost on an exit, and that one can capture the blue.
    /// * So there are no others. Of two ghosts one cannot be captured, being the last red; it steps
    ///   onto the exit and blocks it. Where both are red, nothing is claimed.
    #[test]
    fn with_two_moves_left_any_move_refutes() {
        let (mut seen, mut only_guards) = (Seen::default(), 0);
        for both in sample(63, 20_000, &guards()).into_iter().map(|p| Both::new(p.passed())) {
            let (state, rules) = (&both.state, &both.rules);
            if !is_quiet(state, rules) || !with_prover(&both, |p| p.quiet_move_refutes(state, 2)) {
                continue;
            }
            seen.expect(both.wins_within(4), false, &both.position);
            only_guards += u32::from(state.opponent().without(OWN_CORNER_SQUARES).is_empty());
        }
        seen.enough(1000);
        assert!(only_guards >= 500, "{only_guards}");
    }

    /// The slow twin of [`State::top_can_wait`].
    fn can_wait(state: &State, moves: u8) -> bool {
        let out_of_reach =
            |square: &Square| state.own().all(|own| own.distance(*square) > u32::from(moves));
        let waiters = state.opponent().without(OWN_CORNER_SQUARES).filter(out_of_reach);
        waiters
            .flat_map(|from| neighbours(from.bit()).without(state.opponent()))
            .any(|to| out_of_reach(&to))
    }

    /// Holding out by waiting is claimed only where a ghost can wait, and never in a position that
    /// is won.
    #[test]
    fn waiting_refutes_where_a_ghost_can_wait() {
        let (mut seen, mut cannot_wait) = (Seen::default(), 0);
        for position in sample(64, 4_000, &guards()) {
            let both = Both::new(position);
            let (state, rules) = (&both.state, &both.rules);
            let turn = OwnTurn::new(state, rules);
            for moves in 3..=5 {
                if with_prover(&both, |p| p.static_result(state, moves)).is_some() {
                    break;
                }
                let waiting = with_prover(&both, |p| p.waiting_refutes(state, &turn, moves));
                if !can_wait(state, moves - 2) {
                    let quiet = with_prover(&both, |p| p.quiet_move_refutes(state, moves));
                    assert!(!waiting && !quiet, "{position} within {moves}");
                    cannot_wait += 1;
                } else if waiting {
                    seen.expect(both.wins_within(2 * u32::from(moves) - 1), false, &position);
                }
            }
        }
        seen.enough(200);
        assert!(cannot_wait >= 200, "{cannot_wait}");
    }

    #[test]
    fn counting_up_never_turns_a_finite_count_into_forever() {
        assert_eq!(one_more(3), 4);
        assert_eq!(one_more(FOREVER), FOREVER);
        assert!((0..FOREVER).all(|moves| one_more(moves) < FOREVER));
    }
}
