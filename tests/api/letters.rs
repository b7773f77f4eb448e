//! Tests of newsletter content, of what blocks sending, and of the links in a newsletter.

use crate::helpers::{Answer, DAY, EMAIL, TestApp, png};
use crate::mail_server::Taken;
use crate::newsletter::{mail_server, with_mail};
use crate::sendings::{until, with_readers, written};
use respiro_db::NotificationEvent;
use serde_json::{Value as Json, json};

async fn draft(app: &TestApp, fields: &Json) -> String {
    let made = app.post("/api/admin/newsletters", fields).await.is(201);
    made.json()["id"].as_str().unwrap().to_owned()
}

/// Returns the codes of the blocking problems and those of the warnings.
async fn told(app: &TestApp, id: &str) -> (Vec<String>, Vec<String>) {
    let path = format!("/api/admin/sendings/{id}/preview");
    let preview = app.get(&path).await.is(200).json();
    let list = |name: &str, code: fn(&Json) -> &Json| -> Vec<String> {
        let list = preview[name].as_array().unwrap().iter();
        list.map(|one| code(one).as_str().unwrap().to_owned())
            .collect()
    };
    (list("faults", |one| &one["code"]), list("notes", |one| one))
}

async fn send(app: &TestApp, id: &str) {
    let path = format!("/api/admin/sendings/{id}/start");
    app.post(&path, &json!({})).await.is(200);
}

/// Returns the path of the `List-Unsubscribe` URL.
fn way_out(app: &TestApp, mail: &Taken) -> String {
    let header = mail.header("List-Unsubscribe");
    let url = header.trim_matches(['<', '>']);
    let path = url.strip_prefix(app.running.public_url.as_str()).unwrap();
    path.to_owned()
}

async fn one_click(app: &TestApp, path: &str) -> Answer {
    let request = app.visitor.post(app.url(path));
    let request = request.header("content-type", "application/x-www-form-urlencoded");
    crate::helpers::answer(request.body("List-Unsubscribe=One-Click")).await
}

async fn state(app: &TestApp, email: &str) -> Json {
    let list = app.get("/api/admin/newsletter").await.is(200).json();
    let mut list = list.as_array().unwrap().iter();
    let found = list.find(|one| one["email"] == email).unwrap();
    found["state"].clone()
}

#[tokio::test]
async fn what_keeps_a_newsletter_from_going_out_is_said_before_and_keeps_it() {
    let server = mail_server();
    let app = with_readers(&server, &["ada@example.com"]).await;
    let good = json!({ "title": "Oggi", "content": "Ciao." });
    let with = |name: &str, value: &str| {
        let mut fields = good.clone();
        fields[name] = json!(value);
        fields
    };
    for (fields, code) in [
        (with("title", ""), "noSubject"),
        (with("content", ""), "noBody"),
        // The HTML that mail programs need for a list more than doubles these 40,000 characters.
        (with("content", &"- a\n".repeat(10_000)), "tooLarge"),
        (with("content", "[Qui](esempio.it)"), "brokenLink"),
        (
            with("content", "![Il mare](https://esempio.it/mare.png)"),
            "foreignImage",
        ),
    ] {
        let id = draft(&app, &fields).await;
        assert_eq!(told(&app, &id).await.0, [code]);
        let path = format!("/api/admin/sendings/{id}");
        let refused = app.post(&format!("{path}/start"), &json!({})).await.is(409);
        let detail = refused.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.ends_with(['.', '/']), "{code}: {detail}");
        let soon = respiro_content::time::rfc3339(app.running.app.now() + 3_600_000);
        let plan = json!({ "at": soon });
        app.put(&format!("{path}/schedule"), &plan).await.is(409);
    }
    let id = draft(&app, &good).await;
    assert!(told(&app, &id).await.0.is_empty());
    // Recipients have to know the sender, so a newsletter needs a postal address.
    let nobody = json!({ "address": null });
    app.put("/api/admin/settings", &nobody).await.is(200);
    assert_eq!(told(&app, &id).await.0, ["noAddress"]);
    app.delete("/api/admin/newsletter/ada@example.com")
        .await
        .is(204);
    assert_eq!(told(&app, &id).await.0, ["noAddress", "noRecipients"]);
    assert!(!server.has_more(), "{:?}", server.heard());
}

#[tokio::test]
async fn what_she_should_know_of_a_newsletter_keeps_it_from_nothing() {
    let server = mail_server();
    let app = with_readers(&server, &["ada@example.com"]).await;
    let event = async |date: &str, published: bool| {
        let body = json!({ "title": "Sera", "date": date, "published": published });
        let made = app.post("/api/admin/events", &body).await.is(201).json();
        format!("/evento/{}", made["id"].as_str().unwrap())
    };
    let (over, hidden) = (
        event("6 marzo 2020", true).await,
        event("6 marzo 2199", false).await,
    );
    let to_come = event("6 marzo 2199", true).await;
    let picture = app.upload(png("mare")).await;
    let own = app.running.public_url.clone();
    let cases = [
        (format!("Ciao.\n\n![]({picture})"), "alt"),
        (format!("[Qui]({over})"), "pastEvent"),
        (format!("[Qui]({own}{hidden}?da=qui)"), "unpublished"),
        ("Una terapia nuova.".to_owned(), "claim"),
    ];
    for (content, code) in cases {
        let id = draft(&app, &json!({ "title": "Oggi", "content": content })).await;
        let expected = if code == "alt" {
            [code, "noTest"]
        } else {
            ["noTest", code]
        };
        assert_eq!(
            told(&app, &id).await,
            (vec![], expected.map(str::to_owned).into())
        );
    }
    let title = "Un oggetto che sul telefono non si legge intero";
    let content = format!("[Qui]({to_come}), ![Il mare]({picture})");
    let id = draft(&app, &json!({ "title": title, "content": content })).await;
    let known = ["noTest", "longSubject"].map(str::to_owned);
    assert_eq!(told(&app, &id).await, (vec![], known.into()));
    send(&app, &id).await;
    assert_eq!(server.arriving().await.header("Subject"), title);
}

/// Returns every URL in a part of a message.
fn addresses(part: &str) -> Vec<String> {
    let starts = part.match_indices("http");
    let address = |(at, _)| {
        let rest: &str = &part[at..];
        let end = rest.find(['"', '<', ' ', '\r', '\n', ')']);
        rest[..end.unwrap_or(rest.len())].to_owned()
    };
    starts.map(address).collect()
}

/// A newsletter has no tracking pixel and no counted link: two readers get the same message except
/// for the unsubscribe link.
#[tokio::test]
async fn nothing_in_a_newsletter_tells_who_reads_it() {
    let server = mail_server();
    let app = with_readers(&server, &["ada@example.com", "zoe@example.com"]).await;
    let picture = app.upload(png("mare")).await;
    let id = draft(
        &app,
        &json!({
            "title": "Oggi",
            "content": format!("[Là](https://esempio.it/la).\n\n![Il mare]({picture})"),
            "buttonText": "Qui", "buttonUrl": "https://esempio.it/qui",
        }),
    )
    .await;
    send(&app, &id).await;
    let mails = [server.arriving().await, server.arriving().await];
    assert_ne!(mails[0].to, mails[1].to);
    let own = app.running.public_url.as_str();
    let mut letters = Vec::new();
    for mail in &mails {
        let out = format!("{own}{}", way_out(&app, mail));
        assert!(
            !out.contains("example.com"),
            "an address in the open: {out}"
        );
        let parts = mail.parts();
        assert_eq!(parts.len(), 2, "{}", mail.text);
        for part in &parts {
            assert_eq!(part.matches(&out).count(), 1, "{part}");
            for named in addresses(part).iter().filter(|one| **one != out) {
                let is_known = named.starts_with(&format!("{own}{picture}"))
                    || [format!("{own}/"), format!("{own}/privacy")].contains(named)
                    || ["https://esempio.it/la", "https://esempio.it/qui"]
                        .contains(&named.as_str());
                assert!(is_known, "{named}");
            }
        }
        let images: Vec<&str> = parts[1].split("<img").skip(1).collect();
        assert_eq!(images.len(), 1, "a picture that she did not put there");
        let same = parts.iter().map(|part| part.replace(&out, ""));
        letters.push(same.collect::<Vec<String>>());
    }
    assert_eq!(letters[0], letters[1]);
}

/// The admin, a subscriber too, follows every link of a test message.
#[tokio::test]
async fn the_way_out_of_a_test_removes_nobody() {
    let server = mail_server();
    let app = with_readers(&server, &[EMAIL]).await;
    let id = written(&app, "Oggi").await;
    let path = format!("/api/admin/sendings/{id}/test");
    let stranger = json!({ "email": "altri@example.com" });
    app.post(&path, &stranger).await.is(422);
    app.post(&path, &json!({ "email": EMAIL })).await.is(200);
    let test = server.arriving().await;
    assert_eq!(test.header("Subject"), "[Prova] Oggi");
    let out = way_out(&app, &test);
    app.visit(&out).await.is(200);
    one_click(&app, &out).await.is(200);
    assert_eq!(state(&app, EMAIL).await, "confirmed");
    send(&app, &id).await;
    let out = way_out(&app, &server.arriving().await);
    // GET changes nothing: mail programs follow links before the recipient has read the message.
    app.visit(&out).await.is(200);
    assert_eq!(state(&app, EMAIL).await, "confirmed");
    one_click(&app, &out).await.is(200);
    assert_eq!(state(&app, EMAIL).await, "unsubscribed");
}

#[tokio::test]
async fn who_leaves_by_a_link_gets_nothing_that_still_waits() {
    let server = mail_server();
    let app = with_readers(&server, &["ada@example.com", "zoe@example.com"]).await;
    let first = written(&app, "Numero 1").await;
    send(&app, &first).await;
    let mails = [server.arriving().await, server.arriving().await];
    until(&app, &first, |now| now["state"] == "sent").await;
    let slow = json!({ "newsletterPace": 1 });
    app.put("/api/admin/settings", &slow).await.is(200);
    let second = written(&app, "Numero 2").await;
    send(&app, &second).await;
    let got = server.arriving().await;
    until(&app, &second, |now| now["accepted"] == 1).await;
    let waiting = mails.iter().find(|mail| mail.to != got.to).unwrap();
    one_click(&app, &way_out(&app, waiting)).await.is(200);
    app.let_time_pass(2 * 3_600_000);
    let end = until(&app, &second, |now| now["state"] == "sent").await;
    assert_eq!((&end["accepted"], &end["skipped"]), (&json!(1), &json!(1)));
    assert!(!server.has_more(), "{:?}", server.heard());
    let of_first = app.get(&format!("/api/admin/sendings/{first}")).await;
    assert_eq!(of_first.json()["unsubscribed"], 1);
}

/// Regression: a caller could send any text as the page beside another person's address, and each
/// newsletter to that address would have quoted it at the bottom.
#[tokio::test]
async fn where_an_address_was_left_is_a_page_of_this_site_or_not_known() {
    let app = TestApp::start().await;
    for (email, page, kept) in [
        ("ada@example.com", json!("/blog"), json!("/blog")),
        ("bea@example.com", json!("/vinci-su-esempio.it"), Json::Null),
        ("cleo@example.com", json!("/robots.txt"), Json::Null),
        ("dora@example.com", Json::Null, Json::Null),
    ] {
        let body = json!({ "email": email, "page": page });
        let sent = app.by(&app.visitor, "POST", "/api/newsletter", Some(&body));
        sent.await.is(202);
        let list = app.get("/api/admin/newsletter").await.json();
        let mut list = list.as_array().unwrap().iter();
        let one = list.find(|one| one["email"] == email).unwrap();
        assert_eq!(one["page"], kept, "{email}");
    }
}

/// Regression: a phone loaded a megabyte for 2,000 addresses, each time one was removed.
#[tokio::test]
async fn a_long_list_of_addresses_travels_small() {
    let app = TestApp::start().await;
    let now = app.running.app.now();
    let filled = app.running.app.change(move |writer| {
        for number in 0..2_000 {
            writer.subscribers().put(&respiro_db::Subscriber {
                email: format!("lettrice.numero{number}@example.com"),
                state: respiro_db::Subscription::Confirmed,
                consent_text: respiro_newsletter::CONSENT.to_owned(),
                created_at: now + number,
                confirmed_at: Some(now + number * 7),
            })?;
        }
        Ok(())
    });
    filled.await.unwrap();
    let whole = app.get("/api/admin/newsletter").await.is(200);
    let request = app.admin.get(app.url("/api/admin/newsletter"));
    let request = request.header("accept-encoding", "br");
    let small = crate::helpers::answer(request).await.is(200);
    assert_eq!(small.header("content-encoding"), "br");
    assert_eq!(small.header("cache-control"), "no-store");
    assert_eq!(whole.header("content-encoding"), "");
    let (small, whole) = (small.bytes.len(), whole.bytes.len());
    assert!(whole > 800_000 && small < whole / 10, "{small} of {whole}");
}

/// Regression: the panel showed the reply of a mail server, in its own language, as if the program
/// had written it.
#[tokio::test]
async fn why_something_was_not_taken_is_told_in_italian_or_as_the_server_said_it() {
    let server = mail_server();
    let app = with_readers(&server, &["gone@example.com"]).await;
    server.answer("RCPT", Some("550 5.1.1 no such user"));
    let id = written(&app, "Oggi").await;
    let path = format!("/api/admin/sendings/{id}");
    let test = json!({ "email": EMAIL });
    let test = app.post(&format!("{path}/test"), &test).await.is(200);
    let reason = "il server di posta rifiuta il destinatario";
    assert_eq!(test.json(), json!({ "sent": false, "reason": reason }));
    send(&app, &id).await;
    let end = until(&app, &id, |now| now["state"] == "sent").await;
    assert_eq!(end["failures"][0]["reason"], "550 5.1.1 no such user");
    let report = app.get(&format!("{path}/report.csv")).await.is(200).text();
    let row = "\"gone@example.com\",\"casella inesistente\",\"550 5.1.1 no such user\"";
    assert!(report.contains(row), "{report}");
    let path = format!("{path}/report.csv?separator=semicolon");
    let excel = app.get(&path).await.is(200).text();
    assert!(excel.contains(&row.replace("\",\"", "\";\"")), "{excel}");
}

/// Regression: confirmation requests and notices were plain text with links of 150 characters.
#[tokio::test]
async fn what_the_program_itself_writes_has_both_shapes_and_a_foot_of_its_own() {
    let server = mail_server();
    let app = with_mail(&server).await;
    let body = json!({ "email": "zoe@example.com" });
    let asked = app.by(&app.visitor, "POST", "/api/newsletter", Some(&body));
    asked.await.is(202);
    let question = server.arriving().await;
    let leave = way_out(&app, &question);
    app.running
        .app
        .site
        .notify(NotificationEvent::Testimonial)
        .await;
    let notice = server.arriving().await;
    let own = app.running.public_url.as_str();
    for (mail, words) in [
        (
            &question,
            vec![
                "Confermi l’iscrizione?".to_owned(),
                format!("href=\"{own}{}\"", question.link("/conferma/")),
                format!("href=\"{own}{leave}\""),
                "Elimina la richiesta".to_owned(),
            ],
        ),
        (
            &notice,
            vec![
                "È arrivata una testimonianza".to_owned(),
                format!("href=\"{own}/admin#/contenuti/course-testimonials\""),
                "Leggi nel pannello".to_owned(),
                "Per spegnerlo: pannello, Account, Avvisi, «Nuova testimonianza».".to_owned(),
            ],
        ),
    ] {
        let parts = mail.parts();
        assert_eq!(parts.len(), 2, "{}", mail.text);
        for words in words {
            assert!(parts[1].contains(&words), "{words}: {}", parts[1]);
        }
        for foreign in ["Ti scrive", "legge 14 gennaio", "respiro-mark", "<img"] {
            assert!(!parts[1].contains(foreign), "{foreign}: {}", parts[1]);
        }
        assert!(!parts[0].contains('<'), "{}", parts[0]);
    }
}

#[tokio::test]
async fn a_deleted_newsletter_comes_back_with_its_report_and_without_its_plan() {
    let server = mail_server();
    let app = with_readers(&server, &["ada@example.com", "zoe@example.com"]).await;
    let sent = written(&app, "Inviata").await;
    send(&app, &sent).await;
    until(&app, &sent, |now| now["state"] == "sent").await;
    let planned = written(&app, "In programma").await;
    let tomorrow = respiro_content::time::rfc3339(app.running.app.now() + DAY);
    let plan = format!("/api/admin/sendings/{planned}/schedule");
    app.put(&plan, &json!({ "at": tomorrow })).await.is(200);
    for id in [&sent, &planned] {
        let path = format!("/api/admin/newsletters/{id}");
        app.delete(&path).await.is(204);
        app.get(&path).await.is(404);
        let back = format!("/api/admin/trash/{id}/restore");
        app.post(&back, &json!({})).await.is(200);
    }
    let of = async |id: &str| {
        let json = app.get(&format!("/api/admin/sendings/{id}")).await.json();
        (json["state"].clone(), json["accepted"].clone())
    };
    assert_eq!(of(&sent).await, (json!("sent"), json!(2)));
    assert_eq!(of(&planned).await, (json!("draft"), json!(0)));
    // A newsletter that is being sent has to be stopped before deletion.
    let slow = json!({ "newsletterPace": 1 });
    app.put("/api/admin/settings", &slow).await.is(200);
    let going = written(&app, "In invio").await;
    send(&app, &going).await;
    until(&app, &going, |now| now["accepted"] == 1).await;
    let path = format!("/api/admin/newsletters/{going}");
    let refused = app.delete(&path).await.is(409).json();
    assert_eq!(refused["detail"], "È in invio: prima fermala.");
}
