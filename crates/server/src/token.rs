//! Tokens: who brings one may do what it stands for. Only hashes are kept, so a stolen database opens no seat.

use crate::id;

/// What the token of an account begins with; tokens of seats have nothing before them.
const ACCOUNT: &str = "a_";

/// A new token for a seat: 128 random bits.
pub(crate) fn for_seat() -> Result<String, getrandom::Error> {
    id::unguessable()
}

/// A new token for an account.
pub(crate) fn for_account() -> Result<String, getrandom::Error> {
    Ok(format!("{ACCOUNT}{}", id::unguessable()?))
}

/// Whether a token claims to be an account's.
pub(crate) fn is_account(token: &str) -> bool {
    token.starts_with(ACCOUNT)
}

/// What is kept of a token. Comparing hashes takes no time that would say anything about the token.
pub(crate) fn hash(token: &str) -> String {
    blake3::hash(token.as_bytes()).to_hex().to_string()
}

/// Who asks: nobody in particular, the holder of a token, perhaps with an account.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asker {
    /// The hash of the token.
    pub(crate) hash: Option<String>,
    /// The account's name in small letters, if the token is an account's.
    pub(crate) account: Option<String>,
    /// The account's name as its owner writes it.
    pub(crate) shown: Option<String>,
    /// Whether others are not to see what the account does.
    pub(crate) muted: bool,
}

impl Asker {
    /// What it is counted by: all keys of an account together.
    pub(crate) fn key(&self) -> Option<String> {
        let account = self.account.as_ref().map(|name| format!("account {name}"));
        account.or_else(|| self.hash.clone())
    }
}
