//! In-memory cache of responses: evicts those without a recent request above a byte limit.

use super::{Page, Pages};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Maximum bytes of cached responses in all encodings, about 250 pages.
const BYTES_MAX: usize = 6 * 1024 * 1024;
/// Bytes left after an eviction. The gap keeps evictions rare.
const BYTES_KEPT: usize = BYTES_MAX / 4 * 3;

/// Byte count of the responses in memory. An upper bound: responses replaced by a publish are
/// subtracted at the next eviction.
#[derive(Debug, Default)]
pub(super) struct MemoryBudget(AtomicUsize);

impl MemoryBudget {
    /// Adds a response to the byte count. Above the limit, evicts responses that are also on disk:
    /// first those not requested since the last eviction, then the others.
    pub(super) fn entered(&self, pages: &Pages, page: &Page) {
        let before = self.0.fetch_add(page.bytes(), Ordering::Relaxed);
        if before + page.bytes() <= BYTES_MAX {
            return;
        }
        let held = || {
            let slots = pages.all();
            slots.filter_map(|slot| Some((slot, slot.ready()?.bytes())))
        };
        let mut left: usize = held().map(|(_, bytes)| bytes).sum();
        let unasked = held().filter(|(slot, _)| !slot.take_asked());
        for (slot, bytes) in unasked.chain(held()) {
            if left <= BYTES_KEPT {
                break;
            }
            if slot.forget() {
                left -= bytes;
            }
        }
        self.0.store(left, Ordering::Relaxed);
    }
}
