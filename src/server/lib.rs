//! The server: state of the program, background jobs, HTTP, TLS, control socket, metrics, log.
//!
//! May name every other crate of the workspace; the only crate that names actix. Invariants: an
//! error becomes an answer by the one table in `errors.rs`; a handler that needs a session, a limit
//! or a bounded body takes it as an argument; all writes go through `respiro_publish::Site`.

pub mod accounts;
pub mod config;
pub mod control;
pub mod errors;
pub mod http;
mod link_check;
pub mod listeners;
pub mod log;
pub mod metrics;
pub mod page_view_job;
mod qr_code;
pub mod release_version;
pub mod start;
pub mod state;
pub mod tls;

pub use start::{Running, start, start_with};
