//! Tests of the headers of every response, of conditional requests and of compression.

use crate::helpers::{EMAIL, PASSWORD, TestApp, answer};
use data_encoding::BASE64;
use respiro_content::COLLECTIONS;
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
        let is_html = answer.header("content-type").starts_with("text/html");
        assert_eq!(is_html, ["/", "/nothing"].contains(&path), "{path}");
        if is_html {
            for part in [
                "default-src 'none'",
                "script-src 'self'",
                "frame-ancestors 'self'",
            ] {
                assert!(policy.contains(part), "{path}: {policy}");
            }
            assert!(!policy.contains("unsafe"), "{policy}");
        } else {
            assert_eq!(policy, "default-src 'none'; sandbox", "{path}");
        }
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
        // Regression: a number that grew with each request told visitors the traffic.
        assert!(answer.header("x-request-id").is_empty(), "{path}");
    }
}

/// Returns the text between `start`, which occurs once, and the next `end`.
fn within<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let mut parts = text.split(start).skip(1);
    let found = parts.next().unwrap().split_once(end).unwrap().0;
    assert!(parts.next().is_none(), "{start} stands twice");
    found
}

fn hash(text: &str) -> String {
    format!("'sha256-{}'", BASE64.encode(&Sha256::digest(text)))
}

#[tokio::test]
async fn what_stands_within_a_page_of_scripts_and_style_is_allowed_by_its_hash() {
    let app = TestApp::start().await;
    for path in ["/", "/eventi", "/niente"] {
        let page = app.visit(path).await;
        let text = page.text();
        let ahead = within(&text, "<script type=\"speculationrules\">", "</script>");
        let rule = &serde_json::from_str::<serde_json::Value>(ahead).unwrap()["prefetch"][0];
        assert_eq!(rule["eagerness"], "conservative");
        let scripts = text.split("<script>").skip(1);
        let scripts = scripts.map(|rest| rest.split_once("</script>").unwrap().0);
        let scripts: Vec<String> = scripts.chain([ahead]).map(hash).collect();
        assert_eq!(scripts.len(), 3, "{path}");
        let style = within(&text, "<style>", "</style>");
        let policies = page.headers.get_all("content-security-policy").iter();
        let [policy] = policies.collect::<Vec<_>>().try_into().unwrap();
        let styles = format!("style-src 'self' {};", hash(style));
        for part in scripts.iter().chain([&styles]) {
            assert!(
                policy.to_str().unwrap().contains(part),
                "{path}: {policy:?}"
            );
        }
        for tag in text.split("<script ").skip(1) {
            let data = [
                "speculationrules",
                "application/json",
                "application/ld+json",
            ];
            let is_data = |collection| tag.starts_with(&format!("type=\"{collection}\""));
            assert!(data.into_iter().any(is_data), "{}", &tag[..80]);
        }
        // The page requests the files that are not inlined after its first paint.
        let later = within(&text, "id=\"later\">", "</script>");
        let later: serde_json::Value = serde_json::from_str(later).unwrap();
        assert_eq!(later["links"][0][0], "stylesheet");
        assert_eq!(
            app.visit(later["start"].as_str().unwrap()).await.status,
            200
        );
        for link in later["links"].as_array().unwrap() {
            assert_eq!(
                app.visit(link[1].as_str().unwrap()).await.status,
                200,
                "{link}"
            );
        }
    }
    // Responses without a policy of their own allow no inline styles.
    let panel = app.visit("/admin").await;
    let policy = panel.header("content-security-policy");
    assert!(policy.contains("style-src 'self';"), "{policy}");
    for path in ["/sitemap.xml", "/feed.xml", "/favicon.ico"] {
        let answer = app.visit(path).await;
        let policy = answer.header("content-security-policy");
        assert_eq!(policy, "default-src 'none'; sandbox", "{path}");
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
    let collection = &COLLECTIONS[0];
    for number in 0..6 {
        let more = json!({ "testimonial": "respiro ".repeat(100), "published": true });
        app.create(collection, &number.to_string(), more).await;
    }
    let url = app.url(&format!("/api/{}", collection.slug));
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
    app.create(collection, "7", json!({ "published": true }))
        .await;
    let fresh = answer(app.visitor.get(&url).header("if-none-match", tag)).await;
    assert_eq!(fresh.status, 200);
}
