//! Ctrl-C and SIGTERM: the first one asks long work to end and keep what was done, the second one ends the program.

use std::pin::pin;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

/// The exit code of a program that was interrupted twice, as shells give it.
const INTERRUPTED: i32 = 130;

/// A flag that Ctrl-C and SIGTERM set.
pub fn on_interrupt() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    thread::spawn(move || {
        // Without a runtime there is no clean stop, and a signal ends the program as it would anyway.
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_io().build() else { return };
        runtime.block_on(async {
            while told().await {
                if flag.swap(true, Relaxed) {
                    process::exit(INTERRUPTED);
                }
            }
        });
    });
    stop
}

/// Waits until the program is told to stop; false if it never can be.
pub async fn told() -> bool {
    let mut interrupt = pin!(async { tokio::signal::ctrl_c().await.is_ok() });
    // Service managers send this one.
    #[cfg(unix)]
    if let Ok(mut terminate) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        return tokio::select! {
            is_told = &mut interrupt => is_told,
            _ = terminate.recv() => true,
        };
    }
    interrupt.await
}
