//! Options that the caller passes to an import.

use respiro_content::Timestamp;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Options of an import.
pub struct Wishes<'a> {
    /// Maps a WordPress category in lower case to a category of this site.
    pub categories: BTreeMap<String, &'static str>,
    pub default_category: &'static str,
    /// Slugs of the posts that the site already has.
    pub taken: BTreeSet<String>,
    pub skips_taken: bool,
    pub now: Timestamp,
    /// The program whose process decodes pictures; `None` decodes them in this process.
    pub program: Option<&'a Path>,
}
