//! In-memory LRU cache of the most requested pictures. Larger pictures are read from the store in
//! parts.

use super::App;
use super::work_queues::Permit;
use crate::errors::{Error, Result};
use bytes::Bytes;
use lru::LruCache;
use respiro_content::StoredFile;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Total size of the cached pictures.
const CACHE_BYTES_MAX: usize = 12 * 1024 * 1024;
/// Larger pictures are never held in memory as a whole: their parts are read from the store as the
/// client receives them.
const CACHED_BYTES_MAX: usize = 1024 * 1024;
/// Number of larger pictures whose verified hash is remembered.
const CHECKED_MAX: NonZero<usize> = NonZero::new(4_096).unwrap();

/// Cached bytes that responses may hold together, so that slow clients do not keep alive what the
/// cache has evicted.
const SHARED_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Blobs by their hash, so that an entry is never stale.
#[derive(Debug, Default)]
pub struct ImageCache {
    blobs: Mutex<CachedBlobs>,
    shared_bytes: Arc<AtomicUsize>,
}

/// Cached bytes that a response holds.
struct SharedBytes {
    bytes: Bytes,
    count: Arc<AtomicUsize>,
}

impl AsRef<[u8]> for SharedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for SharedBytes {
    fn drop(&mut self) {
        self.count.fetch_sub(self.bytes.len(), Ordering::AcqRel);
    }
}

#[derive(Debug)]
struct CachedBlobs {
    bytes: usize,
    entries: LruCache<[u8; 32], Bytes>,
    /// Larger blobs that matched their hash since the start of the program.
    checked: LruCache<[u8; 32], ()>,
}

impl Default for CachedBlobs {
    fn default() -> Self {
        Self {
            bytes: 0,
            // `put` limits the total size in bytes.
            entries: LruCache::unbounded(),
            checked: LruCache::new(CHECKED_MAX),
        }
    }
}

impl App {
    /// Returns the bytes of a blob. Waits for the data file if they are not cached.
    pub async fn blob(&self, hash: [u8; 32]) -> Result<Bytes> {
        if let Some(bytes) = self.caches.images.get(&hash) {
            return Ok(bytes);
        }
        let permit = self.read_permit().await?;
        // The former holder of the permit may have read it.
        if let Some(bytes) = self.caches.images.get(&hash) {
            return Ok(bytes);
        }
        let read = self.read(move |reader| Ok((reader.blobs().get(&hash)?, permit)));
        let (bytes, _permit) = read.await?;
        let bytes = Bytes::from(bytes.ok_or(Error::NotFound)?);
        self.caches.images.put(hash, &bytes);
        Ok(bytes)
    }

    /// Returns the first bytes of a response that begins at offset `at` of a file; at least one
    /// byte.
    ///
    /// Verifies the hash before the first byte is sent: of a small file each time it is read into
    /// the cache, of a larger file once since the start of the program.
    pub async fn first_image_bytes(&self, file: &StoredFile, at: u64) -> Result<Bytes> {
        let hash = file.hash;
        if file.bytes <= CACHED_BYTES_MAX as u64 {
            return from(&self.blob(hash).await?, at);
        }
        if !self.caches.images.is_checked(&hash) {
            let permit = self.read_permit().await?;
            if !self.caches.images.is_checked(&hash) {
                let read = self.read(move |reader| Ok((reader.blobs().verify(&hash)?, permit)));
                let (checked, _permit) = read.await?;
                checked.ok_or(Error::NotFound)?;
                self.caches.images.lock().checked.put(hash, ());
            }
        }
        self.image_bytes(hash, at, usize::MAX).await
    }

    /// Returns further bytes of a file: all that are cached, or at most one chunk and at most
    /// `bytes_max`; at least one byte.
    ///
    /// Fails with `NotFound` if the file was deleted meanwhile, also by a restore. Never returns
    /// bytes of another file, because the key is the hash.
    pub async fn image_bytes(&self, hash: [u8; 32], at: u64, bytes_max: usize) -> Result<Bytes> {
        if let Some(bytes) = self.caches.images.get(&hash) {
            return from(&bytes, at);
        }
        let permit = self.read_permit().await?;
        let read =
            self.read(move |reader| Ok((reader.blobs().read_part(&hash, at, bytes_max)?, permit)));
        let (part, _permit) = read.await?;
        part.map(Bytes::from).ok_or(Error::NotFound)
    }

    /// Limits concurrent reads, because the client's speed is not known before its first read.
    async fn read_permit(&self) -> Result<Permit> {
        let permit = self.queues.image_reads.acquire().await;
        permit.ok_or(Error::Unavailable("too many pictures are being read"))
    }
}

fn from(whole: &Bytes, at: u64) -> Result<Bytes> {
    let at = usize::try_from(at).ok().filter(|at| *at < whole.len());
    Ok(whole.slice(at.ok_or(Error::NotFound)?..))
}

impl ImageCache {
    fn lock(&self) -> MutexGuard<'_, CachedBlobs> {
        self.blobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn get(&self, hash: &[u8; 32]) -> Option<Bytes> {
        self.lock().entries.get(hash).cloned()
    }

    /// Lends a whole blob to a response, without a copy; `None` while responses hold too much.
    pub fn share(&self, bytes: &Bytes) -> Option<Bytes> {
        let length = bytes.len();
        let before = self.shared_bytes.fetch_add(length, Ordering::AcqRel);
        let shared = SharedBytes {
            bytes: Bytes::clone(bytes),
            count: Arc::clone(&self.shared_bytes),
        };
        (before + length <= SHARED_BYTES_MAX).then(|| Bytes::from_owner(shared))
    }

    fn is_checked(&self, hash: &[u8; 32]) -> bool {
        self.lock().checked.get(hash).is_some()
    }

    pub fn put(&self, hash: [u8; 32], bytes: &Bytes) {
        if bytes.len() > CACHED_BYTES_MAX {
            return;
        }
        let mut lock = self.lock();
        if lock.entries.put(hash, bytes.clone()).is_some() {
            return;
        }
        lock.bytes += bytes.len();
        while lock.bytes > CACHE_BYTES_MAX {
            let Some((_, oldest)) = lock.entries.pop_lru() else {
                return;
            };
            lock.bytes -= oldest.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_forgets_what_was_asked_for_longest_ago() {
        let cache = ImageCache::default();
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

    #[test]
    fn responses_hold_a_bounded_part_of_what_was_cached() {
        let cache = ImageCache::default();
        let megabyte = Bytes::from(vec![7; CACHED_BYTES_MAX]);
        let mut held: Vec<_> = (0..16).map(|_| cache.share(&megabyte).unwrap()).collect();
        assert!(held.iter().all(|bytes| *bytes == megabyte));
        assert!(cache.share(&megabyte).is_none());
        // A slice holds the whole.
        let slice = held.remove(0).slice(..1);
        assert!(cache.share(&megabyte).is_none());
        drop(slice);
        assert!(cache.share(&megabyte).is_some());
        drop(held);
        assert_eq!(cache.shared_bytes.load(Ordering::Acquire), 0);
    }
}
