//! A stream of which something was read already: that comes first once more.

use crate::state::connection_table::Slot;
use actix_web::web::BytesMut;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

#[derive(Debug)]
pub struct Rewound<T> {
    read: BytesMut,
    stream: T,
    slot: Rc<Slot>,
}

impl<T> Rewound<T> {
    pub fn new(read: BytesMut, stream: T, slot: Rc<Slot>) -> Self {
        Self { read, stream, slot }
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
        if self.read.is_empty() {
            return Pin::new(&mut self.stream).poll_read(context, buffer);
        }
        let length = self.read.len().min(buffer.remaining());
        buffer.put_slice(&self.read.split_to(length));
        if self.read.is_empty() {
            self.read = BytesMut::new();
        }
        Poll::Ready(Ok(()))
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Rewound<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
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
}
