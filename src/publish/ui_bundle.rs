//! The built UI, ready to serve: its files as responses, its manifest, the renderer's source.

use super::Page;
use super::compress::{self, AssetMeta, UncompressedResponse};
use super::critical_css::StyleSheet;
use super::html_template::bar;
use super::ui_assets::{EmbeddedFile, UiAssets};
use super::{Error, Result};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

const MANIFEST: &str = ".vite/manifest.json";
/// Text files are embedded in these two encodings only.
const BROTLI: &str = ".br";
const GZIP: &str = ".gz";
/// The document of the admin panel and the path it is served at.
const PANEL: &str = "admin.html";
const PANEL_PATH: &str = "/admin";
/// Older iPhones and bookmark programs request the icon by its second path only.
const TOUCH_ICON: &str = "apple-touch-icon.png";
const TOUCH_ICON_LEGACY_PATH: &str = "/apple-touch-icon-precomposed.png";
/// Folder of files whose names contain the hash of their content.
const HASHED: &str = "assets/";
const YEAR: &str = "public, max-age=31536000, immutable";
const DAY: &str = "public, max-age=86400";
const NEVER: &str = "no-store";

/// One chunk of the manifest that Vite writes.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(default)]
struct Chunk {
    file: String,
    imports: Vec<String>,
}

/// The built UI, ready to serve.
#[derive(Debug, Default)]
pub struct Bundle {
    /// Source of the script that renders the pages.
    pub server: Cow<'static, str>,
    /// Served files by public path.
    pub files: BTreeMap<String, Arc<Page>>,
    /// Hash of the renderer's source and the manifest.
    pub(super) hash: [u8; 32],
    chunks: BTreeMap<String, Chunk>,
    /// The style sheet of all pages, parsed and as it was embedded.
    pub(super) style: StyleSheet,
    pub(super) style_rules: &'static [u8],
    /// Text of the bar on top of every page; `None` for the site as it normally is.
    pub(super) bar: Option<&'static str>,
}

impl Bundle {
    /// Decompresses and indexes the built UI.
    pub fn from_assets(assets: &UiAssets) -> Result<Self> {
        let client = |path: &str| assets.client.iter().find(|file| file.path == path);
        let manifest = client(MANIFEST).ok_or_else(|| broken(MANIFEST))?;
        let chunks = serde_json::from_slice(&manifest.bytes)
            .map_err(|error| broken(&format!("{MANIFEST}: {error}")))?;
        let mut hash = Sha256::new();
        for file in [manifest, &assets.renderer] {
            hash.update(file.sha256);
        }
        let source = compress::unpacked(&assets.renderer.bytes)
            .map_err(|error| error.to_string())
            .and_then(|plain| String::from_utf8(plain).map_err(|error| error.to_string()));
        Ok(Self {
            server: source.map_err(|error| broken(&error))?.into(),
            files: served_files(&assets.client),
            hash: hash.finalize().into(),
            chunks,
            style: StyleSheet::from_gzip(assets.style_rules)?,
            style_rules: assets.style_rules,
            bar: None,
        })
    }

    /// Puts a bar with this text on top of every page and of the panel. Part of the key of cached
    /// pages, so no page with a bar is served without it later, or the other way round.
    pub fn with_bar(mut self, text: &'static str) -> Result<Self> {
        self.bar = Some(text);
        if let Some(panel) = self.files.get(PANEL_PATH) {
            let html = String::from_utf8(panel.plain().into())
                .map_err(|error| broken(&format!("{PANEL}: {error}")))?;
            let html = html.replacen("<body>", &format!("<body>{}", bar(Some(text))), 1);
            let raw = UncompressedResponse::ok("text/html; charset=utf-8", html);
            let page = compress::page(raw, NEVER);
            self.files.insert(PANEL_PATH.to_owned(), Arc::new(page));
        }
        Ok(self)
    }

    /// Returns a bundle of a renderer alone, without files for the browser.
    pub fn of_renderer(server: &'static str) -> Self {
        Self {
            server: server.into(),
            hash: Sha256::digest(server).into(),
            ..Self::default()
        }
    }

    /// Returns the built file of a source file.
    pub(super) fn file(&self, source: &str) -> Option<&str> {
        self.chunks.get(source).map(|chunk| chunk.file.as_str())
    }

    /// Returns every script that the browser loads at once for a page, dependencies first.
    pub(super) fn scripts(&self, program: &str, page: &str) -> Vec<&str> {
        self.needed(program, page)
            .into_iter()
            .map(|chunk| chunk.file.as_str())
            .collect()
    }

    /// Returns the chunks of a program and a page with all their imports, each once.
    fn needed(&self, program: &str, page: &str) -> Vec<&Chunk> {
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        for source in [program, page] {
            self.gather(source, &mut seen, &mut found);
        }
        found
    }

    fn gather<'a>(
        &'a self,
        source: &str,
        seen: &mut BTreeSet<&'a str>,
        found: &mut Vec<&'a Chunk>,
    ) {
        let Some((name, chunk)) = self.chunks.get_key_value(source) else {
            return;
        };
        if !seen.insert(name) {
            return;
        }
        for import in &chunk.imports {
            self.gather(import, seen, found);
        }
        found.push(chunk);
    }
}

fn broken(what: &str) -> Error {
    Error::Internal(format!("the UI inside the program is broken: {what}"))
}

/// Returns the embedded files that are served; hidden files are not.
fn served_files(client: &[EmbeddedFile]) -> BTreeMap<String, Arc<Page>> {
    let by_path: HashMap<&str, &EmbeddedFile> =
        client.iter().map(|file| (&*file.path, file)).collect();
    let mut files = BTreeMap::new();
    for file in client {
        if file.path.ends_with(BROTLI) || file.path.starts_with('.') {
            continue;
        }
        let name = file.path.strip_suffix(GZIP).unwrap_or(&file.path);
        let (path, cache_control) = match name {
            PANEL => (PANEL_PATH.to_owned(), NEVER),
            name if name.starts_with(HASHED) => (format!("/{name}"), YEAR),
            name => (format!("/{name}"), DAY),
        };
        let meta = AssetMeta {
            content_type: content_type(name),
            cache_control,
            hash: &file.sha256,
        };
        let page = if name == file.path {
            compress::stored(&meta, file.shared_bytes())
        } else {
            let brotli = by_path.get(&*format!("{name}{BROTLI}"));
            let brotli = brotli.map(|file| file.shared_bytes());
            compress::packed(&meta, brotli, file.shared_bytes())
        };
        let page = Arc::new(page);
        if name == TOUCH_ICON {
            files.insert(TOUCH_ICON_LEGACY_PATH.to_owned(), Arc::clone(&page));
        }
        files.insert(path, page);
    }
    files
}

fn content_type(name: &str) -> &'static str {
    match mime_guess::from_path(name).first_raw() {
        Some("text/javascript" | "application/javascript") => "text/javascript; charset=utf-8",
        Some("text/css") => "text/css; charset=utf-8",
        Some("text/html") => "text/html; charset=utf-8",
        Some(known) => known,
        None => "application/octet-stream",
    }
}
