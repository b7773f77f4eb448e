//! Options that the caller passes to an import, and the table that maps the categories of the
//! WordPress site to those of this site.

use crate::{Error, Result};
use respiro_content::Timestamp;
use respiro_content::collections::BLOG_CATEGORIES;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Category of articles whose category has no counterpart.
pub const DEFAULT_CATEGORY: &str = "Benessere";
const CATEGORIES_BYTES_MAX: u64 = 256 * 1024;

/// Options of an import.
pub struct ImportOptions<'a> {
    /// Maps a WordPress category in lower case to a category of this site.
    pub categories: BTreeMap<String, &'static str>,
    pub default_category: &'static str,
    /// Slugs of the posts that the site already has.
    pub existing_slugs: BTreeSet<String>,
    pub skip_existing: bool,
    pub now: Timestamp,
    /// The program whose process decodes pictures; `None` decodes them in this process.
    pub program: Option<&'a Path>,
}

/// Returns the category of this site by WordPress category in lower case: categories of the same
/// name, and those in the operator's file at `path`.
pub fn read_categories(path: Option<&Path>) -> Result<BTreeMap<String, &'static str>> {
    let known = BLOG_CATEGORIES.iter();
    let mut table: BTreeMap<String, &'static str> =
        known.map(|name| (name.to_lowercase(), *name)).collect();
    let Some(path) = path else {
        return Ok(table);
    };
    let about = fs::metadata(path).map_err(Error::file("read", path))?;
    if about.len() > CATEGORIES_BYTES_MAX {
        let reason = "is too large for a table of categories";
        return Err(Error::unusable(path, reason));
    }
    let text = fs::read_to_string(path).map_err(Error::file("read", path))?;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let pair = line
            .split_once('=')
            .map(|(former, ours)| (former.trim(), ours.trim()));
        let ours = pair.and_then(|(former, ours)| {
            let ours = BLOG_CATEGORIES
                .iter()
                .find(|name| name.to_lowercase() == ours.to_lowercase());
            Some((former, *ours?))
        });
        let Some((former, ours)) = ours else {
            return Err(Error::InvalidCategory {
                path: path.to_owned(),
                line: number,
            });
        };
        table.insert(former.to_lowercase(), ours);
    }
    Ok(table)
}
