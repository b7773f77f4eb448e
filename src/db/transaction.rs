//! A write transaction that tracks its changes: without changes it is aborted instead of committed,
//! and only one that adds nothing may use the disk reserve.

use crate::error::Result;
use crate::tables::{
    ACCOUNTS, HISTORY, MAILED, META, NOTICES, PASSKEYS, POSTS, PROVENANCES, Put, REQUESTS, Row,
    SESSIONS, TRASH, Table, Tables, Visit, failed, first_row, get_row, scan_rows,
};
use redb::{Database, Durability, ReadableTable as _, ReadableTableMetadata as _};
use redb::{TableHandle as _, WriteTransaction};
use std::cell::Cell;

/// Tables that may grow on a full disk, so that signing in, deleting, withdrawing a link or consent
/// and notifying stay possible.
const RESERVED: &[Table] = &[
    META,
    TRASH,
    HISTORY,
    MAILED,
    ACCOUNTS,
    PASSKEYS,
    SESSIONS,
    REQUESTS,
    PROVENANCES,
    NOTICES,
    POSTS,
];

pub(crate) struct Transaction {
    redb: WriteTransaction,
    is_changed: Cell<bool>,
    adds: Cell<bool>,
    bytes_in: Cell<u64>,
    bytes_out: Cell<u64>,
}

/// Bytes of values that a commit added and removed.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CommitStats {
    pub bytes_in: u64,
    pub bytes_out: u64,
}

impl Transaction {
    pub(crate) fn begin(database: &Database) -> Result<Self> {
        Ok(Self {
            redb: begin(database)?,
            is_changed: Cell::default(),
            adds: Cell::default(),
            bytes_in: Cell::default(),
            bytes_out: Cell::default(),
        })
    }

    /// Returns whether a row was added or grew, outside the reserved tables.
    pub(crate) fn adds(&self) -> bool {
        self.adds.get()
    }

    pub(crate) fn is_changed(&self) -> bool {
        self.is_changed.get()
    }

    /// Commits durably. Aborts a transaction without changes.
    pub(crate) fn commit(self) -> Result<CommitStats> {
        if !self.is_changed() {
            self.redb.abort().map_err(failed)?;
            return Ok(CommitStats::default());
        }
        let stats = CommitStats {
            bytes_in: self.bytes_in.get(),
            bytes_out: self.bytes_out.get(),
        };
        self.redb.commit().map_err(failed)?;
        Ok(stats)
    }

    /// Creates missing tables.
    pub(crate) fn make(&self, tables: &[Table]) -> Result<()> {
        let known = self.redb.list_tables().map_err(failed)?.count();
        for table in tables {
            self.redb.open_table(*table).map_err(failed)?;
        }
        if self.redb.list_tables().map_err(failed)?.count() != known {
            self.is_changed.set(true);
        }
        Ok(())
    }

    /// Deletes a table of an earlier schema.
    pub(crate) fn delete_table(&self, table: Table) -> Result<()> {
        if self.redb.delete_table(table).map_err(failed)? {
            self.is_changed.set(true);
        }
        Ok(())
    }

    pub(crate) fn put(&self, table: Table, key: &[u8], bytes: &[u8]) -> Result<()> {
        let is_reserved = RESERVED.iter().any(|other| other.name() == table.name());
        self.put_as(table, (key, bytes), is_reserved)
    }

    /// Writes a row that may grow on a full disk, in a table that is not reserved: it unsubscribes
    /// or erases an address.
    pub(crate) fn put_reserved(&self, table: Table, key: &[u8], bytes: &[u8]) -> Result<()> {
        self.put_as(table, (key, bytes), true)
    }

    fn put_as(&self, table: Table, (key, bytes): (&[u8], &[u8]), is_reserved: bool) -> Result<()> {
        let mut rows = self.redb.open_table(table).map_err(failed)?;
        let former = rows.get(key).map_err(failed)?;
        let former = former.map(|row| (row.value() == bytes, row.value().len()));
        let former_length = match former {
            Some((true, _)) => return Ok(()),
            Some((false, length)) => length,
            None => 0,
        };
        rows.insert(key, bytes).map_err(failed)?;
        self.is_changed.set(true);
        if !is_reserved && (former.is_none() || bytes.len() > former_length) {
            self.adds.set(true);
        }
        self.bytes_in.set(self.bytes_in.get() + bytes.len() as u64);
        self.bytes_out
            .set(self.bytes_out.get() + former_length as u64);
        Ok(())
    }

    /// Returns whether the row existed.
    pub(crate) fn remove(&self, table: Table, key: &[u8]) -> Result<bool> {
        let mut rows = self.redb.open_table(table).map_err(failed)?;
        let former = rows.remove(key).map_err(failed)?;
        let Some(row) = former else { return Ok(false) };
        self.is_changed.set(true);
        self.bytes_out
            .set(self.bytes_out.get() + row.value().len() as u64);
        Ok(true)
    }
}

impl Put for Transaction {
    fn put(&self, table: Table, key: &[u8], bytes: &[u8]) -> Result<()> {
        Self::put(self, table, key, bytes)
    }
}

impl Tables for Transaction {
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>> {
        get_row(&self.redb.open_table(table).map_err(failed)?, key)
    }

    fn length(&self, table: Table) -> Result<u64> {
        let table = self.redb.open_table(table).map_err(failed)?;
        table.len().map_err(failed)
    }

    fn first(&self, table: Table, prefix: &[u8]) -> Result<Option<Row>> {
        first_row(&self.redb.open_table(table).map_err(failed)?, prefix)
    }

    fn scan_from(&self, table: Table, range: (&[u8], &[u8]), visit: Visit<'_>) -> Result<()> {
        scan_rows(&self.redb.open_table(table).map_err(failed)?, range, visit)
    }
}

/// Begins a transaction whose commit is durable and keeps the file quick to open after a crash.
pub(crate) fn begin(database: &Database) -> Result<WriteTransaction> {
    let mut transaction = database.begin_write().map_err(failed)?;
    transaction
        .set_durability(Durability::Immediate)
        .map_err(failed)?;
    transaction.set_quick_repair(true);
    Ok(transaction)
}
