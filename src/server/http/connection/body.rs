//! Bodies across the two libraries: hyper's requests as actix reads them, actix's responses as
//! hyper sends them.

use super::activity::{Activity, Exchange};
use actix_http::error::PayloadError;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::web::Bytes;
use futures_util::Stream;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use std::cell::Cell;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};

/// The body of a response, and its request until it is sent.
#[derive(Debug)]
pub struct ResponseBody {
    body: BoxBody,
    /// Unsent bytes; `None` if their number is not known.
    left: Option<u64>,
    #[expect(dead_code, reason = "marks the connection as busy while it lives")]
    exchange: Option<Exchange>,
}

impl ResponseBody {
    pub fn new(body: BoxBody, mut exchange: Option<Exchange>) -> Self {
        if let Some(exchange) = &mut exchange {
            exchange.respond();
        }
        Self {
            left: match body.size() {
                BodySize::None => Some(0),
                BodySize::Sized(length) => Some(length),
                BodySize::Stream => None,
            },
            body,
            exchange,
        }
    }
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        Poll::Ready(match ready!(Pin::new(&mut self.body).poll_next(context)) {
            Some(Ok(bytes)) => {
                let length = bytes.len() as u64;
                self.left = self.left.map(|left| left.saturating_sub(length));
                Some(Ok(Frame::data(bytes)))
            }
            Some(Err(error)) => Some(Err(io::Error::other(error.to_string()))),
            None if self.left.is_some_and(|left| left > 0) => {
                Some(Err(io::ErrorKind::UnexpectedEof.into()))
            }
            None => None,
        })
    }

    fn is_end_stream(&self) -> bool {
        self.left == Some(0)
    }

    fn size_hint(&self) -> SizeHint {
        self.left
            .map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}

/// The body of a request as handlers read it.
pub struct RequestBody {
    body: Incoming,
    activity: Rc<Activity>,
    is_read: Rc<Cell<bool>>,
}

impl RequestBody {
    /// `is_read` becomes true when the body was read to its end.
    pub fn new(body: Incoming, activity: Rc<Activity>, is_read: Rc<Cell<bool>>) -> Self {
        Self {
            body,
            activity,
            is_read,
        }
    }
}

impl Stream for RequestBody {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            return Poll::Ready(match ready!(Pin::new(&mut self.body).poll_frame(context)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(bytes) => Some(Ok(bytes)),
                    // Trailers mean nothing here.
                    Err(_) => continue,
                },
                Some(Err(error)) => {
                    Some(Err(PayloadError::Incomplete(Some(io::Error::other(error)))))
                }
                None => {
                    self.is_read.set(true);
                    None
                }
            });
        }
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        if self.body.is_end_stream() {
            self.is_read.set(true);
        }
        if !self.is_read.get() {
            self.activity.record_unread_body();
        }
    }
}
