//! Counts visits in memory: what is noted at the port waits in a bounded queue, and becomes totals
//! that name nobody.

use crate::day_counter::Counter;
use crate::{Pending, Visit};
use jiff::civil::Date;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Visits that wait to be counted; further ones are dropped.
const WAITING_MAX: usize = 4_096;

/// The queue, and what was counted since it was last written.
#[derive(Debug)]
pub struct Tally {
    is_on: AtomicBool,
    sender: SyncSender<Visit>,
    receiver: Mutex<Receiver<Visit>>,
    counter: Mutex<Counter>,
}

impl Default for Tally {
    fn default() -> Self {
        let (sender, receiver) = sync_channel(WAITING_MAX);
        Self {
            is_on: AtomicBool::new(true),
            sender,
            receiver: Mutex::new(receiver),
            counter: Mutex::default(),
        }
    }
}

impl Tally {
    /// Whether visits are counted at all.
    pub fn is_on(&self) -> bool {
        self.is_on.load(Ordering::Relaxed)
    }

    /// Never waits: what finds no room is not counted.
    pub fn note(&self, visit: Visit) {
        let _ = self.sender.try_send(visit);
    }

    /// Counts what waits, as of `today`. `knows` says whether a path is a page of the site.
    /// Switched off, what waits is forgotten, and the day's codes with it.
    pub fn count(&self, today: Date, is_on: bool, knows: impl Fn(&str) -> bool) {
        self.is_on.store(is_on, Ordering::Relaxed);
        let mut counter = locked(&self.counter);
        counter.begin(today);
        if !is_on {
            counter.forget_visitors();
        }
        let receiver = locked(&self.receiver);
        // As many as fit: who sends faster than this counts does not keep it here.
        for visit in receiver.try_iter().take(WAITING_MAX) {
            if is_on && knows(&visit.path) {
                counter.add(&visit);
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        locked(&self.counter).is_empty()
    }

    /// What was counted and is not written yet; it is the caller's now.
    pub fn take(&self) -> Pending {
        locked(&self.counter).take()
    }

    /// What could not be written after all.
    pub fn give_back(&self, pending: Pending) {
        locked(&self.counter).give_back(pending);
    }

    /// Forgets all of it, the codes of the day too.
    pub fn clear(&self) {
        locked(&self.receiver)
            .try_iter()
            .take(WAITING_MAX)
            .for_each(drop);
        *locked(&self.counter) = Counter::default();
    }
}

/// Every value behind these locks is whole at each step.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
