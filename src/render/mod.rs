//! Renders pages with the UI's own components. The only place that names rquickjs.

mod engine;

use crate::error::{Error, Result};
use engine::Engine;
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::Duration;

/// Stack of the render thread: twice what the engine may use of it.
const THREAD_STACK_BYTES: usize = 4 * 1024 * 1024;
/// Jobs that may wait for the render thread; who comes later waits to get into the queue.
const JOBS_WAITING_MAX: usize = 8;

/// One page to publish, as the bundle's `plan` lists it.
#[derive(Debug, Clone, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlannedPage {
    pub path: String,
    /// The page's data as a JSON string.
    pub slice: String,
    pub kind: PageKind,
    pub sitemap: bool,
    pub last_modified: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PageKind {
    Page,
    /// Without an address: handlers show it below one of theirs.
    Screen,
    NotFound,
    EventNotFound,
    ArticleNotFound,
}

/// One rendered page.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
pub struct RenderedPage {
    pub status: u16,
    pub head: String,
    pub html: String,
    /// Source file of the page's chunk, a key of the bundle's manifest.
    pub entry: String,
}

/// The whole plan, and beside each entry its page when that was wanted.
#[derive(Debug, Default)]
pub struct Rendering {
    pub plan: Vec<(PlannedPage, Option<RenderedPage>)>,
    /// What the engine took, the wait for it not included.
    pub took: Duration,
}

/// Picks the planned pages that have to be rendered.
pub type Wanted = Box<dyn Fn(&PlannedPage) -> bool + Send>;

struct Job {
    snapshot: String,
    wanted: Wanted,
    reply: SyncSender<Result<Rendering>>,
}

/// The render thread. What one publish asks of it: `plan`, then the pages that `wanted` picks.
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
            .map_err(|error| Error::Render(format!("cannot start the render thread: {error}")))?;
        Ok(Self { jobs })
    }

    /// Plans from a snapshot and renders the pages `wanted` picks, in one fresh context, under a
    /// deadline and a memory limit. Blocks: call it off the request threads.
    pub fn render(&self, snapshot: String, wanted: Wanted) -> Result<Rendering> {
        let (reply, answer) = mpsc::sync_channel(1);
        let job = Job {
            snapshot,
            wanted,
            reply,
        };
        self.jobs.send(job).map_err(|_gone| stopped())?;
        answer.recv().map_err(|_gone| stopped())?
    }
}

fn stopped() -> Error {
    Error::Render("the render thread has stopped: restart the program".to_owned())
}

/// Answers jobs until the last sender is gone. After each one the next context is made ready, so
/// that a publish does not wait for the bundle to be parsed, and still gets a fresh one.
fn serve(bundle: &str, waiting: &Receiver<Job>) {
    let mut ready = guarded(|| Engine::load(bundle));
    while let Ok(job) = waiting.recv() {
        let result = guarded(|| ready?.render(&job.snapshot, &job.wanted));
        // Nobody waits any more when the asking thread is gone; the work is simply dropped.
        drop(job.reply.send(result));
        ready = guarded(|| Engine::load(bundle));
    }
}

/// A panic in a job is an error of this job: the thread goes on.
fn guarded<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(Error::Render("the renderer panicked".to_owned())))
}
