//! One public answer in its encodings.

use super::compress;
use super::headers::Policy;
use bytes::Bytes;
use std::sync::OnceLock;

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
    /// Plain bytes are several times the compressed ones and seldom asked for: unpacked by the
    /// first who does. Set from the start where there is no gzip.
    pub(super) plain: OnceLock<Body>,
    pub brotli: Option<Body>,
    pub gzip: Option<Body>,
}

/// Bytes of one encoding and their strong entity tag, quotes included.
#[derive(Debug, Clone)]
pub struct Body {
    pub bytes: Bytes,
    pub etag: String,
}

impl Page {
    /// Whether it is something to read, and no file or word that nothing is there.
    pub fn is_shown(&self) -> bool {
        self.status == 200 && self.content_type.starts_with("text/html")
    }

    /// The answer for who takes no compressed one.
    pub fn identity(&self) -> &Body {
        self.plain.get_or_init(|| Body {
            bytes: self.unpacked(),
            etag: compress::etag(&self.tag, ""),
        })
    }

    /// The plain bytes, for who needs them once.
    pub(super) fn plain(&self) -> Bytes {
        match self.plain.get() {
            Some(body) => body.bytes.clone(),
            None => self.unpacked(),
        }
    }

    /// Bytes that it takes in memory.
    pub(super) fn bytes(&self) -> usize {
        let bodies = [self.plain.get(), self.brotli.as_ref(), self.gzip.as_ref()];
        bodies
            .into_iter()
            .flatten()
            .map(|body| body.bytes.len())
            .sum()
    }

    /// Whether nothing is left to be made smaller.
    pub(super) fn is_smallest(&self) -> bool {
        let is_best = |body: &Body| body.etag.ends_with(compress::BEST_END);
        self.brotli.as_ref().is_none_or(is_best)
    }

    fn unpacked(&self) -> Bytes {
        let gzip = self.gzip.as_ref().map_or(&[][..], |body| &body.bytes);
        match compress::unpacked(gzip) {
            Ok(plain) => plain.into(),
            Err(error) => {
                // What this program has packed itself.
                tracing::error!(%error, "an answer in memory is damaged");
                Bytes::new()
            }
        }
    }
}
