//! How much an identity and an address may store in a day (UTC).
//!
//! Identities cost nothing, so that the address counts too. It is not stored: its row is found by a hash
//! with a key of this site. [`crate::retention`] deletes old days.

use crate::caller::{Caller, Client};
use crate::error::{ErrorKind, ServiceError};
use crate::service::Service;
use crate::store::{Charge, Payer, now};

/// The bytes that an identity may store in a day: hundreds of games and attempts.
pub const PERSON_BYTES: i64 = 4 << 20;

/// The bytes that everybody at one address together may store in a day: a school, for example.
pub const ADDRESS_BYTES: i64 = 32 << 20;

/// What a game that begins costs: its row with some moves, and its review.
pub const GAME: i64 = 8 << 10;

/// What each move of an imported game adds to that, for the review.
pub const IMPORTED_MOVE: i64 = 256;

/// What an attempt that begins costs, with its person's row.
pub const ATTEMPT: i64 = 512;

const DAY_MILLISECONDS: i64 = 24 * 3600 * 1000;

impl Service {
    /// The charge for storing this much for a caller; `None` where nothing is limited.
    pub fn charge(&self, caller: &Caller, bytes: i64) -> Option<Charge> {
        let Client { address, person } = &caller.client;
        let payer = |name: String, limit| Payer { name, limit };
        self.limiter.is_on().then(|| Charge {
            day: Service::today(),
            bytes,
            payers: [
                payer(format!("address {address}"), ADDRESS_BYTES),
                payer(format!("person {person}"), PERSON_BYTES),
            ],
        })
    }
}

/// What an imported game with these moves costs.
pub fn imported(moves: &str) -> i64 {
    GAME + moves.len() as i64 + IMPORTED_MOVE * moves.split_whitespace().count() as i64
}

/// The error of a caller who has stored too much today; the quota is renewed at midnight (UTC).
pub fn over_quota() -> ServiceError {
    let seconds = (DAY_MILLISECONDS - now().rem_euclid(DAY_MILLISECONDS)) / 1000 + 1;
    ServiceError::new(ErrorKind::TooManyRequests, "over-quota").retry(seconds as u64)
}
