//! Backup, migration and full disk on the simulated disk.

use crate::backend::Backend;
use crate::error::Error;
use crate::file_metadata::SCHEMA_KEY;
use crate::open_error::SCHEMA;
use crate::power_loss::steps::NOW;
use crate::power_loss::{
    Disk, Mishap, Replay, STEPS, cut_power, cuts, empty_image, open, rehearse, state,
};
use crate::tables::{self, META, NOTES};
use crate::transaction::Transaction;
use crate::{Store, backup, check, migrations};
use redb::{ReadableDatabase as _, StorageBackend as _};

/// A temporary folder, in memory if possible.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

/// Power cuts say nothing about a table that no step writes.
#[test]
fn the_steps_write_every_table() {
    let folder = folder();
    let path = folder.path().join("respiro.redb");
    let states = rehearse(&path, &empty_image(&path));
    let (first, others) = states.split_first().unwrap();
    for (number, table) in first.lines().enumerate() {
        let is_written = others
            .iter()
            .any(|state| state.lines().nth(number) != Some(table));
        assert!(is_written, "no step writes the table {table}");
    }
    assert_eq!(first.lines().count(), tables::ALL.len());
}

#[test]
fn a_power_cut_in_an_upgrade_leaves_the_whole_old_or_the_whole_new_format() {
    let steps = migrations::with_next(|transaction| {
        tables::put(transaction, NOTES, b"step", &vec![2_u8])?;
        tables::put(transaction, NOTES, b"more", &vec![2_u8; 100_000])
    });
    let folder = folder();
    let path = folder.path().join("respiro.redb");
    let image = empty_image(&path);
    let disk = Disk::with(&image, Mishap::None);
    let database = disk.open().unwrap();
    migrations::run(&steps, &database, &path).unwrap();
    disk.promise(1);
    drop(database);
    let aside = format!("respiro.redb.before-schema-{}", SCHEMA + 1);
    let aside = folder.path().join(aside);
    check(&aside).unwrap();
    let events = disk.events();
    let wrong = cut_power((&image, &events, false), cuts() / 10, |disk, promised| {
        let Ok(database) = disk.open() else {
            return false;
        };
        let view = database.begin_read().unwrap();
        let schema: Option<u32> = tables::record(&view, META, SCHEMA_KEY).unwrap();
        let step: Option<Vec<u8>> = tables::record(&view, NOTES, b"step").unwrap();
        let more: Option<Vec<u8>> = tables::record(&view, NOTES, b"more").unwrap();
        match schema {
            Some(SCHEMA) => promised == 0 && step.is_none() && more.is_none(),
            Some(schema) if schema == SCHEMA + 1 => {
                step == Some(vec![2]) && more.is_some_and(|more| more.len() == 100_000)
            }
            _ => false,
        }
    });
    assert_eq!(wrong, 0);
}

/// A copy is renamed after it is synced: a cut before leaves no copy, a cut after leaves it whole.
#[test]
fn a_power_cut_after_a_backup_was_given_its_name_leaves_it_whole() {
    let folder = folder();
    let path = folder.path().join("respiro.redb");
    let image = empty_image(&path);
    let source = Disk::with(&image, Mishap::None);
    let store = Store::open_with(&path, source.opener()).unwrap();
    for step in STEPS {
        store.write(step).unwrap();
    }
    let expected = store.read(state).unwrap();
    let copy = Disk::with(&[], Mishap::None);
    store
        .file
        .with_database(|database| {
            let view = database.begin_read().map_err(tables::failed)?;
            backup::fill(&view, copy.open().unwrap(), Some(NOW))
        })
        .unwrap();
    copy.sync_data().unwrap();
    let events = copy.events();
    let mut replay = Replay::of(&[], &events, false);
    while replay.step() {}
    for seed in 1..=cuts() as u64 / 5 {
        let disk = Disk::with(&replay.after_power_cut(seed), Mishap::None);
        let store = open(&path, &disk).unwrap();
        assert_eq!(store.read(state).unwrap(), expected, "seed {seed}");
    }
}

/// Regression: after any failure of the disk the practitioner read that the disk was full.
#[test]
fn a_broken_disk_is_not_called_full() {
    let folder = folder();
    let path = folder.path().join("respiro.redb");
    let disk = Disk::with(&empty_image(&path), Mishap::None);
    let database = disk.open().unwrap();
    let write = || {
        let transaction = Transaction::begin(&database)?;
        tables::put(&transaction, NOTES, b"note", &vec![1_u8])?;
        transaction.commit().map(drop)
    };
    disk.inject(Mishap::FailAt(1));
    for attempt in 1..=3 {
        let error = write().unwrap_err();
        assert!(
            matches!(error, Error::Storage(_)),
            "attempt {attempt}: {error}"
        );
    }
}

#[test]
fn after_a_full_disk_at_any_access_the_next_write_works_again() {
    let folder = folder();
    let path = folder.path().join("respiro.redb");
    let mut image = empty_image(&path);
    let states = rehearse(&path, &image);
    let mut refused = 0;
    for (number, step) in STEPS.iter().enumerate() {
        for access in 1.. {
            let disk = Disk::with(&image, Mishap::FullAt(access));
            let Ok(store) = Store::open_with(&path, disk.opener()) else {
                continue;
            };
            let written = store.write(step);
            if access > disk.accesses() {
                break;
            }
            if let Err(error) = written {
                let is_full = matches!(error, Error::StorageFull);
                assert!(is_full, "step {number}, access {access}: {error}");
                refused += 1;
                if store.read(state).unwrap() == states[number] {
                    store.write(step).unwrap();
                }
            }
            let found = store.read(state).unwrap();
            assert_eq!(found, states[number + 1], "step {number}, access {access}");
        }
        let disk = Disk::with(&image, Mishap::None);
        let store = Store::open_with(&path, disk.opener()).unwrap();
        store.write(step).unwrap();
        drop(store);
        image = disk.contents();
    }
    assert!(refused > STEPS.len(), "{refused}");
}
