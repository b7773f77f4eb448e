//! The one data file. The only place that names redb.

mod accounts;
mod backend;
mod backup;
mod check;
mod codec;
mod day_totals;
mod error;
mod exchange;
mod file;
mod import;
mod items;
mod lost;
mod mailed;
mod meta;
mod migrate;
mod notice;
mod notices;
mod open;
mod open_error;
mod passkeys;
mod pictures;
mod pinned_snapshot;
mod pins;
pub mod place;
mod plans;
#[cfg(test)]
pub(crate) mod power_loss;
mod provenance;
mod records;
mod room;
mod sending_records;
mod sendings;
mod session_lifetime;
mod settings;
mod shipped;
mod slug_index;
mod statistics;
mod subscribers;
mod sweep;
mod tables;
mod transaction;
mod trash;
mod words;

pub use check::check;
pub use day_totals::{DIRECT, DayTotals, OTHERS};
pub use error::{Error, Result};
pub use exchange::clear_beside;
pub(crate) use exchange::milestone;
pub use import::Adopted;
pub use meta::CERTIFICATE_NOTES;
pub use notice::{Notice, Noticed, Subject};
pub use notices::Post;
pub use open_error::{OpenError, Trouble};
pub use pinned_snapshot::{
    PinnedSnapshot, SnapshotHeader, SnapshotLease, backup_snapshot, check_snapshot,
};
pub use plans::Plan;
pub use provenance::{ASKED_KIND, Origin, Provenance, TestimonialRequest, asked_kind};
pub use records::{
    Account, Direction, Figures, Lineage, Passkey, Restored, SecondFactor, Session, Subscriber,
    Subscription, Swept, Touched, Trashed,
};
pub use sending_records::{Delivery, Fate, Mailing, Sending, SendingState, Standing, Tally, Way};
pub use sendings::STARTED;
pub use session_lifetime::{SESSION_IDLE_MILLISECONDS_MAX, SESSION_MILLISECONDS_MAX, SESSIONS_MAX};
pub use shipped::{Blob, assemble};
pub use sweep::{PICTURE_UNUSED_MILLISECONDS_MAX, TRASH_MILLISECONDS_MAX};

use crate::content::KINDS;
use file::DataFile;
use redb::{ReadableDatabase as _, TableHandle as _};
use room::Room;
pub use room::is_roomy;
use slug_index::SlugIndex;
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use tables::{Tables, failed};
use transaction::Transaction;

/// The open data file. One process owns it.
pub struct Store {
    path: PathBuf,
    file: DataFile,
    /// The pages that `file` reads, if another store owns them. Dropped after `file`.
    _pinned: Option<PinnedSnapshot>,
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
    transaction: &'a Transaction,
    room: &'a Room,
    touched: Touched,
    /// By the number of the collection; read when first asked for.
    slug_indexes: BTreeMap<u8, SlugIndex>,
}

impl<'a> std::ops::Deref for Writer<'a> {
    type Target = Reader<'a>;

    fn deref(&self) -> &Reader<'a> {
        &self.reader
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
    pub fn read<T, E: From<Error>>(
        &self,
        read: impl FnOnce(&Reader<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let (mut read, mut answer) = (Some(read), None);
        self.view(&mut |reader| {
            answer = read.take().map(|read| read(reader));
            Ok(())
        })?;
        answer.unwrap_or_else(|| Err(unanswered().into()))
    }

    fn view(&self, read: &mut dyn FnMut(&Reader<'_>) -> Result<()>) -> Result<()> {
        self.file.with_database(|database| {
            let transaction = database.begin_read().map_err(failed)?;
            read(&Reader {
                tables: &transaction,
                path: &self.path,
            })
        })
    }

    /// Why nothing can be written now, as far as is known.
    pub fn trouble(&self) -> Option<Trouble> {
        self.file.trouble()
    }

    /// Runs `write` in one transaction: durable when this returns `Ok`, undone otherwise.
    /// The second value says what of that pages may show.
    pub fn write<T, E: From<Error>>(
        &self,
        write: impl FnOnce(&mut Writer<'_>) -> Result<T, E>,
    ) -> Result<(T, Touched), E> {
        answered(
            write,
            |write| Ok(self.write_showing(write, &mut |_, _| ())?),
        )
    }

    /// The same of a `write` without an answer; `show` gets what is going to be, before the wait
    /// for the disk. Only when this returns `Ok` has it come to be. Both are run at most once.
    pub fn write_showing(
        &self,
        write: &mut dyn FnMut(&mut Writer<'_>) -> Result<()>,
        show: &mut dyn FnMut(&Reader<'_>, &Touched),
    ) -> Result<Touched> {
        let mut touched = Touched::default();
        self.file.transact(&mut |transaction| {
            let mut writer = Writer {
                reader: Reader {
                    tables: transaction,
                    path: &self.path,
                },
                transaction,
                room: &self.file.room,
                touched: Touched::default(),
                slug_indexes: BTreeMap::new(),
            };
            write(&mut writer)?;
            if transaction.is_changed() {
                touched = writer.touched;
                show(&writer.reader, &touched);
            }
            Ok(())
        })?;
        Ok(touched)
    }
}

/// Lets `run` have `write` as what stands in the program once, not for each sort of answer anew,
/// and gives the answer with what `run` says.
pub fn answered<T, R, E: From<Error>>(
    write: impl FnOnce(&mut Writer<'_>) -> Result<T, E>,
    run: impl FnOnce(&mut dyn FnMut(&mut Writer<'_>) -> Result<()>) -> Result<R, E>,
) -> Result<(T, R), E> {
    let (mut write, mut answer) = (Some(write), None);
    let said = run(&mut |writer| {
        answer = write.take().map(|write| write(writer));
        match &answer {
            Some(Ok(_)) => Ok(()),
            Some(Err(_)) => Err(Error::Aborted),
            None => Err(unanswered()),
        }
    });
    match answer {
        Some(Ok(answer)) => Ok((answer, said?)),
        Some(Err(error)) => Err(error),
        None => Err(said.err().unwrap_or_else(|| unanswered().into())),
    }
}

fn unanswered() -> Error {
    Error::Internal("a transaction ended without an answer".to_owned())
}

/// Bytes on the disk beyond twice what is stored that are worth a compaction.
const WASTE_BYTES_MIN: u64 = 32 * 1024 * 1024;

impl Store {
    /// Gives space that nothing uses back to the disk, when it is a lot. Readers wait meanwhile.
    pub fn give_back(&self) -> Result<bool> {
        let on_disk = std::fs::metadata(&self.path).map_or(0, |file| file.blocks() * 512);
        if on_disk < WASTE_BYTES_MIN {
            return Ok(false);
        }
        let stored = self.read(|reader| reader.stored_bytes())?;
        if on_disk < stored * 2 + WASTE_BYTES_MIN {
            return Ok(false);
        }
        let is_compacted = self.file.compact()?;
        tracing::info!(
            on_disk,
            stored,
            is_compacted,
            "gave back space that nothing used"
        );
        Ok(is_compacted)
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
    /// Bytes of all keys and values.
    pub(super) fn stored_bytes(&self) -> Result<u64> {
        let mut stored = 0;
        let others = tables::ALL
            .iter()
            .filter(|table| table.name() != tables::BLOBS.name());
        for table in others {
            self.tables.scan(*table, b"", &mut |key, value| {
                stored += (key.len() + value.len()) as u64;
                Ok(())
            })?;
        }
        Ok(stored + self.figures()?.picture_bytes)
    }

    pub fn figures(&self) -> Result<Figures> {
        let mut figures = Figures {
            trash: tables::count(self.tables, tables::TRASH, b"")?,
            pictures: tables::count(self.tables, tables::PICTURES, b"")?,
            accounts: tables::count(self.tables, tables::ACCOUNTS, b"")?,
            words: tables::count(self.tables, tables::WORDS, b"")?,
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
