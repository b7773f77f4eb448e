//! Metadata of the file, and small named values of other crates.

use crate::error::{Error, Result};
use crate::tables::{self, ALL, META, NOTES};
use crate::transaction::Transaction;
use crate::{Reader, Writer};
use redb::Database;
use respiro_content::Timestamp;

/// Prefix of the notes that hold certificates and ACME accounts.
pub const CERTIFICATE_NOTES: &str = "acme-";

/// Name of the note of a site that moves to another machine.
const RETIRED_NOTE: &str = "retired";

/// Keys of the table `meta`.
pub(crate) const SCHEMA_KEY: &[u8] = b"schema";
pub(crate) const SECRET_KEY: &[u8] = b"secret";
pub(crate) const DEMO_KEY: &[u8] = b"demo";
pub(crate) const CLEAN_KEY: &[u8] = b"clean";
/// Since when page views are not counted.
pub(crate) const STATISTICS_OFF_KEY: &[u8] = b"statistics_off";
/// When the file was made as a backup; removed when it is opened as a data file.
pub(crate) const COPIED_KEY: &[u8] = b"copied";
/// The [`RestoreMarker`] that the admin has not dismissed.
pub(crate) const RESTORED_KEY: &[u8] = b"restored";
/// Whether off-site backups were configured at the last start.
pub(crate) const COPIES_ELSEWHERE_KEY: &[u8] = b"copies_elsewhere";
/// The imported key of unsubscribe links.
pub(crate) const LINK_KEY: &[u8] = b"unsubscribe_key";
/// The [`FileIdentity`] of a restored file.
pub(crate) const LINEAGE_KEY: &[u8] = b"lineage";

/// Marks a data file that was restored from a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct RestoreMarker {
    pub copied_at: Timestamp,
    /// Campaigns that the restore paused.
    pub held_sendings: u32,
}

/// Distinguishes a restored data file from the one that was backed up: both may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct FileIdentity {
    pub id: [u8; 16],
    pub since: Timestamp,
}

impl Reader<'_> {
    /// Returns the random key of this file, made at creation. It signs upload, preview and
    /// newsletter links.
    pub fn secret(&self) -> Result<[u8; 32]> {
        let secret = tables::record(self.tables, META, SECRET_KEY)?;
        secret.ok_or_else(|| Error::Storage("the file has no secret".to_owned()))
    }

    /// Returns whether the file holds demonstration content.
    pub fn is_demo(&self) -> Result<bool> {
        Ok(tables::readable_record(self.tables, META, DEMO_KEY)?.unwrap_or(false))
    }

    /// Returns the restore marker, until the admin dismisses it.
    pub fn restore_marker(&self) -> Result<Option<RestoreMarker>> {
        tables::record(self.tables, META, RESTORED_KEY)
    }

    pub fn has_copies_elsewhere(&self) -> Result<bool> {
        Ok(tables::readable_record(self.tables, META, COPIES_ELSEWHERE_KEY)?.unwrap_or(false))
    }

    /// Returns `None` for a file that was not restored.
    pub fn file_identity(&self) -> Result<Option<FileIdentity>> {
        tables::record(self.tables, META, LINEAGE_KEY)
    }

    /// When this file last replaced another: what was pending in it may have been done by the other
    /// since.
    pub fn last_restored_at(&self) -> Result<Option<Timestamp>> {
        let copied_at = self.restore_marker()?.map(|restored| restored.copied_at);
        Ok(copied_at.max(self.file_identity()?.map(|lineage| lineage.since)))
    }

    /// The key of unsubscribe links in e-mails that another data file of this site sent.
    pub fn imported_unsubscribe_key(&self) -> Result<Option<[u8; 32]>> {
        tables::record(self.tables, META, LINK_KEY)
    }

    /// Returns a small value of another crate (ACME account, last backup, …). `None` for a row that
    /// does not decode, too.
    pub fn note(&self, name: &str) -> Result<Option<Vec<u8>>> {
        tables::readable_record(self.tables, NOTES, name.as_bytes())
    }

    /// Returns whether the site moves to another machine, so that this file takes no more changes.
    pub fn is_retired(&self) -> Result<bool> {
        Ok(self.note(RETIRED_NOTE)?.is_some())
    }

    /// Returns the notes whose name starts with `beginning`.
    pub fn notes(&self, beginning: &str) -> Result<Vec<(String, Vec<u8>)>> {
        let rows = tables::records::<Vec<u8>>(self.tables, NOTES, beginning.as_bytes())?;
        let name = |key: &[u8]| String::from_utf8_lossy(key).into_owned();
        let notes = rows.into_iter().map(|(key, note)| (name(&key), note));
        Ok(notes.collect())
    }
}

impl Writer<'_> {
    pub fn put_notes(&mut self, notes: &[(String, Vec<u8>)]) -> Result<()> {
        let mut notes = notes.iter();
        notes.try_for_each(|(name, value)| self.put_note(name, value))
    }

    pub fn put_note(&mut self, name: &str, value: &[u8]) -> Result<()> {
        let key = name.as_bytes();
        tables::put(self.transaction, NOTES, key, &value.to_vec())
    }

    pub fn set_retired(&mut self, on: bool) -> Result<()> {
        if on {
            return self.put_note(RETIRED_NOTE, b"");
        }
        self.transaction
            .remove(NOTES, RETIRED_NOTE.as_bytes())
            .map(drop)
    }

    pub fn clear_restore_marker(&mut self) -> Result<()> {
        self.forget_carried_over()?;
        self.transaction.remove(META, RESTORED_KEY).map(drop)
    }

    /// Gives a restored file an identity of its own: the file that was backed up may still be used,
    /// or be retired in favour of this one.
    pub fn start_new_identity(&mut self, since: Timestamp) -> Result<()> {
        self.set_retired(false)?;
        let mut id = [0; 16];
        getrandom::fill(&mut id).map_err(|error| Error::Internal(error.to_string()))?;
        tables::put(
            self.transaction,
            META,
            LINEAGE_KEY,
            &FileIdentity { id, since },
        )?;
        self.pause_unmarked_campaigns(since)
    }

    /// Pauses campaigns in a file without a restore marker too, such as the previous data file that
    /// is put back: the file in between may have sent their messages.
    fn pause_unmarked_campaigns(&mut self, now: Timestamp) -> Result<()> {
        let held_sendings = crate::repositories::campaigns::pause_all_campaigns(self.transaction)?;
        if held_sendings == 0 {
            return Ok(());
        }
        let known = self.restore_marker()?;
        let copied_at = if let Some(known) = known {
            known.copied_at
        } else {
            let items = self.items().list_all()?;
            let last = items.iter().map(|item| item.updated_at).max();
            last.unwrap_or(now)
        };
        let former = known.map_or(0, |known| known.held_sendings);
        self.put_restore_marker(RestoreMarker {
            copied_at,
            held_sendings: former.saturating_add(held_sendings),
        })
    }

    pub fn put_restore_marker(&mut self, restored: RestoreMarker) -> Result<()> {
        tables::put(self.transaction, META, RESTORED_KEY, &restored)
    }

    pub fn put_imported_unsubscribe_key(&mut self, key: &[u8; 32]) -> Result<()> {
        tables::put(self.transaction, META, LINK_KEY, key)
    }

    pub fn set_copies_elsewhere(&mut self, on: bool) -> Result<()> {
        self.touched.site |= self.has_copies_elsewhere()? != on;
        tables::put(self.transaction, META, COPIES_ELSEWHERE_KEY, &on)
    }

    pub fn set_demo(&mut self, demo: bool) -> Result<()> {
        self.touched.site |= self.is_demo()? != demo;
        tables::put(self.transaction, META, DEMO_KEY, &demo)
    }
}

/// Records whether the file is closed. Creates the tables of newer releases.
pub(crate) fn mark_clean(database: &Database, is_clean: bool) -> Result<()> {
    let transaction = Transaction::begin(database)?;
    transaction.make(ALL)?;
    tables::put(&transaction, META, CLEAN_KEY, &is_clean)?;
    if let Some(copied_at) = tables::record(&transaction, META, COPIED_KEY)? {
        transaction.remove(META, COPIED_KEY)?;
        // Messages sent after the backup are unknown here.
        let held_sendings = crate::repositories::campaigns::pause_all_campaigns(&transaction)?;
        // Campaigns paused by an earlier restore still count.
        let known = tables::record::<RestoreMarker>(&transaction, META, RESTORED_KEY)?;
        let former = known.map_or(0, |known| known.held_sendings);
        let restored = RestoreMarker {
            copied_at,
            held_sendings: former.saturating_add(held_sendings),
        };
        tables::put(&transaction, META, RESTORED_KEY, &restored)?;
    }
    transaction.commit().map(drop)
}
