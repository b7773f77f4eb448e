//! Tests of published pages: exact paths, redirects, 404 pages, encodings, and immediate
//! publication of changes.

use crate::helpers::{PAGES, TestApp, answer};
use respiro_content::{COLLECTIONS, collection_by_slug};
use serde_json::json;
use std::time::{Duration, Instant};

#[tokio::test]
async fn every_route_of_the_product_answers_whole_html() {
    let app = TestApp::start().await;
    for path in PAGES {
        let page = app.visit(path).await;
        assert_eq!(page.status, 200, "{path}");
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
        let text = page.text();
        assert!(text.starts_with("<!doctype html>"), "{path}");
        assert!(text.contains("<title>") && text.contains("<h1"), "{path}");
    }
    for path in [
        "/robots.txt",
        "/sitemap.xml",
        "/feed.xml",
        "/manifest.webmanifest",
    ] {
        assert_eq!(app.visit(path).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn paths_are_exact_and_a_trailing_slash_leads_to_the_page() {
    let app = TestApp::start().await;
    for (path, to) in [
        ("/testimonials", "/testimonianze"),
        ("/testimonials/", "/testimonianze"),
        ("/eventi/", "/eventi"),
        ("/eventi/?a=b", "/eventi?a=b"),
        ("/admin/", "/admin"),
    ] {
        let moved = app.visit(path).await;
        assert_eq!(
            (moved.status, moved.header("location")),
            (301, to),
            "{path}"
        );
    }
    assert_eq!(app.visit("/event%69").await.status, 200);
    assert_eq!(app.visit("/eventi?utm=x").await.status, 200);
}

/// Regression: capitals, double slashes, punctuation, invisible letters behind an address and the
/// names of a home page elsewhere were 404.
#[tokio::test]
async fn a_mistyped_path_leads_to_the_page_and_to_no_other_site() {
    let app = TestApp::start().await;
    let blog = collection_by_slug("blog").unwrap();
    let more = json!({ "slug": "indirizzo-di-prova", "published": true });
    app.create(blog, "prova", more).await;
    let table = include_str!("../data/typed-paths.json");
    let table: Vec<serde_json::Value> = serde_json::from_str(table).unwrap();
    assert!(table.len() > 40);
    for row in &table {
        let path = row["path"].as_str().unwrap();
        let answer = app.visit(path).await;
        let (status, to) = row["to"].as_str().map_or((404, ""), |to| (301, to));
        let found = (answer.status, answer.header("location"));
        assert_eq!(found, (status, to), "{path}");
        if status == 301 {
            assert_eq!(app.visit(to).await.status, 200, "{path}");
            let head = answer_to(&app, "HEAD", path).await;
            assert_eq!((head.status, head.header("location")), (301, to), "{path}");
        }
    }
}

async fn answer_to(app: &TestApp, method: &str, path: &str) -> crate::helpers::Answer {
    app.by(&app.visitor, method, path, None).await
}

/// Regression: a stray percent sign in a link showed a visitor the JSON of a program.
#[tokio::test]
async fn a_path_that_is_no_text_shows_the_site_to_a_browser_and_a_problem_to_a_program() {
    let app = TestApp::start().await;
    let long = format!("/{}", "a".repeat(3_000));
    for path in [
        "/contatti%",
        "/sconto-50%",
        "/blog/perch%E9",
        "/%00",
        "/a%0d%0ab",
        &long,
    ] {
        for accept in ["text/html", "text/html,application/xhtml+xml,*/*;q=0.8"] {
            let page = app.visit_with(path, &[("accept", accept)]).await;
            assert_eq!(page.status, 404, "{path}");
            assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
            assert!(page.text().contains("404 Page Not Found"), "{path}");
            assert_ne!(page.header("content-security-policy"), "");
        }
        for accept in ["application/json", "*/*", "text/html;q=0"] {
            app.visit_with(path, &[("accept", accept)]).await.is(400);
        }
    }
    let html = [("accept", "text/html")];
    app.visit_with("/api/events/%00", &html).await.is(400);
    app.visit_with("/objects/uploads/%c3", &html).await.is(400);
    app.visit_with("/api/admin/%zz", &html).await.is(401);
}

#[tokio::test]
async fn well_known_addresses_exist() {
    let app = TestApp::start_as(|config, _| {
        config.security_contact = Some("mailto:host@example.org".to_owned());
    })
    .await;
    let password = app.visit("/.well-known/change-password").await;
    assert_eq!(
        (password.status, password.header("location")),
        (302, "/admin#/account")
    );
    // Password managers check that the server does not answer 200 to everything.
    let none = "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200";
    assert_eq!(app.visit(none).await.status, 404);
    let contact = app.visit("/.well-known/security.txt").await;
    assert_eq!(contact.status, 200);
    assert_eq!(contact.header("content-type"), "text/plain; charset=utf-8");
    let text = contact.text();
    assert!(
        text.starts_with("Contact: mailto:host@example.org\nExpires: 20"),
        "{text}"
    );
    let canonical = format!(
        "Canonical: {}/.well-known/security.txt\n",
        app.running.public_url
    );
    assert!(text.contains(&canonical), "{text}");
    for icon in [
        "/apple-touch-icon.png",
        "/apple-touch-icon-precomposed.png",
        "/favicon.ico",
    ] {
        let icon = app.visit(icon).await;
        assert_eq!(icon.status, 200);
        assert!(icon.header("content-type").starts_with("image/"));
    }
    let silent = TestApp::start().await;
    silent.visit("/.well-known/security.txt").await.is(404);
}

#[tokio::test]
async fn what_does_not_exist_is_404_with_its_own_screen() {
    let app = TestApp::start().await;
    for (path, words) in [
        ("/nulla", "404 Page Not Found"),
        ("/evento/nulla", "Evento Non Trovato"),
        ("/blog/nulla", "Articolo Non Trovato"),
        ("/evento/a/b", "404 Page Not Found"),
        ("/404", "404 Page Not Found"),
        ("/evento/404", "Evento Non Trovato"),
    ] {
        let page = app.visit(path).await;
        assert_eq!(page.status, 404, "{path}");
        assert!(page.text().contains(words), "{path}");
        let head = answer(app.visitor.head(app.url(path))).await;
        assert_eq!((head.status, head.bytes.len()), (404, 0), "{path}");
    }
}

#[tokio::test]
async fn a_query_of_the_contact_page_selects_a_message_or_an_event() {
    let app = TestApp::start().await;
    let collection = collection_by_slug("events").unwrap();
    let settings = json!({ "whatsapp": "+39 333 1234567" });
    app.put("/api/admin/settings", &settings).await.is(200);
    let own = json!({ "title": "Cerchio d’inverno", "published": true });
    let event = app.create(collection, "cerchio", own).await;
    let event = event["id"].as_str().unwrap();
    let plain = app.visit("/contatti").await.is(200);
    assert!(!plain.text().contains("Hai scelto"));
    let canonical = format!("rel=\"canonical\" href=\"{}/contatti\"", app.url(""));
    for (query, line, greeting) in [
        (
            "servizio=retreat".to_owned(),
            "Hai scelto: Ritiro nel fine settimana",
            "vorrei%20sapere%20le%20prossime%20date%20del%20ritiro",
        ),
        (
            format!("evento={event}"),
            "Hai scelto: Cerchio d’inverno",
            "vorrei%20partecipare%20a%20%C2%ABCerchio",
        ),
    ] {
        let path = format!("/contatti?{query}");
        let page = app.visit(&path).await.is(200);
        let text = page.text();
        assert!(text.contains(line), "{path}");
        assert!(text.contains(greeting), "{path}: without JavaScript too");
        assert!(text.contains("content=\"noindex, follow\""), "{path}");
        assert!(text.contains(&canonical), "{path}");
        assert_ne!(page.header("etag"), plain.header("etag"));
        let tag = page.header("etag").to_owned();
        let seen = app.visit_with(&path, &[("if-none-match", &tag)]).await;
        assert_eq!((seen.status, seen.bytes.len()), (304, 0), "{path}");
        let head = answer(app.visitor.head(app.url(&path))).await;
        assert_eq!((head.status, head.header("etag")), (200, &*tag), "{path}");
        for other in [
            format!("?fbclid=x&{query}"),
            format!("?{query}&utm_source=x"),
        ] {
            let page = app.visit(&format!("/contatti{other}")).await.is(200);
            assert_eq!(page.header("etag"), tag, "{other}");
        }
        let slash = app.visit(&format!("/contatti/?{query}")).await.is(301);
        assert_eq!(slash.header("location"), path);
        let elsewhere = app.visit(&format!("/eventi?{query}")).await.is(200);
        assert_eq!(
            elsewhere.header("etag"),
            app.visit("/eventi").await.header("etag")
        );
        assert_eq!(app.post(&path, &json!({})).await.status, 405, "{path}");
    }

    app.put(
        &format!("/api/admin/events/{event}"),
        &json!({ "published": false }),
    )
    .await
    .is(200);
    let page = app.visit(&format!("/contatti?evento={event}")).await;
    assert_eq!(page.is(200).header("etag"), plain.header("etag"));
    let sitemap = app.visit("/sitemap.xml").await.text();
    assert!(!sitemap.contains("/contatti?"));
}

#[tokio::test]
async fn any_other_query_gets_the_contact_page_itself() {
    let app = TestApp::start().await;
    let plain = app.visit("/contatti").await.is(200);
    for query in [
        "servizio=nessuno",
        "servizio=",
        "servizio",
        "evento=nessuno",
        "evento=../../admin",
        "evento=%3Cscript%3E",
        "Evento=x",
        "per=niente",
        "utm_source=x",
    ] {
        let page = app.visit(&format!("/contatti?{query}")).await.is(200);
        assert_eq!(page.header("etag"), plain.header("etag"), "{query}");
        assert_eq!(page.bytes, plain.bytes, "{query}");
    }
}

#[tokio::test]
async fn former_addresses_of_choices_redirect_to_their_query() {
    let app = TestApp::start().await;
    let collection = collection_by_slug("events").unwrap();
    let event = app
        .create(collection, "cerchio", json!({ "published": true }))
        .await;
    let event = event["id"].as_str().unwrap();
    let words = "/api/admin/words/contatti.messages";
    let mut messages = app.get(words).await.json();
    let asks = messages["value"]["asks"].as_array_mut().unwrap();
    asks.retain(|ask| ask["id"] != "couple");
    asks.push(json!({ "title": "Camminata", "ask": "vorrei camminare." }));
    let saved = app.put(words, &json!({ "value": messages["value"] })).await;
    let asks = saved.is(200).json()["value"]["asks"].clone();
    let added = asks.as_array().unwrap().last().unwrap()["id"].clone();
    let added = added.as_str().unwrap();
    for (from, to) in [
        (
            "/contatti/per/ritiro".to_owned(),
            "servizio=retreat".to_owned(),
        ),
        (
            "/contatti/per/consulenza".to_owned(),
            "servizio=freeConsultation".to_owned(),
        ),
        // Its message is deleted: the redirect leads to the page itself.
        (
            "/contatti/per/sessione-di-coppia".to_owned(),
            "servizio=couple".to_owned(),
        ),
        (
            format!("/contatti/per/{added}"),
            format!("servizio={added}"),
        ),
        (
            format!("/contatti/evento/{event}"),
            format!("evento={event}"),
        ),
    ] {
        let to = format!("/contatti?{to}");
        for (more, end) in [
            ("", ""),
            ("/", ""),
            ("?utm_source=x", "&utm_source=x"),
            ("/?x", "&x"),
        ] {
            let moved = app.visit(&format!("{from}{more}")).await.is(301);
            assert_eq!(
                moved.header("location"),
                format!("{to}{end}"),
                "{from}{more}"
            );
        }
        let chosen = app.visit(&to).await.is(200).text();
        assert_eq!(
            chosen.contains("Hai scelto"),
            !to.contains("couple"),
            "{to}"
        );
    }
    let moved = app.visit("/contatti?fbclid=x&per=ritiro").await.is(301);
    assert_eq!(moved.header("location"), "/contatti?servizio=retreat");
}

#[tokio::test]
async fn unknown_former_addresses_of_choices_are_404() {
    let app = TestApp::start().await;
    for path in [
        "/contatti/per",
        "/contatti/per/",
        "/contatti/per/niente",
        "/contatti/per/ritiro/x",
        "/contatti/per/{key}",
        "/contatti/evento/niente",
        "/contatti/evento/404",
    ] {
        assert_eq!(app.visit(path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn a_page_travels_in_the_encoding_asked_for_and_not_twice() {
    let app = TestApp::start().await;
    let url = app.url("/eventi");
    let mut tags = Vec::new();
    for (accepted, encoding) in [
        ("identity", ""),
        ("gzip", "gzip"),
        ("br", "br"),
        ("gzip, deflate, br", "br"),
        ("br;q=0, gzip;q=0.1", "gzip"),
    ] {
        let page = answer(app.visitor.get(&url).header("accept-encoding", accepted)).await;
        assert_eq!(page.status, 200);
        assert_eq!(page.header("content-encoding"), encoding, "{accepted}");
        assert_eq!(page.header("vary"), "Accept-Encoding");
        let tag = page.header("etag").to_owned();
        let request = app.visitor.get(&url).header("accept-encoding", accepted);
        let again = answer(request.header("if-none-match", format!("\"x\", {tag}"))).await;
        assert_eq!((again.status, again.bytes.len()), (304, 0), "{accepted}");
        assert_eq!(again.header("etag"), tag);
        let head = answer(app.visitor.head(&url).header("accept-encoding", accepted)).await;
        assert_eq!(head.header("content-length"), page.bytes.len().to_string());
        tags.push(tag);
    }
    tags.sort();
    tags.dedup();
    assert_eq!(tags.len(), 3);
}

#[tokio::test]
async fn a_write_shows_on_the_next_request() {
    let app = TestApp::start().await;
    let collection = &COLLECTIONS[0];
    let before = app.visit("/testimonianze").await;
    let item = app
        .create(collection, "appena-nato", json!({ "published": true }))
        .await;
    let after = app.visit("/testimonianze").await;
    assert!(!before.text().contains("appena-nato") && after.text().contains("appena-nato"));
    assert_ne!(before.header("etag"), after.header("etag"));
    let path = format!(
        "/api/admin/{}/{}",
        collection.slug,
        item["id"].as_str().unwrap()
    );
    app.put(&path, &json!({ "published": false })).await.is(200);
    assert!(
        !app.visit("/testimonianze")
            .await
            .text()
            .contains("appena-nato")
    );
    let event = collection_by_slug("events").unwrap();
    let event = app
        .create(event, "cerchio", json!({ "published": true }))
        .await;
    let page = format!("/evento/{}", event["id"].as_str().unwrap());
    let shown = app.visit(&page).await;
    assert!(shown.status == 200 && shown.text().contains("cerchio"));
    app.delete(&format!(
        "/api/admin/events/{}",
        event["id"].as_str().unwrap()
    ))
    .await;
    assert_eq!(app.visit(&page).await.status, 404);
}

#[tokio::test]
async fn assets_are_kept_for_ever_and_the_panel_never() {
    let app = TestApp::start().await;
    let panel = app.visit("/admin").await;
    assert_eq!(
        (panel.status, panel.header("cache-control")),
        (200, "no-store")
    );
    let text = app.visit("/").await.text();
    let start = text.find("/assets/").unwrap();
    let asset = text[start..].split('"').next().unwrap();
    let file = app.visit(asset).await;
    assert_eq!(file.status, 200, "{asset}");
    assert!(file.header("cache-control").contains("immutable"));
    assert_eq!(app.visit("/assets/nothing.js").await.status, 404);
    assert_eq!(app.visit("/.vite/manifest.json").await.status, 404);
}

#[tokio::test]
async fn pages_only_read() {
    let app = TestApp::start().await;
    for method in ["POST", "PUT", "DELETE"] {
        let answer = app.by(&app.visitor, method, "/eventi", None).await.is(405);
        assert_eq!(answer.header("allow"), "GET, HEAD");
        app.by(&app.visitor, method, "/nulla", None).await.is(404);
    }
}

#[tokio::test]
async fn a_flood_of_unknown_paths_is_answered_from_one_page() {
    let app = TestApp::start().await;
    let first = app.visit("/x0").await;
    for number in 1..300 {
        let page = app.visit(&format!("/x{number}")).await;
        assert_eq!(
            (page.status, page.header("etag")),
            (404, first.header("etag"))
        );
    }
    assert_eq!(app.visit("/").await.status, 200);
}

/// Regression: pages without a picture of their own had similar social pictures. Any two of them
/// differ in the tint or shift of the landscape, outside the area of the title.
#[tokio::test]
async fn the_social_pictures_of_pages_have_a_tint_or_shift_of_their_own() {
    let app = TestApp::start().await;
    let mut known: Vec<(&str, image::RgbImage)> = Vec::new();
    // The legal pages, last in the list, have no social picture of their own.
    for path in PAGES.iter().take_while(|path| **path != "/privacy") {
        let html = app.visit(path).await.is(200).text();
        let said = |mark: &str| {
            let (_, rest) = html.split_once(mark).unwrap();
            rest.split('"').next().unwrap().to_owned()
        };
        let alternative = said("\"og:image:alt\" content=\"");
        assert!(
            alternative.len() > 10 && !alternative.contains(['\'', '&']),
            "{alternative}"
        );
        let drawn = app
            .visit(&format!("/social/{}", said("/social/")))
            .await
            .is(200);
        let drawn = image::load_from_memory(&drawn.bytes).unwrap().into_rgb8();
        for (other, other_drawn) in &known {
            let pixels = drawn.enumerate_pixels().zip(other_drawn.pixels());
            let differ = pixels.filter(|((x, _, one), two)| {
                let far = |(a, b): (&u8, &u8)| a.abs_diff(*b) > 8;
                *x >= drawn.width() / 2 && one.0.iter().zip(&two.0).any(far)
            });
            let differ = differ.count() * 25;
            let all = drawn.pixels().len();
            assert!(differ >= all, "{path} and {other}: {differ} of {all}");
        }
        known.push((path, drawn));
    }
}

/// Regression: a page that could not be rendered went on showing a testimonial that had been
/// withdrawn, until the next change.
#[tokio::test]
async fn a_page_that_fails_says_that_it_is_renewed_and_is_rendered_again_without_help() {
    let app = TestApp::start().await;
    let testimonials = collection_by_slug("course-testimonials").unwrap();
    let made = app
        .create(testimonials, "ritirata", json!({ "published": true }))
        .await;
    let name = made["name"].as_str().unwrap().to_owned();
    assert!(app.visit("/testimonianze").await.text().contains(&name));
    let publisher = &app.running.app.site.publisher;
    publisher.fail_next_renders(1_000);
    let path = format!(
        "/api/admin/course-testimonials/{}",
        made["id"].as_str().unwrap()
    );
    app.put(&path, &json!({ "published": false })).await.is(200);
    let page = app.visit("/testimonianze").await;
    assert_eq!(page.status, 503);
    assert_eq!(page.header("retry-after"), "30");
    assert_eq!(page.header("cache-control"), "no-store");
    assert!(page.text().contains("Pagina in aggiornamento") && !page.text().contains(&name));
    assert!(page.header("content-security-policy").contains("sha256-"));
    let status = app.get("/api/admin/status").await.json();
    assert_eq!(status["publish"]["ok"], false);
    publisher.fail_next_renders(0);
    let started = Instant::now();
    while !publisher.is_complete() {
        assert!(started.elapsed() < Duration::from_secs(30));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let page = app.visit("/testimonianze").await.is(200);
    assert!(!page.text().contains(&name));
    let status = app.get("/api/admin/status").await.json();
    assert_eq!(status["publish"]["ok"], true);
}
