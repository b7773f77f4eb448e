//! Tests of the table of redirects: who made each, which claim decides, and that none forms a loop.

use crate::helpers::{Answer, TestApp, answer};
use respiro_content::{Collection, collection_by_slug};
use serde_json::{Value as Json, json};

const PATH: &str = "/api/admin/redirects";

fn blog() -> &'static Collection {
    collection_by_slug("blog").unwrap()
}

async fn article(app: &TestApp, slug: &str) -> String {
    let more = json!({ "slug": slug, "published": true });
    let article = app.create(blog(), slug, more).await;
    article["id"].as_str().unwrap().to_owned()
}

async fn rename(app: &TestApp, id: &str, slug: &str) {
    let path = format!("/api/admin/blog/{id}");
    app.put(&path, &json!({ "slug": slug })).await.is(200);
}

/// Asserts that a path redirects to another one.
async fn leads(app: &TestApp, from: &str, to: &str) {
    let answer = app.visit(from).await;
    assert_eq!(
        (answer.status, answer.header("location")),
        (301, to),
        "{from}"
    );
}

async fn row(app: &TestApp, from: &str) -> Json {
    let list = app.get(PATH).await.is(200).json();
    let list = list["redirects"].as_array().unwrap().iter();
    let mut rows = list.filter(|row| row["from"] == from);
    rows.next().cloned().unwrap_or(Json::Null)
}

#[tokio::test]
async fn an_address_that_the_admin_redirects_follows_the_article_and_gives_way_to_a_page() {
    let app = TestApp::start().await;
    let id = article(&app, "uno").await;
    let made = app
        .put(PATH, &json!({ "from": "/Volantino/", "to": "/blog/uno" }))
        .await;
    let made = made.is(200).json();
    assert_eq!(
        (&made["from"], &made["to"], &made["madeBy"], &made["gone"]),
        (
            &json!("/volantino"),
            &json!("/blog/uno"),
            &json!("admin"),
            &json!(false)
        )
    );
    leads(&app, "/Volantino", "/blog/uno").await;
    leads(&app, "/Volantino/", "/blog/uno").await;
    leads(&app, "/Volantino.", "/blog/uno").await;
    // A chain of renamed slugs is one redirect.
    rename(&app, &id, "due").await;
    rename(&app, &id, "tre").await;
    for from in ["/volantino", "/blog/uno", "/blog/due"] {
        leads(&app, from, "/blog/tre").await;
    }
    assert_eq!(row(&app, "/blog/uno").await["madeBy"], "slugChange");
    assert_eq!(row(&app, "/testimonials").await["madeBy"], "page");
    // The admin's redirect of an address is stronger than that of a former slug.
    let own = json!({ "from": "/blog/uno", "to": "/servizi?x=y" });
    app.put(PATH, &own).await.is(200);
    leads(&app, "/blog/uno", "/servizi?x=y").await;
    // A page that exists is stronger than both.
    let other = article(&app, "uno").await;
    assert_eq!(app.visit("/blog/uno").await.status, 200);
    assert_eq!(row(&app, "/blog/uno").await["isPage"], true);
    app.delete(&format!("/api/admin/blog/{other}")).await;
    leads(&app, "/blog/uno", "/servizi?x=y").await;
    let gone = app.delete(&format!("{PATH}?from=%2Fblog%2Funo")).await;
    assert_eq!(gone.status, 204);
    app.delete(&format!("{PATH}?from=%2Fblog%2Funo"))
        .await
        .is(404);
    app.delete(&format!("{PATH}?from=%06uno")).await.is(404);
    // Regression: without the address the answer was plain text.
    let unnamed = app.delete(PATH).await.is(400);
    assert_eq!(unnamed.header("content-type"), "application/problem+json");
    // An article that was deleted and one that is hidden lead nowhere.
    app.put(
        &format!("/api/admin/blog/{id}"),
        &json!({ "published": false }),
    )
    .await
    .is(200);
    assert_eq!(app.visit("/Volantino").await.status, 404);
    assert!(row(&app, "/volantino").await["to"].is_null());
}

#[tokio::test]
async fn removed_content_is_410_with_the_sites_own_page() {
    let app = TestApp::start().await;
    let own = json!({ "from": "/corso-2019", "gone": true });
    app.put(PATH, &own).await.is(200);
    for path in ["/corso-2019", "/corso-2019/", "/Corso-2019"] {
        let gone = app.visit(path).await;
        assert_eq!(gone.status, 410, "{path}");
        assert!(gone.text().contains("404 Page Not Found"), "{path}");
    }
    let again = json!({ "from": "/corso-2019", "to": "/eventi" });
    app.put(PATH, &again).await.is(200);
    leads(&app, "/corso-2019", "/eventi").await;
}

#[tokio::test]
async fn redirects_form_no_chain_and_no_loop() {
    let app = TestApp::start().await;
    let id = article(&app, "uno").await;
    for (from, to) in [
        ("/a", "/blog/uno"),
        ("/b", "/a"),
        ("/c", "/b"),
        ("/d", "/feed.xml"),
    ] {
        let own = json!({ "from": from, "to": to });
        app.put(PATH, &own).await.is(200);
    }
    for from in ["/a", "/b", "/c"] {
        leads(&app, from, "/blog/uno").await;
    }
    app.delete(&format!("{PATH}?from=/a")).await;
    leads(&app, "/c", "/blog/uno").await;
    for (from, to, field) in [
        ("/e", "/e", "to"),
        ("/e", "/nulla", "to"),
        ("/e", "https://evil.test/", "to"),
        ("/e", "//evil.test/", "to"),
        ("/e", "/eventi?a=\nb", "to"),
        ("/", "/eventi", "from"),
        ("/eventi", "/servizi", "from"),
        ("/blog/uno", "/servizi", "from"),
        ("/api/site", "/servizi", "from"),
        ("/admin/x", "/servizi", "from"),
        ("/assets/x", "/servizi", "from"),
        ("/x?y=1", "/servizi", "from"),
        ("x", "/servizi", "from"),
        ("//x", "/servizi", "from"),
        ("/x%", "/servizi", "from"),
        ("/a b", "/servizi", "from"),
    ] {
        let refused = app.put(PATH, &json!({ "from": from, "to": to })).await;
        let refused = refused.is(422).json();
        assert_eq!(refused["errors"][0]["field"], field, "{from} {to}");
    }
    app.put(PATH, &json!({ "from": "/x", "to": 7 }))
        .await
        .is(422);
    // Pages that vanish and redirect to each other answer 404, not for ever.
    let other = article(&app, "due").await;
    let hide = |id: String| {
        let (app, path) = (&app, format!("/api/admin/blog/{id}"));
        async move { app.put(&path, &json!({ "published": false })).await.is(200) }
    };
    hide(id.clone()).await;
    app.put(PATH, &json!({ "from": "/blog/uno", "to": "/blog/due" }))
        .await
        .is(200);
    hide(other).await;
    app.put(
        &format!("/api/admin/blog/{id}"),
        &json!({ "published": true }),
    )
    .await
    .is(200);
    app.put(PATH, &json!({ "from": "/blog/due", "to": "/blog/uno" }))
        .await
        .is(200);
    leads(&app, "/blog/due", "/blog/uno").await;
    hide(id).await;
    assert_eq!(app.visit("/blog/due").await.status, 404);
    let visitor = app.by(&app.visitor, "GET", PATH, None).await;
    visitor.is(401);
}

/// Regression: an article that came back from the trash with a numbered slug left its public
/// address to a 404, while a draft had the slug.
#[tokio::test]
async fn the_public_address_of_an_article_leads_to_it_after_the_trash_renumbered_it() {
    let app = TestApp::start().await;
    let id = article(&app, "uno").await;
    app.delete(&format!("/api/admin/blog/{id}")).await;
    app.create(
        blog(),
        "altro",
        json!({ "slug": "uno", "published": false }),
    )
    .await;
    let path = format!("/api/admin/trash/{id}/restore");
    app.post(&path, &json!({})).await.is(200);
    leads(&app, "/blog/uno", "/blog/uno-2").await;
}

/// Opens a path as a visitor with a browser does; `way` selects the fast path or the routes.
async fn seek(app: &TestApp, path: &str, way: &[(&'static str, &'static str)]) -> Answer {
    let agent = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0";
    let mut request = app.visitor.get(app.url(path));
    let browser = [("user-agent", agent), ("accept-language", "it-IT")];
    for (name, value) in browser.iter().chain(way) {
        request = request.header(name, *value);
    }
    answer(request).await
}

async fn missing(app: &TestApp) -> Vec<(String, u64)> {
    let list = app.get(PATH).await.is(200).json();
    let rows = list["missing"].as_array().unwrap().iter();
    rows.map(|row| {
        let day = row["lastDay"].as_str().unwrap();
        assert_eq!(day.len(), "2026-11-28".len());
        (
            row["path"].as_str().unwrap().to_owned(),
            row["count"].as_u64().unwrap(),
        )
    })
    .collect()
}

#[tokio::test]
async fn what_visitors_sought_and_did_not_find_is_counted_until_it_leads_somewhere() {
    let app = TestApp::start().await;
    for way in [&[][..], &[("te", "trailers")]] {
        for path in [
            "/Chi-Siamo",
            "/chi-siamo/",
            "/perch%C3%A9",
            "/listino.pdf?x=1",
        ] {
            assert_eq!(seek(&app, path, way).await.status, 404, "{path}");
        }
        // Pages, redirects, addresses of the program, those that name a person, and attacks.
        for path in [
            "/eventi",
            "/Eventi/",
            "/testimonials",
            "/api/nulla",
            "/admin/nulla",
            "/newsletter/conferma/segreto",
            "/testimonianza/segreto",
            "/anteprima/segreto",
            "/objects/uploads/x",
            "/anna@example.com",
            "/tel/3331234567",
            "/wp-login.php",
            "/.env",
            "/evento/%3Cscript%3E",
        ] {
            seek(&app, path, way).await;
        }
        // Neither a prefetch nor a visitor who asked not to be counted nor a program.
        for more in [
            ("purpose", "prefetch"),
            ("dnt", "1"),
            ("cookie", "respiro-session=x"),
        ] {
            seek(&app, "/mai", &[way, &[more]].concat()).await;
        }
        app.visit("/mai").await;
    }
    let expected = [("/chi-siamo", 4), ("/listino.pdf", 2), ("/perché", 2)];
    let mut found = missing(&app).await;
    found.sort();
    assert_eq!(
        found,
        expected.map(|(path, count)| (path.to_owned(), count))
    );
    // Nothing about the visitors is stored, and they are no visitors of pages.
    let statistics = app.get("/api/admin/statistics").await.json();
    assert_eq!(statistics["sum"]["views"], 2, "/eventi in both ways");
    app.put(PATH, &json!({ "from": "/chi-siamo", "to": "/chi-sono" }))
        .await
        .is(200);
    leads(&app, "/Chi-Siamo", "/chi-sono").await;
    assert_eq!(missing(&app).await.len(), 2);
    let app = app.restart().await;
    assert_eq!(missing(&app).await.len(), 2, "kept over a restart");
    let visitor = app
        .by(&app.visitor, "DELETE", "/api/admin/missing-paths", None)
        .await;
    visitor.is(401);
    app.delete("/api/admin/missing-paths").await.is(204);
    assert_eq!(missing(&app).await, []);
}

#[tokio::test]
async fn with_counting_off_no_address_is_counted() {
    let app = TestApp::start().await;
    let off = json!({ "counting": false });
    app.put("/api/admin/statistics", &off).await.is(200);
    seek(&app, "/vecchia", &[]).await;
    assert_eq!(missing(&app).await, []);
}
