//! The unsent rest of a response body. A picture is read from the store while it is sent: with
//! whole pictures in memory, one client with sixty slow connections held 400 MB.

use crate::app::App;
use crate::content::StoredFile;
use crate::error::Result;
use actix_web::web::Bytes;
use bytes::Buf as _;
use std::ops::Range;

/// Memory that a slow reader holds.
pub const SLICE_BYTES: usize = 16 * 1024;

#[derive(Debug)]
pub struct Rest {
    /// The next bytes, as far as they are in memory.
    at_hand: Bytes,
    /// Position of the rest in the whole body.
    range: Range<u64>,
    /// Hash of the picture. `None`: all bytes are in memory, shared by all readers.
    hash: Option<[u8; 32]>,
    /// Whether `at_hand` is a copy of one slice already.
    is_slice: bool,
}

impl Rest {
    pub fn of(bytes: Bytes) -> Self {
        Self {
            range: 0..bytes.len() as u64,
            at_hand: bytes,
            hash: None,
            is_slice: false,
        }
    }

    /// A picture, or a part of it. Reads the data file if the first bytes are not cached.
    pub async fn of_picture(
        app: &App,
        file: &StoredFile,
        part: Option<Range<u64>>,
    ) -> Result<Self> {
        let mut rest = Self {
            at_hand: Bytes::new(),
            range: part.unwrap_or(0..file.bytes),
            hash: Some(file.hash),
            is_slice: false,
        };
        if !rest.is_empty() {
            rest.put(app.first_piece(file, rest.range.start).await?);
        }
        Ok(rest)
    }

    pub fn bytes(&self) -> u64 {
        self.range.end.saturating_sub(self.range.start)
    }

    pub fn is_empty(&self) -> bool {
        self.range.is_empty()
    }

    pub fn at_hand(&self) -> &[u8] {
        &self.at_hand
    }

    /// Returns the hash of the picture and the offset to read next, once `at_hand` is empty.
    pub fn lacks(&self) -> Option<([u8; 32], u64)> {
        let is_short = self.at_hand.is_empty() && !self.is_empty();
        self.hash
            .filter(|_| is_short)
            .map(|hash| (hash, self.range.start))
    }

    /// Supplies the bytes that `lacks` asked for.
    pub fn put(&mut self, mut bytes: Bytes) {
        bytes.truncate(usize::try_from(self.bytes()).unwrap_or(usize::MAX));
        self.at_hand = bytes;
        self.is_slice = false;
    }

    /// Marks `length` bytes of `at_hand` as sent.
    pub fn take(&mut self, length: usize) {
        self.at_hand.advance(length);
        self.range.start += length as u64;
        if self.at_hand.is_empty() {
            // An empty `Bytes` still keeps its whole buffer alive.
            self.at_hand = Bytes::new();
        }
    }

    /// Takes one slice. The other bytes of a picture are dropped, as the next call may come much
    /// later.
    pub fn slice(&mut self) -> Bytes {
        let slice = self.at_hand.split_to(self.at_hand.len().min(SLICE_BYTES));
        self.range.start += slice.len() as u64;
        if self.hash.is_some() {
            self.at_hand = Bytes::new();
        }
        slice
    }

    /// Reduces a picture's bytes to a copy of one slice while the reader is slow. Otherwise each
    /// slow reader would keep the shared buffer alive after its eviction from the cache.
    pub fn wait(&mut self) {
        if self.hash.is_none() || self.is_slice {
            return;
        }
        let length = self.at_hand.len().min(SLICE_BYTES);
        self.at_hand = Bytes::copy_from_slice(&self.at_hand[..length]);
        self.is_slice = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(bytes: &Bytes) -> Rest {
        Rest {
            hash: Some([7; 32]),
            ..Rest::of(Bytes::clone(bytes))
        }
    }

    #[test]
    fn who_lets_wait_holds_a_slice_and_misses_nothing() {
        let whole: Vec<u8> = (0..100_000_u32).flat_map(u32::to_be_bytes).collect();
        let whole = Bytes::from(whole);
        let (mut rest, mut taken) = (picture(&whole), Vec::new());
        while !rest.is_empty() {
            if let Some((hash, at)) = rest.lacks() {
                assert_eq!((hash, at), ([7; 32], taken.len() as u64));
                rest.put(whole.slice(taken.len()..));
            }
            rest.wait();
            assert!(rest.at_hand().len() <= SLICE_BYTES);
            let length = rest.at_hand().len().min(5_000);
            taken.extend_from_slice(&rest.at_hand()[..length]);
            rest.take(length);
        }
        assert!(taken == whole);
        assert_eq!(rest.lacks(), None);
        // A connection that has sent everything may stay open: it must not hold the buffer.
        rest = picture(&whole);
        rest.take(whole.len());
        assert!(whole.is_unique(), "{rest:?}");
    }

    #[test]
    fn what_all_readers_share_stays_whole_and_lacks_nothing() {
        let mut rest = Rest::of(Bytes::from(vec![1; 100_000]));
        rest.wait();
        assert_eq!((rest.at_hand().len(), rest.bytes()), (100_000, 100_000));
        while !rest.is_empty() {
            assert_eq!(rest.lacks(), None);
            assert!(rest.slice().len() <= SLICE_BYTES);
        }
    }

    #[test]
    fn no_more_than_the_part_is_put_at_hand() {
        let mut rest = picture(&Bytes::new());
        rest.range = 10..15;
        assert_eq!(rest.lacks(), Some(([7; 32], 10)));
        rest.put(Bytes::from_static(b"0123456789"));
        assert_eq!(rest.at_hand(), b"01234");
    }
}
