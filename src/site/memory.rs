//! In-memory cache of responses: evicts the least recently requested ones above a byte limit.

use super::{Page, Pages, Slot};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Maximum bytes of cached responses in all encodings, about 250 pages.
const BYTES_MAX: usize = 6 * 1024 * 1024;
/// Bytes left after an eviction. The gap keeps evictions rare.
const BYTES_KEPT: usize = BYTES_MAX / 4 * 3;

#[derive(Debug)]
pub(super) struct Memory {
    /// Number of the eviction round, from 1. A slot stores the round of its last request.
    turn: AtomicU64,
    /// Upper bound of the bytes in memory: responses replaced by a publish are subtracted at the
    /// next eviction.
    bytes: AtomicUsize,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            turn: AtomicU64::new(1),
            bytes: AtomicUsize::new(0),
        }
    }
}

impl Memory {
    pub(super) fn turn(&self) -> u64 {
        self.turn.load(Ordering::Relaxed)
    }

    /// Adds a response to the byte count. Above the limit, evicts the least recently requested
    /// responses that are also on disk.
    pub(super) fn entered(&self, pages: &Pages, page: &Page) {
        let before = self.bytes.fetch_add(page.bytes(), Ordering::Relaxed);
        if before + page.bytes() <= BYTES_MAX {
            return;
        }
        self.turn.fetch_add(1, Ordering::Relaxed);
        let mut held: Vec<(u64, &Arc<Slot>, usize)> = pages
            .all()
            .filter_map(|slot| Some((slot.asked(), slot, slot.ready()?.bytes())))
            .collect();
        held.sort_by_key(|(asked, ..)| *asked);
        let mut left: usize = held.iter().map(|(.., bytes)| bytes).sum();
        for (_, slot, bytes) in held {
            if left <= BYTES_KEPT {
                break;
            }
            if slot.forget() {
                left -= bytes;
            }
        }
        self.bytes.store(left, Ordering::Relaxed);
    }
}
