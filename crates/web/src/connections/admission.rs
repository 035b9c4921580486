//! Who may have a further connection: limits for each client address and in all.

use crate::client_address::{ClientAddress, TrustedProxies};
use axum::http::HeaderMap;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Counts connections, and the requests that trusted proxies forward.
pub(super) struct Admission {
    per_address: usize,
    total: usize,
    proxies: TrustedProxies,
    counts: Mutex<Counts>,
}

#[derive(Default)]
struct Counts {
    connections: usize,
    by_address: HashMap<IpAddr, usize>,
}

/// Why a connection or request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The address has as many as it may have.
    Address(ClientAddress, usize),
    /// There are as many as there may be.
    Total(usize),
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::Address(address, limit) => {
                write!(f, "the address {address} has {limit} connections, which is its limit")
            }
            Refusal::Total(limit) => write!(
                f,
                "connections run short: all {limit} are in use; allow more open files (ulimit -n)"
            ),
        }
    }
}

/// A connection, or a forwarded request, that is counted until it is dropped.
pub(super) struct Admitted {
    admission: Arc<Admission>,
    address: Option<IpAddr>,
    is_connection: bool,
}

impl Admission {
    pub(super) fn new(per_address: usize, total: usize, proxies: TrustedProxies) -> Arc<Admission> {
        Arc::new(Admission { per_address, total, proxies, counts: Mutex::default() })
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        // A panic while the lock is held cannot leave the counts half changed.
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Admits a connection. One of a trusted proxy counts only towards the total.
    pub(super) fn connection(self: &Arc<Self>, peer: IpAddr) -> Result<Admitted, Refusal> {
        let client = (!self.proxies.contains(peer)).then(|| ClientAddress::new(peer));
        let mut counts = self.counts();
        if counts.connections >= self.total {
            return Err(Refusal::Total(self.total));
        }
        self.count(&mut counts, client)?;
        counts.connections += 1;
        Ok(self.admitted(client, true))
    }

    /// Admits a request. The connections of a trusted proxy serve many clients, so that there the
    /// requests of each client are counted; those of other clients are as many as their connections.
    pub(super) fn request(
        self: &Arc<Self>,
        peer: IpAddr,
        headers: &HeaderMap,
    ) -> Result<Option<Admitted>, Refusal> {
        if !self.proxies.contains(peer) {
            return Ok(None);
        }
        let client = self.proxies.client(peer, headers);
        // Without X-Forwarded-For all clients of the proxy would be one.
        if self.proxies.contains(client.ip()) {
            return Ok(None);
        }
        self.count(&mut self.counts(), Some(client))?;
        Ok(Some(self.admitted(Some(client), false)))
    }

    fn count(&self, counts: &mut Counts, client: Option<ClientAddress>) -> Result<(), Refusal> {
        let Some(client) = client else { return Ok(()) };
        let count = counts.by_address.entry(client.limit_key()).or_default();
        if *count >= self.per_address {
            return Err(Refusal::Address(client, self.per_address));
        }
        *count += 1;
        Ok(())
    }

    fn admitted(self: &Arc<Self>, client: Option<ClientAddress>, is_connection: bool) -> Admitted {
        let address = client.map(ClientAddress::limit_key);
        Admitted { admission: Arc::clone(self), address, is_connection }
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        let mut counts = self.admission.counts();
        counts.connections -= usize::from(self.is_connection);
        let Some(address) = self.address else { return };
        if let Some(count) = counts.by_address.get_mut(&address) {
            *count -= 1;
            if *count == 0 {
                counts.by_address.remove(&address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn forwarded(client: &str) -> HeaderMap {
        HeaderMap::from_iter([("x-forwarded-for".parse().unwrap(), client.parse().unwrap())])
    }

    #[test]
    fn every_address_has_its_limit_and_all_together_have_one() {
        let admission = Admission::new(2, 5, TrustedProxies::none());
        let admit = |address| admission.connection(ip(address));
        let mut open = vec![admit("203.0.113.1"), admit("203.0.113.1"), admit("2001:db8::1")];
        let client = ClientAddress::new(ip("203.0.113.1"));
        assert_eq!(admit("::ffff:203.0.113.1").err(), Some(Refusal::Address(client, 2)));
        open.push(admit("2001:db8::2"));
        assert!(matches!(admit("2001:db8::3").err(), Some(Refusal::Address(_, 2))));
        open.push(admit("203.0.113.2"));
        assert!(open.iter().all(Result::is_ok));
        assert_eq!(admit("203.0.113.3").err(), Some(Refusal::Total(5)));
        open.clear();
        assert!(admission.counts().by_address.is_empty() && admission.counts().connections == 0);
    }

    #[test]
    fn behind_a_trusted_proxy_the_requests_of_each_client_are_counted() {
        let proxies = TrustedProxies::default();
        let admission = Admission::new(2, 5, proxies);
        let proxy = ip("127.0.0.1");
        let open: Vec<_> = (0..5).map(|_| admission.connection(proxy)).collect();
        assert!(open.iter().all(Result::is_ok));
        assert_eq!(admission.connection(proxy).err(), Some(Refusal::Total(5)));
        let request = |client| admission.request(proxy, &forwarded(client));
        let busy = [request("203.0.113.1"), request("198.51.100.1, 203.0.113.1")];
        assert!(busy.iter().all(|one| matches!(one, Ok(Some(_)))));
        assert!(matches!(request("203.0.113.1").err(), Some(Refusal::Address(_, 2))));
        assert!(matches!(request("203.0.113.2"), Ok(Some(_))));
        assert!(matches!(admission.request(proxy, &HeaderMap::new()), Ok(None)));
        drop(busy);
        assert!(matches!(request("203.0.113.1"), Ok(Some(_))));
        // The header of a client that connects directly counts for nothing.
        let direct = admission.request(ip("203.0.113.1"), &forwarded("203.0.113.2"));
        assert!(matches!(direct, Ok(None)));
    }
}
