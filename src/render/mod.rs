//! Renders pages with the UI's own components. The only place that names rquickjs.

use crate::error::Result;

/// One page to publish, as the bundle's `plan` lists it.
#[derive(Debug, Clone, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlannedPage {
    pub path: String,
    /// The page's data as a JSON string.
    pub slice: String,
    pub kind: PageKind,
    pub sitemap: bool,
    pub last_modified: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PageKind {
    Page,
    NotFound,
    EventNotFound,
    ArticleNotFound,
}

/// One rendered page.
#[derive(Debug, Clone, serde::Deserialize)]
pub struct RenderedPage {
    pub status: u16,
    pub head: String,
    pub html: String,
    /// Source file of the page's chunk, a key of the bundle's manifest.
    pub entry: String,
}

/// The whole plan, and the pages that were wanted, by path.
#[derive(Debug, Default)]
pub struct Rendering {
    pub plan: Vec<PlannedPage>,
    pub pages: Vec<(String, RenderedPage)>,
}

/// What one publish asks for: `plan`, then the pages that `wanted` picks.
#[derive(Debug)]
pub struct Renderer {
    _private: (),
}

#[expect(clippy::todo, reason = "signatures first; the renderer fills them in")]
impl Renderer {
    /// Starts the render thread on this bundle source.
    pub fn start(_bundle: &'static str) -> Result<Self> {
        todo!()
    }

    /// Plans from a snapshot and renders the pages `wanted` picks, in one fresh context, under a
    /// deadline and a memory limit. Blocks: call it off the request threads.
    pub fn render(
        &self,
        _snapshot: String,
        _wanted: Box<dyn Fn(&PlannedPage) -> bool + Send>,
    ) -> Result<Rendering> {
        todo!()
    }
}
