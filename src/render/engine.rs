//! One JavaScript context: loads the bundle, runs its functions under limits, names failures.

use crate::{Error, RenderedEmail, RenderedPage, Result, Route};
use rquickjs::function::Rest;
use rquickjs::{CatchResultExt, CaughtError, Coerced, Context, Ctx, Function, Module, Object};
use rquickjs::{Runtime, Value};
use serde::de::DeserializeOwned;
use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Time for one call into the bundle: loading it, the routes, one page. A page takes milliseconds;
/// the clock is the wall's, and a busy machine must not fail a publish.
const CALL_TIMEOUT: Duration = Duration::from_secs(5);
/// Memory of a context. A page reads a part of a list at most.
const MEMORY_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Garbage is collected between pages, not while one is waited for: no page makes so much of it.
const GC_THRESHOLD_BYTES: usize = 24 * 1024 * 1024;
/// Stack that JavaScript may use; the thread has twice as much.
const STACK_BYTES_MAX: usize = 2 * 1024 * 1024;
/// Longest line of the bundle's console that is logged.
const CONSOLE_CHARACTERS_MAX: usize = 2_000;

/// The name of the bundle in stack traces.
const BUNDLE_NAME: &str = "server.js";

/// When the call under way must end, and whether it was ended.
#[derive(Debug)]
struct Deadline {
    at: Cell<Instant>,
    is_expired: Cell<bool>,
}

/// A context with the bundle loaded.
pub(super) struct Engine {
    context: Context,
    deadline: Rc<Deadline>,
}

impl Engine {
    pub(super) fn load(bundle: &str) -> Result<Self> {
        let runtime = Runtime::new().map_err(|error| context_error(&error))?;
        runtime.set_memory_limit(MEMORY_BYTES_MAX);
        runtime.set_max_stack_size(STACK_BYTES_MAX);
        let deadline = Rc::new(Deadline {
            at: Cell::new(Instant::now()),
            is_expired: Cell::new(false),
        });
        let watched = Rc::clone(&deadline);
        runtime.set_interrupt_handler(Some(Box::new(move || {
            let late = Instant::now() >= watched.at.get();
            watched.is_expired.set(watched.is_expired.get() || late);
            late
        })));
        let context = Context::full(&runtime).map_err(|error| context_error(&error))?;
        let engine = Self { context, deadline };
        engine.call("loading the bundle", |ctx| {
            define_console(ctx)?;
            Module::evaluate(ctx.clone(), BUNDLE_NAME, bundle)?.finish::<()>()
        })?;
        engine.collect_garbage();
        Ok(engine)
    }

    /// Collects garbage. The engine has its own opinion on when to do so next, after each time.
    pub(super) fn collect_garbage(&self) {
        let runtime = self.context.runtime();
        runtime.run_gc();
        runtime.set_gc_threshold(GC_THRESHOLD_BYTES);
    }

    pub(super) fn load_route_table(&self) -> Result<String> {
        let text = self.call_for_text("routes", ())?;
        // Whoever reads it later finds it whole.
        parse_json::<Vec<Route>>("routes", &text).map(|_| text)
    }

    pub(super) fn render_email(&self, input: &str) -> Result<RenderedEmail> {
        self.call_for_json("mail", (input,))
    }

    pub(super) fn render_page(&self, page: &str, path: &str, input: &str) -> Result<RenderedPage> {
        self.call(&format!("{path}: page"), |ctx| {
            let rendered: Object = bundle_function(ctx, "page")?.call((page, path, input))?;
            Ok(RenderedPage {
                head: rendered.get("head")?,
                html: rendered.get("html")?,
                entry: rendered.get("entry")?,
                data: rendered.get("data")?,
            })
        })
    }

    /// Calls `respiro.NAME` with strings and reads the JSON string it returns.
    fn call_for_json<A, T>(&self, name: &str, arguments: A) -> Result<T>
    where
        A: for<'js> rquickjs::function::IntoArgs<'js>,
        T: DeserializeOwned,
    {
        parse_json(name, &self.call_for_text(name, arguments)?)
    }

    fn call_for_text<A>(&self, name: &str, arguments: A) -> Result<String>
    where
        A: for<'js> rquickjs::function::IntoArgs<'js>,
    {
        self.call(name, |ctx| {
            let answer: Value = bundle_function(ctx, name)?.call(arguments)?;
            // A promise or anything else is no answer; `Coerced` would hide it.
            answer.get::<String>()
        })
    }

    /// Runs `work` in the context, at most [`CALL_TIMEOUT`].
    fn call<T>(&self, name: &str, work: impl FnOnce(&Ctx<'_>) -> rquickjs::Result<T>) -> Result<T> {
        self.deadline.is_expired.set(false);
        self.deadline.at.set(Instant::now() + CALL_TIMEOUT);
        self.context.with(|ctx| {
            work(&ctx).catch(&ctx).map_err(|error| {
                let call = name.to_owned();
                if self.deadline.is_expired.get() {
                    return Error::Timeout { call };
                }
                let reason = describe(&error);
                Error::Exception { call, reason }
            })
        })
    }
}

fn bundle_function<'js>(ctx: &Ctx<'js>, name: &str) -> rquickjs::Result<Function<'js>> {
    let respiro: Object = ctx.globals().get("respiro")?;
    respiro.get(name)
}

fn parse_json<T: DeserializeOwned>(name: &str, answer: &str) -> Result<T> {
    serde_json::from_str(answer).map_err(|error| Error::InvalidJson {
        call: name.to_owned(),
        reason: error.to_string(),
    })
}

fn context_error(error: &rquickjs::Error) -> Error {
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
fn define_console(ctx: &Ctx<'_>) -> rquickjs::Result<()> {
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
