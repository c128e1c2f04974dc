//! A game text taken apart: tags, words, ends of games. Comments, glyphs and variations are passed over.

use crate::error::FormatError;

/// What matters of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A name and its value, unescaped.
    Tag(&'a str, String),
    /// A move, a move number or a result.
    Word(&'a str),
}

/// Where a token begins, from 1; columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Place {
    pub(super) fn expected(self, expected: impl Into<String>) -> FormatError {
        FormatError::Syntax { line: self.line, column: self.column, expected: expected.into() }
    }
}

pub(super) fn is_tag_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_name_letter)
}

fn is_name_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

fn ends_word(letter: char) -> bool {
    letter.is_whitespace() || "{}();[]\"$".contains(letter)
}

/// Reads tokens one after the other.
pub(super) struct Tokens<'a> {
    rest: &'a str,
    place: Place,
    comments: Vec<&'a str>,
}

impl<'a> Tokens<'a> {
    pub(super) fn of(text: &'a str) -> Tokens<'a> {
        let rest = text.strip_prefix('\u{feff}').unwrap_or(text);
        Tokens { rest, place: Place { line: 1, column: 1 }, comments: Vec::new() }
    }

    /// The next token and its place; none at the end.
    pub(super) fn next(&mut self) -> Result<Option<(Token<'a>, Place)>, FormatError> {
        self.pass_over()?;
        let place = self.place;
        let token = match self.peek() {
            None => return Ok(None),
            Some('[') => self.tag()?,
            Some(_) => {
                let word = self.take_while(|letter| !ends_word(letter));
                if word.is_empty() {
                    return Err(place.expected("a move, a tag such as `[Game \"morris\"]` or a result"));
                }
                Token::Word(word)
            }
        };
        Ok(Some((token, place)))
    }

    /// The comments in braces that were passed over since this was last asked, those in variations left out.
    pub(super) fn take_comments(&mut self) -> Vec<&'a str> {
        std::mem::take(&mut self.comments)
    }

    /// Passes over everything before the next token. Nesting is counted, so depth costs nothing.
    fn pass_over(&mut self) -> Result<(), FormatError> {
        let mut variations = Vec::new();
        loop {
            self.take_while(char::is_whitespace);
            let place = self.place;
            match self.peek() {
                Some('{') => {
                    let comment = self.take_while(|letter| letter != '}');
                    if variations.is_empty() {
                        self.comments.push(comment.trim_start_matches('{').trim());
                    }
                    self.take('}', || place.expected("a `}` that ends the comment which begins here"))?;
                }
                Some(';') => self.pass_line(),
                Some('%') if place.column == 1 => self.pass_line(),
                Some('$') => self.glyph()?,
                Some('(') => {
                    self.advance();
                    variations.push(place);
                }
                Some(')') if !variations.is_empty() => {
                    self.advance();
                    variations.pop();
                }
                Some(_) if !variations.is_empty() => self.pass_word(),
                None if !variations.is_empty() => {
                    let begun = variations[variations.len() - 1];
                    return Err(begun.expected("a `)` that ends the variation which begins here"));
                }
                _ => return Ok(()),
            }
        }
    }

    fn pass_line(&mut self) {
        self.take_while(|letter| letter != '\n');
    }

    /// At least one character, so that reading goes on whatever stands in a variation.
    fn pass_word(&mut self) {
        self.advance();
        self.take_while(|letter| !ends_word(letter));
    }

    fn glyph(&mut self) -> Result<(), FormatError> {
        self.advance();
        let place = self.place;
        match self.take_while(|letter| letter.is_ascii_digit()) {
            "" => Err(place.expected("the number of an annotation glyph")),
            _ => Ok(()),
        }
    }

    fn tag(&mut self) -> Result<Token<'a>, FormatError> {
        self.advance();
        self.take_while(char::is_whitespace);
        let place = self.place;
        let name = self.take_while(is_name_letter);
        if name.is_empty() {
            return Err(place.expected("the name of a tag"));
        }
        self.take_while(char::is_whitespace);
        let place = self.place;
        self.take('"', || place.expected("a value in double quotes"))?;
        let value = self.value()?;
        self.take_while(char::is_whitespace);
        let place = self.place;
        self.take(']', || place.expected("`]`"))?;
        Ok(Token::Tag(name, value))
    }

    /// The rest of a value, its closing quote included.
    fn value(&mut self) -> Result<String, FormatError> {
        let mut value = String::new();
        loop {
            let place = self.place;
            match self.advance() {
                Some('"') => return Ok(value),
                Some('\\') => match self.advance() {
                    Some(letter @ ('"' | '\\')) => value.push(letter),
                    _ => return Err(place.expected("`\\\\` or `\\\"`")),
                },
                Some('\n') | None => return Err(place.expected("a double quote that ends the value")),
                // As in writing: a value is one line of text.
                Some(letter) if letter.is_control() => value.push(' '),
                Some(letter) => value.push(letter),
            }
        }
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn advance(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.rest = &self.rest[letter.len_utf8()..];
        match letter {
            '\n' => self.place = Place { line: self.place.line + 1, column: 1 },
            _ => self.place.column += 1,
        }
        Some(letter)
    }

    fn take(&mut self, expected: char, fault: impl Fn() -> FormatError) -> Result<(), FormatError> {
        if self.peek() == Some(expected) {
            self.advance();
            return Ok(());
        }
        Err(fault())
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let before = self.rest;
        while self.peek().is_some_and(&belongs) {
            self.advance();
        }
        &before[..before.len() - self.rest.len()]
    }
}
