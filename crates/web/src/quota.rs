//! How much an identity and an address may store in a day (UTC).
//!
//! Identities cost nothing, so that the address counts too. It is not stored: its row is found by a hash
//! with a key of this site. [`crate::retention`] deletes old days.

use crate::app::{App, Asker};
use crate::identity::hex;
use crate::problem::Problem;
use crate::store::{Charge, Payer, now};
use axum::http::StatusCode;
use hmac::{Hmac, Mac};
use sha2::Sha256;

/// The bytes that an identity may store in a day: hundreds of games and attempts.
pub const PERSON_BYTES: i64 = 4 << 20;

/// The bytes that all at one address together may store in a day: a school, say.
pub const ADDRESS_BYTES: i64 = 32 << 20;

/// What a game that begins costs: its row with some moves, and its review.
pub const GAME: i64 = 8 << 10;

/// What each move of an imported game adds to that, for the review.
pub const IMPORTED_MOVE: i64 = 256;

/// What an attempt that begins costs, with its person's row.
pub const ATTEMPT: i64 = 512;

/// Names for what is not stored itself: the same each time, and nobody without the key finds out of what.
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

const DAY_MILLISECONDS: i64 = 24 * 3600 * 1000;

impl App {
    /// What the asker pays for storing this; `None` where nothing is limited.
    pub fn charge(&self, asker: &Asker, bytes: i64) -> Option<Charge> {
        let address = self.pseudonyms.of(&asker.address_key());
        let payer = |name: String, limit| Payer { name, limit };
        self.limiter.is_on().then(|| Charge {
            day: App::today(),
            bytes,
            payers: [
                payer(format!("address {address}"), ADDRESS_BYTES),
                payer(format!("person {}", asker.visitor.id), PERSON_BYTES),
            ],
        })
    }
}

/// What an imported game with these moves costs.
pub fn imported(moves: &str) -> i64 {
    GAME + moves.len() as i64 + IMPORTED_MOVE * moves.split_whitespace().count() as i64
}

/// The refusal of somebody who has stored too much today: it ends at midnight.
pub fn over_quota() -> Problem {
    let seconds = (DAY_MILLISECONDS - now().rem_euclid(DAY_MILLISECONDS)) / 1000 + 1;
    Problem::new(StatusCode::TOO_MANY_REQUESTS, "over-quota").retry(seconds as u64)
}
