//! Options and callbacks that the caller passes to an import.

use super::CallerError;
use respiro_content::Timestamp;
use respiro_media::{ImageError, ProcessedImage};
use std::collections::{BTreeMap, BTreeSet};

/// Decodes an image. The caller runs the decoder in a separate process.
pub type Decode = dyn Fn(&[u8]) -> Result<Result<ProcessedImage, ImageError>, CallerError>;

/// Returns a new id.
pub type NewId = dyn Fn() -> Result<String, CallerError>;

/// Options and callbacks of an import.
pub struct Wishes<'a> {
    /// Maps a WordPress category in lower case to a category of this site.
    pub categories: BTreeMap<String, &'static str>,
    pub default_category: &'static str,
    /// Slugs of the posts that the site already has.
    pub taken: BTreeSet<String>,
    pub skips_taken: bool,
    pub now: Timestamp,
    pub decode: &'a Decode,
    pub new_id: &'a NewId,
}
