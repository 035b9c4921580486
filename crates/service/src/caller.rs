//! The caller of an operation: a person at a network address.

use std::net::IpAddr;

/// A person and the pseudonym of their address, by which queues, rate limits, quotas and game rows
/// identify a client. The address itself is never stored.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Client {
    /// The pseudonym of the address. Identities cost nothing, addresses do.
    pub address: String,
    /// The person's id.
    pub person: String,
}

/// The [`Client`] of a request in progress, with its network. Only rating marks need the network: all
/// other limits share the client's pseudonym.
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
