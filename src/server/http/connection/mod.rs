//! Serves one connection with hyper: HTTP/1.1, or HTTP/2 where TLS agreed on it. What lies in
//! memory is answered at once (`cached`), everything else by the actix application (`routes`), in
//! the same thread.

mod activity;
mod body;
mod cached;
mod frame_limit;
mod routes;
mod stream;

use crate::log;
use crate::state::connection_table::Slot;
use crate::state::{App, Tuning};
use activity::{Activity, CLOSE_TIMEOUT, Check};
use actix_server::GracefulShutdownSignal;
use actix_service::{Service, ServiceFactory};
use body::ResponseBody;
use frame_limit::FrameLimit;
use hyper::body::Incoming;
use hyper::header::{HeaderValue, RETRY_AFTER};
use hyper::server::conn::{http1, http2};
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use routes::Routes;
use std::convert::Infallible;
use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use stream::MeteredStream;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::task::spawn_local;
use tokio::time::{sleep, timeout};

/// Largest head of a request, also the unsent bytes of a response that a slow client holds.
const BUFFER_BYTES: usize = 32 * 1024;
const HEADER_LIST_BYTES_MAX: u32 = 32 * 1024;
/// Time that a connection lingers after its request was refused before it was complete: a client
/// that is still sending receives the response.
const LINGER: Duration = Duration::from_secs(10);
/// Requests that one HTTP/2 connection may have in flight.
const STREAMS_MAX: u32 = 128;
/// Streams that the client may reset before the server has looked at them.
const EARLY_RESETS_MAX: usize = 20;
/// Streams that the server may have to reset because of errors of the client.
const ERRORS_MAX: usize = 64;
/// Unread bytes of request bodies that one stream and one HTTP/2 connection may hold.
const STREAM_WINDOW_BYTES: u32 = 128 * 1024;
const CONNECTION_WINDOW_BYTES: u32 = 256 * 1024;
const REQUEST_TIMEOUT: &[u8] =
    b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
const BUSY_RETRY_AFTER: HeaderValue = HeaderValue::from_static("5");

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    Http1,
    Http2,
}

/// A stream, where it comes from, its place in the table of connections, and what it speaks.
pub type Arrived<T> = (T, Option<SocketAddr>, Slot, Protocol);
type Boxed<T> = Pin<Box<dyn Future<Output = T>>>;
type Io<T> = TokioIo<MeteredStream<T>>;

/// Makes the service of each worker.
#[derive(Debug)]
pub struct Connections<F> {
    app: Arc<App>,
    stopping: GracefulShutdownSignal,
    routes: F,
}

impl<F> Connections<F> {
    pub fn new(app: Arc<App>, stopping: GracefulShutdownSignal, routes: F) -> Self {
        Self {
            app,
            stopping,
            routes,
        }
    }
}

impl<T, F> ServiceFactory<Arrived<T>> for Connections<F>
where
    T: AsyncRead + AsyncWrite + Unpin + 'static,
    F: ServiceFactory<actix_http::Request, Config = (), InitError = ()>,
    F::Service: Routes,
    F::Future: 'static,
{
    type Response = ();
    type Error = std::io::Error;
    type Config = ();
    type Service = Worker<F::Service>;
    type InitError = ();
    type Future = Boxed<Result<Self::Service, ()>>;

    fn new_service(&self, (): ()) -> Self::Future {
        let (app, stopping) = (Arc::clone(&self.app), self.stopping.clone());
        let routes = self.routes.new_service(());
        Box::pin(async move {
            Ok(Worker {
                app,
                stopping,
                routes: Rc::new(routes.await?),
            })
        })
    }
}

/// Serves the connections of one worker.
#[derive(Debug)]
pub struct Worker<S> {
    app: Arc<App>,
    stopping: GracefulShutdownSignal,
    routes: Rc<S>,
}

impl<T, S> Service<Arrived<T>> for Worker<S>
where
    T: AsyncRead + AsyncWrite + Unpin + 'static,
    S: Routes,
{
    type Response = ();
    type Error = std::io::Error;
    type Future = Boxed<Result<(), std::io::Error>>;

    fn poll_ready(&self, _: &mut Context<'_>) -> Poll<Result<(), std::io::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&self, (stream, peer, slot, protocol): Arrived<T>) -> Self::Future {
        let requests = Requests(Rc::new(Shared {
            app: Arc::clone(&self.app),
            routes: Rc::clone(&self.routes),
            activity: Rc::new(Activity::new(slot)),
            peer,
        }));
        let stopping = self.stopping.clone();
        Box::pin(async move {
            match protocol {
                Protocol::Http1 => serve_http1(stream, requests, stopping).await,
                Protocol::Http2 => serve_http2(stream, requests, stopping).await,
            }
            Ok(())
        })
    }
}

/// Answers the requests of one connection.
struct Requests<S>(Rc<Shared<S>>);

struct Shared<S> {
    app: Arc<App>,
    routes: Rc<S>,
    activity: Rc<Activity>,
    peer: Option<SocketAddr>,
}

impl<S: Routes> hyper::service::Service<Request<Incoming>> for Requests<S> {
    type Response = Response<ResponseBody>;
    type Error = Infallible;
    type Future = Boxed<Result<Response<ResponseBody>, Infallible>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        let shared = Rc::clone(&self.0);
        let started = Instant::now();
        // Begun before its future is polled, so that the requests in flight are counted at once.
        let exchange = shared.activity.begin();
        Box::pin(async move {
            let Shared {
                app,
                routes,
                activity,
                peer,
            } = &*shared;
            let Some(exchange) = exchange else {
                let mut busy = routes::status_only(app, StatusCode::SERVICE_UNAVAILABLE, None);
                busy.headers_mut().insert(RETRY_AFTER, BUSY_RETRY_AFTER);
                return Ok(busy);
            };
            let ip = peer.map(|peer| peer.ip());
            match cached::answer(app, &request, ip, started, exchange).await {
                Ok(response) => Ok(response),
                Err(exchange) => {
                    Ok(routes::call(&**routes, app, request, *peer, activity, exchange).await)
                }
            }
        })
    }
}

/// Why a connection is not served any more.
enum End {
    /// hyper is done with it: the client closed it, or the last response is written.
    Done,
    /// The client sent invalid HTTP, or closed the connection early.
    Failed(hyper::Error),
    SlowHead,
    /// To be dropped as it is.
    Cut,
}

/// A connection of either protocol.
trait Driven {
    fn poll_done(&mut self, context: &mut Context<'_>) -> Poll<hyper::Result<()>>;
    /// Answers what was asked for already and nothing else.
    fn begin_close(&mut self);
}

impl<T, S> Driven for http1::Connection<Io<T>, Requests<S>>
where
    T: AsyncRead + AsyncWrite + Unpin + 'static,
    S: Routes,
{
    fn poll_done(&mut self, context: &mut Context<'_>) -> Poll<hyper::Result<()>> {
        self.poll_without_shutdown(context)
    }

    fn begin_close(&mut self) {
        Pin::new(self).graceful_shutdown();
    }
}

impl<T, S> Driven for Pin<&mut http2::Connection<Io<T>, Requests<S>, LocalExecutor>>
where
    T: AsyncRead + AsyncWrite + Unpin + 'static,
    S: Routes,
{
    fn poll_done(&mut self, context: &mut Context<'_>) -> Poll<hyper::Result<()>> {
        self.as_mut().poll(context)
    }

    fn begin_close(&mut self) {
        self.as_mut().graceful_shutdown();
    }
}

/// Runs the streams of HTTP/2 connections in the thread of their connection.
#[derive(Debug, Clone, Copy)]
struct LocalExecutor;

impl<F: Future<Output = ()> + 'static> hyper::rt::Executor<F> for LocalExecutor {
    fn execute(&self, future: F) {
        spawn_local(future);
    }
}

async fn serve_http1<T, S>(stream: T, requests: Requests<S>, stopping: GracefulShutdownSignal)
where
    T: AsyncRead + AsyncWrite + Unpin + 'static,
    S: Routes,
{
    let (app, activity) = (Arc::clone(&requests.0.app), Rc::clone(&requests.0.activity));
    let stream = TokioIo::new(MeteredStream::new(stream, Rc::clone(&activity), None));
    // `drive` times heads; hyper's own timeout also ends idle connections.
    let mut connection = http1::Builder::new()
        .max_buf_size(BUFFER_BYTES)
        .max_header_size(BUFFER_BYTES)
        .header_read_timeout(None)
        .half_close(true)
        .serve_connection(stream, requests);
    let end = drive(&mut connection, &activity, &app.tuning, &stopping, false).await;
    let mut stream = connection.into_parts().io.into_inner();
    let may_linger = match end {
        End::Done => activity.has_unread_body(),
        End::Failed(error) if error.is_parse() => {
            log::record_malformed();
            true
        }
        End::SlowHead => {
            let _ = timeout(CLOSE_TIMEOUT, stream.write_all(REQUEST_TIMEOUT)).await;
            true
        }
        End::Failed(_) | End::Cut => return,
    };
    // Whether the other side still listens to a farewell does not matter.
    let _ = timeout(CLOSE_TIMEOUT, stream.shutdown()).await;
    if may_linger {
        tokio::select! {
            () = discard(&mut stream) => {}
            () = sleep(LINGER) => {}
            () = activity.slot().evicted() => {}
            () = stopping.notified() => {}
        }
    }
}

/// Reads until the client closes. A close with unread bytes would discard the response on its way.
async fn discard(stream: &mut (impl AsyncRead + Unpin)) {
    let mut bytes = [0; 4 * 1024];
    while let Ok(1..) = stream.read(&mut bytes).await {}
}

async fn serve_http2<T, S>(stream: T, requests: Requests<S>, stopping: GracefulShutdownSignal)
where
    T: AsyncRead + AsyncWrite + Unpin + 'static,
    S: Routes,
{
    let (app, activity) = (Arc::clone(&requests.0.app), Rc::clone(&requests.0.activity));
    let frames = Some(FrameLimit::new());
    let stream = TokioIo::new(MeteredStream::new(stream, Rc::clone(&activity), frames));
    let connection = http2::Builder::new(LocalExecutor)
        .max_concurrent_streams(STREAMS_MAX)
        .max_header_list_size(HEADER_LIST_BYTES_MAX)
        .max_pending_accept_reset_streams(EARLY_RESETS_MAX)
        .max_local_error_reset_streams(ERRORS_MAX)
        .max_send_buf_size(BUFFER_BYTES)
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
        .serve_connection(stream, requests);
    let mut connection = pin!(connection);
    drive(
        &mut connection.as_mut(),
        &activity,
        &app.tuning,
        &stopping,
        true,
    )
    .await;
}

/// Serves until the connection ends, is to give way to another one, or is idle or stalled for too
/// long. At a stop, requests in flight are answered.
async fn drive(
    connection: &mut impl Driven,
    activity: &Activity,
    tuning: &Tuning,
    stopping: &GracefulShutdownSignal,
    is_http2: bool,
) -> End {
    let mut stopped = pin!(stopping.notified());
    let mut timer = pin!(sleep(tuning.head_timeout));
    let mut closing_since = None;
    loop {
        tokio::select! {
            biased;
            done = poll_fn(|context| connection.poll_done(context)) => {
                return done.map_or_else(End::Failed, |()| End::Done);
            }
            () = activity.slot().evicted() => return End::Cut,
            () = &mut stopped, if closing_since.is_none() => {
                closing_since = Some(Instant::now());
                connection.begin_close();
                timer.as_mut().reset((Instant::now() + CLOSE_TIMEOUT).into());
            }
            () = &mut timer => match activity.check(tuning, is_http2, closing_since) {
                Check::Next(at) => timer.as_mut().reset(at.into()),
                Check::Idle => {
                    closing_since = Some(Instant::now());
                    connection.begin_close();
                    timer.as_mut().reset((Instant::now() + CLOSE_TIMEOUT).into());
                }
                Check::SlowHead => return End::SlowHead,
                Check::Stalled => return End::Cut,
            }
        }
    }
}
