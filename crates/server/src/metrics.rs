//! Numbers about the running server, in the text form of Prometheus.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Upper bounds of the times of commits, in milliseconds.
const BOUNDS: [u64; 8] = [1, 2, 5, 10, 20, 50, 100, 500];

/// Counters since the start.
#[derive(Default)]
pub(crate) struct Metrics {
    requests: AtomicU64,
    faults: AtomicU64,
    refused: AtomicU64,
    finished: AtomicU64,
    learnt: AtomicU64,
    pub(crate) sockets: AtomicU64,
    commits: [AtomicU64; BOUNDS.len()],
    commit_count: AtomicU64,
    commit_micros: AtomicU64,
}

impl Metrics {
    /// A request was answered with this status.
    pub(crate) fn answered(&self, status: u16) {
        self.requests.fetch_add(1, Relaxed);
        match status {
            429 => self.refused.fetch_add(1, Relaxed),
            500.. => self.faults.fetch_add(1, Relaxed),
            _ => 0,
        };
    }

    /// Something was made durable in this time.
    pub(crate) fn committed(&self, time: Duration) {
        for (bound, count) in BOUNDS.iter().zip(&self.commits) {
            if time <= Duration::from_millis(*bound) {
                count.fetch_add(1, Relaxed);
            }
        }
        self.commit_count.fetch_add(1, Relaxed);
        self.commit_micros.fetch_add(time.as_micros() as u64, Relaxed);
    }

    /// A game has ended.
    pub(crate) fn finished(&self) {
        self.finished.fetch_add(1, Relaxed);
    }

    /// A learning player has heard of the end of a game.
    pub(crate) fn learnt(&self) {
        self.learnt.fetch_add(1, Relaxed);
    }

    /// All of it; `now` are gauges that others know.
    pub(crate) fn text(&self, now: &[(&str, &str, u64)]) -> String {
        let mut text = String::new();
        let counters = [
            ("requests_total", "requests answered", &self.requests),
            ("faults_total", "requests answered with a fault of the server", &self.faults),
            ("refused_total", "requests refused because there were too many", &self.refused),
            ("games_finished_total", "games that have ended", &self.finished),
            ("games_learnt_total", "games that learning players have learnt", &self.learnt),
        ];
        for (name, help, count) in counters {
            line(&mut text, name, help, "counter", count.load(Relaxed));
        }
        for (name, help, value) in now {
            line(&mut text, name, help, "gauge", *value);
        }
        line(&mut text, "sockets", "open connections", "gauge", self.sockets.load(Relaxed));
        self.commit_times(&mut text);
        text
    }

    fn commit_times(&self, text: &mut String) {
        let name = "trilith_commit_seconds";
        let _ = writeln!(text, "# HELP {name} time until a change was durable\n# TYPE {name} histogram");
        for (bound, count) in BOUNDS.iter().zip(&self.commits) {
            let bound = *bound as f64 / 1000.0;
            let _ = writeln!(text, "{name}_bucket{{le=\"{bound}\"}} {}", count.load(Relaxed));
        }
        let count = self.commit_count.load(Relaxed);
        let sum = self.commit_micros.load(Relaxed) as f64 / 1e6;
        let _ =
            writeln!(text, "{name}_bucket{{le=\"+Inf\"}} {count}\n{name}_sum {sum}\n{name}_count {count}");
    }
}

fn line(text: &mut String, name: &str, help: &str, kind: &str, value: u64) {
    let _ =
        writeln!(text, "# HELP trilith_{name} {help}\n# TYPE trilith_{name} {kind}\ntrilith_{name} {value}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_fall_into_every_larger_bucket() {
        let metrics = Metrics::default();
        metrics.committed(Duration::from_millis(3));
        metrics.answered(503);
        let text = metrics.text(&[("tables", "tables in memory", 7)]);
        for line in [
            "trilith_commit_seconds_bucket{le=\"0.002\"} 0",
            "trilith_commit_seconds_bucket{le=\"0.005\"} 1",
            "trilith_commit_seconds_bucket{le=\"+Inf\"} 1",
            "trilith_commit_seconds_sum 0.003",
            "trilith_faults_total 1",
            "trilith_tables 7",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
    }
}
