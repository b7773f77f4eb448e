//! Runs the server on a bound port, on a thread of its own, with every limit set.

use super::{outer, routes};
use crate::app::App;
use actix_web::dev::{Server, ServerHandle};
use actix_web::middleware::from_fn;
use actix_web::{HttpServer, rt, web};
use rustix::net::sockopt::set_tcp_user_timeout;
use rustix::process::{Resource, getrlimit, setrlimit};
use std::io;
use std::net::TcpListener;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

/// Connections a worker holds at once; further ones wait in the kernel's queue.
const CONNECTIONS_PER_WORKER_MAX: usize = 4_096;
/// File descriptors asked for, within what the system allows.
const FILE_DESCRIPTORS: u64 = 16_384;
/// Requests under way get this long at a stop (contract, section 1).
const STOP_SECONDS_MAX: u64 = 30;
const TLS_HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
const DISCONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// A reader that takes nothing at all for this long is cut off, by the kernel.
const STALL_MILLISECONDS_MAX: u32 = 60_000;
/// Copied for each slow reader, so it is small.
const WRITE_BUFFER_BYTES: usize = 32 * 1024;

/// A server that answers.
#[derive(Debug)]
pub struct Running {
    handle: ServerHandle,
    thread: thread::JoinHandle<()>,
}

impl Running {
    /// Stops accepting and waits for requests under way.
    pub async fn stop(self) {
        self.handle.stop(true).await;
        let thread = self.thread;
        let joined = tokio::task::spawn_blocking(move || thread.join().is_ok()).await;
        if !matches!(joined, Ok(true)) {
            tracing::error!("the server thread ended in a panic");
        }
    }
}

/// Starts answering on `listener`. Returns once connections are accepted.
pub fn start(
    app: Arc<App>,
    listener: TcpListener,
    tls: Option<rustls::ServerConfig>,
) -> io::Result<Running> {
    raise_file_descriptors();
    // Connections take this over from the port that they come through.
    if let Err(error) = set_tcp_user_timeout(&listener, STALL_MILLISECONDS_MAX) {
        tracing::warn!(%error, "readers that stall are not cut off");
    }
    run_on_thread("http", move || build(app, listener, tls))
}

/// Runs what `build` makes on a thread of its own.
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
    app: Arc<App>,
    listener: TcpListener,
    tls: Option<rustls::ServerConfig>,
) -> io::Result<Server> {
    let tuning = app.tuning.clone();
    let data = web::Data::from(app);
    let server = HttpServer::new(move || {
        actix_web::App::new()
            .app_data(data.clone())
            .configure(routes::configure)
            .wrap(from_fn(outer::outer))
    })
    .keep_alive(tuning.keep_alive)
    .client_request_timeout(tuning.head_timeout)
    .client_disconnect_timeout(DISCONNECT_TIMEOUT)
    .tls_handshake_timeout(TLS_HANDSHAKE_TIMEOUT)
    .h1_write_buffer_size(WRITE_BUFFER_BYTES)
    .max_connections(CONNECTIONS_PER_WORKER_MAX)
    .shutdown_timeout(STOP_SECONDS_MAX)
    .disable_signals();
    let server = match tls {
        Some(tls) => server.listen_rustls_0_23(listener, tls)?,
        None => server.listen(listener)?,
    };
    Ok(server.run())
}

/// Many systems start a program with 1,024 descriptors: a thousand slow sockets would use them up.
fn raise_file_descriptors() {
    let mut limit = getrlimit(Resource::Nofile);
    let allowed = limit.maximum.unwrap_or(FILE_DESCRIPTORS);
    let wanted = FILE_DESCRIPTORS.min(allowed);
    if limit.current.is_some_and(|current| current < wanted) {
        limit.current = Some(wanted);
        if let Err(error) = setrlimit(Resource::Nofile, limit) {
            tracing::warn!(%error, "cannot raise the limit of open files");
        }
    }
}
