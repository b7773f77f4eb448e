//! Tests of the first screen of the panel.

use crate::helpers::{DAY, TestApp, png};
use respiro_content::{collection_by_slug, time};
use serde_json::{Value as Json, json};

async fn event(app: &TestApp, label: &str, date: Option<i64>, published: bool) {
    let events = collection_by_slug("events").unwrap();
    let written = |days: i64| time::format_day(respiro_server::state::now() + days * DAY);
    let fields = json!({
        "title": label, "date": date.map(written), "time": "20:30", "published": published,
        "soldOut": label == "vicino", "cancelled": false,
    });
    app.create(events, label, fields).await;
}

async fn home(app: &TestApp) -> Json {
    app.get("/api/admin/home").await.is(200).json()
}

#[tokio::test]
async fn the_first_screen_shows_the_next_events_by_day_and_those_without_a_date_last() {
    let app = TestApp::start().await;
    event(&app, "senza data", None, false).await;
    event(&app, "lontano", Some(40), true).await;
    event(&app, "passato", Some(-3), true).await;
    event(&app, "vicino", Some(10), true).await;
    let events = home(&app).await["events"].as_array().unwrap().clone();
    let titles: Vec<&str> = events
        .iter()
        .map(|event| event["title"].as_str().unwrap())
        .collect();
    assert_eq!(titles, ["vicino", "lontano", "senza data"]);
    let day = time::day(respiro_server::state::now() + 10 * DAY).to_string();
    assert_eq!(events[0]["day"], json!(day));
    assert_eq!(events[0]["soldOut"], json!(true));
    assert_eq!(events[0]["cancelled"], json!(false));
    assert_eq!(events[2]["day"], Json::Null);
    for number in 0..4 {
        event(&app, &format!("altro {number}"), Some(50), true).await;
    }
    let home = home(&app).await;
    assert_eq!(home["events"].as_array().unwrap().len(), 5);
    assert_eq!(home["totals"]["events"], json!(8));
    assert_eq!(home["totals"]["photo-gallery"], json!(0));
}

#[tokio::test]
async fn the_first_screen_names_what_visitors_saw_change_last() {
    let app = TestApp::start().await;
    event(&app, "vicino", Some(10), true).await;
    app.let_time_pass(60_000);
    event(&app, "nascosto", Some(20), false).await;
    let last = home(&app).await["lastChange"].clone();
    assert_eq!(
        last["title"],
        json!("vicino"),
        "a hidden event is no change"
    );
    assert_eq!(last["kind"], json!("events"));
    app.let_time_pass(60_000);
    let hidden = json!({ "hidden": true });
    app.put("/api/admin/words/home.quote", &hidden)
        .await
        .is(200);
    let last = home(&app).await["lastChange"].clone();
    assert_eq!(last["block"], json!("home.quote"));
    assert_eq!(last["pages"], json!(["/"]));
    assert!(last["at"].is_string());
}

#[tokio::test]
async fn the_first_screen_knows_the_name_and_what_is_missing() {
    let app = TestApp::start().await;
    let before = home(&app).await;
    assert_eq!(before["hasOpeningPicture"], json!(false));
    assert_eq!(before["passkeys"], json!(0));
    let picture = app.upload(png("apertura")).await;
    let settings = json!({ "practitioner": "Anna Esempio", "heroImageOne": picture });
    app.put("/api/admin/settings", &settings).await.is(200);
    let after = home(&app).await;
    assert_eq!(after["practitioner"], json!("Anna Esempio"));
    assert_eq!(after["hasOpeningPicture"], json!(true));
    app.visit("/api/admin/home").await.is(401);
}
