//! Tests of step-up authentication: sensitive routes require that the session was confirmed with
//! the password or a passkey within ten minutes.

use crate::helpers::{EMAIL, PASSWORD, TestApp, answer, client};
use crate::sensitive_routes::CONFIRMED_ROUTES;
use respiro_auth::confirmations::CONFIRMATION_MILLISECONDS;
use respiro_server::http;
use serde_json::{Value as Json, json};
use std::time::{Duration, Instant};

/// Routes below these concern credentials, or all data at once.
const SENSITIVE_PREFIXES: &[&str] = &[
    "/api/admin/access",
    "/api/admin/account",
    "/api/admin/backup",
    "/api/admin/copies/key",
    "/api/admin/export",
    "/api/admin/passkeys",
    "/api/admin/restore",
    "/api/admin/second-factor",
    "/api/admin/sessions",
];
/// Reads below those prefixes that reveal no secret.
const HARMLESS_READS: &[&str] = &["/api/admin/passkeys", "/api/admin/sessions"];

const CONFIRM: &str = "/api/auth/confirm";

async fn confirm(app: &TestApp, password: &str) -> u16 {
    let body = json!({ "password": password });
    app.by(&app.admin, "POST", CONFIRM, Some(&body))
        .await
        .status
}

fn is_unconfirmed(status: u16, body: &[u8]) -> bool {
    let problem: Json = serde_json::from_slice(body).unwrap_or_default();
    let code = problem["code"] == "confirmation-required";
    let kind = problem["type"] == "urn:respiro:problem:confirmation-required";
    assert_eq!(code, kind, "{problem}");
    code && status == 403
}

/// The notifications of the account, newest first.
async fn notices(app: &TestApp) -> Vec<String> {
    let list = app.get("/api/admin/notices").await.is(200).json();
    let list = list["notices"].as_array().unwrap();
    let texts = list
        .iter()
        .map(|one| one["text"].as_str().unwrap_or_default());
    texts.map(str::to_owned).collect()
}

// Regression: with nothing but a session, a second factor could be enrolled, passkeys and sessions
// removed, and the whole data file downloaded or replaced.
#[tokio::test]
async fn exactly_the_sensitive_routes_ask_for_a_confirmation() {
    let app = TestApp::start().await;
    app.let_time_pass(CONFIRMATION_MILLISECONDS);
    let mut found = Vec::new();
    for (method, path) in http::paths() {
        if !path.starts_with("/api/admin/") && ![CONFIRM, "/api/auth/email"].contains(&&*path) {
            continue;
        }
        let filled: Vec<&str> = path
            .split('/')
            .map(|part| if part.starts_with('{') { "x" } else { part })
            .collect();
        let filled = filled.join("/");
        let body = (method != "GET").then(|| json!({}));
        let answer = app.by(&app.admin, &method, &filled, body.as_ref()).await;
        if is_unconfirmed(answer.status, &answer.bytes) {
            found.push((method, path));
        }
    }
    let mut wanted: Vec<_> = CONFIRMED_ROUTES
        .iter()
        .map(|(method, path)| ((*method).to_owned(), (*path).to_owned()))
        .collect();
    found.sort();
    wanted.sort();
    assert_eq!(found, wanted);
    for (method, path) in http::paths() {
        let is_sensitive = SENSITIVE_PREFIXES
            .iter()
            .any(|prefix| path == *prefix || path.starts_with(&format!("{prefix}/")));
        let is_harmless = method == "GET" && HARMLESS_READS.contains(&path.as_str());
        if is_sensitive && !is_harmless {
            assert!(wanted.contains(&(method, path.clone())), "{path}");
        }
    }
    // Nothing happened: the session and the account are as before.
    let session = app.get("/api/auth/session").await.is(200).json();
    assert_eq!(
        session,
        json!({ "email": EMAIL, "role": "owner", "secondFactor": false })
    );
}

#[tokio::test]
async fn a_sign_in_counts_for_ten_minutes_and_the_password_for_ten_more() {
    let app = TestApp::start().await;
    let other = client(true);
    app.sign_in(&other).await.is(200);
    let end_others = async |expected: u16| {
        let answer = app.by(&app.admin, "DELETE", "/api/admin/sessions", None);
        assert_eq!(answer.await.status, expected);
    };
    app.let_time_pass(CONFIRMATION_MILLISECONDS - 60_000);
    assert_eq!(app.get(CONFIRM).await.status, 204);
    app.let_time_pass(60_000);
    end_others(403).await;
    app.by(&other, "GET", "/api/admin/sessions", None)
        .await
        .is(200);

    assert_eq!(confirm(&app, "sbagliata").await, 422);
    assert_eq!(app.get(CONFIRM).await.status, 403);
    assert_eq!(confirm(&app, PASSWORD).await, 204);
    // Of this session alone.
    let answer = app.by(&other, "DELETE", "/api/admin/sessions", None).await;
    assert_eq!(answer.status, 403);
    end_others(204).await;
    app.by(&other, "GET", "/api/admin/sessions", None)
        .await
        .is(401);
    app.let_time_pass(CONFIRMATION_MILLISECONDS);
    end_others(403).await;
}

#[tokio::test]
async fn a_confirmation_needs_a_session_and_its_own_password_and_is_limited() {
    let app = TestApp::start().await;
    let body = json!({ "password": PASSWORD });
    app.by(&app.visitor, "POST", CONFIRM, Some(&body))
        .await
        .is(401);
    app.by(&app.admin, "POST", CONFIRM, Some(&json!({})))
        .await
        .is(422);
    let foreign = app
        .admin
        .post(app.url(CONFIRM))
        .header("origin", "https://evil.test")
        .json(&body);
    answer(foreign).await.is(403);
    let mut last = 0;
    for _ in 0..20 {
        last = confirm(&app, "sbagliata").await;
        if last == 429 {
            break;
        }
    }
    assert_eq!(last, 429);
    // A passkey that nobody has is no end of the session, which a 401 would mean.
    let body = json!({ "credential": { "id": "x" } });
    let refused = app.by(&app.admin, "POST", CONFIRM, Some(&body)).await;
    assert!([409, 422].contains(&refused.status), "{}", refused.status);
    app.get("/api/auth/session").await.is(200);
}

// Regression: 30 downloads whose readers stood still held 30 copies of the data file on the disk.
#[tokio::test]
async fn one_backup_is_downloaded_at_a_time() {
    let app = TestApp::start().await;
    let running = &app.running.app;
    let permit = running.queues.backup_downloads.try_acquire().unwrap();
    let refused = app.get("/api/admin/backup").await.is(429);
    assert!(!refused.header("retry-after").is_empty());
    drop(permit);
    app.get("/api/admin/backup").await.is(200);
    // The permit ends with the response.
    let until = Instant::now() + Duration::from_secs(5);
    while running.queues.backup_downloads.available_permits() == 0 {
        assert!(Instant::now() < until, "the download holds its permit");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    app.get("/api/admin/backup").await.is(200);
}

#[tokio::test]
async fn a_backup_downloaded_by_another_device_than_usual_is_told() {
    let app = TestApp::start().await;
    let told = async || {
        let texts = notices(&app).await;
        let of_backup = |text: &&String| text.contains("scaricato un backup");
        texts.iter().filter(of_backup).count()
    };
    app.get("/api/admin/backup").await.is(200);
    assert_eq!(told().await, 1);
    app.by(
        &app.admin,
        "POST",
        "/api/admin/notices/read",
        Some(&json!({})),
    )
    .await;
    app.get("/api/admin/backup").await.is(200);
    assert_eq!(told().await, 1, "by the same device");
    let other = client(true);
    app.sign_in(&other).await.is(200);
    app.by(&other, "GET", "/api/admin/backup", None)
        .await
        .is(200);
    assert_eq!(told().await, 2);
}
