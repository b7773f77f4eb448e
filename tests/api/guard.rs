//! Tests that `/api/admin/` requires a session, and that changes from another origin are refused.

use crate::helpers::{Answer, TestApp, answer};
use respiro_server::http;
use serde_json::json;
use ureq::http::Method;

/// Returns the route path with every parameter replaced by `x`.
fn filled(path: &str) -> String {
    path.split('/')
        .map(|part| if part.starts_with('{') { "x" } else { part })
        .collect::<Vec<_>>()
        .join("/")
}

#[tokio::test]
async fn every_admin_route_answers_401_without_a_session() {
    let app = TestApp::start().await;
    let guarded: Vec<(String, String)> = http::paths()
        .into_iter()
        .filter(|(_, path)| path.starts_with("/api/admin/"))
        .collect();
    assert!(guarded.len() > 60, "{}", guarded.len());
    for (method, path) in guarded {
        let answer = app
            .by(&app.visitor, &method, &filled(&path), None)
            .await
            .is(401);
        assert!(
            answer.text().contains("urn:respiro:problem:unauthorized"),
            "{method} {path}"
        );
    }
}

#[tokio::test]
async fn unknown_admin_paths_methods_and_bodies_are_401_too() {
    let app = TestApp::start().await;
    for path in [
        "/api/admin/",
        "/api/admin/nothing",
        "/api/admin/events/a/b/c/d",
        "/api/%61dmin/events",
        "/api/admin/%zz",
        "/api/admin/events?x=1",
    ] {
        for method in [
            "GET", "POST", "PUT", "DELETE", "PATCH", "PROPFIND", "OPTIONS",
        ] {
            app.by(&app.visitor, method, path, None).await.is(401);
        }
    }
    let url = app.url("/api/admin/events");
    let broken = app
        .visitor
        .post(&url)
        .body("{")
        .header("origin", "https://evil.test");
    answer(broken).await.is(401);
    let large = app.visitor.post(&url).body(vec![b'x'; 2_000_000]);
    answer(large).await.is(401);
    for cookie in [
        "respiro-session=",
        "respiro-session=x",
        "respiro-session=\"",
        "x",
        "=;=;",
    ] {
        answer(app.visitor.get(&url).header("cookie", cookie))
            .await
            .is(401);
    }
}

#[tokio::test]
async fn a_session_sees_the_usual_404_and_405() {
    let app = TestApp::start().await;
    app.get("/api/admin/nothing").await.is(404);
    let answer = app
        .by(&app.admin, "DELETE", "/api/admin/events", None)
        .await
        .is(405);
    assert_eq!(answer.header("allow"), "GET, HEAD, POST");
    let answer = app
        .by(&app.admin, "PATCH", "/api/admin/events", None)
        .await
        .is(405);
    assert_eq!(answer.header("allow"), "GET, HEAD, POST");
}

async fn from(app: &TestApp, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = app.admin.request(Method::POST, app.url(path));
    for (name, value) in headers {
        request = request.header(name, *value);
    }
    answer(request.json(&json!({ "email": "a@example.com" }))).await
}

#[tokio::test]
async fn changes_from_another_origin_are_refused_everywhere() {
    let app = TestApp::start().await;
    let own = app.running.public_url.clone();
    let paths = [
        "/api/newsletter",
        "/api/auth/login",
        "/api/auth/logout",
        "/api/auth/setup",
        "/api/admin/events",
        "/api/admin/upload",
        "/api/admin/preview",
    ];
    for path in paths {
        for wrong in [
            "https://evil.test",
            "null",
            "http://127.0.0.1",
            &format!("{own}.evil.test"),
        ] {
            from(&app, path, &[("origin", wrong)]).await.is(403);
        }
        for wrong in ["cross-site", "same-site"] {
            from(&app, path, &[("sec-fetch-site", wrong)]).await.is(403);
        }
    }
    for right in [("origin", own.as_str()), ("sec-fetch-site", "same-origin")] {
        assert_eq!(from(&app, "/api/newsletter", &[right]).await.status, 202);
        from(&app, "/api/admin/upload", &[right]).await.is(200);
    }
    let read = app
        .visitor
        .get(app.url("/api/site"))
        .header("origin", "https://evil.test");
    assert_eq!(answer(read).await.status, 200);
}

// Regression: `www.` served a whole site whose forms and sign-in were refused.
#[tokio::test]
async fn other_names_of_the_site_lead_to_its_own() {
    let app = TestApp::start_as(|config, _| {
        config.public_url = Some("https://example.org".to_owned());
    })
    .await;
    let www = [("host", "www.example.org")];
    for path in [
        "/",
        "/eventi?pagina=2",
        "/admin",
        "/objects/uploads/none",
        "/feed.xml",
    ] {
        let answer = app.visit_with(path, &www).await.is(308);
        let target = format!("https://example.org{path}");
        assert_eq!(answer.header("location"), target, "{path}");
        // A shared cache that keys responses by path alone would redirect every visitor in a loop.
        let cache_control = answer.header("cache-control");
        assert!(cache_control.starts_with("private"), "{cache_control}");
    }
    for host in ["www.example.org:443", "www.example.org.", "example.org."] {
        app.visit_with("/", &[("host", host)]).await.is(308);
    }
    for host in ["example.org", "evil.test", "127.0.0.1"] {
        app.visit_with("/", &[("host", host)]).await.is(200);
    }
    let sent = app
        .visitor
        .post(app.url("/api/newsletter"))
        .header("host", "www.example.org");
    let sent = sent
        .header("origin", "https://www.example.org")
        .json(&json!({}));
    assert!(
        answer(sent)
            .await
            .is(403)
            .text()
            .contains("Apri la pagina dal suo indirizzo pubblico")
    );
}
