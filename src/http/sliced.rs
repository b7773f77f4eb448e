//! A body sent slice by slice, so that a slow reader costs one slice and not the whole answer.

use actix_web::body::{BodySize, MessageBody};
use actix_web::web::Bytes;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

const SLICE_BYTES: usize = 16 * 1024;
/// A reader has this long before its pace is looked at.
const GRACE: Duration = Duration::from_mins(1);
/// Whoever reads slower than this, in bytes per second, is cut off.
const PACE_MIN: u64 = 512;

/// Bytes that are already in memory. Slices share them.
#[derive(Debug)]
pub struct Sliced {
    rest: Bytes,
    length: u64,
    sent: u64,
    started: Option<Instant>,
}

impl Sliced {
    pub fn new(bytes: Bytes) -> Self {
        Self {
            length: bytes.len() as u64,
            rest: bytes,
            sent: 0,
            started: None,
        }
    }

    /// For HEAD: the length that the body would have, and no body.
    pub fn announced(length: u64) -> Self {
        Self {
            length,
            ..Self::new(Bytes::new())
        }
    }
}

impl MessageBody for Sliced {
    type Error = io::Error;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.length)
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        _context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, io::Error>>> {
        if self.rest.is_empty() {
            return Poll::Ready(None);
        }
        let elapsed = self.started.get_or_insert_with(Instant::now).elapsed();
        if is_too_slow(elapsed, self.sent) {
            return Poll::Ready(Some(Err(io::ErrorKind::TimedOut.into())));
        }
        let length = self.rest.len().min(SLICE_BYTES);
        self.sent += length as u64;
        Poll::Ready(Some(Ok(self.rest.split_to(length))))
    }
}

/// Whether a reader who took so much in this time keeps a pace that nobody has.
pub fn is_too_slow(elapsed: Duration, sent: u64) -> bool {
    elapsed > GRACE && sent < PACE_MIN.saturating_mul(elapsed.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_keeps_a_snails_pace_for_long_is_cut_off() {
        let slow = |seconds: u64, sent: u64| is_too_slow(Duration::from_secs(seconds), sent);
        assert!(!slow(59, 0));
        assert!(!slow(61, 61 * PACE_MIN));
        assert!(slow(61, 60 * PACE_MIN));
        assert!(!slow(600, 1024 * 1024));
    }
}
