//! A disk without a byte left, as visitors and the panel see it.

use crate::helpers::TestApp;
use respiro::content::KINDS;
use serde_json::json;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// A small file system over a folder, unmounted when it goes.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=48m", "tmpfs"])
            .arg(folder.path())
            .output();
        let mounted = mounted.is_ok_and(|output| output.status.success());
        mounted.then_some(Self(folder))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // The server may still have the file open: what is left goes with the last one.
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

/// Takes every byte that is left.
fn fill_up(path: &Path) {
    let mut file = File::create(path).unwrap();
    let mut block = vec![1_u8; 1024 * 1024];
    while !block.is_empty() {
        if file.write_all(&block).is_err() {
            block.truncate(block.len() / 2);
        }
    }
}

#[tokio::test]
async fn a_full_disk_is_507_while_the_site_stays_readable_and_deleting_works() {
    let Some(disk) = SmallDisk::mount() else {
        // Mounting needs root.
        return;
    };
    let data = disk.0.path().join("data.redb");
    let app = TestApp::start_as(|config, _| config.data.clone_from(&data)).await;
    // Too small a disk for pictures from the beginning: the text does without.
    app.post("/api/admin/upload", &json!({})).await.is(507);
    let kind = KINDS.iter().find(|kind| kind.slug == "events").unwrap();
    let body = json!({ "title": "Prima", "date": "12 marzo 2027", "time": "10:00",
        "location": "Milano", "description": "d", "published": true });
    let path = format!("/api/admin/{}", kind.slug);
    let event = app.post(&path, &body).await.is(201).json();
    let id = event["id"].as_str().unwrap();

    // Somebody else takes every byte: deleting works still, by the reserve beside the data file.
    let others = [disk.0.path().join("others"), disk.0.path().join("more")];
    fill_up(&others[0]);
    app.delete(&format!("{path}/{id}")).await.is(204);
    assert!(!app.visit("/eventi").await.text().contains("Prima"));

    // And the reserve's place too.
    fill_up(&others[1]);
    let mut acknowledged = Vec::new();
    let mut refused = false;
    for number in 0..400 {
        let mut body = body.clone();
        body["title"] = json!(format!("Evento {number}"));
        body["description"] = json!("respiro ".repeat(120));
        let answer = app.post(&path, &body).await;
        if answer.status != 201 {
            answer.is(507);
            refused = true;
            break;
        }
        acknowledged.push(answer.json()["id"].as_str().unwrap().to_owned());
    }
    assert!(refused, "{} writes on a full disk", acknowledged.len());
    for page in ["/", "/eventi", "/api/events", "/healthz", "/sitemap.xml"] {
        assert_eq!(app.visit(page).await.status, 200, "{page}");
    }

    for file in others {
        fs::remove_file(file).unwrap();
    }
    app.post(&path, &body).await.is(201);
    assert!(app.visit("/eventi").await.text().contains("Prima"));
    let kept = app.ids(kind).await;
    assert!(acknowledged.iter().all(|id| kept.contains(id)));
}
