//! Tests that foreign, newer, locked and damaged files are refused or reported, and never changed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops where it fails, its helpers too"
)]

mod support;

use redb::{Database, ReadableDatabase as _, ReadableTable as _, TableDefinition};
use respiro_content::COLLECTIONS;
use respiro_db::{NotificationEvent, OpenError, SCHEMA, Store, WriteAccess, check};
use sha2::{Digest, Sha256};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use support::{id, picture, trusted};
use tempfile::TempDir;

fn fingerprint(path: &Path) -> [u8; 32] {
    Sha256::digest(fs::read(path).unwrap()).into()
}

/// Returns a closed data file with at least one record of most kinds.
fn filled() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("respiro.redb");
    let store = Store::open(&path).unwrap();
    support::fill(&store);
    drop(store);
    (folder, path)
}

#[test]
fn a_new_file_and_its_folder_belong_to_their_owner_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a/b/respiro.redb");
    drop(Store::open(&path).unwrap());
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&path), 0o600);
    assert_eq!(mode(path.parent().unwrap()), 0o700);
    let names: Vec<_> = fs::read_dir(path.parent().unwrap()).unwrap().collect();
    assert_eq!(names.len(), 1, "{names:?}");
}

#[test]
fn an_empty_file_becomes_a_data_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("respiro.redb");
    fs::write(&path, "").unwrap();
    drop(Store::open(&path).unwrap());
    check(&path).unwrap();
}

#[test]
fn a_second_respiro_on_the_same_file_is_refused_and_the_first_goes_on() {
    let (_folder, path) = filled();
    let store = Store::open(&path).unwrap();
    assert!(matches!(Store::open(&path), Err(OpenError::Locked(_))));
    let problems = check(&path).unwrap_err();
    assert!(problems[0].contains("in use"), "{problems:?}");
    store.write(|writer| writer.set_demo(true)).unwrap();
    store.verified_snapshot().unwrap();
    drop(store);
    Store::open(&path).unwrap();
}

#[test]
fn a_foreign_or_cut_file_is_refused_and_stays_as_it_is() {
    let (_folder, path) = filled();
    let whole = fs::read(&path).unwrap();
    let foreign = path.with_extension("other");
    drop(Database::create(&foreign).unwrap());
    let mut contents: Vec<Vec<u8>> = vec![
        b"SQLite format 3\0 and so on".to_vec(),
        vec![0; 4096],
        b"r".to_vec(),
        fs::read(&foreign).unwrap(),
    ];
    contents.extend([4_096, 8_192, 65_536, whole.len() / 2].map(|end| whole[..end].to_vec()));
    for content in contents {
        fs::write(&path, &content).unwrap();
        let before = fingerprint(&path);
        let refused = Store::open(&path);
        assert!(
            matches!(refused, Err(OpenError::Damaged { .. })),
            "{refused:?}"
        );
        check(&path).unwrap_err();
        assert_eq!(fingerprint(&path), before);
    }
}

#[test]
fn a_newer_file_is_refused_and_stays_byte_for_byte_the_same() {
    let (_folder, path) = filled();
    let meta: TableDefinition<&[u8], &[u8]> = TableDefinition::new("meta");
    let database = Database::open(&path).unwrap();
    let transaction = database.begin_write().unwrap();
    // Format byte 1, then schema 9.
    let newer: &[u8] = &[1, 9, 0, 0, 0];
    transaction
        .open_table(meta)
        .unwrap()
        .insert(b"schema".as_slice(), newer)
        .unwrap();
    transaction.commit().unwrap();
    drop(database);
    let before = fingerprint(&path);
    let refused = Store::open(&path).unwrap_err();
    assert!(
        matches!(
            refused,
            OpenError::Newer {
                found: 9,
                known: SCHEMA,
                ..
            }
        ),
        "{refused}"
    );
    assert!(refused.to_string().contains("install the newer version"));
    assert_eq!(fingerprint(&path), before);
    check(&path).unwrap_err();
    assert_eq!(fingerprint(&path), before);
}

#[test]
fn checking_a_file_does_not_change_it_and_says_what_is_in_it() {
    let (_folder, path) = filled();
    let before = fingerprint(&path);
    let figures = check(&path).unwrap().stats;
    assert_eq!(fingerprint(&path), before);
    assert!(
        COLLECTIONS
            .iter()
            .all(|collection| figures.counts[collection.slug] == 3)
    );
    assert_eq!(
        (figures.trash, figures.pictures, figures.accounts),
        (1, 2, 1)
    );
}

#[test]
fn single_flipped_bits_in_live_data_are_noticed() {
    let (_folder, path) = filled();
    // A compacted copy with a large picture is nearly all live data.
    let copy = path.with_extension("copy");
    let store = Store::open(&path).unwrap();
    support::add_picture(&store, &b"grande ".repeat(300_000));
    store.backup(&copy, 0).unwrap();
    drop(store);
    let whole = fs::read(&copy).unwrap();
    let known = check(&copy).unwrap().stats;
    let mut noticed = 0_u32;
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    for _ in 0..100 {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        let mut flipped = whole.clone();
        let position = usize::try_from(seed).unwrap() % whole.len();
        flipped[position] ^= 1 << (seed >> 60 & 7);
        fs::write(&copy, &flipped).unwrap();
        match check(&copy) {
            Err(problems) => {
                noticed += 1;
                assert!(!problems.is_empty());
            }
            // The bit is in free space: every record is unchanged.
            Ok(report) => assert_eq!(report.stats.counts, known.counts),
        }
    }
    assert!(noticed > 60, "{noticed} of 100");
}

/// Regression: a copy that took hours failed when a picture was deleted meanwhile.
#[test]
fn what_is_read_beside_stays_as_it_was() {
    let (_folder, path) = filled();
    let store = Store::open(&path).unwrap();
    let (photo, files) = picture(&id(), &b"a picture".repeat(100_000));
    let hash = photo.files["main"].hash;
    store
        .write(|writer| writer.pictures().put(photo, files))
        .unwrap();
    let mark = |store: &WriteAccess| store.read(|reader| reader.mark(&[])).unwrap();
    let before = mark(&store);
    let beside = store.verified_snapshot().unwrap();
    // No record references the picture: the next sweep deletes it, and others reuse its pages.
    let later = support::NOW + respiro_db::PICTURE_UNUSED_MILLISECONDS_MAX;
    store
        .write(|writer| writer.apply_retention(&trusted(later)))
        .unwrap();
    for number in 0..40_u8 {
        let (other, files) = picture(&id(), &vec![number; 1_000_000]);
        store
            .write(|writer| writer.pictures().put(other, files))
            .unwrap();
        store
            .write(|writer| writer.apply_retention(&trusted(later)))
            .unwrap();
    }
    assert_eq!(
        store.read(|reader| reader.blobs().get(&hash)).unwrap(),
        None
    );
    assert_ne!(mark(&store), before);
    let read = beside.read(|reader| -> respiro_db::Result<_> {
        Ok((reader.blobs().get(&hash)?, reader.mark(&[])?))
    });
    let (blob, still) = read.unwrap();
    assert_eq!(blob.map(|bytes| bytes.len()), Some(900_000));
    assert_eq!(still, before);
    drop(store);
    check(&path).unwrap();
}

#[test]
fn a_flipped_bit_in_a_picture_is_never_served() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("respiro.redb");
    let store = Store::open(&path).unwrap();
    let bytes = b"a picture that can be found in the file ".repeat(5_000);
    let (photo, files) = picture(&id(), &bytes);
    let hash = photo.files["main"].hash;
    store
        .write(|writer| writer.pictures().put(photo, files))
        .unwrap();
    drop(store);
    let mut whole = fs::read(&path).unwrap();
    let needle = b"a picture that can be found in the file ";
    let at = whole
        .windows(needle.len())
        .position(|window| window == needle)
        .unwrap();
    whole[at + 3] ^= 1;
    fs::write(&path, whole).unwrap();
    let store = Store::open(&path).unwrap();
    let read = store.read(|reader| reader.blobs().get(&hash));
    assert!(read.unwrap_err().to_string().contains("damaged"));
    let checked = store.read(|reader| reader.blobs().verify(&hash));
    assert!(checked.unwrap_err().to_string().contains("damaged"));
    assert!(store.verified_snapshot().err().unwrap()[0].contains("damaged"));
    drop(store);
    check(&path).unwrap_err();
}

#[test]
fn references_that_lead_nowhere_are_reported() {
    let (_folder, path) = filled();
    let pictures: TableDefinition<&[u8], &[u8]> = TableDefinition::new("pictures");
    let database = Database::open(&path).unwrap();
    let transaction = database.begin_write().unwrap();
    transaction
        .open_table(pictures)
        .unwrap()
        .retain(|_, _| false)
        .unwrap();
    transaction.commit().unwrap();
    drop(database);
    let problems = check(&path).unwrap_err();
    assert!(
        problems
            .iter()
            .any(|problem| problem.contains("its picture")),
        "{problems:?}"
    );
    assert!(
        problems.iter().any(|problem| problem.contains("blob")),
        "{problems:?}"
    );
}

/// Changes rows of a closed data file without knowing what they hold.
fn edit_rows(path: &Path, table: &'static str, edit: impl FnOnce(&mut redb::Table<&[u8], &[u8]>)) {
    let table: TableDefinition<&[u8], &[u8]> = TableDefinition::new(table);
    let database = Database::open(path).unwrap();
    let transaction = database.begin_write().unwrap();
    edit(&mut transaction.open_table(table).unwrap());
    transaction.commit().unwrap();
}

fn rows(path: &Path, table: &'static str) -> Vec<(Vec<u8>, Vec<u8>)> {
    let table: TableDefinition<&[u8], &[u8]> = TableDefinition::new(table);
    let database = Database::open(path).unwrap();
    let transaction = database.begin_read().unwrap();
    let table = transaction.open_table(table).unwrap();
    let iter = table.iter().unwrap().map(Result::unwrap);
    iter.map(|(key, value)| (key.value().to_vec(), value.value().to_vec()))
        .collect()
}

/// Returns a filled file with an item that does not decode and names the returned picture, an item
/// of an unknown collection in the trash, and an item whose required fields are empty.
fn with_odd_rows() -> (TempDir, PathBuf, String) {
    let (folder, path) = filled();
    let store = Store::open(&path).unwrap();
    let picture = support::add_picture(&store, &b"di una riga illeggibile ".repeat(200));
    let collection = &COLLECTIONS[0];
    store
        .write(|writer| {
            let mut item = writer.items().list(collection)?.swap_remove(0);
            item.id = id();
            item.values.clear();
            writer.items().import(collection, &item)
        })
        .unwrap();
    drop(store);
    edit_rows(&path, "items", |items| {
        let value = [&[7_u8, 1, 2], picture.as_bytes()].concat();
        items
            .insert(b"\x01illeggibile".as_slice(), value.as_slice())
            .unwrap();
    });
    let (key, mut value) = rows(&path, "trash").swap_remove(0);
    // The number of the collection follows the format byte.
    value[1] = 99;
    edit_rows(&path, "trash", |trash| {
        trash.insert(key.as_slice(), value.as_slice()).unwrap();
    });
    (folder, path, picture)
}

/// Regression: each of these rows stopped every backup and the retention, and the first one the
/// start.
#[test]
fn a_row_that_cannot_be_used_costs_no_other_and_keeps_its_bytes() {
    let (folder, path, picture) = with_odd_rows();
    let (items, trash) = (rows(&path, "items"), rows(&path, "trash"));
    let report = check(&path).unwrap();
    let messages: Vec<String> = report.oddities.iter().map(ToString::to_string).collect();
    let has = |part: &str| messages.iter().any(|message| message.contains(part));
    assert!(has("record format 7 is unknown"), "{messages:?}");
    assert!(has("kind 99 is unknown"), "{messages:?}");
    assert!(has("is missing"), "{messages:?}");

    let store = Store::open(&path).unwrap();
    assert_eq!(
        store
            .read(|reader| Ok::<_, respiro_db::Error>(reader.oddities()))
            .unwrap(),
        report.oddities
    );
    let definitions = Box::leak(Box::default());
    store
        .read(|reader| reader.snapshot("https://example.com", definitions))
        .unwrap();
    let list = store.read(|reader| reader.items().list(&COLLECTIONS[0]));
    assert_eq!(list.unwrap().len(), 4);
    let listed = store.read(|reader| reader.trash().list()).unwrap();
    assert!(listed.is_empty());

    let later = support::NOW + 40 * support::DAY;
    let (removed, _) = store
        .write(|writer| writer.apply_retention(&trusted(later)))
        .unwrap();
    assert_eq!((removed.trash, removed.pictures), (0, 0));
    store.write(|writer| writer.trash().empty()).unwrap();
    let kept = store.read(|reader| reader.pictures().get(&picture));
    assert!(kept.unwrap().is_some(), "the unreadable row names it");
    let copy = folder.path().join("copy.redb");
    store.backup(&copy, later).unwrap();
    store.verified_snapshot().unwrap();
    drop(store);
    for file in [&path, &copy] {
        assert_eq!(check(file).unwrap().oddities, report.oddities);
        assert_eq!(rows(file, "items"), items);
        assert_eq!(rows(file, "trash"), trash);
    }
}

/// An image whose row does not decode takes neither its bytes nor the check of the others with it.
#[test]
fn rows_of_images_and_blobs_that_do_not_decode_are_odd_while_the_bytes_hold() {
    for table in ["pictures", "blob_index"] {
        let (folder, path) = filled();
        let (key, _) = rows(&path, table).swap_remove(0);
        edit_rows(&path, table, |rows| {
            rows.insert(key.as_slice(), [9_u8].as_slice()).unwrap();
        });
        let report = check(&path).unwrap();
        assert_eq!(report.oddities.len(), 1, "{table}: {:?}", report.oddities);
        let store = Store::open(&path).unwrap();
        store.backup(&folder.path().join("copy.redb"), 0).unwrap();
        store
            .write(|writer| writer.apply_retention(&trusted(support::NOW)))
            .unwrap();
        drop(store);
        edit_rows(&path, "blobs", |blobs| {
            let (key, mut value) = {
                let (key, value) = blobs.first().unwrap().unwrap();
                (key.value().to_vec(), value.value().to_vec())
            };
            value[0] ^= 1;
            blobs.insert(key.as_slice(), value.as_slice()).unwrap();
        });
        check(&path).unwrap_err();
    }
}

#[test]
fn settings_that_do_not_decode_are_the_defaults_and_are_not_replaced() {
    let (_folder, path) = filled();
    edit_rows(&path, "settings", |settings| {
        settings
            .insert(b"settings".as_slice(), [9_u8].as_slice())
            .unwrap();
    });
    let store = Store::open(&path).unwrap();
    let settings = store.read(|reader| reader.settings().get()).unwrap();
    assert_eq!(settings, respiro_content::Settings::default());
    store
        .write(|writer| writer.settings().put(&settings))
        .unwrap_err();
    drop(store);
    assert_eq!(rows(&path, "settings")[0].1, [9]);
}

/// Regression: with a full list, the failure that was repeated for longest lost its own row.
#[test]
fn a_notification_that_is_counted_again_removes_none() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("respiro.redb")).unwrap();
    let failed = || NotificationEvent::BackupFailed {
        reason: "disco pieno".to_owned(),
        last_good_at: None,
    };
    store
        .write(|writer| {
            writer.notifications().add(failed(), support::NOW)?;
            for number in 0..299 {
                let reason = number.to_string();
                writer
                    .notifications()
                    .add(NotificationEvent::NotStarted { reason }, support::NOW)?;
            }
            writer.notifications().add(failed(), support::NOW + 1)
        })
        .unwrap();
    let list = || store.read(|reader| reader.notifications().list()).unwrap();
    assert_eq!((list().len(), list()[0].count), (300, 2));
    store
        .write(|writer| {
            let reason = "nuovo".to_owned();
            let event = NotificationEvent::NotStarted { reason };
            writer.notifications().add(event, support::NOW)
        })
        .unwrap();
    // The oldest by time goes; the one that was counted again is newer than its number.
    let numbers: Vec<u64> = list()
        .iter()
        .map(|noticed| noticed.number)
        .take(2)
        .collect();
    assert_eq!((list().len(), numbers), (300, vec![1, 3]));
}
