//! Room on the disk: pictures stop before it is full, and a ballast keeps deletions possible.

use super::place::{folder_of, reserve_of};
use crate::error::{Error, Result};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// Space that pictures leave to everything else, in bytes; less on a disk so small that this
/// would be more than an eighth of it.
const FLOOR_BYTES: u64 = 64 * 1024 * 1024;
/// Size of the ballast file. A deletion writes before it frees: on a disk with no byte left it
/// would fail for ever if this could not be given up.
const BALLAST_BYTES: u64 = 8 * 1024 * 1024;
/// Below this the ballast goes before a write is even tried.
const WRITE_BYTES: u64 = 2 * 1024 * 1024;

/// The disk that a data file lies on.
#[derive(Debug)]
pub(super) struct Room {
    folder: PathBuf,
    ballast: PathBuf,
}

impl Room {
    pub(super) fn around(path: &Path) -> Self {
        Self {
            folder: folder_of(path),
            ballast: reserve_of(path),
        }
    }

    /// Refuses before a write of `bytes` of pictures would eat what everything else needs.
    pub(super) fn require(&self, bytes: u64) -> Result<()> {
        match self.space() {
            Some(space) if space.available < space.floor().saturating_add(bytes * 2) => {
                Err(Error::StorageFull)
            }
            _ => Ok(()),
        }
    }

    /// Before a write: gives the ballast up when the disk is full, puts it back when it is not.
    pub(super) fn tend(&self) {
        let Some(space) = self.space() else { return };
        if space.available < WRITE_BYTES {
            self.release();
        } else if space.available > space.floor() + BALLAST_BYTES
            && !self.ballast.exists()
            && let Err(error) = self.put_ballast()
        {
            tracing::warn!(%error, "cannot keep a reserve of disk space beside the data file");
        }
    }

    pub(super) fn release(&self) {
        match fs::remove_file(&self.ballast) {
            Ok(()) => tracing::warn!("the disk is full, gave up the reserve beside the data file"),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => tracing::warn!(%error, "cannot give up the reserve"),
        }
    }

    fn put_ballast(&self) -> io::Result<()> {
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&self.ballast)?;
        let none = rustix::fs::FallocateFlags::empty();
        if rustix::fs::fallocate(&file, none, 0, BALLAST_BYTES).is_err() {
            write_zeros(&file)?;
        }
        Ok(())
    }

    fn space(&self) -> Option<Space> {
        let disk = rustix::fs::statvfs(&self.folder).ok()?;
        Some(Space {
            available: disk.f_bavail * disk.f_frsize,
            total: disk.f_blocks * disk.f_frsize,
        })
    }
}

/// Bytes of a disk.
struct Space {
    available: u64,
    total: u64,
}

impl Space {
    fn floor(&self) -> u64 {
        FLOOR_BYTES.min(self.total / 8)
    }
}

/// For file systems that cannot reserve space without writing.
fn write_zeros(mut file: &File) -> io::Result<()> {
    // Not a constant: its zeros would be 64 KB of the program.
    let block = vec![0; 64 * 1024];
    for _ in 0..BALLAST_BYTES / block.len() as u64 {
        file.write_all(&block)?;
    }
    Ok(())
}
