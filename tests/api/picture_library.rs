//! Tests of stored pictures that are chosen again, of the list of their places, and of their edits.

use crate::accounts::join_as;
use crate::helpers::{DAY, TestApp, answer, client, encode, png, trusted};
use image::{GenericImageView as _, ImageFormat, Rgb, RgbImage};
use respiro_content::collection_by_slug;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;

const HERO: &str = "/api/admin/words/home.hero";

/// Returns a picture whose quarters differ: red, green, blue and white, clockwise from the upper left.
fn quarters(format: ImageFormat) -> Vec<u8> {
    let picture = RgbImage::from_fn(800, 400, |x, y| match (x < 400, y < 200) {
        (true, true) => Rgb([220, 20, 20]),
        (false, true) => Rgb([20, 200, 20]),
        (false, false) => Rgb([20, 20, 220]),
        (true, false) => Rgb([250, 250, 250]),
    });
    encode(picture, format)
}

async fn photo(app: &TestApp, path: &str, fields: Json) -> String {
    let mut body = json!({ "imageUrl": path });
    for (name, value) in fields.as_object().unwrap() {
        body[name] = value.clone();
    }
    let made = app.post("/api/admin/photo-gallery", &body).await.is(201);
    made.json()["id"].as_str().unwrap().to_owned()
}

async fn found(app: &TestApp, search: &str) -> Vec<String> {
    let path = format!("/api/admin/pictures?search={search}");
    let list = app.get(&path).await.is(200).json();
    let pictures = list["pictures"].as_array().unwrap().iter();
    pictures
        .map(|picture| picture["url"].as_str().unwrap().to_owned())
        .collect()
}

fn of(path: &str) -> String {
    path.replace("/objects/uploads/", "/api/admin/pictures/")
}

async fn edit(app: &TestApp, path: &str, edit: &Json) -> String {
    let answer = app.post(&format!("{}/edits", of(path)), edit).await.is(200);
    answer.json()["imageUrl"].as_str().unwrap().to_owned()
}

async fn picture_bytes(app: &TestApp) -> u64 {
    let status = app.get("/api/admin/status").await.is(200).json();
    status["data"]["pictureBytes"].as_u64().unwrap()
}

async fn sweep(app: &TestApp) {
    let now = trusted(app.running.app.now());
    let swept = app
        .running
        .app
        .change(move |writer| Ok(writer.apply_retention(&now)?));
    swept.await.unwrap();
}

#[tokio::test]
async fn a_picture_is_found_by_its_text_and_names_the_places_that_show_it() {
    let app = TestApp::start().await;
    let lake = app.upload(png("lago")).await;
    let wood = app.upload(png("bosco")).await;
    let unused = app.upload(png("mai")).await;
    let id = photo(
        &app,
        &lake,
        json!({ "title": "Ritiro", "imageAlt": "Il lago all’alba" }),
    )
    .await;
    photo(
        &app,
        &wood,
        json!({ "title": "Il bosco", "published": false }),
    )
    .await;
    let article = collection_by_slug("blog").unwrap();
    let text = format!("Parole\n\n![Una radura]({wood} \"Didascalia\")");
    let more = json!({ "content": text, "imageUrl": null, "title": "Camminare" });
    app.create(article, "uno", more).await;
    let mut hero = app.get(HERO).await.is(200).json()["value"].clone();
    hero["pictureOne"] = json!({ "path": lake, "alt": "Acqua ferma" });
    app.let_time_pass(60_000);
    app.put(HERO, &json!({ "value": hero })).await.is(200);

    assert_eq!(found(&app, "").await.len(), 2);
    assert_eq!(found(&app, "ALBA+lago").await, [&*lake]);
    assert_eq!(found(&app, "radura").await, [&*wood]);
    assert_eq!(found(&app, "camminare").await, [&*wood]);
    assert!(found(&app, "montagna").await.is_empty());
    let page = "/api/admin/pictures?limit=1&offset=1";
    let page = app.get(page).await.is(200).json();
    assert_eq!((&page["found"], &page["total"]), (&json!(2), &json!(2)));
    assert_eq!(page["pictures"].as_array().unwrap().len(), 1);

    let own = app.get(&of(&lake)).await.is(200).json();
    assert_eq!(own["alt"], "Acqua ferma", "the text that was written last");
    let gallery = json!({
        "is": "item", "kind": "photo-gallery", "id": id, "title": "Ritiro", "published": true,
    });
    let places = own["uses"].as_array().unwrap();
    assert!(places.contains(&gallery), "{places:?}");
    assert_eq!(places[1]["is"], "block");
    assert_eq!(places[1]["pages"], json!(["/"]));
    let own = app.get(&of(&wood)).await.is(200).json();
    let places: BTreeSet<_> = own["uses"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["kind"].as_str())
        .collect();
    assert_eq!(
        places,
        BTreeSet::from([Some("blog"), Some("photo-gallery")])
    );
    assert_eq!(
        app.get(&of(&unused)).await.is(200).json()["uses"],
        json!([])
    );
    assert_eq!(app.get(&of(&unused)).await.json()["isEdited"], json!(false));

    // The same bytes once more, and a crop: their text is known.
    for path in [
        app.upload(png("lago")).await,
        edit(&app, &lake, &json!({ "turns": 2 })).await,
    ] {
        let own = app.get(&of(&path)).await.is(200).json();
        assert_eq!(
            (&own["alt"], &own["uses"]),
            (&json!("Acqua ferma"), &json!([]))
        );
    }
}

#[tokio::test]
async fn a_picture_that_two_places_show_outlives_one_of_them_and_is_stored_once() {
    let app = TestApp::start().await;
    let path = app.upload(quarters(ImageFormat::Png)).await;
    let before = picture_bytes(&app).await;
    let first = photo(&app, &path, json!({ "imageAlt": "Il lago" })).await;
    let second = photo(&app, &path, json!({ "imageAlt": "Il lago" })).await;
    assert_eq!(picture_bytes(&app).await, before);
    app.delete(&format!("/api/admin/photo-gallery/{first}"))
        .await
        .is(204);
    app.delete("/api/admin/trash").await.is(204);
    app.let_time_pass(2 * DAY);
    sweep(&app).await;
    app.visit(&path).await.is(200);
    assert_eq!(found(&app, "lago").await, [&*path]);

    // What only the trash shows is not offered, and goes with it.
    app.delete(&format!("/api/admin/photo-gallery/{second}"))
        .await
        .is(204);
    assert!(found(&app, "").await.is_empty());
    let own = app.get(&of(&path)).await.is(200).json();
    assert_eq!(own["uses"][0]["is"], "trash");
    app.delete("/api/admin/trash").await.is(204);
    sweep(&app).await;
    app.visit(&path).await.is(404);
    assert_eq!(picture_bytes(&app).await, 0);
}

#[tokio::test]
async fn an_edit_turns_and_crops_what_is_served_and_keeps_the_original() {
    let app = TestApp::start().await;
    for format in [
        ImageFormat::Png,
        ImageFormat::Jpeg,
        ImageFormat::WebP,
        ImageFormat::Gif,
    ] {
        let path = app.upload(quarters(format)).await;
        // Turned clockwise, white is on the upper left and red on the upper right.
        let crop = json!({ "left": 5_000, "top": 0, "width": 5_000, "height": 5_000 });
        let edited = edit(&app, &path, &json!({ "turns": 1, "crop": crop })).await;
        assert_ne!(edited, path);
        let own = app.get(&of(&edited)).await.is(200).json();
        assert_eq!((&own["width"], &own["height"]), (&json!(200), &json!(400)));
        assert_eq!(own["isEdited"], json!(true));
        assert_eq!(own["edit"], json!({ "turns": 1, "crop": crop }));
        let shown = app.visit(&edited).await.is(200);
        let shown = image::load_from_memory(&shown.bytes).unwrap();
        assert_eq!(shown.dimensions(), (200, 400));
        let [red, green, ..] = shown.get_pixel(100, 200).0;
        assert!(red > 150 && green < 80, "{format:?}");
        for private in ["/edit", "/original", "/main"] {
            app.visit(&format!("{edited}{private}")).await.is(404);
        }

        // The same edit is not made again, and an empty one leads back.
        assert_eq!(
            edit(&app, &path, &json!({ "turns": 1, "crop": crop })).await,
            edited
        );
        assert_eq!(edit(&app, &edited, &json!({})).await, path);
        let whole = json!({ "left": 0, "top": 0, "width": 10_000, "height": 10_000 });
        assert_eq!(
            edit(&app, &edited, &json!({ "turns": 0, "crop": whole })).await,
            path
        );
    }
}

/// The original, once; the smaller pictures of the crop beside it.
#[tokio::test]
async fn an_edit_does_not_store_the_original_again_and_outlives_the_picture_it_was_made_of() {
    let app = TestApp::start().await;
    let mut seed = 7_u32;
    let noise = RgbImage::from_fn(400, 400, |_, _| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Rgb([seed.to_be_bytes()[0], seed.to_be_bytes()[1], 9])
    });
    let original = encode(noise, ImageFormat::Png);
    let original_bytes = original.len() as u64;
    let path = app.upload(original).await;
    let before = picture_bytes(&app).await;
    let crop = json!({ "left": 0, "top": 0, "width": 2_500, "height": 2_500 });
    let edited = edit(&app, &path, &json!({ "crop": crop })).await;
    let added = picture_bytes(&app).await - before;
    assert!(added < original_bytes / 2, "{added} of {original_bytes}");
    let id = photo(&app, &edited, json!({ "imageAlt": "Un dettaglio" })).await;
    app.let_time_pass(2 * DAY);
    sweep(&app).await;
    app.visit(&path).await.is(404);
    app.visit(&edited).await.is(200);
    app.visit(&format!("{edited}/social.jpg")).await.is(200);
    // Its original is made anew of the bytes that stayed.
    let back = edit(&app, &edited, &json!({})).await;
    let own = app.get(&of(&back)).await.is(200).json();
    assert_eq!((&own["width"], &own["height"]), (&json!(400), &json!(400)));
    assert_eq!(own["bytes"]["original"], json!(original_bytes));
    // An unused one that is asked for again is kept for another day.
    app.let_time_pass(DAY - 60_000);
    assert_eq!(edit(&app, &edited, &json!({})).await, back);
    app.let_time_pass(DAY / 2);
    sweep(&app).await;
    app.visit(&back).await.is(200);
    // A backup has the crop and its original. It asks for a fresh sign-in.
    app.sign_in(&app.admin).await.is(200);
    let copy = app.get("/api/admin/backup").await.is(200);
    app.delete(&format!("/api/admin/photo-gallery/{id}"))
        .await
        .is(204);
    app.delete("/api/admin/trash").await.is(204);
    app.let_time_pass(2 * DAY);
    sweep(&app).await;
    app.get(&of(&edited)).await.is(404);
    let inspect = app.admin.post(app.url("/api/admin/restore/inspect"));
    app.sign_in(&app.admin).await.is(200);
    let inside = answer(inspect.body(copy.bytes)).await.is(200).json();
    let restore = json!({ "token": inside["token"] });
    app.post("/api/admin/restore", &restore).await.is(200);
    app.visit(&edited).await.is(200);
    let own = app.get(&of(&edited)).await.is(200).json();
    assert_eq!(
        (&own["edit"]["crop"], &own["uses"][0]["id"]),
        (&crop, &json!(id))
    );
    let back = edit(&app, &edited, &json!({})).await;
    let own = app.get(&of(&back)).await.is(200).json();
    assert_eq!((&own["width"], &own["height"]), (&json!(400), &json!(400)));
}

#[tokio::test]
async fn an_edit_outside_of_the_picture_is_refused() {
    let app = TestApp::start().await;
    let path = app.upload(png("a")).await;
    let edits = format!("{}/edits", of(&path));
    let crop = |left: Json, width: Json| json!({ "crop": { "left": left, "top": 0, "width": width, "height": 10_000 } });
    for wrong in [
        crop(json!(1), json!(10_000)),
        crop(json!(9_900), json!(200)),
        crop(json!(-1), json!(5_000)),
        crop(json!(0), json!(0)),
        crop(json!(0), json!(199)),
        crop(json!(0.5), json!(5_000)),
        crop(json!("0"), json!(5_000)),
        crop(json!(70_000), json!(5_000)),
        json!({ "crop": { "left": 0, "top": 0, "width": 5_000 } }),
        json!({ "crop": [0, 0, 5_000, 5_000] }),
        json!({ "crop": "tutto" }),
        json!({ "turns": 4 }),
        json!({ "turns": -1 }),
        json!({ "turns": 256 }),
        json!({ "turns": "1" }),
    ] {
        app.post(&edits, &wrong).await.is(422);
    }
    let missing = "/api/admin/pictures/aaaaaaaaaaaaaaaaaaaaaaaaaa";
    app.post(&format!("{missing}/edits"), &json!({ "turns": 1 }))
        .await
        .is(404);
    app.get(missing).await.is(404);
    for wrong in ["limit=0", "limit=101", "limit=x", "offset=-1"] {
        app.get(&format!("/api/admin/pictures?{wrong}"))
            .await
            .is(400);
    }
    let nobody = client(false);
    for (method, path) in [
        ("GET", "/api/admin/pictures"),
        ("GET", &*of(&path)),
        ("POST", &*edits),
    ] {
        app.by(&nobody, method, path, Some(&json!({})))
            .await
            .is(401);
    }
    assert_eq!(
        app.get("/api/admin/status").await.json()["data"]["pictures"],
        json!(1)
    );
}

#[tokio::test]
async fn an_editor_chooses_and_crops_but_sees_no_picture_of_a_newsletter() {
    let app = TestApp::start().await;
    let editor = join_as(&app, "bruno@example.com", "editor").await;
    let secret = app.upload(png("lettera")).await;
    let shared = app.upload(png("lago")).await;
    photo(&app, &shared, json!({ "imageAlt": "Il lago" })).await;
    let text = format!("![Per i soli iscritti]({secret})\n\n![Anche qui]({shared})");
    let letter = json!({ "title": "Auguri", "subject": "Auguri", "content": text });
    app.post("/api/admin/newsletters", &letter).await.is(201);
    assert_eq!(found(&app, "").await.len(), 2);
    let seen = app
        .by(&editor, "GET", "/api/admin/pictures", None)
        .await
        .is(200)
        .json();
    assert_eq!(seen["total"], json!(1));
    assert_eq!(seen["pictures"][0]["url"], json!(shared));
    assert_eq!(seen["pictures"][0]["uses"].as_array().unwrap().len(), 1);
    let hidden = app
        .by(&editor, "GET", &of(&secret), None)
        .await
        .is(200)
        .json();
    assert_eq!(
        (&hidden["uses"], &hidden["alt"]),
        (&json!([]), &json!(null))
    );
    let body = json!({ "turns": 2 });
    let edits = format!("{}/edits", of(&shared));
    app.by(&editor, "POST", &edits, Some(&body)).await.is(200);
}
