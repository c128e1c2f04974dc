//! Numbers and words as columns of bytes that compress well.

use std::collections::HashMap;

/// Two-byte numbers: first all low bytes, then all high ones, most of which are equal.
pub fn split_planes(numbers: impl Iterator<Item = u16> + Clone) -> Vec<u8> {
    let low = numbers.clone().map(|number| number as u8);
    low.chain(numbers.map(|number| (number >> 8) as u8)).collect()
}

/// What [`split_planes`] made columns of; none if there is half a number.
pub fn join_planes(column: &[u8]) -> Option<Vec<u16>> {
    let (low, high) = column.split_at(column.len() / 2);
    let join = |(&low, &high): (&u8, &u8)| u16::from_le_bytes([low, high]);
    (low.len() == high.len()).then(|| low.iter().zip(high).map(join).collect())
}

/// The words of a block, each once, in the order in which they come first, and the number of each occurrence.
#[derive(Default)]
pub struct Dictionary<'a> {
    numbers: HashMap<&'a str, u16>,
    words: Vec<&'a str>,
    /// By occurrence.
    pub occurrences: Vec<u16>,
}

impl<'a> Dictionary<'a> {
    /// One more occurrence. Trusts that there are at most 65,536 different words.
    pub fn push(&mut self, word: &'a str) {
        let next = self.words.len();
        let number = *self.numbers.entry(word).or_insert_with(|| {
            self.words.push(word);
            u16::try_from(next).expect("a block has few different words")
        });
        self.occurrences.push(number);
    }

    /// The words, one a line.
    pub fn lines(&self) -> Vec<u8> {
        self.words.iter().flat_map(|word| word.bytes().chain([b'\n'])).collect()
    }
}

/// The lines of a column of text.
pub fn lines(column: &[u8]) -> Result<Vec<&str>, String> {
    let text = str::from_utf8(column).map_err(|_| "stream did not contain valid UTF-8")?;
    Ok(text.lines().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let numbers = [0, 1, 255, 256, 1000, u16::MAX];
        let column = split_planes(numbers.iter().copied());
        assert_eq!(column[..4], [0, 1, 255, 0]);
        assert_eq!(join_planes(&column).unwrap(), numbers);
        assert_eq!(join_planes(&column[1..]), None);
    }

    #[test]
    fn words_are_numbered_as_they_come() {
        let mut dictionary = Dictionary::default();
        ["f5", "d6", "f5", "c3"].into_iter().for_each(|word| dictionary.push(word));
        assert_eq!(
            (&dictionary.lines()[..], &dictionary.occurrences[..]),
            (&b"f5\nd6\nc3\n"[..], &[0, 1, 0, 2][..])
        );
        assert_eq!(lines(&dictionary.lines()).unwrap(), ["f5", "d6", "c3"]);
    }
}
