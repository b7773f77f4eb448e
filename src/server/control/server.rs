//! Server of the control socket: mode 0600, limited in connections, bytes and time.

use super::{REQUEST_BYTES_MAX, Request, Response, SocketPath, handed_over, socket_path};
use super::{content_blocks, requests};
use crate::accounts;
use crate::config::{Mode, Tls};
use crate::errors::{Error, Result};
use crate::metrics;
use crate::state::{App, blocking};
use crate::tls;
use respiro_content::time::rfc3339;
use respiro_db::fs_util::{TempKind, legacy, temp_path};
use respiro_db::{
    ImportSummary, PinnedSnapshot, Reader, SnapshotHeader, Store, WriteAccess, Writer,
};
use respiro_importers::json;
use respiro_publish::Restored;
use std::fs::{self, Permissions};
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpStream, UnixListener, UnixStream};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Maximum of open connections; further ones wait to be accepted.
const CONNECTIONS_MAX: usize = 64;
/// Maximum of commands performed concurrently; further ones wait. A health check never waits.
const COMMANDS_MAX: usize = 4;
/// Maximum of pinned snapshots; a further one is refused.
const SNAPSHOTS_MAX: usize = 4;
/// Maximum time for which a snapshot stays pinned.
const PIN_TIMEOUT: Duration = Duration::from_mins(30);
/// Limit of the wait for a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);
/// Limit of an exchange with the site's own port in the health check.
const PORT_TIMEOUT: Duration = Duration::from_secs(3);
const RETIRED: &str = "this machine is retired: change the site on its new machine, or `respiro \
    retire --undo` here";
/// Limit of a read of the data file in the check for the watchdog.
const READ_TIMEOUT: Duration = Duration::from_secs(10);
const HEALTH_REQUEST: &[u8] =
    b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

/// Stops listening, and removes the socket, when dropped.
pub struct ControlListener {
    path: PathBuf,
    task: JoinHandle<()>,
}

impl Drop for ControlListener {
    fn drop(&mut self) {
        self.task.abort();
        // The next start replaces a leftover socket.
        let _ = fs::remove_file(&self.path);
    }
}

/// Listens on a socket beside the data file. Only the process that has the data file open uses
/// that path.
pub fn listen(app: &Arc<App>, addresses: &[SocketAddr]) -> io::Result<ControlListener> {
    let data = std::path::absolute(&app.config.data)?;
    let path = socket_path(&data);
    if fs::symlink_metadata(&path).is_ok_and(|found| !found.file_type().is_socket()) {
        let reason = format!("{} is no socket: move it away", path.display());
        return Err(io::Error::other(reason));
    }
    // Bind and chmod under a temporary name, so that no other user can connect in between.
    let draft = temp_path(&data, TempKind::Partial)?;
    let listener = UnixListener::bind(&SocketPath::of(&draft)?.short)?;
    let placed = fs::set_permissions(&draft, Permissions::from_mode(0o600))
        .and_then(|()| fs::rename(&draft, &path));
    if let Err(error) = placed {
        let _ = fs::remove_file(&draft);
        return Err(error);
    }
    let task = tokio::spawn(accept(listener, Arc::clone(app), addresses.into()));
    Ok(ControlListener { path, task })
}

/// Permits of the commands under way.
struct Permits {
    commands: Semaphore,
    snapshots: Semaphore,
}

async fn accept(listener: UnixListener, app: Arc<App>, addresses: Arc<[SocketAddr]>) {
    let connections = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    let permits = Arc::new(Permits {
        commands: Semaphore::new(COMMANDS_MAX),
        snapshots: Semaphore::new(SNAPSHOTS_MAX),
    });
    loop {
        let Ok(connection) = Arc::clone(&connections).acquire_owned().await else {
            return;
        };
        match listener.accept().await {
            Ok((stream, _)) => {
                let (app, permits) = (Arc::clone(&app), Arc::clone(&permits));
                let addresses = Arc::clone(&addresses);
                tokio::spawn(async move {
                    let _connection = connection;
                    if let Err(error) = serve_connection(stream, &app, &permits, &addresses).await {
                        tracing::warn!(%error, "a command was cut off");
                    }
                });
            }
            Err(error) => {
                tracing::warn!(%error, "cannot take a command");
                tokio::time::sleep(REQUEST_TIMEOUT).await;
            }
        }
    }
}

async fn serve_connection(
    stream: UnixStream,
    app: &Arc<App>,
    permits: &Permits,
    addresses: &[SocketAddr],
) -> io::Result<()> {
    // Dropped after the connection: the client takes the open connection as proof of the pin.
    let mut pinned = None;
    let mut stream = stream;
    let mut line = Vec::new();
    let (read, mut write) = stream.split();
    let mut reader = BufReader::new(read.take(REQUEST_BYTES_MAX));
    timeout(REQUEST_TIMEOUT, reader.read_until(b'\n', &mut line)).await??;
    if line.is_empty() {
        // The client only checked whether a server runs.
        return Ok(());
    }
    let response = match serde_json::from_slice::<Request>(&line) {
        Ok(Request::Freeze) => pin_snapshot(app, permits, &mut pinned).await,
        Ok(Request::Health) => health(app, addresses).await,
        Ok(request) if app.config.mode == Mode::Retired && writes_content(&request) => {
            Response::Failed(RETIRED.to_owned())
        }
        Ok(request) => {
            let _permit = permits.commands.acquire().await.map_err(io::Error::other)?;
            perform(request, app, addresses).await
        }
        Err(error) => Response::Failed(format!("the server does not know this command: {error}")),
    };
    let mut bytes = serde_json::to_vec(&response)?;
    bytes.push(b'\n');
    write.write_all(&bytes).await?;
    write.shutdown().await?;
    if pinned.is_some() {
        // The client reads the file itself and closes the connection at the end.
        let mut rest = [0; 1];
        drop(timeout(PIN_TIMEOUT, reader.read(&mut rest)).await);
    }
    Ok(())
}

/// A pinned snapshot with its permit.
type Pinned<'a> = (PinnedSnapshot, SemaphorePermit<'a>);

async fn pin_snapshot<'a>(
    app: &App,
    permits: &'a Permits,
    pinned: &mut Option<Pinned<'a>>,
) -> Response {
    let Ok(permit) = permits.snapshots.try_acquire() else {
        return Response::Failed(format!(
            "{SNAPSHOTS_MAX} backups or checks read the data file already: run this again when one \
             of them is done"
        ));
    };
    let store = app.site.store();
    match blocking(move || Ok(store.pin_snapshot()?)).await {
        Ok(made) => {
            let SnapshotHeader {
                head, bytes, inode, ..
            } = made.header.clone();
            *pinned = Some((made, permit));
            Response::Frozen { head, bytes, inode }
        }
        Err(error) => Response::Failed(error.to_string()),
    }
}

async fn perform(request: Request, app: &Arc<App>, addresses: &[SocketAddr]) -> Response {
    match request {
        Request::Health => health(app, addresses).await,
        Request::Metrics => match metrics::text(app).await {
            Ok(text) => Response::Text(text),
            Err(error) => Response::Failed(error.to_string()),
        },
        Request::CertificateEnd => match tls::certificate_expiry(app).await {
            Ok(at) => Response::Text(at.map(rfc3339).unwrap_or_default()),
            Err(error) => Response::Failed(error.to_string()),
        },
        Request::LikelyProxy => {
            let address = app.connections.likely_proxy();
            Response::Text(
                address
                    .map(|address| address.to_string())
                    .unwrap_or_default(),
            )
        }
        Request::Clock => requests::describe_clock(app.site.clock()),
        Request::ConfirmClock => confirm_clock(app).await,
        Request::Settings => Response::Text(app.config.described.join("\n")),
        Request::Retire { .. } => {
            let answer = perform_on_store(request, app).await;
            // In the other mode from now on: `serve` starts anew.
            app.restart.notify_one();
            answer
        }
        Request::PublicUrl => Response::Text(app.site.public_url().to_owned()),
        Request::SetWords { id, change } => {
            let (definitions, now) = (app.site.definitions(), app.now());
            let set = move |writer: &mut Writer<'_>| {
                content_blocks::change_block(writer, definitions, &id, &change, now)
            };
            let done = app.change(set).await;
            done.unwrap_or_else(|error| Response::Failed(requests::explain_error(&error)))
        }
        Request::Adopt => {
            let staging = legacy::staging_path(&app.config.data);
            merge(app, Some(staging), |writer, from| Ok(writer.adopt(from)?)).await
        }
        Request::Merge { id } => {
            let staging = handed_over(&app.config.data, &id, TempKind::Staging);
            merge(app, staging, |writer, from| Ok(writer.adopt(from)?)).await
        }
        Request::MergeExport { id } => {
            let staging = handed_over(&app.config.data, &id, TempKind::Staging);
            let definitions = app.site.definitions();
            let merge_export = move |writer: &mut Writer<'_>, from: &Reader<'_>| {
                Ok(json::merge(writer, from, definitions)?)
            };
            merge(app, staging, merge_export).await
        }
        Request::TakeReplacement => {
            swap_in(app, Some(legacy::replacement_path(&app.config.data))).await
        }
        Request::SwapIn { id } => {
            let file = handed_over(&app.config.data, &id, TempKind::Replacement);
            swap_in(app, file).await
        }
        Request::Copy => {
            let (store, now) = (app.site.store(), app.now());
            let done = blocking(move || Ok(requests::copy(&store, now))).await;
            done.unwrap_or_else(|error| Response::Failed(format!("the server failed: {error}")))
        }
        request => perform_on_store(request, app).await,
    }
}

/// Performs a request that changes no page.
async fn perform_on_store(request: Request, app: &App) -> Response {
    let (policy, now) = (app.password_policy(), app.now());
    let definitions = app.site.definitions();
    // Wait for a running restore: a write must not go to a file that was just replaced.
    let work =
        move |store: &WriteAccess| requests::perform(store, request, policy, definitions, now);
    let done = app.site.with_writes_held(work).await;
    // The request may have stored a notification for an account.
    app.site.announce_notification();
    done.unwrap_or_else(|error| Response::Failed(format!("the server failed: {error}")))
}

/// Returns whether a command changes content. A retired site refuses it, because the new machine
/// would not receive the change.
const fn writes_content(request: &Request) -> bool {
    matches!(
        request,
        Request::AddAccount { .. }
            | Request::SetPassword { .. }
            | Request::ResetAccount { .. }
            | Request::RemoveAccount { .. }
            | Request::SetWords { .. }
            | Request::Adopt
            | Request::Merge { .. }
            | Request::MergeExport { .. }
    )
}

async fn confirm_clock(app: &App) -> Response {
    match app.confirm_clock().await {
        Ok(()) => requests::describe_clock(app.site.clock()),
        Err(error) => Response::Failed(requests::explain_error(&error)),
    }
}

/// Merges a staging file into the data file, in one transaction.
async fn merge(
    app: &App,
    staging: Option<PathBuf>,
    merge: impl FnOnce(&mut Writer<'_>, &Reader<'_>) -> Result<ImportSummary> + Send + 'static,
) -> Response {
    let Some(staging) = staging else {
        return no_id();
    };
    let change = move |writer: &mut Writer<'_>| {
        let from = Store::look(&staging).map_err(|error| Error::Store(error.to_string()))?;
        from.read(|reader| merge(writer, reader))
    };
    match app.change(change).await {
        Ok(adopted) => Response::Text(requests::summarize_import(&adopted)),
        Err(error) => Response::Failed(requests::explain_error(&error)),
    }
}

/// Replaces the data file. The command that made `file` removes it when this fails.
async fn swap_in(app: &App, file: Option<PathBuf>) -> Response {
    let Some(file) = file else {
        return no_id();
    };
    match app.site.restore(file, None, ()).await {
        Ok(restored) => {
            accounts::notify_all(app, accounts::BACKUP_RESTORED.to_owned()).await;
            Response::Done(restore_message(app, &restored).await)
        }
        Err(error) => Response::Failed(error.to_string()),
    }
}

fn no_id() -> Response {
    Response::Failed("the request names no file".to_owned())
}

/// Returns the message after a restore. Logs a setup link if the restored file has no account.
async fn restore_message(app: &App, restored: &Restored) -> String {
    let is_shut = accounts::log_setup_link(app).await;
    let is_shut = is_shut.unwrap_or_else(|error| {
        tracing::error!(%error, "cannot see whether there is an account");
        false
    });
    let hint = "; it has no account, the log has a one-time link to make one";
    let kept = restored.kept.as_ref();
    let kept = kept.map(|kept| format!("; the former one is kept as {}", kept.display()));
    format!(
        "the restored file is in use{}{}{}",
        requests::summarize_carried_over(&restored.carried)
            .map(|summary| format!("; {summary}"))
            .unwrap_or_default(),
        if is_shut { hint } else { "" },
        kept.unwrap_or_default()
    )
}

/// Checks that the data file is readable, pages are published and every port accepts connections.
async fn health(app: &Arc<App>, addresses: &[SocketAddr]) -> Response {
    if let Err(error) = app.read(|reader| Ok(reader.is_demo()?)).await {
        return Response::Failed(format!("the data file cannot be read: {error}"));
    }
    if app.site.publisher.pages().is_none() {
        return Response::Failed("nothing is published yet".to_owned());
    }
    match check_ports(app, addresses).await {
        Ok(()) => Response::Done("healthy".to_owned()),
        Err(reason) => Response::Failed(reason),
    }
}

/// Checks for the watchdog of systemd that the program is not stuck: the data file answers, with an
/// error too, and each port serves a request. A data file that cannot be read is no reason to be
/// killed: pages are served from memory, and the next start would serve none.
pub async fn check_responsive(app: &Arc<App>, addresses: &[SocketAddr]) -> Result<(), String> {
    let read = app.read(|reader| Ok(reader.is_demo()?));
    match timeout(READ_TIMEOUT, read).await {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => tracing::error!(%error, "the data file cannot be read"),
        Err(_) => return Err("the data file does not answer in time".to_owned()),
    }
    check_ports(app, addresses).await
}

async fn check_ports(app: &App, addresses: &[SocketAddr]) -> Result<(), String> {
    for &address in addresses {
        match timeout(PORT_TIMEOUT, exchange_with(app, address)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(format!("{address} takes no connection: {error}")),
            Err(_) => return Err(format!("{address} does not answer in time")),
        }
    }
    Ok(())
}

/// Connects to a port of the site. Without TLS also requests `/healthz`: the kernel accepts
/// connections that the program never takes.
async fn exchange_with(app: &App, address: SocketAddr) -> io::Result<()> {
    let mut stream = TcpStream::connect(&connectable_addresses(address)[..]).await?;
    if app.config.tls == Tls::Off {
        stream.write_all(HEALTH_REQUEST).await?;
        // Any answer will do: 500 says that the data file cannot be read.
        stream.read_u8().await?;
    }
    Ok(())
}

/// Replaces the unspecified address by loopback, because a client cannot connect to it. `[::]` may
/// take IPv4 too, and its machine may have no IPv6 loopback.
fn connectable_addresses(address: SocketAddr) -> Vec<SocketAddr> {
    let ipv4 = (Ipv4Addr::LOCALHOST, address.port()).into();
    match address {
        _ if !address.ip().is_unspecified() => vec![address],
        SocketAddr::V4(_) => vec![ipv4],
        SocketAddr::V6(_) => vec![(Ipv6Addr::LOCALHOST, address.port()).into(), ipv4],
    }
}
