//! Tests of the site from a snapshot to the answers, with the real bundle and fixed content.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail the test"
)]

use respiro::ui_assets;
use respiro_content::{
    COLLECTIONS, Changes, Collection, Entry, Item, Pictures, Redirect, RedirectSource,
    RedirectTable, RedirectTarget, Settings, Snapshot,
};
use respiro_content::{collection_by_number, collection_by_slug};
use respiro_newsletter::link_actions::Screen;
use respiro_publish::headers::ASKED;
use respiro_publish::{Bundle, Page, Publisher, SocialPicture};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

const URL: &str = "https://respiro.example";
const NOW: i64 = 1_795_000_000_000;
/// Closes a script, an attribute, a tag, CDATA and a comment.
const HOSTILE: &str =
    "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>]]><!-- &amp;";
/// Must not occur in any answer: a parser would read it as markup.
const RAW: [&str; 2] = ["<img src=x", "<script>alert("];

fn item(slug: &str, id: &str, body: &Json) -> (u8, Item) {
    let collection = collection_by_slug(slug).unwrap();
    let changes = Changes::parse(collection, body.as_object().unwrap()).unwrap();
    let mut item = Item::create(collection, changes, id.to_owned(), 0, NOW).unwrap();
    item.published = true;
    (collection.number, item)
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
    let settings = json!({
        "brand": text, "practitioner": text, "address": text, "phone": "+39 012 345", "bookTitle": text,
    });
    let former = [("vecchio", "b1"), ("medio", "b1"), ("perso", "nessuno")];
    let mut redirects = RedirectTable::default();
    for (slug, id) in former {
        let redirect = Redirect {
            target: RedirectTarget::Item(id.to_owned()),
            source: RedirectSource::SlugChange,
            created_at: None,
        };
        redirects.insert(&format!("/blog/{slug}"), redirect);
    }
    let mut snapshot = Snapshot {
        public_url: URL.to_owned(),
        settings: Settings::default()
            .merge(settings.as_object().unwrap())
            .unwrap(),
        redirects: Arc::new(redirects),
        block_definitions: ui_assets::block_definitions().ok(),
        ..Snapshot::default()
    };
    for (number, item) in all {
        put(&mut snapshot, collection_by_number(number).unwrap(), item);
    }
    snapshot
}

fn put(snapshot: &mut Snapshot, collection: &'static Collection, item: Item) {
    let entry = Entry::new(collection, item, Pictures::new());
    snapshot.apply(
        collection,
        BTreeMap::from([(entry.id.clone(), Some(entry))]),
    );
}

fn published(text: &str) -> Publisher {
    let site = Publisher::start_with(ui_assets::bundle().unwrap()).unwrap();
    site.publish(snapshot(text), NOW).unwrap();
    site
}

fn text(page: &Page) -> String {
    String::from_utf8(page.identity().bytes.to_vec()).unwrap()
}

fn at(site: &Publisher, path: &str) -> String {
    text(&site.page(path).unwrap_or_else(|| panic!("{path}")))
}

/// Returns every answer with its path: pages, screens and files.
fn all(site: &Publisher) -> Vec<(String, Arc<Page>)> {
    let pages = site.pages().unwrap();
    let made = pages.all().map(|slot| {
        let page = site.obtain(&pages, slot);
        (slot.path.clone(), page)
    });
    let mut made: Vec<_> = made.collect();
    made.sort_by(|one, two| one.0.cmp(&two.0));
    made
}

fn missing(site: &Publisher, path: &str) -> Arc<Page> {
    let pages = site.pages().unwrap();
    site.obtain(&pages, pages.missing(path).unwrap())
}

#[test]
fn every_route_is_a_whole_page_with_its_metadata() {
    let site = published("Respiro");
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
        let html = at(&site, path);
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
            "<noscript><link rel=\"stylesheet\" href=\"/assets/",
            "[\"stylesheet\",\"/assets/",
            "[\"modulepreload\",\"/assets/",
        ] {
            assert!(html.contains(file), "{path} lacks {file}");
        }
    }
}

#[test]
fn every_file_a_page_names_is_served() {
    let site = published("Respiro");
    for (path, page) in &all(&site) {
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
    let site = published("Respiro");
    for (path, words) in [
        ("/nulla", "404 Page Not Found"),
        ("/evento/nulla", "Evento Non Trovato"),
        ("/blog/nulla", "Articolo Non Trovato"),
        ("/evento/a/b", "404 Page Not Found"),
    ] {
        let page = missing(&site, path);
        assert!(
            page.status == 404 && text(&page).contains("noindex"),
            "{path}"
        );
        assert!(text(&page).contains(words), "{path}");
    }
    for path in ["/404", "/evento/404", "/blog/404"] {
        assert!(site.page(path).is_none(), "{path}");
    }
}

#[test]
fn every_screen_that_a_newsletter_link_shows_is_published_with_its_status() {
    let site = published("Respiro");
    let pages = site.pages().unwrap();
    let status = |screen: Screen| {
        let slot = pages.screen(screen.name()).unwrap();
        site.obtain(&pages, slot).status
    };
    assert_eq!(
        Screen::ALL.map(status),
        [200, 200, 200, 200, 200, 200, 410, 404, 404]
    );
}

#[test]
fn two_renders_of_the_same_content_are_equal_byte_for_byte() {
    let (one, two) = (all(&published("Respiro")), all(&published("Respiro")));
    assert_eq!(one.len(), two.len());
    for ((path, page), (other_path, other)) in one.iter().zip(&two) {
        assert_eq!(path, other_path);
        assert_eq!(page.identity().bytes, other.identity().bytes, "{path}");
        assert_eq!(page.identity().etag, other.identity().etag, "{path}");
    }
}

#[test]
fn hostile_content_stays_text_everywhere() {
    let site = published(HOSTILE);
    for (path, page) in &all(&site) {
        let body = text(page);
        // These formats are not markup: they contain the text verbatim, and it must not start a
        // line.
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
        let content = at(&site, path);
        let mut reader = quick_xml::Reader::from_str(&content);
        while !matches!(reader.read_event().unwrap(), quick_xml::events::Event::Eof) {}
    }
    let page = at(&site, "/eventi");
    let data = page.split("id=\"page-data\">").nth(1).unwrap();
    let data: Json = serde_json::from_str(data.split("</script>").next().unwrap()).unwrap();
    assert!(
        data.to_string().contains("onerror=alert(2)"),
        "the data is whole"
    );
    let manifest: Json = serde_json::from_str(&at(&site, "/manifest.webmanifest")).unwrap();
    assert_eq!(manifest["name"], HOSTILE);
}

#[test]
fn the_files_beside_the_pages_say_what_is_published() {
    let site = published("Respiro");
    let sitemap = at(&site, "/sitemap.xml");
    for path in ["/", "/eventi", "/evento/e1", "/blog/primo"] {
        assert!(
            sitemap.contains(&format!("<loc>{URL}{path}</loc>")),
            "{path}"
        );
    }
    assert!(!sitemap.contains("404") && sitemap.contains("<lastmod>"));
    let feed = at(&site, "/feed.xml");
    assert!(feed.contains(&format!("href=\"{URL}/blog/primo\"")) && feed.contains("&lt;h"));
    let calendar = site.calendar("/evento/e1.ics").unwrap();
    assert!(text(&calendar).contains("DTSTART:20270915T123000Z"));
    let dateless = site.calendar("/evento/e2.ics");
    assert!(dateless.is_none(), "its date says nothing");
    assert!(at(&site, "/robots.txt").contains(&format!("Sitemap: {URL}/sitemap.xml")));
    let pages = site.pages().unwrap();
    let redirects = pages.redirects();
    let redirects: Vec<(&str, &str)> = redirects
        .iter()
        .map(|(from, to)| (from.as_str(), to.as_str()))
        // `tests/api/pages.rs` holds the former addresses of the contact page.
        .filter(|(from, _)| !from.starts_with("/contatti/"))
        .collect();
    let expected = [
        ("/blog/medio", "/blog/primo"),
        ("/blog/vecchio", "/blog/primo"),
        ("/testimonials", "/testimonianze"),
    ];
    assert_eq!(redirects, expected);
}

#[test]
fn only_what_changed_is_made_again_and_the_change_is_there_at_once() {
    // Without the background task, which replaces pages by better compressed ones.
    let site = Publisher::start_quietly(ui_assets::bundle().unwrap(), ASKED).unwrap();
    site.publish(snapshot("Respiro"), NOW).unwrap();
    let before = all(&site);
    let former = site.pages().unwrap().snapshot.as_ref().clone();
    site.publish(former.clone(), NOW).unwrap();
    let same = site.state().unwrap().stats;
    assert_eq!((same.touched, same.rendered), (0, 0));
    let testimonials = collection_by_slug("course-testimonials").unwrap();
    let mut item = former.published(testimonials)[0].item.clone();
    let name = respiro_content::Value::Text("Nuova".to_owned());
    item.values.insert("name".to_owned(), name);
    let mut changed = former;
    put(&mut changed, testimonials, item);
    site.publish(changed, NOW).unwrap();
    let figures = site.state().unwrap().stats;
    assert_eq!((figures.touched, figures.rendered), (1, 1), "{figures:?}");
    assert!(at(&site, "/testimonianze").contains("Nuova"));
    let differing: Vec<String> = before
        .into_iter()
        .zip(all(&site))
        .filter(|((_, one), (_, two))| !Arc::ptr_eq(one, two))
        .map(|((path, _), _)| path)
        // Only the other files have names with an extension.
        .filter(|path| !path.contains('.'))
        .collect();
    assert_eq!(differing, ["/testimonianze"]);
}

/// Returns a post of one of two categories, with a distinct creation time.
fn post(number: usize) -> Item {
    let categories = ["Tecniche", "Benessere"];
    let body = json!({
        "slug": format!("p{number}"), "title": format!("Articolo {number}"),
        "category": categories[number % 2], "content": "Testo",
    });
    let (_, mut item) = item("blog", &format!("p{number}"), &body);
    item.created_at = NOW + i64::try_from(number).unwrap();
    item
}

#[test]
fn a_change_among_many_touches_the_pages_that_show_it_and_no_others() {
    let site = published("Respiro");
    let blog = collection_by_slug("blog").unwrap();
    let events = collection_by_slug("events").unwrap();
    let mut many = site.pages().unwrap().snapshot.as_ref().clone();
    let posts = (0..200).map(|number| Entry::new(blog, post(number), Pictures::new()));
    many.apply(
        blog,
        posts.map(|entry| (entry.id.clone(), Some(entry))).collect(),
    );
    let all = (0..300).map(|number| {
        let title = json!({ "title": format!("Evento {number}"), "date": "3 marzo 2027" });
        let (_, item) = item("events", &format!("n{number}"), &title);
        Entry::new(events, item, Pictures::new())
    });
    many.apply(
        events,
        all.map(|entry| (entry.id.clone(), Some(entry))).collect(),
    );
    site.publish(many.clone(), NOW).unwrap();
    // An event in the middle of the list: its own page, its request page, the part of the list that
    // shows it, and the two events before it, which link to it.
    let mut event = many.published(events)[150].item.clone();
    let title = respiro_content::Value::Text("Spostato".to_owned());
    event.values.insert("title".to_owned(), title);
    put(&mut many, events, event.clone());
    site.publish(many.clone(), NOW).unwrap();
    assert_eq!(site.state().unwrap().stats.touched, 5);
    assert!(at(&site, "/eventi/pagina/7").contains("Spostato"));
    assert!(!at(&site, "/eventi/pagina/6").contains("Spostato"));
    // A text that only its own page shows.
    let content = respiro_content::Value::Text("Testo lungo".to_owned());
    event.values.insert("content".to_owned(), content);
    let path = format!("/evento/{}", event.id);
    put(&mut many, events, event);
    site.publish(many.clone(), NOW).unwrap();
    assert!(at(&site, &path).contains("Testo lungo"));
    // The next upcoming event. Regression: the page of every event showed it, so all were rendered
    // again.
    let mut first = many.published(events)[0].item.clone();
    let title = respiro_content::Value::Text("Primo spostato".to_owned());
    first.values.insert("title".to_owned(), title);
    let path = format!("/evento/{}", first.id);
    put(&mut many, events, first);
    site.publish(many.clone(), NOW).unwrap();
    // Its two pages, the first part of the list, and the two events before it.
    assert_eq!(site.state().unwrap().stats.touched, 5);
    assert!(at(&site, &path).contains("Primo spostato"));
    // The last events link to it: the list is circular.
    let before = many.published(events).last().unwrap().id.clone();
    assert!(at(&site, &format!("/evento/{before}")).contains("Primo spostato"));
    // A post: its page, its part of the list, and the posts that show it as related or link to it.
    let mut changed = many.published(blog)[100].item.clone();
    let title = respiro_content::Value::Text("Riscritto".to_owned());
    changed.values.insert("title".to_owned(), title);
    let slug = changed.text("slug").unwrap().to_owned();
    put(&mut many, blog, changed);
    site.publish(many.clone(), NOW).unwrap();
    let touched = site.state().unwrap().stats.touched;
    assert!((2..=7).contains(&touched), "{touched}");
    assert!(at(&site, &format!("/blog/{slug}")).contains("Riscritto"));
    // A deleted post leaves no page behind.
    many.apply(blog, BTreeMap::from([(slug.clone(), None)]));
    site.publish(many, NOW).unwrap();
    assert!(site.page(&format!("/blog/{slug}")).is_none());
    assert!(site.page("/blog/p0").is_some() && site.page("/blog/p199").is_some());
}

#[test]
fn long_lists_are_whole_by_links_alone() {
    let site = published("Respiro");
    let events = collection_by_slug("events").unwrap();
    let mut many = site.pages().unwrap().snapshot.as_ref().clone();
    let all: Vec<Entry> = (0..120)
        .map(|number| {
            let year = if number % 2 == 0 { 2025 } else { 2027 };
            let body =
                json!({ "title": format!("Evento {number}"), "date": format!("3 marzo {year}") });
            let (_, item) = item("events", &format!("n{number}"), &body);
            Entry::new(events, item, Pictures::new())
        })
        .collect();
    many.apply(
        events,
        all.into_iter()
            .map(|entry| (entry.id.clone(), Some(entry)))
            .collect(),
    );
    site.publish(many, NOW).unwrap();
    let mut waiting = vec!["/eventi".to_owned()];
    let mut seen = std::collections::BTreeSet::new();
    while let Some(path) = waiting.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let html = at(&site, &path);
        assert!(html.len() < 100_000, "{path} has {} bytes", html.len());
        let links = html
            .split(" href=\"")
            .skip(1)
            .filter_map(|part| part.split('"').next());
        let own = |link: &&str| {
            let is_page = link.starts_with("/evento/n") || link.starts_with("/eventi/");
            is_page && !link.contains('.')
        };
        waiting.extend(links.filter(own).map(str::to_owned));
    }
    let events = seen
        .iter()
        .filter(|path| path.starts_with("/evento/"))
        .count();
    assert_eq!(events, 120, "{seen:?}");
    let past = at(&site, "/eventi/passati/pagina/2");
    for head in [
        "<title>Eventi passati, pagina 2 | ",
        &format!("rel=\"canonical\" href=\"{URL}/eventi/passati/pagina/2\""),
        &format!("rel=\"prev\" href=\"{URL}/eventi/passati\""),
        &format!("rel=\"next\" href=\"{URL}/eventi/passati/pagina/3\""),
    ] {
        assert!(past.contains(head), "{head}");
    }
    assert!(
        !past.contains("Evento 1<"),
        "what is to come is no past event"
    );
    assert!(site.page("/eventi/pagina/1").is_none());
    assert!(site.page("/eventi/pagina/99").is_none());
}

#[test]
fn an_event_goes_to_the_past_ones_when_its_day_is_over() {
    let site = published("Respiro");
    let day = 24 * 60 * 60 * 1_000;
    let snapshot = site.pages().unwrap().snapshot.as_ref().clone();
    assert!(at(&site, "/eventi").contains("/evento/e1"));
    assert!(site.page("/eventi/passati").is_none());
    site.publish(snapshot, NOW + 365 * day).unwrap();
    assert!(!at(&site, "/eventi").contains("/evento/e1"));
    assert!(at(&site, "/eventi/passati").contains("/evento/e1"));
    assert!(at(&site, "/eventi").contains("/eventi/passati"));
}

/// Regression: the page of a past event looked as if the event could still be booked.
#[test]
fn the_page_of_an_event_says_once_that_its_day_is_over() {
    let site = published("Respiro");
    let day = 24 * 60 * 60 * 1_000;
    let snapshot = site.pages().unwrap().snapshot.as_ref().clone();
    let (own, asks) = ("/evento/e1", "/contatti?evento=e1");
    let after = |days: i64| {
        site.publish(snapshot.clone(), NOW + days * day).unwrap();
        (site.page(own).unwrap(), site.page(asks).unwrap())
    };
    let before = after(0);
    assert!(!text(&before.0).contains("<strong>Questo evento si è già svolto.</strong>"));
    assert!(text(&before.1).contains("vorrei partecipare"));
    let past = after(365);
    assert!(text(&past.0).contains("<strong>Questo evento si è già svolto.</strong>"));
    // Regression: the page said «Già svolto. Questo evento si è già svolto.».
    assert!(!text(&past.0).contains("Già svolto."));
    assert!(text(&past.0).contains(">Chiedi la prossima data<"));
    assert!(!text(&past.1).contains("vorrei partecipare"));
    assert!(text(&past.1).contains("altra data?"));
    let later = after(366);
    assert!(Arc::ptr_eq(&past.0, &later.0) && Arc::ptr_eq(&past.1, &later.1));
}

#[test]
fn pages_get_smaller_in_the_background_and_stay_the_same_page() {
    let site = published("Respiro");
    let before = all(&site);
    // The threads have the lowest priority: on a busy machine others go first for minutes.
    let deadline = Instant::now() + Duration::from_mins(10);
    let done = |page: &Page| {
        page.brotli
            .as_ref()
            .is_none_or(|body| body.etag.ends_with("-b11\""))
    };
    site.publish(snapshot("Respiro"), NOW).unwrap();
    while !all(&site).iter().all(|(_, page)| done(page)) {
        assert!(
            Instant::now() < deadline,
            "the background work does not end"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
    for ((path, page), (_, former)) in all(&site).iter().zip(&before) {
        assert_eq!(page.identity().etag, former.identity().etag, "{path}");
    }
    let same = site.pages().unwrap().snapshot.as_ref().clone();
    site.publish(same, NOW).unwrap();
    let kept = site.page("/").unwrap();
    assert!(done(&kept), "a publish keeps what was made small");
}

#[test]
fn a_page_that_fails_shows_no_corrected_setting_and_the_panel_says_so() {
    const BUNDLE: &str = "
        globalThis.respiro = {
          routes: () => JSON.stringify([{ page: 'a', path: '/', kind: 'page' },
            { page: 'a', path: '/404', kind: 'missing', status: 404, prefix: null }]),
          page: (page, path, input) => { const html = JSON.parse(input).site.publicUrl;
            if (html === 'loop') for (;;); if (html === 'bad') throw new Error('guasto');
            return { head: '', html, entry: '', data: '' }; },
        };";
    let site = Publisher::start_with(Bundle::of_renderer(BUNDLE)).unwrap();
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
        publish(broken).unwrap();
        assert_eq!(site.page("/").unwrap().status, 503);
        assert!(!at(&site, "/").contains(">uno<"));
        let state = site.state().unwrap();
        assert!(!state.ok && state.at == NOW && state.error.is_some());
    }
    publish("due").unwrap();
    assert!(at(&site, "/").contains(">due<") && site.state().unwrap().ok);
}

#[test]
fn a_preview_shows_what_is_not_published_and_changes_nothing() {
    let site = published("Respiro");
    let before = site.page("/").unwrap();
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
    assert!(Arc::ptr_eq(&before, &site.page("/").unwrap()));
}

#[test]
fn pictures_for_messengers_are_small_jpegs_of_known_pages_only() {
    let site = published("Respiro");
    for path in [
        "/social/home.jpg",
        "/social/evento/e1.jpg",
        "/social/blog/primo.jpg",
    ] {
        let asked = site.social(path).unwrap_or_else(|| panic!("{path}"));
        let SocialPicture::ToDraw(words) = asked else {
            panic!("{path} was drawn before");
        };
        let page = site.draw_social(path, words).unwrap();
        assert!(
            page.identity().bytes.starts_with(&[0xff, 0xd8])
                && page.identity().bytes.len() < 250_000
        );
        let SocialPicture::Drawn(kept) = site.social(path).unwrap() else {
            panic!("{path} is drawn twice");
        };
        assert!(Arc::ptr_eq(&page, &kept), "{path}");
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
        COLLECTIONS
            .iter()
            .filter(|collection| collection.page.is_some())
            .count()
            == 2,
        "pages of items: extend this test"
    );
}
