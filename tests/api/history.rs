//! Tests of the history of the site: who changed what, and the way back.

use crate::accounts::{EDITOR, join_as};
use crate::helpers::{EMAIL, TestApp};
use crate::testimonials::{link, send_form};
use respiro_content::{Collection, collection_by_slug};
use respiro_db::{HISTORY_MILLISECONDS_MAX, HistoryRow, HistoryState, Thing};
use serde_json::{Value as Json, json};
use std::fmt::Write as _;

const HISTORY: &str = "/api/admin/history";
const HERO: &str = "/api/admin/words/home.hero";
const SETTINGS: &str = "/api/admin/settings";

fn events() -> &'static Collection {
    collection_by_slug("events").unwrap()
}

async fn list(app: &TestApp, query: &str) -> Json {
    app.get(&format!("{HISTORY}?{query}")).await.is(200).json()
}

/// Returns the change sets, newest first.
async fn change_sets(app: &TestApp) -> Vec<Json> {
    list(app, "").await["changeSets"]
        .as_array()
        .unwrap()
        .clone()
}

/// Returns the moment of the newest change set.
async fn last(app: &TestApp) -> i64 {
    change_sets(app).await[0]["moment"].as_i64().unwrap()
}

async fn put_title(app: &TestApp, title: &str) {
    let mut value = app.get(HERO).await.json()["value"].clone();
    value["title"] = json!(title);
    app.put(HERO, &json!({ "value": value })).await.is(200);
}

async fn title(app: &TestApp) -> String {
    let block = app.get(HERO).await.is(200).json();
    block["value"]["title"].as_str().unwrap().to_owned()
}

async fn setting(app: &TestApp, name: &str) -> Json {
    app.get(SETTINGS).await.is(200).json()[name].clone()
}

async fn event(app: &TestApp, title: &str, published: bool) -> String {
    let more = json!({ "title": title, "published": published });
    let made = app.create(events(), title, more).await;
    format!("/api/admin/events/{}", made["id"].as_str().unwrap())
}

async fn go_back(app: &TestApp, body: &Json) -> Json {
    app.post(HISTORY, body).await.is(200).json()
}

#[tokio::test]
async fn every_change_has_a_line_with_its_account_and_both_states() {
    let app = TestApp::start().await;
    assert_eq!(change_sets(&app).await, Vec::<Json>::new());
    let path = event(&app, "Cerchio", true).await;
    app.put(&path, &json!({ "title": "Cerchio di sera" }))
        .await
        .is(200);
    put_title(&app, "Respira").await;
    app.put(
        SETTINGS,
        &json!({ "phone": "+39 031 000 111", "towns": "Como" }),
    )
    .await
    .is(200);
    app.put(SETTINGS, &json!({ "towns": "Como" })).await.is(200);
    app.delete(&path).await.is(204);

    let answer = list(&app, "").await;
    assert_eq!(answer["accounts"], json!([EMAIL]));
    let all = answer["changeSets"].as_array().unwrap();
    let seen: Vec<(&str, &str)> = all
        .iter()
        .map(|one| {
            assert_eq!(
                (&one["account"], &one["cause"]),
                (&json!(EMAIL), &json!("edit"))
            );
            let change = &one["changes"][0];
            (
                change["kind"].as_str().unwrap(),
                change["action"].as_str().unwrap(),
            )
        })
        .collect();
    // Settings that stay as they are have no line.
    assert_eq!(
        seen,
        [
            ("events", "deleted"),
            ("settings", "changed"),
            ("words", "changed"),
            ("events", "changed"),
            ("events", "created")
        ]
    );
    let change = |index: usize| &all[index]["changes"][0];
    assert_eq!(change(3)["title"], "Cerchio di sera");
    assert_eq!(change(3)["before"], json!({ "title": "Cerchio" }));
    assert_eq!(change(3)["after"], json!({ "title": "Cerchio di sera" }));
    assert_eq!(change(1)["before"]["towns"], json!(null));
    assert_eq!(change(1)["after"]["towns"], "Como");
    assert_eq!(change(1)["after"].as_object().unwrap().len(), 2);
    assert_eq!(change(2)["after"]["value"]["title"], "Respira");
    assert_eq!(change(4)["before"], json!(null));

    let settings = list(&app, "kinds=settings,blog").await;
    assert_eq!(settings["changeSets"].as_array().unwrap().len(), 1);
    let other = list(&app, "account=altra@example.com").await;
    assert_eq!(other["changeSets"], json!([]));
    let older = list(&app, &format!("before={}", all[2]["moment"])).await;
    assert_eq!(older["changeSets"].as_array().unwrap().len(), 2);
}

/// A long text is left out of the list, and is whole in its change set.
#[tokio::test]
async fn a_long_text_is_read_with_its_change_set() {
    let app = TestApp::start().await;
    let path = event(&app, "Cerchio", false).await;
    let long = "parola ".repeat(1_500);
    app.put(&path, &json!({ "content": long, "title": "Nuovo" }))
        .await
        .is(200);
    let path = event(&app, "Altro", false).await;
    app.put(&path, &json!({ "content": long })).await.is(200);
    app.put(&path, &json!({ "content": "Corto" })).await.is(200);
    let all = change_sets(&app).await;
    let is_cut = |one: &&Json| one["changes"][0]["isCut"] == true;
    assert_eq!(all.iter().filter(is_cut).count(), 3);
    for change_set in all.iter().filter(is_cut) {
        assert_eq!(change_set["changes"][0]["after"], json!(null));
        let whole = app
            .get(&format!("{HISTORY}/{}", change_set["moment"]))
            .await;
        let whole = whole.is(200).json();
        assert_eq!(whole["changes"][0]["isCut"], false);
    }
    for unknown in ["1", "x", "-1", "99999999999999999999"] {
        app.get(&format!("{HISTORY}/{unknown}")).await.is(404);
    }
}

#[tokio::test]
async fn a_text_goes_back_and_the_return_is_a_line_that_can_be_taken_back() {
    let app = TestApp::start().await;
    let original = title(&app).await;
    put_title(&app, "Prima").await;
    let first = last(&app).await;
    put_title(&app, "Dopo").await;
    let second = last(&app).await;

    let body = json!({ "scope": "changeSet", "moment": second, "thing": "words:home.hero" });
    let done = go_back(&app, &body).await;
    assert_eq!(title(&app).await, "Prima");
    assert!(app.visit("/").await.text().contains("<h1>Prima</h1>"));
    let line = &change_sets(&app).await[0];
    assert_eq!(line["cause"], "return");
    assert_eq!(
        (&line["moment"], &line["account"]),
        (&done["moment"], &json!(EMAIL))
    );
    go_back(
        &app,
        &json!({ "scope": "changeSet", "moment": done["moment"] }),
    )
    .await;
    assert_eq!(title(&app).await, "Dopo");

    // The state before the first change is the default; the page goes back with its texts.
    go_back(
        &app,
        &json!({ "scope": "page", "page": "/", "moment": first }),
    )
    .await;
    assert_eq!(title(&app).await, original);
    assert_eq!(app.get(HERO).await.json()["changed"], false);
    let versions = app.get(&format!("{HERO}/versions")).await.json();
    assert!(versions["versions"].as_array().unwrap().len() >= 5);
    // What is as it was has nothing to go back to.
    let nothing = go_back(
        &app,
        &json!({ "scope": "page", "page": "/chi-sono", "moment": 1 }),
    )
    .await;
    assert_eq!(nothing["moment"], json!(null));
}

#[tokio::test]
async fn an_item_goes_back_also_out_of_the_trash_and_to_before_it_was() {
    let app = TestApp::start().await;
    let path = event(&app, "Cerchio", true).await;
    let created = last(&app).await;
    app.put(&path, &json!({ "title": "Cerchio di sera" }))
        .await
        .is(200);
    app.delete(&path).await.is(204);
    let deleted = last(&app).await;
    go_back(&app, &json!({ "scope": "changeSet", "moment": deleted })).await;
    let item = app.get(&path).await.is(200).json();
    assert_eq!(
        (&item["title"], &item["published"]),
        (&json!("Cerchio di sera"), &json!(true))
    );
    assert_eq!(app.get("/api/admin/trash").await.json(), json!([]));
    assert_eq!(
        change_sets(&app).await[0]["changes"][0]["action"],
        "restored"
    );

    go_back(&app, &json!({ "scope": "changeSet", "moment": created })).await;
    app.get(&path).await.is(404);
    let trash = app.get("/api/admin/trash").await.json();
    assert_eq!(trash.as_array().unwrap().len(), 1, "not gone for good");
}

#[tokio::test]
async fn an_order_goes_back() {
    let app = TestApp::start().await;
    for title in ["Uno", "Due", "Tre"] {
        event(&app, title, true).await;
    }
    let ids = app.ids(events()).await;
    let mut other = ids.clone();
    other.rotate_left(1);
    app.put("/api/admin/events/order", &json!({ "ids": other }))
        .await
        .is(200);
    let moved = &change_sets(&app).await[0];
    assert_eq!(moved["changes"].as_array().unwrap().len(), 1);
    assert_eq!(moved["changes"][0]["action"], "moved");
    assert_eq!(
        moved["changes"][0]["before"]["titles"],
        json!(["Uno", "Due", "Tre"])
    );
    go_back(
        &app,
        &json!({ "scope": "changeSet", "moment": moved["moment"] }),
    )
    .await;
    assert_eq!(app.ids(events()).await, ids);
}

#[tokio::test]
async fn one_setting_goes_back_alone_and_all_of_them_together() {
    let app = TestApp::start().await;
    app.put(SETTINGS, &json!({ "towns": "Como" })).await.is(200);
    let first = last(&app).await;
    app.put(SETTINGS, &json!({ "towns": "Lecco", "brand": "Lago" }))
        .await
        .is(200);
    let second = last(&app).await;
    app.put(SETTINGS, &json!({ "address": "Via Roma 1" }))
        .await
        .is(200);

    go_back(&app, &json!({ "scope": "changeSet", "moment": second })).await;
    assert_eq!(setting(&app, "towns").await, "Como");
    assert_eq!(
        setting(&app, "address").await,
        "Via Roma 1",
        "changed later"
    );
    go_back(&app, &json!({ "scope": "settings", "moment": first })).await;
    assert_eq!(setting(&app, "towns").await, json!(null));
    assert_eq!(setting(&app, "address").await, json!(null));
}

#[tokio::test]
async fn the_whole_site_goes_back_to_a_moment_and_drafts_stay() {
    let app = TestApp::start().await;
    put_title(&app, "Allora").await;
    let kept = event(&app, "Di allora", true).await;
    let gone = event(&app, "Tolto dopo", true).await;
    let draft = event(&app, "In bozza", false).await;
    let then = last(&app).await + 1;

    put_title(&app, "Adesso").await;
    app.put(&kept, &json!({ "title": "Di adesso" }))
        .await
        .is(200);
    app.delete(&gone).await.is(204);
    app.put(&draft, &json!({ "title": "Bozza di adesso" }))
        .await
        .is(200);
    let new = event(&app, "Nuovo", true).await;
    app.put(SETTINGS, &json!({ "towns": "Como" })).await.is(200);

    let preview = app
        .get(&format!("{HISTORY}/{then}/site"))
        .await
        .is(200)
        .json();
    let steps = preview["steps"].as_array().unwrap();
    let hidden = steps.iter().filter(|step| step["isHidden"] == true);
    let hidden: Vec<&Json> = hidden.map(|step| &step["title"]).collect();
    assert_eq!(
        (steps.len(), hidden),
        (5, vec![&json!("Nuovo")]),
        "{preview}"
    );
    assert_eq!(title(&app).await, "Adesso", "a preview changes nothing");

    let done = go_back(&app, &json!({ "scope": "site", "moment": then })).await;
    assert_eq!(done["skipped"], json!([]));
    let named = async |path: &str| app.get(path).await.is(200).json();
    assert_eq!(title(&app).await, "Allora");
    assert_eq!(named(&kept).await["title"], "Di allora");
    assert_eq!(named(&gone).await["published"], true);
    assert_eq!(named(&draft).await["title"], "Bozza di adesso");
    assert_eq!(named(&new).await["published"], false);
    assert_eq!(setting(&app, "towns").await, json!(null));
    let line = &change_sets(&app).await[0];
    assert_eq!(line["cause"], "siteReturn");
    assert_eq!(line["changes"].as_array().unwrap().len(), 5);

    // And forward again.
    go_back(
        &app,
        &json!({ "scope": "changeSet", "moment": done["moment"] }),
    )
    .await;
    assert_eq!(title(&app).await, "Adesso");
    assert_eq!(named(&kept).await["title"], "Di adesso");
    assert_eq!(named(&new).await["published"], true);
    app.get(&gone).await.is(404);
    assert_eq!(setting(&app, "towns").await, "Como");
}

/// Two articles exchanged their addresses: neither can return before the other.
#[tokio::test]
async fn articles_that_exchanged_their_addresses_both_go_back_with_the_site() {
    let app = TestApp::start().await;
    let blog = collection_by_slug("blog").unwrap();
    let mut paths = Vec::new();
    for slug in ["uno", "due"] {
        let more = json!({ "slug": slug, "title": slug, "published": true });
        let made = app.create(blog, slug, more).await;
        paths.push(format!("/api/admin/blog/{}", made["id"].as_str().unwrap()));
    }
    let then = last(&app).await + 1;
    app.put(&paths[0], &json!({ "slug": "tre" })).await.is(200);
    app.put(&paths[1], &json!({ "slug": "uno" })).await.is(200);
    let done = go_back(&app, &json!({ "scope": "site", "moment": then })).await;
    assert_eq!(done["skipped"], json!([]));
    for (path, slug) in paths.iter().zip(["uno", "due"]) {
        assert_eq!(app.get(path).await.json()["slug"], slug);
    }
}

/// Returns every stored row as text.
async fn stored(app: &TestApp) -> String {
    let read = app.running.app.read(|reader| {
        let mut rows = String::new();
        for change in reader.history().list()? {
            let states = reader.history().since(&change.thing, 0)?;
            writeln!(rows, "{change:?} {states:?}").unwrap();
        }
        Ok(rows)
    });
    read.await.unwrap()
}

#[tokio::test]
async fn what_is_deleted_for_ever_withdrawn_or_erased_leaves_no_words_in_the_history() {
    let app = TestApp::start().await;
    let path = event(&app, "Parole segrete", true).await;
    app.put(&path, &json!({ "title": "Parole nuove" }))
        .await
        .is(200);
    app.delete(&path).await.is(204);
    assert!(stored(&app).await.contains("Parole segrete"));
    let trash = app.get("/api/admin/trash").await.json();
    let trashed = format!("/api/admin/trash/{}", trash[0]["id"].as_str().unwrap());
    app.delete(&trashed).await.is(204);
    let rows = stored(&app).await;
    assert!(
        !rows.contains("Parole segrete") && !rows.contains("Parole nuove"),
        "{rows}"
    );
    assert_eq!(change_sets(&app).await[0]["changes"][0]["action"], "erased");

    let (form, _) = link(&app).await;
    send_form(&app, &form).await.is(200);
    let testimonials = collection_by_slug("course-testimonials").unwrap();
    let id = app.ids(testimonials).await.remove(0);
    let own = format!("/api/admin/course-testimonials/{id}");
    app.put(&own, &json!({ "published": true })).await.is(200);
    app.put(&own, &json!({ "name": "Marta la lacustre" }))
        .await
        .is(200);
    app.put(&own, &json!({ "name": "Marta" })).await.is(200);
    assert!(stored(&app).await.contains("lacustre"));
    app.post(&format!("{own}/withdraw"), &json!({}))
        .await
        .is(204);
    let rows = stored(&app).await;
    assert!(
        !rows.contains("lacustre") && !rows.contains("Marta"),
        "{rows}"
    );

    put_title(&app, "Con Bianca Neri").await;
    put_title(&app, "Con te").await;
    let path = event(&app, "Cerchio di Bianca Neri", true).await;
    app.put(&path, &json!({ "title": "Cerchio" })).await.is(200);
    let query = json!({ "name": "Bianca Neri", "items": [] });
    let erased = app
        .post("/api/admin/person/erase", &query)
        .await
        .is(200)
        .json();
    assert_eq!(erased["formerVersions"], 2);
    let rows = stored(&app).await;
    assert!(!rows.contains("Bianca"), "{rows}");
    assert_eq!(title(&app).await, "Con te");
}

#[tokio::test]
async fn an_editor_sees_the_history_and_goes_back_but_not_the_settings() {
    let app = TestApp::start().await;
    let editor = join_as(&app, EDITOR, "editor").await;
    put_title(&app, "Allora").await;
    let then = last(&app).await + 1;
    app.put(SETTINGS, &json!({ "towns": "Como" })).await.is(200);
    let settings = last(&app).await;
    let mut value = app.get(HERO).await.json()["value"].clone();
    value["title"] = json!("Adesso");
    let body = json!({ "value": value });
    app.by(&editor, "PUT", HERO, Some(&body)).await.is(200);
    let line = &change_sets(&app).await[0];
    assert_eq!(line["account"], EDITOR);
    let seen = app.by(&editor, "GET", HISTORY, None).await.is(200).json();
    assert_eq!(seen["changeSets"].as_array().unwrap().len(), 3);

    for refused in [
        json!({ "scope": "settings", "moment": then }),
        json!({ "scope": "changeSet", "moment": settings }),
    ] {
        let answer = app.by(&editor, "POST", HISTORY, Some(&refused)).await;
        assert_eq!(
            answer.is(403).json()["type"],
            "urn:respiro:problem:owner-required"
        );
    }
    let site = json!({ "scope": "site", "moment": then });
    app.by(&editor, "POST", HISTORY, Some(&site)).await.is(200);
    assert_eq!(title(&app).await, "Allora");
    assert_eq!(setting(&app, "towns").await, "Como");
    app.by(&app.visitor, "GET", HISTORY, None).await.is(401);
    app.by(&app.visitor, "POST", HISTORY, Some(&site))
        .await
        .is(401);
}

#[tokio::test]
async fn a_return_names_a_scope_and_a_known_moment() {
    let app = TestApp::start().await;
    for invalid in [
        json!({}),
        json!({ "scope": "site" }),
        json!({ "scope": "all", "moment": 1 }),
        json!({ "scope": "site", "moment": "x" }),
        json!({ "scope": "site", "moment": -1 }),
        json!({ "scope": "page", "moment": 1 }),
        json!({ "scope": "changeSet", "moment": 1, "thing": 7 }),
    ] {
        app.post(HISTORY, &invalid).await.is(422);
    }
    for unknown in [
        json!({ "scope": "changeSet", "moment": 1 }),
        json!({ "scope": "changeSet", "moment": 1, "thing": "niente" }),
    ] {
        app.post(HISTORY, &unknown).await.is(404);
    }
    app.post(HISTORY, &json!({ "scope": "site", "moment": 0 }))
        .await
        .is(409);
}

/// Retention keeps the newest 50 states of each thing and everything younger than 200 days.
#[tokio::test]
async fn old_states_go_when_newer_ones_are_enough_and_the_site_does_not_return_beyond_them() {
    let app = TestApp::start().await;
    put_title(&app, "Adesso").await;
    let now = app.running.app.now();
    let old = now - HISTORY_MILLISECONDS_MAX - 1_000;
    let fill = app.running.app.change(move |writer| {
        let thing = Thing::Item(events(), "x".to_owned());
        for number in 0..60 {
            let row = HistoryRow {
                account: EMAIL.to_owned(),
                user_agent: String::new(),
                cause: respiro_db::Cause::Edit,
                before: HistoryState::Absent,
            };
            writer.history().put(&thing, old + number, &row)?;
        }
        Ok(())
    });
    fill.await.unwrap();
    let time = app.running.app.site.clock().trusted().unwrap();
    let sweep = app
        .running
        .app
        .change(move |writer| Ok(writer.apply_retention(&time)?));
    assert_eq!(sweep.await.unwrap().former_states, 10);
    let kept = app.running.app.read(|reader| Ok(reader.history().list()?));
    let kept = kept.await.unwrap();
    assert_eq!((kept.len(), kept[50].at), (51, old + 10));
    let beyond = json!({ "scope": "site", "moment": old + 5 });
    app.post(HISTORY, &beyond).await.is(409);
}

#[tokio::test]
async fn a_backup_holds_the_history_and_a_restore_brings_it_back() {
    let app = TestApp::start().await;
    put_title(&app, "Prima").await;
    let moment = last(&app).await;
    let copy = app.get("/api/admin/backup").await.is(200);
    put_title(&app, "Dopo").await;
    let request = app.admin.post(app.url("/api/admin/restore/inspect"));
    let inspected = crate::helpers::answer(request.body(copy.bytes)).await;
    let token = json!({ "token": inspected.is(200).json()["token"] });
    app.post("/api/admin/restore", &token).await.is(200);
    let all = change_sets(&app).await;
    assert_eq!((all.len(), all[0]["moment"].as_i64()), (1, Some(moment)));
    go_back(&app, &json!({ "scope": "changeSet", "moment": moment })).await;
    assert_eq!(app.get(HERO).await.json()["changed"], false);
}
