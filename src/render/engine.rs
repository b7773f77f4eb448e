//! One JavaScript context: loads the bundle, runs its functions under limits, names failures.

use crate::{Error, RenderedMail, RenderedPage, Result, Route};
use rquickjs::function::Rest;
use rquickjs::{CatchResultExt, CaughtError, Coerced, Context, Ctx, Function, Module, Object};
use rquickjs::{Runtime, Value};
use serde::de::DeserializeOwned;
use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Time for one call into the bundle: loading it, the routes, one page. A page takes milliseconds;
/// the clock is the wall's, and a busy machine must not fail a publish.
const CALL_TIME_MAX: Duration = Duration::from_secs(5);
/// Memory of a context. A page reads a part of a list at most.
const MEMORY_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Garbage is collected between pages, not while one is waited for: no page makes so much of it.
const GARBAGE_BYTES_MAX: usize = 24 * 1024 * 1024;
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

/// A context with the bundle loaded.
pub(super) struct Engine {
    context: Context,
    clock: Rc<Clock>,
}

impl Engine {
    pub(super) fn load(bundle: &str) -> Result<Self> {
        let runtime = Runtime::new().map_err(|error| failed(&error))?;
        runtime.set_memory_limit(MEMORY_BYTES_MAX);
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
        let engine = Self { context, clock };
        engine.call("loading the bundle", |ctx| {
            provide_console(ctx)?;
            Module::evaluate(ctx.clone(), BUNDLE_NAME, bundle)?.finish::<()>()
        })?;
        engine.tidy();
        Ok(engine)
    }

    /// Collects garbage. The engine has its own opinion on when to do so next, after each time.
    pub(super) fn tidy(&self) {
        let runtime = self.context.runtime();
        runtime.run_gc();
        runtime.set_gc_threshold(GARBAGE_BYTES_MAX);
    }

    pub(super) fn routes(&self) -> Result<String> {
        let text = self.text("routes", ())?;
        // Whoever reads it later finds it whole.
        read::<Vec<Route>>("routes", &text).map(|_| text)
    }

    pub(super) fn mail(&self, input: &str) -> Result<RenderedMail> {
        self.ask("mail", (input,))
    }

    pub(super) fn page(&self, page: &str, path: &str, input: &str) -> Result<RenderedPage> {
        self.call(&format!("{path}: page"), |ctx| {
            let made: Object = function(ctx, "page")?.call((page, path, input))?;
            Ok(RenderedPage {
                head: made.get("head")?,
                html: made.get("html")?,
                entry: made.get("entry")?,
                data: made.get("data")?,
            })
        })
    }

    /// Calls `respiro.NAME` with strings and reads the JSON string it returns.
    fn ask<A, T>(&self, name: &str, arguments: A) -> Result<T>
    where
        A: for<'js> rquickjs::function::IntoArgs<'js>,
        T: DeserializeOwned,
    {
        read(name, &self.text(name, arguments)?)
    }

    fn text<A>(&self, name: &str, arguments: A) -> Result<String>
    where
        A: for<'js> rquickjs::function::IntoArgs<'js>,
    {
        self.call(name, |ctx| {
            let answer: Value = function(ctx, name)?.call(arguments)?;
            // A promise or anything else is no answer; `Coerced` would hide it.
            answer.get::<String>()
        })
    }

    /// Runs `work` in the context, at most [`CALL_TIME_MAX`].
    fn call<T>(&self, name: &str, work: impl FnOnce(&Ctx<'_>) -> rquickjs::Result<T>) -> Result<T> {
        self.clock.expired.set(false);
        self.clock.deadline.set(Instant::now() + CALL_TIME_MAX);
        self.context.with(|ctx| {
            work(&ctx).catch(&ctx).map_err(|error| {
                let call = name.to_owned();
                if self.clock.expired.get() {
                    return Error::Timeout { call };
                }
                let reason = describe(&error);
                Error::Exception { call, reason }
            })
        })
    }
}

fn function<'js>(ctx: &Ctx<'js>, name: &str) -> rquickjs::Result<Function<'js>> {
    let respiro: Object = ctx.globals().get("respiro")?;
    respiro.get(name)
}

fn read<T: DeserializeOwned>(name: &str, answer: &str) -> Result<T> {
    serde_json::from_str(answer).map_err(|error| Error::InvalidJson {
        call: name.to_owned(),
        reason: error.to_string(),
    })
}

fn failed(error: &rquickjs::Error) -> Error {
    Error::Context(error.to_string())
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
