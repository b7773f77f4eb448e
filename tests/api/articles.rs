//! Tests of pictures inside an article: kept as in use, sized in the page, and complete in the
//! feed.

use crate::helpers::{DAY, TestApp, encode, png, trusted};
use image::{ImageFormat, Rgb, RgbImage};
use respiro_content::{Collection, collection_by_slug};
use serde_json::{Value as Json, json};

fn blog() -> &'static Collection {
    collection_by_slug("blog").unwrap()
}

async fn sweep(app: &TestApp) {
    let now = app.running.app.now();
    let swept = app
        .running
        .app
        .change(move |writer| Ok(writer.apply_retention(&trusted(now))?));
    swept.await.unwrap();
}

async fn article(app: &TestApp, content: &str) -> Json {
    let fields = json!({ "published": true, "content": content, "imageUrl": null });
    app.create(blog(), "uno", fields).await
}

#[tokio::test]
async fn a_picture_of_a_text_is_shown_sized_told_to_engines_and_whole_in_the_feed() {
    let app = TestApp::start().await;
    let wide = RgbImage::from_pixel(700, 350, Rgb([90, 120, 120]));
    let path = app.upload(encode(wide, ImageFormat::Png)).await;
    let text =
        format!("## Uno\n\n![Il lago]({path}#20,80 \"Alba\")\n\n[Vieni](/eventi \"pulsante\")");
    let item = article(&app, &text).await;
    assert_eq!(item["content"], text, "kept as it was written");
    let slug = item["slug"].as_str().unwrap();
    let page = app.visit(&format!("/blog/{slug}")).await.is(200).text();
    for part in [
        format!("srcset=\"{path}/320.webp 320w"),
        "width=\"700\" height=\"350\" data-x=\"2\" data-y=\"8\"".to_owned(),
        "loading=\"lazy\"".to_owned(),
        "<figcaption>Alba</figcaption>".to_owned(),
        "<a data-button=\"\" href=\"/eventi\">".to_owned(),
    ] {
        assert!(page.contains(&part), "{part}");
    }
    // Regression: the structured data named only the cover picture.
    let told = page.split("\"@type\":\"Article\"").nth(1).unwrap();
    let told = told.split("</script>").next().unwrap();
    let image = format!("\"image\":[\"{}{path}/700.jpg\"]", app.running.public_url);
    assert!(told.contains(&image), "{told}");
    let feed = app.visit("/feed.xml").await.is(200).text();
    let address = format!("src=&quot;{}{path}/700.jpg&quot;", app.running.public_url);
    assert!(
        feed.contains(&address) || feed.contains(&address.replace("&quot;", "\"")),
        "{feed}"
    );
}

#[tokio::test]
async fn a_picture_of_a_text_is_in_use_as_long_as_its_article_is_there() {
    let app = TestApp::start().await;
    let (kept, unused) = (app.upload(png("a")).await, app.upload(png("b")).await);
    let item = article(&app, &format!("Ciao.\n\n![a]({kept}#1,2)\n![]({kept})")).await;
    let path = format!("/api/admin/blog/{}", item["id"].as_str().unwrap());
    app.let_time_pass(2 * DAY);
    app.sign_in(&app.admin).await.is(200);
    sweep(&app).await;
    app.visit(&kept).await.is(200);
    app.visit(&unused).await.is(404);
    app.running.app.site.store().verified_snapshot().unwrap();

    app.delete(&path).await.is(204);
    app.visit(&kept).await.is(404);
    assert_eq!(
        app.get(&kept).await.status,
        200,
        "who signed in sees the trash"
    );
    app.delete(&format!(
        "/api/admin/trash/{}",
        item["id"].as_str().unwrap()
    ))
    .await
    .is(204);
    app.get(&kept).await.is(404);
}

#[tokio::test]
async fn a_picture_that_left_the_text_stays_for_its_history_and_goes_with_the_article() {
    let app = TestApp::start().await;
    let picture = app.upload(png("a")).await;
    let item = article(&app, &format!("![a]({picture})")).await;
    let path = format!("/api/admin/blog/{}", item["id"].as_str().unwrap());
    let gone = format!("/objects/uploads/{}", "z".repeat(26));
    let body = json!({ "content": format!("![a]({gone})") });
    let problem = app.put(&path, &body).await.is(422).json();
    assert_eq!(problem["errors"][0]["field"], "content");
    app.put(&path, &json!({ "content": "Senza." }))
        .await
        .is(200);
    app.let_time_pass(2 * DAY);
    app.sign_in(&app.admin).await.is(200);
    sweep(&app).await;
    // The history can bring the text back.
    app.visit(&picture).await.is(200);
    app.delete(&path).await.is(204);
    app.delete("/api/admin/trash").await.is(204);
    sweep(&app).await;
    app.visit(&picture).await.is(404);
}
