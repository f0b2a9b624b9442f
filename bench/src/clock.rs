//! CPU time of this process.

use std::cell::Cell;
use std::time::Instant;

use rustix::time::{ClockId, clock_gettime};

fn now() -> f64 {
    read(ClockId::ProcessCPUTime)
}

fn read(clock: ClockId) -> f64 {
    let time = clock_gettime(clock);
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

/// CPU time and time of something that can be done only once, without what is left
/// out of it.
pub(crate) struct Watch {
    cpu: f64,
    began: Instant,
    left_out: Cell<(f64, f64)>,
}

impl Watch {
    pub(crate) fn start() -> Self {
        Self {
            cpu: now(),
            began: Instant::now(),
            left_out: Cell::default(),
        }
    }

    /// Does something that is not to be counted. Whatever other threads do
    /// meanwhile is.
    pub(crate) fn leave_out<T>(&self, work: impl FnOnce() -> T) -> T {
        let (cpu, began) = (read(ClockId::ThreadCPUTime), Instant::now());
        let result = work();
        let (before, before_wall) = self.left_out.get();
        self.left_out.set((
            before + read(ClockId::ThreadCPUTime) - cpu,
            before_wall + began.elapsed().as_secs_f64(),
        ));
        result
    }

    /// CPU seconds and seconds until now.
    pub(crate) fn seconds(&self) -> (f64, f64) {
        let (cpu, wall) = self.left_out.get();
        (
            now() - self.cpu - cpu,
            self.began.elapsed().as_secs_f64() - wall,
        )
    }
}

/// CPU time of something that can be done only once: in the program, and in the
/// system for it. Counted in hundredths of a second.
pub(crate) fn program_and_system(work: impl FnOnce()) -> (f64, f64) {
    let ticks = || -> (f64, f64) {
        let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
        // The name of the program stands in brackets and may hold anything.
        let fields: Vec<&str> = stat
            .rsplit(')')
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .collect();
        let field = |index: usize| {
            fields
                .get(index)
                .and_then(|ticks| ticks.parse::<f64>().ok())
                .unwrap_or_default()
                / 100.0
        };
        (field(11), field(12))
    };
    let before = ticks();
    work();
    let after = ticks();
    (after.0 - before.0, after.1 - before.1)
}
