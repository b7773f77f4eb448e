//! Old views, held so that a plain copy of the file stays whole while writes go on.
//!
//! redb reuses a freed page once no view is older than its freeing. With a view that is always
//! between 45 and 60 minutes old, a program that copies the file from its start to its end within
//! 45 minutes finds every page of the state it started with. This needs commits with quick
//! repair, and has to be tried again whenever the version of redb changes (`tests/store_copy.rs`).

use super::tables::failed;
use crate::error::Result;
use redb::{Database, ReadTransaction, ReadableDatabase};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const AGE_MAX: Duration = Duration::from_hours(1);
const NEW_EVERY: Duration = Duration::from_mins(15);

/// Views by the moment they were taken, oldest first.
#[derive(Default)]
pub(super) struct Pins {
    views: Mutex<VecDeque<(Instant, ReadTransaction)>>,
}

impl Pins {
    /// Before each write. Between writes nothing is freed, so nothing has to be done.
    pub(super) fn roll(&self, database: &Database, now: Instant) -> Result<()> {
        let mut views = self.views.lock().unwrap_or_else(PoisonError::into_inner);
        let age = |taken_at: &Instant| now.saturating_duration_since(*taken_at);
        if views
            .back()
            .is_none_or(|(taken_at, _)| age(taken_at) >= NEW_EVERY)
        {
            views.push_back((now, database.begin_read().map_err(failed)?));
        }
        while views
            .front()
            .is_some_and(|(taken_at, _)| age(taken_at) >= AGE_MAX)
        {
            views.pop_front();
        }
        Ok(())
    }

    pub(super) fn clear(&self) {
        let mut views = self.views.lock().unwrap_or_else(PoisonError::into_inner);
        views.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_always_a_view_older_than_45_minutes_and_none_older_than_an_hour() {
        let backend = redb::backends::InMemoryBackend::new();
        let database = redb::Builder::new().create_with_backend(backend).unwrap();
        let pins = Pins::default();
        let start = Instant::now();
        for minute in 0..600 {
            let now = start + Duration::from_mins(minute);
            pins.roll(&database, now).unwrap();
            let views = pins.views.lock().unwrap();
            let oldest = now - views.front().unwrap().0;
            assert!(oldest < AGE_MAX, "minute {minute}: {oldest:?}");
            if minute >= 60 {
                assert!(
                    oldest >= Duration::from_mins(45),
                    "minute {minute}: {oldest:?}"
                );
            }
        }
    }
}
