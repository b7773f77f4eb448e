//! Makes a consistent, compact copy of the file while it is in use.

use crate::backend::{CACHE_BYTES, builder};
use crate::disk_space::DiskSpace;
use crate::error::{Error, Result};
use crate::file_metadata::{CLEAN_KEY, COPIED_KEY};
use crate::fs_util::{TempKind, create_private, parent_dir, rename_noreplace, sync_dir, temp_path};
use crate::tables::{self, META, failed};
use crate::transaction::{Transaction, begin};
use crate::{Reader, Store, StoreStats, check};
use redb::{Database, ReadTransaction, ReadableDatabase, TableDefinition, TableHandle};
use respiro_content::Timestamp;
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Size of an empty copy and of its creation.
const COPY_BYTES_MIN: u64 = 4 * 1024 * 1024;

/// A table by its name in the file.
type Named<'a> = TableDefinition<'a, &'static [u8], &'static [u8]>;

impl Store {
    /// Writes a consistent, compact copy to `out`: temporary name, fsync, integrity check, rename.
    /// Never overwrites. The copy records that it was made at `now`.
    pub fn backup(&self, out: &Path, now: Timestamp) -> Result<StoreStats> {
        if out.exists() {
            return Err(exists(out));
        }
        // The read transaction outlives the lock: a backup must not prevent reopening after a
        // failure.
        let view = self
            .file
            .with_database(|database| database.begin_read().map_err(failed))?;
        copy(&view, out, Some(now))
    }
}

/// Copies every table of `view` into a new file `out`.
pub(crate) fn copy(
    view: &ReadTransaction,
    out: &Path,
    now: Option<Timestamp>,
) -> Result<StoreStats> {
    let reader = Reader {
        tables: view,
        path: out,
    };
    ensure_free(reader.stored_bytes()?, out)?;
    let draft = temp_path(out, TempKind::Partial).map_err(|error| cannot_write(out, &error))?;
    let written = write_copy(view, &draft, out, now);
    if written.is_err() {
        // The first error says more than this one.
        let _ = fs::remove_file(&draft);
    }
    written
}

/// Fails before a copy of `stored` bytes would fill the disk.
pub(crate) fn ensure_free(stored: u64, out: &Path) -> Result<()> {
    let needed = stored / 4 * 5 + COPY_BYTES_MIN;
    match DiskSpace::of(&parent_dir(out)) {
        Some(space) if space.available < needed => Err(Error::StorageFull),
        _ => Ok(()),
    }
}

fn write_copy(
    view: &ReadTransaction,
    draft: &Path,
    out: &Path,
    now: Option<Timestamp>,
) -> Result<StoreStats> {
    let cannot = |error: io::Error| cannot_write(out, &error);
    let database = builder()
        .create_file(create_private(draft).map_err(cannot)?)
        .map_err(failed)?;
    fill(view, database, now)?;
    File::open(draft)
        .and_then(|file| file.sync_all())
        .map_err(cannot)?;
    let report = check(draft).map_err(|problems| {
        let problems = problems.join("; ");
        Error::Storage(format!("the copy is damaged and was removed: {problems}"))
    })?;
    for oddity in &report.oddities {
        tables::log_skipped_row(&oddity.message);
    }
    rename_noreplace(draft, out).map_err(cannot)?;
    sync_dir(&parent_dir(out)).map_err(cannot)?;
    Ok(report.stats)
}

/// Copies every table into a new database, and closes it.
pub(crate) fn fill(
    view: &ReadTransaction,
    mut database: Database,
    now: Option<Timestamp>,
) -> Result<()> {
    for table in view.list_tables().map_err(failed)? {
        copy_table(view, TableDefinition::new(table.name()), &database)?;
    }
    let transaction = Transaction::begin(&database)?;
    tables::put(&transaction, META, CLEAN_KEY, &true)?;
    if let Some(now) = now {
        tables::put(&transaction, META, COPIED_KEY, &now)?;
    }
    transaction.commit()?;
    while database.compact().map_err(failed)? {}
    Ok(())
}

/// Commits in between, so that a large table does not need memory of its size.
fn copy_table(view: &ReadTransaction, table: Named<'_>, database: &Database) -> Result<()> {
    let source = view.open_table(table).map_err(failed)?;
    let mut rows = source.range::<&[u8]>(..).map_err(failed)?.peekable();
    loop {
        let transaction = begin(database)?;
        let mut copied = 0;
        {
            let mut target = transaction.open_table(table).map_err(failed)?;
            while copied < CACHE_BYTES / 2
                && let Some(row) = rows.next()
            {
                let (key, value) = row.map_err(failed)?;
                target.insert(key.value(), value.value()).map_err(failed)?;
                copied += key.value().len() + value.value().len();
            }
        }
        transaction.commit().map_err(failed)?;
        if rows.peek().is_none() {
            return Ok(());
        }
    }
}

fn exists(out: &Path) -> Error {
    let out = out.display();
    Error::Storage(format!("{out} exists already: choose another name"))
}

pub(crate) fn cannot_write(out: &Path, error: &io::Error) -> Error {
    if error.kind() == io::ErrorKind::AlreadyExists {
        return exists(out);
    }
    if tables::is_full(error) {
        return Error::StorageFull;
    }
    Error::Storage(format!("cannot write {}: {error}", out.display()))
}
