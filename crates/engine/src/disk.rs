//! Bringing files to the disk while others are served. It knows nothing of what is
//! in them.
//!
//! Waiting for a disk is done by threads of our own, which take up one file after
//! the other: sixty runs that want their journals kept wake one thread, not sixty.
//! Where files wait for long, because the disk is slow, another thread helps. A
//! thread that has had nothing to do for a while ends.

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

/// A disk may do several things at a time; beyond this it only queues.
const MOST_THREADS: usize = 8;
/// So many files may wait for each thread before another one helps.
const PATIENCE: usize = 8;
/// How long a thread waits for more.
const IDLE: Duration = Duration::from_millis(500);

/// A file that is to be brought to the disk, and who waits for it.
struct Unsynced {
    file: Arc<File>,
    done: oneshot::Sender<io::Result<()>>,
}

struct Queue {
    files: VecDeque<Unsynced>,
    threads: usize,
    idle: usize,
}

static QUEUE: Mutex<Queue> = Mutex::new(Queue {
    files: VecDeque::new(),
    threads: 0,
    idle: 0,
});
static MORE: Condvar = Condvar::new();

fn queue() -> MutexGuard<'static, Queue> {
    QUEUE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Done when what was written into a file is on the disk.
pub(crate) async fn sync(file: Arc<File>) -> io::Result<()> {
    let (done, result) = oneshot::channel();
    {
        let mut queue = queue();
        queue.files.push_back(Unsynced { file, done });
        if queue.idle > 0 {
            MORE.notify_one();
        } else if queue.threads < MOST_THREADS && queue.files.len() > queue.threads * PATIENCE {
            let thread = std::thread::Builder::new().name("disk".to_owned());
            match thread.spawn(work) {
                Ok(_) => queue.threads += 1,
                // Without any thread nobody would ever come.
                Err(error) if queue.threads == 0 => {
                    queue.files.pop_back();
                    return Err(error);
                }
                Err(_) => {}
            }
        }
    }
    result
        .await
        .map_err(|_| io::Error::other("the thread that brings files to the disk is gone"))?
}

fn work() {
    let mut waiting = queue();
    loop {
        while let Some(Unsynced { file, done }) = waiting.files.pop_front() {
            drop(waiting);
            let result = file.sync_data();
            // Whoever is told may count on nobody else having the file open.
            drop(file);
            // Whoever does not wait any more does not miss the answer.
            let _ = done.send(result);
            waiting = queue();
        }
        waiting.idle += 1;
        let (woken, waited) = MORE
            .wait_timeout_while(waiting, IDLE, |queue| queue.files.is_empty())
            .unwrap_or_else(PoisonError::into_inner);
        waiting = woken;
        waiting.idle -= 1;
        if waited.timed_out() && waiting.files.is_empty() {
            waiting.threads -= 1;
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn many_files_are_brought_to_the_disk_and_few_threads_do_it() {
        let folder = tempfile::tempdir().unwrap();
        let runtime = || {
            tokio::runtime::Builder::new_current_thread()
                .build()
                .unwrap()
        };
        // More than one runtime, one after the other: the threads belong to none.
        for round in 0..3 {
            runtime().block_on(async {
                let mut tasks = tokio::task::JoinSet::new();
                for number in 0..200 {
                    let path = folder.path().join(format!("{round}-{number}"));
                    let mut file = File::create_new(path).unwrap();
                    file.write_all(b"kept").unwrap();
                    tasks.spawn(sync(Arc::new(file)));
                }
                while let Some(done) = tasks.join_next().await {
                    done.unwrap().unwrap();
                }
            });
            let threads = queue().threads;
            assert!(threads <= MOST_THREADS, "{threads}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_disk_that_fails_is_told() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        // A pipe cannot be brought to any disk.
        let (reader, _writer) = io::pipe().unwrap();
        let file = File::from(std::os::fd::OwnedFd::from(reader));
        let told = runtime.block_on(sync(Arc::new(file)));
        assert!(told.is_err(), "{told:?}");
    }

    #[test]
    fn whoever_gives_up_waiting_holds_nobody_up() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        runtime.block_on(async {
            let file = || Arc::new(tempfile::tempfile().unwrap());
            for _ in 0..20 {
                let given_up = tokio::time::timeout(Duration::ZERO, sync(file()));
                drop(given_up.await);
            }
            sync(file()).await.unwrap();
        });
    }
}
