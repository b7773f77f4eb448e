//! Tests of `kill -9` during writes: acknowledged writes are kept, and none is half done.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops where it fails, and the child acknowledges on its standard output"
)]

use respiro_content::{Changes, Picture, StoredFile, Value, collection_by_slug};
use respiro_db::{Store, WriteAccess, check};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const NOW: i64 = 1_790_000_000_000;
/// Passes the data file to the child process; without it the child's test does nothing.
const CHILD: &str = "RESPIRO_TEST_CRASH_FILE";
/// Number of kills, unless `RESPIRO_KILLS` sets another.
const KILLS: u64 = 50;
/// Number of concurrent writer threads; each writes its own numbers.
const WRITERS: usize = 3;

fn id(prefix: &str, number: usize) -> String {
    format!("{prefix}{number:025}")
}

/// Writes a numbered picture and the item that shows it in one transaction.
fn write_pair(store: &WriteAccess, number: usize) {
    let collection = collection_by_slug("photo-gallery").unwrap();
    let bytes = number.to_le_bytes().repeat(40_000);
    let id = |prefix: &str| id(prefix, number);
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
            writer.pictures().put(picture, files)?;
            writer.items().create(collection, changes, id("i"), NOW)
        })
        .unwrap();
}

/// The process that the test below kills, not a test itself. It writes, and prints each
/// acknowledgement.
#[test]
fn the_child_writes_and_acknowledges_until_it_is_killed() {
    let Some(path) = env::var_os(CHILD) else {
        return;
    };
    let store = Store::open(Path::new(&path)).unwrap();
    let collection = collection_by_slug("photo-gallery").unwrap();
    let first = store
        .read(|reader| reader.items().list(collection))
        .unwrap();
    let written: BTreeSet<String> = first.into_iter().map(|item| item.id).collect();
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (store, written) = (&store, &written);
            scope.spawn(move || {
                for number in (writer..1_900).step_by(WRITERS) {
                    if written.contains(&id("i", number)) {
                        continue;
                    }
                    write_pair(store, number);
                    let mut out = std::io::stdout().lock();
                    writeln!(out, "acknowledged {number}").unwrap();
                    out.flush().unwrap();
                }
            });
        }
    });
}

/// Starts the child, kills it after a while, and returns the writes that it acknowledged.
fn write_and_kill(path: &Path, after: Duration) -> BTreeSet<usize> {
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
        Some(number.trim().parse::<usize>().unwrap())
    };
    // The first acknowledgement shows that the child writes.
    let mut seen: BTreeSet<usize> = BTreeSet::new();
    for line in lines.by_ref() {
        seen.extend(acknowledged(&line.unwrap()));
        if !seen.is_empty() {
            break;
        }
    }
    std::thread::sleep(after);
    child.kill().unwrap();
    child.wait().unwrap();
    let rest = lines.map_while(Result::ok);
    seen.extend(rest.filter_map(|line| acknowledged(&line)));
    seen
}

#[test]
fn after_kill_9_under_concurrent_writers_nothing_acknowledged_is_lost_or_half_done() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("respiro.redb");
    let collection = collection_by_slug("photo-gallery").unwrap();
    let kills = env::var("RESPIRO_KILLS").map_or(KILLS, |text| text.parse().unwrap());
    let mut acknowledged = BTreeSet::new();
    for round in 0..kills {
        let new = write_and_kill(&path, Duration::from_millis(round * 37 % 90));
        assert!(!new.is_empty(), "round {round}");
        acknowledged.extend(new);
        let figures = check(&path).unwrap().stats;
        let items = figures.counts["photo-gallery"];
        assert_eq!(items, figures.pictures, "round {round}: a pair was halved");
        let store = Store::open(&path).unwrap();
        let found = store
            .read(|reader| reader.items().list(collection))
            .unwrap();
        let found: BTreeSet<String> = found.into_iter().map(|item| item.id).collect();
        for number in &acknowledged {
            assert!(
                found.contains(&id("i", *number)),
                "round {round}: {number} is lost"
            );
        }
        if found.len() > 150 {
            // The check takes time in proportion to the file, so the next rounds start with a new
            // file.
            drop(store);
            std::fs::remove_file(&path).unwrap();
            acknowledged.clear();
        }
    }
}
