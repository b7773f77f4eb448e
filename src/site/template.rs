//! The frame around a rendered page: what the bundle's files are called, and the page's data.

use super::bundle::Bundle;
use super::style::RULES;
use crate::render::RenderedPage;
use data_encoding::BASE64;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// Source of the program that takes over the page in the browser.
const SITE_ENTRY: &str = "src/entry-site.tsx";
/// The one style sheet of all pages.
const STYLE: &str = "style.css";

const HEAD: &str = "<meta charset=\"utf-8\">\
    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">";
/// It comes along: asked for by itself it would share a slow line with the typefaces.
static ICON: LazyLock<String> = LazyLock::new(|| {
    const DRAWING: &str = include_str!("../../ui/public/favicon.svg");
    const SIGNS: &AsciiSet = &CONTROLS.add(b'"').add(b'#').add(b'%').add(b'<').add(b'>');
    let drawing = utf8_percent_encode(DRAWING.trim_end(), SIGNS);
    format!("<link rel=\"icon\" href=\"data:image/svg+xml,{drawing}\" type=\"image/svg+xml\">")
});
const LINKS: &str = "<link rel=\"icon\" href=\"/favicon.ico\" sizes=\"32x32\">\
    <link rel=\"apple-touch-icon\" href=\"/apple-touch-icon.png\">\
    <link rel=\"alternate\" href=\"/feed.xml\" type=\"application/atom+xml\" title=\"Blog\">";

/// Until the page answers to clicks itself, browsers that can begin to fetch the next one when a
/// link is pressed. From then on no link matches: `ui/src/site/layout/prefetch.ts` does more, and
/// no page shall be fetched twice. Allowed by its hash (`headers.rs`).
const SPECULATION: &str = "{\"prefetch\":[{\"where\":{\"and\":[{\"href_matches\":\"/*\"},\
    {\"not\":{\"href_matches\":[\"/admin*\",\"/api/*\",\"/objects/*\",\"/assets/*\",\"/*.*\"]}},\
    {\"selector_matches\":\"html:not([data-hydrated]) a:not([target],[download])\"}]},\
    \"eagerness\":\"conservative\"}]}";

/// Asks for the whole style sheet and for the scripts when the page has been painted: it reads
/// whole, and looks as it does, with the rules that it brings along. Until then the line is free
/// for type and pictures. What is not painted, in a tab behind others, does not wait for ever. It
/// names the element: a heading of hers may have any id.
/// Allowed by its hash (`headers.rs`).
const STARTER: &str = "{let later=()=>{later=()=>{};\
    const{links,start}=JSON.parse(document.querySelector(\"script#later\").textContent);\
    for(const[rel,href]of links)\
    document.head.append(Object.assign(document.createElement(\"link\"),{rel,href}));\
    import(start)};\
    setTimeout(()=>later(),3e3);\
    new PerformanceObserver(()=>later()).observe({type:\"paint\",buffered:true})}";
/// Browsers need it when the site is to be put on a home screen.
const MANIFEST: [&str; 2] = ["manifest", "manifest.webmanifest"];
/// Around the rules that a page brings along, and the whole sheet for who has no scripts: what is
/// left to it is for paper and for letters that are rare.
const STYLE_START: &str = "<style>";
const STYLE_END: &str = "</style><noscript>";
const SHEET_END: &str = "</noscript>";
/// What the starter asks for.
const LATER: &str = "<script type=\"application/json\" id=\"later\">";

impl Bundle {
    /// Tells what this program makes of a page's input from what any other makes of it.
    pub(super) fn version(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(self.hash);
        hash.update(RULES);
        hash.update(env!("CARGO_PKG_VERSION"));
        hash.update(page(self, &RenderedPage::default()).0);
        hash.finalize().into()
    }
}

/// The page's data, which its scripts begin with.
const DATA: &str = "<script type=\"application/json\" id=\"page-data\">";
/// What they say of visits, where the program counts them and where nobody does.
const COUNTED: &str = "\"countsVisits\":true";
const UNCOUNTED: &str = "\"countsVisits\":false";

/// The same page for a host of plain files: nobody counts visits there, and what such a host is
/// told to send along is the same for all pages, so that none can bring rules of its own.
pub(super) fn in_files(bundle: &Bundle, page: &str) -> String {
    let with_sheet = match (page.split_once(STYLE_START), bundle.file(STYLE)) {
        (Some((start, rest)), Some(file)) => {
            let rest = rest.split_once(SHEET_END).map_or("", |(_, rest)| rest);
            let again = format!("{},", json!(["stylesheet", format!("/{file}")]));
            [start, &sheet(bundle), &rest.replacen(&again, "", 1)].concat()
        }
        _ => page.to_owned(),
    };
    with_sheet.rsplit_once(DATA).map_or_else(
        || with_sheet.clone(),
        |(start, data)| [start, DATA, &data.replacen(COUNTED, UNCOUNTED, 1)].concat(),
    )
}

/// The whole page: hydrated in the browser from the same data. And the hash of the rules in it.
pub(super) fn page(bundle: &Bundle, page: &RenderedPage) -> (String, Option<String>) {
    let Some(start) = bundle.file(SITE_ENTRY) else {
        return (whole(page, &sheet(bundle), &data(page)), None);
    };
    let rules = bundle.style.used_in(&page.html);
    let hash = BASE64.encode(&Sha256::digest(&rules));
    let sheet = bundle.file(STYLE).map(|file| ["stylesheet", file]);
    let scripts = bundle.scripts(SITE_ENTRY, &page.entry);
    let scripts = scripts.into_iter().map(|file| ["modulepreload", file]);
    let links = sheet.into_iter().chain(scripts).chain([MANIFEST]);
    let links = links.map(|[relation, file]| json!([relation, format!("/{file}")]));
    let later = json!({ "links": links.collect::<Vec<_>>(), "start": format!("/{start}") });
    let end = format!(
        "{}{LATER}{later}</script><script>{STARTER}</script>",
        data(page)
    );
    let style = [
        STYLE_START,
        &rules,
        STYLE_END,
        &self::sheet(bundle),
        SHEET_END,
    ]
    .concat();
    (whole(page, &style, &end), Some(hash))
}

fn data(page: &RenderedPage) -> String {
    format!(
        "<script type=\"speculationrules\">{SPECULATION}</script>{DATA}{}</script>",
        page.data.replace('<', "\\u003c")
    )
}

/// The page to look at only.
pub(super) fn preview(bundle: &Bundle, page: &RenderedPage) -> String {
    let robots = "<meta name=\"robots\" content=\"noindex, nofollow\">";
    whole(page, &(sheet(bundle) + robots), "")
}

fn whole(page: &RenderedPage, head_end: &str, body_end: &str) -> String {
    let (head, html, icon) = (&page.head, &page.html, &*ICON);
    format!(
        "<!doctype html><html lang=\"it\"><head>{HEAD}{head}{head_end}{icon}{LINKS}</head>\
         <body><div id=\"app\">{html}</div>{body_end}</body></html>"
    )
}

/// The style sheet, which the page waits for.
fn sheet(bundle: &Bundle) -> String {
    bundle.file(STYLE).map_or_else(String::new, |file| {
        format!("<link rel=\"stylesheet\" href=\"/{file}\">")
    })
}
