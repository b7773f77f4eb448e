//! Background work that runs periodically and can be requested at once; progress of such work.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tokio::sync::Notify;

#[derive(Debug, Default)]
pub struct JobTrigger {
    requested: Notify,
    is_running: AtomicBool,
}

impl JobTrigger {
    /// Requests the work. Requests while it is pending or running have no further effect.
    pub fn request(&self) {
        if !self.is_running.swap(true, Ordering::AcqRel) {
            self.requested.notify_one();
        }
    }

    pub async fn requested(&self) {
        self.requested.notified().await;
    }

    pub fn start(&self) {
        self.is_running.store(true, Ordering::Release);
    }

    pub fn finish(&self) {
        self.is_running.store(false, Ordering::Release);
    }

    /// Returns whether the work was requested or has begun, and has not ended.
    pub fn is_running(&self) -> bool {
        self.is_running.load(Ordering::Acquire)
    }
}

/// Progress of work that consists of parts.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicUsize,
    all: AtomicUsize,
}

impl Progress {
    pub fn set(&self, done: usize, all: usize) {
        self.all.store(all, Ordering::Relaxed);
        self.done.store(done, Ordering::Relaxed);
    }

    /// Returns how many parts are done, and of how many.
    pub fn get(&self) -> (usize, usize) {
        let all = self.all.load(Ordering::Relaxed);
        (self.done.load(Ordering::Relaxed).min(all), all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tokio::time::timeout;

    #[tokio::test]
    async fn what_is_asked_for_twice_is_done_once() {
        let trigger = JobTrigger::default();
        trigger.request();
        trigger.request();
        assert!(trigger.is_running());
        trigger.requested().await;
        trigger.finish();
        let waited = timeout(Duration::from_millis(20), trigger.requested()).await;
        assert!(waited.is_err() && !trigger.is_running());
    }
}
