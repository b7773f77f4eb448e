//! Opens or creates the data file. Nothing is written before the file is known to be a respiro
//! file.

use crate::backend::{Backend, FileBackend, builder, inspect};
use crate::database_handle::DatabaseHandle;
use crate::file_metadata::{DEMO_KEY, SCHEMA_KEY, SECRET_KEY, mark_clean};
use crate::fs_util::{
    TempKind, create_private, parent_dir, rename_noreplace, resolve_link, sync_dir, temp_path,
};
use crate::open_error::{OpenError, SCHEMA};
use crate::pinned_snapshot::PinnedSnapshot;
use crate::tables::{self, META};
use crate::transaction::Transaction;
use crate::{Store, WriteAccess};
use redb::Database;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use std::sync::Arc;

impl Store {
    /// Opens or creates the file. Copies a file of an older format, then migrates it.
    pub fn open(path: &Path) -> Result<WriteAccess, OpenError> {
        Self::open_file(path).map_err(|error| error.at(path))
    }

    /// Opens a file read-only: it keeps every byte.
    pub fn look(path: &Path) -> Result<Self, OpenError> {
        inspect(path)
            .and_then(|(_, database)| Self::read_only(path, database, None))
            .map_err(|error| error.at(path))
    }

    pub(crate) fn read_only(
        path: &Path,
        database: Database,
        pinned: Option<PinnedSnapshot>,
    ) -> Result<Self, OpenError> {
        Ok(Self {
            path: path.to_owned(),
            file: DatabaseHandle::read_only(path, database)?,
            _pinned: pinned,
            held: Arc::default(),
        })
    }

    fn open_file(path: &Path) -> Result<WriteAccess, OpenError> {
        if !has_content(path)? {
            create(path)?;
        }
        let path = resolve_link(path.to_owned());
        let (_, overlay) = inspect(&path)?;
        drop(overlay);
        Self::open_with(&path, Box::new(FileBackend::at(&path)))
    }

    /// The caller has verified the file.
    pub(crate) fn open_with(
        path: &Path,
        backend: Box<dyn Backend>,
    ) -> Result<WriteAccess, OpenError> {
        Ok(WriteAccess::new(Self {
            path: path.to_owned(),
            file: DatabaseHandle::open(path, backend)?,
            _pinned: None,
            held: Arc::default(),
        }))
    }
}

/// Returns whether a file with content exists. Refuses what is no regular file, which may be
/// neither read nor replaced, and a link that leads to no data file.
fn has_content(path: &Path) -> Result<bool, OpenError> {
    let is_link = match fs::symlink_metadata(path) {
        Ok(named) => named.is_symlink(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    match fs::metadata(path) {
        Ok(file) if file.is_file() && file.len() > 0 => Ok(true),
        Ok(file) if file.is_file() && !is_link => Ok(false),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
        _ => Err(OpenError::Special(path.to_owned())),
    }
}

/// Creates the file under a temporary name and renames it when it is complete: a crash leaves
/// nothing that looks like a damaged data file.
fn create(path: &Path) -> Result<(), OpenError> {
    let folder = parent_dir(path);
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&folder)?;
    let draft = temp_path(path, TempKind::Partial)?;
    let filled = fill_new(&draft);
    if filled.is_ok() && path.exists() {
        // Only an empty file gets here.
        fs::remove_file(path)?;
    }
    match filled.and_then(|()| Ok(rename_noreplace(&draft, path)?)) {
        // Another process created the file first; its lock decides who may open it.
        Err(OpenError::Io { source, .. }) if source.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => {
            // The partial file is useless.
            let _ = fs::remove_file(&draft);
            return Err(error);
        }
        Ok(()) => sync_dir(&folder)?,
    }
    Ok(())
}

fn fill_new(draft: &Path) -> Result<(), OpenError> {
    let database = builder().create_file(create_private(draft)?)?;
    let mut secret = [0_u8; 32];
    getrandom::fill(&mut secret).map_err(|error| io::Error::other(error.to_string()))?;
    let transaction = Transaction::begin(&database)?;
    tables::put(&transaction, META, SCHEMA_KEY, &SCHEMA)?;
    tables::put(&transaction, META, SECRET_KEY, &secret)?;
    tables::put(&transaction, META, DEMO_KEY, &false)?;
    transaction.commit()?;
    mark_clean(&database, true)?;
    Ok(())
}
