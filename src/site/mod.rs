//! The published site: every public answer in memory, already compressed, swapped whole.

mod added;
mod background;
mod bundle;
mod calendar;
mod compress;
mod feeds;
mod files;
pub mod headers;
mod kept;
mod memory;
mod near;
mod outward;
mod page;
mod plan;
mod planner;
mod publish;
mod shown_pictures;
mod slot;
mod smallest;
mod social;
mod style;
mod template;

pub use bundle::Bundle;
pub use outward::{Given, Outward};
pub use page::{Body, Page};
pub use plan::Pages;
pub use slot::Slot;
pub use social::{SocialPicture, Words, caption, words_of};

use crate::content::{Snapshot, Timestamp};
use crate::error::{Error, Result};
use crate::render::{RenderedEmail, Renderer, Route};
use arc_swap::ArcSwapOption;
use background::Background;
use kept::Kept;
use memory::Memory;
use page::Plain;
use serde_json::Value as Json;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

const NOT_PUBLISHED: Error = Error::Unavailable("nothing is published yet");

/// How the last publish went, for the panel and the log.
#[derive(Debug, Clone)]
pub struct PublishState {
    pub ok: bool,
    pub at: Timestamp,
    pub error: Option<String>,
    pub figures: Figures,
}

/// What a publish did. All zero when it failed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Figures {
    /// Pages, screens and files there are.
    pub planned: usize,
    /// Those that show something new: made at once, or when they are asked for.
    pub touched: usize,
    /// Of these, pages that a visitor may come to.
    pub pages: usize,
    /// Pages made before the publish was over.
    pub rendered: usize,
    pub plan_time: Duration,
    pub whole_time: Duration,
}

/// The site: the bundle, the renderer and what is published.
#[derive(Debug)]
pub struct Site {
    shared: Arc<Shared>,
    /// None for a site that is only read once.
    background: Option<Background>,
    social: social::Social,
}

/// What publishing, requests and the background thread all use.
#[derive(Debug)]
struct Shared {
    bundle: Bundle,
    renderer: Renderer,
    /// `None` where nothing is kept from run to run.
    kept: Option<Kept>,
    memory: Memory,
    routes: Mutex<Option<Arc<[Route]>>>,
    current: ArcSwapOption<Pages>,
    state: Mutex<Option<PublishState>>,
    /// What the background makes first, of the last publish.
    soon: Mutex<Vec<Arc<Slot>>>,
    /// One publish at a time.
    publishing: Mutex<()>,
    /// What pages say to caches.
    cache_control: &'static str,
}

impl Site {
    /// Starts the renderer on the bundle inside the program and publishes nothing yet.
    pub fn start() -> Result<Self> {
        Self::start_with(Bundle::embedded()?)
    }

    /// Starts on any bundle.
    pub fn start_with(bundle: Bundle) -> Result<Self> {
        Self::start_behind(bundle, headers::ASKED)
    }

    /// Starts behind a cache that pages speak to.
    pub fn start_behind(bundle: Bundle, cache_control: &'static str) -> Result<Self> {
        Self::build(bundle, cache_control, None)?.with_background()
    }

    /// The same with the pages that a former run has kept beside the data file, `key` being a
    /// secret of that file for them alone.
    pub fn start_beside(
        data: &Path,
        key: [u8; 32],
        bundle: Bundle,
        cache_control: &'static str,
    ) -> Result<Self> {
        let kept = Kept::beside(data, key, bundle.version());
        Self::build(bundle, cache_control, kept)?.with_background()
    }

    /// For who takes everything out once: nothing is made for visitors to come, and nothing kept.
    pub fn start_quietly(bundle: Bundle, cache_control: &'static str) -> Result<Self> {
        Self::build(bundle, cache_control, None)
    }

    fn with_background(mut self) -> Result<Self> {
        self.background = Some(Background::start(Arc::clone(&self.shared))?);
        Ok(self)
    }

    fn build(mut bundle: Bundle, cache_control: &'static str, kept: Option<Kept>) -> Result<Self> {
        let shared = Arc::new(Shared {
            kept,
            memory: Memory::default(),
            renderer: Renderer::start(std::mem::take(&mut bundle.server))?,
            bundle,
            routes: Mutex::default(),
            current: ArcSwapOption::empty(),
            state: Mutex::default(),
            soon: Mutex::default(),
            publishing: Mutex::default(),
            cache_control,
        });
        Ok(Self {
            background: None,
            shared,
            social: social::Social::default(),
        })
    }

    /// Plans, makes the first pages of what changed, swaps. On error the old site stays up. Blocks.
    pub fn publish(&self, snapshot: Snapshot, now: Timestamp) -> Result<()> {
        self.publish_with(snapshot, now, publish::EAGER_PAGES, || Ok(()))
    }

    /// The same, with `commit` between rendering and swapping: when either fails, the old site
    /// stays up.
    pub fn publish_after(
        &self,
        snapshot: Snapshot,
        now: Timestamp,
        commit: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        self.publish_with(snapshot, now, publish::CHECKED_PAGES, commit)
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
            *locked(&self.shared.soon) = prepared.soon;
            let figures = prepared.figures;
            tracing::debug!(?figures, "published");
            figures
        });
        self.note(published.as_ref(), now);
        drop(publishing);
        self.wake();
        published.map(drop)
    }

    /// What was committed is not shown: the next publish takes nothing over from what is.
    pub fn note_failure(&self, error: &Error, now: Timestamp) {
        self.note(Err(error), now);
    }

    fn note(&self, published: Result<&Figures, &Error>, now: Timestamp) {
        *locked(&self.shared.state) = Some(PublishState {
            ok: published.is_ok(),
            at: now,
            error: published.err().map(Error::to_string),
            figures: published.copied().unwrap_or_default(),
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

    /// The answer of a slot, when it is in memory: for somebody who asks.
    pub fn ready(&self, slot: &Slot) -> Option<Arc<Page>> {
        slot.ask(self.shared.memory.turn());
        slot.ready()
    }

    /// The answer of a slot; made now, from what was published, when nobody has asked before.
    /// Blocks. When it cannot be made the former answer stays up, and the panel is told.
    pub fn obtain(&self, pages: &Pages, slot: &Slot) -> Result<Arc<Page>> {
        self.shared.obtain(pages, slot)
    }

    /// The answer at a path. Blocks while it is made.
    pub fn page(&self, path: &str) -> Option<Arc<Page>> {
        let pages = self.pages()?;
        self.obtain(&pages, pages.find(path)?).ok()
    }

    /// The calendar file of the event whose page is beside it; `None` where there is none.
    pub fn calendar(&self, path: &str) -> Option<Arc<Page>> {
        files::calendar(&*self.pages()?, path)
            .map(|raw| Arc::new(compress::page(raw, self.shared.cache_control)))
    }

    /// The published site; `None` before the first publish.
    pub fn pages(&self) -> Option<Arc<Pages>> {
        self.shared.current.load_full()
    }

    pub fn state(&self) -> Option<PublishState> {
        locked(&self.shared.state).clone()
    }

    /// A screen with what is given to one reader alone. Blocks.
    pub fn filled(&self, name: &str, given: &Json) -> Result<Page> {
        let pages = self.pages().ok_or(NOT_PUBLISHED)?;
        let slot = pages.screen(name).ok_or(NOT_PUBLISHED)?;
        self.shared.filled(&pages, slot, given)
    }

    /// One page from a snapshot that is not published: previews. Blocks.
    ///
    /// It carries no script: what it shows has no address that the router could know.
    pub fn preview(&self, snapshot: &Snapshot, path: &str) -> Result<String> {
        self.shared.preview(snapshot, path, false)
    }

    /// The same for the editor: each text says in invisible characters where it comes from.
    pub fn marked_preview(&self, snapshot: &Snapshot, path: &str) -> Result<String> {
        self.shared.preview(snapshot, path, true)
    }

    /// Somebody is at work in the panel: the next change does not wait for the renderer to load.
    pub fn expect_change(&self) {
        self.shared.renderer.preload_context();
    }

    /// A newsletter, drawn by the components of the site. Blocks.
    pub fn mail(&self, input: String) -> Result<RenderedEmail> {
        Ok(self.shared.renderer.render_email(input)?)
    }

    /// A file of the UI bundle by its public path, `/assets/…`, `/admin`.
    pub fn asset(&self, path: &str) -> Option<Arc<Page>> {
        self.shared.bundle.files.get(path).map(Arc::clone)
    }

    /// The picture of a page that messengers show, `/social/….jpg`, and whether it must be drawn.
    pub fn social(&self, path: &str) -> Option<SocialPicture> {
        self.social.picture(&*self.pages()?, path)
    }

    /// Draws such a picture and keeps it. Takes a while.
    pub fn draw_social(&self, path: &str, words: Words) -> Option<Arc<Page>> {
        self.social.draw(path, words)
    }
}

/// A lock whose holder panicked still guards whole values: they are replaced, never edited.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
