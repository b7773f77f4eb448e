//! The HTTP layer, and the only module that names actix.

pub mod access_log;
mod api;
mod auth;
pub mod auxiliary_listeners;
mod body_cursor;
mod cached_response;
mod client_addr;
mod connection;
mod csv;
mod idempotency;
mod middleware;
mod pages;
mod precondition;
mod request_body;
mod request_path;
mod responses;
mod router;
mod server;

use crate::errors::Result;
use crate::state::App;
use actix_web::{HttpResponse, web};

/// The application state as handlers receive it.
type AppState = web::Data<App>;
/// The result of a handler.
type HandlerResult = Result<HttpResponse>;

pub use api::{drafts, restore};
pub use pages::published_pages::is_missing;
pub use router::paths;
pub use server::{Running, start};
