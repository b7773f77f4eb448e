//! Tests of backups: download, scheduled copies, and restore.

use crate::helpers::{DAY, TestApp, answer};
use respiro::ui_assets;
use respiro_auth::leaked_passwords::LeakedPasswords;
use respiro_backup::local_backup;
use respiro_content::{COLLECTIONS, RequestLog};
use respiro_db::clock::Clock;
use respiro_db::{Store, Subscriber, Subscription, check, testimonial_collection};
use respiro_newsletter::{CONSENT, campaign};
use respiro_publish::{Bundle, Publisher, Site, SiteOptions};
use respiro_server::config::{BackupSchedule, Cdn, Config, OffsiteOptions, S3Location};
use respiro_server::state::{App, Tuning};
use serde_json::json;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

#[tokio::test]
async fn a_download_is_a_data_file_that_checks_and_leaves_nothing_behind() {
    let app = TestApp::start().await;
    for collection in COLLECTIONS {
        app.create(collection, "uno", json!({})).await;
    }
    let copy = app.get("/api/admin/backup").await;
    assert_eq!(copy.status, 200);
    assert!(
        copy.header("content-disposition")
            .contains("attachment; filename=\"respiro-")
    );
    assert_eq!(copy.header("cache-control"), "no-store");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("copy.redb");
    std::fs::write(&path, &copy.bytes).unwrap();
    let figures = check(&path).unwrap().stats;
    assert_eq!(figures.counts["events"], 1);
    assert!(figures.pictures > 0);
    let left: Vec<_> = std::fs::read_dir(app.folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains("download"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Regression: HEAD made and checked a copy of the whole file, and threw it away.
#[tokio::test]
async fn asking_for_the_head_of_a_backup_makes_no_copy() {
    let app = TestApp::start().await;
    // A copy needs this place.
    let place = Arc::clone(&app.running.app.queues.backup_downloads);
    let _permit = place.try_acquire_owned().unwrap();
    let path = "/api/admin/backup";
    app.get(path).await.is(429);
    let head = app.by(&app.admin, "HEAD", path, None).await;
    assert_eq!(head.status, 200);
    assert!(head.header("content-disposition").contains("attachment"));
    assert_eq!(head.header("content-length"), "");
    assert_eq!(app.by(&app.visitor, "HEAD", path, None).await.status, 401);
}

#[tokio::test]
async fn a_backup_is_shown_then_restored_and_the_former_file_kept() {
    let app = TestApp::start().await;
    let collection = &COLLECTIONS[0];
    app.create(collection, "nel backup", json!({ "published": true }))
        .await;
    let before = respiro_content::time::rfc3339(app.running.app.now());
    let copy = app.get("/api/admin/backup").await;
    let after = respiro_content::time::rfc3339(app.running.app.now());
    app.create(collection, "dopo il backup", json!({ "published": true }))
        .await;

    let send = async |bytes: Vec<u8>| {
        let request = app.admin.post(app.url("/api/admin/restore/inspect"));
        answer(request.body(bytes)).await
    };
    let mut damaged = copy.bytes.clone();
    let middle = damaged.len() / 2;
    damaged.truncate(middle);
    for wrong in [Vec::new(), b"no backup".to_vec(), damaged] {
        send(wrong).await.is(422);
    }
    let inside = send(copy.bytes).await.is(200).json();
    assert_eq!(inside["counts"][collection.slug], 1);
    assert_eq!(inside["accounts"], 1);
    let made_at = inside["createdAt"].as_str().unwrap();
    assert!((before.as_str()..=after.as_str()).contains(&made_at));
    assert_eq!(app.ids(collection).await.len(), 2);

    let restored = async || app.get("/api/admin/status").await.json()["restored"].clone();
    assert_eq!(restored().await, json!(null));
    let path = "/api/admin/restore";
    app.post(path, &json!({ "token": "../data" })).await.is(422);
    app.post(path, &json!({ "token": "a".repeat(26) }))
        .await
        .is(409);
    app.post(path, &json!({ "token": inside["token"] }))
        .await
        .is(200);
    assert_eq!(
        restored().await,
        json!({
            "copiedAt": made_at,
            "endedSendings": 0,
            "carriedOver": { "unsubscribed": 0, "erased": 0, "withdrawn": 0 },
        })
    );
    assert_eq!(app.ids(collection).await.len(), 1);
    let page = app.visit("/testimonianze").await.text();
    assert!(page.contains("nel backup") && !page.contains("dopo il backup"));
    app.post(path, &json!({ "token": inside["token"] }))
        .await
        .is(409);
    app.create(collection, "poi", json!({})).await;
    // The status names the restore, for every admin, until an admin acknowledges it.
    app.delete("/api/admin/restored").await.is(204);
    let app = app.restart().await;
    let status = app.get("/api/admin/status").await.json();
    assert_eq!(status["restored"], json!(null));
    assert_eq!(app.ids(collection).await.len(), 2);
    let former = app.folder().join("data.redb.previous");
    assert_eq!(check(&former).unwrap().stats.counts[collection.slug], 2);
    let in_use = app.running.app.site.store().read(|reader| reader.figures());
    assert_eq!(in_use.unwrap().copied_at, None);
}

/// What AI crawlers may do, and the e-mails that an account asked for, come back with a backup.
#[tokio::test]
async fn a_restore_brings_back_the_answer_about_crawlers_and_the_choice_of_an_account() {
    let app = TestApp::start().await;
    let choose = async |answer: &str, monthly: bool| {
        let body = json!({ "aiCrawlers": answer });
        app.put("/api/admin/settings", &body).await.is(200);
        let path = "/api/admin/notices/monthly";
        let chosen = app.put(path, &json!({ "wanted": monthly })).await;
        assert_eq!(chosen.status, 204);
    };
    choose("Possono citarti, non addestrarsi", true).await;
    let copy = app.get("/api/admin/backup").await;
    choose("Nessuna indicazione", false).await;
    let request = app.admin.post(app.url("/api/admin/restore/inspect"));
    let inside = answer(request.body(copy.bytes)).await.is(200).json();
    let body = json!({ "token": inside["token"] });
    app.post("/api/admin/restore", &body).await.is(200);
    let robots = app.visit("/robots.txt").await.text();
    assert!(robots.contains("GPTBot"), "{robots}");
    assert_eq!(app.get("/api/admin/notices").await.json()["monthly"], true);
}

/// Regression: a restore subscribed again who had left since the backup, and put a withdrawn
/// testimonial back on the site.
#[tokio::test]
async fn a_restore_keeps_what_persons_decided_after_the_backup() {
    let app = TestApp::start().await;
    let collection = testimonial_collection().unwrap();
    let published = json!({ "published": true });
    let item = app.create(collection, "da ritirare", published).await;
    let id = item["id"].as_str().unwrap().to_owned();
    let emails = [
        "left@example.com",
        "erased@example.com",
        "stays@example.com",
    ];
    let now = app.running.app.now();
    let confirmed = move |email: &str| Subscriber {
        email: email.to_owned(),
        state: Subscription::Confirmed,
        consent_text: CONSENT.to_owned(),
        created_at: now - DAY,
        confirmed_at: Some(now - DAY + 1),
    };
    let subscribed = app.running.app.change(move |writer| {
        for email in emails {
            writer.subscribers().put(&confirmed(email))?;
        }
        Ok(())
    });
    subscribed.await.unwrap();
    let copy = app.get("/api/admin/backup").await.is(200).bytes;

    let decided = app.running.app.change(move |writer| {
        campaign::unsubscribe(writer, emails[0], None, now)?;
        Ok(writer.provenances().withdraw(&id, now)?)
    });
    decided.await.unwrap();
    let path = format!("/api/admin/newsletter/{}", emails[1]);
    app.delete(&path).await.is(204);

    let request = app.admin.post(app.url("/api/admin/restore/inspect"));
    let inside = answer(request.body(copy)).await.is(200).json();
    let expected = json!({ "unsubscribed": 1, "erased": 1, "withdrawn": 1 });
    assert_eq!(inside["carriedOver"], expected);
    let token = json!({ "token": inside["token"] });
    let restored = app.post("/api/admin/restore", &token).await.is(200).json();
    assert_eq!(restored["carriedOver"], expected);
    let status = app.get("/api/admin/status").await.json();
    assert_eq!(status["restored"]["carriedOver"], expected);

    let list = app.get("/api/admin/newsletter").await.json();
    let mut rows: Vec<_> = list
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            (
                one["email"].as_str().unwrap(),
                one["state"].as_str().unwrap(),
            )
        })
        .collect();
    rows.sort_unstable();
    assert_eq!(
        rows,
        [(emails[0], "unsubscribed"), (emails[2], "confirmed")]
    );
    let page = app.visit("/testimonianze").await.text();
    assert!(!page.contains("da ritirare"));
}

/// Regression: a copy without accounts ended the admin's session on restore, and only a restart
/// offered the link to create an account.
#[tokio::test]
async fn a_copy_without_accounts_shuts_nobody_out_who_restores_it() {
    let app = TestApp::start().await;
    let path = app.folder().join("copy.redb");
    let copy = app.get("/api/admin/backup").await.is(200).bytes;
    std::fs::write(&path, copy).unwrap();
    let store = Store::open(&path).unwrap();
    let emptied = store.write(|writer| -> respiro_db::Result<_> {
        for account in writer.accounts().list()? {
            writer.accounts().remove(&account.email)?;
        }
        Ok(())
    });
    emptied.unwrap();
    drop(store);
    let request = app.admin.post(app.url("/api/admin/restore/inspect"));
    let inside = answer(request.body(std::fs::read(&path).unwrap())).await;
    let inside = inside.is(200).json();
    assert_eq!(inside["accounts"], 0);
    let token = json!({ "token": inside["token"] });
    app.post("/api/admin/restore", &token).await.is(200);
    app.get("/api/admin/status").await.is(200);
    app.sign_in(&app.visitor).await.is(200);
}

/// The privacy page names the remote copies while they are configured.
#[tokio::test]
async fn the_privacy_page_names_copies_elsewhere_while_there_are_some() {
    const NAMED: &str = "conserva copie di sicurezza cifrate";
    const KEPT: &str = "Copie di sicurezza fuori dal server";
    let mut app = TestApp::start().await;
    let copies = OffsiteOptions {
        space: S3Location {
            bucket: "copie".to_owned(),
            prefix: String::new(),
            endpoint: "http://127.0.0.1:9".to_owned(),
            region: "us-east-1".to_owned(),
            path_style: true,
            access_key: "a".to_owned(),
            secret_key: "b".to_owned(),
        },
        recipient: String::new(),
    };
    for wanted in [None, Some(copies), None] {
        let are_on = wanted.is_some();
        app = app
            .restart_as(|config| config.offsite_backup = wanted)
            .await;
        let page = app.visit("/privacy").await.is(200).text();
        let shown = page.split("id=\"page-data\"").next().unwrap();
        let shown = shown.replace('\u{a0}', " ");
        assert_eq!(shown.contains(NAMED), are_on);
        assert_eq!(shown.contains(KEPT), are_on);
        let copy = app.get("/api/admin/backup").await.is(200).bytes;
        let path = app.folder().join("copy.redb");
        std::fs::write(&path, copy).unwrap();
        check(&path).unwrap();
    }
}

/// A purge that the admin requests starts at once, and the panel shows the answer of the cache.
#[tokio::test]
async fn a_cache_in_front_is_told_again_when_she_asks_and_its_answer_is_shown() {
    let alone = TestApp::start().await;
    alone.post("/api/admin/cdn", &json!({})).await.is(409);
    let status = alone.get("/api/admin/status").await.json();
    assert_eq!(status["cdn"], json!(null));

    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let hears = Arc::new(AtomicBool::new(false));
    let says = Arc::clone(&hears);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut head = [0; 1024];
            let length = stream.read(&mut head).unwrap();
            assert!(head[..length].starts_with(b"BAN / HTTP/1.1\r\n"));
            let status = if says.load(Ordering::Acquire) {
                "200 Banned"
            } else {
                "503 Busy"
            };
            let answer = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n");
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    let app = TestApp::start_as(|config, _| {
        config.cdn = Some(Cdn {
            purge: Some(format!("http://{address}/")),
            method: "BAN".to_owned(),
            hook: None,
            hidden: &[],
        });
    })
    .await;
    let deadline = Instant::now() + Duration::from_mins(1);
    let told = async || {
        loop {
            assert!(Instant::now() < deadline, "nobody was told");
            let cdn = app.get("/api/admin/status").await.json()["cdn"].clone();
            if cdn["isTelling"] == false && cdn["toldAt"].is_string() {
                return cdn["reason"].clone();
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    app.post("/api/admin/cdn", &json!({})).await.is(202);
    assert_eq!(told().await, "rifiuta la richiesta");
    hears.store(true, Ordering::Release);
    app.post("/api/admin/cdn", &json!({})).await.is(202);
    assert_eq!(told().await, json!(null));
}

/// Regression: when the client disconnected during a restore, the data was restored but the old
/// pages stayed published.
#[tokio::test]
async fn a_restore_whose_client_leaves_is_done_whole_or_not_at_all() {
    let app = TestApp::start().await;
    let collection = &COLLECTIONS[0];
    app.create(collection, "nel backup", json!({ "published": true }))
        .await;
    let copy = app.get("/api/admin/backup").await.bytes;
    app.create(collection, "dopo il backup", json!({ "published": true }))
        .await;
    for patience in [1, 10, 30, 60, 120] {
        let request = app.admin.post(app.url("/api/admin/restore/inspect"));
        let inside = answer(request.body(copy.clone())).await.is(200).json();
        let token = json!({ "token": inside["token"] });
        let request = app.admin.post(app.url("/api/admin/restore")).json(&token);
        let left = request
            .timeout(Duration::from_millis(patience))
            .send()
            .await;
        // The restore either completes or never began: the next change waits for its end.
        app.create(
            collection,
            &format!("{patience}"),
            json!({ "published": true }),
        )
        .await;
        let page = app.visit("/testimonianze").await.text();
        let public = app.visit("/api/course-testimonials").await.text();
        let ids = app.ids(collection).await;
        assert!(
            ids.iter().all(|id| public.contains(id)),
            "after {patience} ms, {left:?}"
        );
        let data = app
            .running
            .app
            .read(|reader| Ok(reader.items().list(&COLLECTIONS[0])?))
            .await
            .unwrap();
        for name in ["nel backup", "dopo il backup"] {
            let in_data = data.iter().any(|item| format!("{item:?}").contains(name));
            assert_eq!(page.contains(name), in_data, "{name} after {patience} ms");
        }
    }
}

#[tokio::test]
async fn daily_copies_are_rendered_pruned_and_told_with_their_failures() {
    let app = TestApp::start().await;
    let schedule = BackupSchedule {
        dir: app.folder().join("copies"),
        keep: 2,
    };
    let copies = || {
        let mut names: Vec<_> = std::fs::read_dir(&schedule.dir)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        names.sort();
        names
    };
    let first = app.running.app.now();
    for day in 0..4 {
        let now = first + day * DAY;
        let outcome = local_backup::once(&app.running.app.site, &schedule, now).await;
        assert!(outcome.ok, "{}", outcome.detail);
        assert!(
            outcome.detail.contains("checked and rendered"),
            "{}",
            outcome.detail
        );
    }
    let kept = copies();
    assert_eq!(kept.len(), 2, "{kept:?}");
    assert!(kept.iter().all(|path| check(path).is_ok()), "{kept:?}");

    // An unusable destination is reported, and the existing copies stay.
    let now = first + 3 * DAY;
    let again = local_backup::once(&app.running.app.site, &schedule, now).await;
    assert!(!again.ok, "a copy of the same second was written over");
    let blocked = BackupSchedule {
        dir: kept[0].clone(),
        keep: 2,
    };
    let outcome = local_backup::once(&app.running.app.site, &blocked, now).await;
    assert!(
        !outcome.ok && outcome.detail.contains("cannot use"),
        "{}",
        outcome.detail
    );
    assert_eq!(copies(), kept);
}

/// Regression: such a copy kept the name of a good one. The next attempt came a day later instead
/// of an hour later, and the good copies were pruned.
#[tokio::test]
async fn a_copy_that_renders_no_page_is_no_backup_and_takes_no_good_ones_place() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data.redb");
    let schedule = BackupSchedule {
        dir: folder.path().join("copies"),
        keep: 1,
    };
    let app = |bundle| {
        let listen = "127.0.0.1:0".parse().unwrap();
        let config = Config::new(vec![listen], data.clone());
        let store = Store::open(&data).unwrap();
        let publisher = Publisher::start_with(bundle).unwrap();
        let options = SiteOptions {
            public_url: "https://example.org".to_owned(),
            definitions: ui_assets::block_definitions().unwrap(),
            has_offsite_backups: false,
            host_email: None,
            request_log: RequestLog::Off,
            clock: Clock::default(),
        };
        let site = Site::new(store, publisher, options);
        Arc::new(App::new(
            config,
            site,
            Tuning::default(),
            LeakedPasswords::from_gzip(&[]),
        ))
    };
    let names = || {
        let entries = std::fs::read_dir(&schedule.dir).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    let good = app(ui_assets::bundle().unwrap());
    let outcome = local_backup::once(&good.site, &schedule, 0).await;
    assert!(outcome.ok, "{}", outcome.detail);
    drop(good);

    let broken = app(Bundle::of_renderer(
        "globalThis.respiro = { routes() { throw new Error('guasto') }, page() {} }",
    ));
    for day in 1..3 {
        let outcome = local_backup::once(&broken.site, &schedule, day * DAY).await;
        assert!(!outcome.ok);
        assert!(outcome.detail.contains("guasto"), "{}", outcome.detail);
        let set_aside = format!("respiro-1970010{}T000000Z.unservable.redb", day + 1);
        assert_eq!(names(), ["respiro-19700101T000000Z.redb", &*set_aside]);
    }
    drop(broken);

    let mended = app(ui_assets::bundle().unwrap());
    let outcome = local_backup::once(&mended.site, &schedule, 3 * DAY).await;
    assert!(outcome.ok, "{}", outcome.detail);
    assert_eq!(names(), ["respiro-19700104T000000Z.redb"]);
}
