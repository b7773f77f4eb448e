//! Tests that data files of every released format can be opened.
#![allow(
    clippy::unwrap_used,
    clippy::redundant_closure_for_method_calls,
    reason = "a test stops where it fails, and a method path is not general enough for a view"
)]

mod support;

use data_encoding::HEXLOWER;
use respiro_content::{COLLECTIONS, collection_by_slug};
use respiro_db::{SCHEMA, Store, Subscription, check};
use sha2::{Digest as _, Sha256};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// One file for each released format. Existing files never change.
const FILES: &[&str] = &["v1.redb"];

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

#[test]
fn every_released_format_opens_with_everything_in_it() {
    for name in FILES {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("respiro.redb");
        fs::copy(data(name), &path).unwrap();
        check(&path).unwrap();
        let store = Store::open(&path).unwrap();
        for collection in COLLECTIONS {
            let items = store
                .read(|reader| reader.items().list(collection))
                .unwrap();
            assert_eq!(items.len(), 3, "{name}: {}", collection.slug);
            for (item, number) in items.iter().zip(0_i64..) {
                assert_eq!(item.sort_order, number);
                assert_eq!(item.created_at, support::NOW);
                let required = collection.fields.iter().filter(|field| field.required);
                assert!(
                    required
                        .clone()
                        .all(|field| item.values.contains_key(field.name))
                );
            }
        }
        let blog = store
            .read(|reader| reader.items().list(collection_by_slug("blog").unwrap()))
            .unwrap();
        assert_eq!(blog[1].text("slug"), Some("indirizzo-1"));
        assert_eq!(blog[1].text("title"), Some("Titolo 1"));
        let photo = blog[1].picture_ids().next().unwrap().to_owned();
        let picture = store
            .read(|reader| reader.pictures().get(&photo))
            .unwrap()
            .unwrap();
        let bytes = store
            .read(|reader| reader.blobs().get(&picture.files["main"].hash))
            .unwrap();
        assert_eq!(bytes.unwrap(), b"una fotografia ".repeat(18_000));
        let of_trash_only = store.read(|r| r.pictures().ids_of_trash_only());
        assert!(!of_trash_only.unwrap().contains(&photo));
        let trash = store.read(|reader| reader.trash().list()).unwrap();
        assert_eq!(
            (trash.len(), trash[0].collection.slug),
            (1, "photo-gallery")
        );
        let account = store
            .read(|reader| reader.accounts().get("anna@example.it"))
            .unwrap()
            .unwrap();
        assert_eq!(account.password_hash, "$argon2id$…");
        let subscribers = store.read(|reader| reader.subscribers().list()).unwrap();
        assert_eq!(subscribers[0].state, Subscription::Pending);
        let note = store.read(|reader| reader.note("acme")).unwrap();
        assert_eq!(note.unwrap(), b"chiave");
        drop(store);
        check(&path).unwrap();
    }
}

/// A line a release: its schema, the hash of `golden/rows.txt` at that time, its name. The first
/// one stands for the development builds before the first release.
const RELEASES: &str = include_str!("data/schemas.txt");

/// `golden/rows.txt` holds the bytes of every stored record. Regression: stored enums grew under one
/// number, and a program of before opened a file that it could not read.
#[test]
fn records_that_differ_from_those_of_the_last_release_have_a_new_schema_number() {
    let last = RELEASES.lines().last().unwrap();
    let mut columns = last.split(' ');
    let released: u32 = columns.next().unwrap().parse().unwrap();
    let rows = Sha256::digest(include_bytes!("data/golden/rows.txt"));
    let rows = HEXLOWER.encode(&rows);
    if Some(rows.as_str()) == columns.next() {
        assert_eq!(SCHEMA, released);
    } else {
        assert!(
            SCHEMA > released,
            "stored records changed since {last}: raise SCHEMA and add a step to migrations.rs"
        );
    }
}

/// A release adds its line to `schemas.txt` and its data file.
#[test]
fn a_data_file_of_every_released_schema_is_kept() {
    for line in RELEASES.lines() {
        let schema = line.split(' ').next().unwrap();
        let name = format!("v{schema}.redb");
        assert!(FILES.contains(&name.as_str()), "{line}");
    }
}

/// `RESPIRO_TEST_NEW_FORMAT=v2.redb` writes the file of a format that is about to be released.
#[test]
fn the_file_of_a_released_format_is_never_written_again() {
    let Some(name) = env::var_os("RESPIRO_TEST_NEW_FORMAT") else {
        assert!(FILES.iter().all(|name| data(name).exists()));
        return;
    };
    let out = data(name.to_str().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("respiro.redb")).unwrap();
    support::fill(&store);
    // A backup refuses to replace a file.
    store.backup(&out, 0).unwrap();
}
