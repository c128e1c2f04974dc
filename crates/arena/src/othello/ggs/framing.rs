//! Bytes of the server as messages.
//!
//! A message is a line with any number of lines after it that begin with `|`. `READY` follows most of them, but not all; so
//! the next line that begins otherwise ends a message, too, and so does a silence. Prompts end without a line feed.

/// Bytes of a line that are kept; the rest is no message of a game.
const LONGEST_LINE: usize = 4096;
/// Lines of a message that are kept: a joined game has its moves and two boards.
const MOST_LINES: usize = 400;

/// A message as it came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GgsBlock {
    /// The first line.
    pub head: String,
    /// The lines after it, without their `|`.
    pub body: Vec<String>,
}

/// Takes bytes as they come and gives whole messages.
#[derive(Debug, Default)]
pub struct Framer {
    line: Vec<u8>,
    block: Option<GgsBlock>,
    /// Bytes of a telnet command still to come.
    command: u8,
}

/// Begins a telnet command of three bytes.
const TELNET: u8 = 255;

impl Framer {
    /// The messages that these bytes complete.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<GgsBlock> {
        let mut whole = Vec::new();
        for &byte in bytes {
            match byte {
                _ if self.command > 0 => self.command -= 1,
                TELNET => self.command = 2,
                b'\n' => self.end_line(&mut whole),
                b'\r' | 0 => {}
                _ if self.line.len() < LONGEST_LINE => self.line.push(byte),
                _ => {}
            }
        }
        whole
    }

    /// Nothing has come for a while: a prompt, or a message without `READY`, is complete. Half a board is not.
    pub fn silence(&mut self) -> Vec<GgsBlock> {
        let mut whole = Vec::new();
        let line = String::from_utf8_lossy(&self.line).to_lowercase();
        if line.contains("login") || line.contains("password") {
            self.end_line(&mut whole);
        }
        if self.line.is_empty() && self.block.as_ref().is_some_and(is_complete) {
            whole.extend(self.block.take());
        }
        whole
    }

    fn end_line(&mut self, whole: &mut Vec<GgsBlock>) {
        let text = String::from_utf8_lossy(&std::mem::take(&mut self.line)).into_owned();
        match (text.strip_prefix('|'), &mut self.block) {
            (Some(rest), Some(block)) if block.body.len() < MOST_LINES => block.body.push(rest.to_owned()),
            (Some(_), _) => {}
            (None, _) => {
                whole.extend(self.block.take());
                if !text.trim().is_empty() && text.trim() != "READY" {
                    self.block = Some(GgsBlock { head: text, body: Vec::new() });
                }
            }
        }
    }
}

fn is_complete(block: &GgsBlock) -> bool {
    let is_board = block.head.starts_with("/os: join ") || block.head.starts_with("/os: update ");
    !is_board || block.body.last().is_some_and(|line| line.trim_end().ends_with("to move"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SENT: &[u8] =
        b"\xff\xfb\x01Welcome\r\n: Enter login (yours, or one you'd like to use).\r\n/os: update .5 8 K?\r\n\
        |  1: f5//3.47\r\n|O to move\r\nREADY\r\n/os: error .5 illegal move\r\n";

    fn heads(blocks: &[GgsBlock]) -> Vec<&str> {
        blocks.iter().map(|block| block.head.as_str()).collect()
    }

    #[test]
    fn messages_are_the_same_however_the_bytes_come() {
        let mut at_once = Framer::default();
        let mut expected = at_once.feed(SENT);
        expected.extend(at_once.silence());
        assert_eq!(
            heads(&expected),
            [
                "Welcome",
                ": Enter login (yours, or one you'd like to use).",
                "/os: update .5 8 K?",
                "/os: error .5 illegal move"
            ]
        );
        assert_eq!(expected[2].body, ["  1: f5//3.47", "O to move"]);
        let mut framer = Framer::default();
        let mut found: Vec<GgsBlock> = SENT.iter().flat_map(|&byte| framer.feed(&[byte])).collect();
        found.extend(framer.silence());
        assert_eq!(found, expected);
    }

    #[test]
    fn half_a_board_waits_and_a_prompt_without_an_end_does_not() {
        let mut framer = Framer::default();
        assert!(framer.feed(b"/os: join .5 8 K?\r\n|0 move(s)\r\n").is_empty());
        assert!(framer.silence().is_empty());
        assert!(framer.feed(b"|* to move\r\n").is_empty());
        assert_eq!(framer.silence().len(), 1);
        assert!(framer.feed(b": Enter your password.").is_empty());
        assert_eq!(heads(&framer.silence()), [": Enter your password."]);
        // Nobody can fill the memory.
        framer.feed(&vec![b'x'; 1 << 20]);
        assert_eq!(framer.line.len(), LONGEST_LINE);
        framer.feed(b"\nhead\n");
        framer.feed(&b"|y\n".repeat(10_000));
        assert_eq!(framer.block.unwrap().body.len(), MOST_LINES);
    }
}
