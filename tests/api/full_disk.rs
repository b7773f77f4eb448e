//! A disk without a byte left, as visitors and the panel see it.

#[path = "../house/disk.rs"]
mod disk;

use crate::helpers::TestApp;
use crate::testimonials;
use disk::{SmallDisk, fill_up};
use respiro::content::KINDS;
use serde_json::json;
use std::fs;

#[tokio::test]
async fn a_full_disk_is_507_while_the_site_stays_readable_and_deleting_works() {
    let Some(disk) = SmallDisk::mount(48) else {
        return;
    };
    let data = disk.path().join("data.redb");
    let app = TestApp::start_as(|config, _| config.data.clone_from(&data)).await;
    // Too small a disk for pictures from the beginning: the text does without.
    app.post("/api/admin/upload", &json!({})).await.is(507);
    let kind = KINDS.iter().find(|kind| kind.slug == "events").unwrap();
    let body = json!({ "title": "Prima", "date": "12 marzo 2027", "time": "10:00",
        "location": "Milano", "description": "d", "published": true });
    let path = format!("/api/admin/{}", kind.slug);
    let event = app.post(&path, &body).await.is(201).json();
    let id = event["id"].as_str().unwrap();
    let (agreed, item) = testimonials::received(&app).await;
    let item = format!("/api/admin/course-testimonials/{item}");
    app.put(&item, &json!({ "published": true })).await.is(200);
    let (asked, _) = testimonials::link(&app).await;

    // Somebody else takes every byte: deleting works still, by the reserve beside the data file.
    let others = fill_up(disk.path());
    app.delete(&format!("{path}/{id}")).await.is(204);
    assert!(!app.visit("/eventi").await.text().contains("Prima"));

    // What only adds gets none of the reserve.
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
    // A participant loses nothing; and consent is taken back at once, whatever the disk says.
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
    let kept = app.ids(kind).await;
    assert!(acknowledged.iter().all(|id| kept.contains(id)));
}
