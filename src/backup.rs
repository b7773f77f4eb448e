//! Daily copies of the data file, each checked as it is made; the last result is remembered.

use crate::block_definitions;

use crate::app::{App, blocking};
use crate::config::BackupSchedule;
use crate::content::{Timestamp, time};
use crate::error::{Error, Result, UNKNOWN_REASON};
use crate::store::{NotificationEvent, Store};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use std::{fs, io};

/// The note of the data file that holds the last [`Outcome`] as JSON.
pub const NOTE: &str = "backup";
const EVERY_MILLISECONDS: i64 = 24 * 60 * 60 * 1000;
/// After a failure the next try comes sooner.
const RETRY: Duration = Duration::from_hours(1);
/// How often the clock is looked at: a machine that slept must not wait a whole day more.
const LOOK: Duration = Duration::from_mins(5);
const NAME_START: &str = "respiro-";
const NAME_END: &str = ".redb";
/// Ends of names that only unfinished copies have; the last two are of former releases.
const LEFT: &[&str] = &[".parziale", ".prova", ".prova.riserva"];
/// A copy that is whole but renders no page. One at most, and never taken for a backup.
const DOUBTFUL_NAME: &str = "respiro-da-verificare.redb";

/// How the last backup went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// RFC 3339.
    pub at: String,
    pub ok: bool,
    pub detail: String,
    /// Why it failed, for the practitioner: Italian, without addresses.
    #[serde(skip)]
    pub reason: Option<&'static str>,
}

/// Copies when a day has passed since the newest copy in the folder. Runs for ever.
pub async fn run(app: Arc<App>, schedule: BackupSchedule) {
    tidy(&schedule.dir);
    loop {
        let now = app.now();
        let newest = newest(&schedule.dir, now);
        if newest.is_some_and(|at| now.saturating_sub(at) < EVERY_MILLISECONDS) {
            tokio::time::sleep(LOOK).await;
            continue;
        }
        let outcome = once(&app, &schedule, now).await;
        if outcome.ok {
            tracing::info!(detail = outcome.detail, "the data file was backed up");
        } else {
            tracing::error!(
                detail = outcome.detail,
                "the backup failed: mend this, the next try is in an hour"
            );
        }
        let failed = !outcome.ok;
        if let Err(error) = app.keep_note(NOTE, &outcome).await {
            tracing::error!(%error, "cannot remember how the backup went");
        }
        app.notify(match outcome.reason {
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

/// One copy now, then the ones beyond `keep` go.
pub async fn once(app: &Arc<App>, schedule: &BackupSchedule, now: Timestamp) -> Outcome {
    let schedule = schedule.clone();
    let own = Arc::clone(app);
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
        Error::StorageFull => "il disco è pieno",
        Error::ReadOnly => "il disco non accetta scritture",
        // A folder that cannot be used, or a copy that is not whole: the log and Backup say which.
        Error::Store(_) => "la copia non si può scrivere, o non risulta intera",
        _ => UNKNOWN_REASON,
    }
}

fn copy(app: &App, schedule: &BackupSchedule, now: Timestamp) -> Result<String> {
    let folder = &schedule.dir;
    let cannot = |error| Error::Store(format!("cannot use {}: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(cannot)?;
    let path = folder.join(name(now));
    // The copy is opened and checked whole before it gets its name.
    let figures = app.store().backup(&path, now)?;
    let doubtful = folder.join(DOUBTFUL_NAME);
    if let Err(error) = rehearse(app, &path) {
        // Under its own name it would count as today's copy and push a good one out.
        fs::rename(&path, &doubtful).map_err(cannot)?;
        return Err(Error::Store(format!(
            "{} holds no site that can be served: {error}",
            doubtful.display()
        )));
    }
    let removed = prune(folder, schedule.keep, now).map_err(cannot)?;
    match fs::remove_file(&doubtful) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(cannot(error)),
        _ => {}
    }
    let items: u64 = figures.counts.values().sum();
    Ok(format!(
        "{}: {items} items, {} pictures, {} bytes, checked and rendered; {removed} old copies removed",
        path.display(),
        figures.pictures,
        figures.file_bytes
    ))
}

/// Renders the home page from the copy, which stays as it is.
fn rehearse(app: &App, path: &Path) -> Result<()> {
    let rendered = Store::look(path)
        .map_err(|error| Error::Store(error.to_string()))
        .and_then(|store| {
            let definitions = block_definitions::table()?;
            Ok(store.read(|reader| reader.snapshot(&app.public_url, definitions))?)
        })
        .and_then(|snapshot| app.site.preview(&snapshot, "/"));
    rendered.map(drop)
}

/// Removes copies that a killed process has left half done.
fn tidy(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_left = LEFT.iter().any(|end| name.ends_with(end));
        if name.starts_with(NAME_START)
            && is_left
            && let Err(error) = fs::remove_file(entry.path())
        {
            tracing::warn!(name, %error, "cannot remove a copy that was left half done");
        }
    }
}

/// `respiro-20260131T235959Z.redb`.
fn name(now: Timestamp) -> String {
    format!("{NAME_START}{}{NAME_END}", time::stamp(now))
}

/// When a copy was made, by its name: file times change when folders are moved.
fn made_at(name: &str) -> Option<Timestamp> {
    let stamp = name.strip_prefix(NAME_START)?.strip_suffix(NAME_END)?;
    time::parse_stamp(stamp)
}

/// Our own copies in the folder, oldest first. Other files are none of our business.
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

/// The newest copy by this clock. One of a clock that was ahead says nothing about today, and would
/// have every look copy again.
fn newest(folder: &Path, now: Timestamp) -> Option<Timestamp> {
    let copies = copies(folder).ok()?;
    copies.iter().rfind(|(at, _)| *at <= now).map(|(at, _)| *at)
}

/// Copies of a clock that was ahead are kept apart: they must not push out those of today, nor be
/// lost, since nobody knows which are newer. When their day comes they count like the others.
fn prune(folder: &Path, keep: u16, now: Timestamp) -> io::Result<usize> {
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
        tidy(folder.path());
        assert!(!left.exists());
        assert_eq!(prune(folder.path(), 2, now).unwrap(), 3);
        let left = copies(folder.path()).unwrap();
        assert_eq!(left.len(), 2);
        assert_eq!(newest(folder.path(), now), Some(now));
        assert!(folder.path().join("mine.redb").exists());
    }

    /// One copy of a clock that was ahead was the newest for ever: each look, every five minutes,
    /// made another, and after half an hour all the days before were gone.
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
            prune(folder.path(), 2, now).unwrap();
        }
        let now = at + 2 * EVERY_MILLISECONDS;
        let kept = |now| {
            prune(folder.path(), 2, now).unwrap();
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
            (NOTE, DOUBTFUL_NAME),
            ("backup", "respiro-da-verificare.redb")
        );
    }
}
