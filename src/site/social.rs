//! The pictures that messengers show beside a link: a page's title on the site's ground.
//!
//! Drawn when somebody asks, one at a time, and kept for the next: most are never asked for.

use super::compress::{self, Known};
use super::headers::FOR_AN_HOUR;
use super::{Page, Pages, locked};
use crate::content::item::picture_of;
use crate::content::typography::apostrophes;
use crate::content::{KINDS, Snapshot};
use crate::images::{self, Background};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

/// Pictures kept in memory, of up to 250 kB each.
const PICTURES_MAX: usize = 24;
const PREFIX: &str = "/social";
const SUFFIX: &str = ".jpg";

/// Title and brand.
pub type Words = (String, String);

/// A drawn picture and the words on it.
#[derive(Debug)]
struct Drawn {
    words: Words,
    page: Arc<Page>,
    /// Grows with every use: the least recently used one makes room.
    used: u64,
}

#[derive(Debug, Default)]
pub(super) struct Social {
    drawn: Mutex<BTreeMap<String, Drawn>>,
}

/// A page's picture as it stands.
#[derive(Debug)]
pub enum SocialPicture {
    Drawn(Arc<Page>),
    /// With these words on it.
    ToDraw(Words),
}

impl Social {
    /// The picture at `path`; `None` when no page has it. Never waits for a drawing.
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

    /// Draws the picture at `path`, the lock open meanwhile.
    pub(super) fn draw(&self, path: &str, words: Words) -> Option<Arc<Page>> {
        let (title, brand) = &words;
        let bytes = images::social(Background::Landscape(path), title, brand)
            .inspect_err(|refusal| tracing::warn!(?refusal, "cannot draw a social picture"))
            .ok()?;
        let known = Known {
            content_type: "image/jpeg",
            cache_control: FOR_AN_HOUR,
            hash: &Sha256::digest(&bytes),
        };
        let page = Arc::new(compress::stored(&known, bytes.into()));
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

/// Title and brand on the picture at `path`.
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

/// Name and towns, as far as they are known; before that the brand.
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

/// What stands on an uploaded picture when messengers show it, and where its middle is: title and
/// focal point of the first published item that shows it. On her own pictures: who she is, and
/// where.
pub fn caption(snapshot: &Snapshot, id: &str) -> (Words, (u8, u8)) {
    let items = KINDS.iter().flat_map(|kind| snapshot.published(kind));
    for item in items {
        let shown = picture_of(item, &item.pictures).filter(|picture| picture.id == id);
        if let Some(picture) = shown {
            let title = item.text("title").unwrap_or_default().to_owned();
            let chosen = (item.focus("imageFocusX"), item.focus("imageFocusY"));
            return (set((title, brand_of(snapshot))), picture.focus(chosen));
        }
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

/// Every page's picture by its path.
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

/// What a block says of its page where it is shared; where nothing of its own, what it is called.
fn title_of(snapshot: &Snapshot, block: &str) -> String {
    let own = snapshot.block_text(block, "shareTitle");
    if own.trim().is_empty() {
        snapshot.block_text(block, "title")
    } else {
        own
    }
}
