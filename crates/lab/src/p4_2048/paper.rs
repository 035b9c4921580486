//! What P4 prints of 2048.

/// Games at each depth.
pub(super) const GAMES: u64 = 20;

/// A row of table 4.
pub(super) struct Scores {
    pub(super) d: u32,
    /// Games with the highest tile 512, 1024, 2048 and 4096.
    pub(super) tiles: [u64; 4],
    pub(super) score: f64,
    pub(super) steps: f64,
}

/// Table 4.
pub(super) const TABLE_4: [Scores; 3] = [
    Scores { d: 2, tiles: [5, 7, 7, 1], score: 20_212.0, steps: 1_031.0 },
    Scores { d: 3, tiles: [0, 9, 10, 1], score: 25_163.0, steps: 1_244.0 },
    Scores { d: 4, tiles: [2, 4, 10, 4], score: 32_866.25, steps: 1_537.05 },
];

/// A row of table 6.
pub(super) struct Moved {
    pub(super) d: u32,
    /// The power of two of the highest tile.
    pub(super) highest: u32,
    pub(super) velocity: f64,
    pub(super) mass: f64,
    pub(super) momentum: f64,
    pub(super) potential: f64,
}

/// Table 6.
pub(super) const TABLE_6: [Moved; 8] = [
    moved(2, 10, [0.32782, 0.67218, 0.21517, 0.14447]),
    moved(2, 11, [0.32727, 0.67273, 0.21383, 0.14411]),
    moved(3, 10, [0.49763, 0.50237, 0.24464, 0.24881]),
    moved(3, 11, [0.45281, 0.54719, 0.22709, 0.22439]),
    moved(4, 10, [0.36248, 0.63752, 0.18039, 0.16753]),
    moved(4, 11, [0.44654, 0.55346, 0.21766, 0.22072]),
    moved(5, 10, [0.38209, 0.61791, 0.17264, 0.18042]),
    moved(5, 11, [0.28728, 0.71272, 0.18343, 0.11764]),
];

const fn moved(d: u32, highest: u32, of: [f64; 4]) -> Moved {
    let [velocity, mass, momentum, potential] = of;
    Moved { d, highest, velocity, mass, momentum, potential }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::Motion;

    /// `M` and `E_p` of table 6 follow from its `v`, and `p` is no more than `M v`.
    #[test]
    fn table_6_follows_from_its_velocities() {
        for row in TABLE_6 {
            let motion = Motion::of_velocities(&[row.velocity]).unwrap();
            assert!((motion.mass - row.mass).abs() < 1e-9, "{} {}", row.d, row.highest);
            assert!((motion.potential - row.potential).abs() < 1.01e-5);
            assert!(row.momentum <= motion.momentum);
        }
    }

    #[test]
    fn table_4_counts_its_games() {
        assert!(TABLE_4.iter().all(|row| row.tiles.iter().sum::<u64>() == GAMES));
    }
}
