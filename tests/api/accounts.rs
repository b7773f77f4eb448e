//! Tests of forgotten passwords, of changed addresses, and of people with rights of their own.

use crate::helpers::{Answer, EMAIL, PASSWORD, TestApp, client};
use crate::http_client::Client;
use crate::mail_server::{MailServer, Taken};
use crate::newsletter::{mail_server, with_mail};
use crate::sensitive_routes::OWNER_ROUTES;
use respiro_server::config::parse_host_contact;
use respiro_server::http;
use serde_json::{Value as Json, json};
use std::time::Duration;

const MINUTE: i64 = 60_000;
const DAY: i64 = 24 * 60 * MINUTE;
const NEW_PASSWORD: &str = "tre barche ferme a Nesso";
const NEW_EMAIL: &str = "nuova@example.com";
pub const EDITOR: &str = "bruno@example.com";
const FORGOTTEN: &str = "/api/auth/forgotten";
const RESET: &str = "/api/auth/reset";
/// Routes below these concern the whole site, access to it, or other people's data.
const OWNER_PREFIXES: &[&str] = &[
    "/api/admin/accounts",
    "/api/admin/backup",
    "/api/admin/copies",
    "/api/admin/newsletter",
    "/api/admin/newsletters",
    "/api/admin/person",
    "/api/admin/restore",
    "/api/admin/sendings",
];

async fn forgot(app: &TestApp, email: &str) -> Answer {
    let body = json!({ "email": email });
    app.by(&app.visitor, "POST", FORGOTTEN, Some(&body)).await
}

/// The token of the link in an e-mail.
fn token(mail: &Taken) -> String {
    let body = mail.body();
    let mut links = body.split("/admin#link=").skip(1);
    let link = links.next().unwrap_or_else(|| panic!("no link in {body}"));
    assert!(links.next().is_none(), "{body}");
    let is_of_token = |c: &char| c.is_ascii_alphanumeric();
    link.chars().take_while(is_of_token).collect()
}

async fn with_token(app: &TestApp, path: &str, token: &str) -> Answer {
    let body = json!({ "token": token });
    app.by(&app.visitor, "POST", path, Some(&body)).await
}

async fn reset(app: &TestApp, token: &str, password: &str) -> Answer {
    let body = json!({ "token": token, "password": password });
    app.by(&app.visitor, "POST", RESET, Some(&body)).await
}

async fn sign_in_as(app: &TestApp, client: &Client, email: &str, password: &str) -> Answer {
    let body = json!({ "email": email, "password": password });
    app.by(client, "POST", "/api/auth/login", Some(&body)).await
}

/// Requests a link and returns its token.
async fn link_by_mail(app: &TestApp, server: &MailServer) -> String {
    forgot(app, EMAIL).await.is(202);
    loop {
        let mail = server.arriving().await;
        assert_eq!(mail.to, format!("RCPT TO:<{EMAIL}>"));
        // Notices about the account arrive too.
        if mail.body().contains("#link=") {
            return token(&mail);
        }
    }
}

/// Returns the number of one-time links that the data file holds.
async fn links(app: &TestApp) -> usize {
    let links = app
        .running
        .app
        .read(|reader| Ok(reader.account_links().list()?.len()));
    links.await.unwrap()
}

/// Waits until a request for a new password has been looked up.
async fn looked_up(app: &TestApp) {
    let places = &app.running.app.queues.password_links;
    while places.available_permits() < 32 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn told(app: &TestApp, client: &Client) -> Vec<String> {
    let list = app.by(client, "GET", "/api/admin/notices", None).await;
    let list = list.is(200).json();
    let texts = list["notices"].as_array().unwrap().iter();
    texts
        .map(|one| one["text"].as_str().unwrap_or_default().to_owned())
        .collect()
}

#[tokio::test]
async fn a_forgotten_password_is_replaced_once_by_the_link_of_an_e_mail() {
    let server = mail_server();
    let app = with_mail(&server).await;
    let token = link_by_mail(&app, &server).await;
    assert_eq!(links(&app).await, 1);
    let stored = app
        .running
        .app
        .read(|reader| Ok(reader.account_links().list()?));
    let stored = format!("{:?}", stored.await.unwrap());
    assert!(!stored.contains(&token), "only its hash is stored");

    // Reading what the link permits uses nothing up.
    for _ in 0..2 {
        let link = with_token(&app, "/api/auth/link", &token)
            .await
            .is(200)
            .json();
        assert_eq!(
            (&link["grant"], &link["email"]),
            (&json!("new-password"), &json!(EMAIL))
        );
    }
    // Nor does a password that is refused, nor another use of the token.
    reset(&app, &token, "corta").await.is(422);
    with_token(&app, "/api/auth/email/confirm", &token)
        .await
        .is(410);
    let body = json!({ "token": token, "password": NEW_PASSWORD });
    app.by(&app.visitor, "POST", "/api/auth/join", Some(&body))
        .await
        .is(410);

    reset(&app, &token, NEW_PASSWORD).await.is(204);
    app.get("/api/auth/session").await.is(401);
    sign_in_as(&app, &client(true), EMAIL, PASSWORD)
        .await
        .is(401);
    sign_in_as(&app, &app.admin, EMAIL, NEW_PASSWORD)
        .await
        .is(200);
    let told = told(&app, &app.admin).await;
    assert!(
        told.iter()
            .any(|text| text.contains("un link arrivato per e-mail")),
        "{told:?}"
    );
    let again = reset(&app, &token, "un altro respiro lungo")
        .await
        .is(410)
        .json();
    assert_eq!(again["code"], Json::Null);
    assert_eq!(again["type"], "urn:respiro:problem:link-ended");
    with_token(&app, "/api/auth/link", &token).await.is(410);
}

#[tokio::test]
async fn an_unknown_address_gets_the_answer_of_a_known_one_before_either_is_looked_up() {
    let server = mail_server();
    let app = with_mail(&server).await;
    // With no place for a look-up both answers come, so that neither waits for one.
    let places = std::sync::Arc::clone(&app.running.app.queues.password_links);
    let all = places.acquire_many_owned(32).await.unwrap();
    let known = forgot(&app, EMAIL).await.is(202);
    let unknown = forgot(&app, "nessuno@example.com").await.is(202);
    assert_eq!(known.bytes, unknown.bytes);
    let names = |answer: &Answer| {
        let mut names: Vec<_> = answer.headers.keys().map(ToString::to_string).collect();
        names.sort();
        names
    };
    assert_eq!(names(&known), names(&unknown));
    drop(all);
    forgot(&app, "nessuno@example.com").await.is(202);
    looked_up(&app).await;
    assert_eq!(links(&app).await, 0);
    forgot(&app, EMAIL).await.is(202);
    let mail = server.arriving().await;
    assert_eq!(mail.to, format!("RCPT TO:<{EMAIL}>"), "the only e-mail");
}

#[tokio::test]
async fn requests_for_a_password_are_limited_by_network_and_e_mails_by_account() {
    let server = mail_server();
    let app = with_mail(&server).await;
    let first = link_by_mail(&app, &server).await;
    for _ in 0..3 {
        forgot(&app, EMAIL).await.is(202);
        looked_up(&app).await;
    }
    assert_eq!(links(&app).await, 1, "one e-mail a minute");
    forgot(&app, "nessuno@example.com").await.is(202);
    for email in [EMAIL, "nessuno@example.com"] {
        let refused = forgot(&app, email).await.is(429);
        assert_eq!(refused.header("retry-after"), "10");
    }
    app.let_time_pass(MINUTE);
    let second = link_by_mail(&app, &server).await;
    assert_ne!(first, second);
    // Whoever asks for another link keeps nobody from the first.
    reset(&app, &first, NEW_PASSWORD).await.is(204);
    reset(&app, &second, "un altro respiro lungo").await.is(410);
}

#[tokio::test]
async fn a_link_ends_after_half_an_hour_and_with_another_password_address_or_account() {
    let server = mail_server();
    let app = with_mail(&server).await;
    let next_link = async || {
        app.let_time_pass(60 * MINUTE);
        app.sign_in(&app.admin).await;
        link_by_mail(&app, &server).await
    };
    let late = link_by_mail(&app, &server).await;
    app.let_time_pass(29 * MINUTE);
    with_token(&app, "/api/auth/link", &late).await.is(200);
    app.let_time_pass(MINUTE);
    reset(&app, &late, NEW_PASSWORD).await.is(410);
    sign_in_as(&app, &client(true), EMAIL, NEW_PASSWORD)
        .await
        .is(401);

    let token = next_link().await;
    let body = json!({ "currentPassword": PASSWORD, "newPassword": NEW_PASSWORD });
    app.put("/api/auth/password", &body).await.is(204);
    reset(&app, &token, PASSWORD).await.is(410);
    let back = json!({ "currentPassword": NEW_PASSWORD, "newPassword": PASSWORD });
    app.put("/api/auth/password", &back).await.is(204);

    let token = next_link().await;
    let changed = app
        .running
        .app
        .change(|writer| Ok(writer.accounts().change_email(EMAIL, NEW_EMAIL)?));
    changed.await.unwrap();
    reset(&app, &token, NEW_PASSWORD).await.is(410);
    let back = app
        .running
        .app
        .change(|writer| Ok(writer.accounts().change_email(NEW_EMAIL, EMAIL)?));
    back.await.unwrap();

    let token = next_link().await;
    let removed = app
        .running
        .app
        .change(|writer| Ok(writer.accounts().remove(EMAIL)?));
    removed.await.unwrap();
    reset(&app, &token, NEW_PASSWORD).await.is(410);
}

#[tokio::test]
async fn after_a_new_password_the_second_factor_is_still_asked_and_a_recovery_code_sets_none() {
    let server = mail_server();
    let app = with_mail(&server).await;
    let codes = app.second_factor_on().await;
    reset(&app, &codes[0], NEW_PASSWORD).await.is(410);
    let token = link_by_mail(&app, &server).await;
    reset(&app, &token, NEW_PASSWORD).await.is(204);
    let asked = sign_in_as(&app, &app.admin, EMAIL, NEW_PASSWORD)
        .await
        .is(401);
    assert!(asked.text().contains("second-factor-required"));
    let body = json!({ "email": EMAIL, "password": NEW_PASSWORD, "code": codes[0] });
    app.by(&app.admin, "POST", "/api/auth/login", Some(&body))
        .await
        .is(200);
}

#[tokio::test]
async fn without_a_mail_server_the_sign_in_names_who_helps() {
    let app = TestApp::start_as(|config, _| {
        let contact = "Studio Esempio, +39 031 000 000, studio@example.org";
        config.host_contact = Some(parse_host_contact(contact).unwrap());
    })
    .await;
    let ways = app.visit(FORGOTTEN).await.is(200).json();
    let expected = json!({ "name": "Studio Esempio", "phone": "+39 031 000 000",
        "email": "studio@example.org" });
    assert_eq!(ways, json!({ "byEmail": false, "contact": expected }));
    forgot(&app, EMAIL).await.is(202);
    looked_up(&app).await;
    assert_eq!(links(&app).await, 0);
    let body = json!({ "email": NEW_EMAIL });
    app.put("/api/auth/email", &body).await.is(409);
}

#[tokio::test]
async fn an_address_changes_when_both_mailboxes_have_confirmed() {
    let server = mail_server();
    let app = with_mail(&server).await;
    let draft = json!({ "revision": "r1", "content": {} });
    app.put("/api/admin/drafts/settings", &draft).await.is(200);
    let ask = async |email: &str| app.put("/api/auth/email", &json!({ "email": email })).await;
    ask("non un indirizzo").await.is(422);
    ask(EMAIL).await.is(422);
    ask(NEW_EMAIL).await.is(202);
    let mails = [server.arriving().await, server.arriving().await];
    let token_to = |email: &str| {
        let to = format!("RCPT TO:<{email}>");
        token(mails.iter().find(|mail| mail.to == to).unwrap())
    };
    let (former, new) = (token_to(EMAIL), token_to(NEW_EMAIL));
    let confirm = async |token: &str| with_token(&app, "/api/auth/email/confirm", token).await;
    let link = with_token(&app, "/api/auth/link", &new)
        .await
        .is(200)
        .json();
    assert_eq!(
        (&link["grant"], &link["newEmail"]),
        (&json!("new-email"), &json!(NEW_EMAIL))
    );
    reset(&app, &new, NEW_PASSWORD).await.is(410);
    // One mailbox alone changes nothing, however often it confirms.
    for _ in 0..2 {
        assert_eq!(confirm(&new).await.is(200).json()["changed"], false);
    }
    assert_eq!(app.get("/api/auth/session").await.json()["email"], EMAIL);
    assert_eq!(confirm(&former).await.is(200).json()["changed"], true);
    confirm(&former).await.is(410);
    confirm(&new).await.is(410);

    // The session, the draft and the notices went along.
    assert_eq!(
        app.get("/api/auth/session").await.is(200).json()["email"],
        NEW_EMAIL
    );
    app.get("/api/admin/drafts/settings").await.is(200);
    let told = told(&app, &app.admin).await;
    assert!(told[0].contains(NEW_EMAIL), "{told:?}");
    sign_in_as(&app, &client(true), EMAIL, PASSWORD)
        .await
        .is(401);
    sign_in_as(&app, &client(true), NEW_EMAIL, PASSWORD)
        .await
        .is(200);
    // The former mailbox learns of it, besides the notice to the new one.
    let mut last = [server.arriving().await, server.arriving().await];
    last.sort_by_key(|mail| mail.to != format!("RCPT TO:<{EMAIL}>"));
    assert!(last[0].body().contains("non più con"), "{}", last[0].body());
}

#[tokio::test]
async fn a_change_of_address_ends_with_its_day_with_another_and_where_the_address_is_taken() {
    let server = mail_server();
    let app = with_mail(&server).await;
    let ask = async |email: &str| {
        app.sign_in(&app.admin).await.is(200);
        app.put("/api/auth/email", &json!({ "email": email }))
            .await
            .is(202);
        let mut mails = [server.arriving().await, server.arriving().await];
        mails.sort_by_key(|mail| mail.to != format!("RCPT TO:<{EMAIL}>"));
        mails.map(|mail| token(&mail))
    };
    let confirm = async |token: &str| with_token(&app, "/api/auth/email/confirm", token).await;
    let late = ask(NEW_EMAIL).await;
    confirm(&late[0]).await.is(200);
    app.let_time_pass(DAY);
    confirm(&late[1]).await.is(410);

    let former = ask(NEW_EMAIL).await;
    confirm(&former[0]).await.is(200);
    let other = ask("altra@example.com").await;
    confirm(&former[1]).await.is(410);
    confirm(&other[0]).await.is(200);
    join_as(&app, "altra@example.com", "editor").await;
    confirm(&other[1]).await.is(409);
    assert_eq!(app.get("/api/auth/session").await.json()["email"], EMAIL);
}

/// Invites a person, who accepts. Returns the person's client.
pub async fn join_as(app: &TestApp, email: &str, role: &str) -> Client {
    let body = json!({ "email": email, "role": role });
    let invited = app.post("/api/admin/accounts", &body).await.is(201).json();
    let url = invited["url"].as_str().unwrap();
    let (_, token) = url.split_once("/admin#link=").unwrap();
    let person = client(true);
    let body = json!({ "token": token, "password": NEW_PASSWORD });
    app.by(&person, "POST", "/api/auth/join", Some(&body))
        .await
        .is(200);
    person
}

async fn people(app: &TestApp) -> Vec<Json> {
    let list = app.get("/api/admin/accounts").await.is(200).json();
    list["people"].as_array().unwrap().clone()
}

async fn id_of(app: &TestApp, email: &str) -> String {
    let people = people(app).await;
    let found = people.iter().find(|one| one["email"] == email).unwrap();
    found["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_person_joins_by_a_link_once_with_the_rights_of_the_invitation() {
    let app = TestApp::start().await;
    let body = json!({ "email": EDITOR, "role": "editor" });
    app.by(&app.visitor, "POST", "/api/admin/accounts", Some(&body))
        .await
        .is(401);
    for wrong in [
        json!({ "email": "x", "role": "editor" }),
        json!({ "email": EMAIL, "role": "editor" }),
        json!({ "email": EDITOR, "role": "admin" }),
    ] {
        app.post("/api/admin/accounts", &wrong).await.is(422);
    }
    let first = app.post("/api/admin/accounts", &body).await.is(201).json();
    let second = app.post("/api/admin/accounts", &body).await.is(201).json();
    let token = |made: &Json| {
        made["url"]
            .as_str()
            .unwrap()
            .split_once("#link=")
            .unwrap()
            .1
            .to_owned()
    };
    with_token(&app, "/api/auth/link", &token(&first))
        .await
        .is(410);
    let link = with_token(&app, "/api/auth/link", &token(&second))
        .await
        .is(200)
        .json();
    assert_eq!(
        (&link["grant"], &link["role"]),
        (&json!("invitation"), &json!("editor"))
    );
    let listed = people(&app).await;
    assert_eq!(listed.len(), 2);
    assert!(listed[0]["invitedUntil"].is_null() && !listed[1]["invitedUntil"].is_null());
    assert!(!listed[1].to_string().contains(&token(&second)));

    let person = client(true);
    let join = async |password: &str| {
        let body = json!({ "token": token(&second), "password": password });
        app.by(&person, "POST", "/api/auth/join", Some(&body)).await
    };
    join("corta").await.is(422);
    join(NEW_PASSWORD).await.is(200);
    join(NEW_PASSWORD).await.is(410);
    let session = app
        .by(&person, "GET", "/api/auth/session", None)
        .await
        .json();
    assert_eq!(
        session,
        json!({ "email": EDITOR, "role": "editor", "secondFactor": false })
    );
    let told = told(&app, &app.admin).await;
    assert!(
        told[0].contains("può modificare") && told[0].contains(EDITOR),
        "{told:?}"
    );
}

#[tokio::test]
async fn an_invitation_ends_after_a_week_or_when_it_is_taken_back() {
    let app = TestApp::start().await;
    let token = |made: &Json| {
        let url = made["url"].as_str().unwrap();
        url.split_once("#link=").unwrap().1.to_owned()
    };
    let third = json!({ "email": "carla@example.com", "role": "owner" });
    let third = app.post("/api/admin/accounts", &third).await.is(201).json();
    app.delete(&format!(
        "/api/admin/accounts/{}",
        third["id"].as_str().unwrap()
    ))
    .await
    .is(204);
    with_token(&app, "/api/auth/link", &token(&third))
        .await
        .is(410);
    let fourth = json!({ "email": "carla@example.com", "role": "owner" });
    let fourth = app
        .post("/api/admin/accounts", &fourth)
        .await
        .is(201)
        .json();
    app.let_time_pass(7 * DAY);
    with_token(&app, "/api/auth/link", &token(&fourth))
        .await
        .is(410);
}

#[tokio::test]
async fn exactly_the_routes_of_an_owner_are_closed_to_an_editor() {
    let app = TestApp::start().await;
    let editor = join_as(&app, EDITOR, "editor").await;
    let mut found = Vec::new();
    for (method, path) in http::paths() {
        if !path.starts_with("/api/") || path.starts_with("/api/auth/") {
            continue;
        }
        let filled: Vec<&str> = path
            .split('/')
            .map(|part| if part.starts_with('{') { "x" } else { part })
            .collect();
        let body = (method != "GET").then(|| json!({}));
        let answer = app
            .by(&editor, &method, &filled.join("/"), body.as_ref())
            .await;
        if answer.text().contains("urn:respiro:problem:owner-required") {
            assert_eq!(answer.status, 403);
            found.push((method, path));
        } else {
            let prefixes = OWNER_PREFIXES.iter();
            let mut below = prefixes
                .filter(|prefix| path == **prefix || path.starts_with(&format!("{prefix}/")));
            assert_eq!(below.next(), None, "{method} {path} is open to an editor");
        }
    }
    let mut wanted: Vec<_> = OWNER_ROUTES
        .iter()
        .map(|(method, path)| ((*method).to_owned(), (*path).to_owned()))
        .collect();
    found.sort();
    wanted.sort();
    assert_eq!(found, wanted);
    // Nothing happened, and the editor edits.
    assert_eq!(people(&app).await.len(), 2);
    let body = json!({ "name": "Lina", "testimonial": "Bello" });
    let path = "/api/admin/course-testimonials";
    app.by(&editor, "POST", path, Some(&body)).await.is(201);
    app.by(&editor, "GET", "/api/admin/settings", None)
        .await
        .is(200);
}

#[tokio::test]
async fn an_editor_loses_and_gains_rights_with_the_next_request() {
    let app = TestApp::start().await;
    let person = join_as(&app, EDITOR, "editor").await;
    let path = format!("/api/admin/accounts/{}", id_of(&app, EDITOR).await);
    let settings = json!({});
    let put = async || {
        app.by(&person, "PUT", "/api/admin/settings", Some(&settings))
            .await
    };
    put().await.is(403);
    // Not by oneself.
    let owner = json!({ "role": "owner" });
    app.by(&person, "PUT", &path, Some(&owner)).await.is(403);
    app.put(&path, &owner).await.is(204);
    put().await.is(200);
    app.put(&path, &json!({ "role": "editor" })).await.is(204);
    put().await.is(403);
    app.delete(&path).await.is(204);
    put().await.is(401);
    sign_in_as(&app, &client(true), EDITOR, NEW_PASSWORD)
        .await
        .is(401);
    app.delete(&path).await.is(404);
}

#[tokio::test]
async fn the_last_account_that_may_do_everything_stays() {
    let app = TestApp::start().await;
    join_as(&app, EDITOR, "editor").await;
    let own = format!("/api/admin/accounts/{}", id_of(&app, EMAIL).await);
    let editor = json!({ "role": "editor" });
    app.delete(&own).await.is(409);
    app.put(&own, &editor).await.is(409);
    let second = join_as(&app, "carla@example.com", "owner").await;
    app.put(&own, &editor).await.is(204);
    let path = format!("/api/admin/accounts/{}", {
        let list = app.by(&second, "GET", "/api/admin/accounts", None).await;
        let list = list.is(200).json();
        let people = list["people"].as_array().unwrap().clone();
        let carla = people
            .iter()
            .find(|one| one["email"] == "carla@example.com");
        carla.unwrap()["id"].as_str().unwrap().to_owned()
    });
    app.by(&second, "DELETE", &path, None).await.is(409);
    app.by(&second, "DELETE", &own, None).await.is(204);
    app.get("/api/auth/session").await.is(401);
}

#[tokio::test]
async fn people_and_open_invitations_are_at_most_twenty() {
    let app = TestApp::start().await;
    for number in 1..20 {
        let body = json!({ "email": format!("a{number}@example.com"), "role": "editor" });
        app.post("/api/admin/accounts", &body).await.is(201);
    }
    let body = json!({ "email": "zoe@example.com", "role": "editor" });
    app.post("/api/admin/accounts", &body).await.is(409);
}
