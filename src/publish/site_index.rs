//! The published pages and the items that each shows; unchanged page entries are shared between
//! publishes.

use super::headers::NOT_STORED;
use super::link_preview::Captions;
use super::page_entry::{PageEntry, PageInput};
use super::{Page, compress, html_template};
use jiff::civil::Date;
use respiro_content::snapshot::List;
use respiro_content::{
    COLLECTIONS, Collection, Entry, Picture, Redirect, RedirectSource, RedirectTarget, Snapshot,
    Timestamp, collection_by_slug,
};
use respiro_render::{Route, RouteKind};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

/// Stands for the id or slug of an item in paths of the route table.
pub const KEY: &str = "{key}";

pub(super) type ByPath = HashMap<String, Arc<PageEntry>>;

/// Everything published at one moment. Paths are exact and without a trailing slash.
#[derive(Debug)]
pub struct Pages {
    /// The source of all pages; the public API filters it.
    pub snapshot: Arc<Snapshot>,
    pub(super) today: Date,
    pub(super) routes: Arc<[Route]>,
    /// The input common to all pages, as JSON text.
    pub(super) site: Arc<str>,
    /// In the order of the routes.
    pub(super) sections: Vec<Section>,
    /// Slots whose address does not depend on an item's key.
    pub(super) fixed: ByPath,
    /// By collection.
    pub(super) pictures: Vec<Arc<ImageIndex>>,
    /// Filled on the first request of a picture's link preview.
    pub(super) captions: OnceLock<Captions>,
    /// Made on the first request while the site is asleep.
    pub(super) asleep_page: OnceLock<Arc<Page>>,
}

/// Where a former path leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FormerPath {
    /// To this path, with its query.
    Moved(String),
    /// The admin removed its content for good.
    Gone,
}

/// Redirects that are followed until a page is reached.
const REDIRECT_HOPS_MAX: usize = 8;

/// The pages of one route.
#[derive(Debug, Clone)]
pub(super) struct Section {
    pub(super) page_entries: Arc<Vec<Arc<PageEntry>>>,
    /// Index by path, if each item has a page.
    pub(super) by_path: Option<Arc<ByPath>>,
}

impl Pages {
    /// Returns the page that visitors see while the site is asleep, with status 503.
    pub fn asleep_page(&self) -> &Arc<Page> {
        self.asleep_page.get_or_init(|| {
            let raw = html_template::asleep_page(&self.snapshot.settings);
            Arc::new(compress::page(raw, NOT_STORED))
        })
    }

    /// Returns whether past and upcoming events were separated as of this day.
    pub fn is_of(&self, day: Date) -> bool {
        self.today == day
    }

    /// Returns the page or file at exactly this path.
    pub fn find(&self, path: &str) -> Option<&Arc<PageEntry>> {
        self.fixed.get(path).or_else(|| {
            let mut keyed = self.keyed().filter(|(prefix, _)| path.starts_with(prefix));
            keyed.find_map(|(_, by_path)| by_path.get(path))
        })
    }

    /// Returns the page that a query of a path selects, for example `/contatti?evento=ID`. Ignores
    /// parameters that other sites append (`&fbclid=…`).
    pub fn find_by_query(&self, path: &str, query: &str) -> Option<&Arc<PageEntry>> {
        let mut parts = query.split('&').filter(|part| !part.is_empty());
        parts.find_map(|part| self.find(&format!("{path}?{part}")))
    }

    /// Returns the paths of the route table that end in a query, with `{key}`.
    pub fn query_paths(&self) -> impl Iterator<Item = &str> {
        let paths = self.routes.iter().map(|route| route.path.as_str());
        paths.filter(|path| path.contains('?'))
    }

    /// Returns where a path leads that no page has (`respiro_content::redirects` says which claim
    /// decides). Looked up on request: a publish costs the same with any number of redirects.
    pub fn redirect(&self, path: &str) -> Option<FormerPath> {
        self.resolve(path, |id| self.snapshot.page_path(id))
    }

    /// Returns the address that every former path leads to, except those that are pages.
    pub fn redirects(&self) -> BTreeMap<String, String> {
        let paths = self.snapshot.page_paths();
        let all = self.redirect_rows().filter_map(|(from, _)| {
            let found = self.resolve(from, |id| paths.get(id).cloned());
            match found.filter(|_| self.find(from).is_none()) {
                Some(FormerPath::Moved(to)) => Some((from.to_owned(), to)),
                _ => None,
            }
        });
        all.collect()
    }

    /// Returns every redirect with its address: the stored ones, and those of the route table.
    pub fn redirect_rows(&self) -> impl Iterator<Item = (&str, Redirect)> {
        let fixed = self.routes.iter().flat_map(|route| &route.former_paths);
        let fixed = fixed.filter(|(from, _)| !from.contains(KEY));
        let fixed = fixed.map(|(from, to)| {
            let redirect = Redirect {
                target: RedirectTarget::Path(to.clone()),
                source: RedirectSource::Page,
                created_at: None,
            };
            (from.as_str(), redirect)
        });
        let stored = self.snapshot.redirects.iter();
        fixed.chain(stored.map(|(from, redirect)| (from.as_str(), redirect.clone())))
    }

    /// Follows redirects until a page is reached. Ends for a loop, too.
    fn resolve(
        &self,
        path: &str,
        page_path: impl Fn(&str) -> Option<String>,
    ) -> Option<FormerPath> {
        let mut path = path.to_owned();
        for _ in 0..REDIRECT_HOPS_MAX {
            let found = self.next_hop(&path, &page_path)?;
            match found {
                // The page itself is served for a query whose page is no longer published.
                FormerPath::Moved(to) if self.find(without_query(&to)).is_none() => path = to,
                found => return Some(found),
            }
        }
        None
    }

    fn next_hop(
        &self,
        path: &str,
        page_path: impl Fn(&str) -> Option<String>,
    ) -> Option<FormerPath> {
        let stored = self.snapshot.redirects.get(path);
        let of_route = || {
            // A pattern is no address: `{key}` in a request stands for itself.
            let mut routes = self.routes.iter().filter(|_| !path.contains(KEY));
            routes.find_map(|route| route.former_paths.get(path).cloned())
        };
        let of_pattern = || {
            self.former_patterns().find_map(|(from, to)| {
                let key = path.strip_prefix(from.strip_suffix(KEY)?)?;
                Some(to.replace(KEY, key)).filter(|to| self.find(to).is_some())
            })
        };
        let stored = |is_wanted: fn(RedirectSource) -> bool| match &stored {
            Some(stored) if is_wanted(stored.source) => match &stored.target {
                RedirectTarget::Item(id) => page_path(id).map(FormerPath::Moved),
                RedirectTarget::Path(to) => Some(FormerPath::Moved(to.clone())),
                RedirectTarget::Gone => Some(FormerPath::Gone),
            },
            _ => None,
        };
        let of_admin = stored(|source| source > RedirectSource::Page);
        let other = || of_route().or_else(of_pattern).map(FormerPath::Moved);
        let former = || stored(|source| source < RedirectSource::Page);
        of_admin.or_else(other).or_else(former)
    }

    /// Returns the former paths of items' pages that have other addresses now; both with `{key}`.
    pub fn former_patterns(&self) -> impl Iterator<Item = (&str, &str)> {
        let rows = self.routes.iter().flat_map(|route| &route.former_paths);
        rows.filter(|(from, _)| from.contains(KEY))
            .map(|(from, to)| (from.as_str(), to.as_str()))
    }

    /// Returns whether a page is published at exactly this path.
    pub fn has_page(&self, path: &str) -> bool {
        self.find(path)
            .is_some_and(|page_entry| page_entry.is_page())
    }

    /// Returns a picture that published content shows.
    pub fn picture(&self, id: &str) -> Option<&Picture> {
        let own = self.snapshot.site_picture(id);
        own.or_else(|| self.pictures.iter().find_map(|shown| shown.find(id)))
    }

    /// Returns the path prefix and the pages of each route with a page per item.
    fn keyed(&self) -> impl Iterator<Item = (&str, &ByPath)> {
        let rows = self.sections.iter().zip(self.routes.iter());
        rows.filter_map(|(section, route)| {
            let prefix = route.path.split('{').next()?;
            Some((prefix, &**section.by_path.as_ref()?))
        })
    }

    /// Returns the "not found" screen for a path, the one of the matching prefix first.
    pub fn missing(&self, path: &str) -> Option<&Arc<PageEntry>> {
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
                Some(prefix) if one_below(prefix) => return section.page_entries.first(),
                Some(_) => {}
                None => general = section.page_entries.first(),
            }
        }
        general
    }

    /// Returns a screen by name; a request handler serves it at an address of its own.
    pub fn screen(&self, name: &str) -> Option<&Arc<PageEntry>> {
        let mut rows = self.sections.iter().zip(self.routes.iter());
        let is_screen = |route: &Route| matches!(route.kind, RouteKind::Screen { .. });
        let found = rows.find(|(_, route)| is_screen(route) && route.path == name);
        found.and_then(|(section, _)| section.page_entries.first())
    }

    /// Returns every page entry: pages in the order of routes and lists, then files.
    pub fn all(&self) -> impl Iterator<Item = &Arc<PageEntry>> {
        let files = self
            .fixed
            .values()
            .filter(|page_entry| page_entry.shown().is_none());
        let page_entries = self
            .sections
            .iter()
            .flat_map(|section| section.page_entries.iter());
        page_entries.chain(files)
    }

    /// Returns every page in the sitemap, in the order of routes and lists.
    pub(super) fn listed(&self) -> impl Iterator<Item = &Arc<PageEntry>> {
        let rows = self.sections.iter().zip(self.routes.iter());
        rows.filter(|(_, route)| route.sitemap)
            .flat_map(|(section, _)| section.page_entries.iter())
    }

    /// Returns when the items or content blocks of a page were last changed. Ignores blocks shown
    /// on all pages, and settings, which have no date of change.
    pub(super) fn last_modified(&self, shown: &PageInput) -> Option<Timestamp> {
        let table = self.snapshot.block_definitions;
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

    /// Returns the paths of all pages that belong to an item.
    pub(super) fn item_paths(&self) -> impl Iterator<Item = &str> {
        self.keyed()
            .flat_map(|(_, by_path)| by_path.keys().map(String::as_str))
    }

    /// Returns the "not found" screens, each with its path in the route table.
    pub(super) fn missing_screens(&self) -> impl Iterator<Item = &Arc<PageEntry>> {
        let rows = self.sections.iter().zip(self.routes.iter());
        rows.filter(|(_, route)| matches!(route.kind, RouteKind::Missing { .. }))
            .filter_map(|(section, _)| section.page_entries.first())
    }

    /// Returns the item whose main page is at this path. Only main pages have an iCalendar file and
    /// a link-preview image.
    pub(super) fn item_at(&self, path: &str) -> Option<(&'static Collection, &Arc<Entry>)> {
        self.item_of(path)
            .filter(|(collection, entry)| entry.page_path(collection).as_deref() == Some(path))
    }

    /// Returns the item that the page at this path is about.
    fn item_of(&self, path: &str) -> Option<(&'static Collection, &Arc<Entry>)> {
        let mut keyed = self.keyed().filter(|(prefix, _)| path.starts_with(prefix));
        let shown = keyed.find_map(|(_, by_path)| by_path.get(path))?.shown()?;
        let row = self.routes.get(shown.route)?;
        let (place, read) = row.each()?;
        let entry = shown.reads.get(place)?.entries.first()?;
        Some((collection_by_slug(&read.of)?, entry))
    }

    /// Returns the id of the item whose main page is at a path.
    pub fn item_id_at(&self, path: &str) -> Option<&str> {
        Some(self.item_at(path)?.1.id.as_str())
    }

    /// Returns the title of the item that the page at a path is about.
    pub fn title_at(&self, path: &str) -> Option<&str> {
        self.item_of(path)?.1.text("title")
    }
}

fn without_query(path: &str) -> &str {
    path.split('?').next().unwrap_or(path)
}

/// Pictures of the items of one collection by id. Built at the first lookup, reused until an item
/// of the collection changes.
#[derive(Debug)]
pub(super) struct ImageIndex {
    list: List,
    by_id: OnceLock<HashMap<String, Arc<Entry>>>,
}

impl ImageIndex {
    /// Returns the index of every collection; reuses those of `former` whose list is unchanged.
    pub(super) fn of(snapshot: &Snapshot, former: Option<&[Arc<Self>]>) -> Vec<Arc<Self>> {
        let lists = COLLECTIONS
            .iter()
            .filter_map(|collection| snapshot.list(collection));
        let known = |list: &List| {
            let mut former = former.unwrap_or_default().iter();
            former.find(|known| Arc::ptr_eq(&known.list, list)).cloned()
        };
        let new = |list: &List| {
            Arc::new(Self {
                list: Arc::clone(list),
                by_id: OnceLock::new(),
            })
        };
        lists
            .map(|list| known(list).unwrap_or_else(|| new(list)))
            .collect()
    }

    pub(super) fn find(&self, id: &str) -> Option<&Picture> {
        let by_id = self.by_id.get_or_init(|| {
            let shown = |entry: &Arc<Entry>| {
                let entry = Arc::clone(entry);
                let ids: Vec<String> = entry.pictures.keys().cloned().collect();
                ids.into_iter().map(move |id| (id, Arc::clone(&entry)))
            };
            self.list.iter().flat_map(shown).collect()
        });
        by_id.get(id)?.pictures.get(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use respiro_content::{Changes, Item, Pictures, time};
    use serde_json::json;

    fn event(id: &str, title: &str, updated_at: i64) -> (String, Option<Entry>) {
        let collection = collection_by_slug("events").unwrap();
        let body = json!({ "title": title, "date": "3 marzo 2030", "published": true });
        let changes = Changes::parse(collection, body.as_object().unwrap()).unwrap();
        let mut item = Item::create(collection, changes, id.to_owned(), 0, 1).unwrap();
        item.updated_at = updated_at;
        (
            id.to_owned(),
            Some(Entry::new(collection, item, Pictures::new())),
        )
    }

    /// Only one changed page is rendered before the response, and a list takes far longer.
    #[test]
    fn the_page_about_the_changed_item_comes_before_lists_and_neighbours() {
        let row = |path: &str, sitemap: bool, reads: serde_json::Value| json!({ "page": "p", "path": path, "kind": "page", "sitemap": sitemap, "reads": reads });
        let own = json!({ "name": "own", "of": "events", "how": "each" });
        let next = json!({ "name": "next", "of": "events", "how": "after", "count": 2 });
        let first = json!({ "name": "all", "of": "events", "how": "first", "count": 24 });
        let routes = json!([
            row("/eventi", true, json!([first])),
            row("/contatti?evento={key}", false, json!([own])),
            row("/evento/{key}", true, json!([own, next])),
        ]);
        let routes: Vec<Route> = serde_json::from_value(routes).unwrap();
        let routes: Arc<[Route]> = routes.into();
        let collection = collection_by_slug("events").unwrap();
        let mut snapshot = Snapshot::default();
        let all = ["a", "b", "c", "d", "e"];
        snapshot.apply(collection, all.map(|id| event(id, id, 1)).into());
        let today = time::day(0);
        let (pages, _) = Pages::plan(&routes, snapshot.clone(), today, None);
        snapshot.apply(collection, [event("d", "Cambiato", 9)].into());
        let (_, fresh) = Pages::plan(&routes, snapshot, today, Some(&pages));
        let paths: Vec<&str> = fresh
            .iter()
            .map(|page_entry| page_entry.path.as_str())
            .collect();
        let (shown, unlisted) = paths.split_at(4);
        assert_eq!(shown[0], "/evento/d");
        assert_eq!(shown[3], "/eventi");
        assert_eq!(unlisted, ["/contatti?evento=d"]);
    }
}
