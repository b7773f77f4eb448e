//! One published address: what it shows, and the answer once it was made.

use super::compress::Raw;
use super::kept::Name;
use super::{Page, locked};
use crate::content::item::FieldSelection;
use crate::content::{Entry, Timestamp, kind_by_slug};
use crate::render::{Read, Route};
use arc_swap::ArcSwapOption;
use serde_json::{Map, Value as Json, json};
use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant};

/// What could not be made is not tried again for so long: a broken page must not cost each
/// visitor the time its render may take.
const RETRY_AFTER: Duration = Duration::from_secs(30);

/// An address of the site as of one publish. A publish that changes what it shows gives it a new
/// slot; what it does not touch keeps its own, with the answer in it.
#[derive(Debug)]
pub struct Slot {
    pub path: String,
    pub(super) what: What,
    ready: ArcSwapOption<Page>,
    /// Whether the answer is as small as it gets, and kept where that can be.
    settled: AtomicBool,
    /// The file that it is kept in.
    kept: OnceLock<Name>,
    /// The turn in which it was asked for last; 0 when nobody has.
    asked: AtomicU64,
    /// One makes it, others wait for that; when it failed last.
    making: Mutex<Option<Instant>>,
    /// The answer before it is compressed.
    drawn: Mutex<Option<Raw>>,
    /// Shown when the present one cannot be made; gone once it is.
    former: ArcSwapOption<Former>,
}

/// Where a former answer is.
#[derive(Debug, Clone)]
pub(super) enum Former {
    Page(Arc<Page>),
    Kept(Name),
}

#[derive(Debug)]
pub(super) enum What {
    Page(Shown),
    File(File),
}

/// What drawing comes to: an answer that was kept, or one to compress.
pub(super) enum Drawn {
    Whole(Page),
    Raw(Raw),
}

/// Who answers for a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Host {
    Program,
    /// A server of files, which takes nothing in.
    Files,
}

/// What a page reads.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    /// Place of its row in the table of routes.
    pub(super) route: usize,
    /// For a page of a part of a list: which, from 1.
    pub(super) number: usize,
    /// For each read of its row, in that order.
    pub(super) reads: Vec<Found>,
}

/// The items that a read found, and whether the list goes on after them.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    pub(super) entries: Vec<Arc<Entry>>,
    pub(super) more: bool,
}

/// What is published beside the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum File {
    /// The whole sitemap, or the list of its parts.
    Sitemap,
    SitemapPart(usize),
    Feed,
    /// The events to come.
    Calendar,
    Robots,
    Manifest,
}

fn is_recent(failed: Option<Instant>) -> bool {
    failed.is_some_and(|at| at.elapsed() < RETRY_AFTER)
}

impl Found {
    pub(super) fn is(&self, other: &Self) -> bool {
        self.more == other.more && same(&self.entries, &other.entries)
    }
}

fn same(one: &[Arc<Entry>], two: &[Arc<Entry>]) -> bool {
    one.len() == two.len() && one.iter().zip(two).all(|(one, two)| Arc::ptr_eq(one, two))
}

impl Shown {
    /// Whether it shows the very same items.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.route == other.route
            && self.number == other.number
            && self.reads.len() == other.reads.len()
            && self.reads.iter().zip(&other.reads).all(|(a, b)| a.is(b))
    }

    /// What is looked at first after a change comes first: first parts of lists, pages that search
    /// engines may know, those that show little beside what was changed, and are about it. They
    /// are quickly made, too.
    pub(super) fn order(&self, routes: &[Route]) -> (usize, bool, usize, Reverse<Timestamp>) {
        let row = routes.get(self.route);
        let entries = self.reads.iter().map(|found| found.entries.len()).sum();
        let place = row.and_then(|row| Some(row.each()?.0));
        let own = place.and_then(|place| self.reads.get(place)?.entries.first());
        (
            self.number.max(1),
            !row.is_some_and(|row| row.sitemap),
            entries,
            Reverse(own.map_or(0, |entry| entry.updated_at)),
        )
    }

    /// When the newest of the items that it shows was changed.
    pub(super) fn last_modified(&self) -> Option<Timestamp> {
        let entries = self.reads.iter().flat_map(|found| &found.entries);
        entries.map(|entry| entry.updated_at).max()
    }

    /// The page's input: what every page reads, what this one does and says, and what is given to
    /// one reader alone.
    pub(super) fn input(
        &self,
        route: &Route,
        site: &str,
        words: &Json,
        host: Host,
        given: Option<&Json>,
    ) -> String {
        let reads: Map<String, Json> = route
            .reads
            .iter()
            .zip(&self.reads)
            .map(|(read, found)| (read.name.clone(), found.to_json(read)))
            .collect();
        let mut own = json!({ "number": self.number, "reads": reads, "words": words });
        if host == Host::Files {
            own["isStatic"] = Json::Bool(true);
        }
        if let Some(given) = given {
            own["given"] = given.clone();
        }
        let own = own.to_string();
        // The site's part is the same for all pages and written once.
        format!("{{\"site\":{site},{}", own.trim_start_matches('{'))
    }
}

impl Found {
    fn to_json(&self, read: &Read) -> Json {
        let wanted = read
            .fields
            .as_deref()
            .map_or(FieldSelection::All, FieldSelection::Named);
        let kind = kind_by_slug(&read.of);
        let items = self
            .entries
            .iter()
            .filter_map(|entry| Some(entry.to_json(kind?, wanted)));
        json!({ "items": items.collect::<Vec<_>>(), "more": self.more })
    }
}

impl Slot {
    pub(super) fn new(path: String, what: What, former: Option<Arc<Former>>) -> Arc<Self> {
        Arc::new(Self {
            path,
            what,
            ready: ArcSwapOption::empty(),
            settled: AtomicBool::new(false),
            kept: OnceLock::new(),
            asked: AtomicU64::new(0),
            making: Mutex::default(),
            drawn: Mutex::default(),
            former: ArcSwapOption::new(former),
        })
    }

    /// The answer, when it is in memory.
    pub fn ready(&self) -> Option<Arc<Page>> {
        self.ready.load_full()
    }

    /// Notes that somebody asks for it.
    pub(super) fn ask(&self, turn: u64) {
        if self.asked.load(Ordering::Relaxed) != turn {
            self.asked.store(turn, Ordering::Relaxed);
        }
    }

    pub(super) fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    /// Takes the answer out of memory, when it can be had again. Whether it did.
    pub(super) fn forget(&self) -> bool {
        let is_kept = self.is_settled() && self.kept.get().is_some();
        if is_kept {
            self.ready.store(None);
        }
        is_kept
    }

    /// Whether it is a page, and no file.
    pub const fn is_page(&self) -> bool {
        matches!(self.what, What::Page(_))
    }

    pub(super) fn shown(&self) -> Option<&Shown> {
        match &self.what {
            What::Page(shown) => Some(shown),
            What::File(_) => None,
        }
    }

    /// What the slot that takes this one's place falls back on.
    pub(super) fn fallback(&self) -> Option<Arc<Former>> {
        if let Some(page) = self.ready() {
            return Some(Arc::new(Former::Page(page)));
        }
        let kept = self.kept.get().map(|name| Arc::new(Former::Kept(*name)));
        kept.or_else(|| self.former.load_full())
    }

    /// Files that this needs: its own, and the former one's while there is none of its own.
    pub(super) fn names(&self) -> impl Iterator<Item = Name> {
        let former = match self.former.load().as_deref() {
            Some(Former::Kept(name)) => Some(*name),
            _ => None,
        };
        self.kept.get().copied().into_iter().chain(former)
    }

    pub(super) fn is_settled(&self) -> bool {
        self.settled.load(Ordering::Relaxed)
    }

    /// Nothing is left to do for it.
    pub(super) fn settle(&self) {
        self.settled.store(true, Ordering::Relaxed);
    }

    /// There was no such file, or not any more: it is written anew.
    pub(super) fn unsettle(&self) {
        self.settled.store(false, Ordering::Relaxed);
    }

    /// The answer has a file.
    pub(super) fn set_kept(&self, name: Name) {
        // One slot shows one thing, which has one name.
        let _ = self.kept.set(name);
        self.former.store(None);
    }

    /// What was drawn and waits to be compressed.
    pub(super) fn take_drawn(&self) -> Option<Raw> {
        locked(&self.drawn).take()
    }

    pub(super) fn is_drawn(&self) -> bool {
        locked(&self.drawn).is_some()
    }

    /// As far as it is known that there is going to be an answer.
    pub(super) fn begin<E>(&self, draw: impl FnOnce() -> Result<Drawn, E>) -> Result<(), E> {
        let mut failed = locked(&self.making);
        if self.ready().is_some() || self.is_drawn() || is_recent(*failed) {
            return Ok(());
        }
        match draw().inspect_err(|_| *failed = Some(Instant::now()))? {
            Drawn::Whole(page) => drop(self.enter(page)),
            Drawn::Raw(raw) => *locked(&self.drawn) = Some(raw),
        }
        Ok(())
    }

    fn enter(&self, page: Page) -> Arc<Page> {
        let page = Arc::new(page);
        self.ready.store(Some(Arc::clone(&page)));
        self.former.store(None);
        page
    }

    /// The same answer, smaller.
    pub(super) fn improve(&self, better: Arc<Page>) {
        self.ready.store(Some(better));
    }

    /// The answer; made by `make` when nobody has yet. `None`: it failed a moment ago.
    pub(super) fn obtain<E>(
        &self,
        make: impl FnOnce() -> Result<Page, E>,
    ) -> Result<Option<Arc<Page>>, E> {
        if let Some(page) = self.ready() {
            return Ok(Some(page));
        }
        let mut failed: MutexGuard<'_, Option<Instant>> = locked(&self.making);
        if let Some(page) = self.ready() {
            return Ok(Some(page));
        }
        if is_recent(*failed) {
            return Ok(None);
        }
        let page = make().inspect_err(|_| *failed = Some(Instant::now()))?;
        Ok(Some(self.enter(page)))
    }
}
