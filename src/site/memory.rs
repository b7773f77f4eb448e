//! How much of what is published lies in memory: what was asked for lately, within a bound.

use super::{Page, Pages, Slot};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Bytes of answers in memory, all encodings together. Those of some 250 pages.
const BYTES_MAX: usize = 6 * 1024 * 1024;
/// What is left when room is made, so that this is seldom done.
const BYTES_KEPT: usize = BYTES_MAX / 4 * 3;

#[derive(Debug)]
pub(super) struct Memory {
    /// Counts how often room was made. A slot remembers in which of these turns it was asked for.
    turn: AtomicU64,
    /// At least what is there: what a publish has replaced is taken off when room is made.
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

    /// Counts an answer that came in. Where there are too many, those go that are kept elsewhere
    /// and that nobody has asked for lately.
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
