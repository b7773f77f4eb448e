//! Tests of sending newsletters: retries with growing delays, refused addresses, scheduled
//! newsletters.

use crate::helpers::{DAY, EMAIL, PASSWORD, TestApp, answer, png, trusted};
use crate::mail_server::{MailServer, Taken};
use crate::newsletter::{mail_server, with_mail};
use respiro_content::time::rfc3339;
use respiro_db::{AddressStatus, Subscriber, Subscription};
use respiro_email::transactional_queue::TransactionalQueue;
use serde_json::{Value as Json, json};
use std::time::Duration;

const MINUTE: i64 = 60 * 1_000;
const HOUR: i64 = 60 * MINUTE;

/// Starts the program with these confirmed addresses.
pub async fn with_readers(server: &MailServer, emails: &[&str]) -> TestApp {
    let app = with_mail(server).await;
    add_readers(&app, emails).await;
    app
}

/// Adds confirmed addresses, and sets a pace that causes no waiting.
pub async fn add_readers(app: &TestApp, emails: &[&str]) {
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
            .change(move |writer| Ok(writer.subscribers().put(&subscriber)?));
        added.await.unwrap();
    }
}

pub async fn written(app: &TestApp, title: &str) -> String {
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

/// Polls until the newsletter satisfies `stands`. Returns it.
pub async fn until(app: &TestApp, id: &str, stands: impl Fn(&Json) -> bool) -> Json {
    loop {
        let now = sending(app, id).await;
        if stands(&now) {
            return now;
        }
        app.running.app.jobs.newsletter.campaigns.notify_one();
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn standing(app: &TestApp, email: &'static str) -> AddressStatus {
    let read = app
        .running
        .app
        .read(move |reader| Ok(reader.address_statuses().get(email)?));
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
            // No attempt before its time.
            app.let_time_pass((minutes - 1) * MINUTE);
            app.running.app.jobs.newsletter.campaigns.notify_one();
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

/// Regression: a stop cut off the delivery. The mail server took the message, the recipient counted
/// as uncertain, and got nothing more of that newsletter.
#[tokio::test]
async fn a_stop_lets_the_message_under_way_end() {
    let server = mail_server();
    let app = with_readers(&server, &["ada@example.com", "lina@example.com"]).await;
    server.answer("SLEEP", Some("1500"));
    let id = written(&app, "Numero 1").await;
    let start = format!("/api/admin/sendings/{id}/start");
    app.post(&start, &json!({})).await.is(200);
    server.hears("DATA").await;
    let app = app.restart().await;
    server.answer("SLEEP", None);
    let end = until(&app, &id, |now| now["state"] == "sent").await;
    assert_eq!(
        (&end["accepted"], &end["uncertain"]),
        (&json!(2), &json!(0)),
        "{end}"
    );
}

/// The list of addresses that wait for a retry is read without the thousands that wait for their
/// first attempt.
#[tokio::test]
async fn a_server_that_is_away_is_left_alone_and_loses_nobody() {
    let server = mail_server();
    let app = with_readers(&server, &["a@example.com", "b@example.com"]).await;
    // The test counts newsletters; refused mail is told too.
    let silent = json!({ "noticeServer": false });
    app.put("/api/admin/settings", &silent).await.is(200);
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

/// Regression: a newsletter that was being sent while the clock was a month ahead stopped for a
/// month after the correction: because of its pace, the server's pause, and each waiting address.
#[tokio::test]
async fn a_clock_that_was_ahead_holds_no_newsletter_up() {
    let server = mail_server();
    let readers = ["a@example.com", "b@example.com", "c@example.com"];
    let app = with_readers(&server, &readers).await;
    let slow = json!({ "newsletterPace": 1, "address": "Via Roma 1, Como" });
    app.put("/api/admin/settings", &slow).await.is(200);
    app.let_time_pass(30 * DAY);
    app.sign_in(&app.admin).await.is(200);
    let id = written(&app, "Numero 1").await;
    server.answer("RCPT", Some("452 4.2.2 mailbox full"));
    app.post(&format!("/api/admin/sendings/{id}/start"), &json!({}))
        .await
        .is(200);
    until(&app, &id, |now| now["failures"][0]["tries"] == 1).await;
    server.answer("RCPT", None);
    app.let_time_pass(-30 * DAY);
    until(&app, &id, |now| now["accepted"] == 1).await;
    // From here on the pace follows the corrected clock.
    app.let_time_pass(HOUR);
    until(&app, &id, |now| now["accepted"] == 2).await;
    app.let_time_pass(30 * DAY);
    app.sign_in(&app.admin).await.is(200);
    server.answer("MAIL", Some("550 not now"));
    until(&app, &id, |now| !now["retryAt"].is_null()).await;
    server.answer("MAIL", None);
    app.let_time_pass(-29 * DAY);
    let end = until(&app, &id, |now| now["state"] == "sent").await;
    assert_eq!(end["accepted"], 3);
}

/// Regression: each such refusal marked its address as unreachable, and the list was empty within a
/// minute.
#[tokio::test]
async fn a_providers_daily_limit_marks_nobody_and_the_newsletter_goes_on_later() {
    let server = mail_server();
    let app = with_readers(&server, &["a@example.com", "b@example.com"]).await;
    server.answer("RCPT", Some("550 5.4.5 Daily user sending limit exceeded"));
    let id = written(&app, "Numero 1").await;
    app.post(&format!("/api/admin/sendings/{id}/start"), &json!({}))
        .await
        .is(200);
    let now = until(&app, &id, |now| !now["retryAt"].is_null()).await;
    assert_eq!((&now["waiting"], &now["refused"]), (&json!(2), &json!(0)));
    server.answer("RCPT", None);
    app.let_time_pass(2 * HOUR);
    let end = until(&app, &id, |now| now["state"] == "sent").await;
    assert_eq!(end["accepted"], 2, "{end}");
    let known = standing(&app, "a@example.com").await;
    assert_eq!((known.unreachable_at, known.soft_refusals), (None, 0));
}

/// Regression: after `450 too many` for every address, the program retried address by address at
/// full pace.
#[tokio::test]
async fn what_several_addresses_in_a_row_are_told_is_about_the_pace() {
    let server = mail_server();
    let emails = ["a@b.it", "c@d.it", "e@f.it", "g@h.it", "i@j.it", "k@l.it"];
    let app = with_readers(&server, &emails).await;
    server.answer("RCPT", Some("450 too many"));
    let id = written(&app, "Numero 1").await;
    app.post(&format!("/api/admin/sendings/{id}/start"), &json!({}))
        .await
        .is(200);
    let slowed = until(&app, &id, |now| now["trouble"]["code"] == "slowed").await;
    assert!(!slowed["retryAt"].is_null(), "{slowed}");
    assert_eq!(slowed["waiting"], 6);
}

/// Regression: the last addresses, on servers that always answer 'later', kept this newsletter from
/// ending and the next one from starting: of several such answers in a row only the first counted
/// as an attempt.
#[tokio::test]
async fn who_is_put_off_for_days_is_given_up_and_the_newsletter_ends() {
    let server = mail_server();
    let app = with_readers(&server, &["a@b.it", "c@d.it"]).await;
    server.answer("RCPT", Some("450 4.7.1 later"));
    let id = written(&app, "Numero 1").await;
    app.post(&format!("/api/admin/sendings/{id}/start"), &json!({}))
        .await
        .is(200);
    until(&app, &id, |now| now["trouble"]["code"] == "slowed").await;
    let later = id.clone();
    let two_days_of_it = app.running.app.change(move |writer| {
        let mut sending = writer.campaigns().get(&later)?;
        sending.failures = 54;
        Ok(writer.campaigns().put(&sending)?)
    });
    two_days_of_it.await.unwrap();
    for refused in 1..=2 {
        app.let_time_pass(2 * HOUR);
        until(&app, &id, |now| now["refused"] == refused).await;
    }
    let end = until(&app, &id, |now| now["state"] == "sent").await;
    assert_eq!(end["failures"][0]["fate"], "full", "{end}");
    assert_eq!(standing(&app, "a@b.it").await.unreachable_at, None);
}

/// Twenty refusals in a row stop a newsletter, because the addresses are not the cause. Regression:
/// the addresses stayed marked.
#[tokio::test]
async fn who_was_refused_when_everybody_was_waits_again_unmarked() {
    let server = mail_server();
    let emails: Vec<String> = (0..22).map(|number| format!("u{number}@b.it")).collect();
    let emails: Vec<&str> = emails.iter().map(String::as_str).collect();
    let app = with_readers(&server, &emails).await;
    server.answer("RCPT", Some("550 you are not welcome here"));
    let id = written(&app, "Numero 1").await;
    let path = format!("/api/admin/sendings/{id}");
    app.post(&format!("{path}/start"), &json!({})).await.is(200);
    let paused = until(&app, &id, |now| now["state"] == "paused").await;
    assert_eq!(paused["trouble"]["code"], "blocked", "{paused}");
    let counted = (&paused["waiting"], &paused["refused"]);
    assert_eq!(counted, (&json!(22), &json!(0)), "{paused}");
    assert_eq!(standing(&app, "u0@b.it").await.unreachable_at, None);
    server.answer("RCPT", None);
    app.post(&format!("{path}/resume"), &json!({}))
        .await
        .is(200);
    let end = until(&app, &id, |now| now["state"] == "sent").await;
    assert_eq!(end["accepted"], 22, "{end}");
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

async fn schedule(app: &TestApp, id: &str, at: i64) {
    let path = format!("/api/admin/sendings/{id}/schedule");
    app.put(&path, &json!({ "at": rfc3339(at) })).await.is(200);
}

/// Waits for the next message to a reader. The admin gets e-mails about downloaded and restored
/// backups meanwhile.
async fn next_to_reader(server: &MailServer) -> Taken {
    loop {
        let taken = server.arriving().await;
        if !taken.to.contains(EMAIL) {
            return taken;
        }
    }
}

fn assert_only_admin_is_written_to(server: &MailServer) {
    let recipients = server.recipients();
    assert!(
        recipients.iter().all(|to| to.contains(EMAIL)),
        "{recipients:?}"
    );
}

/// Restores a copy as the panel does it.
async fn restore(app: &TestApp, copy: Vec<u8>) {
    let password = json!({ "password": PASSWORD });
    app.post("/api/auth/confirm", &password).await.is(204);
    let inspect = app.admin.post(app.url("/api/admin/restore/inspect"));
    let inside = answer(inspect.body(copy)).await.is(200).json();
    let token = json!({ "token": inside["token"] });
    app.post("/api/admin/restore", &token).await.is(200);
}

/// Regression: after a restore, a newsletter in progress lost all remaining recipients, and a
/// scheduled one silently became a draft: sending it again reached people twice. The former file,
/// put back by hand, had no mark of a copy and continued at once.
#[tokio::test]
async fn what_comes_back_from_a_copy_sends_nothing_by_itself_and_says_so() {
    let server = mail_server();
    let readers = ["ada@example.com", "lina@example.com", "zoe@example.com"];
    let app = with_readers(&server, &readers).await;
    let slow = json!({ "newsletterPace": 1 });
    app.put("/api/admin/settings", &slow).await.is(200);
    let (under_way, planned) = (written(&app, "Oggi").await, written(&app, "Domani").await);
    let at = app.running.app.now() + 10 * DAY;
    schedule(&app, &planned, at).await;
    let start = format!("/api/admin/sendings/{under_way}/start");
    app.post(&start, &json!({})).await.is(200);
    assert_eq!(
        next_to_reader(&server).await.to,
        "RCPT TO:<ada@example.com>"
    );
    until(&app, &under_way, |now| now["accepted"] == 1).await;
    let copy = app.get("/api/admin/backup").await.is(200).bytes;
    // Progress that the copy does not contain.
    app.let_time_pass(HOUR);
    assert_eq!(
        next_to_reader(&server).await.to,
        "RCPT TO:<lina@example.com>"
    );
    until(&app, &under_way, |now| now["accepted"] == 2).await;

    restore(&app, copy).await;
    let held = async || {
        let (sending, plan) = (
            sending(&app, &under_way).await,
            sending(&app, &planned).await,
        );
        assert_eq!(
            (&sending["state"], &sending["trouble"]["code"]),
            (&json!("paused"), &json!("restored"))
        );
        assert_eq!(
            (&plan["state"], &plan["scheduledAt"], &plan["trouble"]),
            (
                &json!("draft"),
                &Json::Null,
                &json!({ "code": "unplanned", "reason": rfc3339(at) })
            )
        );
        let status = app.get("/api/admin/status").await.json();
        assert_eq!(status["restored"]["endedSendings"], 2, "{status}");
        sending
    };
    assert_eq!(held().await["waiting"], 2);
    app.let_time_pass(DAY);
    app.running.app.jobs.newsletter.campaigns.notify_one();
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_only_admin_is_written_to(&server);

    // The operator puts the former file back.
    let former = app.folder().join("data.redb.previous");
    let draft = app.folder().join("data.redb.former");
    std::fs::copy(former, &draft).unwrap();
    app.running.app.site.restore(draft, None, ()).await.unwrap();
    assert_eq!(held().await["waiting"], 1);
    app.running.app.jobs.newsletter.campaigns.notify_one();
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_only_admin_is_written_to(&server);

    // On the admin's request the program continues with the addresses without a recorded delivery
    // in this file.
    let resume = format!("/api/admin/sendings/{under_way}/resume");
    let going = app.post(&resume, &json!({})).await.is(200).json();
    assert_eq!(
        (&going["state"], &going["trouble"]),
        (&json!("sending"), &Json::Null)
    );
    assert_eq!(
        next_to_reader(&server).await.to,
        "RCPT TO:<zoe@example.com>"
    );
    let end = until(&app, &under_way, |now| now["accepted"] == 3).await;
    assert_eq!(end["waiting"], 0, "{end}");
}

/// Regression: restoring a copy made between the confirmation and the welcome message sent a second
/// welcome message.
#[tokio::test]
async fn who_was_welcomed_before_the_copy_came_back_is_not_welcomed_again() {
    let server = mail_server();
    let app = with_readers(&server, &["ada@example.com"]).await;
    let on = json!({ "newsletterWelcome": true });
    app.put("/api/admin/settings", &on).await.is(200);
    let now = app.running.app.now();
    let waits = app.running.app.change(move |writer| {
        let mut queue = TransactionalQueue::load(writer)?;
        queue.add("ada@example.com", now);
        Ok(queue.save(writer)?)
    });
    waits.await.unwrap();
    app.let_time_pass(MINUTE);
    let copy = app.get("/api/admin/backup").await.is(200).bytes;
    app.running.app.jobs.newsletter.confirmations.notify_one();
    assert_eq!(
        next_to_reader(&server).await.to,
        "RCPT TO:<ada@example.com>"
    );
    restore(&app, copy).await;
    app.delete("/api/admin/restored").await.is(204);
    app.let_time_pass(MINUTE);
    app.running.app.jobs.newsletter.confirmations.notify_one();
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_only_admin_is_written_to(&server);
}

/// Regression: deleting a newsletter removed its pictures from messages that recipients keep.
#[tokio::test]
async fn a_mail_keeps_its_pictures_when_the_newsletter_is_deleted_unless_she_says_otherwise() {
    let server = mail_server();
    let app = with_readers(&server, &["ada@example.com"]).await;
    let written = async |title: &str| {
        let picture = app.upload(png(title)).await;
        let content = format!("Ciao.\n\n![Il mare]({picture})");
        let body = json!({ "title": title, "content": content });
        let made = app.post("/api/admin/newsletters", &body).await.is(201);
        (made.json()["id"].as_str().unwrap().to_owned(), picture)
    };
    let (sent, shown) = written("Inviata").await;
    let (draft, hidden) = written("Mai inviata").await;
    let start = format!("/api/admin/sendings/{sent}/start");
    app.post(&start, &json!({})).await.is(200);
    drop(server.arriving().await);
    until(&app, &sent, |now| now["state"] == "sent").await;
    for id in [&sent, &draft] {
        app.delete(&format!("/api/admin/newsletters/{id}"))
            .await
            .is(204);
    }
    let both = async || {
        [
            app.visit(&shown).await.status,
            app.visit(&hidden).await.status,
        ]
    };
    assert_eq!(both().await, [200, 404], "in the trash");
    app.delete("/api/admin/trash").await.is(204);
    let sweep = async || {
        let later = app.running.app.now() + 3 * DAY;
        let swept = app
            .running
            .app
            .change(move |writer| Ok(writer.apply_retention(&trusted(later))?));
        swept.await.unwrap();
    };
    sweep().await;
    assert_eq!(both().await, [200, 404], "gone for good");
    app.running.app.site.store().verified_snapshot().unwrap();
    // A person in a picture may withdraw consent, so the admin can delete the pictures of a sent
    // newsletter.
    let path = format!("/api/admin/sendings/{sent}/pictures");
    app.sign_in(&app.admin).await.is(200);
    app.delete(&path).await.is(204);
    sweep().await;
    assert_eq!(both().await, [404, 404]);
}

/// Regression: only the log said that a scheduled newsletter could not start.
#[tokio::test]
async fn a_planned_newsletter_that_cannot_begin_is_told_in_the_panel() {
    let server = mail_server();
    let app = with_readers(&server, &["ada@example.com"]).await;
    let id = written(&app, "Domani").await;
    schedule(&app, &id, app.running.app.now() + HOUR).await;
    app.delete("/api/admin/newsletter/ada@example.com")
        .await
        .is(204);
    app.let_time_pass(2 * HOUR);
    let app = app.restart().await;
    until(&app, &id, |now| now["state"] == "draft").await;
    app.sign_in(&app.admin).await.is(200);
    let told = app.get("/api/admin/notices").await.is(200).json();
    let told = told["notices"].as_array().unwrap();
    let told = told.iter().find(|one| one["subject"] == "notStarted");
    assert_eq!(
        told.unwrap()["text"],
        "Nessuno ha ancora confermato l’iscrizione"
    );
}
