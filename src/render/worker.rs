//! The render thread: owns the JavaScript context, executes jobs one at a time.

use crate::engine::Engine;
use crate::{Error, RenderedEmail, RenderedPage, Result};
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

/// Stack of the render thread: twice the limit of the engine.
const THREAD_STACK_BYTES: usize = 4 * 1024 * 1024;
/// Capacity of the job queue; senders block while it is full.
const QUEUED_JOBS_MAX: usize = 8;
/// A context is replaced after this many pages, so that leaks in the bundle stay bounded.
const PAGES_PER_CONTEXT: u32 = 256;
/// A context takes megabytes, and loading it takes as long as several pages: it stays loaded while
/// the admin works, until this long after the last request of the panel.
const PRELOADED_IDLE_TIMEOUT: Duration = Duration::from_mins(5);
/// Otherwise (after a start, after a visitor's page) the context is released soon.
const IDLE_TIMEOUT: Duration = Duration::from_secs(5);

/// A job of the render thread, with the channel for its result.
enum Job {
    Preload,
    Email(String, SyncSender<Result<RenderedEmail>>),
    RouteTable(SyncSender<Result<String>>),
    Page(PageRequest, SyncSender<Result<RenderedPage>>),
}

/// The arguments of one page render.
struct PageRequest {
    page: String,
    path: String,
    input: String,
}

/// Handle to the render thread.
#[derive(Debug)]
pub struct Renderer {
    jobs: SyncSender<Job>,
}

impl Renderer {
    /// Starts the render thread with the source of the server bundle. A bundle that does not load
    /// fails each render, not the start: the rest of the program still runs.
    pub fn start(bundle: impl Into<Cow<'static, str>>) -> Result<Self> {
        let bundle = bundle.into();
        let (jobs, queue) = mpsc::sync_channel(QUEUED_JOBS_MAX);
        thread::Builder::new()
            .name("render".to_owned())
            .stack_size(THREAD_STACK_BYTES)
            .spawn(move || run_worker(&bundle, &queue))
            .map_err(|error| Error::ThreadStart(error.to_string()))?;
        Ok(Self { jobs })
    }

    /// Returns the bundle's route table as JSON. Blocks.
    pub fn load_route_table(&self) -> Result<String> {
        self.run_job(Job::RouteTable)
    }

    /// Renders one page under a deadline and a memory limit. Blocks: never call it on a request
    /// thread.
    pub fn render_page(&self, page: &str, path: &str, input: String) -> Result<RenderedPage> {
        let request = PageRequest {
            page: page.to_owned(),
            path: path.to_owned(),
            input,
        };
        self.run_job(|reply| Job::Page(request, reply))
    }

    /// Renders an e-mail under the same limits. Blocks.
    pub fn render_email(&self, input: String) -> Result<RenderedEmail> {
        self.run_job(|reply| Job::Email(input, reply))
    }

    /// Loads a context ahead of the next render. Never blocks.
    pub fn preload_context(&self) {
        // A full queue loads a context anyway.
        drop(self.jobs.try_send(Job::Preload));
    }

    fn run_job<T>(&self, job: impl FnOnce(SyncSender<Result<T>>) -> Job) -> Result<T> {
        let (reply, answer) = mpsc::sync_channel(1);
        self.jobs
            .send(job(reply))
            .map_err(|_gone| Error::ThreadStopped)?;
        answer.recv().map_err(|_gone| Error::ThreadStopped)?
    }
}

/// Executes jobs until the last sender is dropped. A context is dropped after any failure, after
/// [`PAGES_PER_CONTEXT`] pages and after the idle timeout.
fn run_worker(bundle: &str, queue: &Receiver<Job>) {
    let load = || catch_panic(|| Engine::load(bundle));
    let mut loaded: Option<(Engine, u32)> = None;
    let mut preloaded_at = None;
    loop {
        let job = match queue.recv_timeout(idle_timeout(preloaded_at)) {
            Ok(job) => job,
            Err(RecvTimeoutError::Timeout) => {
                loaded = None;
                match queue.recv() {
                    Ok(job) => job,
                    Err(_gone) => return,
                }
            }
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let (engine, pages) = match loaded.take() {
            Some((engine, pages)) => (Ok(engine), pages),
            None => (load(), 0),
        };
        let is_work = !matches!(job, Job::Preload);
        if !is_work {
            preloaded_at = Some(Instant::now());
        }
        let pages = pages + u32::from(is_work);
        let is_ok = execute_job(job, engine.as_ref());
        // Reloaded now, so that the next job does not wait for the bundle.
        loaded = match engine {
            Ok(engine) if is_ok && pages < PAGES_PER_CONTEXT => Some((engine, pages)),
            _ => load().ok().map(|engine| (engine, 0)),
        };
    }
}

/// How long an idle context stays loaded, when the last preload was at `preloaded_at`.
fn idle_timeout(preloaded_at: Option<Instant>) -> Duration {
    let left = preloaded_at.map(|at| PRELOADED_IDLE_TIMEOUT.saturating_sub(at.elapsed()));
    left.unwrap_or_default().max(IDLE_TIMEOUT)
}

/// Executes a job and sends its result. Returns whether the engine may be used again.
fn execute_job(job: Job, engine: Result<&Engine, &Error>) -> bool {
    match job {
        Job::Preload => engine.is_ok(),
        Job::RouteTable(reply) => reply_with(&reply, engine, Engine::load_route_table),
        Job::Page(request, reply) => reply_with(&reply, engine, |engine| {
            engine.render_page(&request.page, &request.path, &request.input)
        }),
        Job::Email(input, reply) => {
            reply_with(&reply, engine, |engine| engine.render_email(&input))
        }
    }
}

fn reply_with<T>(
    reply: &SyncSender<Result<T>>,
    engine: Result<&Engine, &Error>,
    work: impl FnOnce(&Engine) -> Result<T>,
) -> bool {
    let answer = match engine {
        Ok(engine) => catch_panic(|| work(engine)),
        Err(error) => Err(error.clone()),
    };
    let is_ok = answer.is_ok();
    // Fails when the caller is gone: the result is not needed then.
    drop(reply.send(answer));
    if let (true, Ok(engine)) = (is_ok, engine) {
        engine.collect_garbage();
    }
    is_ok
}

/// Turns a panic into an error of this job, so that the thread goes on.
fn catch_panic<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(Error::Panicked))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_context_waits_for_the_panel_and_for_nobody_else() {
        assert_eq!(idle_timeout(None), IDLE_TIMEOUT);
        let now = Instant::now();
        assert!(idle_timeout(Some(now)) + IDLE_TIMEOUT > PRELOADED_IDLE_TIMEOUT);
        let long_ago = now.checked_sub(PRELOADED_IDLE_TIMEOUT);
        assert!(long_ago.is_none_or(|at| idle_timeout(Some(at)) == IDLE_TIMEOUT));
    }
}
