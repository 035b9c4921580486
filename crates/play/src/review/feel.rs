//! How a game felt: the single conspiracy numbers of a seat's turns, motion in mind, and where it
//! turned.

use search::{Motion, motion};

/// A step over at least this share of the whole range is a turning point.
const MIN_TURNING_STEP: f64 = 0.25;
/// More turning points than this nobody wants to read about.
const MAX_TURNING_POINTS: usize = 6;

/// A turn of a seat, or the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// The plies before it.
    pub ply: usize,
    /// The single conspiracy number; `None` if it is infinite.
    pub number: Option<u32>,
    /// Motion in mind; `None` if all numbers of the game are equal.
    pub moment: Option<Motion>,
}

/// Where a game turned for a seat: between its turn before and this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurningPoint {
    /// The plies before the turn where it had turned.
    pub ply: usize,
    /// The number rose: the goal went farther away.
    pub rise: bool,
    /// The number at the turn before.
    pub from: Option<u32>,
    /// The number now.
    pub to: Option<u32>,
}

/// How a game felt to a seat.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Feel {
    /// Its turns, and the end.
    pub turns: Vec<Turn>,
    /// The greatest changes, in the order of the game.
    pub turning: Vec<TurningPoint>,
}

impl Feel {
    /// Of the numbers at these plies.
    pub fn new(numbers: &[(usize, Option<u32>)]) -> Feel {
        let series: Vec<Option<u32>> = numbers.iter().map(|&(_, number)| number).collect();
        let moments = motion::moments(&motion::series(&series));
        let turn = |(at, &(ply, number)): (usize, &(usize, Option<u32>))| Turn {
            ply,
            number,
            moment: moments.get(at).copied(),
        };
        let turns: Vec<Turn> = numbers.iter().enumerate().map(turn).collect();
        Feel { turning: turning(&turns), turns }
    }
}

fn turning(turns: &[Turn]) -> Vec<TurningPoint> {
    let velocity = |turn: &Turn| turn.moment.map_or(0.0, |moment| moment.velocity);
    // An infinite number is as high as the greatest finite one, and yet another thing.
    let step = |pair: &[Turn]| {
        let lost = f64::from(u8::from(pair[1].number.is_none()))
            - f64::from(u8::from(pair[0].number.is_none()));
        velocity(&pair[1]) - velocity(&pair[0]) + MIN_TURNING_STEP * lost
    };
    let mut steps: Vec<(f64, TurningPoint)> = turns
        .windows(2)
        .map(|pair| (step(pair), pair))
        .filter(|(step, _)| step.abs() >= MIN_TURNING_STEP)
        .map(|(step, pair)| {
            let (from, to) = (pair[0].number, pair[1].number);
            (step.abs(), TurningPoint { ply: pair[1].ply, rise: step > 0.0, from, to })
        })
        .collect();
    steps.sort_by(|one, other| other.0.total_cmp(&one.0));
    steps.truncate(MAX_TURNING_POINTS);
    let mut found: Vec<TurningPoint> = steps.into_iter().map(|(_, point)| point).collect();
    found.sort_by_key(|point| point.ply);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_points_by_hand() {
        let numbers =
            [(0, Some(9)), (2, Some(8)), (4, Some(1)), (6, Some(2)), (8, None), (9, Some(0))];
        let feel = Feel::new(&numbers);
        let found: Vec<(usize, bool)> =
            feel.turning.iter().map(|one| (one.ply, one.rise)).collect();
        assert_eq!(found, [(4, false), (8, true), (9, false)]);
        assert_eq!(feel.turns.len(), 6);
        assert_eq!(feel.turning[1].to, None);
    }

    #[test]
    fn a_level_game_has_none_and_a_wild_one_not_too_many() {
        assert!(Feel::new(&[(0, Some(3)), (2, Some(3))]).turning.is_empty());
        assert!(Feel::new(&[]).turns.is_empty());
        let wild: Vec<(usize, Option<u32>)> =
            (0..40).map(|at| (2 * at, Some(if at % 2 == 0 { 0 } else { 10 }))).collect();
        assert_eq!(Feel::new(&wild).turning.len(), MAX_TURNING_POINTS);
    }
}
