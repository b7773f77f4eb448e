//! Background job of the off-site backups: a full backup each day, changes within a minute.

use super::backup_state::{BackupState, UploadOutcome};
use super::status::{OffsiteStatus, notification_for};
use super::{BackupKind, BackupRepository, Encryptor, NOTES, Snapshot, Source, UploadStats};
use crate::error::{Error, Result, StorageError};
use crate::fencing::{self, Instance};
use respiro_content::Timestamp;
use respiro_db::{self as db, Blob, Reader, Store};
use respiro_publish::job_trigger::{JobTrigger, Progress};
use respiro_publish::{Site, blocking};
use std::collections::BTreeSet;
use std::future::pending;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

/// The note of the data file that holds the last [`OffsiteStatus`] as JSON.
pub const NOTE: &str = "copies";
/// The note that holds the runs of the server that made off-site backups, see `fencing.rs`.
pub const INSTANCES_NOTE: &str = "copies-instances";
/// Collects changes within this time into one delta backup; none waits longer than a minute.
const DEBOUNCE: Duration = Duration::from_secs(30);
/// Pause after a failure.
const RETRY_INTERVAL: Duration = Duration::from_mins(5);
/// Interval at which the job checks whether a full backup is due.
const POLL_INTERVAL: Duration = Duration::from_mins(5);

/// Lets the panel request a full backup and read its progress.
#[derive(Debug, Default)]
pub struct FullBackups {
    pub trigger: JobTrigger,
    pub progress: Progress,
}

/// Reads all data that a backup needs, from a live or snapshot reader.
pub fn read_snapshot(reader: &Reader<'_>) -> Result<Snapshot> {
    Ok(Snapshot {
        rows: reader.rows(NOTES)?,
        blobs: reader.blobs().list()?,
        items: reader.figures()?.counts.values().sum(),
        secret: reader.secret()?,
        lineage: reader.file_identity()?,
        instances: fencing::read_instances(reader, INSTANCES_NOTE)?,
        is_by_command: false,
    })
}

/// Returns the bytes of a picture that rows reference.
pub fn blob(reader: &Reader<'_>, blob: Blob) -> Result<Vec<u8>> {
    reader
        .blobs()
        .get(&blob.hash)?
        .ok_or(Error::Db(db::Error::NotFound))
}

pub fn to_storage_error(error: &Error) -> StorageError {
    StorageError::Other(format!("the data file cannot be copied: {error}"))
}

/// Reads the data file for the duration of `read`. Fails once the server has stopped.
pub fn read_site<T>(
    site: &Weak<Site>,
    read: impl FnOnce(&Reader<'_>) -> Result<T>,
) -> Result<T, StorageError> {
    let gone = || StorageError::Other("the server stops".to_owned());
    let store = site.upgrade().ok_or_else(gone)?.store();
    as_storage_result(store.read(read))
}

struct Runner {
    /// Weak, so that a running backup does not delay shutdown.
    site: Weak<Site>,
    full_backups: Arc<FullBackups>,
    repository: BackupRepository,
    encryptor: Encryptor,
    /// Hashes of the pictures of a running full backup.
    uploading: Mutex<BTreeSet<[u8; 32]>>,
}

impl Runner {
    fn site(&self) -> Result<Arc<Site>, StorageError> {
        let gone = || StorageError::Other("the server stops".to_owned());
        self.site.upgrade().ok_or_else(gone)
    }

    fn read<T>(&self, read: impl FnOnce(&Reader<'_>) -> Result<T>) -> Result<T, StorageError> {
        read_site(&self.site, read)
    }

    fn uploading(&self) -> MutexGuard<'_, BTreeSet<[u8; 32]>> {
        self.uploading
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Fails if a restore has replaced the data file being backed up.
    fn check_same_file(&self, held: &Weak<Store>) -> Result<(), StorageError> {
        if Weak::ptr_eq(held, &Arc::downgrade(&self.site()?.store())) {
            return Ok(());
        }
        Err(StorageError::Other(
            "another data file is in its place".to_owned(),
        ))
    }

    /// Makes a full backup from a snapshot with a cache of its own: its picture reads evict nothing
    /// from memory, and no picture is deleted meanwhile.
    fn full_backup(&self) -> Result<UploadOutcome, StorageError> {
        let store = self.site()?.store();
        let snapshot = store.verified_snapshot().map_err(|problems| {
            StorageError::Other(format!("the data file is damaged: {}", problems.join("; ")))
        })?;
        let held = Arc::downgrade(&store);
        drop(store);
        let mark = as_storage_result(snapshot.read(|reader| Ok(reader.mark(NOTES)?)))?;
        let taken = as_storage_result(snapshot.read(read_snapshot))?;
        *self.uploading() = taken.blobs.iter().map(|blob| blob.hash).collect();
        let report_progress = |there, all| self.full_backups.progress.set(there, all);
        let mut bytes = |one: Blob| {
            self.check_same_file(&held)?;
            as_storage_result(snapshot.read(|reader| blob(reader, one)))
        };
        let check_current = || self.check_same_file(&held);
        let source = Source {
            report_progress: &report_progress,
            check_current: &check_current,
            ..Source::of(&mut bytes)
        };
        let sent = self.send(BackupKind::Full, &taken, source);
        self.uploading().clear();
        let mut sent = sent?;
        sent.space = self.repository.space().ok();
        Ok((mark, sent))
    }

    /// Backs up changes if the fingerprint differs from `last`. A restore in between is no failure:
    /// the next backup is of the restored data file.
    fn delta_backup(&self, last: [u8; 32]) -> Result<Option<UploadOutcome>, StorageError> {
        let held = Arc::downgrade(&self.site()?.store());
        match self.delta_of(&held, last) {
            Err(_) if self.check_same_file(&held).is_err() => Ok(None),
            done => done,
        }
    }

    fn delta_of(
        &self,
        held: &Weak<Store>,
        last: [u8; 32],
    ) -> Result<Option<UploadOutcome>, StorageError> {
        // Read the mark before the rows: a change in between is copied now, and once more later.
        let mark = self.read(|reader| Ok(reader.mark(NOTES)?))?;
        if mark == last {
            return Ok(None);
        }
        let taken = self.read(read_snapshot)?;
        let mut bytes = |one: Blob| self.read(|reader| blob(reader, one));
        let is_being_uploaded = |one: &Blob| self.uploading().contains(&one.hash);
        let check_current = || self.check_same_file(held);
        let source = Source {
            is_being_uploaded: &is_being_uploaded,
            check_current: &check_current,
            ..Source::of(&mut bytes)
        };
        let sent = self.send(BackupKind::Delta, &taken, source)?;
        Ok(Some((mark, sent)))
    }

    /// Removes outdated backups, unless the clock is doubted.
    fn prune(&self, kind: BackupKind) -> Result<usize, StorageError> {
        let trusted = self.site()?.clock().trusted();
        trusted.map_or(Ok(0), |now| self.repository.prune(kind, &now))
    }

    /// Uploads a backup and removes outdated ones.
    fn send(
        &self,
        kind: BackupKind,
        taken: &Snapshot,
        mut source: Source<'_>,
    ) -> Result<UploadStats, StorageError> {
        let now = self.site()?.now();
        let sent = self
            .repository
            .send(&self.encryptor, kind, now, taken, &mut source);
        if sent == Err(StorageError::Full) {
            // The leftovers of interrupted backups may occupy the space that the next try needs.
            self.prune(BackupKind::Full)?;
        }
        let mut sent = sent?;
        sent.pruned = self.prune(kind)?;
        Ok(sent)
    }
}

fn as_storage_result<T>(read: Result<T>) -> Result<T, StorageError> {
    read.map_err(|error| to_storage_error(&error))
}

/// A running full backup and its start time.
struct RunningFull {
    began: Timestamp,
    work: JoinHandle<Result<Result<UploadOutcome, StorageError>>>,
}

impl RunningFull {
    fn begin(site: &Site, runner: &Arc<Runner>) -> Self {
        runner.full_backups.progress.set(0, 0);
        runner.full_backups.trigger.start();
        let own = Arc::clone(runner);
        Self {
            began: site.now(),
            work: tokio::spawn(blocking(move || Ok(own.full_backup()))),
        }
    }
}

/// Waits for the end of the full backup; pends forever if none is running.
async fn full_ended(
    whole: &mut Option<RunningFull>,
) -> (Timestamp, Result<UploadOutcome, StorageError>) {
    let Some(RunningFull { began, work }) = whole else {
        return pending().await;
    };
    let done = match work.await {
        Ok(done) => done.unwrap_or_else(|error| Err(to_storage_error(&error))),
        Err(error) => Err(StorageError::Other(error.to_string())),
    };
    let began = *began;
    *whole = None;
    (began, done)
}

/// Runs the backup job until the server stops. `place` is the display name of the bucket.
pub async fn run(
    site: Arc<Site>,
    full_backups: Arc<FullBackups>,
    repository: BackupRepository,
    encryptor: Encryptor,
    place: String,
) {
    let mut changes = site.commits();
    let runner = Arc::new(Runner {
        site: Arc::downgrade(&site),
        full_backups: Arc::clone(&full_backups),
        repository,
        encryptor,
        uploading: Mutex::default(),
    });
    let known = site.load_task_state(NOTE).await;
    let known = known.filter(|known: &OffsiteStatus| known.place == place);
    let mut state = BackupState::new(known.unwrap_or_else(|| OffsiteStatus {
        place,
        ok: true,
        ..OffsiteStatus::default()
    }));
    let (mut notified_at, mut is_wished, mut whole) = (None, false, None);
    let mut next_whole = Instant::now();
    let mut instance = Instance::begin(INSTANCES_NOTE);
    loop {
        instance.remember(&site).await;
        let was = state.outcome.clone();
        let now = site.now();
        let is_due = state.is_full_due(now) || state.is_full_wanted();
        let is_due = is_wished || is_due && Instant::now() >= next_whole;
        let pause = if whole.is_none() && is_due {
            is_wished = false;
            state.begin_full();
            whole = Some(RunningFull::begin(&site, &runner));
            // Most full backups finish before changes made meanwhile need a backup of their own.
            Pause::Debounce
        } else {
            let (own, last) = (Arc::clone(&runner), state.last());
            let done = blocking(move || Ok(own.delta_backup(last))).await;
            let done = done.unwrap_or_else(|error| Err(to_storage_error(&error)));
            let has_failed = done.is_err();
            instance.renew_if_refused(&site, done.as_ref().err()).await;
            state.record_delta(now, done);
            if has_failed {
                Pause::Retry
            } else {
                Pause::Poll
            }
        };
        persist_status(&site, &state.outcome, &was, &mut notified_at).await;
        if state.is_full_wanted() && Instant::now() >= next_whole {
            continue;
        }
        let was = state.outcome.clone();
        tokio::select! {
            (began, done) = full_ended(&mut whole) => {
                if done.is_err() {
                    next_whole = Instant::now() + RETRY_INTERVAL;
                }
                state.record_full(began, site.now(), done);
                persist_status(&site, &state.outcome, &was, &mut notified_at).await;
                full_backups.trigger.finish();
            }
            wished = wait(&full_backups, &mut changes, pause) => is_wished |= wished,
        }
    }
}

/// Persists the status and notifies the admin of a change.
async fn persist_status(
    site: &Site,
    status: &OffsiteStatus,
    was: &OffsiteStatus,
    notified_at: &mut Option<Timestamp>,
) {
    if status != was
        && let Err(error) = site.save_task_state(NOTE, status).await
    {
        tracing::error!(%error, "cannot remember how copying went");
    }
    let now = site.now();
    if let Some(notice) = notification_for(status, was, now, *notified_at) {
        *notified_at = Some(now);
        site.notify(notice).await;
    }
}

/// What the job waits for before it checks for changes again.
#[derive(Debug, Clone, Copy)]
enum Pause {
    Debounce,
    Retry,
    Poll,
}

/// Waits for changes or the next clock check. Returns whether the admin requests a full backup.
async fn wait(
    full_backups: &FullBackups,
    changes: &mut watch::Receiver<u64>,
    pause: Pause,
) -> bool {
    let something = async {
        match pause {
            Pause::Debounce => sleep(DEBOUNCE).await,
            Pause::Retry => sleep(RETRY_INTERVAL).await,
            Pause::Poll => {
                if timeout(POLL_INTERVAL, changes.changed()).await.is_ok() {
                    sleep(DEBOUNCE).await;
                }
            }
        }
        changes.borrow_and_update();
    };
    tokio::select! {
        () = something => false,
        () = full_backups.trigger.requested() => true,
    }
}
