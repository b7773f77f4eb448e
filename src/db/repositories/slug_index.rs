//! Item count and slugs of a collection, which a new item is checked against.

use crate::error::Result;
use crate::repositories::items::slug_of;
use crate::tables::{self, ITEMS};
use crate::{Reader, Writer};
use respiro_content::{Collection, Item};
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
    fn read(reader: &Reader<'_>, collection: &Collection) -> Result<Self> {
        let mut index = Self::default();
        reader
            .tables
            .scan(ITEMS, &[collection.number], &mut |key, bytes| {
                let has_slug = collection.slug_field().is_some();
                match has_slug.then(|| tables::decode_or_log(ITEMS, key, bytes)) {
                    Some(Some(item)) => index.add(collection, &item),
                    _ => index.item_count += 1,
                }
                Ok(())
            })?;
        Ok(index)
    }

    pub(crate) fn contains(&self, slug: &str) -> bool {
        self.slugs.contains(slug)
    }

    fn add(&mut self, collection: &Collection, item: &Item) {
        self.item_count += 1;
        self.slugs
            .extend(slug_of(collection, item).map(ToOwned::to_owned));
    }

    fn remove(&mut self, collection: &Collection, item: &Item) {
        self.item_count = self.item_count.saturating_sub(1);
        if let Some(slug) = slug_of(collection, item) {
            self.slugs.remove(slug);
        }
    }
}

impl Writer<'_> {
    /// The collection's index, with the changes of this transaction.
    pub(crate) fn slug_index(&mut self, collection: &Collection) -> Result<&SlugIndex> {
        match self.slug_indexes.entry(collection.number) {
            Entry::Occupied(read) => Ok(read.into_mut()),
            Entry::Vacant(unread) => Ok(unread.insert(SlugIndex::read(&self.reader, collection)?)),
        }
    }

    /// Replaces `former` by `item` in the index, if this transaction has read it.
    pub(crate) fn update_slug_index(
        &mut self,
        collection: &Collection,
        former: Option<&Item>,
        item: Option<&Item>,
    ) {
        let Some(index) = self.slug_indexes.get_mut(&collection.number) else {
            return;
        };
        if let Some(former) = former {
            index.remove(collection, former);
        }
        if let Some(item) = item {
            index.add(collection, item);
        }
    }
}
