//! One public response in its encodings.

use super::compress;
use super::headers::Policy;
use bytes::Bytes;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// One public response, ready to send in three encodings.
#[derive(Debug)]
pub struct Page {
    pub status: u16,
    pub content_type: &'static str,
    pub cache_control: &'static str,
    /// `Content-Security-Policy` of a page with inlined style rules.
    pub policy: Option<Box<Policy>>,
    /// Hash of the uncompressed bytes, common to the entity tags of all encodings.
    pub(super) tag: String,
    pub(super) plain: IdentityBody,
    pub brotli: Option<Body>,
    pub gzip: Option<Body>,
}

/// Bytes of one encoding and their strong entity tag, quotes included.
#[derive(Debug, Clone)]
pub struct Body {
    pub bytes: Bytes,
    pub etag: String,
}

/// Uncompressed bytes are several times larger than compressed ones and rarely requested. They are
/// decompressed on request and shared by concurrent readers. Held for 800 pages, they took 46 MB.
#[derive(Debug, Default)]
pub(super) struct IdentityBody {
    /// Set if there is no gzip body.
    whole: Option<Bytes>,
    read: Mutex<Weak<Vec<u8>>>,
}

/// Decompressed bytes, freed with their last reader.
struct DecompressedBody(Arc<Vec<u8>>);

impl AsRef<[u8]> for DecompressedBody {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl IdentityBody {
    pub(super) fn whole(bytes: Bytes) -> Self {
        Self {
            whole: Some(bytes),
            read: Mutex::default(),
        }
    }

    #[cfg(test)]
    pub(super) fn readers(&self) -> usize {
        self.read.lock().map_or(0, |read| read.strong_count())
    }
}

impl Page {
    /// Returns whether it is an HTML page with status 200, not a file or a "not found" screen.
    pub fn is_shown(&self) -> bool {
        self.status == 200 && self.content_type.starts_with("text/html")
    }

    /// Returns the body for clients that accept no compressed one.
    pub fn identity(&self) -> Body {
        Body {
            bytes: self.plain(),
            etag: self.plain_etag(),
        }
    }

    pub fn plain_etag(&self) -> String {
        compress::etag(&self.tag, "")
    }

    pub fn plain(&self) -> Bytes {
        if let Some(bytes) = &self.plain.whole {
            return bytes.clone();
        }
        let read = &mut *self
            .plain
            .read
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let unpacked = read.upgrade().unwrap_or_else(|| {
            let unpacked = Arc::new(self.unpacked());
            *read = Arc::downgrade(&unpacked);
            unpacked
        });
        Bytes::from_owner(DecompressedBody(unpacked))
    }

    /// Returns the length of the uncompressed bytes without decompressing them.
    pub fn plain_length(&self) -> u64 {
        match (&self.plain.whole, &self.gzip) {
            (Some(bytes), _) => bytes.len() as u64,
            (None, Some(gzip)) => compress::unpacked_length(&gzip.bytes),
            (None, None) => 0,
        }
    }

    /// Returns the bytes that the response takes in memory.
    pub(super) fn bytes(&self) -> usize {
        let plain = self.plain.whole.as_ref();
        let packed = [&self.brotli, &self.gzip].into_iter().flatten();
        let bodies = packed.map(|body| &body.bytes).chain(plain);
        bodies.map(Bytes::len).sum()
    }

    /// Returns whether the Brotli body has the best quality.
    pub(super) fn is_smallest(&self) -> bool {
        let is_best = |body: &Body| body.etag.ends_with(compress::BEST_END);
        self.brotli.as_ref().is_none_or(is_best)
    }

    fn unpacked(&self) -> Vec<u8> {
        let gzip = self.gzip.as_ref().map_or(&[][..], |body| &body.bytes);
        compress::unpacked(gzip).unwrap_or_else(|error| {
            // This program compressed the bytes itself.
            tracing::error!(%error, "an answer in memory is damaged");
            Vec::new()
        })
    }
}
