//! CPU time of this process.

use rustix::time::{ClockId, clock_gettime};

fn now() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    #[expect(
        clippy::cast_precision_loss,
        reason = "seconds of a process, with nanoseconds"
    )]
    let seconds = time.tv_sec as f64 + time.tv_nsec as f64 / 1e9;
    seconds
}

/// The least CPU time of a few rounds over all items: what disturbs a round can
/// only make it longer.
pub(crate) fn cpu_seconds<T>(items: &[T], mut work: impl FnMut(&T)) -> f64 {
    const ROUNDS: usize = 5;
    (0..ROUNDS)
        .map(|_| {
            let start = now();
            items.iter().for_each(&mut work);
            now() - start
        })
        .fold(f64::INFINITY, f64::min)
}

/// The CPU time of something that can be done only once.
pub(crate) fn cpu_seconds_once(work: impl FnOnce()) -> f64 {
    let start = now();
    work();
    now() - start
}
