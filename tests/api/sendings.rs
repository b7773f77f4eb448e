//! Newsletters on their way: tries that come ever later, addresses that take nothing, planned ones.

use crate::helpers::{DAY, TestApp};
use crate::mail_server::MailServer;
use crate::newsletter::{mail_server, with_mail};
use respiro::content::time::rfc3339;
use respiro::store::{Standing, Subscriber, Subscription};
use serde_json::{Value as Json, json};
use std::time::Duration;

const MINUTE: i64 = 60 * 1_000;
const HOUR: i64 = 60 * MINUTE;

/// The program with these confirmed addresses, and no pace to wait for.
async fn with_readers(server: &MailServer, emails: &[&str]) -> TestApp {
    let app = with_mail(server).await;
    let fast = json!({ "newsletterPace": 360_000, "address": "Via Roma 1, Como" });
    app.put("/api/admin/settings", &fast).await.is(200);
    let now = app.running.app.now();
    for email in emails {
        let subscriber = Subscriber {
            email: (*email).to_owned(),
            state: Subscription::Confirmed,
            consent_text: "sì".to_owned(),
            created_at: now,
            confirmed_at: Some(now + 1),
        };
        let added = app
            .running
            .app
            .change(move |writer| writer.put_subscriber(&subscriber));
        added.await.unwrap();
    }
    app
}

async fn written(app: &TestApp, title: &str) -> String {
    let body = json!({ "title": title, "content": "Ciao, il corso comincia a marzo." });
    let made = app.post("/api/admin/newsletters", &body).await.is(201);
    made.json()["id"].as_str().unwrap().to_owned()
}

async fn sending(app: &TestApp, id: &str) -> Json {
    let path = format!("/api/admin/sendings/{id}");
    let answer = app.get(&path).await;
    if answer.status == 401 {
        app.sign_in(&app.admin).await.is(200);
        return app.get(&path).await.is(200).json();
    }
    answer.is(200).json()
}

/// Until the newsletter stands so.
async fn until(app: &TestApp, id: &str, stands: impl Fn(&Json) -> bool) -> Json {
    loop {
        let now = sending(app, id).await;
        if stands(&now) {
            return now;
        }
        app.running.app.newsletter_waiting.notify_one();
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn standing(app: &TestApp, email: &'static str) -> Standing {
    let read = app.running.app.read(move |reader| reader.standing(email));
    read.await.unwrap()
}

#[tokio::test]
async fn a_soft_refusal_is_tried_ever_later_and_three_newsletters_mark_the_address() {
    let server = mail_server();
    let app = with_readers(&server, &["piena@example.com"]).await;
    server.answer("RCPT", Some("452 4.2.2 mailbox full"));
    for round in 1..=3 {
        let id = written(&app, &format!("Numero {round}")).await;
        app.post(&format!("/api/admin/sendings/{id}/start"), &json!({}))
            .await
            .is(200);
        for (tries, minutes) in (1..).zip([1, 5, 15, 60, 4 * 60, 12 * 60]) {
            let now = until(&app, &id, |now| now["failures"][0]["tries"] == tries).await;
            assert_eq!(now["failures"][0]["fate"], "waiting", "{now}");
            assert_eq!(
                (&now["state"], &now["waiting"]),
                (&json!("sending"), &json!(1))
            );
            // Not before its time.
            app.let_time_pass((minutes - 1) * MINUTE);
            app.running.app.newsletter_waiting.notify_one();
            tokio::time::sleep(Duration::from_millis(60)).await;
            assert_eq!(sending(&app, &id).await["failures"][0]["tries"], tries);
            app.let_time_pass(2 * MINUTE);
        }
        let end = until(&app, &id, |now| now["state"] == "sent").await;
        assert_eq!(end["failures"][0]["fate"], "full", "{end}");
        assert_eq!(end["failures"][0]["isMarked"], round == 3, "{end}");
        let known = standing(&app, "piena@example.com").await;
        assert_eq!(known.soft_refusals, round);
        assert_eq!(known.unreachable_at.is_some(), round == 3);
    }
    let id = written(&app, "Numero 4").await;
    let nobody = app
        .post(&format!("/api/admin/sendings/{id}/start"), &json!({}))
        .await;
    assert_eq!(nobody.status, 409, "{}", nobody.text());
}

/// The list of who waits for another try is read without the thousands who wait for their first.
#[tokio::test]
async fn a_server_that_is_away_is_left_alone_and_loses_nobody() {
    let server = mail_server();
    let app = with_readers(&server, &["a@example.com", "b@example.com"]).await;
    server.answer("MAIL", Some("550 not now"));
    let id = written(&app, "Numero 1").await;
    app.post(&format!("/api/admin/sendings/{id}/start"), &json!({}))
        .await
        .is(200);
    let now = until(&app, &id, |now| !now["retryAt"].is_null()).await;
    assert_eq!(now["waiting"], 2);
    assert_eq!(now["failures"], json!([]), "it is nobody's fault");
    server.answer("MAIL", None);
    app.let_time_pass(2 * HOUR);
    let end = until(&app, &id, |now| now["state"] == "sent").await;
    assert_eq!(end["accepted"], 2);
    let (first, second) = (server.next(), server.next());
    assert_ne!(first.to, second.to);
    assert!(!server.has_more());
}

#[tokio::test]
async fn a_planned_newsletter_goes_out_also_after_the_program_was_off() {
    let server = mail_server();
    let app = with_readers(&server, &["lina@example.com"]).await;
    let id = written(&app, "Domani").await;
    let at = rfc3339(app.running.app.now() + HOUR);
    let path = format!("/api/admin/sendings/{id}/schedule");
    let planned = app.put(&path, &json!({ "at": at })).await.is(200).json();
    assert_eq!(planned["state"], "scheduled");
    let app = app.restart().await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(!server.has_more(), "an hour is not over");
    app.let_time_pass(DAY);
    let app = app.restart().await;
    let mail = server.arriving().await;
    assert_eq!(mail.to, "RCPT TO:<lina@example.com>");
    assert_eq!(mail.header("Subject"), "Domani");
    let end = until(&app, &id, |now| now["state"] == "sent").await;
    assert_eq!(
        (&end["isLate"], &end["accepted"]),
        (&json!(true), &json!(1))
    );
}
