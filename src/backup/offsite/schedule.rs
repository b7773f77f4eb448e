//! Background job of off-site copies: a whole copy each day, changes within a minute.

use super::backup_state::{Copied, Keeping};
use super::status::{Outcome, news};
use super::{BackupKind, BackupRepository, Encryptor, NOTES, Snapshot, Source, UploadStats};
use crate::error::{Error, Result};
use crate::storage_error::StorageError;
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

/// The note of the data file that holds the last [`Outcome`] as JSON.
pub const NOTE: &str = "copies";
/// Collects changes within this time into one copy; none waits longer than a minute.
const GATHER: Duration = Duration::from_secs(30);
/// Pause after a failure.
const RETRY: Duration = Duration::from_mins(5);
/// Interval at which the job checks whether a whole copy is due.
const LOOK: Duration = Duration::from_mins(5);

/// Lets the panel request a whole copy and read its progress.
#[derive(Debug, Default)]
pub struct WholeCopies {
    pub trigger: JobTrigger,
    pub progress: Progress,
}

/// Reads all data that a copy needs, from a live or snapshot reader.
pub fn take(reader: &Reader<'_>) -> Result<Snapshot> {
    Ok(Snapshot {
        rows: reader.rows(NOTES)?,
        blobs: reader.blobs().list()?,
        items: reader.figures()?.counts.values().sum(),
        secret: reader.secret()?,
        lineage: reader.file_identity()?,
    })
}

/// Returns the bytes of a picture that rows reference.
pub fn blob(reader: &Reader<'_>, blob: Blob) -> Result<Vec<u8>> {
    reader
        .blobs()
        .get(&blob.hash)?
        .ok_or(Error::Db(db::Error::NotFound))
}

pub fn fault_of(error: &Error) -> StorageError {
    StorageError::Other(format!("the data file cannot be copied: {error}"))
}

/// Reads the data file for the duration of `read`. Fails once the server has stopped.
pub fn look<T>(
    site: &Weak<Site>,
    read: impl FnOnce(&Reader<'_>) -> Result<T>,
) -> Result<T, StorageError> {
    let gone = || StorageError::Other("the server stops".to_owned());
    let store = site.upgrade().ok_or_else(gone)?.store();
    seen(store.read(read))
}

struct Runner {
    /// Weak, so that a running copy does not delay shutdown.
    site: Weak<Site>,
    whole_copies: Arc<WholeCopies>,
    copies: BackupRepository,
    sealer: Encryptor,
    /// Hashes of the pictures of a running whole copy.
    coming: Mutex<BTreeSet<[u8; 32]>>,
}

impl Runner {
    fn site(&self) -> Result<Arc<Site>, StorageError> {
        let gone = || StorageError::Other("the server stops".to_owned());
        self.site.upgrade().ok_or_else(gone)
    }

    fn read<T>(&self, read: impl FnOnce(&Reader<'_>) -> Result<T>) -> Result<T, StorageError> {
        look(&self.site, read)
    }

    fn coming(&self) -> MutexGuard<'_, BTreeSet<[u8; 32]>> {
        self.coming.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fails if a restore has replaced the data file being copied.
    fn require_same(&self, held: &Weak<Store>) -> Result<(), StorageError> {
        if Weak::ptr_eq(held, &Arc::downgrade(&self.site()?.store())) {
            return Ok(());
        }
        Err(StorageError::Other(
            "another data file is in its place".to_owned(),
        ))
    }

    /// Makes a whole copy from a snapshot beside the live data file: its picture reads evict
    /// nothing from memory, and no picture is deleted meanwhile.
    fn whole(&self) -> Result<Copied, StorageError> {
        let store = self.site()?.store();
        let beside = store.verified_snapshot().map_err(|problems| {
            StorageError::Other(format!("the data file is damaged: {}", problems.join("; ")))
        })?;
        let held = Arc::downgrade(&store);
        drop(store);
        let mark = seen(beside.read(|reader| Ok(reader.mark(NOTES)?)))?;
        let taken = seen(beside.read(take))?;
        *self.coming() = taken.blobs.iter().map(|blob| blob.hash).collect();
        let told = |there, all| self.whole_copies.progress.set(there, all);
        let mut bytes = |one: Blob| {
            self.require_same(&held)?;
            seen(beside.read(|reader| blob(reader, one)))
        };
        let is_still = || self.require_same(&held);
        let source = Source {
            told: &told,
            is_still: &is_still,
            ..Source::of(&mut bytes)
        };
        let sent = self.send(BackupKind::Whole, &taken, source);
        self.coming().clear();
        let mut sent = sent?;
        sent.space = self.copies.space().ok();
        Ok((mark, sent))
    }

    /// Copies changes if the mark differs from `last`. A restore in between is no failure: the next
    /// copy is of the restored data file.
    fn changes(&self, last: [u8; 32]) -> Result<Option<Copied>, StorageError> {
        let held = Arc::downgrade(&self.site()?.store());
        match self.changes_of(&held, last) {
            Err(_) if self.require_same(&held).is_err() => Ok(None),
            done => done,
        }
    }

    fn changes_of(
        &self,
        held: &Weak<Store>,
        last: [u8; 32],
    ) -> Result<Option<Copied>, StorageError> {
        // Read the mark before the rows: a change in between is copied now, and once more later.
        let mark = self.read(|reader| Ok(reader.mark(NOTES)?))?;
        if mark == last {
            return Ok(None);
        }
        let taken = self.read(take)?;
        let mut bytes = |one: Blob| self.read(|reader| blob(reader, one));
        let is_coming = |one: &Blob| self.coming().contains(&one.hash);
        let is_still = || self.require_same(held);
        let source = Source {
            is_coming: &is_coming,
            is_still: &is_still,
            ..Source::of(&mut bytes)
        };
        let sent = self.send(BackupKind::Changes, &taken, source)?;
        Ok(Some((mark, sent)))
    }

    /// Uploads a copy and removes outdated ones.
    fn send(
        &self,
        sort: BackupKind,
        taken: &Snapshot,
        mut source: Source<'_>,
    ) -> Result<UploadStats, StorageError> {
        let now = self.site()?.now();
        let sent = self
            .copies
            .send(&self.sealer, sort, now, taken, &mut source);
        if sent == Err(StorageError::Full) {
            // The leftovers of interrupted copies may occupy the space that the next try needs.
            self.copies.prune(BackupKind::Whole, now)?;
        }
        let mut sent = sent?;
        sent.pruned = self.copies.prune(sort, now)?;
        Ok(sent)
    }
}

fn seen<T>(read: Result<T>) -> Result<T, StorageError> {
    read.map_err(|error| fault_of(&error))
}

/// A running whole copy and its start time.
struct Whole {
    began: Timestamp,
    work: JoinHandle<Result<Result<Copied, StorageError>>>,
}

impl Whole {
    fn begin(site: &Site, runner: &Arc<Runner>) -> Self {
        runner.whole_copies.progress.set(0, 0);
        runner.whole_copies.trigger.start();
        let own = Arc::clone(runner);
        Self {
            began: site.now(),
            work: tokio::spawn(blocking(move || Ok(own.whole()))),
        }
    }
}

/// Waits for the end of the whole copy; pends forever if none is running.
async fn ended(whole: &mut Option<Whole>) -> (Timestamp, Result<Copied, StorageError>) {
    let Some(Whole { began, work }) = whole else {
        return pending().await;
    };
    let done = match work.await {
        Ok(done) => done.unwrap_or_else(|error| Err(fault_of(&error))),
        Err(error) => Err(StorageError::Other(error.to_string())),
    };
    let began = *began;
    *whole = None;
    (began, done)
}

/// Runs the copy job until the server stops. `place` is the display name of the bucket.
pub async fn run(
    site: Arc<Site>,
    whole_copies: Arc<WholeCopies>,
    copies: BackupRepository,
    sealer: Encryptor,
    place: String,
) {
    let mut changes = site.commits();
    let runner = Arc::new(Runner {
        site: Arc::downgrade(&site),
        whole_copies: Arc::clone(&whole_copies),
        copies,
        sealer,
        coming: Mutex::default(),
    });
    let known = site.load_task_state(NOTE).await;
    let known = known.filter(|known: &Outcome| known.place == place);
    let mut keeping = Keeping::new(known.unwrap_or_else(|| Outcome {
        place,
        ok: true,
        ..Outcome::default()
    }));
    let (mut told_at, mut is_wished, mut whole) = (None, false, None);
    let mut next_whole = Instant::now();
    loop {
        let was = keeping.outcome.clone();
        let now = site.now();
        let is_due = keeping.is_due(now) || keeping.is_wanted();
        let is_due = is_wished || is_due && Instant::now() >= next_whole;
        let pause = if whole.is_none() && is_due {
            is_wished = false;
            keeping.begin_whole();
            whole = Some(Whole::begin(&site, &runner));
            // Most whole copies finish before changes made meanwhile need a copy of their own.
            Pause::Gather
        } else {
            let (own, last) = (Arc::clone(&runner), keeping.last());
            let done = blocking(move || Ok(own.changes(last))).await;
            let done = done.unwrap_or_else(|error| Err(fault_of(&error)));
            let has_failed = done.is_err();
            keeping.changes_ended(now, done);
            if has_failed {
                Pause::Retry
            } else {
                Pause::Look
            }
        };
        tell(&site, &keeping.outcome, &was, &mut told_at).await;
        if keeping.is_wanted() && Instant::now() >= next_whole {
            continue;
        }
        let was = keeping.outcome.clone();
        tokio::select! {
            (began, done) = ended(&mut whole) => {
                if done.is_err() {
                    next_whole = Instant::now() + RETRY;
                }
                keeping.whole_ended(began, site.now(), done);
                tell(&site, &keeping.outcome, &was, &mut told_at).await;
                whole_copies.trigger.finish();
            }
            wished = wait(&whole_copies, &mut changes, pause) => is_wished |= wished,
        }
    }
}

/// Persists the outcome and notifies the admin of news.
async fn tell(site: &Site, state: &Outcome, was: &Outcome, told_at: &mut Option<Timestamp>) {
    if state != was
        && let Err(error) = site.save_task_state(NOTE, state).await
    {
        tracing::error!(%error, "cannot remember how copying went");
    }
    let now = site.now();
    if let Some(notice) = news(state, was, now, *told_at) {
        *told_at = Some(now);
        site.notify(notice).await;
    }
}

/// What the job waits for before it checks for changes again.
#[derive(Debug, Clone, Copy)]
enum Pause {
    Gather,
    Retry,
    Look,
}

/// Waits for changes or the next clock check. Returns whether the admin requests a whole copy.
async fn wait(
    whole_copies: &WholeCopies,
    changes: &mut watch::Receiver<u64>,
    pause: Pause,
) -> bool {
    let something = async {
        match pause {
            Pause::Gather => sleep(GATHER).await,
            Pause::Retry => sleep(RETRY).await,
            Pause::Look => {
                if timeout(LOOK, changes.changed()).await.is_ok() {
                    sleep(GATHER).await;
                }
            }
        }
        changes.borrow_and_update();
    };
    tokio::select! {
        () = something => false,
        () = whole_copies.trigger.requested() => true,
    }
}
