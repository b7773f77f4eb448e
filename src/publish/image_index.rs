//! Index of the pictures that published items show, so that a lookup does not scan all items.

use respiro_content::snapshot::List;
use respiro_content::{Entry, KINDS, Picture, Snapshot};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// Pictures of one kind's items by id. Built at the first lookup, reused until an item of the kind
/// changes.
#[derive(Debug)]
pub(super) struct ImageIndex {
    list: List,
    by_id: OnceLock<HashMap<String, Arc<Entry>>>,
}

impl ImageIndex {
    /// Returns the index of every kind; reuses those of `former` whose list is unchanged.
    pub(super) fn of(snapshot: &Snapshot, former: Option<&[Arc<Self>]>) -> Vec<Arc<Self>> {
        let lists = KINDS.iter().filter_map(|kind| snapshot.list(kind));
        let known = |list: &List| {
            let mut former = former.unwrap_or_default().iter();
            former.find(|known| Arc::ptr_eq(&known.list, list)).cloned()
        };
        let new = |list: &List| {
            Arc::new(Self {
                list: Arc::clone(list),
                by_id: OnceLock::new(),
            })
        };
        lists
            .map(|list| known(list).unwrap_or_else(|| new(list)))
            .collect()
    }

    pub(super) fn find(&self, id: &str) -> Option<&Picture> {
        let by_id = self.by_id.get_or_init(|| {
            let shown = |entry: &Arc<Entry>| {
                let entry = Arc::clone(entry);
                let ids: Vec<String> = entry.pictures.keys().cloned().collect();
                ids.into_iter().map(move |id| (id, Arc::clone(&entry)))
            };
            self.list.iter().flat_map(shown).collect()
        });
        by_id.get(id)?.pictures.get(id)
    }
}
