//! Caches the public lists as serialized and compressed JSON, one of each kind for each publish.
//!
//! Without the cache, a client that requested a list of 3,000 events repeatedly kept a worker
//! thread busy. All readers of a list, also of parts of it, share its bytes: 100 slow readers of
//! the same list, each from another offset, held 400 MB.

use super::App;
use crate::content::{Kind, Snapshot};
use crate::error::{Error, Result};
use bytes::Bytes;
use std::collections::HashMap;
use std::iter;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Total size of the lists that are kept while no client reads them. The list that was serialized
/// last is kept whatever its size.
const KEPT_BYTES_MAX: usize = 8 * 1024 * 1024;
const MANY_LISTS: &str = "many lists are asked for";

/// The JSON list of all items of a kind.
#[derive(Debug)]
pub struct Written {
    pub json: Vec<u8>,
    /// The offset in `json` where each item ends.
    pub ends: Vec<u32>,
    pub brotli: Vec<u8>,
    /// SHA-256 of `json`.
    pub hash: [u8; 32],
}

/// Byte ranges of `json` that form a list, brackets and commas included, in order.
pub type Runs = Vec<Range<u32>>;

/// Keeps the list alive while a response reads it.
struct Json(Arc<Written>);

struct Brotli(Arc<Written>);

impl AsRef<[u8]> for Json {
    fn as_ref(&self) -> &[u8] {
        &self.0.json
    }
}

impl AsRef<[u8]> for Brotli {
    fn as_ref(&self) -> &[u8] {
        &self.0.brotli
    }
}

impl Written {
    pub fn json(self: &Arc<Self>) -> Bytes {
        Bytes::from_owner(Json(Arc::clone(self)))
    }

    pub fn brotli(self: &Arc<Self>) -> Bytes {
        Bytes::from_owner(Brotli(Arc::clone(self)))
    }

    /// Returns the byte ranges in `json` that form a list of the items at `places`, which ascend.
    pub fn runs(&self, places: impl Iterator<Item = usize>) -> Runs {
        let whole = u32::try_from(self.json.len()).unwrap_or(u32::MAX);
        let mut runs: Runs = iter::once(0..1).collect();
        for place in places {
            let end_of = |place: usize| self.ends.get(place).copied().unwrap_or(whole);
            let start = place.checked_sub(1).map_or(1, |former| end_of(former) + 1);
            match runs.last_mut() {
                // Follows the former item and its comma, or the opening bracket.
                Some(last) if last.end == start || last.end + 1 == start => {
                    last.end = end_of(place);
                }
                // Every item but the last is followed by a comma: it belongs to the former run.
                last => {
                    if let Some(last) = last.filter(|last| last.end > 1) {
                        last.end += 1;
                    }
                    runs.push(start..end_of(place));
                }
            }
        }
        runs.push(whole - 1..whole);
        runs
    }

    /// Returns a copy of the bytes of `runs`.
    pub fn part(&self, runs: &[Range<u32>]) -> Vec<u8> {
        let run = |run: &Range<u32>| self.json.get(run.start as usize..run.end as usize);
        let runs: Vec<&[u8]> = runs.iter().filter_map(run).collect();
        runs.concat()
    }

    fn bytes(&self) -> usize {
        self.json.len() + self.brotli.len()
    }
}

#[derive(Debug)]
struct Kept {
    /// The snapshot that the list was serialized from. Does not keep it alive.
    of: Weak<Snapshot>,
    /// Alive while a response reads the list.
    shared: Weak<Written>,
    /// Keeps the list alive while no response reads it.
    held: Option<Arc<Written>>,
}

/// One whole list of each kind.
#[derive(Debug, Default)]
pub struct WrittenLists(Mutex<HashMap<u8, Kept>>);

impl WrittenLists {
    fn get(&self, kind: &Kind, of: &Arc<Snapshot>) -> Option<Arc<Written>> {
        let lists = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = lists.get(&kind.number)?;
        let is_same = Weak::ptr_eq(&kept.of, &Arc::downgrade(of));
        kept.shared.upgrade().filter(|_| is_same)
    }

    fn put(&self, kind: &Kind, of: &Arc<Snapshot>, written: &Arc<Written>) {
        let mut lists = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lists.retain(|number, kept| *number != kind.number && kept.of.strong_count() > 0);
        let held = lists.values().filter_map(|kept| kept.held.as_ref());
        let others: usize = held.map(|other| other.bytes()).sum();
        if others + written.bytes() > KEPT_BYTES_MAX {
            lists.values_mut().for_each(|kept| kept.held = None);
        }
        let kept = Kept {
            of: Arc::downgrade(of),
            shared: Arc::downgrade(written),
            held: Some(Arc::clone(written)),
        };
        lists.insert(kind.number, kept);
    }
}

impl App {
    /// Returns the whole list of a kind. Calls `write` if it was not serialized since the publish.
    pub async fn written_list(
        &self,
        kind: &'static Kind,
        snapshot: &Arc<Snapshot>,
        write: impl FnOnce() -> Result<Written> + Send + 'static,
    ) -> Result<Arc<Written>> {
        if let Some(written) = self.written_lists.get(kind, snapshot) {
            return Ok(written);
        }
        let turn = self.queues.lists.turn().await;
        let turn = turn.ok_or(Error::Unavailable(MANY_LISTS))?;
        // The former holder of the permit may have serialized it.
        if let Some(written) = self.written_lists.get(kind, snapshot) {
            return Ok(written);
        }
        let written = Arc::new(turn.blocking(write).await?);
        self.written_lists.put(kind, snapshot, &written);
        Ok(written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::kind_by_slug;

    fn written(items: &[&str]) -> Written {
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
        Written {
            json: json.into(),
            ends,
            brotli: Vec::new(),
            hash: [0; 32],
        }
    }

    #[test]
    fn any_part_of_a_list_is_a_list_out_of_the_same_bytes() {
        let items = ["{}", "{\"a\":1}", "3", "[4,5]", "\",\""];
        let whole = written(&items);
        for chosen in 0..1_u32 << items.len() {
            let places = (0..items.len()).filter(|place| chosen >> place & 1 == 1);
            let part = whole.part(&whole.runs(places.clone()));
            let expected: Vec<&str> = places.map(|place| items[place]).collect();
            let expected = format!("[{}]", expected.join(","));
            assert_eq!(String::from_utf8(part).unwrap(), expected);
        }
        // Consecutive items are one run, with the brackets around it.
        assert_eq!(whole.runs(1..4).len(), 3);
        assert_eq!(written(&[]).runs(0..0), [0..1, 1..2]);
    }

    /// Regression: a list that exceeded the limit was serialized and held for each reader.
    #[test]
    fn a_list_is_shared_as_long_as_somebody_reads_it_whatever_it_takes() {
        let (lists, snapshot) = (WrittenLists::default(), Arc::new(Snapshot::default()));
        let kinds = ["events", "blog"].map(|slug| kind_by_slug(slug).unwrap());
        let long = "7".repeat(KEPT_BYTES_MAX);
        let [events, blog] = [(); 2].map(|()| Arc::new(written(&[long.as_str()])));
        lists.put(kinds[0], &snapshot, &events);
        let read = events.json();
        let bytes = read.as_ptr();
        drop(events);
        lists.put(kinds[1], &snapshot, &blog);
        drop(blog);
        // The second list replaced the first, and is kept while no response reads it.
        assert!(lists.get(kinds[1], &snapshot).is_some());
        let again = lists.get(kinds[0], &snapshot).unwrap();
        assert_eq!(again.json().as_ptr(), bytes);
        drop((again, read));
        assert!(lists.get(kinds[0], &snapshot).is_none());
        let next = Arc::new(Snapshot::default());
        assert!(lists.get(kinds[1], &next).is_none());
    }
}
