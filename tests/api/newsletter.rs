//! Tests of newsletter addresses: any visitor adds one, only the admin sees them.

use crate::helpers::{Answer, DAY, TestApp, answer};
use crate::mail_server::{Begins, MailServer};
use respiro_email::SmtpOptions;
use respiro_email::transactional_queue::{QUEUED_ADDRESSES_MAX, TransactionalQueue};
use respiro_server::config::parse_mail_server;
use serde_json::{Value as Json, json};
use std::time::{Duration, Instant};

async fn subscribe(app: &TestApp, email: Json) -> Answer {
    let body = json!({ "email": email });
    app.by(&app.visitor, "POST", "/api/newsletter", Some(&body))
        .await
}

#[tokio::test]
async fn an_address_is_stored_once_with_its_consent_and_answered_alike() {
    let app = TestApp::start().await;
    for written in ["lina@example.com", " LINA@example.com ", "lina@example.com"] {
        let answer = subscribe(&app, json!(written)).await;
        assert_eq!((answer.status, answer.bytes.len()), (202, 0));
    }
    let list = app.get("/api/admin/newsletter").await.is(200).json();
    assert_eq!(list.as_array().unwrap().len(), 1);
    assert_eq!(list[0]["email"], "lina@example.com");
    // Regression: the state was `confirmed` although the visitor had confirmed nothing.
    assert_eq!(list[0]["state"], "collected");
    assert_eq!(list[0]["confirmedAt"], json!(null));
    assert!(list[0]["createdAt"].as_str().unwrap().ends_with('Z'));
    assert!(
        list[0]["consentText"]
            .as_str()
            .unwrap()
            .contains("Iscrivendoti")
    );
}

#[tokio::test]
async fn what_is_no_address_is_refused() {
    let app = TestApp::start().await;
    for wrong in [
        json!("x"),
        json!(""),
        json!("a@b"),
        json!("a@b.it\nbcc:c@d.it"),
        json!(1),
        json!(null),
    ] {
        subscribe(&app, wrong).await.is(422);
    }
    app.by(&app.visitor, "POST", "/api/newsletter", Some(&json!({})))
        .await
        .is(422);
    assert_eq!(app.get("/api/admin/newsletter").await.json(), json!([]));
}

/// Regression: `anna@perché.it` was refused although mail reaches it, and without a mail server it
/// was stored beside its ASCII form.
#[tokio::test]
async fn an_accented_domain_is_one_address_with_its_ascii_form() {
    const STORED: &str = "anna@xn--perch-fsa.it";
    let server = mail_server();
    let app = with_mail(&server).await;
    let emails = async || {
        let list = app.get("/api/admin/newsletter").await.json();
        let rows = list.as_array().unwrap().iter();
        rows.map(|one| (one["email"].clone(), one["state"].clone()))
            .collect::<Vec<_>>()
    };
    for written in ["Anna@Perché.it", STORED] {
        subscribe(&app, json!(written)).await.is(202);
    }
    assert_eq!(emails().await, [(json!(STORED), json!("pending"))]);
    assert_eq!(server.arriving().await.to, format!("RCPT TO:<{STORED}>"));
    app.delete("/api/admin/newsletter/anna@perch%C3%A9.it")
        .await
        .is(204);
    assert_eq!(emails().await, []);
    // A row of a former release.
    let former = app.running.app.change(|writer| {
        Ok(writer.subscribers().put(&respiro_db::Subscriber {
            email: "lina@perché.it".to_owned(),
            state: respiro_db::Subscription::Collected,
            consent_text: String::new(),
            created_at: 0,
            confirmed_at: None,
        })?)
    });
    former.await.unwrap();
    app.post("/api/admin/ask-confirmation", &json!({}))
        .await
        .is(200);
    let stored = "lina@xn--perch-fsa.it";
    assert_eq!(server.arriving().await.to, format!("RCPT TO:<{stored}>"));
    assert_eq!(emails().await, [(json!(stored), json!("pending"))]);
}

#[tokio::test]
async fn one_visitor_cannot_fill_the_list() {
    let app = TestApp::start_as(|_, tuning| tuning.newsletter_free_tries = 5).await;
    let mut statuses = Vec::new();
    for number in 0..20 {
        statuses.push(
            subscribe(&app, json!(format!("a{number}@example.com")))
                .await
                .status,
        );
    }
    assert!(statuses.contains(&429), "{statuses:?}");
    assert!(statuses.iter().all(|status| [202, 429].contains(status)));
    assert!(
        app.get("/api/admin/newsletter")
            .await
            .json()
            .as_array()
            .unwrap()
            .len()
            < 10
    );
}

#[tokio::test]
async fn the_list_is_exported_without_formulas_and_addresses_are_removed() {
    let app = TestApp::start().await;
    subscribe(&app, json!("=cmd@example.com")).await;
    subscribe(&app, json!("zoe+x@example.com")).await;
    let csv = app.get("/api/admin/newsletter.csv").await;
    assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8");
    assert!(csv.header("content-disposition").contains("attachment"));
    assert!(
        csv.text().contains("\"'=cmd@example.com\""),
        "{}",
        csv.text()
    );
    assert!(csv.text().contains("\"zoe+x@example.com\""));
    assert!(csv.text().starts_with("\u{feff}email,stato,iscritto il,"));
    // Regression: an Italian Excel showed every line in one column.
    let path = "/api/admin/newsletter.csv?separator=semicolon";
    let excel = app.get(path).await.is(200).text();
    assert!(
        excel.starts_with("\u{feff}email;stato;iscritto il;"),
        "{excel}"
    );
    assert!(
        excel.contains("\r\n\"'=cmd@example.com\";\"raccolta\";"),
        "{excel}"
    );
    let unknown = "/api/admin/newsletter.csv?separator=tab";
    app.get(unknown).await.is(400);
    let removed = app
        .delete("/api/admin/newsletter/zoe%2Bx@example.com")
        .await;
    assert_eq!(removed.status, 204);
    let list = app.get("/api/admin/newsletter").await.json();
    assert_eq!(list.as_array().unwrap().len(), 1);
    assert_eq!(list[0]["email"], "=cmd@example.com");
}

const HOUR: i64 = 60 * 60 * 1_000;
const MINUTE: i64 = 60 * 1_000;

/// Starts the program with this mail server.
pub async fn with_mail(server: &MailServer) -> TestApp {
    let port = server.port;
    TestApp::start_as(|config, _| config.mail = Some(mail(port))).await
}

pub fn mail(port: u16) -> SmtpOptions {
    SmtpOptions {
        server: parse_mail_server(&format!("smtp+plain://127.0.0.1:{port}")).unwrap(),
        password: None,
        from: "sito@example.org".to_owned(),
        hello_name: None,
        extra_roots: Ok(Vec::new()),
        timeout: Duration::from_secs(20),
    }
}

pub fn mail_server() -> MailServer {
    let folder = tempfile::tempdir().unwrap();
    MailServer::start(Begins::Plainly, folder.path())
}

/// Returns the state of an address in the panel's list, or `none`.
async fn state(app: &TestApp, email: &str) -> String {
    let list = app.get("/api/admin/newsletter").await.is(200).json();
    let list = list.as_array().unwrap();
    let found = list.iter().find(|one| one["email"] == email);
    found
        .map_or("none", |one| one["state"].as_str().unwrap())
        .to_owned()
}

pub async fn press(app: &TestApp, path: &str) -> Answer {
    let form = app.visitor.post(app.url(path));
    let form = form.header("origin", &app.running.public_url);
    answer(form.header("content-type", "application/x-www-form-urlencoded")).await
}

#[track_caller]
fn shows(answer: &Answer, words: &str) {
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert!(answer.text().contains(words), "{words}: {}", answer.text());
}

#[tokio::test]
async fn with_mail_an_address_counts_once_its_owner_has_said_so() {
    let server = mail_server();
    let app = with_mail(&server).await;
    let asked = subscribe(&app, json!("Zoe@example.com")).await;
    assert_eq!(asked.status, 202);
    assert_eq!(asked.json(), json!({ "confirmation": true }));
    let message = server.arriving().await;
    assert_eq!(message.to, "RCPT TO:<zoe@example.com>");
    let subject = message.header("Subject");
    assert!(subject.ends_with("alla newsletter di Respiro"), "{subject}");
    assert_eq!(message.header("List-Unsubscribe-Post"), "", "HTTPS only");
    assert_eq!(state(&app, "zoe@example.com").await, "pending");

    let confirm = message.link("/conferma/");
    let page = app.visit(&confirm).await;
    shows(&page, "<form method=\"post\">");
    shows(&page, "<footer");
    for (name, value) in [
        ("cache-control", "no-store"),
        ("x-robots-tag", "noindex, nofollow"),
        ("referrer-policy", "same-origin"),
        ("etag", ""),
    ] {
        assert_eq!(page.header(name), value, "{name}");
    }
    assert_eq!(state(&app, "zoe@example.com").await, "pending", "a look");
    for words in ["Iscrizione confermata", "Hai già confermato"] {
        shows(&press(&app, &confirm).await, words);
        assert_eq!(state(&app, "zoe@example.com").await, "confirmed");
    }
    shows(&app.visit(&confirm).await, "Hai già confermato");

    // A confirmed address gets the same response and no further message.
    app.let_time_pass(2 * HOUR);
    let again = subscribe(&app, json!("zoe@example.com")).await;
    assert_eq!((again.status, again.json()), (202, asked.json()));
    subscribe(&app, json!("nora@example.com")).await;
    assert_eq!(server.arriving().await.to, "RCPT TO:<nora@example.com>");
    let csv = app.get("/api/admin/newsletter.csv").await.text();
    assert!(csv.contains("\"zoe@example.com\",\"confermata\""), "{csv}");
    assert!(
        csv.contains("\"nora@example.com\",\"da confermare\""),
        "{csv}"
    );
}

#[tokio::test]
async fn one_click_unsubscribes_and_only_a_new_message_brings_back() {
    let server = mail_server();
    let app = with_mail(&server).await;
    subscribe(&app, json!("zoe@example.com")).await;
    let message = server.arriving().await;
    let confirm = message.link("/conferma/");
    let unsubscribe = message.link("/cancella/");
    let header = message.header("List-Unsubscribe");
    assert!(header.contains(&unsubscribe), "{header}");
    press(&app, &confirm).await;
    shows(&app.visit(&unsubscribe).await, "<form method=\"post\">");
    assert_eq!(state(&app, "zoe@example.com").await, "confirmed");
    // A mail provider's one-click request (RFC 8058): no `Origin`, one field.
    let one_click = app.visitor.post(app.url(&unsubscribe));
    let one_click = one_click.header("content-type", "application/x-www-form-urlencoded");
    let done = answer(one_click.body("List-Unsubscribe=One-Click")).await;
    shows(&done, "Iscrizione cancellata");
    assert_eq!(state(&app, "zoe@example.com").await, "unsubscribed");
    shows(&app.visit(&unsubscribe).await, "è già cancellata");
    assert_eq!(press(&app, &confirm).await.status, 410);
    assert_eq!(state(&app, "zoe@example.com").await, "unsubscribed");
    app.let_time_pass(2 * HOUR);
    subscribe(&app, json!("zoe@example.com")).await;
    let confirm = server.arriving().await.link("/conferma/");
    shows(&press(&app, &confirm).await, "Iscrizione confermata");
    assert_eq!(state(&app, "zoe@example.com").await, "confirmed");
    // The proof of consent refers to the question that was answered, not to the first one.
    let proof = async || {
        let read = app
            .running
            .app
            .read(|reader| Ok(reader.address_statuses().get("zoe@example.com")?));
        read.await.unwrap()
    };
    let deadline = Instant::now() + Duration::from_secs(20);
    while proof().await.mailed_at < proof().await.asked_at {
        assert!(Instant::now() < deadline, "{:?}", proof().await);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Waits until the store records that the message was sent. A request before that would wait for
/// the same message.
async fn handed_over(app: &TestApp) {
    let deadline = Instant::now() + Duration::from_secs(20);
    let mailed_at = async || {
        let read = app
            .running
            .app
            .read(|reader| Ok(reader.address_statuses().get("zoe@example.com")?));
        read.await.unwrap().mailed_at
    };
    while mailed_at()
        .await
        .is_none_or(|at| at > app.running.app.now())
    {
        assert!(Instant::now() < deadline);
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Regression: an address that was asked, or had unsubscribed, while the clock was a month ahead
/// got no message for a month.
#[tokio::test]
async fn a_clock_that_was_ahead_keeps_nobody_from_coming() {
    let server = mail_server();
    let app = with_mail(&server).await;
    app.let_time_pass(30 * DAY);
    subscribe(&app, json!("zoe@example.com")).await;
    server.arriving().await;
    handed_over(&app).await;
    app.let_time_pass(-30 * DAY);
    subscribe(&app, json!("zoe@example.com")).await;
    let message = server.arriving().await;
    handed_over(&app).await;
    subscribe(&app, json!("zoe@example.com")).await;
    press(&app, &message.link("/conferma/")).await;
    app.let_time_pass(30 * DAY);
    press(&app, &message.link("/cancella/")).await;
    app.let_time_pass(-29 * DAY);
    subscribe(&app, json!("zoe@example.com")).await;
    let confirm = server.arriving().await.link("/conferma/");
    shows(&press(&app, &confirm).await, "Iscrizione confermata");
    assert!(!server.has_more(), "once typed, once asked");
}

/// Regression: a stranger who submitted an unsubscribed address erased the record of its
/// unsubscription and its proof of consent; 30 days later neither was left.
#[tokio::test]
async fn a_stranger_changes_nothing_that_is_known_of_who_left() {
    let server = mail_server();
    let app = with_mail(&server).await;
    subscribe(&app, json!("zoe@example.com")).await;
    let message = server.arriving().await;
    press(&app, &message.link("/conferma/")).await;
    press(&app, &message.link("/cancella/")).await;
    let proof = async || {
        let list = app.get("/api/admin/newsletter").await.is(200).json();
        let row = list[0].clone();
        let kept = ["state", "createdAt", "confirmedAt", "unsubscribedAt", "way"];
        kept.map(|name| row[name].clone())
    };
    let before = proof().await;
    assert_eq!(before[0], "unsubscribed");
    app.let_time_pass(2 * HOUR);
    subscribe(&app, json!("zoe@example.com")).await;
    let confirm = server.arriving().await.link("/conferma/");
    assert_eq!(proof().await, before);
    // A repeated request sends no second message.
    subscribe(&app, json!("zoe@example.com")).await;
    shows(&press(&app, &confirm).await, "Iscrizione confermata");
    let after = proof().await;
    assert_eq!((&after[0], &after[3]), (&json!("confirmed"), &Json::Null));
    assert_ne!(after[2], before[2]);
    assert_eq!(server.count("DATA"), 2);
}

#[tokio::test]
async fn altered_crossed_and_old_links_say_so_on_a_page() {
    let server = mail_server();
    let app = with_mail(&server).await;
    subscribe(&app, json!("zoe@example.com")).await;
    let message = server.arriving().await;
    let confirm = message.link("/conferma/");
    let unsubscribe = message.link("/cancella/");
    let forged = [
        confirm.replace("/conferma/", "/conferma/x"),
        confirm.replace("/conferma/", "/cancella/"),
        unsubscribe.replace("/cancella/", "/conferma/"),
        "/newsletter/conferma/a.1.b".to_owned(),
        "/newsletter/cancella/%00".to_owned(),
    ];
    let refused = async |path: &str, status: u16| {
        for answer in [app.visit(path).await, press(&app, path).await] {
            assert_eq!(answer.status, status, "{path}: {}", answer.text());
            let words = if path.contains("/cancella/") {
                // The page of a broken unsubscribe link names another way to unsubscribe.
                "Collegamento non intero"
            } else {
                "Collegamento non valido"
            };
            assert!(answer.text().contains(words), "{path}");
        }
    };
    for path in &forged[..4] {
        refused(path, 404).await;
    }
    assert!(app.visit(&forged[4]).await.status >= 400);
    let elsewhere = app.visitor.post(app.url(&confirm));
    let elsewhere = elsewhere.header("origin", "https://evil.test");
    answer(elsewhere).await.is(403);
    app.let_time_pass(7 * DAY);
    refused(&confirm, 410).await;
    app.sign_in(&app.admin).await.is(200);
    assert_eq!(state(&app, "zoe@example.com").await, "pending");
    assert_eq!(press(&app, &unsubscribe).await.status, 200, "for ever");
    assert_eq!(state(&app, "zoe@example.com").await, "unsubscribed");
    // After the address is removed, the link still tells its reader that the subscription has
    // ended.
    app.delete("/api/admin/newsletter/zoe@example.com").await;
    let gone = press(&app, &unsubscribe).await;
    assert_eq!(gone.status, 200);
    assert!(gone.text().contains("è già cancellata"), "{}", gone.text());
    assert_eq!(state(&app, "zoe@example.com").await, "none");
}

/// The welcome message is off by default. The server sends it once, with an unsubscribe link, and
/// not to an address that unsubscribed before it was sent.
#[tokio::test]
async fn a_word_of_welcome_follows_the_confirmation_where_she_wants_one() {
    let server = mail_server();
    let app = with_mail(&server).await;
    let confirmed = async |email: &str| {
        subscribe(&app, json!(email)).await;
        let question = server.arriving().await;
        assert_eq!(question.to, format!("RCPT TO:<{email}>"));
        shows(
            &press(&app, &question.link("/conferma/")).await,
            "Iscrizione confermata",
        );
        question
    };
    confirmed("ada@example.com").await;
    let on = json!({ "newsletterWelcome": true, "address": "Via Roma 1, Como" });
    app.put("/api/admin/settings", &on).await.is(200);
    let question = confirmed("zoe@example.com").await;
    let welcome = server.arriving().await;
    assert_eq!(
        welcome.to, "RCPT TO:<zoe@example.com>",
        "ada confirmed before"
    );
    let subject = welcome.header("Subject");
    assert!(!subject.is_empty() && subject != question.header("Subject"));
    assert!(welcome.header("List-Id").contains("newsletter."));
    assert!(welcome.text.contains("multipart/alternative"));
    press(&app, &question.link("/conferma/")).await;
    let header = welcome.header("List-Unsubscribe");
    let path = header.trim_matches(['<', '>']);
    let path = path.strip_prefix(app.running.public_url.as_str()).unwrap();
    shows(&press(&app, path).await, "Iscrizione cancellata");
    assert_eq!(state(&app, "zoe@example.com").await, "unsubscribed");
    confirmed("nora@example.com").await;
    let next = server.arriving().await;
    assert_eq!(next.to, "RCPT TO:<nora@example.com>", "one welcome each");
}

/// Regression: each message contained the shipped legal text and promises, also when the admin had
/// changed these texts.
#[tokio::test]
async fn letters_say_what_she_made_of_their_words_and_of_what_the_law_asks() {
    let server = mail_server();
    let app = with_mail(&server).await;
    let on = json!({ "newsletterWelcome": true, "address": "Via Roma 1, Como",
        "phone": "+39 333 1234567" });
    app.put("/api/admin/settings", &on).await.is(200);
    for (id, changes) in [
        (
            "footer.legal",
            json!({ "notice": { "text": ["Iscritta all’albo, ", { "setting": "address" }, ", ", { "setting": "phone" }] }, "disclaimer": "Non curo." }),
        ),
        (
            "newsletter.letters",
            json!({ "welcomeSubject": { "text": ["Eccoti da ", { "setting": "brand" }] },
                "welcomeText": "Ti scrivo *una* volta al mese.\n\n- e basta", "reply": null, "unsubscribe": "Basta così" }),
        ),
    ] {
        let path = format!("/api/admin/words/{id}");
        let mut value = app.get(&path).await.json()["value"].clone();
        for (field, words) in changes.as_object().unwrap() {
            value[field] = words.clone();
        }
        app.put(&path, &json!({ "value": value })).await.is(200);
    }
    subscribe(&app, json!("zoe@example.com")).await;
    let question = server.arriving().await;
    press(&app, &question.link("/conferma/")).await;
    let welcome = server.arriving().await;
    assert_eq!(welcome.header("Subject"), "Eccoti da Respiro");
    let parts = welcome.parts();
    for part in &parts {
        for words in [
            "Ti scrivo *una* volta al mese.",
            "- e basta",
            "Iscritta all’albo, Via Roma 1, Como, +39 333 123 4567",
            "Non curo.",
        ] {
            assert!(part.contains(words), "{words}: {part}");
        }
        for words in ["legge 14 gennaio", "la leggo io", "psicoterapeutico"] {
            assert!(!part.contains(words), "{words}: {part}");
        }
    }
    assert!(parts[1].contains("Basta così</a>"), "{}", parts[1]);
}

/// Regression: recording the time of a message recreated an address that had been removed while the
/// message was being sent.
#[tokio::test]
async fn an_address_that_is_removed_while_its_message_travels_stays_removed() {
    let server = mail_server();
    let app = with_mail(&server).await;
    server.answer("SLEEP", Some("1500"));
    subscribe(&app, json!("zoe@example.com")).await;
    server.hears("DATA").await;
    app.delete("/api/admin/newsletter/zoe@example.com")
        .await
        .is(204);
    drop(server.arriving().await);
    server.answer("SLEEP", None);
    subscribe(&app, json!("nora@example.com")).await;
    drop(server.arriving().await);
    let read = app
        .running
        .app
        .read(|reader| Ok(reader.address_statuses().get("zoe@example.com")?));
    let standing = read.await.unwrap();
    assert_eq!((standing.asked_at, standing.mailed_at), (None, None));
}

#[tokio::test]
async fn nobody_gets_more_than_one_message_an_hour() {
    let server = mail_server();
    let app = with_mail(&server).await;
    for _ in 0..3 {
        assert_eq!(subscribe(&app, json!("zoe@example.com")).await.status, 202);
    }
    let first = server.arriving().await;
    app.let_time_pass(HOUR - MINUTE);
    subscribe(&app, json!("zoe@example.com")).await;
    subscribe(&app, json!("nora@example.com")).await;
    assert_eq!(server.arriving().await.to, "RCPT TO:<nora@example.com>");
    app.let_time_pass(2 * MINUTE);
    subscribe(&app, json!("zoe@example.com")).await;
    let second = server.arriving().await;
    assert_eq!(second.to, first.to);
    assert_ne!(second.header("Message-ID"), first.header("Message-ID"));
    assert!(!server.has_more());
    press(&app, &first.link("/conferma/")).await;
    assert_eq!(state(&app, "zoe@example.com").await, "confirmed");
}

#[tokio::test]
async fn a_mail_server_that_is_away_delays_messages_and_loses_none() {
    let server = mail_server();
    let app = with_mail(&server).await;
    server.answer("RCPT", Some("451 zoe@example.com: come back later"));
    assert_eq!(subscribe(&app, json!("zoe@example.com")).await.status, 202);
    server.hears("RCPT").await;
    assert_eq!(state(&app, "zoe@example.com").await, "pending");
    server.answer("RCPT", None);
    // The data file holds the waiting messages with the time of their next attempt.
    let app = app.restart().await;
    app.let_time_pass(2 * MINUTE);
    subscribe(&app, json!("nora@example.com")).await;
    let mut asked = [server.arriving().await.to, server.arriving().await.to];
    asked.sort();
    assert_eq!(
        asked,
        ["RCPT TO:<nora@example.com>", "RCPT TO:<zoe@example.com>"]
    );
    // A permanent refusal is not retried and does not delay the next message.
    server.answer("RCPT", Some("550 no such user"));
    subscribe(&app, json!("lost@example.com")).await;
    server.hears("RCPT TO:<lost@").await;
    server.answer("RCPT", None);
    app.let_time_pass(DAY);
    subscribe(&app, json!("vera@example.com")).await;
    assert_eq!(server.arriving().await.to, "RCPT TO:<vera@example.com>");
    assert_eq!(server.count("RCPT TO:<lost@"), 1);
}

/// Regression: a few submitted addresses with full mailboxes delayed all other messages by a minute
/// each.
#[tokio::test]
async fn a_full_mailbox_keeps_nobody_else_waiting() {
    let server = mail_server();
    let app = with_mail(&server).await;
    server.answer("RCPT TO:<full", Some("552 5.2.2 mailbox full"));
    for name in ["full1", "full2", "zoe"] {
        subscribe(&app, json!(format!("{name}@example.com"))).await;
    }
    assert_eq!(server.arriving().await.to, "RCPT TO:<zoe@example.com>");
    assert_eq!(state(&app, "full1@example.com").await, "pending");
}

#[tokio::test]
async fn when_too_many_wait_an_address_is_stored_without_a_message() {
    let server = mail_server();
    let app = with_mail(&server).await;
    let now = app.running.app.now();
    let full = app.running.app.change(move |writer| {
        let mut queue = TransactionalQueue::load(writer)?;
        for number in 0..QUEUED_ADDRESSES_MAX {
            let email = format!("a{number}@example.com");
            assert!(queue.add(&email, now));
            // After five postponements the message is not due for four hours.
            for _ in 0..5 {
                assert!(queue.postpone(&email, now));
            }
        }
        Ok(queue.save(writer)?)
    });
    full.await.unwrap();
    let answer = subscribe(&app, json!("zoe@example.com")).await;
    assert_eq!(answer.json(), json!({ "confirmation": true }));
    // Regression: the state was `pending`, the admin got no notice, and no question had been sent.
    assert_eq!(state(&app, "zoe@example.com").await, "collected");
    subscribe(&app, json!("nora@example.com")).await;
    let told = app.get("/api/admin/notices").await.json();
    let told = told["notices"].as_array().unwrap();
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(
        (&told[0]["subject"], &told[0]["text"]),
        (&json!("signups"), &json!("outbox"))
    );
    let all = app
        .running
        .app
        .change(|writer| Ok(TransactionalQueue::default().save(writer)?));
    all.await.unwrap();
    app.let_time_pass(HOUR);
    subscribe(&app, json!("zoe@example.com")).await;
    assert_eq!(server.arriving().await.to, "RCPT TO:<zoe@example.com>");
}

#[tokio::test]
async fn with_mail_an_address_that_mail_servers_do_not_take_is_refused() {
    let server = mail_server();
    let app = with_mail(&server).await;
    for wrong in ["è@example.com", "a@esempio", "a@b.it\r\nbcc: c@d.it"] {
        subscribe(&app, json!(wrong)).await.is(422);
    }
    assert_eq!(app.get("/api/admin/newsletter").await.json(), json!([]));
    assert_eq!(server.heard(), [""; 0]);
}

/// Regression: 20 requests for `victim+N@` sent 20 messages to one mailbox.
#[tokio::test]
async fn a_mailbox_gets_few_confirmations_a_day_whatever_follows_the_plus() {
    let server = mail_server();
    let app = with_mail(&server).await;
    let many = async || {
        for number in 0..20 {
            for email in [
                format!("vittima+{number}@example.com"),
                format!("vi.tti.ma+{number}@gmail.com"),
            ] {
                let answer = subscribe(&app, json!(email)).await.is(202);
                assert_eq!(answer.json(), json!({ "confirmation": true }));
            }
        }
    };
    for _ in 0..3 {
        subscribe(&app, json!("vittima@example.com")).await.is(202);
    }
    subscribe(&app, json!("altra@example.com")).await.is(202);
    many().await;
    let list = app.get("/api/admin/newsletter").await.is(200).json();
    let count = |beginning: &str, end: &str| {
        let rows = list.as_array().unwrap().iter();
        let emails = rows.map(|row| row["email"].as_str().unwrap());
        let of = emails.filter(|email| email.starts_with(beginning) && email.ends_with(end));
        of.count()
    };
    assert_eq!(count("vittima", "@example.com"), 3);
    assert_eq!(count("vi.tti.ma", "@gmail.com"), 3);
    assert_eq!(count("altra", "@example.com"), 1);
    // The next day they may be asked again.
    app.let_time_pass(DAY);
    subscribe(&app, json!("vittima+casa@example.com"))
        .await
        .is(202);
    app.sign_in(&app.admin).await.is(200);
    assert_eq!(state(&app, "vittima+casa@example.com").await, "pending");
}
