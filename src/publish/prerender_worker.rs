//! Background threads. After a publish, one renders the pages that the admin opens next; the other
//! renders the remaining pages, compresses them at the best quality and stores them in the page
//! cache, at a lower priority than requests and publishes.

use super::page_entry::PageEntry;
use super::page_rendering::ROUTES;
use super::{Error, Pages, Result, Shared, compress};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::thread;
use std::time::{Duration, Instant};

/// Delay before the remaining pages are rendered: another publish often follows.
const QUIET_TIME: Duration = Duration::from_secs(2);
/// The lowest scheduling priority.
const LEAST_URGENT: i32 = 19;

/// Handle of the threads, which end when the handle is dropped.
#[derive(Debug)]
pub(super) struct PrerenderWorker {
    bells: [SyncSender<()>; 2],
    /// Number of publishes: work for an older one is abandoned.
    publishes: Arc<AtomicU64>,
}

impl PrerenderWorker {
    pub(super) fn start(shared: &Arc<Shared>) -> Result<Self> {
        let publishes = Arc::new(AtomicU64::new(0));
        let (own, count) = (Arc::clone(shared), Arc::clone(&publishes));
        let soon = start_thread("next pages", move |rung| {
            while rung.recv().is_ok() {
                own.make_soon(&overtaken(&count));
            }
        })?;
        let (own, count) = (Arc::clone(shared), Arc::clone(&publishes));
        let rest = start_thread("background", move |rung| settle_all(&own, rung, &count))?;
        Ok(Self {
            bells: [soon, rest],
            publishes,
        })
    }

    /// Signals that a publish begins: the threads stop after their present page.
    pub(super) fn interrupt(&self) {
        self.publishes.fetch_add(1, Ordering::Relaxed);
    }

    /// Signals that a publish ended.
    pub(super) fn wake(&self) {
        for bell in &self.bells {
            if let Err(TrySendError::Disconnected(())) = bell.try_send(()) {
                tracing::warn!("a background thread has stopped, pages stay a little larger");
            }
        }
    }
}

impl Drop for PrerenderWorker {
    fn drop(&mut self) {
        self.interrupt();
    }
}

fn start_thread(
    name: &str,
    work: impl FnOnce(&Receiver<()>) + Send + 'static,
) -> Result<SyncSender<()>> {
    let (bell, rung) = mpsc::sync_channel(1);
    thread::Builder::new()
        .name(name.to_owned())
        .spawn(move || work(&rung))
        .map_err(|error| Error::Internal(format!("cannot start a thread: {error}")))?;
    Ok(bell)
}

/// Returns a function that tells whether a publish began since this call.
fn overtaken(publishes: &AtomicU64) -> impl Fn() -> bool {
    let mine = publishes.load(Ordering::Relaxed);
    move || publishes.load(Ordering::Relaxed) != mine
}

/// Renders, compresses and stores all pages after `QUIET_TIME` without a publish.
fn settle_all(shared: &Shared, rung: &Receiver<()>, publishes: &AtomicU64) {
    // On Linux `nice` applies to the calling thread alone: requests have priority.
    if let Err(error) = rustix::process::nice(LEAST_URGENT) {
        tracing::debug!(%error, "the compressing thread keeps its priority");
    }
    while rung.recv().is_ok() {
        loop {
            let overtaken = overtaken(publishes);
            match rung.recv_timeout(QUIET_TIME) {
                Ok(()) => {}
                Err(RecvTimeoutError::Timeout) => break settle(shared, &overtaken),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }
}

/// Compresses and stores all slots until a newer publish begins.
fn settle(shared: &Shared, overtaken: &dyn Fn() -> bool) {
    let Some(pages) = shared.current.load_full() else {
        return;
    };
    for slot in pages.all().filter(|slot| !slot.is_settled()) {
        if overtaken() {
            return;
        }
        let started = Instant::now();
        match settle_one(shared, &pages, slot) {
            Ok(true) => slot.settle(),
            Ok(false) => continue,
            // Logged and reported in the admin panel; the next page may succeed.
            Err(error) => shared.failed(slot, &error),
        }
        // Uses at most half a core, because requests have priority.
        thread::sleep(started.elapsed());
    }
    if let Some(kept) = shared.kept.as_ref().filter(|_| !overtaken()) {
        let names = pages.all().flat_map(|slot| slot.names());
        let alive = names.chain([kept.name(&[ROUTES])]).collect();
        if let Err(error) = kept.sweep(&alive) {
            tracing::debug!(%error, "pages of former days stay beside the data file");
        }
    }
}

/// Returns whether the slot is done. Files are rendered on request only.
fn settle_one(shared: &Shared, pages: &Pages, slot: &PageEntry) -> Result<bool> {
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
    let page = compress::best(&page).map_or(page, Arc::new);
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
