//! What an export holds beside its texts: files, and what plugins have added.

use super::wxr::{Entry, Export};
use std::collections::BTreeMap;

/// What an export holds beside articles, pages and what plugins add.
const OWN_SORTS: &[&str] = &[
    "attachment",
    "custom_css",
    "customize_changeset",
    "nav_menu_item",
    "oembed_cache",
    "page",
    "post",
    "revision",
    "user_request",
];
const PICTURE_ENDINGS: &[&str] = &["avif", "gif", "heic", "jpe", "jpeg", "jpg", "png", "webp"];

/// Whether an entry is something that people wrote, of a kind that WordPress itself has not.
pub fn is_of_plugin(sort: &str, status: &str) -> bool {
    !OWN_SORTS.contains(&sort)
        && !sort.starts_with("wp_")
        && !matches!(status, "trash" | "auto-draft" | "inherit")
}

/// The pictures that were added to each text, in their order there.
pub fn attached(export: &Export) -> BTreeMap<&str, Vec<&Entry>> {
    let mut attached: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
    for entry in &export.entries {
        let ending = entry.file.rsplit('.').next().unwrap_or_default();
        let is_number = entry.id.parse::<u64>().is_ok();
        if is_number && PICTURE_ENDINGS.contains(&ending.to_ascii_lowercase().as_str()) {
            attached.entry(&entry.parent).or_default().push(entry);
        }
    }
    for files in attached.values_mut() {
        files.sort_by_key(|file| (file.place, file.id.parse::<u64>().ok()));
    }
    attached
}

/// Addresses of files by their number in the library.
pub fn library(export: &Export) -> BTreeMap<&str, &Entry> {
    let files = export.entries.iter().filter(|entry| !entry.file.is_empty());
    files.map(|entry| (entry.id.as_str(), entry)).collect()
}
