//! Imports WordPress: converts an export and its media library into posts, pictures and redirects,
//! and reports what the import leaves out.

mod encoding;
mod html;
mod inline;
mod markdown_blocks;
mod media;
mod messages;
mod options;
mod permalinks;
mod posts;
mod report;
mod reusable_blocks;
mod shortcodes;
#[cfg(test)]
mod tests;
mod wxr;

pub use html::{Around, Lost, markdown};
pub use media::{Media, Unusable};
pub use options::{DEFAULT_CATEGORY, ImportOptions, read_categories};
pub use posts::{ImportResult, convert, put, slugs_of_posts};
pub use report::Report;
pub use wxr::{EXPORT_MEGABYTES_MAX, Export, ReadError, read};
