//! Moving in from WordPress: its export and its library become articles, pictures and former
//! addresses of this site, and a report of what does not come along.

mod addresses;
mod articles;
mod blocks;
mod error;
mod html;
mod library;
mod media;
mod report;
mod shortcodes;
#[cfg(test)]
mod tests;
mod wishes;
mod words;
mod wxr;

pub use articles::{Arrived, convert};
pub use error::{CallerError, ImportError};
pub use html::{Around, Lost, markdown};
pub use media::{Media, Unusable};
pub use report::Report;
pub use wishes::Wishes;
pub use wxr::{EXPORT_MEGABYTES_MAX, Export, Unread, read};
