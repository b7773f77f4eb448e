//! Opening and creating the file: nothing is written to it before it has proved to be ours.

use super::Store;
use super::file::{DataFile, Medium, OnDisk, Trouble};
use super::meta::{CLEAN_KEY, COPIED_KEY, DEMO_KEY, SCHEMA_KEY, SECRET_KEY};
use super::place::{create_private, draft_of, folder_of, put_in_place, sync_folder};
use super::tables::{self, ALL, META};
use super::transaction::Transaction;
use crate::error::Result;
use redb::{Builder, Database, DatabaseError, ReadableDatabase};
use std::fs::{self, DirBuilder, File};
use std::io::{self, Read as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Number of the present layout of tables and records.
pub(super) const SCHEMA: u32 = 1;
/// Memory for pages; the default of redb is 1 GiB.
pub(super) const CACHE_BYTES: usize = 16 * 1024 * 1024;
/// How every redb file starts.
const MAGIC: &[u8] = b"redb\x1a\x0a\xa9\x0d\x0a";

/// Why a data file was not opened. The message says what to do next; the file is untouched.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("{0} is in use by another respiro: stop that one, or use another --data file")]
    Locked(PathBuf),
    #[error(
        "{path} was written by a newer respiro (format {found}, this one knows {known}): \
         install the newer version"
    )]
    Newer {
        path: PathBuf,
        found: u32,
        known: u32,
    },
    #[error("{path} is not a respiro data file, or it is damaged: {reason}; restore a backup")]
    Damaged { path: PathBuf, reason: String },
    #[error("{0} is no regular file: name one, or a new one, with --data")]
    Special(PathBuf),
    #[error("cannot open {path}: {source}")]
    Io { path: PathBuf, source: io::Error },
}

/// Why a file at rest cannot be used.
#[derive(Debug)]
pub(super) enum Fault {
    Locked,
    Newer(u32),
    Damaged(String),
    /// A pipe, a device, a folder, or a link that leads to no data file.
    Special,
    Io(io::Error),
}

impl Fault {
    /// Whether the disk takes no writes.
    pub(super) fn trouble(&self) -> Option<Trouble> {
        match self {
            Self::Io(error) if tables::is_full(error) => Some(Trouble::Full),
            Self::Io(error) if error.kind() == io::ErrorKind::ReadOnlyFilesystem => {
                Some(Trouble::ReadOnly)
            }
            _ => None,
        }
    }

    pub(super) fn at(self, path: &Path) -> OpenError {
        let path = path.to_owned();
        match self {
            Self::Locked => OpenError::Locked(path),
            Self::Newer(found) => OpenError::Newer {
                path,
                found,
                known: SCHEMA,
            },
            Self::Damaged(reason) => OpenError::Damaged { path, reason },
            Self::Special => OpenError::Special(path),
            Self::Io(source) => OpenError::Io { path, source },
        }
    }
}

impl From<DatabaseError> for Fault {
    fn from(error: DatabaseError) -> Self {
        match error {
            DatabaseError::DatabaseAlreadyOpen => Self::Locked,
            DatabaseError::Storage(redb::StorageError::Io(error))
                if error.kind() != io::ErrorKind::UnexpectedEof
                    && error.kind() != io::ErrorKind::InvalidData =>
            {
                Self::Io(error)
            }
            error => Self::Damaged(error.to_string()),
        }
    }
}

impl From<crate::error::Error> for Fault {
    fn from(error: crate::error::Error) -> Self {
        match error {
            crate::error::Error::StorageFull => Self::Io(io::ErrorKind::StorageFull.into()),
            crate::error::Error::ReadOnly => Self::Io(io::ErrorKind::ReadOnlyFilesystem.into()),
            error => Self::Damaged(error.to_string()),
        }
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Store {
    /// Opens or creates the file, migrates an older format after copying the file aside.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        Self::open_file(path).map_err(|fault| fault.at(path))
    }

    /// Opens a file that is only looked at: it stays as it is, byte for byte.
    pub fn look(path: &Path) -> Result<Self, OpenError> {
        let open = || {
            let (_, overlay) = probe(path)?;
            drop(overlay);
            Ok(Self {
                path: path.to_owned(),
                file: DataFile::look(path, Box::new(OnDisk::at(path)))?,
                held: Arc::default(),
            })
        };
        open().map_err(|fault: Fault| fault.at(path))
    }

    fn open_file(path: &Path) -> Result<Self, Fault> {
        if !has_content(path)? {
            create(path)?;
        }
        let (_, overlay) = probe(path)?;
        drop(overlay);
        Self::open_with(path, Box::new(OnDisk::at(path)))
    }

    /// The file is known to be ours and whole.
    pub(super) fn open_with(path: &Path, medium: Box<dyn Medium>) -> Result<Self, Fault> {
        Ok(Self {
            path: path.to_owned(),
            file: DataFile::open(path, medium)?,
            held: Arc::default(),
        })
    }
}

/// Whether there is a file with something in it. What is no regular file is refused: neither may
/// it be read, nor may anything take its place. A link must lead to a data file already.
fn has_content(path: &Path) -> Result<bool, Fault> {
    let is_link = match fs::symlink_metadata(path) {
        Ok(named) => named.is_symlink(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    match fs::metadata(path) {
        Ok(file) if file.is_file() && file.len() > 0 => Ok(true),
        Ok(file) if file.is_file() && !is_link => Ok(false),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
        _ => Err(Fault::Special),
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
pub(super) fn probe(path: &Path) -> Result<(u32, Database), Fault> {
    if !fs::metadata(path)?.is_file() {
        // Reading on might never end.
        return Err(Fault::Special);
    }
    let mut start = [0; MAGIC.len()];
    let is_redb = File::open(path)?.read_exact(&mut start).is_ok() && start == *MAGIC;
    if !is_redb {
        return Err(Fault::Damaged("it does not start as one".to_owned()));
    }
    verify(&OnDisk::at(path))
}

/// The same for what is known to be a database.
pub(super) fn verify(medium: &dyn Medium) -> Result<(u32, Database), Fault> {
    // redb may panic on pages that make no sense.
    let looked = catch_unwind(AssertUnwindSafe(|| {
        let mut database = medium.look()?;
        let (schema, is_clean) = state(&database)?;
        if schema > SCHEMA {
            return Err(Fault::Newer(schema));
        }
        if !is_clean && !database.check_integrity()? {
            return Err(Fault::Damaged("its checksums do not match".to_owned()));
        }
        Ok((schema, database))
    }));
    looked.unwrap_or_else(|_| Err(Fault::Damaged("its pages make no sense".to_owned())))
}

/// Schema number, and whether the file was closed properly.
fn state(database: &Database) -> Result<(u32, bool), Fault> {
    let transaction = database.begin_read().map_err(tables::failed)?;
    let schema = tables::record(&transaction, META, SCHEMA_KEY)?;
    let schema = schema.filter(|number| *number > 0);
    let schema = schema.ok_or_else(|| Fault::Damaged("it has no format number".to_owned()))?;
    let is_clean = tables::record(&transaction, META, CLEAN_KEY)?.unwrap_or(false);
    Ok((schema, is_clean))
}

/// Says in the file whether it is closed. Also makes tables that a newer release brings.
pub(super) fn mark_clean(database: &Database, is_clean: bool) -> Result<()> {
    let transaction = Transaction::begin(database)?;
    transaction.make(ALL)?;
    tables::put(&transaction, META, CLEAN_KEY, &is_clean)?;
    if transaction.remove(META, COPIED_KEY)? {
        // Who got a message after the copy was made, nobody knows here.
        super::sendings::end_all(&transaction)?;
    }
    transaction.commit().map(drop)
}

/// Makes a new file under another name and puts it in place whole: a crash in between leaves
/// nothing that looks like a damaged data file.
fn create(path: &Path) -> Result<(), Fault> {
    let folder = folder_of(path);
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&folder)?;
    let draft = draft_of(path);
    let filled = fill_new(&draft);
    if filled.is_ok() && path.exists() {
        // Only an empty file gets here. It has nothing to lose.
        fs::remove_file(path)?;
    }
    match filled.and_then(|()| Ok(put_in_place(&draft, path)?)) {
        // Somebody else was faster. Theirs is as good, and its lock will tell.
        Err(Fault::Io(error)) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(fault) => {
            // What is left of it is of no use.
            let _ = fs::remove_file(&draft);
            return Err(fault);
        }
        Ok(()) => sync_folder(&folder)?,
    }
    Ok(())
}

fn fill_new(draft: &Path) -> Result<(), Fault> {
    let database = builder().create_file(create_private(draft)?)?;
    let mut secret = [0_u8; 32];
    getrandom::fill(&mut secret).map_err(|error| Fault::Io(io::Error::other(error.to_string())))?;
    let transaction = Transaction::begin(&database)?;
    tables::put(&transaction, META, SCHEMA_KEY, &SCHEMA)?;
    tables::put(&transaction, META, SECRET_KEY, &secret)?;
    tables::put(&transaction, META, DEMO_KEY, &false)?;
    transaction.commit()?;
    mark_clean(&database, true)?;
    Ok(())
}
