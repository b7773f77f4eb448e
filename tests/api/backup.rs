//! The data file as a download.

use crate::helpers::TestApp;
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
