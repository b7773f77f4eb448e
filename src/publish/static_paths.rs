//! Lists the part of the published site that a static host can serve, address by address.

use super::generated_files::CALENDAR_ENDING;
use super::link_preview::{self, SocialPicture};
use super::{Error, Result};
use super::{Page, PageEntry, Pages, Publisher};
use bytes::Bytes;
use std::sync::Arc;

/// The admin panel needs the server and is not exported.
const PANEL: &str = "/admin";

/// The content of a public address.
#[derive(Debug, Clone)]
pub enum Outward {
    Page(Arc<PageEntry>),
    /// A file of the UI bundle, or an iCalendar file.
    File(Arc<Page>),
    /// The link-preview image of a page.
    Social,
}

/// Uncompressed content and its media type.
#[derive(Debug, Clone)]
pub struct Given {
    pub content_type: &'static str,
    pub bytes: Bytes,
}

impl Given {
    pub(super) fn of(page: &Page) -> Self {
        Self {
            content_type: page.content_type,
            bytes: page.plain(),
        }
    }
}

impl Outward {
    /// Returns whether it is a page with an address of its own or a "not found" screen, not a file.
    pub fn is_page(&self) -> bool {
        matches!(self, Self::Page(slot) if slot.shown().is_some())
    }
}

impl Publisher {
    /// Returns every public address except those of uploaded pictures. Files come before the pages
    /// that name them, so that a sequential upload never publishes a page whose files are missing.
    pub fn outward(&self, pages: &Pages) -> Vec<(String, Outward)> {
        let mut found = Vec::new();
        let assets = self.shared.bundle.files.iter();
        for (path, page) in assets.filter(|(path, _)| *path != PANEL) {
            found.push((path.clone(), Outward::File(Arc::clone(page))));
        }
        // Sorted, so that the same site always gives the same list.
        let mut items: Vec<&str> = pages.item_paths().collect();
        items.sort_unstable();
        found.extend(
            link_preview::paths(pages)
                .into_iter()
                .map(|path| (path, Outward::Social)),
        );
        for page in items {
            let path = format!("{page}{CALENDAR_ENDING}");
            if let Some(calendar) = self.calendar(&path) {
                found.push((path, Outward::File(calendar)));
            }
        }
        // A static host serves one file for all queries of a path.
        let slots = pages.all().filter(|slot| !slot.path.contains('?'));
        let slots = slots.filter(|slot| {
            let published = pages.find(&slot.path);
            published.is_some_and(|published| Arc::ptr_eq(published, slot))
        });
        let mut slots: Vec<_> = slots.chain(pages.missing_screens()).collect();
        slots.sort_by_key(|slot| (slot.shown().is_none(), slot.path.clone()));
        found.extend(slots.into_iter().map(|slot| {
            let page = Outward::Page(Arc::clone(slot));
            (slot.path.clone(), page)
        }));
        found
    }

    /// Returns the content of such an address as a static host serves it. Blocks while it is
    /// rendered.
    pub fn outward_bytes(&self, pages: &Pages, path: &str, what: &Outward) -> Result<Given> {
        let page = match what {
            Outward::Page(slot) => return self.shared.static_bytes(pages, slot),
            Outward::File(page) => Arc::clone(page),
            Outward::Social => match self.social(path).ok_or(Error::NotFound)? {
                SocialPicture::Drawn(page) => page,
                SocialPicture::ToDraw(words) => self
                    .draw_social(path, words)
                    .ok_or(Error::Unavailable("a social picture could not be drawn"))?,
            },
        };
        Ok(Given::of(&page))
    }
}
