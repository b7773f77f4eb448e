//! Tests of content blocks: read, validate, save, restore, and preview before publication.

use crate::helpers::{DAY, NASTY, PAGES, TestApp, png, trusted};
use respiro::ui_assets;
use respiro_content::blocks::{Attestation, Strictness, validate};
use respiro_content::time::{format_day, parse_rfc3339};
use respiro_publish::static_export::{self, Names};
use serde_json::{Value as Json, json};

const QUOTE: &str = "/api/admin/words/home.quote";
const BIOGRAPHY: &str = "/api/admin/words/chi-sono.biography";
const HERO: &str = "/api/admin/words/home.hero";

/// Returns the block's value with one member replaced.
fn with(block: &Json, name: &str, value: Json) -> Json {
    let mut changed = block["value"].clone();
    changed[name] = value;
    json!({ "value": changed })
}

/// Returns the biography with all statements to attest rewritten.
fn rewritten(biography: &Json) -> Json {
    let mut value = biography["value"].clone();
    value["pullQuote"] = json!("Parole mie, e vere.");
    value["text"] = json!("La mia storia.\n\nDetta da me.");
    json!({ "value": value })
}

#[test]
fn every_default_passes_the_checks_and_stays_as_it_is() {
    for block in &ui_assets::block_definitions().unwrap().list {
        let mut new_id = || None;
        let kept = validate(block, &block.default, Strictness::Published, &mut new_id);
        assert_eq!(kept.as_ref(), Ok(&block.default), "{}", block.id);
    }
}

#[tokio::test]
async fn a_block_is_listed_read_changed_and_goes_back_to_its_default() {
    let app = TestApp::start().await;
    let list = app.get("/api/admin/words").await.is(200).json();
    let ids: Vec<&str> = list["blocks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|b| b["id"].as_str().unwrap())
        .collect();
    for id in [
        "home.hero",
        "home.intro",
        "home.quote",
        "chi-sono.biography",
        "chi-sono.timeline",
        "servizi.offers",
        "servizi.expectations",
        "pricing.packages",
        "booking.cards",
        "rebirthing.stress",
        "flip-cards.business",
        "benefits.physical",
        "contatti.faq",
        "blog.categories",
        "footer.certificate",
        "legal.privacy",
        "seo.home",
    ] {
        assert!(ids.contains(&id), "{id}");
    }
    let answer = app.get(HERO).await.is(200);
    let block = answer.json();
    assert_eq!(
        answer.header("etag"),
        format!("\"{}\"", block["version"].as_str().unwrap())
    );
    assert_eq!(
        (&block["changed"], &block["hidden"], &block["updatedAt"]),
        (&json!(false), &json!(false), &Json::Null)
    );
    let saved = app
        .put(HERO, &with(&block, "title", json!("Respira con me")))
        .await
        .is(200)
        .json();
    assert_eq!(
        (&saved["changed"], &saved["value"]["title"]),
        (&json!(true), &json!("Respira con me"))
    );
    assert_ne!(saved["version"], block["version"]);
    let page = app.visit("/").await.is(200).text();
    assert!(page.contains("<h1>Respira con me</h1>"));
    let back = app
        .put(HERO, &json!({ "value": null }))
        .await
        .is(200)
        .json();
    assert_eq!(
        (&back["changed"], &back["value"]),
        (&json!(false), &block["default"])
    );
    app.get("/api/admin/words/home.nowhere").await.is(404);
    app.put("/api/admin/words/home.nowhere", &json!({}))
        .await
        .is(404);
}

#[tokio::test]
async fn an_unknown_block_among_others_is_named_and_nothing_is_saved() {
    let app = TestApp::start().await;
    let block = app.get(HERO).await.json();
    let changed = with(&block, "title", json!("Altro titolo"));
    let body = json!({ "blocks": { "home.hero": changed, "home.nowhere": {} } });
    for path in ["/api/admin/words", "/api/admin/words/preview"] {
        let mut body = body.clone();
        body["page"] = json!("/");
        let call = if path.ends_with("preview") {
            app.post(path, &body).await
        } else {
            app.put(path, &body).await
        };
        assert_eq!(call.is(422).json()["errors"][0]["field"], "home.nowhere");
    }
    assert_eq!(app.get(HERO).await.json()["value"], block["value"]);
}

/// Regression: the saving of a package with an unknown offer left the page without a word.
#[tokio::test]
async fn a_package_names_only_offers_that_exist() {
    let app = TestApp::start().await;
    let (packages, offers) = (
        "/api/admin/words/pricing.packages",
        "/api/admin/words/servizi.offers",
    );
    let block = app.get(packages).await.json();
    let mut value = block["value"].clone();
    value["packages"][0]["parts"][0]["offer"] = json!("nessuna");
    let alone = app.put(packages, &json!({ "value": value })).await.is(422);
    let together = json!({ "blocks": { "pricing.packages": { "value": value } } });
    let together = app.put("/api/admin/words", &together).await.is(422);
    for refused in [alone.json(), together.json()] {
        let error = &refused["errors"][0];
        assert_eq!(error["field"], "packages[0].parts[0].offer", "{refused}");
    }
    assert_eq!(app.get(packages).await.json()["value"], block["value"]);
    // An offer that arrives in the same request counts, whatever the order.
    let mut more = app.get(offers).await.json()["value"].clone();
    let mut offer = more["offers"][0].clone();
    offer["id"] = json!("nessuna");
    more["offers"].as_array_mut().unwrap().push(offer);
    let both = json!({ "blocks": {
        "pricing.packages": { "value": value }, "servizi.offers": { "value": more } } });
    app.put("/api/admin/words", &both).await.is(200);
}

#[tokio::test]
async fn a_stale_version_is_refused_and_shown_what_stands() {
    let app = TestApp::start().await;
    let block = app.get(HERO).await.json();
    let first = app
        .put(HERO, &with(&block, "title", json!("Uno")))
        .await
        .is(200)
        .json();
    let body = json!({ "blocks": { "home.hero": {
        "value": with(&block, "title", json!("Due"))["value"], "version": block["version"] } } });
    let refused = app.put("/api/admin/words", &body).await.is(412).json();
    assert_eq!(refused["current"], first);
    let body = json!({ "blocks": {
        "home.hero": { "value": with(&block, "title", json!("Due"))["value"], "version": first["version"] },
        "home.quote": { "hidden": true } } });
    let saved = app.put("/api/admin/words", &body).await.is(200).json();
    assert_eq!(saved["blocks"].as_array().unwrap().len(), 2);
    let page = app.visit("/").await.text();
    assert!(page.contains("<h1>Due</h1>") && !page.contains("una psicologa"));
}

/// Regression: a price counted as one page, the page of its block; a legal page counted as none.
#[tokio::test]
async fn a_publication_says_how_many_pages_show_something_new() {
    let app = TestApp::start().await;
    let pages = async |id: &str, value: &Json| {
        let body = json!({ "blocks": { id: { "value": value } } });
        let saved = app.put("/api/admin/words", &body).await.is(200).json();
        saved["pages"].as_u64().unwrap()
    };
    let value = async |id: &str| {
        let block = app.get(&format!("/api/admin/words/{id}")).await;
        block.is(200).json()["value"].clone()
    };
    let mut offers = value("servizi.offers").await;
    offers["offers"][0]["price"]["cents"] = json!(11_100);
    let of_price = pages("servizi.offers", &offers).await;
    let mut shown = 0;
    for path in ["/", "/servizi", "/chi-sono", "/contatti", "/blog"] {
        shown += u64::from(app.visit(path).await.text().contains("111\u{a0}€"));
    }
    assert!(shown >= 2 && of_price >= shown, "{of_price} of {shown}");
    let mut cookies = value("legal.cookies").await;
    cookies["sections"][0]["title"] = json!("Che cosa sono");
    assert_eq!(pages("legal.cookies", &cookies).await, 1);
    let again = pages("legal.cookies", &cookies).await;
    assert_eq!(again, 0, "it is the same");
}

#[tokio::test]
async fn all_blocks_of_a_request_are_saved_or_none() {
    let app = TestApp::start().await;
    let offers = app.get("/api/admin/words/servizi.offers").await.json();
    let mut broken = offers["value"].clone();
    broken["offers"][2]["price"] = json!({ "cents": -5, "currency": "EUR" });
    let body = json!({ "blocks": { "home.quote": { "hidden": true }, "servizi.offers": { "value": broken } } });
    let refused = app.put("/api/admin/words", &body).await.is(422).json();
    assert_eq!(refused["errors"][0]["field"], "offers[2].price");
    assert_eq!(refused["errors"][0]["block"], "servizi.offers");
    assert_eq!(app.get(QUOTE).await.json()["hidden"], false);
}

#[tokio::test]
async fn what_does_not_fit_is_refused_by_its_path() {
    let app = TestApp::start().await;
    let hero = app.get(HERO).await.json();
    for (name, value) in [
        ("title", json!("")),
        ("title", json!(5)),
        ("title", json!("x".repeat(121))),
        ("title", json!("a\u{7}b")),
        ("title", json!("a\nb")),
        ("title", json!({ "text": [{ "setting": "password" }] })),
        ("ctaLink", json!("javascript:alert(1)")),
        ("ctaLink", json!("//evil.test")),
        ("pictureOne", json!({ "path": "/etc/passwd" })),
        ("unheardOf", json!("x")),
    ] {
        let answer = app
            .put(HERO, &with(&hero, name, value))
            .await
            .is(422)
            .json();
        assert_eq!(answer["errors"][0]["field"], name);
    }
    app.put(HERO, &json!({ "value": [] })).await.is(422);
    app.put(HERO, &json!({ "hidden": true })).await.is(422);
    let missing = format!("/objects/uploads/{}", "a".repeat(26));
    app.put(HERO, &with(&hero, "pictureOne", json!({ "path": missing })))
        .await
        .is(422);
    let legal = app.get("/api/admin/words/legal.privacy").await.json();
    let mut sections = legal["value"]["sections"].clone();
    sections[0]["text"] = json!("[qui](javascript:alert(1))");
    let answer = app
        .put(
            "/api/admin/words/legal.privacy",
            &with(&legal, "sections", sections),
        )
        .await
        .is(422);
    assert_eq!(answer.json()["errors"][0]["field"], "sections[0].text");
    let faq = app.get("/api/admin/words/contatti.faq").await.json();
    let many: Vec<Json> = (0..41)
        .map(|n| json!({ "question": format!("{n}?"), "answer": "Sì." }))
        .collect();
    app.put(
        "/api/admin/words/contatti.faq",
        &with(&faq, "items", json!(many)),
    )
    .await
    .is(422);
    assert_eq!(app.get(HERO).await.json(), hero);
}

#[tokio::test]
async fn whatever_is_typed_is_shown_as_typed_and_what_nobody_sees_is_gone() {
    let app = TestApp::start().await;
    let hero = app.get(HERO).await.json();
    for typed in NASTY
        .iter()
        .copied()
        .chain(["{{brand}} [[a||b]]", "{\"setting\":\"brand\"}"])
    {
        let seen: String = typed.replace(['\u{202e}', '\u{feff}'], "");
        let saved = app
            .put(HERO, &with(&hero, "title", json!(typed)))
            .await
            .is(200)
            .json();
        assert_eq!(saved["value"]["title"], seen.trim());
        let page = app.visit("/").await.is(200).text();
        let escaped = seen.trim().replace('&', "&amp;").replace('<', "&lt;");
        let heading = page
            .split("<h1>")
            .nth(1)
            .unwrap()
            .split("</h1>")
            .next()
            .unwrap();
        assert_eq!(
            heading
                .replace("&quot;", "\"")
                .replace("&gt;", ">")
                .replace('’', "'")
                .replace('\u{a0}', " "),
            escaped
        );
        assert!(!page.contains("<script>alert"));
    }
}

#[tokio::test]
async fn entries_get_ids_keep_them_and_take_another_order() {
    let app = TestApp::start().await;
    let path = "/api/admin/words/contatti.faq";
    let faq = app.get(path).await.json();
    let mut items = faq["value"]["items"].as_array().unwrap().clone();
    items.insert(0, json!({ "question": "È nuova?", "answer": "Sì." }));
    items.rotate_left(2);
    let saved = app
        .put(path, &with(&faq, "items", json!(items)))
        .await
        .is(200)
        .json();
    let kept = saved["value"]["items"].as_array().unwrap();
    let fresh = kept
        .iter()
        .find(|item| item["question"] == "È nuova?")
        .unwrap();
    assert_eq!(fresh["id"].as_str().unwrap().len(), 26);
    for (sent, kept) in items
        .iter()
        .zip(kept)
        .filter(|(sent, _)| sent["id"].is_string())
    {
        assert_eq!(sent, kept);
    }
    let mut twice = kept.clone();
    twice.push(kept[0].clone());
    app.put(path, &with(&faq, "items", json!(twice)))
        .await
        .is(422);
}

#[tokio::test]
async fn versions_are_kept_fifty_and_come_back() {
    let app = TestApp::start().await;
    let block = app.get(HERO).await.json();
    for number in 0..55 {
        app.put(
            HERO,
            &with(&block, "title", json!(format!("Titolo {number}"))),
        )
        .await
        .is(200);
    }
    let versions = app.get(&format!("{HERO}/versions")).await.is(200).json();
    let versions = versions["versions"].as_array().unwrap().clone();
    assert_eq!(versions.len(), 50);
    assert_eq!(versions[0]["value"]["title"], "Titolo 54");
    assert_eq!(versions[0]["account"], crate::helpers::EMAIL);
    let tenth = versions[10]["version"].as_str().unwrap();
    let path = format!("{HERO}/versions/{tenth}/restore");
    let back = app.post(&path, &json!({})).await.is(200).json();
    assert_eq!(back["value"], versions[10]["value"]);
    assert!(app.visit("/").await.text().contains("<h1>Titolo 44</h1>"));
    app.post(&format!("{HERO}/versions/9-x/restore"), &json!({}))
        .await
        .is(404);
    let app = app.restart().await;
    assert_eq!(app.get(HERO).await.json()["value"]["title"], "Titolo 44");
}

#[tokio::test]
async fn a_preview_shows_drafts_to_her_alone_and_says_where_each_text_is_from() {
    let app = TestApp::start().await;
    let block = app.get(HERO).await.json();
    let mut draft = with(&block, "title", json!("Solo una bozza"));
    draft["value"]["subtitle"] = json!("");
    let body = json!({ "page": "/", "blocks": { "home.hero": draft } });
    let answer = app.post("/api/admin/words/preview", &body).await.is(200);
    assert!(answer.header("content-type").starts_with("text/html"));
    assert_eq!(answer.header("cache-control"), "no-store");
    let page = answer.text();
    assert!(page.contains("Solo una bozza\u{2063}") && page.contains("id=\"words-places\""));
    assert!(page.contains("\"home.hero:title\""));
    let public = app.visit("/").await.text();
    assert!(!public.contains("Solo una bozza") && !public.contains('\u{2063}'));
    app.post("/api/admin/words/preview", &json!({ "page": "/nowhere" }))
        .await
        .is(404);
}

/// Regression: the attestation was stored on one device; other devices and the panel's status did
/// not know it.
#[tokio::test]
async fn what_speaks_of_her_is_asked_for_until_she_has_answered() {
    let app = TestApp::start().await;
    let left = async || app.get("/api/admin/status").await.json()["wordsToConfirm"].clone();
    // 22 statements in 6 blocks: five in the biography, eight milestones, four about her experience
    // and so on.
    assert_eq!(left().await, 22);
    let quote = app.get(QUOTE).await.json();
    assert_eq!(
        (&quote["toConfirm"], &quote["asked"], &quote["confirmed"]),
        (&json!(true), &json!(["quote", "author"]), &json!(false))
    );
    let said =
        json!({ "blocks": { "home.quote": { "confirmed": true, "version": quote["version"] } } });
    let saved = app.put("/api/admin/words", &said).await.is(200).json();
    let block = &saved["blocks"][0];
    assert_eq!(
        (&block["confirmed"], &block["changed"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(
        block["version"], quote["version"],
        "nothing of the page changed"
    );
    assert_eq!(left().await, 21);
    let list = app.get("/api/admin/words").await.json();
    let blocks = list["blocks"].as_array().unwrap().iter();
    let open: Vec<_> = blocks.filter(|block| block["confirmed"] == false).collect();
    assert_eq!(open.len(), 5);
    let statements = open
        .iter()
        .map(|block| block["statements"].as_u64().unwrap());
    assert_eq!(statements.sum::<u64>(), 21);
    app.put(QUOTE, &json!({ "confirmed": false })).await.is(200);
    assert_eq!(left().await, 22);
    app.put(QUOTE, &json!({ "hidden": true })).await.is(200);
    assert_eq!(left().await, 21, "hidden");
    let text = rewritten(&app.get(BIOGRAPHY).await.json());
    app.put(BIOGRAPHY, &text).await.is(200);
    assert_eq!(left().await, 16, "written anew");
    app.put(BIOGRAPHY, &json!({ "value": null })).await.is(200);
    assert_eq!(left().await, 21, "the program's words are back");
    app.put(HERO, &json!({ "confirmed": true })).await.is(422);
    app.put(QUOTE, &json!({ "confirmed": "sì" })).await.is(422);
}

/// Regression: a new title, another order or a button's label counted as attestation of eight
/// invented milestones.
#[tokio::test]
async fn what_she_rewrote_is_hers_and_nothing_beside_it() {
    let app = TestApp::start().await;
    let path = |id: &str| format!("/api/admin/words/{id}");
    let said = async |id: &str, body: &Json| {
        let block = app.put(&path(id), body).await.is(200).json();
        assert_eq!(block["confirmed"], false);
        block["statements"].clone()
    };
    let all = [
        ("chi-sono.biography", "title", 5),
        ("chi-sono.timeline", "title", 8),
        ("chi-sono.experience", "title", 4),
        ("chi-sono.book", "bookTitle", 2),
        ("footer.certificate", "cta", 2),
    ];
    for (id, name, count) in all {
        let block = app.get(&path(id)).await.json();
        let body = with(&block, name, json!("Parole mie"));
        assert_eq!(said(id, &body).await, json!(count), "{id}");
    }
    let id = "chi-sono.timeline";
    let block = app.get(&path(id)).await.json();
    let mut items = block["value"]["items"].as_array().unwrap().clone();
    items.reverse();
    items.rotate_left(3);
    assert_eq!(
        said(id, &with(&block, "items", json!(items))).await,
        json!(8)
    );
    items.pop();
    assert_eq!(
        said(id, &with(&block, "items", json!(items))).await,
        json!(7)
    );
    items[2]["title"] = json!("La mia prima sessione");
    items[3]["id"] = json!("copied");
    assert_eq!(
        said(id, &with(&block, "items", json!(items))).await,
        json!(6)
    );
    for item in &mut items {
        item["text"] = json!("Ci sono stata io.");
    }
    let hers = with(&block, "items", json!(items));
    let hers = app.put(&path(id), &hers).await.is(200).json();
    assert_eq!(
        (&hers["confirmed"], &hers["statements"]),
        (&json!(true), &json!(7))
    );
    // A text is counted paragraph by paragraph.
    let block = app.get(BIOGRAPHY).await.json();
    let hers = with(&block, "pullQuote", json!("Parole mie, e vere."));
    assert_eq!(said("chi-sono.biography", &hers).await, json!(4));
}

/// Regression: the attested consent for one person's quote also counted for another's, and for the
/// quotes that the program ships.
#[tokio::test]
async fn her_word_is_for_what_she_read_and_for_nothing_that_came_after() {
    let app = TestApp::start().await;
    let is_said = async |path: &str, body: &Json| {
        app.put(path, body).await.is(200).json()["confirmed"] == json!(true)
    };
    let quote = app.get(QUOTE).await.json();
    let one = with(&quote, "quote", json!("Respiro meglio."));
    let other = with(&quote, "quote", json!("Mi ha guarita."));
    let elsewhere = with(&one, "author", json!("un medico"));
    let (original, truth) = (json!({ "value": null }), json!({ "confirmed": true }));
    assert!(!is_said(QUOTE, &one).await && is_said(QUOTE, &truth).await);
    assert!(!is_said(QUOTE, &other).await && !is_said(QUOTE, &elsewhere).await);
    assert!(is_said(QUOTE, &one).await, "they agreed to these words");
    assert!(!is_said(QUOTE, &original).await && is_said(QUOTE, &truth).await);
    assert!(!is_said(QUOTE, &one).await && is_said(QUOTE, &original).await);

    // A complete rewrite leaves no shipped statement to attest: the default needs a new
    // attestation.
    let block = app.get(BIOGRAPHY).await.json();
    let hers = rewritten(&block);
    assert!(is_said(BIOGRAPHY, &hers).await && is_said(BIOGRAPHY, &truth).await);
    assert!(!is_said(BIOGRAPHY, &original).await && is_said(BIOGRAPHY, &truth).await);
    // Attested statements stay attested beside rewritten ones.
    let partly = with(&block, "pullQuote", json!("Parole mie, e vere."));
    assert!(is_said(BIOGRAPHY, &partly).await);
}

/// Files of an earlier release hold only a hash of the default.
#[test]
fn a_former_word_of_hers_is_for_what_the_program_brought() {
    let block = ui_assets::block_definitions()
        .unwrap()
        .find("home.quote")
        .unwrap();
    let said = Attestation {
        statement_hashes: block.default_hash().to_owned(),
        at: 1,
        account: String::new(),
    };
    let mut own = block.default.clone();
    own["title"] = json!("Dicono di me");
    assert!(!block.awaits_attestation(None, None, Some(&said)));
    assert!(!block.awaits_attestation(Some(&own), None, Some(&said)));
    own["quote"] = json!("Mi ha guarita.");
    assert!(block.awaits_attestation(Some(&own), None, Some(&said)));
    let other = Attestation {
        statement_hashes: "0123456789ab".to_owned(),
        ..said
    };
    assert!(
        block.awaits_attestation(None, None, Some(&other)),
        "another default"
    );
}

/// Regression: a new picture counted as attestation of an invented book, and one changed comma as
/// the consent of the quoted person.
#[tokio::test]
async fn what_speaks_of_her_stays_open_beside_a_picture_and_a_quote_whatever_it_says() {
    let app = TestApp::start().await;
    let path = "/api/admin/words/chi-sono.book";
    let book = app.get(path).await.json();
    let picture = json!({ "path": app.upload(png("c")).await, "alt": "La copertina" });
    let saved = app.put(path, &with(&book, "cover", picture)).await.is(200);
    assert_eq!(
        (&saved.json()["changed"], &saved.json()["confirmed"]),
        (&json!(true), &json!(false))
    );
    let hers = with(&saved.json(), "text", json!("Il mio libro."));
    let saved = app.put(path, &hers).await.is(200).json();
    assert_eq!(saved["confirmed"], true);
    let quote = app.get(QUOTE).await.json();
    let hers = with(&quote, "author", json!("Una psicologa"));
    let saved = app.put(QUOTE, &hers).await.is(200).json();
    assert_eq!(
        (&saved["changed"], &saved["confirmed"]),
        (&json!(true), &json!(false))
    );
    let said = app.put(QUOTE, &json!({ "confirmed": true })).await.is(200);
    assert_eq!(said.json()["confirmed"], true);
}

/// Regression: an open preview stopped rendering while the admin was typing an address.
#[tokio::test]
async fn a_preview_is_drawn_while_an_address_is_half_typed() {
    let app = TestApp::start().await;
    let hero = app.get(HERO).await.json();
    for typed in ["https://", "mailto:", "htt:", "javascript:alert(1)"] {
        let mut draft = with(&hero, "title", json!("Solo una bozza"));
        draft["value"]["ctaLink"] = json!(typed);
        let body = json!({ "page": "/", "blocks": { "home.hero": draft } });
        let page = app
            .post("/api/admin/words/preview", &body)
            .await
            .is(200)
            .text();
        assert!(page.contains("Solo una bozza") && !page.contains("javascript:"));
        app.put(HERO, &draft).await.is(422);
    }
    let legal = app.get("/api/admin/words/legal.privacy").await.json();
    let mut sections = legal["value"]["sections"].clone();
    sections[0]["text"] = json!("[qui](javascript:alert(1)) e [là](https://)");
    let body = json!({ "page": "/privacy", "blocks": {
        "legal.privacy": with(&legal, "sections", sections) } });
    let page = app.post("/api/admin/words/preview", &body).await.is(200);
    assert!(!page.text().contains("javascript:"));
}

/// Regression: the page linked to `wa.me/3331234567` without a country code, and messages reached
/// no recipient.
#[tokio::test]
async fn numbers_in_links_get_their_country_or_are_refused_for_it() {
    let app = TestApp::start().await;
    let hero = app.get(HERO).await.json();
    let linked = |address: &str| with(&hero, "ctaLink", json!(address));
    let saved = app.put(HERO, &linked("https://wa.me/3331234567")).await;
    let saved = saved.is(200).json();
    assert_eq!(saved["value"]["ctaLink"], "https://wa.me/393331234567");
    let refused = app.put(HERO, &linked("tel:0212345678")).await.is(422);
    let message = refused.json()["errors"][0]["message"].clone();
    assert!(message.as_str().unwrap().contains("+39"), "{message}");
    let path = "/api/admin/words/legal.privacy";
    let legal = app.get(path).await.json();
    let mut sections = legal["value"]["sections"].clone();
    sections[0]["text"] = json!("[Chiama](tel:3331234567) o <https://wa.me/393331234567>.");
    let saved = app.put(path, &with(&legal, "sections", sections)).await;
    assert_eq!(
        saved.is(200).json()["value"]["sections"][0]["text"],
        "[Chiama](tel:+393331234567) o <https://wa.me/393331234567>."
    );
}

/// A price is stored once: every text that names it follows, and the savings of packages are
/// recalculated.
#[tokio::test]
async fn one_price_is_the_same_on_every_page_and_to_engines() {
    let app = TestApp::start().await;
    let path = "/api/admin/words/servizi.offers";
    let offers = app.get(path).await.json();
    let mut list = offers["value"]["offers"].clone();
    list[0]["price"] = json!({ "cents": 11_050, "currency": "EUR" });
    app.put(path, &with(&offers, "offers", list)).await.is(200);
    for page in ["/", "/chi-sono", "/rebirthing"] {
        let text = app.visit(page).await.text();
        let booking = text.contains("da 110,50\u{a0}€") && !text.contains("da 95\u{a0}€");
        assert!(booking, "{page}");
    }
    let services = app.visit("/servizi").await.text();
    assert!(services.contains(r#""price":"110.50","priceCurrency":"EUR""#));
    assert!(services.contains("110,50\u{a0}€") && !services.contains(r#""price":"95.00""#));
    // A package of three single sessions costs 270 €.
    assert!(services.contains("Risparmi 61,50\u{a0}€") && !services.contains("Risparmi 15\u{a0}€"));
    let asked = app.visit("/contatti?servizio=individual").await.text();
    assert!(asked.contains("Hai scelto: Sessione individuale, 110,50\u{a0}€"));
    let ready = "una sessione individuale (110,50\u{a0}€). Quando avresti posto?";
    assert!(asked.contains(ready), "the message says it too");
}

/// A legal page shows the specification's date until the admin changes the page, then the day of
/// the change.
#[tokio::test]
async fn a_legal_page_says_when_she_changed_it() {
    let app = TestApp::start().await;
    let path = "/api/admin/words/legal.privacy";
    let legal = app.get(path).await.json();
    assert!(
        app.visit("/privacy")
            .await
            .text()
            .contains("Ultima modifica: Agosto 2024")
    );
    let mut sections = legal["value"]["sections"].clone();
    sections[0]["text"] = json!("Chi sono e come tratto i tuoi dati.");
    let saved = app
        .put(path, &with(&legal, "sections", sections))
        .await
        .is(200)
        .json();
    assert_eq!(saved["value"]["modified"], legal["value"]["modified"]);
    let page = app.visit("/privacy").await.text();
    // The day in Italy: at 23:30 UTC on New Year's Eve it is already next year there.
    let moment = parse_rfc3339(saved["updatedAt"].as_str().unwrap()).unwrap();
    let today = format_day(moment);
    let date = page.split("Ultima modifica: ").nth(1).unwrap();
    let date = date.split('<').next().unwrap();
    assert_eq!(date.to_lowercase(), today);
    assert!(!page.contains("Agosto 2024"));
    assert!(
        app.visit("/terms")
            .await
            .text()
            .contains("Ultima modifica: Agosto 2024")
    );
    app.put(path, &json!({ "value": null })).await.is(200);
    assert!(
        app.visit("/privacy")
            .await
            .text()
            .contains("Ultima modifica: Agosto 2024")
    );
}

#[tokio::test]
async fn no_page_of_visitors_carries_a_mark() {
    let app = TestApp::start().await;
    for page in PAGES.iter().chain(&["/nowhere"]) {
        let text = app.visit(page).await.text();
        let unseen = [
            '\u{200b}', '\u{200c}', '\u{2060}', '\u{2063}', '\u{feff}', '\u{fdd0}',
        ];
        assert!(!text.contains(unseen), "{page}");
    }
}

/// Regression: the invisible edit markers counted as characters of the menu entries, so the edited
/// page showed the menu button at every width.
#[tokio::test]
async fn a_page_is_edited_as_visitors_see_it() {
    let app = TestApp::start().await;
    for page in PAGES {
        let seen = app.visit(page).await.text();
        let draft = json!({ "page": page, "blocks": {} });
        let edited = app.post("/api/admin/words/preview", &draft).await.text();
        assert_eq!(elements(&edited), elements(&seen), "{page}");
    }
}

/// Returns the elements in the body, by name and class.
fn elements(page: &str) -> Vec<String> {
    let (_, body) = page.split_once("<body").unwrap();
    let tags = body.split('<').filter_map(|part| part.split_once('>'));
    tags.filter(|(tag, _)| !tag.starts_with("script") && !tag.starts_with("/script"))
        .map(|(tag, _)| {
            let name = tag.split_whitespace().next().unwrap_or_default();
            let class = tag
                .split("class=\"")
                .nth(1)
                .and_then(|rest| rest.split('"').next());
            format!("{name} {}", class.unwrap_or_default())
        })
        .collect()
}

#[tokio::test]
async fn a_picture_in_words_stays_and_is_shown() {
    let app = TestApp::start().await;
    let path = app.upload(png("lago")).await;
    let hero = app.get(HERO).await.json();
    let picture = json!({ "path": path, "alt": "Il lago", "focusX": 10, "focusY": 90 });
    app.put(HERO, &with(&hero, "pictureOne", picture))
        .await
        .is(200);
    let page = app.visit("/").await.text();
    assert!(page.contains(&path) && page.contains("alt=\"Il lago\""));
}

/// Returns whether the published site shows a picture, and asserts that the served pages and the
/// static files agree on it.
fn is_shown(app: &TestApp, path: &str) -> bool {
    let site = &app.running.app.site.publisher;
    let pages = site.pages().unwrap();
    let is_known = pages.picture(path.rsplit('/').next().unwrap()).is_some();
    let is_file = static_export::files(site, &pages, Names::Folders)
        .iter()
        .any(|file| file.path.starts_with(&format!("{path}/")));
    assert_eq!(is_known, is_file, "{path}");
    is_known
}

/// Regression: a block's picture was in neither list, and each request for it read the whole trash.
#[tokio::test]
async fn a_picture_in_words_is_the_site_s_as_long_as_the_block_shows_it_and_kept_beyond() {
    const BLOCK: &str = "/api/admin/words/footer.certificate";
    let app = TestApp::start().await;
    let (first, second) = (app.upload(png("uno")).await, app.upload(png("due")).await);
    let block = app.get(BLOCK).await.json();
    let showing = |path: &str| {
        let picture = json!({ "path": path, "alt": "Attestato", "focusX": 50, "focusY": 50 });
        with(&block, "picture", picture)
    };
    let body = json!({ "page": "/", "blocks": { "footer.certificate": showing(&first) } });
    let preview = app.post("/api/admin/words/preview", &body).await.is(200);
    assert!(preview.text().contains(&first));
    assert!(!is_shown(&app, &first), "a draft");
    app.put(BLOCK, &showing(&first)).await.is(200);
    assert!(is_shown(&app, &first));
    app.put(BLOCK, &json!({ "hidden": true })).await.is(200);
    assert!(!is_shown(&app, &first), "hidden");
    app.put(BLOCK, &json!({ "hidden": false })).await.is(200);
    assert!(is_shown(&app, &first));
    app.put(BLOCK, &showing(&second)).await.is(200);
    assert!(!is_shown(&app, &first) && is_shown(&app, &second));
    // An earlier version of the block keeps the first picture, and retention removes no picture in
    // use.
    app.let_time_pass(2 * DAY);
    let now = app.running.app.now();
    let sweep = app
        .running
        .app
        .change(move |writer| Ok(writer.apply_retention(&trusted(now))?));
    assert_eq!(sweep.await.unwrap().pictures, 0);
    app.visit(&first).await.is(200);
    // Same result after a restart, which reads all blocks at once.
    let app = app.restart().await;
    assert!(!is_shown(&app, &first) && is_shown(&app, &second));
}

/// A draft can outlive its unpublished picture. Regression: the refusal named only the first such
/// block and marked no field.
#[tokio::test]
async fn each_picture_that_is_gone_is_refused_by_its_place() {
    let app = TestApp::start().await;
    let path = app.upload(png("lago")).await;
    app.let_time_pass(2 * DAY);
    let now = app.running.app.now();
    let sweep = app
        .running
        .app
        .change(move |writer| Ok(writer.apply_retention(&trusted(now))?));
    assert_eq!(sweep.await.unwrap().pictures, 1);
    let picture = json!({ "path": path, "alt": "Il lago" });
    let hero = app.get(HERO).await.json();
    let audiences = app.get("/api/admin/words/home.audiences").await.json();
    let mut cards = audiences["value"]["cards"].clone();
    cards[1]["picture"] = picture.clone();
    let blocks = json!({
        "home.audiences": with(&audiences, "cards", cards),
        "home.hero": with(&hero, "pictureOne", picture),
        "home.quote": { "hidden": true },
    });
    let body = json!({ "blocks": blocks });
    let problem = app.put("/api/admin/words", &body).await.is(422).json();
    let places: Vec<_> = problem["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|error| {
            (
                error["block"].as_str().unwrap(),
                error["field"].as_str().unwrap(),
            )
        })
        .collect();
    let expected = [
        ("home.audiences", "cards[1].picture"),
        ("home.hero", "pictureOne"),
    ];
    assert_eq!(places, expected);
    let message = problem["errors"][0]["message"].as_str().unwrap();
    assert!(message.ends_with("»: l'immagine non c'è più: caricala di nuovo"));
    assert_eq!(
        app.get(QUOTE).await.json()["hidden"],
        false,
        "all or nothing"
    );
}

/// Regression: the sitemap never reported that the text of a fixed page had changed.
#[tokio::test]
async fn the_sitemap_tells_when_the_words_of_a_page_changed() {
    let app = TestApp::start().await;
    let changed = async |path: &str| {
        let sitemap = app.visit("/sitemap.xml").await.text();
        let mut pages = sitemap.split("<url>");
        let page = pages.find(|page| page.contains(&format!("{path}</loc>")));
        let day = page.unwrap().split_once("<lastmod>").map(|(_, rest)| rest);
        day.and_then(|rest| Some(rest.split_once('<')?.0.to_owned()))
    };
    assert_eq!(changed("/chi-sono").await, None, "it is the program's own");
    let hero = app.get("/api/admin/words/chi-sono.hero").await.json();
    let body = with(&hero, "title", json!("Di me"));
    let saved = app.put("/api/admin/words/chi-sono.hero", &body).await;
    let day = saved.is(200).json()["updatedAt"]
        .as_str()
        .map(str::to_owned);
    assert!(day.is_some());
    assert_eq!(changed("/chi-sono").await, day);
    assert_eq!(changed("/servizi").await, None);
    // A footer block is on every page, so its change makes no page newer.
    let path = "/api/admin/words/footer.certificate";
    app.put(path, &json!({ "hidden": true })).await.is(200);
    assert_eq!(changed("/chi-sono").await, day);
    assert_eq!(changed("/servizi").await, None);
}
