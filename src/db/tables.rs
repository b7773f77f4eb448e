//! The tables of the file, and typed access to their rows.

use crate::codec;
use crate::error::{Error, Result};
use bincode::{Decode, Encode};
use redb::{ReadTransaction, ReadableTable, ReadableTableMetadata, TableDefinition, TableError};
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::sync::{Mutex, PoisonError};

/// Keys and values are plain bytes: renaming a Rust type never makes a file unreadable.
pub(crate) type Table = TableDefinition<'static, &'static [u8], &'static [u8]>;

/// Schema number, secret, flags of the file itself, by name.
pub(crate) const META: Table = TableDefinition::new("meta");
/// Collection number and item id to `Item`.
pub(crate) const ITEMS: Table = TableDefinition::new("items");
/// Item id to `TrashRow`.
pub(crate) const TRASH: Table = TableDefinition::new("trash");
/// Collection number and former slug to item id; an admin's path to `AdminRedirect`.
pub(crate) const REDIRECTS: Table = TableDefinition::new("redirects");
/// One row, `SETTINGS_KEY`.
pub(crate) const SETTINGS: Table = TableDefinition::new("settings");
/// Picture id to `Picture`.
pub(crate) const PICTURES: Table = TableDefinition::new("pictures");
/// SHA-256 and big-endian chunk number to raw bytes.
pub(crate) const BLOBS: Table = TableDefinition::new("blobs");
/// SHA-256 to `BlobRow`.
pub(crate) const BLOB_INDEX: Table = TableDefinition::new("blob_index");
/// Upload id to the expiry of its address.
pub(crate) const UPLOADS: Table = TableDefinition::new("uploads");
/// E-mail address to `Account`.
pub(crate) const ACCOUNTS: Table = TableDefinition::new("accounts");
/// E-mail address to `AccountDetails`.
pub(crate) const ACCOUNT_DETAILS: Table = TableDefinition::new("account_details");
/// E-mail address to `NoticeChoices`.
pub(crate) const NOTICE_CHOICES: Table = TableDefinition::new("notice_choices");
/// SHA-256 of the token to `AccountLink`.
pub(crate) const ACCOUNT_LINKS: Table = TableDefinition::new("account_links");
/// Credential id to `Passkey`.
pub(crate) const PASSKEYS: Table = TableDefinition::new("passkeys");
/// SHA-256 of the token to `Session`.
pub(crate) const SESSIONS: Table = TableDefinition::new("sessions");
/// E-mail address to `Subscriber`.
pub(crate) const SUBSCRIBERS: Table = TableDefinition::new("subscribers");
/// Day to `DayTotals`.
pub(crate) const STATISTICS: Table = TableDefinition::new("statistics");
/// E-mail address to `AddressStatus`.
pub(crate) const STANDINGS: Table = TableDefinition::new("standings");
/// E-mail address to `BounceRecord`.
pub(crate) const BOUNCES: Table = TableDefinition::new("bounces");
/// Id of an item to its `PublishSchedule`.
pub(crate) const PLANS: Table = TableDefinition::new("plans");
/// Id of a newsletter to its `Campaign`.
pub(crate) const SENDINGS: Table = TableDefinition::new("sendings");
/// Id of a newsletter to the sent `RenderedCampaign`.
pub(crate) const MAILINGS: Table = TableDefinition::new("mailings");
/// Id of a newsletter, due time (big-endian) and e-mail address to `Delivery`.
pub(crate) const QUEUE: Table = TableDefinition::new("queue");
/// Id of a newsletter and e-mail address to the failed `Delivery`.
pub(crate) const FAILURES: Table = TableDefinition::new("failures");
/// Id of a deleted, sent newsletter to the ids of its images.
pub(crate) const MAILED: Table = TableDefinition::new("mailed_pictures");
/// Number (big-endian) to `Notification`.
pub(crate) const NOTICES: Table = TableDefinition::new("notices");
/// Number of the collection and address of the account to `PendingEmail`.
pub(crate) const POSTS: Table = TableDefinition::new("posts");
/// Id of a block to `SavedBlock`.
pub(crate) const WORDS: Table = TableDefinition::new("words");
/// Id of a block, a zero byte and the big-endian revision to `SavedBlock`. Until schema 3: its rows
/// are in `HISTORY` since.
pub(crate) const WORD_VERSIONS: Table = TableDefinition::new("word_versions");
/// Name of a thing, a zero byte and the big-endian time of a change to `HistoryRow`.
pub(crate) const HISTORY: Table = TableDefinition::new("history");
/// SHA-256 of a token to `TestimonialRequest`.
pub(crate) const REQUESTS: Table = TableDefinition::new("requests");
/// Id of an item to its `Provenance`.
pub(crate) const PROVENANCES: Table = TableDefinition::new("provenances");
/// Id of a block to `Attestation`.
pub(crate) const CONFIRMED: Table = TableDefinition::new("confirmed_words");
/// Item id to its `PublicIds`.
pub(crate) const PUBLIC_IDS: Table = TableDefinition::new("public_ids");
/// SHA-256 of an account and its idempotency key to `CreatedItem`.
pub(crate) const IDEMPOTENCY_KEYS: Table = TableDefinition::new("idempotency_keys");
/// E-mail address of the account, a zero byte and the place to `Draft`.
pub(crate) const DRAFTS: Table = TableDefinition::new("drafts");
/// Name to bytes: small state of other crates.
pub(crate) const NOTES: Table = TableDefinition::new("notes");

pub(crate) const ALL: &[Table] = &[
    META,
    ITEMS,
    TRASH,
    REDIRECTS,
    SETTINGS,
    PICTURES,
    BLOBS,
    BLOB_INDEX,
    UPLOADS,
    ACCOUNTS,
    ACCOUNT_DETAILS,
    NOTICE_CHOICES,
    ACCOUNT_LINKS,
    PASSKEYS,
    SESSIONS,
    SUBSCRIBERS,
    STATISTICS,
    STANDINGS,
    BOUNCES,
    PLANS,
    SENDINGS,
    MAILINGS,
    QUEUE,
    FAILURES,
    MAILED,
    NOTICES,
    POSTS,
    WORDS,
    HISTORY,
    REQUESTS,
    PROVENANCES,
    CONFIRMED,
    IDEMPOTENCY_KEYS,
    PUBLIC_IDS,
    DRAFTS,
    NOTES,
];

/// Tables of earlier schemas, which off-site backups may hold.
pub(crate) const FORMER: &[Table] = &[WORD_VERSIONS];

const SKIPPED_ROWS_LOGGED_MAX: usize = 1_000;

pub(crate) const SETTINGS_KEY: &[u8] = b"settings";

/// Called with key and value of each row.
pub(crate) type Visit<'a> = &'a mut dyn FnMut(&[u8], &[u8]) -> Result<()>;

/// Key and value.
pub(crate) type Row = (Vec<u8>, Vec<u8>);

/// Rows of a read or write transaction.
pub(crate) trait Tables {
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>>;
    /// Returns the row count that redb keeps for the table.
    fn length(&self, table: Table) -> Result<u64>;
    /// Returns the first row whose key starts with `prefix`.
    fn first(&self, table: Table, prefix: &[u8]) -> Result<Option<Row>>;
    /// Visits the rows from a key on that start with a prefix, in key order.
    fn scan_from(&self, table: Table, range: (&[u8], &[u8]), visit: Visit<'_>) -> Result<()>;

    /// Visits the rows whose key starts with `prefix`, in key order.
    fn scan(&self, table: Table, prefix: &[u8], visit: Visit<'_>) -> Result<()> {
        self.scan_from(table, (prefix, prefix), visit)
    }
}

impl Tables for ReadTransaction {
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>> {
        match self.open_table(table) {
            Ok(table) => get_row(&table, key),
            Err(TableError::TableDoesNotExist(_)) => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }

    fn length(&self, table: Table) -> Result<u64> {
        match self.open_table(table) {
            Ok(table) => table.len().map_err(failed),
            Err(TableError::TableDoesNotExist(_)) => Ok(0),
            Err(error) => Err(failed(error)),
        }
    }

    fn first(&self, table: Table, prefix: &[u8]) -> Result<Option<Row>> {
        match self.open_table(table) {
            Ok(table) => first_row(&table, prefix),
            Err(TableError::TableDoesNotExist(_)) => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }

    fn scan_from(&self, table: Table, range: (&[u8], &[u8]), visit: Visit<'_>) -> Result<()> {
        match self.open_table(table) {
            Ok(table) => scan_rows(&table, range, visit),
            Err(TableError::TableDoesNotExist(_)) => Ok(()),
            Err(error) => Err(failed(error)),
        }
    }
}

type Rows<T> = Vec<(Vec<u8>, T)>;

pub(crate) fn get_row(
    table: &impl ReadableTable<&'static [u8], &'static [u8]>,
    key: &[u8],
) -> Result<Option<Vec<u8>>> {
    let row = table.get(key).map_err(failed)?;
    Ok(row.map(|value| value.value().to_vec()))
}

pub(crate) fn first_row(
    table: &impl ReadableTable<&'static [u8], &'static [u8]>,
    prefix: &[u8],
) -> Result<Option<Row>> {
    let first = table.range(prefix..).map_err(failed)?.next();
    let Some((key, value)) = first.transpose().map_err(failed)? else {
        return Ok(None);
    };
    let (key, value) = (key.value().to_vec(), value.value().to_vec());
    Ok(key.starts_with(prefix).then_some((key, value)))
}

pub(crate) fn scan_rows(
    table: &impl ReadableTable<&'static [u8], &'static [u8]>,
    (from, prefix): (&[u8], &[u8]),
    visit: Visit<'_>,
) -> Result<()> {
    for row in table.range(from..).map_err(failed)? {
        let (key, value) = row.map_err(failed)?;
        if !key.value().starts_with(prefix) {
            break;
        }
        visit(key.value(), value.value())?;
    }
    Ok(())
}

/// Returns the record at `key`.
pub(crate) fn record<V: Decode<()>>(
    tables: &dyn Tables,
    table: Table,
    key: &[u8],
) -> Result<Option<V>> {
    let row = tables.get(table, key)?;
    row.map(|bytes| decode(table, key, &bytes)).transpose()
}

/// As [`record`], but `None` for a row that does not decode.
pub(crate) fn readable_record<V: Decode<()>>(
    tables: &dyn Tables,
    table: Table,
    key: &[u8],
) -> Result<Option<V>> {
    let row = tables.get(table, key)?;
    Ok(row.and_then(|bytes| decode_or_log(table, key, &bytes)))
}

/// Returns the records whose key starts with `prefix`, in key order. Skips rows that do not decode:
/// one such row must not take the others with it.
pub(crate) fn records<V: Decode<()>>(
    tables: &dyn Tables,
    table: Table,
    prefix: &[u8],
) -> Result<Rows<V>> {
    let mut rows = Vec::new();
    tables.scan(table, prefix, &mut |key, bytes| {
        rows.extend(decode_or_log(table, key, bytes).map(|row| (key.to_vec(), row)));
        Ok(())
    })?;
    Ok(rows)
}

/// Counts the rows whose key starts with `prefix`.
pub(crate) fn count(tables: &dyn Tables, table: Table, prefix: &[u8]) -> Result<u64> {
    let mut count = 0;
    tables.scan(table, prefix, &mut |_, _| {
        count += 1;
        Ok(())
    })?;
    Ok(count)
}

/// A transaction that writes.
pub(crate) trait Put {
    fn put(&self, table: Table, key: &[u8], value: &[u8]) -> Result<()>;
}

pub(crate) fn put<V: Encode>(
    transaction: &impl Put,
    table: Table,
    key: &[u8],
    value: &V,
) -> Result<()> {
    transaction.put(table, key, &encode(value)?)
}

pub(crate) fn encode<V: Encode>(value: &V) -> Result<Vec<u8>> {
    codec::encode(value).map_err(|error| Error::Storage(error.to_string()))
}

pub(crate) fn decode<V: Decode<()>>(table: Table, key: &[u8], bytes: &[u8]) -> Result<V> {
    codec::decode(bytes).map_err(|error| {
        let name = redb::TableHandle::name(&table);
        Error::Storage(format!("table {name}, key {}: {error}", key.escape_ascii()))
    })
}

/// Returns `None` for a row that does not decode, and logs it.
pub(crate) fn decode_or_log<V: Decode<()>>(table: Table, key: &[u8], bytes: &[u8]) -> Option<V> {
    decode(table, key, bytes)
        .inspect_err(|error| log_skipped_row(&error.to_string()))
        .ok()
}

/// Logs a row that readers skip, once per process: pages and lists read it again and again.
pub(crate) fn log_skipped_row(reason: &str) {
    static LOGGED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut logged = LOGGED.lock().unwrap_or_else(PoisonError::into_inner);
    if logged.len() < SKIPPED_ROWS_LOGGED_MAX && logged.insert(reason.to_owned()) {
        tracing::error!(
            reason,
            "a row of the data file is skipped and kept as it is"
        );
    }
}

/// Key of an item or a redirect.
pub(crate) fn collection_key(number: u8, rest: &str) -> Vec<u8> {
    let mut key = vec![number];
    key.extend_from_slice(rest.as_bytes());
    key
}

/// Converts an error of redb. A full disk is a case of its own, because the admin can act on it.
pub(crate) fn failed(error: impl Into<redb::Error>) -> Error {
    match error.into() {
        redb::Error::Io(error) if is_full(&error) => Error::StorageFull,
        redb::Error::Io(error) if error.kind() == ErrorKind::ReadOnlyFilesystem => Error::ReadOnly,
        // The error before it said what happened; the file is opened again after it.
        redb::Error::PreviousIo => {
            Error::Storage("an earlier access to the disk failed".to_owned())
        }
        error => Error::Storage(error.to_string()),
    }
}

pub(crate) fn is_full(error: &std::io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge
    )
}
