//! How long a search may take, and the hand that stops it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A game clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    /// For the rest of the game.
    pub left: Duration,
    /// Added after each move.
    pub increment: Duration,
}

/// How long a search may take; without any limit it runs until stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies.
    pub depth: Option<u32>,
    /// Positions visited, by all threads.
    pub nodes: Option<u64>,
    /// For this move, used up to the end unless the game is decided.
    pub time: Option<Duration>,
    /// For the rest of the game; the search decides what this move gets.
    pub clock: Option<GameClock>,
}

/// Kept back from each move for what comes after the search: the answer has to travel.
const RESERVE: Duration = Duration::from_micros(500);

impl Limits {
    /// Only a depth.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Only a number of nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Only a time for this move.
    pub fn time(time: Duration) -> Limits {
        Limits { time: Some(time), ..Limits::default() }
    }

    /// After how long the search must have stopped.
    pub fn hard(&self) -> Option<Duration> {
        let clock = self.clock.map(|clock| {
            let share = clock.left / 8 + clock.increment;
            share.min(clock.left.mul_f64(0.8)).saturating_sub(Duration::from_millis(5))
        });
        match (self.time, clock) {
            (Some(time), Some(clock)) => Some(time.min(clock)),
            (time, clock) => time.or(clock),
        }
        .map(|time| time.saturating_sub(RESERVE))
    }

    /// After how long another iteration is not worth starting.
    pub fn soft(&self) -> Option<Duration> {
        let clock = self.clock.map(|clock| clock.left / 40 + clock.increment.mul_f64(0.6));
        match (self.hard(), clock) {
            (Some(hard), Some(clock)) => Some(hard.min(clock)),
            (hard, _) => hard,
        }
    }
}

/// Shared between a search and whoever may stop it.
#[derive(Debug)]
pub struct Control {
    start: Instant,
    stop: AtomicBool,
    /// Nanoseconds after `start`; `u64::MAX` for never.
    deadline: AtomicU64,
}

impl Default for Control {
    fn default() -> Control {
        Control { start: Instant::now(), stop: AtomicBool::new(false), deadline: AtomicU64::new(u64::MAX) }
    }
}

impl Control {
    /// Ends the search now: it answers with what it has.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Whether the search has been told to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Ends the search `time` from now, or earlier if that was asked for before. A ponder hit calls this: the pondering
    /// search becomes a timed one, also if it only begins afterwards.
    pub fn stop_after(&self, time: Duration) {
        let at = self.start.elapsed() + time;
        self.deadline.fetch_min(at.as_nanos().min(u128::from(u64::MAX - 1)) as u64, Relaxed);
    }

    /// Looks at the clock and stops the search if its time is over.
    pub fn look_at_clock(&self) {
        let deadline = self.deadline.load(Relaxed);
        if deadline != u64::MAX && self.start.elapsed().as_nanos() >= u128::from(deadline) {
            self.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earlier_of_two_deadlines_counts() {
        let control = Control::default();
        control.stop_after(Duration::ZERO);
        control.stop_after(Duration::from_secs(1000));
        control.look_at_clock();
        assert!(control.is_stopped());
    }
}
