//! Which pages there are and which items each shows, taken over from the former publish where
//! nothing of that changed.

use super::shown_pictures::ShownPictures;
use super::slot::{Shown, Slot};
use crate::block_definitions;
use crate::content::{Entry, Kind, Picture, Snapshot, Timestamp, kind_by_slug};
use crate::render::{Route, RouteKind};
use jiff::civil::Date;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

pub(super) type ByPath = HashMap<String, Arc<Slot>>;

/// Everything published at one moment. Paths are exact and without a trailing slash.
#[derive(Debug)]
pub struct Pages {
    /// What it was made from: the public API filters it.
    pub snapshot: Arc<Snapshot>,
    /// Former paths: 301 to the new one.
    pub redirects: BTreeMap<String, String>,
    pub(super) today: Date,
    pub(super) routes: Arc<[Route]>,
    /// What every page reads, as JSON text.
    pub(super) site: Arc<str>,
    /// In the order of the routes.
    pub(super) sections: Vec<Section>,
    /// Addresses that do not depend on an item's key.
    pub(super) fixed: ByPath,
    /// By kind.
    pub(super) pictures: Vec<Arc<ShownPictures>>,
}

/// The pages of one row of the table of routes.
#[derive(Debug, Clone)]
pub(super) struct Section {
    pub(super) slots: Arc<Vec<Arc<Slot>>>,
    /// Where each item has a page.
    pub(super) by_path: Option<Arc<ByPath>>,
}

impl Pages {
    /// Whether what is past and what is to come was told apart on this very day.
    pub fn is_of(&self, day: Date) -> bool {
        self.today == day
    }

    /// The page or file at this very path.
    pub fn find(&self, path: &str) -> Option<&Arc<Slot>> {
        self.fixed.get(path).or_else(|| {
            let mut keyed = self.keyed().filter(|(prefix, _)| path.starts_with(prefix));
            keyed.find_map(|(_, by_path)| by_path.get(path))
        })
    }

    /// Whether visitors find a page at this very path.
    pub fn has_page(&self, path: &str) -> bool {
        self.find(path).is_some_and(|slot| slot.is_page())
    }

    /// A picture that something published shows.
    pub fn picture(&self, id: &str) -> Option<&Picture> {
        let own = self.snapshot.site_picture(id);
        own.or_else(|| self.pictures.iter().find_map(|shown| shown.find(id)))
    }

    /// Prefix and pages of the routes whose pages are named by items.
    fn keyed(&self) -> impl Iterator<Item = (&str, &ByPath)> {
        let rows = self.sections.iter().zip(self.routes.iter());
        rows.filter_map(|(section, route)| {
            let prefix = route.path.split('{').next()?;
            Some((prefix, &**section.by_path.as_ref()?))
        })
    }

    /// What stands at a path where nothing is.
    pub fn missing(&self, path: &str) -> Option<&Arc<Slot>> {
        let one_below = |prefix: &str| {
            path.strip_prefix(prefix)
                .is_some_and(|rest| !rest.is_empty() && !rest.contains('/'))
        };
        let mut general = None;
        for (section, route) in self.sections.iter().zip(self.routes.iter()) {
            let RouteKind::Missing { prefix, .. } = &route.kind else {
                continue;
            };
            match prefix {
                Some(prefix) if one_below(prefix) => return section.slots.first(),
                Some(_) => {}
                None => general = section.slots.first(),
            }
        }
        general
    }

    /// What a handler shows below an address of its own.
    pub fn screen(&self, name: &str) -> Option<&Arc<Slot>> {
        let mut rows = self.sections.iter().zip(self.routes.iter());
        let is_screen = |route: &Route| matches!(route.kind, RouteKind::Screen { .. });
        let found = rows.find(|(_, route)| is_screen(route) && route.path == name);
        found.and_then(|(section, _)| section.slots.first())
    }

    /// Every slot: pages in the order of routes and lists, then files.
    pub fn all(&self) -> impl Iterator<Item = &Arc<Slot>> {
        let files = self.fixed.values().filter(|slot| slot.shown().is_none());
        let slots = self
            .sections
            .iter()
            .flat_map(|section| section.slots.iter());
        slots.chain(files)
    }

    /// Every page that search engines may know, in the order of routes and lists.
    pub(super) fn listed(&self) -> impl Iterator<Item = &Arc<Slot>> {
        let rows = self.sections.iter().zip(self.routes.iter());
        rows.filter(|(_, route)| route.sitemap)
            .flat_map(|(section, _)| section.slots.iter())
    }

    /// When the newest of what a page shows was changed: its items, and its blocks of words. Those
    /// that all pages have make none of them new, and a setting has no day.
    pub(super) fn last_modified(&self, shown: &Shown) -> Option<Timestamp> {
        let table = block_definitions::table().ok();
        let is_own = |id: &&String| {
            let block = table.and_then(|table| table.find(id));
            block.is_some_and(|block| block.pages.iter().all(|page| page != "*"))
        };
        let row = self.routes.get(shown.route);
        let blocks = row.into_iter().flat_map(|row| &row.words).filter(is_own);
        let saved = blocks.filter_map(|id| Some(self.snapshot.blocks.get(id)?.changed_at));
        saved
            .filter(|at| *at > 0)
            .chain(shown.last_modified())
            .max()
    }

    /// The pages that are named by items.
    pub(super) fn item_paths(&self) -> impl Iterator<Item = &str> {
        self.keyed()
            .flat_map(|(_, by_path)| by_path.keys().map(String::as_str))
    }

    /// The screens that stand where nothing is, each with the path that the renderer gave it.
    pub(super) fn missing_screens(&self) -> impl Iterator<Item = &Arc<Slot>> {
        let rows = self.sections.iter().zip(self.routes.iter());
        rows.filter(|(_, route)| matches!(route.kind, RouteKind::Missing { .. }))
            .filter_map(|(section, _)| section.slots.first())
    }

    /// The item whose own page is at this path: no other page about it has files of its own.
    pub(super) fn item_at(&self, path: &str) -> Option<(&'static Kind, &Arc<Entry>)> {
        self.item_of(path)
            .filter(|(kind, entry)| entry.page_path(kind).as_deref() == Some(path))
    }

    /// The item that the page at this path is about.
    fn item_of(&self, path: &str) -> Option<(&'static Kind, &Arc<Entry>)> {
        let mut keyed = self.keyed().filter(|(prefix, _)| path.starts_with(prefix));
        let shown = keyed.find_map(|(_, by_path)| by_path.get(path))?.shown()?;
        let row = self.routes.get(shown.route)?;
        let (place, read) = row.each()?;
        let entry = shown.reads.get(place)?.entries.first()?;
        Some((kind_by_slug(&read.of)?, entry))
    }

    /// What the item is called that the page at a path is about.
    pub fn title_at(&self, path: &str) -> Option<&str> {
        self.item_of(path)?.1.text("title")
    }

    /// A page that took a former path over wins.
    pub(super) fn resolved_redirects(&self) -> BTreeMap<String, String> {
        let mut redirects = self.snapshot.redirects();
        for route in self.routes.iter() {
            let former = route.former_paths.iter();
            redirects.extend(former.map(|path| (path.clone(), route.path.clone())));
        }
        redirects.retain(|from, to| self.find(from).is_none() && self.find(to).is_some());
        redirects
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::{Changes, Item, Pictures, time};
    use serde_json::json;

    fn event(id: &str, title: &str, updated_at: i64) -> (String, Option<Entry>) {
        let kind = kind_by_slug("events").unwrap();
        let body = json!({ "title": title, "date": "3 marzo 2030", "published": true });
        let changes = Changes::parse(kind, body.as_object().unwrap()).unwrap();
        let mut item = Item::create(kind, changes, id.to_owned(), 0, 1).unwrap();
        item.updated_at = updated_at;
        (id.to_owned(), Some(Entry::new(kind, item, Pictures::new())))
    }

    /// Of all that a change touches one page is made before the answer: a list takes far longer.
    #[test]
    fn the_page_about_the_changed_item_comes_before_lists_and_neighbours() {
        let row = |path: &str, sitemap: bool, reads: serde_json::Value| json!({ "page": "p", "path": path, "kind": "page", "sitemap": sitemap, "reads": reads });
        let own = json!({ "name": "own", "of": "events", "how": "each" });
        let next = json!({ "name": "next", "of": "events", "how": "after", "count": 2 });
        let first = json!({ "name": "all", "of": "events", "how": "first", "count": 24 });
        let routes = json!([
            row("/eventi", true, json!([first])),
            row("/contatti/evento/{key}", false, json!([own])),
            row("/evento/{key}", true, json!([own, next])),
        ]);
        let routes: Vec<Route> = serde_json::from_value(routes).unwrap();
        let routes: Arc<[Route]> = routes.into();
        let kind = kind_by_slug("events").unwrap();
        let mut snapshot = Snapshot::default();
        let all = ["a", "b", "c", "d", "e"];
        snapshot.apply(kind, all.map(|id| event(id, id, 1)).into());
        let today = time::day(0);
        let (pages, _) = Pages::plan(&routes, snapshot.clone(), today, None);
        snapshot.apply(kind, [event("d", "Cambiato", 9)].into());
        let (_, fresh) = Pages::plan(&routes, snapshot, today, Some(&pages));
        let paths: Vec<&str> = fresh.iter().map(|slot| slot.path.as_str()).collect();
        let (shown, unlisted) = paths.split_at(4);
        assert_eq!(shown[0], "/evento/d");
        assert_eq!(shown[3], "/eventi");
        assert_eq!(unlisted, ["/contatti/evento/d"]);
    }
}
