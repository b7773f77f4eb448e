//! One public answer in its encodings.

use super::compress;
use super::headers::Policy;
use bytes::Bytes;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// One public answer, ready to send in three encodings.
#[derive(Debug)]
pub struct Page {
    pub status: u16,
    pub content_type: &'static str,
    pub cache_control: &'static str,
    /// `Content-Security-Policy` of a page with style rules of its own.
    pub policy: Option<Box<Policy>>,
    /// Of the plain bytes, as it stands in every entity tag.
    pub(super) tag: String,
    pub(super) plain: Plain,
    pub brotli: Option<Body>,
    pub gzip: Option<Body>,
}

/// Bytes of one encoding and their strong entity tag, quotes included.
#[derive(Debug, Clone)]
pub struct Body {
    pub bytes: Bytes,
    pub etag: String,
}

/// Plain bytes are several times the compressed ones and seldom asked for: they are unpacked for
/// who does, and shared by all who read them meanwhile. Kept, those of 800 pages were 46 MB.
#[derive(Debug, Default)]
pub(super) struct Plain {
    /// Where there is no gzip.
    whole: Option<Bytes>,
    read: Mutex<Weak<Vec<u8>>>,
}

/// Unpacked bytes, there for as long as somebody reads them.
struct Unpacked(Arc<Vec<u8>>);

impl AsRef<[u8]> for Unpacked {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Plain {
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
    /// Whether it is something to read, and no file or word that nothing is there.
    pub fn is_shown(&self) -> bool {
        self.status == 200 && self.content_type.starts_with("text/html")
    }

    /// The answer for who takes no compressed one.
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
        Bytes::from_owner(Unpacked(unpacked))
    }

    /// How many plain bytes there are: they are not unpacked for that.
    pub fn plain_length(&self) -> u64 {
        match (&self.plain.whole, &self.gzip) {
            (Some(bytes), _) => bytes.len() as u64,
            (None, Some(gzip)) => compress::unpacked_length(&gzip.bytes),
            (None, None) => 0,
        }
    }

    /// Bytes that it takes in memory.
    pub(super) fn bytes(&self) -> usize {
        let plain = self.plain.whole.as_ref();
        let packed = [&self.brotli, &self.gzip].into_iter().flatten();
        let bodies = packed.map(|body| &body.bytes).chain(plain);
        bodies.map(Bytes::len).sum()
    }

    /// Whether nothing is left to be made smaller.
    pub(super) fn is_smallest(&self) -> bool {
        let is_best = |body: &Body| body.etag.ends_with(compress::BEST_END);
        self.brotli.as_ref().is_none_or(is_best)
    }

    fn unpacked(&self) -> Vec<u8> {
        let gzip = self.gzip.as_ref().map_or(&[][..], |body| &body.bytes);
        compress::unpacked(gzip).unwrap_or_else(|error| {
            // What this program has packed itself.
            tracing::error!(%error, "an answer in memory is damaged");
            Vec::new()
        })
    }
}
