//! Tests that freed pages are reused and given back to the file system.
#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod support;

use respiro_db::{Error, Store, check};
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

const MEBIBYTE: u64 = 1024 * 1024;

fn on_disk(path: &Path) -> u64 {
    fs::metadata(path).unwrap().blocks() * 512
}

/// Regression: all freed pages stayed reserved for an hour: 800 MB in 20 s.
#[test]
fn many_writes_within_an_hour_do_not_make_the_file_grow_without_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("respiro.redb");
    let store = Store::open(&path).unwrap();
    for number in 0..400_u32 {
        let value = number.to_le_bytes().repeat(200_000);
        store.write(|writer| writer.put_note("n", &value)).unwrap();
    }
    let bytes = on_disk(&path);
    assert!(bytes < 160 * MEBIBYTE, "{bytes} after writing 320 MB");

    store.write(|writer| writer.put_note("n", b"")).unwrap();
    assert!(store.give_back().unwrap());
    let bytes = on_disk(&path);
    assert!(bytes < 4 * MEBIBYTE, "{bytes} for a few bytes");
    store.write(|writer| writer.put_note("m", b"1")).unwrap();
    drop(store);
    check(&path).unwrap();
}

#[test]
fn a_file_with_little_waste_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("respiro.redb")).unwrap();
    support::fill(&store);
    assert!(!store.give_back().unwrap());
}

#[test]
fn what_changes_nothing_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("respiro.redb");
    let store = Store::open(&path).unwrap();
    support::fill(&store);
    store.write(|writer| writer.put_note("n", b"1")).unwrap();
    let before = fs::read(&path).unwrap();
    for _ in 0..10 {
        store.write(|writer| writer.put_note("n", b"1")).unwrap();
        store
            .write(|writer| writer.sessions().remove(&[7; 32]))
            .unwrap();
        store
            .write(|writer| writer.apply_retention(support::NOW))
            .unwrap();
        store.write(|_| Ok::<_, Error>(())).unwrap();
    }
    assert!(fs::read(&path).unwrap() == before);
    store.write(|writer| writer.put_note("n", b"2")).unwrap();
    assert!(fs::read(&path).unwrap() != before);
}
