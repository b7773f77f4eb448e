//! Where the bytes of a database are, and a first look at them that changes nothing.

mod copy_on_write;
mod counting;

pub(crate) use copy_on_write::CowBackend;

use crate::file_metadata::{CLEAN_KEY, SCHEMA_KEY};
use crate::open_error::{OpenError, SCHEMA};
use crate::tables::{self, META};
use counting::CountingBackend;
use redb::{Builder, Database, DatabaseError, ReadableDatabase, backends};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Memory for pages; the default of redb is 1 GiB. What is published lies in memory by itself, and
/// the system keeps the file's pages too.
pub(crate) const CACHE_BYTES: usize = 8 * 1024 * 1024;
/// How every redb file starts.
const MAGIC: &[u8] = b"redb\x1a\x0a\xa9\x0d\x0a";

/// Where the bytes of a database are.
pub(crate) trait Backend: Send + Sync {
    /// Opens it for writing, with an exclusive lock.
    fn open(&self) -> Result<Database, DatabaseError>;
    /// Opens it with changes that stay in memory. A shared lock keeps writers away.
    fn open_copy_on_write(&self) -> Result<Database, DatabaseError>;
    /// Bytes written since it was made.
    fn written(&self) -> Arc<AtomicU64>;
}

/// A file that is there already.
pub(crate) struct FileBackend {
    path: PathBuf,
    written: Arc<AtomicU64>,
}

impl FileBackend {
    pub(crate) fn at(path: &Path) -> Self {
        Self::counting(path, Arc::default())
    }

    /// The counter of another, which goes on.
    pub(crate) fn counting(path: &Path, written: Arc<AtomicU64>) -> Self {
        let path = path.to_owned();
        Self { path, written }
    }
}

impl Backend for FileBackend {
    fn open(&self) -> Result<Database, DatabaseError> {
        let file = OpenOptions::new().read(true).write(true).open(&self.path)?;
        if file.metadata()?.len() == 0 {
            // redb would begin a new database in it.
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
}

pub(crate) fn builder() -> Builder {
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE_BYTES);
    builder
}

/// Looks at a file without changing it: the schema number, and the file as it would be after a
/// repair. A file that was not closed by us is verified whole first, since redb alone would serve
/// a torn copy.
pub(crate) fn inspect(path: &Path) -> Result<(u32, Database), OpenError> {
    if !fs::metadata(path)?.is_file() {
        // Reading on might never end.
        return Err(OpenError::Special(path.to_owned()));
    }
    let mut start = [0; MAGIC.len()];
    let is_redb = File::open(path)?.read_exact(&mut start).is_ok() && start == *MAGIC;
    if !is_redb {
        return Err(OpenError::damaged("it does not start as one"));
    }
    verify(&FileBackend::at(path))
}

/// The same for what is known to be a database.
pub(crate) fn verify(backend: &dyn Backend) -> Result<(u32, Database), OpenError> {
    // redb may panic on pages that make no sense.
    let looked = catch_unwind(AssertUnwindSafe(|| {
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
    }));
    looked.unwrap_or_else(|_| Err(OpenError::damaged("its pages make no sense")))
}

/// Schema number, and whether the file was closed properly.
fn state(database: &Database) -> Result<(u32, bool), OpenError> {
    let transaction = database.begin_read().map_err(tables::failed)?;
    let schema = tables::record(&transaction, META, SCHEMA_KEY)?;
    let schema = schema.filter(|number| *number > 0);
    let schema = schema.ok_or_else(|| OpenError::damaged("it has no format number"))?;
    let is_clean = tables::record(&transaction, META, CLEAN_KEY)?.unwrap_or(false);
    Ok((schema, is_clean))
}
