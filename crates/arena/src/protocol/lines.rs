//! Lines from outside, of limited length: nobody can fill our memory with one.

use std::io::{BufRead, BufReader, Read};

/// Bytes of the longest line that is read. A game of a hundred thousand plies fits.
pub(crate) const LONGEST: usize = 1 << 20;

/// What comes next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum InputLine {
    /// Without its end; what is not UTF-8 is replaced.
    Text(String),
    /// Longer than [`LONGEST`]; its rest will be skipped.
    TooLong,
}

/// Reads lines.
pub(crate) struct InputLines<R> {
    reader: BufReader<R>,
    /// Inside a line that was too long.
    skipping: bool,
}

impl<R: Read> InputLines<R> {
    pub(crate) fn new(reader: R) -> InputLines<R> {
        InputLines { reader: BufReader::new(reader), skipping: false }
    }

    /// Steps over the rest of a line; false at the end.
    fn skip(&mut self) -> bool {
        loop {
            let Ok(buffer) = self.reader.fill_buf() else { return false };
            if buffer.is_empty() {
                return false;
            }
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let length = end.map_or(buffer.len(), |end| end + 1);
            self.reader.consume(length);
            if end.is_some() {
                return true;
            }
        }
    }
}

impl<R: Read> Iterator for InputLines<R> {
    type Item = InputLine;

    /// Nothing at the end of the input, or when it cannot be read.
    fn next(&mut self) -> Option<InputLine> {
        if std::mem::take(&mut self.skipping) && !self.skip() {
            return None;
        }
        let mut bytes = Vec::new();
        let read = self.reader.by_ref().take(LONGEST as u64).read_until(b'\n', &mut bytes).ok()?;
        match bytes.last() {
            None => None,
            Some(b'\n') => Some(text(&bytes)),
            Some(_) if read == LONGEST => {
                self.skipping = true;
                Some(InputLine::TooLong)
            }
            Some(_) => Some(text(&bytes)),
        }
    }
}

fn text(bytes: &[u8]) -> InputLine {
    let text = String::from_utf8_lossy(bytes);
    InputLine::Text(text.trim_end_matches(['\n', '\r']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_long_ones_skipped() {
        let long = "x".repeat(3 * LONGEST);
        let input = format!("a\r\n\n{long}\nb \u{e9}\nlast");
        let lines: Vec<_> = InputLines::new(input.as_bytes()).collect();
        let line = |text: &str| InputLine::Text(text.into());
        assert_eq!(lines, [line("a"), line(""), InputLine::TooLong, line("b \u{e9}"), line("last")]);
        assert_eq!(InputLines::new(&b"\xff\xfe\n"[..]).next(), Some(line("\u{fffd}\u{fffd}")));
        assert_eq!(InputLines::new(long.as_bytes()).collect::<Vec<_>>(), [InputLine::TooLong]);
    }
}
