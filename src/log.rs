//! Logs: to standard error, as text for people or JSON for machines.

use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt;

/// Parts that talk about their own workings at `info`.
const QUIET: &str = "actix_server=warn,rustls=warn";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Text,
    Json,
}

/// Starts the log, once. `level` is a word like `info` or directives like `respiro=debug,info`.
pub fn start(format: Format, level: &str) -> Result<(), String> {
    let filter = EnvFilter::builder()
        .parse(format!("{QUIET},{level}"))
        .map_err(|error| format!("not a log level: `{level}`: {error}"))?;
    let stderr = std::io::stderr;
    let started = match format {
        Format::Text => fmt()
            .with_env_filter(filter)
            .with_writer(stderr)
            .with_ansi(stderr().is_terminal())
            .with_target(false)
            .try_init(),
        Format::Json => fmt()
            .json()
            .flatten_event(true)
            .with_current_span(true)
            .with_span_list(false)
            .with_env_filter(filter)
            .with_writer(stderr)
            .try_init(),
    };
    // A second start in one process (tests) keeps the first log.
    started.or(Ok(()))
}
