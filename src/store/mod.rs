//! The one data file. The only place that names redb.

mod accounts;
mod backup;
mod check;
mod codec;
mod items;
mod meta;
mod migrate;
mod open;
mod overlay;
mod passkeys;
mod pictures;
mod pins;
pub mod place;
#[cfg(test)]
mod power_loss;
mod records;
mod room;
mod session_lifetime;
mod settings;
mod subscribers;
mod sweep;
mod tables;
mod trash;

pub use check::check;
pub use open::OpenError;
pub use records::{
    Account, Direction, Figures, Passkey, PictureUse, SecondFactor, Session, Subscriber,
    Subscription, Swept, Trashed,
};
pub use session_lifetime::{SESSION_IDLE_MILLISECONDS_MAX, SESSION_MILLISECONDS_MAX, SESSIONS_MAX};
pub use sweep::{PICTURE_UNUSED_MILLISECONDS_MAX, TRASH_MILLISECONDS_MAX};

use crate::content::KINDS;
use crate::error::{Error, Result};
use pins::Pins;
use redb::{Database, Durability, ReadableDatabase, WriteTransaction};
use room::Room;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock, Weak};
use std::time::Instant;
use tables::{Tables, failed};

/// The open data file. One process owns it.
pub struct Store {
    path: PathBuf,
    /// `None` only after a failure that could not be cured yet by opening the file again.
    database: RwLock<Option<Database>>,
    /// Opens the file again after a failed write.
    reopen: open::Opener,
    room: Room,
    pins: Pins,
    /// The last to go: nobody holds the file any more.
    held: Arc<()>,
}

/// A consistent view of the file at one moment.
pub struct Reader<'a> {
    tables: &'a dyn Tables,
    path: &'a Path,
}

/// One transaction. All of it is committed durably, or nothing. Reads as a [`Reader`] does, and
/// sees its own changes.
pub struct Writer<'a> {
    reader: Reader<'a>,
    transaction: &'a WriteTransaction,
    room: &'a Room,
    content_changed: bool,
}

impl<'a> std::ops::Deref for Writer<'a> {
    type Target = Reader<'a>;

    fn deref(&self) -> &Reader<'a> {
        &self.reader
    }
}

impl Writer<'_> {
    pub fn content_changed(&self) -> bool {
        self.content_changed
    }
}

impl Store {
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Alive until the file is closed.
    pub fn held(&self) -> Weak<()> {
        Arc::downgrade(&self.held)
    }

    /// Runs `read` on one consistent view.
    pub fn read<T>(&self, read: impl FnOnce(&Reader<'_>) -> Result<T>) -> Result<T> {
        let (mut read, mut answer) = (Some(read), None);
        self.view(&mut |reader| {
            answer = read.take().map(|read| read(reader)).transpose()?;
            Ok(())
        })?;
        answer.ok_or_else(unanswered)
    }

    fn view(&self, read: &mut dyn FnMut(&Reader<'_>) -> Result<()>) -> Result<()> {
        self.with_database(|database| {
            let transaction = database.begin_read().map_err(failed)?;
            read(&Reader {
                tables: &transaction,
                path: &self.path,
            })
        })
    }

    /// Runs `write` in one transaction: durable when this returns `Ok`, undone otherwise.
    /// The second value says whether anything a page shows was touched.
    pub fn write<T>(&self, write: impl FnOnce(&mut Writer<'_>) -> Result<T>) -> Result<(T, bool)> {
        let (mut write, mut answer) = (Some(write), None);
        let content_changed = self.transact(&mut |writer| {
            answer = write.take().map(|write| write(writer)).transpose()?;
            Ok(())
        })?;
        Ok((answer.ok_or_else(unanswered)?, content_changed))
    }

    /// Stands in the program once, whatever is written.
    fn transact(&self, write: &mut dyn FnMut(&mut Writer<'_>) -> Result<()>) -> Result<bool> {
        self.room.tend();
        let outcome = self.with_database(|database| {
            self.pins.roll(database, Instant::now())?;
            let transaction = begin(database)?;
            let mut writer = Writer {
                reader: Reader {
                    tables: &transaction,
                    path: &self.path,
                },
                transaction: &transaction,
                room: &self.room,
                content_changed: false,
            };
            write(&mut writer)?;
            let content_changed = writer.content_changed;
            transaction.commit().map_err(failed)?;
            Ok(content_changed)
        });
        if let Err(Error::StorageFull | Error::Store(_)) = &outcome {
            self.recover();
        }
        outcome
    }

    fn with_database<T>(&self, work: impl FnOnce(&Database) -> Result<T>) -> Result<T> {
        let guard = self.database.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(database) = guard.as_ref() {
            return work(database);
        }
        drop(guard);
        self.recover();
        let guard = self.database.read().unwrap_or_else(PoisonError::into_inner);
        let closed = || Error::Store("the data file could not be opened again".to_owned());
        work(guard.as_ref().ok_or_else(closed)?)
    }

    /// After an input or output error redb refuses every write until the file is opened again.
    fn recover(&self) {
        let mut database = self
            .database
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        if database
            .as_ref()
            .is_some_and(|open| open.begin_write().is_ok())
        {
            return;
        }
        self.room.release();
        self.pins.clear();
        // The lock must be gone before the file can be opened again.
        *database = None;
        match (self.reopen)() {
            Ok(open) => {
                tracing::warn!("opened the data file again after a failed write");
                *database = Some(open);
            }
            Err(error) => tracing::error!(%error, "cannot open the data file again"),
        }
    }
}

/// Every commit is on the disk when it returns, and leaves the file quick to open after a crash.
fn begin(database: &Database) -> Result<WriteTransaction> {
    let mut transaction = database.begin_write().map_err(failed)?;
    transaction
        .set_durability(Durability::Immediate)
        .map_err(failed)?;
    transaction.set_quick_repair(true);
    Ok(transaction)
}

fn unanswered() -> Error {
    Error::Internal("a transaction ended without an answer".to_owned())
}

impl Drop for Store {
    fn drop(&mut self) {
        self.pins.clear();
        let database = self
            .database
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(database) = database
            && let Err(error) = open::mark_clean(database, true)
        {
            tracing::warn!(%error, "cannot mark the data file as closed, the next start checks it");
        }
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Store")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl Reader<'_> {
    pub fn figures(&self) -> Result<Figures> {
        let mut figures = Figures {
            trash: tables::count(self.tables, tables::TRASH, b"")?,
            pictures: tables::count(self.tables, tables::PICTURES, b"")?,
            accounts: tables::count(self.tables, tables::ACCOUNTS, b"")?,
            copied_at: tables::record(self.tables, tables::META, meta::COPIED_KEY)?,
            file_bytes: std::fs::metadata(self.path).map_or(0, |file| file.len()),
            ..Figures::default()
        };
        for kind in KINDS {
            let count = tables::count(self.tables, tables::ITEMS, &[kind.number])?;
            figures.counts.insert(kind.slug, count);
        }
        for (_, row) in tables::records::<pictures::BlobRow>(self.tables, tables::BLOB_INDEX, b"")?
        {
            figures.picture_bytes += row.bytes;
        }
        Ok(figures)
    }
}
