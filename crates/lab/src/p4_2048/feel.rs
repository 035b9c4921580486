//! Motion in mind of a game: its conspiracy numbers scaled to 0..1, by milestone, and P4's table 7.

use super::game::{Game, Tree};
use search::{Motion, velocities};

/// The thresholds of levels: low is below the first, high is at or above the second.
const LEVELS: [f64; 2] = [1.0 / 3.0, 2.0 / 3.0];

/// The thresholds of changeover gaps: the differences between the mean numbers of two milestones.
/// P4 does not say; with the thresholds of levels a gap would hardly ever be high.
const GAPS: [f64; 2] = [0.1, 0.2];

/// The motion of a game.
#[derive(Clone, Debug)]
pub(super) struct GameMotion {
    /// The power of two of the highest tile.
    pub(super) highest: u32,
    /// The single velocities: the numbers scaled to 0..1 over the whole game.
    pub(super) velocities: Vec<f64>,
    /// The motion of the whole game.
    pub(super) motion: Motion,
    /// The motion while the largest tile was this power of two.
    pub(super) milestones: Vec<(u32, Motion)>,
}

impl GameMotion {
    /// The motion of a game by its numbers in this tree; `None` if they are all equal. An infinite number, of a
    /// position in which every move may lose at once, counts as the largest finite number of the game.
    pub(super) fn of(game: &Game, tree: Tree) -> Option<GameMotion> {
        let numbers = game.numbers.iter().map(|numbers| numbers[tree as usize]);
        let max_number = numbers.clone().flatten().max().unwrap_or(0);
        let numbers: Vec<f64> =
            numbers.map(|number| f64::from(number.unwrap_or(max_number))).collect();
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
        Some(GameMotion { highest: game.highest(), velocities, motion, milestones })
    }

    /// The classes of table 7 of the milestones after the first.
    pub(super) fn milestone_classes(&self) -> impl Iterator<Item = MilestoneClass> {
        self.milestones.windows(2).map(|pair| {
            let (before, now) = (pair[0].1.velocity, pair[1].1.velocity);
            let (level, gap) = (degree(now, LEVELS), degree((now - before).abs(), GAPS));
            MilestoneClass { level, gap, last: pair[1].0 == self.highest }
        })
    }
}

/// 0 for low, 1 for middle, 2 for high.
fn degree(value: f64, [low, high]: [f64; 2]) -> usize {
    usize::from(value >= low) + usize::from(value >= high)
}

/// The class of table 7 of the time between two milestones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MilestoneClass {
    /// The mean number: 0 is low, 2 is high.
    pub(super) level: usize,
    /// The difference from the one before: 0 is low, 2 is high.
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
        let motion = GameMotion::of(&game(), Tree::Common).unwrap();
        assert_eq!(motion.velocities[5], 1.0, "an infinite number is the greatest");
        let powers: Vec<u32> = motion.milestones.iter().map(|(power, _)| *power).collect();
        assert_eq!(powers, [1, 3, 4]);
        let parts = motion.milestones.iter().zip([2.0, 3.0, 2.0]);
        let sum: f64 = parts.map(|((_, motion), turns)| motion.velocity * turns).sum();
        assert!((sum - 7.0 * motion.motion.velocity).abs() < 1e-12);
        assert_eq!(
            motion.milestone_classes().map(|class| class.last).collect::<Vec<_>>(),
            [false, true]
        );
    }

    #[test]
    fn equal_numbers_have_no_motion() {
        assert!(GameMotion::of(&game(), Tree::Own).is_none());
        let lost = Game { numbers: vec![[None; 2]; 4], ..game() };
        assert!(GameMotion::of(&lost, Tree::Common).is_none());
    }

    #[test]
    fn degrees_are_low_middle_and_high() {
        assert_eq!([0.0, 0.34, 0.67, 1.0].map(|v| degree(v, LEVELS)), [0, 1, 2, 2]);
    }
}
