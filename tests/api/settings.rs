//! Tests of the site settings and of the program's status.

use crate::helpers::{NASTY, TestApp, png};
use serde_json::{Value as Json, json};

#[tokio::test]
async fn settings_keep_what_is_not_named_and_show_on_the_public_side() {
    let app = TestApp::start().await;
    let before = app.get("/api/admin/settings").await.is(200).json();
    assert_eq!(before["phone"], json!(null));
    let after = app
        .put("/api/admin/settings", &json!({ "phone": "+39000000000" }))
        .await
        .is(200)
        .json();
    let mut expected = before;
    expected["phone"] = json!("+39000000000");
    expected["phoneShown"] = json!("+39 000 000 000");
    assert_eq!(after, expected);
    assert_eq!(
        app.visit("/api/site").await.is(200).json()["phone"],
        "+39000000000"
    );
    let app = app.restart().await;
    assert_eq!(app.get("/api/admin/settings").await.json(), expected);
}

#[tokio::test]
async fn wrong_settings_are_named_and_change_nothing() {
    let app = TestApp::start().await;
    let before = app.get("/api/admin/settings").await.json();
    for (name, value) in [
        ("phone", json!(5)),
        ("email", json!("x")),
        ("socialUrl", json!("javascript:alert(1)")),
        ("brand", json!("x".repeat(201))),
        ("brand", json!("a\u{7}")),
        ("portraitImage", json!("/etc/passwd")),
        (
            "portraitImage",
            json!(format!("/objects/uploads/{}", "a".repeat(26))),
        ),
    ] {
        let answer = app
            .put("/api/admin/settings", &json!({ name: value }))
            .await
            .is(422);
        assert_eq!(answer.json()["errors"][0]["field"], name);
    }
    assert_eq!(app.get("/api/admin/settings").await.json(), before);
    for nasty in NASTY {
        let answer = app
            .put("/api/admin/settings", &json!({ "brand": nasty }))
            .await
            .is(200);
        let seen = nasty.replace(['\u{202e}', '\u{feff}'], "");
        assert_eq!(answer.json()["brand"], seen);
    }
}

/// Regression: the tax number was checked only once the other fields were right.
#[tokio::test]
async fn all_wrong_settings_are_named_at_once() {
    let app = TestApp::start().await;
    let wrong = json!({
        "phone": "12",
        "email": "nome@gmail",
        "vatNumber": "0123456789",
        "newsletterReply": "a..b@example.org",
    });
    let answer = app.put("/api/admin/settings", &wrong).await.is(422).json();
    let errors = answer["errors"].as_array().unwrap();
    let fields: Vec<_> = errors.iter().map(|error| &error["field"]).collect();
    assert_eq!(fields, ["phone", "email", "newsletterReply", "vatNumber"]);
}

/// Regression: such an address was accepted, and the newsletter then had no reply address at all.
#[tokio::test]
async fn answers_to_a_newsletter_go_where_every_program_can_send_them() {
    let app = TestApp::start().await;
    let path = "/api/admin/settings";
    for wrong in ["à@è.it", "à@example.org", "a..b@example.org"] {
        let refused = app.put(path, &json!({ "newsletterReply": wrong })).await;
        let refused = refused.is(422).json();
        assert_eq!(refused["errors"][0]["field"], "newsletterReply", "{wrong}");
        let message = refused["errors"][0]["message"].as_str().unwrap();
        assert!(message.contains("senza accenti"), "{message}");
    }
    // Programs receive an accented domain in its ASCII form.
    for good in ["anna@example.org", "anna@è.it"] {
        let good = json!({ "newsletterReply": good });
        app.put(path, &good).await.is(200);
    }
    app.put(path, &json!({ "newsletterReply": "" }))
        .await
        .is(200);
}

#[tokio::test]
async fn a_settings_picture_comes_whole_beside_its_path() {
    let app = TestApp::start().await;
    let path = app.upload(png("ritratto")).await;
    let answer = app
        .put("/api/admin/settings", &json!({ "portraitImage": path }))
        .await
        .is(200);
    let settings = answer.json();
    assert_eq!(settings["portraitImage"], path);
    assert_eq!(settings["portraitImagePicture"]["width"], 48);
    assert_eq!(settings["heroImageOnePicture"], json!(null));
    assert_eq!(
        app.visit("/api/site").await.json()["portraitImage"]["url"],
        path
    );
}

// Regression: the site's own pictures were always cropped around their centre.
#[tokio::test]
async fn the_point_of_a_settings_picture_is_kept_and_shown_to_visitors_with_the_picture_alone() {
    let app = TestApp::start().await;
    let path = app.upload(png("ritratto")).await;
    let chosen =
        json!({ "portraitImage": path, "portraitImageFocusX": 20, "portraitImageFocusY": 90 });
    let settings = app.put("/api/admin/settings", &chosen).await.is(200).json();
    assert_eq!(settings["portraitImageFocusX"], 20);
    assert_eq!(settings["portraitImagePicture"]["focusY"], 90);
    assert_eq!(settings["heroImageOneFocusX"], 50);
    let site = app.visit("/api/site").await.json();
    assert_eq!(site["portraitImage"]["focusX"], 20);
    assert_eq!(site["portraitImage"]["focusY"], 90);
    assert_eq!(site.get("portraitImageFocusX"), None);
    let outside = json!({ "portraitImageFocusX": 101 });
    let refused = app
        .put("/api/admin/settings", &outside)
        .await
        .is(422)
        .json();
    assert_eq!(refused["errors"][0]["field"], "portraitImageFocusX");
}

#[tokio::test]
async fn the_status_says_what_is_there_and_what_is_missing() {
    let app = TestApp::start().await;
    app.upload(png("a")).await;
    let status = app.get("/api/admin/status").await.is(200).json();
    assert_eq!(status["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(status["demo"], false);
    assert_eq!(status["data"]["pictures"], 1);
    assert!(status["data"]["bytes"].as_u64().unwrap() > 0);
    assert!(
        status["missingSettings"]
            .as_array()
            .unwrap()
            .contains(&json!("phone"))
    );
    assert_eq!(status["publish"]["ok"], true);
}

#[tokio::test]
async fn health_and_the_file_icon_are_public() {
    let app = TestApp::start().await;
    let health = app.visit("/healthz").await;
    assert_eq!((health.status, health.text().as_str()), (200, "ok"));
    let icon = app.visit("/api/file-icon").await;
    assert_eq!(icon.header("content-type"), "image/svg+xml");
    assert!(icon.text().starts_with("<svg"));
}

/// Regression: `333 12 34 567` was stored as typed, and the page's link led to a number that does
/// not exist.
#[tokio::test]
async fn telephone_numbers_are_kept_whole_and_shown_in_groups() {
    let app = TestApp::start().await;
    let numbers = json!({ "phone": "079 123 45 67", "whatsapp": "333 12 34 567" });
    let kept = app
        .put("/api/admin/settings", &numbers)
        .await
        .is(200)
        .json();
    assert_eq!(kept["phone"], "+41791234567");
    assert_eq!(kept["whatsapp"], "+393331234567");
    let page = app.visit("/contatti").await.is(200).text();
    for part in [
        "tel:+41791234567",
        "+41 79 123 45 67",
        "https://wa.me/393331234567?",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for (wrong, message) in [
        (
            "091 1234567",
            "Manca il prefisso del Paese: Italia (+39) o Svizzera (+41)?",
        ),
        (
            "333 12",
            "Il campo «Telefono» non è un numero che si può chiamare: controlla le cifre",
        ),
        (
            "chiamami",
            "Il campo «Telefono» non è un numero che si può chiamare: controlla le cifre",
        ),
    ] {
        let answer = app
            .put("/api/admin/settings", &json!({ "phone": wrong }))
            .await
            .is(422)
            .json();
        assert_eq!(answer["errors"][0]["message"], message, "{wrong}");
    }
    let read = app
        .post(
            "/api/admin/understand-phone",
            &json!({ "phone": "091 1234567" }),
        )
        .await
        .is(200)
        .json();
    assert_eq!(read["reading"], json!(null));
    assert_eq!(read["choices"][1]["text"], "+41 91 123 45 67");
    let wrong = json!({ "vatNumber": "0123456789" });
    let answer = app.put("/api/admin/settings", &wrong).await.is(422).json();
    assert_eq!(answer["errors"][0]["field"], "vatNumber");
    let right = json!({ "vatNumber": "P. IVA 01234567897" });
    let saved = app.put("/api/admin/settings", &right).await.is(200).json();
    assert_eq!(saved["vatNumber"], "P. IVA 01234567897", "as typed");
    let several = json!({ "phone": "\u{202a}333 1234567\u{202c} (cell) / 031 123456" });
    let read = app
        .post("/api/admin/understand-phone", &several)
        .await
        .is(200)
        .json();
    assert_eq!(read["question"], "Qui sta un numero solo: quale?");
    assert_eq!(read["choices"][1]["text"], "+39 031 123 456");
}

/// Without an answer robots.txt stays as it was, byte for byte.
#[tokio::test]
async fn robots_txt_refuses_ai_training_only_when_asked_to() {
    let app = TestApp::start().await;
    let site = &app.running.public_url;
    let unchanged = format!(
        "User-agent: *\nDisallow: /admin\nDisallow: /api/\n\nSitemap: {site}/sitemap.xml\n"
    );
    let robots = async || app.visit("/robots.txt").await.is(200).text();
    let answer = async |answer: Json| {
        let body = json!({ "aiCrawlers": answer });
        app.put("/api/admin/settings", &body).await
    };
    assert_eq!(robots().await, unchanged);
    answer(json!("Possono citarti, non addestrarsi"))
        .await
        .is(200);
    let refusing = robots().await;
    assert!(
        refusing.starts_with("User-agent: *\nDisallow: /admin\n"),
        "{refusing}"
    );
    assert!(refusing.contains("User-agent: GPTBot\n"), "{refusing}");
    assert_eq!(refusing.matches("Disallow: /\n").count(), 1, "{refusing}");
    let refused = answer(json!("User-agent: *\nDisallow: /")).await.is(422);
    assert_eq!(refused.json()["errors"][0]["field"], "aiCrawlers");
    let public = app.visit("/api/site").await.json();
    assert_eq!(public.get("aiCrawlers"), None, "no page carries it");
    answer(json!("Nessuna indicazione")).await.is(200);
    assert_eq!(robots().await, unchanged);
    answer(Json::Null).await.is(200);
    assert_eq!(robots().await, unchanged);
}
