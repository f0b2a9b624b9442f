//! Signals that should be errors: writing beyond the limit for the size of a file would
//! otherwise end the program without a word.

/// Turns the signal for a file beyond its limit (`ulimit -f`) into an error of the write.
pub(super) fn report_size_limits() {
    #[cfg(unix)]
    {
        use tokio::runtime::Builder;
        use tokio::signal::unix::{SignalKind, signal};
        /// Its number on Linux, macOS and the BSDs.
        const SIGXFSZ: i32 = 25;
        // A signal that is handled does not end the program, whoever listens. Where it
        // cannot be handled, the program ends as before.
        if let Ok(runtime) = Builder::new_current_thread().enable_io().build() {
            let _in = runtime.enter();
            let _ = signal(SignalKind::from_raw(SIGXFSZ));
        }
    }
}
