//! The HTTP layer, and the only module that names actix.

mod backup;
mod body;
mod body_cursor;
mod client_addr;
mod confirm;
mod dates;
mod front;
mod guard;
mod items;
mod newsletter;
mod notices;
mod outer;
mod pages;
mod passkeys;
mod path;
mod pictures;
mod plans;
mod precondition;
mod preview;
mod public_items;
mod ready;
mod respond;
pub mod restore;
mod routes;
mod sendings;
mod server;
mod session;
mod settings;
pub mod side;
mod statistics;
mod testimonial_page;
mod testimonials;
mod trash;
mod uploads;
mod visits;
mod words;

use crate::app::App;
use crate::error::Result;
use actix_web::{HttpResponse, web};

/// The application state as handlers receive it.
type Shared = web::Data<App>;
/// The result of a handler.
type Answer = Result<HttpResponse>;

pub use routes::paths;
pub use server::{Running, start};
