//! Old views, held so that a plain copy of the file stays whole while writes go on.
//!
//! redb reuses a freed page once no view is older than its freeing. With a view that is always
//! between 45 and 60 minutes old, a program that copies the file from its start to its end within
//! 45 minutes finds every page of the state it started with. This needs commits with quick
//! repair, and has to be tried again whenever the version of redb changes (`tests/store_copy.rs`).
//!
//! What the views keep from being reused is bounded too: many writes within an hour make them
//! younger than that, and a plain copy meanwhile may turn out torn, which `respiro check` tells.

use crate::error::Result;
use crate::tables::failed;
use crate::transaction::Turnover;
use redb::{Database, ReadTransaction, ReadableDatabase};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

const AGE_MAX: Duration = Duration::from_hours(1);
const NEW_EVERY: Duration = Duration::from_mins(15);
/// Freed bytes that the views may keep from being reused.
const FREED_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// A view, when it was taken, and how much had been freed by then.
struct View {
    taken_at: Instant,
    freed: u64,
    _transaction: ReadTransaction,
}

/// Views, oldest first.
#[derive(Default)]
pub(crate) struct Pins {
    views: Mutex<VecDeque<View>>,
    /// Bytes freed since the start, never less than it was.
    freed: AtomicU64,
    /// Bytes written to the file, by whoever opened it.
    written: Arc<AtomicU64>,
}

impl Pins {
    pub(crate) fn counting(written: Arc<AtomicU64>) -> Self {
        Self {
            written,
            ..Self::default()
        }
    }

    /// Before each write. Between writes nothing is freed, so nothing has to be done.
    pub(crate) fn roll(&self, database: &Database, now: Instant) -> Result<()> {
        let mut views = self.views();
        let freed = self.freed.load(Ordering::Relaxed);
        let age = |view: &View| now.saturating_duration_since(view.taken_at);
        while views.front().is_some_and(|view| {
            age(view) >= AGE_MAX || freed.saturating_sub(view.freed) >= FREED_BYTES_MAX
        }) {
            views.pop_front();
        }
        if views.back().is_none_or(|view| age(view) >= NEW_EVERY) {
            views.push_back(View {
                taken_at: now,
                freed,
                _transaction: database.begin_read().map_err(failed)?,
            });
        }
        Ok(())
    }

    /// Takes down what a commit freed: pages are written anew wherever a row changes, so that
    /// whatever it wrote beside its new values took the place of something.
    pub(crate) fn count(&self, written_before: u64, turnover: Turnover) {
        let written = self.written().saturating_sub(written_before);
        let freed = written.saturating_sub(turnover.bytes_in) + turnover.bytes_out;
        self.freed.fetch_add(freed, Ordering::Relaxed);
    }

    pub(crate) fn written(&self) -> u64 {
        self.written.load(Ordering::Relaxed)
    }

    pub(crate) fn clear(&self) {
        self.views().clear();
    }

    fn views(&self) -> MutexGuard<'_, VecDeque<View>> {
        self.views.lock().unwrap_or_else(PoisonError::into_inner)
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
        let (database, pins, start) = (database(), Pins::default(), Instant::now());
        for minute in 0..600 {
            let now = start + Duration::from_mins(minute);
            pins.roll(&database, now).unwrap();
            let oldest = now - pins.views().front().unwrap().taken_at;
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
        let (database, pins, start) = (database(), Pins::default(), Instant::now());
        for step in 0..500_u64 {
            pins.roll(&database, start + Duration::from_secs(step))
                .unwrap();
            let held = pins.freed.load(Ordering::Relaxed) - pins.views().front().unwrap().freed;
            assert!(held < FREED_BYTES_MAX, "step {step}: {held}");
            let turnover = Turnover {
                bytes_in: 0,
                bytes_out: 1_000_000,
            };
            pins.count(0, turnover);
        }
    }
}
