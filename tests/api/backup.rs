//! The data file as a download.

use crate::helpers::{TestApp, answer};
use respiro::content::KINDS;
use serde_json::json;

#[tokio::test]
async fn a_download_is_a_data_file_that_checks_and_leaves_nothing_behind() {
    let app = TestApp::start().await;
    for kind in KINDS {
        app.create(kind, "uno", json!({})).await;
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
    let figures = respiro::store::check(&path).unwrap();
    assert_eq!(figures.counts["events"], 1);
    assert!(figures.pictures > 0);
    let left: Vec<_> = std::fs::read_dir(app.folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains("download"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[tokio::test]
async fn a_backup_is_shown_then_restored_and_the_former_file_kept() {
    let app = TestApp::start().await;
    let kind = &KINDS[0];
    app.create(kind, "nel backup", json!({ "published": true }))
        .await;
    let before = respiro::content::time::rfc3339(app.running.app.now());
    let copy = app.get("/api/admin/backup").await;
    let after = respiro::content::time::rfc3339(app.running.app.now());
    app.create(kind, "dopo il backup", json!({ "published": true }))
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
    assert_eq!(inside["counts"][kind.slug], 1);
    assert_eq!(inside["accounts"], 1);
    let made_at = inside["createdAt"].as_str().unwrap();
    assert!((before.as_str()..=after.as_str()).contains(&made_at));
    assert_eq!(app.ids(kind).await.len(), 2);

    let path = "/api/admin/restore";
    app.post(path, &json!({ "token": "../data" })).await.is(422);
    app.post(path, &json!({ "token": "a".repeat(26) }))
        .await
        .is(409);
    app.post(path, &json!({ "token": inside["token"] }))
        .await
        .is(200);
    assert_eq!(app.ids(kind).await.len(), 1);
    let page = app.visit("/testimonianze").await.text();
    assert!(page.contains("nel backup") && !page.contains("dopo il backup"));
    app.post(path, &json!({ "token": inside["token"] }))
        .await
        .is(409);
    app.create(kind, "poi", json!({})).await;
    let app = app.restart().await;
    assert_eq!(app.ids(kind).await.len(), 2);
    let former = app.folder().join("data.redb.precedente");
    assert_eq!(respiro::store::check(&former).unwrap().counts[kind.slug], 2);
    let in_use = app.running.app.store().read(|reader| reader.figures());
    assert_eq!(in_use.unwrap().copied_at, None);
}
