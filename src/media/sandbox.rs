//! Has pictures processed by a process of its own: one that aborts a decoder, takes all memory or
//! never ends costs its upload, not the site. See `docs/decisions/006`.

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

/// The program that runs now, also when its file was replaced meanwhile.
pub const OWN_PROGRAM: &str = "/proc/self/exe";
/// The hidden command that serves the other end.
pub const COMMAND: &str = "process-picture";

/// All address space the process may take, its code and stack included: within the 300 MB that a
/// picture may cost, as not every page of it is ever touched.
const MEMORY_BYTES_MAX: u64 = 340 * 1024 * 1024;
/// The slowest picture within the limits of pixels takes a tenth of it on a usual machine.
const CPU_SECONDS_MAX: u64 = 60;
/// On a machine so busy that the time of the processor does not come, and for one that sleeps.
const WALL_TIME_MAX: Duration = Duration::from_mins(3);
/// Five widths in two formats stay far below.
const ANSWER_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Threads that may be started beside those of this user: one decoder takes one for each channel,
/// and the server may start some of its own meanwhile. None at all refused each such picture
/// wherever the program does not run as root, whom the limit does not bind.
const THREADS_MORE: u64 = 32;
/// Visitors come first.
const NICENESS: i32 = 10;

/// No process for decoding pictures could be started.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("no process for pictures")]
pub struct SandboxUnavailable;

/// Processes one upload. Without a `program` it happens in this process.
///
/// The outer error is the machine's, the inner one the picture's.
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
    // Whatever it still does, nobody waits for it. One that has ended keeps its status: aborted,
    // when it was refused memory.
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
        // Each thread would set 64 MB of address space aside, of which there is little.
        .env("MALLOC_ARENA_MAX", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        // A Control-C in the operator's terminal is for the server alone.
        .process_group(0)
        .spawn()
}

/// Hands over the picture while it waits for the answer.
fn exchange_message(child: &mut Child, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    thread::scope(|scope| {
        thread::Builder::new().spawn_scoped(scope, move || write_input(input, bytes))?;
        let answer = read_answer(output);
        if answer.is_err() {
            // The other thread must not wait for a reader for ever.
            child.kill()?;
        }
        answer
    })
}

fn write_input(mut input: ChildStdin, bytes: &[u8]) {
    // A process that ends before it has read everything says why by its end.
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

/// The other end: one picture from standard input, the answer to standard output.
pub fn worker_main() -> io::Result<()> {
    apply_resource_limits()?;
    let mut bytes = Vec::new();
    let most = u64::try_from(UPLOAD_BYTES_MAX).unwrap_or(u64::MAX);
    io::stdin().lock().take(most).read_to_end(&mut bytes)?;
    let answer = sandbox_protocol::encode(super::process(&bytes)).map_err(io::Error::other)?;
    io::stdout().lock().write_all(&answer)
}

/// Threads of this user, as far as the system shows them; the limit counts all.
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

/// Bounds what this process may take, and lets it open and write nothing more, and start nothing
/// but a few threads.
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
    // A service manager may forbid it; the picture is then processed beside the visitors' requests.
    if let Err(error) = nice(NICENESS) {
        tracing::debug!(%error, "the priority stays");
    }
    Ok(())
}
