//! Where the bytes of a database are, and a first look at them that changes nothing.

use super::measured::Measured;
use super::meta::{CLEAN_KEY, SCHEMA_KEY};
use super::open_error::{OpenError, SCHEMA};
use super::overlay::Overlay;
use super::tables::{self, META};
use redb::backends::FileBackend;
use redb::{Builder, Database, DatabaseError, ReadableDatabase};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Memory for pages; the default of redb is 1 GiB. What is published lies in memory by itself, and
/// the system keeps the file's pages too.
pub(super) const CACHE_BYTES: usize = 8 * 1024 * 1024;
/// How every redb file starts.
const MAGIC: &[u8] = b"redb\x1a\x0a\xa9\x0d\x0a";

/// Where the bytes of a database are.
pub(super) trait Medium: Send + Sync {
    /// Locks it for us alone.
    fn open(&self) -> Result<Database, DatabaseError>;
    /// What is there, with changes that stay in memory. Locks it against writers.
    fn look(&self) -> Result<Database, DatabaseError>;
    /// Bytes written since it was made.
    fn written(&self) -> Arc<AtomicU64>;
}

/// A file that is there already.
pub(super) struct OnDisk {
    path: PathBuf,
    written: Arc<AtomicU64>,
}

impl OnDisk {
    pub(super) fn at(path: &Path) -> Self {
        Self::counting(path, Arc::default())
    }

    /// The counter of another, which goes on.
    pub(super) fn counting(path: &Path, written: Arc<AtomicU64>) -> Self {
        let path = path.to_owned();
        Self { path, written }
    }
}

impl Medium for OnDisk {
    fn open(&self) -> Result<Database, DatabaseError> {
        let file = OpenOptions::new().read(true).write(true).open(&self.path)?;
        if file.metadata()?.len() == 0 {
            // redb would begin a new database in it.
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        builder().create_with_backend(Measured::over(file, Arc::clone(&self.written))?)
    }

    fn look(&self) -> Result<Database, DatabaseError> {
        let file = FileBackend::new(File::open(&self.path)?)?;
        builder().create_with_backend(Overlay::over(file)?)
    }

    fn written(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.written)
    }
}

pub(super) fn builder() -> Builder {
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE_BYTES);
    builder
}

/// Looks at a file without changing it: the schema number, and the file as it would be after a
/// repair. A file that was not closed by us is verified whole first, since redb alone would serve
/// a torn copy.
pub(super) fn probe(path: &Path) -> Result<(u32, Database), OpenError> {
    if !fs::metadata(path)?.is_file() {
        // Reading on might never end.
        return Err(OpenError::Special(path.to_owned()));
    }
    let mut start = [0; MAGIC.len()];
    let is_redb = File::open(path)?.read_exact(&mut start).is_ok() && start == *MAGIC;
    if !is_redb {
        return Err(OpenError::damaged("it does not start as one"));
    }
    verify(&OnDisk::at(path))
}

/// The same for what is known to be a database.
pub(super) fn verify(medium: &dyn Medium) -> Result<(u32, Database), OpenError> {
    // redb may panic on pages that make no sense.
    let looked = catch_unwind(AssertUnwindSafe(|| {
        let mut database = medium.look()?;
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
