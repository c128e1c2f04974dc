//! How long players may think, and the exact account of the time they took.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use trilith_search::Limits;
use trilith_search::limits::GameClock;

/// The limits of one side of a game; nothing set means the player's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Pace {
    /// Plies a search looks ahead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions a search visits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Milliseconds for each move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// Minutes for the game and seconds added after each move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockSetting>,
    /// Milliseconds by which a side may be late before it has lost on time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<u64>,
}

/// The usual [`Pace::margin`]: a busy machine may wake a program this late.
const USUAL_MARGIN: u64 = 100;

/// A game clock as text: `30` is half an hour, `3+2` three minutes and two seconds a move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ClockSetting {
    /// For the whole game.
    pub minutes: f64,
    /// Added after each move, in seconds.
    pub increment: f64,
}

/// A text that is no clock.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("clock `{0}`: expected minutes, or minutes+seconds a move, such as `30` or `3+2`")]
pub struct ClockError(String);

impl FromStr for ClockSetting {
    type Err = ClockError;

    fn from_str(text: &str) -> Result<ClockSetting, ClockError> {
        let (minutes, increment) = text.split_once('+').unwrap_or((text, "0"));
        let number = |part: &str, least: f64| {
            part.trim().parse().ok().filter(|number: &f64| *number >= least && *number <= 10_000.0)
        };
        match (number(minutes, 0.0), number(increment, 0.0)) {
            (Some(minutes), Some(increment)) if minutes + increment > 0.0 => {
                Ok(ClockSetting { minutes, increment })
            }
            _ => Err(ClockError(text.into())),
        }
    }
}

impl TryFrom<String> for ClockSetting {
    type Error = ClockError;

    fn try_from(text: String) -> Result<ClockSetting, ClockError> {
        text.parse()
    }
}

impl From<ClockSetting> for String {
    fn from(clock: ClockSetting) -> String {
        clock.to_string()
    }
}

impl fmt::Display for ClockSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.increment {
            0.0 => write!(f, "{}", self.minutes),
            increment => write!(f, "{}+{increment}", self.minutes),
        }
    }
}

impl Pace {
    /// What a player is told before its first move.
    pub fn limits(&self) -> Limits {
        let clock = self.clock.map(|clock| GameClock {
            left: Duration::from_secs_f64(clock.minutes * 60.0),
            increment: Duration::from_secs_f64(clock.increment),
        });
        Limits { depth: self.depth, nodes: self.nodes, time: self.time.map(Duration::from_millis), clock }
    }

    /// The same pace with `factor` times the time, as S5's QUAD* had.
    pub fn slower(mut self, factor: f64) -> Pace {
        self.time = self.time.map(|time| (time as f64 * factor).round().max(1.0) as u64);
        self.clock = self.clock.map(|clock| ClockSetting {
            minutes: clock.minutes * factor,
            increment: clock.increment * factor,
        });
        self
    }
}

/// The time of one side in one game.
pub(super) struct Budget {
    limits: Limits,
    margin: Duration,
    /// All it has thought.
    pub spent: Duration,
}

impl Budget {
    pub fn new(pace: &Pace) -> Budget {
        let margin = Duration::from_millis(pace.margin.unwrap_or(USUAL_MARGIN));
        Budget { limits: pace.limits(), margin, spent: Duration::ZERO }
    }

    /// What the side is told before its move.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Books the time of one move; how it is too late, if it is.
    pub fn book(&mut self, taken: Duration) -> Result<(), String> {
        self.spent += taken;
        let late = |allowed: Duration| format!("took {} ms of {} ms", taken.as_millis(), allowed.as_millis());
        if let Some(time) = self.limits.time.filter(|time| taken > *time + self.margin) {
            return Err(late(time));
        }
        if let Some(clock) = &mut self.limits.clock {
            if taken > clock.left + self.margin {
                return Err(late(clock.left));
            }
            clock.left = clock.left.saturating_sub(taken) + clock.increment;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_round_trip_and_faults_are_named() {
        for text in ["30", "3+2", "0.5", "0+1"] {
            assert_eq!(text.parse::<ClockSetting>().unwrap().to_string(), text);
        }
        for text in ["", "x", "-1", "1+", "0", "1+-2", "inf"] {
            assert!(text.parse::<ClockSetting>().is_err(), "{text}");
        }
    }

    #[test]
    fn time_is_booked_exactly() {
        let clock = Some("0.01+0.1".parse().unwrap());
        let mut budget = Budget::new(&Pace { clock, margin: Some(10), ..Pace::default() });
        let left = |budget: &Budget| budget.limits().clock.unwrap().left.as_millis();
        assert_eq!(left(&budget), 600);
        budget.book(Duration::from_millis(250)).unwrap();
        assert_eq!(left(&budget), 450);
        budget.book(Duration::from_millis(455)).unwrap();
        assert_eq!(left(&budget), 100, "late, but within the margin");
        assert_eq!(budget.book(Duration::from_millis(111)), Err("took 111 ms of 100 ms".into()));
        assert_eq!(budget.spent.as_millis(), 816);
    }

    #[test]
    fn a_move_may_not_take_longer_than_its_time() {
        let mut budget = Budget::new(&Pace { time: Some(50), margin: Some(0), ..Pace::default() });
        assert!(
            budget.book(Duration::from_millis(50)).is_ok() && budget.book(Duration::from_millis(51)).is_err()
        );
    }

    #[test]
    fn more_time_is_more_of_all_of_it() {
        let pace = Pace { time: Some(300), clock: Some("30".parse().unwrap()), ..Pace::default() };
        let slower = pace.slower(4.0 / 3.0);
        assert_eq!((slower.time, slower.clock.unwrap().minutes), (Some(400), 40.0));
    }
}
