//! Finds the attachments of an export and recognises entries that plugins have added.

use super::wxr::{Entry, Export};
use std::collections::BTreeMap;

/// Post types of WordPress itself, without those that begin with `wp_`. All others are of plugins.
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

/// Whether an entry has a plugin's post type and a status that an author sets.
pub fn is_of_plugin(sort: &str, status: &str) -> bool {
    !OWN_SORTS.contains(&sort)
        && !sort.starts_with("wp_")
        && !matches!(status, "trash" | "auto-draft" | "inherit")
}

/// Whether the name of the file ends as that of a picture.
pub fn is_picture(file: &str) -> bool {
    let ending = file.rsplit('.').next().unwrap_or_default();
    PICTURE_ENDINGS.contains(&ending.to_ascii_lowercase().as_str())
}

/// Returns the picture attachments of each post by post id, in their order there.
pub fn attached(export: &Export) -> BTreeMap<&str, Vec<&Entry>> {
    let mut attached: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
    for entry in &export.entries {
        let is_number = entry.id.parse::<u64>().is_ok();
        if is_number && is_picture(&entry.file) {
            attached.entry(&entry.parent).or_default().push(entry);
        }
    }
    for files in attached.values_mut() {
        files.sort_by_key(|file| (file.place, file.id.parse::<u64>().ok()));
    }
    attached
}

/// Returns the entries that have a file by attachment id.
pub fn library(export: &Export) -> BTreeMap<&str, &Entry> {
    let files = export.entries.iter().filter(|entry| !entry.file.is_empty());
    files.map(|entry| (entry.id.as_str(), entry)).collect()
}
