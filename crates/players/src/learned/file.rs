//! Weights as bytes: a line that names the format, the weights in steps of 1/2048 (mirror images and
//! pairs in the other order once), and a checksum.

use super::weights::{BRINKS, PLACES, Weights, mirrored};
use std::fmt;
use std::sync::{Arc, LazyLock};

const HEAD: &[u8] = b"spuk-weights 1\n";
/// Weights are kept in steps of one part in so many.
const WEIGHT_SCALE: f32 = 2048.0;

/// Why bytes are no weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightsError {
    /// They begin otherwise.
    Head,
    /// There are too few or too many.
    Length {
        /// As many as there are.
        found: usize,
        /// As many as there should be.
        needed: usize,
    },
    /// Something was changed.
    Checksum,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightsError::Head => {
                write!(f, "it does not begin with `spuk-weights 1`; `spuk learn` writes such files")
            }
            WeightsError::Length { found, needed } => {
                write!(f, "it has {found} bytes instead of {needed}; learn it anew")
            }
            WeightsError::Checksum => write!(f, "its checksum is wrong; learn it anew"),
        }
    }
}

impl std::error::Error for WeightsError {}

/// Calls `visit` for each weight that stands for itself, with all that are equal to it.
fn for_each_kept(weights: &mut Weights, mut visit: impl FnMut(&mut [f32], &[usize])) {
    for at in 0..weights.counts.len() {
        visit(&mut weights.counts, &[at]);
    }
    for at in 0..weights.places.len() {
        let (stage, place) = (at / PLACES * PLACES, (at % PLACES) as u8);
        let other = stage + usize::from(mirrored(place));
        if at <= other {
            visit(&mut weights.places, &[at, other]);
        }
    }
    for brink in 0..BRINKS {
        for_each_pair(brink, |same| visit(&mut weights.pairs, same));
    }
}

fn for_each_pair(brink: usize, mut visit: impl FnMut(&[usize])) {
    let index =
        |one: u8, other: u8| (brink * PLACES + usize::from(one)) * PLACES + usize::from(other);
    for one in 0..PLACES as u8 {
        for other in one + 1..PLACES as u8 {
            let (left, right) = (mirrored(one), mirrored(other));
            let same =
                [index(one, other), index(other, one), index(left, right), index(right, left)];
            if same.iter().all(|&at| same[0] <= at) {
                visit(&same);
            }
        }
    }
}

impl Weights {
    /// As bytes, the last digits rounded.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = HEAD.to_vec();
        for_each_kept(&mut self.clone(), |values, same| {
            let value = (values[same[0]] * WEIGHT_SCALE).round();
            bytes.extend((value as i16).to_le_bytes());
        });
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// From bytes.
    ///
    /// # Errors
    /// If they are not exactly what [`Weights::to_bytes`] gives.
    pub fn from_bytes(bytes: &[u8]) -> Result<Weights, WeightsError> {
        let body = bytes.strip_prefix(HEAD).ok_or(WeightsError::Head)?;
        let mut weights = Weights::default();
        let mut kept = 0;
        for_each_kept(&mut weights, |_, _| kept += 1);
        let needed = HEAD.len() + 2 * kept + 4;
        if bytes.len() != needed {
            return Err(WeightsError::Length { found: bytes.len(), needed });
        }
        let (all, sum) = bytes.split_at(needed - 4);
        if crc32fast::hash(all).to_le_bytes() != sum {
            return Err(WeightsError::Checksum);
        }
        let mut values = body.chunks_exact(2);
        for_each_kept(&mut weights, |weights, same| {
            if let Some([low, high]) = values.next().map(|value| [value[0], value[1]]) {
                let value = f32::from(i16::from_le_bytes([low, high])) / WEIGHT_SCALE;
                same.iter().for_each(|&at| weights[at] = value);
            }
        });
        Ok(weights)
    }

    /// Those that come with the program, read once.
    pub fn shipped() -> Arc<Weights> {
        static SHIPPED: LazyLock<Arc<Weights>> = LazyLock::new(|| {
            let weights = Weights::from_bytes(include_bytes!("shipped.weights"));
            Arc::new(weights.expect("a test reads the shipped weights"))
        });
        Arc::clone(&SHIPPED)
    }
}

#[cfg(test)]
mod tests {
    use super::super::weights::tests::samples;
    use super::*;

    #[test]
    fn bytes_and_back() {
        let (views, weights) = samples();
        let bytes = weights.to_bytes();
        assert!(bytes.len() < 60_000, "{}", bytes.len());
        let again = Weights::from_bytes(&bytes).unwrap();
        for view in views {
            assert!((again.win_probability(&view) - weights.win_probability(&view)).abs() < 0.02);
        }
        assert_eq!(again.to_bytes(), bytes);
    }

    #[test]
    fn every_changed_byte_is_told() {
        let bytes = Weights::default().to_bytes();
        for at in 0..bytes.len() {
            let mut wrong = bytes.clone();
            wrong[at] ^= 1;
            assert!(Weights::from_bytes(&wrong).is_err());
        }
        for len in 0..bytes.len() {
            assert!(Weights::from_bytes(&bytes[..len]).is_err());
        }
    }

    #[test]
    fn the_shipped_weights_are_read() {
        assert_ne!(*Weights::shipped(), Weights::default());
    }
}
