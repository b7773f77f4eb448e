//! The published site: every public answer in memory, already compressed, swapped whole.

mod background;
mod bundle;
mod calendar;
mod compress;
mod feeds;
mod files;
mod publish;
mod social;
mod template;

pub use bundle::Bundle;

use crate::content::{Snapshot, Timestamp};
use crate::error::{Error, Result};
use crate::render::Renderer;
use arc_swap::ArcSwapOption;
use background::Background;
use publish::Kept;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// One public answer, ready to send in three encodings.
#[derive(Debug)]
pub struct Page {
    pub status: u16,
    pub content_type: &'static str,
    pub cache_control: &'static str,
    pub identity: Body,
    pub brotli: Option<Body>,
    pub gzip: Option<Body>,
}

/// Bytes of one encoding and their strong entity tag, quotes included.
#[derive(Debug, Clone)]
pub struct Body {
    pub bytes: Arc<[u8]>,
    pub etag: String,
}

/// Everything published at one moment. Keys are exact paths without a trailing slash.
#[derive(Debug, Clone)]
pub struct Pages {
    pub by_path: BTreeMap<String, Arc<Page>>,
    /// Former paths: 301 to the new one.
    pub redirects: BTreeMap<String, String>,
    pub not_found: Arc<Page>,
    pub event_not_found: Arc<Page>,
    pub article_not_found: Arc<Page>,
    /// What handlers show below addresses of their own, by name.
    pub screens: BTreeMap<String, Arc<Page>>,
    /// What it was made from: the public API filters it.
    pub snapshot: Arc<Snapshot>,
}

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
    /// Pages of the plan, the not-found screens included.
    pub planned: usize,
    /// Pages that were rendered again; the others had not changed.
    pub rendered: usize,
    /// Answers that were compressed again, feeds and the like included.
    pub compressed: usize,
    pub render_time: Duration,
    pub compress_time: Duration,
    pub whole_time: Duration,
}

/// The site: the bundle, the renderer and what is published.
#[derive(Debug)]
pub struct Site {
    renderer: Renderer,
    shared: Arc<Shared>,
    background: Background,
    social: social::Social,
}

/// What the publishing thread and the background thread both write.
#[derive(Debug)]
struct Shared {
    bundle: Bundle,
    current: ArcSwapOption<Pages>,
    /// What every published answer was made from. Held through a publish: one at a time.
    kept: Mutex<BTreeMap<String, Kept>>,
    state: Mutex<Option<PublishState>>,
}

impl Site {
    /// Starts the renderer on the bundle inside the program and publishes nothing yet.
    pub fn start() -> Result<Self> {
        Self::start_with(Bundle::embedded()?)
    }

    /// Starts on any bundle.
    pub fn start_with(mut bundle: Bundle) -> Result<Self> {
        let renderer = Renderer::start(std::mem::take(&mut bundle.server))?;
        let shared = Arc::new(Shared {
            bundle,
            current: ArcSwapOption::empty(),
            kept: Mutex::default(),
            state: Mutex::default(),
        });
        Ok(Self {
            renderer,
            background: Background::start(Arc::clone(&shared))?,
            shared,
            social: social::Social::default(),
        })
    }

    /// Renders what changed, compresses, swaps. On error the old site stays up. Blocks.
    pub fn publish(&self, snapshot: Snapshot, now: Timestamp) -> Result<()> {
        self.publish_after(snapshot, now, || Ok(()))
    }

    /// The same, with `commit` between rendering and swapping: when either fails, the old site
    /// stays up.
    pub fn publish_after(
        &self,
        snapshot: Snapshot,
        now: Timestamp,
        commit: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let mut kept = locked(&self.shared.kept);
        self.background.interrupt();
        let (figures, error) = match self.prepare(snapshot, &kept) {
            Ok(prepared) => {
                commit().inspect_err(|_| self.background.wake())?;
                *kept = prepared.kept;
                self.shared.current.store(Some(Arc::new(prepared.pages)));
                (prepared.figures, None)
            }
            Err(error) => (Figures::default(), Some(error)),
        };
        drop(kept);
        if error.is_none() {
            tracing::debug!(?figures, "published");
        }
        *locked(&self.shared.state) = Some(PublishState {
            ok: error.is_none(),
            at: now,
            error: error.as_ref().map(Error::to_string),
            figures,
        });
        self.background.wake();
        error.map_or(Ok(()), Err)
    }

    /// The published site; `None` before the first publish.
    pub fn pages(&self) -> Option<Arc<Pages>> {
        self.shared.current.load_full()
    }

    pub fn state(&self) -> Option<PublishState> {
        locked(&self.shared.state).clone()
    }

    /// One page from a snapshot that is not published: previews. Blocks.
    ///
    /// It carries no script: what it shows has no address that the router could know.
    pub fn preview(&self, snapshot: &Snapshot, path: &str) -> Result<String> {
        let wanted = path.to_owned();
        let json = snapshot.to_json().to_string();
        let rendering = self
            .renderer
            .render(json, Box::new(move |page| page.path == wanted))?;
        let (_, page) = rendering
            .plan
            .into_iter()
            .find(|(planned, _)| planned.path == path)
            .ok_or(Error::NotFound)?;
        let page = page.ok_or(Error::NotFound)?;
        Ok(template::preview(&self.shared.bundle, &page))
    }

    /// A file of the UI bundle by its public path, `/assets/…`, `/admin`.
    pub fn asset(&self, path: &str) -> Option<Arc<Page>> {
        self.shared.bundle.files.get(path).map(Arc::clone)
    }

    /// The picture of a page that messengers show, `/social/….jpg`. Blocks while it is drawn.
    pub fn social(&self, path: &str) -> Option<Arc<Page>> {
        self.social.picture(&*self.pages()?, path)
    }
}

/// A lock whose holder panicked still guards whole values: they are replaced, never edited.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
