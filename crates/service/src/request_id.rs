//! The id of a request in the log and in its response, so that a visitor's report leads to its log line.

use crate::secrets::random_text;

/// 80 bits.
const DIGITS: usize = 16;

/// The random id of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestId(String);

impl RequestId {
    /// A new id.
    pub fn random() -> RequestId {
        RequestId(random_text(DIGITS))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
