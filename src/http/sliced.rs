//! A body sent slice by slice, so that a slow reader costs one slice and not the whole answer.

use actix_web::body::{BodySize, MessageBody};
use actix_web::web::Bytes;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

const SLICE_BYTES: usize = 16 * 1024;

/// Bytes that are already in memory. Slices share them.
#[derive(Debug)]
pub struct Sliced {
    rest: Bytes,
}

impl Sliced {
    pub fn new(bytes: Bytes) -> Self {
        Self { rest: bytes }
    }
}

impl MessageBody for Sliced {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.rest.len() as u64)
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        _context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Infallible>>> {
        if self.rest.is_empty() {
            return Poll::Ready(None);
        }
        let length = self.rest.len().min(SLICE_BYTES);
        Poll::Ready(Some(Ok(self.rest.split_to(length))))
    }
}
