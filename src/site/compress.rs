//! Makes answers: three encodings, an entity tag for each.

use super::{Body, Page};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use std::io::Write as _;
use std::sync::Arc;

/// Brotli while somebody waits for the publish, and when nobody does.
const BROTLI_QUALITY_FAST: i32 = 5;
const BROTLI_QUALITY_BEST: i32 = 11;
/// Pages fit in 256 KiB; a larger window costs the best quality 32 MB a page and gains nothing.
const BROTLI_WINDOW_LOG: i32 = 18;
const GZIP_LEVEL: u32 = 6;
/// Smaller answers fit in one packet anyway.
const COMPRESSED_BYTES_MIN: usize = 256;
/// Bytes of the content's hash in an entity tag.
const TAG_BYTES: usize = 12;

/// What an answer is, before it is compressed.
#[derive(Debug)]
pub(super) struct Raw {
    pub(super) status: u16,
    pub(super) content_type: &'static str,
    pub(super) bytes: Vec<u8>,
}

impl Raw {
    pub(super) fn ok(content_type: &'static str, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            status: 200,
            content_type,
            bytes: bytes.into(),
        }
    }
}

/// The answer in three encodings, fast. Visitors ask again each time, and get 304.
pub(super) fn page(raw: Raw, cache_control: &'static str) -> Page {
    let tag = tag_of(&raw.bytes);
    let brotli = compressed(&raw.bytes, |bytes| brotli(bytes, BROTLI_QUALITY_FAST));
    let gzip = compressed(&raw.bytes, gzip);
    Page {
        status: raw.status,
        content_type: raw.content_type,
        cache_control,
        identity: body(raw.bytes, &tag, ""),
        brotli: brotli.map(|bytes| body(bytes, &tag, "-b5")),
        gzip: gzip.map(|bytes| body(bytes, &tag, "-g")),
    }
}

/// A stored answer as it is, with what was compressed beforehand.
pub(super) fn stored(
    content_type: &'static str,
    cache_control: &'static str,
    bytes: &[u8],
    brotli: Option<&[u8]>,
    gzip: Option<&[u8]>,
) -> Page {
    let tag = tag_of(bytes);
    Page {
        status: 200,
        content_type,
        cache_control,
        identity: body(bytes, &tag, ""),
        brotli: brotli.map(|bytes| body(bytes, &tag, "-b")),
        gzip: gzip.map(|bytes| body(bytes, &tag, "-g")),
    }
}

/// The same answer with its Brotli as small as it gets; `None` when it has none. Slow.
///
/// The bytes differ from the fast ones, so their strong entity tag does too.
pub(super) fn best(page: &Page) -> Option<Page> {
    page.brotli.as_ref()?;
    let tag = tag_of(&page.identity.bytes);
    let bytes = brotli(&page.identity.bytes, BROTLI_QUALITY_BEST)?;
    Some(Page {
        status: page.status,
        content_type: page.content_type,
        cache_control: page.cache_control,
        identity: page.identity.clone(),
        brotli: Some(body(bytes, &tag, "-b11")),
        gzip: page.gzip.clone(),
    })
}

fn body(bytes: impl Into<Arc<[u8]>>, tag: &str, encoding: &str) -> Body {
    Body {
        bytes: bytes.into(),
        etag: format!("\"{tag}{encoding}\""),
    }
}

fn tag_of(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    URL_SAFE_NO_PAD.encode(digest.get(..TAG_BYTES).unwrap_or(&digest))
}

fn compressed(bytes: &[u8], with: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Option<Vec<u8>> {
    if bytes.len() < COMPRESSED_BYTES_MIN {
        return None;
    }
    with(bytes).filter(|smaller| smaller.len() < bytes.len())
}

fn brotli(bytes: &[u8], quality: i32) -> Option<Vec<u8>> {
    let parameters = brotli::enc::BrotliEncoderParams {
        quality,
        lgwin: BROTLI_WINDOW_LOG,
        size_hint: bytes.len(),
        ..Default::default()
    };
    let mut smaller = Vec::with_capacity(bytes.len() / 4);
    let mut source = bytes;
    brotli::BrotliCompress(&mut source, &mut smaller, &parameters).ok()?;
    Some(smaller)
}

fn gzip(bytes: &[u8]) -> Option<Vec<u8>> {
    let smaller = Vec::with_capacity(bytes.len() / 4);
    let mut encoder = GzEncoder::new(smaller, flate2::Compression::new(GZIP_LEVEL));
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::headers::ASKED;

    #[test]
    fn every_encoding_gives_the_same_bytes_back_under_its_own_tag() {
        let text = "respiro e benessere, ".repeat(100);
        let fast = page(Raw::ok("text/plain", text.as_str()), ASKED);
        let best = best(&fast).unwrap();
        let mut tags = vec![fast.identity.etag.clone()];
        for body in [&fast.brotli, &best.brotli].map(|body| body.as_ref().unwrap()) {
            let mut plain = Vec::new();
            brotli::BrotliDecompress(&mut &*body.bytes, &mut plain).unwrap();
            assert_eq!(plain, text.as_bytes());
            tags.push(body.etag.clone());
        }
        let mut plain = String::new();
        let gzip = fast.gzip.as_ref().unwrap();
        let mut decoder = flate2::read::GzDecoder::new(&*gzip.bytes);
        std::io::Read::read_to_string(&mut decoder, &mut plain).unwrap();
        assert_eq!(plain, text);
        tags.push(gzip.etag.clone());
        tags.sort();
        tags.dedup();
        assert_eq!(tags.len(), 4, "{tags:?}");
    }

    #[test]
    fn what_does_not_get_smaller_is_sent_as_it_is() {
        let short = page(Raw::ok("text/plain", "ok"), ASKED);
        assert!(short.brotli.is_none() && short.gzip.is_none() && best(&short).is_none());
    }
}
