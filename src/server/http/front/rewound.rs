//! The stream that actix reads: first the bytes that the fast path read, then the rest.

use crate::state::connection_table::Slot;
use actix_web::web::BytesMut;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Longest header name that actix takes; at a longer one it panics, without an answer.
const HEADER_NAME_BYTES_MAX: usize = 65_535;
/// Stands for the bytes from an overlong header name on: it goes on with that name.
const FILLER: u8 = b'a';

#[derive(Debug)]
pub struct Rewound<T> {
    read: BytesMut,
    stream: T,
    slot: Rc<Slot>,
    head: HeadScan,
}

impl<T> Rewound<T> {
    pub fn new(read: BytesMut, stream: T, slot: Rc<Slot>) -> Self {
        Self {
            read,
            stream,
            slot,
            head: HeadScan::LineEnd,
        }
    }

    pub fn slot(&self) -> &Rc<Slot> {
        &self.slot
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for Rewound<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let known = buffer.filled().len();
        if self.read.is_empty() {
            let outcome = Pin::new(&mut self.stream).poll_read(context, buffer);
            let has_new = buffer.filled().len() > known;
            let is_failed = matches!(outcome, Poll::Ready(Err(_)));
            if matches!(self.head, HeadScan::Overlong) && !has_new && !is_failed {
                // Fills actix's buffer, so that it answers 431.
                while buffer.remaining() > 0 {
                    buffer.put_slice(&[FILLER]);
                }
                return Poll::Ready(Ok(()));
            }
            std::task::ready!(outcome)?;
        } else {
            let length = self.read.len().min(buffer.remaining());
            buffer.put_slice(&self.read.split_to(length));
            if self.read.is_empty() {
                self.read = BytesMut::new();
            }
        }
        self.head
            .replace_overlong(&mut buffer.filled_mut()[known..]);
        Poll::Ready(Ok(()))
    }
}

/// Finds a header name above the limit, in heads only. A pipelined head is not looked at.
#[derive(Debug)]
enum HeadScan {
    /// In the request line, or behind the name of a header.
    LineEnd,
    /// In a header name of so many bytes, or at an empty line.
    Name(usize),
    /// Behind the head.
    Body,
    Overlong,
}

impl HeadScan {
    /// Replaces everything behind the limit of an overlong name.
    fn replace_overlong(&mut self, bytes: &mut [u8]) {
        for byte in bytes {
            *self = match (&*self, *byte) {
                (Self::Body, _) => return,
                (Self::Overlong, _) => {
                    *byte = FILLER;
                    continue;
                }
                (Self::Name(0), b'\n') => Self::Body,
                (Self::Name(0), b'\r') | (_, b'\n') => Self::Name(0),
                (Self::Name(HEADER_NAME_BYTES_MAX), byte) if is_name_byte(byte) => Self::Overlong,
                (Self::Name(length), byte) if is_name_byte(byte) => Self::Name(length + 1),
                _ => Self::LineEnd,
            };
        }
    }

    /// After a response the next head begins; an interim one (RFC 9110, section 15.2) is followed
    /// by the body.
    fn begin_next_head(&mut self, written: &[u8]) {
        if matches!(self, Self::Body) && !written.starts_with(b"HTTP/1.1 100") {
            *self = Self::LineEnd;
        }
    }
}

/// Whether a byte may be in a header name (RFC 9110, `tchar`).
const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'!' | b'#'..=b'\'' | b'*' | b'+' | b'-' | b'.' | b'^' | b'_' | b'`' | b'|' | b'~'
        )
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Rewound<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.head.begin_next_head(bytes);
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.head
            .begin_next_head(slices.first().map_or(&[], |slice| slice));
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::connection_table::{ConnectionTable, Limits, Transport};
    use std::sync::Arc;
    use tokio::io::AsyncReadExt;

    #[tokio::test]
    async fn what_was_read_comes_first_and_once() {
        let (read, rest) = (BytesMut::from(&b"GET / HT"[..]), &b"TP/1.1"[..]);
        let table = Arc::new(ConnectionTable::new(Limits::default(), Vec::new()));
        let slot = table.admit(None, Transport::Plain).unwrap();
        let mut stream = Rewound::new(read, rest, Rc::new(slot));
        let mut few = [0; 3];
        stream.read_exact(&mut few).await.unwrap();
        assert_eq!(&few, b"GET");
        let mut all = String::new();
        stream.read_to_string(&mut all).await.unwrap();
        assert_eq!(all, " / HTTP/1.1");
    }

    #[tokio::test]
    async fn an_overlong_header_name_never_ends_and_the_longest_one_passes() {
        let bytes_of = |name_bytes: usize| {
            let name = "x".repeat(name_bytes);
            format!("GET / HTTP/1.1\r\nHost: a\r\n{name}: 1\r\n\r\n").into_bytes()
        };
        let table = Arc::new(ConnectionTable::new(Limits::default(), Vec::new()));
        let slot = Rc::new(table.admit(None, Transport::Plain).unwrap());
        let longest = bytes_of(HEADER_NAME_BYTES_MAX);
        let mut stream = Rewound::new(BytesMut::new(), longest.as_slice(), Rc::clone(&slot));
        let mut read = Vec::new();
        stream.read_to_end(&mut read).await.unwrap();
        assert!(read == longest);
        let longer = bytes_of(HEADER_NAME_BYTES_MAX + 1);
        let begin = BytesMut::from(&longer[..100]);
        let mut stream = Rewound::new(begin, &longer[100..], Rc::clone(&slot));
        let mut read = vec![0; 200_000];
        stream.read_exact(&mut read).await.unwrap();
        let colons: Vec<_> = read.split(|byte| *byte == b':').skip(1).collect();
        assert_eq!(colons.len(), 1, "that of Host");
        let body = ["POST / HTTP/1.1\r\n\r\n", &"x".repeat(70_000)]
            .concat()
            .into_bytes();
        let mut stream = Rewound::new(BytesMut::new(), body.as_slice(), slot);
        let mut read = Vec::new();
        stream.read_to_end(&mut read).await.unwrap();
        assert!(read == body);
    }
}
