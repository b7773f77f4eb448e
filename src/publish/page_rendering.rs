//! One publish: plan, render the most urgent pages, swap; the others are rendered on request.

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
use std::sync::Arc;
use std::thread;
use std::time::Instant;

/// Pages rendered before a publish ends, which fails if one of them does: an error mostly affects
/// similar pages as well. The admin waits for them, and each takes as long as the rest of a
/// publish.
pub(super) const EAGER_PAGES: usize = 1;
/// The same before an irreversible commit: more pages reveal more errors.
pub(super) const CHECKED_PAGES: usize = 4;
/// Pages rendered right after the response to the admin, before all other background work.
const SOON_PAGES: usize = 3;

/// Name of the route table in the page cache.
pub(super) const ROUTES: &str = "routes";
const HTML: &str = "text/html; charset=utf-8";

/// A new site, not yet swapped in.
pub(super) struct Prepared {
    pub(super) pages: Pages,
    /// Pages to render next, after those already rendered.
    pub(super) next_pages: Vec<Arc<PageEntry>>,
    pub(super) stats: PublishStats,
}

fn is_page(routes: &[Route], page_entry: &PageEntry) -> bool {
    let row = page_entry.shown().and_then(|shown| routes.get(shown.route));
    row.is_some_and(|row| row.kind == RouteKind::Page)
}

impl Shared {
    /// Plans a new site from `snapshot`, reuses what did not change, and renders the first `count`
    /// changed pages.
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
        // At a start no site is up yet: one page shows whether rendering works at all.
        let is_start = former.is_none();
        let count = if is_start { EAGER_PAGES } else { count };
        let (eager, others) = fresh.split_at(count.min(fresh.len()));
        stats.rendered = eager.len();
        self.render_all(&pages, eager)?;
        stats.whole_time = started.elapsed();
        let next_pages = if is_start { 0 } else { SOON_PAGES };
        let next_pages = others.iter().take(next_pages).map(Arc::clone).collect();
        Ok(Prepared {
            pages,
            next_pages,
            stats,
        })
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
            if let Err(error) = self.load_into_memory(&pages, &page_entry) {
                self.report_failure(&page_entry, &error);
            }
        }
    }

    /// Renders in parallel: the input of one page is prepared, and another one compressed, while a
    /// third is rendered.
    fn render_all(&self, pages: &Pages, page_entries: &[Arc<PageEntry>]) -> Result<()> {
        let make = |page_entry: &Arc<PageEntry>| self.load_into_memory(pages, page_entry).map(drop);
        let Some((first, others)) = page_entries.split_first() else {
            return Ok(());
        };
        thread::scope(|scope| {
            let others: Vec<_> = others
                .iter()
                .map(|page_entry| scope.spawn(move || make(page_entry)))
                .collect();
            let mut result = make(first);
            for other in others {
                let panicked = |_| Err(Error::Render("a page could not be made".to_owned()));
                result = result.and(other.join().unwrap_or_else(panicked));
            }
            result
        })
    }

    pub(super) fn obtain(&self, pages: &Pages, page_entry: &PageEntry) -> Result<Arc<Page>> {
        // First, so that an eviction by this response spares it.
        page_entry.mark_requested();
        let made = self.load_into_memory(pages, page_entry);
        if let Err(error) = &made {
            self.report_failure(page_entry, error);
        }
        let page = made
            .unwrap_or_default()
            .or_else(|| self.former_response(pages, page_entry));
        page.ok_or(Error::Unavailable("the page could not be made"))
    }

    /// Returns the response, rendered into memory if necessary.
    fn load_into_memory(&self, pages: &Pages, page_entry: &PageEntry) -> Result<Option<Arc<Page>>> {
        let mut is_new = false;
        let page = page_entry.obtain(|| {
            is_new = true;
            self.load_or_render(pages, page_entry)
        })?;
        if let (true, Some(page), Some(_)) = (is_new, &page, &self.disk_cache) {
            self.memory_budget.add_response(pages, page);
        }
        Ok(page)
    }

    /// Returns the former response at this address.
    fn former_response(&self, pages: &Pages, page_entry: &PageEntry) -> Option<Arc<Page>> {
        page_entry.former_response().or_else(|| {
            let sent = self.response_head(pages.routes.get(page_entry.shown()?.route)?);
            let cache = self.disk_cache.as_ref()?;
            let page = page_entry
                .cache_keys()
                .find_map(|name| cache.page(&name, sent))?;
            Some(Arc::new(page))
        })
    }

    pub(super) fn report_failure(&self, page_entry: &PageEntry, error: &Error) {
        tracing::error!(%error, path = page_entry.path, "a page could not be made");
        if let Some(state) = &mut *locked(&self.state) {
            state.ok = false;
            state.error = Some(error.to_string());
        }
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
            Ok(page) if page_entry.is_page() => html_template::in_files(&self.bundle, &page).into(),
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
            bytes: html_template::in_files(&self.bundle, &text).into(),
        })
    }

    /// Returns the response from the page cache, or renders and compresses it.
    pub(super) fn load_or_render(&self, pages: &Pages, page_entry: &PageEntry) -> Result<Page> {
        let compressed = |raw| compress::page(raw, self.cache_control);
        let shown = match &page_entry.what {
            EntryContent::Page(shown) => shown,
            EntryContent::File(file) => return generated_files::make(pages, *file).map(compressed),
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
        let rendered = self.renderer.render_page(&route.page, path, input)?;
        let (page, rules) = html_template::page(&self.bundle, &rendered);
        Ok(UncompressedResponse {
            status: status_of(route),
            content_type: HTML,
            bytes: page.into_bytes(),
            rules,
        })
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
        assert!(shown(&site).contains(">tre ") && !site.state().unwrap().ok);
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
            assert_eq!(sent("/"), shown.replace(&flag(true), &flag(false)));
        }
        // Only the page that differs on static hosts is rendered for both.
        assert!(site.page("/blog").unwrap().identity().bytes.len() > 100);
        assert!(sent("/blog").contains(">3 ") && sent("/blog").contains(">4 "));
    }

    #[test]
    fn a_page_that_breaks_behind_the_answer_stays_up_as_it_was_and_the_panel_is_told() {
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
        assert!(says("/b", ">uno<") && says("/d", ">guasto<"));
    }
}
