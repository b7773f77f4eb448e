//! Tests of drafts: what was typed and neither saved nor published.

use crate::helpers::{Answer, DAY, EMAIL, TestApp, answer, client, png, trusted};
use respiro_auth::password;
use respiro_content::collection_by_slug;
use respiro_db::{Account, DRAFTS_MAX, Draft};
use serde_json::{Value as Json, json};
use ureq::http::Method;

const PLACE: &str = "/api/admin/drafts/events:new@k1";
const OTHER_EMAIL: &str = "bruno@example.com";
/// One session stores a draft in this time.
const PAUSE: i64 = 2_000;

fn body(revision: &str, title: &str) -> Json {
    json!({ "revision": revision, "content": { "fields": { "title": title } } })
}

async fn put(app: &TestApp, path: &str, body: &Json) -> Answer {
    app.let_time_pass(PAUSE);
    app.put(path, body).await
}

async fn put_matching(app: &TestApp, tag: &str, body: &Json) -> Answer {
    app.let_time_pass(PAUSE);
    let request = app.admin.request(Method::PUT, app.url(PLACE)).json(body);
    answer(request.header("if-match", tag)).await
}

async fn places(app: &TestApp) -> Vec<String> {
    let list = app.get("/api/admin/drafts").await.is(200).json();
    let drafts = list["drafts"].as_array().unwrap().iter();
    drafts
        .map(|draft| draft["place"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn a_draft_is_stored_listed_read_and_removed_and_survives_a_sign_out_and_a_restart() {
    let app = TestApp::start().await;
    let stored = put(&app, PLACE, &body("r1", "Ciao")).await.is(200);
    let read = app.get(PLACE).await.is(200);
    assert_eq!(read.header("etag"), stored.header("etag"));
    assert_eq!(read.json()["content"]["fields"]["title"], "Ciao");
    app.post("/api/auth/logout", &json!({})).await.is(204);
    app.get(PLACE).await.is(401);
    let app = app.restart().await;
    let list = app.get("/api/admin/drafts").await.is(200).json();
    let [draft] = list["drafts"].as_array().unwrap().as_slice() else {
        panic!("{list}");
    };
    assert_eq!(draft["place"], "events:new@k1");
    assert_eq!(draft["isThisDevice"], false, "another session");
    assert_eq!(draft.get("content"), None);
    app.delete(PLACE).await.is(204);
    app.delete(PLACE).await.is(204);
    app.get(PLACE).await.is(404);
    assert!(places(&app).await.is_empty());
}

#[tokio::test]
async fn the_same_revision_again_changes_nothing_and_an_outdated_one_is_refused() {
    let app = TestApp::start().await;
    let first = put(&app, PLACE, &body("r1", "Uno")).await.is(200);
    let second = put_matching(&app, first.header("etag"), &body("r2", "Due")).await;
    let second = second.is(200);
    // The answer was lost: the client sends the same change, with the version it knows.
    let again = put_matching(&app, first.header("etag"), &body("r2", "Due")).await;
    assert_eq!(again.is(200).header("etag"), second.header("etag"));
    let refused = put_matching(&app, first.header("etag"), &body("r3", "Tre")).await;
    let refused = refused.is(412).json();
    assert_eq!(refused["current"]["content"]["fields"]["title"], "Due");
    // The day on which it was begun stays.
    let read = app.get(PLACE).await.json();
    assert_eq!(read["begunAt"], first.json()["begunAt"]);
    assert_ne!(read["savedAt"], first.json()["savedAt"]);
}

#[tokio::test]
async fn rate_size_number_and_form_of_drafts_are_limited() {
    let app = TestApp::start().await;
    put(&app, PLACE, &body("r1", "Uno")).await.is(200);
    let early = app.put(PLACE, &body("r2", "Due")).await.is(429);
    assert_eq!(early.header("retry-after"), "2");
    let large = "x".repeat(2 * 1024 * 1024 + 8 * 1024);
    put(&app, PLACE, &body("r3", &large)).await.is(413);
    let much = "x".repeat(2 * 1024 * 1024 - 1024);
    put(&app, PLACE, &body("r4", &much)).await.is(200);
    let pictures = "/objects/uploads/a ".repeat(501);
    put(&app, PLACE, &body("r5", &pictures)).await.is(422);
    for wrong in [
        json!({}),
        json!({ "revision": "r" }),
        json!({ "revision": "r", "content": [] }),
    ] {
        put(&app, PLACE, &wrong).await.is(422);
    }
    for place in ["a%20b", "a%2Fb", "%C3%A8", &"a".repeat(201)] {
        let path = format!("/api/admin/drafts/{place}");
        put(&app, &path, &body("r1", "Uno")).await.is(404);
    }
    let fill = app.running.app.site.change_drafts(|writer| {
        for number in 1..DRAFTS_MAX {
            writer.drafts().put(Draft {
                account: EMAIL.to_owned(),
                place: format!("events:{number}"),
                content: "{}".to_owned(),
                ..Draft::default()
            })?;
        }
        Ok::<_, respiro_server::errors::Error>(())
    });
    fill.await.unwrap();
    put(&app, "/api/admin/drafts/one-more", &body("r1", "Uno"))
        .await
        .is(409);
    put(&app, PLACE, &body("r6", "Due")).await.is(200);
}

#[tokio::test]
async fn of_another_account_only_what_it_edits_is_told() {
    let app = TestApp::start().await;
    put(&app, PLACE, &body("r1", "Segreto")).await.is(200);
    let cost = crate::helpers::tuning().password_cost;
    let password_hash = password::hash("respiro profondo", cost).unwrap();
    let add = app.running.app.site.change(|writer| {
        writer.accounts().put(&Account {
            email: OTHER_EMAIL.to_owned(),
            password_hash,
            created_at: 0,
            second_factor: None,
        })?;
        Ok::<_, respiro_server::errors::Error>(())
    });
    add.await.unwrap();
    let other = client(true);
    let credentials = json!({ "email": OTHER_EMAIL, "password": "respiro profondo" });
    let signed_in = app.by(&other, "POST", "/api/auth/login", Some(&credentials));
    signed_in.await.is(200);
    let list = app
        .by(&other, "GET", "/api/admin/drafts", None)
        .await
        .is(200);
    assert!(!list.text().contains("Segreto"));
    let list = list.json();
    assert_eq!(list["drafts"], json!([]));
    assert_eq!(list["others"][0]["account"], EMAIL);
    assert_eq!(list["others"][0]["subject"], "events:new");
    app.by(&other, "GET", PLACE, None).await.is(404);
    app.by(&other, "DELETE", PLACE, None).await.is(204);
    app.get(PLACE).await.is(200);
    // A tab of the first account that is still open in the browser of the second.
    app.let_time_pass(PAUSE);
    let mut left = body("r2", "Segreto");
    left["account"] = json!(EMAIL);
    app.by(&other, "PUT", PLACE, Some(&left)).await.is(401);
    left["account"] = json!(OTHER_EMAIL);
    app.by(&other, "PUT", PLACE, Some(&left)).await.is(200);
}

#[tokio::test]
async fn storing_a_draft_publishes_nothing_and_is_in_no_version_backup_mark_or_export() {
    let app = TestApp::start().await;
    let words = "/api/admin/drafts/words:servizi.hero@k1";
    let site = &app.running.app.site;
    // A job in the background may commit too, but not each time.
    let mut is_quiet = false;
    for revision in ["r1", "r2", "r3", "r4", "r5"] {
        let commits = *site.commits().borrow();
        let pages = site.publisher.pages().unwrap();
        put(&app, words, &body(revision, "Solo una bozza"))
            .await
            .is(200);
        let after = site.publisher.pages().unwrap();
        is_quiet |= commits == *site.commits().borrow() && std::sync::Arc::ptr_eq(&pages, &after);
    }
    assert!(is_quiet, "storing a draft is announced or publishes");
    let marks = site.with_writes_held(|store| {
        let mark = || store.read(|reader| reader.mark(&[])).unwrap();
        let before = mark();
        let draft = Draft {
            account: EMAIL.to_owned(),
            place: "settings".to_owned(),
            ..Draft::default()
        };
        store.write(|writer| writer.drafts().put(draft)).unwrap();
        (before, mark())
    });
    let (before, after) = marks.await.unwrap();
    assert_eq!(before, after, "a backup became due");
    assert!(
        !app.visit("/servizi")
            .await
            .text()
            .contains("Solo una bozza")
    );
    let versions = app.get("/api/admin/words/servizi.hero/versions").await;
    assert_eq!(versions.json()["versions"], json!([]));
}

#[tokio::test]
async fn a_picture_of_a_draft_is_kept_as_long_as_the_draft() {
    let app = TestApp::start().await;
    let picture = app.upload(png("bozza")).await;
    let place = "/api/admin/drafts/blog:new@k1";
    let text = format!("![x]({picture})");
    put(&app, place, &body("r1", &text)).await.is(200);
    let sweep = async |days: i64| {
        let now = trusted(app.running.app.now() + days * DAY);
        let swept = app.running.app.site.change(move |writer| {
            Ok::<_, respiro_server::errors::Error>(writer.apply_retention(&now)?)
        });
        swept.await.unwrap()
    };
    assert_eq!(sweep(59).await.pictures, 0);
    app.visit(&picture).await.is(200);
    let swept = sweep(61).await;
    assert_eq!((swept.drafts, swept.pictures), (1, 1));
    app.visit(&picture).await.is(404);
}

#[tokio::test]
async fn a_draft_goes_with_its_item_its_testimonial_and_the_data_of_a_person() {
    let app = TestApp::start().await;
    let events = collection_by_slug("events").unwrap();
    let event = app.create(events, "uno", json!({})).await;
    let event = event["id"].as_str().unwrap();
    let of_event = format!("/api/admin/drafts/events:{event}@k1");
    put(&app, &of_event, &body("r1", "Uno")).await.is(200);
    app.delete(&format!("/api/admin/events/{event}"))
        .await
        .is(204);
    app.get(&of_event).await.is(200);
    app.delete(&format!("/api/admin/trash/{event}"))
        .await
        .is(204);
    app.get(&of_event).await.is(404);

    let (_, item) = crate::testimonials::received(&app).await;
    let of_item = format!("/api/admin/drafts/course-testimonials:{item}@k1");
    put(&app, &of_item, &body("r1", "Parole")).await.is(200);
    let withdraw = format!("/api/admin/course-testimonials/{item}/withdraw");
    app.post(&withdraw, &json!({})).await.is(204);
    app.get(&of_item).await.is(404);

    put(&app, PLACE, &body("r1", "Con Marta Bianchi"))
        .await
        .is(200);
    put(&app, "/api/admin/drafts/settings@k2", &body("r1", "Altro"))
        .await
        .is(200);
    let query = json!({ "email": "", "name": "marta bianchi", "items": [] });
    let found = app.post("/api/admin/person", &query).await.is(200).json();
    assert_eq!(found["drafts"][0]["place"], "events:new@k1");
    let erased = app.post("/api/admin/person/erase", &query).await.is(200);
    assert_eq!(erased.json()["drafts"], 1);
    assert_eq!(places(&app).await, ["settings@k2"]);
}

async fn restore(app: &TestApp, backup: Vec<u8>) {
    let request = app.admin.post(app.url("/api/admin/restore/inspect"));
    let inspected = answer(request.body(backup)).await.is(200).json();
    let token = json!({ "token": inspected["token"] });
    app.post("/api/admin/restore", &token).await.is(200);
}

/// Regression: a draft that a second restore moved aside took the place of that of the first.
#[tokio::test]
async fn each_restore_moves_its_drafts_to_places_of_their_own() {
    let app = TestApp::start().await;
    put(&app, PLACE, &body("r1", "Prima")).await.is(200);
    let first = app.get("/api/admin/backup").await.bytes;
    put(&app, PLACE, &body("r2", "Seconda")).await.is(200);
    restore(&app, first.clone()).await;
    let second = app.get("/api/admin/backup").await.bytes;
    put(&app, PLACE, &body("r3", "Terza")).await.is(200);
    restore(&app, second).await;
    // The same backup again adds nothing.
    restore(&app, first).await;
    let mut titles = Vec::new();
    for place in places(&app).await {
        let draft = app.get(&format!("/api/admin/drafts/{place}")).await.json();
        titles.push((place, draft["content"]["fields"]["title"].clone()));
    }
    let expected = [
        ("events:new@k1", "Terza"),
        ("events:new@k1-backup", "Prima"),
        ("events:new@k1-backup-2", "Seconda"),
    ];
    let expected = expected.map(|(place, title)| (place.to_owned(), json!(title)));
    assert_eq!(titles, expected);
}

/// The drafts of the replaced file stay, with their pictures; those of the backup are older ones.
#[tokio::test]
async fn a_restore_carries_the_drafts_over_and_keeps_those_of_the_backup_as_older() {
    let app = TestApp::start().await;
    let only_then = "/api/admin/drafts/settings@k2";
    put(&app, PLACE, &body("r1", "Prima")).await.is(200);
    put(&app, only_then, &body("r1", "Solo allora"))
        .await
        .is(200);
    let backup = app.get("/api/admin/backup").await.bytes;
    let picture = app.upload(png("bozza")).await;
    let text = format!("Dopo {picture}");
    put(&app, PLACE, &body("r2", &text)).await.is(200);
    app.delete(only_then).await.is(204);
    let saved_at = app.get(PLACE).await.json()["savedAt"].clone();

    restore(&app, backup).await;
    let now = app.get(PLACE).await.is(200).json();
    assert_eq!(now["content"]["fields"]["title"], json!(text));
    assert_eq!(
        (&now["savedAt"], &now["restoredAt"]),
        (&saved_at, &json!(null))
    );
    app.visit(&picture).await.is(200);
    let older = app.get(&format!("{PLACE}-backup")).await.is(200).json();
    assert_eq!(older["content"]["fields"]["title"], "Prima");
    assert!(older["restoredAt"].is_string());
    let then = app.get(only_then).await.is(200).json();
    assert!(then["restoredAt"].is_string());
}

const PLAN: &str = "/api/admin/drafts/plan:servizi";

fn page_draft(revision: &str, title: &str, version: Option<&str>) -> Json {
    let hero = json!({
        "value": { "title": title, "subtitle": "Testo" },
        "version": version,
    });
    json!({
        "revision": revision,
        "content": { "page": "/servizi", "blocks": { "servizi.hero": hero } },
    })
}

#[tokio::test]
async fn a_link_shows_the_draft_of_a_page_to_its_holder_and_nothing_is_published() {
    let app = TestApp::start().await;
    let body = page_draft("r1", "Solo da guardare", None);
    put(&app, PLAN, &body).await.is(200);
    let link = app.post(&format!("{PLAN}/link"), &json!({})).await.is(200);
    let url = link.json()["url"].as_str().unwrap().to_owned();
    let path = url.split_once("/anteprima/").unwrap().1.to_owned();
    let path = format!("/anteprima/{path}");
    let shown = app.visit(&path).await.is(200);
    assert!(shown.text().contains("Solo da guardare"));
    assert!(!shown.text().contains(EMAIL) && !path.contains("anna"));
    assert_eq!(shown.header("x-robots-tag"), "noindex, nofollow");
    assert!(
        !app.visit("/servizi")
            .await
            .text()
            .contains("Solo da guardare")
    );
    let altered = path.replace("/drafts.", "/events.");
    app.visit(&altered).await.is(404);
    app.let_time_pass(8 * DAY);
    app.visit(&path).await.is(404);

    put(&app, PLACE, &body_of_form()).await.is(200);
    app.post(&format!("{PLACE}/link"), &json!({})).await.is(422);
    app.post("/api/admin/drafts/none/link", &json!({}))
        .await
        .is(404);
}

fn body_of_form() -> Json {
    body("r1", "Nessuna pagina")
}

async fn planned(app: &TestApp, mut body: Json) -> Answer {
    let at = app.running.app.now() + DAY;
    body["publishAt"] = json!(respiro_content::time::rfc3339(at));
    put(app, PLAN, &body).await
}

/// Restarts after the planned moment, and waits until nothing is due.
async fn a_day_later(app: TestApp) -> TestApp {
    app.let_time_pass(2 * DAY);
    let app = app.restart().await;
    let now = app.running.app.now();
    let has_due = async || {
        let due = app
            .running
            .app
            .read(move |reader| Ok(reader.drafts().due(now)?));
        !due.await.unwrap().is_empty()
    };
    while has_due().await {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    app.running.app.site.with_writes_held(|_| ()).await.unwrap();
    app
}

#[tokio::test]
async fn a_planned_draft_of_a_page_is_published_at_its_moment_and_is_gone() {
    let app = TestApp::start().await;
    let mut late = page_draft("r0", "Ieri", None);
    late["publishAt"] = json!("2020-01-01T00:00:00Z");
    put(&app, PLAN, &late).await.is(422);
    planned(&app, page_draft("r1", "Da domani", None))
        .await
        .is(200);
    assert!(!app.visit("/servizi").await.text().contains("Da domani"));
    let app = a_day_later(app).await;
    assert!(app.visit("/servizi").await.text().contains("Da domani"));
    assert!(places(&app).await.is_empty());
}

#[tokio::test]
async fn a_planned_draft_over_a_text_that_changed_meanwhile_stays_a_draft_and_is_told() {
    let app = TestApp::start().await;
    let words = "/api/admin/words/servizi.hero";
    let version = app.get(words).await.json()["version"].clone();
    let body = page_draft("r1", "Da domani", version.as_str());
    planned(&app, body).await.is(200);
    let other = json!({ "value": { "title": "Intanto", "subtitle": "Testo" } });
    app.put(words, &other).await.is(200);
    let app = a_day_later(app).await;
    assert!(app.visit("/servizi").await.text().contains("Intanto"));
    let kept = app.get(PLAN).await.is(200).json();
    assert_eq!(kept["publishAt"], json!(null));
    let notices = app.get("/api/admin/notices").await.text();
    assert!(
        notices.contains("una bozza non si può più pubblicare"),
        "{notices}"
    );
}
