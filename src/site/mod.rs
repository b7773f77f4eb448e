//! The published site: every public answer in memory, already compressed, swapped whole.

use crate::content::Snapshot;
use crate::error::Result;
use std::collections::BTreeMap;
use std::sync::Arc;

/// One public answer, ready to send in three encodings. Slices are cheap clones.
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
#[derive(Debug)]
pub struct Pages {
    pub by_path: BTreeMap<String, Arc<Page>>,
    /// Former paths: 301 to the new one.
    pub redirects: BTreeMap<String, String>,
    pub not_found: Arc<Page>,
    pub event_not_found: Arc<Page>,
    pub article_not_found: Arc<Page>,
    /// What it was made from: the public API filters it.
    pub snapshot: Arc<Snapshot>,
}

/// How the last publish went, for the panel.
#[derive(Debug, Clone)]
pub struct PublishState {
    pub ok: bool,
    pub at: crate::content::Timestamp,
    pub error: Option<String>,
}

#[derive(Debug)]
pub struct Site {
    _private: (),
}

#[expect(clippy::todo, reason = "signatures first; the site fills them in")]
impl Site {
    /// Starts the renderer and publishes nothing yet.
    pub fn start() -> Result<Self> {
        todo!()
    }
    /// Renders what changed, compresses, swaps. On error the old site stays up. Blocks.
    pub fn publish(&self, _snapshot: Snapshot, _now: crate::content::Timestamp) -> Result<()> {
        todo!()
    }
    /// The published site; `None` before the first publish.
    pub fn pages(&self) -> Option<Arc<Pages>> {
        todo!()
    }
    pub fn state(&self) -> Option<PublishState> {
        todo!()
    }
    /// One page from a snapshot that is not published: previews. Blocks.
    pub fn preview(&self, _snapshot: &Snapshot, _path: &str) -> Result<String> {
        todo!()
    }
    /// A file of the UI bundle by its public path, `/assets/…`, `/admin`.
    pub fn asset(&self, _path: &str) -> Option<Arc<Page>> {
        todo!()
    }
}
