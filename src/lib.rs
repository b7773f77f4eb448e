//! respiro: the whole website of a breathwork practitioner in one program.
//!
//! Command line and embedded UI. Re-exports the crates of the workspace under the names that the
//! tests and benches use.

pub mod cli;
pub mod ui_assets;

pub use respiro_analytics as analytics;
pub use respiro_auth as auth;
pub use respiro_backup as backup;
pub use respiro_content as content;
pub use respiro_db as store;
pub use respiro_email as email;
pub use respiro_importers as importers;
pub use respiro_media as images;
pub use respiro_newsletter as newsletter;
pub use respiro_publish as site;
pub use respiro_render as render;
pub use respiro_server::errors as error;
pub use respiro_server::notification_emails as notices;
pub use respiro_server::state as app;
pub use respiro_server::{
    Running, accounts, config, control, http, log, metrics, start, start_with, tls,
};
pub use respiro_testimonials as testimonials;
