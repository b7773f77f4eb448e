//! Tests of what the admin sets for the whole site: the line above every page, the year of the
//! copyright notice, the tax code.

use crate::helpers::{DAY, TestApp, png};
use respiro_content::collection_by_slug;
use respiro_content::time::{day, format_date};
use serde_json::{Value as Json, json};

const SETTINGS: &str = "/api/admin/settings";

async fn set(app: &TestApp, body: &Json) -> Json {
    app.put(SETTINGS, body).await.is(200).json()
}

/// Does what the scheduler does every ten seconds.
async fn let_schedule_run(app: &TestApp) {
    let site = &app.running.app.site;
    if let Some(time) = site.clock().trusted() {
        site.publish_due_day(&time).await.unwrap();
    }
}

async fn home(app: &TestApp) -> String {
    app.visit("/").await.is(200).text()
}

#[tokio::test]
async fn the_line_above_the_site_comes_and_goes_by_itself_and_is_told_nobody_before() {
    const LINE: &str = "Chiuso per ferie, ci vediamo dopo";
    let app = TestApp::start().await;
    let plain = home(&app).await;
    assert!(
        !plain.contains("\"banner\""),
        "an unchanged page keeps its bytes"
    );
    let now = app.running.app.now();
    let on = |days: i64| format_date(day(now + days * DAY));
    let body = json!({ "banner": LINE, "bannerFrom": on(2), "bannerUntil": on(4) });
    set(&app, &body).await;
    for (passed, is_shown) in [(0, false), (2, true), (2, true), (1, false)] {
        app.let_time_pass(passed * DAY);
        let_schedule_run(&app).await;
        for path in ["/", "/eventi", "/evento/niente"] {
            let page = app.visit(path).await.text();
            assert_eq!(page.contains(LINE), is_shown, "{path} after {passed} days");
        }
        assert!(!app.visit("/api/site").await.text().contains(LINE));
    }
    assert_eq!(home(&app).await, plain);
    // Days that were saved stay valid after they have passed.
    set(&app, &body).await;
    set(&app, &json!({ "bannerFrom": "", "bannerUntil": null })).await;
    assert!(home(&app).await.contains(LINE));
    let nasty = set(&app, &json!({ "banner": "</aside><script>x</script>" })).await;
    assert_eq!(nasty["banner"], "</aside><script>x</script>");
    assert!(!home(&app).await.contains("<script>x"));
    set(&app, &json!({ "banner": "" })).await;
    assert_eq!(home(&app).await, plain);
}

#[tokio::test]
async fn a_doubted_clock_neither_shows_nor_hides_the_line() {
    const LINE: &str = "Chiuso per ferie";
    let app = TestApp::start().await;
    let until = format_date(day(app.running.app.now() + 4 * DAY));
    set(&app, &json!({ "banner": LINE, "bannerUntil": until })).await;
    app.set_clock_off(40 * DAY);
    let_schedule_run(&app).await;
    set(&app, &json!({ "brand": "Altro nome" })).await;
    let page = home(&app).await;
    assert!(page.contains(LINE) && page.contains("Altro nome"));
}

#[tokio::test]
async fn days_of_the_line_are_stored_with_their_year() {
    let app = TestApp::start().await;
    let body = json!({ "banner": "Chiuso", "bannerFrom": "dal 1 al 20 agosto" });
    let saved = set(&app, &body).await;
    let year = |name: &str| {
        saved[name]
            .as_str()
            .unwrap()
            .rsplit_once(' ')
            .unwrap()
            .1
            .to_owned()
    };
    assert!(
        saved["bannerFrom"]
            .as_str()
            .unwrap()
            .starts_with("1 agosto 20")
    );
    assert!(
        saved["bannerUntil"]
            .as_str()
            .unwrap()
            .starts_with("20 agosto 20")
    );
    assert_eq!(year("bannerFrom"), year("bannerUntil"));
    assert_eq!(set(&app, &saved).await, saved);
    for (name, value) in [
        ("bannerFrom", json!("presto")),
        ("bannerFrom", json!(5)),
        ("bannerFrom", json!("è".repeat(500))),
        ("bannerUntil", json!("31 febbraio")),
        ("bannerUntil", json!("1 gennaio 2020")),
        ("banner", json!("x".repeat(161))),
        ("banner", json!("a\nb")),
    ] {
        let refused = app.put(SETTINGS, &json!({ name: value })).await.is(422);
        assert_eq!(refused.json()["errors"][0]["field"], name, "{value}");
    }
    assert_eq!(app.get(SETTINGS).await.json(), saved);
}

#[tokio::test]
async fn the_year_in_the_footer_is_that_of_the_specification_until_it_may_follow_the_calendar() {
    let app = TestApp::start().await;
    assert!(home(&app).await.contains("© 2025"));
    let year = day(app.running.app.now()).year();
    let saved = set(&app, &json!({ "copyrightYearIsCurrent": true })).await;
    assert_eq!(saved["copyrightYear"], "2025", "the setting itself stays");
    assert_eq!(saved["copyrightYearShown"], year.to_string());
    assert!(home(&app).await.contains(&format!("© {year}")));
    app.let_time_pass(366 * DAY);
    app.sign_in(&app.admin).await.is(200);
    let_schedule_run(&app).await;
    assert!(home(&app).await.contains(&format!("© {}", year + 1)));
    set(&app, &json!({ "copyrightYearIsCurrent": false })).await;
    assert!(home(&app).await.contains("© 2025"));
}

#[tokio::test]
async fn further_social_profiles_are_links_with_names_and_for_search_engines() {
    let app = TestApp::start().await;
    let plain = home(&app).await;
    assert!(!plain.contains("socialProfiles") && !plain.contains("\"profiles\""));
    let lines = " instagram.com/anna \n\nhttps://www.youtube.com/@anna\nhttps://instagram.com/anna";
    let body = json!({ "socialUrl": "https://example.com/primo", "socialProfiles": lines });
    let saved = set(&app, &body).await;
    let stored = "https://instagram.com/anna\nhttps://www.youtube.com/@anna";
    assert_eq!(saved["socialProfiles"], stored);
    assert_eq!(set(&app, &saved).await["socialProfiles"], stored);
    for path in ["/", "/contatti", "/privacy"] {
        let page = app.visit(path).await.text();
        for part in [
            "href=\"https://instagram.com/anna\" target=\"_blank\" rel=\"noopener me\"",
            "Instagram<",
            "YouTube<",
        ] {
            assert!(page.contains(part), "{path}: {part}");
        }
    }
    let same = "\"sameAs\":[\"https://example.com/primo\",\"https://instagram.com/anna\",\
                \"https://www.youtube.com/@anna\"]";
    assert!(home(&app).await.contains(same));
    for wrong in [
        "http://instagram.com/anna",
        "javascript:alert(1)",
        "https://",
        "https://anna@example.com/",
        "https://example.com/\"><script>",
        "@anna",
        &(0..9)
            .map(|number| format!("https://example.com/{number}\n"))
            .collect::<Vec<_>>()
            .join("\n"),
    ] {
        let refused = app
            .put(SETTINGS, &json!({ "socialProfiles": wrong }))
            .await
            .is(422);
        assert_eq!(
            refused.json()["errors"][0]["field"],
            "socialProfiles",
            "{wrong}"
        );
    }
    set(&app, &json!({ "socialProfiles": "", "socialUrl": "" })).await;
    assert_eq!(home(&app).await, plain);
}

#[tokio::test]
async fn a_codice_fiscale_stands_where_the_partita_iva_would() {
    let app = TestApp::start().await;
    for wrong in [
        "RCCMNL83S18D969X",
        "RCCMNL83S18D96",
        "CHE-107.787.577",
        "non ce l’ho",
    ] {
        let refused = app
            .put(SETTINGS, &json!({ "taxCode": wrong }))
            .await
            .is(422);
        assert_eq!(refused.json()["errors"][0]["field"], "taxCode", "{wrong}");
    }
    set(&app, &json!({ "taxCode": "RCCMNL83S18D969H" })).await;
    for path in ["/", "/privacy", "/terms"] {
        let page = app.visit(path).await.text();
        assert!(page.contains("C. F. RCCMNL83S18D969H"), "{path}");
    }
    let status = app.get("/api/admin/status").await.json();
    let missing = status["missingSettings"].as_array().unwrap();
    assert!(!missing.contains(&json!("vatNumber")), "{missing:?}");
    set(&app, &json!({ "vatNumber": "01234567897" })).await;
    let page = home(&app).await;
    assert!(page.contains("P. IVA 01234567897") && !page.contains("C. F. "));
}

#[tokio::test]
async fn unchanged_examples_go_to_the_trash_at_once_and_come_back_at_once() {
    let app = TestApp::start_as(|config, _| config.demo = true).await;
    let status = async || app.get("/api/admin/status").await.is(200).json();
    let before = status().await;
    let total = |status: &Json| {
        let counts = status["data"]["counts"].as_object().unwrap();
        counts
            .values()
            .map(|count| count.as_u64().unwrap())
            .sum::<u64>()
    };
    let all = total(&before);
    assert_eq!(
        (&before["demo"], &before["examples"]),
        (&json!(true), &json!(all))
    );
    // One with another text, one with another picture; hiding and moving is no change.
    let events = collection_by_slug("events").unwrap();
    let photos = collection_by_slug("photo-gallery").unwrap();
    let (event, photo) = (app.ids(events).await, app.ids(photos).await);
    let edit = async |slug: &str, id: &str, body: Json| {
        let path = format!("/api/admin/{slug}/{id}");
        app.put(&path, &body).await.is(200);
    };
    edit("events", &event[0], json!({ "title": "Il mio evento" })).await;
    edit("events", &event[1], json!({ "published": false })).await;
    let own = app.upload(png("mia")).await;
    edit("photo-gallery", &photo[0], json!({ "imageUrl": own })).await;
    let mine = app
        .create(events, "mio", json!({ "published": true }))
        .await;
    assert_eq!(status().await["examples"], all - 2);
    let visitor = app
        .by(&app.visitor, "DELETE", "/api/admin/examples", None)
        .await;
    visitor.is(401);
    let removed = app.delete("/api/admin/examples").await.is(200).json();
    assert_eq!(removed["ids"].as_array().unwrap().len() as u64, all - 2);
    let after = status().await;
    assert_eq!(
        (total(&after), &after["demo"], &after["examples"]),
        (3, &json!(false), &json!(0))
    );
    let left = app.ids(events).await;
    assert!(left.contains(&event[0]) && left.contains(&mine["id"].as_str().unwrap().to_owned()));
    assert!(app.get("/api/admin/trash").await.text().contains(&event[1]));
    assert!(app.visit("/blog").await.is(200).text().len() > 100);
    assert_eq!(
        app.delete("/api/admin/examples").await.is(200).json()["ids"],
        json!([])
    );
    for wrong in [
        json!({}),
        json!({ "ids": [5] }),
        json!({ "ids": vec!["x"; 501] }),
    ] {
        app.post("/api/admin/examples/restore", &wrong)
            .await
            .is(422);
    }
    app.post("/api/admin/examples/restore", &json!({ "ids": ["x"] }))
        .await
        .is(404);
    app.post("/api/admin/examples/restore", &removed)
        .await
        .is(200);
    let back = status().await;
    assert_eq!((total(&back), &back["demo"]), (all + 1, &json!(true)));
    assert_eq!(back["examples"], all - 2);
}

#[tokio::test]
async fn a_site_asleep_shows_a_message_to_visitors_and_everything_to_the_admin() {
    let app = TestApp::start().await;
    let plain = home(&app).await.replace(&app.running.public_url, "ORIGIN");
    let message = "Torno a settembre.\n\n<script>alert(1)</script>";
    let body = json!({ "asleep": true, "asleepMessage": message, "phone": "079 123 45 67",
        "email": "anna@example.com", "brand": "Respiro & Co" });
    set(&app, &body).await;
    let html = &[("accept", "text/html")][..];
    for way in [html, &[("accept", "text/html"), ("te", "trailers")]] {
        for path in [
            "/",
            "/eventi",
            "/nulla",
            "/contatti?servizio=x",
            "/%ff",
            "/feed.xml",
        ] {
            let page = app.visit_with(path, way).await;
            assert_eq!(page.status, 503, "{path}");
            assert_eq!(page.header("retry-after"), "3600", "{path}");
            assert_eq!(page.header("cache-control"), "no-store", "{path}");
            let text = page.text();
            for part in [
                "<h1>Respiro &amp; Co</h1>",
                "Torno a settembre.</p>",
                "&lt;script&gt;",
                "tel:+41791234567",
                "mailto:anna@example.com",
            ] {
                assert!(text.contains(part), "{path}: {part} in {text}");
            }
            assert!(!text.contains("<script"), "{path}");
        }
    }
    // Programs get a problem, on feeds and the API too.
    for path in [
        "/api/site",
        "/api/events",
        "/feed.xml",
        "/eventi.ics",
        "/sitemap.xml",
    ] {
        let answer = app.visit_with(path, &[("accept", "*/*")]).await;
        assert_eq!(
            (answer.status, answer.header("retry-after")),
            (503, "3600"),
            "{path}"
        );
    }
    let body = json!({ "email": "x@example.com" });
    let sign_up = app
        .by(&app.visitor, "POST", "/api/newsletter", Some(&body))
        .await
        .is(503);
    assert!(
        sign_up.json()["type"]
            .as_str()
            .unwrap()
            .ends_with(":asleep")
    );
    // A validator from before does not bring the page back.
    let tag = app.get("/").await.header("etag").to_owned();
    let again = app
        .visit_with("/", &[("accept", "text/html"), ("if-none-match", &tag)])
        .await;
    assert_eq!(again.status, 503);
    for path in [
        "/admin",
        "/favicon.ico",
        "/robots.txt",
        "/healthz",
        "/api/auth/session",
    ] {
        assert!(app.visit(path).await.status < 500, "{path}");
    }
    let panel = app.visit("/admin").await.text();
    let script = panel
        .split("src=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    assert_eq!(app.visit(script).await.status, 200, "{script}");
    assert_eq!(
        app.visit("/newsletter/cancella/x").await.status,
        404,
        "a personal link"
    );
    // The admin sees the site.
    assert_eq!(app.get("/").await.status, 200);
    assert_eq!(app.get("/api/events").await.status, 200);
    assert_eq!(app.get("/api/admin/status").await.json()["asleep"], true);
    let app = app.restart().await;
    assert_eq!(
        app.visit_with("/", html).await.status,
        503,
        "after a restart, too"
    );
    let awake = json!({ "asleep": false, "asleepMessage": "", "phone": "", "email": "",
        "brand": "" });
    set(&app, &awake).await;
    let again = home(&app).await;
    assert_eq!(again.replace(&app.running.public_url, "ORIGIN"), plain);
}

#[tokio::test]
async fn links_are_checked_by_a_press_alone_and_never_inside_the_own_network() {
    let app = TestApp::start().await;
    let path = "/api/admin/link-check";
    app.by(&app.visitor, "POST", path, None).await.is(401);
    assert_eq!(
        app.get(path).await.is(200).json(),
        json!(null),
        "nothing is automatic"
    );
    let inside = app.url("/api/admin/settings");
    let text =
        format!("{inside} e http://169.254.169.254/latest e http://localhost/ e file:///etc");
    let more = json!({ "published": true, "content": text, "slug": "uno" });
    let post = app
        .create(collection_by_slug("blog").unwrap(), "uno", more)
        .await;
    app.post(path, &json!({})).await.is(200);
    let state = loop {
        let state = app.get(path).await.is(200).json();
        if state["isRunning"] == false {
            break state;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    let links = state["links"].as_array().unwrap().iter();
    let mine: Vec<_> = links
        .filter(|link| link["places"][0]["id"] == post["id"])
        .collect();
    // The address of the site itself is no outside address.
    assert_eq!(mine.len(), 2, "{mine:?}");
    assert!(
        mine.iter().all(|link| link["result"] == "notPublic"),
        "{mine:?}"
    );
}

#[tokio::test]
async fn an_article_may_have_a_category_of_its_own() {
    let app = TestApp::start().await;
    let blog = collection_by_slug("blog").unwrap();
    for (slug, category) in [("uno", "Camminate & natura"), ("due", "Tecniche")] {
        let more = json!({ "published": true, "slug": slug, "category": category });
        app.create(blog, slug, more).await;
    }
    let found = app
        .visit("/api/blog?category=Camminate%20%26%20natura")
        .await
        .json();
    assert_eq!(found.as_array().unwrap().len(), 1);
    assert!(
        app.visit("/blog")
            .await
            .text()
            .contains("Camminate &amp; natura")
    );
    assert!(
        app.visit("/feed.xml")
            .await
            .text()
            .contains("Camminate &amp; natura")
    );
    let path = format!("/api/admin/blog/{}", app.ids(blog).await[0]);
    for wrong in [json!("x".repeat(41)), json!("a\nb"), json!(5)] {
        let refused = app.put(&path, &json!({ "category": wrong })).await.is(422);
        assert_eq!(refused.json()["errors"][0]["field"], "category");
    }
}
