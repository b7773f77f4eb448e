//! Tests of `Idempotency-Key`: a request that creates and is sent again creates nothing.

use crate::helpers::{Answer, DAY, TestApp, answer, client};
use respiro_content::{COLLECTIONS, NEWSLETTERS, collection_by_slug};
use serde_json::{Value as Json, json};

async fn create(app: &TestApp, path: &str, key: &str, body: &Json) -> Answer {
    let path = format!("/api/admin/{path}");
    let request = app.admin.post(app.url(&path)).json(body);
    answer(request.header("idempotency-key", key)).await
}

/// Regression: the answer to a save was lost on the way, and a second press made a second entry.
#[tokio::test]
async fn the_same_request_again_answers_the_same_and_creates_nothing_in_every_list() {
    let mut app = TestApp::start().await;
    let mut first = Vec::new();
    for collection in COLLECTIONS.iter().chain([&NEWSLETTERS]) {
        let body = Json::Object(app.body(collection, "una").await);
        let made = create(&app, collection.slug, "chiave", &body).await;
        // One key for another list is another request.
        let made = match made.status {
            422 => create(&app, collection.slug, collection.slug, &body).await,
            _ => made,
        };
        let made = made.is(201);
        let key = if first.is_empty() {
            "chiave"
        } else {
            collection.slug
        };
        first.push((
            collection,
            key,
            body,
            made.header("etag").to_owned(),
            made.bytes,
        ));
    }
    for is_restarted in [false, true] {
        if is_restarted {
            app = app.restart().await;
        }
        for (collection, key, body, etag, bytes) in &first {
            let again = create(&app, collection.slug, key, body).await.is(201);
            assert_eq!((again.header("etag"), &again.bytes), (etag.as_str(), bytes));
            assert_eq!(app.ids(collection).await.len(), 1, "{}", collection.slug);
        }
    }
    // Without the header, or after a day, each request creates.
    let (collection, key, ..) = &first[0];
    let body = Json::Object(app.body(collection, "una").await);
    app.post(&format!("/api/admin/{}", collection.slug), &body)
        .await
        .is(201);
    app.let_time_pass(DAY);
    create(&app, collection.slug, key, &body).await.is(201);
    assert_eq!(app.ids(collection).await.len(), 3);
}

#[tokio::test]
async fn another_body_is_refused_and_names_what_was_created() {
    let app = TestApp::start().await;
    let body = json!({ "title": "Prima", "date": "3 marzo 2030" });
    let made = create(&app, "events", "k", &body).await.is(201).json();
    let other = json!({ "title": "Seconda", "date": "3 marzo 2030" });
    let refused = create(&app, "events", "k", &other).await.is(422).json();
    assert_eq!(
        refused["type"],
        "urn:respiro:problem:idempotency-key-reused"
    );
    assert_eq!(refused["current"]["id"], made["id"]);
    assert_eq!(
        app.ids(collection_by_slug("events").unwrap()).await.len(),
        1
    );
    // The order of members in the body and its white space are no difference.
    let request = app.admin.post(app.url("/api/admin/events"));
    let request = request.header("idempotency-key", "k");
    let request = request.header("content-type", "application/json");
    let same = answer(request.body("{ \"date\":\"3 marzo 2030\", \"title\":\"Prima\" }"));
    assert_eq!(same.await.is(201).json()["id"], made["id"]);
    // A refused request leaves the key unused.
    create(&app, "events", "n", &json!({})).await.is(422);
    create(&app, "events", "n", &other).await.is(201);
    // What was deleted since is not created again.
    let path = format!("/api/admin/events/{}", made["id"].as_str().unwrap());
    app.delete(&path).await;
    create(&app, "events", "k", &body).await.is(404);
    for key in ["", &"k".repeat(256)] {
        create(&app, "events", key, &other).await.is(400);
    }
}

#[tokio::test]
async fn a_key_is_of_one_account() {
    let app = TestApp::start().await;
    let body = json!({ "title": "Sera", "date": "3 marzo 2030" });
    create(&app, "events", "k", &body).await.is(201);
    let stranger = client(false);
    let request = stranger.post(app.url("/api/admin/events")).json(&body);
    answer(request.header("idempotency-key", "k")).await.is(401);
}

#[tokio::test]
async fn two_requests_at_once_create_one_item() {
    let app = TestApp::start().await;
    let body = json!({ "title": "Sera", "date": "3 marzo 2030" });
    let sent = [0; 6].map(|_| create(&app, "events", "k", &body));
    let [one, two, three, four, five, six] = sent;
    let answers: [Answer; 6] = tokio::join!(one, two, three, four, five, six).into();
    for answer in answers {
        answer.is(201);
    }
    assert_eq!(
        app.ids(collection_by_slug("events").unwrap()).await.len(),
        1
    );
}

#[tokio::test]
async fn a_personal_link_is_the_same_when_its_answer_was_lost() {
    let app = TestApp::start().await;
    let path = "testimonial-requests";
    let body = json!({ "name": "Zoe", "attended": true });
    let first = create(&app, path, "k", &body).await.is(201).json();
    let again = create(&app, path, "k", &body).await.is(201).json();
    assert_eq!(first, again);
    let url = first["url"].as_str().unwrap();
    let link = url.strip_prefix(&app.running.public_url).unwrap();
    assert_eq!(app.visit(link).await.status, 200);
    let list = app.get("/api/admin/testimonial-requests").await.json();
    assert_eq!(list["requests"].as_array().unwrap().len(), 1);
    let renew = format!("{path}/{}/renew", first["request"]["id"].as_str().unwrap());
    let renewed = create(&app, &renew, "r", &json!({})).await.is(201).json();
    let same = create(&app, &renew, "r", &json!({})).await.is(201).json();
    assert_eq!(renewed, same);
    assert_ne!(renewed["url"], first["url"]);
}
