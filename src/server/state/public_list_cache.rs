//! Caches the public lists as serialized and compressed JSON, one of each collection for each
//! publish.
//!
//! Without the cache, a client that requested a list of 3,000 events repeatedly kept a worker
//! thread busy. All clients of a list, also of parts of it, share its bytes: 100 slow clients of
//! the same list, each from another offset, held 400 MB.

use super::App;
use crate::errors::{Error, Result};
use bytes::Bytes;
use respiro_content::{Collection, Snapshot};
use std::collections::HashMap;
use std::iter;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tokio::sync::OnceCell;

const MANY_LISTS: &str = "many lists are asked for";

/// The JSON list of all items of a collection.
#[derive(Debug)]
pub struct PublicList {
    pub json: Bytes,
    /// The offset in `json` where each item ends.
    pub ends: Vec<u32>,
    pub brotli: Bytes,
    /// SHA-256 of `json`.
    pub hash: [u8; 32],
}

impl PublicList {
    /// Returns the byte ranges in `json` that form a list of the items at `positions`, which
    /// ascend.
    pub fn byte_ranges(&self, positions: impl Iterator<Item = usize>) -> Vec<Range<u32>> {
        let whole = u32::try_from(self.json.len()).unwrap_or(u32::MAX);
        let end_of = |position: usize| self.ends.get(position).copied().unwrap_or(whole);
        let mut ranges: Vec<Range<u32>> = iter::once(0..1).collect();
        for position in positions {
            let former_end = position.checked_sub(1).map_or(0, end_of);
            // Every item but the first begins with the comma before it.
            let start = former_end + u32::from(ranges.last() == Some(&(0..1)));
            match ranges.last_mut() {
                Some(last) if last.end == start => last.end = end_of(position),
                _ => ranges.push(start..end_of(position)),
            }
        }
        ranges.push(whole - 1..whole);
        ranges
    }
}

/// The lists of one snapshot by the number of their collection.
#[derive(Debug, Default)]
struct Lists {
    /// Does not keep the snapshot alive.
    snapshot: Weak<Snapshot>,
    by_kind: HashMap<u8, Arc<OnceCell<Arc<PublicList>>>>,
}

#[derive(Debug, Default)]
pub struct PublicListCache(Mutex<Lists>);

impl PublicListCache {
    /// Drops the lists of an older snapshot.
    fn cell(
        &self,
        collection: &Collection,
        snapshot: &Arc<Snapshot>,
    ) -> Arc<OnceCell<Arc<PublicList>>> {
        let mut lists = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let snapshot = Arc::downgrade(snapshot);
        if !Weak::ptr_eq(&lists.snapshot, &snapshot) {
            *lists = Lists {
                snapshot,
                by_kind: HashMap::new(),
            };
        }
        Arc::clone(lists.by_kind.entry(collection.number).or_default())
    }
}

impl App {
    /// Returns the whole list of a collection. Calls `serialize` once for each snapshot.
    pub async fn public_list(
        &self,
        collection: &Collection,
        snapshot: &Arc<Snapshot>,
        serialize: impl FnOnce() -> Result<PublicList> + Send + 'static,
    ) -> Result<Arc<PublicList>> {
        let cell = self.caches.public_lists.cell(collection, snapshot);
        let list = cell.get_or_try_init(|| async {
            let permit = self.queues.lists.acquire().await;
            let permit = permit.ok_or(Error::Unavailable(MANY_LISTS))?;
            permit.blocking(serialize).await.map(Arc::new)
        });
        list.await.cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use respiro_content::collection_by_slug;

    fn list(items: &[&str]) -> PublicList {
        let mut json = String::from("[");
        let mut ends = Vec::new();
        for item in items {
            if !ends.is_empty() {
                json.push(',');
            }
            json.push_str(item);
            ends.push(u32::try_from(json.len()).unwrap());
        }
        json.push(']');
        PublicList {
            json: json.into(),
            ends,
            brotli: Bytes::new(),
            hash: [0; 32],
        }
    }

    #[test]
    fn any_part_of_a_list_is_a_list_out_of_the_same_bytes() {
        let items = ["{}", "{\"a\":1}", "3", "[4,5]", "\",\""];
        let whole = list(&items);
        for chosen in 0..1_u32 << items.len() {
            let positions = (0..items.len()).filter(|position| chosen >> position & 1 == 1);
            let part: Vec<u8> = whole
                .byte_ranges(positions.clone())
                .into_iter()
                .flat_map(|range| &whole.json[range.start as usize..range.end as usize])
                .copied()
                .collect();
            let expected: Vec<&str> = positions.map(|position| items[position]).collect();
            let expected = format!("[{}]", expected.join(","));
            assert_eq!(String::from_utf8(part).unwrap(), expected);
        }
        // Consecutive items are one range, with the brackets around it.
        assert_eq!(whole.byte_ranges(1..4).len(), 3);
        assert_eq!(list(&[]).byte_ranges(0..0), [0..1, 1..2]);
    }

    #[tokio::test]
    async fn a_list_is_serialized_once_for_each_snapshot() {
        let cache = PublicListCache::default();
        let [first, second] = [(); 2].map(|()| Arc::new(Snapshot::default()));
        let [events, blog] = ["events", "blog"].map(|slug| collection_by_slug(slug).unwrap());
        let cell = cache.cell(events, &first);
        let events_list = Arc::new(list(&["1"]));
        cell.set(Arc::clone(&events_list)).unwrap();
        assert!(cache.cell(blog, &first).get().is_none());
        let again = cache.cell(events, &first);
        assert!(Arc::ptr_eq(again.get().unwrap(), &events_list));
        assert!(cache.cell(events, &second).get().is_none());
    }
}
