//! A player's move, judged by proof, and the answer of the opponent; and everything about a
//! position that somebody looks at.
//!
//! Every move that keeps the shortest win is right. A longer win is told apart from a lost one. The
//! opponent answers with the longest defence, or with a refutation.

use crate::solver::{MAX_DEPTH, SearchGoal, SearchResult, Solver};
use games::Seat;
use games::geister::{Ghost, Move, Position};
use search::{Budget, Limits, Stop, Verdict};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What a move is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// It keeps the shortest win.
    Right,
    /// It wins, but only so many plies later.
    Longer(u32),
    /// It is not right, and whether it still wins, much later, was not settled in time: nobody is
    /// blamed for it.
    Unclear {
        /// No win is left within so many plies, counted from before the move.
        depth: u32,
    },
    /// It gives the win away.
    Lost {
        /// No win is left within so many plies, counted from before the move.
        depth: u32,
        /// No win of any length is left.
        never: bool,
    },
}

/// A move with its judgement and the answer to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// What it is worth.
    pub worth: Worth,
    /// The longest defence, or the refutation; `None` if the move ends the game.
    pub reply: Option<Move>,
    /// Plies of the shortest win after move and reply; `None` once it is lost.
    pub left: Option<u32>,
}

/// What a judgement may cost. Nodes and not seconds, so that the same move is always judged alike.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Nodes to tell whether the move is right, and to find the reply.
    pub nodes: u64,
    /// Nodes to look for a longer win.
    pub beyond: u64,
}

impl Default for Patience {
    /// About a second, of which a longer win gets some thirty milliseconds.
    fn default() -> Patience {
        Patience { nodes: 4_000_000, beyond: 150_000 }
    }
}

/// The plies beyond the shortest win up to which a longer win is searched.
pub const MAX_PLIES_BEYOND: u32 = 20;

/// Judges a legal move of the bottom side in a position that is won in exactly `shortest` plies.
/// `known` is what is proved about the move already, in the record of a puzzle say: a win that is
/// much longer takes more than anybody waits for.
///
/// # Errors
/// If the patience is not enough to tell whether the move is right.
pub fn judge(
    solver: &mut Solver,
    position: &Position,
    shortest: u32,
    mv: Move,
    known: Option<Verdict>,
    patience: Patience,
) -> Result<Judgement, Stop> {
    let after = position.play_unchecked(mv);
    solver.start_from(position);
    let budget = &mut budget_of(patience.nodes);
    if solver.wins_within(&after, shortest - 1, SearchGoal::Win, budget)? {
        return won(solver, &after, shortest - 1, Worth::Right, budget);
    }
    if let Some(Verdict::Win(plies)) = known {
        return Ok(known_to_win(solver, &after, plies - 1, shortest, budget));
    }
    let look = &mut budget_of(patience.beyond);
    let farthest = (shortest - 1 + MAX_PLIES_BEYOND).min(MAX_DEPTH);
    let answer = solver.distance(&after, shortest - 1, farthest, look);
    let (worth, depth) = match (answer.verdict, known) {
        (Verdict::Win(left), _) => {
            return won(solver, &after, left, Worth::Longer(left + 1 - shortest), budget);
        }
        (Verdict::NoWin { depth }, _) => {
            (Worth::Lost { depth: depth + 1, never: answer.never }, depth)
        }
        (Verdict::Unknown { depth, .. }, Some(Verdict::NoWin { depth: proved }))
            if proved > farthest =>
        {
            (Worth::Lost { depth: proved, never: false }, depth)
        }
        (Verdict::Unknown { depth, .. }, _) => {
            let depth = depth.max(shortest - 1);
            (Worth::Unclear { depth: depth + 1 }, depth)
        }
    };
    let reply = refutation(solver, &after, depth.max(shortest - 1));
    Ok(Judgement { worth, reply, left: None })
}

/// A move that is known to win in `left` plies more, which is not the shortest. If the longest
/// defence takes too much to find, one that refutes the shortest win has to do, and what is left is
/// at most so much.
fn known_to_win(
    solver: &mut Solver,
    after: &Position,
    left: u32,
    shortest: u32,
    budget: &mut Budget<'_>,
) -> Judgement {
    let longest = solver.longest_defence(after, left, budget).ok().flatten();
    let reply = longest.or_else(|| refutation(solver, after, shortest - 1));
    Judgement { worth: Worth::Longer(left + 1 - shortest), reply, left: Some(left - 1) }
}

fn budget_of(nodes: u64) -> Budget<'static> {
    Budget::new(&Limits { nodes: Some(nodes), ..Limits::default() })
}

/// The longest defence in a position that is won in `left` plies.
fn won(
    solver: &mut Solver,
    after: &Position,
    left: u32,
    worth: Worth,
    budget: &mut Budget<'_>,
) -> Result<Judgement, Stop> {
    if after.outcome().is_some() {
        return Ok(Judgement { worth, reply: None, left: Some(0) });
    }
    let reply = solver.longest_defence(after, left, budget)?;
    Ok(Judgement { worth, reply, left: Some(left - 1) })
}

/// A reply after which there is no win within `depth` plies: one that wins at once, or the first by
/// square. `None` if the game is over, or if none is found within bounds.
fn refutation(solver: &mut Solver, after: &Position, depth: u32) -> Option<Move> {
    let wins = |reply: &Move| {
        let outcome = after.play_unchecked(*reply).outcome();
        outcome.is_some_and(|outcome| outcome.winner() == Some(Seat::Second))
    };
    let replies = after.legal_moves();
    if let Some(reply) = replies.iter().copied().find(wins) {
        return Some(reply);
    }
    // The search that refuted the move knows such a reply, and has it in its table; to prove that
    // another one loses may take far longer. So every reply is asked for little first.
    for nodes in [1 << 6, 1 << 10, 1 << 14, 1 << 18] {
        for reply in &replies {
            let next = after.play_unchecked(*reply);
            let refuted =
                solver.wins_within(&next, depth - 1, SearchGoal::Win, &mut budget_of(nodes));
            if refuted == Ok(false) {
                return Some(*reply);
            }
        }
    }
    None
}

/// A right move in a position that is won in exactly `shortest` plies: the first by square.
///
/// # Errors
/// If the patience is not enough.
pub fn hint(
    solver: &mut Solver,
    position: &Position,
    shortest: u32,
    patience: Patience,
) -> Result<Option<Move>, Stop> {
    solver.start_from(position);
    let budget = &mut budget_of(patience.nodes);
    for mv in position.legal_moves() {
        let after = position.play_unchecked(mv);
        if solver.wins_within(&after, shortest - 1, SearchGoal::Win, budget)? {
            return Ok(Some(mv));
        }
    }
    Ok(None)
}

/// A ply and what it brought to light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// Who made it.
    pub side: Seat,
    /// What it captured, as it turned out: a hidden ghost is red.
    pub captured: Option<Ghost>,
    /// What left the board, as it turned out: a hidden ghost is blue.
    pub left: Option<Ghost>,
    /// The ghost that was captured or left had been hidden.
    pub was_hidden: bool,
}

impl Ply {
    /// What `mv` would bring to light in `position`.
    pub fn new(position: &Position, mv: Move) -> Ply {
        let (captured, left) = match mv {
            Move::Step { .. } => (position.captured(mv), None),
            Move::Escape { from } => (None, position.get(from)),
        };
        let was_hidden = captured.or(left) == Some(Ghost::Hidden);
        let turned_out = |ghost: Option<Ghost>, hidden: Ghost| {
            ghost.map(|ghost| if ghost == Ghost::Hidden { hidden } else { ghost })
        };
        Ply {
            mv,
            side: position.turn(),
            captured: turned_out(captured, Ghost::ShownRed),
            left: turned_out(left, Ghost::ShownBlue),
            was_hidden,
        }
    }
}

/// Everything about a position, whoever is to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Survey {
    /// Whether and how soon the bottom side wins.
    pub answer: SearchResult,
    /// A main line of a win.
    pub line: Vec<Move>,
    /// Every legal move with what is proved about it; plies count from before the move.
    pub moves: Vec<(Move, Verdict)>,
}

/// So many nodes are enough for anything that comes out in a second.
const SURVEY_NODES: u64 = 20_000_000;

/// Looks at a position for at most `time` for the verdict and as much again for line and moves.
pub fn survey(
    solver: &mut Solver,
    position: &Position,
    depth: u32,
    time: Duration,
    stop: &AtomicBool,
) -> Survey {
    let limits = Limits { depth, time: Some(time), nodes: Some(SURVEY_NODES), ..Limits::default() };
    let mut budget = Budget::new(&limits).stopped_by(stop);
    solver.start_from(position);
    let answer = solver.distance(position, 0, depth, &mut budget);
    let budget = &mut budget.renewed();
    let line = match answer.verdict {
        Verdict::Win(plies) => solver.main_line(position, plies, budget),
        _ => Vec::new(),
    };
    let moves = match (position.turn(), answer.verdict) {
        (Seat::First, Verdict::Win(plies)) => {
            let depth = (plies + 2).max(depth).min(MAX_DEPTH);
            let moves = solver.first_moves(position, plies, depth, budget).into_iter();
            moves.map(|first| (first.mv, first.verdict)).collect()
        }
        // Nobody wins by a move where the position itself is not won.
        (Seat::First, verdict) => {
            position.legal_moves().into_iter().map(|mv| (mv, verdict)).collect()
        }
        (Seat::Second, _) => replies(solver, position, depth, budget),
    };
    Survey { answer, line, moves }
}

/// Every reply of the top side, looked at ply by ply, so that a hard one does not use up what the
/// others need.
fn replies(
    solver: &mut Solver,
    position: &Position,
    depth: u32,
    budget: &mut Budget<'_>,
) -> Vec<(Move, Verdict)> {
    let unseen = |mv| (mv, Verdict::NoWin { depth: 0 });
    let mut replies: Vec<(Move, Verdict)> =
        position.legal_moves().into_iter().map(unseen).collect();
    for depth in (2..=depth.max(2)).step_by(2) {
        for (mv, verdict) in &mut replies {
            if let Verdict::NoWin { depth: done } = *verdict {
                let after = position.play_unchecked(*mv);
                let found = solver.distance(&after, done.saturating_sub(1), depth - 1, budget);
                *verdict = one_ply_more(found.verdict);
            }
        }
    }
    replies
}

fn one_ply_more(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Win(plies) => Verdict::Win(plies + 1),
        Verdict::NoWin { depth } => Verdict::NoWin { depth: depth + 1 },
        Verdict::Unknown { depth, stop } => Verdict::Unknown { depth: depth + 1, stop },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: &str = "6/4u1/B5/6/6/Ru4 1";

    fn judged(text: &str, shortest: u32, mv: &str) -> Judgement {
        let position = text.parse().unwrap();
        let mv = mv.parse().unwrap();
        judge(&mut Solver::new(1 << 20), &position, shortest, mv, None, Patience::default())
            .unwrap()
    }

    #[test]
    fn right_and_lost_moves_are_distinguished() {
        let right = judged(USUAL, 5, "a4a5");
        assert_eq!((right.worth, right.left), (Worth::Right, Some(3)));
        let longer = judged(USUAL, 5, "a4a3");
        assert_eq!((longer.worth, longer.left), (Worth::Longer(4), Some(7)));
        // Capturing the last red loses at once.
        let lost = judged(USUAL, 5, "a1b1");
        assert!(matches!(lost.worth, Worth::Lost { never: true, .. }), "{lost:?}");
        assert!(lost.reply.is_none() && lost.left.is_none());
        let lost = judged("2R3/2B3/1u4/2u3/3u2/2B3 1", 29, "c1c2");
        assert!(matches!(lost.worth, Worth::Lost { never: true, .. }), "{lost:?}");
        assert!(lost.reply.is_some() && lost.left.is_none());
    }

    #[test]
    fn the_last_move_has_no_reply() {
        let out = judged("B5/6/6/6/6/Ru3u 1", 1, "a6-out");
        assert_eq!(out, Judgement { worth: Worth::Right, reply: None, left: Some(0) });
    }

    #[test]
    fn a_purple_ghost_is_red_when_captured_and_blue_when_it_leaves() {
        let position: Position = "6/6/6/6/6/BuR2u 1".parse().unwrap();
        let ply = Ply::new(&position, "a1b1".parse().unwrap());
        assert_eq!((ply.captured, ply.was_hidden), (Some(Ghost::ShownRed), true));
        let passed = position.passed();
        let ply = Ply::new(&passed, "f1-out".parse().unwrap());
        assert_eq!((ply.left, ply.was_hidden), (Some(Ghost::ShownBlue), true));
        let ply = Ply::new(&passed, "b1a1".parse().unwrap());
        assert_eq!(
            (ply.captured, ply.was_hidden, ply.side),
            (Some(Ghost::OwnBlue), false, Seat::Second)
        );
    }

    #[test]
    fn a_survey_judges_every_move_of_either_side() {
        let mut solver = Solver::new(1 << 20);
        let start: Position = USUAL.parse().unwrap();
        let time = Duration::from_secs(5);
        let survey_of = |solver: &mut Solver, position| {
            survey(solver, position, 25, time, &AtomicBool::new(false))
        };
        let own = survey_of(&mut solver, &start);
        assert_eq!((own.answer.verdict, own.line.len()), (Verdict::Win(5), 5));
        let key = "a4a5".parse().unwrap();
        let best: Vec<_> =
            own.moves.iter().filter(|(_, verdict)| *verdict == Verdict::Win(5)).collect();
        assert_eq!(best, [&(key, Verdict::Win(5))]);
        let after = start.play(key).unwrap();
        let top = survey_of(&mut solver, &after);
        assert_eq!(
            (top.answer.verdict, top.moves.len()),
            (Verdict::Win(4), after.legal_moves().len())
        );
        assert!(
            top.moves.iter().all(|(_, verdict)| matches!(verdict, Verdict::Win(1 | 4))),
            "{top:?}"
        );
        // Where the win is gone, some reply shows it and others may still lose.
        let start: Position = "2R3/2B3/1u4/2u3/3u2/2B3 1".parse().unwrap();
        let after = start.play("c1c2".parse().unwrap()).unwrap();
        let top = survey(&mut solver, &after, 10, time, &AtomicBool::new(false));
        assert_eq!(top.answer.verdict, Verdict::NoWin { depth: 10 });
        assert!(top.moves.iter().any(|(_, verdict)| matches!(verdict, Verdict::NoWin { .. })));
    }
}
