//! Renders pages with the UI's own components.

use crate::engine::Engine;
use crate::{Error, RenderedEmail, RenderedPage, Result};
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

/// Stack of the render thread: twice what the engine may use of it.
const THREAD_STACK_BYTES: usize = 4 * 1024 * 1024;
/// Jobs that may wait for the render thread; who comes later waits to get into the queue.
const QUEUED_JOBS_MAX: usize = 8;
/// A context renders so many pages before a fresh one takes its place: nothing can pile up in it.
const PAGES_PER_CONTEXT: u32 = 256;
/// A context takes megabytes, and loading it as long as several pages: it stays while somebody
/// works in the panel, this long after the last word from there.
const PRELOADED_IDLE_TIMEOUT: Duration = Duration::from_mins(5);
/// Without the panel, after a start or a visitor's page, it goes as soon as there is no work.
const IDLE_TIMEOUT: Duration = Duration::from_secs(5);

/// What is asked of the render thread.
enum Job {
    Preload,
    Email(String, SyncSender<Result<RenderedEmail>>),
    RouteTable(SyncSender<Result<String>>),
    Page(PageRequest, SyncSender<Result<RenderedPage>>),
}

/// One page: which, at which address, from what.
struct PageRequest {
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
        let (jobs, queue) = mpsc::sync_channel(QUEUED_JOBS_MAX);
        thread::Builder::new()
            .name("render".to_owned())
            .stack_size(THREAD_STACK_BYTES)
            .spawn(move || run_worker(&bundle, &queue))
            .map_err(|error| Error::ThreadStart(error.to_string()))?;
        Ok(Self { jobs })
    }

    /// The table of routes that the bundle brings, as JSON. Blocks.
    pub fn load_route_table(&self) -> Result<String> {
        self.run_job(Job::RouteTable)
    }

    /// Renders one page under a deadline and a memory limit. Blocks: call it off the request
    /// threads.
    pub fn render_page(&self, page: &str, path: &str, input: String) -> Result<RenderedPage> {
        let request = PageRequest {
            page: page.to_owned(),
            path: path.to_owned(),
            input,
        };
        self.run_job(|reply| Job::Page(request, reply))
    }

    /// Draws a newsletter, as `page` does a page.
    pub fn render_email(&self, input: String) -> Result<RenderedEmail> {
        self.run_job(|reply| Job::Email(input, reply))
    }

    /// A page is going to be asked for: its context is loaded meanwhile. Never waits.
    pub fn preload_context(&self) {
        // A full queue has work, and a context with it.
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

/// Answers jobs until the last sender is gone. A context serves many pages; one that failed in
/// any way is thrown away, and so is one that has served its time or that nobody needs for a while.
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
        // The next one is made ready now: who asks next does not wait for the bundle.
        loaded = match engine {
            Ok(engine) if is_ok && pages < PAGES_PER_CONTEXT => Some((engine, pages)),
            _ => load().ok().map(|engine| (engine, 0)),
        };
    }
}

/// How long a context is kept without work, when work was last said to come at this moment.
fn idle_timeout(preloaded_at: Option<Instant>) -> Duration {
    let left = preloaded_at.map(|at| PRELOADED_IDLE_TIMEOUT.saturating_sub(at.elapsed()));
    left.unwrap_or_default().max(IDLE_TIMEOUT)
}

/// Whether the engine can go on. Nobody waits any more when the asking thread is gone; the work is
/// simply dropped.
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
    drop(reply.send(answer));
    if let (true, Ok(engine)) = (is_ok, engine) {
        engine.collect_garbage();
    }
    is_ok
}

/// A panic in a job is an error of this job: the thread goes on.
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
