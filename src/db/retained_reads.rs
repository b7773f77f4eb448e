//! Retains old read transactions, so that a plain copy of the file is whole although it is written
//! meanwhile.
//!
//! redb reuses a freed page once no read transaction is older than its freeing. As long as the
//! oldest one is 45 to 60 minutes old, a program that copies the file from start to end within 45
//! minutes finds every page of the state it started with. This needs commits with quick repair, and
//! must be tested with each new version of redb (`tests/store_copy.rs`).
//!
//! The retained bytes are bounded too: after many writes within an hour the oldest transaction is
//! younger, and a plain copy made meanwhile may be torn, which `respiro check` reports.

use crate::error::Result;
use crate::tables::failed;
use crate::transaction::CommitStats;
use redb::{Database, ReadTransaction, ReadableDatabase};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

const AGE_MAX: Duration = Duration::from_hours(1);
const INTERVAL: Duration = Duration::from_mins(15);
/// Freed bytes that the read transactions may keep from being reused.
const FREED_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// A read transaction, its start, and the bytes that had been freed by then.
struct RetainedRead {
    taken_at: Instant,
    freed: u64,
    _transaction: ReadTransaction,
}

/// Read transactions, oldest first.
#[derive(Default)]
pub(crate) struct RetainedReads {
    reads: Mutex<VecDeque<RetainedRead>>,
    /// Bytes freed since the start. Never decreases.
    freed: AtomicU64,
    /// Bytes written to the file by its backend.
    written: Arc<AtomicU64>,
}

impl RetainedReads {
    pub(crate) fn with_counter(written: Arc<AtomicU64>) -> Self {
        Self {
            written,
            ..Self::default()
        }
    }

    /// Drops old read transactions and begins new ones. Called before each write: nothing is freed
    /// between writes.
    pub(crate) fn rotate(&self, database: &Database, now: Instant) -> Result<()> {
        let mut reads = self.reads();
        let freed = self.freed.load(Ordering::Relaxed);
        let age = |read: &RetainedRead| now.saturating_duration_since(read.taken_at);
        while reads.front().is_some_and(|read| {
            age(read) >= AGE_MAX || freed.saturating_sub(read.freed) >= FREED_BYTES_MAX
        }) {
            reads.pop_front();
        }
        if reads.back().is_none_or(|read| age(read) >= INTERVAL) {
            reads.push_back(RetainedRead {
                taken_at: now,
                freed,
                _transaction: database.begin_read().map_err(failed)?,
            });
        }
        Ok(())
    }

    /// Adds what a commit freed. redb rewrites the pages of changed rows, so all bytes written
    /// beyond the new values replaced others.
    pub(crate) fn record_commit(&self, written_before: u64, stats: CommitStats) {
        let written = self.written().saturating_sub(written_before);
        let freed = written.saturating_sub(stats.bytes_in) + stats.bytes_out;
        self.freed.fetch_add(freed, Ordering::Relaxed);
    }

    pub(crate) fn written(&self) -> u64 {
        self.written.load(Ordering::Relaxed)
    }

    pub(crate) fn clear(&self) {
        self.reads().clear();
    }

    fn reads(&self) -> MutexGuard<'_, VecDeque<RetainedRead>> {
        self.reads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn database() -> Database {
        let backend = redb::backends::InMemoryBackend::new();
        redb::Builder::new().create_with_backend(backend).unwrap()
    }

    #[test]
    fn there_is_always_a_view_older_than_45_minutes_and_none_older_than_an_hour() {
        let (database, retained_reads, start) =
            (database(), RetainedReads::default(), Instant::now());
        for minute in 0..600 {
            let now = start + Duration::from_mins(minute);
            retained_reads.rotate(&database, now).unwrap();
            let oldest = now - retained_reads.reads().front().unwrap().taken_at;
            assert!(oldest < AGE_MAX, "minute {minute}: {oldest:?}");
            if minute >= 60 {
                assert!(
                    oldest >= Duration::from_mins(45),
                    "minute {minute}: {oldest:?}"
                );
            }
        }
    }

    #[test]
    fn no_view_outlives_the_bytes_it_may_hold() {
        let (database, retained_reads, start) =
            (database(), RetainedReads::default(), Instant::now());
        for step in 0..500_u64 {
            retained_reads
                .rotate(&database, start + Duration::from_secs(step))
                .unwrap();
            let held = retained_reads.freed.load(Ordering::Relaxed)
                - retained_reads.reads().front().unwrap().freed;
            assert!(held < FREED_BYTES_MAX, "step {step}: {held}");
            let stats = CommitStats {
                bytes_in: 0,
                bytes_out: 1_000_000,
            };
            retained_reads.record_commit(0, stats);
        }
    }
}
