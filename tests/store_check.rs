//! Tests that foreign, newer, locked and damaged files are refused or reported, and never changed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops where it fails, its helpers too"
)]

mod support;

use redb::{Database, TableDefinition};
use respiro_content::COLLECTIONS;
use respiro_db::{OpenError, Store, WriteAccess, check};
use sha2::{Digest, Sha256};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use support::{id, picture};
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
                known: 1,
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
    let figures = check(&path).unwrap();
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
    let known = check(&copy).unwrap();
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
            Ok(figures) => assert_eq!(figures.counts, known.counts),
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
    store.write(|writer| writer.apply_retention(later)).unwrap();
    for number in 0..40_u8 {
        let (other, files) = picture(&id(), &vec![number; 1_000_000]);
        store
            .write(|writer| writer.pictures().put(other, files))
            .unwrap();
        store.write(|writer| writer.apply_retention(later)).unwrap();
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

#[test]
fn a_record_of_an_unknown_format_is_an_error_with_its_place() {
    let (_folder, path) = filled();
    let items: TableDefinition<&[u8], &[u8]> = TableDefinition::new("items");
    let database = Database::open(&path).unwrap();
    let transaction = database.begin_write().unwrap();
    let key: &[u8] = b"\x01qualcosa";
    transaction
        .open_table(items)
        .unwrap()
        .insert(key, [7_u8, 1, 2].as_slice())
        .unwrap();
    transaction.commit().unwrap();
    drop(database);
    let problems = check(&path).unwrap_err();
    assert!(
        problems[0].contains("record format 7 is unknown"),
        "{problems:?}"
    );
    let store = Store::open(&path).unwrap();
    let read = store.read(|reader| reader.items().list(&COLLECTIONS[0]));
    assert!(read.unwrap_err().to_string().contains("table items"));
}
