//! Renders pages and e-mails by running the UI's server bundle in an embedded JavaScript engine.
//!
//! Names no other crate of ours; the only one that names rquickjs. Invariants: JavaScript runs on
//! one thread of its own, under limits of time, memory and stack; it has no access to files,
//! network or clock; a context that failed renders nothing more.

mod engine;
mod route_table;
mod worker;

pub use route_table::{Entries, How, Part, Read, Route, RouteKind, SocialPicture, When};
pub use worker::Renderer;

/// A rendered page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RenderedPage {
    pub head: String,
    pub html: String,
    /// Source file of the page's chunk: a key of the bundle's manifest.
    pub entry: String,
    /// The page's input as JSON, which the browser hydrates from.
    pub data: String,
}

/// A rendered e-mail.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
pub struct RenderedEmail {
    pub html: String,
    pub text: String,
}

/// Why the bundle returned no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("cannot start the render thread: {0}")]
    ThreadStart(String),
    #[error("the render thread has stopped: restart the program")]
    ThreadStopped,
    #[error("the renderer panicked")]
    Panicked,
    #[error("cannot make a JavaScript context: {0}")]
    Context(String),
    #[error("{call} took too long and was stopped")]
    Timeout { call: String },
    /// The call threw, ran out of memory, or returned a value of another type.
    #[error("{call}: {reason}")]
    Exception { call: String, reason: String },
    #[error("{call} answered bad JSON: {reason}")]
    InvalidJson { call: String, reason: String },
}

pub type Result<T, E = Error> = std::result::Result<T, E>;
