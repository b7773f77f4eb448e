//! Background thread: after a publish, renders the remaining pages, compresses them at the best
//! quality and stores them in the page cache, at lower priority than requests and publishes.

use super::publish::ROUTES;
use super::slot::Slot;
use super::smallest::Smallest;
use super::{Error, Result};
use super::{Pages, Shared};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::thread;
use std::time::{Duration, Instant};

/// Delay before this work starts: another publish often follows.
const QUIET_TIME: Duration = Duration::from_secs(2);

/// Handle of the thread, which ends when the handle is dropped.
#[derive(Debug)]
pub(super) struct Background {
    bell: SyncSender<()>,
    /// Number of publishes: work for an older one is abandoned.
    publishes: Arc<AtomicU64>,
}

impl Background {
    pub(super) fn start(shared: Arc<Shared>) -> Result<Self> {
        let (bell, rung) = mpsc::sync_channel(1);
        let publishes = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&publishes);
        let smallest = Smallest::start()?;
        thread::Builder::new()
            .name("background".to_owned())
            .spawn(move || {
                while rung.recv().is_ok() {
                    work(&shared, &smallest, &rung, &count);
                }
            })
            .map_err(|error| Error::Internal(format!("cannot start a thread: {error}")))?;
        Ok(Self { bell, publishes })
    }

    /// Signals that a publish begins: the thread stops after its present page.
    pub(super) fn interrupt(&self) {
        self.publishes.fetch_add(1, Ordering::Relaxed);
    }

    /// Signals that a publish ended.
    pub(super) fn wake(&self) {
        if let Err(TrySendError::Disconnected(())) = self.bell.try_send(()) {
            tracing::warn!("the background thread has stopped, pages stay a little larger");
        }
    }
}

/// Renders the most urgent pages at once, and all others after `QUIET_TIME` without a publish.
fn work(shared: &Shared, smallest: &Smallest, rung: &Receiver<()>, publishes: &AtomicU64) {
    loop {
        let mine = publishes.load(Ordering::Relaxed);
        let overtaken = || publishes.load(Ordering::Relaxed) != mine;
        shared.make_soon(&overtaken);
        match rung.recv_timeout(QUIET_TIME) {
            Ok(()) => {}
            Err(RecvTimeoutError::Timeout) => {
                if !settle(shared, smallest, rung, &overtaken) {
                    return;
                }
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// Compresses and stores all slots until a newer publish begins. Returns whether it was woken
/// meanwhile.
fn settle(
    shared: &Shared,
    smallest: &Smallest,
    rung: &Receiver<()>,
    overtaken: &dyn Fn() -> bool,
) -> bool {
    let Some(pages) = shared.current.load_full() else {
        return false;
    };
    for slot in pages.all().filter(|slot| !slot.is_settled()) {
        if overtaken() {
            return false;
        }
        let started = Instant::now();
        match settle_one(shared, (smallest, overtaken), &pages, slot) {
            Ok(true) => slot.settle(),
            Ok(false) => continue,
            // Logged and reported in the admin panel; the next page may succeed.
            Err(error) => shared.failed(slot, &error),
        }
        // Uses at most half a core, because requests have priority; a wake-up ends the pause.
        match rung.recv_timeout(started.elapsed()) {
            Ok(()) => return true,
            Err(RecvTimeoutError::Disconnected) => return false,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
    if let Some(kept) = shared.kept.as_ref().filter(|_| !overtaken()) {
        let names = pages.all().flat_map(|slot| slot.names());
        let alive = names.chain([kept.name(&[ROUTES])]).collect();
        if let Err(error) = kept.sweep(&alive) {
            tracing::debug!(%error, "pages of former days stay beside the data file");
        }
    }
    false
}

/// Returns whether the slot is done. Files are rendered on request only.
fn settle_one(
    shared: &Shared,
    (smallest, overtaken): (&Smallest, &dyn Fn() -> bool),
    pages: &Pages,
    slot: &Slot,
) -> Result<bool> {
    let ready = slot.ready();
    let place = shared.kept_as(pages, slot);
    let is_small = ready.as_ref().is_none_or(|page| page.is_smallest());
    if let Some((kept, name)) = &place
        && is_small
        && kept.has(name)
    {
        slot.set_kept(*name);
        return Ok(true);
    }
    let page = match ready {
        Some(page) => page,
        None if slot.shown().is_none() => return Ok(false),
        // The disk is full: a later publish may find space.
        None if place.as_ref().is_some_and(|(kept, _)| !kept.has_room()) => return Ok(false),
        None => Arc::new(shared.make(pages, slot)?),
    };
    let Some(page) = smallest.of(&page, overtaken) else {
        return Ok(false);
    };
    if let Some((kept, name)) = place
        && kept.put_page(&name, &page)
    {
        slot.set_kept(name);
    }
    // Pages that were not requested stay out of memory, also when the disk is full: otherwise the
    // whole site would accumulate there, uncounted by the cache limit.
    if shared.kept.is_none() || slot.ready().is_some() {
        slot.improve(page);
    }
    Ok(true)
}
