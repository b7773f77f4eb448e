//! Tests of notices to the practitioner: always in the panel, by e-mail where enabled, at most one
//! e-mail of each kind an hour.

use crate::helpers::{Answer, DAY, EMAIL, TestApp, answer, client, trusted};
use crate::mail_server::{MailServer, Taken};
use crate::newsletter::{mail_server, with_mail};
use respiro_backup::local_backup;
use respiro_content::time;
use respiro_db::NotificationEvent;
use respiro_server::config::{BackupSchedule, Tls};
use serde_json::{Value as Json, json};
use std::sync::Arc;
use std::time::Duration;

const HOUR: i64 = 60 * 60 * 1_000;
const MINUTE: i64 = 60 * 1_000;
const FIREFOX: &str = "Mozilla/5.0 (Windows NT 10.0; rv:133.0) Gecko/20100101 Firefox/133.0";

/// Signs in from a new browser.
async fn sign_in_elsewhere(app: &TestApp) -> Answer {
    let request = client(true).post(app.url("/api/auth/login"));
    let body = json!({ "email": EMAIL, "password": crate::helpers::PASSWORD });
    answer(request.header("user-agent", FIREFOX).json(&body)).await
}

async fn notices(app: &TestApp) -> Vec<Json> {
    let list = app.get("/api/admin/notices").await.is(200).json();
    list["notices"].as_array().unwrap().clone()
}

async fn unread(app: &TestApp) -> Json {
    app.get("/api/admin/status").await.json()["unreadNotices"].clone()
}

/// Asserts that no e-mail arrives within 300 ms.
async fn none_comes(server: &MailServer) {
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(!server.has_more(), "{:?}", server.heard());
}

fn is_for_her(mail: &Taken) {
    assert_eq!(mail.to, format!("RCPT TO:<{EMAIL}>"));
    assert_eq!(mail.header("Auto-Submitted"), "auto-generated");
    assert!(
        mail.body()
            .contains("Per spegnerlo: pannello, Account, Avvisi, «")
    );
}

#[tokio::test]
async fn a_sign_in_from_a_new_device_is_told_and_one_from_a_known_device_is_not() {
    let server = mail_server();
    let app = with_mail(&server).await;
    app.sign_in(&app.admin).await.is(200);
    none_comes(&server).await;
    assert_eq!(
        notices(&app).await.len(),
        0,
        "who made the account is no stranger"
    );
    sign_in_elsewhere(&app).await.is(200);
    let mail = server.arriving().await;
    is_for_her(&mail);
    assert!(
        mail.header("Subject")
            .starts_with("Accesso al pannello di 127.0.0.1")
    );
    let text = mail.body();
    for words in [
        "con l’account anna@example.com, qualcuno ha effettuato l’accesso",
        "da un dispositivo mai usato prima: Firefox su Windows.",
        "Questo sito non ti chiederà mai la password per e-mail.",
        "«Accesso da un nuovo dispositivo»",
        "/admin#/account",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
    assert!(
        !text.contains("Mozilla") && !text.contains("altre"),
        "{text}"
    );
    let mut known = notices(&app).await;
    while known[0]["mailedAt"].is_null() {
        known = notices(&app).await;
    }
    assert_eq!(known[0]["subject"], "device");
    assert_eq!(known[0]["text"], "Firefox su Windows");
    assert_eq!(unread(&app).await, 1);
    assert_eq!(
        app.post("/api/admin/notices/read", &json!({})).await.status,
        204
    );
    assert_eq!(unread(&app).await, 0);
}

/// The hour continues across a restart.
#[tokio::test]
async fn a_kind_has_one_e_mail_an_hour_also_after_a_restart() {
    let server = mail_server();
    let app = with_mail(&server).await;
    sign_in_elsewhere(&app).await.is(200);
    server.arriving().await;
    for _ in 0..3 {
        sign_in_elsewhere(&app).await.is(200);
    }
    none_comes(&server).await;
    let app = app.restart().await;
    none_comes(&server).await;
    // The limit applies to each kind separately.
    app.running
        .app
        .site
        .notify(NotificationEvent::Testimonial)
        .await;
    let other = server.arriving().await;
    assert!(
        other
            .header("Subject")
            .contains("Nuova testimonianza da leggere")
    );
    app.let_time_pass(HOUR - MINUTE);
    app.running.app.site.announce_notification();
    none_comes(&server).await;
    app.let_time_pass(2 * MINUTE);
    app.running.app.site.announce_notification();
    let second = server.arriving().await;
    assert_eq!(second.header("Subject"), "3 accessi da nuovi dispositivi");
    assert!(second.body().contains("altre 2 volte nell’ultima ora"));
    none_comes(&server).await;
}

#[tokio::test]
async fn a_switch_that_is_off_ends_the_e_mail_and_not_the_fact() {
    let server = mail_server();
    let app = with_mail(&server).await;
    let off = json!({ "noticeDevice": false });
    app.put("/api/admin/settings", &off).await.is(200);
    sign_in_elsewhere(&app).await.is(200);
    none_comes(&server).await;
    assert_eq!(notices(&app).await[0]["subject"], "device");
    // Enabling e-mail sends nothing about earlier notices.
    let on = json!({ "noticeDevice": true });
    app.put("/api/admin/settings", &on).await.is(200);
    app.running.app.site.announce_notification();
    none_comes(&server).await;
    // A later e-mail does not mark the earlier notice as sent either.
    app.let_time_pass(MINUTE);
    let other = NotificationEvent::NewDevice {
        email: EMAIL.to_owned(),
        device: "Safari su iPhone".to_owned(),
    };
    app.running.app.site.notify(other).await;
    is_for_her(&server.arriving().await);
    let mut known = notices(&app).await;
    while known[0]["mailedAt"].is_null() {
        known = notices(&app).await;
    }
    assert_eq!(known.len(), 2);
    assert!(known[1]["mailedAt"].is_null(), "{known:?}");
    let without_mail = TestApp::start().await;
    sign_in_elsewhere(&without_mail).await.is(200);
    assert_eq!(notices(&without_mail).await.len(), 1);
    let test = without_mail
        .post("/api/admin/notices/test", &json!({}))
        .await;
    test.is(409);
}

#[tokio::test]
async fn a_mail_server_that_refuses_fails_nothing_and_is_tried_again() {
    let server = mail_server();
    let app = with_mail(&server).await;
    server.answer("RCPT", Some("451 anna@example.com: later"));
    sign_in_elsewhere(&app).await.is(200);
    server.hears("RCPT").await;
    let mut list = app.get("/api/admin/notices").await.json();
    while list["failed"].is_null() {
        list = app.get("/api/admin/notices").await.json();
    }
    assert_eq!(
        list["failed"]["reason"],
        "il server di posta rifiuta il destinatario"
    );
    assert!(list["notices"][0]["mailedAt"].is_null());
    server.answer("RCPT", None);
    app.running.app.site.announce_notification();
    none_comes(&server).await;
    app.let_time_pass(6 * MINUTE);
    app.running.app.site.announce_notification();
    is_for_her(&server.arriving().await);
    let test = app
        .post("/api/admin/notices/test", &json!({}))
        .await
        .is(200);
    assert_eq!(test.json(), json!({ "sent": true, "reason": null }));
    let mail = server.arriving().await;
    assert!(
        mail.header("Subject")
            .starts_with("Prova degli avvisi di 127.0.0.1")
    );
}

/// A message whose delivery is unknown counts as delivered.
#[tokio::test]
async fn a_connection_that_breaks_after_the_text_brings_no_second_e_mail() {
    let server = mail_server();
    let app = with_mail(&server).await;
    server.answer("END", Some("x"));
    sign_in_elsewhere(&app).await.is(200);
    server.hears("DATA").await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    server.answer("END", None);
    app.let_time_pass(30 * MINUTE);
    app.running.app.site.announce_notification();
    none_comes(&server).await;
    assert_eq!(server.count("DATA"), 1, "{:?}", server.heard());
}

#[tokio::test]
async fn a_backup_that_fails_is_told_once_a_day_and_ends_with_the_next_good_one() {
    let server = mail_server();
    let app = with_mail(&server).await;
    let dir = app.folder().join("backups");
    std::fs::write(&dir, "no folder").unwrap();
    let schedule = BackupSchedule {
        dir: dir.clone(),
        keep: 2,
    };
    let own = || {
        tokio::spawn(local_backup::run(
            Arc::clone(&app.running.app.site),
            schedule.clone(),
        ))
    };
    let task = own();
    let mail = server.arriving().await;
    task.abort();
    is_for_her(&mail);
    assert!(
        mail.header("Subject")
            .starts_with("Il backup di 127.0.0.1 non ")
    );
    let text = mail.body();
    assert!(
        text.contains("Non c’è ancora nessuna copia buona"),
        "{text}"
    );
    assert!(text.contains("la copia non si può scrivere"), "{text}");
    assert!(!text.contains("backups"), "no path of the machine: {text}");
    // The attempts of the next hours fail too.
    app.let_time_pass(2 * HOUR);
    let task = own();
    while notices(&app).await[0]["count"] != 2 {}
    task.abort();
    none_comes(&server).await;
    assert_eq!(notices(&app).await.len(), 1, "one trouble is one line");
    std::fs::remove_file(&dir).unwrap();
    let task = own();
    while notices(&app).await[0]["solvedAt"].is_null() {}
    task.abort();
    app.let_time_pass(DAY);
    app.sign_in(&app.admin).await.is(200);
    app.running.app.site.announce_notification();
    none_comes(&server).await;
}

#[tokio::test]
async fn a_certificate_that_nobody_renews_is_told_of() {
    let server = mail_server();
    let folder = tempfile::tempdir().unwrap();
    let (chain, key) = (folder.path().join("c.pem"), folder.path().join("k.pem"));
    // Noon in Italy, because UTC days are off by one there from 23:00 UTC on.
    let noon = time::day(respiro_server::state::now()).at(12, 0, 0, 0);
    let noon = noon.to_zoned(time::rome_time_zone()).unwrap();
    let write = |days: i64| {
        let mut wanted = rcgen::CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        let day = |days: i64| {
            let seconds = noon.timestamp().as_second() + days * DAY / 1_000;
            rcgen::date_time_ymd(1970, 1, 1) + Duration::from_secs(seconds.unsigned_abs())
        };
        wanted.not_before = day(-80);
        wanted.not_after = day(days);
        let own = rcgen::KeyPair::generate().unwrap();
        std::fs::write(&chain, wanted.self_signed(&own).unwrap().pem()).unwrap();
        std::fs::write(&key, own.serialize_pem()).unwrap();
    };
    write(10);
    let port = server.port;
    let (certificate, private) = (chain.clone(), key.clone());
    let app = TestApp::start_empty(|config, _| {
        config.first_account = Some((EMAIL.to_owned(), crate::helpers::PASSWORD.to_owned()));
        config.mail = Some(crate::newsletter::mail(port));
        config.tls = Tls::Files {
            certificate,
            key: private,
        };
    })
    .await;
    let mail = server.arriving().await;
    is_for_her(&mail);
    let text = mail.body();
    assert!(
        text.contains("nessuno ha sostituito il file del certificato"),
        "{text}"
    );
    // Regression: the test failed when this day was an 8 or an 11, before which stands «l’».
    let end = time::format_day(noon.timestamp().as_millisecond() + 10 * DAY);
    let first = format!(" scade tra 10 giorni, {}.", time::with_article("il", &end));
    assert!(text.contains(&first), "{text}");
    write(80);
    let config = app.running.app.config.clone();
    app.running.stop().await;
    let app = respiro_server::start(config, respiro::ui_assets::load().unwrap())
        .await
        .unwrap();
    let notices = loop {
        let notices = app
            .app
            .read(|reader| Ok(reader.notifications().list()?))
            .await
            .unwrap();
        if notices[0].solved_at.is_some() {
            break notices;
        }
    };
    assert_eq!(notices.len(), 1);
    app.stop().await;
}

/// A sign-in notice goes to its own account only; every other notice goes to all accounts.
#[tokio::test]
async fn each_account_sees_its_own_devices() {
    let app = TestApp::start().await;
    let other = NotificationEvent::NewDevice {
        email: "bruno@example.com".to_owned(),
        device: "Safari su iPhone".to_owned(),
    };
    app.running.app.site.notify(other).await;
    app.running
        .app
        .site
        .notify(NotificationEvent::Testimonial)
        .await;
    app.running
        .app
        .site
        .notify(NotificationEvent::Testimonial)
        .await;
    let list = notices(&app).await;
    assert_eq!(list.len(), 1);
    assert_eq!(
        (&list[0]["subject"], &list[0]["count"]),
        (&json!("testimonial"), &json!(2))
    );
    app.let_time_pass(91 * DAY);
    app.sign_in(&app.admin).await.is(200);
    let now = app.running.app.now();
    let swept = app
        .running
        .app
        .change(move |writer| Ok(writer.apply_retention(&trusted(now))?))
        .await;
    assert_eq!(swept.unwrap().notices, 2);
    assert_eq!(notices(&app).await.len(), 0);
}
