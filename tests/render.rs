//! The whole way from a snapshot to the answers, with the real bundle and fixed content.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail the test"
)]

use respiro::content::{Changes, Item, KINDS, Kind, Settings, Snapshot, kind_by_slug};
use respiro::site::{Bundle, Page, Pages, Site};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

const URL: &str = "https://respiro.example";
const NOW: i64 = 1_795_000_000_000;
/// Breaks out of a script, an attribute, a tag, CDATA, a comment.
const HOSTILE: &str =
    "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>]]><!-- &amp;";
/// What must never be in an answer, in any escaping that a parser would undo into markup.
const RAW: [&str; 2] = ["<img src=x", "<script>alert("];

fn item(slug: &str, id: &str, body: &Json) -> (u8, Item) {
    let kind = kind_by_slug(slug).unwrap();
    let changes = Changes::parse(kind, body.as_object().unwrap()).unwrap();
    let mut item = Item::create(kind, changes, id.to_owned(), 0, NOW).unwrap();
    item.published = true;
    (kind.number, item)
}

fn snapshot(text: &str) -> Snapshot {
    let all = [
        item(
            "course-testimonials",
            "t1",
            &json!({"name": text, "testimonial": text, "profession": text}),
        ),
        item(
            "events",
            "e1",
            &json!({
                "title": text, "description": text, "content": format!("uno\ndue {text}"),
                "date": "15 Settembre 2027", "time": "14:30", "location": text,
            }),
        ),
        item(
            "events",
            "e2",
            &json!({"title": "Cerchio", "date": "presto"}),
        ),
        item(
            "blog",
            "b1",
            &json!({
                "slug": "primo", "title": text, "excerpt": text, "category": "Tecniche",
                "content": format!("# Titolo\n\n{text}\n\n[qui](javascript:alert(3))"),
            }),
        ),
    ];
    let mut items: BTreeMap<u8, Vec<Item>> = BTreeMap::new();
    for (number, item) in all {
        items.entry(number).or_default().push(item);
    }
    let settings = json!({
        "brand": text, "practitioner": text, "address": text, "phone": "+39 012 345", "bookTitle": text,
    });
    Snapshot {
        public_url: URL.to_owned(),
        settings: Settings::default()
            .merge(settings.as_object().unwrap())
            .unwrap(),
        items: items.into_iter().collect(),
        redirects: vec![
            ("/blog/vecchio".to_owned(), "/blog/medio".to_owned()),
            ("/blog/medio".to_owned(), "/blog/primo".to_owned()),
            ("/blog/perso".to_owned(), "/blog/nessuno".to_owned()),
        ],
        ..Snapshot::default()
    }
}

fn published(text: &str) -> (Site, Arc<Pages>) {
    let site = Site::start().unwrap();
    site.publish(snapshot(text), NOW).unwrap();
    let pages = site.pages().unwrap();
    (site, pages)
}

fn text(page: &Page) -> &str {
    std::str::from_utf8(&page.identity.bytes).unwrap()
}

fn at<'a>(pages: &'a Pages, path: &str) -> &'a str {
    text(pages.by_path.get(path).unwrap_or_else(|| panic!("{path}")))
}

#[test]
fn every_route_is_a_whole_page_with_its_metadata() {
    let (_site, pages) = published("Respiro");
    let routes = [
        "/",
        "/chi-sono",
        "/servizi",
        "/rebirthing",
        "/testimonianze",
        "/eventi",
        "/evento/e1",
        "/evento/e2",
        "/blog",
        "/blog/primo",
        "/contatti",
        "/privacy",
        "/terms",
        "/cookies",
    ];
    for path in routes {
        let html = at(&pages, path);
        assert!(
            html.starts_with("<!doctype html><html lang=\"it\"><head><meta charset"),
            "{path}"
        );
        for part in [
            "<title>",
            "<h1",
            "<meta name=\"description\"",
            "application/ld+json",
            "id=\"page-data\"",
        ] {
            assert!(html.contains(part), "{path} lacks {part}");
        }
        let canonical = format!("<link rel=\"canonical\" href=\"{URL}{path}\">");
        assert!(html.contains(&canonical), "{path} lacks {canonical}");
        for file in [
            "rel=\"stylesheet\" href=\"/assets/",
            "rel=\"modulepreload\" href=\"/assets/",
        ] {
            assert!(html.contains(file), "{path} lacks {file}");
        }
    }
}

#[test]
fn every_file_a_page_names_is_served() {
    let (site, pages) = published("Respiro");
    for (path, page) in &pages.by_path {
        if page.content_type != "text/html; charset=utf-8" {
            continue;
        }
        for part in text(page).split("=\"/").skip(1) {
            let name = format!("/{}", part.split('"').next().unwrap());
            let is_file = name.starts_with("/assets/") || name.contains("icon");
            assert!(
                !is_file || site.asset(&name).is_some(),
                "{path} names {name}"
            );
        }
    }
    let panel = site.asset("/admin").unwrap();
    assert_eq!(panel.cache_control, "no-store");
    assert!(
        site.asset("/.vite/manifest.json").is_none() && site.asset("/assets/../admin").is_none()
    );
    for path in [
        "/favicon.ico",
        "/favicon.svg",
        "/apple-touch-icon.png",
        "/icon-192.png",
        "/icon-512.png",
    ] {
        assert!(site.asset(path).is_some(), "{path}");
    }
}

#[test]
fn the_three_screens_of_missing_pages_are_404_and_have_no_address() {
    let (_site, pages) = published("Respiro");
    let screens = [
        &pages.not_found,
        &pages.event_not_found,
        &pages.article_not_found,
    ];
    assert!(screens.iter().all(|page| page.status == 404));
    for page in screens {
        assert!(text(page).contains("noindex"));
    }
    assert!(text(&pages.not_found).contains("404 Page Not Found"));
    assert!(text(&pages.event_not_found).contains("Evento Non Trovato"));
    for path in ["/404", "/evento/404", "/blog/404"] {
        assert!(!pages.by_path.contains_key(path), "{path}");
    }
}

#[test]
fn two_renders_of_the_same_content_are_equal_byte_for_byte() {
    let (_first, one) = published("Respiro");
    let (_second, two) = published("Respiro");
    assert!(one.by_path.keys().eq(two.by_path.keys()));
    for (path, page) in &one.by_path {
        assert_eq!(
            page.identity.bytes, two.by_path[path].identity.bytes,
            "{path}"
        );
        assert_eq!(
            page.identity.etag, two.by_path[path].identity.etag,
            "{path}"
        );
    }
}

#[test]
fn hostile_content_stays_text_everywhere() {
    let (_site, pages) = published(HOSTILE);
    let screens = [
        &pages.not_found,
        &pages.event_not_found,
        &pages.article_not_found,
    ];
    let all = pages
        .by_path
        .iter()
        .map(|(path, page)| (path.as_str(), page));
    for (path, page) in all.chain(screens.map(|page| ("screen", page))) {
        let body = text(page);
        // These are no markup: the text stands in them as it is, and adds no line of its own.
        if ["text/calendar", "application/manifest+json"]
            .iter()
            .any(|plain| page.content_type.starts_with(plain))
        {
            assert!(body.lines().all(|line| !line.starts_with('<')), "{path}");
            continue;
        }
        for raw in RAW {
            assert!(!body.contains(raw), "{path} holds {raw}");
        }
        assert!(
            !body.to_lowercase().contains("href=\"javascript:"),
            "{path}"
        );
    }
    for path in ["/sitemap.xml", "/feed.xml"] {
        let mut reader = quick_xml::Reader::from_str(at(&pages, path));
        while !matches!(reader.read_event().unwrap(), quick_xml::events::Event::Eof) {}
    }
    let data = at(&pages, "/eventi")
        .split("id=\"page-data\">")
        .nth(1)
        .unwrap();
    let data: Json = serde_json::from_str(data.split("</script>").next().unwrap()).unwrap();
    assert!(
        data.to_string().contains("onerror=alert(2)"),
        "the data is whole"
    );
    let manifest: Json = serde_json::from_str(at(&pages, "/manifest.webmanifest")).unwrap();
    assert_eq!(manifest["name"], HOSTILE);
}

#[test]
fn the_files_beside_the_pages_say_what_is_published() {
    let (_site, pages) = published("Respiro");
    let sitemap = at(&pages, "/sitemap.xml");
    for path in ["/", "/eventi", "/evento/e1", "/blog/primo"] {
        assert!(
            sitemap.contains(&format!("<loc>{URL}{path}</loc>")),
            "{path}"
        );
    }
    assert!(!sitemap.contains("404") && sitemap.contains("<lastmod>"));
    let feed = at(&pages, "/feed.xml");
    assert!(feed.contains(&format!("href=\"{URL}/blog/primo\"")) && feed.contains("&lt;h"));
    assert!(at(&pages, "/evento/e1.ics").contains("DTSTART:20270915T123000Z"));
    assert!(
        !pages.by_path.contains_key("/evento/e2.ics"),
        "its date says nothing"
    );
    assert!(at(&pages, "/robots.txt").contains(&format!("Sitemap: {URL}/sitemap.xml")));
    let redirects: Vec<(&str, &str)> = pages
        .redirects
        .iter()
        .map(|(from, to)| (from.as_str(), to.as_str()))
        .collect();
    let expected = [
        ("/blog/medio", "/blog/primo"),
        ("/blog/vecchio", "/blog/primo"),
        ("/testimonials", "/testimonianze"),
    ];
    assert_eq!(redirects, expected);
}

fn with_change(change: impl FnOnce(&mut Item), kind: &Kind) -> Snapshot {
    let mut changed = snapshot("Respiro");
    let list = changed
        .items
        .iter_mut()
        .find(|(number, _)| *number == kind.number);
    change(&mut list.unwrap().1[0]);
    changed
}

#[test]
fn only_what_changed_is_made_again_and_the_change_is_there_at_once() {
    let (site, before) = published("Respiro");
    let first = site.state().unwrap().figures;
    assert_eq!(
        (first.rendered, first.planned),
        (first.planned, first.planned)
    );
    site.publish(snapshot("Respiro"), NOW).unwrap();
    let same = site.state().unwrap().figures;
    assert_eq!((same.rendered, same.compressed), (0, 0));
    let testimonials = kind_by_slug("course-testimonials").unwrap();
    let changed = with_change(
        |item| {
            drop(item.values.insert(
                "name".to_owned(),
                respiro::content::Value::Text("Nuova".to_owned()),
            ));
        },
        testimonials,
    );
    site.publish(changed, NOW).unwrap();
    let after = site.pages().unwrap();
    let figures = site.state().unwrap().figures;
    assert!(at(&after, "/testimonianze").contains("Nuova"));
    assert!(
        figures.rendered >= 1 && figures.rendered <= 3,
        "{figures:?}"
    );
    assert!(Arc::ptr_eq(
        &before.by_path["/privacy"],
        &after.by_path["/privacy"]
    ));
    assert_ne!(
        before.by_path["/testimonianze"].identity.etag,
        after.by_path["/testimonianze"].identity.etag
    );
}

#[test]
fn pages_get_smaller_in_the_background_and_stay_the_same_page() {
    let (site, before) = published("Respiro");
    let deadline = Instant::now() + Duration::from_mins(1);
    let done = |page: &Page| {
        page.brotli
            .as_ref()
            .is_none_or(|body| body.etag.ends_with("-b11\""))
    };
    loop {
        let pages = site.pages().unwrap();
        if pages.by_path.values().all(|page| done(page)) && done(&pages.not_found) {
            for (path, page) in &pages.by_path {
                assert_eq!(page.identity.etag, before.by_path[path].identity.etag);
            }
            break;
        }
        assert!(
            Instant::now() < deadline,
            "the background work does not end"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    site.publish(snapshot("Respiro"), NOW).unwrap();
    let kept = site.pages().unwrap();
    assert!(
        done(&kept.by_path["/"]),
        "a publish keeps what was made small"
    );
}

#[test]
fn a_failed_publish_keeps_the_old_site_and_says_so() {
    const BUNDLE: &str = "
        const page = (path, kind, slice) => ({ path, kind, slice, sitemap: false, lastModified: null });
        globalThis.respiro = {
          plan: (text) => JSON.stringify([page('/', 'page', JSON.parse(text).publicUrl),
            page('/404', 'notFound', ''), page('/e', 'eventNotFound', ''), page('/b', 'articleNotFound', '')]),
          page: (path, slice) => { if (slice === 'loop') for (;;); if (slice === 'bad') throw new Error('guasto');
            return JSON.stringify({ status: 200, head: '', html: slice, entry: '' }); },
        };";
    let site = Site::start_with(Bundle::of_renderer(BUNDLE)).unwrap();
    let publish = |url: &str| {
        let snapshot = Snapshot {
            public_url: url.to_owned(),
            ..Snapshot::default()
        };
        site.publish(snapshot, NOW)
    };
    assert!(site.pages().is_none() && publish("bad").is_err() && site.pages().is_none());
    publish("uno").unwrap();
    assert!(site.state().unwrap().ok);
    for broken in ["bad", "loop"] {
        publish(broken).unwrap_err();
        assert!(at(&site.pages().unwrap(), "/").contains(">uno<"));
        let state = site.state().unwrap();
        assert!(!state.ok && state.at == NOW && state.error.is_some());
    }
    publish("due").unwrap();
    assert!(at(&site.pages().unwrap(), "/").contains(">due<") && site.state().unwrap().ok);
}

#[test]
fn a_preview_shows_what_is_not_published_and_changes_nothing() {
    let (site, before) = published("Respiro");
    let html = site.preview(&snapshot("Anteprima"), "/evento/e1").unwrap();
    assert!(
        html.contains("Anteprima")
            && html.contains("noindex")
            && !html.contains("<script type=\"module\"")
    );
    assert!(
        site.preview(&snapshot("Anteprima"), "/evento/nessuno")
            .is_err()
    );
    assert!(Arc::ptr_eq(
        &before.by_path["/"],
        &site.pages().unwrap().by_path["/"]
    ));
}

#[test]
fn pictures_for_messengers_are_small_jpegs_of_known_pages_only() {
    let (site, _pages) = published("Respiro");
    for path in [
        "/social/home.jpg",
        "/social/evento/e1.jpg",
        "/social/blog/primo.jpg",
    ] {
        let page = site.social(path).unwrap_or_else(|| panic!("{path}"));
        assert!(
            page.identity.bytes.starts_with(&[0xff, 0xd8]) && page.identity.bytes.len() < 250_000
        );
        assert!(
            Arc::ptr_eq(&page, &site.social(path).unwrap()),
            "{path} is drawn once"
        );
    }
    for path in [
        "/social/evento/no.jpg",
        "/social/x.jpg",
        "/social/home.png",
        "/social/",
        "/home.jpg",
    ] {
        assert!(site.social(path).is_none(), "{path}");
    }
    assert!(
        KINDS.iter().filter(|kind| kind.page.is_some()).count() == 2,
        "pages of items: extend this test"
    );
}
