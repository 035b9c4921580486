//! The address a request comes from, also behind proxies.
//!
//! A proxy appends the address of its own peer to `X-Forwarded-For`: nginx to the list in the
//! header's line, HAProxy as a further line. Everything to the left of that was sent by the peer and
//! may be invented. So the list is read from its right end, and an address in it is believed only if
//! the one that appended it is a trusted proxy.

use axum::http::HeaderMap;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

/// The header that proxies append to.
const FORWARDED_FOR: &str = "x-forwarded-for";

/// The address of a client. An IPv4 address written as IPv6 is the IPv4 address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClientAddress(IpAddr);

impl ClientAddress {
    /// The client at this address.
    pub fn new(address: IpAddr) -> ClientAddress {
        ClientAddress(address.to_canonical())
    }

    /// The address itself.
    pub fn ip(self) -> IpAddr {
        self.0
    }

    /// The key of rate limits: the IPv4 address, or the first address of the IPv6 /64, since a single
    /// customer has a whole /64.
    pub fn limit_key(self) -> IpAddr {
        match self.0 {
            IpAddr::V4(_) => self.0,
            IpAddr::V6(address) => {
                let network = address.to_bits() & (u128::MAX << 64);
                IpAddr::V6(Ipv6Addr::from_bits(network))
            }
        }
    }
}

impl fmt::Display for ClientAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// An address, or a range of addresses in CIDR notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressRange {
    first: IpAddr,
    prefix: u32,
}

impl AddressRange {
    fn new(address: IpAddr, prefix: u32) -> AddressRange {
        AddressRange { first: masked(address, prefix), prefix }
    }

    /// Whether an address is in the range.
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        address.is_ipv4() == self.first.is_ipv4() && masked(address, self.prefix) == self.first
    }
}

/// The first bits of an address, the others zero.
fn masked(address: IpAddr, prefix: u32) -> IpAddr {
    match address {
        IpAddr::V4(address) => {
            let mask = u32::MAX.checked_shl(32 - prefix).unwrap_or(0);
            IpAddr::V4(Ipv4Addr::from_bits(address.to_bits() & mask))
        }
        IpAddr::V6(address) => {
            let mask = u128::MAX.checked_shl(128 - prefix).unwrap_or(0);
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & mask))
        }
    }
}

/// The text is neither an address nor a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotARange;

impl fmt::Display for NotARange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "give an IP address such as 10.0.0.7, or a range such as 10.0.0.0/8 or fd00::/8",
        )
    }
}

impl std::error::Error for NotARange {}

impl FromStr for AddressRange {
    type Err = NotARange;

    fn from_str(text: &str) -> Result<AddressRange, NotARange> {
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| NotARange)?;
        let bits = if address.is_ipv4() { 32 } else { 128 };
        let prefix = match prefix {
            Some(digits) if digits.bytes().all(|digit| digit.is_ascii_digit()) => {
                digits.parse().ok().filter(|prefix| *prefix <= bits).ok_or(NotARange)?
            }
            Some(_) => return Err(NotARange),
            None => bits,
        };
        // A range of IPv4 addresses written as IPv6 is the range of the IPv4 addresses.
        match address.to_canonical() {
            IpAddr::V4(short) if address.is_ipv6() && prefix >= 96 => {
                Ok(AddressRange::new(IpAddr::V4(short), prefix - 96))
            }
            _ => Ok(AddressRange::new(address, prefix)),
        }
    }
}

/// The proxies whose `X-Forwarded-For` is believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedProxies(Vec<AddressRange>);

impl Default for TrustedProxies {
    /// The proxies on this machine.
    fn default() -> TrustedProxies {
        TrustedProxies(vec![
            AddressRange::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8),
            AddressRange::new(IpAddr::V6(Ipv6Addr::LOCALHOST), 128),
        ])
    }
}

impl TrustedProxies {
    /// The proxies in these ranges.
    pub fn new(ranges: Vec<AddressRange>) -> TrustedProxies {
        TrustedProxies(ranges)
    }

    /// No proxy: clients connect directly.
    pub fn none() -> TrustedProxies {
        TrustedProxies(Vec::new())
    }

    /// Whether there is a trusted proxy at this address.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.iter().any(|range| range.contains(address))
    }

    /// The client whose request arrived from `peer` with these headers: the nearest address, seen
    /// from here, that is not a trusted proxy. An entry that is no address ends the list.
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> ClientAddress {
        // Bytes, not text: a client may send what is no text, and the proxy appends to it.
        let lines = headers.get_all(FORWARDED_FOR).into_iter().rev();
        let entries = lines.flat_map(|line| line.as_bytes().rsplit(|byte| *byte == b','));
        let mut client = peer.to_canonical();
        for entry in entries {
            match forwarded_address(entry) {
                Some(address) if self.contains(client) => client = address,
                _ => break,
            }
        }
        ClientAddress::new(client)
    }
}

/// An entry of the list: an address, with or without brackets and port.
fn forwarded_address(entry: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(entry).ok()?.trim();
    let with_port = || text.parse().ok().map(|address: SocketAddr| address.ip());
    let bracketed = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok().map(IpAddr::V6);
    let address = text.parse().ok().or_else(with_port).or_else(bracketed)?;
    Some(address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;
    use proptest::prelude::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn headers(lines: &[impl AsRef<[u8]>]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(FORWARDED_FOR, HeaderValue::from_bytes(line.as_ref()).unwrap());
        }
        headers
    }

    /// What nginx passes on with `$proxy_add_x_forwarded_for`: all lines joined in one, and its peer.
    fn nginx(sent: &HeaderMap, peer: IpAddr) -> HeaderMap {
        let lines = sent.get_all(FORWARDED_FOR).into_iter().map(HeaderValue::as_bytes);
        let peer = peer.to_string();
        let list: Vec<&[u8]> = lines.chain([peer.as_bytes()]).collect();
        headers(&[list.join(&b", "[..])])
    }

    /// What HAProxy passes on with `option forwardfor`: the lines as they are, and one more.
    fn haproxy(sent: &HeaderMap, peer: IpAddr) -> HeaderMap {
        let mut passed = sent.clone();
        passed.append(FORWARDED_FOR, peer.to_string().parse().unwrap());
        passed
    }

    type Proxy = fn(&HeaderMap, IpAddr) -> HeaderMap;
    const PROXIES: [Proxy; 2] = [nginx, haproxy];

    fn any_address() -> impl Strategy<Value = IpAddr> {
        prop_oneof![
            any::<u32>().prop_map(|bits| IpAddr::V4(Ipv4Addr::from_bits(bits))),
            any::<u128>().prop_map(|bits| IpAddr::V6(Ipv6Addr::from_bits(bits))),
        ]
    }

    /// What a client may write in the header: addresses, ports, bytes that are no text, anything.
    fn any_line() -> impl Strategy<Value = Vec<u8>> {
        let entry = prop_oneof![
            any_address().prop_map(|address| address.to_string().into_bytes()),
            any_address().prop_map(|ip| SocketAddr::new(ip, 443).to_string().into_bytes()),
            Just(b"127.0.0.1".to_vec()),
            Just(b"unknown".to_vec()),
            proptest::collection::vec(any::<u8>(), 0..12),
        ];
        let line = proptest::collection::vec(entry, 0..5).prop_map(|list| list.join(&b','));
        line.prop_filter("a header value", |line| HeaderValue::from_bytes(line).is_ok())
    }

    fn any_lines() -> impl Strategy<Value = HeaderMap> {
        proptest::collection::vec(any_line(), 0..4).prop_map(|lines| headers(&lines))
    }

    proptest! {
        #[test]
        fn no_header_of_a_client_changes_its_address(sent in any_lines(), client in any_address()) {
            let proxies = TrustedProxies::default();
            prop_assume!(!proxies.contains(client));
            for proxy in PROXIES {
                let passed = proxy(&sent, client);
                let found = proxies.client(ip("127.0.0.1"), &passed);
                prop_assert_eq!(found, ClientAddress::new(client));
            }
        }

        #[test]
        fn headers_of_clients_behind_two_proxies_are_ignored(sent in any_lines(), client in any_address()) {
            let proxies: Vec<AddressRange> =
                ["127.0.0.1", "10.0.0.0/8"].iter().map(|text| text.parse().unwrap()).collect();
            let proxies = TrustedProxies::new(proxies);
            prop_assume!(!proxies.contains(client));
            for first in PROXIES {
                for second in PROXIES {
                    let passed = second(&first(&sent, client), ip("10.1.2.3"));
                    let found = proxies.client(ip("127.0.0.1"), &passed);
                    prop_assert_eq!(found, ClientAddress::new(client));
                    // A second proxy that is not trusted is the client.
                    let found = TrustedProxies::default().client(ip("127.0.0.1"), &passed);
                    prop_assert_eq!(found, ClientAddress::new(ip("10.1.2.3")));
                }
            }
        }

        #[test]
        fn without_trusted_proxies_the_header_is_ignored(sent in any_lines(), peer in any_address()) {
            let found = TrustedProxies::none().client(peer, &sent);
            prop_assert_eq!(found, ClientAddress::new(peer));
        }

        #[test]
        fn a_range_holds_the_addresses_with_its_first_bits(
            base in any_address(), other in any_address(), prefix in 0u32..=128,
        ) {
            let bits = if base.is_ipv4() { 32 } else { 128 };
            let prefix = prefix.min(bits);
            let range: AddressRange = format!("{base}/{prefix}").parse().unwrap();
            prop_assert!(range.contains(base));
            let binary = |address: IpAddr| match address {
                IpAddr::V4(address) => format!("{:032b}", address.to_bits()),
                IpAddr::V6(address) => format!("{:0128b}", address.to_bits()),
            };
            let (base, same) = (base.to_canonical(), base.is_ipv4() == other.is_ipv4());
            let mixed = base.is_ipv4() && bits == 128 || other.to_canonical() != other;
            prop_assume!(!mixed);
            let start = &binary(base)[..prefix as usize];
            prop_assert_eq!(range.contains(other), same && binary(other).starts_with(start));
        }

        #[test]
        fn any_text_is_a_range_or_refused(text in ".{0,20}") {
            let _ = text.parse::<AddressRange>();
        }
    }

    #[test]
    fn entries_in_every_common_form_are_read() {
        for (entry, address) in [
            ("203.0.113.7", "203.0.113.7"),
            (" 203.0.113.7:50123 ", "203.0.113.7"),
            ("2001:db8::1", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("[2001:db8::1]:443", "2001:db8::1"),
            ("::ffff:203.0.113.7", "203.0.113.7"),
            ("[::ffff:203.0.113.7]:443", "203.0.113.7"),
        ] {
            assert_eq!(forwarded_address(entry.as_bytes()), Some(ip(address)), "{entry:?}");
        }
        for entry in ["", "unknown", "_hidden", "203.0.113", "203.0.113.7:", "[203.0.113.7]", "é"]
        {
            assert_eq!(forwarded_address(entry.as_bytes()), None, "{entry:?}");
        }
    }

    #[test]
    fn an_invalid_entry_ends_the_forwarded_list() {
        let proxies = TrustedProxies::default();
        let found = |line: &str| proxies.client(ip("::1"), &headers(&[line])).ip();
        assert_eq!(found("203.0.113.7, unknown"), ip("::1"));
        assert_eq!(found("203.0.113.7, unknown, 127.0.0.5"), ip("127.0.0.5"));
        assert_eq!(found("203.0.113.7,127.0.0.5"), ip("203.0.113.7"));
        assert_eq!(found(""), ip("::1"));
    }

    #[test]
    fn limits_count_a_64_of_ipv6_as_one() {
        let key = |text| ClientAddress::new(ip(text)).limit_key();
        assert_eq!(key("2001:db8:1:2:3:4:5:6"), key("2001:db8:1:2::9"));
        assert_ne!(key("2001:db8:1:2::"), key("2001:db8:1:3::"));
        assert_eq!(key("::ffff:203.0.113.7"), ip("203.0.113.7"));
        assert_ne!(key("203.0.113.7"), key("203.0.113.8"));
    }

    #[test]
    fn ranges_are_read_or_refused() {
        for (range, inside, outside) in [
            ("10.0.0.7", "10.0.0.7", "10.0.0.8"),
            ("10.0.0.7/8", "10.255.0.1", "11.0.0.1"),
            ("0.0.0.0/0", "203.0.113.7", "::1"),
            ("fd00::/8", "fdff::1", "fe00::1"),
            ("::ffff:10.0.0.0/104", "10.1.1.1", "11.0.0.1"),
            ("::/0", "2001:db8::1", "10.0.0.1"),
        ] {
            let range: AddressRange = range.parse().unwrap();
            assert!(range.contains(ip(inside)) && !range.contains(ip(outside)), "{range:?}");
        }
        let wrong = ["", "localhost", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/+8", "10/8"];
        for text in wrong {
            assert_eq!(text.parse::<AddressRange>(), Err(NotARange), "{text:?}");
        }
    }
}
