//! Seals: what proves that a job or an answer comes from somebody who has the key that both sides share.
//!
//! A sealed message is a mark, the BLAKE3 keyed hash of what it is, where it stands and what it says, and then what it says.
//! Without a key messages travel as they are, which is for one machine alone.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

/// How sealed messages begin.
const MARK: &[u8] = b"TQ1\0";
const HASH: usize = blake3::OUT_LEN;
/// The least characters of a key's file.
const LEAST: usize = 32;

/// A secret of coordinators and workers.
#[derive(Clone)]
pub struct SealKey([u8; blake3::KEY_LEN]);

impl fmt::Debug for SealKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(...)")
    }
}

/// Why a message is not believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// There is a key and no seal.
    #[error("it is not sealed: expected whoever sent it to use the queue's key")]
    Missing,
    /// There is a seal and no key.
    #[error("it is sealed and there is no key here: expected TRILITH_QUEUE_KEY to name the key's file")]
    NoKey,
    /// The seal is another's, or the message was changed or moved.
    #[error("its seal is wrong: it was made with another key, or changed on the way")]
    Wrong,
}

/// What a message is: a job is never taken for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Job,
    Answer,
}

impl SealKey {
    /// Made from any secret text.
    pub fn new(secret: &str) -> SealKey {
        SealKey(blake3::derive_key("trilith 2026 queue messages", secret.as_bytes()))
    }

    /// From a file with at least 32 characters, as `openssl rand -hex 32` writes it.
    pub fn load(path: &Path) -> io::Result<SealKey> {
        let text = fs::read_to_string(path)?;
        let secret = text.trim();
        if secret.len() < LEAST {
            let short = format!("{} characters are no secret: expected at least {LEAST}", secret.len());
            return Err(io::Error::new(io::ErrorKind::InvalidData, short));
        }
        Ok(SealKey::new(secret))
    }

    fn hash(&self, sort: Sort, place: &str, content: &[u8]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        hasher.update(&[sort as u8]);
        hasher.update(&(place.len() as u64).to_le_bytes());
        hasher.update(place.as_bytes());
        hasher.update(content);
        hasher.finalize()
    }
}

/// What follows the first words of a subject: batch and job.
fn place(subject: &str) -> &str {
    let from = subject.match_indices('.').nth(1).map_or(0, |(at, _)| at + 1);
    &subject[from..]
}

/// `content` for `subject`, sealed if there is a key.
pub(crate) fn seal(key: Option<&SealKey>, sort: Sort, subject: &str, content: Vec<u8>) -> Vec<u8> {
    let Some(key) = key else { return content };
    let hash = key.hash(sort, place(subject), &content);
    [MARK, hash.as_bytes(), &content].concat()
}

/// The content of a message, if it may be believed.
pub(crate) fn open<'a>(
    key: Option<&SealKey>,
    sort: Sort,
    subject: &str,
    message: &'a [u8],
) -> Result<&'a [u8], SealError> {
    let Some(sealed) = message.strip_prefix(MARK) else {
        return if key.is_some() { Err(SealError::Missing) } else { Ok(message) };
    };
    let key = key.ok_or(SealError::NoKey)?;
    let (hash, content) = sealed.split_at_checked(HASH).ok_or(SealError::Wrong)?;
    let hash: [u8; HASH] = hash.try_into().map_err(|_| SealError::Wrong)?;
    // Hashes of blake3 are compared in constant time.
    match key.hash(sort, place(subject), content) == hash {
        true => Ok(content),
        false => Err(SealError::Wrong),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUBJECT: &str = "trilith.jobs.batch.id";

    #[test]
    fn only_the_same_key_sort_place_and_content_open() {
        let (key, other) = (SealKey::new("one"), SealKey::new("two"));
        let sealed = seal(Some(&key), Sort::Job, SUBJECT, b"work".to_vec());
        assert_eq!(open(Some(&key), Sort::Job, SUBJECT, &sealed), Ok(&b"work"[..]));
        assert_eq!(open(Some(&other), Sort::Job, SUBJECT, &sealed), Err(SealError::Wrong));
        assert_eq!(open(Some(&key), Sort::Answer, SUBJECT, &sealed), Err(SealError::Wrong));
        assert_eq!(open(Some(&key), Sort::Job, "trilith.jobs.batch.other", &sealed), Err(SealError::Wrong));
        assert_eq!(open(None, Sort::Job, SUBJECT, &sealed), Err(SealError::NoKey));
        assert_eq!(open(Some(&key), Sort::Job, SUBJECT, b"work"), Err(SealError::Missing));
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert!(open(Some(&key), Sort::Job, SUBJECT, &changed).is_err(), "byte {at}");
        }
        assert!(open(Some(&key), Sort::Job, SUBJECT, &sealed[..20]).is_err());
    }

    #[test]
    fn without_a_key_messages_travel_as_they_are() {
        let plain = seal(None, Sort::Answer, SUBJECT, b"work".to_vec());
        assert_eq!(open(None, Sort::Answer, SUBJECT, &plain), Ok(&b"work"[..]));
        assert_eq!(plain, b"work");
    }
}
