//! Disk space: image uploads stop before the disk is full, and a reserve file keeps deleting and
//! signing in possible when it is.

use crate::error::{Error, Result};
use crate::fs_util::{
    create_private, legacy, open_no_follow, parent_dir, rename_noreplace, reserve_path,
};
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Free bytes that images leave to everything else; an eighth of the disk if that is less.
const FLOOR_BYTES: u64 = 64 * 1024 * 1024;
/// Size of the reserve. A deletion writes before it frees: on a full disk it would always fail
/// without the reserve.
const RESERVE_BYTES: u64 = 8 * 1024 * 1024;
/// The reserve is refilled in steps of this size.
const RESERVE_STEP_BYTES: u64 = 64 * 1024;
/// With less free space a write may fail.
const WRITE_BYTES: u64 = 2 * 1024 * 1024;

/// The reserve file next to a data file, and the disk they are on.
#[derive(Debug)]
pub(crate) struct DiskReserve {
    folder: PathBuf,
    reserve: PathBuf,
    legacy: PathBuf,
    /// Set when a file that is no reserve has its name; such a file is left alone.
    is_taken: AtomicBool,
}

impl DiskReserve {
    pub(crate) fn next_to(path: &Path) -> Self {
        Self {
            folder: parent_dir(path),
            reserve: reserve_path(path),
            legacy: legacy::reserve_path(path),
            is_taken: AtomicBool::new(false),
        }
    }

    /// Renames the reserve of an earlier build.
    pub(crate) fn adopt_legacy(&self) {
        if matches!(open_reserve(&self.legacy, false), Ok(Some(_)))
            && let Err(error) = rename_noreplace(&self.legacy, &self.reserve)
        {
            tracing::debug!(%error, "the reserve of an earlier build is not used");
        }
    }

    /// Fails if writing `bytes` of images would leave too little for everything else.
    pub(crate) fn ensure_free(&self, bytes: u64) -> Result<()> {
        match DiskSpace::of(&self.folder) {
            Some(space) if space.available < space.reserved_bytes().saturating_add(bytes * 2) => {
                Err(Error::StorageFull)
            }
            _ => Ok(()),
        }
    }

    /// Returns whether the next write may fail, not counting the reserve.
    pub(crate) fn is_low(&self) -> bool {
        DiskSpace::of(&self.folder).is_some_and(|space| space.available < WRITE_BYTES)
    }

    /// Releases the reserve for a write that must not fail. Returns whether there was one.
    pub(crate) fn release(&self) -> bool {
        let released = match open_reserve(&self.reserve, false) {
            Ok(Some(_)) => fs::remove_file(&self.reserve),
            Ok(None) => return false,
            Err(error) => Err(error),
        };
        match released {
            Ok(()) => {
                tracing::warn!("the disk is full, using the reserve beside the data file");
                true
            }
            Err(error) => {
                tracing::warn!(%error, "cannot give up the reserve");
                false
            }
        }
    }

    /// Refills the reserve as far as there is space. Called after each write, so that freed space
    /// goes to the reserve first.
    pub(crate) fn refill(&self) {
        let present = fs::symlink_metadata(&self.reserve).map_or(0, |file| file.blocks() * 512);
        if present >= RESERVE_BYTES || self.is_taken.load(Ordering::Relaxed) {
            return;
        }
        let Some(space) = DiskSpace::of(&self.folder) else {
            return;
        };
        let wanted = RESERVE_BYTES.min(present + space.available);
        let wanted = wanted - wanted % RESERVE_STEP_BYTES;
        if wanted > present
            && let Err(error) = self.allocate(wanted)
            && !crate::tables::is_full(&error)
        {
            tracing::warn!(%error, "cannot keep a reserve of disk space beside the data file");
        }
    }

    fn allocate(&self, bytes: u64) -> io::Result<()> {
        let opened = open_reserve(&self.reserve, true).inspect_err(|_| {
            self.is_taken.store(true, Ordering::Relaxed);
        })?;
        let file = match opened {
            Some(file) => file,
            None => create_private(&self.reserve)?,
        };
        let none = rustix::fs::FallocateFlags::empty();
        match rustix::fs::fallocate(&file, none, 0, bytes) {
            Err(rustix::io::Errno::OPNOTSUPP) => write_zeros(&file, bytes),
            done => Ok(done?),
        }
    }
}

/// Opens a reserve file; `None` if there is none. Fails for a link and for a file that holds
/// anything but zeros, such as a copy that a person gave this name.
fn open_reserve(path: &Path, write: bool) -> io::Result<Option<File>> {
    let mut file = match open_no_follow(path, write) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    let foreign = || io::Error::other(format!("{} holds something else", path.display()));
    if file.metadata()?.len() > RESERVE_BYTES {
        return Err(foreign());
    }
    let mut block = vec![0; 64 * 1024];
    loop {
        match file.read(&mut block)? {
            0 => return file.rewind().map(|()| Some(file)),
            length if block[..length].iter().any(|byte| *byte != 0) => return Err(foreign()),
            _ => {}
        }
    }
}

/// Size and free space of a disk, in bytes.
#[derive(Debug, Clone, Copy)]
pub struct DiskSpace {
    pub available: u64,
    pub total: u64,
}

impl DiskSpace {
    /// Measures the disk of a folder; `None` if the system does not tell.
    pub fn of(folder: &Path) -> Option<Self> {
        let disk = rustix::fs::statvfs(folder).ok()?;
        Some(Self {
            available: disk.f_bavail * disk.f_frsize,
            total: disk.f_blocks * disk.f_frsize,
        })
    }

    fn reserved_bytes(&self) -> u64 {
        FLOOR_BYTES.min(self.total / 8)
    }
}

/// Returns whether the disk has space for caches.
pub fn has_headroom(folder: &Path) -> bool {
    DiskSpace::of(folder)
        .is_none_or(|space| space.available > space.reserved_bytes().saturating_mul(2))
}

/// For file systems that cannot reserve space without writing.
fn write_zeros(mut file: &File, bytes: u64) -> io::Result<()> {
    // Not a constant, which would add 64 KB to the binary.
    let block = vec![0; 64 * 1024];
    for _ in 0..bytes / block.len() as u64 {
        file.write_all(&block)?;
    }
    Ok(())
}
