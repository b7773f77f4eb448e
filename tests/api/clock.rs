//! Tests of a system time that jumps: nothing that cannot be undone happens until it is explained.

use crate::helpers::{DAY, EMAIL, TestApp, png};
use crate::newsletter::mail_server;
use crate::sendings::{until, with_readers, written};
use respiro_backup::local_backup::{self, BackupSchedule};
use respiro_content::collection_by_slug;
use respiro_content::time::{parse_rfc3339, rfc3339};
use respiro_db::clock::TimeSource;
use respiro_server::state::now as system_time;
use serde_json::{Value as Json, json};
use std::time::Duration;

const HOUR: i64 = 60 * 60 * 1_000;
const READERS: [&str; 3] = ["a@example.com", "b@example.com", "c@example.com"];

/// Restarts with a system time that is off by this.
async fn restart_off(app: TestApp, milliseconds: i64) -> TestApp {
    app.set_clock_off(milliseconds);
    app.restart().await
}

async fn clock_of(app: &TestApp) -> Json {
    app.get("/api/admin/status").await.is(200).json()["clock"].clone()
}

async fn confirm(app: &TestApp) -> u16 {
    let seen = clock_of(app).await["systemTime"].clone();
    let body = json!({ "systemTime": seen });
    app.post("/api/admin/clock", &body).await.status
}

/// Waits until each background task has looked at the clock at least once since the start.
async fn let_tasks_look(app: &TestApp) {
    app.running.app.jobs.newsletter.campaigns.notify_one();
    tokio::time::sleep(Duration::from_millis(300)).await;
    let idle = app.running.app.site.with_writes_held(|_| ()).await;
    idle.unwrap();
}

/// A site with a scheduled newsletter, a scheduled event, an item in the trash and an unused image.
struct Planned {
    app: TestApp,
    campaign: String,
    event: String,
    trashed: String,
    image: String,
}

async fn planned(server: &crate::mail_server::MailServer) -> Planned {
    let app = with_readers(server, &READERS).await;
    // The tests count newsletters; a site without copies is told so after a week.
    let silent = json!({ "noticeBackup": false });
    app.put("/api/admin/settings", &silent).await.is(200);
    let now = app.running.app.now();
    let campaign = written(&app, "Numero 1").await;
    let path = format!("/api/admin/sendings/{campaign}/schedule");
    let schedule = json!({ "at": rfc3339(now + 20 * DAY) });
    app.put(&path, &schedule).await.is(200);
    let events = collection_by_slug("events").unwrap();
    let made = app.create(events, "piano", json!({ "published": false }));
    let event = made.await["id"].as_str().unwrap().to_owned();
    let plan = json!({ "publishAt": rfc3339(now + 5 * DAY) });
    let path = format!("/api/admin/events/{event}/plan");
    app.put(&path, &plan).await.is(200);
    let gone = app.create(collection_by_slug("blog").unwrap(), "vecchio", json!({}));
    let trashed = gone.await["id"].as_str().unwrap().to_owned();
    app.delete(&format!("/api/admin/blog/{trashed}"))
        .await
        .is(204);
    let image = app.upload(png("nessuno")).await;
    Planned {
        app,
        campaign,
        event,
        trashed,
        image,
    }
}

impl Planned {
    async fn restart_off(self, milliseconds: i64) -> Self {
        Self {
            app: restart_off(self.app, milliseconds).await,
            ..self
        }
    }

    /// Asserts that nothing has happened that a plan or an age asks for.
    async fn assert_untouched(&self) {
        let app = &self.app;
        let path = format!("/api/admin/sendings/{}", self.campaign);
        let campaign = app.get(&path).await.is(200).json();
        assert_eq!(campaign["state"], "scheduled", "{campaign}");
        assert_eq!(app.visit("/api/events").await.json(), json!([]));
        let trash = app.get("/api/admin/trash").await.is(200).text();
        assert!(trash.contains(&self.trashed), "{trash}");
        app.get(&self.image).await.is(200);
    }

    /// Waits until the plans are carried out.
    async fn until_done(&self) {
        let app = &self.app;
        let path = format!("/api/admin/events/{}", self.event);
        while app.get(&path).await.is(200).json()["published"] != json!(true) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let end = until(app, &self.campaign, |now| now["state"] == "sent").await;
        assert_eq!(end["accepted"], 3, "{end}");
    }
}

/// Regression: the newsletter left a moment after a start with a clock that was 40 days ahead.
#[tokio::test]
async fn a_start_with_a_clock_ahead_sends_and_deletes_nothing_and_loses_nothing() {
    let server = mail_server();
    let site = planned(&server).await.restart_off(40 * DAY).await;
    let_tasks_look(&site.app).await;
    site.assert_untouched().await;
    assert!(!server.has_more());
    let clock = clock_of(&site.app).await;
    let shown = |name: &str| parse_rfc3339(clock[name].as_str().unwrap()).unwrap();
    assert!(shown("systemTime").abs_diff(system_time() + 40 * DAY) < HOUR.unsigned_abs());
    assert!(shown("plausibleTime").abs_diff(system_time()) < HOUR.unsigned_abs());
    // Right again: nothing was lost, and what is planned happens once, in its time.
    let site = site.restart_off(0).await;
    assert_eq!(clock_of(&site.app).await, Json::Null);
    site.assert_untouched().await;
    site.app.let_time_pass(21 * DAY);
    let site = site.restart_off(0).await;
    site.until_done().await;
    for _ in 0..READERS.len() {
        server.next();
    }
    let site = site.restart_off(0).await;
    let_tasks_look(&site.app).await;
    assert!(!server.has_more());
}

#[tokio::test]
async fn a_press_of_the_admin_releases_what_waits_also_for_the_next_start() {
    let server = mail_server();
    let site = planned(&server).await.restart_off(40 * DAY).await;
    let stale = json!({ "systemTime": rfc3339(system_time()) });
    let refused = site.app.post("/api/admin/clock", &stale).await.is(409);
    assert!(refused.text().contains("cambiata"), "{}", refused.text());
    site.app.post("/api/admin/clock", &json!({})).await.is(422);
    site.assert_untouched().await;
    assert_eq!(confirm(&site.app).await, 204);
    assert_eq!(clock_of(&site.app).await, Json::Null);
    let site = site.restart_off(40 * DAY).await;
    assert_eq!(clock_of(&site.app).await, Json::Null);
    site.until_done().await;
    let trash = site.app.get("/api/admin/trash").await.is(200).text();
    assert!(!trash.contains(&site.trashed), "{trash}");
}

#[tokio::test]
async fn the_answer_of_another_machine_releases_what_waits() {
    for source in [TimeSource::Acme, TimeSource::ObjectStorage] {
        let server = mail_server();
        let site = planned(&server).await.restart_off(40 * DAY).await;
        let clock = site.app.running.app.site.clock().clone();
        clock.observe(source, system_time());
        site.assert_untouched().await;
        clock.observe(source, system_time() + 40 * DAY);
        let site = site.restart_off(40 * DAY).await;
        site.until_done().await;
    }
}

/// The hourly and the daily work of a clock that is set back happens neither twice nor never.
#[tokio::test]
async fn a_clock_that_is_set_back_repeats_nothing_and_breaks_nothing() {
    let server = mail_server();
    let site = planned(&server).await;
    site.app.let_time_pass(21 * DAY);
    let site = site.restart_off(0).await;
    site.until_done().await;
    for _ in 0..READERS.len() {
        server.next();
    }
    site.app.set_clock_off(-30 * DAY);
    let_tasks_look(&site.app).await;
    assert_ne!(clock_of(&site.app).await, Json::Null);
    assert_eq!(confirm(&site.app).await, 204, "the session goes on");
    let site = site.restart_off(-30 * DAY).await;
    assert_eq!(clock_of(&site.app).await, Json::Null);
    let_tasks_look(&site.app).await;
    assert!(!server.has_more());
    site.app
        .create(
            collection_by_slug("events").unwrap(),
            "dopo",
            json!({ "published": true }),
        )
        .await;
    let shown = site.app.visit("/api/events").await.json();
    assert_eq!(shown.as_array().unwrap().len(), 2, "{shown}");
}

/// Regression: a session that began while the clock was 300 days ahead lived that much longer.
#[tokio::test]
async fn a_session_of_a_clock_ahead_lives_no_longer_and_one_of_a_clock_behind_no_shorter() {
    let app = TestApp::start().await;
    let site = &app.running.app.site;
    let sessions = async || {
        let read = app
            .running
            .app
            .read(|reader| Ok(reader.sessions().list(EMAIL)?));
        read.await.unwrap()
    };
    // Ahead, and confirmed: now the time is set back.
    app.set_clock_off(300 * DAY);
    site.clock().confirm();
    app.sign_in(&app.admin).await.is(200);
    app.set_clock_off(0);
    site.clock().confirm();
    let now = site.clock().trusted().unwrap();
    let swept = app
        .running
        .app
        .change(move |writer| Ok(writer.apply_retention(&now)?));
    swept.await.unwrap();
    let latest = sessions().await.iter().map(|one| one.last_seen_at).max();
    assert!(latest.unwrap() <= app.running.app.now());
    app.get("/api/admin/status").await.is(200);
    app.let_time_pass(15 * DAY);
    app.get("/api/admin/status").await.is(401);
    // Behind since the start, and corrected.
    app.sign_in(&app.admin).await.is(200);
    app.set_clock_off(2_000 * DAY);
    app.get("/api/admin/status").await.is(200);
    site.clock().confirm();
    app.get("/api/admin/status").await.is(200);
    let now = site.clock().trusted().unwrap();
    let swept = app
        .running
        .app
        .change(move |writer| Ok(writer.apply_retention(&now)?));
    swept.await.unwrap();
    app.get("/api/admin/status").await.is(200);
    app.let_time_pass(15 * DAY);
    app.get("/api/admin/status").await.is(401);
}

/// The same sign-in codes work before and after, because the phone has the right time.
#[tokio::test]
async fn a_code_that_was_used_while_the_clock_was_ahead_does_not_refuse_all_others() {
    let secret = b"12345678901234567890";
    let now = 1_795_000_000_000;
    let step = u64::try_from(now / 30_000).unwrap();
    let code = respiro_auth::totp::code(secret, step);
    let matches = |last_step| respiro_auth::totp::matching_step(secret, &code, last_step, now);
    let ahead = step + 300 * 24 * 120;
    assert_eq!(matches(ahead), Some(step));
    assert_eq!(matches(step), None, "a code is used once");
}

#[tokio::test]
async fn a_backup_of_a_doubted_clock_is_made_and_removes_no_other() {
    let app = TestApp::start().await;
    let folder = app.folder().join("backups");
    let schedule = BackupSchedule {
        dir: folder.clone(),
        keep: 1,
    };
    let back_up = async |later: i64| {
        let site = &app.running.app.site;
        let made = local_backup::once(site, &schedule, site.now() + later).await;
        assert!(made.ok, "{}", made.detail);
        std::fs::read_dir(&folder).unwrap().count()
    };
    assert_eq!(back_up(0).await, 1);
    app.set_clock_off(40 * DAY);
    assert_eq!(back_up(1_000).await, 2);
    app.set_clock_off(0);
    app.let_time_pass(DAY);
    assert_eq!(back_up(0).await, 1);
}
