//! Tests of a full disk: the site stays up, nothing is lost, deletions free space.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::redundant_closure_for_method_calls,
    reason = "a test stops where it fails, and a test that cannot run here says so"
)]

mod support;

use respiro_content::COLLECTIONS;
use respiro_db::{Error, Store, check};
use std::fs;
use support::disk::{SmallDisk, fill_up};
use support::{NOW, changes};

#[test]
fn a_full_disk_refuses_politely_loses_nothing_and_recovers_by_deleting() {
    let Some(disk) = SmallDisk::mount(48) else {
        return;
    };
    let path = disk.path().join("respiro.redb");
    let store = Store::open(&path).unwrap();
    support::fill(&store);
    let gallery = &COLLECTIONS[1];

    // Pictures are refused first, while there is room for everything else.
    let mut stored = 0_u8;
    let refused = loop {
        let bytes = [stored; 8].repeat(130_000);
        let (photo, files) = support::picture(&support::id(), &bytes);
        if let Err(error) = store.write(|writer| writer.pictures().put(photo, files)) {
            break error;
        }
        stored += 1;
    };
    assert!(matches!(refused, Error::StorageFull), "{refused}");
    assert!(stored > 5, "{stored}");
    let note = store.write(|writer| writer.put_note("n", &[7; 4_000]));
    note.unwrap();

    // Another program takes the rest of the disk; even the reserve is too small for large changes.
    let others = fill_up(disk.path());
    let kept = store.read(|reader| reader.figures()).unwrap();
    let mut acknowledged = 0_u64;
    let refused = loop {
        let value = vec![acknowledged.to_le_bytes()[0]; 900_000];
        let name = format!("large-{acknowledged}");
        match store.write(|writer| writer.put_note(&name, &value)) {
            Ok(_) => acknowledged += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(refused, Error::StorageFull), "{refused}");
    let after = store.read(|reader| reader.figures()).unwrap();
    assert_eq!((after.counts, after.pictures), (kept.counts, kept.pictures));

    // Once there is room, the same open store works again, without a restart.
    fs::remove_file(others).unwrap();
    let photo = changes(&COLLECTIONS[0], "", 50);
    store
        .write(|writer| {
            writer
                .items()
                .create(&COLLECTIONS[0], photo, support::id(), NOW)
        })
        .unwrap();
    let first = support::ids(&store, gallery)[0].clone();
    store
        .write(|writer| writer.items().delete(gallery, &first, NOW))
        .unwrap();
    for number in 0..acknowledged {
        let note = store
            .read(|reader| reader.note(&format!("large-{number}")))
            .unwrap();
        assert_eq!(note.unwrap().len(), 900_000);
    }
    drop(store);
    check(&path).unwrap();
}

#[test]
fn deleting_works_on_a_disk_with_no_byte_left() {
    let Some(disk) = SmallDisk::mount(48) else {
        return;
    };
    let path = disk.path().join("respiro.redb");
    let store = Store::open(&path).unwrap();
    support::fill(&store);
    assert!(disk.path().join("respiro.redb.reserve").exists());
    fill_up(disk.path());
    for collection in COLLECTIONS {
        for id in support::ids(&store, collection) {
            store
                .write(|writer| writer.items().delete(collection, &id, NOW))
                .unwrap();
        }
    }
    store.write(|writer| writer.trash().empty()).unwrap();
    let figures = store.read(|reader| reader.figures()).unwrap();
    assert_eq!((figures.pictures, figures.trash), (0, 0));
    drop(store);
    check(&path).unwrap();
}
