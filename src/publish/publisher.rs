//! The published site: renders, compresses and caches every public response; a publish swaps all
//! of them at once.

use super::generated_files::{EventCalendar, EventCalendars};
use super::page_cache::{DiskCache, MemoryBudget};
use super::page_rendering::Prepared;
use super::prerender_worker::PrerenderWorker;
use super::{
    Bundle, Error, Page, PageEntry, Pages, Result, SocialPicture, Words, compress, generated_files,
    headers, html_template, link_preview, page_rendering,
};
use arc_swap::ArcSwapOption;
use respiro_content::{Snapshot, Timestamp};
use respiro_media::Background;
use respiro_render::{RenderedEmail, Renderer, Route};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
#[cfg(debug_assertions)]
use std::sync::atomic::AtomicU32;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

const NOT_PUBLISHED: Error = Error::Unavailable("nothing is published yet");

/// Outcome of the last publish, for the admin panel and the log.
#[derive(Debug, Clone)]
pub struct PublishState {
    /// Whether the pages show what the data file says and none failed to render.
    pub ok: bool,
    pub at: Timestamp,
    /// The last failure, while `ok` is false.
    pub error: Option<String>,
    pub stats: PublishStats,
}

/// Measurements of a publish. All zero when it failed.
#[derive(Debug, Clone, Copy, Default)]
pub struct PublishStats {
    /// Number of pages, screens and files.
    pub planned: usize,
    /// Page entries with new content, rendered during the publish or on request.
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
    calendars: EventCalendars,
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
    /// `ok` is not kept up to date here: `Publisher::state` computes it.
    pub(super) state: Mutex<Option<PublishState>>,
    /// Whether the published snapshot is what the data file says. Not so after a commit that may
    /// have been carried out although it failed, and while a committed change is being published.
    pub(super) is_snapshot_trusted: AtomicBool,
    /// Published pages whose last render failed, the one to retry first at the front.
    pub(super) failed_pages: Mutex<Vec<Arc<PageEntry>>>,
    pub(super) repair_needed: Notify,
    /// Renders that are to fail, for tests.
    #[cfg(debug_assertions)]
    pub(super) injected_failures: AtomicU32,
    pub(super) renewal_page: Arc<Page>,
    /// Page entries of the last publish that the background thread renders first.
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

    /// Draws link-preview images in a sandboxed process of `program`.
    #[must_use]
    pub fn with_image_program(mut self, program: Option<PathBuf>) -> Self {
        self.social.program = program;
        self
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
            is_snapshot_trusted: AtomicBool::default(),
            failed_pages: Mutex::default(),
            repair_needed: Notify::new(),
            #[cfg(debug_assertions)]
            injected_failures: AtomicU32::default(),
            renewal_page: Arc::new(compress::page(
                html_template::renewal_page(),
                headers::NOT_STORED,
            )),
            next_pages: Mutex::default(),
            publishing: Mutex::default(),
            cache_control,
        });
        Ok(Self {
            background: None,
            shared,
            social: link_preview::Social::default(),
            calendars: EventCalendars::default(),
        })
    }

    /// Plans the pages, renders the first changed ones and swaps the site. A page that cannot be
    /// rendered is rendered again later. Fails only if no page can be rendered at a start. Blocks.
    pub fn publish(&self, snapshot: Snapshot, now: Timestamp) -> Result<()> {
        self.publish_with(snapshot, now, page_rendering::EAGER_PAGES, |_| Ok(()))
    }

    /// Like `publish`, but calls `commit` between rendering and swapping. When it or one of the
    /// rendered pages fails, the former site stays published.
    pub fn publish_after(
        &self,
        snapshot: Snapshot,
        now: Timestamp,
        commit: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let checked = |prepared: &mut Prepared| match prepared.failures.pop() {
            Some((_, error)) => Err(error),
            None => commit(),
        };
        self.publish_with(snapshot, now, page_rendering::CHECKED_PAGES, checked)
    }

    /// Swaps the prepared site in, after `commit`. Its pages show what `snapshot` says, so the
    /// snapshot is trusted from now on.
    fn publish_with(
        &self,
        snapshot: Snapshot,
        now: Timestamp,
        count: usize,
        commit: impl FnOnce(&mut Prepared) -> Result<()>,
    ) -> Result<()> {
        let publishing = locked(&self.shared.publishing);
        self.interrupt();
        let prepared = self.shared.prepare(snapshot, now, count);
        let swapped = prepared.and_then(|mut prepared| {
            commit(&mut prepared)?;
            self.swap(prepared, now);
            Ok(())
        });
        drop(publishing);
        self.wake();
        swapped
    }

    fn swap(&self, prepared: Prepared, now: Timestamp) {
        let (shared, stats) = (&self.shared, prepared.stats);
        let pages = Arc::new(prepared.pages);
        shared.current.store(Some(Arc::clone(&pages)));
        shared.is_snapshot_trusted.store(true, Ordering::Release);
        *locked(&shared.next_pages) = prepared.next_pages;
        shared.retain_failures_of(&pages);
        let mut outcome = locked(&shared.state);
        let error = outcome.take().and_then(|former| former.error);
        *outcome = Some(PublishState {
            ok: true,
            at: now,
            error,
            stats,
        });
        drop(outcome);
        for (page_entry, error) in prepared.failures {
            shared.report_failure(&page_entry, &error);
        }
        tracing::debug!(?stats, "published");
    }

    /// Marks the published snapshot as outdated until the next publish. Returns whether it was
    /// trusted.
    pub(super) fn distrust_snapshot(&self) -> bool {
        self.shared
            .is_snapshot_trusted
            .swap(false, Ordering::AcqRel)
    }

    pub(super) fn is_snapshot_trusted(&self) -> bool {
        self.shared.is_snapshot_trusted.load(Ordering::Acquire)
    }

    /// Records that a committed change could not be published; it is tried again soon.
    pub(super) fn report_unpublished(&self, error: &Error) {
        self.distrust_snapshot();
        if let Some(state) = &mut *locked(&self.shared.state) {
            state.stats = PublishStats::default();
        }
        self.shared.set_error(error);
        self.shared.repair_needed.notify_one();
    }

    /// Returns whether the pages show what the data file says and each one that was tried could be
    /// rendered.
    pub fn is_complete(&self) -> bool {
        self.is_snapshot_trusted() && locked(&self.shared.failed_pages).is_empty()
    }

    /// Waits until a page fails or a change cannot be published.
    pub(super) async fn repair_needed(&self) {
        self.shared.repair_needed.notified().await;
    }

    /// Renders failed pages again. Returns whether one succeeded. Blocks.
    pub(super) fn retry_failed_pages(&self) -> bool {
        self.shared.retry_failed_pages()
    }

    /// Makes the next renders fail, for tests.
    #[cfg(debug_assertions)]
    pub fn fail_next_renders(&self, count: u32) {
        self.shared
            .injected_failures
            .store(count, Ordering::Release);
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
    /// Blocks. When rendering fails, reports the error in the admin panel and returns the former
    /// response, or a page with status 503 if something that the former response shows was removed
    /// or changed since.
    pub fn obtain(&self, pages: &Pages, page_entry: &Arc<PageEntry>) -> Arc<Page> {
        self.shared.obtain(pages, page_entry)
    }

    /// Returns the response at a path. Blocks while it is rendered.
    pub fn page(&self, path: &str) -> Option<Arc<Page>> {
        let pages = self.pages()?;
        Some(self.obtain(&pages, pages.find(path)?))
    }

    /// Returns the iCalendar file of the event whose page has the same path without `.ics`. Made on
    /// the first call after a publish, which takes 2 ms of processor time.
    pub fn calendar(&self, path: &str) -> Option<Arc<Page>> {
        let pages = self.pages()?;
        self.calendars.obtain(&pages, path, || {
            let raw = generated_files::calendar(&pages, path)?;
            Some(compress::page(raw, self.shared.cache_control))
        })
    }

    /// Returns the same file if it is made already.
    pub fn find_calendar(&self, pages: &Arc<Pages>, path: &str) -> Option<EventCalendar> {
        self.calendars.find(pages, path)
    }

    /// Returns the published pages; `None` before the first publish.
    pub fn pages(&self) -> Option<Arc<Pages>> {
        self.shared.current.load_full()
    }

    pub fn state(&self) -> Option<PublishState> {
        let mut state = locked(&self.shared.state).clone()?;
        state.ok = self.is_complete();
        state.error = state.error.filter(|_| !state.ok);
        Some(state)
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

    /// Draws the link-preview image of an uploaded picture. Slow.
    pub fn draw_titled(
        &self,
        main: &[u8],
        focus: (u8, u8),
        (title, brand): &Words,
    ) -> Result<Vec<u8>> {
        self.social
            .render(Background::Picture(main, focus), title, brand)
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
