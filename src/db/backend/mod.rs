//! Where the bytes of a database are stored, and how a file is inspected without changing it.

mod copy_on_write;
mod counting;

pub(crate) use copy_on_write::CowBackend;

use crate::file_metadata::{CLEAN_KEY, SCHEMA_KEY};
use crate::open_error::{OpenError, SCHEMA};
use crate::tables::{self, META};
use counting::CountingBackend;
use redb::{Builder, Database, DatabaseError, ReadableDatabase, backends};
use rustix::fs::OFlags;
use std::cell::Cell;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Once};

/// Page cache; redb's default is 1 GiB. Published pages are cached elsewhere, and the operating
/// system caches the file.
pub(crate) const CACHE_BYTES: usize = 8 * 1024 * 1024;
/// First bytes of every redb file.
const MAGIC: &[u8] = b"redb\x1a\x0a\xa9\x0d\x0a";

/// Where the bytes of a database are stored.
pub(crate) trait Backend: Send + Sync {
    /// Opens it for writing, with an exclusive lock.
    fn open(&self) -> Result<Database, DatabaseError>;
    /// Opens it with changes that stay in memory. A shared lock keeps writers away.
    fn open_copy_on_write(&self) -> Result<Database, DatabaseError>;
    /// Bytes written through this backend.
    fn written(&self) -> Arc<AtomicU64>;
    /// Inode of the file that was opened last; 0 if unknown.
    fn inode(&self) -> u64;
}

/// An existing file.
pub(crate) struct FileBackend {
    path: PathBuf,
    written: Arc<AtomicU64>,
    inode: AtomicU64,
}

impl FileBackend {
    pub(crate) fn at(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            written: Arc::default(),
            inode: AtomicU64::default(),
        }
    }

    /// The same open file after it was renamed.
    pub(crate) fn renamed(path: &Path, former: &dyn Backend) -> Self {
        Self {
            path: path.to_owned(),
            written: former.written(),
            inode: AtomicU64::new(former.inode()),
        }
    }
}

impl Backend for FileBackend {
    fn open(&self) -> Result<Database, DatabaseError> {
        // Links are resolved before: one that is here now was put here meanwhile.
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .custom_flags(OFlags::NOFOLLOW.bits().cast_signed())
            .open(&self.path)?;
        let found = file.metadata()?;
        self.inode.store(found.ino(), Ordering::Relaxed);
        if found.len() == 0 {
            // redb would create a database in it.
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        builder().create_with_backend(CountingBackend::new(file, Arc::clone(&self.written))?)
    }

    fn open_copy_on_write(&self) -> Result<Database, DatabaseError> {
        let file = backends::FileBackend::new(File::open(&self.path)?)?;
        builder().create_with_backend(CowBackend::new(file)?)
    }

    fn written(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.written)
    }

    fn inode(&self) -> u64 {
        self.inode.load(Ordering::Relaxed)
    }
}

pub(crate) fn builder() -> Builder {
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE_BYTES);
    builder
}

/// Inspects a file without changing it. Returns its schema number and the database as it is after a
/// repair. Verifies a file that was not closed cleanly, because redb alone would serve a torn copy.
pub(crate) fn inspect(path: &Path) -> Result<(u32, Database), OpenError> {
    if !fs::metadata(path)?.is_file() {
        // Reading a pipe might never end.
        return Err(OpenError::Special(path.to_owned()));
    }
    let mut start = [0; MAGIC.len()];
    let is_redb = File::open(path)?.read_exact(&mut start).is_ok() && start == *MAGIC;
    if !is_redb {
        return Err(OpenError::damaged("it does not start as one"));
    }
    verify(&FileBackend::at(path))
}

/// The same for a known database.
pub(crate) fn verify(backend: &dyn Backend) -> Result<(u32, Database), OpenError> {
    let looked = catch_panic(|| {
        let mut database = backend.open_copy_on_write()?;
        let (schema, is_clean) = state(&database)?;
        if schema > SCHEMA {
            return Err(OpenError::Newer {
                path: PathBuf::new(),
                found: schema,
                known: SCHEMA,
            });
        }
        if !is_clean && !database.check_integrity()? {
            return Err(OpenError::damaged("its checksums do not match"));
        }
        Ok((schema, database))
    });
    looked.unwrap_or_else(|| Err(OpenError::damaged("its pages make no sense")))
}

thread_local! {
    static IS_INSPECTING: Cell<bool> = const { Cell::new(false) };
}

/// Returns `None` if redb panics, which it may on corrupt pages. The panic prints nothing: the
/// caller reports the damage.
pub(crate) fn catch_panic<T>(work: impl FnOnce() -> T) -> Option<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IS_INSPECTING.get() {
                usual(info);
            }
        }));
    });
    let was_inspecting = IS_INSPECTING.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    IS_INSPECTING.set(was_inspecting);
    done.ok()
}

/// Returns the schema number and whether the file was closed cleanly.
fn state(database: &Database) -> Result<(u32, bool), OpenError> {
    let transaction = database.begin_read().map_err(tables::failed)?;
    let schema = tables::record(&transaction, META, SCHEMA_KEY)?;
    let schema = schema.filter(|number| *number > 0);
    let schema = schema.ok_or_else(|| OpenError::damaged("it has no format number"))?;
    let is_clean = tables::record(&transaction, META, CLEAN_KEY)?.unwrap_or(false);
    Ok((schema, is_clean))
}
