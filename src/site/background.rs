//! After a publish, makes what nobody has asked for yet, and compresses all as small as it gets,
//! while nothing else is wanted.

use super::slot::Slot;
use super::{Pages, Shared, compress};
use crate::error::{Error, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, SyncSender, TrySendError};
use std::thread;
use std::time::{Duration, Instant};

/// A publish is often followed by another: the work waits this long for it.
const QUIET_TIME: Duration = Duration::from_secs(2);

/// The handle of the thread. It ends when the handle is dropped.
#[derive(Debug)]
pub(super) struct Background {
    bell: SyncSender<()>,
    /// Counts publishes: work for an older one is given up.
    publishes: Arc<AtomicU64>,
}

impl Background {
    pub(super) fn start(shared: Arc<Shared>) -> Result<Self> {
        let (bell, rung) = mpsc::sync_channel(1);
        let publishes = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&publishes);
        thread::Builder::new()
            .name("background".to_owned())
            .spawn(move || {
                while rung.recv().is_ok() {
                    let mine = count.load(Ordering::Relaxed);
                    thread::sleep(QUIET_TIME);
                    settle(&shared, &|| count.load(Ordering::Relaxed) != mine);
                }
            })
            .map_err(|error| Error::Internal(format!("cannot start a thread: {error}")))?;
        Ok(Self { bell, publishes })
    }

    /// A publish begins: the work under way stops after the answer it is at.
    pub(super) fn interrupt(&self) {
        self.publishes.fetch_add(1, Ordering::Relaxed);
    }

    /// A publish is over: there is work.
    pub(super) fn wake(&self) {
        if let Err(TrySendError::Disconnected(())) = self.bell.try_send(()) {
            tracing::warn!("the background thread has stopped, pages stay a little larger");
        }
    }
}

/// Makes and improves what is published, until it is done or a newer publish begins.
fn settle(shared: &Shared, overtaken: &dyn Fn() -> bool) {
    let Some(pages) = shared.current.load_full() else {
        return;
    };
    for work in [make, improve] {
        for slot in pages.all() {
            if overtaken() {
                return;
            }
            let started = Instant::now();
            if work(shared, &pages, slot) {
                // Half of one core at most: requests come first.
                thread::sleep(started.elapsed());
            }
        }
    }
}

/// Whether there was something to do.
fn make(shared: &Shared, pages: &Pages, slot: &Slot) -> bool {
    let wanted = slot.ready().is_none() && slot.shown().is_some();
    if wanted {
        // A failure is logged and shown where it is noted; the next page may be well.
        drop(shared.obtain(pages, slot));
    }
    wanted
}

fn improve(_: &Shared, _: &Pages, slot: &Slot) -> bool {
    let Some(page) = slot.ready().filter(|_| !slot.is_best()) else {
        return false;
    };
    slot.improve(compress::best(&page).map(Arc::new));
    true
}
