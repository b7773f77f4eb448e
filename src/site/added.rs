//! Pages that she adds by adding to a list of words: their addresses are the ids of the entries.

use crate::content::Snapshot;
use crate::render::Entries;

/// Of the entries that have no row of their own. A list that nobody has changed has none.
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
