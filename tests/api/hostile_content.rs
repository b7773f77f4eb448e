//! Tests that hostile stored content (a pasted text, a restored file, a stolen session) is rendered
//! as text everywhere.

use crate::helpers::{TestApp, answer, full};
use respiro_content::settings::SETTINGS;
use respiro_content::{COLLECTIONS, Collection, FieldType};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeSet;

/// HTML, script, attributes, data blocks, bidirectional overrides, zero-width marks, formulas.
const HOSTILE: &str = "=1+1 \"'`><script>alert(1)</script><img src=x onerror=alert(1)>\
    </title></textarea><!--]]>{{7*7}}&lt;\u{202e}rovescio\u{200b}\u{feff}";
/// Must not appear as markup in any response.
const MARKUP: &[&str] = &["<script>alert(1)", "<img src=x", "</title></textarea>"];

fn hostile(collection: &Collection, picture: &Json) -> Map<String, Json> {
    let mut body = full(collection, "uno", picture);
    for field in collection.all_fields() {
        let (FieldType::Line { characters_max }
        | FieldType::Lines { characters_max }
        | FieldType::Markdown { characters_max }) = field.holds
        else {
            continue;
        };
        let text: String = HOSTILE.chars().take(characters_max).collect();
        // The date has to parse: without it the event has no calendar entry and no structured data.
        if !["date", "time"].contains(&field.name) {
            body.insert(field.name.to_owned(), json!(text));
        }
    }
    if collection.slug == "events" {
        body.insert("date".to_owned(), json!("10 maggio 2031"));
        body.insert("time".to_owned(), json!("10:00"));
    }
    body.insert("published".to_owned(), json!(true));
    body
}

/// Returns every URL that the published pages, the sitemap and the feed link to.
async fn addresses(app: &TestApp) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = ["/", "/sitemap.xml", "/feed.xml", "/manifest.webmanifest"]
        .map(str::to_owned)
        .into();
    let sitemap = app.visit("/sitemap.xml").await.text();
    for part in sitemap.split("<loc>").skip(1) {
        let address = part.split('<').next().unwrap();
        let path = address
            .strip_prefix(app.running.public_url.as_str())
            .unwrap();
        found.insert(if path.is_empty() {
            "/".to_owned()
        } else {
            path.to_owned()
        });
        if path.starts_with("/evento/") {
            found.insert(format!("{path}.ics"));
        }
    }
    assert!(found.iter().any(|path| path.contains(".ics")), "{found:?}");
    assert!(
        found.iter().any(|path| path.starts_with("/blog/")),
        "{found:?}"
    );
    found
}

fn check_html(path: &str, html: &str) {
    for markup in MARKUP {
        assert!(!html.contains(markup), "{markup} in {path}");
    }
    for block in html.split("<script type=\"application/ld+json\">").skip(1) {
        let block = block.split("</script>").next().unwrap();
        let read: Result<Json, _> = serde_json::from_str(block);
        assert!(read.is_ok(), "{path}: {block}");
    }
    let title = html.split("<title>").nth(1).unwrap();
    let title = title.split("</title>").next().unwrap();
    assert!(!title.contains('<'), "{path}: {title}");
}

fn check_xml(path: &str, xml: &str) {
    let mut reader = quick_xml::Reader::from_str(xml);
    loop {
        match reader.read_event() {
            Ok(quick_xml::events::Event::Eof) => break,
            Ok(quick_xml::events::Event::Start(tag)) => {
                let name = tag.name().as_ref().to_owned();
                assert!(
                    !["script", "img"].contains(&name.as_str()),
                    "{path} has <{name}>"
                );
            }
            Ok(_) => {}
            Err(error) => panic!("{path} is no XML: {error}"),
        }
    }
}

fn check_calendar(path: &str, text: &str) {
    for line in text.split("\r\n") {
        assert!(line.len() <= 75, "{path}: {line}");
        assert!(
            !line.contains('\n') && !line.contains('\r'),
            "{path}: {line}"
        );
        let known = [
            "BEGIN:", "END:", "VERSION", "PRODID", "CALSCALE", "METHOD", "UID", "DT", "SUMMARY",
        ];
        let more = [
            "DESCRIPTION",
            "LOCATION",
            "URL",
            "SEQUENCE",
            "STATUS",
            "LAST-MODIFIED",
            "CREATED",
            "TZ",
            "RRULE",
        ];
        let starts = |word: &&str| line.starts_with(*word);
        let folded = line.is_empty() || line.starts_with(' ');
        assert!(
            folded || known.iter().chain(&more).any(starts),
            "{path}: {line}"
        );
    }
}

#[tokio::test]
async fn hostile_content_stays_text_wherever_it_is_shown() {
    let app = TestApp::start().await;
    let mut identity = Map::new();
    for setting in SETTINGS {
        // A tax number and a day of such text are refused.
        const CHECKED: [&str; 4] = ["vatNumber", "taxCode", "bannerFrom", "bannerUntil"];
        if let FieldType::Line { characters_max } = setting.field.holds
            && !CHECKED.contains(&setting.field.name)
        {
            let text: String = HOSTILE.chars().take(characters_max).collect();
            identity.insert(setting.field.name.to_owned(), json!(text));
        }
    }
    app.put("/api/admin/settings", &Json::Object(identity))
        .await
        .is(200);
    for collection in COLLECTIONS {
        let picture = if collection.picture {
            json!(app.upload(crate::helpers::png("uno")).await)
        } else {
            Json::Null
        };
        let body = Json::Object(hostile(collection, &picture));
        let made = app
            .post(&format!("/api/admin/{}", collection.slug), &body)
            .await
            .is(201);
        let list = app
            .visit(&format!("/api/{}", collection.slug))
            .await
            .is(200);
        assert_eq!(list.header("content-type"), "application/json");
        assert_eq!(list.header("x-content-type-options"), "nosniff");
        assert_eq!(list.json()[0]["id"], made.json()["id"]);
    }
    for path in addresses(&app).await {
        let answer = app.visit(&path).await;
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        let disposition = answer.header("content-disposition");
        let plain = |c: char| c.is_ascii_alphanumeric() || " ;=\"-._".contains(c);
        assert!(disposition.chars().all(plain), "{path}: {disposition}");
        let (media_type, text) = (answer.header("content-type").to_owned(), answer.text());
        match media_type.split(';').next().unwrap() {
            "text/html" => check_html(&path, &text),
            "text/calendar" => check_calendar(&path, &text),
            "application/manifest+json" => drop(answer.json()),
            _ if path.contains(".xml") => check_xml(&path, &text),
            other => panic!("{path} is {other}"),
        }
    }
}

/// Control characters break headers, calendars, feeds and terminals, so the store never holds one.
#[tokio::test]
async fn control_characters_are_refused_in_every_field_of_every_kind() {
    let app = TestApp::start().await;
    for collection in COLLECTIONS {
        let good = app.body(collection, "uno").await;
        for field in collection.all_fields() {
            let several = match field.holds {
                FieldType::Line { .. } | FieldType::Url | FieldType::Email | FieldType::Slug => {
                    false
                }
                FieldType::Lines { .. } | FieldType::Markdown { .. } => true,
                _ => continue,
            };
            for control in [
                "\0",
                "\u{1b}[31m",
                "\u{7f}",
                "\u{85}",
                "\n",
                "\r\nSet-Cookie: a=b",
            ] {
                if several && control.starts_with(['\n', '\r']) {
                    continue;
                }
                let mut body = good.clone();
                body.insert(field.name.to_owned(), json!(format!("a{control}b")));
                let path = format!("/api/admin/{}", collection.slug);
                let refused = app.post(&path, &Json::Object(body)).await;
                let told = format!("{} {} {control:?}", collection.slug, field.name);
                assert_eq!(refused.status, 422, "{told}");
                assert_eq!(refused.json()["errors"][0]["field"], field.name, "{told}");
            }
        }
    }
}

/// Regression: a run of asterisks nests bold in bold. A page with such a text broke, and the
/// preview of a longer one crashed the program.
#[tokio::test]
async fn no_text_lies_so_deep_in_itself_that_a_page_breaks() {
    let app = TestApp::start().await;
    let block = "/api/admin/words/legal.privacy";
    let legal = app.get(block).await.json();
    let with = |around: &str, count: usize, end: &str| {
        let mut value = legal["value"].clone();
        let text = format!("{}Profondo{}", around.repeat(count), end.repeat(count));
        value["sections"][0]["text"] = json!(text);
        json!({ "value": value })
    };
    let preview = async |draft: Json| {
        let body = json!({ "page": "/privacy", "blocks": { "legal.privacy": draft } });
        app.post("/api/admin/words/preview", &body).await
    };
    for (around, count, end) in [
        ("*", 7_749, "*"),
        ("- ", 10_000, ""),
        ("[*", 2_500, "*](/)"),
    ] {
        let page = preview(with(around, count, end)).await.is(200).text();
        assert!(page.contains("Profondo"), "{around}");
    }
    let refused = preview(with("*", 20_000, "*")).await.is(422).json();
    let problem = refused["errors"][0]["message"].as_str().unwrap();
    assert!(problem.contains("40008 caratteri"), "{problem}");
    app.put(block, &with("*", 3_990, "*")).await.is(200);
    let nested = format!("{{\"value\":{}", "[".repeat(100_000));
    let asked = app.admin.put(app.url(block)).body(nested);
    answer(asked.header("content-type", "application/json"))
        .await
        .is(400);
    // A restart reads the blocks as it reads a file of an earlier release.
    let app = app.restart().await;
    let page = app.visit("/privacy").await;
    assert!(page.status == 200 && page.text().contains("Profondo"));
}

#[tokio::test]
async fn no_article_and_no_letter_lies_so_deep_in_itself_that_it_breaks() {
    let app = TestApp::start().await;
    let texts = [("- ", 29_990, ""), ("> ", 29_990, ""), ("**", 14_000, "**")];
    for (number, (around, count, end)) in texts.into_iter().enumerate() {
        let text = format!("{}Profondo{}", around.repeat(count), end.repeat(count));
        for collection in COLLECTIONS
            .iter()
            .filter(|collection| collection.characters_max("content") >= 60_000)
        {
            let label = format!("n{number}");
            let more = json!({ "content": text, "published": collection.slug == "blog" });
            let item = app.create(collection, &label, more).await;
            let id = item["id"].as_str().unwrap();
            let sheet = format!("/api/admin/sendings/{id}/preview");
            let page = item["slug"].as_str().map(|slug| format!("/blog/{slug}"));
            let page = app.get(&page.unwrap_or(sheet)).await;
            assert_eq!(page.status, 200, "{} {around}", collection.slug);
            assert!(
                page.text().contains("Profondo"),
                "{} {around}",
                collection.slug
            );
            let fields =
                json!({ "kind": collection.slug, "fields": { "title": "T", "content": text } });
            let drawn = app.post("/api/admin/preview", &fields).await;
            assert!(collection.slug != "blog" || drawn.status == 200, "{around}");
        }
    }
    assert_eq!(app.visit("/feed.xml").await.status, 200);
}
