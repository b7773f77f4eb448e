//! The published site: renders, compresses and caches every public response; a publish swaps all
//! of them at once.

use super::page_cache::{DiskCache, MemoryBudget};
use super::prerender_worker::PrerenderWorker;
use super::{
    Bundle, Error, Page, PageEntry, Pages, Result, SocialPicture, Words, compress, generated_files,
    headers, link_preview, page_rendering,
};
use arc_swap::ArcSwapOption;
use respiro_content::{Snapshot, Timestamp};
use respiro_render::{RenderedEmail, Renderer, Route};
use serde_json::Value as Json;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

const NOT_PUBLISHED: Error = Error::Unavailable("nothing is published yet");

/// Outcome of the last publish, for the admin panel and the log.
#[derive(Debug, Clone)]
pub struct PublishState {
    pub ok: bool,
    pub at: Timestamp,
    pub error: Option<String>,
    pub stats: PublishStats,
}

/// Measurements of a publish. All zero when it failed.
#[derive(Debug, Clone, Copy, Default)]
pub struct PublishStats {
    /// Number of pages, screens and files.
    pub planned: usize,
    /// Slots with new content, rendered during the publish or on request.
    pub touched: usize,
    /// Those of `touched` that are pages with an address of their own.
    pub pages: usize,
    /// Pages rendered before the publish ended.
    pub rendered: usize,
    pub plan_time: Duration,
    pub whole_time: Duration,
}

/// The bundle, the renderer and the published pages.
#[derive(Debug)]
pub struct Publisher {
    pub(super) shared: Arc<Shared>,
    /// `None` for a site that is exported once.
    pub(super) background: Option<PrerenderWorker>,
    pub(super) social: link_preview::Social,
}

/// State shared by publishing, requests and the background thread.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) bundle: Bundle,
    pub(super) renderer: Renderer,
    /// The page cache on disk; `None` without one.
    pub(super) disk_cache: Option<DiskCache>,
    pub(super) memory_budget: MemoryBudget,
    pub(super) routes: Mutex<Option<Arc<[Route]>>>,
    pub(super) current: ArcSwapOption<Pages>,
    pub(super) state: Mutex<Option<PublishState>>,
    /// Slots of the last publish that the background thread renders first.
    pub(super) next_pages: Mutex<Vec<Arc<PageEntry>>>,
    /// Serializes publishes.
    pub(super) publishing: Mutex<()>,
    /// The `Cache-Control` value of pages.
    pub(super) cache_control: &'static str,
}

impl Publisher {
    /// Starts the renderer with the given bundle. Publishes nothing.
    pub fn start_with(bundle: Bundle) -> Result<Self> {
        Self::start_behind(bundle, headers::ASKED)
    }

    /// Starts with a `Cache-Control` value that suits the cache in front of the server.
    pub fn start_behind(bundle: Bundle, cache_control: &'static str) -> Result<Self> {
        Self::build(bundle, cache_control, None)?.with_background()
    }

    /// Like `start_behind`, with a page cache on disk beside the data file. `key` is a secret of
    /// that file, used only to sign cached pages.
    pub fn start_beside(
        data: &Path,
        key: [u8; 32],
        bundle: Bundle,
        cache_control: &'static str,
    ) -> Result<Self> {
        let disk_cache = DiskCache::beside(data, key, bundle.version());
        Self::build(bundle, cache_control, disk_cache)?.with_background()
    }

    /// Starts without the background thread and without a page cache, for a single export.
    pub fn start_quietly(bundle: Bundle, cache_control: &'static str) -> Result<Self> {
        Self::build(bundle, cache_control, None)
    }

    fn with_background(mut self) -> Result<Self> {
        self.background = Some(PrerenderWorker::start(&self.shared)?);
        Ok(self)
    }

    fn build(
        mut bundle: Bundle,
        cache_control: &'static str,
        disk_cache: Option<DiskCache>,
    ) -> Result<Self> {
        let shared = Arc::new(Shared {
            disk_cache,
            memory_budget: MemoryBudget::default(),
            renderer: Renderer::start(std::mem::take(&mut bundle.server))?,
            bundle,
            routes: Mutex::default(),
            current: ArcSwapOption::empty(),
            state: Mutex::default(),
            next_pages: Mutex::default(),
            publishing: Mutex::default(),
            cache_control,
        });
        Ok(Self {
            background: None,
            shared,
            social: link_preview::Social::default(),
        })
    }

    /// Plans the pages, renders the first changed ones and swaps the site. On error the former site
    /// stays published. Blocks.
    pub fn publish(&self, snapshot: Snapshot, now: Timestamp) -> Result<()> {
        self.publish_with(snapshot, now, page_rendering::EAGER_PAGES, || Ok(()))
    }

    /// Like `publish`, but calls `commit` between rendering and swapping. When either fails, the
    /// former site stays published.
    pub fn publish_after(
        &self,
        snapshot: Snapshot,
        now: Timestamp,
        commit: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        self.publish_with(snapshot, now, page_rendering::CHECKED_PAGES, commit)
    }

    fn publish_with(
        &self,
        snapshot: Snapshot,
        now: Timestamp,
        count: usize,
        commit: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let publishing = locked(&self.shared.publishing);
        self.interrupt();
        let prepared = self.shared.prepare(snapshot, now, count);
        if prepared.is_ok() {
            commit().inspect_err(|_| self.wake())?;
        }
        let published = prepared.map(|prepared| {
            self.shared.current.store(Some(Arc::new(prepared.pages)));
            *locked(&self.shared.next_pages) = prepared.next_pages;
            let stats = prepared.stats;
            tracing::debug!(?stats, "published");
            stats
        });
        self.note(published.as_ref(), now);
        drop(publishing);
        self.wake();
        published.map(drop)
    }

    /// Records that a committed change could not be published.
    pub fn note_failure(&self, error: &Error, now: Timestamp) {
        self.note(Err(error), now);
    }

    fn note(&self, published: Result<&PublishStats, &Error>, now: Timestamp) {
        *locked(&self.shared.state) = Some(PublishState {
            ok: published.is_ok(),
            at: now,
            error: published.err().map(Error::to_string),
            stats: published.copied().unwrap_or_default(),
        });
    }

    fn interrupt(&self) {
        if let Some(background) = &self.background {
            background.interrupt();
        }
    }

    fn wake(&self) {
        if let Some(background) = &self.background {
            background.wake();
        }
    }

    /// Returns the response of a page entry if it is in memory, and marks the page entry as
    /// recently requested.
    pub fn ready(&self, page_entry: &PageEntry) -> Option<Arc<Page>> {
        page_entry.mark_requested();
        page_entry.ready()
    }

    /// Returns the response of a page entry; renders it from the published snapshot if necessary.
    /// Blocks. When rendering fails, returns the former response and reports the error in the admin
    /// panel.
    pub fn obtain(&self, pages: &Pages, page_entry: &PageEntry) -> Result<Arc<Page>> {
        self.shared.obtain(pages, page_entry)
    }

    /// Returns the response at a path. Blocks while it is rendered.
    pub fn page(&self, path: &str) -> Option<Arc<Page>> {
        let pages = self.pages()?;
        self.obtain(&pages, pages.find(path)?).ok()
    }

    /// Returns the iCalendar file of the event whose page has the same path without `.ics`.
    pub fn calendar(&self, path: &str) -> Option<Arc<Page>> {
        generated_files::calendar(&*self.pages()?, path)
            .map(|raw| Arc::new(compress::page(raw, self.shared.cache_control)))
    }

    /// Returns the published pages; `None` before the first publish.
    pub fn pages(&self) -> Option<Arc<Pages>> {
        self.shared.current.load_full()
    }

    pub fn state(&self) -> Option<PublishState> {
        locked(&self.shared.state).clone()
    }

    /// Renders a screen with data for a single reader. Blocks.
    pub fn filled(&self, name: &str, given: &Json) -> Result<Page> {
        let pages = self.pages().ok_or(NOT_PUBLISHED)?;
        let page_entry = pages.screen(name).ok_or(NOT_PUBLISHED)?;
        self.shared.filled(&pages, page_entry, given)
    }

    /// Renders one page of an unpublished snapshot as a preview. Blocks.
    ///
    /// It carries no script, because the router does not know addresses of unpublished pages.
    pub fn preview(&self, snapshot: &Snapshot, path: &str) -> Result<String> {
        self.shared.preview(snapshot, path, false)
    }

    /// Like `preview`, for the editor: invisible characters in each text encode its source field.
    pub fn marked_preview(&self, snapshot: &Snapshot, path: &str) -> Result<String> {
        self.shared.preview(snapshot, path, true)
    }

    /// Loads a renderer context in advance, because a change is likely soon. Never blocks.
    pub fn expect_change(&self) {
        self.shared.renderer.preload_context();
    }

    /// Renders a newsletter with the components of the site. Blocks.
    pub fn mail(&self, input: String) -> Result<RenderedEmail> {
        Ok(self.shared.renderer.render_email(input)?)
    }

    /// Returns a file of the UI bundle by its public path, such as `/assets/…` or `/admin`.
    pub fn asset(&self, path: &str) -> Option<Arc<Page>> {
        self.shared.bundle.files.get(path).map(Arc::clone)
    }

    /// Returns the link-preview image at `/social/….jpg`, or the text to draw it with.
    pub fn social(&self, path: &str) -> Option<SocialPicture> {
        self.social.picture(&*self.pages()?, path)
    }

    /// Draws a link-preview image and caches it. Slow.
    pub fn draw_social(&self, path: &str, words: Words) -> Option<Arc<Page>> {
        self.social.draw(path, words)
    }
}

/// Locks `mutex` even when it is poisoned: values are replaced as a whole, never edited in place.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
