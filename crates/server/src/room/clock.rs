//! Clocks: a time for the game and an increment for each move, kept by the server alone.

use serde::{Deserialize, Serialize};
use trilith_games::Colour;

use super::seat::Sides;

/// How much time each side has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClockSetup {
    pub(crate) initial_ms: u64,
    #[serde(default)]
    pub(crate) increment_ms: u64,
}

impl ClockSetup {
    /// From a second to a week, which is far from where sums would overflow.
    pub(crate) fn is_sound(&self) -> bool {
        (1_000..=7 * 24 * 3_600_000).contains(&self.initial_ms) && self.increment_ms <= 3_600_000
    }
}

/// A clock that runs for one side, or for nobody.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    setup: ClockSetup,
    left: Sides<u64>,
    /// Whose time runs, and since when.
    running: Option<(Colour, u64)>,
}

/// What clients see; what has run since `at_ms` is not yet taken off.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ClockView {
    initial_ms: u64,
    increment_ms: u64,
    left_ms: Sides<u64>,
    running: Option<Colour>,
    at_ms: u64,
}

impl Clock {
    pub(crate) fn new(setup: ClockSetup) -> Clock {
        let left = Sides::from_fn(|_| setup.initial_ms);
        Clock { setup, left, running: None }
    }

    /// What `side` has left at `now`.
    pub(crate) fn left(&self, side: Colour, now: u64) -> u64 {
        match self.running {
            Some((running, since)) if running == side => {
                self.left[side].saturating_sub(now.saturating_sub(since))
            }
            _ => self.left[side],
        }
    }

    /// Gives each move its increment.
    pub(crate) fn increment(&self) -> u64 {
        self.setup.increment_ms
    }

    /// Sets what `side` has left, as its event says.
    pub(crate) fn set(&mut self, side: Colour, left: u64) {
        self.left[side] = left;
    }

    /// Lets the time of `side` run from `now` on, or nobody's; what ran before is taken off.
    pub(crate) fn run(&mut self, side: Option<Colour>, now: u64) {
        if let Some((running, _)) = self.running {
            self.left[running] = self.left(running, now);
        }
        self.running = side.map(|side| (side, now));
    }

    /// Lets the present move begin no earlier than `served`: time when nobody could be served is nobody's.
    pub(crate) fn forgive(&mut self, served: u64) {
        if let Some((_, since)) = &mut self.running {
            *since = served.max(*since);
        }
    }

    /// Whose time ends when, if it runs.
    pub(crate) fn deadline(&self) -> Option<(Colour, u64)> {
        self.running.map(|(side, since)| (side, since + self.left[side]))
    }

    pub(crate) fn view(&self, now: u64) -> ClockView {
        ClockView {
            initial_ms: self.setup.initial_ms,
            increment_ms: self.setup.increment_ms,
            left_ms: Sides::from_fn(|side| self.left(side, now)),
            running: self.running.map(|(side, _)| side),
            at_ms: now,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_side_to_move_loses_time() {
        let mut clock = Clock::new(ClockSetup { initial_ms: 10_000, increment_ms: 0 });
        clock.run(Some(Colour::Black), 1000);
        assert_eq!((clock.left(Colour::Black, 4000), clock.left(Colour::White, 4000)), (7000, 10_000));
        assert_eq!(clock.deadline(), Some((Colour::Black, 11_000)));
        clock.run(Some(Colour::White), 4000);
        assert_eq!((clock.left(Colour::Black, 9000), clock.left(Colour::White, 9000)), (7000, 5000));
        clock.forgive(9000);
        assert_eq!(clock.left(Colour::White, 9000), 10_000);
        clock.run(None, 9500);
        assert_eq!(clock.left(Colour::White, 99_000), 9500);
        assert_eq!(clock.deadline(), None);
    }
}
