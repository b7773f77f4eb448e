//! One published address: what it shows, and its response once it was rendered.

use super::page_cache::CacheKey;
use super::{Page, Pages, locked};
use arc_swap::ArcSwapOption;
use respiro_content::item::FieldSelection;
use respiro_content::{Entry, Snapshot, Timestamp, collection_by_slug};
use respiro_render::{Read, Route};
use serde_json::{Map, Value as Json, json};
use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::{Duration, Instant};

/// Delay before a request renders a failed page again: a broken page must not cost each visitor the
/// render timeout.
const RETRY_AFTER: Duration = Duration::from_secs(30);

/// A published address with its content and its response. A publish that changes the content
/// creates a new entry; an unaffected entry is reused together with its response.
#[derive(Debug)]
pub struct PageEntry {
    pub path: String,
    pub(super) what: EntryContent,
    ready: ArcSwapOption<Page>,
    /// Whether the response is as small as possible and, where there is a page cache, stored in it.
    is_optimized: AtomicBool,
    /// Name of the response in the page cache.
    cache_key: OnceLock<CacheKey>,
    /// Whether the response was requested since the last eviction passed the page entry.
    is_requested: AtomicBool,
    /// Held while the response is rendered, so that concurrent requests render it once. Holds the
    /// time of the last failure.
    render_lock: Mutex<Option<Instant>>,
    /// The replaced page entry that has a response, if site settings and content blocks of the page
    /// have not changed since. While this page cannot be rendered, that response is served as long
    /// as every item in it is published unchanged. Cleared once this page is rendered.
    former: ArcSwapOption<Self>,
}

#[derive(Debug)]
pub(super) enum EntryContent {
    Page(PageInput),
    File(GeneratedFile),
}

/// The kind of server that a page is rendered for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Server,
    /// A static host, which accepts no input.
    StaticHost,
}

/// The inputs of a page.
#[derive(Debug, Clone)]
pub(super) struct PageInput {
    /// Index of its route in the route table.
    pub(super) route: usize,
    /// Page number in a paginated list, from 1.
    pub(super) number: usize,
    /// Results of the route's reads, in their order.
    pub(super) reads: Vec<ReadResult>,
}

/// The items that a read returned, and whether the list continues after them.
#[derive(Debug, Clone, Default)]
pub(super) struct ReadResult {
    pub(super) entries: Vec<Arc<Entry>>,
    pub(super) more: bool,
}

/// A published file that is not a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GeneratedFile {
    /// The whole sitemap, or the index of its parts.
    Sitemap,
    SitemapPart(usize),
    Feed,
    /// The iCalendar feed of events.
    Calendar,
    Robots,
    Manifest,
}

fn is_recent(failed: Option<Instant>) -> bool {
    failed.is_some_and(|at| at.elapsed() < RETRY_AFTER)
}

impl ReadResult {
    pub(super) fn is(&self, other: &Self) -> bool {
        self.more == other.more && same(&self.entries, &other.entries)
    }
}

fn same(one: &[Arc<Entry>], two: &[Arc<Entry>]) -> bool {
    one.len() == two.len() && one.iter().zip(two).all(|(one, two)| Arc::ptr_eq(one, two))
}

impl PageInput {
    /// Returns whether both show the very same items, compared by pointer.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.route == other.route
            && self.number == other.number
            && self.reads.len() == other.reads.len()
            && self.reads.iter().zip(&other.reads).all(|(a, b)| a.is(b))
    }

    /// Sort key for rendering after a change; the smallest comes first. The admin looks at the
    /// first parts of lists, at pages in the sitemap, and at pages with few items about the item
    /// changed last. Pages with few items are also quick to render.
    pub(super) fn order(&self, routes: &[Route]) -> (usize, bool, usize, Reverse<Timestamp>) {
        let row = routes.get(self.route);
        let entries = self.reads.iter().map(|found| found.entries.len()).sum();
        let place = row.and_then(|row| Some(row.each()?.0));
        let own = place.and_then(|place| self.reads.get(place)?.entries.first());
        (
            self.number.max(1),
            !row.is_some_and(|row| row.sitemap),
            entries,
            Reverse(own.map_or(0, |entry| entry.updated_at)),
        )
    }

    /// Returns every item that the page shows.
    pub(super) fn entries(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.reads.iter().flat_map(|found| &found.entries)
    }

    /// Returns when the most recently changed of its items was changed.
    pub(super) fn last_modified(&self) -> Option<Timestamp> {
        self.entries().map(|entry| entry.updated_at).max()
    }

    /// Returns the page's input as JSON: the part common to all pages, the page's reads and content
    /// blocks, and the data for a single reader.
    pub(super) fn input(
        &self,
        route: &Route,
        site: &str,
        words: &Json,
        target: Target,
        given: Option<&Json>,
    ) -> String {
        let reads: Map<String, Json> = route
            .reads
            .iter()
            .zip(&self.reads)
            .map(|(read, found)| (read.name.clone(), found.to_json(read)))
            .collect();
        let mut own = json!({ "number": self.number, "reads": reads, "words": words });
        if target == Target::StaticHost {
            own["isStatic"] = Json::Bool(true);
        }
        if let Some(given) = given {
            own["given"] = given.clone();
        }
        let own = own.to_string();
        // The common part is the same for all pages and serialized once.
        format!("{{\"site\":{site},{}", own.trim_start_matches('{'))
    }
}

impl ReadResult {
    fn to_json(&self, read: &Read) -> Json {
        let wanted = read
            .fields
            .as_deref()
            .map_or(FieldSelection::All, FieldSelection::Named);
        let kind = collection_by_slug(&read.of);
        let items = self
            .entries
            .iter()
            .filter_map(|entry| Some(entry.to_json(kind?, wanted)));
        json!({ "items": items.collect::<Vec<_>>(), "more": self.more })
    }
}

impl PageEntry {
    pub(super) fn new(path: String, what: EntryContent, former: Option<Arc<Self>>) -> Arc<Self> {
        Arc::new(Self {
            path,
            what,
            ready: ArcSwapOption::empty(),
            is_optimized: AtomicBool::new(false),
            cache_key: OnceLock::new(),
            is_requested: AtomicBool::new(false),
            render_lock: Mutex::default(),
            former: ArcSwapOption::new(former),
        })
    }

    /// Returns the response if it is in memory.
    pub fn ready(&self) -> Option<Arc<Page>> {
        self.ready.load_full()
    }

    /// Records that the response is requested.
    pub(super) fn mark_requested(&self) {
        // A load first: a store by each request would contend for the cache line.
        if !self.is_requested.load(Ordering::Relaxed) {
            self.is_requested.store(true, Ordering::Relaxed);
        }
    }

    /// Returns whether the response was requested since the last call.
    pub(super) fn take_requested(&self) -> bool {
        self.is_requested.swap(false, Ordering::Relaxed)
    }

    /// Evicts the response from memory if it is on disk. Returns whether it did.
    pub(super) fn evict(&self) -> bool {
        let is_on_disk = self.is_optimized() && self.cache_key.get().is_some();
        if is_on_disk {
            self.ready.store(None);
        }
        is_on_disk
    }

    /// Returns whether it is a page or screen, not a file.
    pub const fn is_page(&self) -> bool {
        matches!(self.what, EntryContent::Page(_))
    }

    pub(super) fn shown(&self) -> Option<&PageInput> {
        match &self.what {
            EntryContent::Page(shown) => Some(shown),
            EntryContent::File(_) => None,
        }
    }

    /// Returns the page entry whose response a replacing page entry falls back on.
    pub(super) fn fallback(self: &Arc<Self>) -> Option<Arc<Self>> {
        if self.ready.load().is_some() || self.cache_key.get().is_some() {
            return Some(Arc::clone(self));
        }
        self.former.load_full()
    }

    /// Returns the replaced page entry if nothing that its response shows was removed or changed.
    pub(super) fn unchanged_former(&self, snapshot: &Snapshot) -> Option<Arc<Self>> {
        let former = self.former.load_full()?;
        let shown = former.shown()?;
        let is_current = shown.entries().all(|entry| snapshot.has_entry(entry));
        is_current.then_some(former)
    }

    /// Returns whether `former` still stands in for this page: nothing that it shows was removed or
    /// changed.
    pub fn falls_back_on(&self, former: &Weak<Self>, pages: &Pages) -> bool {
        let known = self.unchanged_former(&pages.snapshot);
        known.is_some_and(|known| Weak::ptr_eq(&Arc::downgrade(&known), former))
    }

    pub(super) fn cache_key(&self) -> Option<CacheKey> {
        self.cache_key.get().copied()
    }

    /// Returns the cache files that the page entry needs: its own, and the former one until it has
    /// its own.
    pub(super) fn cache_keys(&self) -> impl Iterator<Item = CacheKey> {
        let former = self.former.load();
        let former = former.as_ref().and_then(|former| former.cache_key.get());
        self.cache_key
            .get()
            .copied()
            .into_iter()
            .chain(former.copied())
    }

    pub(super) fn is_optimized(&self) -> bool {
        self.is_optimized.load(Ordering::Relaxed)
    }

    /// Marks the background work for this page entry as done.
    pub(super) fn mark_optimized(&self) {
        self.is_optimized.store(true, Ordering::Relaxed);
    }

    /// Marks the cache file as missing, so that the background thread writes it again.
    pub(super) fn clear_optimized(&self) {
        self.is_optimized.store(false, Ordering::Relaxed);
    }

    /// Records the cache file of the response.
    pub(super) fn set_cache_key(&self, name: CacheKey) {
        // A page entry shows one content, which has one name: a second call sets the same value.
        let _ = self.cache_key.set(name);
        self.former.store(None);
    }

    /// Replaces the response by a smaller encoding of itself.
    pub(super) fn replace_response(&self, better: Arc<Page>) {
        self.ready.store(Some(better));
    }

    /// Returns the response, made by `make` if necessary; `None` within `RETRY_AFTER` of a failure,
    /// unless the retry is due.
    pub(super) fn obtain<E>(
        &self,
        is_retry: bool,
        make: impl FnOnce() -> Result<Page, E>,
    ) -> Result<Option<Arc<Page>>, E> {
        if let Some(page) = self.ready() {
            return Ok(Some(page));
        }
        let mut failed = locked(&self.render_lock);
        if let Some(page) = self.ready() {
            return Ok(Some(page));
        }
        if is_recent(*failed) && !is_retry {
            return Ok(None);
        }
        let page = make().inspect_err(|_| *failed = Some(Instant::now()))?;
        *failed = None;
        let page = Arc::new(page);
        self.ready.store(Some(Arc::clone(&page)));
        self.former.store(None);
        Ok(Some(page))
    }
}
