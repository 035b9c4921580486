//! How a line of play feels: single conspiracy numbers and motion in mind along a puzzle or a game
//! (P4 IV to VI), seen by the bottom side.
//!
//! # What the numbers say
//!
//! The [single conspiracy number](search::conspiracy) of a position tells how many leaves of a small
//! tree would have to change their mind together for the bottom side to reach its goal: 0 where the
//! goal is in sight, infinite where the top side wins within the tree. Evaluation and threshold are
//! the [`Goal`]:
//!
//! | goal | evaluation | threshold | the number counts |
//! | --- | --- | --- | --- |
//! | [`Goal::Win`] | won by the rules, or not | won | replies that still parry: it is the proof number of the tree |
//! | [`Goal::Run`] | [`lead`]: moves by which a blue is ahead on its way out | 0 | replies after which no blue runs free |
//!
//! A puzzle is won throughout, so a tree as deep as the puzzle has the number 0 everywhere and tells
//! nothing. The tree is that of a person who looks a few moves [`ahead`](Sight::ahead), as the depths
//! 2 to 5 of P4 stand for players from rookie to master.
//!
//! # One number for each own turn
//!
//! Every tree ends behind an own move, whoever is to move at its root. Where the top side is to
//! move, the number is a sum over its replies, and after the reply it is one summand; so the numbers
//! of all plies go up and down by arithmetic alone. Rides and motion are therefore made of the
//! positions in which the bottom side has to decide, and of the end.
//!
//! An infinite number counts as much as the greatest finite one of its series: the wagon stands at
//! the top of the ride.

use crate::board::{BOTTOM_EXITS, TOP_EXITS};
use games::Seat;
use games::geister::{Bitboard, Ghost, Move, Position};
use search::stochastic::{Stochastic, Turn};
use search::{Budget, Motion, Stop, conspiracy_number, motion};

/// What the bottom side has in mind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// To have won.
    Win,
    /// To have a blue that runs free: its [`lead`] is 0 or more. Or to have won.
    Run,
}

/// How far one sees, and what for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sight {
    /// What is looked for.
    pub goal: Goal,
    /// How many own moves are looked ahead; 0 counts as 1.
    pub ahead: u32,
}

impl Sight {
    /// The single conspiracy number of `position`; `None` if it is infinite.
    ///
    /// # Errors
    /// If a limit is hit.
    pub fn number(self, position: &Position, budget: &mut Budget<'_>) -> Result<Option<u32>, Stop> {
        let own_turn = position.turn() == Seat::First;
        let own_moves = self.ahead.max(1);
        self.within(position, 2 * own_moves - u32::from(own_turn), budget)
    }

    /// Every move of the bottom side, which is to move, with the number of what follows in the same
    /// tree. The least of them is the number of the position: a player who trusts the numbers plays
    /// one of those.
    ///
    /// # Errors
    /// If a limit is hit.
    pub fn outlook(
        self,
        position: &Position,
        budget: &mut Budget<'_>,
    ) -> Result<Vec<(Move, Option<u32>)>, Stop> {
        let plies = 2 * (self.ahead.max(1) - 1);
        let after = |mv| Ok((mv, self.within(&position.play_unchecked(mv), plies, budget)?));
        position.legal_moves().into_iter().map(after).collect()
    }

    fn within(
        self,
        position: &Position,
        plies: u32,
        budget: &mut Budget<'_>,
    ) -> Result<Option<u32>, Stop> {
        let evaluate = |ghosts: &Ghosts| self.goal.value(&ghosts.0);
        Ok(conspiracy_number(&Ghosts(*position), plies, 0.0, &evaluate, budget)?.finite())
    }
}

impl Goal {
    /// The evaluation, made so that the threshold is 0.
    fn value(self, position: &Position) -> f64 {
        match (position.outcome(), self) {
            (Some(outcome), _) if outcome.winner() == Some(Seat::First) => f64::INFINITY,
            (Some(_), _) => f64::NEG_INFINITY,
            (None, Goal::Win) => -1.0,
            (None, Goal::Run) => lead(position).map_or(f64::NEG_INFINITY, f64::from),
        }
    }
}

/// By how many moves the best placed own blue is ahead on its way out: of the nearest guard of its
/// exit, and of the top side's own way out. From 0 on it runs free, if nobody stands in its way or
/// catches it from the side: an evaluation, not a proof. `None` without a blue.
pub fn lead(position: &Position) -> Option<i32> {
    let theirs = nearest(position.leavers(Seat::Second), TOP_EXITS);
    let late = i32::from(position.turn() == Seat::Second);
    let leads = BOTTOM_EXITS.flat_map(|exit| {
        let guard = nearest(position.army(Seat::Second), exit.bit());
        position.ghosts(Ghost::OwnBlue).map(move |blue| {
            let steps = blue.distance(exit) as i32;
            // A guard that arrives together with the blue captures it there.
            (guard - steps - 1).min(theirs - steps) - late
        })
    });
    leads.max()
}

/// The least distance between a square of one set and one of the other; far if there is none.
fn nearest(from: Bitboard, to: Bitboard) -> i32 {
    const FAR: i32 = 99;
    let distances = from.flat_map(|a| to.map(move |b| a.distance(b) as i32));
    distances.min().unwrap_or(FAR)
}

/// A position as conspiracy numbers see it: the bottom side maximises.
#[derive(Clone)]
struct Ghosts(Position);

impl Stochastic for Ghosts {
    type Move = Move;

    fn turn(&self) -> Option<Turn> {
        let turn = if self.0.turn() == Seat::First { Turn::Max } else { Turn::Min };
        self.0.outcome().is_none().then_some(turn)
    }

    fn moves(&self, out: &mut Vec<Move>) {
        out.extend(self.0.legal_moves());
    }

    fn play(&self, mv: Move) -> Ghosts {
        Ghosts(self.0.play_unchecked(mv))
    }
}

/// A position of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// The bottom side has to decide here, or the game is over.
    pub counts: bool,
    /// The single conspiracy number; `None` if it is infinite.
    pub number: Option<u32>,
}

/// The numbers along a line of play, one for each position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The positions in order.
    pub points: Vec<Point>,
}

impl Trace {
    /// The trace of a line from `start`: the position before each of its moves, and the last one.
    ///
    /// # Errors
    /// If a limit is hit.
    pub fn along(
        start: &Position,
        line: &[Move],
        sight: Sight,
        budget: &mut Budget<'_>,
    ) -> Result<Trace, Stop> {
        let later = line.iter().scan(*start, |position, &mv| {
            *position = position.play_unchecked(mv);
            Some(*position)
        });
        Trace::through(std::iter::once(*start).chain(later), sight, budget)
    }

    /// The trace of positions that follow one another, as a game shows them to one side.
    ///
    /// # Errors
    /// If a limit is hit.
    pub fn through(
        positions: impl IntoIterator<Item = Position>,
        sight: Sight,
        budget: &mut Budget<'_>,
    ) -> Result<Trace, Stop> {
        let point = |position: Position| {
            let counts = position.turn() == Seat::First || position.outcome().is_some();
            Ok(Point { counts, number: sight.number(&position, budget)? })
        };
        Ok(Trace { points: positions.into_iter().map(point).collect::<Result<_, _>>()? })
    }

    /// The numbers of the own turns and the end, an infinite one as much as the greatest finite one.
    pub fn heights(&self) -> Vec<f64> {
        let counted = self.points.iter().filter(|point| point.counts).map(|point| point.number);
        motion::series(&counted.collect::<Vec<_>>())
    }

    /// Motion in mind over the own turns and the end; none if all their numbers are equal.
    pub fn motion(&self) -> Option<Motion> {
        Motion::of(&self.heights())
    }

    /// The motion of each own turn and the end by itself; nothing if all their numbers are equal.
    pub fn moments(&self) -> Vec<Motion> {
        motion::moments(&self.heights())
    }

    /// The ups and downs.
    pub fn ride(&self) -> Ride {
        Ride::over(&self.heights())
    }
}

/// The ups and downs of a series: the roller coaster of P4 VI-C, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ride {
    /// Steps up.
    pub rises: u32,
    /// Steps down.
    pub falls: u32,
    /// How far it goes up in all.
    pub climbed: f64,
    /// How far it goes down in all.
    pub dropped: f64,
    /// The greatest step down.
    pub steepest: f64,
    /// How often up changes to down or down to up; level stretches between do not matter.
    pub turns: u32,
}

impl Ride {
    /// The ride over these heights.
    pub fn over(heights: &[f64]) -> Ride {
        let mut ride = Ride::default();
        let mut last = 0.0_f64;
        for pair in heights.windows(2) {
            let step = pair[1] - pair[0];
            if step > 0.0 {
                (ride.rises, ride.climbed) = (ride.rises + 1, ride.climbed + step);
            } else if step < 0.0 {
                (ride.falls, ride.dropped) = (ride.falls + 1, ride.dropped - step);
                ride.steepest = ride.steepest.max(-step);
            } else {
                continue;
            }
            ride.turns += u32::from(last * step < 0.0);
            last = step;
        }
        ride
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::Limits;

    fn position(text: &str) -> Position {
        text.parse().unwrap()
    }

    fn number(text: &str, goal: Goal, ahead: u32) -> Option<u32> {
        let mut budget = Budget::new(&Limits::default());
        Sight { goal, ahead }.number(&position(text), &mut budget).unwrap()
    }

    #[test]
    fn a_ride_matches_a_hand_calculation() {
        let ride = Ride::over(&[3.0, 5.0, 5.0, 2.0, 2.0, 4.0, 0.0]);
        let expected =
            Ride { rises: 2, falls: 2, climbed: 4.0, dropped: 7.0, steepest: 4.0, turns: 3 };
        assert_eq!(ride, expected);
        assert_eq!(Ride::over(&[7.0]), Ride::default());
        assert_eq!(Ride::over(&[]), Ride::default());
    }

    #[test]
    fn moments_average_to_the_motion() {
        let trace = |numbers: &[Option<u32>]| Trace {
            points: numbers.iter().map(|&number| Point { counts: true, number }).collect(),
        };
        let ride = trace(&[Some(2), None, Some(6), Some(4)]);
        assert_eq!(ride.heights(), [2.0, 6.0, 6.0, 4.0]);
        let (motion, moments) = (ride.motion().unwrap(), ride.moments());
        let mean = |of: fn(&Motion) -> f64| moments.iter().map(of).sum::<f64>() / 4.0;
        assert!((mean(|m| m.velocity) - motion.velocity).abs() < 1e-12);
        assert!((mean(|m| m.momentum) - motion.momentum).abs() < 1e-12);
        assert_eq!(moments[3].potential, 0.25);
        for level in [&[][..], &[Some(3)], &[None, None], &[Some(1), Some(1)]] {
            assert!(trace(level).motion().is_none() && trace(level).moments().is_empty());
        }
    }

    #[test]
    fn only_own_turns_and_the_end_count() {
        let point = |counts, number| Point { counts, number: Some(number) };
        let points = vec![point(true, 3), point(false, 9), point(true, 1), point(true, 0)];
        assert_eq!(Trace { points }.heights(), [3.0, 1.0, 0.0]);
    }

    /// The blue on a5 steps to a6 and leaves next, unless the ghost on b6 takes it: one parry, and
    /// another blue to go on with. With the ghost farther away there is none.
    #[test]
    fn the_number_of_a_threat_is_that_of_its_parries() {
        let threat = "1u4/B5/6/6/3B2/R2u2 1";
        let parries = number(threat, Goal::Win, 2);
        assert_eq!(number("6/B5/2u3/6/6/R2u2 1", Goal::Win, 2), Some(0));
        assert_eq!(parries, Some(1));
    }

    /// The ghost on f1 leaves after any move of the bottom side.
    #[test]
    fn a_lost_position_has_an_infinite_number() {
        assert_eq!(number("6/6/B5/6/6/R1u2u 1", Goal::Win, 2), None);
        assert_eq!(number("6/6/B5/6/6/R1u2u 1", Goal::Run, 2), None);
    }

    #[test]
    fn leads_match_a_hand_calculation() {
        // Three steps to a6; the guards are six and more away, the top side five from a1.
        assert_eq!(lead(&position("5u/5u/6/B5/6/5R 1")), Some(1));
        // The guard on c6 is there after two steps, as many as the blue takes.
        assert_eq!(lead(&position("2u2u/6/B5/6/6/5R 1")), Some(-1));
        // One step each to go: the one to move is first.
        let race = position("6/B5/6/3u2/6/1u3R 1");
        assert_eq!((lead(&race), lead(&race.passed())), (Some(0), Some(-1)));
    }
}
