//! Paths of pages that exist because the admin added entries to a list in a content block.

use crate::content::Snapshot;
use crate::render::Entries;

/// Returns the paths of the entries without a route of their own. A block that was never saved has
/// none: the routes cover its default entries.
pub(super) fn added_paths<'a>(
    own: &'a Entries,
    pattern: &'a str,
    snapshot: &'a Snapshot,
) -> impl Iterator<Item = String> + use<'a> {
    let saved = snapshot.blocks.get(&own.block);
    let value = saved.and_then(|shown| shown.value.as_ref());
    let list = value.and_then(|value| value.get(&own.list)?.as_array());
    let ids = list.into_iter().flatten();
    let ids = ids.filter_map(|entry| entry.get("id")?.as_str());
    ids.filter(|id| !own.but.iter().any(|but| but == id))
        .map(|id| pattern.replace("{key}", id))
}
