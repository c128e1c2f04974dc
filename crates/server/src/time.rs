//! Milliseconds since 1970 that never go back while the program runs, whatever is done to the system's clock.

use std::sync::LazyLock;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

static START: LazyLock<(u64, Instant)> = LazyLock::new(|| {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (since.as_millis() as u64, Instant::now())
});

/// Now.
pub(crate) fn now_ms() -> u64 {
    let (at_start, start) = *START;
    at_start + start.elapsed().as_millis() as u64
}

/// The day of some milliseconds since 1970 (UTC), as game texts write it: `2024.02.29`.
pub(crate) fn date(at_ms: u64) -> String {
    // Days in eras of 400 years that begin on the first of March, so that the leap day is the last.
    let days = at_ms / 86_400_000 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    format!("{year:04}.{month:02}.{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (seconds, day) in [
            (0, "1970.01.01"),
            (951_782_400, "2000.02.29"),
            (1_709_164_800, "2024.02.29"),
            (4_107_542_399, "2100.02.28"),
        ] {
            assert_eq!(date(seconds * 1000), day);
        }
    }
}
