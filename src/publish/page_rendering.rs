//! Publishes a snapshot: plans the affected pages, renders the most urgent ones and swaps the site.
//! Requests and the pre-render worker render the others.

use super::compress::{self, ResponseHead, UncompressedResponse};
use super::page_cache::{CacheKey, DiskCache};
use super::page_entry::{EntryContent, PageEntry, PageInput, Target};
use super::{Error, Result};
use super::{
    ExportedFile, Page, Pages, PublishStats, Shared, generated_files, html_template, locked,
};
use respiro_content::{Snapshot, Timestamp, time};
use respiro_render::{Route, RouteKind};
use serde_json::{Value as Json, json};
use std::collections::HashSet;
use std::sync::Arc;
#[cfg(debug_assertions)]
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

/// Pages rendered before a publish ends. The admin waits for them, and each takes as long as the
/// rest of a publish.
pub(super) const EAGER_PAGES: usize = 1;
/// Pages that have to be rendered before an irreversible commit: more pages reveal more errors. At
/// a start, one of as many shows whether rendering works at all.
pub(super) const CHECKED_PAGES: usize = 4;
/// Pages rendered right after the response to the admin, before all other background work.
const SOON_PAGES: usize = 3;

/// Time for rendering failed pages again in one go: visitors wait for the same renderer.
const RETRY_ROUND: Duration = Duration::from_secs(10);

/// Name of the route table in the page cache.
pub(super) const ROUTES: &str = "routes";
const HTML: &str = "text/html; charset=utf-8";

/// A new site, not yet swapped in.
pub(super) struct Prepared {
    pub(super) pages: Pages,
    /// Pages to render next, after those already rendered.
    pub(super) next_pages: Vec<Arc<PageEntry>>,
    /// Pages that could not be rendered.
    pub(super) failures: Vec<Failure>,
    pub(super) stats: PublishStats,
}

/// A page that could not be rendered.
pub(super) type Failure = (Arc<PageEntry>, Error);

fn is_page(routes: &[Route], page_entry: &PageEntry) -> bool {
    let row = page_entry.shown().and_then(|shown| routes.get(shown.route));
    row.is_some_and(|row| row.kind == RouteKind::Page)
}

impl Shared {
    /// Plans a new site from `snapshot`, reuses what did not change, and renders the first `count`
    /// changed pages. At a start, renders pages until one succeeds, and fails if none does.
    pub(super) fn prepare(
        &self,
        snapshot: Snapshot,
        now: Timestamp,
        count: usize,
    ) -> Result<Prepared> {
        let started = Instant::now();
        let routes = self.route_table()?;
        let former = self.current.load_full();
        let today = time::day(now);
        let (pages, fresh) = Pages::plan(&routes, snapshot, today, former.as_deref());
        let mut stats = PublishStats {
            planned: pages.all().count(),
            touched: fresh.len(),
            pages: fresh
                .iter()
                .filter(|page_entry| is_page(&routes, page_entry))
                .count(),
            plan_time: started.elapsed(),
            ..PublishStats::default()
        };
        let (next_pages, failures) = if former.is_none() {
            let failures = self.render_one_of(&pages, &fresh)?;
            stats.rendered = failures.len() + 1;
            (Vec::new(), failures)
        } else {
            let (eager, others) = fresh.split_at(count.min(fresh.len()));
            stats.rendered = eager.len();
            let next_pages = others.iter().take(SOON_PAGES).map(Arc::clone).collect();
            (next_pages, self.render_all(&pages, eager))
        };
        stats.whole_time = started.elapsed();
        Ok(Prepared {
            pages,
            next_pages,
            failures,
            stats,
        })
    }

    /// Renders pages until one succeeds. Returns those that failed before, or the first error if
    /// `CHECKED_PAGES` failed.
    fn render_one_of(&self, pages: &Pages, fresh: &[Arc<PageEntry>]) -> Result<Vec<Failure>> {
        let mut failures: Vec<Failure> = Vec::new();
        for page_entry in fresh.iter().take(CHECKED_PAGES) {
            match self.load_into_memory(pages, page_entry, false) {
                Ok(_) => return Ok(failures),
                Err(error) => failures.push((Arc::clone(page_entry), error)),
            }
        }
        match failures.into_iter().next() {
            Some((_, error)) => Err(error),
            None => Ok(Vec::new()),
        }
    }

    /// Renders the pages left for right after the response, until a newer publish begins.
    pub(super) fn render_next_pages(&self, is_superseded: &dyn Fn() -> bool) {
        let next_pages = std::mem::take(&mut *locked(&self.next_pages));
        let Some(pages) = self.current.load_full() else {
            return;
        };
        for page_entry in next_pages {
            if is_superseded() {
                return;
            }
            if let Err(error) = self.load_into_memory(&pages, &page_entry, false) {
                self.report_failure(&page_entry, &error);
            }
        }
    }

    /// Renders in parallel: the input of one page is prepared, and another one compressed, while a
    /// third is rendered. Returns the pages that failed.
    fn render_all(&self, pages: &Pages, page_entries: &[Arc<PageEntry>]) -> Vec<Failure> {
        let make = |page_entry: &Arc<PageEntry>| {
            let made = self.load_into_memory(pages, page_entry, false);
            made.err().map(|error| (Arc::clone(page_entry), error))
        };
        let Some((first, others)) = page_entries.split_first() else {
            return Vec::new();
        };
        thread::scope(|scope| {
            let others: Vec<_> = others
                .iter()
                .map(|page_entry| (page_entry, scope.spawn(move || make(page_entry))))
                .collect();
            let first = make(first);
            let others = others.into_iter().filter_map(|(page_entry, other)| {
                let panicked = || Error::Render("a page could not be made".to_owned());
                let panicked = |_| Some((Arc::clone(page_entry), panicked()));
                other.join().unwrap_or_else(panicked)
            });
            first.into_iter().chain(others).collect()
        })
    }

    /// Returns the response of a page entry. If it cannot be rendered, returns the former response
    /// while that shows nothing outdated, else the page that announces a renewal.
    pub(super) fn obtain(&self, pages: &Pages, page_entry: &Arc<PageEntry>) -> Arc<Page> {
        // First, so that an eviction by this response spares it.
        page_entry.mark_requested();
        let made = self.load_into_memory(pages, page_entry, false);
        if let Err(error) = &made {
            self.report_failure(page_entry, error);
        }
        made.unwrap_or_default()
            .or_else(|| self.former_response(pages, page_entry))
            .unwrap_or_else(|| Arc::clone(&self.renewal_page))
    }

    /// Returns the response, rendered into memory if necessary.
    fn load_into_memory(
        &self,
        pages: &Pages,
        page_entry: &Arc<PageEntry>,
        is_retry: bool,
    ) -> Result<Option<Arc<Page>>> {
        let mut is_new = false;
        let page = page_entry.obtain(is_retry, || {
            is_new = true;
            self.load_or_render(pages, page_entry)
        })?;
        if let (true, Some(page)) = (is_new, &page) {
            self.clear_failure(page_entry);
            if self.disk_cache.is_some() {
                self.memory_budget.add_response(pages, page);
            }
        }
        Ok(page)
    }

    /// Returns the former response at this address if nothing that it shows was removed or changed
    /// since.
    fn former_response(&self, pages: &Pages, page_entry: &PageEntry) -> Option<Arc<Page>> {
        let former = page_entry.unchanged_former(&pages.snapshot)?;
        former.ready().or_else(|| {
            let head = self.response_head(pages.routes.get(page_entry.shown()?.route)?);
            let cache = self.disk_cache.as_ref()?;
            cache.page(&former.cache_key()?, head).map(Arc::new)
        })
    }

    /// Records a failed render: the panel shows it, and the page is rendered again soon.
    pub(super) fn report_failure(&self, page_entry: &Arc<PageEntry>, error: &Error) {
        tracing::error!(%error, path = page_entry.path, "a page could not be made");
        let mut failed = locked(&self.failed_pages);
        let is_known = failed.iter().any(|known| Arc::ptr_eq(known, page_entry));
        if !is_known {
            failed.push(Arc::clone(page_entry));
        }
        drop(failed);
        self.set_error(error);
        if !is_known {
            self.repair_needed.notify_one();
        }
    }

    pub(super) fn set_error(&self, error: &Error) {
        if let Some(state) = &mut *locked(&self.state) {
            state.error = Some(error.to_string());
        }
    }

    /// Records that a page could be rendered.
    pub(super) fn clear_failure(&self, page_entry: &Arc<PageEntry>) {
        locked(&self.failed_pages).retain(|known| !Arc::ptr_eq(known, page_entry));
    }

    /// Forgets failures of pages that are no longer published.
    pub(super) fn retain_failures_of(&self, pages: &Pages) {
        let mut failed = locked(&self.failed_pages);
        if !failed.is_empty() {
            let published: HashSet<*const PageEntry> = pages.all().map(Arc::as_ptr).collect();
            failed.retain(|known| published.contains(&Arc::as_ptr(known)));
        }
    }

    /// Renders the failed pages again, those that failed first, for `RETRY_ROUND` at most. Returns
    /// whether one succeeded.
    pub(super) fn retry_failed_pages(&self) -> bool {
        let Some(pages) = self.current.load_full() else {
            return false;
        };
        self.retain_failures_of(&pages);
        let failed = locked(&self.failed_pages).clone();
        let (started, mut has_succeeded) = (Instant::now(), false);
        for page_entry in failed {
            if started.elapsed() > RETRY_ROUND {
                break;
            }
            match self.load_into_memory(&pages, &page_entry, true) {
                Ok(_) => {
                    // Another thread may have rendered it.
                    self.clear_failure(&page_entry);
                    has_succeeded = true;
                }
                Err(error) => {
                    self.report_failure(&page_entry, &error);
                    // The others go first in the next round.
                    let mut failed = locked(&self.failed_pages);
                    failed.sort_by_key(|known| Arc::ptr_eq(known, &page_entry));
                }
            }
        }
        has_succeeded
    }

    /// Returns the content of a page entry as a static host serves it.
    pub(super) fn static_bytes(
        &self,
        pages: &Pages,
        page_entry: &PageEntry,
    ) -> Result<ExportedFile> {
        if let Some(given) = self.static_bytes_from_response(pages, page_entry) {
            return Ok(given);
        }
        let raw = self.render_uncompressed(pages, page_entry, Target::StaticHost)?;
        let bytes = match String::from_utf8(raw.bytes) {
            Ok(page) if page_entry.is_page() => html_template::in_files(&page).into(),
            Ok(file) => file.into(),
            Err(other) => other.into_bytes().into(),
        };
        Ok(ExportedFile {
            content_type: raw.content_type,
            bytes,
        })
    }

    /// Derives the content from the response for visitors if that exists and shows the same:
    /// another render would occupy the renderer that visitors wait for.
    fn static_bytes_from_response(
        &self,
        pages: &Pages,
        page_entry: &PageEntry,
    ) -> Option<ExportedFile> {
        let Some(shown) = page_entry.shown() else {
            return page_entry.ready().map(|file| ExportedFile::of(&file));
        };
        let route = pages.routes.get(shown.route)?;
        if route.is_other_in_files {
            return None;
        }
        let cache = || {
            let (cache, name) = self.disk_cache_key(pages, page_entry)?;
            cache.page(&name, self.response_head(route)).map(Arc::new)
        };
        let page = page_entry.ready().or_else(cache)?;
        let text = String::from_utf8(page.plain().into()).ok()?;
        Some(ExportedFile {
            content_type: page.content_type,
            bytes: html_template::in_files(&text).into(),
        })
    }

    /// Returns the response from the page cache, or renders and compresses it.
    pub(super) fn load_or_render(&self, pages: &Pages, page_entry: &PageEntry) -> Result<Page> {
        let compressed = |raw| compress::page(raw, self.cache_control);
        let shown = match &page_entry.what {
            EntryContent::Page(shown) => shown,
            EntryContent::File(file) => {
                self.inject_failure()?;
                return generated_files::make(pages, *file).map(compressed);
            }
        };
        let (route, input) = input(pages, shown, Target::Server, None).ok_or(Error::NotFound)?;
        if let Some(cache) = &self.disk_cache {
            let name = cache_key_of(cache, route, page_entry, &input);
            if let Some(page) = cache.page(&name, self.response_head(route)) {
                page_entry.set_cache_key(name);
                return Ok(page);
            }
            page_entry.clear_optimized();
        }
        self.render_route(route, &page_entry.path, input)
            .map(compressed)
    }

    /// Returns the page cache and the name of a page in it.
    pub(super) fn disk_cache_key(
        &self,
        pages: &Pages,
        page_entry: &PageEntry,
    ) -> Option<(&DiskCache, CacheKey)> {
        let cache = self.disk_cache.as_ref()?;
        let (route, input) = input(pages, page_entry.shown()?, Target::Server, None)?;
        Some((cache, cache_key_of(cache, route, page_entry, &input)))
    }

    fn response_head(&self, route: &Route) -> ResponseHead {
        ResponseHead {
            status: status_of(route),
            content_type: HTML,
            cache_control: self.cache_control,
        }
    }

    fn render_uncompressed(
        &self,
        pages: &Pages,
        page_entry: &PageEntry,
        target: Target,
    ) -> Result<UncompressedResponse> {
        Ok(match &page_entry.what {
            EntryContent::Page(shown) => {
                self.render_input(pages, &page_entry.path, shown, target, None)?
            }
            EntryContent::File(file) => generated_files::make(pages, *file)?,
        })
    }

    fn render_input(
        &self,
        pages: &Pages,
        path: &str,
        shown: &PageInput,
        target: Target,
        given: Option<&Json>,
    ) -> Result<UncompressedResponse> {
        let (route, input) = input(pages, shown, target, given).ok_or(Error::NotFound)?;
        self.render_route(route, path, input)
    }

    fn render_route(
        &self,
        route: &Route,
        path: &str,
        input: String,
    ) -> Result<UncompressedResponse> {
        self.inject_failure()?;
        let rendered = self.renderer.render_page(&route.page, path, input)?;
        let (page, rules) = html_template::page(&self.bundle, &rendered);
        Ok(UncompressedResponse {
            status: status_of(route),
            content_type: HTML,
            bytes: page.into_bytes(),
            rules,
        })
    }

    /// Fails as often as a test asked for.
    #[cfg(debug_assertions)]
    fn inject_failure(&self) -> Result<()> {
        let count = &self.injected_failures;
        let left = count.fetch_update(Ordering::AcqRel, Ordering::Acquire, |left| {
            left.checked_sub(1)
        });
        left.map_or(Ok(()), |_| Err(Error::Render("injected".to_owned())))
    }

    #[cfg(not(debug_assertions))]
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "the signature of the other"
    )]
    const fn inject_failure(&self) -> Result<()> {
        Ok(())
    }

    pub(super) fn filled(
        &self,
        pages: &Pages,
        page_entry: &PageEntry,
        given: &Json,
    ) -> Result<Page> {
        let shown = page_entry.shown().ok_or(Error::NotFound)?;
        let raw = self.render_input(pages, &page_entry.path, shown, Target::Server, Some(given))?;
        Ok(compress::page(raw, self.cache_control))
    }

    pub(super) fn preview(
        &self,
        snapshot: &Snapshot,
        path: &str,
        is_marked: bool,
    ) -> Result<String> {
        let routes = self.route_table()?;
        let today = self
            .current
            .load()
            .as_ref()
            .map_or_else(|| time::day(0), |pages| pages.today);
        let (pages, _) = Pages::plan(&routes, snapshot.clone(), today, None);
        let page_entry = pages.find(path).ok_or(Error::NotFound)?;
        let shown = page_entry.shown().ok_or(Error::NotFound)?;
        let route = pages.routes.get(shown.route).ok_or(Error::NotFound)?;
        let words = json!({
            "blocks": pages.snapshot.blocks_json(&route.words),
            "marked": is_marked,
        });
        let input = shown.input(route, &pages.site, &words, Target::Server, None);
        let page = self.renderer.render_page(&route.page, path, input)?;
        Ok(html_template::preview(&self.bundle, &page))
    }

    /// Returns the route table of the bundle, loaded once.
    fn route_table(&self) -> Result<Arc<[Route]>> {
        let mut known = locked(&self.routes);
        if let Some(routes) = &*known {
            return Ok(Arc::clone(routes));
        }
        let routes: Vec<Route> = serde_json::from_str(&self.route_table_text()?)
            .map_err(|error| Error::Render(format!("the table of routes: {error}")))?;
        let routes: Arc<[Route]> = routes.into();
        let is_general =
            |route: &Route| matches!(route.kind, RouteKind::Missing { prefix: None, .. });
        if !routes.iter().any(is_general) {
            return Err(Error::Render(
                "the bundle has no screen for what is not there".to_owned(),
            ));
        }
        *known = Some(Arc::clone(&routes));
        Ok(routes)
    }

    /// Returns the route table from the page cache, or from the bundle.
    fn route_table_text(&self) -> Result<String> {
        let Some(cache) = &self.disk_cache else {
            return Ok(self.renderer.load_route_table()?);
        };
        let name = cache.name(&[ROUTES]);
        let known = cache
            .bytes(&name)
            .and_then(|bytes| String::from_utf8(bytes).ok());
        known.map_or_else(
            || {
                let text = self.renderer.load_route_table()?;
                cache.put(&name, text.as_bytes());
                Ok(text)
            },
            Ok,
        )
    }
}

/// Returns the route of a page and the page's whole input.
fn input<'a>(
    pages: &'a Pages,
    shown: &PageInput,
    target: Target,
    given: Option<&Json>,
) -> Option<(&'a Route, String)> {
    let route = pages.routes.get(shown.route)?;
    let words = json!({ "blocks": pages.snapshot.blocks_json(&route.words) });
    Some((
        route,
        shown.input(route, &pages.site, &words, target, given),
    ))
}

fn cache_key_of(cache: &DiskCache, route: &Route, page_entry: &PageEntry, input: &str) -> CacheKey {
    cache.name(&[&route.page, &page_entry.path, input])
}

const fn status_of(route: &Route) -> u16 {
    match route.kind {
        RouteKind::Page => 200,
        RouteKind::Screen { status } | RouteKind::Missing { status, .. } => status,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bundle, Publisher, headers};
    use respiro_content::{Changes, Entry, Item, Pictures, collection_by_slug};
    use respiro_db as db;

    /// Six pages; `/b` fails when the public address is `guasto`.
    const BUNDLE: &str = "
        const paths = ['/', '/a', '/b', '/c', '/d', '/e'];
        globalThis.respiro = {
          routes: () => JSON.stringify([...paths.map((path) => ({ page: 'p', path, kind: 'page' })),
            { page: 'p', path: '/404', kind: 'missing', status: 404, prefix: null }]),
          page: (page, path, input) => { const html = JSON.parse(input).site.publicUrl;
            if (html === 'guasto' && path === '/b') throw new Error('guasto');
            return { head: '', html, entry: '', data: '' }; },
        };";

    fn publish(site: &Publisher, url: &str) -> Vec<String> {
        let snapshot = Snapshot {
            public_url: url.to_owned(),
            ..Snapshot::default()
        };
        site.publish(snapshot, 0).unwrap();
        made(site)
    }

    fn made(site: &Publisher) -> Vec<String> {
        let pages = site.pages().unwrap();
        let is_made = |page_entry: &&Arc<PageEntry>| page_entry.ready().is_some();
        let all = pages.all().filter(is_made);
        all.map(|page_entry| page_entry.path.clone()).collect()
    }

    /// Regression: with four pages rendered before the response, a save of forty parts took three
    /// times as long as with one.
    #[test]
    fn one_page_is_made_before_the_answer_and_the_next_ones_right_behind() {
        let bundle = Bundle::of_renderer(BUNDLE);
        let site = Publisher::start_quietly(bundle, headers::ASKED).unwrap();
        assert_eq!(publish(&site, "uno"), ["/"]);
        site.shared.render_next_pages(&|| false);
        assert_eq!(made(&site), ["/"], "nobody waits for more at a start");
        assert_eq!(publish(&site, "due"), ["/"]);
        site.shared.render_next_pages(&|| true);
        assert_eq!(publish(&site, "tre"), ["/"], "a newer publish goes first");
        site.shared.render_next_pages(&|| false);
        assert_eq!(made(&site), ["/", "/a", "/b", "/c"]);
        // An irreversible commit is preceded by the larger check.
        let snapshot = Snapshot::default();
        site.publish_after(snapshot, 0, || Ok(())).unwrap();
        assert_eq!(made(&site), ["/", "/a", "/b", "/c"]);
    }

    /// A page that shows how often it was rendered.
    const COUNTING: &str = "
        let count = 0;
        globalThis.respiro = {
          routes: () => JSON.stringify([{ page: 'p', path: '/', kind: 'page' },
            { page: 'p', path: '/404', kind: 'missing', status: 404, prefix: null }]),
          page: (page, path, input) => { const url = JSON.parse(input).site.publicUrl;
            if (url === 'guasto') throw new Error('guasto');
            return { head: '', html: `${url} ${++count}`, entry: '', data: '' }; },
        };";

    fn shown(site: &Publisher) -> String {
        String::from_utf8(site.page("/").unwrap().plain().to_vec()).unwrap()
    }

    #[test]
    fn what_was_drawn_before_the_answer_is_not_drawn_again() {
        let site = Publisher::start_quietly(Bundle::of_renderer(COUNTING), headers::ASKED).unwrap();
        for (place, url) in (1..).zip(["uno", "due"]) {
            publish(&site, url);
            if url == "due" {
                site.shared.render_next_pages(&|| false);
            }
            assert!(shown(&site).contains(&format!(">{url} {place}<")));
        }
    }

    #[test]
    fn nothing_shows_before_it_is_committed_nor_is_told_of_when_it_is_not() {
        let site = Publisher::start_quietly(Bundle::of_renderer(COUNTING), headers::ASKED).unwrap();
        publish(&site, "uno");
        let after = |url: &str, committed: Result<()>| {
            let snapshot = Snapshot {
                public_url: url.to_owned(),
                ..Snapshot::default()
            };
            let before = shown(&site);
            site.publish_after(snapshot, 0, || {
                assert_eq!(shown(&site), before, "{url}");
                committed
            })
        };
        after("due", Err(db::Error::StorageFull.into())).unwrap_err();
        assert!(shown(&site).contains(">uno ") && site.state().unwrap().ok);
        after("tre", Ok(())).unwrap();
        assert!(shown(&site).contains(">tre "));
        after("guasto", Ok(())).unwrap_err();
        assert!(shown(&site).contains(">tre ") && site.state().unwrap().ok);
    }

    /// Regression: an export rendered each page once more, on the renderer that visitors wait for.
    #[test]
    fn a_page_that_lies_ready_is_not_drawn_again_for_plain_files() {
        const FOR_BOTH: &str = "
            let count = 0;
            const of = (path, isOtherInFiles) => ({ page: 'p', path, isOtherInFiles, kind: 'page' });
            globalThis.respiro = {
              routes: () => JSON.stringify([of('/', false), of('/blog', true),
                { page: 'p', path: '/404', kind: 'missing', status: 404, prefix: null }]),
              page: (page, path, input) => { const { site, isStatic } = JSON.parse(input);
                const countsVisits = !isStatic && site.countsVisits;
                const html = `${++count} \\\"countsVisits\\\":true`;
                return { head: '', html, entry: '',
                  data: JSON.stringify({ html, countsVisits }) }; },
            };";
        let site = Publisher::start_quietly(Bundle::of_renderer(FOR_BOTH), headers::ASKED).unwrap();
        let snapshot = Snapshot {
            counts_visits: true,
            ..Snapshot::default()
        };
        site.publish(snapshot, 0).unwrap();
        let pages = site.pages().unwrap();
        let sent = |path: &str| {
            let export_entries = site.export_entries(&pages);
            let (_, what) = export_entries
                .iter()
                .find(|(known, _)| known == path)
                .unwrap();
            let given = site.export_bytes(&pages, path, what).unwrap();
            String::from_utf8(given.bytes.to_vec()).unwrap()
        };
        for _ in 0..2 {
            let shown = site.page("/").unwrap().plain();
            let shown = String::from_utf8(shown.to_vec()).unwrap();
            let flag = |is_on: bool| format!("\"countsVisits\":{is_on}}}");
            assert!(shown.contains(">1 ") && shown.contains(&flag(true)));
            // A file brings its policy along, because its host may send no headers.
            let file = sent("/");
            let (start, rest) = file.split_once("<meta http-equiv=\"Content").unwrap();
            let (_, end) = rest.split_once('>').unwrap();
            let shown = shown.replace(&flag(true), &flag(false));
            assert_eq!(format!("{start}{end}"), shown);
        }
        // Only the page that differs on static hosts is rendered for both.
        assert!(site.page("/blog").unwrap().identity().bytes.len() > 100);
        assert!(sent("/blog").contains(">3 ") && sent("/blog").contains(">4 "));
    }

    /// A page that shows all events.
    const WITH_EVENTS: &str = "
        const read = { name: 'all', of: 'events', how: 'first', count: 9 };
        globalThis.respiro = {
          routes: () => JSON.stringify([
            { page: 'p', path: '/eventi', kind: 'page', reads: [read] },
            { page: 'p', path: '/404', kind: 'missing', status: 404, prefix: null }]),
          page: (page, path, input) => ({ head: '', html: input, entry: '', data: '' }),
        };";

    fn with_events(titles: &[(&str, &str)]) -> Snapshot {
        let events = collection_by_slug("events").unwrap();
        let mut snapshot = Snapshot::default();
        let entry = |(id, title): &(&str, &str)| {
            let body = json!({ "title": title, "published": true });
            let changes = Changes::parse(events, body.as_object().unwrap()).unwrap();
            let item = Item::create(events, changes, (*id).to_owned(), 0, 1).unwrap();
            (
                (*id).to_owned(),
                Some(Entry::new(events, item, Pictures::new())),
            )
        };
        snapshot.apply(events, titles.iter().map(entry).collect());
        snapshot
    }

    fn publish_events(site: &Publisher, titles: &[(&str, &str)]) {
        let mut snapshot = with_events(titles);
        if let Some(pages) = site.pages() {
            snapshot.share_unchanged(&pages.snapshot);
        }
        site.publish(snapshot, 0).unwrap();
    }

    /// Regression: a testimonial whose consent was withdrawn stayed public after one failed render,
    /// until the next change.
    #[test]
    fn the_former_page_stands_in_only_while_nothing_in_it_was_removed_or_changed() {
        let site = Publisher::start_quietly(Bundle::of_renderer(WITH_EVENTS), headers::ASKED);
        let site = site.unwrap();
        let shown = || {
            let page = site.page("/eventi").unwrap();
            (
                page.status,
                String::from_utf8(page.plain().to_vec()).unwrap(),
            )
        };
        publish_events(&site, &[("a", "Uno"), ("b", "Due")]);
        assert!(shown().1.contains("Uno"));
        for (events, stands) in [
            (&[("a", "Uno"), ("b", "Due"), ("c", "Tre")][..], true),
            (&[("a", "Uno"), ("b", "Corretto"), ("c", "Tre")], false),
            // The text is back, but the former page may show another that is not.
            (&[("a", "Uno"), ("b", "Due"), ("c", "Tre")], false),
            (&[("a", "Uno"), ("c", "Tre")], false),
        ] {
            site.fail_next_renders(1);
            publish_events(&site, events);
            let (status, text) = shown();
            assert_eq!(status, if stands { 200 } else { 503 }, "{events:?}");
            assert_eq!(text.contains("Due"), stands, "{events:?}");
            assert!(!site.state().unwrap().ok);
        }
        assert!(site.retry_failed_pages());
        let (status, text) = shown();
        assert!(status == 200 && text.contains("Tre") && !text.contains("Due"));
        assert!(site.state().unwrap().ok && site.state().unwrap().error.is_none());
    }

    /// Regression: a failed page made every later change read the whole file and render every page.
    #[test]
    fn a_page_that_fails_does_not_make_the_snapshot_untrusted() {
        let site = Publisher::start_quietly(Bundle::of_renderer(BUNDLE), headers::ASKED).unwrap();
        publish(&site, "uno");
        publish(&site, "guasto");
        site.shared.render_next_pages(&|| false);
        assert!(!site.is_complete() && site.is_snapshot_trusted());
        // A further publish reports the same page for as long as it fails.
        publish(&site, "guasto");
        assert!(!site.state().unwrap().ok && site.is_snapshot_trusted());
        assert!(!site.retry_failed_pages());
        publish(&site, "tre");
        assert!(site.state().unwrap().ok);
    }

    #[test]
    fn a_start_goes_on_with_one_page_that_fails_but_not_with_none() {
        let site = Publisher::start_quietly(Bundle::of_renderer(BUNDLE), headers::ASKED).unwrap();
        site.fail_next_renders(4);
        site.publish(Snapshot::default(), 0).unwrap_err();
        assert!(site.pages().is_none());
        site.fail_next_renders(1);
        assert_eq!(publish(&site, "uno"), ["/a"]);
        assert!(!site.state().unwrap().ok);
        assert!(site.retry_failed_pages() && site.state().unwrap().ok);
    }

    #[test]
    fn a_page_that_breaks_behind_the_answer_is_renewed_and_the_panel_is_told() {
        let bundle = Bundle::of_renderer(BUNDLE);
        let site = Publisher::start_quietly(bundle, headers::ASKED).unwrap();
        publish(&site, "uno");
        assert!(site.page("/b").is_some());
        publish(&site, "guasto");
        assert!(site.state().unwrap().ok);
        site.shared.render_next_pages(&|| false);
        assert_eq!(made(&site), ["/", "/a", "/c"]);
        let state = site.state().unwrap();
        assert!(!state.ok && state.error.unwrap().contains("guasto"));
        let shown = |path: &str| site.page(path).unwrap().identity().bytes.clone();
        let says = |path: &str, word: &str| String::from_utf8_lossy(&shown(path)).contains(word);
        // Its former text shows a setting that was changed.
        assert!(!says("/b", ">uno<") && says("/b", "http-equiv=\"refresh\" content=\"30\""));
        let page = site.page("/b").unwrap();
        assert_eq!((page.status, page.cache_control), (503, "no-store"));
        assert!(says("/d", ">guasto<"));
    }
}
