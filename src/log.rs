//! Logs: to standard error, as text for people or JSON for machines.

use std::io::IsTerminal;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

/// Parts that talk about their own workings at `info`.
const QUIET: &str = "actix_server=warn,rustls=warn";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Text,
    Json,
}

/// Starts the log, once. `level` is a word like `info` or directives like `respiro=debug,info`.
pub fn start(format: Format, level: &str) -> Result<(), String> {
    let filter: Targets = format!("{QUIET},{level}")
        .parse()
        .map_err(|error| format!("not a log level: `{level}`: {error}"))?;
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
        .try_init();
    // A second start in one process (tests) keeps the first log.
    started.or(Ok(()))
}
