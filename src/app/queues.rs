//! Queues for what is heavy: so many at once, and whoever finds no place is told to come again.

use std::sync::Arc;
use tokio::sync::Semaphore;

/// Uploads that may hold their bytes in memory at once, waiting for a worker included.
const UPLOADS_AT_ONCE: usize = 8;
/// Files to restore that come in at once: each may be as large as the disk allows.
const RESTORES_AT_ONCE: usize = 1;
/// Previews rendered at once: one link in many hands must not slow the site.
const PREVIEWS_AT_ONCE: usize = 1;
/// Forms of personal links that are drawn at once: one link opened many times slows only its own.
const FORMS_AT_ONCE: usize = 1;
const PAGES_AT_ONCE: usize = 4;
const PREVIEWS_WAITING_MAX: usize = 8;

/// Social pictures are drawn one at a time.
const DRAWINGS_AT_ONCE: usize = 1;
const DRAWINGS_WAITING_MAX: usize = 64;

/// Places for work that takes much memory, disk or time.
#[derive(Debug)]
pub struct Queues {
    pub uploads: Semaphore,
    /// One permit for each picture that may be processed at once: each takes up to 300 MB.
    pub image_workers: Arc<Semaphore>,
    pub restores: Arc<Semaphore>,
    pub previews: Semaphore,
    /// Places for previews that wait, those being rendered included.
    pub previews_waiting: Semaphore,
    /// Pages that are made at once for visitors: who asks for many leaves room for others.
    pub pages: Semaphore,
    pub forms: Semaphore,
    pub drawings: Semaphore,
    pub drawings_waiting: Semaphore,
}

impl Queues {
    pub fn new(image_workers: u8) -> Self {
        Self {
            uploads: Semaphore::new(UPLOADS_AT_ONCE),
            image_workers: Arc::new(Semaphore::new(image_workers.into())),
            restores: Arc::new(Semaphore::new(RESTORES_AT_ONCE)),
            previews: Semaphore::new(PREVIEWS_AT_ONCE),
            previews_waiting: Semaphore::new(PREVIEWS_AT_ONCE + PREVIEWS_WAITING_MAX),
            pages: Semaphore::new(PAGES_AT_ONCE),
            forms: Semaphore::new(FORMS_AT_ONCE),
            drawings: Semaphore::new(DRAWINGS_AT_ONCE),
            drawings_waiting: Semaphore::new(DRAWINGS_AT_ONCE + DRAWINGS_WAITING_MAX),
        }
    }
}
