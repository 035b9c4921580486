//! Training checkpoints: a learner as bytes, so that training can be resumed. They contain the
//! format name, the configuration, the number of batches, all weights exactly, and a checksum.

use crate::self_play::learner::{Learner, TrainingConfig};
use players::learned::file::WeightsError;
use players::learned::weights::Weights;

const HEADER: &[u8] = b"spuk-learner 1\n";
/// The maximum number of past weights in a file, more than are ever kept.
const MAX_PAST_CHECKPOINTS: u64 = 100;

impl Learner {
    /// The checkpoint as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = HEADER.to_vec();
        let TrainingConfig { games, seed } = self.config;
        for number in [games, seed, self.batch, self.past_weights.len() as u64] {
            bytes.extend(number.to_le_bytes());
        }
        for weights in std::iter::once(&self.weights).chain(&self.past_weights) {
            bytes.extend(weights.parameters().flat_map(|weight| weight.to_le_bytes()));
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a checkpoint.
    ///
    /// # Errors
    /// If the bytes are not exactly what [`Learner::to_bytes`] writes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Learner, WeightsError> {
        let (all, sum) = bytes.split_last_chunk::<4>().ok_or(WeightsError::Head)?;
        let mut rest = all.strip_prefix(HEADER).ok_or(WeightsError::Head)?;
        if crc32fast::hash(all).to_le_bytes() != *sum {
            return Err(WeightsError::Checksum);
        }
        let [games, seed, batch, past_weights] = [(); 4].map(|()| number(&mut rest).unwrap_or(0));
        let each = 4 * Weights::default().parameters().count();
        let needed = each * (1 + past_weights.clamp(1, MAX_PAST_CHECKPOINTS) as usize);
        if rest.len() != needed {
            return Err(WeightsError::Length { found: rest.len(), needed });
        }
        let mut all = rest.chunks_exact(each).map(weights);
        let weights = all.next().unwrap_or_default();
        Ok(Learner {
            config: TrainingConfig { games, seed },
            batch,
            weights,
            past_weights: all.collect(),
        })
    }
}

fn number(rest: &mut &[u8]) -> Option<u64> {
    let (number, left) = rest.split_first_chunk()?;
    *rest = left;
    Some(u64::from_le_bytes(*number))
}

/// The weights from exactly their number of bytes.
fn weights(bytes: &[u8]) -> Weights {
    let mut weights = Weights::default();
    let values =
        bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]));
    for (weight, value) in weights.parameters_mut().zip(values) {
        *weight = value;
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_or_missing_bytes_are_detected() {
        let bytes = Learner::new(TrainingConfig { games: 5, seed: 1 }).to_bytes();
        assert!(Learner::from_bytes(&bytes).is_ok());
        for at in (0..60).chain((60..bytes.len()).step_by(997)) {
            let mut squared_error = bytes.clone();
            squared_error[at] ^= 1;
            assert!(Learner::from_bytes(&squared_error).is_err());
            assert!(Learner::from_bytes(&bytes[..at]).is_err());
        }
    }
}
