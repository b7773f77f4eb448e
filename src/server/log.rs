//! Logs to standard error, as text or JSON. Counts the requests that are no HTTP: actix, which
//! serves the ports of redirect and metrics, reports them nowhere but in the log.

use crate::http::access_log;
use std::fmt::{Debug, Write};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use tracing::callsite::Identifier;
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::subscriber::Interest;
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt;
use tracing_subscriber::layer::{Context, Filter, Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

/// The log of requests, whatever the level; targets that log their internals at `info`; and the
/// dispatcher, which reports malformed requests as errors: `MalformedRequestCounter` counts them
/// instead.
const TARGET_LEVELS: [(&str, LevelFilter); 4] = [
    (access_log::TARGET, LevelFilter::INFO),
    ("actix_server", LevelFilter::WARN),
    ("rustls", LevelFilter::WARN),
    (DISPATCHER, LevelFilter::OFF),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Text,
    Json,
}

/// Starts logging.
pub fn start(format: Format, level: Level) {
    // The level is not parsed from a directive: an invalid one would be taken for the name of a
    // target, and nothing else would be logged.
    let filter = Targets::new()
        .with_targets(TARGET_LEVELS)
        .with_default(level);
    let stderr = std::io::stderr;
    let layer = match format {
        Format::Text => fmt::layer()
            .with_writer(stderr)
            .with_ansi(stderr().is_terminal())
            .with_target(false)
            .boxed(),
        Format::Json => fmt::layer()
            .json()
            .flatten_event(true)
            .with_current_span(true)
            .with_span_list(false)
            .with_writer(stderr)
            .boxed(),
    };
    let started = tracing_subscriber::registry()
        .with(layer.with_filter(filter))
        .with(MalformedRequestCounter.with_filter(MalformedRequestCounter))
        .try_init();
    // Tests start it twice in one process; the first call wins.
    if started.is_ok() {
        count_parser_panics();
    }
}

/// Target under which the HTTP library logs, at `trace`, that it refuses a request.
const DISPATCHER: &str = "actix_http::h1::dispatcher";
/// First words of those messages.
const REFUSAL_PREFIXES: [&str; 2] = ["parse error", "request head was too big"];
/// Crate and file of the parser that panics on a header name of 65,536 bytes, on the ports of
/// redirect and metrics. The panic closes the connection and affects nothing else.
const PARSER: (&str, &str) = ("actix-http", "decoder.rs");

static MALFORMED: AtomicU64 = AtomicU64::new(0);
/// Other messages of the dispatcher, which are not inspected again.
static OTHER_CALLSITES: Mutex<Vec<Identifier>> = Mutex::new(Vec::new());

/// Returns how many requests since the start were not HTTP.
pub fn malformed_requests() -> u64 {
    MALFORMED.load(Ordering::Relaxed)
}

pub fn record_malformed() {
    MALFORMED.fetch_add(1, Ordering::Relaxed);
    tracing::debug!("a malformed request was refused");
}

/// Counts refused requests.
struct MalformedRequestCounter;

fn is_of_interest(metadata: &Metadata<'_>) -> bool {
    let others = || {
        OTHER_CALLSITES
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    };
    *metadata.level() == Level::TRACE
        && metadata.target() == DISPATCHER
        && !others().contains(&metadata.callsite())
}

impl<S> Filter<S> for MalformedRequestCounter {
    fn enabled(&self, metadata: &Metadata<'_>, _: &Context<'_, S>) -> bool {
        is_of_interest(metadata)
    }

    fn callsite_enabled(&self, metadata: &'static Metadata<'static>) -> Interest {
        if is_of_interest(metadata) {
            Interest::always()
        } else {
            Interest::never()
        }
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LevelFilter::TRACE)
    }
}

impl<S: Subscriber> Layer<S> for MalformedRequestCounter {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut message = Message::default();
        event.record(&mut message);
        if REFUSAL_PREFIXES
            .iter()
            .any(|start| message.0.starts_with(start))
        {
            record_malformed();
            return;
        }
        let callsite = event.metadata().callsite();
        OTHER_CALLSITES
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(callsite);
        tracing::callsite::rebuild_interest_cache();
    }
}

#[derive(Default)]
struct Message(String);

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            // Writing to a string cannot fail.
            let _ = write!(self.0, "{value:?}");
        }
    }
}

/// Treats a panic of the library's parser as a malformed request: counted, no backtrace.
fn count_parser_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let of_parser = |file: &str| file.contains(PARSER.0) && file.ends_with(PARSER.1);
        if panic
            .location()
            .is_some_and(|place| of_parser(place.file()))
        {
            record_malformed();
        } else {
            usual(panic);
        }
    }));
}
