//! Tests of form previews and of links to drafts.

use crate::helpers::{DAY, TestApp};
use respiro_content::COLLECTIONS;
use serde_json::{Value as Json, json};

#[tokio::test]
async fn a_form_is_shown_on_its_page_before_it_is_saved() {
    let app = TestApp::start().await;
    for collection in COLLECTIONS {
        let fields = app.body(collection, "mai-salvato").await;
        let body = json!({ "kind": collection.slug, "fields": fields });
        let html = app.post("/api/admin/preview", &body).await.is(200).json()["html"].clone();
        let html = html.as_str().unwrap();
        assert!(html.starts_with("<!doctype html>"), "{}", collection.slug);
        assert!(html.contains("mai-salvato"), "{}", collection.slug);
        assert_eq!(app.ids(collection).await.len(), 0);
    }
    for wrong in [
        json!({}),
        json!({ "kind": "x", "fields": {} }),
        json!({ "kind": "events" }),
        json!({ "kind": "events", "fields": 1 }),
        json!({ "kind": "events", "fields": {} }),
        json!({ "kind": "events", "id": 1, "fields": {} }),
    ] {
        app.post("/api/admin/preview", &wrong).await.is(422);
    }
}

// Regression: a yearly 'Buon anno' post has last year's slug until it is saved; its preview showed
// last year's text.
#[tokio::test]
async fn a_form_with_an_address_that_another_item_has_shows_its_own_text() {
    let app = TestApp::start().await;
    let collection = COLLECTIONS
        .iter()
        .find(|collection| collection.slug == "blog")
        .unwrap();
    for (slug, own) in [("buon-anno", "buon-anno"), ("anteprima", "")] {
        let former = json!({ "slug": slug, "title": "Quello di prima", "published": true });
        app.create(collection, slug, former).await;
        let fields = json!({ "title": "Quello nuovo", "slug": own, "content": "Parole nuove." });
        let body = json!({ "kind": "blog", "fields": fields });
        let html = app.post("/api/admin/preview", &body).await.is(200).json()["html"].clone();
        let html = html.as_str().unwrap();
        assert!(html.contains("<title>Quello nuovo"), "{slug}");
        assert!(html.contains("Parole nuove."), "{slug}");
    }
}

#[tokio::test]
async fn a_saved_draft_is_previewed_with_what_was_typed_since() {
    let app = TestApp::start().await;
    for collection in COLLECTIONS
        .iter()
        .filter(|collection| collection.page.is_some())
    {
        let item = app
            .create(collection, "bozza", json!({ "published": false }))
            .await;
        let body = json!({ "kind": collection.slug, "id": item["id"], "fields": { "title": "Appena scritto" } });
        let html = app.post("/api/admin/preview", &body).await.is(200).json()["html"].clone();
        assert!(
            html.as_str().unwrap().contains("Appena scritto"),
            "{}",
            collection.slug
        );
    }
}

#[tokio::test]
async fn a_preview_link_shows_a_draft_for_seven_days_to_who_has_it() {
    let app = TestApp::start().await;
    let collection = COLLECTIONS
        .iter()
        .find(|collection| collection.slug == "events")
        .unwrap();
    let item = app
        .create(collection, "bozza-segreta", json!({ "published": false }))
        .await;
    let path = format!(
        "/api/admin/events/{}/preview-link",
        item["id"].as_str().unwrap()
    );
    let link: Json = app.post(&path, &json!({})).await.is(200).json();
    let url = link["url"].as_str().unwrap();
    let path = url.strip_prefix(&app.running.public_url).unwrap();
    let page = app.visit(path).await;
    assert_eq!(page.status, 200);
    assert!(page.text().contains("bozza-segreta"));
    assert_eq!(page.header("cache-control"), "no-store");
    assert!(page.header("x-robots-tag").contains("noindex"));
    for wrong in [
        format!("{path}x"),
        path.replace("events", "blog"),
        "/anteprima/x".to_owned(),
    ] {
        app.visit(&wrong).await.is(404);
    }
    app.let_time_pass(7 * DAY);
    app.visit(path).await.is(404);
    app.post("/api/admin/events/x/preview-link", &json!({}))
        .await
        .is(404);
}

#[tokio::test]
async fn the_date_of_an_event_is_understood_while_it_is_typed() {
    let app = TestApp::start().await;
    let ask = async |date: &str, time: &str| {
        let body = json!({ "date": date, "time": time });
        let answer = app.post("/api/admin/understand-date", &body).await.is(200);
        answer.json()
    };
    let both = ask("sabato 15 Maggio 2027", "20:30").await;
    assert_eq!(both["dateUnderstood"], true);
    assert_eq!(
        both["schedule"],
        json!({ "start": "2027-05-15T20:30:00+02:00", "end": null, "allDay": false, "others": [] })
    );
    let day = ask("10-11 aprile 2027", "").await;
    assert_eq!(
        day["schedule"],
        json!({ "start": "2027-04-10", "end": "2027-04-11", "allDay": true, "others": [] })
    );
    let vague = ask("15 Maggio 2027", "di sera").await;
    assert_eq!(
        vague,
        json!({ "schedule": null, "dateUnderstood": true, "questions": [] })
    );
    let unknown = ask("ogni martedì", "20:30").await;
    assert_eq!(
        unknown,
        json!({ "schedule": null, "dateUnderstood": false, "questions": [] })
    );
    let wrong = ask("domenica 15 Maggio 2027", "20,30").await;
    assert_eq!(wrong["schedule"]["start"], "2027-05-15T20:30:00+02:00");
    let question = &wrong["questions"][0];
    assert_eq!(question["code"], "weekday-mismatch");
    assert_eq!(
        (&question["written"], &question["actual"]),
        (&json!("domenica"), &json!("sabato"))
    );
    assert_eq!(question["answers"][0]["text"], "sabato 15 Maggio 2027");
    let month = json!({ "date": "31 novembre", "dateWrittenAt": "2026-11-26T10:00:00Z" });
    let impossible = app.post("/api/admin/understand-date", &month).await.json();
    assert_eq!(impossible["questions"][0]["code"], "impossible-date");
    let month = json!({ "date": "12 dicembre", "dateWrittenAt": "2026-11-26T10:00:00Z" });
    let guessed = app.post("/api/admin/understand-date", &month).await.json();
    assert_eq!(guessed["questions"][0]["code"], "guessed-year");
    assert_eq!(guessed["questions"][0]["year"], 2026);
    app.post("/api/admin/understand-date", &json!({ "date": 1 }))
        .await
        .is(422);
}
