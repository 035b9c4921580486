//! Motion in mind (Iida & Khalid 2020; P4 V): how a game feels, in terms of mechanics.
//!
//! From a series of numbers `n_i`, one per move, such as the
//! [single conspiracy numbers](crate::conspiracy) of a game:
//!
//! | measure | formula |
//! |---|---|
//! | single velocity, the series scaled to 0..1 | `v_i = (n_i - min) / (max - min)` |
//! | single mass | `m_i = 1 - v_i` |
//! | velocity | `v = mean(v_i)` |
//! | mass | `M = 1 - v` |
//! | momentum | `p = mean(m_i * v_i)` |
//! | potential energy | `E_p = 2 * M * v^2` |
//!
//! The momentum is the mean of the single products, as printed in P4's table 6: it equals `M * v`
//! minus the variance of the `v_i`. The potential energy is that of the averages.

/// Velocity, mass, momentum and potential energy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Velocity, from 0 (hard) to 1 (easy).
    pub velocity: f64,
    /// Mass, from 0 (easy) to 1 (hard).
    pub mass: f64,
    /// Momentum, from 0 to 1/4.
    pub momentum: f64,
    /// Potential energy, from 0 to 8/27.
    pub potential: f64,
}

impl Motion {
    /// The motion of one series.
    ///
    /// None if the series is empty, if all its numbers are equal, or if one of them or their range
    /// is not finite. The caller must replace infinite conspiracy numbers by finite ones.
    #[must_use]
    pub fn of(series: &[f64]) -> Option<Self> {
        Self::of_velocities(&velocities(series)?)
    }

    /// The motion of single velocities: a series already scaled to 0..1, or a part of one. None if
    /// it is empty.
    #[must_use]
    pub fn of_velocities(velocities: &[f64]) -> Option<Self> {
        let velocity = mean(velocities.iter().copied())?;
        Some(Self::from(velocity, mean(velocities.iter().map(|v| (1.0 - v) * v))?))
    }

    /// The average motion of several series, each with the same weight: the means of velocity and
    /// momentum, and mass and potential energy of that velocity. None if there are no series.
    #[must_use]
    pub fn average(motions: &[Self]) -> Option<Self> {
        let velocity = mean(motions.iter().map(|motion| motion.velocity))?;
        Some(Self::from(velocity, mean(motions.iter().map(|motion| motion.momentum))?))
    }

    fn from(velocity: f64, momentum: f64) -> Self {
        let mass = 1.0 - velocity;
        Self { velocity, mass, momentum, potential: 2.0 * mass * velocity * velocity }
    }
}

/// The motion of every number of a series by itself, before any averaging; empty for the series that
/// have no [`Motion`].
#[must_use]
pub fn moments(series: &[f64]) -> Vec<Motion> {
    let moment = |velocity| {
        let mass = 1.0 - velocity;
        Motion::from(velocity, mass * velocity)
    };
    velocities(series).unwrap_or_default().into_iter().map(moment).collect()
}

/// Conspiracy numbers as a series: an infinite one (`None`) counts as much as the greatest finite one.
#[must_use]
pub fn series(numbers: &[Option<u32>]) -> Vec<f64> {
    let greatest = numbers.iter().copied().flatten().max().unwrap_or(0);
    numbers.iter().map(|number| f64::from(number.unwrap_or(greatest))).collect()
}

/// The series scaled to 0..1; none for the series that have no [`Motion`].
#[must_use]
pub fn velocities(series: &[f64]) -> Option<Vec<f64>> {
    let min = series.iter().copied().reduce(f64::min)?;
    let spread = series.iter().copied().reduce(f64::max)? - min;
    if spread == 0.0 || !spread.is_finite() || series.iter().any(|n| n.is_nan()) {
        return None;
    }
    Some(series.iter().map(|n| (n - min) / spread).collect())
}

/// The mean of the numbers, if there are any.
fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = numbers.fold((0_u64, 0.0), |(count, sum), n| (count + 1, sum + n));
    (count > 0).then(|| sum / count as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table 6 of P4: velocity, mass, momentum, potential energy.
    const TABLE_6: [[f64; 4]; 8] = [
        [0.32782, 0.67218, 0.21517, 0.14447],
        [0.32727, 0.67273, 0.21383, 0.14411],
        [0.49763, 0.50237, 0.24464, 0.24881],
        [0.45281, 0.54719, 0.22709, 0.22439],
        [0.36248, 0.63752, 0.18039, 0.16753],
        [0.44654, 0.55346, 0.21766, 0.22072],
        [0.38209, 0.61791, 0.17264, 0.18042],
        [0.28728, 0.71272, 0.18343, 0.11764],
    ];

    /// A series from 0 to 1 with this velocity and momentum: 0, 1, and two other numbers a thousand
    /// times each. Their mean gives the velocity; their spread gives the mean square, which is
    /// velocity minus momentum.
    fn series(velocity: f64, momentum: f64) -> Vec<f64> {
        let of_the_rest = |mean: f64| (mean * 2002.0 - 1.0) / 2000.0;
        let middle = of_the_rest(velocity);
        let spread = (of_the_rest(velocity - momentum) - middle * middle).sqrt();
        let around = [middle - spread, middle + spread].repeat(1000);
        [vec![0.0, 1.0], around].concat()
    }

    fn equals_printed(value: f64, printed: f64) -> bool {
        (value - printed).abs() < 1.01e-5
    }

    #[test]
    fn motion_reproduces_all_rows_of_table_6() {
        for [velocity, mass, momentum, potential] in TABLE_6 {
            let series = series(velocity, momentum);
            assert!(series.iter().all(|n| (0.0..=1.0).contains(n)), "{series:?}");
            let stretched: Vec<f64> = series.iter().map(|n| 7.0 * n + 3.0).collect();
            for motion in [Motion::of(&series), Motion::of(&stretched)].map(Option::unwrap) {
                assert!(
                    equals_printed(motion.velocity, velocity) && equals_printed(motion.mass, mass),
                    "{motion:?}"
                );
                assert!(equals_printed(motion.momentum, momentum), "{motion:?}");
                assert!(equals_printed(motion.potential, potential), "{motion:?}");
                assert!(momentum <= mass * velocity);
            }
        }
    }

    #[test]
    fn averages_reproduce_p4_except_its_energy() {
        let motions = TABLE_6.map(|[velocity, _, momentum, _]| Motion::from(velocity, momentum));
        let average = Motion::average(&motions).unwrap();
        assert!(equals_printed(average.velocity, 0.38549) && equals_printed(average.mass, 0.61451));
        assert!(equals_printed(average.momentum, 0.20686));
        // P4 prints the mean of the eight energies here, not the energy of the mean velocity.
        let printed = TABLE_6.iter().map(|row| row[3]).sum::<f64>() / 8.0;
        assert!(equals_printed(printed, 0.18101) && !equals_printed(average.potential, 0.18101));
    }

    #[test]
    fn a_small_series_by_hand() {
        let motion = Motion::of(&[2.0, 6.0, 4.0]).unwrap();
        assert_eq!((motion.velocity, motion.mass), (0.5, 0.5));
        assert!((motion.momentum - 0.25 / 3.0).abs() < 1e-15);
        assert_eq!(motion.potential, 0.25);
    }

    #[test]
    fn the_motion_of_a_series_is_the_average_of_its_parts() {
        let series = [3.0, 8.0, 5.0, 4.0, 3.5, 7.0];
        let single = velocities(&series).unwrap();
        assert_eq!((single[0], single[1]), (0.0, 1.0));
        let parts = single.chunks(2).map(|part| Motion::of_velocities(part).unwrap());
        let (whole, parts) = (Motion::of(&series).unwrap(), parts.collect::<Vec<_>>());
        let average = Motion::average(&parts).unwrap();
        assert!((whole.velocity - average.velocity).abs() < 1e-15);
        assert!((whole.momentum - average.momentum).abs() < 1e-15);
        assert!(Motion::of_velocities(&[]).is_none() && velocities(&[2.0, 2.0]).is_none());
    }

    #[test]
    fn equal_values_have_no_motion() {
        let nothing = [&[][..], &[1.0], &[2.0, 2.0], &[0.0, f64::INFINITY], &[1.0, f64::NAN, 2.0]];
        assert!(nothing.iter().all(|series| Motion::of(series).is_none()));
        assert!(Motion::of(&[f64::MIN, f64::MAX]).is_none());
        assert!(Motion::average(&[]).is_none());
    }
}
