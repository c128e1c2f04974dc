//! Where a request comes from: the address of the connection or, behind a trusted proxy, what the proxy says.
//!
//! Addresses of IPv6 count by their first 64 bits: whoever has one has all the others of that network too.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;

use axum::http::HeaderMap;

/// What proxies write the client's address into.
const FORWARDED_FOR: &str = "x-forwarded-for";
/// Headers that only a proxy adds.
const BY_PROXIES: [&str; 4] = [FORWARDED_FOR, "forwarded", "via", "x-real-ip"];

/// An address or all that begin with the same bits, as in `10.0.0.0/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressRange {
    first: IpAddr,
    bits: u8,
}

/// A text that names no network.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}`: expected an address such as 127.0.0.1, or a network such as 10.0.0.0/8")]
pub struct NetworkError(String);

impl FromStr for AddressRange {
    type Err = NetworkError;

    fn from_str(text: &str) -> Result<AddressRange, NetworkError> {
        let wrong = || NetworkError(text.into());
        let (first, bits) = text.split_once('/').map_or((text, None), |(first, bits)| (first, Some(bits)));
        let first: IpAddr = first.parse().map_err(|_| wrong())?;
        let most = if first.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Ok(most), |bits| bits.parse().map_err(|_| wrong()))?;
        if bits > most { Err(wrong()) } else { Ok(AddressRange { first, bits }) }
    }
}

impl fmt::Display for AddressRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.first, self.bits)
    }
}

impl AddressRange {
    /// Whether `address` is one of it.
    pub fn contains(&self, address: IpAddr) -> bool {
        let shift = |all: u32| all - u32::from(self.bits);
        match (self.first, address.to_canonical()) {
            (IpAddr::V4(first), IpAddr::V4(address)) => {
                (u64::from(first.to_bits()) >> shift(32)) == (u64::from(address.to_bits()) >> shift(32))
            }
            (IpAddr::V6(first), IpAddr::V6(address)) => {
                let differ = first.to_bits() ^ address.to_bits();
                differ.checked_shr(shift(128)).unwrap_or(0) == 0
            }
            _ => false,
        }
    }
}

/// Who is believed when it says for whom it asks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origins {
    proxies: Vec<AddressRange>,
}

impl Origins {
    pub(crate) fn new(proxies: &[AddressRange]) -> Origins {
        Origins { proxies: proxies.into() }
    }

    /// Whether `address` is a trusted proxy's.
    pub(crate) fn is_proxy(&self, address: IpAddr) -> bool {
        self.proxies.iter().any(|proxy| proxy.contains(address))
    }

    /// The client's address. Each proxy adds at the end whom it has heard, so the last that is no proxy is the client;
    /// whatever stands before it the client may have written itself.
    pub(crate) fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        if !self.is_proxy(peer) {
            return peer;
        }
        let values: Vec<&str> =
            headers.get_all(FORWARDED_FOR).iter().filter_map(|value| value.to_str().ok()).collect();
        let named = values.iter().flat_map(|value| value.split(',')).map(str::trim).rev();
        for text in named {
            match text.parse::<IpAddr>() {
                Ok(address) if self.is_proxy(address) => {}
                Ok(address) => return address,
                Err(_) => return peer,
            }
        }
        peer
    }

    /// What limits count an address by.
    pub(crate) fn key(address: IpAddr) -> String {
        match address.to_canonical() {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) if address.is_loopback() => address.to_string(),
            IpAddr::V6(address) => format!("{}/64", Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        }
    }
}

/// Whether a proxy has handed this on, as far as it shows.
pub(crate) fn is_handed_on(headers: &HeaderMap) -> bool {
    BY_PROXIES.iter().any(|name| headers.contains_key(*name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn forwarded(text: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(FORWARDED_FOR, text.parse().unwrap());
        headers
    }

    #[test]
    fn only_a_trusted_proxy_is_believed_and_only_its_own_word() {
        let none = Origins::default();
        let one = Origins::new(&["127.0.0.1".parse().unwrap(), "10.0.0.0/8".parse().unwrap()]);
        let (near, far) = (address("127.0.0.1"), address("203.0.113.9"));
        assert_eq!(none.client(near, &forwarded("203.0.113.9")), near);
        assert_eq!(one.client(far, &forwarded("198.51.100.1")), far, "a stranger's word");
        assert_eq!(one.client(near, &forwarded("203.0.113.9")), far);
        assert_eq!(one.client(near, &forwarded("198.51.100.1, 203.0.113.9")), far, "the client's own word");
        assert_eq!(one.client(near, &forwarded("203.0.113.9, 10.1.2.3")), far, "a second proxy");
        for nothing in ["nonsense", "", "10.1.2.3"] {
            assert_eq!(one.client(near, &forwarded(nothing)), near);
        }
        assert_eq!(one.client(near, &HeaderMap::new()), near);
    }

    #[test]
    fn ipv6_counts_by_its_network() {
        assert_eq!(Origins::key(address("2001:db8:1:2:3:4:5:6")), "2001:db8:1:2::/64");
        assert_eq!(Origins::key(address("2001:db8:1:2::9")), Origins::key(address("2001:db8:1:2:ffff::")));
        assert_ne!(Origins::key(address("2001:db8:1:2::9")), Origins::key(address("2001:db8:1:3::9")));
        assert_eq!(Origins::key(address("::ffff:192.0.2.1")), "192.0.2.1");
    }

    #[test]
    fn networks_are_read_and_contain_their_own() {
        let has =
            |network: &str, text: &str| network.parse::<AddressRange>().unwrap().contains(address(text));
        assert!(has("10.0.0.0/8", "10.255.0.1") && !has("10.0.0.0/8", "11.0.0.1"));
        assert!(
            has("0.0.0.0/0", "8.8.8.8") && has("192.0.2.7", "192.0.2.7") && !has("192.0.2.7", "192.0.2.8")
        );
        assert!(has("fd00::/8", "fd12::1") && !has("fd00::/8", "fe80::1") && has("::/0", "fe80::1"));
        assert!(has("127.0.0.1", "::ffff:127.0.0.1"));
        for wrong in ["", "x", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/-1"] {
            assert!(wrong.parse::<AddressRange>().is_err(), "{wrong}");
        }
    }
}
