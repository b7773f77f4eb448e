//! Tests of the data of one person: found by address and name, handed over, erased for good.

use crate::helpers::TestApp;
use crate::testimonials::{link, send_form};
use respiro_content::{Collection, collection_by_slug};
use serde_json::{Value as Json, json};

const PERSON: &str = "/api/admin/person";
const ERASE: &str = "/api/admin/person/erase";
const EMAIL: &str = "marta@esempio.it";

fn thanks() -> &'static Collection {
    collection_by_slug("special-thanks").unwrap()
}

async fn subscribe(app: &TestApp, email: &str) {
    let body = json!({ "email": email });
    app.post("/api/newsletter", &body).await.is(202);
}

/// A site where Marta subscribed, wrote a testimonial, is thanked, and is named in a text.
async fn site_with_marta() -> (TestApp, String) {
    let app = TestApp::start().await;
    subscribe(&app, EMAIL).await;
    subscribe(&app, "altra@esempio.it").await;
    let (path, _) = link(&app).await;
    send_form(&app, &path).await.is(200);
    let named = json!({ "title": "Marta B.", "published": true });
    let thanked = app.create(thanks(), "grazie", named).await;
    for title in ["Con Marta B.", "Un percorso"] {
        let block = json!({ "value": { "title": title, "subtitle": "Testo" }, "hidden": false });
        app.put("/api/admin/words/servizi.hero", &block)
            .await
            .is(200);
    }
    (app, thanked["id"].as_str().unwrap().to_owned())
}

async fn find(app: &TestApp) -> Json {
    let query = json!({ "email": " Marta@Esempio.it ", "name": "marta b." });
    app.post(PERSON, &query).await.is(200).json()
}

#[tokio::test]
async fn everything_stored_about_a_person_is_found() {
    let (app, thanked) = site_with_marta().await;
    let person = find(&app).await;
    assert_eq!(person["email"], EMAIL);
    assert_eq!(person["newsletter"]["email"], EMAIL);
    assert!(
        person["newsletter"]["consentText"].is_string(),
        "with the proof of consent"
    );
    let items = person["items"].as_array().unwrap();
    let kinds: Vec<_> = items.iter().map(|one| one["kind"].as_str()).collect();
    assert_eq!(kinds, [Some("course-testimonials"), Some("special-thanks")]);
    assert!(items.iter().all(|one| one["isOwn"] == true));
    assert_eq!(items[0]["provenance"]["activity"], "Seminario di marzo");
    assert_eq!(items[1]["item"]["id"], json!(thanked));
    assert_eq!(person["formerVersions"], 1, "{person}");
    assert_eq!(person["blocks"], json!([]));
    let unknown = json!({ "email": "ignota@esempio.it" });
    let other = app.post(PERSON, &unknown).await.is(200).json();
    assert_eq!(other["newsletter"], json!(null));
    assert_eq!(other["items"], json!([]));
}

#[tokio::test]
async fn what_is_erased_is_gone_from_site_lists_trash_and_versions() {
    let (app, thanked) = site_with_marta().await;
    let testimonial = app.ids(collection_by_slug("course-testimonials").unwrap());
    let testimonial = testimonial.await.remove(0);
    let body = json!({ "email": EMAIL, "name": "Marta B.", "items": [testimonial, thanked] });
    let erased = app.post(ERASE, &body).await.is(200).json();
    assert_eq!(
        (
            &erased["subscribers"],
            &erased["items"],
            &erased["formerVersions"]
        ),
        (&json!(1), &json!(2), &json!(1))
    );
    let person = find(&app).await;
    assert_eq!(person["newsletter"], json!(null));
    for nothing in ["items", "invitations", "deliveries", "blocks"] {
        assert_eq!(person[nothing], json!([]), "{nothing}");
    }
    assert_eq!(person["formerVersions"], 0);
    assert_eq!(app.get("/api/admin/trash").await.json(), json!([]));
    let list = app.get("/api/admin/newsletter").await.text();
    assert!(!list.contains(EMAIL) && list.contains("altra@esempio.it"));
    let page = app.visit("/testimonianze").await.text();
    assert!(!page.contains("Marta B."));
}

/// The address alone says nothing about who wrote a text, and an item in which the person does not
/// occur is never erased by this call.
#[tokio::test]
async fn only_items_that_name_the_person_are_erased() {
    let (app, thanked) = site_with_marta().await;
    let other = app.create(thanks(), "altro", json!({})).await;
    let body = json!({ "email": EMAIL, "items": [thanked, other["id"]] });
    let erased = app.post(ERASE, &body).await.is(200).json();
    assert_eq!(
        (&erased["subscribers"], &erased["items"]),
        (&json!(1), &json!(0))
    );
    assert_eq!(app.ids(thanks()).await.len(), 2);
}

#[tokio::test]
async fn a_restore_does_not_bring_an_erased_person_back() {
    let (app, thanked) = site_with_marta().await;
    let copy = app.get("/api/admin/backup").await.is(200);
    let body = json!({ "email": EMAIL, "name": "Marta B.", "items": [thanked] });
    app.post(ERASE, &body).await.is(200);
    let request = app.admin.post(app.url("/api/admin/restore/inspect"));
    let inspected = crate::helpers::answer(request.body(copy.bytes)).await;
    let inspected = inspected.is(200).json();
    assert_eq!(inspected["carriedOver"]["erased"], 1);
    assert_eq!(inspected["carriedOver"]["withdrawn"], 1);
    let token = json!({ "token": inspected["token"] });
    app.post("/api/admin/restore", &token).await.is(200);
    assert_eq!(find(&app).await["newsletter"], json!(null));
    assert_eq!(app.ids(thanks()).await, Vec::<String>::new());
    let trash = app.get("/api/admin/trash").await.text();
    assert!(!trash.contains(&thanked), "nor is it in the trash");
}

#[tokio::test]
async fn a_search_names_a_person() {
    let app = TestApp::start().await;
    for nobody in [
        json!({}),
        json!({ "email": "", "name": "ab" }),
        json!({ "email": "nessuno" }),
        json!({ "name": "x".repeat(300) }),
        json!({ "email": 7 }),
    ] {
        let answer = app.post(PERSON, &nobody).await;
        assert_eq!(answer.status, 422, "{nobody}: {}", answer.text());
    }
    let body = json!({ "email": EMAIL });
    app.post(ERASE, &body).await.is(422);
    let visitor = app.visitor.post(app.url(PERSON)).json(&body);
    crate::helpers::answer(visitor).await.is(401);
}
