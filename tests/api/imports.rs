//! Tests of the import in the panel: subscribers from a CSV table, articles from WordPress. An
//! upload changes nothing; its token imports what the report said.

use crate::helpers::{Answer, TestApp, answer};
use serde_json::{Value as Json, json};
use std::sync::Arc;

const SUBSCRIBERS: &str = "/api/admin/import/subscribers";
const WORDPRESS: &str = "/api/admin/import/wordpress";
const APPLY: &str = "/api/admin/import";
const PROOF: &str = "Modulo di carta al seminario di maggio";
/// The export of a real WordPress (`tests/wordpress.sh`).
const EXPORT: &[u8] = include_bytes!("../data/wordpress.xml");
const MEGABYTE: usize = 1024 * 1024;

async fn send(app: &TestApp, path: &str, bytes: impl Into<Vec<u8>>) -> Answer {
    answer(app.admin.post(app.url(path)).body(bytes.into())).await
}

async fn apply(app: &TestApp, kind: &str, token: &Json, proof: &str) -> Answer {
    let body = json!({ "token": token, "kind": kind, "proof": proof });
    app.post(APPLY, &body).await
}

async fn subscribers(app: &TestApp) -> Vec<(String, String)> {
    let list = app.get("/api/admin/newsletter").await.is(200).json();
    let list = list.as_array().unwrap().iter();
    let text = |json: &Json| json.as_str().unwrap().to_owned();
    let mut list: Vec<_> = list
        .map(|one| (text(&one["email"]), text(&one["state"])))
        .collect();
    list.sort();
    list
}

/// Names of the files beside the data file that an import may leave.
fn left(app: &TestApp) -> Vec<String> {
    let entries = std::fs::read_dir(app.folder()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let is_left = |name: &String| name.contains(".upload") || name.contains(".staging");
    names.filter(is_left).collect()
}

#[tokio::test]
async fn subscribers_come_after_a_report_and_a_statement_of_their_consent() {
    let app = TestApp::start().await;
    let body = json!({ "email": "lina@example.com" });
    app.by(&app.visitor, "POST", "/api/newsletter", Some(&body))
        .await;
    let before = subscribers(&app).await;
    let table = "\u{feff}email;confirmed_at;consent_text\r\n\
                 Zoe@example.com;2024-05-01T10:00:00Z;Sì, scrivimi\r\n\
                 ugo@example.com;;\r\n\
                 lina@example.com;2024-05-01T10:00:00Z;\r\n";
    let report = send(&app, SUBSCRIBERS, table).await.is(200).json();
    assert_eq!(
        (&report["total"], &report["confirmed"], &report["known"]),
        (&json!(3), &json!(2), &json!(1))
    );
    assert_eq!(
        subscribers(&app).await,
        before,
        "the dry run changes nothing"
    );
    let token = &report["token"];
    for wrong in ["", "  ", "a\nb", &"x".repeat(301)] {
        let refused = apply(&app, "subscribers", token, wrong).await.is(422);
        assert_eq!(refused.json()["errors"][0]["field"], "proof");
    }
    let done = apply(&app, "subscribers", token, PROOF).await.is(200);
    assert_eq!(done.json(), json!({ "subscribers": 2, "known": 1 }));
    let now = subscribers(&app).await;
    assert_eq!(now.len(), 3);
    assert!(now.contains(&("zoe@example.com".to_owned(), "confirmed".to_owned())));
    assert!(
        before.iter().all(|one| now.contains(one)),
        "known ones stay"
    );
    let stored = app.running.app.read(|reader| {
        Ok(reader
            .subscribers()
            .get("zoe@example.com")?
            .unwrap()
            .consent_text)
    });
    assert_eq!(stored.await.unwrap(), format!("Sì, scrivimi ({PROOF})"));
    assert_eq!(left(&app), [""; 0]);
    let again = apply(&app, "subscribers", token, PROOF).await;
    again.is(409);
}

#[tokio::test]
async fn articles_come_from_wordpress_after_a_report() {
    let app = TestApp::start().await;
    let report = send(&app, WORDPRESS, EXPORT).await.is(200).json();
    let count = report["articles"].as_u64().unwrap();
    assert!(count > 0, "{report}");
    let text = report["report"].as_str().unwrap();
    assert!(text.starts_with("Prova: che cosa arriverebbe"), "{text}");
    assert!(
        report["pageTexts"].as_str().unwrap().contains("===="),
        "{report}"
    );
    let articles = async || app.get("/api/admin/blog").await.is(200).json();
    assert_eq!(articles().await, json!([]));
    let done = apply(&app, "wordpress", &report["token"], "").await.is(200);
    assert_eq!(done.json()["articles"], count);
    assert_eq!(articles().await.as_array().unwrap().len() as u64, count);
    assert_eq!(left(&app), [""; 0]);
    // The same file again brings nothing twice.
    let report = send(&app, WORDPRESS, EXPORT).await.is(200).json();
    assert_eq!(
        (&report["articles"], &report["existing"]),
        (&json!(0), &json!(count))
    );
    let done = apply(&app, "wordpress", &report["token"], "").await.is(200);
    assert_eq!(done.json()["articles"], 0);
    assert_eq!(articles().await.as_array().unwrap().len() as u64, count);
}

/// Broken and hostile files are refused in Italian, and leave nothing behind.
#[tokio::test]
async fn a_file_that_cannot_be_imported_is_refused_with_its_line() {
    let app = TestApp::start().await;
    let huge_name = format!("email\n{}\n", "x".repeat(MEGABYTE));
    let bomb = format!(
        "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY x \"{}\"><!ENTITY y \"{}\">]>\
         <rss><channel><link>&y;</link></channel></rss>",
        "x".repeat(1000),
        "&x;".repeat(1000)
    );
    let deep = format!("<rss><channel>{}", "<item>".repeat(100_000));
    let cases: &[(&str, &[u8], &str)] = &[
        (SUBSCRIBERS, b"nome\nugo\n", "colonna di nome email"),
        (
            SUBSCRIBERS,
            b"email\nugo@example.com\nnon un indirizzo\n",
            "Riga 3: «non un",
        ),
        (
            SUBSCRIBERS,
            b"email,confirmed_at\na@example.com,ieri\n",
            "Riga 2: confirmed_at",
        ),
        (
            SUBSCRIBERS,
            b"email,confirmed_at\na@example.com,2999-01-01T00:00:00Z\n",
            "nel futuro",
        ),
        (
            SUBSCRIBERS,
            b"email,consent_text\na@example.com\n",
            "Riga 2: ha più o meno colonne",
        ),
        (SUBSCRIBERS, b"email\n\xff\xfe\n", "UTF-8"),
        (SUBSCRIBERS, huge_name.as_bytes(), "Riga 2: «xxx"),
        (SUBSCRIBERS, b"email\n=cmd|' /C calc'!A0\n", "Riga 2: «=cmd"),
        (WORDPRESS, b"email\nugo@example.com\n", "WordPress"),
        (WORDPRESS, b"\x89PNG\r\n\x1a\n", "WordPress"),
        (WORDPRESS, bomb.as_bytes(), ""),
        (WORDPRESS, deep.as_bytes(), ""),
    ];
    for (path, bytes, said) in cases {
        let refused = send(&app, path, *bytes).await.is(422).json();
        let message = refused["errors"][0]["message"].as_str().unwrap();
        assert!(message.contains(said), "{said} in {message}");
        assert!(message.chars().count() < 250, "{message}");
        assert_eq!(left(&app), [""; 0], "{message}");
    }
    let large = vec![b'a'; 33 * MEGABYTE];
    send(&app, SUBSCRIBERS, large).await.is(413);
    assert_eq!(left(&app), [""; 0]);
    for token in ["../../etc/passwd", "", "x"] {
        apply(&app, "subscribers", &json!(token), PROOF)
            .await
            .is(422);
    }
    let unknown = json!("a".repeat(26));
    apply(&app, "subscribers", &unknown, PROOF).await.is(409);
    let report = send(&app, SUBSCRIBERS, "email\na@example.com\n")
        .await
        .is(200)
        .json();
    apply(&app, "accounts", &report["token"], PROOF)
        .await
        .is(422);
    // A table is no export, whatever the caller says.
    apply(&app, "wordpress", &report["token"], "").await.is(422);
    assert_eq!(subscribers(&app).await, []);
}

#[tokio::test]
async fn one_import_or_restore_runs_at_a_time() {
    let app = TestApp::start().await;
    let report = send(&app, SUBSCRIBERS, "email\na@example.com\n")
        .await
        .is(200)
        .json();
    let permit = Arc::clone(&app.running.app.queues.restores);
    let permit = permit.try_acquire_owned().unwrap();
    send(&app, SUBSCRIBERS, "email\n").await.is(409);
    send(&app, WORDPRESS, EXPORT).await.is(409);
    apply(&app, "subscribers", &report["token"], PROOF)
        .await
        .is(409);
    drop(permit);
    apply(&app, "subscribers", &report["token"], PROOF)
        .await
        .is(200);
}

/// Who unsubscribed here stays unsubscribed, also when an old list says otherwise.
#[tokio::test]
async fn an_import_brings_nobody_back_who_unsubscribed() {
    let app = TestApp::start().await;
    let import = async |table: &str| {
        let report = send(&app, SUBSCRIBERS, table).await.is(200).json();
        apply(&app, "subscribers", &report["token"], PROOF)
            .await
            .is(200)
            .json()
    };
    let table = "email,confirmed_at\nzoe@example.com,2024-05-01T10:00:00Z\n";
    assert_eq!(import(table).await["subscribers"], 1);
    let path = "/api/admin/newsletter/zoe@example.com/unsubscribe";
    assert_eq!(app.post(path, &json!({})).await.status, 204);
    assert_eq!(import(table).await, json!({ "subscribers": 0, "known": 1 }));
    assert_ne!(subscribers(&app).await[0].1, "confirmed");
}
