//! Reverse generation (Ishii et al. 2020, 6.1): retrograde moves lengthen a puzzle at its
//! beginning.
//!
//! From a puzzle that is won in `m` plies a move of the opponent is taken back, and then an own
//! move. If every other move of the opponent loses as fast, the position between them is won in `m
//! + 1`; and if the position before both is not won within `m`, it is a puzzle of exactly `m + 2`.
//! The solver has to prove only these two conditions: the win in `m + 2` exists by construction.
//!
//! An unmove may undo a capture, which puts a ghost back on the square. Of the paper's five cases
//! for an own move (nothing, blue, red, hidden blue, hidden red) the purple rules always allow the
//! fifth, since a captured hidden ghost counts as red. The fourth remains if it cannot have been
//! red: if every hidden ghost is blue and a revealed red keeps the game going, the capture of a
//! hidden ghost takes a blue.

use super::random::Placement;
use crate::material::{Colours, Material};
use common::rng::stream;
use games::Seat;
use games::geister::{Bitboard, Count, Ghost, Position, Square};
use geister::board::{BOTTOM_EXITS, steps};
use geister::solver::{MAX_DEPTH, Revealed, SearchGoal, Solver};
use geister::tablebase::Class;
use rand::Rng;
use rand::seq::SliceRandom;
use search::{Budget, Limits, Stop};
use std::ops::RangeInclusive;

/// The shortest puzzle: an immediate win is not a puzzle.
const MIN_PLIES: u32 = 3;

/// The lengths of start puzzles, limited by the requested length. Shorter start puzzles give as
/// many puzzles in the same time, but need ten times the trials.
const START_PLIES: RangeInclusive<u32> = 7..=11;

/// Random placements tried for a start puzzle; about one in 25 is long enough.
const MAX_START_PLACEMENTS: u32 = 64;

/// A start puzzle has up to this many ghosts fewer than requested, so that captures can be undone.
const MAX_GHOSTS_REMOVED: u32 = 2;

/// The unmoves of the opponent: every position with the top side to move from which one of its
/// moves leads to `position`. The game is not over in it, and no side has more ghosts of a colour
/// than at the start. None if the top side did not move last, or the game is over.
pub fn opponent_unmoves(position: &Position) -> Vec<Position> {
    let undone = |from, to| {
        [None, Some(Ghost::OwnBlue), Some(Ghost::OwnRed)]
            .map(|captured| unmove(position, from, to, captured, position.hidden_blue()))
    };
    let all = steps_into(position, Seat::Second).flat_map(|(from, to)| undone(from, to));
    all.filter(|before| Class::of(before).is_some()).map(|before| before.passed()).collect()
}

/// The own unmoves: every puzzle position from which a move of the bottom side leads to `position`.
/// It can be written as a puzzle, and no own blue stands on an exit, where it could leave
/// immediately. None if the bottom side did not move last, or the game is over.
pub fn own_unmoves(position: &Position) -> Vec<Position> {
    let (hidden, blue) = (position.ghosts(Ghost::Hidden).count(), position.hidden_blue());
    let mut captures = vec![
        (None, blue),
        (Some(Ghost::ShownBlue), blue),
        (Some(Ghost::ShownRed), blue),
        (Some(Ghost::Hidden), blue),
    ];
    if blue == hidden {
        captures.push((Some(Ghost::Hidden), blue + 1));
    }
    let undone = |(from, to)| {
        let before = |&(captured, blue)| unmove(position, from, to, captured, blue);
        captures.iter().map(before).collect::<Vec<_>>()
    };
    steps_into(position, Seat::First).flat_map(undone).filter(is_puzzle).collect()
}

/// The steps by which a ghost of `side` may have moved: from an empty square to its own.
fn steps_into(position: &Position, side: Seat) -> impl Iterator<Item = (Square, Square)> + use<> {
    let came = position.turn() != side && position.outcome().is_none();
    let army = if came { position.army(side) } else { Bitboard::EMPTY };
    let occupied = position.army(Seat::First) | position.army(Seat::Second);
    steps(army, !occupied).map(|(to, from)| (from, to))
}

/// The position before the step, with the bottom side to move.
fn unmove(
    position: &Position,
    from: Square,
    to: Square,
    captured: Option<Ghost>,
    hidden_blue: u32,
) -> Position {
    let ghosts = Ghost::ALL.map(|ghost| {
        let now = position.ghosts(ghost);
        let moved = if now.has(to) { now.without(to.bit()) | from.bit() } else { now };
        if captured == Some(ghost) { moved | to.bit() } else { moved }
    });
    Position::from_ghosts(ghosts, hidden_blue)
}

/// Whether a puzzle may start here: the game is not over, the opponent has a blue, as the position
/// text requires, and no own blue can leave immediately.
fn is_puzzle(position: &Position) -> bool {
    Class::of(position).is_some()
        && position.blue_count() > 0
        && !position.ghosts(Ghost::OwnBlue).meets(BOTTOM_EXITS)
}

/// A puzzle of exactly `m_win + 2` plies that comes before `position`, which is won in exactly
/// `m_win`. Unmoves are tried in random order; `None` if none of them works. `nodes` limits all
/// searches together.
///
/// The result is a function of the arguments: the solver's transposition table is cleared.
///
/// # Errors
/// If the nodes are spent.
pub fn lengthened(
    position: &Position,
    m_win: u32,
    solver: &mut Solver,
    rng: &mut impl Rng,
    nodes: u64,
) -> Result<Option<Position>, Stop> {
    let mut session = ProofSession::new(solver, nodes);
    lengthened_where(position, m_win, &mut session, rng, |_| true)
}

/// [`lengthened`] to a position that is `allowed`.
fn lengthened_where(
    position: &Position,
    m_win: u32,
    session: &mut ProofSession<'_>,
    rng: &mut impl Rng,
    allowed: impl Fn(&Position) -> bool,
) -> Result<Option<Position>, Stop> {
    let mut between = opponent_unmoves(position);
    between.shuffle(rng);
    for between in between {
        let mut before = own_unmoves(&between);
        before.retain(&allowed);
        before.shuffle(rng);
        // The move taken back holds out for `m_win + 1` plies; no other may hold out longer.
        if before.is_empty() || !session.wins_within(&between, m_win + 1)? {
            continue;
        }
        for before in before {
            if !session.wins_within(&before, m_win)? {
                return Ok(Some(before));
            }
        }
    }
    Ok(None)
}

/// Searches of related positions with a shared budget.
struct ProofSession<'a> {
    solver: &'a mut Solver,
    budget: Budget<'static>,
    /// The number of hidden blues for which the solver's transposition table is valid.
    hidden_blue: Option<u32>,
}

impl ProofSession<'_> {
    fn new(solver: &mut Solver, nodes: u64) -> ProofSession<'_> {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        ProofSession { solver, budget: Budget::new(&limits), hidden_blue: None }
    }

    fn wins_within(&mut self, position: &Position, plies: u32) -> Result<bool, Stop> {
        // A position and its predecessors share most of their proofs.
        if self.hidden_blue.replace(position.hidden_blue()) != Some(position.hidden_blue()) {
            self.solver.start_from(position);
        }
        self.solver.wins_within(position, plies, SearchGoal::Win, &mut self.budget)
    }

    /// The plies of the shortest win, if it is at most `longest`.
    fn win(&mut self, position: &Position, longest: u32) -> Result<Option<u32>, Stop> {
        for plies in (1..=longest).step_by(2) {
            if self.wins_within(position, plies)? {
                return Ok(Some(plies));
            }
        }
        Ok(None)
    }
}

/// The reverse generator: puzzles of a requested length and material, grown from short ones.
///
/// Measured on one core with the default material: of 100 trials for 13 to 15 plies 10 yield a
/// puzzle (nothing revealed), 23 (partly) and 31 (fully), at 70, 65 and 30 puzzles a second; for 15
/// to 21 plies 3 of 100 and 10 a second (nothing revealed). Backtracking to another predecessor was
/// measured too: it raised the yield of a trial, but not the puzzles per second.
#[derive(Clone, Debug)]
pub struct Reverse {
    material: Material,
    revealed: Revealed,
    placement: Placement,
    /// The lengths that are requested and possible.
    lengths: Vec<u32>,
}

impl Reverse {
    /// A generator for puzzles of `material`, revealed as requested, won in one of `lengths` plies.
    /// `None` if no puzzle can satisfy this.
    pub fn new(
        material: &Material,
        revealed: Revealed,
        lengths: RangeInclusive<u32>,
    ) -> Option<Reverse> {
        let placement = Placement::new(material, revealed)?;
        let (least, most) = (MIN_PLIES.max(*lengths.start()), MAX_DEPTH.min(*lengths.end()));
        let lengths: Vec<u32> = (least..=most).filter(|plies| plies % 2 == 1).collect();
        let material = material.clone();
        (!lengths.is_empty()).then_some(Reverse { material, revealed, placement, lengths })
    }

    /// The puzzle of a trial and its length, or `None` if the trial fails. A trial aims at a random
    /// length and falls back to a shorter requested one if it gets stuck. The result is a function
    /// of the arguments; `nodes` limits all searches together.
    ///
    /// # Errors
    /// If the node limit is reached before there is a puzzle.
    pub fn position(
        &self,
        seed: u64,
        trial: u64,
        solver: &mut Solver,
        nodes: u64,
    ) -> Result<Option<(Position, u32)>, Stop> {
        let mut rng = stream(seed, trial);
        let target = self.lengths[rng.random_range(0..self.lengths.len())];
        let mut session = ProofSession::new(solver, nodes);
        let (mut grown, mut found) = (self.start(trial, target, &mut session, &mut rng)?, None);
        while let Some((position, m_win)) = grown {
            if self.lengths.contains(&m_win) && self.has(&position) {
                found = grown;
            }
            if m_win == target {
                break;
            }
            let last = m_win + 2 == target;
            let fits = |before: &Position| {
                if last { self.has(before) } else { self.can_grow_from(before) }
            };
            match lengthened_where(&position, m_win, &mut session, &mut rng, fits) {
                Ok(before) => grown = before.map(|before| (before, m_win + 2)),
                Err(stop) => return found.map(Some).ok_or(stop),
            }
        }
        Ok(found)
    }

    /// A short start puzzle, if one is found within the allowed placements.
    fn start(
        &self,
        trial: u64,
        target: u32,
        session: &mut ProofSession<'_>,
        rng: &mut impl Rng,
    ) -> Result<Option<(Position, u32)>, Stop> {
        let (shortest, longest) =
            (target.min(*START_PLIES.start()), target.min(*START_PLIES.end()));
        for _ in 0..MAX_START_PLACEMENTS {
            let full = self.placement.position(rng.random(), trial);
            let position =
                with_ghosts_removed(&full, rng.random_range(0..=MAX_GHOSTS_REMOVED), rng);
            let m_win = session.win(&position, longest)?.filter(|&m_win| m_win >= shortest);
            if let Some(m_win) = m_win {
                return Ok(Some((position, m_win)));
            }
        }
        Ok(None)
    }

    /// Whether the position has the requested material and revealed colours.
    fn has(&self, position: &Position) -> bool {
        self.material.has_position(position) && Revealed::of(position) == self.revealed
    }

    /// Whether a requested position may precede this one: it has at least these ghosts, and at
    /// least these are revealed.
    fn can_grow_from(&self, position: &Position) -> bool {
        let Some(class) = Class::of(position) else { return false };
        match &self.material {
            Material::Exact(whole) => is_part_of(&class.count(), &whole.count()),
            Material::Counts(most) => {
                let (now, shows) = (Colours::of(class), Revealed::of(position));
                now.own_blue <= *most.own_blue.end()
                    && now.own_red <= *most.own_red.end()
                    && now.top_blue <= *most.top_blue.end()
                    && now.top_red <= *most.top_red.end()
                    && (shows == self.revealed || self.revealed == Revealed::Partly)
            }
        }
    }
}

/// Whether captures alone can lead from `whole` to `part`.
fn is_part_of(part: &Count, whole: &Count) -> bool {
    part.own_blue <= whole.own_blue
        && part.own_red <= whole.own_red
        && part.shown_blue <= whole.shown_blue
        && part.shown_red <= whole.shown_red
        && part.hidden_blue <= whole.hidden_blue
        && part.hidden - part.hidden_blue <= whole.hidden - whole.hidden_blue
}

/// The position with up to `less` ghosts removed, as long as it remains a puzzle.
fn with_ghosts_removed(position: &Position, less: u32, rng: &mut impl Rng) -> Position {
    (0..less).fold(*position, |position, _| {
        let mut army = position.army(Seat::First) | position.army(Seat::Second);
        let nth = rng.random_range(0..army.count().max(1)) as usize;
        let Some(square) = army.nth(nth) else { return position };
        let ghosts = Ghost::ALL.map(|ghost| position.ghosts(ghost).without(square.bit()));
        // A removed hidden ghost is blue or red at random.
        let blue = position.hidden_blue();
        let loses_blue = position.ghosts(Ghost::Hidden).has(square) && rng.random();
        let fewer = Position::from_ghosts(ghosts, blue.saturating_sub(u32::from(loses_blue)));
        if is_puzzle(&fewer) { fewer } else { position }
    })
}
