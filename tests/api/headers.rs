//! Headers that every answer carries, and conditional and compressed answers.

use crate::helpers::{EMAIL, PASSWORD, TestApp, answer};
use data_encoding::BASE64;
use respiro::content::KINDS;
use serde_json::json;
use sha2::{Digest as _, Sha256};

#[tokio::test]
async fn every_answer_carries_the_security_headers() {
    let app = TestApp::start().await;
    for path in [
        "/",
        "/nothing",
        "/%zz",
        "/healthz",
        "/api/site",
        "/api/nothing",
        "/api/admin/events",
    ] {
        let answer = app.visit(path).await;
        let policy = answer.header("content-security-policy");
        for part in [
            "default-src 'none'",
            "script-src 'self'",
            "frame-ancestors 'self'",
        ] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("x-frame-options"), "SAMEORIGIN", "{path}");
        assert!(!answer.header("referrer-policy").is_empty(), "{path}");
        assert!(
            answer.header("permissions-policy").contains("camera=()"),
            "{path}"
        );
        assert!(
            answer.header("strict-transport-security").is_empty(),
            "{path}"
        );
        assert!(answer.header("server").is_empty(), "{path}");
        assert!(!answer.header("x-request-id").is_empty(), "{path}");
    }
}

#[tokio::test]
async fn the_only_script_within_a_page_says_what_to_fetch_ahead_and_is_allowed_by_its_hash() {
    let app = TestApp::start().await;
    let page = app.visit("/").await;
    let text = page.text();
    let start = "<script type=\"speculationrules\">";
    let (_, after) = text.split_once(start).unwrap();
    let rules = after.split_once("</script>").unwrap().0;
    let rule = &serde_json::from_str::<serde_json::Value>(rules).unwrap()["prefetch"][0];
    assert_eq!(rule["eagerness"], "conservative");
    let hash = BASE64.encode(&Sha256::digest(rules));
    let policy = page.header("content-security-policy");
    assert!(
        policy.contains(&format!("script-src 'self' 'sha256-{hash}';")),
        "{policy}"
    );
    let data = [
        "speculationrules",
        "application/json",
        "application/ld+json",
    ];
    for tag in text.split("<script ").skip(1) {
        let is_data = data
            .iter()
            .any(|kind| tag.starts_with(&format!("type=\"{kind}\"")));
        let is_file = tag.starts_with("type=\"module\" src=\"/");
        assert!(is_data || is_file, "{}", &tag[..80]);
    }
}

#[tokio::test]
async fn under_https_browsers_are_told_to_stay_there() {
    let app = TestApp::start_empty(|config, _| {
        config.public_url = Some("https://example.com".to_owned());
    })
    .await;
    let answer = app.visit("/healthz").await;
    assert!(
        answer
            .header("strict-transport-security")
            .starts_with("max-age=")
    );
}

#[tokio::test]
async fn what_belongs_to_one_person_is_kept_by_nobody() {
    let app = TestApp::start().await;
    for path in [
        "/api/admin/events",
        "/api/auth/session",
        "/api/admin/status",
        "/api/admin/x",
    ] {
        assert_eq!(
            app.get(path).await.header("cache-control"),
            "no-store",
            "{path}"
        );
    }
    let body = json!({ "email": EMAIL, "password": PASSWORD });
    let answer = app
        .by(&app.visitor, "POST", "/api/auth/login", Some(&body))
        .await
        .is(200);
    assert_eq!(answer.header("cache-control"), "no-store");
}

#[tokio::test]
async fn public_lists_are_conditional_compressed_and_the_same_for_head() {
    let app = TestApp::start().await;
    let kind = &KINDS[0];
    for number in 0..6 {
        let more = json!({ "testimonial": "respiro ".repeat(100), "published": true });
        app.create(kind, &number.to_string(), more).await;
    }
    let url = app.url(&format!("/api/{}", kind.slug));
    let plain = answer(app.visitor.get(&url)).await;
    assert!(plain.header("content-encoding").is_empty());
    assert_eq!(plain.header("vary"), "Accept-Encoding");
    let packed = answer(app.visitor.get(&url).header("accept-encoding", "gzip, br")).await;
    assert_eq!(packed.header("content-encoding"), "br");
    assert!(packed.bytes.len() * 4 < plain.bytes.len());
    assert_ne!(packed.header("etag"), plain.header("etag"));
    let tag = plain.header("etag");
    let again = answer(app.visitor.get(&url).header("if-none-match", tag)).await;
    assert_eq!((again.status, again.bytes.len()), (304, 0));
    assert_eq!(
        (again.header("etag"), again.header("vary")),
        (tag, "Accept-Encoding")
    );
    let head = answer(app.visitor.head(&url)).await;
    assert_eq!((head.status, head.bytes.len()), (200, 0));
    assert_eq!(head.header("etag"), tag);
    assert_eq!(head.header("content-length"), plain.bytes.len().to_string());
    app.create(kind, "7", json!({ "published": true })).await;
    let fresh = answer(app.visitor.get(&url).header("if-none-match", tag)).await;
    assert_eq!(fresh.status, 200);
}
