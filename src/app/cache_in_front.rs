//! How telling a cache in front went, and the wish that it be told again.

use super::wish::Wish;
use crate::content::Timestamp;
use arc_swap::ArcSwapOption;
use std::sync::Arc;

#[derive(Debug, Default)]
pub struct CacheInFront {
    pub wish: Wish,
    last: ArcSwapOption<Told>,
}

/// The last time that it was told of a publish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    pub at: Timestamp,
    /// Why it did not hear, in Italian.
    pub failure: Option<&'static str>,
}

impl CacheInFront {
    pub fn keep(&self, told: Told) {
        self.last.store(Some(Arc::new(told)));
    }

    /// `None` before the first publish of this run.
    pub fn last(&self) -> Option<Arc<Told>> {
        self.last.load_full()
    }
}
