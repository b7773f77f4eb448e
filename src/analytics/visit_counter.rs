//! Counts visits in memory: request handlers push into a bounded queue, and a job counts the queue
//! into anonymous totals.

use crate::day_counter::DayCounter;
use crate::{MissingPaths, PendingTotals, Visit};
use jiff::civil::Date;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Capacity of the queue; further visits are dropped.
const QUEUED_VISITS_MAX: usize = 4_096;

/// Result of looking up the path of a visit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathKind {
    Page,
    /// Neither a page nor a redirect.
    Missing,
    Other,
}

/// The queue of visits, and the totals since the last write.
#[derive(Debug)]
pub struct VisitCounter {
    is_on: AtomicBool,
    sender: SyncSender<Visit>,
    receiver: Mutex<Receiver<Visit>>,
    counter: Mutex<DayCounter>,
}

impl Default for VisitCounter {
    fn default() -> Self {
        let (sender, receiver) = sync_channel(QUEUED_VISITS_MAX);
        Self {
            is_on: AtomicBool::new(true),
            sender,
            receiver: Mutex::new(receiver),
            counter: Mutex::default(),
        }
    }
}

impl VisitCounter {
    /// Whether counting is enabled.
    pub fn is_on(&self) -> bool {
        self.is_on.load(Ordering::Relaxed)
    }

    /// Queues a visit. Never blocks: a full queue drops it.
    pub fn record(&self, visit: Visit) {
        let _ = self.sender.try_send(visit);
    }

    /// Counts the queued visits on `today`; `kind` tells what the site has at a path. While
    /// counting is disabled, the queue and the hashes of the day are dropped.
    pub fn count_queued(&self, today: Date, is_on: bool, kind: impl Fn(&str) -> PathKind) {
        self.is_on.store(is_on, Ordering::Relaxed);
        let mut counter = lock(&self.counter);
        counter.start_day(today);
        if !is_on {
            counter.forget_visitors();
        }
        let receiver = lock(&self.receiver);
        // Bounded, so that a fast client cannot keep this loop running.
        for visit in receiver.try_iter().take(QUEUED_VISITS_MAX) {
            match kind(&visit.path) {
                PathKind::Page if is_on => counter.add(&visit),
                PathKind::Missing if is_on => counter.add_missing(&visit),
                _ => {}
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        lock(&self.counter).is_empty()
    }

    /// Takes the totals that are not stored yet.
    pub fn take_totals(&self) -> PendingTotals {
        lock(&self.counter).take_totals()
    }

    /// Puts back totals that could not be stored.
    pub fn restore_totals(&self, pending: PendingTotals) {
        lock(&self.counter).restore_totals(pending);
    }

    /// Takes the addresses sought since the last call that the site does not have.
    pub fn take_missing(&self) -> MissingPaths {
        lock(&self.counter).take_missing()
    }

    /// Puts back addresses that could not be stored.
    pub fn restore_missing(&self, missing: MissingPaths) {
        lock(&self.counter).restore_missing(missing);
    }

    /// Drops queue, totals and the hashes of the day.
    pub fn clear(&self) {
        lock(&self.receiver)
            .try_iter()
            .take(QUEUED_VISITS_MAX)
            .for_each(drop);
        *lock(&self.counter) = DayCounter::default();
    }
}

/// Ignores poisoning: the values behind these locks are valid at each step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
