//! Work that goes by itself and that somebody may ask for at once.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tokio::sync::Notify;

#[derive(Debug, Default)]
pub struct Wish {
    told: Notify,
    is_under_way: AtomicBool,
}

impl Wish {
    /// Asks for it. Who asks again while it is under way asks for nothing more.
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

    /// Whether it was asked for or has begun, and is not done.
    pub fn is_under_way(&self) -> bool {
        self.is_under_way.load(Ordering::Acquire)
    }
}

/// How far a work is that has parts.
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

    /// How many are there, of how many.
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
