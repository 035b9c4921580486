//! Random ids and secrets, their hashes, and pseudonyms.

use hmac::{Hmac, Mac};
use rand::TryRngCore;
use rand::rngs::OsRng;
use sha2::{Digest, Sha256};

/// The digits of ids: none that is easily mistaken for another.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// A random text with this number of digits, five bits each.
///
/// # Panics
/// If the system gives no random numbers: without them no id is safe.
pub fn random_text(digits: usize) -> String {
    let mut bytes = vec![0; digits];
    OsRng.try_fill_bytes(&mut bytes).expect("the system gives random numbers");
    bytes.iter().map(|byte| DIGITS[usize::from(byte & 31)] as char).collect()
}

/// Whether a text can be an id that [`random_text`] made.
pub fn is_id(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|byte| DIGITS.contains(&byte))
}

/// The hash under which a secret is stored.
pub fn hash_of(secret: &str) -> String {
    hex(&Sha256::digest(secret.as_bytes()))
}

/// Bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Makes pseudonyms: keyed hashes that are the same each time, and that nobody without the key can
/// compute.
pub struct Pseudonyms {
    key: Vec<u8>,
}

impl Pseudonyms {
    /// With this key.
    pub fn new(key: &str) -> Pseudonyms {
        Pseudonyms { key: key.as_bytes().to_vec() }
    }

    /// The pseudonym of a value.
    pub fn of(&self, value: &str) -> String {
        // A key of any length will do.
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).expect("any key will do");
        mac.update(value.as_bytes());
        hex(&mac.finalize().into_bytes()[..16])
    }
}
