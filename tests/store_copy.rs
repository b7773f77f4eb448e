//! Tests of copies that are made while the file is written: `backup` and plain file copies.
#![allow(
    clippy::unwrap_used,
    clippy::redundant_closure_for_method_calls,
    reason = "a test stops where it fails, and a method path is not general enough for a view"
)]

mod support;

use respiro_content::{COLLECTIONS, Changes, Item, StoredFile, Value};
use respiro_db::{
    Campaign, CampaignStatus, Delivery, DeliveryCounts, DeliveryOutcome, Error, Store, WriteAccess,
    backup_snapshot, check,
};
use sha2::{Digest as _, Sha256};
use std::collections::VecDeque;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use support::{NOW, changes};

const COPIES: usize = 25;

/// Number of items that the writer keeps. A list has a limit, and with a fast disk the writer
/// reached it before the copies were made.
const KEPT: usize = 40;

/// Pages that snapshots pin are not reused for 45 minutes, so a writer without a pause fills any
/// disk.
const BETWEEN_ROUNDS: Duration = Duration::from_millis(10);

/// A writer that makes no progress for this long has failed; its own message follows.
const WRITER_DEAD: Duration = Duration::from_mins(1);

/// Runs `work` while another thread changes items and pictures. `work` gets the number of
/// acknowledged rounds. Round `n` adds an item titled `titolo n`, which is deleted permanently
/// `KEPT` rounds later.
fn while_writing(store: &WriteAccess, work: impl FnOnce(&AtomicUsize)) {
    let collection = &COLLECTIONS[1];
    let stop = AtomicBool::new(false);
    let acknowledged = AtomicUsize::new(0);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut kept = VecDeque::new();
            for number in 0_u64.. {
                if stop.load(Ordering::SeqCst) {
                    break;
                }
                let photo = support::add_picture(store, &number.to_le_bytes().repeat(30_000));
                let item = support::create(store, collection, changes(collection, &photo, 0)).id;
                let mut title = Changes::default();
                let text = Value::Text(format!("titolo {number}"));
                title.values.insert("title", Some(text));
                store
                    .write(|w| w.items().update(collection, &item, title, NOW))
                    .unwrap();
                kept.push_back(item);
                if kept.len() > KEPT {
                    let oldest = kept.pop_front().unwrap();
                    store
                        .write(|w| {
                            w.items().delete(collection, &oldest, NOW)?;
                            w.trash().purge(&oldest)
                        })
                        .unwrap();
                }
                acknowledged.fetch_add(1, Ordering::SeqCst);
                thread::sleep(BETWEEN_ROUNDS);
            }
        });
        // Stops the writer also when an assertion fails, because the scope waits for the thread.
        let outcome = catch_unwind(AssertUnwindSafe(|| work(&acknowledged)));
        stop.store(true, Ordering::SeqCst);
        if let Err(panic) = outcome {
            resume_unwind(panic);
        }
    });
}

/// Waits for the next round, so that a copy is never made while the writer is idle on a slow
/// machine.
fn wait_for_a_round(acknowledged: &AtomicUsize, before: usize) {
    let started = Instant::now();
    while acknowledged.load(Ordering::SeqCst) == before {
        assert!(started.elapsed() < WRITER_DEAD, "the writer has stopped");
        thread::yield_now();
    }
}

/// Returns the latest round whose item is in the list.
fn latest_round(store: &Store) -> Option<usize> {
    let items = store
        .read(|reader| reader.items().list(&COLLECTIONS[1]))
        .unwrap();
    let title = |item: &Item| match item.values.get("title") {
        Some(Value::Text(text)) => text.strip_prefix("titolo ")?.parse().ok(),
        _ => None,
    };
    items.iter().filter_map(title).max()
}

#[test]
fn a_plain_copy_of_the_live_file_opens_with_every_acknowledged_change() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("respiro.redb")).unwrap();
    support::fill(&store);
    while_writing(&store, |acknowledged| {
        for number in 0..COPIES {
            let written = acknowledged.load(Ordering::SeqCst);
            let copy = folder.path().join(format!("copia-{number}"));
            fs::copy(store.path(), &copy).unwrap();
            check(&copy).unwrap();
            let found = latest_round(&Store::open(&copy).unwrap());
            assert!(
                written == 0 || found >= Some(written - 1),
                "copy {number}: {found:?} found, {written} acknowledged"
            );
            fs::remove_file(&copy).unwrap();
            wait_for_a_round(acknowledged, written);
        }
    });
}

#[test]
fn a_backup_while_writing_is_whole_and_writing_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("respiro.redb")).unwrap();
    support::fill(&store);
    while_writing(&store, |acknowledged| {
        for number in 0..5 {
            let before = acknowledged.load(Ordering::SeqCst);
            let out = folder.path().join(format!("backup-{number}"));
            let figures = store.backup(&out, 0).unwrap();
            assert_eq!(check(&out).unwrap().stats.counts, figures.counts);
            wait_for_a_round(acknowledged, before);
        }
    });
}

#[test]
fn a_backup_restores_to_the_same_content_and_is_compact() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("respiro.redb");
    let store = Store::open(&path).unwrap();
    support::fill(&store);
    let out = folder.path().join("copia.redb");
    store.backup(&out, 0).unwrap();
    let content = |store: &Store| {
        let mut all = Vec::new();
        for collection in COLLECTIONS {
            all.extend(
                store
                    .read(|reader| reader.items().list(collection))
                    .unwrap(),
            );
        }
        let secret = store.read(|reader| reader.secret()).unwrap();
        (all, secret)
    };
    let expected = content(&store);
    assert!(fs::metadata(&out).unwrap().len() < fs::metadata(&path).unwrap().len());
    drop(store);
    fs::rename(&out, &path).unwrap();
    assert_eq!(content(&Store::open(&path).unwrap()), expected);
}

#[test]
fn a_backup_never_overwrites_and_leaves_nothing_when_it_fails() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("data/respiro.redb")).unwrap();
    let out = folder.path().join("out");
    fs::write(&out, "precious").unwrap();
    let refused = store.backup(&out, 0).unwrap_err();
    assert!(refused.to_string().contains("exists already"), "{refused}");
    assert_eq!(fs::read(&out).unwrap(), b"precious");
    let nowhere = store
        .backup(&folder.path().join("missing/out"), 0)
        .unwrap_err();
    assert!(matches!(nowhere, Error::Storage(_)), "{nowhere}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn rows_and_pictures_make_the_same_data_file_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.redb");
    let store = Store::open(&path).unwrap();
    support::fill(&store);
    let (rows, blobs, items) = store
        .read(|reader| -> respiro_db::Result<_> {
            Ok((
                reader.rows(&["acme"])?,
                reader.blobs().list()?,
                reader.items().list(&COLLECTIONS[0])?,
            ))
        })
        .unwrap();
    assert!(rows.len() < 100_000 && blobs.len() == 2);
    let fetch = |blob: respiro_db::Blob| {
        let bytes = store.read(|reader| reader.blobs().get(&blob.hash))?;
        Ok(Some(bytes.unwrap()))
    };
    let back = folder.path().join("back.redb");
    let figures = respiro_db::assemble(&back, &rows, NOW, &mut { fetch }).unwrap();
    assert_eq!(figures.copied_at, Some(NOW));
    let restored = Store::open(&back).unwrap();
    let same = restored
        .read(|reader| reader.items().list(&COLLECTIONS[0]))
        .unwrap();
    assert_eq!(same, items);
    // An excluded note is not restored; a truncated stream of rows is refused.
    assert_eq!(restored.read(|reader| reader.note("acme")).unwrap(), None);
    for cut in [0, 1, rows.len() / 2, rows.len() - 1] {
        let torn = folder.path().join("torn.redb");
        let made = respiro_db::assemble(&torn, &rows[..cut], NOW, &mut { fetch });
        assert!(made.is_err() && !torn.exists(), "{cut}");
    }
    let wrong = folder.path().join("wrong.redb");
    let made = respiro_db::assemble(&wrong, &rows, NOW, &mut |_| Ok(Some(vec![1, 2, 3])));
    assert!(made.is_err() && !wrong.exists());
    // If the machine is lost during its first copy, only some pictures exist: the rest of the site
    // is restored, with a substitute for each missing file.
    for lost in [vec![0], vec![1], vec![0, 1]] {
        let hashes: Vec<[u8; 32]> = lost.iter().map(|place| blobs[*place].hash).collect();
        let mut fetch_but_lost = |blob: respiro_db::Blob| {
            if hashes.contains(&blob.hash) {
                return Ok(None);
            }
            fetch(blob)
        };
        let part = folder
            .path()
            .join(format!("part-{}.redb", lost.len() * 2 + lost[0]));
        respiro_db::assemble(&part, &rows, NOW, &mut fetch_but_lost).unwrap();
        let restored = Store::open(&part).unwrap();
        let pictures = restored.read(|reader| reader.pictures().list()).unwrap();
        let files = pictures.values().flat_map(|picture| picture.files.values());
        for file in files {
            assert!(!hashes.contains(&file.hash));
            let bytes = restored
                .read(|reader| reader.blobs().get(&file.hash))
                .unwrap();
            assert_eq!(bytes.unwrap().len() as u64, file.bytes);
        }
    }
}

/// Regression: when the derived files of a JPEG were not in the copy, the original was served,
/// including its GPS position.
#[test]
fn an_original_stands_in_for_nothing_that_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("site.redb")).unwrap();
    let content = |name: &str| format!("{name} ").repeat(name.len() * 100).into_bytes();
    let jpeg = ["original", "main", "640.jpg"].map(|name| (name, "image/jpeg"));
    let all = [jpeg.as_slice(), &[("640.webp", "image/webp")]].concat();
    let (mut picture, _) = support::picture(&support::id(), b"");
    picture.files.clear();
    let files = all.iter().map(|(name, media_type)| {
        let bytes = content(name);
        let file = StoredFile {
            media_type: (*media_type).to_owned(),
            hash: Sha256::digest(&bytes).into(),
            bytes: bytes.len() as u64,
        };
        picture.files.insert((*name).to_owned(), file);
        ((*name).to_owned(), (*media_type).to_owned(), bytes)
    });
    let files = files.collect();
    let (id, hashes) = (picture.id.clone(), picture.files.clone());
    store
        .write(|writer| writer.pictures().put(picture, files))
        .unwrap();
    let rows = store.read(|reader| reader.rows(&[])).unwrap();
    let restored = |lost: &[&str]| {
        let is_lost = |hash: &[u8; 32]| lost.iter().any(|name| hashes[*name].hash == *hash);
        let place = tempfile::tempdir().unwrap();
        let back = place.path().join("back.redb");
        let mut fetch = |blob: respiro_db::Blob| {
            let bytes = store.read(|reader| reader.blobs().get(&blob.hash))?;
            Ok(bytes.filter(|_| !is_lost(&blob.hash)))
        };
        respiro_db::assemble(&back, &rows, NOW, &mut fetch).unwrap();
        let restored = Store::open(&back).unwrap();
        let picture = restored.read(|reader| reader.pictures().get(&id)).unwrap();
        picture.unwrap().files
    };
    for lost in [
        vec!["main"],
        vec!["640.jpg"],
        vec!["main", "640.jpg"],
        vec!["main", "640.jpg", "640.webp"],
    ] {
        for (name, file) in restored(&lost) {
            let is_original = file.hash == hashes["original"].hash;
            assert_eq!(is_original, name == "original", "{name} without {lost:?}");
        }
    }
    assert_eq!(restored(&["main"])["main"], hashes["640.jpg"]);
    assert_eq!(restored(&["original"])["original"], hashes["640.jpg"]);
}

/// Regression: visit counts were written each minute, and each minute everything was copied
/// off-site.
#[test]
fn counted_visits_alone_are_no_change_that_is_copied() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("site.redb")).unwrap();
    let mark = || store.read(|reader| reader.mark(&["acme"])).unwrap();
    let rows = || store.read(|reader| reader.rows(&["acme"])).unwrap();
    let (before, rows_before) = (mark(), rows());
    let day = jiff::civil::date(2027, 3, 24);
    let totals = respiro_db::DayTotals::default();
    store
        .write(|writer| writer.page_views().put(day, &totals))
        .unwrap();
    assert_eq!(mark(), before);
    assert_ne!(rows(), rows_before, "the next copy has them");
    store.write(|writer| writer.put_note("acme", b"x")).unwrap();
    assert_eq!(mark(), before);
    store
        .write(|writer| writer.put_note("other", b"x"))
        .unwrap();
    assert_ne!(mark(), before);
}

/// Regression: recipients without the newsletter at the time of the copy never received it, and the
/// program did not report that.
#[test]
fn a_newsletter_waits_for_a_word_in_every_sort_of_copy() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let store = Store::open(&at("site.redb")).unwrap();
    let delivery = |email: &str| Delivery {
        email: email.to_owned(),
        fate: DeliveryOutcome::Waiting,
        tries: 0,
        at: NOW,
        reason: String::new(),
        is_marked: false,
    };
    let under_way = Campaign {
        state: CampaignStatus::Sending,
        in_flight: Some(delivery("ada@example.com")),
        tally: DeliveryCounts {
            total: 2,
            ..DeliveryCounts::default()
        },
        ..Campaign::new("a")
    };
    let planned = Campaign {
        state: CampaignStatus::Scheduled,
        scheduled_at: Some(NOW),
        ..Campaign::new("b")
    };
    store
        .write(|writer| {
            let mut campaigns = writer.campaigns();
            campaigns.enqueue("a", &delivery("zoe@example.com"))?;
            campaigns.put(&under_way)?;
            campaigns.put(&planned)
        })
        .unwrap();
    store.backup(&at("backup.redb"), NOW).unwrap();
    let frozen = store.pin_snapshot().unwrap();
    backup_snapshot(&at("site.redb"), &frozen.header, &at("moment.redb"), NOW).unwrap();
    let rows = store.read(|reader| reader.rows(&[])).unwrap();
    let mut no_pictures = |_| unreachable!();
    respiro_db::assemble(&at("shipped.redb"), &rows, NOW, &mut no_pictures).unwrap();
    for name in ["backup.redb", "moment.redb", "shipped.redb"] {
        // The second time, the copy was already opened as a data file.
        for time in ["first", "second"] {
            let copy = Store::open(&at(name)).unwrap();
            let look = copy.read(|reader| -> respiro_db::Result<_> {
                let ids = |list: Vec<Delivery>| -> Vec<String> {
                    list.into_iter().map(|one| one.email).collect()
                };
                let campaigns = reader.campaigns();
                let (under_way, planned) = (campaigns.get("a")?, campaigns.get("b")?);
                let queued = ids(campaigns.queued("a")?);
                assert_eq!(queued, ["zoe@example.com"], "{name} {time}");
                let unknown = ids(campaigns.failures("a")?);
                assert_eq!(unknown, ["ada@example.com"], "{name} {time}");
                assert_eq!(
                    reader.restore_marker()?.unwrap().held_sendings,
                    2,
                    "{name} {time}"
                );
                Ok((under_way, planned))
            });
            let (under_way, planned) = look.unwrap();
            assert_eq!(under_way.state, CampaignStatus::Paused, "{name} {time}");
            assert_eq!((under_way.waiting(), under_way.in_flight), (1, None));
            assert_eq!(planned.state, CampaignStatus::Draft, "{name} {time}");
            assert_eq!(planned.trouble.unwrap().0, "unplanned");
        }
    }
    let same = store.read(|reader| reader.campaigns().get("a")).unwrap();
    assert_eq!(same, under_way);
}

/// Regression: a copy of a restored file whose paused newsletters were not yet handled did not
/// report them.
#[test]
fn newsletters_that_a_former_copy_held_are_counted_still() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mut store = Store::open(&at("0.redb")).unwrap();
    for (number, held) in [(1, 1), (2, 2), (3, 2)] {
        if number < 3 {
            let planned = Campaign {
                state: CampaignStatus::Scheduled,
                scheduled_at: Some(NOW),
                ..Campaign::new(&number.to_string())
            };
            store
                .write(|writer| writer.campaigns().put(&planned))
                .unwrap();
        }
        let copy = at(&format!("{number}.redb"));
        store.backup(&copy, NOW + number).unwrap();
        store = Store::open(&copy).unwrap();
        let restored = store
            .read(|reader| reader.restore_marker())
            .unwrap()
            .unwrap();
        assert_eq!(
            (restored.copied_at, restored.held_sendings),
            (NOW + number, held)
        );
    }
}

/// Pages of a snapshot that is no longer pinned may be reused, so reading it must fail.
#[test]
fn a_moment_is_not_read_any_more_once_it_is_let_go_of() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let store = Store::open(&at("site.redb")).unwrap();
    let frozen = store.pin_snapshot().unwrap();
    let moment = frozen.header.clone();
    backup_snapshot(&at("site.redb"), &moment, &at("held.redb"), NOW).unwrap();
    drop(frozen);
    backup_snapshot(&at("site.redb"), &moment, &at("gone.redb"), NOW).unwrap_err();
    assert!(!at("gone.redb").exists());
}
