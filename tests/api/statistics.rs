//! Tests of visit statistics: they identify no visitor and delay no response.

use crate::helpers::{Answer, DAY, TestApp, answer, client};
use crate::http_client::{Client, RequestBuilder};
use respiro_content::collection_by_slug;
use serde_json::{Value as Json, json};
use std::fs;
use ureq::http::{HeaderMap, HeaderName, HeaderValue};

const BROWSER: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0";

/// Returns the headers of a browser; `more` overrides them.
fn headers(more: &[(&'static str, &'static str)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in [("user-agent", BROWSER), ("accept-language", "it-IT")]
        .iter()
        .chain(more)
    {
        headers.insert(
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        );
    }
    headers
}

/// Headers for the fast path and for the routes (`front.rs`).
const WAYS: [&[(&str, &str)]; 2] = [&[], &[("te", "trailers")]];

async fn open(app: &TestApp, path: &str, more: &[(&'static str, &'static str)]) -> Answer {
    answer(app.visitor.get(app.url(path)).headers(headers(more))).await
}

async fn press(app: &TestApp, by: &Client, body: &'static str) -> Answer {
    let request = by.post(app.url("/api/press")).headers(headers(&[]));
    let request = request.header("origin", app.running.public_url.clone());
    answer(request.body(body)).await
}

async fn numbers(app: &TestApp) -> Json {
    app.get("/api/admin/statistics").await.is(200).json()
}

fn sum(json: &Json) -> (u64, u64) {
    let count = |name: &str| json["sum"][name].as_u64().unwrap();
    (count("views"), count("visitors"))
}

/// Regression: a proxy that adds its own `X-Forwarded-For` line leaves the client's above it. The
/// server trusted the client's line, so one client counted as any number of visitors.
#[tokio::test]
async fn of_several_forwarded_lines_the_proxys_own_says_who_it_was() {
    let app = TestApp::start_as(|config, _| {
        config.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    })
    .await;
    let sent = async |request: RequestBuilder, own: &str| {
        let request = request.headers(headers(&[])).header("x-forwarded-for", own);
        answer(request.header("x-forwarded-for", "203.0.113.9")).await
    };
    for own in ["10.0.1.1", "10.0.2.1"] {
        sent(app.visitor.get(app.url("/chi-sono")), own)
            .await
            .is(200);
        let press = app
            .visitor
            .post(app.url("/api/press"))
            .body("phone /contatti");
        let press = press.header("origin", app.running.public_url.clone());
        sent(press, own).await.is(204);
    }
    let once = app.visitor.get(app.url("/chi-sono")).headers(headers(&[]));
    answer(once.header("x-forwarded-for", "203.0.113.9"))
        .await
        .is(200);
    assert_eq!(sum(&numbers(&app).await), (3, 1));
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "one day of visits, told once")]
async fn a_visit_counts_by_page_source_and_day_on_both_ways_out() {
    let app = TestApp::start().await;
    let collection = collection_by_slug("events").unwrap();
    let event = app
        .create(collection, "uno", json!({ "published": true }))
        .await;
    let page = format!("/evento/{}", event["id"].as_str().unwrap());
    let mut opened = 0;
    for way in WAYS {
        let from = |more: &[(&'static str, &'static str)]| [way, more].concat();
        open(
            &app,
            "/",
            &from(&[("referer", "https://www.search.example/?q=segreto")]),
        )
        .await
        .is(200);
        open(&app, &page, &from(&[])).await.is(200);
        open(&app, "/chi-sono?da=qui", &from(&[])).await.is(200);
        opened += 3;
        let tag = open(&app, "/blog", &from(&[]))
            .await
            .header("etag")
            .to_owned();
        let again = app.visitor.get(app.url("/blog")).headers(headers(way));
        assert_eq!(answer(again.header("if-none-match", tag)).await.status, 304);
        opened += 2;
        // None of these is a page view of a reader.
        for path in [
            "/nessuna",
            "/evento/x",
            "/admin",
            "/robots.txt",
            "/api/events",
            "/eventi/",
        ] {
            open(&app, path, way).await;
        }
        answer(app.visitor.head(app.url("/")).headers(headers(way)))
            .await
            .is(200);
    }
    let json = numbers(&app).await;
    assert_eq!(sum(&json), (opened, 1), "{json:#}");
    assert_eq!(json["parts"].as_array().unwrap().len(), 30);
    assert_eq!(json["parts"][29]["views"], opened);
    assert!(json["before"].is_null());
    let row = |list: &str, test: &dyn Fn(&Json) -> bool| {
        let rows = json[list].as_array().unwrap();
        rows.iter()
            .find(|row| test(row))
            .unwrap_or_else(|| panic!("{json:#}"))
            .clone()
    };
    let own = row("pages", &|row| row["path"] == page.as_str());
    assert_eq!((&own["views"], &own["title"]), (&json!(2), &event["title"]));
    assert_eq!(row("pages", &|row| row["path"] == "/chi-sono")["views"], 2);
    assert_eq!(
        row("sources", &|row| row["host"] == "search.example")["views"],
        2
    );
    assert_eq!(
        row("sources", &|row| row["is"] == "direct")["views"],
        opened - 2
    );
    let months = app
        .get("/api/admin/statistics?period=months")
        .await
        .is(200)
        .json();
    assert_eq!(months["parts"].as_array().unwrap().len(), 12);
    assert_eq!(sum(&months), (opened, 1));
    app.delete(&format!(
        "/api/admin/events/{}",
        event["id"].as_str().unwrap()
    ))
    .await;
    let json = numbers(&app).await;
    let rows = json["pages"].as_array().unwrap();
    assert!(rows.iter().any(|row| row["is"] == "removed"), "{json:#}");
}

#[tokio::test]
async fn robots_herself_and_who_asks_not_to_be_counted_are_left_out() {
    let app = TestApp::start().await;
    for way in WAYS {
        for more in [
            (
                "user-agent",
                "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
            ),
            ("user-agent", ""),
            ("accept-language", ""),
            ("dnt", "1"),
            ("sec-gpc", "1"),
            ("sec-purpose", "prefetch;prerender"),
            ("cookie", "respiro-device=abc"),
        ] {
            open(&app, "/", &[way, &[more]].concat()).await.is(200);
        }
        app.visit("/").await.is(200);
        answer(app.admin.get(app.url("/")).headers(headers(way)))
            .await
            .is(200);
    }
    assert_eq!(press(&app, &app.admin, "phone /contatti").await.status, 204);
    assert_eq!(sum(&numbers(&app).await), (0, 0));
}

#[tokio::test]
async fn presses_count_by_page_and_nothing_else_gets_in() {
    let app = TestApp::start().await;
    for body in [
        "phone /contatti",
        "phone /contatti",
        "email /",
        "message /eventi",
    ] {
        let answer = press(&app, &app.visitor, body).await;
        assert_eq!((answer.status, answer.bytes.len()), (204, 0));
    }
    for odd in [
        "",
        "phone",
        "fax /",
        "phone /nessuna",
        "phone /robots.txt",
        "message javascript:x",
        "phone /contatti ",
    ] {
        assert_eq!(press(&app, &app.visitor, odd).await.status, 204, "{odd}");
    }
    let long = answer(
        app.visitor
            .post(app.url("/api/press"))
            .body("phone /".repeat(60)),
    )
    .await;
    long.is(413);
    let elsewhere = app
        .visitor
        .post(app.url("/api/press"))
        .header("origin", "https://evil.example");
    answer(elsewhere.headers(headers(&[])).body("phone /"))
        .await
        .is(403);
    let json = numbers(&app).await;
    assert_eq!(json["sum"]["phone"], 2);
    assert_eq!(json["sum"]["email"], 1);
    assert_eq!(json["sum"]["message"], 1);
    assert_eq!(json["contacts"].as_array().unwrap().len(), 3);
    assert_eq!(json["contacts"][0]["path"], "/contatti");
}

#[tokio::test]
async fn a_visitor_of_yesterday_is_new_today_and_old_totals_go() {
    let app = TestApp::start().await;
    open(&app, "/", &[]).await;
    assert_eq!(sum(&numbers(&app).await), (1, 1));
    app.let_time_pass(DAY);
    open(&app, "/", &[]).await;
    assert_eq!(sum(&numbers(&app).await), (2, 2));
    app.let_time_pass(40 * DAY);
    app.sign_in(&app.admin).await.is(200);
    let json = numbers(&app).await;
    assert_eq!((sum(&json), &json["before"]["views"]), ((0, 0), &json!(2)));
    // The start removes counts that are past their retention.
    app.let_time_pass(740 * DAY);
    let app = app.restart().await;
    let mut since = json!("");
    for _ in 0..100 {
        since = numbers(&app).await["since"].clone();
        if since.is_null() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert!(since.is_null(), "{since}");
}

#[tokio::test]
async fn what_was_counted_survives_a_stop_and_nothing_stored_names_anybody() {
    let app = TestApp::start().await;
    open(
        &app,
        "/",
        &[(
            "referer",
            "https://a.example/pagina-segreta?q=parola-segreta",
        )],
    )
    .await;
    let app = app.restart().await;
    assert_eq!(sum(&numbers(&app).await), (1, 1));
    let bytes = fs::read(app.folder().join("data.redb")).unwrap();
    let holds = |text: &str| {
        bytes
            .windows(text.len())
            .any(|part| part == text.as_bytes())
    };
    assert!(holds("a.example"));
    for secret in ["Firefox/143", "segreta", "127.0.0.1"] {
        assert!(!holds(secret), "{secret} is stored");
    }
}

#[tokio::test]
async fn a_thousand_visits_are_no_commit_each() {
    let app = TestApp::start().await;
    numbers(&app).await;
    let before = fs::metadata(app.folder().join("data.redb"))
        .unwrap()
        .modified()
        .unwrap();
    for _ in 0..300 {
        open(&app, "/", &[]).await;
        press(&app, &app.visitor, "phone /").await;
    }
    let after = fs::metadata(app.folder().join("data.redb"))
        .unwrap()
        .modified()
        .unwrap();
    assert_eq!(before, after, "visits were written one by one");
    assert_eq!(numbers(&app).await["sum"]["views"], 300);
}

#[tokio::test]
async fn one_switch_ends_counting_and_the_privacy_page_says_which() {
    let app = TestApp::start().await;
    let privacy = app.visit("/privacy").await.text();
    assert!(
        privacy.contains("Global Privacy Control"),
        "the page does not tell of it"
    );
    open(&app, "/", &[]).await;
    let off = app
        .put("/api/admin/statistics", &json!({ "counting": false }))
        .await
        .is(200)
        .json();
    assert_eq!(off["counting"], false);
    assert!(off["offSince"].as_str().is_some());
    for path in ["/privacy", "/cookies"] {
        let page = app.visit(path).await.text();
        // Excludes the page data at the end, which contains the texts of both states.
        let page = page.split("id=\"page-data\"").next().unwrap();
        assert!(!page.contains("Statistiche di visita") && !page.contains("totali per giorno"));
    }
    assert!(
        app.visit("/privacy")
            .await
            .text()
            .contains("non usa strumenti di statistica")
    );
    open(&app, "/", &[]).await;
    press(&app, &app.visitor, "phone /").await;
    assert_eq!(sum(&numbers(&app).await), (1, 1));
    // The period without counting does not matter once counting is on again.
    app.put("/api/admin/statistics", &json!({ "counting": true }))
        .await
        .is(200);
    open(&app, "/", &[]).await;
    let json = numbers(&app).await;
    assert_eq!(json["sum"]["views"], 2);
    assert!(json["offSince"].is_null());
    app.put("/api/admin/statistics", &json!({})).await.is(422);
    let csv = app.get("/api/admin/statistics.csv").await;
    assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8");
    assert!(
        csv.text().trim_end().ends_with(",2,2,0,0,0")
            || csv.text().trim_end().ends_with(",2,1,0,0,0")
    );
    let excel = app.get("/api/admin/statistics.csv?period=months&separator=semicolon");
    let excel = excel.await.is(200).text();
    assert!(excel.starts_with("\u{feff}Mese;Pagine aperte;"), "{excel}");
    assert!(!excel.contains(','), "{excel}");
    assert_eq!(app.delete("/api/admin/statistics").await.status, 204);
    assert_eq!(sum(&numbers(&app).await), (0, 0));
    let stranger = client(false);
    app.by(&stranger, "GET", "/api/admin/statistics", None)
        .await
        .is(401);
}
