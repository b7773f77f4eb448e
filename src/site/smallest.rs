//! Low-priority thread that recompresses responses at the best Brotli quality.
//!
//! It holds no lock while it works. It renders no pages: on a busy machine, a thread of such low
//! priority occupied the renderer while a save waited for it.

use super::{Error, Result};
use super::{Page, compress};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::Duration;

/// The lowest scheduling priority.
const LEAST_URGENT: i32 = 19;

/// Interval between checks of `given_up`.
const LOOK: Duration = Duration::from_millis(20);

/// A page and the channel that receives its smallest form.
type Job = (Arc<Page>, SyncSender<Option<Page>>);

/// Handle of the thread, which ends when the handle is dropped.
#[derive(Debug)]
pub(super) struct Smallest {
    jobs: SyncSender<Job>,
}

impl Smallest {
    pub(super) fn start() -> Result<Self> {
        let (jobs, given) = mpsc::sync_channel::<Job>(1);
        thread::Builder::new()
            .name("compression".to_owned())
            .spawn(move || {
                // On Linux `nice` applies to the calling thread alone: requests have priority.
                if let Err(error) = rustix::process::nice(LEAST_URGENT) {
                    tracing::debug!(%error, "the compressing thread keeps its priority");
                }
                while let Ok((page, awaited)) = given.recv() {
                    // Sending fails after the caller gave up.
                    let _ = awaited.send(compress::best(&page));
                }
            })
            .map_err(|error| Error::Internal(format!("cannot start a thread: {error}")))?;
        Ok(Self { jobs })
    }

    /// Returns the same response with the smallest Brotli body, or unchanged if it has none. Blocks
    /// until then, or returns `None` on `given_up`: on a busy machine the thread may take long, and
    /// a save that happens meanwhile needs the waiting thread.
    pub(super) fn of(&self, page: &Arc<Page>, given_up: &dyn Fn() -> bool) -> Option<Arc<Page>> {
        let (awaited, done) = mpsc::sync_channel(1);
        self.jobs.send((Arc::clone(page), awaited)).ok()?;
        loop {
            match done.recv_timeout(LOOK) {
                Ok(smallest) => return Some(smallest.map_or_else(|| Arc::clone(page), Arc::new)),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) if given_up() => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}
