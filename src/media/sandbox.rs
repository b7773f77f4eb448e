//! Sandboxed decoder process: an upload that aborts a decoder, exhausts memory or never ends fails
//! alone and does not stop the server. See `docs/decisions/006`.

use super::{ImageError, ProcessedImage, UPLOAD_BYTES_MAX, sandbox_protocol};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Resource, Rlimit, Signal, getrlimit, getuid, nice, setrlimit};
use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The running executable, also after its file was replaced.
pub const OWN_PROGRAM: &str = "/proc/self/exe";
/// The hidden command that runs [`worker_main`].
pub const COMMAND: &str = "process-picture";

/// Address space of the process, code and stack included. Resident memory stays within 300 MB,
/// since not every page is touched.
const MEMORY_BYTES_MAX: u64 = 340 * 1024 * 1024;
/// The slowest picture within the limit of pixels takes a tenth of it.
const CPU_SECONDS_MAX: u64 = 60;
/// For a process that gets no CPU time, or sleeps.
const WALL_TIME_MAX: Duration = Duration::from_mins(3);
/// Five widths in two formats stay far below it.
const ANSWER_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Headroom of `RLIMIT_NPROC` over the user's threads: one decoder starts a thread a channel, and
/// the server may start some meanwhile. A limit of zero refused such pictures for every user but
/// root, whom the limit does not bind.
const THREADS_MORE: u64 = 32;
/// Requests of visitors have priority over decoding.
const NICENESS: i32 = 10;

/// No process for decoding pictures could be started.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("no process for pictures")]
pub struct SandboxUnavailable;

/// Processes one upload in a process of `program`; without one, in this process.
///
/// The outer error is the infrastructure's, the inner one the upload's.
pub fn process(
    program: Option<&Path>,
    bytes: &[u8],
) -> Result<Result<ProcessedImage, ImageError>, SandboxUnavailable> {
    let Some(program) = program else {
        return Ok(super::process(bytes));
    };
    let mut child = start(program).map_err(|error| {
        tracing::error!(%error, "cannot start a process for pictures: is /proc mounted?");
        SandboxUnavailable
    })?;
    let answer = exchange_message(&mut child, bytes);
    // The answer is complete or has failed: the process is not needed any more. `kill` leaves the
    // status of a process that has ended, which is SIGABRT when an allocation failed.
    let ended = child.kill().and_then(|()| child.wait());
    let decoded = answer.as_deref().map(sandbox_protocol::decode);
    if let Ok(Some(decoded)) = decoded {
        return Ok(decoded);
    }
    tracing::warn!(?ended, answer = ?answer.err(), "a picture ended the process that decoded it");
    let is_aborted = ended.is_ok_and(|ended| ended.signal() == Some(Signal::ABORT.as_raw()));
    Ok(Err(if is_aborted {
        ImageError::MemoryLimit
    } else {
        ImageError::Undecodable
    }))
}

fn start(program: &Path) -> io::Result<Child> {
    Command::new(program)
        .arg(COMMAND)
        .env_clear()
        // Each further arena reserves 64 MB of the limited address space.
        .env("MALLOC_ARENA_MAX", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        // Keeps a Ctrl+C in the operator's terminal from reaching the process.
        .process_group(0)
        .spawn()
}

/// Writes the upload on a thread of its own while this one reads the answer.
fn exchange_message(child: &mut Child, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    thread::scope(|scope| {
        thread::Builder::new().spawn_scoped(scope, move || write_input(input, bytes))?;
        let answer = read_answer(output);
        if answer.is_err() {
            // Unblocks the writing thread.
            child.kill()?;
        }
        answer
    })
}

fn write_input(mut input: ChildStdin, bytes: &[u8]) {
    // The exit status of a process that ends early says why.
    if let Err(error) = input.write_all(bytes) {
        tracing::debug!(%error, "a picture was not read to its end");
    }
}

fn read_answer(mut output: ChildStdout) -> io::Result<Vec<u8>> {
    let deadline = Instant::now() + WALL_TIME_MAX;
    let mut answer = Vec::new();
    let mut part = vec![0; 64 * 1024];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = Timespec::try_from(left).map_err(io::Error::other)?;
        match poll(&mut [PollFd::new(&output, PollFlags::IN)], Some(&timeout)) {
            Ok(0) => return Err(io::ErrorKind::TimedOut.into()),
            Err(rustix::io::Errno::INTR) => continue,
            ready => drop(ready?),
        }
        let length = output.read(&mut part)?;
        if length == 0 {
            return Ok(answer);
        }
        answer.extend_from_slice(part.get(..length).unwrap_or_default());
        if answer.len() > ANSWER_BYTES_MAX {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
    }
}

/// Main function of the worker: reads one upload from standard input, writes the answer to standard
/// output.
pub fn worker_main() -> io::Result<()> {
    apply_resource_limits()?;
    let mut bytes = Vec::new();
    let most = u64::try_from(UPLOAD_BYTES_MAX).unwrap_or(u64::MAX);
    io::stdin().lock().take(most).read_to_end(&mut bytes)?;
    let answer = sandbox_protocol::encode(super::process(&bytes)).map_err(io::Error::other)?;
    io::stdout().lock().write_all(&answer)
}

/// Counts this user's threads, as far as /proc shows them; `RLIMIT_NPROC` counts all.
fn own_threads() -> u64 {
    let own = getuid().as_raw().to_string();
    let of = |status: &str| -> Option<u64> {
        let mut lines = status.lines();
        let user = lines.find_map(|line| line.strip_prefix("Uid:"))?;
        let threads = lines.find_map(|line| line.strip_prefix("Threads:"))?;
        let is_own = user.split_whitespace().next() == Some(own.as_str());
        is_own.then(|| threads.trim().parse().ok())?
    };
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let statuses = processes.filter_map(|one| fs::read_to_string(one.path().join("status")).ok());
    statuses.filter_map(|status| of(&status)).sum()
}

/// Limits memory, CPU time and threads of this process, and forbids it to open or write files.
fn apply_resource_limits() -> io::Result<()> {
    let limits = [
        (Resource::As, MEMORY_BYTES_MAX),
        (Resource::Cpu, CPU_SECONDS_MAX),
        (Resource::Nofile, 0),
        (Resource::Fsize, 0),
        (Resource::Nproc, own_threads() + THREADS_MORE),
        (Resource::Core, 0),
    ];
    for (resource, wanted) in limits {
        let allowed = getrlimit(resource).maximum.unwrap_or(u64::MAX);
        let limit = Some(wanted.min(allowed));
        let (current, maximum) = (limit, limit);
        setrlimit(resource, Rlimit { current, maximum })?;
    }
    // A service manager may forbid it; decoding then competes with requests.
    if let Err(error) = nice(NICENESS) {
        tracing::debug!(%error, "the priority stays");
    }
    Ok(())
}
