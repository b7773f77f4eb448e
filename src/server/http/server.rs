//! Runs the server on a bound port, on a thread of its own, with every limit set.

use super::connection::{Arrived, Connections, Protocol};
use super::{middleware, router};
use crate::state::App;
use crate::state::connection_table::{Slot, Transport};
use actix_server::{GracefulShutdownSignal, Server, ServerHandle};
use actix_service::{
    IntoServiceFactory, ServiceFactory, ServiceFactoryExt, fn_service, map_config,
};
use actix_web::dev::AppConfig;
use actix_web::middleware::from_fn;
use actix_web::{rt, web};
use rustix::net::sockopt::{set_tcp_nodelay, set_tcp_user_timeout};
use rustix::process::{Resource, getrlimit, setrlimit};
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, mpsc};
use std::thread;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// Accepted connections of a worker; the table of connections decides before this does.
const CONNECTIONS_PER_WORKER_MAX: usize = 16_384;
/// File descriptors to request, within the system's hard limit.
const FILE_DESCRIPTORS: u64 = 16_384;
/// File descriptors for everything but connections of visitors, and for evicted connections that
/// are not closed yet.
const FILE_DESCRIPTORS_RESERVED: u64 = 512;
/// Time that pending requests have to finish at shutdown (contract, section 1).
const STOP_SECONDS_MAX: u64 = 30;
/// ALPN protocols that TLS offers, the preferred one first.
const HTTP2: &[u8] = b"h2";
const HTTP1: &[u8] = b"http/1.1";
/// Bytes of a TLS record. The client can read a record when all of it has arrived: with the 16 KiB
/// that rustls writes otherwise, the first bytes of a page waited for the second round trip.
const RECORD_BYTES: usize = 4 * 1024;
/// The kernel closes a connection whose reader acknowledges nothing for this long.
const STALL_MILLISECONDS_MAX: u32 = 60_000;

/// A running server.
#[derive(Debug)]
pub struct Running {
    handle: ServerHandle,
    thread: thread::JoinHandle<()>,
}

impl Running {
    /// Stops accepting connections and waits for pending requests.
    pub async fn stop(self) {
        self.handle.stop(true).await;
        let thread = self.thread;
        let joined = tokio::task::spawn_blocking(move || thread.join().is_ok()).await;
        if !matches!(joined, Ok(true)) {
            tracing::error!("the server thread ended in a panic");
        }
    }
}

/// Starts serving on `listeners`. Returns once connections are accepted.
pub fn start(
    app: Arc<App>,
    listeners: Vec<TcpListener>,
    tls: Option<rustls::ServerConfig>,
) -> io::Result<Running> {
    let descriptors = raise_file_descriptors().saturating_sub(FILE_DESCRIPTORS_RESERVED);
    app.connections
        .lower_total(usize::try_from(descriptors).unwrap_or(usize::MAX));
    listeners.iter().for_each(set_socket_options);
    run_on_thread("http", move || build(&app, listeners, tls))
}

/// Sets socket options that connections inherit from their listener.
pub(super) fn set_socket_options(listener: &TcpListener) {
    // Without it the second part of a response waits for the reader's delayed acknowledgement: 40
    // ms.
    if let Err(error) = set_tcp_nodelay(listener, true) {
        tracing::warn!(%error, "answers may wait for acknowledgements");
    }
    if let Err(error) = set_tcp_user_timeout(listener, STALL_MILLISECONDS_MAX) {
        tracing::warn!(%error, "readers that stall are not cut off");
    }
}

/// Runs the server that `build` makes on a thread of its own.
pub(super) fn run_on_thread(
    name: &str,
    build: impl FnOnce() -> io::Result<Server> + Send + 'static,
) -> io::Result<Running> {
    let (sender, receiver) = mpsc::channel();
    let thread = thread::Builder::new()
        .name(name.to_owned())
        .spawn(move || serve(build, &sender))?;
    let started = receiver.recv();
    match started {
        Ok(result) => result.map(|handle| Running { handle, thread }),
        Err(_) => Err(io::Error::other(
            "the server thread ended before it answered",
        )),
    }
}

fn serve(
    build: impl FnOnce() -> io::Result<Server>,
    started: &mpsc::Sender<io::Result<ServerHandle>>,
) {
    rt::System::new().block_on(async move {
        let server = match build() {
            Ok(server) => server,
            Err(error) => {
                drop(started.send(Err(error)));
                return;
            }
        };
        drop(started.send(Ok(server.handle())));
        if let Err(error) = server.await {
            tracing::error!(%error, "the server ended");
        }
    });
}

fn build(
    app: &Arc<App>,
    listeners: Vec<TcpListener>,
    tls: Option<rustls::ServerConfig>,
) -> io::Result<Server> {
    let mut server = Server::build()
        .max_concurrent_connections(CONNECTIONS_PER_WORKER_MAX)
        .shutdown_timeout(STOP_SECONDS_MAX)
        .disable_signals();
    let stopping = server.graceful_shutdown_signal();
    let acceptor = tls.map(|mut tls| {
        let protocols = [HTTP2.to_vec(), HTTP1.to_vec()];
        tls.alpn_protocols.splice(0..0, protocols);
        tls.max_fragment_size = Some(RECORD_BYTES);
        TlsAcceptor::from(Arc::new(tls))
    });
    for listener in listeners {
        let (app, stopping) = (Arc::clone(app), stopping.clone());
        server = match acceptor.clone() {
            None => server.listen("http", listener, move || {
                admit_plain(&app).and_then(connection_service(&app, &stopping))
            })?,
            Some(acceptor) => server.listen("https", listener, move || {
                admit_tls(&app, &acceptor).and_then(connection_service(&app, &stopping))
            })?,
        };
    }
    Ok(server.run())
}

/// One stage of the services that a connection passes.
trait ConnectionStage<T>: ServiceFactory<T, Config = (), Error = io::Error, InitError = ()> {}

impl<T, S> ConnectionStage<T> for S where
    S: ServiceFactory<T, Config = (), Error = io::Error, InitError = ()>
{
}

/// Gives each connection its place in the table.
fn admit_plain(
    app: &Arc<App>,
) -> impl ConnectionStage<TcpStream, Response = Arrived<TcpStream>> + use<> {
    let app = Arc::clone(app);
    fn_service(move |stream: TcpStream| {
        let arrived = admit(&app, &stream, Transport::Plain);
        async move {
            let (peer, slot) = arrived?;
            Ok((stream, peer, slot, Protocol::Http1))
        }
    })
}

/// Like `admit_plain`, with the TLS handshake.
fn admit_tls(
    app: &Arc<App>,
    acceptor: &TlsAcceptor,
) -> impl ConnectionStage<TcpStream, Response = Arrived<TlsStream<TcpStream>>> + use<> {
    let (app, acceptor) = (Arc::clone(app), acceptor.clone());
    fn_service(move |stream: TcpStream| {
        let arrived = admit(&app, &stream, Transport::Tls);
        let handshake = timeout(app.tuning.handshake_timeout, acceptor.accept(stream));
        async move {
            let (peer, slot) = arrived?;
            let stream = tokio::select! {
                biased;
                stream = handshake => stream??,
                () = slot.evicted() => return Err(io::ErrorKind::TimedOut.into()),
            };
            slot.finish_handshake();
            let (_, session) = stream.get_ref();
            let protocol = match session.alpn_protocol() {
                Some(HTTP2) => Protocol::Http2,
                _ => Protocol::Http1,
            };
            Ok((stream, peer, slot, protocol))
        }
    })
}

fn admit(
    app: &App,
    stream: &TcpStream,
    transport: Transport,
) -> io::Result<(Option<SocketAddr>, Slot)> {
    let peer = stream.peer_addr().ok();
    let slot = app.connections.admit(peer.map(|peer| peer.ip()), transport);
    let slot = slot.ok_or(io::ErrorKind::ConnectionRefused)?;
    Ok((peer, slot))
}

/// Serves connections: what lies in memory at once, everything else by the routes.
fn connection_service<T>(
    app: &Arc<App>,
    stopping: &GracefulShutdownSignal,
) -> impl ConnectionStage<Arrived<T>, Response = ()> + use<T>
where
    T: AsyncRead + AsyncWrite + Unpin + 'static,
{
    let routes = actix_web::App::new()
        .app_data(web::Data::from(Arc::clone(app)))
        .configure(router::configure)
        .wrap(from_fn(middleware::handle_request))
        .into_factory();
    let routes = map_config(routes, |()| AppConfig::default());
    Connections::new(Arc::clone(app), stopping.clone(), routes)
}

/// Raises the soft limit of open files. Many systems start a program with 1,024: a thousand slow
/// sockets would use them up. Returns how many there are.
fn raise_file_descriptors() -> u64 {
    let mut limit = getrlimit(Resource::Nofile);
    let allowed = limit.maximum.unwrap_or(FILE_DESCRIPTORS);
    let wanted = FILE_DESCRIPTORS.min(allowed);
    if limit.current.is_some_and(|current| current < wanted) {
        limit.current = Some(wanted);
        if let Err(error) = setrlimit(Resource::Nofile, limit) {
            tracing::warn!(%error, "cannot raise the limit of open files");
        }
    }
    let limit = getrlimit(Resource::Nofile);
    limit.current.unwrap_or(FILE_DESCRIPTORS)
}
