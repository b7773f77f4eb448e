//! Tests that the data file of every release can be opened.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::format_push_string,
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

/// A line a release: its schema, the hash of `golden/rows.txt` at that time, its name. The first
/// one stands for the development builds before the first release.
const SCHEMAS: &str = "schemas.txt";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/releases")
}

/// Returns the data file of a release. Existing files never change.
fn data(release: &str) -> PathBuf {
    folder().join(format!("{release}.redb"))
}

/// Returns schema, hash of the records and name of each release.
fn releases() -> Vec<(u32, String, String)> {
    let lines = fs::read_to_string(folder().join(SCHEMAS)).unwrap();
    let read = |line: &str| {
        let [schema, rows, name] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{SCHEMAS}: {line}");
        };
        (schema.parse().unwrap(), rows.to_owned(), name.to_owned())
    };
    lines.lines().map(read).collect()
}

/// Returns the hash of the file that holds the bytes of every stored record.
fn rows() -> String {
    HEXLOWER.encode(&Sha256::digest(include_bytes!("data/golden/rows.txt")))
}

#[test]
fn the_data_file_of_every_release_opens_with_everything_in_it() {
    for (_, _, name) in &releases() {
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

/// Regression: stored enums grew under one number, and a program of before opened a file that it
/// could not read.
#[test]
fn records_that_differ_from_those_of_the_last_release_have_a_new_schema_number() {
    let (schema, released, name) = releases().pop().unwrap();
    if rows() == released {
        assert_eq!(SCHEMA, schema);
    } else {
        assert!(
            SCHEMA > schema,
            "stored records changed since {name}: raise SCHEMA and add a step to migrations.rs"
        );
    }
}

/// `RESPIRO_RECORD_RELEASE=0.1.0 cargo test --test store_upgrade recorded` keeps the data file of a
/// release and its line in the list, before it is published (docs/releasing.md).
#[test]
fn a_release_is_recorded_once() {
    let Some(name) = env::var_os("RESPIRO_RECORD_RELEASE") else {
        let names: Vec<String> = releases().into_iter().map(|(_, _, name)| name).collect();
        let files = fs::read_dir(folder()).unwrap().flatten();
        let mut kept: Vec<PathBuf> = files.map(|file| file.path()).collect();
        kept.retain(|path| path.extension().is_some_and(|ending| ending == "redb"));
        kept.sort();
        let mut listed: Vec<PathBuf> = names.iter().map(|name| data(name)).collect();
        listed.sort();
        assert_eq!(kept, listed);
        return;
    };
    let name = name.to_str().unwrap();
    let place = tempfile::tempdir().unwrap();
    let store = Store::open(&place.path().join("respiro.redb")).unwrap();
    support::fill(&store);
    // A backup refuses to replace a file.
    store.backup(&data(name), 0).unwrap();
    let mut list = fs::read_to_string(folder().join(SCHEMAS)).unwrap();
    list.push_str(&format!("{SCHEMA} {} {name}\n", rows()));
    fs::write(folder().join(SCHEMAS), list).unwrap();
}
