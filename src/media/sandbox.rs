//! Sandboxed decoder process: an upload that aborts a decoder, exhausts memory or never ends fails
//! alone and does not stop the server. See `docs/decisions/006`.

use super::{
    Background, ImageError, ProcessedImage, UPLOAD_BYTES_MAX, confinement, sandbox_protocol,
};
use respiro_content::picture::PictureEdit;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::Signal;
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The running executable, also after its file was replaced.
pub const OWN_PROGRAM: &str = "/proc/self/exe";
/// The hidden command that runs [`worker_main`].
pub const COMMAND: &str = "process-picture";
/// Its option for the id of the process that started it.
pub const PARENT_OPTION: &str = "parent";
/// Its option for the edit of an upload, as JSON.
pub const EDIT_OPTION: &str = "edit";
/// Its flag for a link-preview image in place of an upload.
pub const LINK_PREVIEW_FLAG: &str = "link-preview";

/// For a process that gets no CPU time, or sleeps.
const WALL_TIME_MAX: Duration = Duration::from_mins(3);
/// Five widths in two formats stay far below it.
const ANSWER_BYTES_MAX: usize = 64 * 1024 * 1024;

/// A picture that was not processed for a reason other than its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SandboxError {
    #[error("no process for pictures")]
    Unavailable,
    /// It was ended from outside, got no processor time, or made a system call that is forbidden.
    #[error("the process for a picture was stopped")]
    Stopped,
}

/// Processes one upload in a process of `program`; without one, in this process.
///
/// The outer error is the infrastructure's, the inner one the upload's.
pub fn process(
    program: Option<&Path>,
    bytes: &[u8],
    edit: PictureEdit,
) -> Result<Result<ProcessedImage, ImageError>, SandboxError> {
    let Some(program) = program else {
        return Ok(super::process_edited(bytes, edit));
    };
    let option = format!("--{EDIT_OPTION}");
    let json = serde_json::to_string(&edit).unwrap_or_default();
    let arguments = [&*option, &*json];
    let arguments = if edit.is_none() { &[][..] } else { &arguments };
    let answer = run(program, arguments, bytes, sandbox_protocol::decode)?;
    Ok(answer.map(|processed| ProcessedImage { edit, ..processed }))
}

/// Draws a link-preview image in a process of `program`; without one, in this process.
pub fn link_preview(
    program: Option<&Path>,
    background: Background<'_>,
    title: &str,
    brand: &str,
) -> Result<Result<Vec<u8>, ImageError>, SandboxError> {
    let Some(program) = program else {
        return Ok(super::social(background, title, brand));
    };
    let request = sandbox_protocol::encode_preview_request(background, title, brand);
    let request = request.map_err(|error| {
        tracing::error!(%error, "a link preview cannot be requested");
        SandboxError::Unavailable
    })?;
    let flag = format!("--{LINK_PREVIEW_FLAG}");
    run(
        program,
        &[&flag],
        &request,
        sandbox_protocol::decode_preview,
    )
}

/// Runs one process: `input` in, an answer out. `decode` returns `None` for an incomplete answer.
fn run<T>(
    program: &Path,
    arguments: &[&str],
    input: &[u8],
    decode: impl FnOnce(&[u8]) -> Option<Result<T, ImageError>>,
) -> Result<Result<T, ImageError>, SandboxError> {
    let mut child = start(program, arguments).map_err(|error| {
        tracing::error!(%error, "cannot start a process for pictures: is /proc mounted?");
        SandboxError::Unavailable
    })?;
    let answer = exchange_message(&mut child, input);
    // The answer is complete or has failed: the process is not needed any more. `kill` leaves the
    // status of a process that has ended, which is SIGABRT when an allocation failed.
    let ended = child.kill().and_then(|()| child.wait());
    if let Some(decoded) = answer.as_deref().ok().and_then(decode) {
        return Ok(decoded);
    }
    let failure = failure(ended.as_ref().ok(), answer.as_ref().err());
    tracing::warn!(?ended, answer = ?answer.err(), ?failure, "no answer of the process for a picture");
    failure.map(Err)
}

/// Tells a failure of the picture from one that another try may not meet.
fn failure(
    ended: Option<&ExitStatus>,
    error: Option<&io::Error>,
) -> Result<ImageError, SandboxError> {
    if error.is_some_and(|error| error.kind() == io::ErrorKind::TimedOut) {
        return Err(SandboxError::Stopped);
    }
    // It talked too much and was ended for that.
    if error.is_some_and(|error| error.kind() == io::ErrorKind::FileTooLarge) {
        return Ok(ImageError::Undecodable);
    }
    let of_memory = [Signal::ABORT];
    let of_decoder = [
        Signal::SEGV,
        Signal::BUS,
        Signal::ILL,
        Signal::FPE,
        Signal::TRAP,
        Signal::XCPU,
    ];
    let is_among =
        |signals: &[Signal], found| signals.iter().any(|signal| signal.as_raw() == found);
    match ended.map(|ended| (ended.signal(), ended.code())) {
        Some((Some(signal), _)) if is_among(&of_memory, signal) => Ok(ImageError::MemoryLimit),
        Some((Some(signal), _)) if is_among(&of_decoder, signal) => Ok(ImageError::Undecodable),
        Some((None, Some(0))) => Ok(ImageError::Undecodable),
        _ => Err(SandboxError::Stopped),
    }
}

fn start(program: &Path, arguments: &[&str]) -> io::Result<Child> {
    Command::new(program)
        .arg(COMMAND)
        .args([format!("--{PARENT_OPTION}"), std::process::id().to_string()])
        .args(arguments)
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

/// What a process makes of its standard input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    Upload(PictureEdit),
    LinkPreview,
}

/// Main function of the worker: reads one request from standard input, writes the answer to
/// standard output. `parent` is the id of the process that started it.
pub fn worker_main(task: Task, parent: Option<u32>) -> io::Result<()> {
    confinement::confine(parent)?;
    let mut bytes = Vec::new();
    let bytes_max = match task {
        Task::Upload(_) => UPLOAD_BYTES_MAX,
        Task::LinkPreview => sandbox_protocol::REQUEST_BYTES_MAX,
    };
    let bytes_max = u64::try_from(bytes_max).unwrap_or(u64::MAX);
    io::stdin().lock().take(bytes_max).read_to_end(&mut bytes)?;
    let answer = match task {
        Task::Upload(edit) => sandbox_protocol::encode(super::process_edited(&bytes, edit)),
        Task::LinkPreview => sandbox_protocol::answer_preview(&bytes),
    };
    let answer = answer.map_err(io::Error::other)?;
    io::stdout().lock().write_all(&answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: a process that the system ended for want of memory, or an operator, was reported
    /// as a damaged photo.
    #[test]
    fn a_photo_is_not_blamed_for_what_ends_its_process_from_outside() {
        let ended = |signal: Signal| failure(Some(&ExitStatus::from_raw(signal.as_raw())), None);
        for outside in [Signal::KILL, Signal::TERM, Signal::SYS, Signal::HUP] {
            assert_eq!(ended(outside), Err(SandboxError::Stopped), "{outside:?}");
        }
        assert_eq!(ended(Signal::SEGV), Ok(ImageError::Undecodable));
        assert_eq!(ended(Signal::XCPU), Ok(ImageError::Undecodable));
        assert_eq!(ended(Signal::ABORT), Ok(ImageError::MemoryLimit));
        let slow = io::Error::from(io::ErrorKind::TimedOut);
        let killed = ExitStatus::from_raw(Signal::KILL.as_raw());
        assert_eq!(
            failure(Some(&killed), Some(&slow)),
            Err(SandboxError::Stopped)
        );
        // It could not confine itself.
        assert_eq!(
            failure(Some(&ExitStatus::from_raw(1 << 8)), None),
            Err(SandboxError::Stopped)
        );
    }
}
