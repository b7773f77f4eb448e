//! The frame around a rendered page: what the bundle's files are called, and the page's data.

use super::bundle::Bundle;
use crate::render::RenderedPage;
use sha2::{Digest, Sha256};

/// Source of the program that takes over the page in the browser.
const SITE_ENTRY: &str = "src/entry-site.tsx";
/// The one style sheet of all pages.
const STYLE: &str = "style.css";

const HEAD: &str = "<meta charset=\"utf-8\">\
    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">";
const LINKS: &str = "<link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\">\
    <link rel=\"icon\" href=\"/favicon.ico\" sizes=\"32x32\">\
    <link rel=\"apple-touch-icon\" href=\"/apple-touch-icon.png\">\
    <link rel=\"manifest\" href=\"/manifest.webmanifest\">\
    <link rel=\"alternate\" href=\"/feed.xml\" type=\"application/atom+xml\" title=\"Blog\">";

/// Until the page answers to clicks itself, browsers that can begin to fetch the next one when a
/// link is pressed. From then on no link matches: `ui/src/site/shell/ahead.ts` does more, and no
/// page shall be fetched twice. Allowed by its hash (`headers.rs`).
const SPECULATION: &str = "{\"prefetch\":[{\"where\":{\"and\":[{\"href_matches\":\"/*\"},\
    {\"not\":{\"href_matches\":[\"/admin*\",\"/api/*\",\"/objects/*\",\"/assets/*\",\"/*.*\"]}},\
    {\"selector_matches\":\"html:not([data-hydrated]) a:not([target],[download])\"}]},\
    \"eagerness\":\"conservative\"}]}";

/// A page reads whole before its scripts are there: they make way for style, type and pictures.
const LATER: &str = " fetchpriority=\"low\"";

impl Bundle {
    /// Tells what this program makes of a page's input from what any other makes of it.
    pub(super) fn version(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(self.hash);
        hash.update(env!("CARGO_PKG_VERSION"));
        hash.update(page(self, &RenderedPage::default()));
        hash.finalize().into()
    }
}

/// The page's data, which its scripts begin with.
const DATA: &str = "<script type=\"application/json\" id=\"page-data\">";
/// What they say of visits, where the program counts them and where nobody does.
const COUNTED: &str = "\"countsVisits\":true";
const UNCOUNTED: &str = "\"countsVisits\":false";

/// The same page where nobody counts visits.
pub(super) fn uncounted(page: &str) -> String {
    page.rsplit_once(DATA).map_or_else(
        || page.to_owned(),
        |(start, data)| [start, DATA, &data.replacen(COUNTED, UNCOUNTED, 1)].concat(),
    )
}

/// The whole page: hydrated in the browser from the same data.
pub(super) fn page(bundle: &Bundle, page: &RenderedPage) -> String {
    let scripts = bundle.scripts(SITE_ENTRY, &page.entry);
    let preloads = links("modulepreload", LATER, &scripts);
    let start = bundle.file(SITE_ENTRY).map_or_else(String::new, |file| {
        format!("<script type=\"module\" src=\"/{file}\"{LATER}></script>")
    });
    let data = format!(
        "<script type=\"speculationrules\">{SPECULATION}</script>\
         {DATA}{}</script>{start}",
        page.data.replace('<', "\\u003c")
    );
    whole(bundle, page, &preloads, &data)
}

/// The page to look at only.
pub(super) fn preview(bundle: &Bundle, page: &RenderedPage) -> String {
    let robots = "<meta name=\"robots\" content=\"noindex, nofollow\">";
    whole(bundle, page, robots, "")
}

fn whole(bundle: &Bundle, page: &RenderedPage, head_end: &str, body_end: &str) -> String {
    let style: Vec<&str> = bundle.file(STYLE).into_iter().collect();
    let styles = links("stylesheet", "", &style);
    let (head, html) = (&page.head, &page.html);
    format!(
        "<!doctype html><html lang=\"it\"><head>{HEAD}{head}{styles}{head_end}{LINKS}</head>\
         <body><div id=\"app\">{html}</div>{body_end}</body></html>"
    )
}

fn links(relation: &str, attributes: &str, files: &[&str]) -> String {
    let link = |file: &&str| format!("<link rel=\"{relation}\" href=\"/{file}\"{attributes}>");
    files.iter().map(link).collect::<Vec<_>>().concat()
}
