//! The clock of the running program. No other module below the HTTP layer reads the system time.

use respiro_content::Timestamp;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// System time plus an offset, so that a test can skip days.
#[derive(Debug, Clone, Default)]
pub struct Clock {
    pub ahead_ms: Arc<AtomicI64>,
}

impl Clock {
    pub fn now(&self) -> Timestamp {
        system_time().saturating_add(self.ahead_ms.load(Ordering::Relaxed))
    }
}

/// Returns the system time in milliseconds since 1970.
pub fn system_time() -> Timestamp {
    let elapsed = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX)
}
