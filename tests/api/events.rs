//! Tests of events: recurring, sold out, cancelled, and subscribed to as a calendar.

use crate::helpers::{DAY, TestApp};
use respiro_content::{Collection, collection_by_slug, time};
use respiro_publish::EventCalendar;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::sync::Arc;

fn events() -> &'static Collection {
    collection_by_slug("events").unwrap()
}

/// Creates a published event with these fields and returns its id.
async fn event(app: &TestApp, label: &str, fields: Json) -> String {
    let mut all =
        json!({ "published": true, "date": null, "time": null, "mode": null, "price": null });
    let more = fields.as_object().unwrap().clone();
    all.as_object_mut().unwrap().extend(more);
    let made = app.create(events(), label, all).await;
    made["id"].as_str().unwrap().to_owned()
}

async fn calendar(app: &TestApp) -> String {
    let answer = app.visit("/eventi.ics").await.is(200);
    assert_eq!(
        answer.header("content-type"),
        "text/calendar; charset=utf-8"
    );
    assert!(!answer.header("etag").is_empty());
    answer.text()
}

#[tokio::test]
async fn a_repeated_event_is_every_time_in_both_calendars_and_for_engines() {
    let app = TestApp::start().await;
    let fields = json!({ "date": "Ogni martedì di marzo 2199", "time": "19:00-21:00" });
    let id = event(&app, "martedì", fields).await;
    event(&app, "senza data", json!({ "date": "presto" })).await;
    let draft = json!({ "date": "6 marzo 2199", "published": false });
    event(&app, "bozza", draft).await;
    let own = app.visit(&format!("/evento/{id}.ics")).await.is(200).text();
    assert_eq!(own.matches("BEGIN:VEVENT").count(), 4);
    let all = calendar(&app).await;
    assert_eq!(all.matches("BEGIN:VEVENT").count(), 4);
    assert!(all.contains("X-WR-CALNAME:Eventi di Respiro\r\n"));
    let page = app.visit(&format!("/evento/{id}")).await.text();
    assert_eq!(page.matches("\"@type\":\"Event\"").count(), 4);
    assert!(page.replace('\u{a0}', " ").contains("4 incontri"));
    assert!(app.visit("/eventi").await.text().contains("webcal://"));
}

/// Regression: the calendar file of an event was made for every request, 2 ms each.
#[tokio::test]
async fn the_calendar_file_of_an_event_is_made_once_and_again_after_a_change() {
    let app = TestApp::start().await;
    let id = event(&app, "sera", json!({ "date": "6 marzo 2199" })).await;
    let path = format!("/evento/{id}.ics");
    let publisher = &app.running.app.site.publisher;
    let made = || {
        let pages = publisher.pages().unwrap();
        match publisher.find_calendar(&pages, &path).unwrap() {
            EventCalendar::Made(page) => Some(page),
            EventCalendar::ToMake => None,
        }
    };
    assert!(made().is_none(), "nobody asked for it");
    let first = app.visit(&path).await.is(200);
    let page = made().unwrap();
    assert_eq!(
        app.visit(&path).await.is(200).header("etag"),
        first.header("etag")
    );
    assert!(Arc::ptr_eq(&page, &made().unwrap()));
    let admin = format!("/api/admin/events/{id}");
    app.put(&admin, &json!({ "cancelled": true })).await.is(200);
    assert!(made().is_none());
    let changed = app.visit(&path).await.is(200).text();
    assert!(changed.contains("STATUS:CANCELLED"));
}

#[tokio::test]
async fn a_cancelled_event_says_so_everywhere_and_with_a_higher_sequence() {
    let app = TestApp::start().await;
    let id = event(
        &app,
        "sera",
        json!({ "date": "6 marzo 2199", "location": "Como" }),
    )
    .await;
    let sequence = |text: &str| -> i64 {
        let line = text.lines().find(|line| line.starts_with("SEQUENCE:"));
        line.unwrap()["SEQUENCE:".len()..].trim().parse().unwrap()
    };
    let before = calendar(&app).await;
    assert!(before.contains("STATUS:CONFIRMED"));
    app.let_time_pass(DAY / 2);
    let path = format!("/api/admin/events/{id}");
    app.put(&path, &json!({ "cancelled": true })).await.is(200);
    let after = calendar(&app).await;
    assert!(after.contains("STATUS:CANCELLED") && after.contains("SUMMARY:Annullato: "));
    assert!(sequence(&after) > sequence(&before));
    let uid = |text: &str| {
        text.lines()
            .find(|line| line.starts_with("UID:"))
            .map(str::to_owned)
    };
    assert!(uid(&before).is_some() && uid(&after) == uid(&before));
    let page = app.visit(&format!("/evento/{id}")).await.text();
    assert!(page.contains("schema.org/EventCancelled"));
    assert!(page.contains("Questo evento è stato annullato."));
    assert!(app.visit("/eventi").await.text().contains("Annullato"));
    let public = app.visit(&format!("/api/events/{id}")).await.json();
    assert_eq!(
        (&public["cancelled"], &public["soldOut"]),
        (&json!(true), &json!(false))
    );
}

#[tokio::test]
async fn full_priced_and_online_events_say_so() {
    let app = TestApp::start().await;
    let fields = json!({
        "date": "6 marzo 2199", "soldOut": true, "price": "45.5", "mode": "In presenza e online",
    });
    let id = event(&app, "piena", fields).await;
    let page = app.visit(&format!("/evento/{id}")).await.text();
    for words in [
        "Esaurito",
        "Avvisami se si libera",
        "45,50\u{a0}€",
        "schema.org/SoldOut",
        "schema.org/MixedEventAttendanceMode",
        "\"price\":\"45.50\"",
    ] {
        assert!(page.contains(words), "{words}");
    }
    let path = format!("/api/admin/events/{id}");
    app.put(&path, &json!({ "price": "0" })).await.is(200);
    assert!(
        app.visit(&format!("/evento/{id}"))
            .await
            .text()
            .contains("Gratuito")
    );
    // Regression: an event in Lugano could only have a price in euro.
    let francs = json!({ "price": "CHF 120", "location": "Lugano" });
    app.put(&path, &francs).await.is(200);
    let page = app.visit(&format!("/evento/{id}")).await.text();
    for words in [
        "120\u{a0}CHF",
        "\"price\":\"120\",\"priceCurrency\":\"CHF\"",
    ] {
        assert!(page.contains(words), "{words}");
    }
    // Regression: "€ 15,00" and "1.250" were refused, and a price in words too.
    for (price, shown) in [
        ("€ 1.250,00", "1.250\u{a0}€"),
        ("euro 15 a persona", "15\u{a0}€ a persona"),
        ("offerta libera", "offerta libera"),
    ] {
        app.put(&path, &json!({ "price": price })).await.is(200);
        let page = app.visit(&format!("/evento/{id}")).await.text();
        assert!(page.contains(shown), "{price}");
    }
    let words = app.visit(&format!("/evento/{id}")).await.text();
    assert!(!words.contains("priceCurrency"), "words are not an amount");
    let wrong = app
        .put(&path, &json!({ "price": "1.2.0" }))
        .await
        .is(422)
        .json();
    assert_eq!(
        wrong["errors"][0]["message"],
        "Non riesco a leggere la cifra. Scrivi per esempio 15 oppure 15,50; in franchi 15 CHF."
    );
    app.put(&path, &json!({ "mode": "A voce" })).await.is(422);
    app.put(&path, &json!({ "soldOut": "sì" })).await.is(422);
}

/// An address of another scheme is no map, and half a place is none.
#[tokio::test]
async fn places_and_maps_that_are_none_are_refused() {
    let app = TestApp::start().await;
    let id = event(&app, "sera", json!({ "date": "6 marzo 2199" })).await;
    let (admin, own) = (format!("/api/admin/events/{id}"), format!("/evento/{id}"));
    let before = app.visit(&own).await.is(200).text();
    for wrong in [
        json!({ "mapUrl": "javascript:alert(1)" }),
        json!({ "mapUrl": "geo:45.8,9.1" }),
        json!({ "placesLeft": -1 }),
        json!({ "placesLeft": 1.5 }),
        json!({ "placesLeft": "8" }),
        json!({ "placesLeft": 10_000 }),
    ] {
        app.put(&admin, &wrong).await.is(422);
    }
    assert_eq!(app.visit(&own).await.is(200).text(), before);
}

#[tokio::test]
async fn the_places_left_and_the_map_of_an_event_are_told_everywhere() {
    let app = TestApp::start().await;
    let none = json!({ "date": "6 marzo 2199", "placesLeft": null, "mapUrl": null });
    let id = event(&app, "sera", none).await;
    let (admin, own) = (format!("/api/admin/events/{id}"), format!("/evento/{id}"));
    let page = async |path: &str| app.visit(path).await.is(200).text();
    let before = page(&own).await;
    for absent in [
        "placesLeft",
        "mapUrl",
        "hasMap",
        "remainingAttendeeCapacity",
        "Posti",
    ] {
        assert!(!before.contains(absent), "{absent}");
        assert!(!page("/eventi").await.contains(absent), "{absent}");
    }
    let map = "https://www.openstreetmap.org/?mlat=45.8&mlon=9.1#map=17/45.8/9.1";
    app.put(&admin, &json!({ "placesLeft": 8, "mapUrl": map }))
        .await
        .is(200);
    let told = page(&own).await;
    for words in [
        "8 posti rimasti",
        "Apri la mappa",
        "\"remainingAttendeeCapacity\":8",
        "\"hasMap\":\"https://www.openstreetmap.org/",
    ] {
        assert!(told.contains(words), "{words}");
    }
    assert!(page("/eventi").await.contains("8 posti rimasti"));
    assert!(calendar(&app).await.contains("SUMMARY:Titolo sera\r\n"));
    app.put(&admin, &json!({ "placesLeft": 1 })).await.is(200);
    assert!(page(&own).await.contains("1 posto rimasto"));

    app.put(&admin, &json!({ "placesLeft": 0 })).await.is(200);
    let full = page(&own).await;
    for words in [
        "Esaurito</strong>",
        "<strong>I posti sono esauriti.",
        "schema.org/SoldOut",
        "\"remainingAttendeeCapacity\":0",
    ] {
        assert!(full.contains(words), "{words}");
    }
    assert!(!full.contains("posti rimasti"));
    assert!(page("/eventi").await.contains("Esaurito</strong>"));
    assert!(
        calendar(&app)
            .await
            .contains("SUMMARY:Esaurito: Titolo sera\r\n")
    );
    let chosen = page(&format!("/contatti?evento={id}")).await;
    assert!(chosen.contains("Mi avvisi se si libera un posto?"));
    let public = app.visit(&format!("/api/events/{id}")).await.json();
    assert_eq!(
        (&public["placesLeft"], &public["mapUrl"]),
        (&json!(0), &json!(map))
    );

    app.put(&admin, &json!({ "placesLeft": null, "mapUrl": null }))
        .await
        .is(200);
    let after = page(&own).await;
    assert!(!after.contains("placesLeft") && !after.contains("Esaurito</strong>"));
}

#[tokio::test]
async fn the_address_of_an_event_is_given_as_a_qr_code_to_the_admin() {
    let app = TestApp::start().await;
    let id = event(&app, "sera", json!({})).await;
    let path = format!("/api/admin/events/{id}/qr-code");
    let told = app.get(&path).await.is(200).json();
    assert_eq!(
        told["url"],
        format!("{}/evento/{id}", app.running.public_url)
    );
    // At least version 1, 21 modules, with the quiet zone; the first dark module is a finder's.
    let code = &told["qrCode"];
    assert!(code["side"].as_i64().unwrap() >= 29, "{code}");
    assert!(code["path"].as_str().unwrap().starts_with("M4 4h1v1h-1z"));
    app.visit(&path).await.is(401);
    app.get("/api/admin/events/x/qr-code").await.is(404);
}

/// Regression: an old event that was moved to another month got the year of its creation and was
/// over at once.
#[tokio::test]
async fn a_month_without_a_year_is_the_next_one_when_it_was_written_and_stays_it() {
    let app = TestApp::start().await;
    let year = |days: i64| {
        let moment = time::day(respiro_server::state::now() + days * DAY);
        moment.year()
    };
    let month = |days: i64| {
        let words = time::format_day(respiro_server::state::now() + days * DAY);
        words.split(' ').nth(1).unwrap().to_owned()
    };
    // Months ahead of today, so that a midnight during the test does not change their year.
    let (first, second) = (month(60), month(120));
    let id = event(
        &app,
        "sera",
        json!({ "date": format!("Ogni martedì di {first}") }),
    )
    .await;
    let path = format!("/api/admin/events/{id}");
    let understood = async || {
        let item = app.get(&path).await.is(200).json();
        let body = json!({ "date": item["date"], "dateWrittenAt": item["dateWrittenAt"] });
        let asked = app.post("/api/admin/understand-date", &body).await.json();
        let shown = app.visit(&format!("/evento/{id}.ics")).await.is(200);
        let shown = shown.text();
        let start = asked["schedule"]["start"].as_str().unwrap().to_owned();
        let in_calendar = format!("DTSTART;VALUE=DATE:{}\r\n", start.replace('-', ""));
        assert!(shown.contains(&in_calendar), "{start}: {shown}");
        start[..4].parse::<i16>().unwrap()
    };
    assert_eq!(understood().await, year(60));
    app.let_time_pass(2 * 366 * DAY);
    app.sign_in(&app.admin).await.is(200);
    app.put(&path, &json!({ "title": "Sera d’estate" }))
        .await
        .is(200);
    assert_eq!(
        understood().await,
        year(60),
        "the title alone moved the year"
    );
    let later = json!({ "date": format!("Ogni martedì di {second}") });
    app.put(&path, &later).await.is(200);
    let now = 2 * 366;
    // 732 days are two years and a day or two: the month is the same, or the following one has
    // begun.
    assert!((year(now)..=year(now + 120)).contains(&understood().await));
    let current = app.get("/api/admin/events/page?current=1").await.json();
    assert_eq!(current["found"], 1, "it is still over");
    app.put(&path, &later).await.is(200);
    app.let_time_pass(366 * DAY);
    app.sign_in(&app.admin).await.is(200);
    app.put(&path, &later).await.is(200);
    let current = app.get("/api/admin/events/page?current=1").await.json();
    assert_eq!(current["found"], 0, "saving the same date again moved it");
}

/// A newsletter starts from these items: the filter covers all items, not only the first hundred of
/// the list.
#[tokio::test]
async fn a_list_is_narrowed_to_what_visitors_see_and_what_is_not_over() {
    let app = TestApp::start().await;
    for (label, date, published) in [
        ("passato", "10/1/2020", true),
        ("nascosto", "10/1/2035", false),
        ("che viene", "10/1/2035", true),
        ("senza data", "quando fiorisce", true),
    ] {
        let body = json!({ "title": label, "date": date, "published": published });
        app.post("/api/admin/events", &body).await.is(201);
    }
    let titles = async |query: &str| {
        let path = format!("/api/admin/events/page?{query}");
        let page = app.get(&path).await.is(200).json();
        let items = page["items"].as_array().unwrap().clone();
        let titles = items.iter().map(|item| item["title"].as_str().unwrap());
        let titles: BTreeSet<String> = titles.map(str::to_owned).collect();
        (titles, page["found"].clone(), page["total"].clone())
    };
    let named = |titles: &[&str]| titles.iter().map(|&title| title.to_owned()).collect();
    let current = titles("current=1").await;
    assert_eq!(
        current,
        (named(&["che viene", "senza data"]), json!(2), json!(4))
    );
    let (one, found, _) = titles("current=1&limit=1&search=viene").await;
    assert_eq!((one, found), (named(&["che viene"]), json!(1)));
    assert_eq!(titles("").await.1, json!(4));
}

/// Regression: the program slept until midnight by a clock that stops while the machine is
/// suspended. Past events stayed listed until the next change.
#[tokio::test]
async fn what_is_over_leaves_the_list_on_a_machine_whose_clock_was_set() {
    let app = TestApp::start().await;
    let today = time::format_day(respiro_server::state::now());
    event(&app, "Cerchio", json!({ "date": today })).await;
    let shown = async |path: &str| app.visit(path).await.text().contains("Cerchio");
    assert!(shown("/eventi").await);
    app.let_time_pass(2 * DAY);
    let patience = std::time::Instant::now() + std::time::Duration::from_mins(1);
    while shown("/eventi").await {
        assert!(std::time::Instant::now() < patience, "it is still to come");
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    }
    assert!(shown("/eventi/passati").await);
}
