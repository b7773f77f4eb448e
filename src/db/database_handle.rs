//! The open database: writable, or read-only while the disk takes no writes. Reopened after a
//! failed write, and when the disk takes writes again.

use crate::backend::{Backend, FileBackend};
use crate::disk_space::DiskReserve;
use crate::error::{Error, Result};
use crate::file_metadata::mark_clean;
use crate::migrations;
use crate::open_error::{OpenError, WriteBlock};
use crate::retained_reads::RetainedReads;
use crate::tables::failed;
use crate::transaction::Transaction;
use redb::Database;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock, RwLockWriteGuard};
use std::time::Instant;

enum State {
    Open(Database),
    ReadOnly(Database, WriteBlock),
    /// After a failure, until the file can be reopened.
    Closed,
}

impl State {
    fn database(&self) -> Option<&Database> {
        match self {
            Self::Open(database) | Self::ReadOnly(database, _) => Some(database),
            Self::Closed => None,
        }
    }
}

pub(crate) struct DatabaseHandle {
    path: PathBuf,
    /// `None` for a store that stays read-only.
    backend: Option<Box<dyn Backend>>,
    state: RwLock<State>,
    pub(crate) disk_reserve: DiskReserve,
    retained_reads: RetainedReads,
    /// Whether a commit failed since this was last asked. It may be in the file nevertheless.
    has_uncertain_commit: AtomicBool,
}

impl DatabaseHandle {
    /// The caller has verified the file. Opens it read-only on a disk that takes no writes.
    pub(crate) fn open(path: &Path, backend: Box<dyn Backend>) -> Result<Self, OpenError> {
        let disk_reserve = DiskReserve::next_to(path);
        disk_reserve.adopt_legacy();
        let state = open_or_read_only(path, &*backend, &disk_reserve)?;
        Ok(Self {
            path: path.to_owned(),
            state: RwLock::new(state),
            retained_reads: RetainedReads::with_counter(backend.written()),
            backend: Some(backend),
            disk_reserve,
            has_uncertain_commit: AtomicBool::default(),
        })
    }

    /// Serves reads of `database`: writes neither the file nor anything next to it.
    pub(crate) fn read_only(path: &Path, database: Database) -> Result<Self, OpenError> {
        migrations::in_memory(migrations::STEPS, &database)?;
        Ok(Self {
            path: path.to_owned(),
            state: RwLock::new(State::ReadOnly(database, WriteBlock::ReadOnly)),
            disk_reserve: DiskReserve::next_to(path),
            retained_reads: RetainedReads::default(),
            backend: None,
            has_uncertain_commit: AtomicBool::default(),
        })
    }

    pub(crate) fn with_database<T>(&self, read: impl FnOnce(&Database) -> Result<T>) -> Result<T> {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(database) = state.database() {
            return read(database);
        }
        drop(state);
        self.reopen();
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        read(state.database().ok_or_else(not_reopened)?)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Sets the path after the open file was renamed.
    pub(crate) fn set_backend_path(&mut self, path: &Path) {
        if let Some(backend) = &self.backend {
            self.backend = Some(Box::new(FileBackend::renamed(path, &**backend)));
        }
    }

    /// Inode of the open file; 0 if unknown.
    pub(crate) fn inode(&self) -> u64 {
        self.backend.as_ref().map_or(0, |backend| backend.inode())
    }

    /// Why the file was opened read-only.
    pub(crate) fn write_block(&self) -> Option<WriteBlock> {
        match &*self.state.read().unwrap_or_else(PoisonError::into_inner) {
            State::ReadOnly(_, trouble) => Some(*trouble),
            State::Open(_) | State::Closed => None,
        }
    }

    /// Why the file cannot be written, as of the last write.
    pub(crate) fn trouble(&self) -> Option<WriteBlock> {
        match &*self.state.read().unwrap_or_else(PoisonError::into_inner) {
            State::Open(_) if self.disk_reserve.is_low() => Some(WriteBlock::Full),
            State::Open(_) => None,
            State::ReadOnly(_, trouble) => Some(*trouble),
            State::Closed => Some(WriteBlock::ReadOnly),
        }
    }

    /// Returns whether a commit failed since the last call: it may be in the file nevertheless.
    pub(crate) fn take_uncertain_commit(&self) -> bool {
        self.has_uncertain_commit.swap(false, Ordering::AcqRel)
    }

    /// Runs `work` in one transaction, durable when this returns `Ok`, else rolled back. Not
    /// generic, so that it is compiled once.
    pub(crate) fn transact(&self, work: &mut dyn FnMut(&Transaction) -> Result<()>) -> Result<()> {
        let outcome = self.with_writable(|database| {
            let is_short = self.disk_reserve.is_low();
            if is_short {
                // The retained pages are needed now.
                self.retained_reads.clear();
            } else {
                self.retained_reads.rotate(database, Instant::now())?;
            }
            let transaction = Transaction::begin(database)?;
            work(&transaction)?;
            if is_short && transaction.is_changed() && !transaction.adds() {
                self.disk_reserve.release();
            }
            let written_before = self.retained_reads.written();
            let was_uncertain = self.has_uncertain_commit.swap(true, Ordering::AcqRel);
            let stats = transaction.commit()?;
            self.has_uncertain_commit
                .store(was_uncertain, Ordering::Release);
            self.retained_reads.record_commit(written_before, stats);
            Ok(())
        });
        // Also after `Aborted`: the caller may have converted a disk error.
        if let Err(Error::StorageFull | Error::ReadOnly | Error::Storage(_) | Error::Aborted) =
            &outcome
        {
            self.recover();
        }
        self.disk_reserve.refill();
        outcome
    }

    fn with_writable<T>(&self, write: impl FnOnce(&Database) -> Result<T>) -> Result<T> {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        if let State::Open(database) = &*state {
            return write(database);
        }
        drop(state);
        self.reopen();
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        match &*state {
            State::Open(database) => write(database),
            State::ReadOnly(_, trouble) => Err(trouble.error()),
            State::Closed => Err(not_reopened()),
        }
    }

    /// Reopens the file after an I/O error, because redb refuses all further writes.
    fn recover(&self) {
        let is_writable = |state: &State| match state {
            State::Open(database) => database.begin_write().is_ok(),
            State::ReadOnly(..) | State::Closed => true,
        };
        if is_writable(&self.state.read().unwrap_or_else(PoisonError::into_inner)) {
            return;
        }
        let state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        if !is_writable(&state) {
            self.reopen_locked(state);
        }
    }

    fn reopen(&self) {
        let state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        if !matches!(&*state, State::Open(_)) {
            self.reopen_locked(state);
        }
    }

    fn reopen_locked(&self, mut state: RwLockWriteGuard<'_, State>) {
        let Some(backend) = &self.backend else {
            return;
        };
        self.retained_reads.clear();
        // The lock must be released before the file can be reopened.
        *state = State::Closed;
        match open_or_read_only(&self.path, &**backend, &self.disk_reserve) {
            Ok(State::Open(database)) => {
                tracing::info!("the data file is open again");
                *state = State::Open(database);
            }
            Ok(other) => *state = other,
            Err(error) => {
                let error = error.at(&self.path);
                tracing::error!(%error, "cannot open the data file again");
            }
        }
    }

    /// Compacts the file. Returns `false` while a read is in progress.
    pub(crate) fn compact(&self) -> Result<bool> {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        let State::Open(database) = &mut *state else {
            return Ok(false);
        };
        self.retained_reads.clear();
        match database.compact() {
            Ok(_) => Ok(true),
            Err(redb::CompactionError::TransactionInProgress) => Ok(false),
            Err(error) => {
                drop(state);
                self.recover();
                Err(failed(error))
            }
        }
    }
}

impl Drop for DatabaseHandle {
    fn drop(&mut self) {
        self.retained_reads.clear();
        let state = self.state.get_mut();
        if let State::Open(database) = state.unwrap_or_else(PoisonError::into_inner)
            && let Err(error) = mark_clean(database, true)
        {
            tracing::warn!(%error, "cannot mark the data file as closed, the next start checks it");
        }
    }
}

/// Opens for writing, on a full disk with the help of the reserve, else read-only.
fn open_or_read_only(
    path: &Path,
    backend: &dyn Backend,
    disk_reserve: &DiskReserve,
) -> Result<State, OpenError> {
    let opened = match open_for_writing(path, backend) {
        Err(error) if error.trouble() == Some(WriteBlock::Full) && disk_reserve.release() => {
            let opened = open_for_writing(path, backend);
            disk_reserve.refill();
            opened
        }
        opened => opened,
    };
    let error = match opened {
        Ok(database) => return Ok(State::Open(database)),
        Err(error) => error,
    };
    let Some(trouble) = error.trouble() else {
        return Err(error);
    };
    let database = backend.open_copy_on_write()?;
    migrations::in_memory(migrations::STEPS, &database)?;
    tracing::error!(
        ?trouble,
        "the disk of the data file takes no writes: the site is up and cannot be changed"
    );
    Ok(State::ReadOnly(database, trouble))
}

fn open_for_writing(path: &Path, backend: &dyn Backend) -> Result<Database, OpenError> {
    let database = backend.open()?;
    migrations::run(migrations::STEPS, &database, path)?;
    mark_clean(&database, false)?;
    Ok(database)
}

fn not_reopened() -> Error {
    Error::Storage("the data file could not be opened again".to_owned())
}
