//! The clock: the current time and waiting. A trait, so that tests need not wait.

use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use redraft_run::ask::Time;

/// A future that an object-safe trait can return.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

pub trait Clock: Send + Sync {
    fn now(&self) -> Time;

    fn sleep_until(&self, time: Time) -> BoxFuture<()>;
}

#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Time {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Time(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }

    fn sleep_until(&self, time: Time) -> BoxFuture<()> {
        let wait = Duration::from_millis(time.since(self.now()));
        Box::pin(tokio::time::sleep(wait))
    }
}
