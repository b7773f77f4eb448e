//! What of the published site a host of plain files can serve, address by address.

use super::files::CALENDAR_ENDING;
use super::social::{self, SocialPicture};
use super::{Page, Pages, Site, Slot};
use crate::error::{Error, Result};
use bytes::Bytes;
use std::sync::Arc;

/// The panel is nothing without the program.
const PANEL: &str = "/admin";

/// What stands at a public address.
#[derive(Debug, Clone)]
pub enum Outward {
    Page(Arc<Slot>),
    /// A file of the program, or one made on the spot.
    File(Arc<Page>),
    /// The picture of a page that messengers show.
    Social,
}

/// What stands there, as it is.
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
    /// Whether it is a page that people read, and none of what stands where nothing is.
    pub fn is_page(&self) -> bool {
        matches!(self, Self::Page(slot) if slot.shown().is_some())
    }
}

impl Site {
    /// Every public address but those of uploaded pictures: files that pages name first, pages
    /// last, so that who puts them up one by one never shows a page whose files are not there.
    pub fn outward(&self, pages: &Pages) -> Vec<(String, Outward)> {
        let mut found = Vec::new();
        let assets = self.shared.bundle.files.iter();
        for (path, page) in assets.filter(|(path, _)| *path != PANEL) {
            found.push((path.clone(), Outward::File(Arc::clone(page))));
        }
        // In one order, whatever the table of pages is in: the same site gives the same files.
        let mut items: Vec<&str> = pages.item_paths().collect();
        items.sort_unstable();
        found.extend(
            social::paths(pages)
                .into_iter()
                .map(|path| (path, Outward::Social)),
        );
        for page in items {
            let path = format!("{page}{CALENDAR_ENDING}");
            if let Some(calendar) = self.calendar(&path) {
                found.push((path, Outward::File(calendar)));
            }
        }
        let slots = pages.all().filter(|slot| {
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

    /// What such an address gives, where nothing answers but files. Blocks while it is made.
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
