//! One connection, for as long as it asks for what lies ready.

use super::answer;
use super::head::{self, Asked};
use crate::http::api::page_views;
use crate::http::body_cursor::{self, BodyCursor};
use crate::http::cached_response::{self, CachedResponse, Selection};
use crate::http::pages::{published_pages, stored_images};
use crate::http::responses::Encoding;
use crate::http::{client_addr, middleware};
use crate::state::App;
use crate::state::connection_table::Slot;
use actix_server::GracefulShutdownSignal;
use actix_web::web::{Bytes, BytesMut};
use respiro_content::value::UPLOAD_PREFIX;
use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::{Sleep, sleep};

/// A head that is longer is handed on.
const READ_BYTES: usize = 4 * 1024;

/// What is known of a connection between two requests.
pub struct Connection {
    app: Arc<App>,
    peer: Option<IpAddr>,
    read: BytesMut,
    /// When it has been idle for too long. The timer looks at this: it is not set anew each time.
    until: Instant,
    timer: Pin<Box<Sleep>>,
    stopping: Pin<Box<dyn Future<Output = ()>>>,
}

/// How it ended here.
pub enum End {
    Closed,
    /// The next request is for another: what was read of it.
    Other(BytesMut),
}

impl Connection {
    pub fn new(app: Arc<App>, peer: Option<IpAddr>, stopping: GracefulShutdownSignal) -> Self {
        let patience = app.tuning.head_timeout;
        Self {
            peer,
            read: BytesMut::with_capacity(READ_BYTES),
            until: Instant::now() + patience,
            timer: Box::pin(sleep(patience)),
            stopping: Box::pin(async move { stopping.notified().await }),
            app,
        }
    }

    pub async fn serve<T>(&mut self, stream: &mut T, slot: &Slot) -> io::Result<End>
    where
        T: AsyncRead + AsyncWrite + Unpin,
    {
        loop {
            if self.read.is_empty() && !self.more(stream).await? {
                return Ok(End::Closed);
            }
            let started = Instant::now();
            let _busy = slot.begin_request();
            let prepared = match head::read(&self.read) {
                Some(asked) => prepare(&self.app, &asked, self.peer, started)
                    .await
                    .map(|p| (p, asked.length)),
                None => None,
            };
            let Some(((head, rest), length)) = prepared else {
                return Ok(End::Other(std::mem::take(&mut self.read)));
            };
            write(stream, &self.app, (&head, rest), started).await?;
            self.until = Instant::now() + self.app.tuning.keep_alive;
            // The next head has the whole room again.
            let _ = self.read.split_to(length);
            self.read.reserve(READ_BYTES);
        }
    }

    /// Waits for bytes. `false`: none will come, or not for long.
    async fn more(&mut self, stream: &mut (impl AsyncRead + Unpin)) -> io::Result<bool> {
        loop {
            tokio::select! {
                biased;
                read = stream.read_buf(&mut self.read) => return Ok(read? > 0),
                () = &mut self.stopping => return Ok(false),
                () = &mut self.timer => {
                    if Instant::now() >= self.until {
                        return Ok(false);
                    }
                    self.timer.as_mut().reset(self.until.into());
                }
            }
        }
    }
}

/// Head and body of the answer. `None`: what is asked for is not ready here, or under another name.
async fn prepare(
    app: &App,
    asked: &Asked<'_>,
    peer: Option<IpAddr>,
    started: Instant,
) -> Option<(Vec<u8>, BodyCursor)> {
    if app.host_aliases.has(asked.host) {
        return None;
    }
    let pages = app.site.publisher.pages()?;
    let page;
    let mut is_view = false;
    let cached_page = if let Some(path) = asked.path.strip_prefix(UPLOAD_PREFIX) {
        let (id, name) = stored_images::id_and_name(path)?;
        CachedResponse::picture(stored_images::published_file(&pages, id, name)?)
    } else {
        page = published_pages::cached_page(&app.site.publisher, &pages, asked.path)?;
        is_view = page.is_shown() && !asked.wish.is_head;
        let encoding = Encoding::of_page(&page, &asked.accepts.into_iter());
        CachedResponse::page(&page, asked.path, encoding)
    };
    let share = cached_page.select(asked.has.into_iter(), &asked.wish);
    let rest = match &share {
        Selection::Full if !asked.wish.is_head => {
            let whole = cached_response::begin(app, &cached_page.content, None);
            whole.await.ok()?
        }
        Selection::Range(part) => {
            let part = cached_response::begin(app, &cached_page.content, Some(part.clone()));
            part.await.ok()?
        }
        _ => BodyCursor::from(Bytes::new()),
    };
    let length = match &share {
        Selection::NotModified => None,
        Selection::RangeNotSatisfiable => Some(0),
        Selection::Full => Some(cached_page.bytes()),
        Selection::Range(_) => Some(rest.bytes()),
    };
    let number = app.meters.requests.next_request_id();
    let head = answer::head(
        &cached_page,
        &share,
        length,
        (
            number,
            middleware::preformatted_headers(app.is_https(), cached_page.has_policy()),
        ),
    );
    if is_view {
        let address = || {
            let forwarded = asked.forwarded.into_iter();
            client_addr::resolve_client_addr(peer, forwarded, &app.config.trusted_proxies)
        };
        page_views::record_view(app, &asked.told, asked.path, address);
    }
    app.meters.requests.record_response(
        asked.method,
        cached_page.status(&share),
        started.elapsed(),
    );
    Some((head, rest))
}

/// Writes both, without a copy. Whoever takes them too slowly is cut off; whoever takes nothing
/// at all, by the kernel. What cannot be read any more breaks the answer off.
async fn write<T>(
    stream: &mut T,
    app: &App,
    (head, mut rest): (&[u8], BodyCursor),
    started: Instant,
) -> io::Result<()>
where
    T: AsyncWrite + Unpin,
{
    let mut head = head;
    let mut sent = 0;
    while !(head.is_empty() && rest.is_empty()) {
        if let Some((hash, at)) = rest.needs() {
            rest.fill(
                app.image_bytes(hash, at, usize::MAX)
                    .await
                    .map_err(io::Error::other)?,
            );
        }
        let written = poll_fn(|context| {
            let slices = [IoSlice::new(head), IoSlice::new(rest.buffered())];
            let slices = if head.is_empty() {
                &slices[1..]
            } else {
                &slices
            };
            let written = Pin::new(&mut *stream).poll_write_vectored(context, slices);
            if written.is_pending() {
                rest.copy_slice();
            }
            written
        });
        let written = written.await?;
        if written == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        let of_head = written.min(head.len());
        head = &head[of_head..];
        rest.advance(written - of_head);
        sent += written as u64;
        if !rest.is_empty() && body_cursor::is_too_slow(started.elapsed(), sent) {
            return Err(io::ErrorKind::TimedOut.into());
        }
    }
    stream.flush().await
}
