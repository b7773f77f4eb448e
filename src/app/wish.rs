//! Background work that runs periodically and can be requested at once; progress of such work.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tokio::sync::Notify;

#[derive(Debug, Default)]
pub struct Wish {
    told: Notify,
    is_under_way: AtomicBool,
}

impl Wish {
    /// Requests the work. Requests while it is pending or running have no further effect.
    pub fn ask(&self) {
        if !self.is_under_way.swap(true, Ordering::AcqRel) {
            self.told.notify_one();
        }
    }

    pub async fn heard(&self) {
        self.told.notified().await;
    }

    pub fn begin(&self) {
        self.is_under_way.store(true, Ordering::Release);
    }

    pub fn end(&self) {
        self.is_under_way.store(false, Ordering::Release);
    }

    /// Returns whether the work was requested or has begun, and has not ended.
    pub fn is_under_way(&self) -> bool {
        self.is_under_way.load(Ordering::Acquire)
    }
}

/// Progress of work that consists of parts.
#[derive(Debug, Default)]
pub struct Parts {
    there: AtomicUsize,
    all: AtomicUsize,
}

impl Parts {
    pub fn set(&self, there: usize, all: usize) {
        self.all.store(all, Ordering::Relaxed);
        self.there.store(there, Ordering::Relaxed);
    }

    /// Returns how many parts are done, and of how many.
    pub fn get(&self) -> (usize, usize) {
        let all = self.all.load(Ordering::Relaxed);
        (self.there.load(Ordering::Relaxed).min(all), all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tokio::time::timeout;

    #[tokio::test]
    async fn what_is_asked_for_twice_is_done_once() {
        let wish = Wish::default();
        wish.ask();
        wish.ask();
        assert!(wish.is_under_way());
        wish.heard().await;
        wish.end();
        let waited = timeout(Duration::from_millis(20), wish.heard()).await;
        assert!(waited.is_err() && !wish.is_under_way());
    }
}
