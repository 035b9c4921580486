//! Whom an operation is for: a person at a network address.

use std::net::IpAddr;

/// A person and the pseudonym of their address: what queues, rate limits, quotas and game rows know of
/// somebody. The address itself is never stored.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Client {
    /// The pseudonym of the address. Identities cost nothing, addresses do.
    pub address: String,
    /// The person's id.
    pub person: String,
}

/// A [`Client`] whose request is being answered, so that its network is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The person and the pseudonym of their address.
    pub client: Client,
    /// The IPv4 address or the first address of the IPv6 /64. Marks of ratings hash it with keys that
    /// change daily, so that the pseudonym, which never changes, does not appear there.
    pub network: IpAddr,
}

impl Caller {
    /// The person's id.
    pub fn person(&self) -> &str {
        &self.client.person
    }
}
