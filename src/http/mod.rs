//! The HTTP surface. The only place that names actix.

mod backup;
mod body;
mod client;
mod confirm;
mod dates;
mod guard;
mod items;
mod newsletter;
mod outer;
mod pages;
mod passkeys;
mod path;
mod pictures;
mod precondition;
mod preview;
mod public;
mod respond;
mod restore;
mod routes;
mod server;
mod session;
mod settings;
pub mod side;
mod sliced;
mod trash;
mod uploads;

pub use routes::paths;
pub use server::{Running, start};
