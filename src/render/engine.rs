//! A JavaScript context: loads the server bundle, calls its functions under limits and maps
//! failures to `Error`.

use crate::{Error, RenderedEmail, RenderedPage, Result, Route};
use rquickjs::function::Rest;
use rquickjs::{CatchResultExt, CaughtError, Coerced, Context, Ctx, Function, Module, Object};
use rquickjs::{Runtime, Value};
use serde::de::DeserializeOwned;
use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Wall-clock limit of one call: loading the bundle, the route table, one page. A page takes
/// milliseconds; the limit leaves room for a busy machine.
const CALL_TIMEOUT: Duration = Duration::from_secs(5);
/// Heap limit of a context. A page reads one page of a list at most.
const MEMORY_BYTES_MAX: usize = 64 * 1024 * 1024;
/// No page allocates this much, so garbage is collected between pages, not during a render.
const GC_THRESHOLD_BYTES: usize = 24 * 1024 * 1024;
/// Stack limit of JavaScript; the render thread has twice as much.
const STACK_BYTES_MAX: usize = 2 * 1024 * 1024;
/// Longer console lines are truncated in the log.
const CONSOLE_CHARACTERS_MAX: usize = 2_000;

/// File name of the bundle in stack traces.
const BUNDLE_NAME: &str = "server.js";

/// Deadline of the current call, shared with the engine's interrupt handler.
#[derive(Debug)]
struct Deadline {
    at: Cell<Instant>,
    is_expired: Cell<bool>,
}

/// A JavaScript context in which the bundle is loaded.
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

    /// Collects garbage and sets the threshold again: the engine changes it after each collection.
    pub(super) fn collect_garbage(&self) {
        let runtime = self.context.runtime();
        runtime.run_gc();
        runtime.set_gc_threshold(GC_THRESHOLD_BYTES);
    }

    pub(super) fn load_route_table(&self) -> Result<String> {
        let text = self.call_for_text("routes", ())?;
        // Validated here, so that later readers of the stored text need not fail.
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

    /// Calls `respiro.NAME` with string arguments and parses the JSON string that it returns.
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
            // Not `Coerced`, which would turn a promise or an object into text.
            answer.get::<String>()
        })
    }

    /// Runs `work` in the context and interrupts it after [`CALL_TIMEOUT`].
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

/// The message of an exception, with its JavaScript stack.
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
        // The engine throws `null` when no memory is left for an error object.
        CaughtError::Value(value) if value.is_null() => {
            "threw null, which also means out of memory".to_owned()
        }
        CaughtError::Value(value) => match value.get::<Coerced<String>>() {
            Ok(text) => format!("threw a value: {}", text.0),
            Err(_) => "threw a value that is no text".to_owned(),
        },
    }
}

/// Defines a `console` that writes to the log; without it a stray `console.log` fails the page.
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
