//! One JavaScript context: loads the bundle, runs `plan` and `page` under limits, names failures.

use super::{PlannedPage, RenderedPage, Rendering, Wanted};
use crate::error::{Error, Result};
use rquickjs::function::Rest;
use rquickjs::{CatchResultExt, CaughtError, Coerced, Context, Ctx, Function, Module, Object};
use rquickjs::{Runtime, Value};
use serde::de::DeserializeOwned;
use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Time for one call into the bundle: loading it, the plan, one page. A page takes milliseconds;
/// the clock is the wall's, and a busy machine must not fail a publish.
const CALL_TIME_MAX: Duration = Duration::from_secs(5);
/// Time for a whole render: this much, and [`PAGE_TIME`] for each page wanted.
const RENDER_TIME_BASE: Duration = Duration::from_secs(10);
const PAGE_TIME: Duration = Duration::from_millis(100);
/// Time for a whole render, however many pages.
const RENDER_TIME_MAX: Duration = Duration::from_mins(2);
/// Memory of a context: this much, and so many bytes for each byte of the snapshot.
const MEMORY_BYTES_BASE: usize = 32 * 1024 * 1024;
const MEMORY_BYTES_PER_SNAPSHOT_BYTE: usize = 12;
const MEMORY_BYTES_MAX: usize = 1024 * 1024 * 1024;
/// Stack that JavaScript may use; the thread has twice as much.
const STACK_BYTES_MAX: usize = 2 * 1024 * 1024;
/// Longest line of the bundle's console that is logged.
const CONSOLE_CHARACTERS_MAX: usize = 2_000;

/// The name of the bundle in stack traces.
const BUNDLE_NAME: &str = "server.js";

/// When the call under way must end, and whether it was ended.
#[derive(Debug)]
struct Clock {
    deadline: Cell<Instant>,
    expired: Cell<bool>,
}

/// A context with the bundle loaded, good for one render.
pub(super) struct Engine {
    // Dropped in this order: the context before its runtime.
    context: Context,
    runtime: Runtime,
    clock: Rc<Clock>,
}

impl Engine {
    pub(super) fn load(bundle: &str) -> Result<Self> {
        let runtime = Runtime::new().map_err(|error| failed(&error))?;
        runtime.set_memory_limit(MEMORY_BYTES_BASE);
        runtime.set_max_stack_size(STACK_BYTES_MAX);
        let clock = Rc::new(Clock {
            deadline: Cell::new(Instant::now()),
            expired: Cell::new(false),
        });
        let watched = Rc::clone(&clock);
        runtime.set_interrupt_handler(Some(Box::new(move || {
            let late = Instant::now() >= watched.deadline.get();
            watched.expired.set(watched.expired.get() || late);
            late
        })));
        let context = Context::full(&runtime).map_err(|error| failed(&error))?;
        let engine = Self {
            context,
            runtime,
            clock,
        };
        engine.call(
            Instant::now() + CALL_TIME_MAX,
            "loading the bundle",
            |ctx| {
                provide_console(ctx)?;
                Module::evaluate(ctx.clone(), BUNDLE_NAME, bundle)?.finish::<()>()
            },
        )?;
        Ok(engine)
    }

    /// Consumes the context: the next render gets a fresh one.
    pub(super) fn render(self, snapshot: &str, wanted: &Wanted) -> Result<Rendering> {
        let memory = snapshot
            .len()
            .saturating_mul(MEMORY_BYTES_PER_SNAPSHOT_BYTE)
            .saturating_add(MEMORY_BYTES_BASE);
        self.runtime.set_memory_limit(memory.min(MEMORY_BYTES_MAX));
        let started = Instant::now();
        let plan: Vec<PlannedPage> = self.ask("plan", (snapshot,), started + RENDER_TIME_BASE)?;
        let chosen: Vec<bool> = plan.iter().map(wanted).collect();
        let count = chosen.iter().filter(|wanted| **wanted).count();
        let pages_time = PAGE_TIME.saturating_mul(u32::try_from(count).unwrap_or(u32::MAX));
        let deadline = started + (RENDER_TIME_BASE + pages_time).min(RENDER_TIME_MAX);
        let mut pages = Vec::with_capacity(plan.len());
        for (planned, wanted) in plan.into_iter().zip(chosen) {
            let rendered = wanted.then(|| self.page(&planned, deadline)).transpose()?;
            pages.push((planned, rendered));
        }
        Ok(Rendering {
            plan: pages,
            took: started.elapsed(),
        })
    }

    fn page(&self, planned: &PlannedPage, deadline: Instant) -> Result<RenderedPage> {
        let arguments = (planned.path.as_str(), planned.slice.as_str());
        self.ask("page", arguments, deadline)
            .map_err(|error| match error {
                Error::Render(cause) => Error::Render(format!("{}: {cause}", planned.path)),
                other => other,
            })
    }

    /// Calls `respiro.NAME` with strings and reads the JSON string it returns.
    fn ask<A, T>(&self, name: &str, arguments: A, deadline: Instant) -> Result<T>
    where
        A: for<'js> rquickjs::function::IntoArgs<'js>,
        T: DeserializeOwned,
    {
        let answer = self.call(deadline, name, |ctx| {
            let respiro: Object = ctx.globals().get("respiro")?;
            let function: Function = respiro.get(name)?;
            let answer: Value = function.call(arguments)?;
            // A promise or anything else is no answer; `Coerced` would hide it.
            answer.get::<String>()
        })?;
        serde_json::from_str(&answer)
            .map_err(|error| Error::Render(format!("{name} answered bad JSON: {error}")))
    }

    /// Runs `work` in the context, at most [`CALL_TIME_MAX`] and never after `deadline`.
    fn call<T>(
        &self,
        deadline: Instant,
        name: &str,
        work: impl FnOnce(&Ctx<'_>) -> rquickjs::Result<T>,
    ) -> Result<T> {
        self.clock.expired.set(false);
        self.clock
            .deadline
            .set(deadline.min(Instant::now() + CALL_TIME_MAX));
        self.context.with(|ctx| {
            work(&ctx).catch(&ctx).map_err(|error| {
                if self.clock.expired.get() {
                    return Error::Render(format!("{name} took too long and was stopped"));
                }
                Error::Render(format!("{name}: {}", describe(&error)))
            })
        })
    }
}

fn failed(error: &rquickjs::Error) -> Error {
    Error::Render(format!("cannot make a JavaScript context: {error}"))
}

/// What went wrong, with the JavaScript stack.
fn describe(error: &CaughtError<'_>) -> String {
    match error {
        CaughtError::Error(error) => error.to_string(),
        CaughtError::Exception(exception) => {
            let message = exception.message().unwrap_or_default();
            if message.contains("out of memory") {
                return "out of memory".to_owned();
            }
            let stack = exception.stack().unwrap_or_default();
            format!("{message}\n{}", stack.trim_end())
        }
        // When nothing is left to build the error from, the engine throws `null`.
        CaughtError::Value(value) if value.is_null() => {
            "threw null, which also means out of memory".to_owned()
        }
        CaughtError::Value(value) => match value.get::<Coerced<String>>() {
            Ok(text) => format!("threw a value: {}", text.0),
            Err(_) => "threw a value that is no text".to_owned(),
        },
    }
}

/// A `console` that goes to the log: without one, a stray `console.log` would fail the page.
fn provide_console(ctx: &Ctx<'_>) -> rquickjs::Result<()> {
    let console = Object::new(ctx.clone())?;
    for name in ["log", "info", "debug", "warn", "error", "trace"] {
        let log = move |words: Rest<Coerced<String>>| {
            let words: Vec<String> = words.0.into_iter().map(|word| word.0).collect();
            let line: String = words.join(" ");
            let line: String = line.chars().take(CONSOLE_CHARACTERS_MAX).collect();
            if matches!(name, "warn" | "error") {
                tracing::warn!(target: "respiro::page", "{line}");
            } else {
                tracing::debug!(target: "respiro::page", "{line}");
            }
        };
        console.set(name, Function::new(ctx.clone(), log)?)?;
    }
    ctx.globals().set("console", console)
}
