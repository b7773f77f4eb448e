//! Tests of ids in the feed and in calendars: they belong to the article, and to the event and date.

use crate::helpers::TestApp;
use respiro_content::collection_by_slug;
use serde_json::json;
use std::collections::BTreeMap;

/// Returns the UIDs of a calendar by day.
fn uids(calendar: &str) -> BTreeMap<String, String> {
    let events = calendar.split("BEGIN:VEVENT").skip(1);
    let line = |event: &str, name: &str| {
        let found = event.lines().find_map(|line| line.strip_prefix(name));
        found.unwrap_or_default().to_owned()
    };
    let entry = |event: &str| (line(event, "DTSTART;VALUE=DATE:"), line(event, "UID:"));
    events.map(entry).collect()
}

async fn calendar(app: &TestApp, path: &str) -> BTreeMap<String, String> {
    uids(&app.visit(path).await.text())
}

/// Returns the ids of the feed and its entries.
async fn feed(app: &TestApp) -> Vec<String> {
    let feed = app.visit("/feed.xml").await.text();
    let ids = feed.split("<id>").skip(1);
    ids.map(|rest| rest.split('<').next().unwrap().to_owned())
        .collect()
}

/// Regression: after the 6th was taken out, who had kept the 13th saw it move to the 20th.
#[tokio::test]
async fn a_date_keeps_its_id_when_another_is_taken_out() {
    let app = TestApp::start().await;
    let body = json!({ "title": "Cerchio", "date": "6, 13 e 20 marzo 2030", "published": true });
    let made = app.post("/api/admin/events", &body).await.is(201).json();
    let id = made["id"].as_str().unwrap();
    let path = format!("/evento/{id}.ics");
    let before = calendar(&app, &path).await;
    assert_eq!(before.len(), 3, "{before:?}");
    assert!(before.values().all(|uid| uid.len() == 36), "{before:?}");
    assert_eq!(before, calendar(&app, "/eventi.ics").await);
    let change = |date: &str| {
        let (app, path) = (&app, format!("/api/admin/events/{id}"));
        let body = json!({ "date": date });
        async move { app.put(&path, &body).await.is(200) }
    };
    change("13 e 20 marzo 2030").await;
    let mut expected = before.clone();
    expected.remove("20300306");
    assert_eq!(calendar(&app, &path).await, expected);
    // A date that moves is the same entry on another day.
    change("13 e 21 marzo 2030").await;
    let moved = calendar(&app, &path).await;
    assert_eq!(moved["20300321"], before["20300320"]);
    assert_eq!(moved["20300313"], before["20300313"]);
    // Hidden, deleted and restored, it is the same event.
    app.delete(&format!("/api/admin/events/{id}")).await;
    app.post(&format!("/api/admin/trash/{id}/restore"), &json!({}))
        .await
        .is(200);
    assert_eq!(calendar(&app, &path).await, moved);
}

/// Regression: all articles came back as new in feed readers after http became https.
#[tokio::test]
async fn another_public_address_changes_no_id() {
    let app = TestApp::start().await;
    let blog = collection_by_slug("blog").unwrap();
    app.create(blog, "uno", json!({ "published": true })).await;
    let body = json!({ "title": "Cerchio", "date": "6 e 13 marzo 2030", "published": true });
    app.post("/api/admin/events", &body).await.is(201);
    let (articles, dates) = (feed(&app).await, calendar(&app, "/eventi.ics").await);
    assert_eq!((articles.len(), dates.len()), (2, 2));
    for id in &articles {
        assert!(id.starts_with("urn:uuid:") && id.len() == 45, "{id}");
    }
    let app = app
        .restart_as(|config| config.public_url = Some("https://nuovo.example".to_owned()))
        .await;
    assert!(
        app.visit("/feed.xml")
            .await
            .text()
            .contains("https://nuovo.example/blog/")
    );
    assert_eq!(feed(&app).await, articles);
    assert_eq!(calendar(&app, "/eventi.ics").await, dates);
}

/// A data file of a release that made the ids of the public address keeps those that it gave out.
#[tokio::test]
async fn ids_that_were_given_out_stay() {
    let app = TestApp::start_as(|config, _| {
        config.public_url = Some("http://vecchio.example".to_owned());
    })
    .await;
    let blog = collection_by_slug("blog").unwrap();
    let article = app.create(blog, "uno", json!({ "published": true })).await;
    let body = json!({ "title": "Cerchio", "date": "6 e 13 marzo 2030", "published": true });
    let event = app.post("/api/admin/events", &body).await;
    let event = event.is(201).json()["id"].as_str().unwrap().to_owned();
    let site = &app.running.app.site;
    let forget = site
        .change(|writer| Ok::<_, respiro_server::errors::Error>(writer.public_ids().forget_all()?));
    forget.await.unwrap();
    let mut app = app.restart().await;
    let article = article["id"].as_str().unwrap();
    let ids = [String::new(), format!("#{article}")];
    let ids = ids.map(|rest| format!("http://vecchio.example/feed.xml{rest}"));
    for address in ["http://vecchio.example", "https://nuovo.example"] {
        let address = address.to_owned();
        app = app
            .restart_as(|config| config.public_url = Some(address))
            .await;
        assert_eq!(feed(&app).await, ids);
        let dates = calendar(&app, "/eventi.ics").await;
        assert_eq!(dates["20300306"], format!("{event}@vecchio.example"));
        assert_eq!(dates["20300313"], format!("{event}-2@vecchio.example"));
    }
}
