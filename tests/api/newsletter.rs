//! Newsletter addresses: taken from anybody, shown to the admin only.

use crate::helpers::{Answer, TestApp};
use serde_json::{Value as Json, json};

async fn subscribe(app: &TestApp, email: Json) -> Answer {
    let body = json!({ "email": email });
    app.by(&app.visitor, "POST", "/api/newsletter", Some(&body))
        .await
}

#[tokio::test]
async fn an_address_is_stored_once_with_its_consent_and_answered_alike() {
    let app = TestApp::start().await;
    for written in ["lina@example.com", " LINA@example.com ", "lina@example.com"] {
        let answer = subscribe(&app, json!(written)).await;
        assert_eq!((answer.status, answer.bytes.len()), (202, 0));
    }
    let list = app.get("/api/admin/newsletter").await.is(200).json();
    assert_eq!(list.as_array().unwrap().len(), 1);
    assert_eq!(list[0]["email"], "lina@example.com");
    assert_eq!(list[0]["state"], "confirmed");
    assert!(list[0]["createdAt"].as_str().unwrap().ends_with('Z'));
    assert!(
        list[0]["consentText"]
            .as_str()
            .unwrap()
            .contains("Iscrivendoti")
    );
}

#[tokio::test]
async fn what_is_no_address_is_refused() {
    let app = TestApp::start().await;
    for wrong in [
        json!("x"),
        json!(""),
        json!("a@b"),
        json!("a@b.it\nbcc:c@d.it"),
        json!(1),
        json!(null),
    ] {
        subscribe(&app, wrong).await.is(422);
    }
    app.by(&app.visitor, "POST", "/api/newsletter", Some(&json!({})))
        .await
        .is(422);
    assert_eq!(app.get("/api/admin/newsletter").await.json(), json!([]));
}

#[tokio::test]
async fn one_visitor_cannot_fill_the_list() {
    let app = TestApp::start_as(|_, tuning| tuning.newsletter_free_tries = 5).await;
    let mut statuses = Vec::new();
    for number in 0..20 {
        statuses.push(
            subscribe(&app, json!(format!("a{number}@example.com")))
                .await
                .status,
        );
    }
    assert!(statuses.contains(&429), "{statuses:?}");
    assert!(statuses.iter().all(|status| [202, 429].contains(status)));
    assert!(
        app.get("/api/admin/newsletter")
            .await
            .json()
            .as_array()
            .unwrap()
            .len()
            < 10
    );
}

#[tokio::test]
async fn the_list_is_exported_without_formulas_and_addresses_are_removed() {
    let app = TestApp::start().await;
    subscribe(&app, json!("=cmd@example.com")).await;
    subscribe(&app, json!("zoe+x@example.com")).await;
    let csv = app.get("/api/admin/newsletter.csv").await;
    assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8");
    assert!(csv.header("content-disposition").contains("attachment"));
    assert!(
        csv.text().contains("\"'=cmd@example.com\""),
        "{}",
        csv.text()
    );
    assert!(csv.text().contains("\"zoe+x@example.com\""));
    let removed = app
        .delete("/api/admin/newsletter/zoe%2Bx@example.com")
        .await;
    assert_eq!(removed.status, 204);
    let list = app.get("/api/admin/newsletter").await.json();
    assert_eq!(list.as_array().unwrap().len(), 1);
    assert_eq!(list[0]["email"], "=cmd@example.com");
}
