//! Quality measures of a puzzle. All of them are proved by search.

use crate::proof::{Proof, attack_has_sting};
use games::Seat;
use games::geister::{Bitboard, Ghost, Move, Position, Square};
use geister::solver::{FirstMove, SearchGoal, Solver};
use geister::tablebase::Class;
use search::{Budget, Stop, Verdict};

/// The quality measures of a puzzle.
#[derive(Clone, Debug, PartialEq)]
pub struct Quality {
    /// First moves that keep the shortest win. One is a *unique key*.
    pub keys: u32,
    /// First moves that win at all, within the searched depth.
    pub winning_first_moves: u32,
    /// Line purity: the fraction of own main-line moves that are the only shortest win, from 0 to
    /// 1.
    pub purity: f64,
    /// The squares of idle ghosts: each could be removed without changing length or keys.
    pub idle: Vec<Square>,
    /// Futile offence: plies that pointless attacks of the top side add; see [`futile_plies`].
    /// `None` if a limit was hit.
    pub futile_plies: Option<u32>,
}

/// The number of first moves that win.
pub fn winning(first_moves: &[FirstMove]) -> u32 {
    let wins = |first: &&FirstMove| matches!(first.verdict, Verdict::Win(_));
    first_moves.iter().filter(wins).count() as u32
}

/// The fraction of own moves on `line`, which is best play, that are the only shortest win.
///
/// # Errors
/// If a limit is hit.
pub fn purity(proof: &mut Proof<'_, '_>, line: &[Move]) -> Result<f64, Stop> {
    let (mut own, mut single) = (0u32, 0u32);
    for (position, plies) in positions_of(proof, line) {
        if position.turn() == Seat::First {
            own += 1;
            single += u32::from(proof.best_moves(&position, plies)?.len() == 1);
        }
    }
    Ok(f64::from(single) / f64::from(own.max(1)))
}

/// The positions of a line of best play before each of its moves, with the plies left.
fn positions_of(proof: &Proof<'_, '_>, line: &[Move]) -> Vec<(Position, u32)> {
    let mut position = *proof.position();
    let lefts = (1..=proof.m_win()).rev();
    let before = line.iter().zip(lefts).map(|(&mv, plies)| {
        let before = position;
        position = position.play_unchecked(mv);
        (before, plies)
    });
    before.collect()
}

/// Plies that futile attacks of the top side add to the win (Hsueh et al. 2025, section 7).
///
/// If the top side never leaves the board (*unopposed*), the win may be shorter; the difference is
/// what its attacks add. The attacks are futile if they no longer matter once they are answered: on
/// the main line, at the first own move from which the win takes no longer than unopposed, a free
/// move gains the top side no more than it would unopposed. If it gains more, the bottom side wins
/// a race by a tempo, and the attack had a point: 0.
///
/// # Errors
/// If a limit is hit.
pub fn futile_plies(proof: &mut Proof<'_, '_>, line: &[Move]) -> Result<u32, Stop> {
    let (start, m_win) = (*proof.position(), proof.m_win());
    let unopposed = unopposed_plies(proof, &start, m_win)?;
    if unopposed == m_win {
        return Ok(0);
    }
    for (position, plies) in positions_of(proof, line) {
        let own = position.turn() == Seat::First;
        if own && unopposed_plies(proof, &position, plies)? == plies {
            let has_sting = attack_has_sting(proof, &position, plies)?;
            return Ok(if has_sting { 0 } else { m_win - unopposed });
        }
    }
    Ok(0)
}

/// The length of the win against a top side that never leaves, which is at most `plies`.
fn unopposed_plies(
    proof: &mut Proof<'_, '_>,
    position: &Position,
    plies: u32,
) -> Result<u32, Stop> {
    let mut length = plies;
    while length > 2 && proof.wins_within(position, length - 2, SearchGoal::WinUnopposed)? {
        length -= 2;
    }
    Ok(length)
}

/// The idle ghosts of a puzzle that is won in `m_win` plies with exactly these keys: each could be
/// removed alone without changing length or keys. The solver is reset for each of them.
///
/// A hidden ghost is removed as a red or as a blue one, whichever changes nothing.
///
/// # Errors
/// If a limit is hit.
pub fn idle(
    solver: &mut Solver,
    position: &Position,
    m_win: u32,
    keys: &[Move],
    budget: &mut Budget<'_>,
) -> Result<Vec<Square>, Stop> {
    let mut idle = Vec::new();
    let ghosts = position.army(Seat::First) | position.army(Seat::Second);
    for square in ghosts {
        if stripped(solver, position, square, m_win, keys, budget)?.is_some() {
            idle.push(square);
        }
    }
    Ok(idle)
}

/// The puzzle without the ghost on `square`, if that changes neither its length nor its keys.
///
/// # Errors
/// If a limit is hit.
pub fn stripped(
    solver: &mut Solver,
    position: &Position,
    square: Square,
    m_win: u32,
    keys: &[Move],
    budget: &mut Budget<'_>,
) -> Result<Option<Position>, Stop> {
    for without in taken_off(position, square) {
        solver.start_from(&without);
        let same_length = solver.wins_within(&without, m_win, SearchGoal::Win, budget)?
            && !solver.wins_within(&without, m_win.saturating_sub(2), SearchGoal::Win, budget)?;
        if same_length {
            let mut proof = Proof::new(solver, budget, without, m_win);
            if proof.best_moves(&without, m_win)? == keys {
                return Ok(Some(without));
            }
        }
    }
    Ok(None)
}

/// The positions without the ghost on `square` that are still puzzles.
fn taken_off(position: &Position, square: Square) -> Vec<Position> {
    let ghosts = Ghost::ALL.map(|ghost| position.ghosts(ghost).without(square.bit()));
    let blue = position.hidden_blue();
    let was_hidden = position.ghosts(Ghost::Hidden).has(square);
    let blues = if was_hidden { vec![blue, blue.saturating_sub(1)] } else { vec![blue] };
    let hidden = |set: &[Bitboard; 5]| set[Ghost::Hidden as usize].count();
    blues
        .into_iter()
        .filter(|&blue| blue <= hidden(&ghosts))
        .map(|blue| Position::from_ghosts(ghosts, blue))
        .filter(|without| Class::of(without).is_some_and(|class| class.blue() > 0))
        .collect()
}
