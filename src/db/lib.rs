//! Stores the site in one redb file: records, migrations, transactions, backups, integrity check.
//!
//! May name `respiro-content`, nothing else of ours; the only crate that names redb. Invariants:
//! one process owns the file; a write transaction is durable when it returns, or undone; what is
//! stored has the names and the bytes that `tests/golden.rs` holds; plain copies of the file that
//! take under 45 minutes are whole (see `retained_reads`).

mod backend;
mod backup;
pub mod clock;
mod codec;
mod database_handle;
mod disk_space;
mod dump;
mod error;
mod file_metadata;
pub mod fs_util;
mod integrity_check;
mod messages;
mod migrations;
mod missing_blobs;
mod open;
mod open_error;
mod person;
mod personal_decisions;
mod pinned_snapshot;
// Not a feature: tests and program would build every crate above this one twice.
#[cfg(any(test, debug_assertions))]
pub mod power_loss;
mod repositories;
mod retained_reads;
mod retention;
mod swap_file;
mod tables;
mod transaction;

pub use disk_space::{DiskSpace, has_headroom};
pub use dump::{Blob, assemble};
pub use error::{Error, Result};
pub use file_metadata::{CERTIFICATE_NOTES, FileIdentity, RestoreMarker};
pub use integrity_check::{CheckReport, Oddity, check};
pub use open_error::{OpenError, SCHEMA, WriteBlock};
pub use person::{ErasedCounts, PersonItem, PersonQuery, PersonRecords};
pub use personal_decisions::{CarriedOver, PersonalDecisions};
pub use pinned_snapshot::{
    PinnedSnapshot, SnapshotHeader, SnapshotLease, backup_snapshot, check_snapshot,
};
pub use repositories::Writable;
pub use repositories::account_links::{AccountLink, AccountLinks, LinkGrant};
pub use repositories::accounts::{
    Account, AccountDetails, Accounts, NoticeChoices, Role, SecondFactor,
};
pub use repositories::campaigns::{
    Campaign, CampaignStatus, Campaigns, Delivery, DeliveryCounts, DeliveryOutcome,
    RenderedCampaign, STARTED, SentImages,
};
pub use repositories::content_blocks::ContentBlocks;
pub use repositories::drafts::{
    DRAFT_BYTES_MAX, DRAFT_MILLISECONDS_MAX, DRAFT_PICTURES_MAX, DRAFTS_MAX, Draft, Drafts,
    subject_of,
};
pub use repositories::history::{
    Actor, Cause, Change as HistoryChange, HISTORY_MILLISECONDS_MAX, History, HistoryRow,
    State as HistoryState, Thing,
};
pub use repositories::idempotency_keys::{
    CreatedItem, IDEMPOTENCY_KEYS_MAX, IDEMPOTENCY_MILLISECONDS_MAX, IdempotencyKeys,
};
pub use repositories::import::ImportSummary;
pub use repositories::items::{ChangeSet, Direction, Items};
pub use repositories::notifications::{
    Notification, NotificationEvent, NotificationKind, Notifications, PendingEmail, PendingEmails,
};
pub use repositories::page_views::{DIRECT, DayTotals, OTHERS, PageViews};
pub use repositories::passkeys::{Passkey, Passkeys};
pub use repositories::picture_uses::{PicturePlace, PictureUse, PictureUses};
pub use repositories::pictures::{Blobs, StoredPictures, Uploads};
pub use repositories::public_ids::PublicIdTable;
pub use repositories::publish_schedule::{PublishSchedule, PublishSchedules};
pub use repositories::redirects::{ADMIN_REDIRECTS_MAX, AdminRedirect, Redirects};
pub use repositories::sessions::{
    SESSION_IDLE_MILLISECONDS_MAX, SESSION_MILLISECONDS_MAX, SESSIONS_MAX, Session, Sessions,
};
pub use repositories::settings::SiteSettings;
pub use repositories::subscribers::{
    AddressStatus, AddressStatuses, BounceCause, BounceRecord, Bounces, SignupSource, Subscriber,
    Subscribers, Subscription,
};
pub use repositories::testimonial_requests::{
    Origin, Provenance, Provenances, TESTIMONIAL_COLLECTION, TestimonialRequest,
    TestimonialRequests, testimonial_collection,
};
pub use repositories::trash::{Trash, Trashed};
pub use retention::{PICTURE_UNUSED_MILLISECONDS_MAX, RetentionReport, TRASH_MILLISECONDS_MAX};
pub use swap_file::{failpoint, remove_leftovers};

use database_handle::DatabaseHandle;
use disk_space::DiskReserve;
use redb::{ReadableDatabase as _, TableHandle as _};
use repositories::history::RecordedChanges;
use repositories::slug_index::SlugIndex;
use respiro_content::{COLLECTIONS, Timestamp};
use std::collections::BTreeMap;
use std::ops::Deref;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use tables::{Tables, failed};
use transaction::Transaction;

/// The open data file. One process owns it at a time.
pub struct Store {
    path: PathBuf,
    file: DatabaseHandle,
    /// The pages that `file` reads, if another store owns them. Dropped after `file`.
    _pinned: Option<PinnedSnapshot>,
    /// Dropped last: then the file is closed.
    held: Arc<()>,
}

/// The right to change a data file. [`Store::open`] hands it out, and a second process cannot get
/// another: only this value begins a write transaction. Reads as a [`Store`].
#[derive(Debug)]
pub struct WriteAccess {
    store: Arc<Store>,
}

/// A consistent read transaction.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    tables: &'a dyn Tables,
    path: &'a Path,
}

/// A write transaction: committed durably as a whole, or not at all. Reads as a [`Reader`], and
/// sees its own changes.
pub struct Writer<'a> {
    reader: Reader<'a>,
    transaction: &'a Transaction,
    disk_reserve: &'a DiskReserve,
    touched: ChangeSet,
    /// By collection number; read on first use.
    slug_indexes: BTreeMap<u8, SlugIndex>,
    /// Bytes of the rows of all items; read on first use.
    item_bytes: Option<u64>,
    recorded_changes: RecordedChanges,
}

impl<'a> Deref for Writer<'a> {
    type Target = Reader<'a>;

    fn deref(&self) -> &Reader<'a> {
        &self.reader
    }
}

impl Store {
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A handle that is alive until the file is closed.
    pub fn held(&self) -> Weak<()> {
        Arc::downgrade(&self.held)
    }

    /// Runs `read` in one read transaction.
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

    /// Returns whether a commit failed since the last call. The disk may have carried it out before
    /// it reported the failure, so what was read before may differ from the file.
    pub fn take_uncertain_commit(&self) -> bool {
        self.file.take_uncertain_commit()
    }

    /// Why the file cannot be written, as of the last write.
    pub fn trouble(&self) -> Option<WriteBlock> {
        self.file.trouble()
    }
}

impl Deref for WriteAccess {
    type Target = Store;

    fn deref(&self) -> &Store {
        &self.store
    }
}

impl WriteAccess {
    fn new(store: Store) -> Self {
        Self {
            store: Arc::new(store),
        }
    }

    /// Returns the store for readers: nothing can be written through it.
    pub fn reader(&self) -> Arc<Store> {
        Arc::clone(&self.store)
    }

    /// Runs `write` in one transaction, durable when this returns `Ok`, else rolled back. The
    /// second value is what pages may show differently.
    pub fn write<T, E: From<Error>>(
        &self,
        write: impl FnOnce(&mut Writer<'_>) -> Result<T, E>,
    ) -> Result<(T, ChangeSet), E> {
        let (mut write, mut answer) = (Some(write), None);
        let touched = self.commit(&mut |writer| {
            answer = write.take().map(|write| write(writer));
            match &answer {
                Some(Ok(_)) => Ok(()),
                Some(Err(_)) => Err(Error::Aborted),
                None => Err(unanswered()),
            }
        });
        match answer {
            Some(Ok(answer)) => Ok((answer, touched?)),
            Some(Err(error)) => Err(error),
            None => Err(touched.err().unwrap_or_else(unanswered).into()),
        }
    }

    /// Not generic: instantiated for each caller of `write` it took 370 KB of the program. Runs
    /// `write` at most once.
    fn commit(&self, write: &mut dyn FnMut(&mut Writer<'_>) -> Result<()>) -> Result<ChangeSet> {
        let mut touched = ChangeSet::default();
        self.file.transact(&mut |transaction| {
            let mut writer = Writer {
                reader: Reader {
                    tables: transaction,
                    path: &self.path,
                },
                transaction,
                disk_reserve: &self.file.disk_reserve,
                touched: ChangeSet::default(),
                slug_indexes: BTreeMap::new(),
                item_bytes: None,
                recorded_changes: RecordedChanges::default(),
            };
            write(&mut writer)?;
            if transaction.is_changed() {
                touched = writer.touched;
            }
            Ok(())
        })?;
        Ok(touched)
    }
}

fn unanswered() -> Error {
    Error::Internal("a transaction ended without an answer".to_owned())
}

/// Bytes on disk beyond twice the stored bytes that justify a compaction.
const WASTE_BYTES_MIN: u64 = 32 * 1024 * 1024;

/// Result of a compaction; sizes of the file in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compaction {
    Done {
        bytes_before: u64,
        bytes_after: u64,
    },
    /// A backup or another command reads the file.
    Busy,
}

impl Store {
    /// Compacts the file, however little that gains. redb cannot be interrupted in it, and every
    /// read and write waits meanwhile (docs/reliability.md).
    pub fn compact(&self) -> Result<Compaction> {
        let on_disk = || std::fs::metadata(&self.path).map_or(0, |file| file.blocks() * 512);
        let bytes_before = on_disk();
        Ok(if self.file.compact()? {
            Compaction::Done {
                bytes_before,
                bytes_after: on_disk(),
            }
        } else {
            Compaction::Busy
        })
    }

    /// Compacts the file if much of it is unused.
    pub fn give_back(&self) -> Result<bool> {
        let on_disk = std::fs::metadata(&self.path).map_or(0, |file| file.blocks() * 512);
        if on_disk < WASTE_BYTES_MIN {
            return Ok(false);
        }
        let stored = self.read(|reader| reader.stored_bytes())?;
        if on_disk < stored * 2 + WASTE_BYTES_MIN {
            return Ok(false);
        }
        let compaction = self.compact()?;
        tracing::info!(stored, ?compaction, "gave back space that nothing used");
        Ok(compaction != Compaction::Busy)
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

/// Statistics of the file, for the panel and the operator.
#[derive(Debug, Clone, Default, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StoreStats {
    /// Items by collection slug.
    pub counts: BTreeMap<&'static str, u64>,
    pub trash: u64,
    pub pictures: u64,
    pub picture_bytes: u64,
    pub accounts: u64,
    /// Saved content blocks.
    pub words: u64,
    pub file_bytes: u64,
    /// When the file was made as a backup; `None` for a data file in use.
    pub copied_at: Option<Timestamp>,
}

impl Reader<'_> {
    /// Returns the bytes of all keys and values.
    pub(crate) fn stored_bytes(&self) -> Result<u64> {
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

    pub fn figures(&self) -> Result<StoreStats> {
        let mut figures = StoreStats {
            trash: self.tables.length(tables::TRASH)?,
            pictures: self.tables.length(tables::PICTURES)?,
            accounts: self.tables.length(tables::ACCOUNTS)?,
            words: self.tables.length(tables::WORDS)?,
            copied_at: tables::record(self.tables, tables::META, file_metadata::COPIED_KEY)?,
            file_bytes: std::fs::metadata(self.path).map_or(0, |file| file.len()),
            ..StoreStats::default()
        };
        for kind in COLLECTIONS {
            let count = tables::count(self.tables, tables::ITEMS, &[kind.number])?;
            figures.counts.insert(kind.slug, count);
        }
        for (_, row) in tables::records::<repositories::pictures::BlobRow>(
            self.tables,
            tables::BLOB_INDEX,
            b"",
        )? {
            figures.picture_bytes += row.bytes;
        }
        Ok(figures)
    }
}
