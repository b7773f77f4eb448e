//! Response bodies that are sent in slices: a slow client holds one slice in memory, not the body.
//! With whole pictures in memory, one client with sixty slow connections held 400 MB.

use crate::errors::Result;
use crate::state::App;
use actix_web::body::{BoxBody, SizedStream};
use actix_web::web::Bytes;
use bytes::Buf as _;
use futures_util::{Stream, stream};
use respiro_content::StoredFile;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::vec;

/// Memory that a slow client holds.
const SLICE_BYTES: usize = 16 * 1024;

/// The unsent bytes of a response body.
#[derive(Debug)]
pub struct BodyCursor {
    /// The next bytes. Empty if they have to be read first, or if all bytes are sent.
    buffered: Bytes,
    /// Whether `buffered` is a copy of one slice already.
    is_slice: bool,
    /// Number of unsent bytes, including those in `buffered`.
    length: u64,
    source: Source,
}

/// The source of the bytes after `buffered`.
#[derive(Debug)]
enum Source {
    /// Ranges of a buffer that all clients share.
    AppState(Bytes, vec::IntoIter<Range<u32>>),
    /// The file with this hash, read while it is sent. The body ends at the offset `end`.
    File { hash: [u8; 32], end: u64 },
}

impl BodyCursor {
    /// Sends these ranges of the bytes, one after the other.
    pub fn of_ranges(bytes: Bytes, ranges: Vec<Range<u32>>) -> Self {
        Self {
            length: ranges.iter().map(|range| range.len() as u64).sum(),
            source: Source::AppState(bytes, ranges.into_iter()),
            ..Self::from(Bytes::new())
        }
    }

    /// Sends a stored file, or a part of it. Reads the data file if the first bytes are not cached.
    pub async fn of_file(app: &App, file: &StoredFile, part: Option<Range<u64>>) -> Result<Self> {
        let part = part.unwrap_or(0..file.bytes);
        let mut cursor = Self {
            length: part.end.saturating_sub(part.start),
            source: Source::File {
                hash: file.hash,
                end: part.end,
            },
            ..Self::from(Bytes::new())
        };
        if !cursor.is_empty() {
            cursor.fill(app.first_image_bytes(file, part.start).await?);
        }
        Ok(cursor)
    }

    pub fn bytes(&self) -> u64 {
        self.length
    }

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Returns the hash of the file and the offset to read next, if nothing is buffered.
    fn needs(&self) -> Option<([u8; 32], u64)> {
        match self.source {
            Source::File { hash, end } if self.buffered.is_empty() && !self.is_empty() => {
                Some((hash, end - self.length))
            }
            _ => None,
        }
    }

    /// Supplies the bytes that `needs` asked for.
    fn fill(&mut self, mut bytes: Bytes) {
        bytes.truncate(usize::try_from(self.length).unwrap_or(usize::MAX));
        self.buffered = bytes;
        self.is_slice = false;
    }

    /// Marks `length` buffered bytes as sent.
    fn advance(&mut self, length: usize) {
        self.buffered.advance(length);
        self.length -= length as u64;
        if self.buffered.is_empty() {
            // An empty `Bytes` still keeps its whole buffer alive.
            self.buffered = Bytes::new();
        }
    }

    /// Takes one slice. The other bytes of a file are dropped, as the next call may come much
    /// later.
    fn take_slice(&mut self) -> Bytes {
        if let Source::AppState(bytes, ranges) = &mut self.source
            && self.buffered.is_empty()
            && let Some(range) = ranges.next()
        {
            self.buffered = bytes.slice(range.start as usize..range.end as usize);
        }
        let slice = self.buffered.slice(..self.buffered.len().min(SLICE_BYTES));
        self.advance(slice.len());
        if let Source::File { .. } = self.source {
            self.buffered = Bytes::new();
        }
        slice
    }

    /// Reduces the buffered bytes of a file to a copy of one slice while the client is slow.
    /// Otherwise each slow client would keep the cached bytes alive after their eviction.
    fn copy_slice(&mut self) {
        if let (false, Source::File { .. }) = (self.is_slice, &self.source) {
            let length = self.buffered.len().min(SLICE_BYTES);
            self.buffered = Bytes::copy_from_slice(&self.buffered[..length]);
            self.is_slice = true;
        }
    }

    /// Like `into_body`; as one piece where all bytes are in memory and may stay there. `is_whole`
    /// says that it is no part of a file: the rest would stay in memory with it.
    pub fn into_box(self, app: &Arc<App>, is_whole: bool) -> BoxBody {
        let is_buffered = self.buffered.len() as u64 == self.length;
        let piece = match self.source {
            // All clients share these bytes.
            Source::AppState(..) if is_buffered => Some(Bytes::clone(&self.buffered)),
            Source::File { .. } if is_buffered && is_whole => {
                app.caches.images.share(&self.buffered)
            }
            _ => None,
        };
        match piece {
            Some(piece) => BoxBody::new(piece),
            None => BoxBody::new(self.into_body(Some(Arc::clone(app)))),
        }
    }

    /// Returns the body of an actix response. `app` reads the following bytes of a file.
    pub fn into_body(
        mut self,
        app: Option<Arc<App>>,
    ) -> SizedStream<impl Stream<Item = io::Result<Bytes>>> {
        self.copy_slice();
        let length = self.length;
        let slices = stream::try_unfold(self, move |mut cursor| {
            let app = app.clone();
            async move {
                if let (Some((hash, at)), Some(app)) = (cursor.needs(), app) {
                    let read = app.image_bytes(hash, at, SLICE_BYTES).await;
                    cursor.fill(read.map_err(io::Error::other)?);
                }
                let slice = (!cursor.is_empty()).then(|| cursor.take_slice());
                Ok(slice.map(|slice| (slice, cursor)))
            }
        });
        SizedStream::new(length, slices)
    }
}

impl From<Bytes> for BodyCursor {
    fn from(bytes: Bytes) -> Self {
        Self {
            length: bytes.len() as u64,
            buffered: bytes,
            is_slice: false,
            source: Source::AppState(Bytes::new(), Vec::new().into_iter()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(bytes: &Bytes) -> BodyCursor {
        let source = Source::File {
            hash: [7; 32],
            end: bytes.len() as u64,
        };
        BodyCursor {
            source,
            ..BodyCursor::from(Bytes::clone(bytes))
        }
    }

    #[test]
    fn who_lets_wait_holds_a_slice_and_misses_nothing() {
        let whole: Vec<u8> = (0..100_000_u32).flat_map(u32::to_be_bytes).collect();
        let whole = Bytes::from(whole);
        let (mut cursor, mut taken) = (picture(&whole), Vec::new());
        while !cursor.is_empty() {
            if let Some((hash, at)) = cursor.needs() {
                assert_eq!((hash, at), ([7; 32], taken.len() as u64));
                cursor.fill(whole.slice(taken.len()..));
            }
            cursor.copy_slice();
            assert!(cursor.buffered.len() <= SLICE_BYTES);
            let length = cursor.buffered.len().min(5_000);
            taken.extend_from_slice(&cursor.buffered[..length]);
            cursor.advance(length);
        }
        assert!(taken == whole);
        assert_eq!(cursor.needs(), None);
        // A connection that has sent everything may stay open: it must not hold the buffer.
        cursor = picture(&whole);
        cursor.advance(whole.len());
        assert!(whole.is_unique(), "{cursor:?}");
    }

    #[test]
    fn what_all_readers_share_stays_whole_and_lacks_nothing() {
        let mut cursor = BodyCursor::from(Bytes::from(vec![1; 100_000]));
        cursor.copy_slice();
        assert_eq!((cursor.buffered.len(), cursor.bytes()), (100_000, 100_000));
        while !cursor.is_empty() {
            assert_eq!(cursor.needs(), None);
            assert!(cursor.take_slice().len() <= SLICE_BYTES);
        }
    }

    #[test]
    fn no_more_than_the_part_is_put_at_hand() {
        let mut cursor = picture(&Bytes::new());
        (cursor.length, cursor.source) = (
            5,
            Source::File {
                hash: [7; 32],
                end: 15,
            },
        );
        assert_eq!(cursor.needs(), Some(([7; 32], 10)));
        cursor.fill(Bytes::from_static(b"0123456789"));
        assert_eq!(cursor.buffered, &b"01234"[..]);
    }
}
