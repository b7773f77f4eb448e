//! The thread that makes answers as small as they get: long work that nobody waits for.
//!
//! It gives way to every other and holds nothing meanwhile. Pages are made elsewhere: a thread that
//! rarely gets its turn, on a machine that has other work too, kept the engine from whoever saved.

use super::{Page, compress};
use crate::error::{Error, Result};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::Duration;

/// The priority that gives way to every other.
const LEAST_URGENT: i32 = 19;

/// How often it is asked whether the result is still wanted.
const LOOK: Duration = Duration::from_millis(20);

/// A page, and where its smallest form is awaited.
type Job = (Arc<Page>, SyncSender<Option<Page>>);

/// The handle of the thread. It ends when the handle is dropped.
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
                // On Linux for this thread alone: whoever waits for an answer comes first.
                if let Err(error) = rustix::process::nice(LEAST_URGENT) {
                    tracing::debug!(%error, "the compressing thread keeps its priority");
                }
                while let Ok((page, awaited)) = given.recv() {
                    // Whoever asked has gone, at the end.
                    let _ = awaited.send(compress::best(&page));
                }
            })
            .map_err(|error| Error::Internal(format!("cannot start a thread: {error}")))?;
        Ok(Self { jobs })
    }

    /// The same answer with its Brotli as small as it gets, or as it is when it has none. Blocks
    /// until then, or until `given_up`: on a busy machine the thread may take long, and whoever
    /// saved meanwhile has work for the one that waits.
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
