//! Client of the control socket, used by commands.

use anyhow::{Context, bail};
use respiro_db::{SnapshotHeader, SnapshotLease};
use respiro_server::control::{RESPONSE_BYTES_MAX, Request, Response, SocketPath, socket_path};
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
        Response::Frozen { head, bytes } => {
            let lease = SnapshotLease::new(move || is_open(&connection));
            let header = SnapshotHeader { head, bytes, lease };
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
