//! Plans a publish: computes what each route shows, and reuses page entries of the former publish
//! that show the same.

use super::feeds;
use super::generated_files;
use super::page_entry::{EntryContent, GeneratedFile, PageEntry, PageInput, ReadResult};
use super::related_items::RelatedItems;
use super::site_index::ImageIndex;
use super::site_index::{ByPath, KEY, Pages, Section};
use jiff::civil::Date;
use respiro_content::{COLLECTIONS, Entry, Snapshot, collection_by_slug};
use respiro_render::{Entries, How, Part, Read, Route, RouteKind, When};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

/// State of one planning run.
pub(super) struct Planner<'a> {
    pub(super) routes: &'a [Route],
    pub(super) snapshot: &'a Snapshot,
    pub(super) today: Date,
    pub(super) former: Option<&'a Pages>,
    /// Whether the input common to all pages is unchanged.
    pub(super) same_site: bool,
    /// Whether the content blocks of the present route are unchanged as well.
    pub(super) same_words: bool,
    /// Slots that the former publish does not have.
    pub(super) fresh: Vec<Arc<PageEntry>>,
}

impl Pages {
    /// Plans the pages of a snapshot. Returns them and the page entries that `former` does not
    /// have, most urgent first.
    pub(super) fn plan(
        routes: &Arc<[Route]>,
        snapshot: Snapshot,
        today: Date,
        former: Option<&Self>,
    ) -> (Self, Vec<Arc<PageEntry>>) {
        let site = snapshot.site_json().to_string();
        let mut planner = Planner {
            routes,
            snapshot: &snapshot,
            today,
            former,
            same_site: former.is_some_and(|former| *former.site == *site),
            same_words: false,
            fresh: Vec::new(),
        };
        let rows = 0..routes.len();
        let sections: Vec<Section> = rows.map(|route| planner.section(route)).collect();
        let mut fixed = planner.files(&sections);
        let mut fresh = planner.fresh;
        for (section, route) in sections.iter().zip(routes.iter()) {
            if section.by_path.is_none() && route.kind == RouteKind::Page {
                let page_entries = section.page_entries.iter();
                fixed.extend(
                    page_entries
                        .map(|page_entry| (page_entry.path.clone(), Arc::clone(page_entry))),
                );
            }
        }
        fresh.sort_by_cached_key(|page_entry| page_entry.shown().map(|shown| shown.order(routes)));
        let pages = Self {
            today,
            routes: Arc::clone(routes),
            site: site.into(),
            sections,
            fixed,
            pictures: ImageIndex::of(&snapshot, former.map(|former| &*former.pictures)),
            captions: OnceLock::new(),
            asleep_page: OnceLock::new(),
            snapshot: Arc::new(snapshot),
        };
        (pages, fresh)
    }
}

impl Planner<'_> {
    pub(super) fn section(&mut self, route: usize) -> Section {
        let row = &self.routes[route];
        let former = self
            .former
            .and_then(|pages| Some((pages, pages.sections.get(route)?)));
        self.same_words = self.same_site
            && former
                .is_some_and(|(pages, _)| self.snapshot.shares_blocks(&row.words, &pages.snapshot));
        if let Some((pages, section)) = former
            && self.same_words
            && row.reads.iter().all(|read| self.is_unread(read, pages))
        {
            return section.clone();
        }
        let former = former.map(|(_, section)| section);
        if let Some((_, read)) = row.each()
            && row.kind == RouteKind::Page
        {
            return self.each(route, read, former);
        }
        let shown = match (row.parts(), &row.entries) {
            (Some((place, read, part)), _) if row.kind == RouteKind::Page => {
                self.parts(route, place, read, part)
            }
            (_, Some(Entries { block, list })) => {
                let entries = self.snapshot.block_list(block, list).iter();
                let ids = entries.filter_map(|entry| entry.get("id")?.as_str());
                let paths = ids.map(|id| row.path.replace(KEY, id));
                paths.map(|path| (path, self.shown(route, 0))).collect()
            }
            _ => vec![(row.path.clone(), self.shown(route, 0))],
        };
        let known = former.map_or(&[][..], |former| &former.page_entries);
        let known: HashMap<&str, &Arc<PageEntry>> =
            known.iter().map(|entry| (&*entry.path, entry)).collect();
        let page_entries = shown
            .into_iter()
            .map(|(path, shown)| {
                let known = known.get(&*path).copied();
                self.page_entry(path, shown, known)
            })
            .collect();
        Section {
            page_entries: Arc::new(page_entries),
            by_path: None,
        }
    }

    /// Returns whether the read's result is certainly the same as in the former publish.
    fn is_unread(&self, read: &Read, former: &Pages) -> bool {
        let same_day = read.when.is_none() || former.today == self.today;
        let collection = collection_by_slug(&read.of);
        same_day
            && collection
                .is_none_or(|collection| self.snapshot.shares_list(collection, &former.snapshot))
    }

    /// Returns the former page entry if it shows the very same, otherwise a new one.
    fn page_entry(
        &mut self,
        path: String,
        shown: PageInput,
        known: Option<&Arc<PageEntry>>,
    ) -> Arc<PageEntry> {
        if let Some(known) = known
            && self.same_words
            && known.shown().is_some_and(|former| former.is(&shown))
        {
            return Arc::clone(known);
        }
        // Changed settings or content blocks correct what the former page shows.
        let fallback = known
            .filter(|_| self.same_words)
            .and_then(|known| known.fallback());
        self.fresh_page_entry(path, EntryContent::Page(shown), fallback)
    }

    fn fresh_page_entry(
        &mut self,
        path: String,
        what: EntryContent,
        former: Option<Arc<PageEntry>>,
    ) -> Arc<PageEntry> {
        let page_entry = PageEntry::new(path, what, former);
        self.fresh.push(Arc::clone(&page_entry));
        page_entry
    }

    /// Returns the input of a page that belongs to no single item.
    fn shown(&self, route: usize, number: usize) -> PageInput {
        let read = |read: &Read| match &read.how {
            How::First { count } => {
                let entries = self.entries(read);
                ReadResult {
                    entries: entries.iter().take(*count).map(|e| Arc::clone(e)).collect(),
                    more: entries.len() > *count,
                }
            }
            // The page of a missing item reads nothing.
            _ => ReadResult::default(),
        };
        PageInput {
            route,
            number,
            reads: self.routes[route].reads.iter().map(read).collect(),
        }
    }

    /// Returns the entries that a read selects from, filtered by date and sorted.
    fn entries(&self, read: &Read) -> Vec<&Arc<Entry>> {
        let Some(collection) = collection_by_slug(&read.of) else {
            return Vec::new();
        };
        let all = self.snapshot.published(collection).iter();
        let mut wanted: Vec<_> = all.filter(|entry| wants(read, entry, self.today)).collect();
        if read.when == Some(When::Past) {
            wanted.sort_by_key(|entry| Reverse(entry.last_day));
        }
        wanted
    }

    fn parts(
        &self,
        route: usize,
        place: usize,
        read: &Read,
        part: &Part,
    ) -> Vec<(String, PageInput)> {
        let entries = self.entries(read);
        if part.over.is_some_and(|over| entries.len() <= over) {
            return Vec::new();
        }
        let (first, rest) = entries.split_at(part.first.unwrap_or(part.size).min(entries.len()));
        let mut all = vec![first];
        all.extend(rest.chunks(part.size.max(1)));
        let count = all.len();
        // Computed once: a list of 10,000 items has hundreds of parts.
        let common = self.shown(route, 0);
        let page = |(index, entries): (usize, &[&Arc<Entry>])| {
            let number = index + 1;
            let mut shown = common.clone();
            shown.number = number;
            shown.reads[place] = ReadResult {
                entries: entries.iter().map(|entry| Arc::clone(entry)).collect(),
                more: number < count,
            };
            let path = match number {
                1 => self.routes[route].path.clone(),
                number => part.rest.replace("{n}", &number.to_string()),
            };
            (path, shown)
        };
        all.into_iter().enumerate().map(page).collect()
    }

    /// Plans a page for each item. Compares each item with the former page entry at the same index
    /// from the start or from the end; where they agree, no path is looked up.
    fn each(&mut self, route: usize, read: &Read, former: Option<&Section>) -> Section {
        let (row, today) = (&self.routes[route], self.today);
        let list = collection_by_slug(&read.of)
            .map_or(&[][..], |collection| self.snapshot.published(collection));
        let near: Vec<Option<RelatedItems<'_>>> = row
            .reads
            .iter()
            .map(|read| match &read.how {
                How::Near { count, by } => Some(RelatedItems::new(list, by, *count)),
                How::After { count } => Some(RelatedItems::after(list, *count, |entry| {
                    wants(read, entry, today)
                })),
                How::Beside => Some(RelatedItems::beside(list)),
                _ => None,
            })
            .collect();
        let common = self.shown(route, 0);
        let empty: &[Arc<PageEntry>] = &[];
        let known = former.map_or(empty, |former| &former.page_entries);
        let by_known = former.and_then(|former| former.by_path.as_deref());
        let is_of = |page_entry: &Arc<PageEntry>, entry: &Arc<Entry>| {
            let mut reads = page_entry
                .shown()
                .map(|shown| shown.reads.iter().zip(&row.reads));
            reads.as_mut().is_some_and(|reads| {
                reads.all(|(found, read)| match (&read.how, found.entries.first()) {
                    (How::Each, Some(own)) => Arc::ptr_eq(own, entry) && wants(read, entry, today),
                    (How::Each, None) => !wants(read, entry, today),
                    _ => true,
                })
            })
        };
        let mut page_entries = Vec::with_capacity(list.len());
        let mut changed: Vec<Arc<PageEntry>> = Vec::new();
        for (index, entry) in list.iter().enumerate() {
            let from_end = (known.len() + index).checked_sub(list.len());
            let aligned = [Some(index), from_end].into_iter().flatten();
            let aligned = aligned
                .filter_map(|at| known.get(at))
                .find(|page_entry| is_of(page_entry, entry));
            if let Some(page_entry) = aligned
                && self.same_words
                && shows(page_entry, &row.reads, &common, &near, index)
            {
                page_entries.push(Arc::clone(page_entry));
                continue;
            }
            let Some(key) =
                collection_by_slug(&read.of).and_then(|collection| entry.page_key(collection))
            else {
                continue;
            };
            let path = row.path.replace(KEY, key);
            let mut shown = common.clone();
            for ((found, read), near) in shown.reads.iter_mut().zip(&row.reads).zip(&near) {
                if let Some(near) = near {
                    found.entries = near.of(index).map(Arc::clone).collect();
                } else if matches!(read.how, How::Each) && wants(read, entry, today) {
                    found.entries = vec![Arc::clone(entry)];
                }
            }
            let by_path = by_known.and_then(|known| known.get(&path));
            let page_entry = self.page_entry(path, shown, by_path);
            changed.push(Arc::clone(&page_entry));
            page_entries.push(page_entry);
        }
        let by_path = index_of(by_known, &page_entries, &changed, known);
        Section {
            page_entries: Arc::new(page_entries),
            by_path: Some(Arc::new(by_path)),
        }
    }

    /// Plans the files beside the pages, which are rendered on request.
    pub(super) fn files(&mut self, sections: &[Section]) -> ByPath {
        let listed = sections
            .iter()
            .zip(self.routes)
            .filter(|(_, row)| row.sitemap);
        let count: usize = listed.map(|(section, _)| section.page_entries.len()).sum();
        let mut files = vec![
            ("/sitemap.xml".to_owned(), GeneratedFile::Sitemap),
            (feeds::FEED_PATH.to_owned(), GeneratedFile::Feed),
            (
                generated_files::CALENDAR_PATH.to_owned(),
                GeneratedFile::Calendar,
            ),
            ("/robots.txt".to_owned(), GeneratedFile::Robots),
            ("/manifest.webmanifest".to_owned(), GeneratedFile::Manifest),
        ];
        let parts = feeds::sitemap_parts(count);
        files.extend(
            (1..=parts).map(|part| (feeds::part_path(part), GeneratedFile::SitemapPart(part))),
        );
        let unchanged = self.former.filter(|former| {
            let shared = |collection| self.snapshot.shares_list(collection, &former.snapshot);
            let same_words = self.snapshot.blocks == former.snapshot.blocks;
            let same_day = former.today == self.today;
            // A private setting: it is no part of `same_site`.
            let refuses = self.snapshot.settings.refuses_ai_training();
            let same_robots = refuses == former.snapshot.settings.refuses_ai_training();
            self.same_site
                && same_words
                && same_day
                && same_robots
                && COLLECTIONS.iter().all(shared)
        });
        files
            .into_iter()
            .map(|(path, file)| {
                let known = self.former.and_then(|former| former.fixed.get(&path));
                let page_entry = match known {
                    Some(known) if unchanged.is_some() => Arc::clone(known),
                    _ => PageEntry::new(path.clone(), EntryContent::File(file), None),
                };
                (path, page_entry)
            })
            .collect()
    }
}

/// Returns whether an entry has the date state that a read asks for: past, upcoming, or any.
fn wants(read: &Read, entry: &Entry, today: Date) -> bool {
    read.when
        .is_none_or(|when| entry.is_past(today) == (when == When::Past))
}

/// Returns whether the other reads of a page entry are unchanged: the neighbours of its item, and
/// the first items of lists that all pages of the route show.
fn shows(
    page_entry: &PageEntry,
    reads: &[Read],
    common: &PageInput,
    near: &[Option<RelatedItems<'_>>],
    index: usize,
) -> bool {
    let Some(shown) = page_entry.shown() else {
        return false;
    };
    let mut places = shown.reads.iter().zip(&common.reads).zip(reads).zip(near);
    places.all(|(((found, common), read), near)| match (&read.how, near) {
        (How::First { .. }, _) => found.is(common),
        (_, Some(near)) => {
            let mut own = found.entries.iter();
            near.of(index)
                .all(|entry| own.next().is_some_and(|own| Arc::ptr_eq(own, entry)))
                && own.next().is_none()
        }
        _ => true,
    })
}

/// Returns the page entries by path: updates the former index, or rebuilds it after many changes.
fn index_of(
    former: Option<&ByPath>,
    page_entries: &[Arc<PageEntry>],
    changed: &[Arc<PageEntry>],
    known: &[Arc<PageEntry>],
) -> ByPath {
    let pair = |page_entry: &Arc<PageEntry>| (page_entry.path.clone(), Arc::clone(page_entry));
    let Some(former) = former.filter(|_| changed.len() < page_entries.len() / 2) else {
        return page_entries.iter().map(pair).collect();
    };
    let mut by_path = former.clone();
    by_path.extend(changed.iter().map(pair));
    if by_path.len() != page_entries.len() {
        // Remove the page entries that are gone, unless a new page entry took their path.
        let gone = gone(known, page_entries);
        for page_entry in gone {
            let is_same = by_path
                .get(&page_entry.path)
                .is_some_and(|other| Arc::ptr_eq(other, page_entry));
            if is_same {
                by_path.remove(&page_entry.path);
            }
        }
    }
    by_path
}

/// Returns the former page entries between the common start and the common end that are no longer
/// there.
fn gone<'a>(
    known: &'a [Arc<PageEntry>],
    page_entries: &[Arc<PageEntry>],
) -> Vec<&'a Arc<PageEntry>> {
    let same = |(one, two): &(&Arc<PageEntry>, &Arc<PageEntry>)| Arc::ptr_eq(one, two);
    let head = known.iter().zip(page_entries).take_while(same).count();
    let (known, page_entries) = (&known[head..], &page_entries[head..]);
    let tail = known
        .iter()
        .rev()
        .zip(page_entries.iter().rev())
        .take_while(same)
        .count();
    let (known, page_entries) = (
        &known[..known.len() - tail],
        &page_entries[..page_entries.len() - tail],
    );
    let alive: HashSet<*const PageEntry> = page_entries.iter().map(Arc::as_ptr).collect();
    known
        .iter()
        .filter(|page_entry| !alive.contains(&Arc::as_ptr(page_entry)))
        .collect()
}
