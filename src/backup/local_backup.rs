//! Daily backups of the data file. Each is verified when it is made, and the last result is stored.

use crate::error::{Error, Result};
use crate::messages::{CANNOT_WRITE, DISK_FULL, DISK_READ_ONLY, UNKNOWN_REASON};
use respiro_content::{Timestamp, time};
use respiro_db::clock::TrustedTime;
use respiro_db::fs_util::is_leftover_name;
use respiro_db::{self as db, NotificationEvent, Store};
use respiro_publish::{self as publish, Site, blocking};
use serde::{Deserialize, Serialize};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use std::{fs, io};

/// The note in the data file that holds the last [`Outcome`] as JSON.
pub const NOTE: &str = "backup";
const EVERY_MILLISECONDS: i64 = 24 * 60 * 60 * 1000;
/// Wait after a failed backup.
const RETRY: Duration = Duration::from_hours(1);
/// Interval of checks: a machine that was suspended must not wait another whole day.
const LOOK: Duration = Duration::from_mins(5);
const NAME_START: &str = "respiro-";
const NAME_END: &str = ".redb";
/// End of the name of a backup that is complete but renders no page. At most one is kept, and it
/// never counts as a backup.
const UNSERVABLE_END: &str = ".unservable.redb";

/// Daily backups of the data file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupSchedule {
    pub dir: PathBuf,
    pub keep: u16,
}

/// The result of the last backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// RFC 3339.
    pub at: String,
    pub ok: bool,
    pub detail: String,
    /// Why the backup failed, for the practitioner: in Italian, without addresses.
    #[serde(skip)]
    pub reason: Option<&'static str>,
}

/// Makes a backup when the newest one in the folder is a day old. Never returns.
pub async fn run(site: Arc<Site>, schedule: BackupSchedule) {
    tidy(&schedule.dir);
    loop {
        let now = site.now();
        let newest = newest(&schedule.dir, now);
        if newest.is_some_and(|at| now.saturating_sub(at) < EVERY_MILLISECONDS) {
            tokio::time::sleep(LOOK).await;
            continue;
        }
        let outcome = once(&site, &schedule, now).await;
        if outcome.ok {
            tracing::info!(detail = outcome.detail, "the data file was backed up");
        } else {
            tracing::error!(
                detail = outcome.detail,
                "the backup failed: mend this, the next try is in an hour"
            );
        }
        let failed = !outcome.ok;
        if let Err(error) = site.save_task_state(NOTE, &outcome).await {
            tracing::error!(%error, "cannot remember how the backup went");
        }
        site.notify(match outcome.reason {
            None => NotificationEvent::BackupWorks,
            Some(reason) => NotificationEvent::BackupFailed {
                reason: reason.to_owned(),
                last_good_at: newest,
            },
        })
        .await;
        tokio::time::sleep(if failed { RETRY } else { LOOK }).await;
    }
}

/// Makes a backup now, then deletes the oldest ones beyond `keep`.
pub async fn once(site: &Arc<Site>, schedule: &BackupSchedule, now: Timestamp) -> Outcome {
    let schedule = schedule.clone();
    let own = Arc::clone(site);
    let copied = blocking(move || copy(&own, &schedule, now)).await;
    let (ok, detail, reason) = match copied {
        Ok(detail) => (true, detail, None),
        Err(error) => (false, error.to_string(), Some(reason_of(&error))),
    };
    Outcome {
        at: time::rfc3339(now),
        ok,
        detail,
        reason,
    }
}

const fn reason_of(error: &Error) -> &'static str {
    match error {
        Error::Db(error) | Error::Publish(publish::Error::Db(error)) => match error {
            db::Error::StorageFull => DISK_FULL,
            db::Error::ReadOnly => DISK_READ_ONLY,
            db::Error::Storage(_) => CANNOT_WRITE,
            _ => UNKNOWN_REASON,
        },
        // The folder is unusable, or the copy is damaged: the log and the "Backup" page of the
        // panel say which.
        Error::Unusable(_) => CANNOT_WRITE,
        Error::Publish(_) => UNKNOWN_REASON,
    }
}

fn copy(site: &Site, schedule: &BackupSchedule, now: Timestamp) -> Result<String> {
    let folder = &schedule.dir;
    let cannot = |error| Error::Unusable(format!("cannot use {}: {error}", folder.display()));
    let mut made = fs::DirBuilder::new();
    made.recursive(true).mode(0o700);
    made.create(folder).map_err(cannot)?;
    let path = folder.join(name(now));
    // `backup` opens and verifies the copy before it gets its name.
    let figures = site.store().backup(&path, now)?;
    if let Err(error) = rehearse(site, &path) {
        let unservable = folder.join(unservable_name(now));
        remove_unservable(folder).map_err(cannot)?;
        // Under its own name it would count as today's backup and displace a good one.
        fs::rename(&path, &unservable).map_err(cannot)?;
        return Err(Error::Unusable(format!(
            "{} holds no site that can be served: {error}",
            unservable.display()
        )));
    }
    let mut removed = 0;
    if let Some(trusted) = site.clock().trusted() {
        removed = prune(folder, schedule.keep, now, &trusted).map_err(cannot)?;
        remove_unservable(folder).map_err(cannot)?;
    }
    let items: u64 = figures.counts.values().sum();
    Ok(format!(
        "{}: {items} items, {} pictures, {} bytes, checked and rendered; {removed} old copies removed",
        path.display(),
        figures.pictures,
        figures.file_bytes
    ))
}

/// Renders the home page from the backup, which is opened read-only.
fn rehearse(site: &Site, path: &Path) -> Result<()> {
    let rendered = Store::look(path)
        .map_err(|error| Error::Unusable(error.to_string()))
        .and_then(|store| {
            let snapshot: Result<_, db::Error> =
                store.read(|reader| reader.snapshot(site.public_url(), site.definitions()));
            Ok(snapshot?)
        })
        .and_then(|snapshot| Ok(site.publisher.preview(&snapshot, "/")?));
    rendered.map(drop)
}

/// Removes unfinished backups that a killed process left.
fn tidy(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let stem = name.find(NAME_END).map(|at| &name[..at + NAME_END.len()]);
        if stem.is_some_and(|stem| made_at(stem).is_some() && is_leftover_name(&name, stem))
            && let Err(error) = fs::remove_file(entry.path())
        {
            tracing::warn!(name, %error, "cannot remove a copy that was left half done");
        }
    }
}

/// Returns a name like `respiro-20260131T235959Z.redb`.
fn name(now: Timestamp) -> String {
    format!("{NAME_START}{}{NAME_END}", time::stamp(now))
}

/// Returns a name like `respiro-20260131T235959Z.unservable.redb`.
fn unservable_name(now: Timestamp) -> String {
    format!("{NAME_START}{}{UNSERVABLE_END}", time::stamp(now))
}

fn remove_unservable(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let stamp = name.to_str().and_then(|name| name.strip_prefix(NAME_START));
        let stamp = stamp.and_then(|name| name.strip_suffix(UNSERVABLE_END));
        if stamp.and_then(time::parse_stamp).is_some() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Returns when a backup was made, read from its name: file times change when folders are moved.
fn made_at(name: &str) -> Option<Timestamp> {
    let stamp = name.strip_prefix(NAME_START)?.strip_suffix(NAME_END)?;
    time::parse_stamp(stamp)
}

/// Lists this program's backups in the folder, oldest first. Other files are ignored.
fn copies(folder: &Path) -> io::Result<Vec<(Timestamp, PathBuf)>> {
    let mut copies = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if let Some(at) = entry.file_name().to_str().and_then(made_at) {
            copies.push((at, entry.path()));
        }
    }
    copies.sort();
    Ok(copies)
}

/// Returns the time of the newest backup that is not in the future. A backup of a clock that was
/// ahead does not count: it does not contain today's data.
pub fn newest(folder: &Path, now: Timestamp) -> Option<Timestamp> {
    let copies = copies(folder).ok()?;
    copies.iter().rfind(|(at, _)| *at <= now).map(|(at, _)| *at)
}

/// Deletes the oldest backups beyond `keep`. Backups dated in the future, by a clock that was
/// ahead, are limited separately: they must neither displace those of today nor be lost, because
/// their true age is unknown. They count like the others once their date has passed.
fn prune(folder: &Path, keep: u16, now: Timestamp, _: &TrustedTime) -> io::Result<usize> {
    let copies = copies(folder)?;
    let (made, ahead) = copies.split_at(copies.partition_point(|(at, _)| *at <= now));
    let mut removed = 0;
    for all in [made, ahead] {
        let surplus = all.len().saturating_sub(usize::from(keep));
        for (_, path) in &all[..surplus] {
            fs::remove_file(path)?;
        }
        removed += surplus;
    }
    Ok(removed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_storage::trusted;

    #[test]
    fn a_copy_is_named_by_its_moment_and_found_again() {
        let at = time::parse_rfc3339("2026-11-21T10:20:30Z").unwrap();
        assert_eq!(name(at), "respiro-20261121T102030Z.redb");
        assert_eq!(made_at(&name(at)), Some(at));
        for other in [
            "respiro.redb",
            "respiro-x.redb",
            "respiro-20261121.redb",
            "a",
        ] {
            assert_eq!(made_at(other), None, "{other}");
        }
    }

    #[test]
    fn only_the_oldest_copies_beyond_the_limit_go() {
        let folder = tempfile::tempdir().unwrap();
        let at = time::parse_rfc3339("2026-11-21T10:20:30Z").unwrap();
        let now = at + 4 * EVERY_MILLISECONDS;
        for day in 0..5 {
            fs::write(folder.path().join(name(at + day * EVERY_MILLISECONDS)), "x").unwrap();
        }
        fs::write(folder.path().join("mine.redb"), "x").unwrap();
        let left = folder.path().join(format!("{}.77-0.parziale", name(at)));
        fs::write(&left, "x").unwrap();
        let of_a_person = folder.path().join("respiro-prima.redb.parziale");
        fs::write(&of_a_person, "x").unwrap();
        tidy(folder.path());
        assert!(!left.exists() && of_a_person.exists());
        assert_eq!(prune(folder.path(), 2, now, &trusted(now)).unwrap(), 3);
        let left = copies(folder.path()).unwrap();
        assert_eq!(left.len(), 2);
        assert_eq!(newest(folder.path(), now), Some(now));
        assert!(folder.path().join("mine.redb").exists());
    }

    /// Regression: a backup of a clock that was ahead stayed the newest one. Each check, every five
    /// minutes, made another backup, and after half an hour those of all former days were gone.
    #[test]
    fn copies_of_a_clock_that_was_ahead_neither_ask_for_more_nor_push_any_out() {
        let folder = tempfile::tempdir().unwrap();
        let at = time::parse_rfc3339("2026-11-21T10:20:30Z").unwrap();
        let put = |at| fs::write(folder.path().join(name(at)), "x").unwrap();
        let ahead = at + 365 * EVERY_MILLISECONDS;
        put(ahead);
        assert_eq!(newest(folder.path(), at), None, "today has no copy yet");
        for day in 0..3 {
            let now = at + day * EVERY_MILLISECONDS;
            put(now);
            assert_eq!(newest(folder.path(), now), Some(now));
            prune(folder.path(), 2, now, &trusted(now)).unwrap();
        }
        let now = at + 2 * EVERY_MILLISECONDS;
        let kept = |now| {
            prune(folder.path(), 2, now, &trusted(now)).unwrap();
            let left = copies(folder.path()).unwrap();
            left.into_iter().map(|(at, _)| at).collect::<Vec<_>>()
        };
        assert_eq!(kept(now), [now - EVERY_MILLISECONDS, now, ahead]);
        assert_eq!(kept(ahead), [now, ahead]);
        for later in 1..4 {
            put(ahead + later * EVERY_MILLISECONDS);
        }
        let later = |days| ahead + days * EVERY_MILLISECONDS;
        assert_eq!(kept(now), [now, later(2), later(3)], "nor do they pile up");
    }

    #[test]
    fn golden_note_of_the_last_backup() {
        const GOLDEN: &str = r#"{"at":"2026-09-21T13:33:20.000Z","ok":true,"detail":"fatto"}"#;
        let outcome: Outcome = serde_json::from_str(GOLDEN).unwrap();
        let expected = Outcome {
            at: "2026-09-21T13:33:20.000Z".to_owned(),
            ok: true,
            detail: "fatto".to_owned(),
            reason: None,
        };
        assert_eq!(outcome, expected);
        assert_eq!(serde_json::to_string(&outcome).unwrap(), GOLDEN);
        assert_eq!(
            (NOTE, unservable_name(0).as_str()),
            ("backup", "respiro-19700101T000000Z.unservable.redb")
        );
    }
}
