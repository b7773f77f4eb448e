//! Tests of the built binary on full, small and read-only disks.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test stops where it fails, and one that cannot run says so"
)]

#[path = "support/disk.rs"]
mod disk;
#[path = "support/http_client.rs"]
mod http_client;

use disk::{SmallDisk, fill_up};
use http_client::Client;
use serde_json::{Value as Json, json};
use std::fs;
use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use ureq::http::Method;

const EMAIL: &str = "anna@example.com";
const PASSWORD: &str = "corretto cavallo batteria";

fn respiro(data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_respiro"));
    command.env_clear().stdin(Stdio::null());
    command.arg("--data").arg(data).args(arguments);
    command
}

fn run(data: &Path, arguments: &[&str]) -> Output {
    respiro(data, arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// A running server with a client that stores cookies. Dropping it kills the server.
struct Server {
    child: Child,
    address: String,
    client: Client,
}

impl Server {
    fn start(data: &Path) -> Self {
        let mut child = respiro(data, &["--listen", "127.0.0.1:0", "--log-format", "json"])
            .env("RESPIRO_ADMIN_EMAIL", EMAIL)
            .env("RESPIRO_ADMIN_PASSWORD", PASSWORD)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let mut seen = String::new();
        let address = loop {
            let mut line = String::new();
            assert!(log.read_line(&mut line).unwrap() > 0, "it ended: {seen}");
            seen.push_str(&line);
            let json: Json = serde_json::from_str(&line).unwrap();
            if json["message"] == "ready" {
                break json["address"].as_str().unwrap().to_owned();
            }
        };
        // Drains the pipe: the server would block on a full one.
        thread::spawn(move || io::copy(&mut log, &mut io::sink()));
        let client = Client::new(true);
        Self {
            child,
            address,
            client,
        }
    }

    async fn ask(&self, method: Method, path: &str, body: Option<&Json>) -> (u16, String) {
        let request = self
            .client
            .request(method, format!("http://{}{path}", self.address));
        let request = match body {
            Some(body) => request.json(body),
            None => request,
        };
        let answer = request.send().await.unwrap();
        (answer.status().as_u16(), answer.text())
    }

    async fn sign_in(&self) -> (u16, String) {
        let body = json!({ "email": EMAIL, "password": PASSWORD });
        self.ask(Method::POST, "/api/auth/login", Some(&body)).await
    }

    async fn add(&self, title: &str) -> (u16, String) {
        let body = json!({ "title": title, "date": "12 marzo 2027", "time": "10:00",
            "location": "Milano", "description": "respiro ".repeat(120), "published": true });
        self.ask(Method::POST, "/api/admin/events", Some(&body))
            .await
    }

    async fn status(&self, method: Method, path: &str) -> u16 {
        self.ask(method, path, None).await.0
    }

    /// Kills the server, like a power cut.
    fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Adds events until the disk is full. Returns the ids of the acknowledged ones.
async fn add_until_full(server: &Server) -> Vec<String> {
    let mut ids = Vec::new();
    for number in 0..600 {
        match server.add(&format!("Evento {number}")).await {
            (201, body) => {
                let json: Json = serde_json::from_str(&body).unwrap();
                ids.push(json["id"].as_str().unwrap().to_owned());
            }
            (507, _) => return ids,
            other => panic!("{other:?}"),
        }
    }
    panic!("{} events on a full disk", ids.len());
}

/// Regression: a full disk accepted 148 small items, which used up the reserve; then each of 16
/// deletions was answered 507, and a start after a kill failed with
/// `cannot open: no storage space`.
#[tokio::test]
async fn on_a_full_disk_deleting_and_signing_in_work_and_so_does_a_start() {
    let Some(disk) = SmallDisk::mount(48) else {
        return;
    };
    let data = disk.path().join("site.redb");
    let mut server = Server::start(&data);
    assert_eq!(server.sign_in().await.0, 200);
    assert_eq!(server.add("Prima").await.0, 201);
    let others = fill_up(disk.path());
    let ids = add_until_full(&server).await;
    server.kill();

    let mut server = Server::start(&data);
    for page in ["/", "/eventi", "/api/events", "/healthz"] {
        assert_eq!(server.status(Method::GET, page).await, 200, "{page}");
    }
    assert!(
        server
            .ask(Method::GET, "/eventi", None)
            .await
            .1
            .contains("Prima")
    );
    for _ in 0..12 {
        let (status, body) = server.sign_in().await;
        assert_eq!(status, 200, "{body}");
    }
    let list = server.ask(Method::GET, "/api/admin/events", None).await.1;
    let list: Vec<Json> = serde_json::from_str(&list).unwrap();
    assert_eq!(list.len(), ids.len() + 1, "none lost, none halved");
    let (status, body) = server.ask(Method::GET, "/api/admin/status", None).await;
    assert!(status == 200 && body.contains("\"storage\""), "{body}");

    // Repeated small additions must not use up the space that deletions need.
    for _ in 0..20 {
        server.add("Ancora").await;
    }
    for item in &list {
        let path = format!("/api/admin/events/{}", item["id"].as_str().unwrap());
        let (status, body) = server.ask(Method::DELETE, &path, None).await;
        assert_eq!(status, 204, "{body}");
    }
    let emptied = server.ask(Method::DELETE, "/api/admin/trash", None).await;
    assert_eq!(emptied.0, 204, "{}", emptied.1);
    assert!(
        !server
            .ask(Method::GET, "/eventi", None)
            .await
            .1
            .contains("Prima")
    );

    fs::remove_file(others).unwrap();
    assert_eq!(server.add("Di nuovo").await.0, 201);
    assert!(
        server
            .ask(Method::GET, "/eventi", None)
            .await
            .1
            .contains("Di nuovo")
    );
    server.kill();
    let checked = run(&data, &["check", data.to_str().unwrap()]);
    assert!(checked.status.success(), "{}", said(&checked));
}

/// Regression: a read-only disk, or one whose last byte was taken at the start, took the site down.
#[tokio::test]
async fn on_a_disk_that_takes_no_writes_the_site_is_up_says_why_and_heals() {
    let Some(disk) = SmallDisk::mount(48) else {
        return;
    };
    let data = disk.path().join("site.redb");
    let mut server = Server::start(&data);
    assert_eq!(server.sign_in().await.0, 200);
    assert_eq!(server.add("Prima").await.0, 201);
    server.kill();

    disk.set_read_only(true);
    let server = Server::start(&data);
    for page in ["/", "/eventi", "/api/events", "/healthz", "/sitemap.xml"] {
        assert_eq!(server.status(Method::GET, page).await, 200, "{page}");
    }
    assert!(
        server
            .ask(Method::GET, "/eventi", None)
            .await
            .1
            .contains("Prima")
    );
    let (status, body) = server.sign_in().await;
    assert_eq!(status, 503, "{body}");
    assert!(body.contains("non accetta modifiche"), "{body}");

    disk.set_read_only(false);
    assert_eq!(server.sign_in().await.0, 200);
    assert_eq!(server.add("Seconda").await.0, 201);
    let page = server.ask(Method::GET, "/eventi", None).await.1;
    assert!(page.contains("Prima") && page.contains("Seconda"));
}

/// Regression: both commands wrote a copy beside the data file, though the target was elsewhere.
#[tokio::test]
async fn check_and_backup_need_no_room_beside_the_data_file() {
    let Some(disk) = SmallDisk::mount(48) else {
        return;
    };
    let data = disk.path().join("site.redb");
    let mut server = Server::start(&data);
    assert_eq!(server.sign_in().await.0, 200);
    let others = fill_up(disk.path());
    add_until_full(&server).await;
    let elsewhere = tempfile::tempdir().unwrap();
    let copy = elsewhere.path().join("copy.redb");
    for served in [true, false] {
        let before = names(disk.path());
        let checked = run(&data, &["check", data.to_str().unwrap()]);
        assert!(checked.status.success(), "{}", said(&checked));
        let copied = run(&data, &["backup", copy.to_str().unwrap()]);
        assert!(
            copied.status.success(),
            "served {served}: {}",
            said(&copied)
        );
        assert_eq!(names(disk.path()), before);
        let checked = run(&data, &["check", copy.to_str().unwrap()]);
        assert!(checked.status.success(), "{}", said(&checked));
        fs::remove_file(&copy).unwrap();
        if served {
            server.kill();
        }
    }
    drop(others);
}

fn names(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    names.retain(|name| name.extension().is_none_or(|ending| ending != "sock"));
    names.sort();
    names
}

/// Regression: a backup that did not fit left its partial file, which filled the disk.
#[tokio::test]
async fn a_backup_that_does_not_fit_is_refused_first_and_leaves_nothing() {
    let Some(disk) = SmallDisk::mount(2) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("site.redb");
    let mut server = Server::start(&data);
    assert_eq!(server.sign_in().await.0, 200);
    drop(fill_up(disk.path()));
    let before = names(disk.path());
    for _ in [true, false] {
        let copy = disk.path().join("copy.redb");
        let copied = run(&data, &["backup", copy.to_str().unwrap()]);
        assert_eq!(copied.status.code(), Some(1), "{}", said(&copied));
        assert!(said(&copied).contains("room"), "{}", said(&copied));
        assert_eq!(names(disk.path()), before);
        server.kill();
    }
}

/// Regression: a named pipe, a device node and a link to an empty file were replaced by a new data
/// file.
#[test]
fn what_is_no_regular_file_is_refused_as_data_and_stays_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let made = |command: &mut Command| command.status().unwrap().success();
    let pipe = folder.path().join("pipe.redb");
    assert!(made(Command::new("mkfifo").arg(&pipe)));
    let link = folder.path().join("link.redb");
    let target = folder.path().join("target.redb");
    fs::write(&target, "").unwrap();
    std::os::unix::fs::symlink(&target, &link).unwrap();
    let dangling = folder.path().join("dangling.redb");
    std::os::unix::fs::symlink(folder.path().join("nowhere.redb"), &dangling).unwrap();
    let node = folder.path().join("node.redb");
    let has_node = made(Command::new("mknod").arg(&node).args(["c", "1", "3"]));
    let mut special = vec![pipe, link, dangling, folder.path().to_owned()];
    special.extend(has_node.then_some(node));
    let before = names(folder.path());
    for path in &special {
        let kind = fs::symlink_metadata(path).unwrap().file_type();
        for arguments in [
            &["admin", "list"][..],
            &["serve", "--listen", "127.0.0.1:0"],
        ] {
            if arguments[0] == "admin" && !path.exists() {
                continue;
            }
            let output = run(path, arguments);
            assert_eq!(output.status.code(), Some(1), "{path:?}: {}", said(&output));
            assert!(
                said(&output).contains("regular file"),
                "{path:?}: {}",
                said(&output)
            );
        }
        assert_eq!(
            fs::symlink_metadata(path).unwrap().file_type(),
            kind,
            "{path:?}"
        );
    }
    assert_eq!(names(folder.path()), before);
    assert_eq!(fs::metadata(&target).unwrap().len(), 0);
}
