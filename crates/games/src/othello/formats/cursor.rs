//! A place in a text, for readers that say where they stopped.

use crate::error::FormatError;

/// Walks through a text character by character.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, at: 0 }
    }

    /// Byte offset of the next character.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The text that is left.
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += letter.len_utf8();
        Some(letter)
    }

    /// Steps over so many bytes, which the caller has seen to be ASCII.
    pub(super) fn skip(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Steps over `letter` if it comes next.
    pub(super) fn eat(&mut self, letter: char) -> bool {
        let found = self.peek() == Some(letter);
        if found {
            self.next();
        }
        found
    }

    pub(super) fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// The error that something else was expected here.
    pub(super) fn expected(&self, expected: impl Into<String>) -> FormatError {
        syntax(self.text, self.at, expected)
    }
}

/// The error that something else was expected at byte `at`, which is a character boundary.
pub(super) fn syntax(text: &str, at: usize, expected: impl Into<String>) -> FormatError {
    let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    FormatError::Syntax {
        line: line_of(text, at),
        column: text[line_start..at].chars().count() + 1,
        expected: expected.into(),
    }
}

/// The line of byte `at`, from 1.
pub(super) fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}
