//! XOT opening lists: a transcript a line, by custom of eight plies; tournaments draw one of them by lot.

use super::transcript::parse_transcripts;
use crate::error::FormatError;
use crate::othello::Othello;
use crate::record::Record;

/// Reads the openings of a list, in its order; skips empty lines and those that begin with `#` or `%`.
pub fn parse_xot(game: &Othello, text: &str) -> Result<Vec<Record<Othello>>, FormatError> {
    parse_transcripts(game, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_keep_their_order_and_length() {
        let list = "F5D6C3D3C4F4F6F3\nf5f6e6f4e3c5c4e7\n";
        let openings = parse_xot(&Othello::default(), list).unwrap();
        assert!(openings.iter().all(|opening| opening.len() == 8));
        assert_ne!(openings[0].position(), openings[1].position());
        let fault = parse_xot(&Othello::default(), "f5d6\nf5d6c3a1").unwrap_err().to_string();
        assert!(fault.starts_with("line 2, ply 4: `a1` is not legal here"), "{fault}");
    }
}
