//! Tests of conditional writes (`If-Match`): a client with an outdated version is refused and gets
//! the current one.

use crate::helpers::{Answer, TestApp, answer, png};
use respiro_content::{COLLECTIONS, Collection};
use serde_json::{Value as Json, json};
use ureq::http::Method;

async fn send(app: &TestApp, method: Method, path: &str, tag: &str, body: Option<&Json>) -> Answer {
    let mut request = app.admin.request(method, app.url(path));
    if !tag.is_empty() {
        request = request.header("if-match", tag);
    }
    if let Some(body) = body {
        request = request.json(body);
    }
    answer(request).await
}

fn text_field(collection: &Collection) -> &'static str {
    let is_text = |name: &&str| ["name", "title", "author"].contains(name);
    let mut names = collection.all_fields().map(|field| field.name);
    names.find(is_text).unwrap()
}

/// Regression: the panel sent its whole form, so of two tabs the last to save silently undid the
/// other's changes.
#[tokio::test]
async fn who_read_an_older_version_is_refused_and_shown_the_present_one() {
    let app = TestApp::start().await;
    for collection in COLLECTIONS {
        let made = app.create(collection, "uno", json!({})).await;
        let id = made["id"].as_str().unwrap();
        let path = format!("/api/admin/{}/{id}", collection.slug);
        let name = text_field(collection);
        let read = app.get(&path).await.is(200);
        let first = read.header("etag").to_owned();
        assert!(first.starts_with('"') && first.len() > 8, "{first}");

        let changed = send(
            &app,
            Method::PUT,
            &path,
            &first,
            Some(&json!({ name: "a" })),
        )
        .await;
        let changed = changed.is(200);
        let second = changed.header("etag").to_owned();
        assert_ne!(first, second, "{}", collection.slug);
        assert_eq!(app.get(&path).await.header("etag"), second);

        let move_path = format!("{path}/move");
        let up = json!({ "direction": "up" });
        let edit = json!({ name: "b" });
        for (method, path, body) in [
            (Method::PUT, &path, Some(&edit)),
            (Method::PUT, &move_path, Some(&up)),
            (Method::DELETE, &path, None),
        ] {
            for stale in [&first, "\"x\"", "x", &format!("W/{second}"), ","] {
                let refused = send(&app, method.clone(), path, stale, body).await.is(412);
                assert_eq!(refused.json()["current"], changed.json(), "{stale}");
                assert_eq!(refused.header("etag"), second);
            }
        }
        assert_eq!(app.get(&path).await.json(), changed.json());

        // `If-Match` accepts a list of versions, and `*` for any version.
        let several = format!("{first}, {second}");
        send(&app, Method::PUT, &path, &several, Some(&edit))
            .await
            .is(200);
        send(&app, Method::PUT, &path, "*", Some(&edit))
            .await
            .is(200);
        send(&app, Method::PUT, &move_path, "*", Some(&up))
            .await
            .is(200);
        // A request without `If-Match` is served without a check.
        let last = app.put(&path, &json!({ name: "c" })).await.is(200);
        let tag = last.header("etag").to_owned();
        send(&app, Method::DELETE, &path, &tag, None).await.is(204);
        send(&app, Method::PUT, &path, &tag, Some(&edit))
            .await
            .is(404);
        let back = format!("/api/admin/trash/{id}/restore");
        let back = send(&app, Method::POST, &back, "", None).await.is(200);
        assert_eq!(app.get(&path).await.header("etag"), back.header("etag"));
    }
}

/// Exactly one of many writers that read the same version succeeds, in whatever order they write.
#[tokio::test]
async fn of_many_that_read_the_same_version_one_is_let_through() {
    let app = TestApp::start().await;
    let collection = &COLLECTIONS[0];
    let made = app.create(collection, "uno", json!({})).await;
    let path = format!(
        "/api/admin/{}/{}",
        collection.slug,
        made["id"].as_str().unwrap()
    );
    let name = text_field(collection);
    let tag = app.get(&path).await.header("etag").to_owned();
    let sends = (0..16).map(|number| {
        let body = json!({ name: format!("numero {number}") });
        let request = app.admin.put(app.url(&path)).header("if-match", &tag);
        tokio::spawn(answer(request.json(&body)))
    });
    let mut statuses = Vec::new();
    for sent in sends.collect::<Vec<_>>() {
        statuses.push(sent.await.unwrap().status);
    }
    statuses.sort_unstable();
    assert_eq!(statuses[0], 200, "{statuses:?}");
    assert!(
        statuses[1..].iter().all(|status| *status == 412),
        "{statuses:?}"
    );
}

#[tokio::test]
async fn settings_have_versions_too() {
    let app = TestApp::start().await;
    let path = "/api/admin/settings";
    let first = app.get(path).await.is(200).header("etag").to_owned();
    let body = json!({ "brand": "Aria" });
    let changed = send(&app, Method::PUT, path, &first, Some(&body))
        .await
        .is(200);
    let other = json!({ "brand": "Vento", "address": "1" });
    let refused = send(&app, Method::PUT, path, &first, Some(&other))
        .await
        .is(412);
    assert_eq!(refused.json()["current"], changed.json());
    assert_eq!(app.get(path).await.json()["brand"], "Aria");
    let tag = refused.header("etag").to_owned();
    send(&app, Method::PUT, path, &tag, Some(&other))
        .await
        .is(200);
}

/// Upload clients such as Uppy wait for the `ETag` that object storage returns.
#[tokio::test]
async fn an_upload_answers_with_the_tag_of_the_picture() {
    let app = TestApp::start().await;
    let address = app.upload_address().await;
    let stored = app.put_bytes(&address, png("uno")).await.is(200);
    assert_eq!(stored.header("access-control-expose-headers"), "ETag");
    let path = stored.json()["imageUrl"].as_str().unwrap().to_owned();
    assert_eq!(app.visit(&path).await.header("etag"), stored.header("etag"));
    assert!(stored.header("etag").starts_with('"'));
}
