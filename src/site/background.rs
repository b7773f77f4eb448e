//! After a publish, compresses its answers as small as they get, while nothing else is wanted.

use super::publish::Kept;
use super::{Page, Shared, compress, locked};
use crate::error::{Error, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, SyncSender, TrySendError};
use std::thread;
use std::time::{Duration, Instant};

/// Answers that are swapped in together.
const BATCH_ANSWERS: usize = 16;
/// A publish is often followed by another: the work waits this long for it.
const QUIET_TIME: Duration = Duration::from_secs(2);

/// The handle of the thread. It ends when the handle is dropped.
#[derive(Debug)]
pub(super) struct Background {
    bell: SyncSender<()>,
    /// Counts publishes: work for an older one is given up.
    publishes: Arc<AtomicU64>,
}

/// An answer, and what it is to be replaced with.
type Better = (String, Arc<Page>, Option<Arc<Page>>);

impl Background {
    pub(super) fn start(shared: Arc<Shared>) -> Result<Self> {
        let (bell, rung) = mpsc::sync_channel(1);
        let publishes = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&publishes);
        thread::Builder::new()
            .name("compress".to_owned())
            .spawn(move || {
                while rung.recv().is_ok() {
                    improve(&shared, &count);
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
            tracing::warn!("the compressing thread has stopped, pages stay a little larger");
        }
    }
}

/// Improves what is published, until it is done or a newer publish begins.
fn improve(shared: &Shared, publishes: &AtomicU64) {
    let mine = publishes.load(Ordering::Relaxed);
    let overtaken = || publishes.load(Ordering::Relaxed) != mine;
    thread::sleep(QUIET_TIME);
    let work: Vec<(String, Arc<Page>)> = locked(&shared.kept)
        .iter()
        .filter(|(_, kept)| !kept.best)
        .map(|(key, kept)| (key.clone(), Arc::clone(&kept.page)))
        .collect();
    for batch in work.chunks(BATCH_ANSWERS) {
        let mut better: Vec<Better> = Vec::with_capacity(batch.len());
        for (key, page) in batch {
            if overtaken() {
                break;
            }
            let started = Instant::now();
            let improved = compress::best(page).map(Arc::new);
            better.push((key.clone(), Arc::clone(page), improved));
            // Half of one core at most: requests come first.
            thread::sleep(started.elapsed());
        }
        swap(shared, better);
        if overtaken() {
            return;
        }
    }
}

/// Puts improved answers in the place of those they were made from, where these are still up.
fn swap(shared: &Shared, better: Vec<Better>) {
    let mut kept = locked(&shared.kept);
    let Some(current) = shared.current.load_full() else {
        return;
    };
    let mut pages = (*current).clone();
    for (key, former, improved) in better {
        let Some(Kept { page, best, .. }) = kept.get_mut(&key) else {
            continue;
        };
        if !Arc::ptr_eq(page, &former) {
            continue;
        }
        *best = true;
        if let Some(improved) = improved {
            *page = Arc::clone(&improved);
            let screens = [
                &mut pages.not_found,
                &mut pages.event_not_found,
                &mut pages.article_not_found,
            ];
            let slots = pages.by_path.get_mut(&key).into_iter().chain(screens);
            let slots = slots.chain(pages.screens.values_mut());
            for slot in slots.filter(|slot| Arc::ptr_eq(slot, &former)) {
                *slot = Arc::clone(&improved);
            }
        }
    }
    shared.current.store(Some(Arc::new(pages)));
}
