//! Tests of what the site notices by itself: a summary of each month for the accounts that asked
//! for it, and what the practitioner and the host are told at once, and once.

use crate::helpers::{DAY, EMAIL, TestApp};
use crate::mail_server::{MailServer, Taken};
use crate::newsletter::{mail, mail_server};
use jiff::ToSpan as _;
use respiro_content::time::{day, format_month};
use respiro_db::{DayTotals, DiskSpace, NotificationEvent};
use respiro_server::config::{BackupSchedule, parse_host_contact};
use serde_json::{Value as Json, json};
use std::time::Duration;

const HOST: &str = "studio@example.org";
const MONTHLY: &str = "/api/admin/notices/monthly";
const GIGABYTE: u64 = 1_000_000_000;

#[expect(clippy::unnecessary_wraps, reason = "the shape of the tuning")]
fn low_disk(_: &std::path::Path) -> Option<DiskSpace> {
    Some(DiskSpace {
        available: GIGABYTE,
        total: 20 * GIGABYTE,
    })
}

/// Starts with a mail server and a host who has an e-mail address.
async fn with_host(server: &MailServer) -> TestApp {
    let port = server.port;
    TestApp::start_as(|config, _| {
        config.mail = Some(mail(port));
        let contact = format!("Studio Esempio, {HOST}");
        config.host_contact = Some(parse_host_contact(&contact).unwrap());
    })
    .await
}

/// Returns the next two notices: to the practitioner, and to the host.
async fn to_both(server: &MailServer) -> [Taken; 2] {
    let mut mails = [notice_from(server).await, notice_from(server).await];
    mails.sort_by_key(|mail| mail.to.contains(HOST));
    assert_eq!(mails[0].to, format!("RCPT TO:<{EMAIL}>"));
    assert_eq!(mails[1].to, format!("RCPT TO:<{HOST}>"));
    let footer = "perché sei indicato come chi gestisce il server";
    assert!(mails[1].body().contains(footer), "{}", mails[1].body());
    assert!(!mails[1].body().contains("Inoltra"), "{}", mails[1].body());
    assert!(
        mails[0].body().contains("Per spegnerlo"),
        "{}",
        mails[0].body()
    );
    mails
}

/// Skips e-mails to subscribers.
async fn notice_from(server: &MailServer) -> Taken {
    loop {
        let mail = server.arriving().await;
        if [EMAIL, HOST].iter().any(|email| mail.to.contains(email)) {
            return mail;
        }
    }
}

async fn none_comes(server: &MailServer) {
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(!server.has_more(), "{:?}", server.heard());
}

async fn notices(app: &TestApp, subject: &str) -> Vec<Json> {
    let list = app.get("/api/admin/notices").await.is(200).json();
    let list = list["notices"].as_array().unwrap().iter();
    list.filter(|one| one["subject"] == subject)
        .cloned()
        .collect()
}

/// Waits until the hourly check has stored a notice of this subject.
async fn noticed(app: &TestApp, subject: &str) -> Json {
    loop {
        if let Some(one) = notices(app, subject).await.pop() {
            return one;
        }
    }
}

#[tokio::test]
async fn the_month_goes_once_to_the_account_that_asked_for_it() {
    let server = mail_server();
    let app = with_host(&server).await;
    app.put(MONTHLY, &json!({ "wanted": "si" })).await.is(422);
    let list = app.get("/api/admin/notices").await.json();
    assert_eq!(list["monthly"], false);
    let asked = app.put(MONTHLY, &json!({ "wanted": true })).await;
    assert_eq!(asked.status, 204);
    assert_eq!(app.get("/api/admin/notices").await.json()["monthly"], true);
    // The month in which it was asked for is not over.
    let app = app.restart().await;
    none_comes(&server).await;
    app.let_time_pass(32 * DAY);
    let month = day(app.running.app.now())
        .first_of_month()
        .saturating_sub(1.month());
    let totals = DayTotals {
        views: 1_234,
        ..DayTotals::default()
    };
    let counted = app
        .running
        .app
        .change(move |writer| Ok(writer.page_views().put(month, &totals)?));
    counted.await.unwrap();
    let app = app.restart().await;
    let notice = noticed(&app, "month").await;
    let name = format_month(
        respiro_content::time::parse_rfc3339(notice["moment"].as_str().unwrap()).unwrap(),
    );
    let facts = notice["text"].as_str().unwrap();
    assert!(
        facts.contains("Pagine aperte: 1234; il mese prima 0."),
        "{facts}"
    );
    assert!(
        facts.contains("Nuove iscrizioni alla newsletter: 0."),
        "{facts}"
    );
    assert!(facts.contains("frasi del sito da controllare"), "{facts}");
    let sent = loop {
        let sent = server.arriving().await;
        if sent.header("Subject").to_lowercase().contains(&name) {
            break sent;
        }
    };
    assert_eq!(sent.to, format!("RCPT TO:<{EMAIL}>"));
    let text = sent.body();
    for part in ["1234", "/admin#/casa", "«Il mese in breve»"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let app = app.restart().await;
    app.put(MONTHLY, &json!({ "wanted": false })).await;
    app.let_time_pass(32 * DAY);
    let app = app.restart().await;
    noticed(&app, "copies").await;
    assert_eq!(
        notices(&app, "month").await.len(),
        1,
        "said once, then never"
    );
}

#[tokio::test]
async fn a_week_without_a_copy_is_told_once_to_her_and_to_the_host() {
    let server = mail_server();
    let app = with_host(&server).await;
    app.let_time_pass(6 * DAY);
    let app = app.restart().await;
    none_comes(&server).await;
    app.let_time_pass(DAY);
    let app = app.restart().await;
    let [hers, _] = to_both(&server).await;
    let subject = hers.header("Subject");
    assert!(subject.starts_with("Da una settimana"), "{subject}");
    assert!(hers.body().contains("Non c’è ancora nessuna copia buona."));
    app.let_time_pass(3 * DAY);
    let app = app.restart().await;
    none_comes(&server).await;
    assert_eq!(notices(&app, "copies").await.len(), 1);
    // The scheduled backup runs, and the next check resolves the notice.
    let schedule = BackupSchedule {
        dir: app.folder().join("backups"),
        keep: 2,
    };
    let site = std::sync::Arc::clone(&app.running.app.site);
    let now = app.running.app.now();
    let made = respiro_backup::local_backup::once(&site, &schedule, now).await;
    assert!(made.ok, "{made:?}");
    drop(site);
    let app = app
        .restart_as(move |config| config.backup = Some(schedule))
        .await;
    while notices(&app, "copies").await[0]["solvedAt"].is_null() {}
}

#[tokio::test]
async fn a_disk_that_is_nearly_full_is_told_once_to_her_and_to_the_host() {
    let server = mail_server();
    let port = server.port;
    let app = TestApp::start_as(|config, tuning| {
        config.mail = Some(mail(port));
        config.host_contact = Some(parse_host_contact(HOST).unwrap());
        tuning.disk_space = low_disk;
    })
    .await;
    let [hers, _] = to_both(&server).await;
    let free = "resta libero meno del 10 %: 1,0 GB su 20,0";
    assert!(hers.body().contains(free), "{}", hers.body());
    assert_eq!(noticed(&app, "disk").await["text"], free);
    app.let_time_pass(2 * DAY);
    let app = app.restart().await;
    none_comes(&server).await;
    assert_eq!(notices(&app, "disk").await.len(), 1);
}

/// While mail is refused, an e-mail about it is refused too: it follows when one is accepted.
#[tokio::test]
async fn refused_mail_is_told_when_mail_is_accepted_again() {
    let server = mail_server();
    let app = with_host(&server).await;
    server.answer("MAIL", Some("550 5.7.1 not from here"));
    let body = json!({ "email": "lina@example.com" });
    app.by(&app.visitor, "POST", "/api/newsletter", Some(&body))
        .await
        .is(202);
    let notice = noticed(&app, "mail").await;
    assert_eq!(notice["text"], "il server di posta rifiuta il mittente");
    while server.count("MAIL") < 3 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(
        notices(&app, "mail").await.len(),
        1,
        "its own e-mails add none"
    );
    server.answer("MAIL", None);
    app.let_time_pass(20 * 60_000);
    app.running.app.site.announce_notification();
    let [hers, _] = to_both(&server).await;
    let subject = hers.header("Subject");
    assert!(subject.starts_with("La posta di"), "{subject}");
    while notices(&app, "mail").await[0]["solvedAt"].is_null() {}
    assert_eq!(notices(&app, "mail").await.len(), 1);
}

/// An address that does not exist is no trouble of the site.
#[tokio::test]
async fn a_wrong_recipient_is_no_refused_mail() {
    let server = mail_server();
    let app = with_host(&server).await;
    server.answer("RCPT", Some("550 5.1.1 no such user"));
    let body = json!({ "email": "nessuno@example.com" });
    app.by(&app.visitor, "POST", "/api/newsletter", Some(&body))
        .await
        .is(202);
    server.hears("RCPT").await;
    none_comes(&server).await;
    assert_eq!(notices(&app, "mail").await.len(), 0);
}

#[tokio::test]
async fn the_host_hears_of_a_certificate_in_its_last_ten_days_once() {
    let server = mail_server();
    let app = with_host(&server).await;
    let now = app.running.app.now();
    let ends = |days: i64| NotificationEvent::CertificateEnds {
        reason: "nessuno ha sostituito il file del certificato".to_owned(),
        at: now + days * DAY,
    };
    app.running.app.site.notify(ends(12)).await;
    let hers = server.arriving().await;
    assert_eq!(hers.to, format!("RCPT TO:<{EMAIL}>"));
    none_comes(&server).await;
    app.let_time_pass(3 * DAY);
    app.sign_in(&app.admin).await.is(200);
    app.running.app.site.notify(ends(12)).await;
    to_both(&server).await;
    app.let_time_pass(DAY);
    app.running.app.site.notify(ends(12)).await;
    none_comes(&server).await;
}

/// The host's address, as the configuration names it, may be that of an account.
#[tokio::test]
async fn a_host_who_has_an_account_gets_one_e_mail() {
    let server = mail_server();
    let port = server.port;
    let app = TestApp::start_as(|config, tuning| {
        config.mail = Some(mail(port));
        config.host_contact = Some(parse_host_contact(EMAIL).unwrap());
        tuning.disk_space = low_disk;
    })
    .await;
    let only = server.arriving().await;
    assert_eq!(only.to, format!("RCPT TO:<{EMAIL}>"));
    none_comes(&server).await;
    assert_eq!(notices(&app, "disk").await.len(), 1);
}
