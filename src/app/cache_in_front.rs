//! State of the cache (CDN) in front of the site: the result of the last purge, and requests for
//! another.

use super::wish::Wish;
use crate::content::Timestamp;
use arc_swap::ArcSwapOption;
use std::sync::Arc;

#[derive(Debug, Default)]
pub struct CacheInFront {
    pub wish: Wish,
    last: ArcSwapOption<Told>,
}

/// The result of notifying the cache of a publish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    pub at: Timestamp,
    /// Why the notification failed, in Italian.
    pub failure: Option<&'static str>,
}

impl CacheInFront {
    pub fn keep(&self, told: Told) {
        self.last.store(Some(Arc::new(told)));
    }

    /// Returns `None` before the first publish since the start of the program.
    pub fn last(&self) -> Option<Arc<Told>> {
        self.last.load_full()
    }
}
