//! How we visit the server.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::message::{GameKind, GgsClock, Request};

/// Everything that decides a visit.
#[derive(Clone)]
pub struct GgsSettings {
    /// Our name there.
    pub login: String,
    /// And its password.
    pub password: String,
    /// Matches at the same time.
    pub open: u32,
    /// What we ask for when no match goes on.
    pub seek: Option<Seek>,
    /// Whether requests to everybody are accepted, too.
    pub answer: bool,
    /// Whether unrated matches are declined.
    pub rated_only: bool,
    /// The least time of a side in a match that is accepted.
    pub least_time: Duration,
    /// Matches, then the visit ends.
    pub matches: Option<u64>,
    /// Kept back of the clock for the way there and back.
    pub reserve: Duration,
    /// The day, for the games' tags.
    pub date: String,
}

impl GgsSettings {
    /// What is wrong with a request, if anything is.
    pub(super) fn fault(&self, request: &Request) -> Option<String> {
        let kind = &request.kind;
        if kind.size != 8 || kind.is_strange {
            return Some(format!(
                "`{}` is not Othello on eight by eight squares by the usual rules",
                kind.text
            ));
        }
        if self.rated_only && !request.is_rated {
            return Some("it is not rated".into());
        }
        (request.clock.left < self.least_time)
            .then(|| format!("{} s are too short", request.clock.left.as_secs()))
    }
}

/// The password is nobody's business.
impl fmt::Debug for GgsSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GgsSettings").field("login", &self.login).finish_non_exhaustive()
    }
}

/// A match to ask for: kind, clock and perhaps whom, as in `s8r20 15:00//02:00 bob`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seek {
    kind: GameKind,
    clock: String,
    whom: Option<String>,
}

impl FromStr for Seek {
    type Err = String;

    fn from_str(text: &str) -> Result<Seek, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [kind, clock, whom @ ..] = &words[..] else {
            return Err(
                "expected a kind, a clock and perhaps a name, such as `s8r20 15:00//02:00 bob`".into()
            );
        };
        let kind: GameKind = kind.parse()?;
        if kind.size != 8 || kind.is_strange {
            return Err(format!("`{}` cannot be played here: expected such as `8` or `s8r20`", kind.text));
        }
        clock.parse::<GgsClock>()?;
        match whom {
            [] | [_] => {
                Ok(Seek { kind, clock: (*clock).into(), whom: whom.first().map(|&name| name.into()) })
            }
            _ => Err(format!("`{}`: expected one name", whom.join(" "))),
        }
    }
}

impl fmt::Display for Seek {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.kind.text, self.clock, self.whom.as_deref().unwrap_or_default())
    }
}

/// Today as `2026.11.16`, in universal time.
pub fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    date(since.as_secs() / 86_400)
}

/// The day so many days after 1 January 1970.
fn date(days: u64) -> String {
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let (mut year, mut rest) = (1970, days);
    while rest >= 365 + u64::from(is_leap(year)) {
        rest -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let mut month = 1;
    for length in [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if rest < length {
            break;
        }
        rest -= length;
        month += 1;
    }
    format!("{year}.{month:02}.{:02}", rest + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        assert_eq!(date(0), "1970.01.01");
        assert_eq!(date(11_016), "2000.02.29");
        assert_eq!(date(20_773), "2026.11.16");
    }

    #[test]
    fn what_is_asked_for_is_checked_before() {
        let seek = |text: &str| text.parse::<Seek>().map(|seek| seek.to_string());
        assert_eq!(seek("s8r20  15:00//02:00 bob").as_deref(), Ok("s8r20 15:00//02:00 bob"));
        assert_eq!(seek("8 5:00").as_deref(), Ok("8 5:00 "));
        for wrong in ["", "8", "10 5:00", "8a 5:00", "8 soon", "8 5:00 a b"] {
            assert!(seek(wrong).is_err(), "{wrong}");
        }
    }
}
