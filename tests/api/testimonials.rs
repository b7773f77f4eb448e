//! Tests of testimonial requests: the panel creates a personal link, and a participant uses it
//! once.

use crate::helpers::{Answer, DAY, TestApp, answer};
use crate::http_client::RequestBuilder;
use crate::newsletter::{mail_server, with_mail};
use serde_json::{Value as Json, json};
use std::fmt::Write as _;

const REQUESTS: &str = "/api/admin/testimonial-requests";
const ITEMS: &str = "/api/admin/course-testimonials";

/// Creates a link. Returns its path and its id in the panel.
pub async fn link(app: &TestApp) -> (String, String) {
    let body = json!({ "name": "Marta", "activity": "Seminario di marzo", "attended": true });
    let made = app.post(REQUESTS, &body).await.is(201).json();
    let url = made["url"].as_str().unwrap();
    let path = url.strip_prefix(&app.running.public_url).unwrap();
    (
        path.to_owned(),
        made["request"]["id"].as_str().unwrap().to_owned(),
    )
}

/// Returns the page without its script data and styles, with no-break spaces replaced by plain
/// ones.
pub fn shown(answer: &Answer) -> String {
    let text = answer.text();
    let (shown, _) = text.split_once("id=\"page-data\"").unwrap_or((&text, ""));
    // Some of the inline style rules contain the texts that tests look for.
    let (head, rest) = shown.split_once("<style>").unwrap_or((shown, "</style>"));
    let shown = [head, rest.split_once("</style>").unwrap().1].concat();
    shown.replace('\u{a0}', " ")
}

/// Returns the key of the consent text from the form before the participant consents.
async fn consent(app: &TestApp, path: &str) -> String {
    let page = app.visit(path).await;
    let page = shown(&page);
    let (_, rest) = page.split_once("name=\"consent\"").unwrap();
    let (_, rest) = rest.split_once("value=\"").unwrap();
    rest.split('"').next().unwrap().to_owned()
}

/// Returns the POST request of a form, encoded as browsers do it.
fn form(app: &TestApp, path: &str, pairs: &[(&str, &str)]) -> RequestBuilder {
    let coded = |text: &str| {
        text.bytes().fold(String::new(), |mut coded, byte| {
            let _ = write!(coded, "%{byte:02X}");
            coded
        })
    };
    let pair = |(name, value): &(&str, &str)| format!("{}={}", coded(name), coded(value));
    let body: Vec<String> = pairs.iter().map(pair).collect();
    let request = app.visitor.post(app.url(path)).body(body.join("&"));
    request.header("content-type", "application/x-www-form-urlencoded")
}

pub async fn post(app: &TestApp, path: &str, pairs: &[(&str, &str)]) -> Answer {
    answer(form(app, path, pairs).header("origin", &app.running.public_url)).await
}

const TEXT: &str = "Ho trovato calma.\r\n\r\n<b>Grazie</b>";

pub async fn send_form(app: &TestApp, path: &str) -> Answer {
    let key = consent(app, path).await;
    let pairs = [
        ("name", "Marta B."),
        ("profession", ""),
        ("rating", "4"),
        ("text", TEXT),
        ("consent", &key),
    ];
    post(app, path, &pairs).await
}

async fn state(app: &TestApp, id: &str) -> String {
    let list = app.get(REQUESTS).await.is(200).json();
    let list = list["requests"].as_array().unwrap();
    let found = list.iter().find(|one| one["id"] == id);
    found
        .map_or("none", |one| one["state"].as_str().unwrap())
        .to_owned()
}

#[tokio::test]
async fn what_a_participant_writes_waits_as_a_draft_with_its_proof_of_consent() {
    let app = TestApp::start().await;
    let settings = json!({ "practitioner": "Anna Rossi", "email": "anna@example.org" });
    app.put("/api/admin/settings", &settings).await.is(200);
    let (path, id) = link(&app).await;
    assert_eq!(state(&app, &id).await, "waiting");

    let page = app.visit(&path).await;
    assert_eq!(page.status, 200, "{}", page.text());
    for (name, value) in [
        ("cache-control", "no-store"),
        ("referrer-policy", "same-origin"),
        ("x-robots-tag", "noindex, nofollow"),
    ] {
        assert_eq!(page.header(name), value);
    }
    assert!(page.headers.get("set-cookie").is_none());
    let text = shown(&page);
    assert!(text.contains("Seminario di marzo") && text.contains("Anna Rossi"));
    assert!(text.contains("Acconsento che Anna Rossi pubblichi su"));
    assert!(!text.contains("checked"), "no star and no box is chosen");
    assert!(!text.contains("\"aggregateRating\"") && !text.contains("\"Review\""));
    assert!(!text.contains(path.as_str()), "the link is nowhere in it");

    let thanks = send_form(&app, &path).await;
    assert_eq!(thanks.status, 200, "{}", thanks.text());
    assert!(shown(&thanks).contains("Grazie, Marta B."));

    let items = app.get(ITEMS).await.json();
    let item = &items[0];
    assert_eq!(item["published"], false);
    assert_eq!(item["testimonial"], "Ho trovato calma.\n\n<b>Grazie</b>");
    assert_eq!(
        (&item["rating"], &item["profession"]),
        (&json!(4), &json!(null))
    );
    let status = app.get("/api/admin/status").await.json();
    assert_eq!(status["newTestimonials"], 1);
    assert!(
        !app.visit("/testimonianze")
            .await
            .text()
            .contains("Marta B.")
    );

    let own = format!("{ITEMS}/{}", item["id"].as_str().unwrap());
    let kept = app.get(&format!("{own}/provenance")).await.is(200).json();
    assert_eq!(kept["origin"], "link");
    assert_eq!(kept["requestId"], json!(id));
    assert_eq!(kept["activity"], "Seminario di marzo");
    assert_eq!(kept["consentVersion"], "1");
    let agreed = kept["consentText"].as_str().unwrap();
    assert!(agreed.starts_with("Acconsento che Anna Rossi pubblichi su 127.0.0.1:"));
    assert!(agreed.contains("almeno 18 anni") && agreed.contains("Vale solo per questo sito"));
    assert_eq!(kept["received"]["name"], "Marta B.");

    published_it_tells_nothing_of_that(&app, &own, &id).await;
}

/// Visitors see the published text, and nothing about its origin.
async fn published_it_tells_nothing_of_that(app: &TestApp, own: &str, id: &str) {
    app.put(
        own,
        &json!({ "published": true, "testimonial": "Ho trovato calma." }),
    )
    .await
    .is(200);
    let public = shown(&app.visit("/testimonianze").await);
    assert!(public.contains("Marta B."));
    assert!(public.contains("le chiedo con un link personale"));
    // Search engines accept no ratings that a site collects about itself, so the page publishes
    // none.
    for rated in ["\"Review\"", "aggregateRating", "ratingValue"] {
        assert!(!public.contains(rated), "{rated}");
    }
    // The received text is kept beside the edited one.
    let kept = app.get(&format!("{own}/provenance")).await.json();
    assert!(
        kept["received"]["testimonial"]
            .as_str()
            .unwrap()
            .contains("<b>")
    );
    assert_eq!(
        app.get("/api/admin/status").await.json()["newTestimonials"],
        0
    );
    for path in [
        "/api/course-testimonials",
        "/testimonianze",
        "/feed.xml",
        "/api/site",
    ] {
        let text = app.visit(path).await.text();
        for private in ["Seminario di marzo", "Acconsento", id, "requestId"] {
            assert!(!text.contains(private), "{path} tells of {private}");
        }
    }
}

#[tokio::test]
async fn a_link_serves_once_and_its_token_is_nowhere_in_the_data_file() {
    let app = TestApp::start().await;
    let (path, id) = link(&app).await;
    assert_eq!(send_form(&app, &path).await.status, 200);
    assert_eq!(state(&app, &id).await, "received");
    let again = app.visit(&path).await;
    assert_eq!(again.status, 410);
    assert!(shown(&again).contains("Hai già scritto"));
    let key = "x";
    let second = post(&app, &path, &[("name", "Altro"), ("consent", key)]).await;
    assert_eq!(second.status, 410);
    assert_eq!(app.get(ITEMS).await.json().as_array().unwrap().len(), 1);
    let token = path.rsplit('/').next().unwrap().as_bytes().to_vec();
    for entry in std::fs::read_dir(app.folder()).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap_or_default();
        let found = bytes.windows(token.len()).any(|part| part == token);
        assert!(!found, "the token itself is stored");
    }
}

#[tokio::test]
async fn two_sent_at_once_are_one_testimonial() {
    let app = TestApp::start().await;
    let (path, _) = link(&app).await;
    let key = consent(&app, &path).await;
    let pairs = [
        ("name", "M"),
        ("rating", "5"),
        ("text", "x"),
        ("consent", key.as_str()),
    ];
    let both = tokio::join!(post(&app, &path, &pairs), post(&app, &path, &pairs));
    let mut statuses = [both.0.status, both.1.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 410]);
    assert_eq!(app.get(ITEMS).await.json().as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_form_with_faults_comes_back_with_everything_that_was_typed() {
    let app = TestApp::start().await;
    let (path, _) = link(&app).await;
    let long = "parola ".repeat(800);
    let pairs = [
        ("name", "Zoë \"Z\" <i>"),
        ("profession", "Maestra & co."),
        ("rating", "3"),
        ("text", long.as_str()),
    ];
    let back = post(&app, &path, &pairs).await;
    assert_eq!(back.status, 422);
    let text = shown(&back);
    assert!(text.contains("Ci sono 2 cose da sistemare."));
    assert!(text.contains("Il testo è troppo lungo: al massimo 5000 caratteri."));
    assert!(text.contains("Senza il consenso non può essere pubblicata."));
    assert!(text.contains("Zoë &quot;Z&quot; &lt;i") && text.contains("Maestra &amp; co."));
    assert_eq!(
        text.matches("parola ").count(),
        799,
        "the last one lost its space"
    );
    assert!(text.contains("checked"), "the stars that were chosen");

    // Consent stays checked while the consent text is unchanged.
    let key = consent(&app, &path).await;
    let agreed = shown(&post(&app, &path, &[("consent", &key)]).await);
    assert!(agreed.contains("checked") && !agreed.contains("Senza il consenso"));
    let other = shown(&post(&app, &path, &[("consent", "0123456789abcdef")]).await);
    assert!(!other.contains("checked") && other.contains("Senza il consenso"));

    // Regression: invisible characters counted as text: they used up the link and were published as
    // a blank testimonial.
    let unseen = [
        ("name", "\u{200b}"),
        ("text", "\u{2060} \u{fffe}\u{ad}"),
        ("rating", "9"),
    ];
    let asked = form(&app, &path, &unseen);
    let asked = answer(asked.header("accept", "application/json")).await;
    assert_eq!(asked.status, 422);
    assert_eq!(
        asked.json()["faults"],
        json!(["name", "stars", "body", "consent"])
    );
    assert_eq!(app.get(ITEMS).await.json(), json!([]));
}

#[tokio::test]
async fn what_is_no_open_link_says_so_kindly_and_commits_nothing() {
    let app = TestApp::start().await;
    let file = app.folder().join("data.redb");
    let before = std::fs::read(&file).unwrap();
    let unknown = format!("/testimonianza/{}", "a".repeat(52));
    for (path, status, words) in [
        (unknown.as_str(), 410, "Il link non vale più"),
        ("/testimonianza/corto", 404, "Il link non è intero"),
        ("/testimonianza/%00", 400, ""),
    ] {
        for answer in [
            app.visit(path).await,
            post(&app, path, &[("name", "x")]).await,
        ] {
            assert_eq!(answer.status, status, "{path}");
            assert!(shown(&answer).contains(words), "{path}");
        }
    }
    assert_eq!(app.get(ITEMS).await.json(), json!([]));
    assert!(
        std::fs::read(&file).unwrap() == before,
        "something was written"
    );

    let (path, id) = link(&app).await;
    assert_eq!(app.delete(&format!("{REQUESTS}/{id}")).await.status, 204);
    assert!(shown(&app.visit(&path).await).contains("Il link non vale più"));

    let (path, id) = link(&app).await;
    app.let_time_pass(30 * DAY);
    let expired = app.visit(&path).await;
    assert_eq!(expired.status, 410);
    assert!(shown(&expired).contains("Il link è scaduto"));
    app.sign_in(&app.admin).await.is(200);
    assert_eq!(state(&app, &id).await, "expired");
}

#[tokio::test]
async fn a_form_from_another_site_is_refused() {
    let app = TestApp::start().await;
    let (path, _) = link(&app).await;
    let form = form(&app, &path, &[("name", "x")]);
    answer(form.header("origin", "https://evil.example"))
        .await
        .is(403);
}

#[tokio::test]
async fn a_renewed_link_takes_the_place_of_the_former() {
    let app = TestApp::start().await;
    let (former, id) = link(&app).await;
    let made = app
        .post(&format!("{REQUESTS}/{id}/renew"), &json!({}))
        .await
        .is(201)
        .json();
    assert_eq!(made["request"]["name"], "Marta");
    assert!(shown(&app.visit(&former).await).contains("Il link non vale più"));
    let url = made["url"].as_str().unwrap();
    let path = url.strip_prefix(&app.running.public_url).unwrap();
    assert_eq!(send_form(&app, path).await.status, 200);
    let new_id = made["request"]["id"].as_str().unwrap();
    for gone in [
        app.delete(&format!("{REQUESTS}/{new_id}")).await,
        app.post(&format!("{REQUESTS}/{new_id}/renew"), &json!({}))
            .await,
    ] {
        gone.is(409);
    }
}

#[tokio::test]
async fn links_are_asked_for_those_who_took_part_and_not_without_end() {
    let app = TestApp::start().await;
    let body = json!({ "name": "Marta", "activity": "" });
    let refused = app.post(REQUESTS, &body).await.is(422).json();
    assert_eq!(refused["errors"][0]["field"], "attended");
    let long = json!({ "name": "x".repeat(81), "attended": true });
    app.post(REQUESTS, &long).await.is(422);
    for _ in 0..100 {
        link(&app).await;
    }
    let full = app
        .post(REQUESTS, &json!({ "attended": true }))
        .await
        .is(409);
    assert!(full.json()["detail"].as_str().unwrap().contains("100 link"));
    for path in [REQUESTS.to_owned(), format!("{ITEMS}/x/provenance")] {
        app.by(&app.visitor, "GET", &path, None).await.is(401);
    }
}

#[tokio::test]
async fn one_address_does_not_send_without_end() {
    let app = TestApp::start().await;
    let (path, _) = link(&app).await;
    let mut limited = None;
    for _ in 0..30 {
        let back = post(&app, &path, &[("text", "resta qui")]).await;
        assert!(shown(&back).contains("resta qui"), "nothing typed is lost");
        if back.status == 429 {
            limited = Some(back);
            break;
        }
        assert_eq!(back.status, 422);
    }
    let limited = limited.unwrap();
    assert!(shown(&limited).contains("Troppi tentativi da qui."));
}

/// Submits a testimonial. Returns the path of its link and the id of its item.
pub async fn received(app: &TestApp) -> (String, String) {
    let (path, _) = link(app).await;
    assert_eq!(send_form(app, &path).await.status, 200);
    let items = app.get(ITEMS).await.json();
    let last = items.as_array().unwrap().last().unwrap();
    (path, last["id"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn withdrawing_takes_it_off_the_site_and_it_does_not_come_back() {
    let app = TestApp::start().await;
    let (path, item) = received(&app).await;
    let own = format!("{ITEMS}/{item}");
    let unread = || async { app.get("/api/admin/status").await.json()["unreadNotices"].clone() };
    assert_eq!(unread().await, 1);
    app.put(&own, &json!({ "published": true })).await.is(200);
    assert_eq!(
        unread().await,
        0,
        "who has published it has read the notice"
    );
    assert!(
        app.visit("/testimonianze")
            .await
            .text()
            .contains("Marta B.")
    );

    let gone = post(&app, &path, &[("withdraw", "1")]).await;
    assert_eq!(gone.status, 200);
    assert!(shown(&gone).contains("Testimonianza ritirata"));
    let public = shown(&app.visit("/testimonianze").await);
    assert!(!public.contains("Marta B.") && !public.contains("le chiedo con un link"));
    app.get(&own).await.is(404);
    let restore = format!("/api/admin/trash/{item}/restore");
    app.post(&restore, &json!({})).await.is(409);
    assert!(shown(&app.visit(&path).await).contains("Testimonianza ritirata"));

    // Emptying the trash removes the testimonial and its link.
    assert_eq!(app.delete("/api/admin/trash").await.status, 204);
    assert!(shown(&app.visit(&path).await).contains("Il link non vale più"));
    assert_eq!(app.get(REQUESTS).await.json()["requests"], json!([]));
}

#[tokio::test]
async fn what_went_to_the_trash_comes_back_with_where_it_came_from() {
    let app = TestApp::start().await;
    let (_, item) = received(&app).await;
    let own = format!("{ITEMS}/{item}");
    app.delete(&own).await;
    assert_eq!(
        app.get("/api/admin/status").await.json()["newTestimonials"],
        0
    );
    app.post(&format!("/api/admin/trash/{item}/restore"), &json!({}))
        .await
        .is(200);
    let kept = app.get(&format!("{own}/provenance")).await.is(200).json();
    assert_eq!(kept["origin"], "link");

    assert_eq!(
        app.post(&format!("{own}/keep"), &json!({})).await.status,
        204
    );
    assert_eq!(
        app.get("/api/admin/status").await.json()["newTestimonials"],
        0
    );
    assert_eq!(
        app.post(&format!("{own}/withdraw"), &json!({}))
            .await
            .status,
        204
    );
    app.get(&own).await.is(404);
}

#[tokio::test]
async fn one_that_she_typed_has_a_note_of_hers_and_nothing_more() {
    let app = TestApp::start().await;
    let body = json!({ "name": "Lina", "testimonial": "Bello" });
    let item = app.post(ITEMS, &body).await.is(201).json();
    let own = format!("{ITEMS}/{}/provenance", item["id"].as_str().unwrap());
    assert_eq!(app.get(&own).await.is(200).json()["origin"], Json::Null);
    let note = json!({ "note": "E-mail del 3 marzo,\r\ncon il permesso" });
    let kept = app.put(&own, &note).await.is(200).json();
    assert_eq!(kept["note"], "E-mail del 3 marzo,\ncon il permesso");
    assert_eq!(kept["origin"], "hand");
    app.put(&own, &json!({ "note": "x".repeat(1_001) }))
        .await
        .is(422);
    app.get(&format!("{ITEMS}/nessuna/provenance"))
        .await
        .is(404);
}

#[tokio::test]
async fn a_link_goes_out_by_mail_with_the_words_around_it_and_nothing_else_does() {
    let server = mail_server();
    let app = with_mail(&server).await;
    let own = json!({ "email": "anna@example.org", "brand": "Respiro" });
    app.put("/api/admin/settings", &own).await.is(200);
    let (path, id) = link(&app).await;
    let (_, other) = link(&app).await;
    let message = format!(
        "Ciao Marta,\n\n{}{path}\n\nCom’è stato?",
        app.running.public_url
    );
    let mail = async |id: &str, email: &str, message: &str| {
        let body = json!({ "email": email, "message": message });
        app.post(&format!("{REQUESTS}/{id}/mail"), &body).await
    };
    for (id, email, message) in [
        (id.as_str(), "marta@example.com", "Compra subito!"),
        (other.as_str(), "marta@example.com", message.as_str()),
        (
            id.as_str(),
            "marta@example.com\nbcc: a@b.it",
            message.as_str(),
        ),
        (id.as_str(), "marta", message.as_str()),
    ] {
        mail(id, email, message).await.is(422);
    }
    let sent = mail(&id, "Marta@example.com", &message).await.is(200);
    assert_eq!(sent.json()["sent"], true);
    let arrived = server.arriving().await;
    assert_eq!(arrived.to, "RCPT TO:<marta@example.com>");
    assert_eq!(arrived.header("Reply-To"), "anna@example.org");
    let body = arrived.body().replace("\r\n", "\n");
    assert!(
        body.contains(&path) && body.contains("Com’è stato?"),
        "{body}"
    );
    assert!(!server.has_more());
    // The panel notifies the admin of a submission without quoting it.
    assert_eq!(send_form(&app, &path).await.status, 200);
    let notices = app.get("/api/admin/notices").await.is(200).text();
    assert!(notices.contains("testimonial") && !notices.contains("Marta"));
}
