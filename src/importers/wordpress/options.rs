//! What the operator wants of an import.

use super::CallerError;
use respiro_content::Timestamp;
use respiro_media::{ImageError, ProcessedImage};
use std::collections::{BTreeMap, BTreeSet};

/// How a picture is decoded: in a process of its own.
pub type Decode = dyn Fn(&[u8]) -> Result<Result<ProcessedImage, ImageError>, CallerError>;

/// Returns a new id.
pub type NewId = dyn Fn() -> Result<String, CallerError>;

/// What the operator wants of an import.
pub struct Wishes<'a> {
    /// Categories there, in small letters, to those here.
    pub categories: BTreeMap<String, &'static str>,
    pub default_category: &'static str,
    /// Slugs of articles that are here already.
    pub taken: BTreeSet<String>,
    pub skips_taken: bool,
    pub now: Timestamp,
    pub decode: &'a Decode,
    pub new_id: &'a NewId,
}
