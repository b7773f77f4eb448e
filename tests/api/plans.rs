//! Tests of scheduled publication and withdrawal.

use crate::helpers::{DAY, TestApp};
use respiro_content::collection_by_slug;
use respiro_content::time::rfc3339;
use serde_json::{Value as Json, json};
use std::time::Duration;

const HOUR: i64 = 60 * 60 * 1_000;

/// Advances the clock and restarts: the program was off at the scheduled times and applies them at
/// its start.
async fn an_hour_off(app: TestApp, milliseconds: i64) -> TestApp {
    app.let_time_pass(milliseconds);
    let app = app.restart().await;
    let plans = async || {
        app.running
            .app
            .read(|reader| Ok(reader.schedules().list()?))
            .await
            .unwrap()
    };
    let now = app.running.app.now();
    let is_due = |at: Option<i64>| at.is_some_and(|at| at <= now);
    while plans()
        .await
        .iter()
        .any(|(_, plan)| is_due(plan.publish_at) || is_due(plan.withdraw_at))
    {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // The change is committed before it is published.
    let published = app.running.app.site.with_writes_held(|_| ()).await;
    published.unwrap();
    app
}

async fn listed(app: &TestApp, slug: &str) -> Json {
    let list = app.get(&format!("/api/admin/{slug}/page")).await.is(200);
    list.json()["items"][0].clone()
}

#[tokio::test]
async fn what_is_planned_is_done_also_after_the_program_was_off_and_stands_in_the_list() {
    for slug in ["events", "blog"] {
        let collection = collection_by_slug(slug).unwrap();
        let app = TestApp::start().await;
        let made = app
            .create(collection, "piano", json!({ "published": false }))
            .await;
        let path = format!("/api/admin/{slug}/{}/plan", made["id"].as_str().unwrap());
        let now = app.running.app.now();
        let plan = json!({
            "publishAt": rfc3339(now + HOUR),
            "withdrawAt": rfc3339(now + DAY),
        });
        app.put(&path, &plan).await.is(200);
        let row = listed(&app, slug).await;
        assert_eq!(row["plan"], plan);
        assert_eq!(row["published"], false);
        // The plan is no part of the item, so it does not change the version of an open form.
        let item = app.get(path.trim_end_matches("/plan")).await;
        assert_eq!(item.json().get("plan"), None);

        let app = an_hour_off(app, 2 * HOUR).await;
        let row = listed(&app, slug).await;
        assert_eq!(row["published"], true, "{slug}");
        assert_eq!(row["plan"]["publishAt"], json!(null));
        let public = format!("/api/{slug}");
        assert_eq!(app.visit(&public).await.json().as_array().unwrap().len(), 1);

        let app = an_hour_off(app, 2 * DAY).await;
        let row = listed(&app, slug).await;
        assert_eq!(
            (&row["published"], &row["plan"]),
            (&json!(false), &json!(null))
        );
        assert_eq!(app.visit(&public).await.json(), json!([]));
    }
}

/// Regression: the machine that a site had left published on, beside its new one.
#[tokio::test]
async fn a_retired_machine_leaves_what_is_planned_to_the_new_one() {
    let app = TestApp::start().await;
    let collection = collection_by_slug("events").unwrap();
    let made = app
        .create(collection, "piano", json!({ "published": false }))
        .await;
    let path = format!("/api/admin/events/{}/plan", made["id"].as_str().unwrap());
    let plan = json!({ "publishAt": rfc3339(app.running.app.now() + HOUR) });
    app.put(&path, &plan).await.is(200);
    let retire = async |app: &TestApp, is_retired: bool| {
        let change = app
            .running
            .app
            .change(move |writer| Ok(writer.set_retired(is_retired)?));
        change.await.unwrap();
    };
    retire(&app, true).await;
    app.let_time_pass(2 * HOUR);
    // A retired site takes no sign-in.
    let app = app.restart_signed_out(|_| {}).await;
    // The first round of the schedule follows the start at once.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let read = app
        .running
        .app
        .read(|reader| Ok(reader.items().list(collection)?));
    assert!(read.await.unwrap().iter().all(|item| !item.published));

    retire(&app, false).await;
    let app = an_hour_off(app, 0).await;
    assert_eq!(listed(&app, "events").await["published"], true);
}

#[tokio::test]
async fn a_moment_that_is_over_or_too_far_is_refused_by_its_name() {
    let app = TestApp::start().await;
    let collection = collection_by_slug("events").unwrap();
    let made = app.create(collection, "piano", json!({})).await;
    let path = format!("/api/admin/events/{}/plan", made["id"].as_str().unwrap());
    let now = app.running.app.now();
    for (name, at) in [
        ("publishAt", rfc3339(now - HOUR)),
        ("withdrawAt", rfc3339(now + 400 * DAY)),
        ("publishAt", "domani".to_owned()),
    ] {
        let refused = app.put(&path, &json!({ name: at })).await.is(422);
        assert_eq!(refused.json()["errors"][0]["field"], name);
    }
    app.put("/api/admin/events/x/plan", &json!({}))
        .await
        .is(404);
}

/// Regression: a restored item became public within ten seconds, hours after its scheduled time.
/// Until then its plan was due at every check, which wrote to the disk each time.
#[tokio::test]
async fn what_was_planned_while_it_lay_in_the_trash_is_not_made_up_for() {
    let app = TestApp::start().await;
    let collection = collection_by_slug("events").unwrap();
    let mut ids = Vec::new();
    for (published, name) in [(false, "publishAt"), (true, "withdrawAt")] {
        let made = app
            .create(collection, name, json!({ "published": published }))
            .await;
        let id = made["id"].as_str().unwrap().to_owned();
        let path = format!("/api/admin/events/{id}");
        let plan = json!({ name: rfc3339(app.running.app.now() + HOUR) });
        app.put(&format!("{path}/plan"), &plan).await.is(200);
        app.delete(&path).await.is(204);
        ids.push(id);
    }
    app.let_time_pass(2 * HOUR);
    let inner = &app.running.app;
    let now = inner.now();
    let is_due = inner.read(move |reader| Ok(reader.schedules().has_due(now)?));
    assert!(!is_due.await.unwrap(), "what lies in the trash is not due");
    for id in &ids {
        let path = format!("/api/admin/trash/{id}/restore");
        app.post(&path, &json!({})).await.is(200);
    }
    let plans = inner
        .read(|reader| Ok(reader.schedules().list()?))
        .await
        .unwrap();
    assert_eq!(plans, []);
    // Neither plan makes its item public now.
    assert_eq!(app.visit("/api/events").await.json(), json!([]));
}
