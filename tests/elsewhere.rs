//! Tests of disaster recovery: an empty folder, the printed key and the guide restore the site.
#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

#[path = "support/server.rs"]
mod server;
#[path = "support/storage.rs"]
mod storage;
mod support;

use respiro_db::Store;
use server::respiro;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use storage::Fake;
use tempfile::TempDir;

const GUIDE: &str = include_str!("../docs/restore.md");
const PLACE: &str = "s3://b/sito";
const PICTURES: &str = "sito/pictures/";

/// A site with an off-site copy, on the machine that made the copy.
struct Here {
    folder: TempDir,
    storage: Fake,
    key: String,
    public: String,
}

impl Here {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let told = said(
            &respiro(Path::new("x"))
                .args(["backup-key", "--to-stdout"])
                .output()
                .unwrap(),
        );
        let word = |start: &str| {
            let mut words = told.split_whitespace();
            words
                .find(|word| word.starts_with(start))
                .unwrap()
                .to_owned()
        };
        let here = Self {
            folder,
            storage: Fake::start(),
            key: word("AGE-SECRET-KEY-1"),
            public: word("age1"),
        };
        let file = here.path("key.txt");
        fs::write(&file, format!("{}\n", here.key)).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        support::fill(&Store::open(&here.path("site.redb")).unwrap());
        said(&here.run("backup", "site.redb", &[]));
        here
    }

    /// Returns the line of the key file that names the signature of the data file.
    fn signer(&self) -> String {
        let mut command = respiro(&self.path("site.redb"));
        let line = said(&command.args(["backup-key", "--signer"]).output().unwrap());
        assert!(line.starts_with("# signed by: sign1"), "{line}");
        line
    }

    /// Writes a key file with the line that names `signer`.
    fn key_file(&self, signer: &str) -> PathBuf {
        let file = self.path("signed.txt");
        fs::write(&file, format!("{}\n{signer}", self.key)).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        file
    }

    /// Changes the manifests in the storage.
    fn change_manifests(&self, change: impl Fn(&mut serde_json::Map<String, serde_json::Value>)) {
        self.storage.change(|inside| {
            let objects = inside.objects.iter_mut();
            let is_manifest = |name: &str| name.rsplit('.').next() == Some("json");
            for (_, bytes) in objects.filter(|(name, _)| is_manifest(name)) {
                let mut json: serde_json::Value = serde_json::from_slice(bytes).unwrap();
                change(json.as_object_mut().unwrap());
                *bytes = serde_json::to_vec(&json).unwrap();
            }
        });
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.storage.port)
    }

    fn command(&self, name: &str, data: &str, options: &[&str]) -> Command {
        let mut command = respiro(&self.path(data));
        command
            .args([name, PLACE])
            .args(options)
            .env("RESPIRO_S3_ENDPOINT", self.endpoint())
            .env("RESPIRO_S3_ACCESS_KEY", "a")
            .env("RESPIRO_S3_SECRET_KEY", "s")
            .env("RESPIRO_BACKUP_RECIPIENT", &self.public)
            .env("RESPIRO_BACKUP_IDENTITY_FILE", self.path("key.txt"))
            .stdin(Stdio::null());
        command
    }

    fn run(&self, name: &str, data: &str, options: &[&str]) -> Output {
        self.command(name, data, options).output().unwrap()
    }

    /// Returns the number of picture downloads since the last call.
    fn fetched(&self) -> usize {
        let mut count = 0;
        self.storage.change(|inside| {
            let calls = inside.calls.drain(..);
            let is_picture =
                |(method, key): &(String, String)| method == "GET" && key.starts_with(PICTURES);
            count = calls.filter(is_picture).count();
        });
        count
    }

    /// Returns the names of the data file and of the files beside it.
    fn beside(&self, data: &str) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.filter(|name| name.starts_with(data)).collect();
        names.sort();
        names
    }
}

#[track_caller]
fn said(output: &Output) -> String {
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}{error}");
    told
}

#[track_caller]
fn refused(output: &Output, reason: &str) {
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains(reason), "{error}");
}

/// Returns the exported content of a data file, without `exportedAt`.
fn content(data: &Path) -> serde_json::Value {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    said(&respiro(data).arg("export").arg(&out).output().unwrap());
    let text = fs::read_to_string(out.join("respiro.json")).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    json.as_object_mut().unwrap().remove("exportedAt");
    json
}

#[test]
fn the_page_when_the_machine_is_gone_brings_the_site_back_into_an_empty_folder() {
    let here = Here::new();
    let before = content(&here.path("site.redb"));
    let (_, page) = GUIDE.split_once("### When the machine is gone").unwrap();
    let script = page
        .split_once("```sh\n")
        .unwrap()
        .1
        .split_once("```")
        .unwrap()
        .0;
    let empty = here.path("empty");
    let data = empty.join("lib/respiro.redb");
    let mut lines = script.to_owned();
    for (written, meant) in [
        ("https://s3.example.org", here.endpoint().as_str()),
        ("RESPIRO_S3_ACCESS_KEY=…", "RESPIRO_S3_ACCESS_KEY=a"),
        ("RESPIRO_S3_SECRET_KEY=…", "RESPIRO_S3_SECRET_KEY=s"),
        ("s3://BUCKET/PREFIX", PLACE),
        ("/var/lib/respiro/respiro.redb", data.to_str().unwrap()),
        // `tests/install.sh` tests this command.
        ("sh install.sh", "true"),
    ] {
        assert!(script.contains(written), "the page does not say {written}");
        lines = lines.replace(written, meant);
    }
    fs::create_dir_all(empty.join("bin")).unwrap();
    symlink(env!("CARGO_BIN_EXE_respiro"), empty.join("bin/respiro")).unwrap();
    let mut shell = Command::new("sh")
        .args(["-euc", &lines])
        .current_dir(&empty)
        .env_clear()
        .env(
            "PATH",
            format!("{}:/usr/bin:/bin", empty.join("bin").display()),
        )
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut keyboard = shell.stdin.take().unwrap();
    keyboard
        .write_all(format!("{}\n{}", here.key, here.signer()).as_bytes())
        .unwrap();
    drop(keyboard);
    let told = said(&shell.wait_with_output().unwrap());
    assert!(told.contains("is restored from the copy of"), "{told}");
    assert!(told.contains(": start the server now"), "{told}");
    let left: Vec<_> = fs::read_dir(&empty).unwrap().flatten().collect();
    assert_eq!(
        left.len(),
        2,
        "more than the program and the site: {left:?}"
    );
    said(&respiro(&data).arg("check").arg(&data).output().unwrap());
    assert_eq!(content(&data), before);
}

/// Regression: `restore` downloaded pictures for hours before it reported that the data file may
/// not be replaced or that the key is the wrong one.
#[test]
fn what_a_restore_needs_is_asked_before_anything_is_fetched() {
    let here = Here::new();
    let was = content(&here.path("site.redb"));
    here.fetched();
    refused(
        &here.run("restore", "site.redb", &[]),
        "add --yes to replace it",
    );
    let other = here.path("other.txt");
    let pair = said(
        &respiro(Path::new("x"))
            .args(["backup-key", "--to-stdout"])
            .output()
            .unwrap(),
    );
    let secret = pair
        .split_whitespace()
        .find(|word| word.starts_with("AGE-"));
    fs::write(&other, secret.unwrap()).unwrap();
    fs::set_permissions(&other, fs::Permissions::from_mode(0o600)).unwrap();
    let mut wrong = here.command("restore", "site.redb", &["--yes"]);
    wrong.env("RESPIRO_BACKUP_IDENTITY_FILE", &other);
    refused(
        &wrong.output().unwrap(),
        "this key does not open the copy of",
    );
    fs::set_permissions(&other, fs::Permissions::from_mode(0o644)).unwrap();
    refused(&wrong.output().unwrap(), "chmod 600");
    assert_eq!(here.fetched(), 0);
    assert_eq!(content(&here.path("site.redb")), was);
    // Listing the copies needs no key.
    let mut list = here.command("check", "site.redb", &["--list"]);
    let list = said(
        &list
            .env_remove("RESPIRO_BACKUP_IDENTITY_FILE")
            .output()
            .unwrap(),
    );
    let ending = &here.public[here.public.len() - 6..];
    let lines: Vec<&str> = list.lines().collect();
    assert_eq!(lines.len(), 2, "{list}");
    assert_eq!(lines[0], format!("copies at {PLACE}, newest first"));
    assert!(
        lines[1].contains(" items\t") && lines[1].ends_with(ending),
        "{list}"
    );
}

/// Regression: the downloaded parts stayed beside the data file until a server started.
#[test]
fn a_restore_that_is_killed_leaves_what_was_there_and_the_next_one_clears_up() {
    let here = Here::new();
    let was = content(&here.path("site.redb"));
    here.storage
        .change(|inside| inside.pause = Duration::from_millis(300));
    here.fetched();
    let mut child = here
        .command("restore", "site.redb", &["--yes"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while here.fetched() == 0 {
        assert_eq!(
            child.try_wait().unwrap(),
            None,
            "it was over too early to tell"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let left = here.beside("site.redb");
    assert!(
        left.iter().any(|name| name.ends_with(".replacement")),
        "{left:?}"
    );
    let still = respiro(&here.path("site.redb"))
        .args(["check"])
        .arg(here.path("site.redb"))
        .output();
    said(&still.unwrap());
    here.storage.change(|inside| inside.pause = Duration::ZERO);
    said(&here.run("restore", "site.redb", &["--yes"]));
    let left = here.beside("site.redb");
    assert!(
        !left.iter().any(|name| name.ends_with(".replacement")),
        "{left:?}"
    );
    assert!(left.contains(&"site.redb.previous".to_owned()), "{left:?}");
    assert_eq!(content(&here.path("site.redb.previous")), was);
}

/// Regression: a download of hours was deleted when the data file could not be replaced just then.
#[test]
fn a_download_that_cannot_be_put_in_place_is_kept_under_a_name() {
    let here = Here::new();
    here.storage
        .change(|inside| inside.pause = Duration::from_millis(100));
    here.fetched();
    let child = here
        .command("restore", "site.redb", &["--yes"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while here.fetched() == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let in_use = Store::open(&here.path("site.redb")).unwrap();
    let output = child.wait_with_output().unwrap();
    refused(&output, "the download is kept");
    drop(in_use);
    let kept = here.beside("site.redb");
    let kept = kept
        .iter()
        .find(|name| name.contains(".download-"))
        .unwrap();
    let again = respiro(&here.path("site.redb"))
        .args(["restore", "--yes"])
        .arg(here.path(kept))
        .output();
    said(&again.unwrap());
    assert!(here.path(kept).exists());
}

/// Regression: each delta backup that awaited a full one made `respiro check` fail, though the
/// full backup of the day before was intact.
#[test]
fn where_the_newest_copy_awaits_pictures_the_complete_one_before_it_is_checked() {
    let here = Here::new();
    let complete = here.storage.names("sito/whole/");
    here.storage.change(|inside| {
        for name in &complete {
            let (_, rest) = name.split_once('.').unwrap();
            let mut bytes = inside.objects[name].clone();
            if rest == "json" {
                let mut json: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
                json["format"] = 2.into();
                json["awaited"] = serde_json::json!(["ab"]);
                // A manifest of this test, not of the program.
                json.as_object_mut().unwrap().remove("signer");
                bytes = serde_json::to_vec(&json).unwrap();
            }
            let later = format!("sito/changes/20990101T000000Z.{rest}");
            inside.objects.insert(later, bytes);
        }
    });
    let told = said(&here.run("check", "site.redb", &["--yes"]));
    let lines: Vec<&str> = told.lines().collect();
    assert!(
        lines[0].contains("1 parts of pictures are still to come: a full backup is running"),
        "{told}"
    );
    assert!(lines[1].contains(" is whole (3 objects"), "{told}");
    // Without a complete copy before it, the check fails and says so.
    here.storage.change(|inside| {
        for name in &complete {
            inside.objects.remove(name).unwrap();
        }
    });
    refused(
        &here.run("check", "site.redb", &["--yes"]),
        "there is none before it that is complete",
    );
}

/// Regression: whoever could write to the bucket and knew the public key made copies that `restore`
/// accepted, with an account of his own for example.
#[test]
fn a_copy_of_somebody_else_is_refused() {
    let here = Here::new();
    let named = here.key_file(&here.signer());
    let with_key = |name: &str, options: &[&str]| {
        let mut command = here.command(name, "new.redb", options);
        command.env("RESPIRO_BACKUP_IDENTITY_FILE", &named);
        command.output().unwrap()
    };
    let told = said(&with_key("check", &[]));
    assert!(told.contains("signed by sign1"), "{told}");
    // Copies are named by the second.
    std::thread::sleep(Duration::from_secs(1));
    // Somebody with the same bucket, prefix and public key copies a data file of his own.
    let forger = here.path("forger.redb");
    support::fill(&Store::open(&forger).unwrap());
    let mut genuine = std::collections::BTreeMap::new();
    here.storage
        .change(|inside| genuine = std::mem::take(&mut inside.objects));
    said(&here.run("backup", "forger.redb", &[]));
    here.storage.change(|inside| {
        for (name, bytes) in genuine {
            // The genuine copy is older.
            inside.objects.insert(name, bytes);
        }
    });
    for name in ["check", "restore"] {
        let error = "is not signed by the key that the key file names";
        refused(&with_key(name, &["--yes"]), error);
    }
    assert!(!here.path("new.redb").exists());
    // Without the line it is said, and goes on only with `--yes`.
    let unproved = "the origin of this copy is not proved";
    refused(&here.run("restore", "new.redb", &[]), unproved);
    refused(&here.run("check", "new.redb", &[]), unproved);
    assert!(!here.path("new.redb").exists());
    said(&here.run("check", "new.redb", &["--yes"]));
    said(&here.run("restore", "new.redb", &["--yes"]));
    assert_eq!(content(&here.path("new.redb")), content(&forger));
    let mistyped = here.key_file("# signed by: sign1aaaa\n");
    let mut command = here.command("check", "new.redb", &["--yes"]);
    command.env("RESPIRO_BACKUP_IDENTITY_FILE", mistyped);
    refused(&command.output().unwrap(), "is mistyped");
}

/// The machine with the data file needs no line in the key file, and the restored file keeps the
/// key.
#[test]
fn a_data_file_knows_its_own_copies_and_so_does_what_is_restored_from_them() {
    let here = Here::new();
    let own = here.run("check", "site.redb", &[]);
    assert!(!String::from_utf8_lossy(&own.stderr).contains("not proved"));
    assert!(said(&own).contains("signed by sign1"));
    said(&here.run("restore", "new.redb", &["--yes"]));
    let mut command = respiro(&here.path("new.redb"));
    let line = said(&command.args(["backup-key", "--signer"]).output().unwrap());
    assert_eq!(line, here.signer());
    said(&here.run("backup", "new.redb", &[]));
    said(&here.run("check", "site.redb", &[]));
    // The key is in no export.
    let export = content(&here.path("site.redb")).to_string();
    assert!(!export.contains("sign1"));
}

#[test]
fn a_changed_manifest_is_refused_and_one_without_a_signature_needs_a_yes() {
    let here = Here::new();
    let named = here.key_file(&here.signer());
    here.change_manifests(|json| drop(json.insert("items".to_owned(), 7.into())));
    for name in ["check", "restore"] {
        refused(
            &here.run(name, "site.redb", &["--yes"]),
            "missing or damaged",
        );
    }
    // Copies of older programs look like this.
    here.change_manifests(|json| {
        for field in ["signer", "signature", "by_command", "epoch", "instance"] {
            json.remove(field);
        }
    });
    for name in ["check", "restore"] {
        let output = here.run(name, "site.redb", &[]);
        refused(&output, "the origin of this copy is not proved");
        refused(&output, "add --yes to go on");
        let mut command = here.command(name, "site.redb", &["--yes"]);
        command.env("RESPIRO_BACKUP_IDENTITY_FILE", &named);
        refused(&command.output().unwrap(), "it carries no signature");
        said(&here.run(name, "site.redb", &["--yes"]));
    }
}
