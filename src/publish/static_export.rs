//! Static export: lists the published site as files for any web host, with their names and bytes.

use super::generated_files::CALENDAR_ENDING;
use super::headers::{FOR_A_DAY, FOR_EVER, FRAME_POLICY, HEADERS, POLICY};
use super::html_template;
use super::link_preview::{self, SocialPicture};
use super::{
    Error, FEED_PATH, KEY, Page, PageEntry, Pages, Publisher, Result, WORDPRESS_FEED_PATHS,
    caption, words_of,
};
use bytes::Bytes;
use data_encoding::HEXLOWER;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use respiro_content::item::picture_of;
use respiro_content::picture::{MAIN, is_private_file};
use respiro_content::{COLLECTIONS, Picture, Snapshot, StoredFile};
use respiro_db::{self as db, Reader};
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

/// The admin panel needs the server and is not exported.
const PANEL: &str = "/admin";
const SOCIAL: &str = "social.jpg";
/// Characters that are percent-encoded in an address.
const NOT_PLAIN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');
/// Pages are revalidated on each request, as on the server.
const REVALIDATED: &str = "no-cache";
/// Path prefixes that need the server and are not exported, for the report.
pub const LEFT: &[&str] = &["/admin", "/api", "/newsletter", "/anteprima"];

/// Mapping from page addresses to file names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Names {
    /// `/chi-sono` is `chi-sono/index.html`.
    Folders,
    /// `/chi-sono` is `chi-sono.html`.
    Flat,
}

/// One file of the site.
#[derive(Debug)]
pub struct StaticFile {
    /// The address at which the server responds with the same bytes.
    pub path: String,
    /// Path below the export folder.
    pub name: String,
    pub cache_control: &'static str,
    pub is_page: bool,
    what: What,
}

#[derive(Debug)]
enum What {
    Published(ExportEntry),
    Stored(StoredFile),
    /// An uploaded picture with a title drawn on it, for link previews.
    Titled {
        main: StoredFile,
        id: String,
    },
}

/// Returns every file; files that pages name come before the pages.
pub fn files(site: &Publisher, pages: &Pages, names: Names) -> Vec<StaticFile> {
    let mut found = Vec::new();
    for picture in pictures(&pages.snapshot).values() {
        found.extend(variants(picture));
    }
    found.extend(titled(&pages.snapshot));
    for (path, what) in site.export_entries(pages) {
        let is_page = what.is_page();
        found.push(StaticFile {
            name: name_of(&path, is_page, names),
            cache_control: match &what {
                ExportEntry::File(page) => page.cache_control,
                ExportEntry::Social => FOR_A_DAY,
                ExportEntry::Page(_) => REVALIDATED,
            },
            is_page,
            path,
            what: What::Published(what),
        });
    }
    found
}

fn name_of(path: &str, is_page: bool, names: Names) -> String {
    let bare = path.trim_start_matches('/');
    // Hosts look for the nearest `404.html`, whatever the names of other pages.
    let is_missing = bare.rsplit('/').next() == Some("404");
    match (is_page, bare) {
        (false, _) => bare.to_owned(),
        (true, "") => "index.html".to_owned(),
        (true, _) if is_missing || names == Names::Flat => format!("{bare}.html"),
        (true, _) => format!("{bare}/index.html"),
    }
}

/// Returns the pictures that published items, content blocks and settings show.
fn pictures(snapshot: &Snapshot) -> BTreeMap<&String, &Picture> {
    let entries = COLLECTIONS.iter().flat_map(|kind| snapshot.published(kind));
    let of_items = entries.flat_map(|entry| &entry.pictures);
    snapshot.site_pictures().chain(of_items).collect()
}

fn folder(id: &str) -> String {
    format!("objects/uploads/{id}")
}

/// Returns the variants of a picture. The address without a variant would need a file and a folder
/// of the same name; pages name variants only.
fn variants(picture: &Picture) -> impl Iterator<Item = StaticFile> {
    let files = picture.files.iter();
    let served = files.filter(|(name, _)| !is_private_file(name));
    served.map(|(name, file)| {
        let name = format!("{}/{name}", folder(&picture.id));
        StaticFile {
            path: format!("/{name}"),
            name,
            cache_control: FOR_EVER,
            is_page: false,
            what: What::Stored(file.clone()),
        }
    })
}

/// Returns the link-preview images made from uploaded pictures: of items, settings and content
/// blocks.
fn titled(snapshot: &Snapshot) -> Vec<StaticFile> {
    let kinds = COLLECTIONS.iter().filter(|kind| kind.page.is_some());
    let entries = kinds.flat_map(|kind| snapshot.published(kind));
    let of_items = entries.filter_map(|entry| picture_of(entry, &entry.pictures));
    let own = snapshot.site_pictures().map(|(_, picture)| picture);
    let shown = own.chain(of_items);
    let mut known = BTreeSet::new();
    let files = shown.filter_map(|picture| {
        let main = picture.files.get(MAIN)?.clone();
        let name = format!("{}/{SOCIAL}", folder(&picture.id));
        known.insert(picture.id.clone()).then(|| StaticFile {
            path: format!("/{name}"),
            name,
            cache_control: FOR_A_DAY,
            is_page: false,
            what: What::Titled {
                main,
                id: picture.id.clone(),
            },
        })
    });
    files.collect()
}

/// Returns the bytes of a file and its media type. Blocks.
pub fn bytes(
    site: &Publisher,
    pages: &Pages,
    reader: &Reader<'_>,
    file: &StaticFile,
) -> Result<(Vec<u8>, String)> {
    match &file.what {
        What::Published(what) => {
            let given = site.export_bytes(pages, &file.path, what)?;
            Ok((given.bytes.to_vec(), given.content_type.to_owned()))
        }
        What::Stored(stored) => Ok((blob(reader, stored)?, stored.media_type.clone())),
        What::Titled { main, id } => {
            let (words, focus) = caption(pages, id);
            let bytes = site.draw_titled(&blob(reader, main)?, focus, &words)?;
            Ok((bytes, "image/jpeg".to_owned()))
        }
    }
}

impl StaticFile {
    /// Returns a hash of the inputs if the bytes are expensive to produce; equal hashes mean equal
    /// bytes. `None` for other files.
    pub fn mark(&self, pages: &Pages) -> Option<String> {
        let of = |parts: &[&[u8]]| {
            let mut hash = Sha256::new_with_prefix(env!("CARGO_PKG_VERSION"));
            for part in parts {
                hash.update(part.len().to_le_bytes());
                hash.update(part);
            }
            Some(HEXLOWER.encode(&hash.finalize()))
        };
        match &self.what {
            What::Stored(stored) => Some(HEXLOWER.encode(&stored.hash)),
            What::Titled { main, id } => {
                let ((title, brand), focus) = caption(pages, id);
                of(&[
                    &main.hash,
                    title.as_bytes(),
                    brand.as_bytes(),
                    &[focus.0, focus.1],
                ])
            }
            What::Published(ExportEntry::Social) => {
                let (title, brand) = words_of(pages, &self.path)?;
                of(&[b"social", title.as_bytes(), brand.as_bytes()])
            }
            What::Published(_) => None,
        }
    }

    /// Returns the page entry of a page. A publish that changes the page gives it another page
    /// entry.
    pub fn page_entry(&self) -> Option<&Arc<PageEntry>> {
        match &self.what {
            What::Published(ExportEntry::Page(page_entry)) => Some(page_entry),
            _ => None,
        }
    }
}

fn blob(reader: &Reader<'_>, stored: &StoredFile) -> Result<Vec<u8>> {
    let missing = || {
        Error::Db(db::Error::Storage(
            "the bytes of a picture are missing".to_owned(),
        ))
    };
    reader.blobs().get(&stored.hash)?.ok_or_else(missing)
}

/// Returns the page in place of one that cannot be rendered and whose former text is outdated.
pub fn renewal_page() -> Vec<u8> {
    let page = html_template::renewal_page().bytes;
    html_template::in_files(&String::from_utf8_lossy(&page)).into_bytes()
}

/// Returns `_redirects` for static hosts: former addresses, and pictures without a variant's name.
pub fn redirects(pages: &Pages) -> String {
    let mut text = String::new();
    // These hosts ignore the query of an address.
    let redirects = pages.redirects();
    for (from, to) in redirects.iter().filter(|(from, _)| !from.contains('?')) {
        let from = utf8_percent_encode(from, NOT_PLAIN);
        let _ = writeln!(text, "{from} {to} 301");
    }
    for from in WORDPRESS_FEED_PATHS {
        if pages.find(from).is_none() && !redirects.contains_key(*from) {
            let _ = writeln!(text, "{from} {FEED_PATH} 301");
        }
    }
    // After the fixed paths: the first line that matches counts.
    for (from, to) in pages.former_patterns() {
        let _ = writeln!(text, "{} {} 301", named(from), named(to));
    }
    for picture in pictures(&pages.snapshot).values() {
        let files = picture.widths.iter().rev();
        let mut widest = files.map(|width| format!("{width}.jpg"));
        if let Some(name) = widest.find(|name| picture.files.contains_key(name)) {
            let folder = folder(&picture.id);
            let _ = writeln!(text, "/{folder} /{folder}/{name} 302");
        }
    }
    text
}

/// Returns the addresses whose query the page's script reads on a static host, for the report.
pub fn need_javascript(pages: &Pages) -> impl Iterator<Item = String> {
    pages.query_paths().map(|path| path.replace(KEY, "ID"))
}

/// Returns a path of the route table in the syntax of `_redirects`.
fn named(path: &str) -> String {
    path.replace(KEY, ":key")
}

/// Returns `_headers` for static hosts: the headers that the server sends with each response. Each
/// page names its own policy, except for what only a header can say.
pub fn headers(files: &[StaticFile]) -> String {
    let mut text = String::from("/*\n");
    for (name, value) in HEADERS {
        let value = if *name == POLICY { FRAME_POLICY } else { value };
        let _ = writeln!(text, "  {name}: {value}");
    }
    let _ = write!(
        text,
        "\n/assets/*\n  cache-control: {FOR_EVER}\n  access-control-allow-origin: *\n"
    );
    let _ = write!(text, "\n/objects/uploads/*\n  cache-control: {FOR_EVER}\n");
    // Some hosts append a later rule for the same header, so only files that no rule above covers
    // get one.
    for file in files.iter().filter(|file| !file.is_page) {
        let is_ruled = file.name.starts_with("assets/") || file.name.starts_with("objects/");
        if !is_ruled && file.cache_control != REVALIDATED {
            let _ = write!(
                text,
                "\n{}\n  cache-control: {}\n",
                file.path, file.cache_control
            );
        }
    }
    text.push_str("\n/feed.xml\n  content-type: application/atom+xml; charset=utf-8\n");
    text
}

/// The content of a public address.
#[derive(Debug, Clone)]
pub enum ExportEntry {
    Page(Arc<PageEntry>),
    /// A file of the UI bundle, or an iCalendar file.
    File(Arc<Page>),
    /// The link-preview image of a page.
    Social,
}

/// Uncompressed content and its media type.
#[derive(Debug, Clone)]
pub struct ExportedFile {
    pub content_type: &'static str,
    pub bytes: Bytes,
}

impl ExportedFile {
    pub(super) fn of(page: &Page) -> Self {
        Self {
            content_type: page.content_type,
            bytes: page.plain(),
        }
    }
}

impl ExportEntry {
    /// Returns whether it is a page with an address of its own or a "not found" screen, not a file.
    pub fn is_page(&self) -> bool {
        matches!(self, Self::Page(page_entry) if page_entry.shown().is_some())
    }
}

impl Publisher {
    /// Returns every public address except those of uploaded pictures. Files come before the pages
    /// that name them, so that a sequential upload never publishes a page whose files are missing.
    pub fn export_entries(&self, pages: &Pages) -> Vec<(String, ExportEntry)> {
        let mut found = Vec::new();
        let assets = self.shared.bundle.files.iter();
        for (path, page) in assets.filter(|(path, _)| *path != PANEL) {
            found.push((path.clone(), ExportEntry::File(Arc::clone(page))));
        }
        // Sorted, so that the same site always gives the same list.
        let mut items: Vec<&str> = pages.item_paths().collect();
        items.sort_unstable();
        found.extend(
            link_preview::paths(pages)
                .into_iter()
                .map(|path| (path, ExportEntry::Social)),
        );
        for page in items {
            let path = format!("{page}{CALENDAR_ENDING}");
            if let Some(calendar) = self.calendar(&path) {
                found.push((path, ExportEntry::File(calendar)));
            }
        }
        // A static host serves one file for all queries of a path.
        let page_entries = pages
            .all()
            .filter(|page_entry| !page_entry.path.contains('?'));
        let page_entries = page_entries.filter(|page_entry| {
            let published = pages.find(&page_entry.path);
            published.is_some_and(|published| Arc::ptr_eq(published, page_entry))
        });
        let mut page_entries: Vec<_> = page_entries.chain(pages.missing_screens()).collect();
        page_entries
            .sort_by_key(|page_entry| (page_entry.shown().is_none(), page_entry.path.clone()));
        found.extend(page_entries.into_iter().map(|page_entry| {
            let page = ExportEntry::Page(Arc::clone(page_entry));
            (page_entry.path.clone(), page)
        }));
        found
    }

    /// Returns the content of such an address as a static host serves it. Blocks while it is
    /// rendered.
    pub fn export_bytes(
        &self,
        pages: &Pages,
        path: &str,
        what: &ExportEntry,
    ) -> Result<ExportedFile> {
        let page = match what {
            ExportEntry::Page(page_entry) => return self.shared.static_bytes(pages, page_entry),
            ExportEntry::File(page) => Arc::clone(page),
            ExportEntry::Social => match self.social(path).ok_or(Error::NotFound)? {
                SocialPicture::Drawn(page) => page,
                SocialPicture::ToDraw(words) => self
                    .draw_social(path, words)
                    .ok_or(Error::Unavailable("a social picture could not be drawn"))?,
            },
        };
        Ok(ExportedFile::of(&page))
    }
}
