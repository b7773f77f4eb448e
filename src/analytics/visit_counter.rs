//! Counts visits in memory: what is noted at the port waits in a bounded queue, and becomes totals
//! that name nobody.

use crate::day_counter::DayCounter;
use crate::{PendingTotals, Visit};
use jiff::civil::Date;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Visits that wait to be counted; further ones are dropped.
const QUEUED_VISITS_MAX: usize = 4_096;

/// The queue, and what was counted since it was last written.
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
    /// Whether visits are counted at all.
    pub fn is_on(&self) -> bool {
        self.is_on.load(Ordering::Relaxed)
    }

    /// Never waits: what finds no room is not counted.
    pub fn record(&self, visit: Visit) {
        let _ = self.sender.try_send(visit);
    }

    /// Counts what waits, as of `today`. `is_page` says whether a path is a page of the site.
    /// Switched off, what waits is forgotten, and the day's codes with it.
    pub fn count_queued(&self, today: Date, is_on: bool, is_page: impl Fn(&str) -> bool) {
        self.is_on.store(is_on, Ordering::Relaxed);
        let mut counter = lock(&self.counter);
        counter.start_day(today);
        if !is_on {
            counter.forget_visitors();
        }
        let receiver = lock(&self.receiver);
        // As many as fit: who sends faster than this counts does not keep it here.
        for visit in receiver.try_iter().take(QUEUED_VISITS_MAX) {
            if is_on && is_page(&visit.path) {
                counter.add(&visit);
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        lock(&self.counter).is_empty()
    }

    /// What was counted and is not written yet; it is the caller's now.
    pub fn take_totals(&self) -> PendingTotals {
        lock(&self.counter).take_totals()
    }

    /// What could not be written after all.
    pub fn restore_totals(&self, pending: PendingTotals) {
        lock(&self.counter).restore_totals(pending);
    }

    /// Forgets all of it, the codes of the day too.
    pub fn clear(&self) {
        lock(&self.receiver)
            .try_iter()
            .take(QUEUED_VISITS_MAX)
            .for_each(drop);
        *lock(&self.counter) = DayCounter::default();
    }
}

/// Every value behind these locks is whole at each step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
