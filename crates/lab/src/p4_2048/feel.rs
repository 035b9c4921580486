//! How a game felt: its numbers brought to 0..1, milestone by milestone, and P4's table 7.

use super::game::{Game, Tree};
use search::{Motion, velocities};

/// A low level is below the first, a high one is not below the second.
const LEVELS: [f64; 2] = [1.0 / 3.0, 2.0 / 3.0];

/// The same of changeover gaps: the difference of the mean numbers of one milestone and the next.
/// P4 leaves it open; the gap of a whole third would hardly ever be high.
const GAPS: [f64; 2] = [0.1, 0.2];

/// The course of a game.
#[derive(Clone, Debug)]
pub(super) struct Course {
    /// The power of two of the highest tile.
    pub(super) highest: u32,
    /// The single velocities: the numbers brought to 0..1 over the whole game.
    pub(super) velocities: Vec<f64>,
    /// The motion of the whole.
    pub(super) motion: Motion,
    /// The motion while the largest tile was this power of two.
    pub(super) milestones: Vec<(u32, Motion)>,
}

impl Course {
    /// The course of a game by its numbers in this tree; none if they are all alike. An infinite number, a position in
    /// which every move may lose at once, counts as the greatest finite one of the game.
    pub(super) fn of(game: &Game, tree: Tree) -> Option<Course> {
        let numbers = game.numbers.iter().map(|numbers| numbers[tree as usize]);
        let most = numbers.clone().flatten().max().unwrap_or(0);
        let numbers: Vec<f64> = numbers.map(|number| f64::from(number.unwrap_or(most))).collect();
        let velocities = velocities(&numbers)?;
        let ends = game.milestones.iter().skip(1).map(|(from, _)| *from);
        let ends = ends.chain([velocities.len() as u32]);
        let milestones = game
            .milestones
            .iter()
            .zip(ends)
            .filter_map(|(&(from, power), to)| {
                let part = velocities.get(from as usize..to as usize)?;
                Some((power, Motion::of_velocities(part)?))
            })
            .collect();
        let motion = Motion::of_velocities(&velocities)?;
        Some(Course { highest: game.highest(), velocities, motion, milestones })
    }

    /// The milestones after the first, each with its place in table 7.
    pub(super) fn places(&self) -> impl Iterator<Item = Place> {
        self.milestones.windows(2).map(|pair| {
            let (before, now) = (pair[0].1.velocity, pair[1].1.velocity);
            let (level, gap) = (degree(now, LEVELS), degree((now - before).abs(), GAPS));
            Place { level, gap, last: pair[1].0 == self.highest }
        })
    }
}

/// Low, middle or high.
fn degree(value: f64, [low, high]: [f64; 2]) -> usize {
    usize::from(value >= low) + usize::from(value >= high)
}

/// Where the time between two milestones stands in table 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The mean number: 0 is low, 2 is high.
    pub(super) level: usize,
    /// How far it is from the one before: 0 is low, 2 is high.
    pub(super) gap: usize,
    /// Whether the game ended before the next milestone.
    pub(super) last: bool,
}

/// What table 7 calls a position, by level and gap.
pub(super) const READINGS: [[&str; 3]; 3] = [
    ["trap", "favourable", "favourable"],
    ["uncertain", "uncertain", "uncertain"],
    ["favourable", "trap (thrilling)", "trap (thrilling)"],
];

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> Game {
        let numbers = [4, 9, 0, 2, 5].map(Some).into_iter().chain([None, Some(1)]);
        let numbers = numbers.map(|number| [number, Some(7)]).collect();
        Game { score: 0, numbers, milestones: vec![(0, 1), (2, 2), (2, 3), (5, 4)] }
    }

    /// The parts together are the whole, and a milestone that was passed at once has no motion.
    #[test]
    fn milestones_cut_a_game_into_parts() {
        let course = Course::of(&game(), Tree::Common).unwrap();
        assert_eq!(course.velocities[5], 1.0, "an infinite number is the greatest");
        let powers: Vec<u32> = course.milestones.iter().map(|(power, _)| *power).collect();
        assert_eq!(powers, [1, 3, 4]);
        let parts = course.milestones.iter().zip([2.0, 3.0, 2.0]);
        let sum: f64 = parts.map(|((_, motion), turns)| motion.velocity * turns).sum();
        assert!((sum - 7.0 * course.motion.velocity).abs() < 1e-12);
        assert_eq!(course.places().map(|place| place.last).collect::<Vec<_>>(), [false, true]);
    }

    #[test]
    fn what_never_moves_has_no_course() {
        assert!(Course::of(&game(), Tree::Own).is_none());
        let lost = Game { numbers: vec![[None; 2]; 4], ..game() };
        assert!(Course::of(&lost, Tree::Common).is_none());
    }

    #[test]
    fn degrees_are_low_middle_and_high() {
        assert_eq!([0.0, 0.34, 0.67, 1.0].map(|v| degree(v, LEVELS)), [0, 1, 2, 2]);
    }
}
