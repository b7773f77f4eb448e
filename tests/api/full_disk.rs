//! Tests of a full disk: what visitors and the panel see.

#[path = "../support/disk.rs"]
mod disk;

use crate::helpers::TestApp;
use crate::testimonials;
use disk::{SmallDisk, fill_up};
use respiro_auth::signed_links::Purpose;
use respiro_content::COLLECTIONS;
use respiro_db::{AddressStatus, Subscriber, Subscription};
use respiro_newsletter::links::{self, NEVER};
use serde_json::json;
use std::fs;
use std::time::{Duration, Instant};
use tokio::time::sleep;

#[tokio::test]
async fn a_full_disk_is_507_while_the_site_stays_readable_and_deleting_works() {
    let Some(disk) = SmallDisk::mount(48) else {
        return;
    };
    let data = disk.path().join("data.redb");
    let app = TestApp::start_as(|config, _| config.data.clone_from(&data)).await;
    // The disk is too small for pictures from the start; text content still works.
    app.post("/api/admin/upload", &json!({})).await.is(507);
    let collection = COLLECTIONS
        .iter()
        .find(|collection| collection.slug == "events")
        .unwrap();
    let body = json!({ "title": "Prima", "date": "12 marzo 2027", "time": "10:00",
        "location": "Milano", "description": "d", "published": true });
    let path = format!("/api/admin/{}", collection.slug);
    let event = app.post(&path, &body).await.is(201).json();
    let id = event["id"].as_str().unwrap();
    let (agreed, item) = testimonials::received(&app).await;
    let item = format!("/api/admin/course-testimonials/{item}");
    app.put(&item, &json!({ "published": true })).await.is(200);
    let (asked, _) = testimonials::link(&app).await;

    // Another process takes every byte: deletion still works, with the reserve beside the data
    // file.
    let others = fill_up(disk.path());
    app.delete(&format!("{path}/{id}")).await.is(204);
    assert!(!app.visit("/eventi").await.text().contains("Prima"));

    // Writes that only add data get no part of the reserve.
    let mut acknowledged = Vec::new();
    let mut refused = false;
    for number in 0..400 {
        let mut body = body.clone();
        body["title"] = json!(format!("Evento {number}"));
        body["description"] = json!("respiro ".repeat(120));
        let answer = app.post(&path, &body).await;
        if answer.status != 201 {
            answer.is(507);
            refused = true;
            break;
        }
        acknowledged.push(answer.json()["id"].as_str().unwrap().to_owned());
    }
    assert!(refused, "{} writes on a full disk", acknowledged.len());
    // The form keeps what the participant typed, and consent can be withdrawn even on a full disk.
    let kept = testimonials::send_form(&app, &asked).await;
    assert_eq!(kept.status, 503);
    let kept = testimonials::shown(&kept);
    assert!(kept.contains("Ho trovato calma.") && kept.contains("riprova tra poco"));
    let gone = testimonials::post(&app, &agreed, &[("withdraw", "1")]).await;
    assert!(testimonials::shown(&gone).contains("Testimonianza ritirata"));
    let list = app.visit("/api/course-testimonials").await.text();
    assert!(!list.contains("Marta B."));
    for page in ["/", "/eventi", "/api/events", "/healthz", "/sitemap.xml"] {
        assert_eq!(app.visit(page).await.status, 200, "{page}");
    }

    fs::remove_file(others).unwrap();
    let again = app.post(&path, &body).await.is(201).json();
    let page = format!("/evento/{}", again["id"].as_str().unwrap());
    assert!(app.visit(&page).await.text().contains("Prima"));
    let kept = app.ids(collection).await;
    assert!(acknowledged.iter().all(|id| kept.contains(id)));
}

async fn add(app: &TestApp, email: &str, state: Subscription, length: usize) -> bool {
    let standing = AddressStatus::new(email);
    let subscriber = Subscriber {
        email: email.to_owned(),
        state,
        consent_text: "x".repeat(length),
        created_at: 1,
        confirmed_at: (state == Subscription::Confirmed).then_some(2),
    };
    let added = app.running.app.change(move |writer| {
        writer.address_statuses().put(&standing)?;
        Ok(writer.subscribers().put(&subscriber)?)
    });
    added.await.is_ok()
}

/// Regression: a one-click unsubscribe got 507, and the reader kept getting newsletters.
#[tokio::test]
async fn whoever_leaves_the_newsletter_leaves_also_when_the_disk_is_full() {
    let Some(disk) = SmallDisk::mount(48) else {
        return;
    };
    let data = disk.path().join("data.redb");
    let app = TestApp::start_as(|config, _| config.data.clone_from(&data)).await;
    let keys = app.running.app.site.read(links::Keys::of).await.unwrap();
    let link = |what: &str, purpose, email: &str| {
        let token = links::token(&keys, purpose, email, NEVER);
        format!("/newsletter/{what}/{token}")
    };
    for number in 0..20 {
        let email = format!("via{number}@example.com");
        assert!(add(&app, &email, Subscription::Confirmed, 2).await);
        let email = format!("nuova{number}@example.com");
        assert!(add(&app, &email, Subscription::Pending, 2).await);
    }
    let others = fill_up(disk.path());
    // Small records still fit when large ones do not: fills with ever smaller ones until none fits.
    let mut fits = true;
    for (length, count) in [(100_000, 500), (1_000, 2_000), (1, 2_000)] {
        for number in 0..count {
            let email = format!("altri{length}-{number}@example.com");
            fits = add(&app, &email, Subscription::Collected, length).await;
            if !fits {
                break;
            }
        }
    }
    assert!(!fits, "too many addresses on a full disk");

    // A failed write is answered with an HTML page, not with problem JSON.
    let path = link(links::CONFIRM, Purpose::Confirm, "nuova0@example.com");
    let kept = app.by(&app.visitor, "POST", &path, None).await;
    assert_eq!(kept.status, 503, "{}", kept.text());
    assert!(kept.header("content-type").starts_with("text/html"));
    assert!(kept.text().contains("Il collegamento resta valido"));
    for number in 0..20 {
        let email = format!("via{number}@example.com");
        let path = link(links::UNSUBSCRIBE, Purpose::Unsubscribe, &email);
        let left = app.by(&app.visitor, "POST", &path, None).await;
        assert_eq!(left.status, 200, "{}", left.text());
        assert!(left.text().contains("Iscrizione cancellata"));
    }
    fs::remove_file(others).unwrap();
    let kept = app.by(&app.visitor, "POST", &path, None).await;
    assert!(kept.text().contains("Iscrizione confermata"));
}

/// Regression: only the log said that a planned newsletter waited for disk space.
#[tokio::test]
async fn what_is_planned_and_waits_for_the_disk_is_told_in_the_panel() {
    let Some(disk) = SmallDisk::mount(48) else {
        return;
    };
    let data = disk.path().join("data.redb");
    let server = crate::newsletter::mail_server();
    let mail = crate::newsletter::mail(server.port);
    let app = TestApp::start_as(|config, _| {
        config.data.clone_from(&data);
        config.mail = Some(mail);
    })
    .await;
    let address = json!({ "address": "Via Roma 1, Como", "newsletterPace": 1 });
    app.put("/api/admin/settings", &address).await.is(200);
    for number in 0..200 {
        let email = format!("{number}{}@example.com", "lunga".repeat(20));
        assert!(add(&app, &email, Subscription::Confirmed, 2).await);
    }
    let body = json!({ "title": "Domani", "content": "respiro ".repeat(2_000) });
    let made = app
        .post("/api/admin/newsletters", &body)
        .await
        .is(201)
        .json();
    let own = format!("/api/admin/sendings/{}", made["id"].as_str().unwrap());
    let at = respiro_content::time::rfc3339(app.running.app.now() + 3_600_000);
    let plan = json!({ "at": at });
    app.put(&format!("{own}/schedule"), &plan).await.is(200);
    let others = fill_up(disk.path());
    let event = json!({ "title": "Pieno", "date": "12 marzo 2027", "time": "10:00",
        "location": "Milano", "description": "respiro ".repeat(120) });
    while app.post("/api/admin/events", &event).await.status == 201 {}
    app.let_time_pass(2 * 3_600_000);
    let notice = async || {
        let told = app.get("/api/admin/notices").await.json();
        let told = told["notices"].as_array().cloned().unwrap_or_default();
        told.into_iter().find(|one| one["subject"] == "plan")
    };
    let until = async |stands: fn(&serde_json::Value) -> bool| {
        let deadline = Instant::now() + Duration::from_mins(1);
        loop {
            if let Some(told) = notice().await.filter(stands) {
                return told;
            }
            assert!(Instant::now() < deadline, "{:?}", notice().await);
            sleep(Duration::from_millis(200)).await;
        }
    };
    let told = until(|told| told["solvedAt"].is_null()).await;
    assert_eq!(told["text"], "il disco è pieno");
    let planned = app.get(&own).await.is(200).json();
    assert_eq!(planned["state"], "scheduled", "it is not lost");
    fs::remove_file(others).unwrap();
    until(|told| !told["solvedAt"].is_null()).await;
    let going = app.get(&own).await.is(200).json();
    assert_eq!(
        (&going["state"], &going["total"]),
        (&json!("sending"), &json!(200))
    );
}
