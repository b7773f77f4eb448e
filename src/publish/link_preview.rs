//! Link-preview images: the title of a page on a drawn background.
//!
//! Drawn on request, one at a time, and cached: most are never requested.

use super::compress::{self, AssetMeta};
use super::headers::FOR_AN_HOUR;
use super::{Error, Page, Pages, Result, locked};
use respiro_content::item::picture_of;
use respiro_content::typography::apostrophes;
use respiro_content::{COLLECTIONS, Snapshot};
use respiro_media::{Background, sandbox};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// Maximum number of cached images, of up to 250 kB each.
const PICTURES_MAX: usize = 24;
const PREFIX: &str = "/social";
const SUFFIX: &str = ".jpg";

/// Title and brand line of an image.
pub type Words = (String, String);

/// A drawn image and the text on it.
#[derive(Debug)]
struct Drawn {
    words: Words,
    page: Arc<Page>,
    /// Grows with every use, for LRU eviction.
    used: u64,
}

#[derive(Debug, Default)]
pub(super) struct Social {
    /// The program whose sandboxed process draws; `None` draws in this process.
    pub(super) program: Option<PathBuf>,
    drawn: Mutex<BTreeMap<String, Drawn>>,
}

/// The state of a page's image.
#[derive(Debug)]
pub enum SocialPicture {
    Drawn(Arc<Page>),
    /// To be drawn with this text.
    ToDraw(Words),
}

impl Social {
    /// Returns the image at `path`; `None` if no page has it. Never waits for a drawing.
    pub(super) fn picture(&self, pages: &Pages, path: &str) -> Option<SocialPicture> {
        let words = words_of(pages, path)?;
        let mut drawn = locked(&self.drawn);
        let now = next_use(&drawn);
        Some(match drawn.get_mut(path) {
            Some(known) if known.words == words => {
                known.used = now;
                SocialPicture::Drawn(Arc::clone(&known.page))
            }
            _ => SocialPicture::ToDraw(words),
        })
    }

    /// Draws an image. Slow.
    pub(super) fn render(
        &self,
        background: Background<'_>,
        title: &str,
        brand: &str,
    ) -> Result<Vec<u8>> {
        let drawn = sandbox::link_preview(self.program.as_deref(), background, title, brand);
        drawn
            .or(Err(Error::Unavailable("no process for pictures")))?
            .map_err(|refusal| Error::Internal(format!("social picture: {refusal:?}")))
    }

    /// Draws the image at `path` without holding the lock.
    pub(super) fn draw(&self, path: &str, words: Words) -> Option<Arc<Page>> {
        let (title, brand) = &words;
        let drawn = self.render(Background::Landscape(path), title, brand);
        let bytes = drawn
            .inspect_err(|error| tracing::warn!(%error, "cannot draw a social picture"))
            .ok()?;
        let meta = AssetMeta {
            content_type: "image/jpeg",
            cache_control: FOR_AN_HOUR,
            hash: &Sha256::digest(&bytes),
        };
        let page = Arc::new(compress::stored(&meta, bytes.into()));
        let mut drawn = locked(&self.drawn);
        if drawn.len() >= PICTURES_MAX {
            let oldest = drawn.iter().min_by_key(|(_, drawn)| drawn.used);
            if let Some(path) = oldest.map(|(path, _)| path.clone()) {
                drawn.remove(&path);
            }
        }
        let kept = Drawn {
            words,
            page: Arc::clone(&page),
            used: next_use(&drawn),
        };
        drawn.insert(path.to_owned(), kept);
        Some(page)
    }
}

fn next_use(drawn: &BTreeMap<String, Drawn>) -> u64 {
    drawn.values().map(|drawn| drawn.used).max().unwrap_or(0) + 1
}

/// Returns the title and the brand line of the image at `path`.
pub fn words_of(pages: &Pages, path: &str) -> Option<Words> {
    let mut pictures = pages
        .routes
        .iter()
        .filter_map(|route| route.social.as_ref());
    let title = if let Some(picture) = pictures.find(|picture| picture.path == path) {
        title_of(&pages.snapshot, &picture.words)
    } else {
        let name = path.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
        pages.item_at(name)?.1.text("title")?.to_owned()
    };
    Some(set((title, whose(&pages.snapshot))))
}

fn set((title, brand): Words) -> Words {
    let set = |text: &str| apostrophes(text).into_owned();
    (set(&title), set(&brand))
}

fn known<'a>(snapshot: &'a Snapshot, name: &str) -> Option<&'a str> {
    snapshot.settings.text(name).filter(|text| !text.is_empty())
}

/// Returns name and towns as far as they are set, otherwise the brand.
fn whose(snapshot: &Snapshot) -> String {
    match (known(snapshot, "practitioner"), known(snapshot, "towns")) {
        (Some(name), Some(towns)) => format!("{name}, {towns}"),
        (Some(name), None) => name.to_owned(),
        _ => brand_of(snapshot),
    }
}

fn brand_of(snapshot: &Snapshot) -> String {
    snapshot.settings.brand().to_owned()
}

/// Title and focal point by the id of a picture that a published item shows.
pub(super) type Captions = HashMap<String, (String, (u8, u8))>;

/// Of several items that show a picture, the first counts.
fn captions_of_items(snapshot: &Snapshot) -> Captions {
    let mut captions = Captions::new();
    for item in COLLECTIONS.iter().flat_map(|kind| snapshot.published(kind)) {
        if let Some(picture) = picture_of(item, &item.pictures) {
            let of_item = || {
                let title = item.text("title").unwrap_or_default().to_owned();
                let chosen = (item.focus("imageFocusX"), item.focus("imageFocusY"));
                (title, picture.focus(chosen))
            };
            captions.entry(picture.id.clone()).or_insert_with(of_item);
        }
    }
    captions
}

/// Returns the text and the focal point for the link preview of an uploaded picture. The text is
/// the title of the first published item that shows the picture. For a picture of the settings it
/// is the practitioner's name and towns.
pub fn caption(pages: &Pages, id: &str) -> (Words, (u8, u8)) {
    let snapshot = &*pages.snapshot;
    let captions = pages.captions.get_or_init(|| captions_of_items(snapshot));
    if let Some((title, focus)) = captions.get(id) {
        return (set((title.clone(), brand_of(snapshot))), *focus);
    }
    let settings = &snapshot.settings;
    if let Some(setting) = settings.picture_setting(id)
        && let Some(picture) = snapshot.pictures.get(id)
    {
        let brand = brand_of(snapshot);
        let name = known(snapshot, "practitioner").map_or_else(|| brand.clone(), str::to_owned);
        let towns = known(snapshot, "towns").map_or(brand, str::to_owned);
        return (set((name, towns)), picture.focus(settings.focus(setting)));
    }
    (set((String::new(), brand_of(snapshot))), (50, 50))
}

/// Returns the paths of all link-preview images of pages.
pub(super) fn paths(pages: &Pages) -> BTreeSet<String> {
    let routes = pages.routes.iter();
    let fixed = routes.filter_map(|route| Some(route.social.as_ref()?.path.clone()));
    let items = pages
        .item_paths()
        .filter(|path| pages.item_at(path).is_some());
    fixed
        .chain(items.map(|name| format!("{PREFIX}{name}{SUFFIX}")))
        .collect()
}

/// Returns the share title of a content block, or its title if the share title is empty.
fn title_of(snapshot: &Snapshot, block: &str) -> String {
    let own = snapshot.block_text(block, "shareTitle");
    if own.trim().is_empty() {
        snapshot.block_text(block, "title")
    } else {
        own
    }
}
