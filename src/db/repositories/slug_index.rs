//! Item count and slugs of a collection, which a new item is checked against.

use crate::error::Result;
use crate::repositories::items::slug_of;
use crate::tables::{self, ITEMS};
use crate::{Reader, Writer};
use respiro_content::{Item, Kind};
use std::collections::HashSet;
use std::collections::btree_map::Entry;

/// One collection as the current transaction sees it. Read once per transaction, because an import
/// adds thousands of items in one.
#[derive(Debug, Default)]
pub(crate) struct SlugIndex {
    pub(crate) item_count: usize,
    slugs: HashSet<String>,
}

impl SlugIndex {
    fn read(reader: &Reader<'_>, kind: &Kind) -> Result<Self> {
        let mut index = Self::default();
        reader
            .tables
            .scan(ITEMS, &[kind.number], &mut |key, bytes| {
                if kind.slug_field().is_some() {
                    index.add(kind, &tables::decode(ITEMS, key, bytes)?);
                } else {
                    index.item_count += 1;
                }
                Ok(())
            })?;
        Ok(index)
    }

    pub(crate) fn contains(&self, slug: &str) -> bool {
        self.slugs.contains(slug)
    }

    fn add(&mut self, kind: &Kind, item: &Item) {
        self.item_count += 1;
        self.slugs
            .extend(slug_of(kind, item).map(ToOwned::to_owned));
    }

    fn remove(&mut self, kind: &Kind, item: &Item) {
        self.item_count = self.item_count.saturating_sub(1);
        if let Some(slug) = slug_of(kind, item) {
            self.slugs.remove(slug);
        }
    }
}

impl Writer<'_> {
    /// The collection's index, with the changes of this transaction.
    pub(crate) fn slug_index(&mut self, kind: &Kind) -> Result<&SlugIndex> {
        match self.slug_indexes.entry(kind.number) {
            Entry::Occupied(read) => Ok(read.into_mut()),
            Entry::Vacant(unread) => Ok(unread.insert(SlugIndex::read(&self.reader, kind)?)),
        }
    }

    /// Replaces `former` by `item` in the index, if this transaction has read it.
    pub(crate) fn update_slug_index(
        &mut self,
        kind: &Kind,
        former: Option<&Item>,
        item: Option<&Item>,
    ) {
        let Some(index) = self.slug_indexes.get_mut(&kind.number) else {
            return;
        };
        if let Some(former) = former {
            index.remove(kind, former);
        }
        if let Some(item) = item {
            index.add(kind, item);
        }
    }
}
