//! Renders pages with the UI's own components.

use crate::engine::Engine;
use crate::{Error, RenderedMail, RenderedPage, Result};
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

/// Stack of the render thread: twice what the engine may use of it.
const THREAD_STACK_BYTES: usize = 4 * 1024 * 1024;
/// Jobs that may wait for the render thread; who comes later waits to get into the queue.
const JOBS_WAITING_MAX: usize = 8;
/// A context renders so many pages before a fresh one takes its place: nothing can pile up in it.
const PAGES_PER_CONTEXT: u32 = 256;
/// A context takes megabytes, and loading it as long as several pages: it stays while somebody
/// works in the panel, this long after the last word from there.
const EXPECTED_TIME: Duration = Duration::from_mins(5);
/// Without the panel, after a start or a visitor's page, it goes as soon as there is no work.
const IDLE_TIME: Duration = Duration::from_secs(5);

/// What is asked of the render thread.
enum Job {
    Ready,
    Mail(String, SyncSender<Result<RenderedMail>>),
    Routes(SyncSender<Result<String>>),
    Page(Asked, SyncSender<Result<RenderedPage>>),
}

/// One page: which, at which address, from what.
struct Asked {
    page: String,
    path: String,
    input: String,
}

/// The render thread.
#[derive(Debug)]
pub struct Renderer {
    jobs: SyncSender<Job>,
}

impl Renderer {
    /// Starts the render thread on this bundle source. A bundle that does not load is an error of
    /// every render, not of the start: the rest of the program can still run.
    pub fn start(bundle: impl Into<Cow<'static, str>>) -> Result<Self> {
        let bundle = bundle.into();
        let (jobs, waiting) = mpsc::sync_channel(JOBS_WAITING_MAX);
        thread::Builder::new()
            .name("render".to_owned())
            .stack_size(THREAD_STACK_BYTES)
            .spawn(move || serve(&bundle, &waiting))
            .map_err(|error| Error::ThreadStart(error.to_string()))?;
        Ok(Self { jobs })
    }

    /// The table of routes that the bundle brings, as JSON. Blocks.
    pub fn routes(&self) -> Result<String> {
        self.ask(Job::Routes)
    }

    /// Renders one page under a deadline and a memory limit. Blocks: call it off the request
    /// threads.
    pub fn page(&self, page: &str, path: &str, input: String) -> Result<RenderedPage> {
        let asked = Asked {
            page: page.to_owned(),
            path: path.to_owned(),
            input,
        };
        self.ask(|reply| Job::Page(asked, reply))
    }

    /// Draws a newsletter, as `page` does a page.
    pub fn mail(&self, input: String) -> Result<RenderedMail> {
        self.ask(|reply| Job::Mail(input, reply))
    }

    /// A page is going to be asked for: its context is loaded meanwhile. Never waits.
    pub fn make_ready(&self) {
        // A full queue has work, and a context with it.
        drop(self.jobs.try_send(Job::Ready));
    }

    fn ask<T>(&self, job: impl FnOnce(SyncSender<Result<T>>) -> Job) -> Result<T> {
        let (reply, answer) = mpsc::sync_channel(1);
        self.jobs
            .send(job(reply))
            .map_err(|_gone| Error::ThreadStopped)?;
        answer.recv().map_err(|_gone| Error::ThreadStopped)?
    }
}

/// Answers jobs until the last sender is gone. A context serves many pages; one that failed in
/// any way is thrown away, and so is one that has served its time or that nobody needs for a while.
fn serve(bundle: &str, waiting: &Receiver<Job>) {
    let load = || guarded(|| Engine::load(bundle));
    let mut ready: Option<(Engine, u32)> = None;
    let mut expected = None;
    loop {
        let job = match waiting.recv_timeout(patience(expected)) {
            Ok(job) => job,
            Err(RecvTimeoutError::Timeout) => {
                ready = None;
                match waiting.recv() {
                    Ok(job) => job,
                    Err(_gone) => return,
                }
            }
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let (engine, pages) = match ready.take() {
            Some((engine, pages)) => (Ok(engine), pages),
            None => (load(), 0),
        };
        let is_work = !matches!(job, Job::Ready);
        if !is_work {
            expected = Some(Instant::now());
        }
        let pages = pages + u32::from(is_work);
        let is_whole = answer(job, engine.as_ref());
        // The next one is made ready now: who asks next does not wait for the bundle.
        ready = match engine {
            Ok(engine) if is_whole && pages < PAGES_PER_CONTEXT => Some((engine, pages)),
            _ => load().ok().map(|engine| (engine, 0)),
        };
    }
}

/// How long a context is kept without work, when work was last said to come at this moment.
fn patience(expected: Option<Instant>) -> Duration {
    let left = expected.map(|at| EXPECTED_TIME.saturating_sub(at.elapsed()));
    left.unwrap_or_default().max(IDLE_TIME)
}

/// Whether the engine can go on. Nobody waits any more when the asking thread is gone; the work is
/// simply dropped.
fn answer(job: Job, engine: Result<&Engine, &Error>) -> bool {
    match job {
        Job::Ready => engine.is_ok(),
        Job::Routes(reply) => tell(&reply, engine, Engine::routes),
        Job::Page(asked, reply) => tell(&reply, engine, |engine| {
            engine.page(&asked.page, &asked.path, &asked.input)
        }),
        Job::Mail(input, reply) => tell(&reply, engine, |engine| engine.mail(&input)),
    }
}

fn tell<T>(
    reply: &SyncSender<Result<T>>,
    engine: Result<&Engine, &Error>,
    work: impl FnOnce(&Engine) -> Result<T>,
) -> bool {
    let answer = match engine {
        Ok(engine) => guarded(|| work(engine)),
        Err(error) => Err(error.clone()),
    };
    let is_whole = answer.is_ok();
    drop(reply.send(answer));
    if let (true, Ok(engine)) = (is_whole, engine) {
        engine.tidy();
    }
    is_whole
}

/// A panic in a job is an error of this job: the thread goes on.
fn guarded<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(Error::Panicked))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_context_waits_for_the_panel_and_for_nobody_else() {
        assert_eq!(patience(None), IDLE_TIME);
        let now = Instant::now();
        assert!(patience(Some(now)) + IDLE_TIME > EXPECTED_TIME);
        let long_ago = now.checked_sub(EXPECTED_TIME);
        assert!(long_ago.is_none_or(|at| patience(Some(at)) == IDLE_TIME));
    }
}
