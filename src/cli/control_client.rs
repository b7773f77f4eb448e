//! Client of the control socket. Commands send their request to the running server, or perform it
//! on the data file when no server has it open.

use super::print_line;
use crate::ui_assets;
use anyhow::{Context, bail};
use respiro_auth::leaked_passwords::LeakedPasswords;
use respiro_auth::password::{Cost, PasswordPolicy};
use respiro_db::{SnapshotHeader, SnapshotLease, Store};
use respiro_server::control::requests;
use respiro_server::control::{RESPONSE_BYTES_MAX, Request, Response, SocketPath, socket_path};
use respiro_server::state::now;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

/// Limit of the wait for an answer: a backup of a large file takes minutes, but a server that
/// hangs must not hang its commands.
const RESPONSE_TIMEOUT: Duration = Duration::from_mins(30);
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// Error of commands that read the live file when the server stops.
pub const STOPPED: &str = "the server stopped meanwhile: run this again";

/// Sends a request to the server that has `data` open. Returns `None` if there is none.
pub fn send_request(data: &Path, request: &Request) -> anyhow::Result<Option<Response>> {
    match connect(data)? {
        Some(mut stream) => round_trip(&mut stream, request).map(Some),
        None => Ok(None),
    }
}

/// Keeps a snapshot of the server's data file readable until dropped.
pub struct PinnedDataFile {
    pub header: SnapshotHeader,
}

impl PinnedDataFile {
    /// Returns the outcome of a read. A failure after the server has stopped becomes `STOPPED`,
    /// because the snapshot was no longer pinned.
    pub fn outcome<T, E>(&self, outcome: Result<T, E>) -> anyhow::Result<Result<T, E>> {
        if outcome.is_err() && !self.header.lease.is_valid() {
            bail!(STOPPED);
        }
        Ok(outcome)
    }
}

/// Requests a snapshot from the server that has `data` open. Returns `None` if there is none.
pub fn pin_snapshot(data: &Path) -> anyhow::Result<Option<PinnedDataFile>> {
    let Some(mut connection) = connect(data)? else {
        return Ok(None);
    };
    match round_trip(&mut connection, &Request::Freeze)? {
        Response::Frozen { head, bytes, inode } => {
            let lease = SnapshotLease::new(move || is_open(&connection));
            let header = SnapshotHeader {
                head,
                bytes,
                inode,
                lease,
            };
            Ok(Some(PinnedDataFile { header }))
        }
        Response::Failed(reason) => bail!(reason),
        _ => bail!("the server gave an answer that does not fit: is it another version?"),
    }
}

/// Whether the server still holds the connection. Polls for a hangup, because a server that has
/// answered sends nothing more.
fn is_open(connection: &UnixStream) -> bool {
    let mut asked = [PollFd::new(connection, PollFlags::empty())];
    let polled = poll(&mut asked, Some(&Timespec::default()));
    polled.is_ok() && !asked[0].revents().contains(PollFlags::HUP)
}

fn round_trip(stream: &mut UnixStream, request: &Request) -> anyhow::Result<Response> {
    stream.set_read_timeout(Some(RESPONSE_TIMEOUT))?;
    stream.set_write_timeout(Some(REQUEST_TIMEOUT))?;
    let mut bytes = serde_json::to_vec(request)?;
    bytes.push(b'\n');
    stream
        .write_all(&bytes)
        .context("the server took no question: is it stopping?")?;
    let mut line = String::new();
    BufReader::new(stream.take(RESPONSE_BYTES_MAX))
        .read_line(&mut line)
        .context("the server gave no answer: is it stopping?")?;
    if line.is_empty() {
        bail!("the server gave no answer: look at its log");
    }
    serde_json::from_str(&line).context("the server speaks another version")
}

/// Whether a server has `data` open.
pub fn is_server_running(data: &Path) -> bool {
    matches!(connect(data), Ok(Some(_)))
}

fn connect(data: &Path) -> anyhow::Result<Option<UnixStream>> {
    let path = socket_path(&std::path::absolute(data)?);
    let reached = SocketPath::of(&path).and_then(|reach| UnixStream::connect(&reach.short));
    match reached {
        Ok(stream) => Ok(Some(stream)),
        // A killed server leaves its socket file behind.
        Err(error) if error.kind() == ErrorKind::ConnectionRefused => Ok(None),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => bail!(
            "{} belongs to another user: run this as root or as the server's user",
            path.display()
        ),
        Err(error) => Err(error).with_context(|| format!("cannot reach {}", path.display())),
    }
}

/// Sends the request to the running server, or performs it on the data file if none runs.
pub(super) fn perform(data: &Path, request: Request, create: bool) -> anyhow::Result<Response> {
    if let Some(response) = send_request(data, &request)? {
        return Ok(response);
    }
    if !create && !data.exists() {
        bail!(
            "{} does not exist: name the data file with --data",
            data.display()
        );
    }
    let store = Store::open(data)?;
    let policy = PasswordPolicy {
        cost: Cost::default(),
        leaked: LeakedPasswords::from_gzip(ui_assets::LEAKED_PASSWORDS),
    };
    let definitions = ui_assets::block_definitions()?;
    Ok(requests::perform(
        &store,
        request,
        policy,
        definitions,
        now(),
    ))
}

/// Prints an answer; a refusal becomes the error of the command.
pub(super) fn print_response(response: Response) -> anyhow::Result<()> {
    match response {
        Response::Done(text) => print_line(&text),
        Response::Text(text) => print_line(text.trim_end()),
        Response::Accounts(rows) if rows.is_empty() => {
            print_line("no account yet: `respiro admin add EMAIL` makes one")
        }
        Response::Accounts(rows) => {
            for row in rows {
                let factor = if row.second_factor {
                    "second factor"
                } else {
                    "password only"
                };
                print_line(&format!(
                    "{}\t{}\tsince {}\t{factor}\t{} sessions",
                    row.email, row.role, row.created, row.sessions
                ))?;
            }
            Ok(())
        }
        Response::Copied { path, summary } => print_line(&format!("{}: {summary}", path.display())),
        Response::Failed(reason) => bail!(reason),
        Response::Frozen { .. } => bail!("the server gave an answer that does not fit"),
    }
}

/// Sends a request about a data file that must exist.
pub(super) fn request(data: &Path, request: Request) -> anyhow::Result<()> {
    print_response(perform(data, request, false)?)
}

/// Succeeds if the server on this data file is healthy.
pub fn health(data: &Path) -> anyhow::Result<()> {
    send_to_server(data, &Request::Health)
}

/// Returns whether a server runs on this data file and reports itself healthy.
pub fn is_healthy(data: &Path) -> bool {
    let answer = send_request(data, &Request::Health);
    matches!(answer, Ok(Some(response)) if !matches!(response, Response::Failed(_)))
}

pub fn metrics(data: &Path) -> anyhow::Result<()> {
    send_to_server(data, &Request::Metrics)
}

fn send_to_server(data: &Path, request: &Request) -> anyhow::Result<()> {
    match send_request(data, request)? {
        Some(response) => print_response(response),
        None => bail!(
            "no server answers on {}: start it, or name its data file with --data",
            socket_path(data).display()
        ),
    }
}
