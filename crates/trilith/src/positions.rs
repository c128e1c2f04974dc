//! Many positions at once: a line each, from a file or from standard input, read as they are needed.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use anyhow::Context;

use crate::output;

/// No position or list of moves is longer.
const LONGEST_LINE: u64 = 1 << 20;

/// Lines of a file, or of standard input for `-`, with their numbers from 1. Empty lines and those that begin with `#` or
/// `%` are left out.
pub fn lines(path: &Path) -> anyhow::Result<PositionLines> {
    let name = path.display().to_string();
    let reader: Box<dyn BufRead> = match name.as_str() {
        "-" => Box::new(BufReader::new(io::stdin())),
        _ => Box::new(BufReader::new(File::open(path).with_context(|| name.clone())?)),
    };
    let name = if name == "-" { "standard input".into() } else { name };
    Ok(PositionLines { reader, name, number: 0 })
}

/// See [`lines`].
pub struct PositionLines {
    reader: Box<dyn BufRead>,
    name: String,
    number: usize,
}

impl Iterator for PositionLines {
    type Item = anyhow::Result<(usize, String)>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            self.number += 1;
            let place = || format!("{}, line {}", self.name, self.number);
            let mut bytes = Vec::new();
            match self.reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
                Ok(0) => return None,
                Ok(count) if count as u64 == LONGEST_LINE => {
                    let fault = io::Error::other("the line is too long for a position");
                    return Some(Err(fault).with_context(place));
                }
                Ok(_) => {}
                Err(error) => return Some(Err(error).with_context(place)),
            }
            let text = String::from_utf8_lossy(&bytes).trim().to_owned();
            if !text.is_empty() && !text.starts_with(['#', '%']) {
                return Some(Ok((self.number, text)));
            }
        }
    }
}

/// What is wrong with lines that could not be answered, once all others are: told, and the program ends with 2.
#[derive(Default)]
pub struct RefusedLines(usize);

impl RefusedLines {
    /// Counts a line and says what is wrong with it.
    pub fn add(&mut self, number: usize, fault: &anyhow::Error) {
        self.0 += 1;
        eprintln!("line {number}: {}", output::message(fault));
    }

    /// An error if there were any.
    pub fn finish(self) -> anyhow::Result<()> {
        match self.0 {
            0 => Ok(()),
            1 => anyhow::bail!("one line could not be answered"),
            count => anyhow::bail!("{count} lines could not be answered"),
        }
    }
}
