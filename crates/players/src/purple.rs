//! The game as a careful player sees it: every hidden ghost at its worst, red when it is captured
//! and blue when it leaves, and an opponent who knows everything. Then there is nothing to guess,
//! and alpha-beta searches it.
//!
//! It errs on the safe side only: what is no loss here is no loss in the true game.

use games::geister::{Bitboard, Board, Move, Observation, Square, Standard};
use std::time::Instant;

/// A position, the own home at the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Purple {
    /// Own blues.
    pub blue: Bitboard,
    /// Own reds.
    pub red: Bitboard,
    /// The opponent's ghosts.
    pub others: Bitboard,
    /// How many of those are red.
    pub others_red: u32,
    /// Whether the own side is to move.
    pub own_turn: bool,
}

/// How a game stands at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The own side has won.
    Won,
    /// It has lost.
    Lost,
}

impl Purple {
    /// What an observation comes to.
    pub fn new(now: &Observation<Standard>) -> Purple {
        let others_red = now.others().count() - now.others_blue();
        let own = now.own();
        Purple {
            blue: own.blue,
            red: own.red,
            others: now.others(),
            others_red,
            own_turn: now.to_move(),
        }
    }

    const fn own(&self) -> Bitboard {
        Bitboard(self.blue.0 | self.red.0)
    }

    /// Calls `visit` for every step, captures first, until it says stop; escapes are not among them.
    fn for_each_step(&self, mut visit: impl FnMut(Square, Square) -> bool) {
        let (army, prey) =
            if self.own_turn { (self.own(), self.others) } else { (self.others, self.own()) };
        for captures in [true, false] {
            for from in army {
                let goals = from.bit().neighbours::<Standard>().without(army);
                let goals = if captures { goals & prey } else { goals.without(prey) };
                for to in goals {
                    if visit(from, to) {
                        return;
                    }
                }
            }
        }
    }

    /// The side to move can leave at once.
    #[inline]
    pub fn can_leave(&self) -> bool {
        if self.own_turn {
            self.blue.meets(Standard::BOTTOM_EXITS)
        } else {
            self.others.meets(Standard::TOP_EXITS)
        }
    }

    /// The position after a step, or how that ends the game.
    #[inline]
    pub fn step(&self, from: Square, to: Square) -> Result<Purple, End> {
        let (from, to) = (from.bit(), to.bit());
        let mut after = *self;
        after.own_turn = !self.own_turn;
        if self.own_turn {
            let moved = if self.blue.meets(from) { &mut after.blue } else { &mut after.red };
            *moved = moved.without(from) | to;
            if self.others.meets(to) {
                after.others = self.others.without(to);
                after.others_red -= 1;
                if after.others_red == 0 {
                    return Err(End::Lost);
                }
            }
        } else {
            after.others = self.others.without(from) | to;
            after.blue = self.blue.without(to);
            after.red = self.red.without(to);
            if after.blue.is_empty() {
                return Err(End::Lost);
            }
            if after.red.is_empty() {
                return Err(End::Won);
            }
        }
        Ok(after)
    }

    /// Whether the opponent wins within so many plies, it being its turn, whatever the own side does.
    pub fn is_lost_within(&self, plies: u32) -> bool {
        debug_assert!(!self.own_turn);
        if self.can_leave() {
            return plies >= 1;
        }
        if self.is_out_of_danger(plies) {
            return false;
        }
        let mut lost = false;
        self.for_each_step(|from, to| {
            lost = match self.step(from, to) {
                Err(end) => end == End::Lost,
                Ok(after) => plies >= 3 && after.every_move_loses_within(plies - 1),
            };
            lost
        });
        lost
    }

    /// In so many plies, the opponent's first, none of its ghosts can come to an exit and leave, the own
    /// side has more blues than it can capture, and cannot be made to capture all reds: a glance that
    /// spares most searches. It may be `false` where there is no danger either.
    fn is_out_of_danger(&self, plies: u32) -> bool {
        let turns = plies.div_ceil(2);
        let near = (1..turns)
            .fold(Standard::TOP_EXITS, |squares, _| squares | squares.neighbours::<Standard>());
        self.blue.count() > turns && self.others_red > plies / 2 && !self.others.meets(near)
    }

    /// As [`Purple::is_lost_within`], with the own side to move.
    fn every_move_loses_within(&self, plies: u32) -> bool {
        if self.can_leave() {
            return false;
        }
        let mut all = true;
        self.for_each_step(|from, to| {
            all = match self.step(from, to) {
                Err(end) => end == End::Lost,
                Ok(after) => after.is_lost_within(plies - 1),
            };
            !all
        });
        all
    }

    fn key(&self) -> u64 {
        let mut key = self.blue.0.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        key = (key ^ (key >> 29) ^ self.red.0).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        key = (key ^ (key >> 32) ^ self.others.0).wrapping_mul(0x94D0_49BB_1331_11EB);
        key ^ (key >> 31) ^ u64::from(self.others_red) << 1 ^ u64::from(self.own_turn)
    }
}

/// A value: from the own side's point of view, a win sooner being more.
pub type Value = i32;

/// More than any evaluation.
pub const WON: Value = 1_000_000;

/// Values beyond this tell the end of the game.
pub const DECIDED: Value = WON - 1000;

/// Says how good a position is that is not decided.
pub trait Evaluate {
    /// For the own side.
    fn value(&self, position: &Purple) -> Value;
}

#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    value: Value,
    depth: u8,
    /// 0 none, 1 exact, 2 at least, 3 at most.
    bound: u8,
    from: u8,
    to: u8,
}

/// Eight ghosts have no more steps.
const MOST_STEPS: usize = 32;

/// Any square, to fill a list with.
const CORNER: Square = match Square::at(0, 0) {
    Some(corner) => corner,
    None => unreachable!(),
};

/// Entries of the table: 1 MiB each 65,536.
const ENTRIES: usize = 1 << 16;

/// Alpha-beta with a table, deepening ply by ply.
pub struct Search<E> {
    evaluate: E,
    table: Vec<Entry>,
    nodes: u64,
    deadline: Option<Instant>,
    stopped: bool,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Every move with its value at the last depth that was finished, the best first. Only the
    /// first value is exact; the others are at most what stands there.
    pub moves: Vec<(Move, Value)>,
    /// That depth.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
}

impl<E: Evaluate> Search<E> {
    /// A search with this evaluation.
    pub fn new(evaluate: E) -> Search<E> {
        Search::with_entries(evaluate, ENTRIES)
    }

    /// A search with this evaluation and a table of so many entries.
    pub fn with_entries(evaluate: E, entries: usize) -> Search<E> {
        let table = vec![Entry::default(); entries.max(1)];
        Search { evaluate, table, nodes: 0, deadline: None, stopped: false }
    }

    /// Searches these moves until the deadline, but at least `least` plies and at most `most`.
    pub fn search(
        &mut self,
        position: &Purple,
        moves: &[Move],
        least: u32,
        most: u32,
        deadline: Instant,
    ) -> Found {
        self.table.fill(Entry::default());
        (self.nodes, self.stopped) = (0, false);
        let mut found: Vec<(Move, Value)> = moves.iter().map(|&mv| (mv, 0)).collect();
        let mut depth = 0;
        while depth < most && found.len() > 1 {
            self.deadline = (depth >= least).then_some(deadline);
            let Some(next) = self.root(position, &found, depth + 1) else { break };
            (found, depth) = (next, depth + 1);
            if found[0].1.abs() > DECIDED || Instant::now() > deadline && depth >= least {
                break;
            }
        }
        Found { moves: found, depth, nodes: self.nodes }
    }

    /// The value of a position `depth` plies deep.
    pub fn value_of(&mut self, position: &Purple, depth: u32) -> Value {
        (self.nodes, self.stopped, self.deadline) = (0, false, None);
        self.value(position, depth, 0, -WON - 1, WON + 1)
    }

    fn root(
        &mut self,
        position: &Purple,
        moves: &[(Move, Value)],
        depth: u32,
    ) -> Option<Vec<(Move, Value)>> {
        let mut alpha = -WON - 1;
        let mut found = Vec::with_capacity(moves.len());
        for &(mv, _) in moves {
            let value = match mv {
                Move::Escape { .. } => WON,
                Move::Step { from, to } => self.after(position, from, to, depth, 0, alpha, WON + 1),
            };
            if self.stopped {
                return None;
            }
            alpha = alpha.max(value);
            found.push((mv, value));
        }
        found.sort_by_key(|(_, value)| -value);
        Some(found)
    }

    /// The value after a step, with `depth` plies from before it.
    #[expect(clippy::too_many_arguments, reason = "the usual ones of alpha-beta")]
    fn after(
        &mut self,
        position: &Purple,
        from: Square,
        to: Square,
        depth: u32,
        ply: u32,
        alpha: Value,
        beta: Value,
    ) -> Value {
        match position.step(from, to) {
            Err(End::Won) => WON - ply as Value - 1,
            Err(End::Lost) => -(WON - ply as Value - 1),
            Ok(after) => self.value(&after, depth - 1, ply + 1, alpha, beta),
        }
    }

    fn value(
        &mut self,
        position: &Purple,
        depth: u32,
        ply: u32,
        alpha: Value,
        beta: Value,
    ) -> Value {
        self.nodes += 1;
        if self.nodes.is_multiple_of(1024)
            && self.deadline.is_some_and(|deadline| Instant::now() > deadline)
        {
            self.stopped = true;
        }
        if self.stopped {
            return 0;
        }
        if position.can_leave() {
            let soon = WON - ply as Value - 1;
            return if position.own_turn { soon } else { -soon };
        }
        if depth == 0 {
            return self.evaluate.value(position);
        }
        let key = position.key();
        let slot = key as usize % self.table.len();
        let known = self.table[slot];
        let mut first = None;
        if known.key == key && known.bound > 0 {
            first = Square::from_index(usize::from(known.from))
                .zip(Square::from_index(usize::from(known.to)));
            let usable = match known.bound {
                1 => true,
                2 => known.value >= beta,
                _ => known.value <= alpha,
            };
            if u32::from(known.depth) >= depth && usable {
                return known.value;
            }
        }
        let (value, best) = self.best(position, first, depth, ply, alpha, beta);
        if !self.stopped {
            let bound = if value <= alpha {
                3
            } else if value >= beta {
                2
            } else {
                1
            };
            let (from, to) =
                best.map_or((0, 0), |(from, to)| (from.index() as u8, to.index() as u8));
            self.table[slot] = Entry { key, value, depth: depth as u8, bound, from, to };
        }
        value
    }

    /// The best value over all steps, the one the table knows first.
    fn best(
        &mut self,
        position: &Purple,
        first: Option<(Square, Square)>,
        depth: u32,
        ply: u32,
        mut alpha: Value,
        mut beta: Value,
    ) -> (Value, Option<(Square, Square)>) {
        let own = position.own_turn;
        let mut best = (if own { -WON - 1 } else { WON + 1 }, None);
        let mut steps = [(CORNER, CORNER); MOST_STEPS];
        let mut count = 0;
        position.for_each_step(|from, to| {
            steps[count] = (from, to);
            count += 1;
            count == steps.len()
        });
        if let Some(place) =
            first.and_then(|first| steps[..count].iter().position(|step| *step == first))
        {
            steps[..=place].rotate_right(1);
        }
        for &(from, to) in &steps[..count] {
            let value = self.after(position, from, to, depth, ply, alpha, beta);
            if self.stopped {
                return best;
            }
            if (own && value > best.0) || (!own && value < best.0) {
                best = (value, Some((from, to)));
            }
            if own {
                alpha = alpha.max(value);
            } else {
                beta = beta.min(value);
            }
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Thinking;
    use crate::random::any_placement;
    use games::geister::Game;
    use rand::Rng;
    use rand::seq::IndexedRandom;
    use std::time::Duration;

    /// The slow twin of `is_lost_within`: every step is looked at.
    fn is_lost_slowly(position: &Purple, plies: u32) -> bool {
        if position.can_leave() || plies == 0 {
            return plies > 0 && !position.own_turn;
        }
        let (mut any, mut all) = (false, true);
        position.for_each_step(|from, to| {
            let lost = match position.step(from, to) {
                Err(end) => end == End::Lost,
                Ok(after) => is_lost_slowly(&after, plies - 1),
            };
            (any, all) = (any || lost, all && lost);
            if position.own_turn { !all } else { any }
        });
        if position.own_turn { all } else { any }
    }

    #[test]
    fn a_glance_misses_no_sure_loss() {
        let mut rng = Thinking { time: Duration::ZERO, seed: 11 }.rng(0);
        let mut lost = [0; 3];
        for _ in 0..60 {
            let [bottom, top] = [0, 1].map(|_| any_placement(&mut rng));
            let mut game = Game::<Standard>::new(bottom, top, 200);
            while game.outcome().is_none() {
                let mut position = Purple::new(&game.observe(game.turn()));
                position.own_turn = false;
                for (at, plies) in [1, 3, 5].into_iter().enumerate() {
                    let is_lost = position.is_lost_within(plies);
                    // Five plies are many for who looks at every step.
                    if plies < 5 || is_lost || position.others.count() < 5 {
                        assert_eq!(is_lost, is_lost_slowly(&position, plies), "{position:?}");
                    }
                    lost[at] += u32::from(is_lost);
                }
                game = game.play_unchecked(*game.legal_moves().choose(&mut rng).unwrap());
            }
        }
        assert!(lost[0] > 50 && lost[1] > lost[0] && lost[2] > lost[1], "{lost:?}");
    }

    /// An evaluation in which no two positions are alike, so that a wrong value cannot hide.
    struct Scattered;

    impl Evaluate for Scattered {
        fn value(&self, position: &Purple) -> Value {
            (position.key().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 44) as Value % 1000 - 500
        }
    }

    /// The slow twin of the search: no window, no table.
    fn minimax(position: &Purple, depth: u32, ply: Value) -> Value {
        let soon = WON - ply - 1;
        if position.can_leave() {
            return if position.own_turn { soon } else { -soon };
        }
        if depth == 0 {
            return Scattered.value(position);
        }
        let mut values = Vec::new();
        position.for_each_step(|from, to| {
            values.push(minimax_after(position.step(from, to), depth, ply));
            false
        });
        let best =
            if position.own_turn { values.into_iter().max() } else { values.into_iter().min() };
        best.unwrap()
    }

    fn minimax_after(after: Result<Purple, End>, depth: u32, ply: Value) -> Value {
        match after {
            Err(End::Won) => WON - ply - 1,
            Err(End::Lost) => -(WON - ply - 1),
            Ok(after) => minimax(&after, depth - 1, ply + 1),
        }
    }

    /// Endings of few ghosts, with the own side to move.
    fn endings() -> Vec<(Purple, Vec<Move>)> {
        let mut rng = Thinking { time: Duration::ZERO, seed: 12 }.rng(0);
        let mut found = Vec::new();
        while found.len() < 60 {
            let [bottom, top] = [0, 1].map(|_| any_placement(&mut rng));
            let mut game = Game::<Standard>::new(bottom, top, 300);
            while game.outcome().is_none() {
                let now = game.observe(game.turn());
                let position = Purple::new(&now);
                let ghosts = position.own().count() + position.others.count();
                if ghosts <= 8 && !position.can_leave() && rng.random_bool(0.2) {
                    found.push((position, crate::random::moves_of(&now)));
                }
                game = game.play_unchecked(*game.legal_moves().choose(&mut rng).unwrap());
            }
        }
        found
    }

    /// Up to five plies a position recurs only at its own ply, so that nothing in the table comes
    /// from a deeper search, and the values are those of minimax.
    #[test]
    fn the_search_with_a_table_finds_the_values_of_minimax() {
        let (mut decided, mut open) = (0, 0);
        for (number, (position, moves)) in endings().into_iter().enumerate() {
            let slow = |mv: &Move, depth| {
                let Move::Step { from, to } = *mv else { panic!("nobody can leave") };
                minimax_after(position.step(from, to), depth, 0)
            };
            let deepest = if number % 4 == 0 { 5 } else { 4 };
            for depth in 1..=deepest {
                let deadline = Instant::now();
                let mut search = Search::with_entries(Scattered, [64, 1 << 14][number % 2]);
                let found = search.search(&position, &moves, depth, depth, deadline);
                let best = moves.iter().map(|mv| slow(mv, found.depth)).max();
                assert_eq!(Some(found.moves[0].1), best, "{depth} plies in {position:?}");
                for (mv, value) in &found.moves {
                    assert!(slow(mv, found.depth) <= *value, "{mv} in {position:?}");
                }
                *if best.unwrap().abs() > DECIDED { &mut decided } else { &mut open } += 1;
            }
        }
        assert!(decided > 20 && open > 100, "{decided} decided and {open} open");
    }
}
