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
