//! Dumps the data file as a stream of rows without image bytes, which are stored separately, and
//! restores a data file from both. Independent of redb's page layout.

use crate::backend::builder;
use crate::backup::{cannot_write, ensure_free};
use crate::error::{Error, Result};
use crate::file_metadata::{CLEAN_KEY, COPIED_KEY};
use crate::fs_util::{create_private, parent_dir, sync_dir};
use crate::repositories::pictures::{BlobRow, CHUNK_BYTES, chunk_key};
use crate::tables::{self, BLOB_INDEX, BLOBS, DRAFTS, META, NOTES, STATISTICS, Table, failed};
use crate::transaction::Transaction;
use crate::{Reader, StoreStats, check, missing_blobs};
use redb::{Database, TableHandle as _};
use respiro_content::Timestamp;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;

const START: &[u8] = b"respiro rows 1\n";
/// Follows the last row, in place of a table name.
const END: u8 = 0;
/// Blob bytes per transaction.
const BATCH_BYTES: usize = 8 * 1024 * 1024;

/// A blob that the rows refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blob {
    pub hash: [u8; 32],
    pub bytes: u64,
}

/// Called with the table, key and value of each row.
type Visit<'a> = dyn FnMut(Table, &[u8], &[u8]) -> Result<()> + 'a;

impl Reader<'_> {
    /// Returns all rows except image bytes and the notes in `without_notes`, which hold the outcome
    /// of backups.
    pub fn rows(&self, without_notes: &[&str]) -> Result<Vec<u8>> {
        let mut out = START.to_vec();
        self.each_row(without_notes, &mut |table, key, value| {
            put_part(&mut out, table.name().as_bytes(), 1)?;
            put_part(&mut out, key, 4)?;
            put_part(&mut out, value, 4)
        })?;
        out.push(END);
        Ok(out)
    }

    /// Returns a hash of the rows that justify a backup of their own. Leaves out the page views,
    /// which change every minute, and the drafts of the panel, which change while an admin types:
    /// both are backed up with the next change.
    pub fn mark(&self, without_notes: &[&str]) -> Result<[u8; 32]> {
        let mut mark = Sha256::new();
        let mut part = Vec::new();
        self.each_row(without_notes, &mut |table, key, value| {
            if ![STATISTICS.name(), DRAFTS.name()].contains(&table.name()) {
                part.clear();
                put_part(&mut part, table.name().as_bytes(), 1)?;
                put_part(&mut part, key, 4)?;
                put_part(&mut part, value, 4)?;
                mark.update(&part);
            }
            Ok(())
        })?;
        Ok(mark.finalize().into())
    }

    fn each_row(&self, without_notes: &[&str], visit: &mut Visit<'_>) -> Result<()> {
        for table in tables::ALL {
            let name = table.name();
            if name == BLOBS.name() {
                continue;
            }
            let is_left = |key: &[u8]| {
                let mut names = without_notes.iter();
                name == NOTES.name() && names.any(|note| note.as_bytes() == key)
            };
            self.tables.scan(*table, b"", &mut |key, value| {
                if is_left(key) {
                    return Ok(());
                }
                visit(*table, key, value)
            })?;
        }
        Ok(())
    }
}

/// Appends the length as `width` big-endian bytes, then the bytes.
fn put_part(out: &mut Vec<u8>, part: &[u8], width: usize) -> Result<()> {
    let length = (part.len() as u64).to_be_bytes();
    let (high, low) = length.split_at(length.len() - width);
    if high.iter().any(|byte| *byte != 0) {
        return Err(Error::Storage("a row is too long".to_owned()));
    }
    out.extend_from_slice(low);
    out.extend_from_slice(part);
    Ok(())
}

/// Table, key and value.
type Row<'a> = (Table, &'a [u8], &'a [u8]);

/// Parses a dump. Every length is checked against the remaining bytes.
struct Rows<'a>(&'a [u8]);

impl<'a> Rows<'a> {
    fn take(&mut self, bytes: usize) -> Result<&'a [u8]> {
        let (part, rest) = self.0.split_at_checked(bytes).ok_or_else(damaged)?;
        self.0 = rest;
        Ok(part)
    }

    fn part(&mut self, width: usize) -> Result<&'a [u8]> {
        let length = self.take(width)?.iter();
        let length = length.fold(0_usize, |length, byte| (length << 8) | usize::from(*byte));
        self.take(length)
    }

    fn next(&mut self) -> Result<Option<Row<'a>>> {
        let name = self.part(1)?;
        if name.is_empty() {
            return Ok(None);
        }
        let known = |table: &&Table| table.name().as_bytes() == name;
        let mut tables = tables::ALL.iter().chain(tables::FORMER);
        let table = tables.find(known).copied();
        let newer = || {
            let name = String::from_utf8_lossy(name).into_owned();
            Error::Storage(format!(
                "the copy holds `{name}`, which this version does not know: install a newer respiro"
            ))
        };
        let (key, value) = (self.part(4)?, self.part(4)?);
        Ok(Some((table.ok_or_else(newer)?, key, value)))
    }
}

fn damaged() -> Error {
    Error::Storage("the rows of the copy end in the middle".to_owned())
}

/// Returns the bytes of a blob, or `None` if they are missing.
type Fetch<'a> = &'a mut dyn FnMut(Blob) -> Result<Option<Vec<u8>>>;

/// Restores the new data file `out` from rows and blobs, and verifies it.
pub fn assemble(out: &Path, rows: &[u8], at: Timestamp, fetch: Fetch<'_>) -> Result<StoreStats> {
    let written = create_private(out)
        .map_err(|error| cannot_write(out, &error))
        .and_then(|file| builder().create_file(file).map_err(failed))
        .and_then(|database| fill(database, rows, at, out, fetch))
        .and_then(|()| {
            let synced = File::open(out).and_then(|file| file.sync_all());
            synced
                .and_then(|()| sync_dir(&parent_dir(out)))
                .map_err(|error| cannot_write(out, &error))
        })
        .and_then(|()| {
            check(out).map(|report| report.stats).map_err(|problems| {
                Error::Storage(format!("the copy is damaged: {}", problems.join("; ")))
            })
        });
    if written.is_err() {
        // The first error says more than this one.
        let _ = fs::remove_file(out);
    }
    written
}

fn fill(
    mut database: Database,
    rows: &[u8],
    at: Timestamp,
    out: &Path,
    fetch: Fetch<'_>,
) -> Result<()> {
    let mut stored = rows.len() as u64;
    let mut rows = Rows(rows.strip_prefix(START).ok_or_else(damaged)?);
    let mut blobs = Vec::new();
    let transaction = Transaction::begin(&database)?;
    transaction.make(tables::ALL)?;
    while let Some((table, key, value)) = rows.next()? {
        if table.name() == BLOB_INDEX.name() {
            let row = tables::decode_or_log::<BlobRow>(table, key, value);
            let hash = <[u8; 32]>::try_from(key).or(Err(damaged()))?;
            blobs.extend(row.map(|BlobRow { bytes, .. }| Blob { hash, bytes }));
            stored = stored.saturating_add(row.map_or(0, |row| row.bytes));
        }
        transaction.put(table, key, value)?;
    }
    tables::put(&transaction, META, COPIED_KEY, &at)?;
    transaction.commit()?;
    // Downloading the blobs may take hours: fail before it when they do not fit.
    ensure_free(stored, out)?;
    let mut missing = BTreeSet::new();
    let mut blobs = blobs.into_iter().peekable();
    while blobs.peek().is_some() {
        let transaction = Transaction::begin(&database)?;
        let mut taken = 0;
        while taken < BATCH_BYTES
            && let Some(blob) = blobs.next()
        {
            let Some(bytes) = fetch(blob)? else {
                missing.insert(blob.hash);
                continue;
            };
            taken += bytes.len();
            for (number, chunk) in (0_u32..).zip(bytes.chunks(CHUNK_BYTES)) {
                transaction.put(BLOBS, &chunk_key(&blob.hash, number), chunk)?;
            }
        }
        transaction.commit()?;
    }
    let transaction = Transaction::begin(&database)?;
    missing_blobs::replace(&transaction, &missing)?;
    tables::put(&transaction, META, CLEAN_KEY, &true)?;
    transaction.commit()?;
    while database.compact().map_err(failed)? {}
    Ok(())
}
