//! `kill -9` in the middle of writes: what was acknowledged is there, nothing is half done.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops where it fails, and the child acknowledges on its standard output"
)]

use respiro::content::{Changes, Picture, StoredFile, Value, kind_by_slug};
use respiro::store::{Store, check};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::env;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const NOW: i64 = 1_790_000_000_000;
/// Names the data file to the child; only with it does the child's test do anything.
const CHILD: &str = "RESPIRO_TEST_CRASH_FILE";
const KILLS: u64 = 25;

/// One transaction: a picture and the item that shows it, numbered.
fn write_pair(store: &Store, number: usize) {
    let kind = kind_by_slug("photo-gallery").unwrap();
    let bytes = number.to_le_bytes().repeat(40_000);
    let id = |prefix: &str| format!("{prefix}{number:025}");
    let file = StoredFile {
        media_type: "image/jpeg".to_owned(),
        hash: Sha256::digest(&bytes).into(),
        bytes: bytes.len() as u64,
    };
    let picture = Picture {
        id: id("p"),
        width: 1,
        height: 1,
        placeholder: String::new(),
        widths: vec![],
        media_type: "image/jpeg".to_owned(),
        created_at: NOW,
        files: BTreeMap::from([("main".to_owned(), file)]),
    };
    let changes = Changes {
        values: BTreeMap::from([("imageUrl", Some(Value::Picture(id("p"))))]),
        ..Changes::default()
    };
    store
        .write(|writer| {
            let files = vec![("main".to_owned(), "image/jpeg".to_owned(), bytes)];
            writer.put_picture(picture, files)?;
            writer.create_item(kind, changes, id("i"), NOW)
        })
        .unwrap();
}

fn count(path: &Path) -> usize {
    let store = Store::open(path).unwrap();
    let kind = kind_by_slug("photo-gallery").unwrap();
    store.read(|reader| reader.items(kind)).unwrap().len()
}

/// Not a test of its own: the process that gets killed. It writes and says so until then.
#[test]
fn the_child_writes_and_acknowledges_until_it_is_killed() {
    let Some(path) = env::var_os(CHILD) else {
        return;
    };
    let store = Store::open(Path::new(&path)).unwrap();
    let kind = kind_by_slug("photo-gallery").unwrap();
    let first = store.read(|reader| reader.items(kind)).unwrap().len();
    for number in first..1_500 {
        write_pair(&store, number);
        let mut out = std::io::stdout().lock();
        writeln!(out, "acknowledged {number}").unwrap();
        out.flush().unwrap();
    }
}

/// Lets the child write for a while, kills it, and says how many writes it acknowledged in all.
fn write_and_kill(path: &Path, after: Duration) -> usize {
    let mut child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "--nocapture"])
        .arg("the_child_writes_and_acknowledges_until_it_is_killed")
        .env(CHILD, path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let acknowledged = |line: &str| -> Option<usize> {
        let (_, number) = line.split_once("acknowledged ")?;
        Some(number.trim().parse::<usize>().unwrap() + 1)
    };
    let mut last = 0;
    // The first acknowledgement shows that the child is at work.
    for line in lines.by_ref() {
        if let Some(number) = acknowledged(&line.unwrap()) {
            last = number;
            break;
        }
    }
    std::thread::sleep(after);
    child.kill().unwrap();
    child.wait().unwrap();
    for line in lines.map_while(Result::ok) {
        last = acknowledged(&line).unwrap_or(last);
    }
    last
}

#[test]
fn after_kill_9_every_acknowledged_change_is_there_and_none_is_half_done() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("respiro.redb");
    for round in 0..KILLS {
        let acknowledged = write_and_kill(&path, Duration::from_millis(round * 37 % 90));
        assert!(acknowledged > 0, "round {round}");
        let figures = check(&path).unwrap();
        let items = figures.counts["photo-gallery"];
        assert_eq!(items, figures.pictures, "round {round}: a pair was halved");
        let items = usize::try_from(items).unwrap();
        // The write that was under way may have been completed, too.
        let expected = acknowledged..=acknowledged + 1;
        assert!(
            expected.contains(&items),
            "round {round}: {items}, not {expected:?}"
        );
        assert_eq!(count(&path), items);
    }
}
