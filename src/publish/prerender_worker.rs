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
    signals: [SyncSender<()>; 2],
    /// Number of publishes: work for an older one is abandoned.
    publishes: Arc<AtomicU64>,
}

impl PrerenderWorker {
    pub(super) fn start(shared: &Arc<Shared>) -> Result<Self> {
        let publishes = Arc::new(AtomicU64::new(0));
        let (own, count) = (Arc::clone(shared), Arc::clone(&publishes));
        let next_pages = start_thread("next pages", move |signals| {
            while signals.recv().is_ok() {
                own.render_next_pages(&is_superseded(&count));
            }
        })?;
        let (own, count) = (Arc::clone(shared), Arc::clone(&publishes));
        let rest = start_thread("background", move |signals| {
            optimize_after_publishes(&own, signals, &count);
        })?;
        Ok(Self {
            signals: [next_pages, rest],
            publishes,
        })
    }

    /// Signals that a publish begins: the threads stop after their present page.
    pub(super) fn interrupt(&self) {
        self.publishes.fetch_add(1, Ordering::Relaxed);
    }

    /// Signals that a publish ended.
    pub(super) fn wake(&self) {
        for signal in &self.signals {
            if let Err(TrySendError::Disconnected(())) = signal.try_send(()) {
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
    let (signal, signals) = mpsc::sync_channel(1);
    thread::Builder::new()
        .name(name.to_owned())
        .spawn(move || work(&signals))
        .map_err(|error| Error::Internal(format!("cannot start a thread: {error}")))?;
    Ok(signal)
}

/// Returns a function that tells whether a publish began since this call.
fn is_superseded(publishes: &AtomicU64) -> impl Fn() -> bool {
    let mine = publishes.load(Ordering::Relaxed);
    move || publishes.load(Ordering::Relaxed) != mine
}

/// Renders, compresses and stores all pages after `QUIET_TIME` without a publish.
fn optimize_after_publishes(shared: &Shared, signals: &Receiver<()>, publishes: &AtomicU64) {
    // On Linux `nice` applies to the calling thread alone: requests have priority.
    if let Err(error) = rustix::process::nice(LEAST_URGENT) {
        tracing::debug!(%error, "the compressing thread keeps its priority");
    }
    while signals.recv().is_ok() {
        loop {
            let is_superseded = is_superseded(publishes);
            match signals.recv_timeout(QUIET_TIME) {
                Ok(()) => {}
                Err(RecvTimeoutError::Timeout) => break optimize_entries(shared, &is_superseded),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }
}

/// Compresses and stores all page entries until a newer publish begins.
fn optimize_entries(shared: &Shared, is_superseded: &dyn Fn() -> bool) {
    let Some(pages) = shared.current.load_full() else {
        return;
    };
    for page_entry in pages.all().filter(|page_entry| !page_entry.is_optimized()) {
        if is_superseded() {
            return;
        }
        let started = Instant::now();
        match optimize_entry(shared, &pages, page_entry) {
            Ok(true) => {
                page_entry.mark_optimized();
                shared.clear_failure(page_entry);
            }
            Ok(false) => continue,
            // Logged and reported in the admin panel; the next page may succeed.
            Err(error) => shared.report_failure(page_entry, &error),
        }
        // Uses at most half a core, because requests have priority.
        thread::sleep(started.elapsed());
    }
    if let Some(cache) = shared.disk_cache.as_ref().filter(|_| !is_superseded()) {
        let names = pages.all().flat_map(|page_entry| page_entry.cache_keys());
        let alive = names.chain([cache.name(&[ROUTES])]).collect();
        if let Err(error) = cache.sweep(&alive) {
            tracing::debug!(%error, "pages of former days stay beside the data file");
        }
    }
}

/// Returns whether the page entry is done. Files are rendered on request only.
fn optimize_entry(shared: &Shared, pages: &Pages, page_entry: &PageEntry) -> Result<bool> {
    let ready = page_entry.ready();
    let place = shared.disk_cache_key(pages, page_entry);
    let is_small = ready.as_ref().is_none_or(|page| page.is_smallest());
    if let Some((cache, name)) = &place
        && is_small
        && cache.has(name)
    {
        page_entry.set_cache_key(*name);
        return Ok(true);
    }
    let page = match ready {
        Some(page) => page,
        None if page_entry.shown().is_none() => return Ok(false),
        // The disk is full: a later publish may find space.
        None if place.as_ref().is_some_and(|(cache, _)| !cache.has_room()) => return Ok(false),
        None => Arc::new(shared.load_or_render(pages, page_entry)?),
    };
    let page = compress::best(&page).map_or(page, Arc::new);
    if let Some((cache, name)) = place
        && cache.put_page(&name, &page)
    {
        page_entry.set_cache_key(name);
    }
    // Pages that were not requested stay out of memory, also when the disk is full: otherwise the
    // whole site would accumulate there, uncounted by the cache limit.
    if shared.disk_cache.is_none() || page_entry.ready().is_some() {
        page_entry.replace_response(page);
    }
    Ok(true)
}
