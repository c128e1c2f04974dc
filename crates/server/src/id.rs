//! Names of tables that nobody can guess: who knows one may play there.

use std::fmt::Write;

/// 128 random bits in hexadecimal. Not from a `Seed`: what can be repeated can be guessed.
pub(crate) fn unguessable() -> Result<String, getrandom::Error> {
    let mut bits = [0u8; 16];
    getrandom::fill(&mut bits)?;
    Ok(bits.iter().fold(String::with_capacity(32), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_long_and_differ() {
        let all: std::collections::HashSet<_> = (0..1000).map(|_| unguessable().unwrap()).collect();
        assert_eq!(all.len(), 1000);
        assert!(all.iter().all(|id| id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit())));
    }
}
