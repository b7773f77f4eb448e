//! Exports the site as JSON, and imports such exports, newsletter addresses from CSV, WordPress
//! exports and demonstration content.
//!
//! May name `respiro-content`, `respiro-db`, `respiro-media` and `respiro-auth`, nothing else of
//! ours; the command line opens files and prints. Invariant: the importer trusts, resolves and
//! fetches nothing that the imported file names, and bounds every list and text that the file
//! controls.

pub mod csv;
pub mod demo;
mod error;
pub mod json;
pub mod wordpress;

pub use error::{Error, Result};
