//! Tests of error responses: each has its status and text, and none shows internals.

use crate::helpers::{TestApp, answer};
use respiro_content::COLLECTIONS;
use serde_json::json;
use std::collections::BTreeMap;

#[tokio::test]
async fn malformed_bodies_are_400_on_every_route_that_takes_one() {
    let app = TestApp::start().await;
    let path = format!("/api/admin/{}", COLLECTIONS[0].slug);
    let deep = "[".repeat(100_000);
    let bodies: &[&[u8]] = &[
        b"",
        b"{",
        b"null",
        b"[]",
        b"7",
        b"\"x\"",
        b"{\"a\":}",
        b"{'a':1}",
        b"\xff\xfe",
        b"{\"a\":\"\xff\"}",
        b"{\"a\":\"\\ud800\"}",
        b"{\"a\":1e999}",
        deep.as_bytes(),
    ];
    for body in bodies {
        for path in [
            path.as_str(),
            "/api/auth/login",
            "/api/newsletter",
            "/api/admin/preview",
        ] {
            let request = app.admin.post(app.url(path)).body(body.to_vec());
            answer(request).await.is(400);
        }
    }
    assert_eq!(app.ids(&COLLECTIONS[0]).await.len(), 0);
}

#[tokio::test]
async fn bodies_over_the_limit_are_413_announced_or_not() {
    let app = TestApp::start().await;
    let path = format!("/api/admin/{}", COLLECTIONS[0].slug);
    let body = format!("{{\"name\":\"{}\"}}", "x".repeat(256 * 1024));
    let problem = answer(app.admin.post(app.url(&path)).body(body))
        .await
        .is(413)
        .json();
    // Regression: the title spoke of a file of 10 MB.
    assert_eq!(problem["title"], "Contenuto troppo grande");
    let just_under = format!("{{\"name\":\"{}\"}}", "x".repeat(256 * 1024 - 20));
    answer(app.admin.post(app.url(&path)).body(just_under))
        .await
        .is(422);
}

#[tokio::test]
async fn malformed_paths_are_400() {
    let app = TestApp::start().await;
    for path in [
        "/%",
        "/%zz",
        "/eventi%ff",
        "/api/events/%00",
        "/objects/uploads/%c3",
        "/a%0d%0ab",
    ] {
        app.visit(path).await.is(400);
    }
    app.visit(&format!("/{}", "a".repeat(3_000))).await.is(400);
}

#[tokio::test]
async fn wrong_methods_are_405_and_say_which_are_right() {
    let app = TestApp::start().await;
    for (method, path, allow) in [
        ("POST", "/api/events", "GET, HEAD"),
        ("DELETE", "/api/newsletter", "POST"),
        ("GET", "/api/auth/login", "POST"),
        ("POST", "/objects/uploads/x", "GET, HEAD, PUT"),
        ("PUT", "/healthz", "GET, HEAD"),
        ("PATCH", "/healthz", "GET, HEAD"),
        ("TRACE", "/", "GET, HEAD"),
        ("BREW", "/", "GET, HEAD"),
    ] {
        let answer = app.by(&app.visitor, method, path, None).await.is(405);
        assert_eq!(answer.header("allow"), allow, "{method} {path}");
    }
}

/// Regression: OPTIONS and unknown methods named methods that the path does not have.
#[tokio::test]
async fn every_path_names_the_same_methods_to_options_and_to_a_wrong_method() {
    let app = TestApp::start().await;
    let mut allowed: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (method, path) in respiro_server::http::paths() {
        let methods = allowed.entry(path.replace(['{', '}'], "")).or_default();
        if method == "GET" {
            methods.push("HEAD".to_owned());
        }
        methods.push(method);
    }
    for page in [
        "/",
        "/contatti",
        "/contatti/",
        "/Contatti",
        "/feed.xml",
        "/favicon.ico",
        "/social/events.jpg",
    ] {
        let methods = ["GET", "HEAD"].map(str::to_owned);
        allowed.insert(page.to_owned(), methods.to_vec());
    }
    for (path, mut methods) in allowed {
        methods.sort();
        for method in ["OPTIONS", "PATCH", "PROPFIND"] {
            let answer = app.by(&app.admin, method, &path, None).await;
            let status = if method == "OPTIONS" { 204 } else { 405 };
            assert_eq!(answer.status, status, "{method} {path}");
            let mut named: Vec<&str> = answer.header("allow").split(", ").collect();
            named.sort_unstable();
            assert_eq!(named, methods, "{method} {path}");
        }
    }
    for path in ["/nulla", "/api/nulla", "/objects/nulla"] {
        for method in ["OPTIONS", "PATCH", "PUT"] {
            app.by(&app.admin, method, path, None).await.is(404);
        }
    }
}

#[tokio::test]
async fn unknown_api_paths_are_404_problems() {
    let app = TestApp::start().await;
    for path in [
        "/api",
        "/api/",
        "/api/nothing",
        "/api/events/x/y",
        "/objects/x",
        "/api/auth",
    ] {
        app.visit(path).await.is(404);
    }
}

#[tokio::test]
async fn problems_carry_the_words_of_the_catalogue() {
    let app = TestApp::start().await;
    let problem = app.visit("/api/events/x").await.is(404).json();
    assert_eq!(problem["type"], "urn:respiro:problem:not-found");
    assert_eq!(problem["title"], "Elemento non trovato");
    let problem = app
        .post("/api/admin/course-testimonials", &json!({}))
        .await
        .is(422)
        .json();
    assert_eq!(problem["title"], "Controlla i campi indicati");
    let errors = problem["errors"].as_array().unwrap();
    assert!(errors.len() > 1);
    assert!(
        errors[0]["message"]
            .as_str()
            .unwrap()
            .contains("è obbligatorio")
    );
    assert_eq!(problem["detail"], errors[0]["message"]);
}

/// Regression: a refusal waited ten seconds for the rest of a body that the server does not use.
#[tokio::test]
async fn a_refused_body_is_answered_before_it_is_there() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let app = TestApp::start().await;
    for (request, status) in [
        (
            "POST /api/admin/events HTTP/1.1\r\nHost: x\r\nContent-Length: 90\r\n\r\n",
            401,
        ),
        (
            "PUT /objects/uploads/x HTTP/1.1\r\nHost: x\r\nContent-Length: 90\r\n\r\n",
            403,
        ),
        (
            "POST /api/newsletter HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\n",
            413,
        ),
    ] {
        let mut stream = tokio::net::TcpStream::connect(app.running.address)
            .await
            .unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let started = std::time::Instant::now();
        let mut head = [0; 16];
        stream.read_exact(&mut head).await.unwrap();
        let head = String::from_utf8_lossy(&head).into_owned();
        assert!(head.contains(&status.to_string()), "{head}");
        // Not a measurement: the fault took ten seconds, a correct refusal takes a moment.
        assert!(started.elapsed().as_secs() < 8, "{:?}", started.elapsed());
    }
}
