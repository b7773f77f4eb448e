//! A snapshot of the open data file that a second handle or a second process reads in place.
//! Nothing is copied and nothing written, however full the disk is.

use crate::backend::{CowBackend, builder};
use crate::database_handle::DatabaseHandle;
use crate::error::{Error, Result};
use crate::open_error::OpenError;
use crate::tables::failed;
use crate::transaction::begin;
use crate::{CheckReport, Store, StoreStats, backup, integrity_check};
use redb::{Database, DatabaseError, ReadTransaction, ReadableDatabase, StorageBackend};
use respiro_content::Timestamp;
use std::fmt;
use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::Path;
use std::sync::Arc;

/// Bytes of the file's head, the only ones that redb overwrites in place.
const HEAD_BYTES: usize = 4096;

/// Page cache of a snapshot's reader: it reads each page about once.
const CACHE_BYTES: usize = 2 * 1024 * 1024;

/// Reports whether a snapshot is still pinned. Once it is not, its pages may be overwritten.
#[derive(Clone)]
pub struct SnapshotLease(Arc<dyn Fn() -> bool + Send + Sync>);

impl SnapshotLease {
    pub fn new(is_valid: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(is_valid))
    }

    pub fn is_valid(&self) -> bool {
        (self.0)()
    }
}

impl fmt::Debug for SnapshotLease {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.is_valid() { "valid" } else { "expired" })
    }
}

/// Where a reader finds the snapshot: the head and the length of the file when it was pinned.
#[derive(Debug, Clone)]
pub struct SnapshotHeader {
    pub head: Vec<u8>,
    pub bytes: u64,
    /// Inode of the file, whose path may lead to another file after a restore; 0 if unknown.
    pub inode: u64,
    pub lease: SnapshotLease,
}

/// Keeps the pages of a snapshot from being overwritten until it is dropped.
pub struct PinnedSnapshot {
    pub header: SnapshotHeader,
    // Fields are dropped in order: the lease ends before redb may reuse the pages.
    _lease_token: Arc<()>,
    _view: ReadTransaction,
}

impl Store {
    pub fn pin_snapshot(&self) -> Result<PinnedSnapshot> {
        self.file.with_database(|database| {
            // An open write transaction keeps others from committing while the head is read.
            let write_guard = begin(database)?;
            let view = database.begin_read().map_err(failed)?;
            let lease_token = Arc::new(());
            let weak = Arc::downgrade(&lease_token);
            let lease = SnapshotLease::new(move || weak.strong_count() > 0);
            let header = self.file.snapshot_header(lease)?;
            write_guard.abort().map_err(failed)?;
            Ok(PinnedSnapshot {
                header,
                _lease_token: lease_token,
                _view: view,
            })
        })
    }

    /// A read-only store on a snapshot of this one, verified: structure, records, blobs,
    /// references. Its page cache is its own: the open file keeps what visitors need.
    pub fn verified_snapshot(&self) -> Result<Self, Vec<String>> {
        let as_list = |error: String| vec![error];
        let pinned = self.pin_snapshot();
        let pinned = pinned.map_err(|error| as_list(error.to_string()))?;
        let open_pinned = || Ok(open(&self.path, &pinned.header)?);
        let (database, _) = integrity_check::verified(&self.path, open_pinned)?;
        let store = Self::read_only(&self.path, database, Some(pinned));
        store.map_err(|error| as_list(error.at(&self.path).to_string()))
    }

    /// Opens the snapshot of the file at `path` that another handle has pinned, read-only.
    pub fn open_snapshot(path: &Path, header: &SnapshotHeader) -> Result<Self, OpenError> {
        let opened = open(path, header).map_err(OpenError::from);
        opened
            .and_then(|database| Self::read_only(path, database, None))
            .map_err(|error| error.at(path))
    }
}

impl DatabaseHandle {
    fn snapshot_header(&self, lease: SnapshotLease) -> Result<SnapshotHeader> {
        let unreadable = |error: io::Error| Error::Storage(error.to_string());
        let inode = self.inode();
        let file = open_inode(self.path(), inode).map_err(unreadable)?;
        let mut head = vec![0; HEAD_BYTES];
        file.read_exact_at(&mut head, 0).map_err(unreadable)?;
        let bytes = file.metadata().map_err(unreadable)?.len();
        Ok(SnapshotHeader {
            head,
            bytes,
            inode,
            lease,
        })
    }
}

/// Opens the file at `path`. Fails if a restore has put another file there meanwhile: its pages
/// would look like a damaged snapshot.
fn open_inode(path: &Path, inode: u64) -> io::Result<File> {
    let file = File::open(path)?;
    if inode != 0 && file.metadata()?.ino() != inode {
        let reason = "another data file was put in place meanwhile: run this again";
        return Err(io::Error::other(reason));
    }
    Ok(file)
}

/// The file as it was when it was pinned. Takes no lock: the process that writes the file has it.
#[derive(Debug)]
struct PinnedFile {
    file: File,
    header: SnapshotHeader,
}

impl StorageBackend for PinnedFile {
    fn len(&self) -> io::Result<u64> {
        Ok(self.header.bytes)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.file.read_exact_at(out, offset)?;
        // The bytes belong to the snapshot if it was still pinned after they were read.
        if !self.header.lease.is_valid() {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let head = self.header.head.get(start..).unwrap_or_default();
        let shared = head.len().min(out.len());
        out[..shared].copy_from_slice(&head[..shared]);
        Ok(())
    }

    fn set_len(&self, _: u64) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn sync_data(&self) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn write(&self, _: u64, _: &[u8]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

fn open(path: &Path, header: &SnapshotHeader) -> Result<Database, DatabaseError> {
    let file = PinnedFile {
        file: open_inode(path, header.inode)?,
        header: header.clone(),
    };
    builder()
        .set_cache_size(CACHE_BYTES)
        .create_with_backend(CowBackend::new(file)?)
}

/// Verifies the snapshot of the file at `path`.
pub fn check_snapshot(path: &Path, header: &SnapshotHeader) -> Result<CheckReport, Vec<String>> {
    integrity_check::whole(path, || Ok(open(path, header)?))
}

/// Writes a consistent, compact copy of the snapshot to `out`. Needs disk space only there.
pub fn backup_snapshot(
    path: &Path,
    header: &SnapshotHeader,
    out: &Path,
    now: Timestamp,
) -> Result<StoreStats> {
    let database = open(path, header).map_err(failed)?;
    let view = database.begin_read().map_err(failed)?;
    backup::copy(&view, out, Some(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: a restore in between mixed the head of one file with the pages of another, and
    /// the data file was reported as damaged.
    #[test]
    fn a_snapshot_of_a_replaced_file_is_refused_and_not_called_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("respiro.redb");
        let store = Store::open(&path).unwrap();
        let pinned = store.pin_snapshot().unwrap();
        check_snapshot(&path, &pinned.header).unwrap();
        let other = folder.path().join("other.redb");
        drop(Store::open(&other).unwrap());
        std::fs::rename(&other, &path).unwrap();
        let problems = check_snapshot(&path, &pinned.header).unwrap_err().join("");
        assert!(problems.contains("run this again"), "{problems}");
        assert!(!problems.contains("damaged"), "{problems}");
        let error = store.pin_snapshot().err().unwrap().to_string();
        assert!(error.contains("run this again"), "{error}");
    }
}
