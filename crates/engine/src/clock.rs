//! What time it is, and waiting for it. A trait, so that tests need not wait.

use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use redraft_run::ask::Time;

/// A future that a trait gives.
pub type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Tells the time.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Time;

    /// Done when it is this late.
    fn sleep_until(&self, time: Time) -> Boxed<()>;
}

/// The clock of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Time {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Time(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }

    fn sleep_until(&self, time: Time) -> Boxed<()> {
        let wait = Duration::from_millis(time.since(self.now()));
        Box::pin(tokio::time::sleep(wait))
    }
}
