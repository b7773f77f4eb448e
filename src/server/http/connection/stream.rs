//! A stream that notes what passes through it, and limits the frames of HTTP/2 that ask for
//! nothing.

use super::activity::Activity;
use super::frame_limit::FrameLimit;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

#[derive(Debug)]
pub struct MeteredStream<T> {
    stream: T,
    activity: Rc<Activity>,
    /// Of HTTP/2 connections.
    frames: Option<FrameLimit>,
}

impl<T> MeteredStream<T> {
    pub fn new(stream: T, activity: Rc<Activity>, frames: Option<FrameLimit>) -> Self {
        Self {
            stream,
            activity,
            frames,
        }
    }

    fn record(&mut self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match &written {
            Poll::Ready(Ok(bytes)) => {
                self.activity.record_write(*bytes);
                if let Some(frames) = &mut self.frames {
                    frames.record_write(*bytes);
                }
            }
            Poll::Ready(Err(_)) => {}
            Poll::Pending => self.activity.record_blocked(),
        }
        written
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for MeteredStream<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        let arrived = &buffer.filled()[before..];
        if arrived.is_empty() {
            return read;
        }
        self.activity.record_read();
        if let Some(frames) = &mut self.frames
            && frames.record_read(arrived).is_err()
        {
            return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
        }
        read
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for MeteredStream<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.record(written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        match &flushed {
            Poll::Ready(Ok(())) => self.activity.record_flush(),
            Poll::Ready(Err(_)) => {}
            Poll::Pending => self.activity.record_blocked(),
        }
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.record(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
