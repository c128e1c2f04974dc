//! Player specs: the one text form in which players are named everywhere.
//!
//! `name:key=value,key=value`, such as `random`, `engine:level=5` or `minimax:depth=4,eval=discs`. A value with a
//! comma or a quote in it stands in double quotes, with `\"` and `\\` inside. `external:gtp:"edax -gtp"` is short for
//! `external:protocol=gtp,run="edax -gtp"`, and `book:my.book,learn=on+engine:depth=6` for
//! `book:file=my.book,learn=on,then="engine:depth=6"`.

use std::fmt;
use std::str::FromStr;

use trilith_base::words;

/// A player's name and options, not yet checked against what the player takes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PlayerSpec {
    /// Such as `engine`.
    pub name: String,
    /// In the order given.
    pub options: Vec<(String, String)>,
}

/// A text that names no player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// The text is not of the form.
    #[error("player `{text}`, column {column}: expected {expected}")]
    Syntax {
        /// The text as given.
        text: String,
        /// In characters from 1.
        column: usize,
        /// What would be right there.
        expected: &'static str,
    },
    /// No player of that name.
    #[error("unknown player `{name}`: expected {expected}")]
    Unknown {
        /// The name as given.
        name: String,
        /// The nearest and all known ones.
        expected: String,
    },
    /// The player does not take this option.
    #[error("player `{player}` has no option `{key}`: expected {expected}")]
    Option {
        /// The player.
        player: String,
        /// The option as given.
        key: String,
        /// The nearest and all known ones.
        expected: String,
    },
    /// The player does not play this game.
    #[error("player `{player}` does not play {game}: expected {expected}")]
    Game {
        /// The player.
        player: String,
        /// The game asked for.
        game: &'static str,
        /// The games it plays.
        expected: String,
    },
    /// The option does not take this value.
    #[error("player `{player}`, option `{key}`: `{value}` is not {expected}")]
    Value {
        /// The player.
        player: String,
        /// The option.
        key: String,
        /// The value as given.
        value: String,
        /// What would be right.
        expected: String,
    },
}

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<PlayerSpec, SpecError> {
        match text.split_once(':') {
            Some((name, rest)) if name.trim() == "book" => book(text, rest.trim_start()),
            _ => Self::parse_plain(text),
        }
    }
}

/// `FILE,key=value+PLAYER`, where only FILE need be there; in quotes, or with `file=`, a name may have any letters.
fn book(text: &str, rest: &str) -> Result<PlayerSpec, SpecError> {
    let at = text.len() - rest.len();
    let rest = rest.trim_end();
    let plus = rest.find('+').filter(|&plus| !rest[..plus].contains('"'));
    let (own, then) = plus.map_or((rest, None), |plus| (&rest[..plus], Some(&rest[plus + 1..])));
    let file = own.split(',').next().filter(|file| !file.contains('=') && !file.is_empty());
    let own = file.map_or(own, |file| own[file.len()..].trim_start_matches(','));
    let mut spec = PlayerSpec::parse_plain(&format!("book:{own}"))
        .map_err(|_| syntax(text, at, "a file and options, as in `book:my.book,learn=on+engine:depth=6`"))?;
    if let Some(file) = file {
        spec.options.insert(0, ("file".into(), file.trim().into()));
    }
    spec.options.extend(then.map(|then| ("then".into(), then.trim().into())));
    Ok(spec)
}

impl PlayerSpec {
    fn parse_plain(text: &str) -> Result<PlayerSpec, SpecError> {
        let trimmed = text.trim();
        let (name, rest) = trimmed.split_once(':').unwrap_or((trimmed, ""));
        let name = name.trim();
        if name.is_empty() {
            return Err(syntax(text, 0, "the name of a player"));
        }
        let mut options = Vec::new();
        let mut at = trimmed.len() - rest.len();
        if let Some(colon) = rest.find(":\"").filter(|&colon| !rest[..colon].contains(['=', ','])) {
            options.push(("protocol".into(), rest[..colon].into()));
            let (value, end) = quoted(trimmed, at + colon + 1)?;
            options.push(("run".into(), value));
            at = end;
        }
        while at < trimmed.len() {
            let (key, value, end) = option(trimmed, at)?;
            options.push((key, value));
            at = end;
        }
        Ok(PlayerSpec { name: name.into(), options })
    }
}

/// One `key=value` from byte `at` on, and where the next begins.
fn option(text: &str, at: usize) -> Result<(String, String, usize), SpecError> {
    let equals = text[at..].find(['=', ',']).map(|length| at + length);
    let Some(equals) =
        equals.filter(|&equals| text.as_bytes()[equals] == b'=' && !text[at..equals].trim().is_empty())
    else {
        return Err(syntax(text, at, "an option such as `depth=4`"));
    };
    let key = text[at..equals].trim().to_owned();
    let start = equals + 1;
    if !text[start..].starts_with('"') {
        let end = text[start..].find(',').map_or(text.len(), |length| start + length);
        let next = if end < text.len() { end + 1 } else { end };
        return Ok((key, text[start..end].trim().to_owned(), next));
    }
    let (value, end) = quoted(text, start)?;
    Ok((key, value, end))
}

/// The value in quotes from byte `start` on, and where the next option begins.
fn quoted(text: &str, start: usize) -> Result<(String, usize), SpecError> {
    let mut value = String::new();
    let mut letters = text[start + 1..].char_indices();
    while let Some((offset, letter)) = letters.next() {
        match letter {
            '\\' => value.extend(letters.next().map(|(_, letter)| letter)),
            '"' => {
                let end = start + 1 + offset + 1;
                return match text[end..].chars().next() {
                    None => Ok((value, end)),
                    Some(',') => Ok((value, end + 1)),
                    Some(_) => Err(syntax(text, end, "a comma or the end after the closing quote")),
                };
            }
            _ => value.push(letter),
        }
    }
    Err(syntax(text, text.len(), "a closing quote"))
}

fn syntax(text: &str, at: usize, expected: &'static str) -> SpecError {
    SpecError::Syntax { text: text.into(), column: text[..at].chars().count() + 1, expected }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (number, (key, value)) in self.options.iter().enumerate() {
            let sign = if number == 0 { ':' } else { ',' };
            match value.contains([',', '"', '\\', '+']) || value.trim() != value {
                true => {
                    write!(f, "{sign}{key}=\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))?;
                }
                false => write!(f, "{sign}{key}={value}")?,
            }
        }
        Ok(())
    }
}

impl PlayerSpec {
    /// The options, each checked to be one of `known`.
    pub fn checked(&self, known: &[&str]) -> Result<&[(String, String)], SpecError> {
        match self.options.iter().find(|(key, _)| !known.contains(&key.as_str())) {
            None => Ok(&self.options),
            Some((key, _)) => Err(SpecError::Option {
                player: self.name.clone(),
                key: key.clone(),
                expected: words::expected(key, known.iter().copied()),
            }),
        }
    }

    /// The last value given for `key`.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.options.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// The number given for `key`, which must lie between `least` and `most`.
    pub fn number(&self, key: &str, least: u64, most: u64) -> Result<Option<u64>, SpecError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        match value.parse() {
            Ok(number) if (least..=most).contains(&number) => Ok(Some(number)),
            _ => Err(self.wrong(key, value, format!("a whole number from {least} to {most}"))),
        }
    }

    /// `key` does not take `value`.
    pub fn wrong(&self, key: &str, value: &str, expected: impl Into<String>) -> SpecError {
        SpecError::Value {
            player: self.name.clone(),
            key: key.into(),
            value: value.into(),
            expected: expected.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_round_trip() {
        for text in
            ["random", "engine:level=5", "minimax:depth=4,eval=discs", r#"external:run="a, \"b\" \\c",x=1"#]
        {
            let spec: PlayerSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
        }
        // Found by fuzzing: space around the name.
        for text in [" \u{3000}engine\n\n: level=5", "\u{3000}\u{3000}book :a+engine"] {
            let spec: PlayerSpec = text.parse().unwrap();
            assert_eq!(spec.to_string().parse(), Ok(spec));
        }
        assert!("\u{3000}\u{3000}book :a,b".parse::<PlayerSpec>().is_err());
        let spec: PlayerSpec = r#"external:run="a, \"b\" \\c",x=1"#.parse().unwrap();
        assert_eq!((spec.get("run"), spec.get("x")), (Some(r#"a, "b" \c"#), Some("1")));
    }

    #[test]
    fn programs_have_a_short_form() {
        let spec: PlayerSpec = r#"external:gtp:"edax -gtp, -q",time=100"#.parse().unwrap();
        assert_eq!(spec.to_string(), r#"external:protocol=gtp,run="edax -gtp, -q",time=100"#);
        let spec: PlayerSpec = r#"external:protocol=ugi,run="a:\"b\"""#.parse().unwrap();
        assert_eq!(spec.get("run"), Some("a:\"b\""));
    }

    #[test]
    fn books_have_a_short_form() {
        let long = |text: &str| text.parse::<PlayerSpec>().unwrap().to_string();
        assert_eq!(long("book:a.book"), "book:file=a.book");
        assert_eq!(long("book:a.book+engine"), "book:file=a.book,then=engine");
        let learning = "book:file=a.book,learn=on,then=\"engine:depth=6,eval=margin\"";
        assert_eq!(long("book:a.book,learn=on+engine:depth=6,eval=margin"), learning);
        assert_eq!(long(learning), learning);
        assert_eq!(long("book:file=\"a+b\",then=random"), "book:file=\"a+b\",then=random");
        assert!("book:a.book,learn+engine".parse::<PlayerSpec>().is_err());
    }

    #[test]
    fn faults_name_the_place() {
        let fault = |text: &str| text.parse::<PlayerSpec>().unwrap_err().to_string();
        assert_eq!(fault(":depth=4"), "player `:depth=4`, column 1: expected the name of a player");
        assert_eq!(
            fault("engine:depth"),
            "player `engine:depth`, column 8: expected an option such as `depth=4`"
        );
        assert!(fault("engine:depth=4, =3").contains("column 16: expected an option"));
        assert_eq!(fault("a:b=\"c"), "player `a:b=\"c`, column 7: expected a closing quote");
        assert!(fault("a:b=\"c\"d").contains("column 8: expected a comma"));
    }
}
