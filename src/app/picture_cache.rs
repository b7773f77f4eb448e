//! The bytes of the pictures that are asked for most, in memory.

use super::App;
use crate::error::{Error, Result};
use bytes::Bytes;
use lru::LruCache;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes of pictures kept in memory.
const CACHE_BYTES_MAX: usize = 12 * 1024 * 1024;
/// A picture larger than this is read from the store each time.
const CACHED_BYTES_MAX: usize = 1024 * 1024;

/// Blobs by their hash: what is cached can never be stale.
#[derive(Debug, Default)]
pub struct PictureCache(Mutex<Kept>);

#[derive(Debug)]
struct Kept {
    bytes: usize,
    entries: LruCache<[u8; 32], Bytes>,
}

impl Default for Kept {
    fn default() -> Self {
        Self {
            bytes: 0,
            // Bounded by bytes, in `put`.
            entries: LruCache::unbounded(),
        }
    }
}

impl App {
    /// The bytes of a blob. Waits for the data file when they are not at hand.
    pub async fn blob(&self, hash: [u8; 32]) -> Result<Bytes> {
        if let Some(bytes) = self.picture_cache.get(&hash) {
            return Ok(bytes);
        }
        let read = self.read(move |reader| reader.blob(&hash)).await?;
        let bytes = Bytes::from(read.ok_or(Error::NotFound)?);
        self.picture_cache.put(hash, &bytes);
        Ok(bytes)
    }
}

impl PictureCache {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn get(&self, hash: &[u8; 32]) -> Option<Bytes> {
        self.kept().entries.get(hash).cloned()
    }

    pub fn put(&self, hash: [u8; 32], bytes: &Bytes) {
        if bytes.len() > CACHED_BYTES_MAX {
            return;
        }
        let mut kept = self.kept();
        if kept.entries.put(hash, bytes.clone()).is_some() {
            return;
        }
        kept.bytes += bytes.len();
        while kept.bytes > CACHE_BYTES_MAX {
            let Some((_, oldest)) = kept.entries.pop_lru() else {
                return;
            };
            kept.bytes -= oldest.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_forgets_what_was_asked_for_longest_ago() {
        let cache = PictureCache::default();
        let megabyte = Bytes::from(vec![0; CACHED_BYTES_MAX]);
        for number in 0..12 {
            cache.put([number; 32], &megabyte);
        }
        assert!(cache.get(&[0; 32]).is_some());
        cache.put([12; 32], &megabyte);
        assert!(cache.get(&[0; 32]).is_some());
        assert!(cache.get(&[1; 32]).is_none());
        cache.put([99; 32], &Bytes::from(vec![0; CACHED_BYTES_MAX + 1]));
        assert!(cache.get(&[99; 32]).is_none());
    }
}
