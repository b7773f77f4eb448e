//! The HTML document around a rendered page: links to bundle files, inlined style rules, page data.

use super::compress::UncompressedResponse;
use super::headers::{RENEWAL_RETRY_AFTER, policy_in_page};
use super::messages;
use super::ui_bundle::Bundle;
use data_encoding::BASE64;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use quick_xml::escape::escape;
use respiro_content::{Settings, phone};
use respiro_render::RenderedPage;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::LazyLock;

/// Source of the script that hydrates the page.
const SITE_ENTRY: &str = "src/entry-site.tsx";
/// The style sheet of all pages.
const STYLE: &str = "style.css";

const HEAD: &str = "<meta charset=\"utf-8\">\
    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">";
/// Inlined: as a separate request it would compete with the fonts on a slow connection.
static ICON: LazyLock<String> = LazyLock::new(|| {
    const DRAWING: &str = include_str!("../../ui/public/favicon.svg");
    const SIGNS: &AsciiSet = &CONTROLS.add(b'"').add(b'#').add(b'%').add(b'<').add(b'>');
    let drawing = utf8_percent_encode(DRAWING.trim_end(), SIGNS);
    format!("<link rel=\"icon\" href=\"data:image/svg+xml,{drawing}\" type=\"image/svg+xml\">")
});
const LINKS: &str = "<link rel=\"icon\" href=\"/favicon.ico\" sizes=\"32x32\">\
    <link rel=\"apple-touch-icon\" href=\"/apple-touch-icon.png\">\
    <link rel=\"alternate\" href=\"/feed.xml\" type=\"application/atom+xml\" title=\"Blog\">";

/// Speculation rules: until the page is hydrated, browsers prefetch a link's target when it is
/// pressed. After hydration no link matches, because `ui/src/site/layout/prefetch.ts` prefetches
/// instead and no page is to be fetched twice. The policy allows it by its hash (`headers.rs`).
const SPECULATION: &str = "{\"prefetch\":[{\"where\":{\"and\":[{\"href_matches\":\"/*\"},\
    {\"not\":{\"href_matches\":[\"/admin*\",\"/api/*\",\"/objects/*\",\"/assets/*\",\"/*.*\"]}},\
    {\"selector_matches\":\"html:not([data-hydrated]) a:not([target],[download])\"}]},\
    \"eagerness\":\"conservative\"}]}";

/// Loads the whole style sheet and the scripts after the first paint. The inlined rules suffice for
/// the page until then, and the connection is free for fonts and pictures. A page in a background
/// tab is never painted; a timeout of 3 s starts it. The selector includes the element name,
/// because a heading may have any id. The policy allows it by its hash (`headers.rs`).
const STARTER: &str = "{let later=()=>{later=()=>{};\
    const{links,start}=JSON.parse(document.querySelector(\"script#later\").textContent);\
    for(const[rel,href]of links)\
    document.head.append(Object.assign(document.createElement(\"link\"),{rel,href}));\
    import(start)};\
    setTimeout(()=>later(),3e3);\
    new PerformanceObserver(()=>later()).observe({type:\"paint\",buffered:true})}";
/// Shows everything that otherwise waits for a press (`[data-plain]`, `ui/plain-rules.ts`) when the
/// scripts cannot run: a browser that does not know their syntax, or a failed request. In syntax of
/// 2009. The policy allows it by its hash (`headers.rs`).
const PLAIN: &str = "(function(w,d){function plain(){var r=d.documentElement,l,i,s;\
    if(r.hasAttribute(\"data-hydrated\")||r.hasAttribute(\"data-plain\"))return;r.setAttribute(\
    \"data-plain\",\"\");l=JSON.parse(d.querySelector(\"script#later\").textContent)\
    .links;for(i=0;i<l.length;i++)if(l[i][0]===\"stylesheet\"){s=d.createElement(\
    \"link\");s.rel=\"stylesheet\";s.href=l[i][1];d.head.appendChild(s)\
    }}w.addEventListener(\"error\",plain);w.addEventListener(\"unhandledrejection\",\
    plain)})(window,document)";
/// Browsers need it to add the site to the home screen.
const MANIFEST: [&str; 2] = ["manifest", "manifest.webmanifest"];
/// Delimit the inlined rules and the link to the whole sheet for browsers without scripts. The
/// sheet adds only rules for printing and for rare characters.
const STYLE_START: &str = "<style>";
const STYLE_END: &str = "</style><noscript>";
const SHEET_END: &str = "</noscript>";
/// Precedes the list of links that `STARTER` loads.
const LATER: &str = "<script type=\"application/json\" id=\"later\">";

impl Bundle {
    /// Returns a hash that identifies how this program renders a page's input.
    pub(super) fn version(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(self.hash);
        hash.update(self.style_rules);
        hash.update(env!("CARGO_PKG_VERSION"));
        hash.update(program_build());
        hash.update(page(self, &RenderedPage::default()).0);
        hash.finalize().into()
    }
}

/// Identifies the build of the running program: two builds of one version may render differently.
fn program_build() -> Vec<u8> {
    build_of(Path::new("/proc/self/exe"))
}

fn build_of(program: &Path) -> Vec<u8> {
    let parts = std::fs::metadata(program).map_or([0; 3], |file| {
        let bytes = i64::try_from(file.len()).unwrap_or_default();
        [bytes, file.mtime(), file.mtime_nsec()]
    });
    parts.into_iter().flat_map(i64::to_le_bytes).collect()
}

/// Precedes the data that hydrates the page.
const DATA: &str = "<script type=\"application/json\" id=\"page-data\">";
/// The flag for visit counting in that data, on and off.
const COUNTED: &str = "\"countsVisits\":true";
const UNCOUNTED: &str = "\"countsVisits\":false";

/// Converts a page for a static host: it counts no visits there, and it names its policy itself,
/// because such a host sends none, or one for all pages.
pub(super) fn in_files(page: &str) -> String {
    let rules = page.split_once(STYLE_START).and_then(|(_, rest)| {
        let (rules, _) = rest.split_once("</style>")?;
        Some(hash_of(rules))
    });
    let policy = policy_in_page(rules.as_deref());
    let meta = format!("{HEAD}<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">");
    let page = page.replacen(HEAD, &meta, 1);
    page.rsplit_once(DATA).map_or_else(
        || page.clone(),
        |(start, data)| [start, DATA, &data.replacen(COUNTED, UNCOUNTED, 1)].concat(),
    )
}

/// Returns the hash by which a policy allows inlined rules.
fn hash_of(rules: &str) -> String {
    BASE64.encode(&Sha256::digest(rules))
}

/// Returns the HTML document and the hash of its inlined rules; the scripts hydrate it.
pub(super) fn page(bundle: &Bundle, page: &RenderedPage) -> (String, Option<String>) {
    let Some(start) = bundle.file(SITE_ENTRY) else {
        return (whole(bundle, page, &sheet(bundle), &data(page)), None);
    };
    let rules = bundle.style.used_in(&(bar(bundle.bar) + &page.html));
    let hash = hash_of(&rules);
    let sheet = bundle.file(STYLE).map(|file| ["stylesheet", file]);
    let scripts = bundle.scripts(SITE_ENTRY, &page.entry);
    let scripts = scripts.into_iter().map(|file| ["modulepreload", file]);
    let links = sheet.into_iter().chain(scripts).chain([MANIFEST]);
    let links = links.map(|[relation, file]| json!([relation, format!("/{file}")]));
    let later = json!({ "links": links.collect::<Vec<_>>(), "start": format!("/{start}") });
    let end = format!(
        "{}{LATER}{later}</script><script>{PLAIN}</script><script>{STARTER}</script>",
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
    (whole(bundle, page, &style, &end), Some(hash))
}

/// Rules of the pages with status 503: colours of the site, no fonts and no files.
const MESSAGE_RULES: &str = "body{margin:0;min-height:100vh;display:grid;place-content:center;\
    padding:1.5rem;text-align:center;font:1.125rem/1.6 system-ui,sans-serif;color:#1f2d2d;\
    background:#faf7f2}h1{font-size:1.75rem;line-height:1.2;margin:0 0 .75rem;color:#1f5c5c}\
    p{margin:0 auto;max-width:34em}p+p{margin-top:.75rem}a{color:inherit}\
    @media(prefers-color-scheme:dark){body{color:#e6e1d8;background:#14201f}h1{color:#9fd3cd}}";

/// Returns the page that stands in for one that cannot be rendered, with status 503. It reloads
/// itself, without scripts.
pub(super) fn renewal_page() -> UncompressedResponse {
    let refresh = format!("<meta http-equiv=\"refresh\" content=\"{RENEWAL_RETRY_AFTER}\">");
    let text = format!("<p>{}</p>", messages::RENEWAL_TEXT);
    message_page(&refresh, messages::RENEWAL_TITLE, &text)
}

/// Returns the page that visitors see while the site is asleep: its name, the message, and how to
/// reach the practitioner.
pub(super) fn asleep_page(settings: &Settings) -> UncompressedResponse {
    let message = settings.asleep_message().unwrap_or(messages::ASLEEP_TEXT);
    let lines = message.lines().filter(|line| !line.trim().is_empty());
    let mut parts: Vec<String> = lines.map(|line| escape(line).into_owned()).collect();
    if let Some(number) = settings.text("phone") {
        let (number, shown) = (escape(number), phone::grouped(number));
        parts.push(format!("<a href=\"tel:{number}\">{}</a>", escape(&shown)));
    }
    if let Some(email) = settings.text("email").map(escape) {
        parts.push(format!("<a href=\"mailto:{email}\">{email}</a>"));
    }
    let text = format!("<p>{}</p>", parts.join("</p><p>"));
    message_page(&ICON, &escape(settings.brand()), &text)
}

/// Returns a page of a title and a text, with status 503.
fn message_page(head: &str, title: &str, text: &str) -> UncompressedResponse {
    let page = format!(
        "<!doctype html><html lang=\"it\"><head>{HEAD}{head}<title>{title}</title>\
         <style>{MESSAGE_RULES}</style></head>\
         <body><main><h1>{title}</h1>{text}</main></body></html>"
    );
    UncompressedResponse {
        status: 503,
        content_type: "text/html; charset=utf-8",
        bytes: page.into_bytes(),
        rules: Some(hash_of(MESSAGE_RULES)),
    }
}

fn data(page: &RenderedPage) -> String {
    format!(
        "<script type=\"speculationrules\">{SPECULATION}</script>{DATA}{}</script>",
        page.data.replace('<', "\\u003c")
    )
}

/// Returns the HTML document without scripts.
pub(super) fn preview(bundle: &Bundle, page: &RenderedPage) -> String {
    let robots = "<meta name=\"robots\" content=\"noindex, nofollow\">";
    whole(bundle, page, &(sheet(bundle) + robots), "")
}

/// Returns the bar on top of a page; empty without a text. Styled by
/// `ui/src/styles/server-notice-bar.css`.
pub(super) fn bar(text: Option<&str>) -> String {
    text.map_or_else(String::new, |text| {
        format!("<aside class=\"server-bar\">{text}</aside>")
    })
}

fn whole(bundle: &Bundle, page: &RenderedPage, head_end: &str, body_end: &str) -> String {
    let (head, html, icon) = (&page.head, &page.html, &*ICON);
    let bar = bar(bundle.bar);
    format!(
        "<!doctype html><html lang=\"it\"><head>{HEAD}{head}{head_end}{icon}{LINKS}</head>\
         <body>{bar}<div id=\"app\">{html}</div>{body_end}</body></html>"
    )
}

/// Returns the render-blocking link to the style sheet.
fn sheet(bundle: &Bundle) -> String {
    bundle.file(STYLE).map_or_else(String::new, |file| {
        format!("<link rel=\"stylesheet\" href=\"/{file}\">")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::time::{Duration, SystemTime};

    /// A hash that is missing would silently turn the script off.
    #[test]
    fn the_policy_allows_every_inlined_script() {
        let panel = include_str!("../../ui/admin.html");
        let (_, rest) = panel.split_once("<script>").unwrap();
        let (in_panel, _) = rest.split_once("</script>").unwrap();
        let headers = super::super::headers::HEADERS;
        let (_, policy) = headers[0];
        for script in [SPECULATION, PLAIN, STARTER, in_panel] {
            let hash = BASE64.encode(&Sha256::digest(script));
            assert!(
                policy.contains(&format!("'sha256-{hash}'")),
                "{hash} of {script}"
            );
        }
    }

    /// Regression: a build of the same version with another page template served the pages that the
    /// former build had kept.
    #[test]
    fn another_build_of_the_same_version_has_another_key_of_kept_pages() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("respiro");
        let file = File::create(&program).unwrap();
        let former = build_of(&program);
        assert_eq!(former, build_of(&program));
        file.set_modified(SystemTime::now() + Duration::from_mins(1))
            .unwrap();
        assert_ne!(former, build_of(&program));
        assert_ne!(program_build(), build_of(Path::new("/nowhere")));
    }
}
