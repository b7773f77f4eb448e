//! Exports everything but accounts as JSON and original pictures, readable without respiro, and
//! imports such a folder.

mod campaigns;
mod content;
mod content_blocks;
mod export;
mod import;
mod merge;
mod notifications;
mod serde_adapters;
mod spanned_json;
mod statistics;
mod subscribers;
mod testimonials;

pub use content::Content;
pub use export::export;
pub use import::{read, require_empty, write};
pub use merge::merge;

/// Version of the layout of an exported folder.
const FORMAT: u64 = 1;
const CONTENT_FILE: &str = "respiro.json";
const PICTURE_FOLDER: &str = "pictures";
