//! A response body sent in slices: a slow reader holds one slice instead of the whole response.

use super::rest::{Rest, SLICE_BYTES};
use crate::app::App;
use crate::app::written_lists::Runs;
use crate::error::Result as Read;
use actix_web::body::{BodySize, MessageBody};
use actix_web::web::Bytes;
use std::io;
use std::ops::Range;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

/// Time before the pace of a reader is checked.
const GRACE: Duration = Duration::from_mins(1);
/// Slowest accepted reader, in bytes per second; slower ones are disconnected.
const PACE_MIN: u64 = 512;

/// Bytes in memory that slices share, or a picture that is read while it is sent.
pub struct Sliced {
    rest: Rest,
    /// The buffer and its remaining ranges, if it is not sent whole.
    runs: Option<(Bytes, std::vec::IntoIter<Range<u32>>)>,
    /// Reads more of a picture.
    app: Option<Arc<App>>,
    reading: Option<Pin<Box<dyn Future<Output = Read<Bytes>>>>>,
    length: u64,
    sent: u64,
    started: Option<Instant>,
}

impl Sliced {
    pub fn new(bytes: Bytes) -> Self {
        Self {
            length: bytes.len() as u64,
            rest: Rest::of(bytes),
            runs: None,
            app: None,
            reading: None,
            sent: 0,
            started: None,
        }
    }

    /// Sends these ranges of the bytes, one after the other.
    pub fn of_runs(bytes: Bytes, runs: Runs) -> Self {
        let length = runs.iter().map(|run| u64::from(run.end - run.start)).sum();
        Self {
            length,
            runs: Some((bytes, runs.into_iter())),
            ..Self::new(Bytes::new())
        }
    }

    /// Sends the bytes in memory, and reads the following ones on demand.
    pub fn as_read(mut rest: Rest, app: Arc<App>) -> Self {
        rest.wait();
        Self {
            length: rest.bytes(),
            rest,
            app: Some(app),
            ..Self::new(Bytes::new())
        }
    }

    /// For HEAD: the length of the body without the body.
    pub fn announced(length: u64) -> Self {
        Self {
            length,
            ..Self::new(Bytes::new())
        }
    }
}

impl Sliced {
    /// Moves on to the next range.
    fn turn_to_next(&mut self) {
        while let (true, Some((bytes, runs))) = (self.rest.is_empty(), &mut self.runs) {
            let next = runs
                .next()
                .map(|run| bytes.slice(run.start as usize..run.end as usize));
            match next {
                Some(next) => self.rest = Rest::of(next),
                None => self.runs = None,
            }
        }
    }

    /// Completes when the next slice is in memory.
    fn poll_rest(&mut self, context: &mut Context<'_>) -> Poll<Read<()>> {
        let (Some((hash, at)), Some(app)) = (self.rest.lacks(), &self.app) else {
            return Poll::Ready(Ok(()));
        };
        let reading = self.reading.get_or_insert_with(|| {
            let app = Arc::clone(app);
            Box::pin(async move { app.piece(hash, at, SLICE_BYTES).await })
        });
        let read = ready!(reading.as_mut().poll(context));
        self.reading = None;
        Poll::Ready(read.map(|bytes| self.rest.put(bytes)))
    }
}

impl MessageBody for Sliced {
    type Error = io::Error;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.length)
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, io::Error>>> {
        self.turn_to_next();
        if self.rest.is_empty() {
            return Poll::Ready(None);
        }
        let elapsed = self.started.get_or_insert_with(Instant::now).elapsed();
        if is_too_slow(elapsed, self.sent) {
            return Poll::Ready(Some(Err(io::ErrorKind::TimedOut.into())));
        }
        if let Err(error) = ready!(self.poll_rest(context)) {
            return Poll::Ready(Some(Err(io::Error::other(error))));
        }
        let slice = self.rest.slice();
        self.sent += slice.len() as u64;
        Poll::Ready(Some(Ok(slice)))
    }
}

/// Returns whether a reader that took `sent` bytes in `elapsed` is below the minimum pace.
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
