//! How a queue is reached: its address, the key that both sides share, and whom to believe about TLS.

use std::io;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use trilith_base::job::QueueError;

use super::fault;
use super::seal::SealKey;

/// Names the file with the key.
pub const KEY_VARIABLE: &str = "TRILITH_QUEUE_KEY";
/// Names the file with the certificates of who signs the server's, if that is nobody the system knows.
pub const CA_VARIABLE: &str = "TRILITH_QUEUE_CA";

/// An address and what is needed to use it.
#[derive(Clone, Debug)]
pub struct Access {
    /// Such as `nats://127.0.0.1:4222` or `tls://worker:password@queue.example.org`.
    pub address: String,
    /// Without one messages are not sealed: only for a queue on the same machine.
    pub key: Option<SealKey>,
    /// Certificates to believe besides the system's.
    pub ca: Option<PathBuf>,
}

impl Access {
    /// With the key and the certificates that the environment names. A queue on another machine needs a key.
    pub fn from_environment(address: &str) -> Result<Access, QueueError> {
        let named = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        Access::new(address, named(KEY_VARIABLE).as_deref(), named(CA_VARIABLE))
    }

    /// With the key in the file `key`.
    pub fn new(address: &str, key: Option<&Path>, ca: Option<PathBuf>) -> Result<Access, QueueError> {
        let unreadable = |path: &Path, error| fault(address, &format!("key {}", path.display()), error);
        let key = key
            .map(|path| SealKey::load(path).map_err(|error: io::Error| unreadable(path, error)))
            .transpose()?;
        if key.is_none() && !is_here(address) {
            let reason =
                format!("expected {KEY_VARIABLE} to name a file that both sides have (docs/queue.md)");
            return Err(fault(address, "a queue on another machine needs a key", reason));
        }
        Ok(Access { address: address.into(), key, ca })
    }
}

/// Whether all servers of an address are on this machine.
fn is_here(address: &str) -> bool {
    address.split(',').all(|server| {
        let rest = server.split_once("://").map_or(server, |(_, rest)| rest);
        let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
        let host = host.split('/').next().unwrap_or_default();
        let name = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((name, _)) => name,
            None => host.split(':').next().unwrap_or_default(),
        };
        name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_needs_no_key() {
        for here in [
            "nats://127.0.0.1:4222",
            "localhost",
            "tls://a:b@[::1]:4222",
            "nats://127.0.0.1,nats://localhost",
        ] {
            assert!(is_here(here) && Access::new(here, None, None).is_ok(), "{here}");
        }
        for there in ["nats://10.0.0.7:4222", "queue.example.org", "nats://127.0.0.1@evil.example:4222", ""] {
            assert!(!is_here(there), "{there}");
            let error = Access::new(there, None, None).unwrap_err();
            assert!(error.to_string().contains("needs a key"), "{error}");
        }
    }
}
