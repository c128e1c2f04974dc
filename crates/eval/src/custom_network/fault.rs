//! Where a definition goes wrong.

use toml::Spanned;

/// What is wrong with a user's definition.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("line {line}, `{key}`: {fault}")]
pub struct OwnError {
    /// From 1.
    pub line: usize,
    /// The key at fault; what stands in the line where there is none.
    pub key: String,
    /// What is wrong and what would be right.
    pub fault: String,
}

/// The text of a definition.
pub struct DefinitionText<'a>(pub &'a str);

impl DefinitionText<'_> {
    /// A fault of a value that could be read.
    pub fn fault<T>(&self, value: &Spanned<T>, key: &str, fault: String) -> OwnError {
        OwnError { line: self.line(value.span().start), key: key.into(), fault }
    }

    /// A fault of the text itself, or of a value's type.
    pub fn syntax(&self, error: &toml::de::Error) -> OwnError {
        let at = error.span().map_or(0, |span| span.start);
        let fault = error.message().to_owned();
        let key = match missing(&fault) {
            Some(key) => key.into(),
            None => self.key(at),
        };
        OwnError { line: self.line(at), key, fault }
    }

    fn line(&self, at: usize) -> usize {
        self.0.as_bytes().iter().take(at).filter(|&&byte| byte == b'\n').count() + 1
    }

    /// What stands before `=` in a line, else the whole line.
    fn key(&self, at: usize) -> String {
        let line = self.0.lines().nth(self.line(at) - 1).unwrap_or_default();
        line.split('=').next().unwrap_or_default().trim().into()
    }
}

/// The key that a message says is missing.
fn missing(message: &str) -> Option<&str> {
    message.strip_prefix("missing field `")?.strip_suffix('`')
}
